//! A bad network: datagrams take their time, overtake each other, are lost and come twice.

use chatrang_tests::house::any_port;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::UdpSocket;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Longer than any datagram of ours.
const DATAGRAM_BYTES_MAX: usize = 2_048;

/// What happens to a datagram.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weather {
    /// How many of a hundred are lost, each way.
    pub(crate) lost_percent: u32,
    /// How many of a hundred come twice.
    pub(crate) doubled_percent: u32,
    /// How long one is under way, at least and at most.
    pub(crate) one_way_ms: (u64, u64),
    /// Of the randomness.
    pub(crate) seed: u64,
}

/// A road from many clients to one server.
#[derive(Debug)]
pub(crate) struct Road {
    /// Where the clients find the server.
    pub(crate) address: SocketAddr,
    /// Ends what carries their datagrams when dropped.
    _carrier: JoinSet<()>,
}

impl Road {
    /// Builds it.
    pub(crate) async fn to(server: SocketAddr, weather: Weather) -> anyhow::Result<Self> {
        let front = Arc::new(UdpSocket::bind(any_port()).await?);
        let address = front.local_addr()?;
        let mut carrier = JoinSet::new();
        carrier.spawn(carry_up(front, server, weather));
        Ok(Self { address, _carrier: carrier })
    }
}

/// Each client has a socket of its own to the server, as it would have an address of its own.
async fn carry_up(front: Arc<UdpSocket>, server: SocketAddr, weather: Weather) {
    let mut dice = StdRng::seed_from_u64(weather.seed);
    let mut backs: HashMap<SocketAddr, Arc<UdpSocket>> = HashMap::new();
    // They end with this task, and so do the datagrams under way.
    let mut carriers = JoinSet::new();
    let mut bytes = [0; DATAGRAM_BYTES_MAX];
    loop {
        let Ok((length, client)) = front.recv_from(&mut bytes).await else { continue };
        let back = match backs.entry(client) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let Ok(back) = UdpSocket::bind(any_port()).await else { continue };
                let back = new.insert(Arc::new(back));
                let weather = Weather { seed: dice.random(), ..weather };
                carriers.spawn(carry_down(Arc::clone(back), Arc::clone(&front), client, weather));
                back
            }
        };
        send(&bytes[..length], back, server, &mut dice, weather);
    }
}

async fn carry_down(back: Arc<UdpSocket>, front: Arc<UdpSocket>, client: SocketAddr, weather: Weather) {
    let mut dice = StdRng::seed_from_u64(weather.seed);
    let mut bytes = [0; DATAGRAM_BYTES_MAX];
    loop {
        if let Ok((length, _)) = back.recv_from(&mut bytes).await {
            send(&bytes[..length], &front, client, &mut dice, weather);
        }
    }
}

/// Puts a datagram on its way, once, twice or not at all.
fn send(datagram: &[u8], from: &Arc<UdpSocket>, to: SocketAddr, dice: &mut StdRng, weather: Weather) {
    if dice.random_range(0..100) < weather.lost_percent {
        return;
    }
    let copies = if dice.random_range(0..100) < weather.doubled_percent { 2 } else { 1 };
    for _ in 0..copies {
        let (least, most) = weather.one_way_ms;
        let under_way = Duration::from_millis(dice.random_range(least..=most));
        let (datagram, from) = (datagram.to_vec(), Arc::clone(from));
        tokio::spawn(async move {
            sleep(under_way).await;
            // What cannot be sent is lost, as on any network.
            let _ = from.send_to(&datagram, to).await;
        });
    }
}
