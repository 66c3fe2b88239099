//! The bare relay: what QUIC alone costs. It has the server's transport settings and knows no chess:
//! it forwards each frame to the stream that attached to the same game, and acknowledges it.

use crate::heard::ACKNOWLEDGED;
use bytes::Bytes;
use chatrang_protocol::client_frame::ClientFrame;
use chatrang_protocol::codec;
use chatrang_protocol::frame::frame;
use chatrang_protocol::ids::GameId;
use chatrang_protocol::intent::Attach;
use chatrang_protocol::limits;
use chatrang_protocol::net::endpoint::{server_endpoint, udp_socket};
use chatrang_protocol::net::stream::{FrameReceiver, FrameSender};
use chatrang_tests::house::{ENDPOINT_KEYS, any_port, new_key};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::runtime::Builder;
use tokio::sync::mpsc;

/// Where the frames for a stream go.
type Queue = mpsc::UnboundedSender<Bytes>;

/// The streams of each game, in the order in which they attached.
#[derive(Clone, Debug, Default)]
struct Tables(Arc<Mutex<HashMap<GameId, Vec<Queue>>>>);

/// Relays until its standard input closes.
pub(crate) fn run() -> anyhow::Result<()> {
    let runtime = Builder::new_multi_thread().worker_threads(threads()).enable_all().build()?;
    runtime.block_on(async {
        let identity = new_key();
        let endpoint = server_endpoint(udp_socket(any_port())?, &identity, &ENDPOINT_KEYS)?;
        println!(
            r#"{{"address":"{}","fingerprint":"{}"}}"#,
            endpoint.local_addr()?,
            identity.public_key().fingerprint()
        );
        tokio::spawn(accept(endpoint));
        tokio::task::spawn_blocking(|| std::io::copy(&mut std::io::stdin(), &mut std::io::sink())).await??;
        Ok(())
    })
}

/// As many as chatrangd's: what serves it best serves a relay best, and only the same shape compares.
fn threads() -> usize {
    (std::thread::available_parallelism().map_or(1, usize::from) / 2).max(2)
}

async fn accept(endpoint: quinn::Endpoint) {
    let tables = Tables::default();
    while let Some(incoming) = endpoint.accept().await {
        let tables = tables.clone();
        tokio::spawn(async move {
            let Ok(connection) = incoming.await else { return };
            while let Ok((sender, receiver)) = connection.accept_bi().await {
                let receiver = FrameReceiver::new(receiver, limits::CLIENT_FRAME_BYTES_MAX);
                tokio::spawn(serve(tables.clone(), FrameSender::new(sender), receiver));
            }
        });
    }
}

/// One stream: a game's, or the first one of a connection, on which all is acknowledged and nothing else.
async fn serve(tables: Tables, mut sender: FrameSender, mut receiver: FrameReceiver) {
    let Ok(Some(first)) = receiver.next().await else { return };
    match codec::decode(&first) {
        Ok(ClientFrame::Attach(Attach { game, .. })) => forward(&tables, game, sender, receiver).await,
        _ => {
            while sender.send(frame(ACKNOWLEDGED).into()).await.is_ok() {
                let Ok(Some(_)) = receiver.next().await else { return };
            }
        }
    }
}

/// One player's stream. Its writer has a queue, as the server's have; it is as long as it gets, for a
/// relay that refuses would measure something else.
async fn forward(tables: &Tables, game: GameId, mut sender: FrameSender, mut receiver: FrameReceiver) {
    let (own, mut frames) = mpsc::unbounded_channel::<Bytes>();
    tables.enter(game, own.clone());
    tokio::spawn(async move {
        while let Some(frame) = frames.recv().await {
            if sender.send(frame).await.is_err() {
                return;
            }
        }
    });
    let acknowledgement = Bytes::from(frame(ACKNOWLEDGED));
    // The player may begin before his opponent is there only if he was told so.
    let _ = own.send(acknowledgement.clone());
    while let Ok(Some(message)) = receiver.next().await {
        let forwarded = Bytes::from(frame(&message));
        // One that has gone needs no moves.
        let _ = tables.opponent(game, &own).map(|opponent| opponent.send(forwarded));
        let _ = own.send(acknowledgement.clone());
    }
    tables.leave(game, &own);
}

impl Tables {
    fn enter(&self, game: GameId, queue: Queue) {
        self.lock().entry(game).or_default().push(queue);
    }

    fn opponent(&self, game: GameId, own: &Queue) -> Option<Queue> {
        self.lock().get(&game)?.iter().find(|queue| !queue.same_channel(own)).cloned()
    }

    fn leave(&self, game: GameId, own: &Queue) {
        let mut tables = self.lock();
        let Some(queues) = tables.get_mut(&game) else { return };
        queues.retain(|queue| !queue.same_channel(own));
        if queues.is_empty() {
            tables.remove(&game);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GameId, Vec<Queue>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
