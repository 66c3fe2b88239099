//! Which man stands on which square.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::{ByColor, Color};
use crate::piece::{Piece, Role};
use crate::square::{File, Rank, Square};
use std::fmt;

/// Men on squares, in any arrangement.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Board {
    roles: [Bitboard; 6],
    colors: ByColor<Bitboard>,
}

impl Board {
    /// No man at all.
    pub const EMPTY: Self = Self {
        roles: [Bitboard::EMPTY; 6],
        colors: ByColor { white: Bitboard::EMPTY, black: Bitboard::EMPTY },
    };

    /// The men as a game begins (FIDE 2.3).
    pub fn standard() -> Self {
        const BACK_RANK: [Role; 8] = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        let mut board = Self::EMPTY;
        for (file, role) in File::ALL.into_iter().zip(BACK_RANK) {
            board.put(Square::new(file, Rank::First), Piece { color: Color::White, role });
            board.put(Square::new(file, Rank::Second), Piece { color: Color::White, role: Role::Pawn });
            board.put(Square::new(file, Rank::Seventh), Piece { color: Color::Black, role: Role::Pawn });
            board.put(Square::new(file, Rank::Eighth), Piece { color: Color::Black, role });
        }
        board
    }

    /// The man on `square`.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Some(Piece { color: self.color_at(square)?, role: self.role_at(square)? })
    }

    /// What the man on `square` is.
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|role| self.roles[role.index()].contains(square))
    }

    /// Whose man stands on `square`.
    pub fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.colors[color].contains(square))
    }

    /// Puts a man on a square, in place of any that stood there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.remove(square);
        self.roles[piece.role.index()].insert(square);
        self.colors[piece.color].insert(square);
    }

    /// Takes the man off a square and returns it.
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.roles[piece.role.index()].remove(square);
        self.colors[piece.color].remove(square);
        Some(piece)
    }

    /// All squares with a man.
    pub fn occupied(&self) -> Bitboard {
        self.colors.white | self.colors.black
    }

    /// The squares of a side's men.
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// The squares of both sides' men of a role.
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// The squares of a side's men of a role.
    pub fn by_piece(&self, color: Color, role: Role) -> Bitboard {
        self.colors[color] & self.roles[role.index()]
    }

    /// Where a side's king stands; the first from a1 should it have several.
    pub fn king_of(&self, color: Color) -> Option<Square> {
        self.by_piece(color, Role::King).first()
    }

    /// The men of `by` that attack `square` (FIDE 3.1.2), pinned ones included.
    ///
    /// `occupied` says which squares count as held, so that one can ask about a board with a man lifted
    /// off; a man whose square is not in it neither blocks nor attacks.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard, by: Color) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        let attackers = attacks::pawn(!by, square) & self.by_role(Role::Pawn)
            | attacks::knight(square) & self.by_role(Role::Knight)
            | attacks::king(square) & self.by_role(Role::King)
            | attacks::bishop(square, occupied) & (self.by_role(Role::Bishop) | queens)
            | attacks::rook(square, occupied) & (self.by_role(Role::Rook) | queens);
        attackers & self.colors[by] & occupied
    }

    /// Every man with its square, from a1 to h8.
    pub fn men(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}

impl fmt::Debug for Board {
    /// Eight ranks as White sees them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let men = File::ALL.map(|file| self.piece_at(Square::new(file, rank)).map_or('.', Piece::letter));
            writeln!(f, "{}", String::from_iter(men))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    #[test]
    fn l01_queens_start_on_their_own_colour() {
        let board = Board::standard();
        assert_eq!(board.occupied().count(), 32);
        for color in Color::ALL {
            let queen = board.by_piece(color, Role::Queen).first().unwrap();
            assert_eq!(queen.is_light(), color == Color::White);
        }
        assert_eq!(board.king_of(Color::Black), Some(square("e8")));
    }

    #[test]
    fn a_man_put_down_replaces_the_one_that_stood_there() {
        let mut board = Board::standard();
        let knight = Piece { color: Color::Black, role: Role::Knight };
        board.put(square("e1"), knight);
        assert_eq!(board.piece_at(square("e1")), Some(knight));
        assert_eq!(board.king_of(Color::White), None);
        assert_eq!(board.remove(square("e1")), Some(knight));
        assert_eq!(board.remove(square("e1")), None);
        assert_eq!(board.men().count(), 31);
    }

    #[test]
    fn a_man_lifted_off_neither_blocks_nor_attacks() {
        let mut board = Board::EMPTY;
        board.put(square("a1"), Piece { color: Color::White, role: Role::Rook });
        board.put(square("a4"), Piece { color: Color::White, role: Role::Queen });
        let all = board.occupied();
        assert_eq!(board.attackers_to(square("a8"), all, Color::White), square("a4").into());
        let lifted = all - square("a4").into();
        assert_eq!(board.attackers_to(square("a8"), lifted, Color::White), square("a1").into());
        assert!(board.attackers_to(square("a8"), all, Color::Black).is_empty());
    }
}
