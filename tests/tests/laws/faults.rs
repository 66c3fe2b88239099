//! Every row of `docs/faults.md` has a test, and every test that is named after a row has one.

use super::{root, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The rows of the tables: `F08`.
fn rows() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("docs/faults.md")).expect("the faults lie in docs/");
    text.lines().filter(|line| line.starts_with("| F")).map(|line| line[2..5].to_owned()).collect()
}

/// The rows that a test's name begins with.
fn rows_of(test: &str) -> Vec<String> {
    let is_row = |part: &&str| {
        part.len() == 3 && part.starts_with('f') && part[1..].bytes().all(|byte| byte.is_ascii_digit())
    };
    test.split('_').take_while(is_row).map(str::to_uppercase).collect()
}

/// The tests of each row, with the files they are in.
fn tests_by_row() -> BTreeMap<String, Vec<String>> {
    let mut tests: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in sources() {
        let text = fs::read_to_string(&path).expect("a source is text");
        let file = path.strip_prefix(root()).expect("it lies in the workspace").display().to_string();
        for (marker, function) in text.lines().zip(text.lines().skip(1)) {
            let is_test = marker.contains("test") && marker.trim_start().starts_with("#[");
            let Some((_, rest)) = function.split_once("fn ").filter(|_| is_test) else { continue };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            for row in rows_of(&name) {
                tests.entry(row).or_default().push(format!("{file}: {name}"));
            }
        }
    }
    tests
}

#[test]
fn every_row_of_the_faults_has_a_test() {
    let (rows, tests) = (rows(), tests_by_row());
    assert!(rows.len() >= 35, "only {} rows", rows.len());
    for row in &rows {
        let of_row = tests.get(row).map_or(&[][..], Vec::as_slice);
        println!("{row} ({} tests)", of_row.len());
        for test in of_row {
            println!("    {test}");
        }
    }
    let bare: Vec<_> = rows.iter().filter(|row| !tests.contains_key(*row)).collect();
    assert!(bare.is_empty(), "rows of docs/faults.md without a test: {bare:?}");
    let unknown: Vec<_> = tests.keys().filter(|row| !rows.contains(*row)).collect();
    assert!(unknown.is_empty(), "tests of rows that docs/faults.md does not have: {unknown:?}");
}

#[test]
fn a_tests_name_is_read_as_it_is_written() {
    assert_eq!(rows_of("f18_f19_a_long_frame"), ["F18", "F19"]);
    assert_eq!(rows_of("f8_short"), Vec::<String>::new());
    assert_eq!(rows_of("five_rows"), Vec::<String>::new());
}
