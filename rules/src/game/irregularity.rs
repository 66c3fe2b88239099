//! Illegal moves (FIDE 7.5, L43): refused, put back and counted, or standing until they are claimed.

use super::conduct::{IllegalMoves, Unpromoted, WrongClaim};
use super::draft::Draft;
use super::ending;
use super::event::{Action, Irregularity};
use super::refusal::Refusal;
use super::state::State;
use super::time::{Millis, Stamp};
use super::touch;
use crate::bitboard::Bitboard;
use crate::castling::home_rank;
use crate::color::Color;
use crate::legality::IllegalMove;
use crate::moves::{Move, MoveKind};
use crate::outcome::Termination;
use crate::piece::Role;
use crate::position::Position;

/// Plies from which on an illegal move no longer stands but is refused: pawns that go back put off the end by
/// seventy-five moves, and a game need never end.
pub const STANDING_PLIES_MAX: u32 = 2_000;

/// What comes of an illegal move by the side to move.
pub(super) fn illegal_move(
    state: &State,
    mv: Move,
    why: IllegalMove,
    stamp: Stamp,
) -> Result<Draft, Refusal> {
    let conduct = state.terms().conduct;
    if conduct.illegal_moves == IllegalMoves::Refused {
        return Err(why.into());
    }
    let mv = by_hand(state.position(), mv, why).ok_or(why)?;
    if let (IllegalMove::PromotionMissing { .. }, Unpromoted::Queen) = (why, conduct.unpromoted)
        && let Some(draft) = queened(state, mv, stamp)
    {
        return Ok(draft);
    }
    match conduct.illegal_moves {
        IllegalMoves::Stand if state.ply() >= STANDING_PLIES_MAX => Err(why.into()),
        IllegalMoves::Stand => Ok(stands(state, mv, stamp)),
        _ => Ok(put_back(state, mv, stamp)),
    }
}

/// An illegal move as hands at a board make it, carrying a man from one square to another; none where they
/// could not, which is refused everywhere.
fn by_hand(position: &Position, mv: Move, why: IllegalMove) -> Option<Move> {
    let carried = Move::normal(mv.from(), mv.to());
    match mv.kind() {
        _ if !can_be_made(why) => None,
        MoveKind::Normal => Some(carried),
        // What only leaves the king attacked has the form of a capture en passant, and takes the pawn.
        MoveKind::EnPassant
            if matches!(why, IllegalMove::CheckNotMet { .. } | IllegalMove::Pinned { .. }) =>
        {
            Some(mv)
        }
        MoveKind::EnPassant => (!position.is_legal(carried)).then_some(carried),
        MoveKind::Promotion(_) => (mv.to().rank() == home_rank(!position.turn())).then_some(mv),
        MoveKind::Castle => is_castling_by_hand(position, mv).then_some(mv),
        MoveKind::Drop(_) => None,
    }
}

/// Whether it is the own king and rook that castle, from their own rank to squares where nobody else stands.
fn is_castling_by_hand(position: &Position, mv: Move) -> bool {
    let (us, board) = (position.turn(), position.board());
    let Some(side) = mv.castling_side() else { return false };
    let both = Bitboard::from(mv.from()) | mv.to().into();
    let targets = Bitboard::from(side.king_target(us)) | side.rook_target(us).into();
    board.by_piece(us, Role::King).contains(mv.from())
        && board.by_piece(us, Role::Rook).contains(mv.to())
        && (both - Bitboard::from_rank(home_rank(us))).is_empty()
        && (targets & (board.occupied() - both)).is_empty()
}

/// Whether such a move could be made at all: nobody moves a man who is not there, takes his own men or a
/// king, or moves his opponent's men.
const fn can_be_made(why: IllegalMove) -> bool {
    !matches!(
        why,
        IllegalMove::NoMan { .. }
            | IllegalMove::OpponentsMan { .. }
            | IllegalMove::OwnMan { .. }
            | IllegalMove::CapturesKing { .. }
            | IllegalMove::NotInHand { .. }
            | IllegalMove::DropOntoMan { .. }
            | IllegalMove::DropOntoLastRank { .. }
            | IllegalMove::PromotionElsewhere { .. }
    )
}

/// The move is put back; it is lost at the profile's limit.
fn put_back(state: &State, mv: Move, stamp: Stamp) -> Draft {
    let mover = state.position().turn();
    let counted = count(state, mover);
    let action = Action::MovePutBack { mv, count: counted.count, penalty: counted.penalty };
    let draft = state.draft(action, stamp).giving(!mover, counted.penalty);
    if !counted.is_lost {
        return draft;
    }
    draft.ending(ending::lost(state.position(), mover, Termination::IllegalMoves))
}

/// The pawn left on the last rank becomes a queen, and an illegal move is counted; none where it could not
/// have gone there as a queen either, by the Laws or by the men touched.
fn queened(state: &State, mv: Move, stamp: Stamp) -> Option<Draft> {
    let mover = state.position().turn();
    let queening = Move::promotion(mv.from(), mv.to(), Role::Queen)?;
    touch::allows(state.position(), state.touched(), queening).ok()?;
    let mut after = state.position().clone();
    after.play(queening).ok()?;
    let counted = count(state, mover);
    let irregularity = Irregularity::Unpromoted { count: counted.count, penalty: counted.penalty };
    let draft = state.draft_move(queening, Some(irregularity), stamp).giving(!mover, counted.penalty);
    let end = if counted.is_lost {
        Some(ending::lost(&after, mover, Termination::IllegalMoves))
    } else {
        ending::by_move(state, &after)
    };
    Some(draft.perhaps_ending(end))
}

/// The move stands, and ends nothing by itself.
fn stands(state: &State, mv: Move, stamp: Stamp) -> Draft {
    let after = state.position().after(mv);
    state
        .draft_move(mv, Some(Irregularity::Stands), stamp)
        .perhaps_ending(ending::by_irregular_position(state, &after))
}

struct Counted {
    count: u8,
    penalty: Millis,
    is_lost: bool,
}

/// One more illegal move of `mover`, and what it costs.
fn count(state: &State, mover: Color) -> Counted {
    let count = state.illegal_moves(mover).saturating_add(1);
    match state.terms().conduct.illegal_moves {
        IllegalMoves::PutBack { lost_at, penalty } => {
            let is_lost = count >= lost_at;
            Counted { count, penalty: if is_lost { Millis::ZERO } else { penalty }, is_lost }
        }
        _ => Counted { count, penalty: Millis::ZERO, is_lost: false },
    }
}

/// A claim by `color` that the move just made is illegal.
pub(super) fn claim(state: &State, color: Color, stamp: Stamp) -> Result<Draft, Refusal> {
    if state.terms().conduct.illegal_moves != IllegalMoves::Stand {
        return Err(Refusal::IllegalMovesAreNoticed);
    }
    let to_move = state.position().turn();
    if to_move != color {
        return Err(Refusal::NotYourTurn { to_move });
    }
    state.clocks_may_run()?;
    if state.last_move_is_settled() {
        return Err(Refusal::NothingToClaim);
    }
    if state.stands_illegal() {
        // Judged where the illegal move was made: it does not make a mate, nor rule one out.
        let result = ending::lost(&state.before_last_move(), !color, Termination::IllegalMoves);
        return Ok(state.draft(Action::IllegalMoveClaimed, stamp).ending(result));
    }
    let WrongClaim::Penalty(penalty) = state.terms().conduct.wrong_claim else {
        return Err(Refusal::MoveWasLegal);
    };
    Ok(state.draft(Action::IllegalMoveClaimedWrongly { penalty }, stamp).giving(!color, penalty))
}
