//! Pictures of a mate: who stands where when it is over. They only steer the walk.

use super::fill;
use super::plan::{distances, walkable};
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::piece::Role;
use crate::position::Position;
use crate::square::Square;

pub(super) struct Picture {
    /// Where the king is mated.
    pub(super) prey: Square,
    /// Where the other king stands; none if he is not needed.
    pub(super) post: Bitboard,
    /// From where each kind of man gives the last check.
    pub(super) rook: Bitboard,
    pub(super) queen: Bitboard,
    pub(super) knight: Bitboard,
    pub(super) bishop: Bitboard,
    /// Where a man of the mated side stands in his king's way.
    pub(super) block: Option<Square>,
    /// About how many moves it takes.
    cost: i32,
}

const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);
const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
const FAR: u8 = 12;


/// The pictures nearest to what stands on the board, with kings mated on different squares.
pub(super) fn list(position: &Position, side: Color, count: usize) -> Vec<Picture> {
    let board = position.board();
    let (Some(prey), Some(king)) = (board.king_of(!side), board.king_of(side)) else { return Vec::new() };
    let (prey_free, king_free) = walkable(board, side);
    let gallery = Gallery {
        board,
        side,
        from_prey: distances(prey.into(), fill::kings, prey_free, FAR),
        from_king: distances(king.into(), fill::kings, king_free, FAR),
    };
    let mut pictures = Vec::with_capacity(64);
    let of = |role| board.by_piece(side, role);
    let heavy = of(Role::Queen) | of(Role::Rook);
    if (heavy | of(Role::Pawn)).is_empty() {
        gallery.add_blocked_corners(&mut pictures);
    } else {
        for target in EDGE {
            gallery.add_edge(target, &mut pictures);
        }
    }
    pictures.sort_by_key(|picture| picture.cost);
    let mut chosen: Vec<Picture> = Vec::with_capacity(count);
    for picture in pictures {
        if chosen.len() < count && chosen.iter().all(|other| distance(other.prey, picture.prey) > 1 || (other.block != picture.block)) {
            chosen.push(picture);
        }
    }
    if chosen.is_empty() {
        chosen.push(gallery.picture(prey, Bitboard::EMPTY, 0));
    }
    chosen
}

struct Gallery<'a> {
    board: &'a Board,
    side: Color,
    from_prey: [u8; 64],
    from_king: [u8; 64],
}

impl Gallery<'_> {
    fn picture(&self, prey: Square, post: Bitboard, cost: i32) -> Picture {
        Picture {
            prey,
            post,
            rook: Bitboard::EMPTY,
            queen: Bitboard::EMPTY,
            knight: attacks::knight(prey),
            bishop: attacks::bishop(prey, Bitboard::EMPTY),
            block: None,
            cost,
        }
    }

    fn walk(&self, target: Square) -> Option<i32> {
        let moves = self.from_prey[target.index()];
        (moves < FAR).then_some(i32::from(moves))
    }

    /// A king on the edge: shut in by the other king, or by his own men.
    fn add_edge(&self, target: Square, pictures: &mut Vec<Picture>) {
        let Some(prey_moves) = self.walk(target) else { return };
        let ring = fill::kings(target.into());
        let own = (ring & self.board.by_color(self.side)).count() as i32;
        let lines = [Bitboard::from_rank(target.rank()), Bitboard::from_file(target.file())];
        for line in lines {
            let rest = ring - line;
            if !(EDGE & line - EDGE).is_empty() || (line & EDGE) != line {
                continue;
            }
            let hits = line & attacks::rook(target, self.board.by_role(Role::Pawn)) - self.board.by_color(self.side);
            for post in posts(target, rest) {
                let king_moves = self.from_king[post.index()];
                if king_moves >= FAR {
                    continue;
                }
                let king_moves = i32::from(king_moves);
                let cost = 4 * (prey_moves + king_moves) + prey_moves.max(king_moves) + 5 * own;
                let guarded = fill::kings(post.into());
                let far = hits - (ring - guarded);
                let picture = self.picture(target, post.into(), cost);
                pictures.push(Picture { rook: far, queen: far | ring & guarded, ..picture });
            }
        }
    }

    /// A corner with a man of his own in the way: what a single minor piece can mate.
    fn add_blocked_corners(&self, pictures: &mut Vec<Picture>) {
        for target in CORNERS {
            let Some(prey_moves) = self.walk(target) else { continue };
            let ring = fill::kings(target.into());
            for block in fill::orthogonal_neighbours(target.into()) {
                let rest = ring - block.into();
                for post in posts(target, rest) {
                    let king_moves = i32::from(self.from_king[post.index()]);
                    let Some(block_moves) = self.block_moves(block) else { continue };
                    let moves = king_moves.max(prey_moves + block_moves);
                    let picture = self.picture(target, post.into(), 4 * (prey_moves + king_moves + block_moves) + moves);
                    pictures.push(Picture { block: Some(block), ..picture });
                }
            }
        }
    }

    /// About how many moves bring some man of the mated side to `block`.
    fn block_moves(&self, block: Square) -> Option<i32> {
        let men = self.board.by_color(!self.side) - self.board.by_role(Role::King);
        men.into_iter()
            .filter_map(|from| {
                let piece = self.board.piece_at(from)?;
                let ahead = (block.rank() as i32 - from.rank() as i32) * i32::from((!self.side).pawn_step());
                match piece.role {
                    Role::Pawn if from.file() == block.file() && ahead >= 0 => Some(ahead),
                    Role::Pawn => Some(ahead.max(0) + 4),
                    Role::Knight => Some((distance(from, block) + 1) / 2 + 1),
                    Role::Bishop => (from.is_light() == block.is_light()).then_some(2),
                    Role::Rook => Some(3),
                    _ => Some(6),
                }
            })
            .min()
    }
}

/// Where a king two squares away guards all of `rest`.
fn posts(target: Square, rest: Bitboard) -> Bitboard {
    let ring = fill::kings(target.into());
    let around = fill::kings(ring) - ring - target.into();
    around.into_iter().filter(|&post| (rest - fill::kings(post.into())).is_empty()).collect()
}

fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}
