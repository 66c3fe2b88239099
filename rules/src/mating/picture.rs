//! Pictures of a mate: who stands where when it is over. They only steer a walk.
//!
//! Two kinds do for nearly all positions: a king on the edge, shut in by the other king and checked along
//! the edge by a queen or rook; and a king in a corner, checked by a minor piece, the squares beside him
//! guarded by the other king or a second minor piece or held by his own men.

use super::fill;
use super::plan::{distances, walkable};
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::piece::Role;
use crate::position::Position;
use crate::square::Square;

/// Where the men that matter stand in the end.
pub(super) struct Picture {
    /// The king who is mated.
    pub(super) prey: Square,
    /// The other king; no square if he is not needed.
    pub(super) post: Bitboard,
    /// Where each kind of man gives the last check from.
    pub(super) rook: Bitboard,
    pub(super) queen: Bitboard,
    pub(super) knight: Bitboard,
    pub(super) bishop: Bitboard,
    /// A second minor piece: what it is, and where it may stand.
    pub(super) helper: Option<(Role, Bitboard)>,
    /// Men of the mated side, beside their king.
    pub(super) blocks: Bitboard,
    /// About how many moves it takes, in quarters.
    cost: i32,
}

/// What it costs to make a queen first, of a pawn that no enemy pawn stands before, or of one blocked.
const RUNNING: i32 = 8;
const WALLED: i32 = 40;
/// What each own man costs that stands beside the square of the mate: he may guard it from there no more.
const OWN_MAN_BESIDE: i32 = 5;

/// What it costs that a man in his king's way can take the checker, or checks the other king.
const SPOILT: i32 = 8;

const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);
const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
/// More moves than any king's way takes: there is none.
const NO_WAY: u8 = 12;

/// The `count` nearest pictures that differ in earnest; at least one on a board with both kings.
pub(super) fn list(position: &Position, side: Color, count: usize) -> Vec<Picture> {
    let board = position.board();
    let (Some(prey), Some(king)) = (board.king_of(!side), board.king_of(side)) else { return Vec::new() };
    let (prey_free, king_free) = walkable(board, side);
    let gallery = Gallery {
        board,
        side,
        from_prey: distances(prey.into(), fill::kings, prey_free, NO_WAY),
        from_king: distances(king.into(), fill::kings, king_free, NO_WAY),
    };
    let mut pictures = gallery.paint();
    pictures.sort_by_key(|picture| picture.cost);
    let mut chosen: Vec<Picture> = Vec::with_capacity(count);
    for picture in pictures {
        let is_new =
            |other: &Picture| distance(other.prey, picture.prey) > 1 || other.blocks != picture.blocks;
        if chosen.len() < count && chosen.iter().all(is_new) {
            chosen.push(picture);
        }
    }
    if chosen.is_empty() {
        chosen.push(blank(prey, Bitboard::EMPTY, 0));
    }
    chosen
}

/// A picture without anyone who gives check.
fn blank(prey: Square, post: Bitboard, cost: i32) -> Picture {
    let nowhere = Bitboard::EMPTY;
    Picture {
        prey,
        post,
        rook: nowhere,
        queen: nowhere,
        knight: nowhere,
        bishop: nowhere,
        helper: None,
        blocks: nowhere,
        cost,
    }
}

struct Gallery<'a> {
    board: &'a Board,
    side: Color,
    /// How many moves the kings need to any square.
    from_prey: [u8; 64],
    from_king: [u8; 64],
}

/// A man that gives check in a corner.
struct Hunter {
    role: Role,
    from: Square,
}

impl Gallery<'_> {
    fn paint(&self) -> Vec<Picture> {
        let mut pictures = Vec::with_capacity(64);
        let of = |role| self.board.by_piece(self.side, role);
        let has_hunter = !(of(Role::Queen) | of(Role::Rook)).is_empty();
        if !has_hunter {
            for target in CORNERS {
                self.add_corner(target, &mut pictures);
            }
        }
        let promotion = if has_hunter { Some(0) } else { self.promotion_cost() };
        if let Some(promotion) = promotion {
            pictures.extend(EDGE.into_iter().filter_map(|target| self.edge(target, promotion)));
        }
        pictures
    }

    /// About how dear it is to get a queen; none if there is no pawn.
    fn promotion_cost(&self) -> Option<i32> {
        let pawns = self.board.by_piece(self.side, Role::Pawn);
        if pawns.is_empty() {
            return None;
        }
        let blocked = fill::all_ahead(!self.side, self.board.by_piece(!self.side, Role::Pawn));
        Some(if (pawns - blocked).is_empty() { WALLED } else { RUNNING })
    }

    /// A king on the edge, shut in by the other and checked along the edge.
    fn edge(&self, prey: Square, promotion: i32) -> Option<Picture> {
        let prey_moves = way(&self.from_prey, prey)?;
        let ring = fill::kings(prey.into());
        let posts = two_steps_from(prey).into_iter().filter_map(|post| {
            let king_moves = way(&self.from_king, post)?;
            let rest = ring - fill::kings(post.into());
            let lines = [Bitboard::from_rank(prey.rank()), Bitboard::from_file(prey.file())];
            let line =
                lines.into_iter().find(|&line| (line - EDGE).is_empty() && (rest - line).is_empty())?;
            Some((4 * king_moves + prey_moves.max(king_moves), post, line))
        });
        let (moves, post, line) = posts.min_by_key(|&(moves, ..)| moves)?;
        let guarded = fill::kings(post.into());
        let own = self.board.by_color(self.side);
        let checks = (line & attacks::rook(prey, self.board.by_role(Role::Pawn))) - own;
        let far = checks - (ring - guarded);
        let beside = (ring & own).count().cast_signed();
        let cost = 4 * prey_moves + moves + OWN_MAN_BESIDE * beside + promotion;
        Some(Picture { rook: far, queen: far | (ring & guarded), ..blank(prey, post.into(), cost) })
    }

    /// A king in a corner, checked by a minor piece.
    fn add_corner(&self, prey: Square, pictures: &mut Vec<Picture>) {
        let posts = two_steps_from(prey).into_iter().map(Bitboard::from);
        for post in posts.chain([Bitboard::EMPTY]) {
            for role in [Role::Knight, Role::Bishop] {
                for from in self.board.by_piece(self.side, role) {
                    self.add_check_in_corner(prey, post, &Hunter { role, from }, pictures);
                }
            }
        }
    }

    fn add_check_in_corner(
        &self,
        prey: Square,
        post: Bitboard,
        hunter: &Hunter,
        pictures: &mut Vec<Picture>,
    ) {
        let king_moves = post.first().map_or(Some(0), |post| way(&self.from_king, post));
        let (Some(prey_moves), Some(king_moves)) = (way(&self.from_prey, prey), king_moves) else { return };
        let ring = fill::kings(prey.into());
        for check in minor_attacks(hunter.role, prey) - post {
            let Some(hunter_moves) = minor_moves(hunter.role, hunter.from, check) else { continue };
            let rest = ring - fill::kings(post) - minor_attacks(hunter.role, check);
            let Some((moves, helper, blocks)) = self.fill(rest, prey, hunter.from) else { continue };
            let is_spoilt = self.attacks_from(blocks).intersects(post | check.into());
            let most = (king_moves + hunter_moves).max(prey_moves);
            let cost = 4 * (prey_moves + king_moves + moves + hunter_moves) + most;
            let cost = cost + if is_spoilt { SPOILT } else { 0 };
            let mut picture = Picture { helper, blocks, ..blank(prey, post, cost) };
            match hunter.role {
                Role::Knight => picture.knight = check.into(),
                _ if ring.contains(check) => picture.bishop = check.into(),
                _ => picture.bishop = minor_attacks(Role::Bishop, prey) - ring,
            }
            pictures.push(picture);
        }
    }

    /// What knights and bishops attack that stand in their king's way.
    fn attacks_from(&self, blocks: Bitboard) -> Bitboard {
        let theirs = |role| !self.board.by_piece(!self.side, role).is_empty();
        let knights = if theirs(Role::Knight) { fill::knights(blocks) } else { Bitboard::EMPTY };
        let bishops = if theirs(Role::Bishop) { fill::diagonal_neighbours(blocks) } else { Bitboard::EMPTY };
        knights | bishops
    }

    /// How the squares of `rest` can be taken from the king: guarded by a second minor piece, or held by
    /// men of his own; in how many moves.
    fn fill(&self, rest: Bitboard, prey: Square, hunter: Square) -> Option<Filling> {
        if rest.is_empty() {
            return Some((0, None, rest));
        }
        let second = [Role::Knight, Role::Bishop].into_iter().flat_map(|role| {
            let posts = rest
                .into_iter()
                .fold(!(rest | prey.into()), |posts, square| posts & minor_attacks(role, square));
            let men = self.board.by_piece(self.side, role) - hunter.into();
            men.into_iter().filter_map(move |from| {
                let moves = posts.into_iter().filter_map(|post| minor_moves(role, from, post)).min()?;
                Some((moves, Some((role, posts)), Bitboard::EMPTY))
            })
        });
        let men = self.board.by_color(!self.side).count() - 1;
        let blocks = rest.into_iter().map(|square| self.block_moves(square)).sum::<Option<i32>>();
        let held = blocks.filter(|_| rest.count() <= men.min(2)).map(|moves| (moves, None, rest));
        second.chain(held).min_by_key(|&(moves, ..)| moves)
    }

    /// About how many moves bring some man of the mated side to a square.
    fn block_moves(&self, block: Square) -> Option<i32> {
        let men = self.board.by_color(!self.side) - self.board.by_role(Role::King);
        let moves = men.into_iter().filter_map(|from| {
            let ranks = block.rank() as i32 - from.rank() as i32;
            let ahead = ranks * i32::from((!self.side).pawn_step());
            match self.board.role_at(from)? {
                Role::Pawn if from.file() == block.file() && ahead >= 0 => Some(ahead),
                Role::Pawn => Some(ahead.max(0) + 4),
                Role::Knight => Some((distance(from, block) + 1) / 2 + 1),
                Role::Bishop => (from.is_light() == block.is_light()).then_some(2),
                Role::Rook => Some(3),
                _ => Some(6),
            }
        });
        moves.min()
    }
}

/// In how many moves, the second minor piece's role and posts, and the squares held by the king's own men.
type Filling = (i32, Option<(Role, Bitboard)>, Bitboard);

fn way(moves: &[u8; 64], to: Square) -> Option<i32> {
    let moves = moves[to.index()];
    (moves < NO_WAY).then_some(i32::from(moves))
}

/// The squares from which a king guards some square beside the other king.
fn two_steps_from(prey: Square) -> Bitboard {
    let ring = fill::kings(prey.into());
    fill::kings(ring) - ring - prey.into()
}

/// What a minor piece attacks on an empty board.
fn minor_attacks(role: Role, from: Square) -> Bitboard {
    match role {
        Role::Knight => attacks::knight(from),
        _ => attacks::bishop(from, Bitboard::EMPTY),
    }
}

/// About how many moves a minor piece needs on an empty board, if it ever gets there.
fn minor_moves(role: Role, from: Square, to: Square) -> Option<i32> {
    match role {
        _ if from == to => Some(0),
        _ if minor_attacks(role, from).contains(to) => Some(1),
        Role::Knight => Some((distance(from, to) + 1) / 2 + 1),
        _ => (from.is_light() == to.is_light()).then_some(2),
    }
}

fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}
