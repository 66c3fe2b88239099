//! Who may shake hands, and who must first show that his address is his own. Pure: `now` is an argument.
//!
//! Anybody can make any number of keys, and write any address on a packet; what he cannot do without its owner's
//! help is to answer from that address. So whoever has not shown that he can is never given more than half of
//! anything: when that half is used up, he is asked to (Retry, which costs the server no memory), and whoever does
//! has the other half.

use crate::network::Network;
use crate::pace::{Bucket, Rate, Share};
use chatrang_protocol::limits;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How many may come; a test makes it few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateLimits {
    /// Connections at the same time, handshakes included.
    pub connections_max: usize,
    /// Of one address.
    pub connections_per_address_max: usize,
    /// Handshakes in flight from which on an address must be proven.
    pub handshakes_before_retry: usize,
    /// Handshakes in flight.
    pub handshakes_max: usize,
    /// Of one address.
    pub handshakes_per_address_max: usize,
    /// Handshakes in the long run.
    pub handshakes_per_second_max: u32,
    /// Of one address.
    pub handshakes_per_address_and_second_max: u32,
    /// New accounts in the long run.
    pub newcomers_per_hour_max: u32,
    /// From one address.
    pub newcomers_per_address_and_hour_max: u32,
    /// Whether the server's own machine is an address like any other.
    pub own_machine: OwnMachine,
}

/// What of these counts for the server's own machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnMachine {
    /// Only the places in all: whoever is on it can do worse than to connect.
    Trusted,
    /// All of it.
    LikeOthers,
}

impl Default for GateLimits {
    fn default() -> Self {
        Self {
            connections_max: limits::CONNECTIONS_MAX,
            connections_per_address_max: limits::CONNECTIONS_PER_ADDRESS_MAX,
            handshakes_before_retry: limits::HANDSHAKES_BEFORE_RETRY,
            handshakes_max: limits::HANDSHAKES_MAX,
            handshakes_per_address_max: limits::HANDSHAKES_PER_ADDRESS_MAX,
            handshakes_per_second_max: limits::HANDSHAKES_PER_SECOND_MAX,
            handshakes_per_address_and_second_max: limits::HANDSHAKES_PER_ADDRESS_AND_SECOND_MAX,
            newcomers_per_hour_max: limits::NEWCOMERS_PER_HOUR_MAX,
            newcomers_per_address_and_hour_max: limits::NEWCOMERS_PER_ADDRESS_AND_HOUR_MAX,
            own_machine: OwnMachine::Trusted,
        }
    }
}

impl GateLimits {
    /// Whether a network is not counted by itself.
    pub fn trusts(&self, network: Network) -> bool {
        self.own_machine == OwnMachine::Trusted && network.is_own_machine()
    }
}

/// Whether a client has shown that it receives what is sent to its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It has.
    Given,
    /// It has not, and can be asked to.
    Missing,
}

/// What becomes of an attempt.
#[derive(Debug)]
pub enum Verdict {
    /// It may shake hands, and holds its place as long as this lives.
    Admit(Place),
    /// It must first show that its address is its own.
    Prove,
    /// It is turned away.
    Refuse,
}

/// Counts all that come in. Cheap to clone; the same gate behind all clones.
#[derive(Clone, Debug)]
pub struct Gate {
    limits: GateLimits,
    crowd: Arc<Mutex<Crowd>>,
}

/// Who is inside or at the door.
#[derive(Debug)]
struct Crowd {
    all: Count,
    by_network: HashMap<Network, Count>,
    /// When networks that have left nothing behind are forgotten again.
    swept: Instant,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    connections: usize,
    handshakes: usize,
    bucket: Bucket,
}

/// How often networks without a connection are looked through: there are never more of them than were let in
/// meanwhile, and in the time that a bucket takes to fill.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

impl Gate {
    /// Nobody has come yet.
    pub fn new(limits: GateLimits) -> Self {
        let now = Instant::now();
        let crowd = Crowd { all: Count::none(now), by_network: HashMap::new(), swept: now };
        Self { limits, crowd: Arc::new(Mutex::new(crowd)) }
    }

    /// What becomes of somebody who comes from `network` at `now`.
    pub fn judge(&self, network: Network, proof: Proof, now: Instant) -> Verdict {
        let mut crowd = self.crowd();
        crowd.sweep(now);
        let own = crowd.by_network.get(&network).copied().unwrap_or_else(|| Count::none(now));
        if crowd.all.connections >= self.limits.connections_max || !self.has_room(network, own) {
            return Verdict::Refuse;
        }
        match self.paced(network, crowd.all, own, proof, now) {
            Some((all, own)) => {
                crowd.all = all.entered();
                crowd.by_network.insert(network, own.entered());
                Verdict::Admit(Place { network, gate: self.clone(), stage: Stage::ShakesHands })
            }
            None if proof == Proof::Missing => Verdict::Prove,
            None => Verdict::Refuse,
        }
    }

    fn has_room(&self, network: Network, own: Count) -> bool {
        self.limits.trusts(network) || own.connections < self.limits.connections_per_address_max
    }

    /// Both counts after one more handshake, if there may be one.
    fn paced(
        &self,
        network: Network,
        all: Count,
        own: Count,
        proof: Proof,
        now: Instant,
    ) -> Option<(Count, Count)> {
        let limits = &self.limits;
        let (share, handshakes_max) = match proof {
            Proof::Given => (Share::Whole, limits.handshakes_max),
            Proof::Missing => (Share::Half, limits.handshakes_before_retry),
        };
        if all.handshakes >= handshakes_max {
            return None;
        }
        if limits.trusts(network) {
            return Some((all, own));
        }
        let handshakes_per_address_max = match proof {
            Proof::Given => limits.handshakes_per_address_max,
            Proof::Missing => limits.handshakes_per_address_max / 2,
        };
        if own.handshakes >= handshakes_per_address_max {
            return None;
        }
        let own_rate = Rate::per_second(limits.handshakes_per_address_and_second_max);
        let all_rate = Rate::per_second(limits.handshakes_per_second_max);
        let own_bucket = own.bucket.take(own_rate, share, now).ok()?;
        let all_bucket = all.bucket.take(all_rate, share, now).ok()?;
        Some((Count { bucket: all_bucket, ..all }, Count { bucket: own_bucket, ..own }))
    }

    fn crowd(&self) -> MutexGuard<'_, Crowd> {
        self.crowd.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Crowd {
    fn sweep(&mut self, now: Instant) {
        if now.saturating_duration_since(self.swept) >= SWEEP_INTERVAL {
            self.by_network.retain(|_, count| count.connections > 0 || !count.bucket.is_full(now));
            self.swept = now;
        }
    }
}

impl Count {
    fn none(now: Instant) -> Self {
        Self { connections: 0, handshakes: 0, bucket: Bucket::full(now) }
    }

    fn entered(self) -> Self {
        Self { connections: self.connections + 1, handshakes: self.handshakes + 1, ..self }
    }
}

/// A connection's place; free again when dropped.
#[derive(Debug)]
pub struct Place {
    network: Network,
    gate: Gate,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    ShakesHands,
    Inside,
}

impl Place {
    /// The handshake is done: it is in nobody's way any more.
    pub fn go_inside(&mut self) {
        if self.stage == Stage::ShakesHands {
            self.stage = Stage::Inside;
            self.recount(|count| count.handshakes = count.handshakes.saturating_sub(1));
        }
    }

    fn recount(&self, change: impl Fn(&mut Count)) {
        let mut crowd = self.gate.crowd();
        change(&mut crowd.all);
        if let Some(own) = crowd.by_network.get_mut(&self.network) {
            change(own);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.go_inside();
        self.recount(|count| count.connections = count.connections.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limits that are in nobody's way but where a test lowers them.
    const WIDE: GateLimits = GateLimits {
        connections_max: 1_000,
        connections_per_address_max: 1_000,
        handshakes_before_retry: 1_000,
        handshakes_max: 1_000,
        handshakes_per_address_max: 2_000,
        handshakes_per_second_max: 1_000,
        handshakes_per_address_and_second_max: 1_000,
        newcomers_per_hour_max: 1_000,
        newcomers_per_address_and_hour_max: 1_000,
        own_machine: OwnMachine::Trusted,
    };

    fn network(text: &str) -> Network {
        Network::of(text.parse().unwrap())
    }

    fn far(number: u8) -> Network {
        network(&format!("192.0.2.{number}"))
    }

    fn admitted(gate: &Gate, network: Network, proof: Proof, now: Instant) -> Place {
        match gate.judge(network, proof, now) {
            Verdict::Admit(place) => place,
            other => panic!("{other:?}"),
        }
    }

    fn inside(gate: &Gate, network: Network, now: Instant) -> Place {
        let mut place = admitted(gate, network, Proof::Given, now);
        place.go_inside();
        place
    }

    #[test]
    fn there_are_so_many_places_and_one_that_leaves_makes_room() {
        let (gate, now) = (Gate::new(GateLimits { connections_max: 3, ..WIDE }), Instant::now());
        let mut held: Vec<_> = (0..3).map(|number| inside(&gate, far(number), now)).collect();
        for everybody in [far(9), network("127.0.0.1")] {
            assert!(matches!(gate.judge(everybody, Proof::Given, now), Verdict::Refuse));
        }
        held.pop();
        inside(&gate, far(9), now);
    }

    #[test]
    fn an_address_has_so_many_places_and_the_own_machine_any_number() {
        let limits = GateLimits { connections_per_address_max: 2, ..WIDE };
        let (gate, now) = (Gate::new(limits), Instant::now());
        let held = [inside(&gate, far(1), now), inside(&gate, far(1), now)];
        assert!(matches!(gate.judge(far(1), Proof::Given, now), Verdict::Refuse));
        let _other = inside(&gate, far(2), now);
        let _own: Vec<_> = (0..5).map(|_| inside(&gate, network("127.0.0.1"), now)).collect();
        drop(held);
        inside(&gate, far(1), now);
        let strict = Gate::new(GateLimits { own_machine: OwnMachine::LikeOthers, ..limits });
        let _held = [inside(&strict, network("::1"), now), inside(&strict, network("::1"), now)];
        assert!(matches!(strict.judge(network("::1"), Proof::Given, now), Verdict::Refuse));
    }

    #[test]
    fn with_many_handshakes_in_flight_an_address_must_be_proven() {
        let limits = GateLimits { handshakes_before_retry: 2, handshakes_max: 3, ..WIDE };
        let (gate, now) = (Gate::new(limits), Instant::now());
        let silent =
            [admitted(&gate, far(1), Proof::Missing, now), admitted(&gate, far(2), Proof::Missing, now)];
        assert!(matches!(gate.judge(far(3), Proof::Missing, now), Verdict::Prove));
        let mut proven = admitted(&gate, far(3), Proof::Given, now);
        assert!(matches!(gate.judge(far(4), Proof::Given, now), Verdict::Refuse), "at the bound");
        proven.go_inside();
        let _fourth = admitted(&gate, far(4), Proof::Given, now);
        drop(silent);
        admitted(&gate, far(5), Proof::Missing, now);
    }

    /// A forger of addresses gets his victim to prove his, and no more.
    #[test]
    fn who_forges_an_address_uses_up_half_of_its_owners_share() {
        let limits =
            GateLimits { handshakes_per_address_max: 4, handshakes_per_address_and_second_max: 2, ..WIDE };
        let (gate, now) = (Gate::new(limits), Instant::now());
        let half_in_flight = 2;
        let forged: Vec<_> =
            (0..half_in_flight).map(|_| admitted(&gate, far(1), Proof::Missing, now)).collect();
        assert!(matches!(gate.judge(far(1), Proof::Missing, now), Verdict::Prove));
        let _victim = inside(&gate, far(1), now);
        drop(forged);
        // By now three of the eight tokens of a burst are taken: one more of the forger's half is left.
        drop(admitted(&gate, far(1), Proof::Missing, now));
        assert!(matches!(gate.judge(far(1), Proof::Missing, now), Verdict::Prove));
        for _ in 0..4 {
            inside(&gate, far(1), now);
        }
        assert!(matches!(gate.judge(far(1), Proof::Given, now), Verdict::Refuse));
        inside(&gate, far(1), now + Duration::from_millis(500));
        inside(&gate, far(2), now);
    }

    /// Keys are free to make and addresses are cheap: what all of them shake hands together is bounded too.
    #[test]
    fn all_addresses_together_have_a_pace() {
        let limits = GateLimits { handshakes_per_second_max: 10, ..WIDE };
        let (gate, now) = (Gate::new(limits), Instant::now());
        let burst = 10 * limits::BURST_SECONDS as u8;
        for number in 0..burst {
            inside(&gate, far(number), now);
        }
        assert!(matches!(gate.judge(far(100), Proof::Missing, now), Verdict::Prove));
        assert!(matches!(gate.judge(far(100), Proof::Given, now), Verdict::Refuse));
        inside(&gate, network("127.0.0.1"), now);
        inside(&gate, far(100), now + Duration::from_millis(100));
    }

    #[test]
    fn networks_that_have_left_nothing_behind_are_forgotten() {
        let (gate, now) = (Gate::new(WIDE), Instant::now());
        for number in 0..100 {
            inside(&gate, far(number), now);
        }
        let _stays = inside(&gate, far(200), now);
        assert_eq!(gate.crowd().by_network.len(), 101);
        let later = now + SWEEP_INTERVAL;
        inside(&gate, far(201), later);
        assert_eq!(gate.crowd().by_network.len(), 2);
        assert_eq!(gate.crowd().all.connections, 1);
        assert_eq!(gate.crowd().all.handshakes, 0);
    }
}
