//! The state machine row by row: clocks, offers, claims, ends, and replay.

use super::*;
use crate::legality::IllegalMove;
use crate::notation::{fen, parse_move};
use crate::outcome::Outcome;
use crate::setup::Strictness;

/// A game that a test plays: each action a little later than the last.
#[derive(Clone)]
struct Board {
    game: Game,
    record: Vec<Event>,
    now_ms: u64,
    /// Whether the record tells the whole game.
    from_start: bool,
}

impl Board {
    fn new(time_control: &str) -> Self {
        let terms = Terms::online(time_control.parse().unwrap());
        Self { game: Game::new(terms), record: vec![Game::first_event(terms)], now_ms: 0, from_start: true }
    }

    /// A game that stands in the position of `fen`, with a minute for each side.
    fn at(fen: &str) -> Self {
        let mut board = Self::new("1+0");
        let position = fen::parse_position(fen, Strictness::Reachable).unwrap();
        board.game.state = State::new(board.game.terms(), position, &board.record[0]);
        board.from_start = false;
        board
    }

    /// A game whose moves, all of them legal, have been played a second each.
    fn after(moves: &str) -> Self {
        let mut board = Self::new("60+0");
        board.play(moves);
        board
    }

    fn play(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = parse_move(self.game.position(), text).unwrap();
            let mover = self.game.position().turn();
            self.wait(1_000).says(mover, Command::Move(mv)).unwrap_or_else(|why| panic!("{text}: {why}"));
        }
    }

    fn wait(&mut self, ms: u64) -> &mut Self {
        self.now_ms += ms;
        self
    }

    fn says(&mut self, color: Color, command: Command) -> Result<(), Refusal> {
        self.does(Party::Player(color), command, Stamp::at_ms(self.now_ms))
    }

    fn does(&mut self, by: Party, command: Command, stamp: Stamp) -> Result<(), Refusal> {
        let before = self.game.clone();
        let may_ponder = self.game.may_ponder(Some(&command), stamp.now);
        let ruling = self.game.apply(by, command, stamp);
        let is_lost = self.game.result().is_some_and(|result| was_pondered(result.termination));
        assert!(
            may_ponder || !is_lost || before.result().is_some(),
            "whoever is not warned is answered at once"
        );
        self.record.extend(ruling.events.iter().cloned());
        if ruling.events.is_empty() {
            assert_eq!(self.game, before, "what is refused changes nothing");
        }
        if self.from_start {
            assert_eq!(Game::replay(&self.record), Ok(self.game.clone()), "a record replays to the game");
        }
        ruling.answer
    }

    fn mv(&self, text: &str) -> Command {
        Command::Move(parse_move(self.game.position(), text).unwrap())
    }

    fn left_ms(&self) -> (u64, u64) {
        let left = self.game.clocks(Stamp::at_ms(self.now_ms)).left;
        (left.white.0, left.black.0)
    }

    fn result(&self) -> GameResult {
        self.game.result().expect("the game is over")
    }
}

/// Whether a game that ends so has been asked whether a side can still mate.
fn was_pondered(termination: Termination) -> bool {
    matches!(
        termination,
        Termination::Resignation
            | Termination::FlagFall
            | Termination::IllegalMoves
            | Termination::SealedIllegalMove
            | Termination::Absence
    )
}

use Color::{Black, White};

#[test]
fn l02_only_the_side_to_move_moves() {
    let mut board = Board::new("5+0");
    let before_turn = Command::Move(Move::normal("e7".parse().unwrap(), "e5".parse().unwrap()));
    assert_eq!(board.says(Black, before_turn), Err(Refusal::NotYourTurn { to_move: White }));
    let e4 = board.mv("e4");
    assert_eq!(board.does(Party::House, e4.clone(), Stamp::at_ms(1)), Err(Refusal::NotYours));
    assert_eq!(board.says(White, e4.clone()), Ok(()));
    assert_eq!(board.says(White, e4), Err(Refusal::NotYourTurn { to_move: Black }));
}

#[test]
fn l39_an_illegal_move_is_refused_with_its_law() {
    let mut board = Board::new("5+0");
    let from_nowhere = Command::Move(Move::normal("e4".parse().unwrap(), "e5".parse().unwrap()));
    let refusal = board.says(White, from_nowhere).unwrap_err();
    assert!(matches!(refusal, Refusal::IllegalMove(IllegalMove::NoMan { .. })));
    assert_eq!(refusal.law(), "FIDE 1.2");
    assert_eq!(board.game.ply(), 0);
}

#[test]
fn l13_mate_ends_the_game() {
    let board = Board::after("f3 e5 g4 Qh4#");
    assert_eq!(board.result(), GameResult::win(Black, Termination::Checkmate));
    assert_eq!(board.game.deadline(), None);
    assert_eq!(board.game.clocks(Stamp::at_ms(99_999_999)).running, None);
}

#[test]
fn l13_mate_beats_a_flag_that_is_not_yet_down() {
    let mut board = Board::new("0:10+0");
    board.play("f3 e5 g4");
    let mate = board.mv("Qh4#");
    // Black has used one second and may use nine more, but not a tenth.
    assert_eq!(board.wait(8_999).says(Black, mate), Ok(()));
    assert_eq!(board.result().termination, Termination::Checkmate);

    let mut board = Board::new("0:10+0");
    board.play("f3 e5 g4");
    let mate = board.mv("Qh4#");
    let refused = board.wait(9_000).says(Black, mate).unwrap_err();
    assert_eq!(refused, Refusal::GameOver(board.result()));
    assert_eq!(board.result().termination, Termination::FlagFall);
    assert_eq!(board.result().outcome, Some(Outcome::win(White)));
}

#[test]
fn l14_resignation_is_possible_out_of_turn() {
    let mut board = Board::after("e4 e5");
    assert_eq!(board.says(Black, Command::Resign), Ok(()));
    assert_eq!(board.result().outcome, Some(Outcome::win(White)));
    assert_eq!(board.result().termination, Termination::Resignation);
    assert!(board.says(White, Command::Resign).is_err());
}

/// White's queen against the bare king.
const QUEEN_AGAINST_KING: &str = "7k/8/8/8/8/8/Q7/K7 w - - 0 60";

#[test]
fn l14_who_resigns_to_a_bare_king_draws() {
    let mut board = Board::at(QUEEN_AGAINST_KING);
    board.says(White, Command::Resign).unwrap();
    assert_eq!(board.result().outcome, Some(Outcome::DRAW));
    assert_eq!(board.result().detail, Detail::OpponentCannotMate { side: White });
    assert_eq!(board.result().to_string(), "Draw: White resigned, but Black can no longer mate (FIDE 5.1.2)");

    let mut board = Board::at(QUEEN_AGAINST_KING);
    board.says(Black, Command::Resign).unwrap();
    assert_eq!(board.result().outcome, Some(Outcome::win(White)));
}

#[test]
fn l24_whose_flag_falls_against_a_bare_king_draws() {
    let mut board = Board::at(QUEEN_AGAINST_KING);
    board.play("Qb3 Kg7");
    board.game.tick(board.game.deadline().map(Stamp::at).unwrap()).unwrap();
    assert_eq!(board.result().outcome, Some(Outcome::DRAW));
    assert_eq!(board.result().detail, Detail::OpponentCannotMate { side: White });
    assert_eq!(board.result().termination, Termination::FlagFall);
}

#[test]
fn l16_a_dead_position_is_a_draw_at_once() {
    let mut board = Board::at("7k/8/8/8/8/8/1q6/K7 w - - 0 60");
    board.play("Kxb2");
    assert_eq!(board.result(), GameResult::draw(Termination::DeadPosition));
}

#[test]
fn l22_mate_on_the_last_move_beats_the_draw() {
    let mut board = Board::at("7k/8/6K1/8/8/8/8/R7 w - - 149 200");
    board.play("Ra8#");
    assert_eq!(board.result(), GameResult::win(White, Termination::Checkmate));
}

#[test]
fn l15_stalemate_is_a_draw_at_once() {
    // Sam Loyd's shortest stalemate.
    let board =
        Board::after("e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6");
    assert_eq!(board.result(), GameResult::draw(Termination::Stalemate));
}

#[test]
fn l17_a_draw_is_agreed_after_a_move_each() {
    let mut board = Board::new("5+0");
    assert_eq!(board.says(White, Command::Propose(Proposal::Draw)), Err(Refusal::OfferTooEarly));
    board.play("e4 e5");
    assert_eq!(
        board.says(White, Command::Accept(Matter::Draw)),
        Err(Refusal::NoOffer { matter: Matter::Draw })
    );
    assert_eq!(board.says(White, Command::Propose(Proposal::Draw)), Ok(()));
    assert_eq!(board.game.draw_offer(), Some(White));
    assert_eq!(
        board.says(White, Command::Propose(Proposal::Draw)),
        Err(Refusal::OfferStands { matter: Matter::Draw })
    );
    assert_eq!(
        board.says(Black, Command::Propose(Proposal::Draw)),
        Err(Refusal::OfferWaits { matter: Matter::Draw })
    );
    assert_eq!(
        board.says(White, Command::Accept(Matter::Draw)),
        Err(Refusal::NoOffer { matter: Matter::Draw })
    );
    assert_eq!(board.says(Black, Command::Accept(Matter::Draw)), Ok(()));
    assert_eq!(board.result(), GameResult::draw(Termination::Agreement));
}

#[test]
fn l17_an_offer_stands_until_the_opponent_answers_by_word_or_move() {
    let mut board = Board::after("e4 e5");
    board.says(White, Command::Propose(Proposal::Draw)).unwrap();
    board.play("Nf3");
    assert_eq!(board.game.draw_offer(), Some(White), "the offerer's own move leaves it standing");
    board.play("Nc6");
    assert_eq!(board.game.draw_offer(), None, "the opponent's move declines it");

    let mut board = Board::after("e4 e5");
    board.says(Black, Command::Propose(Proposal::Draw)).unwrap();
    board.says(White, Command::Decline(Matter::Draw)).unwrap();
    assert_eq!(
        board.says(White, Command::Accept(Matter::Draw)),
        Err(Refusal::NoOffer { matter: Matter::Draw })
    );
}

#[test]
fn l17_one_offer_a_side_until_twenty_plies_later_or_the_others_offer() {
    let mut board = Board::after("e4 e5");
    board.says(White, Command::Propose(Proposal::Draw)).unwrap();
    board.says(Black, Command::Decline(Matter::Draw)).unwrap();
    assert_eq!(
        board.says(White, Command::Propose(Proposal::Draw)),
        Err(Refusal::OfferTooSoon { matter: Matter::Draw, plies: 20 })
    );
    board.play("Nf3 Nc6");
    assert_eq!(
        board.says(White, Command::Propose(Proposal::Draw)),
        Err(Refusal::OfferTooSoon { matter: Matter::Draw, plies: 18 })
    );
    board.says(Black, Command::Propose(Proposal::Draw)).unwrap();
    board.says(White, Command::Decline(Matter::Draw)).unwrap();
    assert_eq!(board.says(White, Command::Propose(Proposal::Draw)), Ok(()), "Black has offered since");
    board.says(Black, Command::Decline(Matter::Draw)).unwrap();
    let again = board.says(Black, Command::Propose(Proposal::Draw));
    assert_eq!(
        again,
        Err(Refusal::OfferTooSoon { matter: Matter::Draw, plies: 1 }),
        "not in turn without end at one ply"
    );
}

#[test]
fn l18_threefold_is_claimed_when_it_has_appeared() {
    let mut board = Board::after("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    let wrong = Refusal::ClaimWrong { repetitions: 2, halfmoves: 7 };
    assert_eq!(board.says(Black, Command::ClaimDraw { intended: None }), Err(wrong));
    board.play("Ng8");
    assert_eq!(
        board.game.claims(board.game.position().turn(), Stamp::at_ms(board.now_ms)),
        [Claim::Threefold]
    );
    let not_yours = board.says(Black, Command::ClaimDraw { intended: None });
    assert_eq!(not_yours, Err(Refusal::NotYourTurn { to_move: White }));
    assert_eq!(board.says(White, Command::ClaimDraw { intended: None }), Ok(()));
    assert_eq!(board.result(), GameResult::draw(Termination::ThreefoldRepetition));
}

#[test]
fn l18_threefold_is_claimed_with_the_intended_move_which_is_not_played() {
    let mut board = Board::after("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    let Command::Move(ng8) = board.mv("Ng8") else { unreachable!() };
    assert_eq!(board.says(Black, Command::ClaimDraw { intended: Some(ng8) }), Ok(()));
    assert_eq!(board.result().termination, Termination::ThreefoldRepetition);
    assert_eq!(board.game.ply(), 7);
    let illegal = Move::normal("e1".parse().unwrap(), "e8".parse().unwrap());
    let mut board = Board::after("e4");
    let refused = board.says(Black, Command::ClaimDraw { intended: Some(illegal) });
    assert!(matches!(refused, Err(Refusal::IllegalMove(_))));
}

#[test]
fn l18_a_lost_castling_right_makes_another_position() {
    let mut board = Board::after("Nf3 Nf6 Rg1 Rg8 Rh1 Rh8 Rg1 Rg8 Rh1 Rh8");
    let wrong = Refusal::ClaimWrong { repetitions: 2, halfmoves: 10 };
    assert_eq!(board.says(White, Command::ClaimDraw { intended: None }), Err(wrong));
}

#[test]
fn l21_fivefold_is_a_draw_at_once() {
    let board = Board::after(&"Nf3 Nf6 Ng1 Ng8 ".repeat(4));
    assert_eq!(board.result(), GameResult::draw(Termination::FivefoldRepetition));
}

#[test]
fn l23_perpetual_check_is_named_and_stays_a_repetition() {
    let mut board = Board::at("6k1/6p1/8/7Q/8/8/qq6/7K w - - 0 40");
    board.play(&"Qe8+ Kh7 Qh5+ Kg8 ".repeat(2));
    board.says(White, Command::ClaimDraw { intended: None }).unwrap();
    let result = board.result();
    assert_eq!(result.termination, Termination::ThreefoldRepetition);
    assert_eq!(result.detail, Detail::PerpetualCheck { side: White });
    assert!(result.to_string().ends_with("by perpetual check from White"), "{result}");
}

/// Shuffling knights and rooks without repeating a position three times takes a tour: each side walks
/// its knight through many squares. The pieces never meet, so no move is a capture.
fn quiet_plies(board: &mut Board, plies: u32) {
    let mut seed = 1_u64;
    while board.game.ply() < plies {
        let position = board.game.position().clone();
        let mover = position.turn();
        let quiet: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| {
                let after = position.after(*mv);
                let own_half = |square: Square| match mover {
                    White => square.rank().index() < 4,
                    Black => square.rank().index() > 3,
                };
                let seen = board.game.state.repetitions().count_after(&after);
                after.halfmove_clock() > 0 && own_half(mv.to()) && seen < 2
            })
            .collect();
        assert!(!quiet.is_empty(), "a quiet move is left");
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = quiet[(seed >> 33) as usize % quiet.len()];
        board.wait(10).says(mover, Command::Move(mv)).unwrap();
    }
}

#[test]
fn l19_l22_fifty_moves_are_claimed_and_seventy_five_end_the_game() {
    let mut board = Board::new("60+0");
    quiet_plies(&mut board, 99);
    assert_eq!(board.game.position().halfmove_clock(), 99);
    let wrong = board.says(Black, Command::ClaimDraw { intended: None }).unwrap_err();
    assert!(matches!(wrong, Refusal::ClaimWrong { halfmoves: 99, .. }));
    let mut claimed = board.clone();
    quiet_plies(&mut claimed, 100);
    assert!(
        claimed
            .game
            .claims(claimed.game.position().turn(), Stamp::at_ms(claimed.now_ms))
            .contains(&Claim::FiftyMoves)
    );
    claimed.says(White, Command::ClaimDraw { intended: None }).unwrap();
    assert_eq!(claimed.result().termination, Termination::FiftyMoves);

    quiet_plies(&mut board, 149);
    assert!(board.game.result().is_none());
    quiet_plies(&mut board, 150);
    assert_eq!(board.result(), GameResult::draw(Termination::SeventyFiveMoves));
}

#[test]
fn l24_a_fallen_flag_is_found_by_whoever_looks() {
    let mut board = Board::new("0:05+0");
    board.play("e4 e5");
    let deadline = board.game.deadline().unwrap();
    // Five seconds at four gains of 170 ms: a move may be under way for as long as the bank lasts.
    assert_eq!(deadline, GameInstant(2_000 + 4_000 + 4 * 170));
    assert_eq!(board.game.tick(Stamp::at_ms(deadline.0 - 1)), None);
    let event = board.game.tick(Stamp::at(deadline)).unwrap();
    assert_eq!((event.action, event.by), (Action::TimeRanOut, Party::House));
    assert_eq!(event.clocks.left.white, Millis::ZERO);
    assert_eq!(board.result().outcome, Some(Outcome::win(Black)));
    assert_eq!(board.game.tick(Stamp::at_ms(99_000)), None, "it falls once");
}

#[test]
fn l29_before_both_have_moved_either_side_may_abort() {
    for (moves, by) in [("", White), ("", Black), ("e4", White), ("e4", Black)] {
        let mut board = Board::after(moves);
        assert_eq!(board.says(by, Command::Abort), Ok(()));
        assert_eq!(board.result(), GameResult::none(Termination::Aborted));
        assert_eq!(board.result().score_text(), "*");
    }
    let mut board = Board::after("e4 e5");
    assert_eq!(board.says(White, Command::Abort), Err(Refusal::AbortTooLate));
}

#[test]
fn l29_without_a_first_move_in_time_there_is_no_game() {
    let mut board = Board::new("5+0");
    assert_eq!(board.game.deadline(), Some(GameInstant(60_000)));
    assert_eq!(board.game.tick(Stamp::at_ms(59_999)), None);
    assert!(board.game.tick(Stamp::at_ms(60_000)).is_some());
    assert_eq!(board.result(), GameResult::none(Termination::NoFirstMove));

    let mut bullet = Board::new("0:30+0");
    assert!(bullet.game.tick(bullet.game.deadline().map(Stamp::at).unwrap()).is_some());
    assert_eq!(bullet.result(), GameResult::none(Termination::NoFirstMove), "not lost on time");

    let mut board = Board::new("5+0");
    board.play("e4");
    assert_eq!(board.game.deadline(), Some(GameInstant(61_000)), "Black has a minute of his own");
    board.play("e5");
    assert_eq!(
        board.game.deadline(),
        Some(GameInstant(2_000 + 299_000 + 2_000)),
        "now only the flag is left"
    );
}

#[test]
fn l50_l51_the_increment_comes_from_the_first_move_on_and_one_clock_runs() {
    let mut board = Board::new("5+3");
    assert_eq!(board.wait(500).left_ms(), (299_500, 300_000));
    let e4 = board.mv("e4");
    board.says(White, e4).unwrap();
    assert_eq!(board.left_ms(), (302_500, 300_000));
    assert_eq!(board.wait(10_001).left_ms(), (302_500, 289_999));
    let e5 = board.mv("e5");
    board.says(Black, e5).unwrap();
    assert_eq!(board.left_ms(), (302_500, 292_999));
    assert_eq!(board.game.played()[1].left, Millis(292_999));
}

#[test]
fn house_time_is_charged_to_nobody() {
    let mut board = Board::new("5+0");
    let e4 = board.mv("e4");
    board.does(Party::Player(White), e4, Stamp { house: Millis(400), ..Stamp::at_ms(1_000) }).unwrap();
    let Action::Moved { charged, house, .. } = board.record[1].action else { unreachable!() };
    assert_eq!((charged, house), (Millis(600), Millis(400)));
    assert_eq!(board.game.clocks(Stamp::at_ms(1_000)).left.white, Millis(299_400));
    // A flag waits for the house as well.
    let late = Stamp { house: Millis(1), ..Stamp::at_ms(61_000) };
    assert_eq!(board.game.tick(late), None);
}

#[test]
fn time_never_goes_back() {
    let mut board = Board::new("5+0");
    board.play("e4");
    let e5 = board.mv("e5");
    board.does(Party::Player(Black), e5, Stamp::at_ms(3)).unwrap();
    assert_eq!(board.record[2].at, GameInstant(1_000));
    assert_eq!(board.left_ms(), (299_000, 300_000));
}

#[test]
fn l55_a_restart_stops_both_clocks_and_refuses_moves() {
    let mut board = Board::new("5+0");
    board.play("e4");
    let suspend = Command::Suspend(Suspension::Restart);
    board.does(Party::House, suspend.clone(), Stamp::at_ms(2_500)).unwrap();
    assert_eq!(board.game.deadline(), None);
    board.now_ms = 900_000;
    assert_eq!(board.left_ms(), (299_000, 298_500));
    let e5 = board.mv("e5");
    assert_eq!(board.says(Black, e5.clone()), Err(Refusal::Suspended { why: Suspension::Restart }));
    assert_eq!(
        board.says(Black, Command::ClaimDraw { intended: None }),
        Err(Refusal::Suspended { why: Suspension::Restart })
    );
    assert_eq!(board.says(Black, Command::Continue), Err(Refusal::NotYours));
    assert_eq!(
        board.does(Party::House, suspend, Stamp::at_ms(900_000)),
        Err(Refusal::Suspended { why: Suspension::Restart })
    );
    board.does(Party::House, Command::Continue, Stamp::at_ms(900_000)).unwrap();
    board.wait(100).says(Black, e5).unwrap();
    assert_eq!(board.left_ms(), (299_000, 298_400));
    let again = board.does(Party::House, Command::Continue, Stamp::at_ms(900_200));
    assert_eq!(again, Err(Refusal::NotSuspended));
}

#[test]
fn l45_only_a_game_s_own_record_replays() {
    let board = Board::after("e4 e5 Nf3");
    let record = &board.record;
    assert_eq!(Game::replay([]), Err(ReplayError::OutOfPlace { index: 0 }));
    assert_eq!(Game::replay(&record[1..]), Err(ReplayError::OutOfPlace { index: 0 }));
    let twice = [record[0].clone(), record[0].clone()];
    assert_eq!(Game::replay(&twice), Err(ReplayError::OutOfPlace { index: 1 }));
    let skipped = [record[0].clone(), record[2].clone()];
    assert!(matches!(Game::replay(&skipped), Err(ReplayError::IllegalMove { index: 1, .. })));
    let mut backwards = record.clone();
    backwards[2].at = GameInstant(1);
    assert_eq!(Game::replay(&backwards), Err(ReplayError::OutOfTime { index: 2 }));
    let mut ended = record.clone();
    ended[1].end = Some(GameResult::draw(Termination::Agreement));
    assert_eq!(Game::replay(&ended), Err(ReplayError::OutOfTime { index: 2 }));
}

#[test]
fn results_are_told_in_one_sentence_with_their_rule() {
    let cannot = GameResult {
        detail: Detail::OpponentCannotMate { side: White },
        ..GameResult::draw(Termination::FlagFall)
    };
    for (result, text) in [
        (GameResult::win(White, Termination::Checkmate), "White wins: Black is checkmated (FIDE 5.1.1)"),
        (GameResult::win(Black, Termination::Resignation), "Black wins: White resigned (FIDE 5.1.2)"),
        (cannot, "Draw: White's flag fell, but Black can no longer mate (FIDE 6.9)"),
        (GameResult::none(Termination::NoFirstMove), "No result: no first move in time (L29)"),
    ] {
        assert_eq!(result.to_string(), text);
    }
}
