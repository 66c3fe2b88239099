//! Chance from a seed: each part of a world has dice of its own, so that one part's throws change no other's.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::time::Duration;

/// Dice that fall the same way each time.
#[derive(Clone, Debug)]
pub struct Dice(StdRng);

impl Dice {
    /// The dice of a part of the world of `seed`: its name, and which of several.
    pub fn of(seed: u64, part: &str, number: usize) -> Self {
        // FNV-1a over all three: the standard library's hashes are not the same in each process.
        let bytes = seed.to_le_bytes().into_iter().chain(part.bytes()).chain((number as u64).to_le_bytes());
        let mixed = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(StdRng::seed_from_u64(mixed))
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0.random()
    }

    /// Any bytes.
    pub fn bytes<const COUNT: usize>(&mut self) -> [u8; COUNT] {
        let mut bytes = [0; COUNT];
        self.0.fill(&mut bytes[..]);
        bytes
    }

    /// A number below `end`; 0 when that is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.0.random_range(0..end) }
    }

    /// A number from `least` to `most`.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// So many milliseconds.
    pub fn ms(&mut self, least: u64, most: u64) -> Duration {
        Duration::from_millis(self.between(least, most))
    }

    /// True so many times in a thousand.
    pub fn per_mille(&mut self, times: u64) -> bool {
        self.below(1_000) < times
    }

    /// One of them, if there is any.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(usize::try_from(self.below(all.len() as u64)).unwrap())
    }

    /// A time around a mean: mostly less, now and then a few times as long.
    pub fn about_ms(&mut self, mean_ms: u64) -> Duration {
        let fraction = (f64::from(self.below(1_000_000) as u32) + 1.0) / 1_000_001.0;
        Duration::from_millis(mean_ms).mul_f64(-fraction.ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_its_own() {
        let throw = |seed, part, number| Dice::of(seed, part, number).number();
        assert_eq!(throw(1, "network", 2), throw(1, "network", 2));
        assert_ne!(throw(1, "network", 2), throw(2, "network", 2));
        assert_ne!(throw(1, "network", 2), throw(1, "disk", 2));
        assert_ne!(throw(1, "network", 2), throw(1, "network", 3));
    }
}
