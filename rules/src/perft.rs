//! Counting the leaves of the tree of legal moves: the usual proof of a move generator.

use crate::color::{Black, Color, Side, White};
use crate::movegen::generate;
use crate::movegen::sink::Count;
use crate::moves::MoveList;
use crate::position::Position;

/// How many sequences of `depth` legal moves there are.
///
/// The last move of each is only counted; all others are made, on a copy of the position.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match (depth.checked_sub(1), position.turn()) {
        (None, _) => 1,
        (Some(before_last), Color::White) => leaves::<White>(position, before_last),
        (Some(before_last), Color::Black) => leaves::<Black>(position, before_last),
    }
}

/// The leaves `before_last + 1` plies below a position with `Us` to move.
fn leaves<Us: Side>(position: &Position, before_last: u32) -> u64 {
    if before_last == 0 {
        let mut count = Count::default();
        generate::<Us>(position, &mut count);
        return u64::from(count.total());
    }
    let mut moves = MoveList::new();
    generate::<Us>(position, &mut moves);
    let each = moves.iter().map(|&mv| {
        let mut next = position.clone();
        next.play_as::<Us>(mv);
        leaves::<Us::Opponent>(&next, before_last - 1)
    });
    each.sum()
}
