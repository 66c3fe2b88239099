//! The small things in a PGN: texts of any encoding, marks, clocks in comments.

use std::borrow::Cow;
use std::time::Duration;

/// A tag's value or a comment, as its bytes stand in the file: UTF-8, or Latin-1 where they are not that, with
/// the letters that Windows adds to it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Text<'a>(pub(super) &'a [u8]);

impl<'a> Text<'a> {
    /// The bytes as they are; the escapes of a tag's value are resolved.
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// As text, whichever the encoding.
    pub fn decode(self) -> Cow<'a, str> {
        match std::str::from_utf8(self.0) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(self.0.iter().copied().map(western).collect()),
        }
    }
}

impl std::fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(&self.decode(), f)
    }
}

/// The character that a byte is in Latin-1, or in the code page 1252 where Latin-1 has controls.
fn western(byte: u8) -> char {
    const ADDED: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', //
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => ADDED[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// A mark of a move or a position by number (numeric annotation glyph): 1 is `!`, 10 an even position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nag(pub u8);

impl Nag {
    /// The signs that people write, with the marks they stand for.
    const SIGNS: [(&'static str, Self); 27] = [
        ("!", Self(1)),
        ("?", Self(2)),
        ("!!", Self(3)),
        ("??", Self(4)),
        ("!?", Self(5)),
        ("?!", Self(6)),
        ("□", Self(7)),
        ("=", Self(10)),
        ("∞", Self(13)),
        ("+=", Self(14)),
        ("+/=", Self(14)),
        ("⩲", Self(14)),
        ("=+", Self(15)),
        ("=/+", Self(15)),
        ("⩱", Self(15)),
        ("+/-", Self(16)),
        ("±", Self(16)),
        ("-/+", Self(17)),
        ("∓", Self(17)),
        ("+-", Self(18)),
        ("+−", Self(18)),
        ("-+", Self(19)),
        ("−+", Self(19)),
        ("⨀", Self(22)),
        ("N", Self(146)),
        ("D", Self(220)),
        ("+--", Self(20)),
    ];

    /// The mark that a sign stands for.
    pub fn from_sign(sign: &str) -> Option<Self> {
        Self::SIGNS.into_iter().find(|(own, _)| *own == sign).map(|(_, nag)| nag)
    }

    /// Takes a sign off the end of a move: `Nf3!?`, `Nf3+-`; but the one `+` of a check stays.
    pub(super) fn split_off(word: &str) -> (&str, Option<Self>) {
        let without_letters = Self::SIGNS.into_iter().filter(|(sign, _)| !sign.starts_with(['N', 'D']));
        let fitting = without_letters
            .filter_map(|(sign, nag)| Some((word.strip_suffix(sign)?, nag)))
            .min_by_key(|(rest, _)| rest.len());
        fitting.map_or((word, None), |(rest, nag)| (rest, Some(nag)))
    }
}

/// The time left that a comment tells: `[%clk 1:23:45.6]`.
pub fn clock(comment: &str) -> Option<Duration> {
    let (_, rest) = comment.split_once("[%clk")?;
    let (text, _) = rest.split_once(']')?;
    let mut parts = text.trim().rsplit(':');
    let seconds = parts.next()?;
    let (whole, decimals) = seconds.split_once('.').unwrap_or((seconds, ""));
    let mut left = Duration::from_secs(number(whole)?) + fraction(decimals)?;
    for (unit_seconds, part) in [60, 3600].into_iter().zip(parts.by_ref()) {
        left += Duration::from_secs(number(part)? * unit_seconds);
    }
    parts.next().is_none().then_some(left)
}

/// Writes the time left as [`clock`] reads it, to the millisecond; without decimals that are zero.
pub fn clock_text(left: Duration) -> String {
    let (seconds, ms) = (left.as_secs(), left.subsec_millis());
    let text = format!("[%clk {}:{:02}:{:02}.{ms:03}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{}]", text.trim_end_matches('0').trim_end_matches('.'))
}

/// At most eight digits: more would be no clock's, and could overflow.
fn number(digits: &str) -> Option<u64> {
    let usual = (1..=8).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    usual.then(|| digits.parse().ok()).flatten()
}

fn fraction(digits: &str) -> Option<Duration> {
    let digits = digits.get(..digits.len().min(8))?;
    if digits.is_empty() {
        return Some(Duration::ZERO);
    }
    Some(Duration::from_nanos(number(digits)? * 10_u64.pow(9 - digits.len() as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l71_clocks_are_read_and_written() {
        for (text, ms, written) in [
            ("[%clk 0:05:00]", 300_000, "[%clk 0:05:00]"),
            ("good [%eval 0.3] [%clk 1:59:56.25] move", 7_196_250, "[%clk 1:59:56.25]"),
            ("[%clk 0:00:00.007]", 7, "[%clk 0:00:00.007]"),
            ("[%clk\n0:10]", 10_000, "[%clk 0:00:10]"),
            ("[%clk 7]", 7_000, "[%clk 0:00:07]"),
            ("[%clk 100:00:00]", 360_000_000, "[%clk 100:00:00]"),
        ] {
            let left = Duration::from_millis(ms);
            assert_eq!(clock(text), Some(left), "{text}");
            assert_eq!(clock_text(left), written);
            assert_eq!(clock(written), Some(left));
        }
        for bad in
            ["", "0:05:00", "[%clk]", "[%clk 0:05:00", "[%clk x]", "[%clk 1:1:1:1]", "[%clk 999999999]"]
        {
            assert_eq!(clock(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_longest_sign_is_taken_off_a_move() {
        for (word, rest, nag) in [
            ("Nf3", "Nf3", None),
            ("Nf3!", "Nf3", Some(1)),
            ("Nf3!?", "Nf3", Some(5)),
            ("Qh5+??", "Qh5+", Some(4)),
            ("Nf3+-", "Nf3", Some(18)),
            ("Nf3+/-", "Nf3", Some(16)),
            ("Nf3=", "Nf3", Some(10)),
            ("e8=Q±", "e8=Q", Some(16)),
            ("Qh5+", "Qh5+", None),
        ] {
            assert_eq!(Nag::split_off(word), (rest, nag.map(Nag)), "{word}");
        }
    }
}
