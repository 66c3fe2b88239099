//! A network in memory: real quinn on both ends, and between them packets that take their time, get lost, come
//! twice or in another order; addresses that change; a server whose machine loses its power.
//!
//! Every path has dice of its own, thrown once for each packet in the order in which it is sent.

mod socket;

use super::dice::Dice;
use super::notes::Notes;
use quinn::{AsyncUdpSocket, Endpoint, EndpointConfig, TokioRuntime};
use socket::Socket;
use std::collections::{BTreeMap, VecDeque};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Waker;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// Where the server is.
pub const SERVER: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), 7_777);

/// How packets fare on one way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conditions {
    /// How long each is under way at the least, in milliseconds.
    pub delay_ms: u64,
    /// By how much longer it may be, so that a later one comes first.
    pub jitter_ms: u64,
    /// How many of a thousand are lost.
    pub lost_per_mille: u64,
    /// How many of a thousand come twice.
    pub doubled_per_mille: u64,
}

/// One device's line to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line(usize);

/// What became of packets.
#[derive(Clone, Copy, Debug, Default)]
pub struct PacketCounts {
    /// Sent by anybody.
    pub sent: u64,
    /// Of these, lost on the way.
    pub lost: u64,
    /// Of these, delivered twice.
    pub doubled: u64,
    /// Of these, delivered before one that was sent earlier on the same way.
    pub reordered: u64,
}

/// The network; cheap to clone, the same behind all clones.
#[derive(Clone, Debug)]
pub struct Network {
    switch: Arc<Mutex<Switch>>,
    wake: Arc<Notify>,
}

#[derive(Debug)]
struct Switch {
    seed: u64,
    notes: Notes,
    lines: Vec<Lane>,
    /// Which line an address is at present.
    seen_as: BTreeMap<SocketAddr, Line>,
    server: Option<Arc<Mutex<Inbox>>>,
    /// Packets that the server may still send before its power fails.
    until_failure: Option<u64>,
    failure: Arc<Notify>,
    flight: BTreeMap<(Instant, u64), Packet>,
    launched: u64,
    counts: PacketCounts,
}

/// A client's end, and both ways between it and the server.
#[derive(Debug)]
struct Lane {
    inbox: Arc<Mutex<Inbox>>,
    /// The address that the server sees.
    visible: SocketAddr,
    up: Way,
    down: Way,
    /// Nothing gets through before then.
    silent_until: Option<Instant>,
}

#[derive(Debug)]
struct Way {
    conditions: Conditions,
    dice: Dice,
    last_arrival: Option<Instant>,
}

#[derive(Debug)]
struct Packet {
    to: Target,
    from: SocketAddr,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum Target {
    Server,
    Client(Line),
}

/// What has arrived at a socket, and who waits for it.
#[derive(Debug, Default)]
struct Inbox {
    waiting: VecDeque<(SocketAddr, Vec<u8>)>,
    waker: Option<Waker>,
}

impl Network {
    /// A network without anybody, and its postman, who carries packets for as long as anybody holds it.
    pub fn new(seed: u64, notes: Notes) -> Self {
        let switch = Switch {
            seed,
            notes,
            lines: Vec::new(),
            seen_as: BTreeMap::new(),
            server: None,
            until_failure: None,
            failure: Arc::default(),
            flight: BTreeMap::new(),
            launched: 0,
            counts: PacketCounts::default(),
        };
        Self { switch: Arc::new(Mutex::new(switch)), wake: Arc::default() }
    }

    /// Carries packets; never returns.
    pub async fn carry(self) {
        loop {
            let next = self.lock().flight.keys().next().map(|(at, _)| *at);
            match next {
                None => self.wake.notified().await,
                Some(at) if at > Instant::now() => tokio::select! {
                    biased;
                    () = self.wake.notified() => {}
                    () = sleep_until(at) => {}
                },
                Some(_) => self.deliver_next(),
            }
        }
    }

    /// The server's socket. Whatever had the address before hears and says nothing any more.
    pub fn server_socket(&self) -> Arc<dyn AsyncUdpSocket> {
        let mut switch = self.lock();
        let inbox = Arc::new(Mutex::new(Inbox::default()));
        switch.server = Some(Arc::clone(&inbox));
        switch.until_failure = None;
        Arc::new(Socket::of_server(self.clone(), inbox))
    }

    /// The server's machine loses its power: from now on nothing leaves it, and what arrives finds nobody.
    pub fn unplug_server(&self) {
        let mut switch = self.lock();
        switch.server = None;
        switch.until_failure = None;
    }

    /// Lets the power fail as soon as the server has sent so many packets more.
    pub fn unplug_server_after(&self, packets: u64) {
        self.lock().until_failure = Some(packets);
    }

    /// Completes when the power has failed in the middle of sending.
    pub async fn server_failed(&self) {
        let failure = Arc::clone(&self.lock().failure);
        failure.notified().await;
    }

    /// A new device with a line of its own, at an address that nobody had.
    pub fn device(&self, up: Conditions, down: Conditions) -> (Endpoint, Line) {
        let mut switch = self.lock();
        let number = switch.lines.len();
        let (line, seed) = (Line(number), switch.seed);
        let inbox = Arc::new(Mutex::new(Inbox::default()));
        let visible = address(number, 0);
        let way =
            |conditions, name| Way { conditions, dice: Dice::of(seed, name, number), last_arrival: None };
        switch.lines.push(Lane {
            inbox: Arc::clone(&inbox),
            visible,
            up: way(up, "up"),
            down: way(down, "down"),
            silent_until: None,
        });
        switch.seen_as.insert(visible, line);
        drop(switch);
        let mut config = EndpointConfig::default();
        let mut dice = Dice::of(seed, "endpoint", number);
        config.rng_seed(Some(dice.bytes()));
        let socket = Arc::new(Socket::of_client(self.clone(), line, inbox));
        let endpoint = Endpoint::new_with_abstract_socket(config, None, socket, Arc::new(TokioRuntime))
            .expect("an endpoint needs nothing of the system");
        (endpoint, line)
    }

    /// The network on the way gives the device another address; it does not notice.
    pub fn rebind(&self, line: Line) {
        let mut switch = self.lock();
        let old = switch.lines[line.0].visible;
        let SocketAddr::V4(old_v4) = old else { return };
        let change = u16::from(old_v4.ip().octets()[1]) + 1;
        let new = address(line.0, change);
        switch.seen_as.remove(&old);
        switch.seen_as.insert(new, line);
        switch.lines[line.0].visible = new;
    }

    /// A socket at another address for a device that changes its own: it has noticed.
    pub fn moved_socket(&self, line: Line) -> Arc<dyn AsyncUdpSocket> {
        self.rebind(line);
        let inbox = Arc::new(Mutex::new(Inbox::default()));
        self.lock().lines[line.0].inbox = Arc::clone(&inbox);
        Arc::new(Socket::of_client(self.clone(), line, inbox))
    }

    /// Nothing gets through to a device or from it for so long.
    pub fn silence(&self, line: Line, span: Duration) {
        let end = Instant::now() + span;
        let lane = &mut self.lock().lines[line.0];
        lane.silent_until = lane.silent_until.max(Some(end));
    }

    /// How packets of a device fare from now on.
    pub fn set_conditions(&self, line: Line, up: Conditions, down: Conditions) {
        let lane = &mut self.lock().lines[line.0];
        (lane.up.conditions, lane.down.conditions) = (up, down);
    }

    /// How many devices there are.
    pub fn lines(&self) -> Vec<Line> {
        (0..self.lock().lines.len()).map(Line).collect()
    }

    /// What became of packets so far.
    pub fn counts(&self) -> PacketCounts {
        self.lock().counts
    }

    fn send_from_client(&self, line: Line, bytes: &[u8]) {
        let mut switch = self.lock();
        let from = switch.lines[line.0].visible;
        switch.launch(line, Target::Server, from, bytes);
        self.wake.notify_one();
    }

    fn send_from_server(&self, inbox: &Arc<Mutex<Inbox>>, to: SocketAddr, bytes: &[u8]) {
        let mut switch = self.lock();
        if !switch.server.as_ref().is_some_and(|present| Arc::ptr_eq(present, inbox)) {
            return;
        }
        // What goes to an address that nobody has any more is gone.
        if let Some(line) = switch.seen_as.get(&to).copied() {
            switch.launch(line, Target::Client(line), SERVER, bytes);
        }
        if let Some(left) = &mut switch.until_failure {
            *left = left.saturating_sub(1);
            if *left == 0 {
                (switch.server, switch.until_failure) = (None, None);
                switch.failure.notify_one();
            }
        }
        self.wake.notify_one();
    }

    fn deliver_next(&self) {
        let waker = {
            let mut switch = self.lock();
            let Some((_, Packet { to, from, bytes })) = switch.flight.pop_first() else { return };
            let inbox = match to {
                Target::Server => switch.server.clone(),
                Target::Client(line) => Some(Arc::clone(&switch.lines[line.0].inbox)),
            };
            inbox.and_then(|inbox| {
                let mut inbox = inbox.lock().unwrap();
                inbox.waiting.push_back((from, bytes));
                inbox.waker.take()
            })
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Switch> {
        self.switch.lock().unwrap()
    }
}

impl Switch {
    /// Sends a packet on its way, as often as the dice say.
    fn launch(&mut self, line: Line, to: Target, from: SocketAddr, bytes: &[u8]) {
        let now = Instant::now();
        let lane = &mut self.lines[line.0];
        let is_silent = lane.silent_until.is_some_and(|end| now < end);
        let way = match to {
            Target::Server => &mut lane.up,
            Target::Client(_) => &mut lane.down,
        };
        // All dice are thrown for each packet, so that a change of the conditions changes no later throw.
        let is_lost = way.dice.per_mille(way.conditions.lost_per_mille);
        let is_doubled = way.dice.per_mille(way.conditions.doubled_per_mille);
        let delays = [way.delay(), way.delay()];
        self.counts.sent += 1;
        let sender = match to {
            Target::Server => "up",
            Target::Client(_) => "down",
        };
        let fate = if is_lost || is_silent { "lost" } else { "sent" };
        self.notes.detail("network", format_args!("line {} {sender}: {} bytes {fate}", line.0, bytes.len()));
        if is_lost || is_silent {
            self.counts.lost += 1;
            return;
        }
        self.counts.doubled += u64::from(is_doubled);
        for delay in &delays[..if is_doubled { 2 } else { 1 }] {
            let at = now + *delay;
            self.counts.reordered += u64::from(way.last_arrival > Some(at));
            way.last_arrival = way.last_arrival.max(Some(at));
            self.launched += 1;
            self.flight.insert((at, self.launched), Packet { to, from, bytes: bytes.to_vec() });
        }
    }
}

impl Way {
    fn delay(&mut self) -> Duration {
        let Conditions { delay_ms, jitter_ms, .. } = self.conditions;
        self.dice.ms(delay_ms, delay_ms + jitter_ms)
    }
}

/// The address of a device after so many changes.
fn address(number: usize, changes: u16) -> SocketAddr {
    let [high, low] = (number as u16 + 2).to_be_bytes();
    (Ipv4Addr::new(10, changes as u8, high, low), 40_000 + changes).into()
}
