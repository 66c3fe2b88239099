//! Who sits at a random table, by which terms, and what they do next: mostly something sensible, often not.

use crate::controls::controls;
use crate::random::Random;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{
    Absence, AbsenceClaim, Arbiter, ArbiterActs, Claim, Command, Decision, FlagFall, Game, GameInstant,
    IllegalMoves, Matter, Millis, NoShow, Order, Party, Profile, Proposal, Quickplay, QuickplayClaim,
    SealedMove, Stakes, Stamp, Suspension, Terms, TouchMove, Unpromoted, WrongClaim,
};
use chatrang_rules::moves::Move;
use chatrang_rules::outcome::{Outcome, Score};
use chatrang_rules::piece::Role;
use chatrang_rules::square::Square;

/// What the players of a game like to do.
#[derive(Clone, Copy)]
enum Style {
    /// Any move.
    Wander,
    /// Men that go and come back.
    Shuffle,
    /// Men that go about, and neither pawns nor captures.
    Roam,
    /// Captures, until nobody can mate.
    Trade,
}

/// Everybody at one table.
pub(crate) struct People {
    pub(crate) random: Random,
    style: Style,
    /// One in so many moves is whatever a hand may do.
    care: u64,
    /// One in so many commands is not a move.
    quiet: u64,
    /// How long a step of time usually is at the most, in milliseconds.
    pace_ms: u64,
    now: GameInstant,
}

impl People {
    pub(crate) fn new(mut random: Random) -> Self {
        let style = random.pick([Style::Wander, Style::Shuffle, Style::Roam, Style::Trade]);
        let care = random.pick([4, 20, 200, 200]);
        let quiet = random.pick([2, 3, 8, 30]);
        let pace_ms = random.pick([1, 100, 1_000, 10_000, 60_000]);
        Self { random, style, care, quiet, pace_ms, now: GameInstant::START }
    }

    /// Terms of any profile with some of its settings changed.
    pub(crate) fn terms(&mut self) -> Terms {
        let random = &mut self.random;
        let mut terms = Terms::of(random.pick(Profile::ALL), controls(random));
        terms.first_move = Millis(random.pick([1, 60_000, 600_000, 86_400_000, u64::MAX]));
        terms.agreement_from = random.pick([0, 1, 1, 1, 5, 40, u16::MAX]);
        terms.stakes = random.pick([Stakes::Casual, Stakes::Rated]);
        terms.arbiter = random.pick([Arbiter::Nobody, Arbiter::Named, Arbiter::Named]);
        if random.one_in(6) {
            // A game that can come to a quickplay finish.
            terms = Terms::of(
                random.pick(Profile::ALL),
                random.pick(["15", "2/60,20"]).parse().expect("controls"),
            );
            terms.arbiter = Arbiter::Named;
        }
        if random.one_in(2) {
            self.override_some(&mut terms);
        }
        terms
    }

    fn override_some(&mut self, terms: &mut Terms) {
        let (random, conduct) = (&mut self.random, &mut terms.conduct);
        let penalty = Millis(random.pick([0, 30_000, 60_000, 3_600_000]));
        let lost_at = random.pick([1, 2, 3, 9]);
        let put_back = IllegalMoves::PutBack { lost_at, penalty };
        for setting in 0..10 {
            if !random.one_in(3) {
                continue;
            }
            match setting {
                0 => conduct.touch_move = random.pick([TouchMove::Off, TouchMove::On]),
                1 => {
                    let rules = [IllegalMoves::Refused, IllegalMoves::Stand, put_back];
                    conduct.illegal_moves = random.pick(rules);
                }
                2 => conduct.unpromoted = random.pick([Unpromoted::AsIllegal, Unpromoted::Queen]),
                3 => conduct.flag_fall = random.pick([FlagFall::Noticed, FlagFall::Claimed]),
                4 => {
                    conduct.wrong_claim = random.pick([WrongClaim::Refused, WrongClaim::Penalty(penalty)]);
                }
                5 => {
                    let claims = [Quickplay::Off, Quickplay::IncrementOrDraw, Quickplay::DrawOnly];
                    conduct.quickplay = random.pick(claims);
                }
                6 => conduct.arbiter = random.pick([ArbiterActs::WhenCalled, ArbiterActs::Unasked]),
                7 => conduct.no_show = random.pick([NoShow::Aborted, NoShow::Lost]),
                8 => {
                    let absences = [Absence::Borne, Absence::Claimed, Absence::Automatic];
                    conduct.absence = random.pick(absences);
                }
                _ => conduct.sealed_move = random.pick([SealedMove::No, SealedMove::Yes]),
            }
        }
    }

    /// Some time later, now and then very much later, and sometimes as if it were earlier.
    pub(crate) fn stamp(&mut self, game: &Game) -> Stamp {
        let random = &mut self.random;
        let step = match random.below(400) {
            0 => u64::MAX >> random.below(64),
            1..=4 => random.below(10_000_000),
            5..=30 => random.below(60_000),
            31..=70 => 0,
            71..=73 => game.deadline().map_or(0, |at| at.since(self.now).0),
            74..=79 => until_short_of_time(game),
            _ => random.below(self.pace_ms + 1),
        };
        // The end of time is reached seldom, and nothing comes after it.
        self.now = self.now.plus(Millis(step));
        let now = if random.one_in(30) { GameInstant(random.below(self.now.0)) } else { self.now };
        let house = match random.below(40) {
            0 => u64::MAX,
            1..=9 => random.below(step.saturating_add(10)),
            _ => 0,
        };
        let path_rtt = random.pick([0, 0, 40, 400, 4_000, u64::MAX]);
        Stamp { now, house: Millis(house), path_rtt: Millis(path_rtt) }
    }

    /// What happens next, and who does it.
    pub(crate) fn command(&mut self, game: &Game) -> (Party, Command) {
        let turn = game.position().turn();
        if self.random.one_in(60) {
            return self.stranger(game);
        }
        if let Some(why) = game.suspension().filter(|_| self.random.one_in(2)) {
            return self.play_on(game, why);
        }
        if let Some((sealer, has_move)) = game.envelope().filter(|_| self.random.one_in(2)) {
            let command = if has_move { Command::CloseEnvelope } else { Command::Seal(self.mv(game)) };
            return (Party::Player(sealer), command);
        }
        if let Some((by, proposal)) = standing(game).filter(|_| self.random.one_in(4)) {
            let matter = proposal.matter();
            let refuses = self.random.one_in(3) || proposal == Proposal::Draw && !self.random.one_in(8);
            let answer = if refuses { Command::Decline(matter) } else { Command::Accept(matter) };
            return (Party::Player(!by), answer);
        }
        let may_stand = game.terms().conduct.illegal_moves == IllegalMoves::Stand;
        if may_stand && self.random.one_in(self.care.min(50)) {
            return (Party::Player(turn), Command::ClaimIllegalMove);
        }
        if self.random.one_in(self.quiet) {
            return match self.random.below(20) {
                0..=2 => (Party::House, self.house(game)),
                3..=5 => (Party::Arbiter, self.ruling(game)),
                _ => {
                    let by = if self.random.one_in(3) { !turn } else { turn };
                    (Party::Player(by), self.word(game))
                }
            };
        }
        (Party::Player(turn), Command::Move(self.mv(game)))
    }

    /// Whatever, by whoever.
    fn stranger(&mut self, game: &Game) -> (Party, Command) {
        let color = self.random.pick(Color::ALL);
        let by = self.random.pick([Party::Player(color), Party::Arbiter, Party::House]);
        let command = match self.random.below(4) {
            0 => self.house(game),
            1 => self.ruling(game),
            2 => Command::Move(self.mv(game)),
            _ => self.word(game),
        };
        (by, command)
    }

    /// What may end a stop of the clocks.
    fn play_on(&mut self, game: &Game, why: Suspension) -> (Party, Command) {
        let color = self.random.pick(Color::ALL);
        let absent = Color::ALL.into_iter().find(|&side| game.absent_since(side).is_some());
        match (why, absent) {
            (Suspension::Restart, _) => (Party::House, Command::Continue),
            (Suspension::Adjournment, Some(absent)) => (Party::House, Command::Returned(absent)),
            (Suspension::Pause | Suspension::Adjournment | Suspension::Call { .. }, _) => {
                (Party::Player(color), Command::Resume)
            }
            (Suspension::Arbiter, _) => (Party::Arbiter, self.rule(Order::Resume)),
            (Suspension::Claim { .. }, _) => {
                let bonus = Millis(self.random.pick([0, 60_000, u64::MAX]));
                let orders = [Order::Grant, Order::Reject, Order::Postpone { bonus }];
                let order = self.random.pick(orders);
                (Party::Arbiter, self.rule(order))
            }
        }
    }

    /// A move of the side to move, mostly one that it may make.
    fn mv(&mut self, game: &Game) -> Move {
        let has_touched = !game.touched().is_empty() && self.random.one_in(3);
        let allowed = if has_touched { game.position().legal_moves().to_vec() } else { game.moves() };
        if allowed.is_empty() || self.random.one_in(self.care) {
            return self.hand(game);
        }
        let liked: Vec<Move> = match self.style {
            Style::Wander => Vec::new(),
            Style::Trade => allowed.iter().copied().filter(|mv| takes(game, *mv)).collect(),
            Style::Roam => allowed.iter().copied().filter(|mv| is_reversible(game, *mv)).collect(),
            Style::Shuffle => {
                let last = game.played().iter().rev().nth(1).map(|played| played.mv);
                let goes_back =
                    |mv: &Move| last.is_some_and(|last| (mv.from(), mv.to()) == (last.to(), last.from()));
                allowed.iter().copied().filter(goes_back).collect()
            }
        };
        let likes = !liked.is_empty() && !self.random.one_in(5);
        self.random.of(if likes { &liked } else { &allowed }).expect("there is one")
    }

    /// A man carried anywhere, or bits that stand for any move at all.
    fn hand(&mut self, game: &Game) -> Move {
        let own: Vec<Square> = game.position().board().by_color(game.position().turn()).into_iter().collect();
        loop {
            let from = self.random.of(&own).expect("a side has a king");
            let kind = self.random.pick([0, 0, 0, 1, 2, 5, 7]);
            let carried = Move::normal(from, self.square()).bits() | kind << 12;
            let bits = if self.random.one_in(6) { self.random.below(1 << 16) as u16 } else { carried };
            if let Ok(mv) = Move::from_bits(bits) {
                return mv;
            }
        }
    }

    fn square(&mut self) -> Square {
        let all: Vec<Square> = Square::all().collect();
        self.random.of(&all).expect("a board has squares")
    }

    /// What a player may say or do besides moving.
    fn word(&mut self, game: &Game) -> Command {
        let matter = self.random.pick(Matter::ALL);
        if let Some(claim) = self.claim(game) {
            return claim;
        }
        match self.random.below(40) {
            0..=5 => Command::Touch(self.square()),
            6 | 7 => Command::Adjust(self.square()),
            8..=13 => self.propose(),
            14 | 15 => Command::Accept(matter),
            16 | 17 => Command::Decline(matter),
            21..=24 => Command::ClaimDraw { intended: Some(self.mv(game)) },
            25 => Command::ClaimFlag,
            26 => Command::ClaimIllegalMove,
            27 | 28 => Command::ClaimAbsence(self.random.pick([AbsenceClaim::Win, AbsenceClaim::Draw])),
            29 | 30 => Command::AskIncrement,
            31 | 32 => Command::ClaimNoWinning,
            33 => Command::Seal(self.mv(game)),
            34 => Command::CloseEnvelope,
            35 => Command::Resume,
            36 | 37 => Command::CallArbiter("he makes noise".parse().expect("a reason")),
            38 if self.random.one_in(10) => Command::Resign,
            39 if self.random.one_in(4) => Command::Abort,
            _ => Command::ClaimDraw { intended: None },
        }
    }

    /// What somebody could claim now, sometimes.
    fn claim(&mut self, game: &Game) -> Option<Command> {
        if !self.random.one_in(3) {
            return None;
        }
        let stamp = Stamp::at(self.now);
        let claims = Color::ALL.map(|color| game.claims(color, stamp)).concat();
        self.random.of(&claims).map(claim_command)
    }

    fn propose(&mut self) -> Command {
        let plies = self.random.pick([0, 1, 1, 2, 2, 3, u8::MAX]);
        let takeback = Proposal::Takeback { plies };
        let all = [Proposal::Draw, takeback, Proposal::Pause, Proposal::Adjournment];
        Command::Propose(self.random.pick(all))
    }

    fn house(&mut self, game: &Game) -> Command {
        let color = self.random.pick(Color::ALL);
        let others = [
            Suspension::Pause,
            Suspension::Adjournment,
            Suspension::Arbiter,
            Suspension::Call { by: color },
            Suspension::Claim { by: color, claim: QuickplayClaim::NoWinning },
        ];
        match self.random.below(12) {
            0..=2 => Command::Suspend(Suspension::Restart),
            3 => Command::Suspend(self.random.pick(others)),
            4 => Command::Continue,
            _ if game.absent_since(color).is_some() => Command::Returned(color),
            _ => Command::Left(color),
        }
    }

    fn rule(&mut self, order: Order) -> Command {
        let reason = self.random.pick(["as it was seen", "because it is \"so\" {and} [so]; \u{265e}"]);
        let reason = reason.parse().expect("a reason");
        Command::Rule(Decision { order, reason })
    }

    /// Any order, its time now and then beyond all bounds.
    fn ruling(&mut self, game: &Game) -> Command {
        let side = self.random.pick(Color::ALL);
        let span = Millis(match self.random.below(8) {
            0 => self.random.pick([u64::MAX, 1_209_600_000, 1_209_600_001]),
            1 => 0,
            _ => self.random.below(300_000),
        });
        let order = match self.random.below(24) {
            0..=2 => Order::Pause,
            3 => Order::Resume,
            4..=6 => Order::AddTime { side, span },
            7 | 8 => Order::TakeTime { side, span },
            9..=11 => Order::SetClock { side, left: span },
            13..=15 => Order::GoBack { ply: self.random.below(u64::from(game.ply()) + 2) as u32 },
            16 | 17 => Order::NoteFlag,
            18 => Order::Grant,
            19 => Order::Postpone { bonus: span },
            20 => Order::Reject,
            21 if self.random.one_in(8) => Order::Declare { outcome: self.outcome() },
            12 | 21 => Order::Warn { side },
            _ => Order::GoBack { ply: u32::MAX },
        };
        self.rule(order)
    }

    fn outcome(&mut self) -> Outcome {
        let scores = [Score::Zero, Score::Half, Score::One];
        Outcome(ByColor { white: self.random.pick(scores), black: self.random.pick(scores) })
    }
}

/// The command by which something is claimed.
pub(crate) const fn claim_command(claim: Claim) -> Command {
    match claim {
        Claim::Threefold | Claim::FiftyMoves => Command::ClaimDraw { intended: None },
        Claim::ThreefoldWith(mv) | Claim::FiftyMovesWith(mv) => Command::ClaimDraw { intended: Some(mv) },
        Claim::Flag => Command::ClaimFlag,
        Claim::Absence => Command::ClaimAbsence(AbsenceClaim::Win),
        Claim::Increment => Command::AskIncrement,
        Claim::NoWinning => Command::ClaimNoWinning,
    }
}

/// What waits for an answer.
fn standing(game: &Game) -> Option<(Color, Proposal)> {
    Matter::ALL.into_iter().find_map(|matter| game.proposal(matter))
}

/// How long the player to move may think until he may claim by G.III, if he has much more.
fn until_short_of_time(game: &Game) -> u64 {
    let left = game.clocks(Stamp::at(game.last_event())).left[game.position().turn()];
    if left < Millis(86_400_000) { left.minus(Millis(100_000)).0 } else { 0 }
}

fn takes(game: &Game, mv: Move) -> bool {
    game.position().board().color_at(mv.to()) == Some(!game.position().turn())
}

fn is_reversible(game: &Game, mv: Move) -> bool {
    let board = game.position().board();
    board.color_at(mv.to()).is_none() && board.role_at(mv.from()) != Some(Role::Pawn)
}
