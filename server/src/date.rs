//! Dates of the Gregorian calendar in UTC: what a game's file says, and what an operator asks for.

use std::fmt;
use std::str::FromStr;

const MS_PER_DAY: u64 = 24 * 60 * 60 * 1_000;

/// A day in UTC from 1970 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u64,
    month: u8,
    day: u8,
}

/// A text that names no day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a date is a day from 1970 on, such as 2026-11-30")]
pub struct DateError;

impl Date {
    /// The day of an instant, in milliseconds since 1970.
    pub fn of_unix_ms(unix_ms: u64) -> Self {
        // Days are counted from 1 March of the year 0, so that a leap day is the last of its year; 400 years
        // have 146,097 days, and months from March on have lengths that repeat every five.
        let days = unix_ms / MS_PER_DAY + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * of_year + 2) / 153;
        let day = (of_year - (153 * month_from_march + 2) / 5 + 1) as u8;
        let month = (if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 }) as u8;
        Self { year: 400 * era + year_of_era + u64::from(month <= 2), month, day }
    }

    /// As PGN writes it: `2026.11.30`.
    pub fn in_pgn(self) -> String {
        let Self { year, month, day } = self;
        format!("{year:04}.{month:02}.{day:02}")
    }
}

/// The time of day of an instant, as PGN writes it: `23:59:59`.
pub fn time_in_pgn(unix_ms: u64) -> String {
    let seconds = unix_ms % MS_PER_DAY / 1_000;
    format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let mut parts = text.split('-');
        let mut part = |digits: usize| -> Result<u64, DateError> {
            let part = parts.next().filter(|part| part.len() == digits).ok_or(DateError)?;
            if part.bytes().all(|byte| byte.is_ascii_digit()) {
                part.parse().map_err(|_| DateError)
            } else {
                Err(DateError)
            }
        };
        let (year, month, day) = (part(4)?, part(2)?, part(2)?);
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return Err(DateError),
        };
        if year < 1970 || !(1..=days).contains(&day) || parts.next().is_some() {
            return Err(DateError);
        }
        Ok(Self { year, month: month as u8, day: day as u8 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_have_their_day() {
        for (seconds, date) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (86_400, "1970-01-02"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_709_164_800, "2024-02-29"),
            (1_796_083_199, "2026-11-30"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(Date::of_unix_ms(1_000 * seconds).to_string(), date);
        }
        assert_eq!(Date::of_unix_ms(0).in_pgn(), "1970.01.01");
        assert_eq!(time_in_pgn(86_399_999), "23:59:59");
    }

    #[test]
    fn every_day_of_two_centuries_is_read_as_it_is_written_and_follows_the_last() {
        let days: Vec<Date> = (0..73_049).map(|day| Date::of_unix_ms(day * MS_PER_DAY)).collect();
        assert_eq!(days.last().unwrap().to_string(), "2169-12-31");
        assert!(days.is_sorted_by(|one, next| one < next));
        for day in days {
            assert_eq!(day.to_string().parse(), Ok(day));
        }
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in [
            "",
            "2026",
            "2026-11",
            "2026-1-30",
            "2026-11-31",
            "2026-02-29",
            "1969-12-31",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026-01-01-",
            "+026-01-01",
            "2026.11.30",
        ] {
            assert_eq!(text.parse::<Date>(), Err(DateError), "{text}");
        }
    }
}
