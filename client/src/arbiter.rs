//! `chatrang arbiter`: the desk of an arbiter, who sees which games are played and which call for him,
//! watches several at once, and rules in them (FIDE 12, L44). It has two faces, plain lines and JSON lines.

pub mod json;
pub mod news;
pub mod orders;
pub mod plain;
pub mod table;
pub mod watch;
pub mod words;

use crate::enter::{Entrance, call_fault};
use crate::face::{self, Face, Signals};
use crate::fault::{Exit, Fault};
use crate::message::{Message, Moment, News as HallNews, Refused, Report};
use crate::model::{AtEnd, Model, ScreenModel};
use crate::update::update;
use chatrang_protocol::client::game::GameLink;
use chatrang_protocol::client::{CallError, Client, News};
use chatrang_protocol::ids::{GameId, Handle};
use chatrang_protocol::lobby::{CallView, GameSummary, Seat};
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::RequestError;
use chatrang_protocol::role::Role;
use chatrang_protocol::view::AttachError;
use chatrang_rules::game::{Decision, Millis};
use news::DeskNews;
use std::collections::BTreeMap;
use std::time::Instant;
use table::Table;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use words::Word;

/// Sits at the desk until the arbiter leaves or the server has gone for good.
///
/// The end of the input means that no more is typed: what happens is told all the same.
///
/// # Errors
/// The [`Fault`] that ended it; also when the account is no arbiter's.
pub async fn run(entrance: Entrance, server: String, face: Face) -> Result<Exit, Fault> {
    let Entrance { client, remarks } = entrance;
    let welcome = client.welcome();
    if !welcome.role.is_arbiter() {
        client.close().await;
        return Err(no_arbiter(&welcome.handle, welcome.role));
    }
    let mut desk = Desk::new(client, face);
    let result = match desk.sit_down(server, welcome.handle, remarks).await {
        Ok(()) => desk.attend().await,
        Err(fault) => Err(fault),
    };
    // What was ordered and sent is answered first.
    desk.tables.clear();
    desk.client.close().await;
    result
}

/// Who may not rule, and how he may.
fn no_arbiter(handle: &Handle, role: Role) -> Fault {
    Fault::new(
        Exit::NotNow,
        format!(
            "{handle} has the role {role} on this server, and only its arbiters and owners rule in games"
        ),
        format!(
            "ask an owner of the server to run: chatrang role {handle} arbiter; or its operator: chatrangd role {handle} arbiter"
        ),
    )
}

/// The arbiter's desk.
struct Desk {
    client: Client,
    face: Face,
    /// What concerns no single game; it has none.
    hall: Model,
    /// The games that are watched.
    tables: BTreeMap<GameId, Table>,
    /// What the server has been asked. The next line is read when it has answered.
    errands: JoinSet<Errand>,
    store: Store,
    started: Instant,
}

/// What the server last said of its store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Store {
    Works,
    Full,
}

/// What came of something that the server was asked.
enum Errand {
    Games { games: Result<Vec<GameSummary>, CallError> },
    Calls { calls: Result<Vec<CallView>, CallError>, asked: Asked },
    Opened { game: GameId, input: String, link: Result<Box<GameLink>, CallError> },
}

/// Who wants to know.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    ByArbiter,
    /// Calls may have been missed.
    ByDesk,
}

/// Whether the arbiter stays.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stays {
    Yes,
    No,
}

impl Desk {
    fn new(client: Client, face: Face) -> Self {
        Self {
            client,
            face,
            hall: Model::new(AtEnd::Stay, ScreenModel::default()),
            tables: BTreeMap::new(),
            errands: JoinSet::new(),
            store: Store::Works,
            started: Instant::now(),
        }
    }

    /// Says where he is, and what is going on there.
    async fn sit_down(&mut self, server: String, handle: Handle, remarks: Vec<String>) -> Result<(), Fault> {
        update(&mut self.hall, Message::Report(Report::Entered { server, handle }));
        self.tell_hall(HallNews::Entered)?;
        for remark in remarks {
            self.note(remark)?;
        }
        let games = self.client.games().await;
        self.list_games(games.map_err(|error| call_fault(&error))?)?;
        let calls = self.client.calls().await;
        self.list_calls(calls.map_err(|error| call_fault(&error))?)
    }

    /// Does what is typed, and tells what happens.
    async fn attend(&mut self) -> Result<Exit, Fault> {
        let mut typed = face::stdin_lines();
        let mut input_open = true;
        let mut signals = Signals::new()?;
        let mut tick = interval(face::LINE_TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            let listens = input_open && self.errands.is_empty();
            tokio::select! {
                biased;
                _ = signals.next() => return Ok(Exit::Interrupted),
                Some(Ok(errand)) = self.errands.join_next() => self.errand_done(errand)?,
                news = self.client.next_news() => self.heard(news)?,
                (game, news) = table::next_news(&mut self.tables) => self.heard_of(game, news)?,
                line = typed.recv(), if listens => match line {
                    Some(line) if self.typed(line.trim())? == Stays::No => return Ok(Exit::Success),
                    Some(_) => {}
                    None => input_open = false,
                },
                _ = tick.tick() => self.pass_time()?,
            }
        }
    }

    fn typed(&mut self, line: &str) -> Result<Stays, Fault> {
        self.pass_time()?;
        match Word::read(line) {
            Ok(Word::Nothing) => {}
            Ok(Word::Games) => {
                let client = self.client.clone();
                self.errands.spawn(async move { Errand::Games { games: client.games().await } });
            }
            Ok(Word::Calls) => self.ask_for_calls(Asked::ByArbiter),
            Ok(Word::Watch(game)) => self.watch(game, line)?,
            Ok(Word::Unwatch(game)) => self.unwatch(game, line)?,
            Ok(Word::Rule(game, decision)) => self.rule(game, decision, line)?,
            Ok(Word::Ask(game, question)) => {
                if let Some(game) = self.game_meant(game, line)? {
                    self.tell(&DeskNews::Event { game, news: HallNews::Asked(question) })?;
                }
            }
            Ok(Word::Help) => {
                for line in words::help() {
                    self.note(line)?;
                }
            }
            Ok(Word::Quit) => return Ok(Stays::No),
            Err(no_word) => self.refuse(line, "input", no_word.to_string())?,
        }
        Ok(Stays::Yes)
    }

    fn watch(&mut self, game: GameId, line: &str) -> Result<(), Fault> {
        if self.tables.contains_key(&game) {
            return self.refuse(line, "input", format!("game {game} is watched already"));
        }
        let (client, input) = (self.client.clone(), line.to_owned());
        self.errands.spawn(async move {
            let link = client.open_game(game).await.map(Box::new);
            Errand::Opened { game, input, link }
        });
        Ok(())
    }

    fn unwatch(&mut self, named: Option<GameId>, line: &str) -> Result<(), Fault> {
        let Some(game) = self.game_meant(named, line)? else { return Ok(()) };
        self.tell(&DeskNews::Unwatched { game, text: "it is not watched any more".to_owned() })?;
        self.tables.remove(&game);
        Ok(())
    }

    fn rule(&mut self, named: Option<GameId>, decision: Decision, line: &str) -> Result<(), Fault> {
        let Some(game) = self.game_meant(named, line)? else { return Ok(()) };
        match self.tables.get_mut(&game).and_then(|table| table.rule(decision, line)) {
            Some(refused) => self.tell(&refused),
            None => Ok(()),
        }
    }

    /// The watched game that a line is about; none when there is no such game, which has been said then.
    fn game_meant(&self, named: Option<GameId>, line: &str) -> Result<Option<GameId>, Fault> {
        let watched: Vec<GameId> = self.tables.keys().copied().collect();
        let goes_on = |table: &Table| !table.watch.model().is_over();
        let played = self.tables.iter().filter(|(_, table)| goes_on(table)).map(|(&game, _)| game);
        match words::game_meant(named, &watched, &played.collect::<Vec<_>>()) {
            Ok(game) => Ok(Some(game)),
            Err(text) => self.refuse(line, "input", text).map(|()| None),
        }
    }

    fn ask_for_calls(&mut self, asked: Asked) {
        let client = self.client.clone();
        self.errands.spawn(async move { Errand::Calls { calls: client.calls().await, asked } });
    }

    fn errand_done(&mut self, errand: Errand) -> Result<(), Fault> {
        match errand {
            Errand::Games { games: Ok(games) } => self.list_games(games),
            Errand::Games { games: Err(error) } => self.refuse_call("games", &error),
            Errand::Calls { calls: Ok(calls), asked: Asked::ByArbiter } => self.list_calls(calls),
            Errand::Calls { calls: Ok(calls), asked: Asked::ByDesk } => self.tell_calls(calls),
            // When the connection is back, they are asked for again.
            Errand::Calls { calls: Err(CallError::ConnectionLost), asked: Asked::ByDesk } => Ok(()),
            Errand::Calls { calls: Err(error), .. } => self.refuse_call("calls", &error),
            Errand::Opened { input, link: Err(error), .. } => self.refuse_call(&input, &error),
            Errand::Opened { game, link: Ok(link), .. } => {
                let (mut table, mut told) = Table::open(*link, self.now(), self.lag());
                if self.store == Store::Full {
                    told.extend(table.watch.report(Report::StoreFull));
                }
                self.tables.insert(game, table);
                self.tell_all(&told)
            }
        }
    }

    fn list_games(&self, games: Vec<GameSummary>) -> Result<(), Fault> {
        if games.is_empty() {
            return self.note("No game is being played.".to_owned());
        }
        let listed: Vec<DeskNews> = games.into_iter().map(DeskNews::Listed).collect();
        self.tell_all(&listed)
    }

    fn list_calls(&self, calls: Vec<CallView>) -> Result<(), Fault> {
        if calls.is_empty() {
            return self.note("No game waits for an arbiter.".to_owned());
        }
        self.tell_calls(calls)
    }

    fn tell_calls(&self, calls: Vec<CallView>) -> Result<(), Fault> {
        let called: Vec<DeskNews> = calls.into_iter().map(DeskNews::Called).collect();
        self.tell_all(&called)
    }

    /// Takes in what the server says, and what becomes of the connection.
    fn heard(&mut self, news: Option<News>) -> Result<(), Fault> {
        match news {
            Some(News::Notice(Notice::Call(call))) => self.tell(&DeskNews::Called(call)),
            Some(News::Notice(Notice::GameStarted(Seat { game, opponent, .. }))) => self.note(format!(
                "Your own game {game} against {opponent} has begun; to play it: chatrang play"
            )),
            Some(News::Notice(Notice::ServerStopping { .. })) => {
                self.note("The server stops: its games are kept, and go on when it is back.".to_owned())
            }
            Some(News::Notice(Notice::StoreFull)) => self.store_is(Store::Full),
            Some(News::Notice(Notice::StoreRecovered)) => self.store_is(Store::Works),
            Some(News::ConnectionLost) => self.tell_hall(HallNews::ConnectionLost),
            Some(News::ConnectionBack) => {
                self.tell_hall(HallNews::ConnectionBack)?;
                self.ask_for_calls(Asked::ByDesk);
                // It would say again that it is full.
                self.store_is(Store::Works)
            }
            Some(News::Missed(_)) => {
                self.ask_for_calls(Asked::ByDesk);
                Ok(())
            }
            Some(News::Closed(error)) => Err(call_fault(&CallError::Closed(error))),
            None => Err(call_fault(&CallError::Left)),
        }
    }

    fn store_is(&mut self, store: Store) -> Result<(), Fault> {
        if std::mem::replace(&mut self.store, store) == store {
            return Ok(());
        }
        let (report, text) = match store {
            Store::Full => {
                (Report::StoreFull, "The server cannot write to its store: no game begins until it can.")
            }
            Store::Works => (Report::StoreRecovered, "The server can write to its store again."),
        };
        self.note(text.to_owned())?;
        self.pass_time()?;
        let told: Vec<DeskNews> =
            self.tables.values_mut().flat_map(|table| table.watch.report(report.clone())).collect();
        self.tell_all(&told)
    }

    fn heard_of(&mut self, game: GameId, news: table::TableNews) -> Result<(), Fault> {
        let lag = self.lag();
        let now = self.now();
        let Some(table) = self.tables.get_mut(&game) else { return Ok(()) };
        let told = table.heard(news, now, lag);
        self.tell_all(&told)?;
        if told.iter().any(|news| matches!(news, DeskNews::Unwatched { .. })) {
            self.tables.remove(&game);
        }
        Ok(())
    }

    fn pass_time(&mut self) -> Result<(), Fault> {
        let now = self.now();
        let told: Vec<DeskNews> = self.tables.values_mut().flat_map(|table| table.watch.pass(now)).collect();
        self.tell_all(&told)
    }

    fn refuse(&self, input: &str, law: &str, text: String) -> Result<(), Fault> {
        let refused = Refused { input: input.to_owned(), law: law.to_owned(), text };
        self.tell(&DeskNews::Refused { game: None, refused })
    }

    fn refuse_call(&self, input: &str, error: &CallError) -> Result<(), Fault> {
        self.refuse(input, law(error), error.to_string())
    }

    fn note(&self, text: String) -> Result<(), Fault> {
        self.tell_hall(HallNews::Remark(text))
    }

    fn tell_hall(&self, news: HallNews) -> Result<(), Fault> {
        self.tell(&DeskNews::Hall(news))
    }

    fn tell_all(&self, told: &[DeskNews]) -> Result<(), Fault> {
        told.iter().try_for_each(|news| self.tell(news))
    }

    fn tell(&self, news: &DeskNews) -> Result<(), Fault> {
        let table = news.game().and_then(|game| self.tables.get(&game));
        let model = table.map_or(&self.hall, |table| table.watch.model());
        let lines = match self.face {
            Face::Json => json::lines(news, model),
            Face::Plain | Face::Screen => plain::lines(news, model),
        };
        face::say(&lines).map_err(|error| face::stdout_gone(&error))
    }

    fn now(&self) -> Moment {
        Moment(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// How long a message is under way: half of the way there and back.
    fn lag(&self) -> Millis {
        Millis(u64::try_from(self.client.rtt().as_millis() / 2).unwrap_or(u64::MAX))
    }
}

/// What stands for the law when a request fails: an article, a rule of the house, a limit, or `input`.
fn law(error: &CallError) -> &'static str {
    match error {
        CallError::Refused(RequestError::NotArbiter) => "L44",
        CallError::NotOpened(AttachError::NoSuchGame) => "input",
        CallError::NotOpened(AttachError::StoreUnavailable | AttachError::SetAside)
        | CallError::Refused(RequestError::StoreUnavailable) => "storage",
        _ => "limit",
    }
}
