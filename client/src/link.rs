//! The road to the server: the SDK's news become reports, and the model's intents go out.

use crate::agreed;
use crate::enter::call_fault;
use crate::fault::{Exit, Fault};
use crate::message::{Consent, Friend, Invitation, Report, Ticket, Wish};
use chatrang_protocol::client::game::{GameLink, GameNews, LinkEnd, SendError};
use chatrang_protocol::client::{CallError, Client, News, Sought};
use chatrang_protocol::ids::{GameId, IntentId, TalkId};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::invite::{HostPort, InviteCode, InviteError, ServerAddress};
use chatrang_protocol::lobby::{CallMatter, CallView, InvitationView, Proposal, Seat};
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::RequestError;
use chatrang_protocol::talk::{RematchNews, Talk, TalkAnswer, TalkError};
use chatrang_rules::game::Millis;
use std::collections::HashMap;
use tokio::sync::mpsc;

/// Reports and intents that may wait.
pub const WAITING_MAX: usize = 64;

/// What the player came for.
#[derive(Clone, Debug)]
pub enum Goal {
    /// Watch this game.
    Watch(GameId),
    /// Go on with an unfinished game, or find an opponent.
    Play(Proposal),
    /// Play whoever made this code.
    Take {
        /// The code.
        code: InviteCode,
        /// Whether the player has agreed to whatever it proposes.
        consent: Consent,
    },
    /// Go on with an unfinished game.
    Resume,
    /// Go on with an unfinished game, or wait for a friend who gets a line to this address.
    Host {
        /// What the friend is to play.
        proposal: Proposal,
        /// Where he reaches the server.
        advertised: HostPort,
    },
}

/// The model's end of the link.
pub struct Ends {
    /// What the model wants sent.
    pub wishes: mpsc::Receiver<Wish>,
    /// What the model is to hear.
    pub reports: mpsc::Sender<Report>,
}

/// Nobody listens any more, or nothing more is to be said.
struct Over;

/// Carries reports and intents until the model has gone; then lets go of the server, once it has
/// answered what was sent.
pub async fn run(client: Client, goal: Goal, ends: Ends) {
    let (tickets, talk_tickets) = (HashMap::new(), HashMap::new());
    let mut link =
        Link { client, ends, tickets, talk_tickets, rematch: Rematch::NotAsked, store: Store::Works };
    // Whoever ends it has reported why, or has gone.
    let _ = link.play(goal).await;
    link.client.close().await;
}

struct Link {
    client: Client,
    ends: Ends,
    tickets: HashMap<IntentId, Ticket>,
    talk_tickets: HashMap<TalkId, Ticket>,
    rematch: Rematch,
    store: Store,
}

/// Whether this player has asked for a rematch of the game on the board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rematch {
    NotAsked,
    Asked,
}

/// What the server last said of its store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Store {
    Works,
    Full,
}

impl Link {
    async fn play(&mut self, goal: Goal) -> Result<(), Over> {
        let mut game = match goal {
            Goal::Watch(game) => game,
            Goal::Take { code, consent } => self.take(code, consent).await?,
            Goal::Resume => match self.resumed().await? {
                Some(game) => game,
                None => return self.nothing_to_do().await,
            },
            Goal::Play(proposal) => match self.resumed().await? {
                Some(game) => game,
                None => self.seek(proposal).await?,
            },
            Goal::Host { proposal, advertised } => match self.resumed().await? {
                Some(game) => {
                    self.line_back(advertised).await?;
                    game
                }
                None => self.invite(proposal, advertised).await?,
            },
        };
        loop {
            let opened = self.client.open_game(game).await;
            let link = self.or_fail(opened).await?;
            game = self.sit(link).await?;
        }
    }

    async fn take(&mut self, code: InviteCode, consent: Consent) -> Result<GameId, Over> {
        let taken = match self.client.invitation(code).await {
            Ok(invitation) => {
                self.agree(invitation, consent).await?;
                self.client.take_invite(code).await
            }
            Err(error) => Err(error),
        };
        match taken {
            Ok(seat) => Ok(seat.game),
            // Perhaps it was this player who used it up, before he left.
            Err(CallError::Refused(
                error @ (RequestError::InviteUsedUp
                | RequestError::NoSuchInvite
                | RequestError::InviteWithoutGame),
            )) => match self.resumed().await? {
                Some(game) => Ok(game),
                None if error == RequestError::InviteWithoutGame => self.nothing_to_do().await,
                None => self.fail(call_fault(&CallError::Refused(error))).await,
            },
            Err(error) => self.fail(call_fault(&error)).await,
        }
    }

    /// Shows what is proposed, and waits for the player's consent where it is not the usual.
    async fn agree(&mut self, invitation: InvitationView, consent: Consent) -> Result<(), Over> {
        let consent = if agreed::needs_consent(&invitation.proposal) { consent } else { Consent::Given };
        self.report(Report::Proposed { invitation: Box::new(invitation), consent }).await?;
        if consent == Consent::Given {
            return Ok(());
        }
        loop {
            match self.ends.wishes.recv().await {
                Some(Wish::AcceptTerms) => return Ok(()),
                Some(Wish::Act { .. } | Wish::Talk { .. }) => {}
                None => return Err(Over),
            }
        }
    }

    async fn seek(&mut self, proposal: Proposal) -> Result<GameId, Over> {
        let sought = self.client.seek(proposal).await;
        match self.or_fail(sought).await? {
            Sought::Paired(seat) => Ok(seat.game),
            Sought::Listed(_) => {
                self.report(Report::Seeking(proposal)).await?;
                self.wait_for_game(Some(proposal)).await
            }
        }
    }

    async fn invite(&mut self, proposal: Proposal, advertised: HostPort) -> Result<GameId, Over> {
        let invited = self.client.invite(proposal).await;
        let code = self.or_fail(invited).await?;
        let line = ServerAddress::invite(vec![advertised], self.client.fingerprint(), Some(code));
        self.report_line(line, Friend::Joins(proposal)).await?;
        self.wait_for_game(None).await
    }

    /// For a friend who has been here: he needs no code any more.
    async fn line_back(&mut self, advertised: HostPort) -> Result<(), Over> {
        let line = ServerAddress::invite(vec![advertised], self.client.fingerprint(), None);
        self.report_line(line, Friend::ComesBack).await
    }

    async fn report_line(
        &mut self,
        line: Result<ServerAddress, InviteError>,
        friend: Friend,
    ) -> Result<(), Over> {
        match line {
            Ok(line) => self.report(Report::Invited(Invitation { line: line.to_string(), friend })).await,
            Err(error) => {
                let fault =
                    Fault::new(Exit::Usage, error.to_string(), "give another address with --advertise");
                self.fail(fault).await
            }
        }
    }

    /// The game that has begun or goes on, the one against a present opponent if there are several.
    async fn resumed(&mut self) -> Result<Option<GameId>, Over> {
        let seats = self.client.seats().await;
        let seats = self.or_fail(seats).await?;
        let Some(Seat { game, opponent, .. }) = seats.first() else { return Ok(None) };
        let more = match seats.len() - 1 {
            0 => String::new(),
            more => format!(" {more} more wait."),
        };
        let text = format!("You have an unfinished game against {opponent}: game {game} goes on.{more}");
        self.report(Report::Remark(text)).await?;
        Ok(Some(*game))
    }

    /// Waits until a seek or an invitation has led to a game, however often the connection is lost
    /// meanwhile.
    async fn wait_for_game(&mut self, sought: Option<Proposal>) -> Result<GameId, Over> {
        loop {
            let news = tokio::select! {
                news = self.client.next_news() => news,
                wish = self.ends.wishes.recv() => match wish {
                    Some(_) => continue,
                    None => return Err(Over),
                },
            };
            match news {
                Some(News::Notice(Notice::GameStarted(seat))) => return Ok(seat.game),
                Some(News::Notice(notice)) => self.notice(&notice).await?,
                Some(News::ConnectionLost) => self.report(Report::ConnectionLost).await?,
                Some(news @ (News::ConnectionBack | News::Missed(_))) => {
                    if news == News::ConnectionBack {
                        self.report(Report::ConnectionBack).await?;
                        self.store_recovered().await?;
                    }
                    let found = self.look_again(sought).await;
                    if let Some(game) = self.unless_lost_again(found).await? {
                        return Ok(game);
                    }
                }
                Some(News::Closed(error)) => return self.fail(call_fault(&CallError::Closed(error))).await,
                None => return self.fail(call_fault(&CallError::Left)).await,
            }
        }
    }

    /// The game that has begun unheard; if there is none, and one was sought, it is sought again: a
    /// server that has restarted has forgotten the seek, and any other still has that very seek.
    async fn look_again(&self, sought: Option<Proposal>) -> Result<Option<GameId>, CallError> {
        if let Some(seat) = self.client.seats().await?.first() {
            return Ok(Some(seat.game));
        }
        match sought {
            Some(proposal) => match self.client.seek(proposal).await? {
                Sought::Paired(seat) => Ok(Some(seat.game)),
                Sought::Listed(_) => Ok(None),
            },
            None => Ok(None),
        }
    }

    /// What was found, unless the connection is lost again: when it is back, one looks again.
    async fn unless_lost_again(
        &mut self,
        found: Result<Option<GameId>, CallError>,
    ) -> Result<Option<GameId>, Over> {
        match found {
            Err(CallError::ConnectionLost) => Ok(None),
            found => self.or_fail(found).await,
        }
    }

    /// At the board, until the model has gone, or a rematch has begun: that one is returned.
    async fn sit(&mut self, mut game: GameLink) -> Result<GameId, Over> {
        self.tickets.clear();
        self.talk_tickets.clear();
        self.rematch = Rematch::NotAsked;
        let snapshot = Box::new(game.view().clone());
        let lag = self.lag();
        let id = snapshot.game;
        self.report(Report::Snapshot { snapshot, lag }).await?;
        if self.store == Store::Full {
            self.report(Report::StoreFull).await?;
        }
        let mut hears = true;
        loop {
            tokio::select! {
                news = game.next(), if hears => match news {
                    Some(GameNews::Rematch(news)) => {
                        let begun = self.rematch_stands(news).await?;
                        if let Some(next) = begun.filter(|_| game.view().seat.is_some()) {
                            return Ok(next);
                        }
                    }
                    Some(news) => self.hear(news).await?,
                    None => hears = false,
                },
                wish = self.ends.wishes.recv() => match wish {
                    Some(Wish::Act { ticket, intent }) => self.send(&game, ticket, intent).await?,
                    Some(Wish::Talk { ticket, talk }) => self.talk(&game, ticket, talk).await?,
                    // The game has begun.
                    Some(Wish::AcceptTerms) => {}
                    None => return Err(Over),
                },
                Some(news) = self.client.next_news() => match news {
                    // It is this one.
                    News::Notice(Notice::GameStarted(seat)) if seat.game == id => {}
                    // The table's own news of it may be lost with the table.
                    News::Notice(Notice::GameStarted(seat)) if self.rematch == Rematch::Asked => {
                        self.rematch_stands(RematchNews::Begun { game: seat.game }).await?;
                        return Ok(seat.game);
                    }
                    News::Notice(notice) => self.notice(&notice).await?,
                    News::ConnectionBack => self.store_recovered().await?,
                    // The game's own news tell it.
                    News::ConnectionLost | News::Missed(_) | News::Closed(_) => {}
                },
            }
        }
    }

    async fn hear(&mut self, news: GameNews) -> Result<(), Over> {
        let lag = self.lag();
        let report = match news {
            GameNews::Snapshot(snapshot) => Report::Snapshot { snapshot: Box::new(snapshot), lag },
            GameNews::Update(update) => Report::Update { update: Box::new(update), lag },
            GameNews::Answer(answer) => match self.tickets.remove(&answer.intent) {
                Some(ticket) => Report::Answer { ticket, outcome: answer.outcome.map(drop) },
                None => return Ok(()),
            },
            GameNews::Presence { color, presence } => Report::Presence { color, presence },
            GameNews::Chat(lines) => Report::Chat(lines),
            GameNews::Talked(TalkAnswer { id, outcome }) => match self.talk_tickets.remove(&id) {
                Some(ticket) => Report::Talked { ticket, outcome },
                None => return Ok(()),
            },
            GameNews::Rematch(news) => Report::Rematch(news),
            GameNews::ConnectionLost => Report::ConnectionLost,
            GameNews::ConnectionBack => Report::ConnectionBack,
            GameNews::Ended(LinkEnd::Over) => return Ok(()),
            GameNews::Ended(end) => Report::Failed(end_fault(end)),
        };
        self.report(report).await
    }

    async fn send(&mut self, game: &GameLink, ticket: Ticket, intent: Intent) -> Result<(), Over> {
        match game.send(intent) {
            Ok(id) => {
                self.tickets.insert(id, ticket);
                Ok(())
            }
            Err(SendError::Full) => {
                self.report(Report::Answer { ticket, outcome: Err(IntentError::Busy) }).await
            }
            // The end of the game is among the news.
            Err(SendError::Ended) => Ok(()),
        }
    }

    async fn talk(&mut self, game: &GameLink, ticket: Ticket, talk: Talk) -> Result<(), Over> {
        let asks_rematch = talk == Talk::AskRematch;
        let error = match game.talk(talk) {
            Ok(id) => {
                self.talk_tickets.insert(id, ticket);
                if asks_rematch {
                    self.rematch = Rematch::Asked;
                }
                return Ok(());
            }
            Err(SendError::Full) => TalkError::Busy,
            Err(SendError::Ended) => TalkError::NobodyThere,
        };
        self.report(Report::Talked { ticket, outcome: Err(error) }).await
    }

    /// Reports how it stands with a rematch; returns its number once it has begun.
    async fn rematch_stands(&mut self, news: RematchNews) -> Result<Option<GameId>, Over> {
        self.report(Report::Rematch(news)).await?;
        match news {
            RematchNews::Asked { .. } => Ok(None),
            RematchNews::Withdrawn => {
                self.rematch = Rematch::NotAsked;
                Ok(None)
            }
            RematchNews::Begun { game } => Ok(Some(game)),
        }
    }

    async fn notice(&mut self, notice: &Notice) -> Result<(), Over> {
        let text = match notice {
            // A second game does not push the first one aside.
            Notice::GameStarted(Seat { game, opponent, .. }) => {
                format!("Game {game} against {opponent} has begun; it waits until this one is over.")
            }
            Notice::ServerStopping { .. } => {
                "The server stops: the game is kept, its clocks stand still, and it goes on when the server is back."
                    .to_owned()
            }
            Notice::StoreFull => {
                self.store = Store::Full;
                return self.report(Report::StoreFull).await;
            }
            Notice::StoreRecovered => return self.store_recovered().await,
            Notice::Call(CallView { game, by, matter: CallMatter::Call(reason), .. }) => {
                format!("{by} calls the arbiter in game {game}: {reason}")
            }
            Notice::Call(CallView { game, by, matter: CallMatter::Claim(_), .. }) => {
                format!("A claim of {by} in game {game} waits for the arbiter.")
            }
        };
        self.report(Report::Remark(text)).await
    }

    /// The clocks run as far as is known: the server says so, or has let the client in anew and would
    /// say it again if they did not.
    async fn store_recovered(&mut self) -> Result<(), Over> {
        match std::mem::replace(&mut self.store, Store::Works) {
            Store::Full => self.report(Report::StoreRecovered).await,
            Store::Works => Ok(()),
        }
    }

    /// How long a message is under way: half of the way there and back.
    fn lag(&self) -> Millis {
        Millis(u64::try_from(self.client.rtt().as_millis() / 2).unwrap_or(u64::MAX))
    }

    async fn or_fail<T>(&mut self, result: Result<T, CallError>) -> Result<T, Over> {
        match result {
            Ok(value) => Ok(value),
            Err(error) => self.fail(call_fault(&error)).await,
        }
    }

    async fn fail<T>(&mut self, fault: Fault) -> Result<T, Over> {
        self.report(Report::Failed(fault)).await?;
        Err(Over)
    }

    async fn nothing_to_do<T>(&mut self) -> Result<T, Over> {
        let welcome = self.client.welcome();
        let text = format!(
            "You are in as {} ({}); no game waits for you. Find an opponent with: chatrang play 5+3",
            welcome.handle, welcome.role
        );
        self.report(Report::NothingToDo(text)).await?;
        Err(Over)
    }

    async fn report(&mut self, report: Report) -> Result<(), Over> {
        self.ends.reports.send(report).await.map_err(|_| Over)
    }
}

fn end_fault(end: LinkEnd) -> Fault {
    call_fault(&CallError::from(end))
}
