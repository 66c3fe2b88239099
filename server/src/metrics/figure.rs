//! Figures that many tasks change and one page reads: each change is an atomic addition, without a lock
//! and without an allocation.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A number that only grows. Cheap to clone; the same number behind all clones.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<AtomicU64>);

impl Counter {
    /// Counts one more.
    pub fn count(&self) {
        self.add(1);
    }

    /// Counts so many more.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// How many there have been.
    pub fn read(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How many there are of something. Cheap to clone; the same number behind all clones.
#[derive(Clone, Debug, Default)]
pub struct Gauge(Arc<AtomicU64>);

impl Gauge {
    /// Counts one until the value is dropped.
    pub fn enter(&self) -> Inside {
        self.0.fetch_add(1, Ordering::Relaxed);
        Inside(Self(Arc::clone(&self.0)))
    }

    /// How many there are.
    pub fn read(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// One that a [`Gauge`] counts.
#[derive(Debug)]
pub struct Inside(Gauge);

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs from its start on. It measures for the metrics alone: no game knows of it.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts one.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// One that has run for so long; none when that was before there was time.
    pub fn started_before(now: Duration) -> Option<Self> {
        Instant::now().checked_sub(now).map(Self)
    }

    /// How long it has run.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// What a [`Histogram`] counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Kept in microseconds, shown in seconds.
    Seconds,
    /// Kept and shown as they are.
    Pieces,
}

/// From the flush of a good disk to a stall that players notice, in microseconds.
const TIME_BOUNDS: &[u64] = &[
    50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
    5_000_000,
];

/// From one request a commit to as many as one takes.
const PIECE_BOUNDS: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 4_096];

/// How often something was how large.
#[derive(Debug)]
pub struct Histogram {
    unit: Unit,
    bounds: &'static [u64],
    /// By bound, how many were no larger and larger than the bound before.
    within: Vec<AtomicU64>,
    /// How many were larger than every bound.
    beyond: AtomicU64,
    sum: AtomicU64,
}

/// What a histogram has counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// What it counts in.
    pub unit: Unit,
    /// By bound, how many were no larger.
    pub up_to: Vec<(u64, u64)>,
    /// How many there were.
    pub count: u64,
    /// All of them together.
    pub sum: u64,
}

impl Histogram {
    /// One for durations.
    pub fn of_seconds() -> Self {
        Self::new(Unit::Seconds, TIME_BOUNDS)
    }

    /// One for numbers of things.
    pub fn of_pieces() -> Self {
        Self::new(Unit::Pieces, PIECE_BOUNDS)
    }

    fn new(unit: Unit, bounds: &'static [u64]) -> Self {
        let within = bounds.iter().map(|_| AtomicU64::new(0)).collect();
        Self { unit, bounds, within, beyond: AtomicU64::new(0), sum: AtomicU64::new(0) }
    }

    /// Counts a duration.
    pub fn observe(&self, duration: Duration) {
        self.observe_number(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX));
    }

    /// Counts a number: of things, or of microseconds.
    pub fn observe_number(&self, number: u64) {
        let bound = self.bounds.iter().position(|&bound| number <= bound);
        let bucket = bound.and_then(|index| self.within.get(index)).unwrap_or(&self.beyond);
        bucket.fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(number, Ordering::Relaxed);
    }

    /// What it has counted so far.
    pub fn read(&self) -> Counted {
        let mut count = 0;
        let up_to = self.bounds.iter().zip(&self.within).map(|(&bound, within)| {
            count += within.load(Ordering::Relaxed);
            (bound, count)
        });
        let up_to = up_to.collect();
        count += self.beyond.load(Ordering::Relaxed);
        Counted { unit: self.unit, up_to, count, sum: self.sum.load(Ordering::Relaxed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_counts_those_that_are_inside() {
        let gauge = Gauge::default();
        let first = gauge.enter();
        let second = gauge.clone().enter();
        assert_eq!(gauge.read(), 2);
        drop(first);
        assert_eq!(gauge.read(), 1);
        drop(second);
        assert_eq!(gauge.read(), 0);
    }

    #[test]
    fn a_histogram_counts_up_to_each_bound_and_beyond_the_last() {
        let histogram = Histogram::of_pieces();
        for number in [1, 2, 3, 4, 4_096, 4_097] {
            histogram.observe_number(number);
        }
        let counted = histogram.read();
        let up_to = |bound| counted.up_to.iter().find(|(of, _)| *of == bound).unwrap().1;
        assert_eq!((up_to(1), up_to(2), up_to(4), up_to(8), up_to(4_096)), (1, 2, 4, 4, 5));
        assert_eq!((counted.count, counted.sum), (6, 8_203));
    }

    #[test]
    fn a_duration_is_counted_in_microseconds() {
        let histogram = Histogram::of_seconds();
        histogram.observe(Duration::from_micros(51));
        histogram.observe(Duration::from_secs(6));
        let counted = histogram.read();
        assert_eq!(counted.up_to[..2], [(50, 0), (100, 1)]);
        assert_eq!((counted.count, counted.sum), (2, 6_000_051));
    }
}
