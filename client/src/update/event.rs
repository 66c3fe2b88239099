//! What has happened at the board: an event of the game's record becomes news.

use super::{end_if_over, tell, time};
use crate::message::{Effect, Happening, News, Standstill};
use crate::model::{GameModel, Model};
use chatrang_protocol::view::{EventView, PlayedView, Update};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, Event, Irregularity, Millis, Party, Suspension};
use chatrang_rules::record::story::{self, Scene};

/// Takes an update in, and tells what it brings.
pub(super) fn happened(model: &mut Model, update: Update, lag: Millis, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(game) = &mut model.game else { return };
    let mover = game.state.turn;
    let was_suspended = game.state.suspension;
    let played = update.played.clone();
    let is_move = matches!(update.event.open().map(|event| &event.action), Some(Action::Moved { .. }));
    let news = news(game, &update.event, was_suspended);
    game.evolve(update.clone(), now, lag);
    time::clocks_changed(game, now);
    let begins_move = played.is_some() || touches_are_gone(game, model.desk.selected);
    if begins_move {
        model.desk.selected = None;
    }
    if played.is_some() {
        // What was said about the position before is not about this one.
        model.notices.clear();
    }
    let moved = played.map(|played| moved(model, mover, played, &update.event));
    let (first, second) = if is_move { (moved, news) } else { (news, moved) };
    for news in first.into_iter().chain(second) {
        let is_own_turn = model.game.as_ref().is_some_and(GameModel::is_own_turn);
        let rings = matches!(news, News::Moved { .. }) && is_own_turn;
        tell(model, news, effects);
        if rings {
            effects.push(Effect::Ring);
        }
    }
    end_if_over(model, effects);
}

/// Whether the man that was taken up can move no more: the move was put back, or moves were taken back.
fn touches_are_gone(game: &GameModel, selected: Option<chatrang_rules::square::Square>) -> bool {
    selected.is_some_and(|square| !game.state.legal.iter().any(|legal| legal.mv.from() == square))
}

fn moved(model: &Model, color: Color, played: PlayedView, event: &EventView) -> News {
    let ply = model.game.as_ref().map_or(0, |game| game.state.ply.saturating_sub(1));
    let credit = match event.open().map(|event| &event.action) {
        Some(Action::Moved { credit, .. }) => *credit,
        _ => Millis::ZERO,
    };
    News::Moved { color, ply, mv: played.mv, san: played.san.to_string(), credit }
}

/// What there is to tell besides a move and the result.
fn news(game: &GameModel, event: &EventView, was_suspended: Option<Suspension>) -> Option<News> {
    let event = match event {
        EventView::Open(event) => event,
        EventView::Sealed { by } => return Some(News::Sealed { by: *by }),
    };
    match (&event.action, event.by) {
        (Action::Proposed(proposal), Party::Player(by)) => Some(News::Offered { by, proposal: *proposal }),
        (Action::Declined(matter), Party::Player(by)) => Some(News::Declined { by, matter: *matter }),
        (Action::Suspended(why), _) => Some(News::ClocksStopped(Standstill::Suspended(*why))),
        (Action::Continued, _) => {
            let why = was_suspended.unwrap_or(Suspension::Restart);
            Some(News::ClocksRun(Standstill::Suspended(why)))
        }
        // Whoever plays against it has to see it for himself, as at a board.
        (Action::Moved { irregularity: Some(Irregularity::Stands), .. }, by)
            if game.seat.map(Party::Player) != Some(by) =>
        {
            None
        }
        _ => told(game, event).map(|text| News::Happened(Box::new(Happening { event: event.clone(), text }))),
    }
}

/// The record's own sentence about an event, with its law.
fn told(game: &GameModel, event: &Event) -> Option<String> {
    let written = |mv| game.written(mv);
    let scene = Scene { terms: &game.terms, turn: game.state.turn, written: &written };
    let sentence = story::sentence(event, &scene)?;
    Some(match story::law(&event.action) {
        Some(law) => format!("{} ({}).", sentence.trim_end_matches('.'), crate::sentence::law(law)),
        None => sentence,
    })
}
