//! Answers to what a player asks about the board, as whole sentences and without the server.

use crate::message::Moment;
use crate::model::game::GameModel;
use crate::words::{HELP_BOARD, HELP_TABLE, Question};
use crate::{agreed, sentence, standing};
use chatrang_protocol::view::PlayedView;
use chatrang_rules::color::Color;
use chatrang_rules::game::Millis;
use chatrang_rules::piece::{Piece, Role};
use chatrang_rules::square::{File, Rank, Square};

/// The answer, a line or more.
pub fn answer(question: Question, game: &GameModel, now: Moment) -> Vec<String> {
    match question {
        Question::Board => board(game),
        Question::Clock => vec![clock(game, now)],
        Question::Last => vec![last(game)],
        Question::Who => vec![who(game, now)],
        Question::Moves => vec![moves(game)],
        Question::Fen => vec![game.state.fen.to_string()],
        Question::Terms => vec![agreed::in_full(&game.terms)],
        Question::Table => table(game, now),
        Question::Men(color, role) => vec![men(game, color, role)],
        Question::OnFile(file) => vec![line(game, &format!("file {file}"), |square| square.file() == file)],
        Question::OnRank(rank) => vec![line(game, &format!("rank {rank}"), |square| square.rank() == rank)],
        Question::From(square) => vec![moves_from(game, square)],
    }
}

/// The board in eight lines of single characters, the eighth rank first; `.` is an empty square.
pub fn board(game: &GameModel) -> Vec<String> {
    let letter = |square| piece_at(game, square).map_or('.', Piece::letter);
    let rank = |&rank: &Rank| File::ALL.iter().map(|&file| letter(Square::new(file, rank))).collect();
    Rank::ALL.iter().rev().map(rank).collect()
}

/// All words, a line each.
pub fn help() -> impl Iterator<Item = String> {
    HELP_BOARD.iter().chain(&HELP_TABLE).map(|(words, meaning)| format!("{words}: {meaning}."))
}

fn table(game: &GameModel, now: Moment) -> Vec<String> {
    match standing::lines(game, now) {
        nothing if nothing.is_empty() => vec!["Nothing is offered or claimed.".to_owned()],
        lines => lines,
    }
}

fn clock(game: &GameModel, now: Moment) -> String {
    let [white, black] = Color::ALL.map(|color| game.left(color, now));
    let running = game.running().map_or("both stand still".to_owned(), |color| format!("{color}'s runs"));
    let credit = match game.credit {
        Millis::ZERO => String::new(),
        Millis(ms) => {
            format!(" The last move was not charged {ms} ms that the network took (house rule L54).")
        }
    };
    format!("White has {white}, Black has {black}; {running}.{credit}")
}

fn last(game: &GameModel) -> String {
    sentence::last(game).unwrap_or_else(|| "No move has been made.".to_owned())
}

fn who(game: &GameModel, now: Moment) -> String {
    let of = |color: Color| {
        let player = &game.players[color];
        let away = game.away(color, now).map(|span| format!(", away for {}", sentence::span(span)));
        format!("{} ({}, {color}{})", player.handle, player.role, away.unwrap_or_default())
    };
    match game.seat {
        Some(seat) => format!("You play {seat} against {}.", of(!seat)),
        None => format!("{} plays {}.", of(Color::White), of(Color::Black)),
    }
}

fn moves(game: &GameModel) -> String {
    if game.played.is_empty() {
        return "No move has been made.".to_owned();
    }
    let pair = |(index, pair): (usize, &[PlayedView])| {
        let sans: Vec<&str> = pair.iter().map(|played| played.san.as_str()).collect();
        format!("{}. {}", index + 1, sans.join(" "))
    };
    game.played.chunks(2).enumerate().map(pair).collect::<Vec<_>>().join(" ")
}

fn men(game: &GameModel, color: Color, role: Option<Role>) -> String {
    let wanted =
        |&(_, piece): &(Square, Piece)| piece.color == color && role.is_none_or(|role| role == piece.role);
    let mut men: Vec<(Square, Piece)> = all_men(game).filter(wanted).collect();
    men.sort_by_key(|&(square, piece)| (std::cmp::Reverse(piece.role), square));
    let what = role.map_or("men".to_owned(), |role| format!("{}s", role.name()));
    if men.is_empty() {
        return format!("{color} has no {what}.");
    }
    let place = |(square, piece): &(Square, Piece)| match role {
        Some(_) => square.to_string(),
        None => format!("{} {square}", piece.role.name()),
    };
    format!("{color}'s {what}: {}.", men.iter().map(place).collect::<Vec<_>>().join(", "))
}

fn line(game: &GameModel, name: &str, is_on: impl Fn(Square) -> bool) -> String {
    let men: Vec<String> = all_men(game)
        .filter(|&(square, _)| is_on(square))
        .map(|(square, piece)| format!("{square} {} {}", piece.color, piece.role.name()))
        .collect();
    if men.is_empty() {
        return format!("The {name} is empty.");
    }
    format!("On {name}: {}.", men.join(", "))
}

fn moves_from(game: &GameModel, square: Square) -> String {
    let moves: Vec<&str> = game
        .state
        .legal
        .iter()
        .filter(|legal| legal.mv.from() == square)
        .map(|legal| legal.san.as_str())
        .collect();
    match piece_at(game, square) {
        None => format!("Nothing stands on {square}."),
        Some(piece) if moves.is_empty() => {
            format!("The {} {} on {square} has no legal move now.", piece.color, piece.role.name())
        }
        Some(piece) => {
            format!("The {} {} on {square}: {}.", piece.color, piece.role.name(), moves.join(", "))
        }
    }
}

fn piece_at(game: &GameModel, square: Square) -> Option<Piece> {
    game.board.piece_at(square)
}

fn all_men(game: &GameModel) -> impl Iterator<Item = (Square, Piece)> {
    game.board.men()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{snapshot_of, update_of};
    use crate::words::Word;
    use chatrang_protocol::view::Presence;

    fn asked(game: &GameModel, question: &str) -> Vec<String> {
        match Word::read(question) {
            Word::Ask(question) => answer(question, game, Moment(1000)),
            other => panic!("{question} is {other:?}"),
        }
    }

    fn game(fen: &str) -> GameModel {
        GameModel::new(snapshot_of(fen, Some(Color::White)), Moment(0), Millis::ZERO)
    }

    const MIDDLE: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

    #[test]
    fn the_board_is_eight_lines_of_single_characters() {
        let lines = asked(&game(MIDDLE), "board");
        let expected =
            ["r.bqkbnr", "pppp.ppp", "..n.....", "....p...", "....P...", ".....N..", "PPPP.PPP", "RNBQKB.R"];
        assert_eq!(lines, expected);
    }

    #[test]
    fn every_question_has_an_answer() {
        for (question, expected) in [
            ("clock", "White has 4:59, Black has 5:00; White's runs."),
            ("last", "No move has been made."),
            ("moves", "No move has been made."),
            ("who", "You play White against bob (player, Black)."),
            ("fen", MIDDLE),
            ("terms", "The game is played at 5+3, blitz. There is no arbiter."),
            ("table", "Nothing is offered or claimed."),
            ("p N", "White's knights: b1, f3."),
            ("p q", "Black's queens: d8."),
            ("s e", "On file e: e1 White king, e4 White pawn, e5 Black pawn, e8 Black king."),
            ("s 6", "On rank 6: c6 Black knight."),
            ("m b1", "The White knight on b1: Na3, Nc3."),
            ("m c6", "The Black knight on c6 has no legal move now."),
            ("m e6", "Nothing stands on e6."),
        ] {
            let mut lines = asked(&game(MIDDLE), question);
            if let Some((head, rest)) = lines[0].split_once(": ").filter(|_| question == "m b1") {
                let mut moves: Vec<&str> = rest.trim_end_matches('.').split(", ").collect();
                moves.sort_unstable();
                lines[0] = format!("{head}: {}.", moves.join(", "));
            }
            assert_eq!(lines, [expected], "{question}");
        }
        let bare = game("4k3/8/8/8/8/8/8/4K3 w - - 0 60");
        assert_eq!(asked(&bare, "p a"), ["Black's men: king e8."]);
        assert_eq!(asked(&bare, "p P"), ["White has no pawns."]);
        assert_eq!(asked(&bare, "s a"), ["The file a is empty."]);
    }

    #[test]
    fn what_the_network_took_is_said_with_the_clocks() {
        let mut game = game(MIDDLE);
        game.credit = Millis(120);
        let credit = "The last move was not charged 120 ms that the network took (house rule L54).";
        assert_eq!(asked(&game, "c"), [format!("White has 4:59, Black has 5:00; White's runs. {credit}")]);
    }

    #[test]
    fn moves_are_told_with_their_numbers() {
        let mut game = game(crate::model::tests::START);
        for san in ["e4", "e5", "Nf3"] {
            let update = update_of(&game.state, san);
            game.evolve(update, Moment(0), Millis::ZERO);
        }
        assert_eq!(asked(&game, "moves"), ["1. e4 e5 2. Nf3"]);
        assert_eq!(asked(&game, "l"), ["White plays Nf3 on move 2."]);
    }

    #[test]
    fn an_absent_opponent_is_said_to_be_away() {
        let mut snapshot = snapshot_of(MIDDLE, Some(Color::White));
        snapshot.presence.black = Presence::Away { for_ms: 11_000 };
        let game = GameModel::new(snapshot, Moment(0), Millis::ZERO);
        assert_eq!(asked(&game, "o"), ["You play White against bob (player, Black, away for 12 seconds)."]);
    }
}
