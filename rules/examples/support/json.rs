//! As much of JSON as has to be written here.

use std::fmt::Write as _;

/// A string with its quotes.
pub(crate) fn string(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            // Some readers break lines at the two separators too.
            _ if character.is_control() || "\u{2028}\u{2029}".contains(character) => {
                let _ = write!(json, "\\u{:04x}", u32::from(character));
            }
            _ => json.push(character),
        }
    }
    json.push('"');
    json
}

/// An array of values that are JSON already.
pub(crate) fn array(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(","))
}
