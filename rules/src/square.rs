//! The board's 64 squares, its files and its ranks (FIDE 2).

use std::fmt;
use std::str::FromStr;

macro_rules! line {
    ($(#[$doc:meta])* $name:ident, $first:literal, $($variant:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "a variant is its own name")]
        pub enum $name { $($variant),* }

        impl $name {
            /// All eight, in the board's order.
            pub const ALL: [Self; 8] = [$(Self::$variant),*];

            /// From 0 to 7.
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The one at `index`, which counts from 0.
            ///
            /// # Panics
            /// When `index` is over 7.
            pub const fn from_index(index: usize) -> Self {
                Self::ALL[index]
            }

            /// The one a letter or digit of a move names.
            pub const fn from_char(text: char) -> Option<Self> {
                let index = (text as u32).wrapping_sub($first as u32);
                if index < 8 { Some(Self::ALL[index as usize]) } else { None }
            }

            /// As it is written in a move.
            pub const fn to_char(self) -> char {
                ($first + self as u8) as char
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.to_char())
            }
        }
    };
}

line! {
    /// A file: eight squares from White's side to Black's, named a to h.
    File, b'a', A B C D E F G H
}

line! {
    /// A rank: eight squares from side to side, numbered 1 to 8 from White.
    Rank, b'1', First Second Third Fourth Fifth Sixth Seventh Eighth
}

/// A square of the board, from a1 = 0 along the ranks to h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A text or number that names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a square is a letter from a to h and a digit from 1 to 8")]
pub struct NoSquare;

impl Square {
    /// The square where a file and a rank cross.
    pub const fn new(file: File, rank: Rank) -> Self {
        Self((rank as u8) << 3 | file as u8)
    }

    /// The square with this index, or none for an index over 63.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 64 { Some(Self(index as u8)) } else { None }
    }

    /// The square named by the six low bits of `bits`; the rest is ignored.
    pub(crate) const fn from_low_bits(bits: u16) -> Self {
        Self((bits & 63) as u8)
    }

    /// From a1 = 0 along the ranks to h8 = 63.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The file it lies on.
    pub const fn file(self) -> File {
        File::ALL[(self.0 & 7) as usize]
    }

    /// The rank it lies on.
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 >> 3 & 7) as usize]
    }

    /// The square so many files and ranks away, or none beyond the edge.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        match ((self.0 & 7).checked_add_signed(files), (self.0 >> 3).checked_add_signed(ranks)) {
            (Some(file), Some(rank)) if file < 8 && rank < 8 => Some(Self(rank << 3 | file)),
            _ => None,
        }
    }

    /// The square whose index is less by `step`, which must be on the board: it wraps otherwise.
    pub(crate) const fn back(self, step: i8) -> Self {
        Self(self.0.wrapping_sub_signed(step) & 63)
    }

    /// Whether it is a light square; h1 is (FIDE 2.1).
    pub const fn is_light(self) -> bool {
        (self.0 ^ self.0 >> 3) & 1 == 1
    }

    /// All 64, from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(Self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = NoSquare;

    fn from_str(text: &str) -> Result<Self, NoSquare> {
        let mut chars = text.chars();
        match (chars.next().and_then(File::from_char), chars.next().and_then(Rank::from_char), chars.next()) {
            (Some(file), Some(rank), None) => Ok(Self::new(file, rank)),
            _ => Err(NoSquare),
        }
    }
}

#[cfg(feature = "bincode")]
impl bincode::Encode for Square {
    fn encode<E: bincode::enc::Encoder>(&self, encoder: &mut E) -> Result<(), bincode::error::EncodeError> {
        self.0.encode(encoder)
    }
}

#[cfg(feature = "bincode")]
impl<Context> bincode::Decode<Context> for Square {
    fn decode<D: bincode::de::Decoder<Context = Context>>(
        decoder: &mut D,
    ) -> Result<Self, bincode::error::DecodeError> {
        let index = u8::decode(decoder)?;
        Self::from_index(index.into()).ok_or_else(|| {
            bincode::error::DecodeError::OtherString(format!("no square has the index {index}"))
        })
    }
}

#[cfg(feature = "bincode")]
bincode::impl_borrow_decode!(Square);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l01_the_board_has_64_squares_and_h1_is_light() {
        assert_eq!(Square::all().count(), 64);
        assert!(Square::new(File::H, Rank::First).is_light());
        assert!(!Square::new(File::A, Rank::First).is_light());
        assert_eq!(Square::all().filter(|square| square.is_light()).count(), 32);
    }

    #[test]
    fn squares_are_read_as_they_are_written() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::from_index(square.index()), Some(square));
        }
        for bad in ["", "e", "e9", "i1", "e44", "E4", "é4"] {
            assert_eq!(bad.parse::<Square>(), Err(NoSquare), "{bad:?}");
        }
        assert_eq!(Square::from_index(64), None);
    }

    #[test]
    fn offsets_stop_at_the_edge() {
        let h4: Square = "h4".parse().unwrap();
        assert_eq!(h4.offset(1, 0), None);
        assert_eq!(h4.offset(-7, 4), "a8".parse().ok());
        assert_eq!(h4.offset(0, 5), None);
        assert_eq!(h4.offset(0, -4), None);
    }
}
