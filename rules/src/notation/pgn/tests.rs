//! The reader and the writer on what the world writes, and on what nobody should.

use super::*;
use crate::chess960::StartNumber;
use crate::moves::Move;
use crate::notation::san::{self, PieceLetters};
use crate::outcome::Outcome;
use crate::position::Position;

/// All that a visitor is shown, a line each.
#[derive(Default)]
struct Log(Vec<String>);

impl Visitor for Log {
    fn begin_game(&mut self) {
        self.0.push("game".to_owned());
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>) {
        self.0.push(format!("{}={}", name.decode(), value.decode()));
    }

    fn begin_moves(&mut self, start: &Position) {
        self.0.push(format!("moves of {}", start.turn()));
    }

    fn played(&mut self, before: &Position, mv: Move) {
        self.0.push(san::write(before, mv));
    }

    fn passed(&mut self, _before: &Position) {
        self.0.push("--".to_owned());
    }

    fn comment(&mut self, text: Text<'_>) {
        self.0.push(format!("{{{}}}", text.decode()));
    }

    fn nag(&mut self, nag: Nag) {
        self.0.push(format!("${}", nag.0));
    }

    fn begin_variation(&mut self) {
        self.0.push("(".to_owned());
    }

    fn end_variation(&mut self) {
        self.0.push(")".to_owned());
    }

    fn end_game(&mut self, outcome: Option<Outcome>) {
        self.0.push(outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()));
    }

    fn error(&mut self, error: &PgnError) {
        self.0.push(format!("! {error}"));
    }
}

fn log_in_pieces(bytes: &[u8], piece_bytes: usize) -> Vec<String> {
    let (mut reader, mut log) = (Reader::new(), Log::default());
    bytes.chunks(piece_bytes).for_each(|piece| reader.feed(piece, &mut log));
    reader.finish(&mut log);
    log.0
}

/// What a reader shows of a text, which must not depend on how it is cut.
fn log(bytes: &[u8]) -> Vec<String> {
    let whole = log_in_pieces(bytes, bytes.len().max(1));
    for piece_bytes in [1, 2, 3, 7] {
        assert_eq!(log_in_pieces(bytes, piece_bytes), whole, "in pieces of {piece_bytes}");
    }
    whole
}

/// The same in one line, without what is always there.
fn moves(bytes: &[u8]) -> String {
    let lines = log(bytes);
    let shown = lines.iter().filter(|line| !line.starts_with("moves of") && *line != "game");
    shown.map(String::as_str).collect::<Vec<_>>().join(" ")
}

#[test]
fn l71_a_game_is_shown_in_its_order() {
    let text =
        b"[Event \"Casual\"]\n[Result \"1-0\"]\n\n1. e4 {best} e5 $1 (1... c5 2. Nf3 (2. c3)) 2. Qh5 1-0\n";
    assert_eq!(
        log(text),
        [
            "game",
            "Event=Casual",
            "Result=1-0",
            "moves of White",
            "e4",
            "{best}",
            "e5",
            "$1",
            "(",
            "c5",
            "Nf3",
            "(",
            "c3",
            ")",
            ")",
            "Qh5",
            "1-0"
        ]
    );
}

#[test]
fn case_01_to_14_moves_are_read_as_people_write_them() {
    for (text, shown) in [
        ("1. Ng1-f3 e7-e5 2. e2e4 Pd6 *", "Nf3 e5 e4 d6 *"),
        ("1. e4 a6 2. e5 d5 3. exd6 e.p. *", "e4 a6 e5 d5 exd6 *"),
        ("1. e4 a6 2. e5 d5 3. exd6e.p. cxd6 *", "e4 a6 e5 d5 exd6 cxd6 *"),
        // a pawn that has stepped twice has not just passed d6
        (
            "1. e4 d6 2. e5 d5 3. exd6 e.p. *",
            "e4 d6 e5 d5 ! line 1, column 22: \"exd6\" cannot be played: no legal move fits: the pawn has \
             nothing to capture on d6 *",
        ),
        (
            "1. Nf3 d5 2. c4 dxc4 3. e3 b6 4. Rg1 Ba6 5. g4 Nc6 6. a3 Na5 7. b4 Nb3 *",
            "Nf3 d5 c4 dxc4 e3 b6 Rg1 Ba6 g4 Nc6 a3 Na5 b4 Nb3 *",
        ),
        ("1.Nf3Nc6 2.e4e5 3.Bb5a6 4.Bxc6dxc6 5.0-0 *", "Nf3 Nc6 e4 e5 Bb5 a6 Bxc6 dxc6 O-O *"),
        ("1 e4 e5 2 Nf3!? Nc6!! 3 Bb5 ?! *", "e4 e5 Nf3 $5 Nc6 $3 Bb5 $6 *"),
        ("1.e4e52.Nf3 *", "e4 e5 Nf3 *"),
        ("1.e4 e52. Nf3 *", "e4 e5 Nf3 *"),
        ("1. e4 1… e5 2. Nf3 2…Nc6 3. Bb5 …a6 *", "e4 e5 Nf3 Nc6 Bb5 a6 *"),
        ("1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5! g8f6 4. e1g1 *", "e4 e5 Nf3 Nc6 Bb5 $1 Nf6 O-O *"),
        ("1. Ng1–f3 Ng8—f6 2. g2−g3 g7‑g6 3. Bg2 Bg7 4. O–O 0–0 *", "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O *"),
    ] {
        assert_eq!(moves(text.as_bytes()), shown, "{text}");
    }
}

#[test]
fn case_42_one_illegal_move_is_one_error() {
    assert_eq!(
        moves(b"1. e4 Nf3 ) e5 *\n[White \"next\"]\n1. d4 *"),
        "e4 ! line 1, column 7: \"Nf3\" cannot be played: no legal move fits * White=next d4 *"
    );
}

#[test]
fn case_44_comments_and_variations_stand_anywhere() {
    for (text, shown) in [
        (
            "[FEN \"rnbqkbnr/pppp1ppp/4p3/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 3\"]\n{c} 1... Bb4+ (1... Qg5)",
            "FEN=rnbqkbnr/pppp1ppp/4p3/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 3 {c} Bb4+ ( Qg5 ) *",
        ),
        ("{c} 1. e4", "{c} e4 *"),
        ("1. e4 e5 1-0 {c}", "e4 e5 {c} 1-0"),
        ("1. e4 e5 (1... d5 2. a3 Be6 $13) 2. d4 *", "e4 e5 ( d5 a3 Be6 $13 ) d4 *"),
        ("1. e4 e5 1-0\r\n{c}\r\n\r\n{d}\r\n1. d4 *", "e4 e5 {c} 1-0 {d} d4 *"),
        ("1. e4 e5 1-0\r{c}\r\r{d}\r1. d4 *", "e4 e5 {c} 1-0 {d} d4 *"),
        ("1. e4 (1. d4 d5 (1... Nf6 (1... f5)) 2. c4) 1... e5 *", "e4 ( d4 d5 ( Nf6 ( f5 ) ) c4 ) e5 *"),
        ("1. e4 {\n[Event \"y\"]\n} e5 *", "e4 {\n[Event \"y\"]\n} e5 *"),
        ("[Opening \"St. George (Baker) defense\"]\n1. e4 *", "Opening=St. George (Baker) defense e4 *"),
        ("[Date \"1972.01.07\" ]\n1. e4 *", "Date=1972.01.07 e4 *"),
        ("[ Date  \"1972.01.07\"]1. e4 (=) e5 *", "Date=1972.01.07 e4 e5 *"),
    ] {
        assert_eq!(moves(text.as_bytes()), shown, "{text}");
    }
}

#[test]
fn case_45_any_encoding_line_end_and_mark() {
    for (text, shown) in [
        (&b"\xef\xbb\xbf[White \"M\xc3\xbcller\"]\r\n\r\n1. e4\r\n e5 *\r\n"[..], "White=Müller e4 e5 *"),
        (b"[White \"M\xfcller\"]\r1. e4 {\x93so\x94} e5 *", "White=Müller e4 {“so”} e5 *"),
        (b"\xef\xbb\xbf1. e4 *\n\xef\xbb\xbf[Site \"x\"]\n*", "e4 * Site=x *"),
        (b"[Site \"a\rb\"]\n*", "Site=ab *"),
        (b"1. e4 ; open {\n e5 ; last", "e4 { open {} e5 { last} *"),
        (b"% not [for us {\n1. e4\n%nor this\n e5 *", "e4 e5 *"),
        (b"1. e4 -- 2. Nf3 Z0 3. Ng1 *", "e4 -- Nf3 -- Ng1 *"),
        (
            b"1. e4!? e5 +- 2. Nf3+/- Nc6 +/- 3. Bb5 \xc2\xb1 a6= *",
            "e4 $5 e5 $18 Nf3 $16 Nc6 $16 Bb5 $16 a6 $10 *",
        ),
        (br#"[White "A \"B\" C\\D"]"#, r#"White=A "B" C\D *"#),
        (br#"[White "A "B" C\D"]"#, r#"White=A "B" C\D *"#),
        (
            b"1. e4 e5 1-0 1. d4 0-1 1. c4 1/2-1/2 1. b4 \xc2\xbd-\xc2\xbd",
            "e4 e5 1-0 d4 0-1 c4 1/2-1/2 b4 1/2-1/2",
        ),
        (
            "1. e4 1–0 1. d4 0−1 1. c4 ½–½ 1. b4 1/2–1/2 1. f4 ½".as_bytes(),
            "e4 1-0 d4 0-1 c4 1/2-1/2 b4 1/2-1/2 f4 1/2-1/2",
        ),
        (b"1. e4 1\x85 e5 2. d4 2\x85exd4 \xbd\x96\xbd", "e4 e5 d4 exd4 1/2-1/2"),
        ("1. ♘f3 ♞f6 *".as_bytes(), "Nf3 Nf6 *"),
        (b"", ""),
        (b" \r\n\t\n", ""),
    ] {
        assert_eq!(moves(text), shown, "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn what_cannot_be_read_is_named_with_its_place() {
    for (text, shown) in [
        (
            "[Event \"x\n1. e4 *",
            "! line 1, column 1: the tag that begins here is not closed on its line e4 *",
        ),
        (
            "[Event x]\n1. e4 *",
            "! line 1, column 1: a tag is a name and a value in quotes: [Event \"Casual game\"] e4 *",
        ),
        ("[\"x\"]", "! line 1, column 1: a tag is a name and a value in quotes: [Event \"Casual game\"]"),
        ("[]", "! line 1, column 1: a tag is a name and a value in quotes: [Event \"Casual game\"]"),
        (
            "[Event \"x\"\n1. e4",
            "Event=x ! line 1, column 1: the tag that begins here is not closed on its line e4 *",
        ),
        ("[Event \"x\"", "Event=x ! line 1, column 1: the tag that begins here is not closed on its line *"),
        (
            "1. e4 } e5 ] d4 *",
            "e4 ! line 1, column 7: a '}' closes nothing here e5 ! line 1, column 12: a ']' closes nothing here d4 *",
        ),
        ("1. e4 ) e5 *", "e4 ! line 1, column 7: this parenthesis closes nothing e5 *"),
        (
            "(1. e4) 1. d4 *",
            "! line 1, column 1: a variation stands before any move that it could replace d4 *",
        ),
        (
            "1. e4 (1. d4 1-0\n[Event \"next\"]\n*",
            "e4 ( d4 ! line 1, column 7: the variation that begins here is not closed ) * Event=next *",
        ),
        (
            "1. e4 (1. d5 d4) (1. d4 Nf9 (2. e4) e5) 1... e5 {",
            "e4 ( ! line 1, column 11: \"d5\" cannot be played: no legal move fits ) ( d4 ! line 1, column 25: \"Nf9\" cannot be played: that is not the form of a move: Nf3, exd5, e8=Q, O-O or e2e4 is ) e5 {} ! line 1, column 49: the comment that begins here is not closed *",
        ),
        (
            "1. e4 $ e5 $256 *",
            "e4 ! line 1, column 7: a mark is $ and a number from 0 to 255 e5 ! line 1, column 12: a mark is $ and a number from 0 to 255 *",
        ),
        (
            "1. e4 e5 2. Qh5 Nc6 3. Qxf7 -- *",
            "e4 e5 Qh5 Nc6 Qxf7+ ! line 1, column 29: a side in check cannot pass *",
        ),
        (
            "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n1. e4 e5 *\n[Event \"n\"] 1. d4",
            "FEN=8/8/8/8/8/8/8/8 w - - 0 1 ! line 1, column 1: the tag FEN gives no position: White has no king; Black has no king * Event=n d4 *",
        ),
        (
            "[FEN \"x\"]\n1. e4 *",
            "FEN=x ! line 1, column 1: the tag FEN gives no position: a FEN has four to six fields, not 1 *",
        ),
        (
            "[Variant \"Atomic\"]\n1. e4 *",
            "Variant=Atomic ! line 1, column 1: \"Atomic\" is not chess as these Laws know it *",
        ),
        (
            "\n\n  1. e4 e5\n 2. foo bar * 1. d4 *",
            "e4 e5 ! line 4, column 5: \"foo\" cannot be played: that is not the form of a move: Nf3, exd5, e8=Q, O-O or e2e4 is * d4 *",
        ),
        (
            "1. e4 Nf65 *",
            "e4 ! line 1, column 7: \"Nf65\" cannot be played: that is not the form of a move: Nf3, exd5, e8=Q, \
             O-O or e2e4 is *",
        ),
        (
            "1. e4 e5 2. Ne2 Na6 3. Nc3 Nb8 4. Nd5 Na6 5. Nc3 *",
            "e4 e5 Ne2 Na6 ! line 1, column 24: \"Nc3\" cannot be played: that could be Nbc3 or Nec3 *",
        ),
        (
            "[%clk 0:01]\n[Event \"y\"]\n1. e4 *",
            "! line 1, column 1: a tag is a name and a value in quotes: [Event \"Casual game\"] Event=y e4 *",
        ),
    ] {
        assert_eq!(moves(text.as_bytes()), shown, "{text}");
    }
}

#[test]
fn what_is_too_long_is_named_and_never_held() {
    let long = "x".repeat(3 * COMMENT_BYTES_MAX);
    let comment = format!("{{{}}}", &long[..COMMENT_BYTES_MAX]);
    for (text, shown) in [
        (format!("1. e4 {{{}}} e5 *", &long[..COMMENT_BYTES_MAX]), format!("e4 {comment} e5 *")),
        (
            format!("1. e4 {{{long}}} e5 *"),
            format!("e4 {comment} ! line 1, column 7: a comment is read up to 65536 bytes e5 *"),
        ),
        (
            format!("1. e4 ;{long}\n e5 *"),
            format!("e4 {comment} ! line 1, column 7: a comment is read up to 65536 bytes e5 *"),
        ),
        (
            format!("[A \"{}\"] *", &long[..TAG_VALUE_BYTES_MAX]),
            format!("A={} *", &long[..TAG_VALUE_BYTES_MAX]),
        ),
        (
            format!("[A \"{}\"] *", &long[..=TAG_VALUE_BYTES_MAX]),
            "! line 1, column 1: a tag has at most 255 bytes of name and 4096 of value *".to_owned(),
        ),
        (
            format!("[{} \"\"]\n*", &long[..=TAG_NAME_BYTES_MAX]),
            "! line 1, column 1: a tag has at most 255 bytes of name and 4096 of value *".to_owned(),
        ),
        (
            format!("1. {long} e5 *"),
            format!(
                "! line 1, column 4: {:?} cannot be played: that is not the form of a move: Nf3, exd5, e8=Q, \
                 O-O or e2e4 is *",
                &long[..WORD_BYTES_MAX]
            ),
        ),
    ] {
        assert_eq!(moves(text.as_bytes()), shown);
    }
    let nested = "(1. d4 ".repeat(VARIATION_DEPTH_MAX + 9) + &") ".repeat(VARIATION_DEPTH_MAX + 9);
    let read = moves(format!("1. e4 {nested} e5 *").as_bytes());
    assert_eq!(read.matches("( d4").count(), VARIATION_DEPTH_MAX);
    assert!(read.contains(&format!("column {}: more than 64 variations", 7 + 7 * VARIATION_DEPTH_MAX)));
    assert!(read.ends_with(") ) e5 *") && read.matches('!').count() == 1);
}

#[test]
fn ten_megabytes_of_anything_are_held_in_the_stated_bounds() {
    const ALLOTTED_BYTES_MAX: usize = 2 * COMMENT_BYTES_MAX + 2 * VARIATION_DEPTH_MAX * 1024;
    struct Nobody;
    impl Visitor for Nobody {}
    for (start, piece) in [
        ("1. e4 {", "all work and no play "),
        ("1. e4 ;", "all work and no play "),
        ("%", "all work and no play "),
        ("[Event \"", "all work and no play "),
        ("[Event \"", "\\\"\" "),
        ("[", "allworkandnoplay"),
        ("1. ", "allworkandnoplay"),
        ("1. ", "1234567890"),
        ("1. e4 $", "1234567890"),
        ("1. e4 ", "(1. d4 "),
        ("1. e4 ", "("),
        ("", "["),
        ("", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n"),
        ("", "[Variant \"Atomic Atomic Atomic Atomic Atomic Atomic Atomic Atomic Atomic Atomic\"]\n"),
    ] {
        let mut reader = Reader::new();
        reader.feed(start.as_bytes(), &mut Nobody);
        let piece = piece.repeat((1 << 20) / piece.len());
        for _ in 0..10 {
            reader.feed(piece.as_bytes(), &mut Nobody);
            assert!(reader.allotted_bytes() <= ALLOTTED_BYTES_MAX, "{start} {}", reader.allotted_bytes());
        }
        reader.finish(&mut Nobody);
    }
}

#[test]
fn a_reader_of_another_language_reads_its_letters() {
    for (letters, text) in [
        (PieceLetters::DUTCH, "1. Pf3 Pc6 2. e4 e5 3. Lb5 Pf6 4. 0-0 Pxe4 5. Te1 De7 6. Txe4"),
        (PieceLetters::GERMAN, "1. Sf3 Sc6 2. e4 e5 3. Lb5 Sf6 4. O-O Sxe4 5. Te1 De7 6. Txe4"),
        (PieceLetters::FRENCH, "1. Cf3 Cc6 2. e4 e5 3. Fb5 Cf6 4. O-O Cxe4 5. Te1 De7 6. Txe4"),
        (PieceLetters::SPANISH, "1. Cf3 Cc6 2. e4 e5 3. Ab5 Cf6 4. O-O Cxe4 5. Te1 De7 6. Txe4"),
        (PieceLetters::ITALIAN, "1. Cf3 Cc6 2. e4 e5 3. Ab5 Cf6 4. O-O Cxe4 5. Te1 De7 6. Txe4"),
        (PieceLetters::PERSIAN, "1. اf3 اc6 2. سe4 e5 3. فb5 اf6 4. O-O اxe4 5. رe1 وe7 6. رxe4"),
    ] {
        let (mut reader, mut log) = (Reader::with_letters(letters), Log::default());
        reader.feed(text.as_bytes(), &mut log);
        reader.finish(&mut log);
        assert_eq!(log.0[2..].join(" "), "Nf3 Nc6 e4 e5 Bb5 Nf6 O-O Nxe4 Re1 Qe7 Rxe4 *", "{text}");
    }
}

/// What a writer makes of a text.
fn rewritten(bytes: &[u8]) -> String {
    let (mut reader, mut writer) = (Reader::new(), Writer::new());
    reader.feed(bytes, &mut writer);
    reader.finish(&mut writer);
    writer.take()
}

#[test]
fn l71_games_are_written_in_the_export_format() {
    let text = "{ before } [White \"A \\\"B\\\" C\\\\D\"]\n1.e4{best by test}e5!?(1...c5{a long story that \
                needs more than one line, with [%clk 0:01:02.5] in it}2.Nf3(2.c3)d6)2.Nf3;has } in it\n Nc6 3.-- 1-0";
    let expected = "{before}
[White \"A \\\"B\\\" C\\\\D\"]

1. e4 {best by test} 1... e5 $5 (1... c5 {a long story that needs more than one
line, with [%clk 0:01:02.5] in it} 2. Nf3 (2. c3) 2... d6) 2. Nf3 ; has } in it
2... Nc6 3. -- 1-0

";
    assert_eq!(rewritten(text.as_bytes()), expected);
    assert_eq!(rewritten(expected.as_bytes()), expected);
}

#[test]
fn l71_a_line_has_80_columns_and_begins_with_nothing_odd() {
    let comment = "some words [%clk 0:00:01] and %x ;y [z] ".repeat(40);
    let text = rewritten(format!("1. e4 {{ {comment} }} e5 *").as_bytes());
    assert!(text.lines().count() > 5);
    for line in text.lines() {
        assert!(!line.starts_with(['[', '%', ';']), "{line}");
    }
    let moves = rewritten("1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(99).as_bytes());
    assert!(moves.lines().all(|line| line.len() <= 80 && !line.ends_with(' ')));
}

#[test]
fn l71_the_start_has_the_tags_that_a_reader_needs() {
    let standard = Position::standard();
    let after_e4 = standard.after(san::parse(&standard, "e4").unwrap());
    let start = StartNumber::new(0).unwrap().position();
    for (start, tags) in [
        (standard, ""),
        (after_e4, "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n"),
        (
            start,
            "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n",
        ),
    ] {
        let mut writer = Writer::new();
        writer.start(&start);
        let text = writer.take();
        assert_eq!(text, tags);
        let shown = format!("moves of {}", start.turn());
        assert!(log(format!("{text}\n*").as_bytes()).contains(&shown), "{text}");
    }
}

#[test]
fn a_control_character_is_replaced_and_makes_no_wrong_tag_right() {
    let text = rewritten(b"[FEN \"4k3/8/8/8/8/8/8/4K2R\x01w K - 0 1\"]\n1. O-O {\x1b[31m} *");
    assert_eq!(text, "[FEN \"4k3/8/8/8/8/8/8/4K2R\u{fffd}w K - 0 1\"]\n\n{\u{fffd}[31m} *\n\n");
}
