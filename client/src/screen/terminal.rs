//! The terminal, taken over for the screen and given back whole, whatever happens.

use crate::fault::{Exit, Fault};
use crossterm::cursor::Show;
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::{DefaultTerminal, Terminal};
use std::io::{self, Write, stdout};
use std::panic::PanicHookInfo;

/// A terminal in the screen's hands; dropped, it is as it was.
pub struct Screen {
    /// What the screen paints on.
    pub terminal: DefaultTerminal,
    _taken: Taken,
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
        std::panic::set_hook(after_giving_back(stdout, std::panic::take_hook()));
        enable_raw_mode().map_err(fault)?;
        let taken = Taken;
        execute!(stdout(), EnterAlternateScreen).map_err(fault)?;
        if mouse == Mouse::On {
            execute!(stdout(), EnableMouseCapture).map_err(fault)?;
        }
        let terminal = Terminal::new(CrosstermBackend::new(stdout())).map_err(fault)?;
        Ok(Self { terminal, _taken: taken })
    }

    /// Calls the player: the terminal's bell.
    pub fn ring(&mut self) {
        // A terminal that is gone is noticed at the next picture.
        let _ = stdout().write_all(b"\x07").and_then(|()| stdout().flush());
    }
}

/// Gives the terminal back when it is dropped, after the screen's own last words.
struct Taken;

impl Drop for Taken {
    fn drop(&mut self) {
        give_back(&mut stdout());
    }
}

/// What panics do: whoever reads them sees them, for the terminal is given back before.
fn after_giving_back<W: Write>(
    out: impl Fn() -> W + Send + Sync + 'static,
    then: Box<dyn Fn(&PanicHookInfo) + Send + Sync>,
) -> Box<dyn Fn(&PanicHookInfo) + Send + Sync> {
    Box::new(move |info| {
        give_back(&mut out());
        then(info);
    })
}

/// Undoes all that [`Screen::open`] does. It does no harm a second time.
fn give_back(out: &mut impl Write) {
    // There is nobody left to tell when even this fails.
    let _ = disable_raw_mode();
    let _ = queue!(out, DisableMouseCapture, LeaveAlternateScreen, Show).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    /// A terminal's memory.
    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_panic_gives_the_terminal_back_before_it_speaks() {
        let written = Written::default();
        let (terminal, speech) = (written.clone(), written.clone());
        let before = std::panic::take_hook();
        let speak = move |info: &PanicHookInfo| write!(speech.clone(), "{info}").unwrap();
        std::panic::set_hook(after_giving_back(move || terminal.clone(), Box::new(speak)));
        let panicked = std::thread::spawn(|| panic!("the board is on fire")).join();
        std::panic::set_hook(before);

        assert!(panicked.is_err());
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        let at = |needle: &str| text.find(needle).unwrap_or_else(|| panic!("{needle:?} is not in {text:?}"));
        let spoken = at("the board is on fire");
        for (what, code) in
            [("mouse", "\x1b[?1000l"), ("alternate screen", "\x1b[?1049l"), ("cursor", "\x1b[?25h")]
        {
            assert!(at(code) < spoken, "{what}: {text:?}");
        }
    }
}
