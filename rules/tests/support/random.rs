//! Numbers that look random, and are the same on every machine.
#![allow(dead_code, reason = "each test binary uses its part")]

/// Marsaglia's xorshift, from a seed that is printed when something fails.
pub(crate) struct Random(u64);

impl Random {
    /// Neighbouring seeds give numbers that have nothing to do with each other.
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self(0x2545_f491_4f6c_dd1d ^ (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for _ in 0..4 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number under `bound`; 0 where there is none.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// True once in so many times.
    pub(crate) fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of some items; none of none.
    pub(crate) fn of<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len() as u64) as usize).copied()
    }

    /// One of some items.
    pub(crate) fn pick<T: Copy, const N: usize>(&mut self, items: [T; N]) -> T {
        items[self.below(N as u64) as usize]
    }
}

/// How many cases are tried: what `CHATRANG_CASES` says, or else `usual`.
pub(crate) fn cases(usual: u64) -> u64 {
    std::env::var("CHATRANG_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Says which seed it was when a test fails in the middle of it.
pub(crate) struct Seed(pub(crate) u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("this was seed {}", self.0);
        }
    }
}
