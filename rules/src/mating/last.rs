//! Moves after which all is over for the side that was to mate.
//!
//! The question is whether `side` can mate, so nothing need be said of what follows
//!
//! - the capture of its last man: a lone king mates nobody;
//! - a check by which it is mated itself. When its king never moves, and nothing of its own ever stands on
//!   the square of the man who gives check, or between, then nothing answers the check;
//! - a check by its last man beside a king who never moves: he captures, or another does.
//!
//! Such a move is none for [`Facts`]: a man who has no other is fixed, and what he guards is guarded for
//! ever. That is sound as the rest is: before the first move that leaves the facts all men were where the
//! facts have them, so the answers that could be given to the check are known. Only what the move itself
//! takes away must be left out: the guards of the man who moves, the lines that he closes where he
//! arrives, and those that he opens to the other side's line pieces where he leaves.

use super::facts::{Facts, Kinds};
use super::fill;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::Role;
use crate::position::pawn_rank;
use crate::square::{Rank, Square};

/// Where a man, by what he is, gives the last check.
#[derive(Clone, Copy, Default)]
pub(super) struct Last {
    pub(super) pawn: Bitboard,
    pub(super) knight: Bitboard,
    pub(super) bishop: Bitboard,
    pub(super) rook: Bitboard,
    /// Of queens, that may also be rooks or bishops promoted to.
    pub(super) queen: Bitboard,
}

impl Facts {
    /// Where `color` may ever capture, the last man who could mate left out.
    pub(super) fn victims(&self, color: Color) -> Bitboard {
        let is_spared = color != self.side && self.has_one_man();
        if is_spared { Bitboard::EMPTY } else { self.ever[!color].capturable() }
    }

    fn has_one_man(&self) -> bool {
        !self.start[self.side].capturable().is_several()
    }

    /// Where men of `color` that have moved already end it all.
    pub(super) fn last_squares(&self, color: Color) -> Last {
        if color == self.side { self.lost_squares() } else { self.mates(Bitboard::EMPTY) }
    }

    /// Where a check by the last man, with the king to be mated on any square, is answered by his capture,
    /// whatever is played: nobody else can pin the captor. Our king may take a captor as he bares the check.
    pub(super) fn answered(&self) -> Bitboard {
        if !self.has_one_man() {
            return Bitboard::EMPTY;
        }
        let taken = fill::kings(self.ever[self.side].king) & self.kings_targets(self.side);
        let fixed = Kinds { king: Bitboard::EMPTY, ..self.fixed(!self.side).within(!taken) };
        fixed.attacks(!self.side, self.never_held())
    }

    /// Where the last man gives check beside a king who never moves, and will be captured.
    fn lost_squares(&self) -> Last {
        let Some(prey) = self.fixed(!self.side).king.first() else { return Last::default() };
        if !self.has_one_man() || !self.start[self.side].pawn.is_empty() {
            return Last::default();
        }
        let kept = fill::kings(self.ever[self.side].king) - self.answered();
        let beside = fill::kings(prey.into()) - kept;
        let straight = attacks::rook_lines(prey);
        Last { bishop: beside - straight, rook: beside & straight, queen: beside, ..Last::default() }
    }

    /// Whether a man of the other side that has not moved yet may do so without mating us.
    pub(super) fn may_leave(&self, role: Role, from: Square) -> bool {
        let targets = self.first_targets(role, from);
        if targets.is_empty() {
            return false;
        }
        let last = self.mates(from.into());
        let contact = fill::kings(self.start[self.side].king);
        // Between a line piece and our king a man of ours could come over the square that was left.
        let last = match role {
            Role::Pawn => last.pawn,
            Role::Knight => last.knight,
            Role::Bishop => last.queen | last.bishop & contact,
            Role::Rook => last.queen | last.rook & contact,
            _ => last.queen | (last.bishop | last.rook) & contact,
        };
        targets.into_iter().any(|to| !last.contains(to) || self.may_follow(from, to))
    }

    fn first_targets(&self, role: Role, from: Square) -> Bitboard {
        let (color, at, victims) = (!self.side, Bitboard::from_square(from), self.victims(!self.side));
        let targets = self.emptied | victims;
        match role {
            Role::Pawn => {
                let single = fill::ahead(color, at) & self.emptied;
                let passed = single & fill::ahead(color, Bitboard::from_rank(pawn_rank(color)));
                single | fill::ahead(color, passed) & self.emptied | fill::pawns(color, at) & victims
            }
            Role::Knight => fill::knights(at) & targets,
            Role::Bishop => fill::bishops(at, self.emptied) & targets,
            Role::Rook => fill::rooks(at, self.emptied) & targets,
            _ => (fill::bishops(at, self.emptied) | fill::rooks(at, self.emptied)) & targets,
        }
    }

    /// Whether a line piece of ours might capture a man on `to` over the square `from` that he left.
    fn may_follow(&self, from: Square, to: Square) -> bool {
        let (ours, line) = (self.ever[self.side], attacks::line(from, to));
        let movers = if attacks::rook_lines(from).contains(to) { ours.rook } else { ours.bishop };
        line.intersects(movers | ours.queen)
    }

    /// Where the other side's men would mate our king who never moves, having left the square of `leaving`.
    fn mates(&self, leaving: Bitboard) -> Last {
        let Some(king) = self.fixed(self.side).king.first() else { return Last::default() };
        let (color, ours) = (!self.side, self.ever[self.side]);
        let fixed = self.fixed(color).within(!leaving);
        let flights = fill::kings(king.into()) & (self.emptied | self.ever[color].capturable());
        let has_no_flight = |to: &Square| {
            let guarded = fixed.attacks(color, self.never_held() - (*to).into()) | fill::kings(fixed.king);
            (flights - guarded).is_empty()
        };
        let taken = ours.capturable() | fill::pawns(self.side, ours.pawn);
        let last = |checks: Bitboard| (checks - taken).into_iter().filter(has_no_flight).collect();
        let bared = self.bared(king, leaving);
        let bared: Bitboard = bared.into_iter().filter(has_no_flight).collect();
        let walls = !self.never_held();
        let ends = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
        let in_passing = fill::ahead(color, fill::pawns(self.side, ours.pawn));
        Last {
            pawn: bared | last(attacks::pawn(self.side, king) - ends - in_passing),
            knight: bared | last(attacks::knight(king)),
            bishop: bared | last(attacks::bishop(king, walls)),
            rook: bared | last(attacks::rook(king, walls)),
            queen: bared,
        }
    }

    /// Where the man who leaves may go so that a fixed man behind him gives a check that nothing answers.
    fn bared(&self, king: Square, leaving: Bitboard) -> Bitboard {
        let (fixed, ours) = (self.fixed(!self.side), self.ever[self.side]);
        let walls = !(self.never_held() | leaving);
        let men = attacks::bishop(king, walls) & (fixed.bishop | fixed.queen)
            | attacks::rook(king, walls) & (fixed.rook | fixed.queen);
        let steps = fill::ahead(self.side, ours.pawn);
        let answers =
            ours.capturable() | fill::pawns(self.side, ours.pawn) | steps | fill::ahead(self.side, steps);
        let lines = men.into_iter().map(|man| attacks::between(king, man) | man.into());
        lines
            .filter(|line| line.intersects(leaving) && !line.intersects(answers))
            .fold(Bitboard::EMPTY, |set, line| set | !line)
    }
}
