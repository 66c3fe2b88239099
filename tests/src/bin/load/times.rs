//! Many short times, and their percentiles.

use std::time::Duration;

/// Times in microseconds, in no order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times(Vec<u32>);

impl Times {
    /// Adds one; more than an hour counts as an hour and a bit.
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(u32::try_from(time.as_micros()).unwrap_or(u32::MAX));
    }

    /// Adds one, if there is one.
    pub(crate) fn extend(&mut self, time: Option<Duration>) {
        if let Some(time) = time {
            self.add(time);
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// The smallest that so many percent do not pass; zero when there are none.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        Duration::from_micros(sorted.get(place).copied().unwrap_or_default().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_seen() {
        let mut times = Times::default();
        assert_eq!(times.percentile(50), Duration::ZERO);
        for micros in (1..=200).rev() {
            times.add(Duration::from_micros(micros));
        }
        for (percent, micros) in [(1, 2), (50, 100), (99, 198), (100, 200)] {
            assert_eq!(times.percentile(percent), Duration::from_micros(micros), "{percent}");
        }
    }
}
