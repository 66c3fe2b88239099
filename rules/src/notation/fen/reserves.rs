//! The reserves in a FEN's first field, in both dialects: `…/RNBQKBNR[Qn]` and, with a ninth part,
//! `…/RNBQKBNR/Qn`; and the promoted men, `Q~`.

use super::FenError;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::reserves::{Captures, Reserves};
use crate::square::{File, Rank, Square};
use std::borrow::Cow;

/// The men on the board without what only boards with reserves have, and that.
///
/// A field with neither reserves nor promoted men has none. That captured men go to the captor is assumed:
/// the text does not say.
pub(super) fn split(field: &str) -> Result<(Cow<'_, str>, Option<Reserves>), FenError> {
    let (board, hand) = match field.split_once('[') {
        Some((board, rest)) => (board, Some(rest.strip_suffix(']').ok_or(FenError::Reserves)?)),
        None => match field.match_indices('/').nth(7) {
            // Anything but men is one rank too many, for whoever reads the ranks to say.
            Some((at, _)) if field[at + 1..].bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                (&field[..at], Some(&field[at + 1..]))
            }
            _ => (field, None),
        },
    };
    let promoted = promoted(board).ok_or(FenError::Reserves)?;
    if hand.is_none() && promoted.is_empty() {
        return Ok((Cow::Borrowed(board), None));
    }
    let mut reserves = Reserves::empty(Captures::ToCaptor);
    promoted.into_iter().for_each(|square| reserves.mark_promoted(square));
    for letter in hand.unwrap_or_default().chars() {
        let piece = Piece::from_letter(letter).filter(|piece| piece.role != Role::King);
        let Piece { color, role } = piece.ok_or(FenError::Reserves)?;
        reserves.add(color, role);
    }
    Ok((Cow::Owned(board.replace('~', "")), Some(reserves)))
}

/// The squares of the men with a `~` behind them; none when one stands behind no man that can be promoted.
fn promoted(board: &str) -> Option<Bitboard> {
    let mut promoted = Bitboard::EMPTY;
    let (mut rank, mut file) = (Rank::ALL.iter().rev(), 0);
    let mut here = rank.next();
    let mut before = None;
    for character in board.chars() {
        match character {
            '~' => {
                let role = before.and_then(Piece::from_letter)?.role;
                let square = Square::new(*File::ALL.get(usize::checked_sub(file, 1)?)?, *here?);
                if matches!(role, Role::Pawn | Role::King) {
                    return None;
                }
                promoted.insert(square);
            }
            '/' => (here, file) = (rank.next(), 0),
            _ => file += character.to_digit(9).unwrap_or(1) as usize,
        }
        before = Some(character);
    }
    Some(promoted)
}

/// `[Qn]`, or nothing.
pub(super) fn text(reserves: Option<&Reserves>) -> String {
    reserves.map_or_else(String::new, |reserves| {
        let hand = Color::ALL.map(|color| hand_text(reserves, color)).concat();
        format!("[{hand}]")
    })
}

fn hand_text(reserves: &Reserves, color: Color) -> String {
    let men = Reserves::ROLES.into_iter().rev().flat_map(|role| {
        std::iter::repeat_n(Piece { color, role }.letter(), reserves.count(color, role) as usize)
    });
    men.collect()
}

#[cfg(test)]
mod tests {
    use super::super::{CastlingField, parse, write_setup};
    use super::*;

    #[test]
    fn l12_both_dialects_of_reserves_are_read_and_one_is_written() {
        for (text, written) in [
            ("4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3/nQ w - - 0 1", "4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1"),
            ("4k3/1Q~6/8/8/8/8/8/4K3/ b - - 0 1", "4k3/1Q~6/8/8/8/8/8/4K3[] b - - 0 1"),
            ("4k3/8/8/8/8/8/8/R~3K2n~ w - - 0 1", "4k3/8/8/8/8/8/8/R~3K2n~[] w - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ] {
            let setup = parse(text).unwrap();
            assert_eq!(write_setup(&setup, CastlingField::XFen), written);
            assert_eq!(parse(written), Ok(setup));
        }
    }

    #[test]
    fn l12_no_reserve_is_too_full_to_be_read_as_it_is_written() {
        let (knights, rank) = ("N~".repeat(7), "N~".repeat(8) + "/");
        let board = format!("k{knights}/{}{knights}K", rank.repeat(6));
        let mut setup = parse(&format!("{board} w - - 4294967295 4294967295")).unwrap();
        let reserves = setup.reserves.as_mut().unwrap();
        for (color, role) in
            Color::ALL.into_iter().flat_map(|color| Reserves::ROLES.map(|role| (color, role)))
        {
            (0..Reserves::COUNT_MAX).for_each(|_| reserves.add(color, role));
        }
        assert_eq!(parse(&write_setup(&setup, CastlingField::XFen)), Ok(setup));
    }

    #[test]
    fn l12_reserves_that_cannot_be_are_refused() {
        for bad in ["[Qk]", "[Q", "[Q]x", "/K", "/x", "[~]"] {
            let text = format!("4k3/8/8/8/8/8/8/4K3{bad} w - - 0 1");
            assert_eq!(parse(&text), Err(FenError::Reserves), "{text}");
        }
        for bad in ["~4k3", "4k~3", "4k2p~", "4k3~", "4k2n~~"] {
            assert_eq!(parse(&format!("{bad}/8/8/8/8/8/8/4K3 w - - 0 1")), Err(FenError::Reserves), "{bad}");
        }
    }
}
