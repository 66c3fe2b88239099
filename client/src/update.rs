//! The pure middle of the program: what the model makes of each message. No I/O, no clock.

mod talk;

use crate::fault::Exit;
use crate::lookup::{self, NoMatch};
use crate::message::{
    Effect, Friend, Gesture, Invitation, Message, News, Refused, Report, Standstill, Step, Ticket,
};
use crate::model::{
    AtEnd, Connection, GameModel, Hearing, Leaving, Model, Pending, Tone, Waiting, seen_squares,
};
use crate::words::{Question, Sure, Word};
use crate::{answers, sentence};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::view::{LegalMove, Presence, Snapshot, Update};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, Matter, Millis, Party, Proposal, Refusal, Suspension};
use chatrang_rules::moves::Move;
use chatrang_rules::square::Square;
use tui_input::{Input, InputRequest};

/// Seconds at which a player is warned of his clock.
const LOW_TIME_SECONDS: [u64; 3] = [60, 20, 10];

/// What an increment must bring a clock above a warning's seconds for it to be given again.
const LOW_TIME_AGAIN: Millis = Millis::from_seconds(10);

/// Changes the model by a message, and says what is to be done about it.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let mut effects = Vec::new();
    match message {
        Message::Time(now) => {
            model.now = now;
            warn_of_low_time(model, &mut effects);
        }
        Message::Report(report) => reported(model, report, &mut effects),
        Message::Typed(line) => typed(model, &line, &mut effects),
        Message::Gesture(gesture) => gestured(model, gesture, &mut effects),
        Message::Interrupt => interrupted(model, &mut effects),
    }
    effects
}

fn reported(model: &mut Model, report: Report, effects: &mut Vec<Effect>) {
    match report {
        Report::Entered { server, handle } => {
            model.server = server;
            model.handle = Some(handle);
            model.waiting = Waiting::Game;
            tell(model, News::Entered, effects);
        }
        Report::Invited(invitation) => invited(model, invitation, effects),
        Report::Seeking(controls) => {
            model.waiting = Waiting::Opponent(controls);
            tell(model, News::Seeking(controls), effects);
        }
        Report::Snapshot { snapshot, lag } => opened(model, *snapshot, lag, effects),
        Report::Update { update, lag } => happened(model, *update, lag, effects),
        Report::Answer { ticket, outcome } => answered(model, ticket, outcome, effects),
        Report::Presence { color, presence } => presence_changed(model, color, presence, effects),
        Report::Chat(lines) => talk::heard(model, lines, effects),
        Report::Talked { ticket, outcome } => talk::answered(model, ticket, outcome, effects),
        Report::Rematch(news) => talk::rematch_stands(model, news, effects),
        Report::ConnectionLost => {
            model.connection = Connection::Down(model.now);
            tell(model, News::ConnectionLost, effects);
        }
        Report::ConnectionBack => {
            model.connection = Connection::Up;
            tell(model, News::ConnectionBack, effects);
        }
        Report::StoreFull => store_filled(model, effects),
        Report::StoreRecovered => store_recovered(model, effects),
        Report::Remark(text) => tell(model, News::Remark(text), effects),
        Report::NothingToDo(text) => {
            tell(model, News::Remark(text), effects);
            effects.push(Effect::Leave(Exit::Success));
        }
        // The result stands, whatever becomes of the connection.
        Report::Failed(fault) if model.is_over() => {
            tell(model, News::Remark(format!("{}.", fault.text)), effects);
        }
        Report::Failed(fault) => effects.push(Effect::Fail(fault)),
    }
}

/// Tells news to whichever face there is: as an effect, and as a notice of the screen.
fn tell(model: &mut Model, news: News, effects: &mut Vec<Effect>) {
    if let Some(tone) = sentence::tone(&news) {
        let text = sentence::of(&news, model);
        model.notice(tone, text);
    }
    effects.push(Effect::Tell(news));
}

fn invited(model: &mut Model, invitation: Invitation, effects: &mut Vec<Effect>) {
    match invitation.friend {
        Friend::Joins => model.waiting = Waiting::Friend(invitation.line.clone()),
        // The board is about to be opened: the screen has the line beside it until the next move.
        Friend::ComesBack => {
            let text = format!("If your friend has lost it: chatrang join {}", invitation.line);
            model.notice(Tone::Info, text);
        }
    }
    tell(model, News::Invite(invitation), effects);
}

fn store_filled(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    match &mut model.game {
        None => {
            let text = "The server cannot write to its store: no game begins until it can.";
            tell(model, News::Remark(text.to_owned()), effects);
        }
        Some(game) if game.state.result.is_some() || game.stopped.is_some() => {}
        Some(game) => {
            game.stopped = Some(now);
            tell(model, News::ClocksStopped(Standstill::StoreFull), effects);
        }
    }
}

fn store_recovered(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    match &mut model.game {
        None => {
            let text = "The server can write to its store again.";
            tell(model, News::Remark(text.to_owned()), effects);
        }
        Some(game) if game.stopped.is_some() => {
            game.let_clocks_run(now);
            tell(model, News::ClocksRun(Standstill::StoreFull), effects);
        }
        Some(_) => {}
    }
}

fn opened(model: &mut Model, snapshot: Snapshot, lag: Millis, effects: &mut Vec<Effect>) {
    let before = model.game.take();
    let mut game = GameModel::new(snapshot, model.now, lag);
    let mut ended_before = false;
    if let Some(before) = before {
        game.stopped = before.stopped;
        if before.id == game.id {
            ended_before = before.state.result.is_some();
            game.talk = before.talk;
        } else {
            // The next game: nothing of the one before waits for an answer any more.
            model.pending.clear();
            model.notices.clear();
        }
    }
    for color in Color::ALL {
        game.low_time[color] = low_times_passed(game.left(color, model.now));
    }
    model.desk.selected = None;
    model.waiting = Waiting::Game;
    model.game = Some(game);
    tell(model, News::Game, effects);
    for color in Color::ALL {
        let game = model.game.as_ref();
        let is_other = game.is_some_and(|game| game.seat != Some(color));
        if let Some(span) = game.and_then(|game| game.away(color, model.now)).filter(|_| is_other) {
            tell(model, News::Away { color, span }, effects);
        }
    }
    if let Some(why) = model.game.as_ref().and_then(GameModel::standstill) {
        tell(model, News::ClocksStopped(why), effects);
    }
    if !ended_before {
        end_if_over(model, effects);
    }
}

fn happened(model: &mut Model, update: Update, lag: Millis, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(game) = &mut model.game else { return };
    let ply_before = game.state.ply;
    let event = update.event.clone();
    let san = update.played.as_ref().map(|played| played.san.to_string());
    game.evolve(update, now, lag);
    let is_own_turn = game.is_own_turn();
    for color in Color::ALL {
        let passed = low_times_passed(game.left(color, now).minus(LOW_TIME_AGAIN));
        game.low_time[color] = game.low_time[color].min(passed);
    }
    let Some(event) = event.open() else { return end_if_over(model, effects) };
    match (&event.action, event.by, san) {
        (Action::Moved { mv, .. }, Party::Player(color), Some(san)) => {
            model.desk.selected = None;
            // What was said about the position before is not about this one.
            model.notices.clear();
            tell(model, News::Moved { color, ply: ply_before, mv: *mv, san }, effects);
            if is_own_turn {
                effects.push(Effect::Ring);
            }
        }
        (Action::Proposed(Proposal::Draw), Party::Player(by), _) => {
            tell(model, News::DrawOffered { by }, effects);
        }
        (Action::Declined(Matter::Draw), Party::Player(by), _) => {
            tell(model, News::DrawDeclined { by }, effects);
        }
        (Action::Suspended(Suspension::Restart), ..) => {
            tell(model, News::ClocksStopped(Standstill::Restart), effects);
        }
        (Action::Continued, ..) => tell(model, News::ClocksRun(Standstill::Restart), effects),
        // The rest ends the game, and the end tells it all.
        _ => {}
    }
    end_if_over(model, effects);
}

fn end_if_over(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(result) = model.game.as_ref().and_then(|game| game.state.result) else { return };
    model.pending.clear();
    model.leaving = Leaving::NotAsked;
    tell(model, News::End(result), effects);
    effects.push(Effect::Ring);
    if model.at_end == AtEnd::Leave {
        effects.push(Effect::Leave(Exit::Success));
    }
}

fn answered(model: &mut Model, ticket: Ticket, outcome: Result<(), IntentError>, effects: &mut Vec<Effect>) {
    let Some(input) = settle(model, ticket) else { return };
    if let Err(error) = outcome {
        let (law, text) = (error.law(), error.to_string());
        tell(model, News::Refused(Refused { input, law, text }), effects);
    }
}

/// What was typed for a ticket that waited for its answer until now.
fn settle(model: &mut Model, ticket: Ticket) -> Option<String> {
    let place = model.pending.iter().position(|pending| pending.ticket == ticket)?;
    Some(model.pending.remove(place).input)
}

fn presence_changed(model: &mut Model, color: Color, presence: Presence, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(game) = &mut model.game else { return };
    let was_away = game.away(color, now).is_some();
    game.presence[color] = (presence, now);
    match (game.away(color, now), was_away) {
        (Some(span), _) => tell(model, News::Away { color, span }, effects),
        (None, true) => tell(model, News::Back { color }, effects),
        (None, false) => {}
    }
}

fn warn_of_low_time(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(game) = &mut model.game else { return };
    let Some(color) = game.running().filter(|&color| game.seat.is_none_or(|seat| seat == color)) else {
        return;
    };
    let passed = low_times_passed(game.left(color, now));
    if passed > game.low_time[color] {
        game.low_time[color] = passed;
        let seconds = LOW_TIME_SECONDS[passed - 1];
        tell(model, News::LowTime { color, seconds }, effects);
    }
}

/// How many of the warnings' times a clock has come down to.
fn low_times_passed(left: Millis) -> usize {
    LOW_TIME_SECONDS.iter().filter(|&&seconds| left <= Millis::from_seconds(seconds)).count()
}

fn typed(model: &mut Model, line: &str, effects: &mut Vec<Effect>) {
    let input = line.trim();
    match Word::read(line) {
        Word::Nothing => {}
        Word::Move(text) => play(model, input, &text, effects),
        Word::Claim(intended) => claim(model, input, intended.as_deref(), effects),
        Word::Draw => send(model, input, Intent::Propose(Proposal::Draw), effects),
        Word::Accept => send(model, input, Intent::Accept(Matter::Draw), effects),
        Word::Decline => send(model, input, Intent::Decline(Matter::Draw), effects),
        Word::Abort => send(model, input, Intent::Abort, effects),
        Word::Resign(Sure::Yes) => send(model, input, Intent::Resign, effects),
        Word::Resign(Sure::NotYet) => {
            refuse(model, input, not_yet("to give the game up, type: resign yes"), effects);
        }
        Word::Say(text) => talk::say(model, input, &text, effects),
        Word::Rematch => talk::ask_rematch(model, input, effects),
        Word::Mute => talk::hear(model, input, Hearing::Muted, effects),
        Word::Unmute => talk::hear(model, input, Hearing::Open, effects),
        Word::Quit(sure) => quit(model, input, sure, effects),
        Word::Flip => model.desk.flipped = !model.desk.flipped,
        Word::Pieces => model.desk.letters = !model.desk.letters,
        Word::Help => help(model, effects),
        Word::Ask(question) => ask(model, input, question, effects),
    }
}

fn play(model: &mut Model, input: &str, text: &str, effects: &mut Vec<Effect>) {
    let found = own_turn(model).and_then(|game| {
        let legal = lookup::find(&game.state, game.position.as_ref(), text)?;
        Ok(Intent::Move { ply: game.state.ply, mv: legal.mv })
    });
    send_or_refuse(model, input, found, effects);
}

fn claim(model: &mut Model, input: &str, intended: Option<&str>, effects: &mut Vec<Effect>) {
    let found = own_game(model).and_then(|game| {
        let named =
            intended.map(|text| lookup::find(&game.state, game.position.as_ref(), text)).transpose()?;
        Ok(Intent::ClaimDraw { ply: game.state.ply, intended: named.map(|legal| legal.mv) })
    });
    send_or_refuse(model, input, found, effects);
}

/// The game, if there is one in which this player acts.
fn own_game(model: &Model) -> Result<&GameModel, NoMatch> {
    let no = |law: &dyn ToString, text: &dyn ToString| {
        Err(NoMatch { law: law.to_string(), text: text.to_string() })
    };
    match &model.game {
        None => no(&"input", &"no game has begun yet"),
        Some(game) if game.seat.is_none() => no(&IntentError::NotSeated.law(), &IntentError::NotSeated),
        Some(game) => match game.state.result.map(Refusal::GameOver) {
            Some(refusal) => no(&refusal.law(), &refusal),
            None => Ok(game),
        },
    }
}

/// The game, if this player is to move in it: else its list of legal moves is the opponent's.
fn own_turn(model: &Model) -> Result<&GameModel, NoMatch> {
    let game = own_game(model)?;
    if game.is_own_turn() {
        return Ok(game);
    }
    let refusal = Refusal::NotYourTurn { to_move: game.state.turn };
    Err(NoMatch { law: refusal.law(), text: refusal.to_string() })
}

fn send_or_refuse(model: &mut Model, input: &str, found: Result<Intent, NoMatch>, effects: &mut Vec<Effect>) {
    match found {
        Ok(intent) => send(model, input, intent, effects),
        Err(no_match) => refuse(model, input, no_match, effects),
    }
}

fn send(model: &mut Model, input: &str, intent: Intent, effects: &mut Vec<Effect>) {
    if let Err(no_game) = own_game(model) {
        return refuse(model, input, no_game, effects);
    }
    let ticket = pend(model, input);
    model.desk.selected = None;
    effects.push(Effect::Send { ticket, intent });
}

/// Notes that what was typed waits for its answer.
fn pend(model: &mut Model, input: &str) -> Ticket {
    let ticket = Ticket(model.next_ticket);
    model.next_ticket += 1;
    model.pending.push(Pending { ticket, input: input.to_owned() });
    ticket
}

fn refuse(model: &mut Model, input: &str, NoMatch { law, text }: NoMatch, effects: &mut Vec<Effect>) {
    tell(model, News::Refused(Refused { input: input.to_owned(), law, text }), effects);
}

/// The line was understood, but more must be typed.
fn not_yet(text: &str) -> NoMatch {
    NoMatch { law: "input".to_owned(), text: text.to_owned() }
}

fn quit(model: &mut Model, input: &str, sure: Sure, effects: &mut Vec<Effect>) {
    if model.is_playing() && sure == Sure::NotYet {
        let text = "the game is kept and your clock may run meanwhile; to leave all the same, type: quit yes";
        return refuse(model, input, not_yet(text), effects);
    }
    effects.push(Effect::Leave(Exit::Success));
}

fn interrupted(model: &mut Model, effects: &mut Vec<Effect>) {
    match (model.is_playing(), model.leaving) {
        (true, Leaving::NotAsked) => {
            model.leaving = Leaving::Asked;
            let text = "Press Ctrl-C again to leave: the game is kept, and the same command brings you back.";
            tell(model, News::Remark(text.to_owned()), effects);
        }
        _ if model.is_over() => effects.push(Effect::Leave(Exit::Success)),
        _ => effects.push(Effect::Leave(Exit::Interrupted)),
    }
}

fn help(model: &mut Model, effects: &mut Vec<Effect>) {
    model.desk.help = !model.desk.help;
    for line in answers::help() {
        effects.push(Effect::Tell(News::Remark(line)));
    }
}

fn ask(model: &mut Model, input: &str, question: Question, effects: &mut Vec<Effect>) {
    let Some(game) = &model.game else {
        return refuse(model, input, not_yet("no game has begun yet"), effects);
    };
    // The screen shows the board, the clocks and the moves anyway.
    let shown = matches!(question, Question::Board | Question::Clock | Question::Moves);
    let lines = answers::answer(question, game, model.now);
    if !shown || lines.len() == 1 {
        model.notice(Tone::Info, lines.join(" "));
    }
    effects.push(Effect::Tell(News::Asked(question)));
}

fn gestured(model: &mut Model, gesture: Gesture, effects: &mut Vec<Effect>) {
    model.leaving = Leaving::NotAsked;
    match gesture {
        Gesture::Edit(request) => {
            model.desk.input.handle(request);
        }
        Gesture::Enter => enter(model, effects),
        Gesture::Escape => escape(model),
        Gesture::Flip => model.desk.flipped = !model.desk.flipped,
        Gesture::OtherPieces => model.desk.letters = !model.desk.letters,
        Gesture::Rematch => talk::ask_rematch(model, "rematch", effects),
        Gesture::Help => model.desk.help = !model.desk.help,
        Gesture::Step(step) => step_cursor(model, step),
        Gesture::Click(square) => {
            model.desk.cursor = None;
            point(model, square, effects);
        }
    }
}

fn enter(model: &mut Model, effects: &mut Vec<Effect>) {
    let line = model.desk.input.value_and_reset();
    match (line.trim(), model.desk.cursor) {
        ("", _) if model.desk.help => model.desk.help = false,
        ("", _) if model.is_over() => effects.push(Effect::Leave(Exit::Success)),
        ("", Some(square)) => point(model, square, effects),
        ("", None) => {}
        (line, _) => typed(model, line, effects),
    }
}

fn escape(model: &mut Model) {
    let desk = &mut model.desk;
    if desk.help {
        desk.help = false;
    } else if !desk.input.value().is_empty() {
        desk.input.reset();
    } else if desk.selected.take().is_none() {
        desk.cursor = None;
    }
}

fn step_cursor(model: &mut Model, step: Step) {
    if !model.desk.input.value().is_empty() {
        match step {
            Step::Left => model.desk.input.handle(InputRequest::GoToPrevChar),
            Step::Right => model.desk.input.handle(InputRequest::GoToNextChar),
            Step::Up | Step::Down => None,
        };
        return;
    }
    let Some(game) = &model.game else { return };
    let Some(cursor) = model.desk.cursor else {
        let last = game.last().map(|played| seen_squares(played.mv).1);
        model.desk.cursor = last.or_else(|| "e4".parse().ok());
        return;
    };
    let up = if model.bottom() == Color::White { 1 } else { -1 };
    let (files, ranks) = match step {
        Step::Up => (0, up),
        Step::Down => (0, -up),
        Step::Left => (-up, 0),
        Step::Right => (up, 0),
    };
    model.desk.cursor = cursor.offset(files, ranks).or(Some(cursor));
}

/// The player means a square: he takes a man up there, puts it down there, or neither.
fn point(model: &mut Model, square: Square, effects: &mut Vec<Effect>) {
    match own_turn(model).map(|game| pointed(game, model.desk.selected, square)) {
        Err(no_turn) => refuse(model, &square.to_string(), no_turn, effects),
        Ok(Pointed::Selects(selected)) => model.desk.selected = selected,
        Ok(Pointed::Moves { san, intent }) => send(model, &san, intent, effects),
        Ok(Pointed::Promotes(from)) => {
            model.desk.selected = None;
            model.desk.input = Input::new(format!("{from}{square}"));
            model.notice(Tone::Info, "The pawn becomes what you add: q, r, b or n, then Enter.");
        }
        Ok(Pointed::Nowhere { input, text }) => {
            model.desk.selected = None;
            refuse(model, &input, NoMatch { law: "FIDE 3.10.1".to_owned(), text }, effects);
        }
    }
}

/// What pointing at a square comes to.
enum Pointed {
    Selects(Option<Square>),
    Moves { san: String, intent: Intent },
    Promotes(Square),
    Nowhere { input: String, text: String },
}

fn pointed(game: &GameModel, selected: Option<Square>, square: Square) -> Pointed {
    let starts_a_move = game.state.legal.iter().any(|legal| legal.mv.from() == square);
    let Some(from) = selected else {
        if starts_a_move {
            return Pointed::Selects(Some(square));
        }
        return Pointed::Nowhere {
            input: square.to_string(),
            text: format!("nothing of yours on {square} can move"),
        };
    };
    let goes_here = |mv: Move| mv.from() == from && (mv.to() == square || seen_squares(mv).1 == square);
    let moves: Vec<&LegalMove> = game.state.legal.iter().filter(|legal| goes_here(legal.mv)).collect();
    match moves.as_slice() {
        [] if square == from => Pointed::Selects(None),
        [] if starts_a_move => Pointed::Selects(Some(square)),
        [] => Pointed::Nowhere {
            input: format!("{from}{square}"),
            text: format!("the man on {from} cannot go to {square}"),
        },
        [only] => Pointed::Moves {
            san: only.san.to_string(),
            intent: Intent::Move { ply: game.state.ply, mv: only.mv },
        },
        _ => Pointed::Promotes(from),
    }
}

#[cfg(test)]
mod tests;
