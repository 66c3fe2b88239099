//! From a key or a click to a message.

use super::{help, square_at};
use crate::message::{Gesture, Message, Step};
use crate::model::Model;
use chatrang_rules::square::Square;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::Rect;
use tui_input::InputRequest;

/// What an event of the terminal means, if it means anything.
pub fn message(event: &Event, area: Rect, model: &Model) -> Option<Message> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_message(*key, area),
        Event::Mouse(mouse) => {
            let gesture: fn(Square) -> Gesture = match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => Gesture::Click,
                MouseEventKind::Down(MouseButton::Right) => |square| Gesture::Adjust(Some(square)),
                _ => return None,
            };
            square_at(area, model, mouse.column, mouse.row).map(|square| Message::Gesture(gesture(square)))
        }
        _ => None,
    }
}

fn key_message(key: KeyEvent, area: Rect) -> Option<Message> {
    use InputRequest::{
        DeleteFromStart, DeleteNextChar, DeletePrevChar, DeletePrevWord, DeleteTillEnd, GoToEnd, GoToStart,
        InsertChar,
    };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let gesture = match (key.code, control) {
        (KeyCode::Char('c'), true) => return Some(Message::Interrupt),
        (KeyCode::Char('a'), true) | (KeyCode::Home, _) => Gesture::Edit(GoToStart),
        (KeyCode::Char('e'), true) | (KeyCode::End, _) => Gesture::Edit(GoToEnd),
        (KeyCode::Char('u'), true) => Gesture::Edit(DeleteFromStart),
        (KeyCode::Char('k'), true) => Gesture::Edit(DeleteTillEnd),
        (KeyCode::Char('w'), true) => Gesture::Edit(DeletePrevWord),
        (KeyCode::Char(character), false) => Gesture::Edit(InsertChar(character)),
        (KeyCode::Backspace, _) => Gesture::Edit(DeletePrevChar),
        (KeyCode::Delete, _) => Gesture::Edit(DeleteNextChar),
        (KeyCode::Up, _) => Gesture::Step(Step::Up),
        (KeyCode::Down, _) => Gesture::Step(Step::Down),
        (KeyCode::Left, _) => Gesture::Step(Step::Left),
        (KeyCode::Right, _) => Gesture::Step(Step::Right),
        (KeyCode::Enter, _) => Gesture::Enter,
        (KeyCode::Esc, _) => Gesture::Escape,
        (KeyCode::F(1), _) => Gesture::Help { pages: help::pages(area) },
        (KeyCode::F(2), _) => Gesture::Flip,
        (KeyCode::F(3), _) => Gesture::OtherPieces,
        (KeyCode::F(4), _) => Gesture::Rematch,
        (KeyCode::F(5), _) => Gesture::Adjust(None),
        (KeyCode::F(6), _) => Gesture::Suggest,
        _ => return None,
    };
    Some(Message::Gesture(gesture))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AtEnd, ScreenModel};
    use crossterm::event::MouseEvent;

    fn meaning(event: &Event) -> Option<Message> {
        let model = Model::new(AtEnd::Stay, ScreenModel::default());
        message(event, Rect::new(0, 0, 80, 24), &model)
    }

    #[test]
    fn keys_mean_gestures() {
        let key = |code, modifiers| Event::Key(KeyEvent::new(code, modifiers));
        for (code, modifiers, expected) in [
            (KeyCode::Char('e'), KeyModifiers::NONE, Gesture::Edit(InputRequest::InsertChar('e'))),
            (KeyCode::Char('N'), KeyModifiers::SHIFT, Gesture::Edit(InputRequest::InsertChar('N'))),
            (KeyCode::Char('u'), KeyModifiers::CONTROL, Gesture::Edit(InputRequest::DeleteFromStart)),
            (KeyCode::Up, KeyModifiers::NONE, Gesture::Step(Step::Up)),
            (KeyCode::Enter, KeyModifiers::NONE, Gesture::Enter),
            (KeyCode::F(1), KeyModifiers::NONE, Gesture::Help { pages: 2 }),
            (KeyCode::F(2), KeyModifiers::NONE, Gesture::Flip),
            (KeyCode::F(5), KeyModifiers::NONE, Gesture::Adjust(None)),
            (KeyCode::F(6), KeyModifiers::NONE, Gesture::Suggest),
        ] {
            let heard = meaning(&key(code, modifiers));
            assert!(matches!(heard, Some(Message::Gesture(gesture)) if gesture == expected), "{heard:?}");
        }
        let interrupt = meaning(&key(KeyCode::Char('c'), KeyModifiers::CONTROL));
        assert!(matches!(interrupt, Some(Message::Interrupt)));
        assert!(meaning(&key(KeyCode::Char('q'), KeyModifiers::CONTROL)).is_none());
    }

    #[test]
    fn a_click_means_a_square() {
        let press = |button, column, row| {
            let kind = MouseEventKind::Down(button);
            Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
        };
        // At 80x24 a square takes 4 columns and 2 rows; two columns and two rows come before a8.
        let a8 = meaning(&press(MouseButton::Left, 2, 2));
        assert!(
            matches!(a8, Some(Message::Gesture(Gesture::Click(square))) if square.to_string() == "a8"),
            "{a8:?}"
        );
        assert!(meaning(&press(MouseButton::Left, 79, 2)).is_none());
        let adjusted = meaning(&press(MouseButton::Right, 2, 2));
        assert!(
            matches!(adjusted, Some(Message::Gesture(Gesture::Adjust(Some(square)))) if square.to_string() == "a8"),
            "{adjusted:?}"
        );
    }
}
