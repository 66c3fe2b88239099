//! Positions in Forsyth-Edwards notation, with castling as X-FEN or Shredder-FEN has it.

mod reserves;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingRights, CastlingSide, home_rank};
use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::reserves::Reserves;
use crate::setup::{Setup, SetupError, Strictness};
use crate::square::{File, Rank, Square};

/// Longer than any position: 64 men, each with its mark, the bars between the ranks, a full reserve in brackets,
/// and five more fields, two of which are numbers of ten digits.
const FEN_BYTES_MAX: usize = 128 + 7 + 2 + 10 * Reserves::COUNT_MAX as usize + 35;

/// Why a text is no FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// Too long to be one.
    #[error("a FEN is not longer than {FEN_BYTES_MAX} bytes")]
    TooLong,
    /// Fewer than four fields or more than six.
    #[error("a FEN has four to six fields, not {0}")]
    Fields(usize),
    /// Not eight ranks.
    #[error("the board has eight ranks, not {0}")]
    Ranks(usize),
    /// A rank that is too long or too short.
    #[error("rank {0} has not eight squares")]
    RankLength(Rank),
    /// A character that is neither a man nor a number of empty squares.
    #[error("{character:?} on rank {rank} is neither a man (PNBRQKpnbrqk) nor a number from 1 to 8")]
    Placement {
        /// The character.
        character: char,
        /// The rank it stands on.
        rank: Rank,
    },
    /// The men in hand or the marks of promoted men.
    #[error("men in hand are letters of QRBNPqrbnp in brackets, and ~ stands behind a promoted man")]
    Reserves,
    /// The second field.
    #[error("the side to move is w or b")]
    Turn,
    /// The third field.
    #[error("castling rights are - or letters of KQkq or of the rooks' files, two a side at most")]
    Castling,
    /// The fourth field.
    #[error("the en-passant square is - or a square")]
    EnPassant,
    /// The fifth field.
    #[error("the halfmove clock is a number")]
    HalfmoveClock,
    /// The sixth field.
    #[error("the move number is a number")]
    MoveNumber,
}

/// Why a text gives no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// It is no FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The Laws do not allow what it says.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Reads a setup, whether or not it makes sense. The two counters may be missing: 0 and 1.
///
/// # Errors
/// [`FenError`] for the first field that cannot be read.
pub fn parse(text: &str) -> Result<Setup, FenError> {
    if text.len() > FEN_BYTES_MAX {
        return Err(FenError::TooLong);
    }
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let (board, turn, castling, en_passant, counters) = match fields.as_slice() {
        [board, turn, castling, en_passant, counters @ ..] if counters.len() <= 2 => {
            (board, turn, castling, en_passant, counters)
        }
        _ => return Err(FenError::Fields(fields.len())),
    };
    let (board, reserves) = reserves::split(board)?;
    let board = parse_board(&board)?;
    Ok(Setup {
        turn: match *turn {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::Turn),
        },
        castling: parse_castling(castling, &board)?,
        en_passant: match *en_passant {
            "-" => None,
            square => Some(square.parse().map_err(|_| FenError::EnPassant)?),
        },
        halfmove_clock: counters
            .first()
            .map_or(Ok(0), |text| parse_number(text).ok_or(FenError::HalfmoveClock))?,
        move_number: counters.get(1).map_or(Ok(1), |text| parse_number(text).ok_or(FenError::MoveNumber))?,
        board,
        reserves,
    })
}

/// Reads a position.
///
/// # Errors
/// [`PositionError`] when the text is no FEN, or its setup has faults that `strictness` does not bear.
pub fn parse_position(text: &str, strictness: Strictness) -> Result<Position, PositionError> {
    Ok(Position::new(parse(text)?, strictness)?)
}

fn parse_board(text: &str) -> Result<Board, FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::Ranks(ranks.len()));
    }
    let mut board = Board::EMPTY;
    for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
        let mut file = 0;
        for character in text.chars() {
            if let Some(piece) = Piece::from_letter(character) {
                let here = File::ALL.get(file).ok_or(FenError::RankLength(rank))?;
                board.put(Square::new(*here, rank), piece);
                file += 1;
            } else if let Some(empty @ 1..) = character.to_digit(9) {
                file += empty as usize;
            } else {
                return Err(FenError::Placement { character, rank });
            }
        }
        if file != 8 {
            return Err(FenError::RankLength(rank));
        }
    }
    Ok(board)
}

fn parse_castling(text: &str, board: &Board) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let (side, rook) = match (letter.to_ascii_lowercase(), File::from_char(letter.to_ascii_lowercase())) {
            ('k', _) => (CastlingSide::King, outermost_rook(board, color, CastlingSide::King)),
            ('q', _) => (CastlingSide::Queen, outermost_rook(board, color, CastlingSide::Queen)),
            (_, Some(file)) => {
                let king = king_at_home(board, color).map_or(File::E, Square::file);
                // A king in the corner leaves the h-file what it is for all others: the king's side's.
                let is_kings = file > king || file == File::H;
                let side = if is_kings { CastlingSide::King } else { CastlingSide::Queen };
                (side, Square::new(file, home_rank(color)))
            }
            _ => return Err(FenError::Castling),
        };
        grant(&mut rights, color, side, rook)?;
    }
    Ok(rights)
}

/// Grants a right. Two rooks on one side of the king are a fault of the setup, not of the text: the one nearer
/// to the h-file is then held as the king's side's, in whatever order they come.
fn grant(
    rights: &mut CastlingRights,
    color: Color,
    side: CastlingSide,
    rook: Square,
) -> Result<(), FenError> {
    match (rights.rook(color, side), rights.rook(color, side.other())) {
        _ if rights.rooks().contains(rook) => return Err(FenError::Castling),
        (None, _) => rights.grant(color, side, rook),
        (Some(other), None) => {
            rights.grant(color, CastlingSide::King, rook.max(other));
            rights.grant(color, CastlingSide::Queen, rook.min(other));
        }
        (Some(_), Some(_)) => return Err(FenError::Castling),
    }
    Ok(())
}

/// What `K` and `Q` mean in X-FEN. Without such a rook, the corner: the setup will have that fault.
fn outermost_rook(board: &Board, color: Color, side: CastlingSide) -> Square {
    let rooks = board.by_piece(color, Role::Rook) & Bitboard::from_rank(home_rank(color));
    let beside = |rook: &Square| match (king_at_home(board, color), side) {
        (Some(king), CastlingSide::King) => *rook > king,
        (Some(king), CastlingSide::Queen) => *rook < king,
        (None, _) => false,
    };
    let (outermost, corner) = match side {
        CastlingSide::King => (rooks.last(), File::H),
        CastlingSide::Queen => (rooks.first(), File::A),
    };
    outermost.filter(beside).unwrap_or(Square::new(corner, home_rank(color)))
}

fn king_at_home(board: &Board, color: Color) -> Option<Square> {
    board.king_of(color).filter(|king| king.rank() == home_rank(color))
}

fn parse_number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// When the en-passant square is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnPassantField {
    /// When a legal move captures there.
    #[default]
    Legal,
    /// When an enemy pawn stands beside the one that has passed, pinned or not.
    PseudoLegal,
    /// After every double step.
    Always,
}

/// How castling rights are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CastlingField {
    /// `KQkq`, and the file's letter for a rook that is not the outermost.
    #[default]
    XFen,
    /// Always the letter of the rook's file: `HAha`.
    Shredder,
}

/// A dialect of the notation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FenStyle {
    /// When the en-passant square is written.
    pub en_passant: EnPassantField,
    /// How castling rights are written.
    pub castling: CastlingField,
}

/// Writes a position with all six fields, in the default dialect.
pub fn write(position: &Position) -> String {
    write_in(position, FenStyle::default())
}

/// Writes a position with all six fields.
pub fn write_in(position: &Position, style: FenStyle) -> String {
    let en_passant = match style.en_passant {
        EnPassantField::Legal => position.legal_en_passant(),
        EnPassantField::PseudoLegal => position.en_passant().filter(|&passed| {
            let pawns = position.board().by_piece(position.turn(), Role::Pawn);
            attacks::pawn(!position.turn(), passed).intersects(pawns)
        }),
        EnPassantField::Always => position.en_passant(),
    };
    write_setup(&Setup { en_passant, ..position.setup().clone() }, style.castling)
}

/// Writes any setup as it is, its en-passant square included.
pub fn write_setup(setup: &Setup, castling: CastlingField) -> String {
    // One buffer from the first man to the last number: a server writes one for every move that is made.
    let mut text = String::with_capacity(FEN_BYTES_USUAL);
    push_board(&mut text, setup);
    text.push_str(&reserves::text(setup.reserves.as_ref()));
    text.extend([' ', setup.turn.letter(), ' ']);
    push_castling(&mut text, setup, castling);
    text.push(' ');
    match setup.en_passant {
        Some(square) => text.extend([square.file().to_char(), square.rank().to_char()]),
        None => text.push('-'),
    }
    for counter in [setup.halfmove_clock, setup.move_number] {
        text.push(' ');
        push_number(&mut text, counter);
    }
    text
}

/// As long as nearly all are.
const FEN_BYTES_USUAL: usize = 96;

fn push_board(text: &mut String, setup: &Setup) {
    let promoted = setup.reserves.map_or(Bitboard::EMPTY, |reserves| reserves.promoted());
    for rank in Rank::ALL.into_iter().rev() {
        if rank != Rank::Eighth {
            text.push('/');
        }
        let mut empty = 0;
        for file in File::ALL {
            let square = Square::new(file, rank);
            match setup.board.piece_at(square) {
                Some(piece) => {
                    push_empty(text, &mut empty);
                    text.push(piece.letter());
                    if promoted.contains(square) {
                        text.push('~');
                    }
                }
                None => empty += 1,
            }
        }
        push_empty(text, &mut empty);
    }
}

fn push_empty(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        push_number(text, *empty);
        *empty = 0;
    }
}

/// Writes a number behind what is there already, without a text of its own.
fn push_number(text: &mut String, number: u32) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.extend(char::from_digit(number % 10, 10));
}

fn push_castling(text: &mut String, setup: &Setup, field: CastlingField) {
    let before = text.len();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let Some(rook) = setup.castling.rook(color, side) else { continue };
            let letter = match (field, side) {
                (CastlingField::XFen, CastlingSide::King)
                    if rook == outermost_rook(&setup.board, color, side) =>
                {
                    'k'
                }
                (CastlingField::XFen, CastlingSide::Queen)
                    if rook == outermost_rook(&setup.board, color, side) =>
                {
                    'q'
                }
                _ => rook.file().to_char(),
            };
            text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if text.len() == before {
        text.push('-');
    }
}
