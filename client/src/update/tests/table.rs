//! All that goes on between two people: touches, irregularities, offers, claims, terms.

use super::*;
use crate::message::Consent;
use crate::sentence;
use chatrang_protocol::codec::{List, Text};
use chatrang_protocol::ids::{Handle, Seq};
use chatrang_protocol::lobby::{InvitationView, Proposal as Seek, Side};
use chatrang_protocol::view::{EventView, PlayedView, ProposalView, SanText};
use chatrang_rules::game::{AbsenceClaim, Irregularity, Profile, Terms};

/// A game at 5+3 by a profile.
fn at_board(profile: Profile, seat: Option<Color>) -> Model {
    let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
    let mut snapshot = snapshot_of(START, seat);
    snapshot.terms = Terms::of(profile, "5+3".parse().unwrap());
    let snapshot = Box::new(snapshot);
    update(&mut model, Message::Report(Report::Snapshot { snapshot, lag: Millis::ZERO }));
    model
}

fn offered(model: &mut Model, proposals: &[Proposal]) {
    let standing = proposals.iter().map(|&proposal| ProposalView { by: Color::Black, proposal });
    model.game.as_mut().unwrap().state.proposals = List::cut(standing.collect());
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

fn e2e5() -> Move {
    Move::normal(square("e2"), square("e5"))
}

/// What is told of the effects, in sentences.
fn said(model: &Model, effects: &[Effect]) -> Vec<String> {
    let sentence = |effect: &Effect| match effect {
        Effect::Tell(news) => Some(sentence::of(news, model)),
        _ => None,
    };
    effects.iter().filter_map(sentence).collect()
}

#[test]
fn every_word_of_the_table_becomes_an_intent() {
    for (line, intent) in [
        ("pause", Intent::Propose(Proposal::Pause)),
        ("adjourn", Intent::Propose(Proposal::Adjournment)),
        ("takeback", Intent::Propose(Proposal::Takeback { plies: 2 })),
        ("takeback 1", Intent::Propose(Proposal::Takeback { plies: 1 })),
        ("accept pause", Intent::Accept(Matter::Pause)),
        ("decline adjournment", Intent::Decline(Matter::Adjournment)),
        ("claim flag", Intent::ClaimFlag),
        ("claim illegal", Intent::ClaimIllegalMove { ply: 0 }),
        ("claim win", Intent::ClaimAbsence(AbsenceClaim::Win)),
        ("claim draw", Intent::ClaimDraw { ply: 0, intended: None }),
        ("claim increment", Intent::AskIncrement { ply: 0 }),
        ("claim nowinning", Intent::ClaimNoWinning { ply: 0 }),
        ("touch e2", Intent::Touch { ply: 0, square: square("e2") }),
        ("j'adoube g1", Intent::Adjust { ply: 0, square: square("g1") }),
        ("illegal e2e5", Intent::Move { ply: 0, mv: e2e5() }),
        ("seal e4", Intent::Seal { ply: 0, mv: Move::normal(square("e2"), square("e4")) }),
        ("close", Intent::CloseEnvelope),
        ("resume", Intent::Resume),
        ("call He talks.", Intent::CallArbiter("He talks.".parse().unwrap())),
    ] {
        let mut model = at_board(Profile::Tournament, Some(Color::White));
        assert_eq!(sent(&typed_line(&mut model, line)), Some(intent), "{line}");
    }
    let mut waiting = at_board(Profile::Online, Some(Color::Black));
    let takeback = Intent::Propose(Proposal::Takeback { plies: 1 });
    assert_eq!(sent(&typed_line(&mut waiting, "takeback")), Some(takeback), "his own last move");
    for (line, words) in [("call", "say why"), ("illegal knight", "two squares"), ("seal hello", "neither")] {
        let effects = typed_line(&mut white_to_move(), line);
        assert!(refused(&effects).is_some_and(|(_, text)| text.contains(words)), "{line}: {effects:?}");
    }
}

#[test]
fn a_draw_is_claimed_for_an_absence_when_there_is_one() {
    let mut model = white_to_move();
    model.game.as_mut().unwrap().state.absent_for.black = Some(Millis(1));
    let absence = Intent::ClaimAbsence(AbsenceClaim::Draw);
    assert_eq!(sent(&typed_line(&mut model, "claim draw")), Some(absence));
}

#[test]
fn an_answer_needs_its_matter_only_where_several_wait() {
    let mut model = white_to_move();
    offered(&mut model, &[Proposal::Pause]);
    assert_eq!(sent(&typed_line(&mut model, "accept")), Some(Intent::Accept(Matter::Pause)));
    offered(&mut model, &[Proposal::Draw, Proposal::Takeback { plies: 1 }]);
    let effects = typed_line(&mut model, "decline");
    let (_, text) = refused(&effects).unwrap();
    assert_eq!(text, "several things are proposed: type decline draw or decline takeback");
    assert_eq!(sent(&typed_line(&mut model, "decline draw")), Some(Intent::Decline(Matter::Draw)));
}

#[test]
fn a_slip_is_no_illegal_move_and_its_cost_is_said() {
    for (profile, line, words) in [
        (Profile::Online, "e2e5", None),
        (Profile::Tournament, "hello", None),
        (Profile::Tournament, "e7e5", None),
        (
            Profile::Tournament,
            "e2e5",
            Some(
                "illegal move 1 of 2, and give your opponent 1:00. To make it all the same, type: illegal e2e5",
            ),
        ),
        (Profile::Classic, "e2e5", Some("lose if your opponent claims it")),
    ] {
        let mut model = at_board(profile, Some(Color::White));
        let effects = typed_line(&mut model, line);
        let (_, text) = refused(&effects).unwrap_or_else(|| panic!("{effects:?}"));
        assert!(words.map_or(!text.contains("all the same"), |words| text.contains(words)), "{text}");
    }
    let mut last = at_board(Profile::Tournament, Some(Color::White));
    last.game.as_mut().unwrap().state.illegal_moves.white = 1;
    let effects = typed_line(&mut last, "e2e5");
    assert!(refused(&effects).unwrap().1.contains("2 of 2, and lose the game"), "{effects:?}");
}

#[test]
fn selecting_is_touching_after_a_warning() {
    let mut model = at_board(Profile::Tournament, Some(Color::White));
    let warned = gesture(&mut model, Gesture::Click(square("g1")));
    assert!(matches!(&warned[..], [Effect::Tell(News::Remark(text))] if text.starts_with("Touch-move")));
    assert_eq!(model.screen.selected, None);
    let touched = gesture(&mut model, Gesture::Click(square("g1")));
    assert_eq!(sent(&touched), Some(Intent::Touch { ply: 0, square: square("g1") }));
    assert_eq!(model.screen.selected, Some(square("g1")));
    let moved = gesture(&mut model, Gesture::Click(square("f3")));
    let mv = Move::normal(square("g1"), square("f3"));
    assert_eq!(sent(&moved), Some(Intent::Move { ply: 0, mv }));

    let adjusted = gesture(&mut model, Gesture::Adjust(Some(square("e2"))));
    assert_eq!(sent(&adjusted), Some(Intent::Adjust { ply: 0, square: square("e2") }));
    assert!(refused(&gesture(&mut model, Gesture::Adjust(None))).is_some(), "there is no cursor");

    let mut online = white_to_move();
    assert!(gesture(&mut online, Gesture::Click(square("g1"))).is_empty());
    assert_eq!(online.screen.selected, Some(square("g1")));
}

#[test]
fn a_man_touched_before_is_taken_up_without_a_word() {
    let mut model = at_board(Profile::Tournament, Some(Color::White));
    let game = model.game.as_mut().unwrap();
    game.state.touched = List::cut(vec![square("g1")]);
    let knights = game.state.legal.iter().filter(|legal| legal.mv.from() == square("g1"));
    game.state.legal = List::cut(knights.cloned().collect());
    assert!(gesture(&mut model, Gesture::Click(square("g1"))).is_empty());
    gesture(&mut model, Gesture::Escape);
    let effects = gesture(&mut model, Gesture::Click(square("e2")));
    let (_, text) = refused(&effects).unwrap();
    assert_eq!(text, "You have touched the knight on g1: it must move");
    // It is still in his hand.
    assert_eq!(model.screen.selected, Some(square("g1")));
    gesture(&mut model, Gesture::Escape);
    let moved = gesture(&mut model, Gesture::Click(square("f3")));
    let mv = Move::normal(square("g1"), square("f3"));
    assert_eq!(sent(&moved), Some(Intent::Move { ply: 0, mv }));
}

#[test]
fn what_happens_is_told_with_its_law() {
    let put_back = Action::MovePutBack { mv: e2e5(), count: 1, penalty: Millis::from_seconds(60) };
    for (action, text) in [
        (Action::Touched(square("g1")), "White touches g1 (FIDE 4.3)."),
        (Action::Adjusted(square("g1")), "White adjusts g1 (FIDE 4.2.1)."),
        (
            put_back,
            "White makes the illegal move e2-e5, which is put back: illegal move 1 of 2. Black gets 1:00 (FIDE 7.5.5).",
        ),
        (Action::Accepted(Proposal::Pause), "alice accepts the pause."),
        (
            Action::ArbiterCalled("He talks.".parse().unwrap()),
            "White calls the arbiter: He talks (FIDE 6.11.2).",
        ),
    ] {
        let mut model = at_board(Profile::Tournament, Some(Color::Black));
        let news = update_by(&state(&model).clone(), Color::White, action);
        let effects = report(&mut model, news);
        assert_eq!(said(&model, &effects), [text]);
    }
}

#[test]
fn a_wrong_claim_is_told_before_the_move_that_it_plays() {
    let mut model = at_board(Profile::Tournament, Some(Color::Black));
    let mut news = update_of(state(&model), "Nf3");
    let played = news.played.as_ref().map(|played| played.mv);
    let EventView::Open(event) = &mut news.event else { panic!("sealed") };
    event.action = Action::DrawClaimedWrongly { played, illegal: None, penalty: Millis::from_seconds(60) };
    let effects = report(&mut model, news);
    let told = said(&model, &effects);
    assert!(told[0].starts_with("White claims a draw wrongly. Black gets 1:00"), "{told:?}");
    assert!(told[1].starts_with("White plays Nf3 on move 1. It is your move"), "{told:?}");
}

#[test]
fn an_illegal_move_that_stands_is_pointed_out_only_to_who_made_it() {
    for (seat, lines) in [(Some(Color::White), 2), (Some(Color::Black), 1), (None, 1)] {
        let mut model = at_board(Profile::Classic, seat);
        // The king may be taken next: no legal position, and yet a board.
        let fen = "rnbqkbnr/pppp1ppp/8/4Q3/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
        let mut news = update_of(state(&model), "e4");
        news.state.fen = Text::cut(fen);
        news.played = Some(PlayedView { mv: e2e5(), san: SanText::cut("e2-e5"), left: Millis(1) });
        let EventView::Open(event) = &mut news.event else { panic!("sealed") };
        let Action::Moved { irregularity, .. } = &mut event.action else { panic!("no move") };
        *irregularity = Some(Irregularity::Stands);
        let effects = report(&mut model, news);
        assert_eq!(said(&model, &effects).len(), lines, "{effects:?}");
        let game = model.game.as_ref().unwrap();
        assert!(game.position.is_none());
        assert!(game.board.piece_at(square("e5")).is_some());
        assert_eq!(typed_line(&mut model, "board").len(), 1);
    }
}

#[test]
fn a_sealed_move_is_told_without_the_move() {
    let mut model = at_board(Profile::Tournament, Some(Color::Black));
    let state = state(&model).clone();
    let event = EventView::Sealed { by: Color::White };
    let sealed = Update { seq: Seq(1), intent: None, event, played: None, state };
    let effects = report(&mut model, sealed);
    assert_eq!(said(&model, &effects), ["alice seals a move (FIDE G.I)."]);
}

#[test]
fn unusual_terms_are_accepted_by_word_or_by_enter() {
    let proposal = Seek::casual("5+3".parse().unwrap(), Side::Random);
    let asked = |consent| {
        let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
        let invitation = Box::new(InvitationView { by: Handle::new("bob").unwrap(), proposal });
        update(&mut model, Message::Report(Report::Proposed { invitation, consent }));
        model
    };
    assert_eq!(typed_line(&mut asked(Consent::Needed), "accept"), [Effect::AcceptTerms]);
    assert_eq!(gesture(&mut asked(Consent::Needed), Gesture::Enter), [Effect::AcceptTerms]);
    assert!(refused(&typed_line(&mut asked(Consent::Needed), "e4")).is_some());
    assert!(refused(&typed_line(&mut asked(Consent::Given), "accept")).is_some());
}

#[test]
fn a_long_absence_is_told_when_it_can_be_claimed() {
    let mut model = white_to_move();
    let mut news = update_of(state(&model), "e4");
    news.state.absent_for.black = Some(Millis::ZERO);
    report(&mut model, news);
    let away = Presence::Away { for_ms: 0 };
    update(&mut model, Message::Report(Report::Presence { color: Color::Black, presence: away }));
    let mut at = |ms| {
        let effects = update(&mut model, Message::Time(Moment(ms)));
        said(&model, &effects)
    };
    // A tenth of five minutes and forty increments.
    assert!(at(41_000).is_empty());
    assert_eq!(at(42_000), ["bob has been away for 42 seconds: you may claim (claim win or claim draw)."]);
    assert!(at(43_000).is_empty());
}

#[test]
fn what_can_be_said_comes_into_the_input_line_one_after_the_other() {
    let mut model = white_to_move();
    offered(&mut model, &[Proposal::Draw]);
    for word in ["accept draw", "decline draw", "takeback"] {
        gesture(&mut model, Gesture::Suggest);
        assert_eq!(model.screen.input.value(), word);
    }
    let sent = sent(&gesture(&mut model, Gesture::Enter));
    assert_eq!(sent, Some(Intent::Propose(Proposal::Takeback { plies: 2 })));
    let mut watching = at_table(START, None, AtEnd::Stay);
    gesture(&mut watching, Gesture::Suggest);
    assert_eq!(watching.screen.input.value(), "");
}
