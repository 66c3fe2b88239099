//! What happened besides moves, in sentences: for a record, and for whoever is at the board.

use crate::color::Color;
use crate::game::{
    AbsenceClaim, Action, Decision, Event, IllegalMoves, Irregularity, Matter, Millis, Order, Party,
    Proposal, QuickplayClaim, Reason, Suspension, Terms,
};
use crate::moves::Move;
use crate::notation::san;
use crate::outcome::Termination;
use crate::position::Position;

/// What a sentence leans on beside the event.
pub struct Scene<'a> {
    /// What was agreed.
    pub terms: &'a Terms,
    /// Whose turn it was before the event.
    pub turn: Color,
    /// How a legal move is written in the position before the event.
    pub written: &'a dyn Fn(Move) -> String,
}

/// What there is to say of an event; nothing where the move or the result says it all.
pub fn sentence(event: &Event, scene: &Scene) -> Option<String> {
    let who = match event.by {
        Party::Player(color) => color.to_string(),
        Party::Arbiter => "The arbiter".to_owned(),
        Party::House => "The house".to_owned(),
    };
    let opponent = match event.by {
        Party::Player(color) => (!color).to_string(),
        Party::Arbiter | Party::House => scene.turn.to_string(),
    };
    Some(match &event.action {
        Action::Moved { irregularity: Some(irregularity), .. } => {
            irregular(&who, &opponent, *irregularity, scene.terms)
        }
        Action::MovePutBack { mv, count, penalty } => format!(
            "{who} makes the illegal move {}-{}, which is put back: illegal move {}.{}",
            mv.from(),
            mv.to(),
            counted(*count, scene.terms),
            bonus(&opponent, *penalty)
        ),
        Action::Touched(square) => format!("{who} touches {square}."),
        Action::Adjusted(square) => format!("{who} adjusts {square}."),
        Action::Proposed(proposal) => format!("{who} {}.", proposed(*proposal)),
        Action::Declined(matter) => format!("{who} declines {}.", named(*matter)),
        Action::Accepted(proposal) if *proposal != Proposal::Draw => {
            format!("{who} accepts {}.", named(proposal.matter()))
        }
        Action::DrawClaimed { intended: Some(mv) } => {
            format!("{who} claims a draw with {}.", (scene.written)(*mv))
        }
        Action::DrawClaimed { intended: None } => format!("{who} claims a draw."),
        Action::DrawClaimedWrongly { illegal: Some(mv), penalty, .. } => format!(
            "{who} claims a draw with the illegal move {}-{}.{}",
            mv.from(),
            mv.to(),
            bonus(&opponent, *penalty)
        ),
        Action::DrawClaimedWrongly { penalty, .. } => {
            format!("{who} claims a draw wrongly.{}", bonus(&opponent, *penalty))
        }
        Action::FlagClaimed => format!("{who} claims that {opponent}'s flag is down."),
        Action::BothFlagsDown => "Both flags are down: the next period begins.".to_owned(),
        Action::IllegalMoveClaimed => format!("{who} claims that the last move was illegal."),
        Action::IllegalMoveClaimedWrongly { penalty } => {
            format!("{who} claims wrongly that the last move was illegal.{}", bonus(&opponent, *penalty))
        }
        Action::AbsenceClaimed(AbsenceClaim::Win) => format!("{who} claims the win: {opponent} is away."),
        Action::AbsenceClaimed(AbsenceClaim::Draw) => format!("{who} claims a draw: {opponent} is away."),
        Action::QuickplayClaimed(claim) => quickplay(&who, *claim),
        Action::Sealed(_) => format!("{who} seals a move."),
        Action::EnvelopeClosed => "The game is adjourned.".to_owned(),
        Action::Resumed { sealed: None } => "The game goes on.".to_owned(),
        Action::Resumed { sealed: Some(mv) } if is_end_by(event, Termination::SealedIllegalMove) => {
            format!("The sealed move is {}-{}.", mv.from(), mv.to())
        }
        Action::Resumed { sealed: Some(mv) } => {
            format!("The game goes on with the sealed move {}.", (scene.written)(*mv))
        }
        Action::ArbiterCalled(reason) => format!("{who} calls the arbiter: {}", ended(reason)),
        Action::AbsenceEnded => format!("{opponent} was away too long."),
        Action::Suspended(Suspension::Restart) => "The clocks stop: the server has restarted.".to_owned(),
        Action::Suspended(Suspension::Claim { .. }) => {
            "A flag is down: the clocks stop, and it waits for the ruling on the claim.".to_owned()
        }
        Action::Suspended(why) => format!("The clocks stop: {}.", why.sentence()),
        Action::Continued => "The clocks run again.".to_owned(),
        Action::Ruled(decision) => ruling(decision),
        Action::Started(_)
        | Action::Moved { .. }
        | Action::Accepted(_)
        | Action::Resigned
        | Action::Aborted
        | Action::TimeRanOut
        | Action::Left(_)
        | Action::Returned(_) => return None,
    })
}

/// The article by which it happened, or the house's own rule, where a player may wonder.
pub const fn law(action: &Action) -> Option<&'static str> {
    Some(match action {
        Action::Moved { irregularity: Some(Irregularity::Unpromoted { .. }), .. } => "FIDE 7.5.2",
        Action::MovePutBack { .. } => "FIDE 7.5.5",
        Action::Touched(_) => "FIDE 4.3",
        Action::Adjusted(_) => "FIDE 4.2.1",
        Action::DrawClaimed { .. } | Action::DrawClaimedWrongly { .. } => "FIDE 9.5",
        Action::FlagClaimed => "FIDE 6.8",
        Action::BothFlagsDown => "FIDE G.III.3",
        Action::Moved { irregularity: Some(Irregularity::Stands), .. }
        | Action::IllegalMoveClaimed
        | Action::IllegalMoveClaimedWrongly { .. } => "L43",
        Action::QuickplayClaimed(QuickplayClaim::Increment) => "FIDE G.III.4",
        Action::QuickplayClaimed(QuickplayClaim::NoWinning) => "FIDE G.III.5",
        Action::Sealed(_) | Action::EnvelopeClosed => "FIDE G.I",
        Action::ArbiterCalled(_) => "FIDE 6.11.2",
        Action::Ruled(_) => "FIDE 12",
        _ => return None,
    })
}

/// The moves that no longer stand.
pub(super) fn taken_back<'a>(moves: impl Iterator<Item = (&'a Position, Move)>) -> String {
    let moves: Vec<String> = moves.map(|(before, mv)| san::write(before, mv)).collect();
    format!("Taken back: {}.", moves.join(" "))
}

/// Whether the event has ended the game so.
fn is_end_by(event: &Event, termination: Termination) -> bool {
    event.end.is_some_and(|end| end.termination == termination)
}

/// How many illegal moves, and of how many that lose: `1 of 2`.
fn counted(count: u8, terms: &Terms) -> String {
    match terms.conduct.illegal_moves {
        IllegalMoves::PutBack { lost_at, .. } => format!("{count} of {lost_at}"),
        IllegalMoves::Refused | IllegalMoves::Stand => count.to_string(),
    }
}

fn irregular(who: &str, opponent: &str, irregularity: Irregularity, terms: &Terms) -> String {
    match irregularity {
        Irregularity::Stands => format!("{who}'s move is illegal and stands until it is claimed."),
        Irregularity::Unpromoted { count, penalty } => format!(
            "{who} leaves the pawn on the last rank: it becomes a queen, illegal move {}.{}",
            counted(count, terms),
            bonus(opponent, penalty)
        ),
    }
}

fn proposed(proposal: Proposal) -> String {
    match proposal {
        Proposal::Draw => "offers a draw".to_owned(),
        Proposal::Takeback { plies: 1 } => "asks to take back a move".to_owned(),
        Proposal::Takeback { plies } => format!("asks to take back {plies} plies"),
        Proposal::Pause => "proposes a pause".to_owned(),
        Proposal::Adjournment => "proposes to adjourn".to_owned(),
    }
}

const fn named(matter: Matter) -> &'static str {
    match matter {
        Matter::Draw => "the draw",
        Matter::Takeback => "the takeback",
        Matter::Pause => "the pause",
        Matter::Adjournment => "the adjournment",
    }
}

fn quickplay(who: &str, claim: QuickplayClaim) -> String {
    match claim {
        QuickplayClaim::Increment => format!("{who} asks for five seconds a move for both."),
        QuickplayClaim::NoWinning => {
            format!("{who} claims a draw: the opponent does not win by normal means.")
        }
    }
}

/// What a clock gets, in a sentence behind another; nothing when it gets nothing.
fn bonus(whose: &str, span: Millis) -> String {
    if span == Millis::ZERO { String::new() } else { format!(" {whose} gets {span}.") }
}

/// A reason as the end of a sentence.
fn ended(reason: &Reason) -> String {
    let is_ended = reason.as_str().ends_with(['.', '!', '?']);
    if is_ended { reason.to_string() } else { format!("{reason}.") }
}

fn ruling(Decision { order, reason }: &Decision) -> String {
    let what = match order {
        Order::Pause => "stops the clocks".to_owned(),
        Order::Resume => "lets the game go on".to_owned(),
        Order::AddTime { side, span } => format!("gives {side} {span}"),
        Order::TakeTime { side, span } => format!("takes {span} from {side}"),
        Order::SetClock { side, left } => format!("sets {side}'s clock to {left}"),
        Order::Warn { side } => format!("warns {side}"),
        Order::GoBack { ply } => format!("goes back to ply {ply}"),
        Order::NoteFlag => "notes a fallen flag".to_owned(),
        Order::Grant => "grants the claim".to_owned(),
        Order::Postpone { bonus: Millis::ZERO } => "puts off the claim".to_owned(),
        Order::Postpone { bonus } => format!("puts off the claim and gives the opponent {bonus}"),
        Order::Reject => "rejects the claim".to_owned(),
        Order::Declare { outcome } => format!("declares {outcome}"),
    };
    format!("The arbiter {what}: {}", ended(reason))
}
