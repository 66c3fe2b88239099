//! Random moves, most of them illegal, where illegal moves stand (L43): whatever is on the board, nothing panics,
//! the generator agrees with the judge, and the record replays.
//!
//! `CHATRANG_CASES` says how many games; a small number by default.

use crate::random::{self, Random};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, Command, Event, Game, Irregularity, Party, Profile, Stamp, Terms};
use chatrang_rules::mating::{self, Budget};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::pgn::Roster;
use chatrang_rules::notation::{fen, san};
use chatrang_rules::outcome::Termination;
use chatrang_rules::piece::Role;
use chatrang_rules::position::Position;
use chatrang_rules::record;
use chatrang_rules::square::Square;
use std::collections::BTreeSet;

const PLIES_PER_GAME: u32 = 100;

/// A legal move, a man carried anywhere, or bits that stand for any move at all.
fn any_move(random: &mut Random, position: &Position) -> Option<Move> {
    match random.below(8) {
        0 | 1 => random.of(&position.legal_moves()),
        2 => Move::from_bits(random.below(1 << 16) as u16).ok(),
        _ => {
            let own: Vec<Square> = position.board().by_color(position.turn()).into_iter().collect();
            let all: Vec<Square> = Square::all().collect();
            let bits = Move::normal(random.of(&own)?, random.of(&all)?).bits();
            let kind = random.pick([0, 0, 0, 1, 2, 7]);
            Move::from_bits(bits | kind << 12).ok()
        }
    }
}

/// Every move that the judge finds legal, by asking about all there are.
fn judged_legal(position: &Position) -> BTreeSet<Move> {
    let kinds = 0..=7_u16;
    let own = position.board().by_color(position.turn());
    own.into_iter()
        .flat_map(|from| Square::all().map(move |to| (from, to)))
        .filter(|(from, to)| from != to)
        .flat_map(|(from, to)| {
            kinds
                .clone()
                .filter_map(move |kind| Move::from_bits(Move::normal(from, to).bits() | kind << 12).ok())
        })
        .filter(|&mv| position.is_legal(mv))
        .collect()
}

fn look_at(position: &Position) {
    for color in Color::ALL {
        let kings = position.board().by_piece(color, Role::King);
        assert_eq!(kings.into_iter().count(), 1, "{}", fen::write(position));
        mating::can_mate(position, color, Budget { nodes: 50 });
    }
    let generated: BTreeSet<Move> = position.legal_moves().into_iter().collect();
    assert_eq!(generated, judged_legal(position), "{}", fen::write(position));
    assert_eq!(generated.len(), position.count_legal_moves());
    for mv in generated {
        assert!(!san::write(position, mv).is_empty());
    }
}

/// What must be so of an illegal move that stands.
fn check_event(event: &Event, before: &Position) {
    let Action::Moved { mv, irregularity, .. } = event.action else { return };
    assert_eq!(irregularity == Some(Irregularity::Stands), !before.is_legal(mv), "{mv:?}");
    if irregularity.is_some() {
        assert!(event.end.is_none_or(|end| end.termination == Termination::IllegalPosition), "{event:?}");
    }
}

fn play(seed: u64) -> (Game, Vec<Event>) {
    let mut random = Random::new(seed);
    let terms = Terms::of(Profile::Classic, "5+0".parse().expect("a time control"));
    let mut game = Game::new(terms);
    let mut record = vec![Game::first_event(terms)];
    for tries in 1..=4 * PLIES_PER_GAME {
        let before = game.position().clone();
        let Some(mv) = any_move(&mut random, &before) else { continue };
        let by = Party::Player(before.turn());
        let ruling = game.apply(by, Command::Move(mv), Stamp::at_ms(u64::from(tries)));
        if ruling.answer.is_ok() {
            ruling.events.iter().for_each(|event| check_event(event, &before));
            look_at(game.position());
        }
        record.extend(ruling.events);
        if game.result().is_some() || game.ply() >= PLIES_PER_GAME {
            break;
        }
    }
    (game, record)
}

#[test]
fn l43_whatever_stands_on_the_board_the_game_goes_on_by_the_laws() {
    let (mut stood, cases) = (0, random::cases(40));
    for seed in 0..cases {
        let (game, mut record) = play(seed);
        assert_eq!(Game::replay(&record), Ok(game.clone()));
        let stands = |event: &&Event| {
            matches!(event.action, Action::Moved { irregularity: Some(Irregularity::Stands), .. })
        };
        stood += record.iter().filter(stands).count();
        // A claim is judged where the last move was made, and the whole is told as a PGN.
        let (mut claimed, turn) = (game.clone(), game.position().turn());
        let claim = claimed.apply(Party::Player(turn), Command::ClaimIllegalMove, Stamp::at_ms(9_000));
        record.extend(claim.events);
        assert_eq!(Game::replay(&record), Ok(claimed));
        let text = record::pgn(&record, &Roster::default(), &[]).expect("a record");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(words.join(" ").contains("is illegal and stands until it is claimed"), "{text}");
    }
    assert!(stood as u64 > 5 * cases, "{stood} illegal moves");
}
