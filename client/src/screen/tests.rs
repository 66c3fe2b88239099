//! Pictures of the screen: what stands where, and in which style.

use super::*;
use crate::cli::ColorWish;
use crate::config::PieceStyle;
use crate::message::{Consent, Friend, Invitation, Message, Moment, Report};
use crate::model::tests::{START, line_of, snapshot_of, state_of, update_by, update_of};
use crate::model::{AtEnd, ScreenModel};
use crate::update::update;
use chatrang_protocol::codec::List;
use chatrang_protocol::ids::Handle;
use chatrang_protocol::lobby::{InvitationView, Proposal, Side};
use chatrang_protocol::talk::RematchNews;
use chatrang_protocol::view::{Presence, ProposalView};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, Millis, Profile, Proposal as Offer, Terms};
use chatrang_rules::outcome::{GameResult, Termination};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color as Ink, Modifier};

fn picture(model: &Model, look: &Look, columns: u16, rows: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| paint(frame, model, look)).unwrap();
    terminal.backend().buffer().clone()
}

fn colors() -> Look {
    Look::new(ColorWish::Always, false)
}

fn mono() -> Look {
    Look::new(ColorWish::Never, false)
}

fn text(buffer: &Buffer) -> Vec<String> {
    let row = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..buffer.area.height).map(|y| row(y).trim_end().to_owned()).collect()
}

fn contains(buffer: &Buffer, words: &str) -> bool {
    text(buffer).iter().any(|row| row.contains(words))
}

fn assert_shows(buffer: &Buffer, words: &str) {
    assert!(contains(buffer, words), "{words:?} is not in\n{}", text(buffer).join("\n"));
}

fn playing(fen: &str, seat: Option<Color>) -> Model {
    let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
    let snapshot = Box::new(snapshot_of(fen, seat));
    hear(&mut model, Report::Snapshot { snapshot, lag: Millis::ZERO });
    model
}

fn hear(model: &mut Model, report: Report) {
    update(model, Message::Report(report));
}

fn moves(model: &mut Model, sans: &[&str]) {
    for san in sans {
        let news = Box::new(update_of(&model.game.as_ref().unwrap().state, san));
        hear(model, Report::Update { update: news, lag: Millis::ZERO });
    }
}

/// The cell in which the man of a square stands, on a board seen by White.
fn cell<'a>(buffer: &'a Buffer, model: &Model, square: &str) -> &'a Cell {
    let (x, y) = man_at(buffer.area, model, square);
    &buffer[(x, y)]
}

fn man_at(area: Rect, model: &Model, square: &str) -> (u16, u16) {
    Places::of(area, model).unwrap().board.man_at(square.parse().unwrap())
}

#[test]
fn the_start_is_seen_whole_at_80_by_24() {
    let model = playing(START, Some(Color::White));
    let buffer = picture(&model, &colors(), 80, 24);
    for words in [
        "Chatrang  game 7  5+3  alice - bob",
        "8  ♜   ♞   ♝   ♛   ♚   ♝   ♞   ♜",
        "1  ♖   ♘   ♗   ♕   ♔   ♗   ♘   ♖    >  5:00",
        "   a   b   c   d   e   f   g   h",
        "bob (Black)",
        "alice (White, you)",
        "Your move.",
        "> a move such as Nf3, or help",
    ] {
        assert_shows(&buffer, words);
    }
    assert!(text(&buffer)[23].starts_with("> "), "the input is the last row");
}

#[test]
fn the_board_grows_with_the_terminal() {
    let model = playing(START, Some(Color::White));
    for (columns, rows, board_rows) in [(60, 15, 8), (80, 24, 16), (100, 34, 24), (120, 50, 32)] {
        let buffer = picture(&model, &colors(), columns, rows);
        let (_, top) = man_at(buffer.area, &model, "a8");
        let (_, bottom) = man_at(buffer.area, &model, "a1");
        assert_eq!((bottom - top) / 7 * 8, board_rows, "{columns}x{rows}");
        assert_eq!(cell(&buffer, &model, "e1").symbol(), "♔");
        assert_eq!(cell(&buffer, &model, "e8").symbol(), "♚");
        assert_shows(&buffer, "bob (Black)");
    }
}

#[test]
fn a_narrow_terminal_has_the_players_above_and_below() {
    let model = playing(START, Some(Color::White));
    let rows = text(&picture(&model, &colors(), 34, 30));
    let at = |words: &str| {
        rows.iter().position(|row| row.contains(words)).unwrap_or_else(|| panic!("{words} in {rows:#?}"))
    };
    assert!(at("bob (Black)") < at("♚") && at("♔") < at("alice (White, you)"));
}

#[test]
fn a_terminal_that_is_too_small_says_so_and_nothing_panics() {
    let model = playing(START, Some(Color::White));
    assert_shows(&picture(&model, &colors(), 40, 10), "too small: 30x15 at least");
    for columns in [1, 2, 29, 30, 31, 55, 56, 57] {
        for rows in [1, 2, 12, 13, 14, 15, 23] {
            let buffer = picture(&model, &colors(), columns, rows);
            let whole = columns >= 30 && rows >= 15 || columns >= 56 && rows >= 13;
            assert_eq!(contains(&buffer, "Chatrang"), whole, "{columns}x{rows}");
        }
    }
    let mut model = model;
    for page in [0, 1, 99] {
        model.screen.help = Help::Open { page };
        assert_shows(&picture(&model, &colors(), 30, 15), "Words and keys");
    }
}

#[test]
fn men_differ_by_shape_and_by_colour() {
    let mut model = playing(START, Some(Color::White));
    let buffer = picture(&model, &colors(), 80, 24);
    assert_eq!(cell(&buffer, &model, "e2").fg, Ink::Indexed(231));
    assert_eq!(cell(&buffer, &model, "e7").fg, Ink::Indexed(16));
    assert_ne!(cell(&buffer, &model, "e2").bg, cell(&buffer, &model, "d2").bg);
    model.screen.pieces = PieceStyle::Letters;
    let buffer = picture(&model, &colors(), 80, 24);
    assert_eq!((cell(&buffer, &model, "e2").symbol(), cell(&buffer, &model, "e7").symbol()), ("P", "p"));
}

#[test]
fn the_last_move_is_marked_with_colours_and_without() {
    let mut model = playing(START, Some(Color::Black));
    model.screen.flipped = true;
    moves(&mut model, &["e4"]);
    let buffer = picture(&model, &colors(), 80, 24);
    for square in ["e2", "e4"] {
        assert!(matches!(cell(&buffer, &model, square).bg, Ink::Indexed(67 | 31)), "{square}");
    }
    assert!(matches!(cell(&buffer, &model, "d2").bg, Ink::Indexed(137 | 94)));

    let buffer = picture(&model, &mono(), 80, 24);
    assert_shows(&buffer, "[♙ ]");
    assert_shows(&buffer, "[  ]");
    assert!(buffer.content.iter().all(|cell| cell.fg == Ink::Reset && cell.bg == Ink::Reset));
    assert!(cell(&buffer, &model, "e4").modifier.contains(Modifier::REVERSED), "e4 is a light square");
    assert!(!cell(&buffer, &model, "d4").modifier.contains(Modifier::REVERSED), "d4 is a dark square");
}

#[test]
fn a_check_is_marked_with_colours_and_without() {
    let mut model = playing(START, Some(Color::Black));
    moves(&mut model, &["e4", "f6", "d4", "a6", "Qh5+"]);
    let buffer = picture(&model, &colors(), 80, 24);
    assert_eq!(cell(&buffer, &model, "e8").bg, Ink::Indexed(160));
    assert_shows(&buffer, "Your move, in check.");
    let buffer = picture(&model, &mono(), 80, 24);
    assert_shows(&buffer, "!♚ !");
}

#[test]
fn the_moves_are_listed_and_the_last_is_strong() {
    let mut model = playing(START, Some(Color::White));
    moves(&mut model, &["e4", "e5", "Nf3"]);
    let buffer = picture(&model, &colors(), 80, 24);
    assert_shows(&buffer, "  1. e4       e5");
    assert_shows(&buffer, "  2. Nf3");
    assert_shows(&buffer, "bob's move.");
    let strong = buffer.content.iter().filter(|cell| cell.modifier.contains(Modifier::BOLD));
    let strong: String = strong.map(Cell::symbol).collect();
    assert!(strong.contains("Nf3") && !strong.contains("e5"), "{strong}");
}

#[test]
fn an_offer_says_what_to_type() {
    let mut model = playing(START, Some(Color::White));
    let mut state = state_of(START);
    state.proposals = List::cut(vec![ProposalView { by: Color::Black, proposal: Offer::Draw }]);
    let offer = update_by(&state, Color::Black, Action::Proposed(Offer::Draw));
    hear(&mut model, Report::Update { update: Box::new(offer), lag: Millis::ZERO });
    let buffer = picture(&model, &colors(), 80, 24);
    assert_shows(&buffer, "Your move. bob offers a draw: type accept or decline, or play on.");
}

#[test]
fn the_running_clock_is_marked_and_a_low_one_shows_tenths() {
    let mut model = playing(START, Some(Color::White));
    assert_shows(&picture(&model, &mono(), 80, 24), ">  5:00");
    update(&mut model, Message::Time(Moment(290_650)));
    let buffer = picture(&model, &colors(), 80, 24);
    assert_shows(&buffer, ">  0:09.3");
    assert_shows(&buffer, "   5:00");
    assert!(buffer.content.iter().any(|cell| cell.symbol() == "9" && cell.bg == Ink::Indexed(160)));
    assert_shows(&buffer, "You have 10 seconds left.");
}

#[test]
fn clocks_that_stand_still_look_so() {
    let mut model = playing(START, Some(Color::White));
    update(&mut model, Message::Time(Moment(100_000)));
    hear(&mut model, Report::StoreFull);
    update(&mut model, Message::Time(Moment(400_000)));
    let buffer = picture(&model, &colors(), 80, 24);
    assert_shows(&buffer, "   3:20");
    assert!(!contains(&buffer, ">  3:20"), "{:#?}", text(&buffer));
    assert_shows(&buffer, "The server cannot write to its store: the clocks stand still until it can.");
}

#[test]
fn a_host_who_comes_back_sees_the_line_beside_the_game() {
    let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
    let line = "198.51.100.117:7777/0vhzv3yt56xp1atsanyyc7pv18";
    hear(&mut model, Report::Invited(Invitation { line: line.to_owned(), friend: Friend::ComesBack }));
    let snapshot = Box::new(snapshot_of(START, Some(Color::White)));
    hear(&mut model, Report::Snapshot { snapshot, lag: Millis::ZERO });
    let rows = text(&picture(&model, &colors(), 80, 24));
    assert!(rows.join(" ").contains(line), "{rows:#?}");
    assert!(!rows.concat().contains("Send your friend"), "{rows:#?}");
}

#[test]
fn an_absent_opponent_is_counted() {
    let mut model = playing(START, Some(Color::White));
    hear(&mut model, Report::Presence { color: Color::Black, presence: Presence::Away { for_ms: 10_000 } });
    update(&mut model, Message::Time(Moment(2_500)));
    assert_shows(&picture(&model, &colors(), 80, 24), "bob away 12 s (Black)");
}

#[test]
fn a_refusal_is_a_whole_sentence() {
    let mut model = playing(START, Some(Color::White));
    update(&mut model, Message::Typed("Ke2".to_owned()));
    assert_shows(
        &picture(&model, &colors(), 100, 30),
        "Ke2: e2 is held by a man of the same colour (FIDE 3.1.1).",
    );
}

#[test]
fn a_long_sentence_is_shown_whole_where_the_board_leaves_rows_over() {
    let mut snapshot = snapshot_of(START, Some(Color::White));
    snapshot.terms = Terms::of(Profile::Tournament, "5+3".parse().unwrap());
    let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
    hear(&mut model, Report::Snapshot { snapshot: Box::new(snapshot), lag: Millis::ZERO });
    let (_, top) = man_at(Rect::new(0, 0, 60, 20), &model, "a8");
    update(&mut model, Message::Typed("e2e5".to_owned()));
    let buffer = picture(&model, &colors(), 60, 20);
    let rows = text(&buffer).join(" ");
    assert!(rows.contains("e2e5: ") && rows.contains("type: illegal e2e5 (FIDE 3.7)."), "{rows}");
    assert_eq!(man_at(buffer.area, &model, "a8").1, top, "the board stays where it is");
}

#[test]
fn the_terms_are_shown_whole_before_they_are_accepted() {
    let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
    let controls = "5+3".parse().unwrap();
    let conduct = Terms::of(Profile::Tournament, controls).conduct;
    let proposal = Proposal { conduct: Some(conduct), ..Proposal::casual(controls, Side::White) };
    let invitation = Box::new(InvitationView { by: Handle::new("bob").unwrap(), proposal });
    hear(&mut model, Report::Proposed { invitation, consent: Consent::Needed });
    let rows = text(&picture(&model, &colors(), 60, 20)).join(" ");
    for words in ["Touch-move", "number 2 loses.", "seals its move."] {
        assert!(rows.contains(words), "{words}: {rows}");
    }
}

#[test]
fn the_end_shows_the_result() {
    let mut model = playing(START, Some(Color::White));
    let mut state = state_of(START);
    let result = GameResult::win(Color::Black, Termination::Resignation);
    state.result = Some(result);
    let end = update_by(&state, Color::White, Action::Resigned);
    hear(&mut model, Report::Update { update: Box::new(end), lag: Millis::ZERO });
    assert_shows(&picture(&model, &colors(), 80, 24), &format!("{result}. Enter leaves."));
}

#[test]
fn a_host_sees_the_board_and_the_whole_line_to_send() {
    let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
    hear(
        &mut model,
        Report::Entered { server: "your own server".to_owned(), handle: Handle::new("alice").unwrap() },
    );
    let line = "198.51.100.117:7777/0vhzv3yt56xp1atsanyyc7pv18/k7r3m9ta";
    let proposal = Proposal::casual("5+3".parse().unwrap(), Side::White);
    hear(&mut model, Report::Invited(Invitation { line: line.to_owned(), friend: Friend::Joins(proposal) }));
    let buffer = picture(&model, &colors(), 80, 24);
    assert_shows(&buffer, &format!("chatrang join {line}"));
    assert_shows(&buffer, "Waiting for a friend: 5+3, you have White. Send him this one line:");
    assert_shows(&buffer, "♚");
    // Where it does not fit into a row it is broken, not cut.
    let rows = text(&picture(&model, &colors(), 56, 16));
    assert!(rows.concat().contains(&format!("chatrang join {line}")), "{rows:#?}");
}

#[test]
fn a_taken_up_man_shows_where_he_may_go() {
    let mut model = playing(START, Some(Color::White));
    model.screen.selected = "g1".parse().ok();
    let buffer = picture(&model, &colors(), 80, 24);
    assert_eq!(cell(&buffer, &model, "g1").bg, Ink::Indexed(71));
    for (square, dot) in [("f3", "•"), ("h3", "•"), ("e3", " ")] {
        assert_eq!(cell(&buffer, &model, square).symbol(), dot, "{square}");
    }
}

#[test]
fn the_headline_has_the_terms_and_the_board_the_men_touched() {
    let mut snapshot = snapshot_of(START, Some(Color::White));
    snapshot.terms = Terms::of(Profile::Tournament, "5+3".parse().unwrap());
    snapshot.state.touched = List::cut(vec!["g1".parse().unwrap()]);
    snapshot.state.illegal_moves.black = 1;
    let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
    hear(&mut model, Report::Snapshot { snapshot: Box::new(snapshot), lag: Millis::ZERO });
    let buffer = picture(&model, &colors(), 100, 34);
    assert_shows(&buffer, "game 7  5+3, tournament  alice - bob");
    assert_shows(&buffer, "You have touched the knight on g1");
    assert_shows(&buffer, "Illegal moves: White 0, Black 1;");
    assert!(matches!(cell(&buffer, &model, "g1").bg, Ink::Indexed(108 | 65)));
    assert_shows(&picture(&model, &mono(), 80, 24), "(♘ )");
}

#[test]
fn what_an_illegal_move_has_left_is_on_the_board_too() {
    // A pawn on the last rank, and a king that could be taken.
    let model = playing("rnbqkbPr/pppp1ppp/8/8/8/8/PPPPQPPP/RNB1KBNR w KQkq - 0 5", Some(Color::White));
    assert!(model.game.as_ref().unwrap().position.is_none());
    let buffer = picture(&model, &colors(), 80, 24);
    assert_eq!((cell(&buffer, &model, "g8").symbol(), cell(&buffer, &model, "e2").symbol()), ("♙", "♕"));
}

#[test]
fn an_invitation_says_what_enter_does() {
    let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
    let controls = "5+3".parse().unwrap();
    let conduct = Terms::of(Profile::Classic, controls).conduct;
    let proposal = Proposal { conduct: Some(conduct), ..Proposal::casual(controls, Side::White) };
    let invitation = Box::new(InvitationView { by: Handle::new("bob").unwrap(), proposal });
    hear(&mut model, Report::Proposed { invitation, consent: Consent::Needed });
    assert_shows(
        &picture(&model, &colors(), 100, 30),
        "bob invites you to a game at 5+3, classic. Enter accepts, Ctrl-C leaves.",
    );
}

#[test]
fn what_people_say_stands_under_the_moves_or_where_there_is_no_panel_under_the_board() {
    let mut model = playing(START, Some(Color::White));
    model.notices.clear();
    let lines = vec![line_of("bob", "good luck"), line_of("alice", "and to you, may the better one win")];
    hear(&mut model, Report::Chat(lines));
    let buffer = picture(&model, &colors(), 80, 24);
    for words in ["bob: good luck", "alice: and to you, may the", "better one win"] {
        assert_shows(&buffer, words);
    }
    assert_shows(&picture(&model, &colors(), 34, 30), "bob: good luck");
    assert_shows(&picture(&model, &colors(), 34, 30), "alice: and to you");
}

#[test]
fn a_finished_game_says_how_to_play_again() {
    let mut model = playing(START, Some(Color::White));
    let mut snapshot = snapshot_of(START, Some(Color::White));
    snapshot.state.result = Some(GameResult::draw(Termination::Agreement));
    hear(&mut model, Report::Snapshot { snapshot: Box::new(snapshot), lag: Millis::ZERO });
    assert_shows(&picture(&model, &colors(), 80, 24), "F4 asks for a rematch.");
    hear(&mut model, Report::Rematch(RematchNews::Asked { by: Color::Black }));
    assert_shows(&picture(&model, &colors(), 80, 24), "bob asks for a rematch:");
}
