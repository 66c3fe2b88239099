//! The 960 starts of Chess960 by their numbers (FIDE G.II.2), both ways.
//!
//! The number is Reinhard Scharnagl's: it tells, by repeated division, where the bishops, the queen and the
//! knights stand; the king then stands between the rooks on what is left. 518 is the start of standard chess.

use crate::board::Board;
use crate::castling::{CastlingRights, CastlingSide, home_rank};
use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::position::{Position, pawn_rank};
use crate::setup::{Setup, Strictness};
use crate::square::{File, Square};
use std::fmt;
use std::str::FromStr;

/// The number of a start, from 0 to 959.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StartNumber(u16);

/// A text or number that no start has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the starts of Chess960 have the numbers 0 to 959")]
pub struct NoStart;

/// Which two of the five squares left by bishops and queen the knights stand on.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

impl StartNumber {
    /// The start of standard chess.
    pub const STANDARD: Self = Self(518);
    /// How many there are.
    pub const COUNT: u16 = 960;

    /// The start with this number.
    ///
    /// # Errors
    /// [`NoStart`] when it is over 959.
    pub const fn new(number: u16) -> Result<Self, NoStart> {
        if number < Self::COUNT { Ok(Self(number)) } else { Err(NoStart) }
    }

    /// The number itself.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// All of them, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The men of either side on its home rank, from the a-file to the h-file.
    pub fn home_men(self) -> [Role; 8] {
        let number = usize::from(self.0);
        let mut men = [None; 8];
        men[2 * (number % 4) + 1] = Some(Role::Bishop);
        men[2 * (number / 4 % 4)] = Some(Role::Bishop);
        place(&mut men, number / 16 % 6, Role::Queen);
        let (first, second) = KNIGHTS[number / 96];
        place(&mut men, second, Role::Knight);
        place(&mut men, first, Role::Knight);
        for role in [Role::Rook, Role::King, Role::Rook] {
            place(&mut men, 0, role);
        }
        men.map(|role| role.unwrap_or(Role::Rook))
    }

    /// The setup that a game from this start begins with.
    pub fn setup(self) -> Setup {
        let (mut board, mut castling) = (Board::EMPTY, CastlingRights::NONE);
        let men = self.home_men();
        for color in Color::ALL {
            let mut side = CastlingSide::Queen;
            for (file, role) in File::ALL.into_iter().zip(men) {
                let home = Square::new(file, home_rank(color));
                board.put(home, Piece { color, role });
                board.put(Square::new(file, pawn_rank(color)), Piece { color, role: Role::Pawn });
                if role == Role::Rook {
                    castling.grant(color, side, home);
                    side = CastlingSide::King;
                }
            }
        }
        Setup { board, castling, ..Setup::standard() }
    }

    /// The position that a game from this start begins with.
    ///
    /// # Panics
    /// Never: no start has a fault, which a test asks of all of them.
    pub fn position(self) -> Position {
        Position::new(self.setup(), Strictness::Reachable).expect("a start has no fault")
    }

    /// The number of the start that a game with this setup begins with, if it is one.
    pub fn of(setup: &Setup) -> Option<Self> {
        let role_on = |file| setup.board.role_at(Square::new(file, home_rank(Color::White)));
        let men = File::ALL.map(role_on);
        let bishop = |first| (first..8).step_by(2).position(|file| men[file] == Some(Role::Bishop));
        let (light, dark) = (bishop(1)?, bishop(0)?);
        let mut left = men.into_iter().flatten().filter(|&role| role != Role::Bishop);
        let queen = left.clone().position(|role| role == Role::Queen)?;
        let places = |role| {
            left.clone().filter(|&role| role != Role::Queen).enumerate().filter(move |&(_, own)| own == role)
        };
        let mut knights = places(Role::Knight).map(|(place, _)| place);
        let pair = (knights.next()?, knights.next()?);
        let knights = KNIGHTS.into_iter().position(|own| own == pair)?;
        left.next()?;
        let number = Self::new((light + 4 * dark + 16 * queen + 96 * knights) as u16).ok()?;
        (number.setup() == *setup).then_some(number)
    }
}

/// Puts a man on the free square before which so many others are free.
fn place(men: &mut [Option<Role>; 8], free_before: usize, role: Role) {
    if let Some(square) = men.iter_mut().filter(|man| man.is_none()).nth(free_before) {
        *square = Some(role);
    }
}

impl fmt::Display for StartNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for StartNumber {
    type Err = NoStart;

    /// Reads one to three digits.
    fn from_str(text: &str) -> Result<Self, NoStart> {
        let digits = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| digits).map_or(Err(NoStart), Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use std::collections::BTreeSet;

    #[test]
    fn l11_all_960_starts_have_a_number_both_ways() {
        let mut boards = BTreeSet::new();
        for start in StartNumber::all() {
            let position = start.position();
            assert_eq!(StartNumber::of(position.setup()), Some(start));
            assert_eq!(start.to_string().parse(), Ok(start));
            assert_eq!(fen::parse(&fen::write(&position)).as_ref(), Ok(position.setup()));
            boards.insert(fen::write(&position));
        }
        assert_eq!(boards.len(), 960);
        assert_eq!(StartNumber::STANDARD.position(), Position::standard());
    }

    #[test]
    fn l11_starts_are_numbered_as_everywhere() {
        for (number, home) in
            [(0, "bbqnnrkr"), (518, "rnbqkbnr"), (534, "rnbkqbnr"), (1, "bqnbnrkr"), (959, "rkrnnqbb")]
        {
            let fen = fen::write(&StartNumber::new(number).unwrap().position());
            assert!(fen.starts_with(&format!("{home}/pppppppp/")), "{number}: {fen}");
        }
    }

    #[test]
    fn l11_other_setups_and_texts_have_no_number() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "nnnnnnnn/8/8/8/8/8/8/NNNNNNNN w - - 0 1",
            "bbbbbbbb/8/8/8/8/8/8/BBBBBBBB w - - 0 1",
        ] {
            assert_eq!(StartNumber::of(&fen::parse(fen).unwrap()), None, "{fen}");
        }
        for text in ["", "960", "-1", "+1", "1000", "0518", "x", "٣"] {
            assert_eq!(text.parse::<StartNumber>(), Err(NoStart), "{text:?}");
        }
    }
}
