//! What can be wrong with a PGN, and where.

use super::{COMMENT_BYTES_MAX, TAG_NAME_BYTES_MAX, TAG_VALUE_BYTES_MAX, VARIATION_DEPTH_MAX};
use crate::notation::fen::PositionError;
use crate::notation::san::SanError;
use std::fmt;

/// A place in a text. Both count from 1; a column is a byte, for the encoding is anyone's guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The byte within the line.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A fault, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {fault}")]
pub struct PgnError {
    /// Where the faulty thing begins.
    pub at: Place,
    /// What is wrong with it.
    pub fault: PgnFault,
}

/// What can be wrong with a PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnFault {
    /// Something that no PGN is made of; what follows it is read.
    #[error(transparent)]
    Form(#[from] FormFault),
    /// A word that is no legal move; the rest of its line of play is not read.
    #[error("{word:?} cannot be played: {why}")]
    Move {
        /// The word, cut to [`super::WORD_BYTES_MAX`] bytes.
        word: String,
        /// Why not.
        why: SanError,
    },
    /// A side in check passes; the rest of its line of play is not read.
    #[error("a side in check cannot pass")]
    PassInCheck,
    /// The tag `FEN` gives no position; the game's moves are not read.
    #[error("the tag FEN gives no position: {0}")]
    Fen(PositionError),
    /// The tag `Variant` names another game; its moves are not read.
    #[error("{0:?} is not chess as these Laws know it")]
    Variant(String),
    /// A variation with nothing that it could replace.
    #[error("a variation stands before any move that it could replace")]
    VariationOfNothing,
    /// A variation within too many others; it is not read.
    #[error("more than {VARIATION_DEPTH_MAX} variations stand one within another")]
    VariationTooDeep,
    /// A parenthesis that closes nothing.
    #[error("this parenthesis closes nothing")]
    VariationNotOpened,
    /// The game ends within a variation.
    #[error("the variation that begins here is not closed")]
    VariationNotClosed,
}

/// What can be wrong with the form of a PGN, whatever its moves are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormFault {
    /// The text ends within a comment.
    #[error("the comment that begins here is not closed")]
    CommentNotClosed,
    /// A comment that is read in part only.
    #[error("a comment is read up to {COMMENT_BYTES_MAX} bytes")]
    CommentTooLong,
    /// A bracket that begins no tag.
    #[error("a tag is a name and a value in quotes: [Event \"Casual game\"]")]
    TagForm,
    /// The line or the text ends within a tag.
    #[error("the tag that begins here is not closed on its line")]
    TagNotClosed,
    /// A tag that is not read.
    #[error("a tag has at most {TAG_NAME_BYTES_MAX} bytes of name and {TAG_VALUE_BYTES_MAX} of value")]
    TagTooLong,
    /// A dollar sign without a number.
    #[error("a mark is $ and a number from 0 to 255")]
    Nag,
    /// A closing bracket or brace without its opening one.
    #[error("a {0:?} closes nothing here")]
    Stray(char),
}
