//! What a player's hands do on the screen: keys and clicks, the cursor, men taken up and put down.

use super::wish::{self, own_turn, send};
use super::{accept_terms, not_yet, refuse, talk, tell};
use crate::fault::Exit;
use crate::lookup::NoMatch;
use crate::message::{Effect, Gesture, News, Step};
use crate::model::game::{GameModel, seen_squares};
use crate::model::{Help, Leaving, Model, Tone, TouchWarning, Waiting};
use crate::{standing, suggest};
use chatrang_protocol::intent::Intent;
use chatrang_protocol::view::LegalMove;
use chatrang_rules::color::Color;
use chatrang_rules::moves::Move;
use chatrang_rules::square::Square;
use tui_input::{Input, InputRequest};

pub(super) fn gestured(model: &mut Model, gesture: Gesture, effects: &mut Vec<Effect>) {
    model.leaving = Leaving::NotAsked;
    match gesture {
        Gesture::Edit(request) => {
            model.screen.input.handle(request);
        }
        Gesture::Enter => enter(model, effects),
        Gesture::Escape => escape(model),
        Gesture::Flip => model.screen.flipped = !model.screen.flipped,
        Gesture::OtherPieces => model.screen.pieces = model.screen.pieces.other(),
        Gesture::Rematch => talk::ask_rematch(model, "rematch", effects),
        Gesture::Help { pages } => model.screen.help = model.screen.help.next(pages),
        Gesture::Suggest => suggest(model, effects),
        Gesture::Adjust(square) => adjust(model, square.or(model.screen.cursor), effects),
        Gesture::Step(step) => step_cursor(model, step),
        Gesture::Click(square) => {
            model.screen.cursor = None;
            point(model, square, effects);
        }
    }
}

fn enter(model: &mut Model, effects: &mut Vec<Effect>) {
    let line = model.screen.input.value_and_reset();
    match (line.trim(), model.screen.cursor) {
        ("", _) if model.screen.help != Help::Closed => model.screen.help = Help::Closed,
        ("", _) if matches!(model.waiting, Waiting::Consent(_)) => accept_terms(model, effects),
        ("", _) if model.is_over() => effects.push(Effect::Leave(Exit::Success)),
        ("", Some(square)) => point(model, square, effects),
        ("", None) => {}
        (line, _) => wish::typed(model, line, effects),
    }
}

fn escape(model: &mut Model) {
    let screen = &mut model.screen;
    if screen.help != Help::Closed {
        screen.help = Help::Closed;
    } else if !screen.input.value().is_empty() {
        screen.input.reset();
    } else if screen.selected.take().is_none() {
        screen.cursor = None;
    }
}

fn step_cursor(model: &mut Model, step: Step) {
    if !model.screen.input.value().is_empty() {
        match step {
            Step::Left => model.screen.input.handle(InputRequest::GoToPrevChar),
            Step::Right => model.screen.input.handle(InputRequest::GoToNextChar),
            Step::Up | Step::Down => None,
        };
        return;
    }
    let Some(game) = &model.game else { return };
    let Some(cursor) = model.screen.cursor else {
        let last = game.last().map(|played| seen_squares(played.mv).1);
        model.screen.cursor = last.or_else(|| "e4".parse().ok());
        return;
    };
    let up = if model.bottom() == Color::White { 1 } else { -1 };
    let (files, ranks) = match step {
        Step::Up => (0, up),
        Step::Down => (0, -up),
        Step::Left => (-up, 0),
        Step::Right => (up, 0),
    };
    model.screen.cursor = cursor.offset(files, ranks).or(Some(cursor));
}

/// The next word of those that can be said now goes into the input line: Enter says it.
fn suggest(model: &mut Model, effects: &mut Vec<Effect>) {
    let words = model.game.as_ref().map(|game| suggest::words(game, model.now)).unwrap_or_default();
    let shown = words.iter().position(|word| word == model.screen.input.value());
    match words.get(shown.map_or(0, |shown| (shown + 1) % words.len())) {
        Some(word) => model.screen.input = Input::new(word.clone()),
        None => tell(model, News::Remark("There is nothing to offer or to claim here.".to_owned()), effects),
    }
}

/// The player adjusts a man.
fn adjust(model: &mut Model, square: Option<Square>, effects: &mut Vec<Effect>) {
    let Some(square) = square else {
        let text = "move the cursor to a man first, or press the right button on him";
        return refuse(model, "adjust", not_yet(text), effects);
    };
    let input = format!("adjust {square}");
    match own_turn(model).map(|game| wish::adjust(game, square)) {
        Ok(intent) => send(model, &input, intent, effects),
        Err(no_turn) => refuse(model, &input, no_turn, effects),
    }
}

/// The player means a square: he takes a man up there, puts it down there, or neither.
fn point(model: &mut Model, square: Square, effects: &mut Vec<Effect>) {
    match own_turn(model).map(|game| pointed(game, model.screen.selected, square)) {
        Err(no_turn) => refuse(model, &square.to_string(), no_turn, effects),
        Ok(Pointed::Selects(None)) => model.screen.selected = None,
        Ok(Pointed::Selects(Some(selected))) => select(model, selected, effects),
        Ok(Pointed::Moves { san, intent }) => send(model, &san, intent, effects),
        Ok(Pointed::Promotes(from)) => {
            model.screen.selected = None;
            model.screen.input = Input::new(format!("{from}{square}"));
            model.notice(Tone::Info, "The pawn becomes what you add: q, r, b or n, then Enter.");
        }
        Ok(Pointed::Nowhere { input, no_match }) => {
            model.screen.selected = model.game.as_ref().and_then(GameModel::bound);
            refuse(model, &input, no_match, effects);
        }
    }
}

/// The player takes a man up: where that binds, he is warned the first time, and then it is a touch.
fn select(model: &mut Model, square: Square, effects: &mut Vec<Effect>) {
    let Some(game) = &model.game else { return };
    let hint = standing::touch_hint(game).filter(|_| !game.state.touched.contains(&square));
    match (hint, model.screen.touch) {
        (None, _) => model.screen.selected = Some(square),
        (Some(hint), TouchWarning::Due) => {
            model.screen.touch = TouchWarning::Given;
            tell(model, News::Remark(hint.to_owned()), effects);
        }
        (Some(_), TouchWarning::Given) => {
            let intent = Intent::Touch { ply: game.state.ply, square };
            send(model, &format!("touch {square}"), intent, effects);
            model.screen.selected = Some(square);
        }
    }
}

/// Why nothing comes of it: a man that was touched, or else what is said of the square.
fn touched_or(game: &GameModel, of_square: impl FnOnce() -> String) -> NoMatch {
    match standing::touched(game) {
        Some(text) => NoMatch { law: "FIDE 4.3".to_owned(), text: text.trim_end_matches('.').to_owned() },
        None => NoMatch { law: "FIDE 3.10.1".to_owned(), text: of_square() },
    }
}

/// What pointing at a square comes to.
enum Pointed {
    Selects(Option<Square>),
    Moves { san: String, intent: Intent },
    Promotes(Square),
    Nowhere { input: String, no_match: NoMatch },
}

fn pointed(game: &GameModel, selected: Option<Square>, square: Square) -> Pointed {
    let starts_a_move = game.state.legal.iter().any(|legal| legal.mv.from() == square);
    // The one man that has to move need not be taken up again.
    let Some(from) = selected.or_else(|| game.bound().filter(|_| !starts_a_move)) else {
        if starts_a_move {
            return Pointed::Selects(Some(square));
        }
        let no_match = touched_or(game, || format!("nothing of yours on {square} can move"));
        return Pointed::Nowhere { input: square.to_string(), no_match };
    };
    let goes_here = |mv: Move| mv.from() == from && (mv.to() == square || seen_squares(mv).1 == square);
    let moves: Vec<&LegalMove> = game.state.legal.iter().filter(|legal| goes_here(legal.mv)).collect();
    match moves.as_slice() {
        [] if square == from => Pointed::Selects(None),
        [] if starts_a_move => Pointed::Selects(Some(square)),
        [] => Pointed::Nowhere {
            input: format!("{from}{square}"),
            no_match: touched_or(game, || format!("the man on {from} cannot go to {square}")),
        },
        [only] => Pointed::Moves {
            san: only.san.to_string(),
            intent: Intent::Move { ply: game.state.ply, mv: only.mv },
        },
        _ => Pointed::Promotes(from),
    }
}
