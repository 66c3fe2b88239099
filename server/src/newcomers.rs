//! How many strangers become players: an account is for ever and lies on the disk, and a key costs nothing.

use crate::gate::GateLimits;
use crate::network::Network;
use crate::pace::{Bucket, Rate, Share};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Counts those who register. Cheap to clone; the same count behind all clones.
#[derive(Clone, Debug)]
pub struct Newcomers {
    limits: GateLimits,
    buckets: Arc<Mutex<Buckets>>,
}

#[derive(Debug)]
struct Buckets {
    all: Bucket,
    by_network: HashMap<Network, Bucket>,
    /// When networks that owe nothing any more were last forgotten.
    swept: Instant,
}

/// How often networks whose buckets are full are looked for. Who guesses codes is counted for his network
/// alone, so there may be as many of them as shake hands in the time in which a token comes back.
const SWEEP_INTERVAL: Duration = Duration::from_secs(10);

/// One registration that is counted, unless it is [given back](Ticket::give_back).
#[derive(Debug)]
pub struct Ticket {
    network: Network,
    newcomers: Newcomers,
}

/// Why a registration that was counted came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fruitless {
    /// By a name that is not free, or a fault of the store.
    Unlucky,
    /// By a code that is no invitation: whoever tries codes is counted for his address.
    BadCode,
}

impl Newcomers {
    /// Nobody has come yet.
    pub fn new(limits: GateLimits) -> Self {
        let now = Instant::now();
        let buckets = Buckets { all: Bucket::full(now), by_network: HashMap::new(), swept: now };
        Self { limits, buckets: Arc::new(Mutex::new(buckets)) }
    }

    /// Counts one who comes from `network`.
    ///
    /// # Errors
    /// How long he has to wait, when there have been as many as may.
    pub fn admit(&self, network: Network, now: Instant) -> Result<Ticket, Duration> {
        let mut buckets = self.buckets();
        if !self.limits.trusts(network) {
            buckets.sweep(now);
            let own = buckets.by_network.get(&network).copied().unwrap_or_else(|| Bucket::full(now));
            let own = own.take(self.own_rate(), Share::Whole, now)?;
            buckets.all = buckets.all.take(self.all_rate(), Share::Whole, now)?;
            buckets.by_network.insert(network, own);
        }
        Ok(Ticket { network, newcomers: self.clone() })
    }

    fn own_rate(&self) -> Rate {
        Rate::per_hour(self.limits.newcomers_per_address_and_hour_max)
    }

    fn all_rate(&self) -> Rate {
        Rate::per_hour(self.limits.newcomers_per_hour_max)
    }

    fn buckets(&self) -> MutexGuard<'_, Buckets> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Buckets {
    fn sweep(&mut self, now: Instant) {
        if now.saturating_duration_since(self.swept) >= SWEEP_INTERVAL {
            self.by_network.retain(|_, bucket| !bucket.is_full(now));
            self.swept = now;
        }
    }
}

impl Ticket {
    /// Nobody has registered with it.
    pub fn give_back(self, why: Fruitless) {
        let Self { network, newcomers } = &self;
        if newcomers.limits.trusts(*network) {
            return;
        }
        let mut buckets = newcomers.buckets();
        buckets.all = buckets.all.give_back(newcomers.all_rate());
        if why == Fruitless::Unlucky
            && let Some(own) = buckets.by_network.get_mut(network)
        {
            *own = own.give_back(newcomers.own_rate());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::OwnMachine;

    fn network(text: &str) -> Network {
        Network::of(text.parse().unwrap())
    }

    fn club() -> (Newcomers, Instant) {
        let limits = GateLimits {
            newcomers_per_hour_max: 4,
            newcomers_per_address_and_hour_max: 2,
            own_machine: OwnMachine::Trusted,
            ..GateLimits::default()
        };
        (Newcomers::new(limits), Instant::now())
    }

    #[test]
    fn an_address_brings_so_many_and_all_of_them_so_many() {
        let (newcomers, now) = club();
        let [one, two, three] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(network);
        for who in [one, one, two] {
            newcomers.admit(who, now).unwrap();
        }
        assert_eq!(newcomers.admit(one, now).unwrap_err(), Duration::from_mins(30));
        newcomers.admit(two, now).unwrap();
        assert_eq!(newcomers.admit(three, now).unwrap_err(), Duration::from_mins(15));
        newcomers.admit(network("127.0.0.1"), now).unwrap();
        newcomers.admit(three, now + Duration::from_mins(15)).unwrap();
    }

    #[test]
    fn bad_luck_is_not_counted_and_a_guess_is_for_its_address() {
        let (newcomers, now) = club();
        let one = network("192.0.2.1");
        for _ in 0..9 {
            newcomers.admit(one, now).unwrap().give_back(Fruitless::Unlucky);
        }
        for _ in 0..2 {
            newcomers.admit(one, now).unwrap().give_back(Fruitless::BadCode);
        }
        assert!(newcomers.admit(one, now).is_err());
        for other in ["192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"] {
            newcomers.admit(network(other), now).unwrap();
        }
    }

    #[test]
    fn an_address_is_forgotten_when_its_bucket_is_full() {
        let (newcomers, now) = club();
        newcomers.admit(network("192.0.2.1"), now).unwrap();
        newcomers.admit(network("192.0.2.2"), now + Duration::from_hours(1)).unwrap();
        assert_eq!(newcomers.buckets().by_network.len(), 1);
    }
}
