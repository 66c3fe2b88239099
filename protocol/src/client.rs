//! A client: one connection to a server, kept up for as long as its owner wants it.
//!
//! [`Client::connect`] says hello and returns when the server has let the client in. From then on a
//! lost connection is the client's own problem: it reconnects, takes every open game up where it was,
//! and sends again what had no answer, under its old id, so that nothing happens twice. The owner
//! hears of it as [`News`] and [`GameNews`], and may go on as if nothing had been.

mod attachment;
mod backoff;
pub mod connect;
mod control;
pub mod game;
mod nudge;
mod resume;
mod writer;

pub use crate::net::tls::Pin;

use crate::client::attachment::Attachment;
use crate::client::connect::{ConnectError, Knock};
use crate::client::control::Call;
use crate::client::game::{GameLink, GameNews, LinkEnd};
use crate::client::resume::{Command, Link, Session, Status};
use crate::hello::Welcome;
use crate::ids::{GameId, Handle, SeekId};
use crate::invite::{InviteCode, ServerAddress};
use crate::key::{Fingerprint, SecretKey};
use crate::lobby::{GameSummary, Proposal, Seat, SeekView};
use crate::notice::Notice;
use crate::reply::{Reply, RequestError};
use crate::request::Request;
use crate::version;
use crate::view::AttachError;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, oneshot, watch};

/// News that may wait for one clone of a client; the oldest give way, and it is told how many.
const NEWS_WAITING_MAX: usize = 64;

/// Calls that may wait for the session to take them; a further one waits with its caller.
const CALLS_WAITING_MAX: usize = 16;

/// Whom to call, and as whom.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the server is. Its key and the code to come in with are taken from the fields below, so
    /// that a pin learned earlier can stand beside an address without one.
    pub server: ServerAddress,
    /// Which key the server must have.
    pub pin: Pin,
    /// Who the client is.
    pub key: Arc<SecretKey>,
    /// The program's name and version, for the operator's eyes.
    pub agent: String,
    /// The name to register under, if the server does not know the key yet.
    pub handle: Option<Handle>,
    /// The invitation to register with, if the server wants one.
    pub invite: Option<InviteCode>,
}

impl Settings {
    /// What an invite line says: its address, its fingerprint as the pin, its code. Without a
    /// fingerprint the first key that answers is taken and pinned.
    pub fn new(server: ServerAddress, key: SecretKey) -> Self {
        Self {
            pin: server.fingerprint().map_or(Pin::Learn, Pin::Fingerprint),
            invite: server.code(),
            key: Arc::new(key),
            agent: version::AGENT.to_owned(),
            handle: None,
            server,
        }
    }

    /// The same with a name to register under.
    #[must_use]
    pub fn with_handle(self, handle: Handle) -> Self {
        Self { handle: Some(handle), ..self }
    }
}

/// A client that is in.
///
/// Clones share the connection. Each hears all [`News`] since it was cloned, so a clone may be given
/// to a task that only listens. When the last clone and the last [`GameLink`] are gone, what was asked
/// is still answered (for up to three seconds) and then the connection is closed.
#[derive(Debug)]
pub struct Client {
    commands: mpsc::Sender<Command>,
    status: watch::Receiver<Status>,
    news: broadcast::Receiver<News>,
    fingerprint: Fingerprint,
}

/// Something the client was not asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The server says so.
    Notice(Notice),
    /// The connection is lost; the client is trying to get it back.
    ConnectionLost,
    /// The connection is back, and so are the open games. What the server has noticed meanwhile is
    /// not repeated: ask for [`Client::seats`].
    ConnectionBack,
    /// So many news have been dropped because nobody took them: ask for [`Client::seats`].
    Missed(u64),
    /// The connection is lost and will not come back. Nothing follows.
    Closed(ConnectError),
}

/// What came of a seek.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// A game has begun.
    Paired(Seat),
    /// The seek is listed; a [`Notice::GameStarted`] tells when somebody takes it.
    Listed(SeekId),
}

/// Why a call had no effect, or an unknown one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The connection was lost before the answer came: the call may or may not have been carried out.
    #[error("the connection was lost before the server answered: look at the lists before you try again")]
    ConnectionLost,
    /// The connection was lost for good.
    #[error(transparent)]
    Closed(ConnectError),
    /// This client, or a clone of it, has been closed.
    #[error("this client has been closed: connect again")]
    Left,
    /// The server refuses.
    #[error(transparent)]
    Refused(#[from] RequestError),
    /// The game cannot be opened.
    #[error(transparent)]
    NotOpened(#[from] AttachError),
    /// As many games are open as a connection carries.
    #[error("as many games are open as one connection carries: close one first")]
    TooManyGames,
    /// The answer belongs to another question.
    #[error("the server's answer does not fit the question: it may be of another version")]
    Unexpected,
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
        self.status.borrow().welcome.clone()
    }

    /// The server's key, which it must keep for as long as this client lives.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// How long a packet takes to the server and back, as measured on the way.
    pub fn rtt(&self) -> Duration {
        self.status.borrow().connection.rtt()
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

    /// Looks for a game and waits until it has begun.
    ///
    /// # Errors
    /// [`CallError`]; [`CallError::ConnectionLost`] also when the connection is lost while the seek
    /// waits, for the server may or may not keep it.
    pub async fn find_game(&mut self, proposal: Proposal) -> Result<Seat, CallError> {
        if let Sought::Paired(seat) = self.seek(proposal).await? {
            return Ok(seat);
        }
        loop {
            match self.next_news().await {
                Some(News::Notice(Notice::GameStarted(seat))) => return Ok(seat),
                Some(News::Notice(_) | News::ConnectionBack) => {}
                Some(News::ConnectionLost | News::Missed(_)) => return Err(CallError::ConnectionLost),
                Some(News::Closed(error)) => return Err(CallError::Closed(error)),
                None => return Err(self.why_gone()),
            }
        }
    }

    /// Takes an own seek back.
    ///
    /// # Errors
    /// [`CallError`]; [`RequestError::NoSuchSeek`] when somebody was faster.
    pub async fn cancel_seek(&self, seek: SeekId) -> Result<(), CallError> {
        match self.call(Request::CancelSeek(seek)).await? {
            Reply::Done => Ok(()),
            _ => Err(CallError::Unexpected),
        }
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

    /// Opens a game to play it, or to watch it if it is others'. Returns with its first snapshot,
    /// however often the connection is lost before that: to open a game twice does no harm.
    ///
    /// # Errors
    /// [`CallError`], though never [`CallError::ConnectionLost`].
    pub async fn open_game(&self, game: GameId) -> Result<GameLink, CallError> {
        let (attachment, intents, mut news) = Attachment::new(game, self.status.clone());
        let open = Command::Open(Box::new(attachment));
        self.commands.send(open).await.map_err(|_| self.why_gone())?;
        loop {
            match news.recv().await {
                Some(GameNews::Snapshot(view)) => {
                    return Ok(GameLink::new(view, intents, news, self.commands.clone()));
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
        match &self.status.borrow().link {
            Link::Closed(error) => CallError::Closed(error.clone()),
            Link::Left => CallError::Left,
            Link::Up | Link::Down => CallError::ConnectionLost,
        }
    }

    /// Starts the session that keeps the connection.
    fn start(entered: connect::Entered, route: connect::Route, fingerprint: Fingerprint) -> Self {
        let (commands, taken) = mpsc::channel(CALLS_WAITING_MAX);
        let (telling, news) = broadcast::channel(NEWS_WAITING_MAX);
        let (publish, status) = watch::channel(Status {
            connection: entered.connection.clone(),
            welcome: entered.welcome.clone(),
            link: Link::Up,
        });
        tokio::spawn(Session::new(route, taken, publish, telling).run(entered));
        Self { commands, status, news, fingerprint }
    }
}

impl Clone for Client {
    fn clone(&self) -> Self {
        Self {
            commands: self.commands.clone(),
            status: self.status.clone(),
            news: self.news.resubscribe(),
            fingerprint: self.fingerprint,
        }
    }
}

impl From<LinkEnd> for CallError {
    fn from(end: LinkEnd) -> Self {
        match end {
            LinkEnd::Refused(error) => Self::NotOpened(error),
            LinkEnd::TooManyGames => Self::TooManyGames,
            LinkEnd::Connection(error) => Self::Closed(error),
            LinkEnd::Left => Self::Left,
            LinkEnd::Over | LinkEnd::Closed(_) | LinkEnd::Unreadable(_) => Self::Unexpected,
        }
    }
}
