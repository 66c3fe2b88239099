//! Tests and the rows of a table that they are named after.
//!
//! A test belongs to the rows that its name begins with: `l16_l24_few_men_mate` to two. With `--nocapture` the
//! table is printed.

use crate::{root, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Compares the rows of a table, whose names begin with `letter`, with the tests; returns those that have none.
///
/// # Panics
/// When a test is named after a row that the table does not have.
pub(crate) fn compare(table: &str, letter: char, rows: &BTreeSet<String>) -> Vec<String> {
    let tests = tests_by_row(letter);
    for row in rows {
        let of_row = tests.get(row).map_or(&[][..], Vec::as_slice);
        println!("{row} ({} tests)", of_row.len());
        for test in of_row {
            println!("    {test}");
        }
    }
    let unknown: Vec<_> = tests.keys().filter(|row| !rows.contains(*row)).collect();
    assert!(unknown.is_empty(), "tests of rows that {table} does not have: {unknown:?}");
    rows.iter().filter(|row| !tests.contains_key(*row)).cloned().collect()
}

/// The tests of each row, with the files they are in.
fn tests_by_row(letter: char) -> BTreeMap<String, Vec<String>> {
    let mut tests: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in sources() {
        let text = fs::read_to_string(&path).expect("a source is text");
        let file = path.strip_prefix(root()).expect("it lies in the workspace").display().to_string();
        for (marker, function) in text.lines().zip(text.lines().skip(1)) {
            let is_test = marker.contains("test") && marker.trim_start().starts_with("#[");
            let Some((_, rest)) = function.split_once("fn ").filter(|_| is_test) else { continue };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            for row in rows_of(letter, &name) {
                tests.entry(row).or_default().push(format!("{file}: {name}"));
            }
        }
    }
    tests
}

/// The rows that a test's name begins with.
fn rows_of(letter: char, test: &str) -> Vec<String> {
    let is_row = |part: &&str| {
        let number = part.strip_prefix(letter).unwrap_or_default();
        number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    test.split('_').take_while(is_row).map(str::to_uppercase).collect()
}

#[test]
fn a_tests_name_is_read_as_it_is_written() {
    assert_eq!(rows_of('f', "f18_f19_a_long_frame"), ["F18", "F19"]);
    assert_eq!(rows_of('l', "l16_l24_few_men"), ["L16", "L24"]);
    for (letter, of_none) in
        [('f', "f8_short"), ('f', "five_rows"), ('f', "l16_few_men"), ('l', "lost_games")]
    {
        assert_eq!(rows_of(letter, of_none), Vec::<String>::new(), "{of_none}");
    }
}
