//! What no source of this workspace contains, and what to use instead.

use std::fs;
use std::path::{Path, PathBuf};

/// No file is longer: a file is one thing.
const LINES_MAX: usize = 900;

/// Something that is not written in some files.
struct Ban {
    /// What, by any of these; put together, so that this file does not contain it.
    texts: &'static [&'static str],
    /// Where: beginnings of paths.
    within: &'static [&'static str],
    /// But not here: files, or beginnings of paths.
    except: &'static [&'static str],
    /// In which lines.
    lines: Lines,
    /// What to do instead.
    instead: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// Also in comments and tests.
    All,
    /// Not in comments, nor in tests.
    Working,
    /// In tests.
    Tests,
}

const EVERYWHERE: &[&str] = &["rules/", "protocol/", "server/", "client/", "tests/"];

const BANS: &[Ban] = &[
    Ban {
        texts: &[
            concat!("TO", "DO"),
            concat!("FIX", "ME"),
            concat!("todo", "!("),
            concat!("unimplemented", "!("),
        ],
        within: EVERYWHERE,
        except: &[],
        lines: Lines::All,
        instead: "do it, or leave it out and say so where a reader looks for it",
    },
    Ban {
        texts: &[concat!("#[", "ignore")],
        within: EVERYWHERE,
        except: &[],
        lines: Lines::All,
        instead: "make it small and let CHATRANG_CASES make it big",
    },
    Ban {
        texts: &[concat!("db", "g!("), concat!("print", "ln!("), concat!("print", "!(")],
        within: &["rules/src/", "protocol/src/", "server/src/", "client/src/"],
        // The commands' own words: an exit's reason, and the one question before there is a face.
        except: &["server/src/main.rs", "client/src/run.rs", "client/src/enter.rs"],
        lines: Lines::Working,
        instead: "libraries are silent: return it, report it, or in the server log it with tracing",
    },
    Ban {
        texts: &[
            concat!(".unwrap", "()"),
            concat!(".expect", "("),
            concat!("panic", "!("),
            concat!("unreachable", "!("),
        ],
        within: &["protocol/src/", "server/src/"],
        // A constant alphabet, which its own tests try.
        except: &["protocol/src/base32.rs"],
        lines: Lines::Working,
        instead: "a stranger may have caused it: return an error, or let the type make it impossible",
    },
    Ban {
        texts: &["tracing::", "log::"],
        within: &["rules/src/", "protocol/src/", "client/src/"],
        except: &[],
        lines: Lines::Working,
        instead: "only the server logs: return it",
    },
    Ban {
        texts: &["Instant::now", "SystemTime::now", "rand::", "std::fs", "tokio"],
        within: &["rules/src/"],
        except: &[],
        lines: Lines::Working,
        instead: "the Laws know no clock, chance or file: take it as an argument",
    },
    Ban {
        texts: &["Instant::now", "SystemTime::now", "tokio::time::sleep"],
        within: &["server/src/game", "server/src/lobby", "server/src/store/journal"],
        except: &[],
        lines: Lines::Working,
        instead: "game time comes from the timeline",
    },
    Ban {
        texts: &[concat!("thread::", "sleep"), concat!("time::", "sleep("), concat!(" ", "sleep(")],
        within: EVERYWHERE,
        // Virtual time, which takes none; and measurements, which last as long as they are told to.
        except: &["tests/src/sim/", "tests/src/bin/"],
        lines: Lines::Tests,
        instead: "wait for what is to happen, or move a manual timeline",
    },
    Ban {
        texts: &["bincode::encode", "bincode::decode", "bincode::config"],
        within: &["rules/src/", "protocol/src/", "server/src/", "client/src/"],
        except: &["protocol/src/codec.rs"],
        lines: Lines::Working,
        instead: "encode and decode through the protocol's codec, which has the limits",
    },
];

#[test]
fn the_house_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let sources = sources(root);
    assert!(sources.len() > 100, "the sources are somewhere else: {sources:?}");
    let mut faults = Vec::new();
    for path in &sources {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap();
        let text = fs::read_to_string(path).unwrap();
        if name.ends_with("/mod.rs") {
            faults.push(format!("{name}: name the module's file after it"));
        }
        if text.lines().count() > LINES_MAX {
            faults.push(format!("{name}: more than {LINES_MAX} lines: split it into leaves with names"));
        }
        for ban in BANS.iter().filter(|ban| ban.applies_to(name)) {
            ban.find(name, &text, &mut faults);
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

impl Ban {
    fn applies_to(&self, name: &str) -> bool {
        let is_in = |places: &[&str]| places.iter().any(|start| name.starts_with(start));
        is_in(self.within) && !is_in(self.except)
    }

    fn find(&self, name: &str, text: &str, faults: &mut Vec<String>) {
        let mut in_tests = is_test_file(name);
        for (number, line) in (1..).zip(text.lines()) {
            in_tests |= line.trim() == "#[cfg(test)]";
            let is_comment = line.trim_start().starts_with("//");
            let counts = match self.lines {
                Lines::All => true,
                Lines::Working => !in_tests && !is_comment,
                Lines::Tests => in_tests && !is_comment,
            };
            if let Some(found) = self.texts.iter().find(|text| counts && line.contains(**text)) {
                faults.push(format!("{name}:{number}: {found}: {}", self.instead));
            }
        }
    }
}

/// Files that only tests use: those of a `tests` directory, modules of tests, and this package.
fn is_test_file(name: &str) -> bool {
    const ONLY_FOR_TESTS: [&str; 2] = ["protocol/src/net/loopback.rs", "server/src/scratch.rs"];
    ONLY_FOR_TESTS.contains(&name)
        || name.contains("/tests/")
        || name.ends_with("/tests.rs")
        || name.starts_with("tests/")
}

fn sources(root: &Path) -> Vec<PathBuf> {
    let mut dirs: Vec<PathBuf> = EVERYWHERE.iter().map(|dir| root.join(dir)).collect();
    let mut files = Vec::new();
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                dirs.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
