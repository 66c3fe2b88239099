//! The session: one connection after another, for as long as somebody holds the client.

use crate::client::attachment::Attachment;
use crate::client::backoff::{Backoff, jittered};
use crate::client::board::Board;
use crate::client::command::Command;
use crate::client::connect::{ConnectError, Entered, Route};
use crate::client::control::Control;
use crate::client::news::{CallError, News};
use crate::client::status::{Link, Status};
use crate::close::CloseCode;
use crate::limits;
use crate::net::dial::ClientEndpoint;
use crate::notice::Notice;
use quinn::Connection;
use std::time::Duration;
use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

/// Games that one connection carries; its first stream is the control stream.
const GAMES_MAX: usize = limits::STREAMS_MAX as usize - 1;

/// How long a farewell may take: what was asked and sent is still answered meanwhile.
const FAREWELL_SECONDS_MAX: u64 = 3;

/// Why a connection is not served any more.
enum End {
    /// The owner has left, or nobody holds the client any more.
    Left,
    Lost(ConnectError),
}

/// The task behind all clones of a client.
pub(super) struct Session {
    route: Route,
    commands: mpsc::Receiver<Command>,
    status: Board<Status>,
    news: broadcast::Sender<News>,
    games: JoinSet<()>,
    /// When the server that is about to stop wants its clients back.
    retry_after: Option<Duration>,
}

impl Session {
    pub(super) fn new(
        route: Route,
        commands: mpsc::Receiver<Command>,
        status: Board<Status>,
        news: broadcast::Sender<News>,
    ) -> Self {
        Self { route, commands, status, news, games: JoinSet::new(), retry_after: None }
    }

    /// Serves one connection after another, and says farewell to the last.
    pub(super) async fn run(mut self, entered: Entered) {
        let mut next = Ok(entered);
        while let Ok(Entered { endpoint, connection, sender, receiver, .. }) = next {
            let mut control = Control::new(connection.clone(), sender, receiver);
            let end = self.serve(&mut control).await;
            next = match end {
                End::Left => {
                    self.publish(Link::Left);
                    return self.farewell(endpoint, &connection, control).await;
                }
                End::Lost(error) => {
                    control.fail_all();
                    self.come_back(error).await
                }
            };
        }
        if let Err(End::Lost(error)) = next {
            self.publish(Link::Closed(error.clone()));
            self.tell(News::Closed(error));
        } else {
            self.publish(Link::Left);
        }
        // They have seen it, and end when their listeners have heard it.
        self.games.detach_all();
    }

    async fn serve(&mut self, control: &mut Control) -> End {
        loop {
            let room = control.has_room();
            tokio::select! {
                // In the same order each time, what is bounded first: no flood of notices keeps the owner waiting.
                biased;
                command = self.commands.recv(), if room => match command {
                    Some(Command::Call(call)) => control.call(call),
                    Some(Command::Open(attachment)) => open(&mut self.games, *attachment),
                    Some(Command::Leave) | None => return End::Left,
                },
                Some(_) = self.games.join_next() => {}
                notice = control.next() => match notice {
                    Ok(Some(notice)) => self.notice(notice),
                    Ok(None) => {}
                    Err(error) => return End::Lost(error),
                },
            }
        }
    }

    fn notice(&mut self, notice: Notice) {
        if let Notice::ServerStopping { retry_seconds } = notice {
            self.retry_after =
                Some(Duration::from_secs(u64::from(retry_seconds).min(limits::RETRY_SECONDS_MAX)));
        }
        self.tell(News::Notice(notice));
    }

    /// The next connection, tried for until there is one, or the reason why there will be none.
    async fn come_back(&mut self, error: ConnectError) -> Result<Entered, End> {
        if error.is_final() {
            return Err(End::Lost(error));
        }
        self.publish(Link::Down);
        self.tell(News::ConnectionLost);
        let chance = self.route.chance();
        let mut backoff = Backoff::new(chance.clone());
        let mut delay = match self.retry_after.take() {
            Some(longest) => jittered(longest, chance),
            None => backoff.next_delay(),
        };
        loop {
            match self.try_again(delay).await {
                Ok(entered) => {
                    self.status.change(|status| {
                        status.connection = entered.connection.clone();
                        status.welcome = entered.welcome.clone();
                        status.link = Link::Up;
                    });
                    self.tell(News::ConnectionBack);
                    return Ok(entered);
                }
                Err(End::Lost(error)) if !error.is_final() => delay = backoff.next_delay(),
                Err(end) => return Err(end),
            }
        }
    }

    /// One attempt after `delay`. Calls fail meanwhile, and games wait for the connection.
    async fn try_again(&mut self, delay: Duration) -> Result<Entered, End> {
        let route = &self.route;
        let attempt = async {
            sleep(delay).await;
            route.enter().await
        };
        tokio::pin!(attempt);
        loop {
            tokio::select! {
                biased;
                entered = &mut attempt => return entered.map_err(End::Lost),
                command = self.commands.recv() => match command {
                    Some(Command::Call(call)) => call.fail(CallError::ConnectionLost),
                    Some(Command::Open(attachment)) => open(&mut self.games, *attachment),
                    Some(Command::Leave) | None => return Err(End::Left),
                },
                Some(_) = self.games.join_next() => {}
            }
        }
    }

    /// Waits for the answers to what was asked and sent before, and closes the connection: a close
    /// right after a write would take what was written with it.
    async fn farewell(mut self, endpoint: ClientEndpoint, connection: &Connection, mut control: Control) {
        let deadline = Instant::now() + Duration::from_secs(FAREWELL_SECONDS_MAX);
        let answers = async {
            while control.is_waiting() {
                if control.next().await.is_err() {
                    return;
                }
            }
            while self.games.join_next().await.is_some() {}
        };
        // Late answers are given up: the limit is the promise.
        let _ = timeout_at(deadline, answers).await;
        control.fail_all();
        self.games.detach_all();
        connection.close(CloseCode::Done.into(), b"");
        let _ = timeout_at(deadline, endpoint.endpoint().wait_idle()).await;
    }

    fn publish(&self, link: Link) {
        self.status.change(|status| status.link = link);
    }

    /// Nobody may be listening, which is their choice.
    fn tell(&self, news: News) {
        let _ = self.news.send(news);
    }
}

/// Starts a game's task, which waits for a connection if there is none.
fn open(games: &mut JoinSet<()>, attachment: Attachment) {
    if games.len() < GAMES_MAX {
        games.spawn(attachment.run());
    } else {
        attachment.refuse();
    }
}
