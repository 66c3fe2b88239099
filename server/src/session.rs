//! One connection, from its handshake to its close.
//!
//! The first stream is the control stream: a hello, then requests. Each further stream is one game's.
//! A client that breaks the protocol is closed with a code that says how.

mod game_stream;
mod login;

use crate::config::RegistrationMode;
use crate::game::registry::Registry;
use crate::line::{Line, close};
use crate::lobby::Lobby;
use crate::store::{Account, Store};
use crate::timeline::Timeline;
use bytes::Bytes;
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::codec;
use chatrang_protocol::hello::HelloReply;
use chatrang_protocol::limits;
use chatrang_protocol::net::stream::{FrameReceiver, FrameSender, encode_frame};
use chatrang_protocol::reply::ControlFrame;
use chatrang_protocol::request::RequestFrame;
use login::Doorkeeper;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{Span, debug, field, info, warn};

/// What a session needs of the rest of the server.
#[derive(Clone, Debug)]
pub struct Hall {
    /// Who may come in.
    pub registration: RegistrationMode,
    /// Accounts and invitations.
    pub store: Store,
    /// Seeks, invitations, notices.
    pub lobby: Lobby,
    /// Games.
    pub registry: Registry,
    /// What time it is.
    pub timeline: Arc<dyn Timeline>,
    /// Told when the server stops.
    pub stop: CancellationToken,
}

/// A peer did what the protocol does not allow: the connection closes with this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Breach(CloseCode);

/// Serves a connection until it closes.
pub async fn serve(hall: Hall, connection: quinn::Connection) {
    if let Err(Breach(code)) = converse(&hall, &connection).await {
        warn!(client = %connection.remote_address(), why = %code, "connection closed");
        close(&connection, code);
    }
    connection.closed().await;
}

async fn converse(hall: &Hall, connection: &quinn::Connection) -> Result<(), Breach> {
    let hello_time = Duration::from_secs(limits::HELLO_SECONDS_MAX);
    let opened = tokio::time::timeout(hello_time, open_control(hall, connection));
    let Some((account, control)) = opened.await.map_err(|_| Breach(CloseCode::HelloTimeout))?? else {
        return Ok(());
    };
    Span::current().record("player", field::display(&account.handle));
    info!(client = %connection.remote_address(), "player connected");

    let (queue, frames) = mpsc::channel(limits::CONTROL_FRAMES_MAX);
    let line = Line::new(queue, connection.clone());
    tokio::spawn(write_frames(control.sender, frames));
    let presence = hall.lobby.enter(account.id, line.clone());
    let mut streams = JoinSet::new();
    let ended = tokio::select! {
        ended = answer_requests(hall, &account, control.receiver, &line) => ended,
        ended = serve_games(hall, &account, connection, &mut streams) => ended,
    };
    drop(presence);
    close(connection, ended.map_or_else(|Breach(code)| code, |()| CloseCode::Done));
    // Each stream sees the close and takes leave of its game.
    while streams.join_next().await.is_some() {}
    info!("player disconnected");
    ended
}

/// Both halves of the control stream.
struct Control {
    receiver: FrameReceiver,
    sender: FrameSender,
}

/// Takes the control stream and the hello on it; none when the client was denied or went away.
async fn open_control(
    hall: &Hall,
    connection: &quinn::Connection,
) -> Result<Option<(Account, Control)>, Breach> {
    let Ok((sender, receiver)) = connection.accept_bi().await else { return Ok(None) };
    let mut control = Control {
        receiver: FrameReceiver::new(receiver, limits::CLIENT_FRAME_BYTES_MAX),
        sender: FrameSender::new(sender),
    };
    let Some(bytes) = next_frame(&mut control.receiver).await? else { return Ok(None) };
    let hello = codec::decode(&bytes).map_err(|_| Breach(CloseCode::Malformed))?;
    let decided = Doorkeeper { hall, connection }.decide(&hello).await;
    let (reply, account) = match decided {
        Ok((welcome, account)) => (HelloReply::Welcome(welcome), Some(account)),
        Err(denial) => {
            info!(why = %denial, "a client is not let in");
            (HelloReply::Denied(denial), None)
        }
    };
    let frame =
        encode_frame(&reply, limits::SERVER_FRAME_BYTES_MAX).map_err(|_| Breach(CloseCode::Internal))?;
    if control.sender.send(frame).await.is_err() {
        return Ok(None);
    }
    match (reply, account) {
        (_, Some(account)) => Ok(Some((account, control))),
        (HelloReply::Denied(denial), None) => {
            // The client must have the reason before the connection closes.
            control.sender.finish();
            // An error means that it has closed by itself.
            let _ = control.sender.stopped().await;
            Err(Breach(login::close_code(&denial)))
        }
        (HelloReply::Welcome(_), None) => Err(Breach(CloseCode::Internal)),
    }
}

/// Answers requests one by one; ends when the client has finished its half of the control stream.
async fn answer_requests(
    hall: &Hall,
    account: &Account,
    mut receiver: FrameReceiver,
    line: &Line,
) -> Result<(), Breach> {
    while let Some(bytes) = next_frame(&mut receiver).await? {
        let RequestFrame { id, request } = codec::decode(&bytes).map_err(|_| Breach(CloseCode::Malformed))?;
        let reply = hall.lobby.answer(account, request).await;
        if let Err(error) = &reply {
            debug!(%error, "request refused");
        }
        line.send(&ControlFrame::Reply { id, reply });
    }
    Ok(())
}

/// Takes one stream after the other, each for a game; ends with the connection.
async fn serve_games(
    hall: &Hall,
    account: &Account,
    connection: &quinn::Connection,
    streams: &mut JoinSet<Result<(), Breach>>,
) -> Result<(), Breach> {
    loop {
        tokio::select! {
            stream = connection.accept_bi() => match stream {
                Ok((sender, receiver)) => {
                    let stream = game_stream::serve(hall.clone(), account.id, sender, receiver);
                    streams.spawn(stream);
                }
                Err(_) => return Ok(()),
            },
            Some(ended) = streams.join_next() => match ended {
                Ok(ended) => ended?,
                // A panic of one stream is a fault of ours: the client comes back and goes on.
                Err(_) => return Err(Breach(CloseCode::Internal)),
            },
            nudge = connection.read_datagram() => match nudge {
                // The answer makes the peer acknowledge, and so find out what was lost.
                Ok(_) => { let _ = connection.send_datagram(Bytes::from_static(&[0; limits::NUDGE_BYTES])); }
                Err(_) => return Ok(()),
            },
        }
    }
}

/// The next frame; none when the client has finished or the connection is gone.
async fn next_frame(receiver: &mut FrameReceiver) -> Result<Option<Vec<u8>>, Breach> {
    match receiver.next().await {
        Ok(frame) => Ok(frame),
        Err(error) => match error.close_code() {
            Some(code) => Err(Breach(code)),
            None => Ok(None),
        },
    }
}

/// Writes frames as they come, and finishes the stream when no more will.
async fn write_frames(mut sender: FrameSender, mut frames: mpsc::Receiver<Bytes>) {
    while let Some(frame) = frames.recv().await {
        if sender.send(frame).await.is_err() {
            return;
        }
    }
    sender.finish();
}
