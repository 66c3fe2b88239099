//! A PGN from a game's journal: its moves with the clocks, what the players, the arbiter and the house did
//! besides, and how it ended (FIDE 8, L71).

pub mod story;

use crate::color::Color;
use crate::game::{Action, Event, Game, Millis, Order, Proposal, ReplayError, Terms, time_control};
use crate::moves::Move;
use crate::notation::pgn::{Roster, Writer, clock_text};
use crate::notation::san;
use crate::outcome::{GameResult, Outcome, Termination};
use crate::position::Position;
use std::time::Duration;
use story::Scene;

/// Writes the game that a journal tells. The roster's result is the journal's, whatever it says.
///
/// `tags` follow those that the journal gives, such as `ECO` and `Opening`. A score that the tag `Result`
/// cannot hold is `*` there, and stands in the tag `Score`. Moves that were taken back are told in comments;
/// an illegal move that stood is written as it was made.
///
/// # Errors
/// [`ReplayError`] with the place of the first event that no game could have emitted there.
pub fn pgn(events: &[Event], roster: &Roster, tags: &[(&str, &str)]) -> Result<String, ReplayError> {
    let mut game = Game::replay(events.first())?;
    let end = events.last().and_then(|event| event.end);
    let result = result_text(end);
    let mut writer = Writer::new();
    writer.roster(&Roster { result: result.clone(), ..roster.clone() });
    write_terms(&mut writer, &game);
    writer.tag("Termination", end.map_or("unterminated", |end| termination(end.termination)));
    if let Some(score) = end.and_then(|end| end.outcome).filter(|score| score.to_string() != result) {
        writer.tag("Score", &score.to_string());
    }
    writer.start(game.position());
    for (name, value) in tags {
        writer.tag(name, value);
    }

    let mut sheet = Sheet::default();
    for (index, event) in events.iter().enumerate().skip(1) {
        let before = game.position().clone();
        game.follow(index, event)?;
        sheet.take(event, &before, &game.terms());
    }
    sheet.remark(end.map(|end| end.to_string()));
    sheet.write(&mut writer);
    writer.end(&result);
    Ok(writer.take())
}

/// What was agreed, as far as it is not what every game online is like.
fn write_terms(writer: &mut Writer, game: &Game) {
    let terms = game.terms();
    let (time_control, controls) = time_control::pgn::write(&terms.controls);
    writer.tag(time_control::pgn::TIME_CONTROL_TAG, &time_control);
    if let Some(controls) = controls {
        writer.tag(time_control::pgn::CONTROLS_TAG, &controls);
    }
    let conduct = terms.conduct.text(terms.class());
    if conduct != "online" {
        writer.tag("Conduct", &conduct);
    }
}

/// The moves that stand, and what there is to say before the first and behind each.
#[derive(Default)]
struct Sheet {
    preface: Vec<String>,
    lines: Vec<Line>,
}

struct Line {
    before: Position,
    mv: Move,
    clock: Option<String>,
    remarks: Vec<String>,
}

impl Sheet {
    fn take(&mut self, event: &Event, before: &Position, terms: &Terms) {
        let written = |mv| san::write(before, mv);
        let told = story::sentence(event, &Scene { terms, turn: before.turn(), written: &written });
        if let Some(ply) = goes_back_to(event, self.lines.len()) {
            let mut taken_back = self.lines.split_off(ply);
            // What was said and done behind those moves has happened all the same.
            for remark in taken_back.iter_mut().flat_map(|line| line.remarks.drain(..)) {
                self.remark(Some(remark));
            }
            self.remark(told);
            self.remark(Some(story::taken_back(taken_back.iter().map(|line| (&line.before, line.mv)))));
            return;
        }
        if let Some(mv) = made(event, before) {
            let left = Some(event.clocks.left[before.turn()]).filter(|&left| left != Millis::MAX);
            let clock = left.map(|left| clock_text(Duration::from_millis(left.0)));
            self.lines.push(Line { before: before.clone(), mv, clock, remarks: Vec::new() });
        }
        self.remark(told);
    }

    fn remark(&mut self, remark: Option<String>) {
        let remarks = self.lines.last_mut().map_or(&mut self.preface, |line| &mut line.remarks);
        remarks.extend(remark);
    }

    fn write(&self, writer: &mut Writer) {
        let preface: Vec<&str> = self.preface.iter().map(String::as_str).collect();
        write_remarks(writer, &preface);
        for line in &self.lines {
            writer.mv(&line.before, line.mv);
            let remarks: Vec<&str> = line.clock.iter().chain(&line.remarks).map(String::as_str).collect();
            write_remarks(writer, &remarks);
        }
    }
}

/// Writes what there is to say as one comment.
fn write_remarks(writer: &mut Writer, remarks: &[&str]) {
    if !remarks.is_empty() {
        writer.remark(&remarks.join(" "));
    }
}

/// The move that an event has made on the board.
fn made(event: &Event, before: &Position) -> Option<Move> {
    match event.action {
        Action::Moved { mv, .. } => Some(mv),
        Action::DrawClaimedWrongly { played, .. } => played,
        Action::Resumed { sealed } => sealed.filter(|&mv| before.is_legal(mv)),
        _ => None,
    }
}

/// The number of plies that stay, when an event takes others back.
fn goes_back_to(event: &Event, plies: usize) -> Option<usize> {
    match &event.action {
        Action::Accepted(Proposal::Takeback { plies: taken }) => {
            Some(plies.saturating_sub(usize::from(*taken)))
        }
        Action::Ruled(decision) => match decision.order {
            Order::GoBack { ply } => Some((ply as usize).min(plies)),
            _ => None,
        },
        _ => None,
    }
}

/// The score as the tag `Result` has it: only three of them, and `*`.
fn result_text(end: Option<GameResult>) -> String {
    let usual = [Outcome::win(Color::White), Outcome::win(Color::Black), Outcome::DRAW];
    let outcome = end.and_then(|end| end.outcome).filter(|outcome| usual.contains(outcome));
    outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string())
}

/// The end as the tag `Termination` has it.
const fn termination(termination: Termination) -> &'static str {
    match termination {
        Termination::FlagFall => "time forfeit",
        Termination::Aborted | Termination::NoFirstMove | Termination::Absence => "abandoned",
        Termination::IllegalMoves | Termination::SealedIllegalMove => "rules infraction",
        Termination::ArbiterRuling | Termination::NormalMeans => "adjudication",
        Termination::Checkmate
        | Termination::Stalemate
        | Termination::DeadPosition
        | Termination::Resignation
        | Termination::Agreement
        | Termination::ThreefoldRepetition
        | Termination::FivefoldRepetition
        | Termination::FiftyMoves
        | Termination::SeventyFiveMoves
        | Termination::IllegalPosition => "normal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::ByColor;
    use crate::game::{Command, Party, Stamp, Suspension};
    use crate::outcome::Score;

    fn terms() -> Terms {
        Terms::online("5+3".parse().unwrap())
    }

    /// Plays commands and moves in SAN at the milliseconds given; all that happened.
    fn journal(script: &[(u64, Option<Command>, &str)]) -> Vec<Event> {
        let mut game = Game::new(terms());
        let mut events = vec![Game::first_event(terms())];
        for (ms, command, san) in script.iter().cloned() {
            let by = Party::Player(game.position().turn());
            let command = command.unwrap_or_else(|| Command::Move(san::parse(game.position(), san).unwrap()));
            let by =
                if matches!(command, Command::Suspend(_) | Command::Continue) { Party::House } else { by };
            let ruling = game.apply(by, command, Stamp::at_ms(ms));
            ruling.answer.unwrap();
            events.extend(ruling.events);
        }
        events
    }

    #[test]
    fn l71_a_journal_is_told_as_a_pgn() {
        let events = journal(&[
            (1_000, None, "f3"),
            (2_500, None, "e5"),
            (2_600, Some(Command::Propose(Proposal::Draw)), ""),
            (3_000, None, "g4"),
            (4_000, Some(Command::Suspend(Suspension::Restart)), ""),
            (5_000, Some(Command::Continue), ""),
            (6_000, None, "Qh4#"),
        ]);
        let roster = Roster { white: "Ada \"A\"".to_owned(), black: "Bo".to_owned(), ..Roster::default() };
        assert_eq!(
            pgn(&events, &roster, &[("ECO", "A00")]).unwrap(),
            "[Event \"?\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"Ada \\\"A\\\"\"]
[Black \"Bo\"]
[Result \"0-1\"]
[TimeControl \"300+3\"]
[Termination \"normal\"]
[ECO \"A00\"]

1. f3 {[%clk 0:05:02]} 1... e5 {[%clk 0:05:01.5] White offers a draw.} 2. g4
{[%clk 0:05:04.5] The clocks stop: the server has restarted. The clocks run
again.} 2... Qh4# {[%clk 0:05:02.5] Black wins: White is checkmated (FIDE
5.1.1)} 0-1

"
        );
    }

    #[test]
    fn l71_every_end_has_its_termination_and_an_unfinished_game_none() {
        for (script, termination, moves) in [
            (
                vec![(1_000, Some(Command::Abort), "")],
                "abandoned",
                "{No result: the game was aborted before both sides had moved (L29)} *",
            ),
            (
                vec![(1_000, None, "e4"), (2_000, Some(Command::Resign), "")],
                "normal",
                "1. e4 {[%clk 0:05:02] White wins: Black resigned (FIDE 5.1.2)} 1-0",
            ),
            (vec![(1_000, None, "e4")], "unterminated", "1. e4 {[%clk 0:05:02]} *"),
            (vec![], "unterminated", "*"),
        ] {
            let text = pgn(&journal(&script), &Roster::default(), &[]).unwrap();
            assert!(text.contains(&format!("[Termination \"{termination}\"]")), "{text}");
            assert!(text.ends_with(&format!("\n\n{moves}\n\n")), "{text}");
        }
        let mut game = Game::new(terms());
        let mut events = vec![Game::first_event(terms())];
        for (ms, san) in [(1_000, "e4"), (2_000, "e5")] {
            let by = Party::Player(game.position().turn());
            let mv = san::parse(game.position(), san).unwrap();
            events.extend(game.apply(by, Command::Move(mv), Stamp::at_ms(ms)).events);
        }
        events.extend(game.tick(Stamp::at_ms(400_000)));
        let text = pgn(&events, &Roster::default(), &[]).unwrap();
        assert!(text.contains("[Termination \"time forfeit\"]") && text.contains("flag fell"), "{text}");
    }

    #[test]
    fn l71_a_score_that_result_cannot_hold_has_a_tag_of_its_own() {
        let mut events = journal(&[(1_000, None, "e4"), (2_000, Some(Command::Resign), "")]);
        let ruling = Outcome(ByColor { white: Score::Half, black: Score::Zero });
        let end = &mut events.last_mut().unwrap().end;
        *end = end.map(|end| GameResult { outcome: Some(ruling), ..end });
        let text = pgn(&events, &Roster::default(), &[]).unwrap();
        assert!(text.contains("[Result \"*\"]") && text.contains("[Score \"1/2-0\"]"), "{text}");
        assert!(text.ends_with("*\n\n"), "{text}");
    }

    #[test]
    fn a_journal_of_no_game_is_refused() {
        assert_eq!(pgn(&[], &Roster::default(), &[]), Err(ReplayError::OutOfPlace { index: 0 }));
        let mut events = journal(&[(1_000, None, "e4"), (2_000, None, "e5")]);
        events.swap(1, 2);
        let why = pgn(&events, &Roster::default(), &[]);
        assert!(matches!(why, Err(ReplayError::IllegalMove { index: 1, .. })), "{why:?}");
    }
}
