//! A second connection of a player without the SDK, over which his intents are sent again, under their old ids.

use super::network::SERVER;
use super::notes::{Answered, Listener, Notes};
use super::player::Repeat;
use chatrang_protocol::client_frame::ClientFrame;
use chatrang_protocol::codec::{self, Text};
use chatrang_protocol::hello::{Hello, HelloReply};
use chatrang_protocol::ids::GameId;
use chatrang_protocol::intent::Attach;
use chatrang_protocol::key::{Fingerprint, SecretKey};
use chatrang_protocol::limits;
use chatrang_protocol::net::endpoint::client_config;
use chatrang_protocol::net::stream::{FrameReceiver, encode_frame};
use chatrang_protocol::net::tls::{Pin, client_tls};
use chatrang_protocol::version;
use chatrang_protocol::view::GameFrame;
use quinn::{Connection, Endpoint, SendStream};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// How long a connection may take, and an answer.
const WAIT: Duration = Duration::from_secs(30);

/// Who sends again, from where.
pub(super) struct Echo {
    pub(super) endpoint: Endpoint,
    pub(super) key: SecretKey,
    pub(super) server: Fingerprint,
    pub(super) me: Listener,
    pub(super) notes: Notes,
}

/// A stream of a game.
struct Stream {
    game: GameId,
    sender: SendStream,
    receiver: FrameReceiver,
}

impl Echo {
    /// Sends again what it is given, as long as anybody gives. A connection that is lost is made anew for the
    /// next intent; the one that was under way is left without an answer.
    pub(super) async fn run(self, mut copies: mpsc::Receiver<Repeat>) {
        let mut open: Option<(Connection, Stream)> = None;
        while let Some(copy) = copies.recv().await {
            let kept = open.take().filter(|(_, stream)| stream.game == copy.game);
            let attached = match kept {
                Some(kept) => Some(kept),
                None => timeout(WAIT, self.attach(copy.game)).await.ok().flatten(),
            };
            let Some((connection, mut stream)) = attached else { continue };
            if let Ok(Some(())) = timeout(WAIT, self.ask(&mut stream, copy)).await {
                open = Some((connection, stream));
            } else {
                connection.close(0_u32.into(), b"");
            }
        }
        if let Some((connection, _)) = open {
            connection.close(0_u32.into(), b"");
        }
        self.endpoint.wait_idle().await;
    }

    async fn attach(&self, game: GameId) -> Option<(Connection, Stream)> {
        let config = client_config(&client_tls(&self.key, Pin::Fingerprint(self.server)).ok()?);
        let connection = self.endpoint.connect_with(config, SERVER, "chatrang").ok()?.await.ok()?;
        let (mut sender, receiver) = connection.open_bi().await.ok()?;
        let mut receiver = FrameReceiver::new(receiver, limits::SERVER_FRAME_BYTES_MAX);
        give(&mut sender, hello()).await?;
        let HelloReply::Welcome(_) = codec::decode(&receiver.next().await.ok()??).ok()? else { return None };
        let (mut sender, receiver) = connection.open_bi().await.ok()?;
        let receiver = FrameReceiver::new(receiver, limits::SERVER_FRAME_BYTES_MAX);
        give(&mut sender, Attach { game, seen: None }).await?;
        Some((connection, Stream { game, sender, receiver }))
    }

    /// Sends an intent again, and waits for its answer; none when the stream has ended.
    async fn ask(&self, stream: &mut Stream, copy: Repeat) -> Option<()> {
        let id = copy.frame.id;
        self.notes.trace("echo", format_args!("{} sends {id:?} of game {} again", self.me.0, copy.game));
        give(&mut stream.sender, copy.frame).await?;
        loop {
            let frame = codec::decode(&stream.receiver.next().await.ok()??).ok()?;
            if let GameFrame::Answer(answer) = frame
                && answer.intent == id
            {
                let (game, by, outcome, at) = (copy.game, self.me, answer.outcome, self.notes.now());
                self.notes.pages().answered.push(Answered { game, by, id, outcome, at });
                return Some(());
            }
        }
    }
}

fn hello() -> Hello {
    Hello {
        minor: version::MINOR,
        minor_min: version::MINOR_MIN,
        features: 0,
        agent: Text::cut("echo"),
        handle: None,
        invite: None,
    }
}

async fn give(sender: &mut SendStream, message: impl Into<ClientFrame>) -> Option<()> {
    let frame = encode_frame(&message.into(), limits::CLIENT_FRAME_BYTES_MAX).ok()?;
    sender.write_all(&frame).await.ok()
}
