//! The bare relay: what QUIC alone costs. It has the server's transport settings and knows no chess:
//! it forwards each frame to the stream that attached to the same game, and acknowledges it.

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
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// The message of an acknowledgement; no move is so short.
pub(crate) const ACKNOWLEDGED: &[u8] = b"ok";

/// Where the frames for each stream of a game go, in the order in which they attached.
type Tables = Arc<Mutex<HashMap<GameId, Vec<mpsc::UnboundedSender<Bytes>>>>>;

/// Relays until its standard input closes.
pub(crate) fn run() -> anyhow::Result<()> {
    // As chatrangd's own.
    tokio::runtime::Runtime::new()?.block_on(async {
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

async fn accept(endpoint: quinn::Endpoint) {
    let tables = Tables::default();
    while let Some(incoming) = endpoint.accept().await {
        let tables = Arc::clone(&tables);
        tokio::spawn(async move {
            let Ok(connection) = incoming.await else { return };
            while let Ok((sender, receiver)) = connection.accept_bi().await {
                let receiver = FrameReceiver::new(receiver, limits::CLIENT_FRAME_BYTES_MAX);
                tokio::spawn(serve(Arc::clone(&tables), FrameSender::new(sender), receiver));
            }
        });
    }
}

/// One player's stream. Its writer has a queue, as the server's have; it is as long as it gets, for a
/// relay that refuses would measure something else.
async fn serve(tables: Tables, mut sender: FrameSender, mut receiver: FrameReceiver) {
    let Ok(Some(first)) = receiver.next().await else { return };
    let Ok(ClientFrame::Attach(Attach { game, .. })) = codec::decode(&first) else { return };
    let (own, mut frames) = mpsc::unbounded_channel::<Bytes>();
    tables.lock().unwrap_or_else(PoisonError::into_inner).entry(game).or_default().push(own.clone());
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
        let opponent = {
            let tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.get(&game).and_then(|seats| seats.iter().find(|seat| !seat.same_channel(&own)).cloned())
        };
        // One that has gone needs no moves.
        let _ = opponent.map(|opponent| opponent.send(forwarded));
        let _ = own.send(acknowledgement.clone());
    }
}
