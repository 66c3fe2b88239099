//! Whether a side can still mate: against every set and every rule of thumb we know, against complete
//! searches of small worlds, and along random games.
//!
//! `tests/data/mating/` holds all of `hard.txt` (compositions and cages) and every tenth row of `games.txt`
//! (ends of real games); its rows begin with the right answer for White and for Black.

#[path = "support/random.rs"]
mod random;

use chatrang_rules::board::Board;
use chatrang_rules::castling::CastlingRights;
use chatrang_rules::color::Color;
use chatrang_rules::mating::{self, Answer, Budget};
use chatrang_rules::notation::fen;
use chatrang_rules::piece::{Piece, Role};
use chatrang_rules::position::Position;
use chatrang_rules::repetition::PositionKey;
use chatrang_rules::setup::{Setup, Strictness};
use chatrang_rules::square::{File, Rank, Square};
use random::Random;
use std::collections::HashMap;

const HARD: &str = include_str!("data/mating/hard.txt");
const GAMES: &str = include_str!("data/mating/games.txt");

fn position(text: &str) -> Position {
    fen::parse_position(text, Strictness::Playable).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn answer(position: &Position, side: Color) -> Answer {
    mating::can_mate(position, side, Budget::AFTER_MOVE).answer
}

fn answers(text: &str) -> [Answer; 2] {
    Color::ALL.map(|side| mating::can_mate(&position(text), side, Budget::AT_END).answer)
}

/// The rows of a set: the position, and whether White and Black can mate.
fn rows(set: &str) -> impl Iterator<Item = (Position, [bool; 2])> {
    set.lines().filter(|row| !row.starts_with('#')).map(|row| {
        let (letters, text) = row.split_once(' ').expect("letters, then a FEN");
        (position(text), [letters.starts_with('W'), letters.ends_with('B')])
    })
}

/// Plays the line and asserts that it ends with a mate by `side`.
fn assert_mates(start: &Position, side: Color, budget: Budget) {
    let line = mating::mating_line(start, side, budget).expect("found just now");
    let mut here = start.clone();
    for mv in line {
        here.play(mv).unwrap_or_else(|error| panic!("{mv:?} from {}: {error}", fen::write(start)));
    }
    assert!(here.is_checkmate() && here.turn() != side, "no mate from {}", fen::write(start));
}

/// Asks about every row of a set; how many answers were not proven.
fn check_set(set: &str, budget: Budget) -> usize {
    let mut not_proven = 0;
    for (start, expected) in rows(set) {
        for (side, can) in Color::ALL.into_iter().zip(expected) {
            match mating::can_mate(&start, side, budget).answer {
                Answer::Yes => {
                    assert!(can, "{side} cannot mate: {}", fen::write(&start));
                    assert_mates(&start, side, budget);
                }
                Answer::No => assert!(!can, "{side} can mate: {}", fen::write(&start)),
                Answer::NotProven => not_proven += 1,
            }
        }
    }
    not_proven
}

#[test]
fn l16_every_tenth_end_of_a_game_is_told_right() {
    let not_proven = check_set(GAMES, Budget { nodes: 5_000 });
    assert_eq!(not_proven, 0);
}

#[test]
fn l16_the_hard_set_is_told_right_or_not_at_all() {
    let not_proven = check_set(HARD, Budget { nodes: 1_000 });
    assert!(not_proven <= 352, "{not_proven} not proven");
}

/// The look at the gate must let no dead position of the sets through that the proofs would know.
#[test]
fn l16_every_dead_position_that_can_be_proven_is_called_dead() {
    let mut dead = 0;
    for (start, expected) in rows(HARD).chain(rows(GAMES)) {
        let proven = Color::ALL.into_iter().all(|side| answer(&start, side) == Answer::No);
        assert_eq!(mating::is_dead(&start, Budget::AFTER_MOVE), proven, "{}", fen::write(&start));
        assert!(!proven || expected == [false; 2], "{}", fen::write(&start));
        dead += usize::from(proven);
    }
    assert!(dead > 540, "only {dead} dead positions");
}

#[test]
fn l16_l24_few_men_mate_just_where_a_mate_can_arise() {
    use Answer::{No, Yes};
    for (text, expected) in [
        ("8/8/8/4k3/8/8/8/4K3 w - - 0 1", [No, No]),
        ("8/8/8/4k3/8/8/8/4KN2 w - - 0 1", [No, No]),
        ("8/8/8/4k3/8/8/8/3NKN2 w - - 0 1", [Yes, No]),
        ("8/8/8/4kq2/8/8/8/4KN2 w - - 0 1", [No, Yes]),
        ("8/8/8/4kr2/8/8/8/4KN2 w - - 0 1", [Yes, Yes]),
        ("8/8/8/4kn2/8/8/8/4KN2 w - - 0 1", [Yes, Yes]),
        ("8/8/8/4kp2/8/8/8/4KN2 w - - 0 1", [Yes, Yes]),
        ("8/8/8/4kb2/8/8/8/4KN2 w - - 0 1", [Yes, Yes]),
        ("8/8/8/4kr2/8/8/8/4KB2 w - - 0 1", [No, Yes]),
        ("8/8/8/4kqr1/8/8/8/4KB2 w - - 0 1", [No, Yes]),
        ("8/8/8/4kn2/8/8/8/4KB2 w - - 0 1", [Yes, Yes]),
        ("8/8/8/4kb2/8/8/8/4KB2 w - - 0 1", [No, No]),
        ("8/8/8/4k1b1/8/8/8/4KB2 w - - 0 1", [Yes, Yes]),
        ("8/8/8/4k1b1/8/8/8/4KBB1 w - - 0 1", [Yes, Yes]),
        // dead for all that books print, but not so
        ("7B/8/8/8/6b1/6k1/8/5K2 w - - 0 1", [Yes, Yes]),
    ] {
        assert_eq!(answers(text), expected, "{text}");
    }
}

#[test]
fn l16_mates_stalemates_and_forced_ends_are_seen() {
    use Answer::{No, Yes};
    for (text, expected) in [
        // mate in one; mated already, by two bishops that no move can have brought there
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", [Yes, No]),
        ("8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1", [No, Yes]),
        // stalemate
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", [No, No]),
        // White must capture the queen and only then has a bare king before him
        ("8/8/8/8/8/8/1q5k/K7 w - - 0 1", [No, No]),
        // a wall from edge to edge
        ("8/4k3/8/1p1p1p1p/1P1P1P1P/8/5K2/8 b - - 0 1", [No, No]),
    ] {
        assert_eq!(answers(text), expected, "{text}");
        let dead = expected == [No, No];
        assert_eq!(mating::is_dead(&position(text), Budget::AFTER_MOVE), dead, "{text}");
    }
    assert!(!mating::is_dead(&Position::standard(), Budget::AFTER_MOVE));
}

#[test]
fn the_budget_bounds_what_is_looked_at() {
    for nodes in [0, 1, 2] {
        let verdict = mating::can_mate(&Position::standard(), Color::White, Budget { nodes });
        assert_eq!((verdict.answer, verdict.nodes), (Answer::NotProven, nodes));
    }
    for (start, _) in rows(HARD) {
        for side in Color::ALL {
            // the last step is finished
            let nodes = mating::can_mate(&start, side, Budget { nodes: 700 }).nodes;
            assert!(nodes <= 1_200, "{nodes}");
        }
    }
}

/// What follows from a position, however the game goes on: all of it.
struct World {
    positions: Vec<Position>,
    next: Vec<Vec<usize>>,
}

impl World {
    /// None when there are more positions than `positions_max`.
    fn explore(start: &Position, positions_max: usize) -> Option<Self> {
        let mut indices = HashMap::from([(PositionKey::new(start), 0)]);
        let mut world = Self { positions: vec![start.clone()], next: Vec::new() };
        while world.next.len() < world.positions.len() {
            let here = world.positions[world.next.len()].clone();
            let mut next = Vec::new();
            for mv in here.legal_moves() {
                let after = here.after(mv);
                let index = *indices.entry(PositionKey::new(&after)).or_insert(world.positions.len());
                if index == world.positions.len() {
                    world.positions.push(after);
                }
                next.push(index);
            }
            world.next.push(next);
            if world.positions.len() > positions_max {
                return None;
            }
        }
        Some(world)
    }

    /// For every position, whether a mate by `side` can follow.
    fn can_mate(&self, side: Color) -> Vec<bool> {
        let is_mate = |position: &Position| position.turn() != side && position.is_checkmate();
        let mut can: Vec<bool> = self.positions.iter().map(is_mate).collect();
        loop {
            let before = can.iter().filter(|&&can| can).count();
            for index in (0..can.len()).rev() {
                can[index] = can[index] || self.next[index].iter().any(|&next| can[next]);
            }
            if can.iter().filter(|&&can| can).count() == before {
                return can;
            }
        }
    }
}

/// A random small world: facing pawns, kings, and now and then a loose man a side.
fn random_cage(random: &mut Random) -> Option<Position> {
    let mut board = Board::EMPTY;
    for file in File::ALL {
        if random.one_in(6) {
            continue;
        }
        let low = 1 + random.below(4) as usize;
        let high = low + 1 + usize::from(random.one_in(6));
        for (color, rank) in [(Color::White, low), (Color::Black, high)] {
            board.put(Square::new(file, Rank::from_index(rank)), Piece { color, role: Role::Pawn });
        }
    }
    let loose =
        [None, None, None, None, Some(Role::Bishop), Some(Role::Knight), Some(Role::Pawn), Some(Role::Rook)];
    for color in Color::ALL {
        for role in [Some(Role::King), random.pick(loose)].into_iter().flatten() {
            let square = Square::from_index(random.below(64) as usize)?;
            if board.piece_at(square).is_none() {
                board.put(square, Piece { color, role });
            }
        }
    }
    let turn = random.pick(Color::ALL);
    let setup = Setup { board, turn, castling: CastlingRights::NONE, ..Setup::standard() };
    Position::new(setup, Strictness::Playable).ok()
}

/// The judge of all proofs: every position that can follow is looked at, and every one of them is asked
/// about.
#[test]
fn l16_small_worlds_agree_with_looking_at_everything() {
    let worlds = random::cases(12);
    let mut random = Random::new(0);
    let (mut explored, mut no, mut yes, mut not_proven) = (0, 0, 0, 0);
    while explored < worlds {
        let Some(start) = random_cage(&mut random) else { continue };
        let Some(world) = World::explore(&start, 2_000) else { continue };
        explored += 1;
        for side in Color::ALL {
            for (here, can) in
                world.positions.iter().zip(world.can_mate(side)).step_by(1 + world.positions.len() / 40)
            {
                let told = answer(here, side);
                match told {
                    Answer::Yes => yes += 1,
                    Answer::No => no += 1,
                    Answer::NotProven => not_proven += 1,
                }
                assert!(
                    told == Answer::NotProven || (told == Answer::Yes) == can,
                    "{side}: {}",
                    fen::write(here)
                );
            }
        }
    }
    assert!(no > worlds && yes > 0 && not_proven < no + yes, "no {no}, yes {yes}, not proven {not_proven}");
}

/// Where a mate came of it, no position on the way may have been called hopeless.
#[test]
fn l16_no_position_on_the_way_to_a_mate_is_called_hopeless() {
    for (start, _) in rows(HARD).step_by(3) {
        for side in Color::ALL {
            let Some(line) = mating::mating_line(&start, side, Budget::AFTER_MOVE) else { continue };
            let mut here = start.clone();
            for mv in line {
                here.play(mv).expect("the line is legal");
                let told = mating::can_mate(&here, side, Budget { nodes: 120 }).answer;
                assert_ne!(told, Answer::No, "{side}: {}", fen::write(&here));
            }
        }
    }
}
