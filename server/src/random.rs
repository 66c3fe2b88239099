//! Chance: lots and codes. An argument of the server, so that a simulation can repeat itself.

use chatrang_rules::color::Color;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A source of chance. Cheap to clone; the same source behind all clones.
#[derive(Clone)]
pub struct Random(Arc<Mutex<StdRng>>);

impl Random {
    /// Chance that nobody can foresee.
    pub fn from_system() -> Self {
        Self(Arc::new(Mutex::new(StdRng::from_os_rng())))
    }

    /// Chance that repeats itself: for simulations only, since codes can be foreseen.
    pub fn from_seed(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// One side or the other.
    pub fn color(&self) -> Color {
        if self.with(Rng::random) { Color::White } else { Color::Black }
    }

    /// So many bytes.
    pub fn bytes<const COUNT: usize>(&self) -> [u8; COUNT] {
        self.with(|rng| {
            let mut bytes = [0; COUNT];
            rng.fill(&mut bytes[..]);
            bytes
        })
    }

    fn with<T>(&self, draw: impl FnOnce(&mut StdRng) -> T) -> T {
        draw(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Shows nothing of its state.
impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Random(..)")
    }
}
