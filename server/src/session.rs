//! One connection, from its handshake to its close.
//!
//! The first stream is the control stream: a hello, then requests. Each further stream is one game's.
//! A client that breaks the protocol is closed with a code that says how.

mod frames;
mod game_stream;
mod login;
mod pace;

use crate::hall::Hall;
use crate::line::{Line, close};
use crate::lobby::Presence;
use crate::metrics::RefusalKind;
use crate::queue::{Backlog, Frames, queue};
use crate::store::{Account, Health};
use bytes::Bytes;
use chatrang_protocol::client_frame::{ClientFrame, Heard, Unknown};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::hello::{Denial, HelloReply};
use chatrang_protocol::limits;
use chatrang_protocol::net::stream::{FrameReceiver, FrameSender, encode_frame};
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::{ControlFrame, RequestError};
use chatrang_protocol::request::RequestFrame;
use frames::{Breach, next_frame, next_heard, write_frames};
use game_stream::Guest;
use login::Doorkeeper;
use pace::Paces;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tracing::{Span, debug, field, info, warn};

/// How long a client has to take the last that it is told.
const FAREWELL_TIME: Duration = Duration::from_secs(3);

/// Serves a connection until it closes.
pub async fn serve(hall: Hall, connection: quinn::Connection) {
    let code = match converse(&hall, &connection).await {
        Ok(()) => CloseCode::Done,
        Err(Breach(code)) => {
            hall.metrics.closed.count(code);
            let client = connection.remote_address();
            if hall.told_of_strangers.allows() {
                warn!(%client, why = %code, "connection closed");
            } else {
                debug!(%client, why = %code, "connection closed");
            }
            code
        }
    };
    // Without effect on one that has closed by itself.
    close(&connection, code);
}

async fn converse(hall: &Hall, connection: &quinn::Connection) -> Result<(), Breach> {
    let hello_time = Duration::from_secs(limits::HELLO_SECONDS_MAX);
    let opened = tokio::time::timeout(hello_time, open_control(hall, connection));
    let Some(Session { account, receiver, sender, frames, backlog, line, presence }) =
        opened.await.map_err(|_| Breach(CloseCode::HelloTimeout))??
    else {
        return Ok(());
    };
    Span::current().record("player", field::display(&account.handle));
    info!(client = %connection.remote_address(), "player connected");

    if *hall.store.health().borrow() == Health::Full {
        line.notice(&Notice::StoreFull);
    }
    let _counted = hall.metrics.sessions.enter();
    let writer = tokio::spawn(write_frames(sender, frames, hall.metrics.clone()));
    let paces = Arc::new(Paces::new());
    let mut streams = JoinSet::new();
    let ended = tokio::select! {
        biased;
        ended = answer_requests(hall, &account, receiver, &line, &paces) => ended,
        ended = serve_games(hall, &account, connection, &mut streams, &paces, &backlog) => ended,
    };
    drop((presence, line));
    if ended.is_ok() {
        // A client that says goodbye gets the replies it has asked for; one that does not take them in
        // time does without.
        let _ = tokio::time::timeout(FAREWELL_TIME, writer).await;
    }
    close(connection, ended.map_or_else(|Breach(code)| code, |()| CloseCode::Done));
    // Each stream sees the close and takes leave of its game.
    while streams.join_next().await.is_some() {}
    info!("player disconnected");
    ended
}

/// A client that is in.
struct Session {
    account: Account,
    receiver: FrameReceiver,
    sender: FrameSender,
    frames: Frames,
    backlog: Backlog,
    line: Line,
    presence: Presence,
}

/// Takes the control stream and the hello on it; none when the client was denied or went away.
async fn open_control(hall: &Hall, connection: &quinn::Connection) -> Result<Option<Session>, Breach> {
    let Ok((sender, receiver)) = connection.accept_bi().await else { return Ok(None) };
    let mut receiver = FrameReceiver::new(receiver, limits::CLIENT_FRAME_BYTES_MAX);
    let mut sender = FrameSender::new(sender);
    let hello = match next_frame(&mut receiver).await? {
        Some(ClientFrame::Hello(hello)) => hello,
        Some(_) => return Err(Breach(CloseCode::WrongPhase)),
        None => return Ok(None),
    };
    let backlog = Backlog::default();
    let (queue, frames) = queue(limits::CONTROL_FRAMES_MAX, &backlog);
    let line = Line::new(queue, connection.clone(), hall.metrics.clone());
    let doorkeeper = Doorkeeper { hall, connection };
    let decided = match doorkeeper.decide(&hello).await {
        // The place is taken before the welcome is sent, so that nobody slips in behind another.
        Ok((welcome, account)) => match hall.lobby.enter(&account, line.clone()) {
            Some(presence) => match doorkeeper.still_opens(account.id).await {
                Ok(true) => Ok((welcome, account, presence)),
                Ok(false) => return Err(Breach(CloseCode::Revoked)),
                Err(denial) => Err(denial),
            },
            None => Err(Denial::TooManyConnections),
        },
        Err(denial) => Err(denial),
    };
    match decided {
        Ok((welcome, account, presence)) => {
            let welcomed = say(&mut sender, &HelloReply::Welcome(welcome)).await?;
            Ok(welcomed.then_some(Session { account, receiver, sender, frames, backlog, line, presence }))
        }
        Err(denial) => {
            if hall.told_of_strangers.allows() {
                info!(why = %denial, "a client is not let in");
            }
            let code = login::close_code(&denial);
            if say(&mut sender, &HelloReply::Denied(denial)).await? {
                // The client must have the reason before the connection closes.
                sender.finish();
                // An error means that it has closed by itself.
                let _ = sender.stopped().await;
            }
            Err(Breach(code))
        }
    }
}

/// Sends the answer to a hello; whether the client was still there.
async fn say(sender: &mut FrameSender, reply: &HelloReply) -> Result<bool, Breach> {
    let frame =
        encode_frame(reply, limits::SERVER_FRAME_BYTES_MAX).map_err(|_| Breach(CloseCode::Internal))?;
    Ok(sender.send(frame).await.is_ok())
}

/// Answers requests one by one; ends when the client has finished its half of the control stream.
async fn answer_requests(
    hall: &Hall,
    account: &Account,
    mut receiver: FrameReceiver,
    line: &Line,
    paces: &Paces,
) -> Result<(), Breach> {
    while let Some(heard) = next_heard(&mut receiver).await? {
        if !paces.requests.allows() {
            return Err(Breach(CloseCode::TooMany));
        }
        let RequestFrame { id, request } = match heard {
            Heard::Known(ClientFrame::Request(request)) => request,
            Heard::Unknown(Unknown::Request(id)) => {
                line.send(&ControlFrame::Reply { id, reply: Err(RequestError::Unsupported) });
                continue;
            }
            Heard::Unknown(Unknown::Frame) => continue,
            Heard::Known(_) | Heard::Unknown(_) => return Err(Breach(CloseCode::WrongPhase)),
        };
        let (lobby, account) = (hall.lobby.clone(), account.clone());
        // A task of its own: a client that hangs up in the middle must not leave half a game behind.
        let errand = hall.errands.spawn(async move { lobby.answer(&account, request).await });
        let reply = errand.await.map_err(|_| Breach(CloseCode::Internal))?;
        if let Err(error) = &reply {
            hall.metrics.refusals.count(RefusalKind::Request);
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
    paces: &Arc<Paces>,
    backlog: &Backlog,
) -> Result<(), Breach> {
    loop {
        tokio::select! {
            // In the same order each time, what is bounded first: no flood of nudges keeps a game waiting.
            biased;
            Some(ended) = streams.join_next() => match ended {
                Ok(ended) => ended?,
                // A panic of one stream is a fault of ours: the client comes back and goes on.
                Err(_) => return Err(Breach(CloseCode::Internal)),
            },
            stream = connection.accept_bi() => match stream {
                Ok((sender, receiver)) => {
                    if !paces.attaches.allows() {
                        return Err(Breach(CloseCode::TooMany));
                    }
                    let guest = Guest {
                        hall: hall.clone(),
                        account: account.clone(),
                        connection: connection.clone(),
                        paces: Arc::clone(paces),
                        backlog: backlog.clone(),
                    };
                    let stream = game_stream::serve(guest, sender, receiver);
                    streams.spawn(stream);
                }
                Err(_) => return Ok(()),
            },
            nudge = connection.read_datagram() => match nudge {
                Ok(_) => answer_nudge(connection, paces),
                Err(_) => return Ok(()),
            },
        }
    }
}

/// The answer makes the peer acknowledge, and so find out what was lost. Whoever nudges faster than the players of
/// as many games as he may be in gets none.
fn answer_nudge(connection: &quinn::Connection, paces: &Paces) {
    if paces.nudges.allows() {
        // An error means that the connection is gone.
        let _ = connection.send_datagram(Bytes::from_static(&[0; limits::NUDGE_BYTES]));
    }
}
