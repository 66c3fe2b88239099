//! The three faces at work: each feeds the model what the player and the server do, and carries out
//! what comes of it.

use crate::cli::{ColorWish, Options};
use crate::config::{PieceStyle, Settings};
use crate::fault::{Exit, Fault};
use crate::message::{Effect, Message, Moment, News, Report, Wish};
use crate::model::{AtEnd, Model, ScreenModel, Waiting};
use crate::screen::look::Look;
use crate::screen::terminal::{Mouse, Screen};
use crate::update::update;
use crate::{json, plain, screen, sentence};
use chatrang_protocol::intent::IntentError;
use chatrang_protocol::talk::TalkError;
use chatrang_rules::game::Millis;
use crossterm::event::EventStream;
use futures_util::StreamExt;
use std::io::{self, BufRead, IsTerminal, Write};
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};

/// How often a line face looks at the clocks.
pub(crate) const LINE_TICK: Duration = Duration::from_millis(250);

/// How often the screen is painted while clocks show whole seconds, and while they show tenths.
const SCREEN_TICK: Duration = Duration::from_millis(250);
const SCREEN_TICK_LOW: Duration = Duration::from_millis(50);

/// Lines of the player that may wait.
const LINES_WAITING_MAX: usize = 16;

/// A face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// The full screen.
    Screen,
    /// Plain lines.
    Plain,
    /// JSON lines.
    Json,
}

impl Face {
    /// The face that the options ask for and the surroundings allow.
    pub fn choose(options: &Options) -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        match () {
            () if options.json => Self::Json,
            () if options.plain || !terminal || dumb || set("ACCESSIBLE") => Self::Plain,
            () => Self::Screen,
        }
    }
}

/// The face's ends of the link.
pub struct Ends {
    /// What the player wants.
    pub wishes: mpsc::Sender<Wish>,
    /// What the server says.
    pub reports: mpsc::Receiver<Report>,
}

/// Shows the game until it is over or the player leaves.
///
/// # Errors
/// The [`Fault`] that ended it.
pub async fn run(face: Face, ends: Ends, options: &Options, settings: &Settings) -> Result<Exit, Fault> {
    match face {
        Face::Screen => run_screen(ends, options, settings).await,
        Face::Plain => run_lines(ends, options, plain::lines).await,
        Face::Json => run_lines(ends, options, json::lines).await,
    }
}

/// The model, its time, and what is done about its effects.
struct Table {
    model: Model,
    started: Instant,
    wishes: mpsc::Sender<Wish>,
}

/// What a face has to do itself after a message.
enum Next {
    Tell(News),
    Ring,
    Leave(Result<Exit, Fault>),
}

impl Table {
    fn new(model: Model, wishes: mpsc::Sender<Wish>) -> Self {
        Self { model, started: Instant::now(), wishes }
    }

    /// Feeds the model, after the time, a message.
    fn hear(&mut self, message: Option<Message>) -> Vec<Next> {
        let now = Moment(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX));
        let mut effects = update(&mut self.model, Message::Time(now));
        if let Some(message) = message {
            effects.extend(update(&mut self.model, message));
        }
        effects.into_iter().filter_map(|effect| self.carry_out(effect)).collect()
    }

    fn carry_out(&mut self, effect: Effect) -> Option<Next> {
        match effect {
            Effect::Send { ticket, intent } => {
                let busy = Report::Answer { ticket, outcome: Err(IntentError::Busy) };
                self.send(Wish::Act { ticket, intent }, busy)
            }
            Effect::Talk { ticket, talk } => {
                let busy = Report::Talked { ticket, outcome: Err(TalkError::Busy) };
                self.send(Wish::Talk { ticket, talk }, busy)
            }
            Effect::AcceptTerms => {
                let busy = Report::Remark("The program is busy: try again in a moment.".to_owned());
                self.send(Wish::AcceptTerms, busy)
            }
            Effect::Tell(news) => Some(Next::Tell(news)),
            Effect::Ring => Some(Next::Ring),
            Effect::Leave(exit) => Some(Next::Leave(Ok(exit))),
            Effect::Fail(fault) => Some(Next::Leave(Err(fault))),
        }
    }

    /// Gives the link what the player wants; when so much waits for it that it takes no more, `busy` is
    /// its answer.
    fn send(&mut self, wish: Wish, busy: Report) -> Option<Next> {
        if self.wishes.try_send(wish).is_ok() {
            return None;
        }
        update(&mut self.model, Message::Report(busy)).into_iter().find_map(|effect| match effect {
            Effect::Tell(news) => Some(Next::Tell(news)),
            _ => None,
        })
    }
}

async fn run_lines(
    mut ends: Ends,
    options: &Options,
    write: fn(&News, &Model) -> Vec<String>,
) -> Result<Exit, Fault> {
    let at_end = if options.stay { AtEnd::Stay } else { AtEnd::Leave };
    let mut table = Table::new(Model::new(at_end, ScreenModel::default()), ends.wishes);
    let mut typed = stdin_lines();
    let by_hand = io::stdin().is_terminal();
    let mut input_open = true;
    let mut signals = Signals::new()?;
    let mut tick = interval(LINE_TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        // What a script has written ahead waits for the board; a person may want to leave before.
        let is_asked = matches!(table.model.waiting, Waiting::Consent(_));
        if is_asked && !input_open {
            return Err(no_consent());
        }
        let listens = input_open && (by_hand || is_asked || table.model.game.is_some());
        let message = tokio::select! {
            biased;
            stop = signals.next() => match stop {
                Stop::Interrupt => Some(Message::Interrupt),
                Stop::Terminate => return Ok(Exit::Interrupted),
            },
            report = ends.reports.recv() => Some(Message::Report(report.unwrap_or_else(link_gone))),
            line = typed.recv(), if listens => {
                input_open = line.is_some();
                line.map(Message::Typed)
            },
            _ = tick.tick() => None,
        };
        for next in table.hear(message) {
            match next {
                Next::Tell(news) => say(&write(&news, &table.model)).map_err(|error| stdout_gone(&error))?,
                Next::Ring => {}
                Next::Leave(how) => return how,
            }
        }
        // Whoever stays is waited for as long as he may still say something.
        if !input_open && table.model.is_over() {
            return Ok(Exit::Success);
        }
    }
}

async fn run_screen(mut ends: Ends, options: &Options, settings: &Settings) -> Result<Exit, Fault> {
    let look = look(options);
    let usual = if is_utf8_locale() { PieceStyle::Glyphs } else { PieceStyle::Letters };
    let pieces = settings.pieces.unwrap_or(usual);
    let model = Model::new(AtEnd::Stay, ScreenModel { pieces, ..ScreenModel::default() });
    let mut table = Table::new(model, ends.wishes);
    let mut signals = Signals::new()?;
    let mouse = if settings.mouse == Some(false) { Mouse::Off } else { Mouse::On };
    let screen = Screen::open(mouse)?;
    let how = show_screen(screen, &mut table, &mut ends.reports, &mut signals, &look, settings).await;
    // The screen has gone and taken the board with it; this stays.
    if let Some(line) = sentence::last_word(&table.model) {
        say(&[line]).map_err(|error| stdout_gone(&error))?;
    }
    how
}

/// Paints, and hears what the player and the server do, until one of them has had enough.
async fn show_screen(
    mut screen: Screen,
    table: &mut Table,
    reports: &mut mpsc::Receiver<Report>,
    signals: &mut Signals,
    look: &Look,
    settings: &Settings,
) -> Result<Exit, Fault> {
    let mut events = EventStream::new();
    loop {
        let picture = screen.terminal.draw(|frame| screen::paint(frame, &table.model, look));
        let area = picture.map_err(|error| stdout_gone(&error))?.area;
        let message = tokio::select! {
            stop = signals.next() => match stop {
                Stop::Interrupt => Some(Message::Interrupt),
                Stop::Terminate => return Ok(Exit::Interrupted),
            },
            report = reports.recv() => Some(Message::Report(report.unwrap_or_else(link_gone))),
            event = events.next() => match event {
                Some(Ok(event)) => screen::input::message(&event, area, &table.model),
                Some(Err(error)) => return Err(stdout_gone(&error)),
                None => return Ok(Exit::Interrupted),
            },
            () = sleep(screen_tick(&table.model)) => None,
        };
        for next in table.hear(message) {
            match next {
                Next::Tell(_) => {}
                Next::Ring => {
                    if settings.bell == Some(true) {
                        screen.ring();
                    }
                }
                Next::Leave(how) => return how,
            }
        }
    }
}

fn look(options: &Options) -> Look {
    if options.color == ColorWish::Always {
        crossterm::style::force_color_output(true);
    }
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    Look::new(options.color, no_color)
}

fn screen_tick(model: &Model) -> Duration {
    let running = model.game.as_ref().and_then(|game| Some((game, game.running()?)));
    match running {
        Some((game, color)) if game.left(color, model.now) < Millis::TENTHS_UNDER => SCREEN_TICK_LOW,
        _ => SCREEN_TICK,
    }
}

/// Whether the terminal shows more than ASCII: the first of the three variables that is set says so.
fn is_utf8_locale() -> bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let value = names.iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    value.is_some_and(|value| {
        let value = value.to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

/// The player's lines. They are read on a thread of its own, which the end of the program does not
/// wait for.
pub(crate) fn stdin_lines() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(LINES_WAITING_MAX);
    std::thread::spawn(move || {
        for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Writes lines, each out before the next: whoever reads a pipe waits for them.
pub(crate) fn say(lines: &[String]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    for line in lines {
        writeln!(stdout, "{line}")?;
        stdout.flush()?;
    }
    Ok(())
}

fn no_consent() -> Fault {
    Fault::new(
        Exit::Usage,
        "the game you are invited to is not played by the usual terms, and nobody has accepted them",
        "add --accept-terms, or write the word accept when they are shown",
    )
}

/// Whoever reads the lines has gone.
pub(crate) fn stdout_gone(error: &io::Error) -> Fault {
    Fault::new(Exit::Other, "there is nobody to show the game to any more", "start chatrang again")
        .caused_by(error)
}

fn link_gone() -> Report {
    Report::Failed(Fault::new(Exit::Other, "the road to the server has broken off", "start chatrang again"))
}

/// The signals that ask for the end.
pub(crate) struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
}

/// What a signal asks for.
pub(crate) enum Stop {
    Interrupt,
    Terminate,
}

impl Signals {
    /// Listens for them from now on.
    ///
    /// # Errors
    /// A [`Fault`] when the system gives none.
    pub(crate) fn new() -> Result<Self, Fault> {
        let listen = |kind| {
            signal(kind).map_err(|error| {
                Fault::new(Exit::Other, "the system gives no signals", "start chatrang again")
                    .caused_by(error)
            })
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hang_up: listen(SignalKind::hangup())?,
        })
    }

    /// The next signal.
    pub(crate) async fn next(&mut self) -> Stop {
        tokio::select! {
            _ = self.interrupt.recv() => Stop::Interrupt,
            _ = self.terminate.recv() => Stop::Terminate,
            _ = self.hang_up.recv() => Stop::Terminate,
        }
    }
}
