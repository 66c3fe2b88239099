//! Where a client's random numbers come from: an argument, so that a simulation can repeat itself.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A source of chance: for the ids of intents and for how long to wait before trying again. Cheap to clone;
/// the same source behind all clones.
#[derive(Clone, Default)]
pub struct Chance(Option<Arc<Mutex<StdRng>>>);

impl Chance {
    /// Chance that nobody can foresee.
    pub fn from_system() -> Self {
        Self(None)
    }

    /// Chance that repeats itself: for simulations. No two clients of one account may have the same seed, since
    /// an id that comes twice is one intent.
    pub fn from_seed(seed: u64) -> Self {
        Self(Some(Arc::new(Mutex::new(StdRng::seed_from_u64(seed)))))
    }

    /// Any number.
    pub(super) fn number(&self) -> u64 {
        match &self.0 {
            None => rand::random(),
            Some(seeded) => seeded.lock().unwrap_or_else(PoisonError::into_inner).random(),
        }
    }

    /// From 0 up to, but not, 1.
    pub(super) fn fraction(&self) -> f64 {
        match &self.0 {
            None => rand::random(),
            Some(seeded) => seeded.lock().unwrap_or_else(PoisonError::into_inner).random(),
        }
    }
}

/// Shows nothing of its state.
impl fmt::Debug for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Chance(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_seed_repeats_itself() {
        let numbers = |chance: &Chance| [chance.number(), chance.number(), chance.fraction().to_bits()];
        assert_eq!(numbers(&Chance::from_seed(7)), numbers(&Chance::from_seed(7)));
        assert_ne!(numbers(&Chance::from_seed(7)), numbers(&Chance::from_seed(8)));
        assert_ne!(numbers(&Chance::from_system()), numbers(&Chance::from_system()));
        let shared = Chance::from_seed(7);
        assert_ne!(numbers(&shared), numbers(&shared.clone()), "clones share the source");
    }
}
