//! Games as the server hears them: moves as UCI texts.

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

/// Games that people have played.
pub const REAL_GAMES: &str = include_str!("../../../rules/tests/data/real-games.pgn");

/// The moves of each game of a PGN without variations, as UCI texts.
///
/// # Panics
/// When a move is not legal.
pub fn uci_texts(pgn: &str) -> Vec<Vec<String>> {
    let mut games = Vec::new();
    let (mut position, mut moves) = (Chess::default(), Vec::new());
    let movetext: String = pgn.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(" ");
    for token in without_comments(&movetext).split_whitespace() {
        if matches!(token, "1-0" | "0-1" | "1/2-1/2" | "*") {
            games.push(std::mem::take(&mut moves));
            position = Chess::default();
        } else if !token.ends_with('.') && !token.starts_with('$') {
            let san: SanPlus =
                token.trim_end_matches(['!', '?']).parse().unwrap_or_else(|_| panic!("{token} is no move"));
            let mv = san.san.to_move(&position).unwrap_or_else(|_| panic!("{token} is illegal"));
            moves.push(UciMove::from_move(mv, CastlingMode::Standard).to_string());
            position.play_unchecked(mv);
        }
    }
    games
}

fn without_comments(movetext: &str) -> String {
    let mut parts = movetext.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + " " + part.split_once('}').map_or("", |(_, rest)| rest))
}
