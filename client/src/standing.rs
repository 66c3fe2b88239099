//! What stands between the two players, in sentences: offers, claims, absences, men touched, counts.

use crate::message::Moment;
use crate::model::game::GameModel;
use crate::sentence;
use crate::words::matter_word;
use chatrang_protocol::view::{EnvelopeContent, ProposalView};
use chatrang_rules::color::Color;
use chatrang_rules::game::{
    Absence, Claim, IllegalMoves, Matter, Millis, Proposal, QuickplayClaim, Suspension, TouchMove,
};
use chatrang_rules::square::Square;

/// Moves that are named for a claim before the list is cut.
const NAMED_MAX: usize = 3;

/// All that stands, the most pressing first; each a sentence.
pub fn lines(game: &GameModel, now: Moment) -> Vec<String> {
    let mut lines: Vec<String> = game.state.suspension.map(|why| stopped(game, why)).into_iter().collect();
    lines.extend(game.state.proposals.iter().map(|standing| offer(game, standing)));
    lines.extend(envelope(game));
    lines.extend(claim_waiting(game));
    lines.extend(claims(game, now));
    lines.extend(away(game, now));
    lines.extend(touched(game));
    lines.extend(illegal_moves(game));
    lines
}

/// Whether something stands that a player may want to answer or to use.
pub fn is_pressing(game: &GameModel, now: Moment) -> bool {
    !game.state.proposals.is_empty() || !claims(game, now).is_empty() || away(game, now).is_some()
}

/// What is to be done after an event that has stopped the clocks or is about to adjourn the game.
pub fn what_now(game: &GameModel) -> Option<String> {
    game.state.suspension.map(|why| stopped(game, why)).or_else(|| envelope(game))
}

/// An offer that stands, and how to answer it.
pub fn offer(game: &GameModel, standing: &ProposalView) -> String {
    let ProposalView { by, proposal } = *standing;
    let what = |draw, one, two, pause, adjournment| match proposal {
        Proposal::Draw => draw,
        Proposal::Takeback { plies: 1 } => one,
        Proposal::Takeback { .. } => two,
        Proposal::Pause => pause,
        Proposal::Adjournment => adjournment,
    };
    match game.seat {
        Some(seat) if seat == by => {
            let what = what(
                "offer a draw",
                "ask to take back a move",
                "ask to take back two plies",
                "propose a pause",
                "propose to adjourn",
            );
            format!("You {what}.")
        }
        seat => {
            let what = what(
                "offers a draw",
                "asks to take back a move",
                "asks to take back two plies",
                "proposes a pause",
                "proposes to adjourn",
            );
            let answer = if seat.is_some() { answer(game, proposal.matter()) } else { String::new() };
            format!("{} {what}{answer}.", game.name(by))
        }
    }
}

/// Who accepts what is proposed.
pub fn accepted(game: &GameModel, by: Color, proposal: Proposal) -> String {
    let what = answered(proposal.matter());
    if game.seat == Some(by) {
        format!("You accept {what}.")
    } else {
        format!("{} accepts {what}.", game.name(by))
    }
}

/// What is accepted or declined.
pub const fn answered(matter: Matter) -> &'static str {
    match matter {
        Matter::Draw => "the draw",
        Matter::Takeback => "to take back",
        Matter::Pause => "the pause",
        Matter::Adjournment => "to adjourn",
    }
}

/// `: type accept or decline`, with the matter where several offers wait for an answer.
fn answer(game: &GameModel, matter: Matter) -> String {
    let which =
        if game.offers_to_answer().len() > 1 { format!(" {}", matter_word(matter)) } else { String::new() };
    format!(": type accept{which} or decline{which}, or play on")
}

/// What this player may claim, as the server says, and how; nothing for a spectator.
pub fn claims(game: &GameModel, now: Moment) -> Vec<String> {
    let Some(seat) = game.seat else { return Vec::new() };
    let mut lines = Vec::new();
    let mut with = Vec::new();
    for claim in game.state.claims[seat].iter() {
        match claim {
            Claim::Threefold => {
                lines.push("You may claim a draw: three times the same position (claim).".to_owned());
            }
            Claim::FiftyMoves => {
                lines.push(
                    "You may claim a draw: fifty moves without a capture or a pawn's move (claim)."
                        .to_owned(),
                );
            }
            Claim::ThreefoldWith(mv) | Claim::FiftyMovesWith(mv) => with.push(game.written(*mv)),
            // Said below and with the absence.
            Claim::Flag | Claim::Absence => {}
            Claim::Increment => {
                lines.push("You may ask for 5 seconds a move for both (claim increment).".to_owned());
            }
            Claim::NoWinning => {
                lines.push(
                    "You may claim that your opponent does not win by normal means (claim nowinning)."
                        .to_owned(),
                );
            }
        }
    }
    if let Some(first) = with.first() {
        let named = with.iter().take(NAMED_MAX).cloned().collect::<Vec<_>>().join(" or ");
        lines.push(format!("You may claim a draw with {named} (claim {first})."));
    }
    if game.may_claim_flag(now) {
        lines.push(format!("{}'s flag is down: you may claim it (claim flag).", game.name(!seat)));
    }
    lines
}

/// How long the opponent has been away, and when this player may claim for it.
pub fn away(game: &GameModel, now: Moment) -> Option<String> {
    let opponent = !game.seat?;
    let span = game.away(opponent, now)?;
    let who = game.name(opponent);
    let span = sentence::span(span);
    // Rounded up: when the count has come to nothing the claim is there.
    let in_words = |wait: Millis| sentence::span(wait.plus(Millis(999)));
    Some(match game.absence_wait(now) {
        None => format!("{who} has been away for {span}."),
        Some(wait) if game.terms.conduct.absence == Absence::Automatic => {
            format!("{who} has been away for {span}; the game is yours in {}.", in_words(wait))
        }
        Some(Millis::ZERO) => {
            format!("{who} has been away for {span}: you may claim (claim win or claim draw).")
        }
        Some(wait) => {
            format!(
                "{who} has been away for {span}; you may claim in {} (claim win or claim draw).",
                in_words(wait)
            )
        }
    })
}

/// Why the clocks are stopped, and what lets them run again.
pub fn stopped(game: &GameModel, why: Suspension) -> String {
    let plays = game.seat.is_some();
    let resume = if plays { ": type resume to play on" } else { "" };
    match why {
        Suspension::Restart => {
            "The server has restarted: the clocks stand still until both players are back.".to_owned()
        }
        Suspension::Pause => format!("The game is paused by agreement{resume}."),
        Suspension::Adjournment if plays => {
            "The game is adjourned: when both of you are here, type resume to play on.".to_owned()
        }
        Suspension::Adjournment => "The game is adjourned.".to_owned(),
        Suspension::Arbiter => "The arbiter has stopped the clocks.".to_owned(),
        Suspension::Call { by } if game.seat == Some(by) => {
            "You have called the arbiter and the clocks stand still; type resume if you need him no more."
                .to_owned()
        }
        Suspension::Call { by } => {
            format!("{} has called the arbiter: the clocks stand still.", game.name(by))
        }
        Suspension::Claim { by, claim } => {
            format!("{}: the clocks stand still until the arbiter has decided.", claimed(game, by, claim))
        }
    }
}

/// The man or the men that were touched on this move.
pub fn touched(game: &GameModel) -> Option<String> {
    if game.state.touched.is_empty() {
        return None;
    }
    let men: Vec<String> = game.state.touched.iter().map(|&square| game.man(square)).collect();
    let men = men.join(" and ");
    let who = if game.is_own_turn() {
        "You have".to_owned()
    } else {
        format!("{} has", game.name(game.state.turn))
    };
    Some(format!("{who} touched {men}{}.", duty(game)))
}

/// What the touch leaves, where that can be said shortly: `: it must move`, of the only man that may.
fn duty(game: &GameModel) -> String {
    let touched = &game.state.touched;
    if let Some(from) = game.bound() {
        let which = if touched.len() > 1 { format!("the man on {from}") } else { "it".to_owned() };
        return format!(": {which} must move");
    }
    let takes = |square: Square| {
        !game.state.legal.is_empty() && game.state.legal.iter().all(|legal| legal.mv.to() == square)
    };
    match touched.iter().find(|&&square| game.is_own_turn() && takes(square)) {
        Some(square) => format!(": the man on {square} must be captured"),
        None => String::new(),
    }
}

/// How many illegal moves were counted.
pub fn illegal_moves(game: &GameModel) -> Option<String> {
    let counts = game.state.illegal_moves;
    if counts.white == 0 && counts.black == 0 {
        return None;
    }
    let limit = match game.terms.conduct.illegal_moves {
        IllegalMoves::PutBack { lost_at, .. } => format!("; the game is lost at {lost_at}"),
        IllegalMoves::Refused | IllegalMoves::Stand => String::new(),
    };
    Some(format!("Illegal moves: White {}, Black {}{limit}.", counts.white, counts.black))
}

/// What an illegal move by this player would cost him; none where it is refused and costs nothing.
pub fn cost_of_illegal_move(game: &GameModel) -> Option<String> {
    let seat = game.seat?;
    match game.terms.conduct.illegal_moves {
        IllegalMoves::Refused => None,
        IllegalMoves::Stand => Some("it would stand, and lose if your opponent claims it at once".to_owned()),
        IllegalMoves::PutBack { lost_at, penalty } => {
            let count = game.state.illegal_moves[seat].saturating_add(1);
            let cost = match (count >= lost_at, penalty) {
                (true, _) => ", and lose the game".to_owned(),
                (false, Millis::ZERO) => String::new(),
                (false, penalty) => format!(", and give your opponent {penalty}"),
            };
            Some(format!("it would count as illegal move {count} of {lost_at}{cost}"))
        }
    }
}

/// What is said before the first touch of a game: that it binds.
pub fn touch_hint(game: &GameModel) -> Option<&'static str> {
    (game.terms.conduct.touch_move == TouchMove::On).then_some(
        "Touch-move: a man you select must move if he can. Select again to touch; F5 or the right button adjusts.",
    )
}

fn envelope(game: &GameModel) -> Option<String> {
    let envelope = game.state.envelope.filter(|_| game.state.suspension != Some(Suspension::Adjournment))?;
    Some(match (game.seat == Some(envelope.sealer), envelope.content) {
        (true, EnvelopeContent::Empty) => {
            "The game is being adjourned: type seal MOVE, then close.".to_owned()
        }
        (true, EnvelopeContent::Move) => {
            "Your move is in the envelope: type close, or seal another.".to_owned()
        }
        (false, _) => format!("The game is being adjourned: {} seals a move.", game.name(envelope.sealer)),
    })
}

/// A claim for which the clocks do not wait.
fn claim_waiting(game: &GameModel) -> Option<String> {
    let stops = matches!(game.state.suspension, Some(Suspension::Claim { .. }));
    let waiting = game.state.claim_waiting.filter(|_| !stops)?;
    Some(format!("{}; the arbiter decides later.", claimed(game, waiting.by, waiting.claim)))
}

fn claimed(game: &GameModel, by: Color, claim: QuickplayClaim) -> String {
    let who = game.name(by);
    match claim {
        QuickplayClaim::Increment => format!("{who} asks for 5 seconds a move for both"),
        QuickplayClaim::NoWinning => format!("{who} claims a draw for want of winning attempts"),
    }
}
