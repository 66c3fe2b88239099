//! The examples as processes: what they answer, and that no bytes make one of them crash.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// The directory of the examples, built once, as this test was.
fn examples() -> &'static PathBuf {
    static EXAMPLES: OnceLock<PathBuf> = OnceLock::new();
    EXAMPLES.get_or_init(|| {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--examples", "--manifest-path"]);
        build.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "the examples do not build");
        let this = std::env::current_exe().expect("this test has a path");
        this.ancestors().nth(2).expect("it lies in deps/").join("examples")
    })
}

fn run(example: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut process = Command::new(examples().join(example))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the example starts");
    let mut stdin = process.stdin.take().expect("piped");
    std::thread::scope(|scope| {
        // One that does not read its input to the end is seen by what it answers.
        scope.spawn(move || stdin.write_all(input).is_ok());
        process.wait_with_output().expect("the example ends")
    })
}

/// The lines of the answer, and the exit code.
fn answers(example: &str, arguments: &[&str], input: &str) -> (Vec<String>, i32) {
    let output = run(example, arguments, input.as_bytes());
    let text = String::from_utf8(output.stdout).expect("an answer is UTF-8");
    (text.lines().map(str::to_owned).collect(), output.status.code().expect("it ends by itself"))
}

/// The first word of every line.
fn first_words(lines: &[String]) -> Vec<&str> {
    lines.iter().map(|line| line.split(' ').next().unwrap_or_default()).collect()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

#[test]
fn perft_counts_and_compares() {
    let input = format!(
        "{START};3\n{START} 0 1;2\n{START} ;D1 20 ;D2 400 ;D3 8902 ;D32 1\n# a remark\n{START} ;D1 20\n"
    );
    let (lines, code) = answers("perft", &["--max-depth", "3"], &input);
    assert_eq!((first_words(&lines), code), (vec!["8902", "400", "8902", "#", "20"], 0));
    for line in lines.iter().filter(|line| *line != "#") {
        assert!(line.split(' ').nth(1).is_some_and(|nps| nps.parse::<u64>().is_ok()), "{line}");
    }
    let (lines, code) = answers("perft", &[], &format!("{START} ;D1\t20 ; D2  400 ;\n\u{feff}{START};1\r\n"));
    assert_eq!((first_words(&lines), code), (vec!["400", "20"], 0), "a mark, a tab, a last semicolon");
    let (lines, code) = answers("perft", &[], &format!("{START} ;D1 20 ;D2 401 ;D3 8902\n{START};1\n"));
    assert_eq!((first_words(&lines), code), (vec!["400", "20"], 1));
    assert!(lines[0].ends_with("!! depth 2 was to have 401"), "{}", lines[0]);
}

#[test]
fn perft_drops_men_where_they_come_back() {
    let exchanged = "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1;4\n3qk3/8/8/8/8/8/8/3QK3[] w - - 0 1;4\n";
    let leaves = |arguments: &[&str]| -> Vec<u64> {
        let (lines, code) = answers("perft", arguments, exchanged);
        assert_eq!(code, 0);
        first_words(&lines).into_iter().map(|word| word.parse().unwrap()).collect()
    };
    let (plain, crazyhouse) = (leaves(&[]), leaves(&["--crazyhouse"]));
    assert!(plain[0] < plain[1], "a FEN that names reserves needs no option: {plain:?}");
    assert_eq!(crazyhouse, [plain[1]; 2]);
}

#[test]
fn can_mate_judges_each_line() {
    let input = "7k/8/6K1/8/8/8/8/R7 w - -\n\n8/8/8/4k3/8/8/8/4K3 w - - 0 1\n7k/8/6K1/8/8/8/8/8 w - - 0\r\nx";
    let (lines, code) = answers("can_mate", &[], input);
    assert_eq!((first_words(&lines), code), (vec!["W-", "!!", "--", "--", "!!"], 0));
    for line in lines.iter().filter(|line| !line.starts_with("!!")) {
        assert_eq!(line.split(' ').skip(1).filter_map(|word| word.parse::<u64>().ok()).count(), 2, "{line}");
    }
    assert_eq!(lines[4], "!! a FEN has four to six fields, not 1");
}

#[test]
fn perft_divides() {
    let (lines, code) = answers("perft", &["--divide"], &format!("{START};2\n{START};0\n"));
    assert_eq!((lines.len(), code), (2, 0));
    assert!(lines[0].starts_with("a2a3:20 a2a4:20 ") && lines[0].ends_with(" total:400"), "{}", lines[0]);
    assert_eq!((lines[0].split(' ').count(), lines[1].as_str()), (21, "total:1"));
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1;1\n";
    for (arguments, castle) in [(&["--divide"][..], "e1g1:1"), (&["--divide", "--chess960"], "e1h1:1")] {
        assert!(answers("perft", arguments, castling).0[0].contains(castle));
    }
}

#[test]
fn replay_tells_all_about_the_last_position() {
    let (lines, code) = answers(
        "replay",
        &[],
        "startpos e4 e7e5 Qh5 Nc6 Bc4 Nf6 Qxf7#\n\
         startpos 960:518 e4 e5 Nf3 (=) Nc6 Bb5 Nf6 O-O\n\
         4k3/8/8/8/8/8/8/4K2R w K - 100 60 O-O\n\
         4k3/8/8/8/8/8/8/4K2R w K - e1g1\n",
    );
    assert_eq!(code, 0);
    assert_eq!(
        lines[0],
        "{\"san\":[\"e4\",\"e5\",\"Qh5\",\"Nc6\",\"Bc4\",\"Nf6\",\"Qxf7#\"],\"uci\":[\"e2e4\",\"e7e5\",\"d1h5\",\
         \"b8c6\",\"f1c4\",\"g8f6\",\"h5f7\"],\"fen\":\"r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b \
         KQkq - 0 4\",\"legal\":[],\"check\":true,\"halfmove\":0,\"claimable\":[],\"outcome\":\"1-0\",\
         \"termination\":\"checkmate\"}"
    );
    assert!(
        lines[1].contains("\"e1h1\"],\"fen\"") && lines[1].contains("\"outcome\":null,\"termination\":null}")
    );
    assert!(lines[2].contains("\"e1g1\"],\"fen\":\"4k3/8/8/8/8/8/8/5RK1 b - - 101 60\""), "{}", lines[2]);
    assert!(lines[2].contains("\"halfmove\":101,\"claimable\":[\"fifty\"]"), "{}", lines[2]);
    assert!(
        lines[3]
            .starts_with("{\"san\":[\"O-O\"],\"uci\":[\"e1g1\"],\"fen\":\"4k3/8/8/8/8/8/8/5RK1 b - - 1 1\"")
    );
    let (lines, _) = answers("replay", &[], "startpos \u{2028}\u{85}\"\n");
    assert!(lines[0].starts_with("{\"error\":\"\\u2028\\u0085\\\": that is not"), "{}", lines[0]);
    let (lines, _) = answers("replay", &["--chess960"], "4k3/8/8/8/8/8/8/4K2R w K - 0 1 e1g1\n");
    assert!(lines[0].contains("\"uci\":[\"e1h1\"]"), "{}", lines[0]);
}

#[test]
fn replay_goes_on_after_draws_and_names_them_in_their_order() {
    let dance = "Nf3 Nf6 Ng1 Ng8 ";
    for (line, expected) in [
        (format!("startpos {}", dance.repeat(2)), "\"claimable\":[\"threefold\"],\"outcome\":null"),
        (format!("startpos {}", dance.repeat(4)), "\"outcome\":\"1/2-1/2\",\"termination\":\"fivefold\""),
        (format!("startpos {} e4", dance.repeat(4)), "\"outcome\":null,\"termination\":null"),
        (
            "7k/8/6K1/8/8/8/8/R7 w - - 149 200 Ra8#".to_owned(),
            "\"halfmove\":150,\"claimable\":[],\"outcome\":\"1-0\"",
        ),
        ("7k/8/6K1/8/8/8/8/R7 w - - 149 200 Ra7".to_owned(), "\"termination\":\"seventy_five_moves\""),
        ("7k/8/6K1/8/8/8/8/8 w - - 149 200 Kf7".to_owned(), "\"termination\":\"dead_position\""),
        (
            "7k/8/6K1/8/8/8/8/5Q2 w - - Qf7".to_owned(),
            "\"claimable\":[],\"outcome\":\"1/2-1/2\",\"termination\":\"stalemate\"",
        ),
    ] {
        let (lines, _) = answers("replay", &[], &(line.clone() + "\n"));
        assert!(lines[0].contains(expected), "{line}: {}", lines[0]);
    }
}

#[test]
fn replay_names_the_ply_that_failed() {
    for (line, ply) in [
        ("", -1),
        ("hello", -1),
        ("startpos 960:960", -1),
        ("8/8/8/8/8/8/8/8 w - - 0 1", -1),
        ("4k3/8/8/8/8/8/8/4K2R w K", -1),
        ("startpos e5", 0),
        ("startpos e4 e5 Ke3", 2),
        ("startpos e4 960:1", 1),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1 7 O-O", 0),
    ] {
        let (lines, code) = answers("replay", &[], &format!("{line}\n"));
        assert_eq!((lines.len(), code), (1, 0), "{line}");
        assert!(
            lines[0].starts_with("{\"error\":\"") && lines[0].ends_with(&format!("\",\"ply\":{ply}}}")),
            "{}",
            lines[0]
        );
    }
}

#[test]
fn pgn_check_tells_what_it_read() {
    let (lines, code) =
        answers("pgn_check", &["-"], "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 1-0\n[White \"x\"]\n1. d4 -- *\n");
    assert_eq!(code, 0);
    assert!(
        lines[0].starts_with("{\"file\":\"-\",\"games\":2,\"plies\":5,\"errors\":[],\"games_per_s\":"),
        "{}",
        lines[0]
    );
    let (lines, code) = answers("pgn_check", &["-", "/no/such \"file"], "1. e4\n e6 2. Qf7 Nc6 *\n1. d4");
    assert_eq!((lines.len(), code), (2, 1));
    assert!(
        lines[0].starts_with("{\"file\":\"-\",\"games\":2,\"plies\":3,\"errors\":[{\"line\":2,\"column\":8,\"text\":\"\\\"Qf7\\\" cannot be played"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1]
            .starts_with("{\"file\":\"/no/such \\\"file\",\"games\":0,\"plies\":0,\"errors\":[{\"line\":0,")
    );
    let (lines, code) = answers("pgn_check", &["-"], &"} ".repeat(1500));
    assert_eq!((lines[0].matches("\"line\"").count(), code), (1001, 1));
    assert!(lines[0].contains("500 more errors are not listed"));
}

#[test]
fn other_options_are_refused_with_the_usage() {
    for (example, arguments) in [
        ("perft", &["--fast"][..]),
        ("perft", &["--max-depth"]),
        ("perft", &["--max-depth", "x"]),
        ("replay", &["--chess960", "--chess960"]),
        ("can_mate", &["--fast"]),
        ("pgn_check", &[]),
    ] {
        let output = run(example, arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{example} {arguments:?}");
        assert!(output.stdout.is_empty() && output.stderr.starts_with(b"usage: "), "{example} {arguments:?}");
    }
}

fn line_breaks(bytes: &[u8]) -> usize {
    bytes.split(|&byte| byte == b'\n').count() - 1
}

#[test]
fn no_bytes_crash_an_example_and_every_line_has_its_answer() {
    let mut noise = 0x2545_f491_4f6c_dd1d_u64;
    let mut bytes = || {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        noise.to_le_bytes()
    };
    let random: Vec<u8> = (0..4096).flat_map(|_| bytes()).collect();
    let long = [&b"startpos "[..], &b"Nf3 Nf6 Ng1 Ng8 ".repeat(10_000)].concat();
    let endless = vec![b'['; 3 << 20];
    let inputs: [&[u8]; 10] = [
        b"",
        b"\n",
        b"\n\n\r\n",
        b"\xff\xfe\x00\n8/8/8/8/8/8/8/8 w - - 0 1;1",
        b"startpos\0",
        b";;;;\n;D\n;D1\n;D1 x\n;D9999999999999999999 1\nstartpos 960:\n",
        "♔♚/🙂 w - - 0 1;5\n".as_bytes(),
        &random,
        &long,
        &endless,
    ];
    for input in inputs {
        let breaks = line_breaks(input);
        let lines = breaks + usize::from(input.last().is_some_and(|&byte| byte != b'\n'));
        for example in ["perft", "replay", "can_mate"] {
            let output = run(example, &[], input);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{example}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            assert_eq!(line_breaks(&output.stdout), lines, "{example}");
            assert!(
                output.stdout.len() < 1 << 20 && std::str::from_utf8(&output.stdout).is_ok(),
                "{example}"
            );
        }
        let output = run("pgn_check", &["-"], input);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(line_breaks(&output.stdout), 1);
        assert!(output.stdout.len() < 1 << 20);
    }
}
