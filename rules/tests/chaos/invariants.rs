//! What must be so at every table after every command.

use crate::people::claim_command;
use crate::random::Random;
use chatrang_rules::color::Color;
use chatrang_rules::game::lag;
use chatrang_rules::game::{
    Action, Claim, ClockReading, Command, Event, Game, GameInstant, IllegalMoves, Irregularity, Millis,
    Order, Party, Period, QUICKPLAY_BONUS, QUICKPLAY_INCREMENT, Refusal, Ruling, Stamp,
};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::fen;
use chatrang_rules::notation::pgn::{PgnError, Reader, Roster, Visitor};
use chatrang_rules::outcome::{Score, Termination};
use chatrang_rules::position::Position;
use chatrang_rules::record;
use chatrang_rules::setup::Strictness;

/// An event leaves room in a journal's row of 512 bytes for who asked for it.
#[cfg(feature = "bincode")]
const EVENT_BYTES_MAX: usize = 470;

/// Whoever was not warned that the answer may take long has got it at once: no game ended by the question
/// whether a side can still mate.
pub(crate) fn check_warning(may_ponder: bool, before: &Game, after: &Game) {
    use Termination::{Absence, FlagFall, IllegalMoves, Resignation, SealedIllegalMove};
    let end = after.result().filter(|_| before.result().is_none()).map(|result| result.termination);
    let was_pondered =
        matches!(end, Some(Absence | FlagFall | IllegalMoves | Resignation | SealedIllegalMove));
    assert!(may_ponder || !was_pondered, "{end:?} without a warning");
}

/// What a command did to the game: `before` and `after` it.
pub(crate) fn check_ruling(before: &Game, after: &Game, by: Party, command: &Command, ruling: &Ruling) {
    assert!(ruling.answer.is_err() || !ruling.events.is_empty(), "what is done leaves an event");
    assert!(ruling.events.len() <= 2, "{:?}", ruling.events);
    if let Some(result) = before.result() {
        assert_eq!((ruling.events.len(), &ruling.answer), (0, &Err(Refusal::GameOver(result))));
    }
    if !is_his(by, command) {
        assert!(matches!(ruling.answer, Err(Refusal::NotYours | Refusal::GameOver(_))), "{ruling:?}");
    }
    let is_undisturbed = ruling.events.len() == usize::from(ruling.answer.is_ok());
    if let Command::Move(mv) = *command
        && by == Party::Player(before.position().turn())
        && before.result().is_none()
        && is_undisturbed
    {
        check_move(before, after, mv, &ruling.answer);
    }
}

/// Whether a party may give such a command at all.
const fn is_his(by: Party, command: &Command) -> bool {
    match command {
        Command::Suspend(_) | Command::Continue | Command::Left(_) | Command::Returned(_) => {
            matches!(by, Party::House)
        }
        Command::Rule(_) => matches!(by, Party::Arbiter),
        _ => matches!(by, Party::Player(_)),
    }
}

/// A move is made exactly when it is among those that may be made, but for illegal ones that count or stand.
fn check_move(before: &Game, after: &Game, mv: Move, answer: &Result<(), Refusal>) {
    if before.suspension().is_some() || before.envelope().is_some() {
        assert!(matches!(answer, Err(Refusal::Suspended { .. } | Refusal::SealInstead)), "{answer:?}");
        return;
    }
    if before.moves().contains(&mv) {
        assert_eq!(*answer, Ok(()));
        assert_eq!(after.played().last().map(|played| played.mv), Some(mv));
    } else if before.position().is_legal(mv) {
        let is_bound = matches!(answer, Err(Refusal::TouchBinds { .. } | Refusal::TouchedAlready { .. }));
        assert!(is_bound, "{answer:?}");
    } else if before.terms().conduct.illegal_moves == IllegalMoves::Refused {
        assert!(matches!(answer, Err(Refusal::IllegalMove(_))), "{answer:?}");
    }
}

/// An event beside the game before it.
pub(crate) fn check_event(before: &Game, event: &Event) {
    check_encoding(event);
    assert!(event.at >= before.last_event());
    let clocks = before.clocks(Stamp::at(before.last_event()));
    for color in Color::ALL {
        let (was, is) = (clocks.left[color], event.clocks.left[color]);
        let most = most_left(before, &clocks, event, color);
        assert!(is <= most, "{color} had {was}, has {is}, and {most} at the most: {event:?}");
        if clocks.running != Some(color) && !may_lose_time(event) {
            let control = &before.terms().controls[color];
            let least = match control {
                control if control.is_by_days() => was.min(control.allowance()),
                // What was credited to the other half runs back.
                control if control.is_hourglass() => was.minus(lag::CREDIT_MAX),
                _ => was,
            };
            assert!(is >= least, "{color}'s clock stood: {was}, {is}: {event:?}");
        }
        let control = &before.terms().controls[color];
        assert!(event.clocks.bank[color] <= lag::bank_max(control));
        let periods = control.periods().count().max(1);
        assert!(usize::from(event.clocks.period[color].index) < periods);
    }
    if let Some(outcome) = event.end.and_then(|end| end.outcome) {
        let points = |score| match score {
            Score::Zero => 0,
            Score::Half => 1,
            Score::One => 2,
        };
        assert!(points(outcome.0.white) + points(outcome.0.black) <= 2, "{outcome}");
    }
}

/// The arbiter takes time and sets clocks, and a next period may begin with less than was left.
const fn may_lose_time(event: &Event) -> bool {
    matches!(event.by, Party::Arbiter) || matches!(event.action, Action::BothFlagsDown)
}

/// The most that `color` can have after an event: what he had, what a completed move promises him, and what
/// he is given.
fn most_left(before: &Game, clocks: &ClockReading, event: &Event, color: Color) -> Millis {
    let control = &before.terms().controls[color];
    if control.is_unlimited() {
        return Millis::MAX;
    }
    let mover = before.position().turn();
    let mut most = clocks.left[color];
    if control.is_hourglass() {
        most = most.plus(clocks.left[!color]).plus(gift(event, mover, !color));
    }
    let next_period = |most: Millis| {
        let times = control.periods().skip(1).map(Period::time);
        most.plus(times.max().unwrap_or(Millis::ZERO))
    };
    let is_move = match event.action {
        Action::Moved { .. } | Action::Resumed { sealed: Some(_) } => true,
        Action::DrawClaimedWrongly { played, .. } => played.is_some(),
        _ => false,
    };
    if is_move && color == mover {
        let bonus = control.periods().map(|period| period.bonus().span()).max().unwrap_or(Millis::ZERO);
        most = next_period(most.plus(bonus).plus(QUICKPLAY_INCREMENT).plus(lag::CREDIT_MAX));
        if control.is_by_days() {
            most = most.max(control.allowance().plus(QUICKPLAY_INCREMENT));
        }
    } else if matches!(event.action, Action::BothFlagsDown | Action::Ruled(_)) {
        most = next_period(most);
    }
    if is_move && control.is_hourglass() {
        most = most.plus(lag::CREDIT_MAX);
    }
    most.plus(gift(event, mover, color))
}

/// What `color` is given besides.
fn gift(event: &Event, mover: Color, color: Color) -> Millis {
    let by = if let Party::Player(by) = event.by { by } else { mover };
    let penalty = match &event.action {
        Action::MovePutBack { penalty, .. }
        | Action::DrawClaimedWrongly { penalty, .. }
        | Action::IllegalMoveClaimedWrongly { penalty }
        | Action::Moved { irregularity: Some(Irregularity::Unpromoted { penalty, .. }), .. } => *penalty,
        Action::Ruled(decision) => {
            return match decision.order {
                Order::AddTime { side, span: given } | Order::SetClock { side, left: given }
                    if side == color =>
                {
                    given
                }
                Order::Grant | Order::Reject => QUICKPLAY_BONUS,
                Order::Postpone { bonus } => bonus,
                _ => Millis::ZERO,
            };
        }
        _ => Millis::ZERO,
    };
    if color == by { Millis::ZERO } else { penalty }
}

/// The game as it stands.
pub(crate) fn check_state(game: &Game, random: &mut Random) {
    let now = game.last_event();
    let clocks = game.clocks(Stamp::at(now));
    let is_still = game.result().is_some() || game.suspension().is_some();
    let turn = game.position().turn();
    assert_eq!(clocks.running, (!is_still).then_some(turn), "{:?}", game.suspension());
    if game.result().is_some() {
        assert_eq!((game.deadline(), game.moves()), (None, Vec::new()));
    }
    check_reading(game, &clocks, random);
    assert!(!fen::write(game.position()).is_empty());
    if random.one_in(4) {
        check_deadline(game, random);
        check_claims(game, random);
    }
}

/// Reading the clocks changes nothing, and only the clock that runs goes down.
fn check_reading(game: &Game, clocks: &ClockReading, random: &mut Random) {
    let wait = Millis(random.pick([0, 1, 1_000, 100_000, u64::MAX]));
    let stamp = Stamp {
        house: Millis(random.pick([0, 0, 500, u64::MAX])),
        ..Stamp::at(game.last_event().plus(wait))
    };
    let later = game.clocks(stamp);
    assert_eq!(game.clocks(stamp), later);
    for color in Color::ALL {
        let (was, is) = (clocks.left[color], later.left[color]);
        if clocks.running == Some(color) {
            assert!(is <= was);
        } else if game.terms().controls[color].is_hourglass() {
            assert!(is >= was && is <= was.plus(clocks.left[!color]));
        } else {
            assert_eq!(is, was);
        }
    }
}

/// A tick has nothing to do before the deadline, and something at it, and comes to an end.
fn check_deadline(game: &Game, random: &mut Random) {
    const END_OF_TIME: GameInstant = GameInstant(u64::MAX);
    let Some(deadline) = game.deadline() else {
        assert_eq!(game.clone().tick(Stamp::at(END_OF_TIME)), None);
        return;
    };
    assert!(deadline >= game.last_event(), "{deadline:?} is before {:?}", game.last_event());
    let path_rtt = Millis(random.pick([0, 300, u64::MAX]));
    if deadline > game.last_event() {
        let early = Stamp { path_rtt, ..Stamp::at(GameInstant(deadline.0 - 1)) };
        assert_eq!(game.clone().tick(early), None, "before {deadline:?}");
    }
    if deadline < END_OF_TIME {
        let at_once = Stamp { path_rtt, ..Stamp::at(deadline) };
        let mut game = game.clone();
        assert!(game.tick(at_once).is_some(), "at {deadline:?}");
        let more = (0..4).take_while(|_| game.tick(at_once).is_some()).count();
        assert!(more < 3, "ticks without end at {deadline:?}");
    }
}

/// Every claim that is said to succeed does.
fn check_claims(game: &Game, random: &mut Random) {
    let now = game.last_event().plus(Millis(random.pick([0, 1_000, 100_000])));
    let stamp = Stamp::at(now);
    for color in Color::ALL {
        let mut claims = game.claims(color, stamp);
        claims.truncate(4);
        for claim in claims {
            let mut game = game.clone();
            let ruling = game.apply(Party::Player(color), claim_command(claim), stamp);
            let is_overtaken = ruling.answer.is_err() && !ruling.events.is_empty();
            assert!(ruling.answer.is_ok() || is_overtaken, "{claim:?}: {:?}", ruling.answer);
            let ends = !matches!(claim, Claim::Increment | Claim::NoWinning);
            assert!(!ends || game.result().is_some() || is_overtaken, "{claim:?} ends the game");
        }
    }
}

/// The whole game, when it is over or was left.
pub(crate) fn check_whole(game: &Game, record: &[Event]) {
    assert_eq!(Game::replay(record), Ok(game.clone()));
    let text = record::pgn(record, &Roster::default(), &[]).expect("a record is one of a game");
    if stood_illegal(record) {
        return;
    }
    let mut shown = Shown::default();
    let mut reader = Reader::new();
    reader.feed(text.as_bytes(), &mut shown);
    reader.finish(&mut shown);
    assert_eq!(shown.errors, [], "{text}");
    let played: Vec<Move> = game.played().iter().map(|played| played.mv).collect();
    assert_eq!((shown.games, shown.moves), (1, played), "{text}");
    let again = fen::parse_position(&fen::write(game.position()), Strictness::Playable);
    assert_eq!(again.as_ref().map(fen::write).ok(), Some(fen::write(game.position())));
}

/// Whether an illegal move ever stood in it, taken back or not.
fn stood_illegal(record: &[Event]) -> bool {
    let stands = |event: &Event| {
        matches!(event.action, Action::Moved { irregularity: Some(Irregularity::Stands), .. })
    };
    record.iter().any(stands)
}

/// What a PGN's reader is shown.
#[derive(Default)]
struct Shown {
    games: u32,
    moves: Vec<Move>,
    errors: Vec<PgnError>,
}

impl Visitor for Shown {
    fn begin_game(&mut self) {
        self.games += 1;
    }

    fn played(&mut self, _before: &Position, mv: Move) {
        self.moves.push(mv);
    }

    fn error(&mut self, error: &PgnError) {
        self.errors.push(error.clone());
    }
}

#[cfg(feature = "bincode")]
fn check_encoding(event: &Event) {
    let config = bincode::config::standard().with_limit::<EVENT_BYTES_MAX>();
    let bytes = bincode::encode_to_vec(event, config).expect("an event can be written");
    assert!(bytes.len() <= EVENT_BYTES_MAX, "{} bytes: {event:?}", bytes.len());
    let (read, used): (Event, usize) = bincode::decode_from_slice(&bytes, config).expect("and read");
    assert_eq!((&read, used), (event, bytes.len()));
}

#[cfg(not(feature = "bincode"))]
const fn check_encoding(_: &Event) {}
