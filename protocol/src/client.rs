//! A client: one connection to a server, kept up for as long as its owner wants it.
//!
//! [`Client::connect`] says hello and returns when the server has let the client in. From then on a
//! lost connection is the client's own problem: it reconnects, takes every open game up where it was,
//! and sends again what had no answer, under its old id, so that nothing happens twice. The owner
//! hears of it as [`News`] and [`GameNews`], and may go on as if nothing had been.

mod attachment;
mod backoff;
mod board;
mod chance;
mod command;
pub mod connect;
mod control;
pub mod game;
mod game_news;
mod news;
mod nudge;
mod resume;
mod settings;
mod status;
mod talking;
mod writer;

pub use crate::client::chance::Chance;
pub use crate::client::news::{CallError, News};
pub use crate::client::settings::Settings;
pub use crate::net::tls::Pin;

use crate::client::attachment::Attachment;
use crate::client::board::{Board, Reader};
use crate::client::command::Command;
use crate::client::connect::{ConnectError, Entered, Knock, Route};
use crate::client::control::Call;
use crate::client::game::GameLink;
use crate::client::game_news::GameNews;
use crate::client::resume::Session;
use crate::client::status::{Link, Status};
use crate::hello::Welcome;
use crate::ids::{GameId, Handle, SeekId};
use crate::invite::InviteCode;
use crate::key::Fingerprint;
use crate::lobby::{CallView, GameSummary, InvitationView, Proposal, Seat, SeekView};
use crate::notice::Notice;
use crate::reply::{Reply, RequestError};
use crate::request::Request;
use crate::role::Role;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, oneshot};

/// News that may wait for one clone of a client; the oldest give way, and it is told how many.
const NEWS_WAITING_MAX: usize = 64;

/// Calls that may wait for the session to take them; a further one waits with its caller.
const CALLS_WAITING_MAX: usize = 16;

/// A client that is in.
///
/// Clones share the connection. Each hears all [`News`] since it was cloned, so a clone may be given
/// to a task that only listens. When the last clone and the last [`GameLink`] are gone, what was asked
/// is still answered (for up to three seconds) and then the connection is closed.
#[derive(Debug)]
pub struct Client {
    commands: mpsc::Sender<Command>,
    status: Reader<Status>,
    news: broadcast::Receiver<News>,
    fingerprint: Fingerprint,
    chance: Chance,
}

/// What came of a seek.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// A game has begun.
    Paired(Seat),
    /// The seek is listed; a [`Notice::GameStarted`] tells when somebody takes it.
    Listed(SeekId),
}

impl Client {
    /// Connects, says hello, and is in.
    ///
    /// To look at the server's key before anything is said, [`Knock`].
    ///
    /// # Errors
    /// [`ConnectError`] says what to do next.
    pub async fn connect(settings: Settings) -> Result<Self, ConnectError> {
        Knock::new(settings).await?.enter().await
    }

    /// What the server said when it last let the client in.
    pub fn welcome(&self) -> Welcome {
        self.status.look(|status| status.welcome.clone())
    }

    /// The server's key, which it must keep for as long as this client lives.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// How long a packet takes to the server and back, as measured on the way.
    pub fn rtt(&self) -> Duration {
        self.status.look(|status| status.connection.rtt())
    }

    /// The next piece of news; `None` after [`News::Closed`] or when the client has been closed.
    ///
    /// Cancel-safe.
    pub async fn next_news(&mut self) -> Option<News> {
        match self.news.recv().await {
            Ok(news) => Some(news),
            Err(RecvError::Lagged(missed)) => Some(News::Missed(missed)),
            Err(RecvError::Closed) => None,
        }
    }

    /// Looks for a game with anyone who proposes the like.
    ///
    /// # Errors
    /// [`CallError`], as for every call.
    pub async fn seek(&self, proposal: Proposal) -> Result<Sought, CallError> {
        match self.call(Request::Seek(proposal)).await? {
            Reply::Paired(seat) => Ok(Sought::Paired(seat)),
            Reply::Seeking(seek) => Ok(Sought::Listed(seek)),
            _ => Err(CallError::Unexpected),
        }
    }

    /// Looks for a game and waits until it has begun, however often the connection is lost meanwhile:
    /// whenever it is back, the seek is made again unless its game has begun.
    ///
    /// Dropping the future leaves the seek where it is.
    ///
    /// # Errors
    /// [`CallError`], though never [`CallError::ConnectionLost`].
    pub async fn find_game(&self, proposal: Proposal) -> Result<Seat, CallError> {
        // Only what is said from now on can be about this game.
        let mut news = self.news.resubscribe();
        let mut seats_before = None;
        loop {
            match self.seek_unless_seated(proposal, &mut seats_before).await {
                Ok(Sought::Paired(seat)) => return Ok(seat),
                Ok(Sought::Listed(_))
                | Err(CallError::ConnectionLost | CallError::Refused(RequestError::ServerStopping)) => {}
                Err(error) => return Err(error),
            }
            if let Some(seat) = self.game_started(&mut news).await? {
                return Ok(seat);
            }
        }
    }

    /// Takes an own seek back.
    ///
    /// # Errors
    /// [`CallError`]; [`RequestError::NoSuchSeek`] when somebody was faster.
    pub async fn cancel_seek(&self, seek: SeekId) -> Result<(), CallError> {
        self.done(Request::CancelSeek(seek)).await
    }

    /// Plays the player of an open seek.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn take_seek(&self, seek: SeekId) -> Result<Seat, CallError> {
        self.paired(Request::TakeSeek(seek)).await
    }

    /// All open seeks.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn seeks(&self) -> Result<Vec<SeekView>, CallError> {
        match self.call(Request::ListSeeks).await? {
            Reply::Seeks(seeks) => Ok(seeks.into_vec()),
            _ => Err(CallError::Unexpected),
        }
    }

    /// A code to send to a friend, who plays the proposal with it and may register.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn invite(&self, proposal: Proposal) -> Result<InviteCode, CallError> {
        match self.call(Request::Invite(proposal)).await? {
            Reply::Invited(code) => Ok(code),
            _ => Err(CallError::Unexpected),
        }
    }

    /// Plays the player who made the code.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn take_invite(&self, code: InviteCode) -> Result<Seat, CallError> {
        self.paired(Request::TakeInvite(code)).await
    }

    /// Who made a code, and what it proposes; the code is as good as before.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn invitation(&self, code: InviteCode) -> Result<InvitationView, CallError> {
        match self.call(Request::PeekInvite(code)).await? {
            Reply::Invitation(invitation) => Ok(invitation),
            _ => Err(CallError::Unexpected),
        }
    }

    /// The games that wait for an arbiter, the longest wait first: for arbiters alone.
    ///
    /// # Errors
    /// [`CallError`]; [`RequestError::NotArbiter`] for everybody else.
    pub async fn calls(&self) -> Result<Vec<CallView>, CallError> {
        match self.call(Request::ListCalls).await? {
            Reply::Calls(calls) => Ok(calls.into_vec()),
            _ => Err(CallError::Unexpected),
        }
    }

    /// Games being played, the own ones first.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn games(&self) -> Result<Vec<GameSummary>, CallError> {
        match self.call(Request::ListGames).await? {
            Reply::Games(games) => Ok(games.into_vec()),
            _ => Err(CallError::Unexpected),
        }
    }

    /// The own unfinished games.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn seats(&self) -> Result<Vec<Seat>, CallError> {
        match self.call(Request::ListSeats).await? {
            Reply::Seats(seats) => Ok(seats.into_vec()),
            _ => Err(CallError::Unexpected),
        }
    }

    /// Has nothing to do with a player from now on: no game is begun between the two, and his chat is
    /// not heard. A game that goes on goes on.
    ///
    /// # Errors
    /// [`CallError`]; [`RequestError::TooManyBlocks`] for one too many.
    pub async fn block(&self, handle: Handle) -> Result<(), CallError> {
        self.done(Request::Block(handle)).await
    }

    /// Takes a block back, if there is one.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn unblock(&self, handle: Handle) -> Result<(), CallError> {
        self.done(Request::Unblock(handle)).await
    }

    /// Whom this player blocks, by name.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn blocks(&self) -> Result<Vec<Handle>, CallError> {
        match self.call(Request::ListBlocks).await? {
            Reply::Blocks(handles) => Ok(handles.into_vec()),
            _ => Err(CallError::Unexpected),
        }
    }

    /// Gives an account a role.
    ///
    /// # Errors
    /// [`CallError`]; [`RequestError::NotOwner`] for anyone but an owner.
    pub async fn set_role(&self, handle: Handle, role: Role) -> Result<(), CallError> {
        self.done(Request::SetRole { handle, role }).await
    }

    /// Opens a game to play it, or to watch it if it is others'. Returns with its first snapshot,
    /// however often the connection is lost before that: to open a game twice does no harm.
    ///
    /// # Errors
    /// [`CallError`], though never [`CallError::ConnectionLost`].
    pub async fn open_game(&self, game: GameId) -> Result<GameLink, CallError> {
        let (attachment, mut ends) = Attachment::new(game, self.status.clone(), self.chance.clone());
        let open = Command::Open(Box::new(attachment));
        self.commands.send(open).await.map_err(|_| self.why_gone())?;
        loop {
            match ends.news.recv().await {
                Some(GameNews::Snapshot(view)) => {
                    return Ok(GameLink::new(view, ends, self.chance.clone(), self.commands.clone()));
                }
                Some(GameNews::Ended(end)) => return Err(end.into()),
                Some(_) => {}
                None => return Err(self.why_gone()),
            }
        }
    }

    /// Closes the connection, for clones and open games too, and returns when that is done.
    ///
    /// What was asked and sent before is answered first, unless that takes more than three seconds.
    pub async fn close(self) {
        // An error means that it is closed already.
        let _ = self.commands.send(Command::Leave).await;
        self.commands.closed().await;
    }

    /// Seeks, unless a game that was not there `before` says that an earlier seek has had its effect.
    async fn seek_unless_seated(
        &self,
        proposal: Proposal,
        before: &mut Option<Vec<GameId>>,
    ) -> Result<Sought, CallError> {
        let seats = self.seats().await?;
        let before = before.get_or_insert_with(|| seats.iter().map(|seat| seat.game).collect());
        match seats.into_iter().find(|seat| !before.contains(&seat.game)) {
            Some(seat) => Ok(Sought::Paired(seat)),
            None => self.seek(proposal).await,
        }
    }

    /// The next game that begins; none when its beginning may have been missed, or the seek forgotten.
    async fn game_started(&self, news: &mut broadcast::Receiver<News>) -> Result<Option<Seat>, CallError> {
        loop {
            match news.recv().await {
                Ok(News::Notice(Notice::GameStarted(seat))) => return Ok(Some(seat)),
                Ok(News::Notice(_) | News::ConnectionLost) => {}
                Ok(News::ConnectionBack | News::Missed(_)) | Err(RecvError::Lagged(_)) => return Ok(None),
                Ok(News::Closed(error)) => return Err(CallError::Closed(error)),
                Err(RecvError::Closed) => return Err(self.why_gone()),
            }
        }
    }

    async fn done(&self, request: Request) -> Result<(), CallError> {
        match self.call(request).await? {
            Reply::Done => Ok(()),
            _ => Err(CallError::Unexpected),
        }
    }

    async fn paired(&self, request: Request) -> Result<Seat, CallError> {
        match self.call(request).await? {
            Reply::Paired(seat) => Ok(seat),
            _ => Err(CallError::Unexpected),
        }
    }

    async fn call(&self, request: Request) -> Result<Reply, CallError> {
        let (answer, answered) = oneshot::channel();
        let call = Command::Call(Call { request, answer });
        self.commands.send(call).await.map_err(|_| self.why_gone())?;
        answered.await.map_err(|_| self.why_gone())?
    }

    fn why_gone(&self) -> CallError {
        self.status.look(|status| match &status.link {
            Link::Closed(error) => CallError::Closed(error.clone()),
            Link::Left => CallError::Left,
            Link::Up | Link::Down => CallError::ConnectionLost,
        })
    }

    /// Starts the session that keeps the connection.
    fn start(entered: Entered, route: Route, fingerprint: Fingerprint) -> Self {
        let (commands, taken) = mpsc::channel(CALLS_WAITING_MAX);
        let (telling, news) = broadcast::channel(NEWS_WAITING_MAX);
        let (publish, status) = Board::new(Status {
            connection: entered.connection.clone(),
            welcome: entered.welcome.clone(),
            link: Link::Up,
        });
        let chance = route.chance().clone();
        tokio::spawn(Session::new(route, taken, publish, telling).run(entered));
        Self { commands, status, news, fingerprint, chance }
    }
}

impl Knock {
    /// Says hello. From here on, the server's key is pinned.
    ///
    /// However long the caller took to decide: a connection that was given up meanwhile is made anew.
    ///
    /// # Errors
    /// [`ConnectError`]; [`ConnectError::Denied`] when the server does not let the client in.
    pub async fn enter(self) -> Result<Client, ConnectError> {
        let fingerprint = self.fingerprint();
        let (entered, route) = self.say_hello().await?;
        Ok(Client::start(entered, route, fingerprint))
    }
}

impl Clone for Client {
    fn clone(&self) -> Self {
        Self {
            commands: self.commands.clone(),
            status: self.status.clone(),
            news: self.news.resubscribe(),
            fingerprint: self.fingerprint,
            chance: self.chance.clone(),
        }
    }
}
