//! A network on which each datagram is under way for a while, between one client and its server.

use crate::house::any_port;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::UdpSocket;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

/// Longer than any datagram of ours.
const DATAGRAM_BYTES_MAX: usize = 2_048;

/// Datagrams under way in one direction; on a full road further ones are lost.
const UNDER_WAY_MAX: usize = 1_024;

/// A client's datagram of up to so many bytes holds acknowledgements and nothing else, but for the odd
/// keep-alive: 1 byte of header, 8 of connection id, up to 4 of packet number, the frame, 16 of seal. The
/// shortest move takes more.
const ACKNOWLEDGEMENT_BYTES_MAX: usize = 46;

/// How long datagrams are under way.
#[derive(Clone, Copy, Debug)]
pub struct Delays {
    /// Each way.
    pub one_way: Duration,
    /// By how much that goes up and down at random, in percent; none overtakes another.
    pub jitter_percent: u32,
    /// Of the randomness.
    pub seed: u64,
    /// What becomes of the client's bare acknowledgements.
    pub acknowledgements: Acknowledgements,
}

/// What becomes of the datagrams in which a client only acknowledges what it has received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acknowledgements {
    /// They go with all others.
    Prompt,
    /// They leave so much later, as from a client that wants its path to look longer than it is.
    HeldBack(Duration),
}

/// A relay of datagrams for one client.
#[derive(Debug)]
pub struct SlowLane {
    /// Where the client finds the server.
    pub address: SocketAddr,
    /// All that is done for it ends with it.
    _carriers: JoinSet<()>,
}

/// A datagram, and when it is there.
type UnderWay = (Instant, Vec<u8>);

impl SlowLane {
    /// A lane to a server.
    pub async fn to(server: SocketAddr, delays: Delays) -> Self {
        let front = Arc::new(UdpSocket::bind(any_port()).await.unwrap());
        let back = Arc::new(UdpSocket::bind(any_port()).await.unwrap());
        back.connect(server).await.unwrap();
        let address = front.local_addr().unwrap();
        let (client_moves, client) = watch::channel(None);

        let mut carriers = JoinSet::new();
        let (prompt, arriving) = mpsc::channel(UNDER_WAY_MAX);
        carriers.spawn(hand_to_server(arriving, Arc::clone(&back)));
        let (held, arriving) = mpsc::channel(UNDER_WAY_MAX);
        carriers.spawn(hand_to_server(arriving, Arc::clone(&back)));
        let up = Up { delays: RandomDelays::new(delays, 0), prompt, held };
        carriers.spawn(up.take_from_client(Arc::clone(&front), client_moves));
        let (down, arriving) = mpsc::channel(UNDER_WAY_MAX);
        carriers.spawn(hand_to_client(arriving, front, client));
        carriers.spawn(take_from_server(back, RandomDelays::new(delays, 1), down));
        Self { address, _carriers: carriers }
    }
}

/// How long the next datagram is under way.
struct RandomDelays {
    delays: Delays,
    random: StdRng,
}

impl RandomDelays {
    fn new(delays: Delays, direction: u64) -> Self {
        Self { delays, random: StdRng::seed_from_u64(delays.seed.wrapping_mul(2).wrapping_add(direction)) }
    }

    fn next(&mut self) -> Duration {
        let jitter = self.delays.jitter_percent;
        let percent = self.random.random_range(100_u32.saturating_sub(jitter)..=100 + jitter);
        self.delays.one_way * percent / 100
    }
}

/// The way from the client to the server, on which acknowledgements may be held back.
struct Up {
    delays: RandomDelays,
    prompt: mpsc::Sender<UnderWay>,
    held: mpsc::Sender<UnderWay>,
}

impl Up {
    /// Takes what the client sends, wherever it sends it from.
    async fn take_from_client(mut self, front: Arc<UdpSocket>, client: watch::Sender<Option<SocketAddr>>) {
        let mut bytes = [0; DATAGRAM_BYTES_MAX];
        loop {
            let Ok((length, from)) = front.recv_from(&mut bytes).await else { continue };
            client.send_replace(Some(from));
            let due = Instant::now() + self.delays.next();
            let datagram = bytes[..length].to_vec();
            // On a full road it is lost, as on any network.
            let _ = match self.delays.delays.acknowledgements {
                Acknowledgements::HeldBack(hold) if length <= ACKNOWLEDGEMENT_BYTES_MAX => {
                    self.held.try_send((due + hold, datagram))
                }
                _ => self.prompt.try_send((due, datagram)),
            };
        }
    }
}

async fn take_from_server(back: Arc<UdpSocket>, mut delays: RandomDelays, down: mpsc::Sender<UnderWay>) {
    let mut bytes = [0; DATAGRAM_BYTES_MAX];
    loop {
        if let Ok(length) = back.recv(&mut bytes).await {
            let _ = down.try_send((Instant::now() + delays.next(), bytes[..length].to_vec()));
        }
    }
}

async fn hand_to_server(mut arriving: mpsc::Receiver<UnderWay>, back: Arc<UdpSocket>) {
    while let Some((due, datagram)) = arriving.recv().await {
        sleep_until(due).await;
        let _ = back.send(&datagram).await;
    }
}

async fn hand_to_client(
    mut arriving: mpsc::Receiver<UnderWay>,
    front: Arc<UdpSocket>,
    client: watch::Receiver<Option<SocketAddr>>,
) {
    while let Some((due, datagram)) = arriving.recv().await {
        sleep_until(due).await;
        let to = *client.borrow();
        if let Some(to) = to {
            let _ = front.send_to(&datagram, to).await;
        }
    }
}
