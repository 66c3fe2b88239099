//! A bound on all that can follow from a position, and what it proves: *no* mate.
//!
//! The bound is what [`Facts`] have grown to when nothing more can be added. A mate that cannot be put
//! together from it, even with every man where he may ever be, cannot arise.

use super::facts::Facts;
use super::fill;
use super::kings::Kings;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::CastlingRights;
use crate::color::Color;
use crate::position::Position;
use crate::square::Square;

/// The bound for one position.
pub(super) struct Reach {
    facts: Facts,
    /// Where the kings may stand together, if that was asked for.
    kings: Option<Kings>,
}

impl Reach {
    /// Takes each king alone: cheap.
    pub(super) fn new(position: &Position, side: Color) -> Self {
        Self::grow(Facts::new(position, side), position.castling(), None)
    }

    /// Takes the kings together: dear, and closer.
    pub(super) fn with_kings(position: &Position, side: Color) -> Self {
        Self::grow(Facts::new(position, side), position.castling(), Kings::new(position))
    }

    /// Of all that can follow from where the facts and the kings begin.
    pub(super) fn from_parts(facts: Facts, kings: Kings) -> Self {
        Self::grow(facts, CastlingRights::NONE, Some(kings))
    }

    fn grow(mut facts: Facts, castling: CastlingRights, mut kings: Option<Kings>) -> Self {
        loop {
            let before = facts;
            for color in Color::ALL {
                if kings.is_none() {
                    facts.add_castling(castling, color);
                    facts.add_king(color);
                }
                facts.add_officers(color);
                facts.add_pawns(color);
                facts.add_emptied(color);
            }
            if facts == before
                && let Some(kings) = &mut kings
            {
                kings.walk(&facts);
                facts.kings_took = kings.took;
                for color in Color::ALL {
                    facts.set_king(color, kings.squares(color));
                }
            }
            if facts == before {
                return Self { facts, kings };
            }
        }
    }

    /// Whether a mate by `side` cannot be ruled out.
    ///
    /// In a mate a man other than a king gives check, and every square beside the king is held by his own
    /// man, guarded by such a man, or guarded by the king of `side`: one king, on one square. Where that
    /// cannot be, even taking every man to be wherever it may ever be, no mate can be. With the kings taken
    /// together the last move counts too, and how many men there are to hold squares at once.
    pub(super) fn may_mate(&self) -> bool {
        let side = self.facts.side;
        let scene = Scene::new(&self.facts, side);
        self.facts.ever[!side].king.into_iter().any(|prey| match &self.kings {
            None => scene.may_mate_alone(prey),
            Some(kings) => scene.may_mate(prey, kings),
        })
    }
}

/// What a mate by `side` could be made of.
struct Scene<'a> {
    facts: &'a Facts,
    side: Color,
    /// What the men of `side` but the king might ever guard.
    guarded: Bitboard,
    /// Where men of the other side might ever stand, and where some stand for ever.
    held: Bitboard,
    fixed: Bitboard,
    /// Where a man that gives check would be captured, whatever was played.
    answered: Bitboard,
}

impl<'a> Scene<'a> {
    fn new(facts: &'a Facts, side: Color) -> Self {
        // A line goes on behind the king it attacks.
        let lines = facts.emptied | facts.start[!side].king;
        Self {
            facts,
            side,
            guarded: facts.ever[side].attacks(side, lines),
            held: facts.ever[!side].capturable(),
            fixed: facts.fixed(!side).capturable(),
            answered: facts.answered(),
        }
    }

    /// Whether the king on `prey` could be mated, our king standing wherever it ever may.
    fn may_mate_alone(&self, prey: Square) -> bool {
        let ring = fill::kings(prey.into());
        let left = ring - self.guarded - self.held;
        let posts = self.facts.ever[self.side].king - ring - prey.into();
        let posts = left.into_iter().fold(posts, |posts, square| posts & fill::kings(square.into()));
        !posts.is_empty() && self.may_check(prey, fill::kings(posts))
    }

    /// Whether a man other than the king might give check, safe from the king on `prey` while the squares
    /// of `kept` are guarded by our king.
    fn may_check(&self, prey: Square, kept: Bitboard) -> bool {
        let (men, ring) = (self.facts.ever[self.side], fill::kings(prey.into()));
        let walls = !self.facts.emptied;
        let by_line = attacks::bishop(prey, walls) & (men.bishop | men.queen)
            | attacks::rook(prey, walls) & (men.rook | men.queen);
        let near = (by_line | attacks::pawn(!self.side, prey) & men.pawn) & ring;
        let far = (by_line - ring) | attacks::knight(prey) & men.knight;
        let checks = far | near & (self.guarded | kept);
        !(checks - self.answered).is_empty()
    }

    /// Whether a move of `side` could mate the king on `prey`, the kings standing as they may together.
    fn may_mate(&self, prey: Square, kings: &Kings) -> bool {
        let ring = fill::kings(prey.into());
        let hunters = kings.hunters(self.side, prey);
        let stays = if self.facts.is_loose(self.side) { hunters } else { Bitboard::EMPTY };
        let targets = self.facts.kings_targets(self.side) - ring - prey.into();
        let steps_out = fill::kings(hunters & self.screens(prey)) & targets;
        (stays | steps_out).into_iter().any(|king| {
            let kept = fill::kings(king.into());
            let to_hold = ring - kept - self.guarded - self.fixed;
            (to_hold - self.held).is_empty() && self.can_hold(to_hold) && self.may_check(prey, kept)
        })
    }

    /// The squares where our king might stand between a line piece of ours and the king on `prey`.
    fn screens(&self, prey: Square) -> Bitboard {
        let (men, walls) = (self.facts.ever[self.side], !self.facts.emptied);
        let lines = attacks::rook(prey, walls) & (men.rook | men.queen)
            | attacks::bishop(prey, walls) & (men.bishop | men.queen);
        lines.into_iter().fold(Bitboard::EMPTY, |set, man| set | attacks::between(prey, man))
    }

    /// Whether the other side has men enough that can move to hold all these squares at once.
    fn can_hold(&self, squares: Bitboard) -> bool {
        let loose = self.facts.loose(!self.side);
        let bishops = loose
            .bishop
            .into_iter()
            .filter(|&bishop| self.facts.walk_of_bishop(!self.side, bishop).intersects(squares));
        (loose.capturable() - loose.bishop).count() + bishops.count() as u32 >= squares.count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::ByColor;
    use crate::mating::facts::Kinds;
    use crate::moves::Move;
    use crate::notation::fen;
    use crate::setup::Strictness;

    /// Marsaglia's xorshift: the same games on every machine.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % bound as u64) as usize
        }
    }

    fn starts() -> impl Iterator<Item = Position> {
        let sets = [
            include_str!("../../tests/data/mating/hard.txt"),
            include_str!("../../tests/data/mating/games.txt"),
            include_str!("../../tests/data/reference.epd"),
            include_str!("../../tests/data/tricky.epd"),
        ];
        let rows = sets.into_iter().flat_map(str::lines).filter(|row| !row.starts_with('#'));
        rows.map(|row| {
            let row = row.split(';').next().unwrap();
            let text = row.strip_prefix(['W', '-']).map_or(row, |row| row[1..].trim_start());
            fen::parse_position(text, Strictness::Playable).unwrap_or_else(|error| panic!("{row}: {error}"))
        })
    }

    /// What stands on the board must be among what was said could ever stand there.
    fn assert_within(facts: &Facts, kings: Option<&Kings>, position: &Position, start: &str) {
        let here = fen::write(position);
        let board = position.board();
        assert!((!board.occupied() - facts.emptied).is_empty(), "{here} from {start}: empty squares");
        for color in Color::ALL {
            let (now, ever) = (Kinds::new(position, color), facts.ever[color]);
            assert!((now.pawn - ever.pawn).is_empty(), "{here} from {start}: pawns");
            assert!((now.knight - ever.knight).is_empty(), "{here} from {start}: knights");
            assert!((now.bishop - ever.bishop - ever.queen).is_empty(), "{here} from {start}: bishops");
            assert!((now.rook - ever.rook - ever.queen).is_empty(), "{here} from {start}: rooks");
            assert!((now.queen - ever.queen).is_empty(), "{here} from {start}: queens");
            assert!((now.king - ever.king).is_empty(), "{here} from {start}: kings");
        }
        if let (Some(kings), Some(prey)) = (kings, board.king_of(!position.turn())) {
            let king = board.king_of(position.turn()).unwrap();
            assert!(
                kings.hunters(position.turn(), prey).contains(king),
                "{here} from {start}: pair of kings"
            );
        }
    }

    /// Whether a man is left that could mate, and will be after some move.
    fn goes_on(position: &Position, moves: &[Move], side: Color) -> bool {
        let has_men = |position: &Position| position.board().by_color(side).is_several();
        has_men(position) && moves.iter().any(|&mv| has_men(&position.after(mv)))
    }

    /// The proof in the head of this file, tried on random games: no move leads out of the bound, and no
    /// mate is reached that was ruled out.
    ///
    /// Only what goes on is promised: a mate of the side that was to mate, the loss of its last man, and of
    /// the bound with both kings together a stalemate, may leave it.
    #[test]
    fn l16_random_play_never_leaves_the_bound() {
        let games = std::env::var("CHATRANG_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let mut mates = 0;
        for start in starts() {
            let text = fen::write(&start);
            let bounds = ByColor::from_fn(|side| [Reach::new(&start, side), Reach::with_kings(&start, side)]);
            for _ in 0..games {
                let mut position = start.clone();
                for ply in 0..120 {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        if position.is_check() && ply > 0 {
                            mates += 1;
                            assert!(bounds[!position.turn()].iter().all(Reach::may_mate), "mate from {text}");
                        }
                        break;
                    }
                    for side in Color::ALL.into_iter().filter(|&side| goes_on(&position, &moves, side)) {
                        for bound in &bounds[side] {
                            assert_within(&bound.facts, bound.kings.as_ref(), &position, &text);
                        }
                    }
                    position = position.after(moves[random.below(moves.len())]);
                }
            }
        }
        assert!(mates > 100, "only {mates} mates");
    }
}
