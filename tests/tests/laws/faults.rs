//! Every row of `docs/faults.md` has a test, and every test that is named after a row has one.

use crate::{named, root};
use std::collections::BTreeSet;
use std::fs;

/// The rows of the tables: `F08`.
fn rows() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("docs/faults.md")).expect("the faults lie in docs/");
    text.lines().filter(|line| line.starts_with("| F")).map(|line| line[2..5].to_owned()).collect()
}

#[test]
fn every_row_of_the_faults_has_a_test() {
    let rows = rows();
    assert!(rows.len() >= 35, "only {} rows", rows.len());
    let bare = named::compare("docs/faults.md", 'f', &rows);
    assert!(bare.is_empty(), "rows of docs/faults.md without a test: {bare:?}");
}
