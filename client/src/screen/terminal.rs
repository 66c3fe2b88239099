//! The terminal, taken over for the screen and given back whole, whatever happens.

use crate::fault::{Exit, Fault};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use ratatui::DefaultTerminal;
use std::io::{self, Write, stdout};

/// A terminal in the screen's hands; dropped, it is as it was.
pub struct Screen {
    /// What the screen paints on.
    pub terminal: DefaultTerminal,
    mouse: Mouse,
}

/// Whether the screen listens to the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "a variant is its own name")]
pub enum Mouse {
    On,
    Off,
}

impl Screen {
    /// Takes the terminal over. A panic gives it back before it speaks.
    ///
    /// # Errors
    /// [`Exit::Other`] when it is no terminal that can show a screen.
    pub fn open(mouse: Mouse) -> Result<Self, Fault> {
        let fault = |error: io::Error| {
            Fault::new(Exit::Other, "the terminal cannot show a screen", "run the same command with --plain")
                .caused_by(error)
        };
        let terminal = ratatui::try_init().map_err(fault)?;
        let screen = Self { terminal, mouse };
        if mouse == Mouse::On {
            let quiet = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                give_mouse_back();
                quiet(info);
            }));
            execute!(stdout(), EnableMouseCapture).map_err(fault)?;
        }
        Ok(screen)
    }

    /// Calls the player: the terminal's bell.
    pub fn ring(&mut self) {
        // A terminal that is gone is noticed at the next picture.
        let _ = stdout().write_all(b"\x07").and_then(|()| stdout().flush());
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if self.mouse == Mouse::On {
            give_mouse_back();
        }
        ratatui::restore();
    }
}

fn give_mouse_back() {
    // There is nobody left to tell when even this fails.
    let _ = execute!(stdout(), DisableMouseCapture);
}
