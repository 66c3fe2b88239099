//! Which man stands on which square.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::square::{File, Rank, Square};
use std::fmt;

/// Men on squares, in any arrangement.
///
/// Three sets of squares tell six roles apart, and a fourth the colours: a square's four bits are the
/// *code* of the man on it. The codes are chosen so that what is asked most often costs one operation:
/// a bishop or queen is `diagonal` and not `other`, a rook or queen `straight` and not `other`. A man is
/// moved in the same few operations whatever he is and whatever he captures, without a branch.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Board {
    /// Bishops, queens, knights.
    diagonal: Bitboard,
    /// Rooks, queens, kings.
    straight: Bitboard,
    /// Pawns, knights, kings.
    other: Bitboard,
    /// White's men.
    white: Bitboard,
}

/// What stands on a square: a bit for each set of [`Board`], 0 for nobody.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code(u8);

impl Code {
    const DIAGONAL: u8 = 1;
    const STRAIGHT: u8 = 2;
    const OTHER: u8 = 4;
    const WHITE: u8 = 8;

    pub(crate) const NOBODY: Self = Self(0);

    pub(crate) const fn new(color: Color, role: Role) -> Self {
        let role = match role {
            Role::Pawn => Self::OTHER,
            Role::Knight => Self::OTHER | Self::DIAGONAL,
            Role::Bishop => Self::DIAGONAL,
            Role::Rook => Self::STRAIGHT,
            Role::Queen => Self::STRAIGHT | Self::DIAGONAL,
            Role::King => Self::OTHER | Self::STRAIGHT,
        };
        match color {
            Color::White => Self(role | Self::WHITE),
            Color::Black => Self(role),
        }
    }

    /// From 0 to 15.
    pub(crate) const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    pub(crate) const fn is_nobody(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn role(self) -> Option<Role> {
        const ROLES: [Option<Role>; 8] = [
            None,
            Some(Role::Bishop),
            Some(Role::Rook),
            Some(Role::Queen),
            Some(Role::Pawn),
            Some(Role::Knight),
            Some(Role::King),
            None,
        ];
        ROLES[(self.0 & 7) as usize]
    }

    pub(crate) const fn color(self) -> Color {
        if self.0 & Self::WHITE != 0 { Color::White } else { Color::Black }
    }

    pub(crate) const fn with_role(self, role: Role) -> Self {
        Self::new(self.color(), role)
    }

    pub(crate) const fn is_pawn(self) -> bool {
        self.0 & 7 == Self::OTHER
    }

    pub(crate) const fn is_king(self) -> bool {
        self.0 & 7 == Self::OTHER | Self::STRAIGHT
    }
}

impl Board {
    /// No man at all.
    pub const EMPTY: Self = Self {
        diagonal: Bitboard::EMPTY,
        straight: Bitboard::EMPTY,
        other: Bitboard::EMPTY,
        white: Bitboard::EMPTY,
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
        let code = self.code_at(square);
        Some(Piece { color: code.color(), role: code.role()? })
    }

    /// What the man on `square` is.
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.code_at(square).role()
    }

    /// Whose man stands on `square`.
    pub fn color_at(&self, square: Square) -> Option<Color> {
        self.piece_at(square).map(|piece| piece.color)
    }

    /// Puts a man on a square, in place of any that stood there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.put_code(square, Code::new(piece.color, piece.role));
    }

    /// Takes the man off a square and returns it.
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square);
        self.put_code(square, Code::NOBODY);
        piece
    }

    pub(crate) fn code_at(&self, square: Square) -> Code {
        let bit = |set: Bitboard| (set.0 >> square.index() & 1) as u8;
        Code(bit(self.diagonal) | bit(self.straight) << 1 | bit(self.other) << 2 | bit(self.white) << 3)
    }

    /// Puts a man on a square, or nobody, in place of any that stood there.
    pub(crate) fn put_code(&mut self, square: Square, code: Code) {
        self.replace(square.into(), square, code);
    }

    /// Clears a square and puts `code` on another, in place of any man that stood there.
    pub(crate) fn move_code(&mut self, from: Square, to: Square, code: Code) {
        self.replace(Bitboard::from(from) | to.into(), to, code);
    }

    fn replace(&mut self, cleared: Bitboard, to: Square, code: Code) {
        let sets = [&mut self.diagonal, &mut self.straight, &mut self.other, &mut self.white];
        for (index, set) in sets.into_iter().enumerate() {
            set.0 = set.0 & !cleared.0 | (u64::from(code.0) >> index & 1) << to.index();
        }
    }

    /// All squares with a man.
    pub fn occupied(&self) -> Bitboard {
        self.diagonal | self.straight | self.other
    }

    /// The squares of a side's men.
    pub fn by_color(&self, color: Color) -> Bitboard {
        match color {
            Color::White => self.white,
            Color::Black => self.occupied() - self.white,
        }
    }

    /// The squares of both sides' men of a role.
    pub fn by_role(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.other - (self.diagonal | self.straight),
            Role::Knight => self.other & self.diagonal,
            Role::Bishop => self.diagonal - (self.straight | self.other),
            Role::Rook => self.straight - (self.diagonal | self.other),
            Role::Queen => self.diagonal & self.straight,
            Role::King => self.other & self.straight,
        }
    }

    /// The squares of both sides' bishops and queens.
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.diagonal - self.other
    }

    /// The squares of both sides' rooks and queens.
    pub fn straight_sliders(&self) -> Bitboard {
        self.straight - self.other
    }

    /// The squares of a side's men of a role.
    pub fn by_piece(&self, color: Color, role: Role) -> Bitboard {
        self.by_color(color) & self.by_role(role)
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
        let attackers = attacks::pawn(!by, square) & self.by_role(Role::Pawn)
            | attacks::knight(square) & self.by_role(Role::Knight)
            | attacks::king(square) & self.by_role(Role::King)
            | attacks::bishop(square, occupied) & self.diagonal_sliders()
            | attacks::rook(square, occupied) & self.straight_sliders();
        attackers & self.by_color(by) & occupied
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
