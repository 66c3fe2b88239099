//! A game as a face knows it, and what follows from that without the server.

use crate::message::{Moment, Standstill};
use chatrang_protocol::chat::ChatLine;
use chatrang_protocol::ids::{GameId, Handle};
use chatrang_protocol::view::{PlayedView, PlayerView, Presence, ProposalView, Snapshot, StateView, Update};
use chatrang_rules::board::Board;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Absence, Claim, FlagFall, Matter, Millis, Terms};
use chatrang_rules::moves::{Move, MoveKind};
use chatrang_rules::notation::fen;
use chatrang_rules::piece::Role;
use chatrang_rules::position::Position;
use chatrang_rules::setup::Strictness;
use chatrang_rules::square::{Rank, Square};
use std::collections::VecDeque;

/// Lines of chat kept for the screen.
const CHAT_LINES_MAX: usize = 20;

/// Whether the player was told that he may claim for an absence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AbsenceNews {
    /// Not of this absence.
    #[default]
    Untold,
    /// He was.
    Told,
}

/// A game as the server last told it.
#[derive(Clone, Debug)]
pub struct GameModel {
    /// Its number.
    pub id: GameId,
    /// The side this player has; none for a spectator.
    pub seat: Option<Color>,
    /// Who plays.
    pub players: ByColor<PlayerView>,
    /// Where they are, and when that was said.
    pub presence: ByColor<(Presence, Moment)>,
    /// What was agreed.
    pub terms: Terms,
    /// The moves made so far.
    pub played: Vec<PlayedView>,
    /// Board, clocks, offers, result.
    pub state: StateView,
    /// The men of the state's FEN, whatever an illegal move may have left; none should a server send
    /// something else.
    pub board: Board,
    /// The position of the state's FEN; none where an illegal move has left one that the Laws do not know.
    pub position: Option<Position>,
    /// When the state arrived.
    pub arrived: Moment,
    /// How long it was under way.
    pub lag: Millis,
    /// Since when all clocks of the server stand still because its store is full.
    pub stopped: Option<Moment>,
    /// Whether the player was told that he may claim for his opponent's absence.
    pub absence_news: AbsenceNews,
    /// What the last move was not charged because the network took it; nothing is known of earlier ones.
    pub credit: Millis,
    /// How many of the low-time warnings each side's clock has passed.
    pub low_time: ByColor<usize>,
    /// What people say beside the game.
    pub talk: TalkModel,
}

/// What people say beside a game.
#[derive(Clone, Debug, Default)]
pub struct TalkModel {
    /// The last lines that were heard.
    pub lines: VecDeque<ChatLine>,
    /// Whether others are heard.
    pub hearing: Hearing,
    /// Who asks for a rematch.
    pub rematch_by: Option<Color>,
}

/// Whether others are heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hearing {
    /// They are.
    #[default]
    Open,
    /// The opponent is not; for a spectator, nobody else is.
    Muted,
}

impl TalkModel {
    /// Keeps a line for the screen.
    pub fn keep(&mut self, line: ChatLine) {
        if self.lines.len() == CHAT_LINES_MAX {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }
}

impl GameModel {
    /// The game of a snapshot that arrives at `now`.
    pub fn new(snapshot: Snapshot, now: Moment, lag: Millis) -> Self {
        Self {
            id: snapshot.game,
            seat: snapshot.seat,
            players: snapshot.players,
            presence: snapshot.presence.map(|presence| (presence, now)),
            terms: snapshot.terms,
            played: snapshot.played.into_vec(),
            board: board_of(&snapshot.state),
            position: position_of(&snapshot.state),
            state: snapshot.state,
            arrived: now,
            lag,
            stopped: None,
            absence_news: AbsenceNews::default(),
            credit: Millis::ZERO,
            low_time: ByColor::default(),
            talk: TalkModel::default(),
        }
    }

    /// Takes in what an update that arrives at `now` says.
    pub fn evolve(&mut self, update: Update, now: Moment, lag: Millis) {
        update.play_onto(&mut self.played);
        self.board = board_of(&update.state);
        self.position = position_of(&update.state);
        self.state = update.state;
        self.arrived = now;
        self.lag = lag;
    }

    /// What a player's clock reads at `now`: the server's reading, as it runs on since it was taken.
    pub fn left(&self, color: Color, now: Moment) -> Millis {
        let elapsed = self.stopped.unwrap_or(now).since(self.arrived).plus(self.lag);
        self.state.clocks.ticked(&self.terms.controls, elapsed).left[color]
    }

    /// Whose clock runs; none while the house has stopped them, and at the end.
    pub fn running(&self) -> Option<Color> {
        self.state.clocks.running.filter(|_| self.stopped.is_none())
    }

    /// Why both clocks stand still, if they do.
    pub fn standstill(&self) -> Option<Standstill> {
        match self.stopped {
            Some(_) => Some(Standstill::StoreFull),
            None => self.state.suspension.map(Standstill::Suspended),
        }
    }

    /// Lets the clocks run on from what they read since they were stopped.
    pub fn let_clocks_run(&mut self, now: Moment) {
        if let Some(since) = self.stopped.take() {
            self.arrived = self.arrived.plus(now.since(since.max(self.arrived)));
        }
    }

    /// How long a player has been away at `now`; none when he is here.
    pub fn away(&self, color: Color, now: Moment) -> Option<Millis> {
        match self.presence[color] {
            (Presence::Here, _) => None,
            (Presence::Away { for_ms }, said) => Some(Millis(for_ms).plus(now.since(said))),
        }
    }

    /// Whose turn it is, as long as the game goes on.
    pub fn turn(&self) -> Option<Color> {
        self.state.result.is_none().then_some(self.state.turn)
    }

    /// The claims that would succeed for this player; for a spectator, those of the side to move.
    pub fn claims(&self) -> &[Claim] {
        &self.state.claims[self.seat.unwrap_or(self.state.turn)]
    }

    /// Whether a draw could be claimed without naming a move.
    pub fn may_claim_draw(&self) -> bool {
        self.claims().iter().any(|claim| matches!(claim, Claim::Threefold | Claim::FiftyMoves))
    }

    /// Whether this player could claim that the opponent's flag is down: the server has said so, or his
    /// clock has run out since.
    pub fn may_claim_flag(&self, now: Moment) -> bool {
        let Some(opponent) = self.seat.map(|seat| !seat).filter(|_| self.state.result.is_none()) else {
            return false;
        };
        let is_claimed = self.terms.conduct.flag_fall == FlagFall::Claimed;
        let is_told = self.claims().contains(&Claim::Flag);
        is_told || is_claimed && self.running() == Some(opponent) && self.left(opponent, now) == Millis::ZERO
    }

    /// How long it is until this player may claim for his opponent's absence (L60); none where nothing is
    /// to be claimed.
    pub fn absence_wait(&self, now: Moment) -> Option<Millis> {
        let opponent = !self.seat?;
        if self.claims().contains(&Claim::Absence) {
            return Some(Millis::ZERO);
        }
        let counts = self.turn() == Some(opponent)
            && self.standstill().is_none()
            && self.terms.conduct.absence != Absence::Borne;
        let absent = self.state.absent_for[opponent].filter(|_| counts)?;
        let absent = absent.plus(now.since(self.arrived)).plus(self.lag);
        Some(self.terms.patience(opponent)?.minus(absent))
    }

    /// The matters in which the opponent waits for this player's answer.
    pub fn offers_to_answer(&self) -> Vec<Matter> {
        let is_theirs = |standing: &&ProposalView| self.seat == Some(!standing.by);
        self.state.proposals.iter().filter(is_theirs).map(|standing| standing.proposal.matter()).collect()
    }

    /// A player's name.
    pub fn name(&self, color: Color) -> &Handle {
        &self.players[color].handle
    }

    /// A man as in a sentence: `the knight on g1`.
    pub fn man(&self, square: Square) -> String {
        let role = self.board.role_at(square).map_or("man", Role::name);
        format!("the {role} on {square}")
    }

    /// The man that touching has left this player: no other may move.
    pub fn bound(&self) -> Option<Square> {
        let (first, rest) = self.state.legal.split_first().filter(|_| self.is_own_turn())?;
        let from = first.mv.from();
        let is_bound = !self.state.touched.is_empty() && rest.iter().all(|legal| legal.mv.from() == from);
        is_bound.then_some(from)
    }

    /// A move as the server's list of legal ones has it; one that is not there by its two squares.
    pub fn written(&self, mv: Move) -> String {
        let listed = self.state.legal.iter().find(|legal| legal.mv == mv);
        listed.map_or_else(|| format!("{}-{}", mv.from(), mv.to()), |legal| legal.san.to_string())
    }

    /// Whether this player is to move.
    pub fn is_own_turn(&self) -> bool {
        self.turn().is_some() && self.turn() == self.seat
    }

    /// The move that led to the position on the board.
    pub fn last(&self) -> Option<&PlayedView> {
        self.played.last()
    }

    /// The square of a king in check.
    pub fn checked_king(&self) -> Option<Square> {
        self.board.king_of(self.state.turn).filter(|_| self.state.in_check)
    }

    /// The men that `color` has captured, the most valuable first.
    pub fn captured_by(&self, color: Color) -> Vec<Role> {
        if self.board == Board::EMPTY {
            return Vec::new();
        }
        let at_start =
            [(Role::Queen, 1), (Role::Rook, 2), (Role::Bishop, 2), (Role::Knight, 2), (Role::Pawn, 8)];
        let promoted = self.played.iter().skip(usize::from(color == Color::White)).step_by(2);
        let promoted: Vec<Role> = promoted.filter_map(|played| played.mv.promoted()).collect();
        let missing = |&(role, count): &(Role, usize)| {
            let became =
                if role == Role::Pawn { 0 } else { promoted.iter().filter(|&&to| to == role).count() };
            let gone = if role == Role::Pawn { promoted.len() } else { 0 };
            let left = self.board.by_piece(!color, role).into_iter().count();
            (role, (count + became).saturating_sub(gone).saturating_sub(left))
        };
        at_start.iter().map(missing).flat_map(|(role, count)| std::iter::repeat_n(role, count)).collect()
    }
}

/// The squares a move joins on the board as it is seen: a castling king goes to his new square.
pub fn seen_squares(mv: Move) -> (Square, Square) {
    let to = match (mv.kind(), mv.castling_side()) {
        (MoveKind::Castle, Some(side)) => {
            let color = if mv.from().rank() == Rank::First { Color::White } else { Color::Black };
            side.king_target(color)
        }
        _ => mv.to(),
    };
    (mv.from(), to)
}

fn board_of(state: &StateView) -> Board {
    fen::parse(state.fen.as_str()).map_or(Board::EMPTY, |setup| setup.board)
}

fn position_of(state: &StateView) -> Option<Position> {
    fen::parse_position(state.fen.as_str(), Strictness::Playable).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{START, snapshot_of};

    #[test]
    fn the_running_clock_runs_on_and_the_other_stands() {
        let game = GameModel::new(snapshot_of(START, Some(Color::White)), Moment(1000), Millis(40));
        for (now_ms, white_ms) in [(500, 299_960), (1000, 299_960), (11_000, 289_960), (400_000, 0)] {
            assert_eq!(game.left(Color::White, Moment(now_ms)), Millis(white_ms), "{now_ms}");
            assert_eq!(game.left(Color::Black, Moment(now_ms)), Millis(300_000));
        }
    }

    #[test]
    fn a_full_store_costs_nobody_time() {
        let mut game = GameModel::new(snapshot_of(START, Some(Color::White)), Moment(1000), Millis::ZERO);
        game.stopped = Some(Moment(3000));
        assert_eq!((game.running(), game.standstill()), (None, Some(Standstill::StoreFull)));
        for now_ms in [3000, 60_000, 900_000] {
            assert_eq!(game.left(Color::White, Moment(now_ms)), Millis(298_000), "{now_ms}");
        }
        game.let_clocks_run(Moment(900_000));
        assert_eq!((game.running(), game.standstill()), (Some(Color::White), None));
        assert_eq!(game.left(Color::White, Moment(900_000)), Millis(298_000));
        assert_eq!(game.left(Color::White, Moment(901_000)), Millis(297_000));
    }

    #[test]
    fn what_the_server_reads_while_its_store_is_full_stands_too() {
        let mut game = GameModel::new(snapshot_of(START, Some(Color::White)), Moment(5000), Millis::ZERO);
        game.stopped = Some(Moment(3000));
        assert_eq!(game.left(Color::White, Moment(9000)), Millis(300_000));
        game.let_clocks_run(Moment(9000));
        assert_eq!(game.left(Color::White, Moment(9500)), Millis(299_500));
    }

    #[test]
    fn an_absence_grows_until_the_player_is_back() {
        let mut snapshot = snapshot_of(START, Some(Color::White));
        snapshot.presence.black = Presence::Away { for_ms: 12_000 };
        let game = GameModel::new(snapshot, Moment(1000), Millis::ZERO);
        assert_eq!(game.away(Color::Black, Moment(4000)), Some(Millis(15_000)));
        assert_eq!(game.away(Color::White, Moment(4000)), None);
    }

    #[test]
    fn captured_men_are_those_that_are_missing() {
        for (fen, by_white, by_black) in [
            (START, "", ""),
            ("rnb1kbnr/ppp2ppp/8/8/8/8/PPPP1PPP/RNBQKB1R w KQkq - 0 6", "QPP", "NP"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 60", "QRRBBNNPPPPPPPP", "QRRBBNNPPPPPPPP"),
        ] {
            let game = GameModel::new(snapshot_of(fen, None), Moment(0), Millis::ZERO);
            let letters =
                |color| game.captured_by(color).iter().map(|role| role.letter()).collect::<String>();
            assert_eq!(
                (letters(Color::White).as_str(), letters(Color::Black).as_str()),
                (by_white, by_black)
            );
        }
    }

    #[test]
    fn a_castling_king_is_seen_on_his_new_square() {
        for (king, rook, target) in
            [("e1", "h1", "g1"), ("e1", "a1", "c1"), ("e8", "h8", "g8"), ("e8", "a8", "c8")]
        {
            let mv = Move::castle(king.parse().unwrap(), rook.parse().unwrap());
            assert_eq!(seen_squares(mv), (king.parse().unwrap(), target.parse().unwrap()));
        }
    }
}
