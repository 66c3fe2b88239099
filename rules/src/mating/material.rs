//! What the men alone decide, wherever they stand.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::piece::Role;

/// Whether no move can lead to a mate by `side` with the men there are, nor with those left after captures.
///
/// - A lone king attacks nobody.
/// - A single knight, the other side having queens only: the men that would have to hem in their own king
///   stand next to him, and each queen there reaches the knight or the man that screens it.
/// - Bishops of one colour, the other side having neither knights nor pawns nor bishops of the other
///   colour: of the square next to the king through which the check comes, two neighbours beside the king
///   have the other colour; the king of `side` cannot guard both, and a rook or queen on one of them
///   steps between or captures. (Their diagonals cross at the checked king only, so that no move gives
///   check with two of them.)
pub(super) fn cannot_mate(board: &Board, side: Color) -> bool {
    let (own, theirs) = (board.by_color(side), board.by_color(!side));
    let of_role = |role| board.by_role(role);
    if (own & (of_role(Role::Pawn) | of_role(Role::Rook) | of_role(Role::Queen))) != Bitboard::EMPTY {
        return false;
    }
    let (knights, bishops) = (own & of_role(Role::Knight), own & of_role(Role::Bishop));
    if bishops.is_empty() {
        let queens_only = (theirs - of_role(Role::Queen) - of_role(Role::King)).is_empty();
        return knights.is_empty() || (!knights.is_several() && queens_only);
    }
    let helpers = theirs & (of_role(Role::Knight) | of_role(Role::Pawn));
    knights.is_empty() && helpers.is_empty() && one_shade(of_role(Role::Bishop))
}

/// Whether all these squares are light, or all dark.
fn one_shade(squares: Bitboard) -> bool {
    const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    (squares & LIGHT).is_empty() || (squares - LIGHT).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks;
    use crate::castling::CastlingRights;
    use crate::piece::Piece;
    use crate::position::Position;
    use crate::setup::{Setup, Strictness};
    use crate::square::Square;

    /// Every check by a knight, each square the king could flee to held by a queen of his own: more queens
    /// would only attack the knight as well, fewer would leave the king a square.
    #[test]
    fn l24_a_knight_never_mates_a_king_with_queens_only() {
        let mut tried = 0;
        for king in Square::all() {
            for (knight, mater) in
                attacks::knight(king).into_iter().flat_map(|n| Square::all().map(move |mater| (n, mater)))
            {
                let mut board = Board::EMPTY;
                board.put(king, Piece { color: Color::Black, role: Role::King });
                board.put(mater, Piece { color: Color::White, role: Role::King });
                board.put(knight, Piece { color: Color::White, role: Role::Knight });
                for flight in attacks::king(king) {
                    if board.piece_at(flight).is_none()
                        && board.attackers_to(flight, board.occupied(), Color::White).is_empty()
                    {
                        board.put(flight, Piece { color: Color::Black, role: Role::Queen });
                    }
                }
                let setup =
                    Setup { board, turn: Color::Black, castling: CastlingRights::NONE, ..Setup::standard() };
                if let Ok(position) = Position::new(setup, Strictness::Playable) {
                    assert!(!position.is_checkmate(), "{position:?}");
                    tried += 1;
                }
            }
        }
        assert!(tried > 6_000);
    }

    /// The geometry that the rule for bishops of one shade rests on.
    #[test]
    fn l24_no_king_guards_both_squares_beside_a_bishops_check() {
        for king in Square::all() {
            for next in attacks::bishop(king, Bitboard::ALL) {
                let beside = attacks::rook(king, Bitboard::ALL) & attacks::rook(next, Bitboard::ALL);
                assert_eq!(beside.count(), 2);
                for mater in
                    Square::all().filter(|&mater| mater != king && !attacks::king(king).contains(mater))
                {
                    assert!(!(beside - attacks::king(mater)).is_empty());
                }
            }
        }
    }
}
