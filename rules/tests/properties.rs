//! What must hold for every position and every text: random games from many starts, arbitrary input.
//!
//! `CHATRANG_CASES` says how many; a small number by default.

#[path = "support/random.rs"]
mod random;

use chatrang_rules::moves::Move;
use chatrang_rules::notation::san::{self, SanError};
use chatrang_rules::notation::uci::{self, UciCastling};
use chatrang_rules::notation::{fen, parse_move};
use chatrang_rules::piece::Role;
use chatrang_rules::position::Position;
use chatrang_rules::repetition::{PositionKey, Repetitions};
use chatrang_rules::setup::Strictness;
use chatrang_rules::square::Square;
use proptest::prelude::*;
use random::Random;
use std::collections::BTreeSet;

const PLIES_PER_GAME: u32 = 80;

fn cases() -> u64 {
    random::cases(40)
}

/// Where the random games start: positions with all that is rare, Chess960 included.
fn starts() -> Vec<Position> {
    let rows = [
        include_str!("data/reference.epd"),
        include_str!("data/tricky.epd"),
        include_str!("data/crazyhouse.epd"),
    ];
    let rows = rows.iter().flat_map(|file| file.lines()).filter(|row| !row.starts_with('#'));
    rows.map(|row| {
        fen::parse_position(row.split(';').next().unwrap(), Strictness::Playable)
            .unwrap_or_else(|error| panic!("{row}: {error}"))
    })
    .collect()
}

/// Shows every position of some random games, with the move about to be played.
fn for_random_positions(games: u64, mut check: impl FnMut(&Position, &[Move])) {
    let starts = starts();
    for game in 0..games {
        let mut random = Random::new(game);
        let mut position = starts[game as usize % starts.len()].clone();
        for _ in 0..PLIES_PER_GAME {
            let moves = position.legal_moves();
            check(&position, &moves);
            let Some(mv) = random.of(&moves) else { break };
            position.play(mv).expect("a generated move is legal");
        }
    }
}

fn every_conceivable_move() -> impl Iterator<Item = Move> {
    let drops =
        Square::all().flat_map(|to| Role::ALL.into_iter().filter_map(move |role| Move::drop(role, to)));
    drops.chain(every_conceivable_move_on_the_board())
}

fn every_conceivable_move_on_the_board() -> impl Iterator<Item = Move> {
    Square::all().flat_map(|from| {
        Square::all().filter(move |&to| to != from).flat_map(move |to| {
            let promotions =
                Role::PROMOTIONS.into_iter().filter_map(move |role| Move::promotion(from, to, role));
            [Move::normal(from, to), Move::en_passant(from, to), Move::castle(from, to)]
                .into_iter()
                .chain(promotions)
        })
    })
}

#[test]
fn l39_the_generator_lists_exactly_what_the_judge_calls_legal() {
    for_random_positions(cases(), |position, moves| {
        let listed: BTreeSet<Move> = moves.iter().copied().collect();
        assert_eq!(listed.len(), moves.len(), "{position:?} lists a move twice");
        let judged: BTreeSet<Move> = every_conceivable_move().filter(|&mv| position.is_legal(mv)).collect();
        assert_eq!(listed, judged, "{}", fen::write(position));
    });
}

#[test]
fn l39_moves_are_counted_as_they_are_listed() {
    for_random_positions(cases() * 10, |position, moves| {
        assert_eq!(position.count_legal_moves(), moves.len(), "{}", fen::write(position));
        assert_eq!(position.has_legal_move(), !moves.is_empty(), "{}", fen::write(position));
    });
}

#[test]
fn l18_a_position_is_the_same_however_it_came_about() {
    for_random_positions(cases() / 4 + 1, |position, moves| {
        let mut nexts: Vec<Position> = moves.iter().map(|&mv| position.after(mv)).collect();
        // An illegal move leaves a position too (L43), if one that nobody would set up.
        nexts.extend(every_conceivable_move().filter(|mv| mv.bits() % 61 == 0).map(|mv| position.after(mv)));
        for next in nexts {
            let Ok(fresh) = Position::new(next.setup().clone(), Strictness::Playable) else { continue };
            assert_eq!(next, fresh, "{}", fen::write(&next));
            assert_eq!(next.hash(), fresh.hash(), "{}", fen::write(&next));
        }
    });
}

#[test]
fn l18_what_makes_positions_differ_makes_their_hashes_differ() {
    let hash = |text| fen::parse_position(text, Strictness::Playable).unwrap().hash();
    let all = [
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R[] w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R[Q] w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R[q] w KQkq - 0 1",
        "r~3k2r/8/8/3pP3/8/8/8/R3K2R[q] w KQk - 0 1",
    ];
    assert_eq!(all.map(hash).into_iter().collect::<BTreeSet<_>>().len(), all.len());
    // The counters do not, nor a pawn passed that no enemy can capture.
    assert_eq!(hash(all[0]), hash("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 40 99"));
    let pinned = ["8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "8/8/8/r2Pp2K/8/8/4k3/8 w - - 0 1"];
    assert_eq!(hash(pinned[0]), hash(pinned[1]));
}

#[test]
fn l39_a_refused_move_changes_nothing_and_an_unchecked_one_leaves_a_position_to_play_on() {
    for_random_positions(cases() / 20 + 1, |position, _| {
        for mv in every_conceivable_move() {
            let mut refused = position.clone();
            if refused.play(mv).is_err() {
                assert_eq!(&refused, position, "{mv:?}");
            }
            // What an illegal move leaves behind must still be something one can ask about.
            let after = position.after(mv);
            if mv.bits() % 61 == 0 {
                for next in after.legal_moves() {
                    assert!(after.is_legal(next), "{mv:?} and {next:?} in {}", fen::write(position));
                    let text = uci::write(next, UciCastling::KingTakesRook);
                    assert_eq!(uci::parse(&after, &text), Ok(next), "{mv:?} in {}", fen::write(position));
                    assert_eq!(san::parse(&after, &san::write(&after, next)), Ok(next), "{next:?}");
                }
            }
        }
    });
}

#[test]
fn l09_no_legal_move_leaves_the_own_king_attacked() {
    for_random_positions(cases(), |position, moves| {
        for &mv in moves {
            let next = position.after(mv);
            let king = next.board().king_of(position.turn()).expect("a king is never captured");
            let attackers = next.board().attackers_to(king, next.board().occupied(), next.turn());
            assert!(attackers.is_empty(), "{mv:?} in {}", fen::write(position));
        }
    });
}

#[test]
fn l70_every_move_is_read_as_it_is_written_with_no_mark_too_many() {
    for_random_positions(cases(), |position, moves| {
        let texts: Vec<String> = moves.iter().map(|&mv| san::write(position, mv)).collect();
        assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), texts.len(), "{}", fen::write(position));
        for (&mv, text) in moves.iter().zip(&texts) {
            assert_eq!(san::parse(position, text), Ok(mv), "{text} in {}", fen::write(position));
            let plain = text.trim_end_matches(['+', '#']);
            assert_eq!(text.ends_with('+'), position.after(mv).is_check() && !text.ends_with('#'));
            assert_eq!(text.ends_with('#'), position.after(mv).is_checkmate());
            if let Some(shorter) = without_origin(plain) {
                let read = san::parse(position, &shorter);
                assert!(
                    matches!(read, Err(SanError::Ambiguous { .. })),
                    "{text} in {}",
                    fen::write(position)
                );
            }
        }
    });
}

/// `Nbd2` as `Nd2`; none for a text that does not say where the piece stood.
fn without_origin(san: &str) -> Option<String> {
    let (role, rest) = san.split_at_checked(1)?;
    let target = rest.get(rest.len().checked_sub(2)?..)?;
    let origin = rest.strip_suffix(target)?.trim_end_matches('x');
    (role.contains(['N', 'B', 'R', 'Q', 'K']) && !origin.is_empty() && !origin.contains('@'))
        .then(|| rest.replacen(origin, role, 1))
}

#[test]
fn l73_every_move_is_read_as_uci_in_both_dialects() {
    for_random_positions(cases(), |position, moves| {
        for castling in [UciCastling::KingMoves, UciCastling::KingTakesRook] {
            for &mv in moves {
                let text = uci::write(mv, castling);
                assert_eq!(uci::parse(position, &text), Ok(mv), "{text} in {}", fen::write(position));
                assert_eq!(parse_move(position, &text), Ok(mv), "{text} in {}", fen::write(position));
            }
        }
    });
}

#[test]
fn l72_every_position_is_read_as_it_is_written() {
    use fen::{CastlingField, EnPassantField, FenStyle};
    for_random_positions(cases(), |position, _| {
        for castling in [CastlingField::XFen, CastlingField::Shredder] {
            let always = FenStyle { en_passant: EnPassantField::Always, castling };
            let text = fen::write_in(position, always);
            assert_eq!(fen::parse(&text).as_ref(), Ok(position.setup()), "{text}");
            let legal = fen::write_in(position, FenStyle { castling, ..FenStyle::default() });
            let read = fen::parse_position(&legal, Strictness::Playable).unwrap();
            assert_eq!(PositionKey::new(&read), PositionKey::new(position), "{text}");
            assert_eq!(fen::write_setup(read.setup(), castling), legal);
        }
    });
}

#[test]
fn l18_repetitions_count_what_a_list_of_all_keys_counts() {
    let starts = starts();
    for game in 0..cases() {
        let mut random = Random::new(game);
        let mut position = starts[game as usize % starts.len()].clone();
        let mut repetitions = Repetitions::new(&position);
        let mut keys = vec![PositionKey::new(&position)];
        for _ in 0..PLIES_PER_GAME {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Going back and forth when it can, so that positions do come back.
            let next =
                moves.iter().map(|&mv| position.after(mv)).find(|next| repetitions.count_after(next) > 1);
            position = match next {
                Some(next) if !random.one_in(3) => next,
                _ => position.after(random.of(&moves).expect("there is a move")),
            };
            let key = PositionKey::new(&position);
            keys.push(key.clone());
            let expected = keys.iter().filter(|&seen| *seen == key).count();
            assert_eq!(repetitions.count_after(&position) as usize, expected);
            repetitions.push(&position);
            assert_eq!(repetitions.count() as usize, expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases() as u32 * 10))]

    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC{0,60}", near in "[a-h1-8KQRBNPkqrbnpxXO0o=+#/() .e–♘-]{0,14}") {
        for position in starts() {
            for text in [&text, &near] {
                if let Ok(mv) = parse_move(&position, text) {
                    prop_assert!(position.is_legal(mv));
                }
                if let Ok(mv) = san::parse_in(&position, text, &san::PieceLetters::GERMAN) {
                    prop_assert!(position.is_legal(mv));
                }
            }
        }
        prop_assert!(fen::parse(&text).is_err());
    }

    #[test]
    fn any_arrangement_can_be_judged_played_and_written(
        kings in prop::array::uniform2(0_usize..64),
        men in prop::collection::vec((0_usize..64, 0_usize..10), 0..24),
        fields in "[wb] (-|[KQkq]{1,4}|[A-Ha-h]{1,2}) (-|[a-h][36]) [0-9]{1,3} [0-9]{1,11}",
    ) {
        let mut board = [b'1'; 64];
        for (square, man) in men {
            board[square] = b"QRBNPqrbnp"[man];
        }
        (board[kings[0]], board[kings[1]]) = (b'K', b'k');
        let ranks: Vec<_> = board.chunks(8).map(String::from_utf8_lossy).collect();
        if let Ok(mut setup) = fen::parse(&format!("{} {fields}", ranks.join("/"))) {
            let text = fen::write_setup(&setup, fen::CastlingField::Shredder);
            setup.strip_castling();
            if let Ok(position) = Position::new(setup, Strictness::Playable) {
                let listed: BTreeSet<Move> = position.legal_moves().into_iter().collect();
                let judged = every_conceivable_move().filter(|&mv| position.is_legal(mv)).collect();
                prop_assert_eq!(listed, judged, "{}", text);
                let text = fen::write_setup(position.setup(), fen::CastlingField::Shredder);
                prop_assert_eq!(fen::parse(&text), Ok(position.setup().clone()));
            }
        }
    }
}
