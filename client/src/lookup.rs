//! Finds what a typed text means among the legal moves that the server sent.
//!
//! The server decides what is legal; the Laws are used here as vocabulary only: to understand a text
//! in its many forms, and to say why it fits no move of the list.

use chatrang_protocol::view::{LegalMove, StateView};
use chatrang_rules::game::Refusal;
use chatrang_rules::moves::Move;
use chatrang_rules::notation::uci::{self, UciCastling};
use chatrang_rules::notation::{self, san::SanError};
use chatrang_rules::position::Position;
use chatrang_rules::square::File;

/// Why a text names no move that can be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMatch {
    /// The law that forbids the move, or `input` when the text was not understood.
    pub law: String,
    /// Why, in a sentence without a full stop.
    pub text: String,
}

/// Where the Laws say what a legal move is.
const NOT_LEGAL: &str = "FIDE 3.10.1";

/// The one move that a text means, in SAN, UCI or a sloppy form of either: of the server's list of legal
/// ones, or one that touched men have taken off that list, which the server refuses and says who must move.
///
/// Without a position, as where an illegal move stands, only the list is looked through.
///
/// # Errors
/// [`NoMatch`] when no move fits, or several do: then it names them.
pub fn find(state: &StateView, position: Option<&Position>, text: &str) -> Result<Move, NoMatch> {
    if let Some(exact) = state.legal.iter().find(|legal| legal.san.as_str() == text) {
        return Ok(exact.mv);
    }
    if let Some(found) = pawn_capture(state, text) {
        return one_of(&found);
    }
    let no = |law: &str, text: String| NoMatch { law: law.to_owned(), text };
    let not_listed = || no(NOT_LEGAL, "the server does not list it among the legal moves".to_owned());
    let Some(position) = position else {
        return bare(state, text).map_or_else(|| Err(not_listed()), |found| one_of(&found));
    };
    match notation::parse_move(position, &without_names(text)) {
        Ok(mv) if is_listed(state, mv) || !state.touched.is_empty() => Ok(mv),
        Ok(_) => Err(not_listed()),
        Err(SanError::Ambiguous { candidates }) => Err(ambiguous(&candidates)),
        Err(SanError::Illegal(Some(why))) => {
            let refusal = Refusal::IllegalMove(why);
            Err(no(&refusal.law(), refusal.to_string()))
        }
        Err(SanError::Illegal(None)) => Err(no(NOT_LEGAL, "no man can move so".to_owned())),
        Err(SanError::NotAMove) => {
            Err(no("input", "that is neither a move nor a word; type help for both".to_owned()))
        }
    }
}

/// A move given as two squares in UCI, whether or not it is legal.
pub fn carried(position: Option<&Position>, text: &str) -> Option<Move> {
    let text = text.trim().replace('-', "").to_ascii_lowercase();
    if let Some(position) = position {
        return uci::parse_unjudged(position, &text);
    }
    let (from, to) = (text.get(..2)?.parse().ok()?, text.get(2..)?.parse().ok()?);
    (from != to).then(|| Move::normal(from, to))
}

fn is_listed(state: &StateView, mv: Move) -> bool {
    state.legal.iter().any(|legal| legal.mv == mv)
}

/// The captures that `ed` or `exd` means: a pawn of one file takes on another.
fn pawn_capture<'a>(state: &'a StateView, text: &str) -> Option<Vec<&'a LegalMove>> {
    let text = text.to_ascii_lowercase();
    let files: Vec<File> = text.chars().filter(|&c| c != 'x').filter_map(File::from_char).collect();
    let &[from, to] = files.as_slice() else { return None };
    let is_so_written = [format!("{from}{to}"), format!("{from}x{to}")].contains(&text);
    let is_meant = |legal: &&LegalMove| {
        let san = legal.san.as_str();
        san.starts_with(from.to_char()) && san.get(1..2) == Some("x") && legal.mv.to().file() == to
    };
    let found: Vec<&LegalMove> = state.legal.iter().filter(is_meant).collect();
    (is_so_written && !found.is_empty()).then_some(found)
}

/// The moves of the list that are written so but for signs and case.
fn bare<'a>(state: &'a StateView, text: &str) -> Option<Vec<&'a LegalMove>> {
    let plain = |text: &str| text.to_ascii_lowercase().replace(['x', '+', '#', '=', '-'], "");
    let text = plain(text);
    let is_meant = |legal: &&LegalMove| {
        plain(legal.san.as_str()) == text || uci::write(legal.mv, UciCastling::KingMoves) == text
    };
    let found: Vec<&LegalMove> = state.legal.iter().filter(is_meant).collect();
    (!found.is_empty()).then_some(found)
}

fn one_of(found: &[&LegalMove]) -> Result<Move, NoMatch> {
    match found {
        [only] => Ok(only.mv),
        several => Err(ambiguous(&several.iter().map(|legal| legal.san.to_string()).collect::<Vec<_>>())),
    }
}

fn ambiguous(candidates: &[String]) -> NoMatch {
    NoMatch {
        law: "input".to_owned(),
        text: format!("that could be {}: type which", candidates.join(" or ")),
    }
}

/// `knight f 3` is `Nf3`: spaces go, and the men's names become their letters.
fn without_names(text: &str) -> String {
    const NAMES: [(&str, &str); 7] = [
        ("knight", "N"),
        ("bishop", "B"),
        ("rook", "R"),
        ("queen", "Q"),
        ("king", "K"),
        ("pawn", ""),
        ("takes", "x"),
    ];
    if !text.contains(char::is_whitespace) {
        return text.to_owned();
    }
    let letter = |word: &str| {
        let name = NAMES.iter().find(|(name, _)| word.eq_ignore_ascii_case(name));
        name.map_or_else(|| word.to_owned(), |(_, letter)| (*letter).to_owned())
    };
    text.split_whitespace().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{position_of, state_of};
    use chatrang_protocol::codec::List;

    fn found(fen: &str, text: &str) -> Result<String, NoMatch> {
        let state = state_of(fen);
        find(&state, Some(&position_of(fen)), text).map(|mv| written(&state, mv))
    }

    fn written(state: &StateView, mv: Move) -> String {
        state.legal.iter().find(|legal| legal.mv == mv).map(|legal| legal.san.to_string()).unwrap()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const RICH: &str = "r3k2r/pP1n1p2/8/2pP4/2b4b/1B3NN1/P3P1P1/R3K2R w KQkq c6 0 1";

    #[test]
    fn a_move_has_many_forms() {
        for (fen, text, san) in [
            (START, "e4", "e4"),
            (START, "e2e4", "e4"),
            (START, "e2-e4", "e4"),
            (START, "E4", "e4"),
            (START, "Nf3", "Nf3"),
            (START, "nf3", "Nf3"),
            (START, "g1f3", "Nf3"),
            (START, "Ng1f3", "Nf3"),
            (START, "knight f 3", "Nf3"),
            (START, "Nf3!?", "Nf3"),
            (RICH, "O-O-O", "O-O-O"),
            (RICH, "0-0-0", "O-O-O"),
            (RICH, "o-o-o", "O-O-O"),
            (RICH, "e1c1", "O-O-O"),
            (RICH, "e1a1", "O-O-O"),
            (RICH, "dxc6", "dxc6"),
            (RICH, "dc6", "dxc6"),
            (RICH, "dxc", "dxc6"),
            (RICH, "dc", "dxc6"),
            (RICH, "d5c6", "dxc6"),
            (RICH, "bxa8q", "bxa8=Q+"),
            (RICH, "bxa8=q", "bxa8=Q+"),
            (RICH, "b7a8n", "bxa8=N"),
            (RICH, "b8=R+", "b8=R+"),
            (RICH, "bishop takes c4", "Bxc4"),
        ] {
            assert_eq!(found(fen, text), Ok(san.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_fits_several_moves_is_asked_back() {
        let fen = "4k3/8/8/8/8/8/8/1N3N1K w - - 0 1";
        let no_match = found(fen, "Nd2").unwrap_err();
        assert_eq!(no_match.law, "input");
        assert!(no_match.text.contains("Nbd2") && no_match.text.contains("Nfd2"), "{}", no_match.text);
    }

    #[test]
    fn what_fits_none_says_why() {
        for (fen, text, law_starts, words) in [
            (START, "e5", "FIDE", "no man can move so"),
            (START, "e2e5", "FIDE", "does not move from e2 to e5"),
            (START, "Ke2", "FIDE", "held by a man of the same colour"),
            (START, "hello", "input", "neither a move nor a word"),
            ("4r3/8/8/8/8/8/4B3/4K2k w - - 0 1", "Bd3", "FIDE 3.9.2", "uncovers an attack"),
        ] {
            let no_match = found(fen, text).unwrap_err();
            assert!(no_match.law.starts_with(law_starts), "{text}: {}", no_match.law);
            assert!(no_match.text.contains(words), "{text}: {}", no_match.text);
        }
    }

    #[test]
    fn only_the_servers_list_counts() {
        let mut state = state_of(START);
        let only_nf3 = state.legal.iter().filter(|legal| legal.san.as_str() == "Nf3").cloned().collect();
        state.legal = List::cut(only_nf3);
        let position = position_of(START);
        for text in ["Nf3", "g1f3"] {
            let mv = find(&state, Some(&position), text).unwrap();
            assert_eq!(written(&state, mv), "Nf3", "{text}");
        }
        for text in ["e4", "e2e4"] {
            let no_match = find(&state, Some(&position), text).unwrap_err();
            assert_eq!(no_match.law, NOT_LEGAL, "{text}");
            assert!(no_match.text.contains("does not list it"), "{text}: {}", no_match.text);
        }
    }

    #[test]
    fn a_move_that_touched_men_forbid_is_left_to_the_server_to_refuse() {
        let mut state = state_of(START);
        state.touched = List::cut(vec!["g1".parse().unwrap()]);
        let knights = state.legal.iter().filter(|legal| legal.mv.from().to_string() == "g1");
        state.legal = List::cut(knights.cloned().collect());
        let mv = find(&state, Some(&position_of(START)), "e4").unwrap();
        assert_eq!((mv.from().to_string(), mv.to().to_string()), ("e2".to_owned(), "e4".to_owned()));
        assert!(find(&state, Some(&position_of(START)), "e5").is_err());
    }

    #[test]
    fn without_a_position_the_list_is_enough() {
        let state = state_of(RICH);
        for (text, san) in [("nd4", "Nd4"), ("O-O", "O-O"), ("e1g1", "O-O"), ("bxa8=q", "bxa8=Q+")] {
            assert_eq!(find(&state, None, text).map(|mv| written(&state, mv)), Ok(san.to_owned()));
        }
        assert_eq!(find(&state, None, "Ke8").unwrap_err().law, NOT_LEGAL);
    }

    #[test]
    fn two_squares_are_a_move_whether_or_not_it_is_legal() {
        let position = position_of(START);
        let e2e5 = Move::normal("e2".parse().unwrap(), "e5".parse().unwrap());
        for position in [Some(&position), None] {
            assert_eq!(carried(position, "e2-E5"), Some(e2e5));
            for text in ["e2", "e2e2", "Nf3", "hello", "é2e4"] {
                assert_eq!(carried(position, text), None, "{text}");
            }
        }
    }
}
