//! Tables for `update`: what is heard, and what comes of it.

mod table;

use super::*;
use crate::fault::Fault;
use crate::message::{Gesture, Moment, Step};
use crate::model::tests::{START, snapshot_of, state_of, update_by, update_of};
use crate::model::{Help, ScreenModel};
use chatrang_protocol::codec::List;
use chatrang_protocol::intent::Intent;
use chatrang_protocol::view::{ProposalView, StateView, Update};
use chatrang_rules::game::{Action, Matter, Proposal, Refusal};
use chatrang_rules::moves::Move;
use chatrang_rules::outcome::{GameResult, Termination};
use chatrang_rules::square::Square;
use tui_input::{Input, InputRequest};

fn at_table(fen: &str, seat: Option<Color>, at_end: AtEnd) -> Model {
    let mut model = Model::new(at_end, ScreenModel::default());
    let snapshot = Box::new(snapshot_of(fen, seat));
    update(&mut model, Message::Report(Report::Snapshot { snapshot, lag: Millis::ZERO }));
    model
}

fn white_to_move() -> Model {
    at_table(START, Some(Color::White), AtEnd::Stay)
}

fn typed_line(model: &mut Model, line: &str) -> Vec<Effect> {
    update(model, Message::Typed(line.to_owned()))
}

fn gesture(model: &mut Model, gesture: Gesture) -> Vec<Effect> {
    update(model, Message::Gesture(gesture))
}

fn report(model: &mut Model, news: Update) -> Vec<Effect> {
    update(model, Message::Report(Report::Update { update: Box::new(news), lag: Millis::ZERO }))
}

fn state(model: &Model) -> &StateView {
    &model.game.as_ref().unwrap().state
}

/// The intent among the effects, when there is just that.
fn sent(effects: &[Effect]) -> Option<Intent> {
    match effects {
        [Effect::Send { intent, .. }] => Some(intent.clone()),
        _ => None,
    }
}

/// The law and the sentence of a refusal, when there is just that.
fn refused(effects: &[Effect]) -> Option<(&str, &str)> {
    match effects {
        [Effect::Tell(News::Refused(Refused { law, text, .. }))] => Some((law, text)),
        _ => None,
    }
}

#[test]
fn a_legal_move_is_sent_and_the_board_waits_for_the_server() {
    for text in ["e4", "e2e4", "E4", "e2-e4"] {
        let mut model = white_to_move();
        let mv = Move::normal("e2".parse().unwrap(), "e4".parse().unwrap());
        let effects = typed_line(&mut model, text);
        assert_eq!(sent(&effects), Some(Intent::Move { ply: 0, mv }), "{text}");
        assert_eq!(state(&model).fen.as_str(), START);
        assert!(model.game.as_ref().unwrap().played.is_empty());
        assert_eq!(model.pending[0].input, text);

        let news = update_of(state(&model), "e4");
        assert!(
            report(&mut model, news)
                .iter()
                .any(|effect| matches!(effect, Effect::Tell(News::Moved { ply: 0, .. })))
        );
        assert_eq!(model.game.as_ref().unwrap().played.len(), 1);
    }
}

#[test]
fn words_become_intents() {
    for (line, intent) in [
        ("draw", Intent::Propose(Proposal::Draw)),
        ("accept", Intent::Accept(Matter::Draw)),
        ("decline", Intent::Decline(Matter::Draw)),
        ("claim", Intent::ClaimDraw { ply: 0, intended: None }),
        ("resign yes", Intent::Resign),
        ("abort", Intent::Abort),
    ] {
        assert_eq!(sent(&typed_line(&mut white_to_move(), line)), Some(intent), "{line}");
    }
    let intended = Move::normal("g1".parse().unwrap(), "f3".parse().unwrap());
    assert_eq!(
        sent(&typed_line(&mut white_to_move(), "claim Nf3")),
        Some(Intent::ClaimDraw { ply: 0, intended: Some(intended) })
    );
}

#[test]
fn who_offers_what_he_was_offered_accepts_it() {
    let mut model = white_to_move();
    let offered = |proposal| ProposalView { by: Color::Black, proposal };
    model.game.as_mut().unwrap().state.proposals = List::cut(vec![offered(Proposal::Draw)]);
    assert_eq!(sent(&typed_line(&mut model, "draw")), Some(Intent::Accept(Matter::Draw)));
    assert_eq!(sent(&typed_line(&mut model, "pause")), Some(Intent::Propose(Proposal::Pause)));
}

#[test]
fn what_cannot_be_sent_is_refused_with_its_law() {
    let over = || {
        let mut model = white_to_move();
        model.game.as_mut().unwrap().state.result = Some(GameResult::draw(Termination::Agreement));
        model
    };
    let before = || Model::new(AtEnd::Stay, ScreenModel::default());
    let watching = || at_table(START, None, AtEnd::Stay);
    let waiting = || at_table(START, Some(Color::Black), AtEnd::Stay);
    for (name, model, line, law) in [
        ("illegal", white_to_move(), "e5", "FIDE 3."),
        ("nonsense", white_to_move(), "hello", "input"),
        ("unconfirmed", white_to_move(), "resign", "input"),
        ("unconfirmed", white_to_move(), "quit", "input"),
        ("out of turn", waiting(), "e5", "FIDE 1.2"),
        ("a spectator", watching(), "e4", "FIDE 1.2"),
        ("a spectator", watching(), "resign yes", "FIDE 1.2"),
        ("no game", before(), "e4", "input"),
        ("no game", before(), "draw", "input"),
        ("no game", before(), "board", "input"),
        ("over", over(), "e4", "FIDE 5"),
        ("over", over(), "resign yes", "FIDE 5"),
    ] {
        let mut model = model;
        let effects = typed_line(&mut model, line);
        let (found, text) = refused(&effects).unwrap_or_else(|| panic!("{name}: {effects:?}"));
        assert!(found.starts_with(law) && !text.is_empty(), "{name}: {found}");
        assert_eq!(model.notices.back().unwrap().tone, Tone::Refused);
        assert!(model.pending.is_empty());
    }
}

#[test]
fn a_refusal_of_the_server_names_what_was_typed() {
    let mut model = white_to_move();
    typed_line(&mut model, "e4");
    let ticket = typed_line(&mut model, "draw").iter().find_map(|effect| match effect {
        Effect::Send { ticket, .. } => Some(*ticket),
        _ => None,
    });
    let outcome = Err(IntentError::Law(Refusal::OfferTooEarly));
    let answer = Report::Answer { ticket: ticket.unwrap(), outcome };
    let effects = update(&mut model, Message::Report(answer.clone()));
    let expected = Refused {
        input: "draw".to_owned(),
        law: Refusal::OfferTooEarly.law(),
        text: Refusal::OfferTooEarly.to_string(),
    };
    assert_eq!(effects, [Effect::Tell(News::Refused(expected))]);
    assert_eq!(model.pending.len(), 1);
    assert!(update(&mut model, Message::Report(answer)).is_empty(), "an answer counts once");
}

#[test]
fn an_ended_game_is_told_and_left_only_where_nobody_looks_at_the_board() {
    for (at_end, leaves) in [(AtEnd::Leave, true), (AtEnd::Stay, false)] {
        let mut model = at_table(START, Some(Color::White), at_end);
        let mut ended = state_of(START);
        let result = GameResult::win(Color::Black, Termination::Resignation);
        ended.result = Some(result);
        let effects = report(&mut model, update_by(&ended, Color::White, Action::Resigned));
        assert_eq!(effects[0], Effect::Tell(News::End(result)));
        assert_eq!(effects.contains(&Effect::Leave(Exit::Success)), leaves);
        assert!(model.is_over());
        // A connection that goes now takes nothing away.
        let lost = Report::Failed(Fault::new(Exit::Unreachable, "no answer", "try again"));
        let effects = update(&mut model, Message::Report(lost));
        assert_eq!(effects, [Effect::Tell(News::Remark("no answer.".to_owned()))]);
        assert_eq!(gesture(&mut model, Gesture::Enter), [Effect::Leave(Exit::Success)]);
    }
}

#[test]
fn a_game_that_is_over_when_it_is_opened_is_told_once() {
    let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
    let mut snapshot = snapshot_of(START, None);
    let result = GameResult::draw(Termination::Agreement);
    snapshot.state.result = Some(result);
    let mut ends = 0;
    for _ in 0..2 {
        let snapshot = Box::new(snapshot.clone());
        let effects = update(&mut model, Message::Report(Report::Snapshot { snapshot, lag: Millis::ZERO }));
        assert_eq!(effects[0], Effect::Tell(News::Game));
        ends += effects.iter().filter(|effect| **effect == Effect::Tell(News::End(result))).count();
    }
    assert_eq!(ends, 1);
}

#[test]
fn ctrl_c_asks_once_in_a_game_and_leaves_at_once_elsewhere() {
    let leaves = |effects: &[Effect], exit| effects == [Effect::Leave(exit)];
    let mut playing = white_to_move();
    let asked = update(&mut playing, Message::Interrupt);
    assert!(matches!(asked.as_slice(), [Effect::Tell(News::Remark(_))]), "{asked:?}");
    assert!(leaves(&update(&mut playing, Message::Interrupt), Exit::Interrupted));

    let mut minded = white_to_move();
    update(&mut minded, Message::Interrupt);
    gesture(&mut minded, Gesture::Edit(InputRequest::InsertChar('e')));
    assert!(!leaves(&update(&mut minded, Message::Interrupt), Exit::Interrupted), "any key takes it back");

    let mut watching = at_table(START, None, AtEnd::Stay);
    assert!(leaves(&update(&mut watching, Message::Interrupt), Exit::Interrupted));
    let mut waiting = Model::new(AtEnd::Stay, ScreenModel::default());
    assert!(leaves(&update(&mut waiting, Message::Interrupt), Exit::Interrupted));
}

#[test]
fn quitting_a_game_takes_a_yes() {
    assert!(refused(&typed_line(&mut white_to_move(), "quit")).is_some());
    assert_eq!(typed_line(&mut white_to_move(), "quit yes"), [Effect::Leave(Exit::Success)]);
    let mut watching = at_table(START, None, AtEnd::Stay);
    assert_eq!(typed_line(&mut watching, "quit"), [Effect::Leave(Exit::Success)]);
}

#[test]
fn squares_are_taken_up_and_put_down() {
    let square = |text: &str| text.parse::<Square>().unwrap();
    for (clicks, selected, sends) in [
        (vec!["e2"], Some("e2"), false),
        (vec!["e2", "e2"], None, false),
        (vec!["e2", "d2"], Some("d2"), false),
        (vec!["e2", "e5"], None, false),
        (vec!["e5"], None, false),
        (vec!["e2", "e4"], None, true),
    ] {
        let mut model = white_to_move();
        let effects: Vec<Effect> =
            clicks.iter().flat_map(|text| gesture(&mut model, Gesture::Click(square(text)))).collect();
        assert_eq!(model.screen.selected, selected.map(square), "{clicks:?}");
        assert_eq!(sent(&effects).is_some(), sends, "{clicks:?}");
    }
}

#[test]
fn a_castling_king_may_be_put_on_his_square_or_on_his_rook() {
    for target in ["g1", "h1"] {
        let mut model = at_table("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Some(Color::White), AtEnd::Stay);
        gesture(&mut model, Gesture::Click("e1".parse().unwrap()));
        let effects = gesture(&mut model, Gesture::Click(target.parse().unwrap()));
        let castling = Move::castle("e1".parse().unwrap(), "h1".parse().unwrap());
        assert_eq!(sent(&effects), Some(Intent::Move { ply: 0, mv: castling }));
    }
}

#[test]
fn a_promoting_pawn_asks_what_it_becomes() {
    let mut model = at_table("8/P6k/8/8/8/8/8/4K3 w - - 0 1", Some(Color::White), AtEnd::Stay);
    gesture(&mut model, Gesture::Click("a7".parse().unwrap()));
    assert!(gesture(&mut model, Gesture::Click("a8".parse().unwrap())).is_empty());
    assert_eq!(model.screen.input.value(), "a7a8");
    gesture(&mut model, Gesture::Edit(InputRequest::InsertChar('n')));
    let sent = sent(&gesture(&mut model, Gesture::Enter));
    assert!(
        matches!(sent, Some(Intent::Move { mv, .. }) if mv.promoted() == Some(chatrang_rules::piece::Role::Knight))
    );
}

#[test]
fn the_cursor_walks_as_the_board_is_seen() {
    for (seat, flipped, target) in [
        (Color::White, false, "e5"),
        (Color::White, true, "e3"),
        (Color::Black, false, "e3"),
        (Color::Black, true, "e5"),
    ] {
        let mut model = at_table(START, Some(seat), AtEnd::Stay);
        model.screen.flipped = flipped;
        gesture(&mut model, Gesture::Step(Step::Up));
        assert_eq!(model.screen.cursor, "e4".parse().ok());
        gesture(&mut model, Gesture::Step(Step::Up));
        assert_eq!(model.screen.cursor, target.parse().ok(), "{seat} {flipped}");
        for _ in 0..9 {
            gesture(&mut model, Gesture::Step(Step::Up));
        }
        let rank = model.screen.cursor.unwrap().rank().to_char();
        assert_eq!(rank, if target == "e5" { '8' } else { '1' }, "it stops at the edge");
    }
}

#[test]
fn escape_takes_back_one_thing_at_a_time() {
    let mut model = white_to_move();
    let e2 = "e2".parse().ok();
    (model.screen.help, model.screen.cursor, model.screen.selected) = (Help::FIRST, e2, e2);
    model.screen.input = Input::new("e".to_owned());
    let mut seen = Vec::new();
    for _ in 0..4 {
        gesture(&mut model, Gesture::Escape);
        let screen = &model.screen;
        seen.push((
            screen.help == Help::FIRST,
            screen.input.value().is_empty(),
            screen.selected.is_none(),
            screen.cursor.is_none(),
        ));
    }
    let (yes, no) = (true, false);
    assert_eq!(seen, [(no, no, no, no), (no, yes, no, no), (no, yes, yes, no), (no, yes, yes, yes)]);
}

#[test]
fn the_player_is_called_when_it_is_his_turn() {
    for (seat, calls) in [(Some(Color::Black), true), (Some(Color::White), false), (None, false)] {
        let mut model = at_table(START, seat, AtEnd::Stay);
        let news = update_of(state(&model), "e4");
        assert_eq!(report(&mut model, news).contains(&Effect::Ring), calls, "{seat:?}");
    }
}

#[test]
fn absences_are_told_when_they_begin_and_end() {
    let mut model = white_to_move();
    let presence = |presence| Message::Report(Report::Presence { color: Color::Black, presence });
    let away = update(&mut model, presence(Presence::Away { for_ms: 1500 }));
    assert_eq!(away, [Effect::Tell(News::Away { color: Color::Black, span: Millis(1500) })]);
    assert_eq!(
        update(&mut model, presence(Presence::Here)),
        [Effect::Tell(News::Back { color: Color::Black })]
    );
    assert!(update(&mut model, presence(Presence::Here)).is_empty());
}

#[test]
fn a_low_clock_warns_again_only_after_an_increment_has_helped() {
    let warned = |effects: Vec<Effect>| {
        effects.iter().any(|effect| matches!(effect, Effect::Tell(News::LowTime { seconds: 20, .. })))
    };
    for (left_ms, again) in [(23_000, false), (31_000, true)] {
        let mut model = white_to_move();
        assert!(warned(update(&mut model, Message::Time(Moment(280_000)))));
        let mut news = update_by(state(&model), Color::Black, Action::Declined(Matter::Draw));
        news.state.clocks.left.white = Millis(left_ms);
        report(&mut model, news);
        assert_eq!(warned(update(&mut model, Message::Time(Moment(280_000 + left_ms - 19_000)))), again);
    }
}

#[test]
fn only_the_own_clock_warns_a_player_and_both_warn_a_spectator() {
    for (seat, warns) in [(Some(Color::White), true), (Some(Color::Black), false), (None, true)] {
        let mut model = at_table(START, seat, AtEnd::Stay);
        assert_eq!(!update(&mut model, Message::Time(Moment(240_000))).is_empty(), warns, "{seat:?}");
    }
}

#[test]
fn a_full_store_stops_the_clocks_until_it_has_room() {
    let mut model = white_to_move();
    let at = |model: &mut Model, ms| update(model, Message::Time(Moment(ms)));
    let left = |model: &Model| model.game.as_ref().unwrap().left(Color::White, model.now);
    at(&mut model, 100_000);
    let stopped = update(&mut model, Message::Report(Report::StoreFull));
    assert_eq!(stopped, [Effect::Tell(News::ClocksStopped(Standstill::StoreFull))]);
    assert!(at(&mut model, 500_000).is_empty(), "no clock runs low");
    assert_eq!(left(&model), Millis(200_000));

    let seen_again = Report::Snapshot { snapshot: Box::new(snapshot_of(START, None)), lag: Millis::ZERO };
    let effects = update(&mut model, Message::Report(seen_again));
    assert!(effects.contains(&Effect::Tell(News::ClocksStopped(Standstill::StoreFull))), "{effects:?}");
    at(&mut model, 600_000);
    assert_eq!(left(&model), Millis(300_000));

    let runs = update(&mut model, Message::Report(Report::StoreRecovered));
    assert_eq!(runs, [Effect::Tell(News::ClocksRun(Standstill::StoreFull))]);
    at(&mut model, 601_000);
    assert_eq!(left(&model), Millis(299_000));
    assert_eq!(at(&mut model, 841_000).len(), 1, "and it warns again");
}

#[test]
fn a_full_store_is_only_a_remark_where_no_clock_can_run() {
    let mut before = Model::new(AtEnd::Stay, ScreenModel::default());
    let effects = update(&mut before, Message::Report(Report::StoreFull));
    assert!(matches!(effects.as_slice(), [Effect::Tell(News::Remark(_))]), "{effects:?}");

    let mut over = white_to_move();
    over.game.as_mut().unwrap().state.result = Some(GameResult::draw(Termination::Agreement));
    assert!(update(&mut over, Message::Report(Report::StoreFull)).is_empty());
}

#[test]
fn a_fault_ends_the_program_with_it() {
    let fault = Fault::new(Exit::Unreachable, "no answer", "try again");
    let effects = update(&mut white_to_move(), Message::Report(Report::Failed(fault.clone())));
    assert_eq!(effects, [Effect::Fail(fault)]);
}
