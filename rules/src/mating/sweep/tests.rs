use super::*;
use crate::notation::fen;
use crate::repetition::PositionKey;
use crate::setup::Strictness;
use std::collections::HashSet;

const POSITIONS_MAX: usize = 1_500;

/// All positions that can follow, one by one; none where they are too many.
fn closure(start: &Position) -> Option<Vec<Position>> {
    let mut met = HashSet::from([PositionKey::new(start)]);
    let mut positions = vec![start.clone()];
    let mut next = 0;
    while let Some(position) = positions.get(next).cloned() {
        next += 1;
        let after = position.legal_moves().into_iter().map(|mv| position.after(mv));
        positions.extend(after.filter(|after| met.insert(PositionKey::new(after))));
        if positions.len() > POSITIONS_MAX {
            return None;
        }
    }
    Some(positions)
}

/// A sweep says of both sides what looking at every position says, and its line is one of legal moves;
/// where nothing was left out, it met just as many positions.
#[test]
fn l16_a_sweep_meets_what_looking_at_every_position_does() {
    let (mut yes, mut no, mut same) = (0, 0, 0);
    for row in include_str!("../../../tests/data/mating/hard.txt").lines() {
        let Some((_, text)) = row.split_once(' ').filter(|_| !row.starts_with('#')) else { continue };
        let start = fen::parse_position(text, Strictness::Playable).unwrap();
        let Some(positions) = closure(&start).filter(|_| !start.is_checkmate()) else { continue };
        for side in Color::ALL {
            let Some(mut sweep) = Sweep::new(&start, side) else { continue };
            let is_mate = |position: &Position| position.turn() != side && position.is_checkmate();
            let can = positions.iter().any(is_mate);
            let expected = if can { Answer::Yes } else { Answer::No };
            assert_eq!(sweep.run(u64::MAX), expected, "{side} in {row}");
            if can {
                let mut here = start.clone();
                for mv in sweep.line().unwrap() {
                    here.play(mv).unwrap();
                }
                assert!(is_mate(&here), "{side} in {row}");
                yes += 1;
            } else if sweep.hopeless == 0 && sweep.nodes.iter().all(|node| !node.is_hopeless) {
                let met = sweep.nodes.iter().flat_map(|node| [&node.met.white, &node.met.black]);
                let met: u32 = met.flat_map(Pairs::rows).map(|(_, others)| others.count()).sum();
                assert_eq!(met as usize, positions.len(), "{row}");
                same += 1;
            }
            no += u32::from(!can);
        }
    }
    assert!(yes > 50 && no > 500 && same > 300, "{yes} yes, {no} no, {same} alike");
}
