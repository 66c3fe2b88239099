//! What has happened at the board: an event of the game's record becomes news.

use super::{end_if_over, tell, time};
use crate::message::{Effect, Happening, News, Standstill};
use crate::model::Model;
use crate::model::game::GameModel;
use crate::standing;
use chatrang_protocol::view::{EventView, Update};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, Event, Irregularity, Millis, Party, Proposal, Suspension};
use chatrang_rules::record::story::{self, Scene};
use chatrang_rules::square::Square;

/// Takes an update in, and tells what it brings.
pub(super) fn happened(model: &mut Model, update: Update, lag: Millis, effects: &mut Vec<Effect>) {
    let Some(game) = &mut model.game else { return };
    let told = news(game, &update.event);
    let moved = moved(game.state.turn, &update);
    let is_move = matches!(update.event.open().map(|event| &event.action), Some(Action::Moved { .. }));
    if let Some(News::Moved { credit, .. }) = &moved {
        game.credit = *credit;
    }
    game.evolve(update, model.now, lag);
    time::clocks_changed(game, model.now);
    let may_go_on = |square: Square| game.state.legal.iter().any(|legal| legal.mv.from() == square);
    if moved.is_some() || !model.screen.selected.is_some_and(may_go_on) {
        model.screen.selected = None;
    }
    if moved.is_some() {
        // What was said about the position before is not about this one.
        model.notices.clear();
    }
    // A claim comes before the move that it plays, and what was wrong with a move after it.
    let (first, second) = if is_move { (moved, told) } else { (told, moved) };
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

/// The move that the update has made, if it has made one.
fn moved(color: Color, update: &Update) -> Option<News> {
    let played = update.played.as_ref()?;
    let credit = match update.event.open().map(|event| &event.action) {
        Some(Action::Moved { credit, .. }) => *credit,
        _ => Millis::ZERO,
    };
    let ply = update.state.ply.saturating_sub(1);
    Some(News::Moved { color, ply, mv: played.mv, san: played.san.to_string(), credit })
}

/// What there is to tell besides a move and the result.
fn news(game: &GameModel, event: &EventView) -> Option<News> {
    let event = match event {
        EventView::Open(event) => event,
        EventView::Sealed { by } => return Some(News::Sealed { by: *by }),
    };
    match (&event.action, event.by) {
        (Action::Proposed(proposal), Party::Player(by)) => Some(News::Offered { by, proposal: *proposal }),
        (Action::Declined(matter), Party::Player(by)) => Some(News::Declined { by, matter: *matter }),
        (Action::Accepted(proposal), Party::Player(by)) if *proposal != Proposal::Draw => {
            let text = standing::accepted(game, by, *proposal);
            Some(News::Happened(Box::new(Happening { event: event.clone(), text })))
        }
        (Action::Suspended(why), _) => Some(News::ClocksStopped(Standstill::Suspended(*why))),
        (Action::Continued, _) => {
            let why = game.state.suspension.unwrap_or(Suspension::Restart);
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
