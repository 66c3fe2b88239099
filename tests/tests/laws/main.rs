//! Every row of `docs/laws.md` has a test, and every article that the code cites has a row.

mod faults;
mod named;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The row of Siamese chess, which the server does not play yet; only its board and its notation are there.
const NOT_PLAYED: &str = "L12";

/// A row of the table: `L18`, and the articles it names.
struct Row {
    name: String,
    articles: BTreeSet<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests lie in the workspace").to_owned()
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(root().join("docs/laws.md")).expect("the laws lie in docs/");
    let is_row = |line: &&str| line.starts_with("| L");
    text.lines()
        .filter(is_row)
        .map(|line| Row { name: line[2..5].to_owned(), articles: articles(line) })
        .collect()
}

/// Every article in a text: `6.9`, `9.2.3.1`, `G.III.5`, `A.1`; of `3.1-3.6` and `G.III.4-5` both ends.
fn articles(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-'));
    let mut articles = BTreeSet::new();
    for word in words {
        let mut ends = word.split('-').map(|end| end.trim_matches('.'));
        let first = ends.next().unwrap_or_default();
        let chapter = first.rsplit_once('.').map(|(chapter, _)| chapter);
        let last = ends.next().map(|last| match chapter {
            Some(chapter) if !last.contains('.') => format!("{chapter}.{last}"),
            _ => last.to_owned(),
        });
        articles.extend([first.to_owned()].into_iter().chain(last).filter(|end| is_article(end)));
    }
    articles
}

fn is_article(word: &str) -> bool {
    let mut parts = word.split('.');
    let first = parts.next().unwrap_or_default();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_part = |part: &str| is_number(part) || part.bytes().all(|byte| byte == b'I') && !part.is_empty();
    let is_appendix = matches!(first, "A" | "B" | "C" | "G");
    (is_number(first) && first.len() <= 2 || is_appendix) && parts.all(is_part)
}

/// All Rust files of the workspace's packages.
fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> =
        ["rules", "protocol", "server", "client", "tests"].map(|name| root().join(name)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the workspace").flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() && name != "target" && name != "fuzz" && name != "bench" {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn every_row_has_a_test() {
    let rows: BTreeSet<String> = rows().into_iter().map(|row| row.name).collect();
    let bare = named::compare("docs/laws.md", 'l', &rows);
    assert!(bare.iter().all(|row| row == NOT_PLAYED), "rows of docs/laws.md without a test: {bare:?}");
}

/// An article belongs to a row when the row names it, a part of it, or what it is a part of.
#[test]
fn every_article_that_the_code_cites_belongs_to_a_row_with_tests() {
    let rows = rows();
    let belongs = |cited: &str| {
        let is_part = |whole: &str, part: &str| part == whole || part.starts_with(&format!("{whole}."));
        rows.iter().flat_map(|row| &row.articles).any(|known| is_part(known, cited) || is_part(cited, known))
    };
    let mut strays = BTreeSet::new();
    for path in sources() {
        let text = fs::read_to_string(&path).expect("a source is text");
        for cited in text.split("FIDE ").skip(1) {
            let word =
                cited.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).next().unwrap_or_default();
            let word = word.trim_matches('.');
            if is_article(word) && !belongs(word) {
                strays.insert(format!("{}: FIDE {word}", path.display()));
            }
        }
    }
    assert!(strays.is_empty(), "articles that no row of docs/laws.md names: {strays:#?}");
}

#[test]
fn the_table_is_read_as_it_is_written() {
    let rows = rows();
    assert!(rows.len() > 55, "only {} rows", rows.len());
    let articles = articles("| L18 | 9.2 threefold | (9.2.3), 3.1-3.6, G.III.5, A.5.4; 2009: 10.2. 20 plies");
    let expected = ["9.2", "9.2.3", "3.1", "3.6", "G.III.5", "A.5.4", "10.2", "20"];
    assert_eq!(articles, expected.map(str::to_owned).into_iter().collect());
}
