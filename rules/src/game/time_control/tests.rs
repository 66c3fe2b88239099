//! Both texts of time controls, each way.

use super::{Bonus, Controls, Period, TimeControl, TimeControlError, pgn};
use crate::color::Color;
use crate::game::clock::tests::controls;
use crate::game::time::Millis;
use proptest::prelude::*;
use std::num::NonZeroU16;

#[test]
fn l50_controls_are_read_and_written() {
    for (text, base_ms, increment_ms, written) in [
        ("5+3", 300_000, 3_000, "5+3"),
        ("10", 600_000, 0, "10+0"),
        ("10+0", 600_000, 0, "10+0"),
        ("5:00", 300_000, 0, "5+0"),
        (" 90+30 ", 5_400_000, 30_000, "90+30"),
        ("0:30+1", 30_000, 1_000, "0:30+1"),
        ("0:01.5+0.25", 1_500, 250, "0:01.5+0.25"),
        ("1440+600", 86_400_000, 600_000, "1440+600"),
    ] {
        let control = TimeControl::new(Millis(base_ms), Millis(increment_ms)).unwrap();
        assert_eq!(text.parse(), Ok(control), "{text}");
        assert_eq!(text.parse(), Ok(Controls::equal(control)), "{text}");
        assert_eq!(
            (control.to_string().as_str(), Controls::equal(control).to_string().as_str()),
            (written, written)
        );
    }
}

#[test]
fn l50_every_kind_has_its_text() {
    for (text, written) in [
        ("10d5", "10d5"),
        ("0:30d0.5", "0:30d0.5"),
        ("10b5", "10b5"),
        ("10d0", "10+0"),
        ("hg3", "hg3"),
        ("hg0:45", "hg0:45"),
        ("1day", "1day"),
        ("14days", "14days"),
        ("unlimited", "unlimited"),
        ("40/90:00+30,30:00+30", "40/90:00+30,30:00+30"),
        ("40/90+30,30+30", "40/90:00+30,30:00+30"),
        ("40/120,20/60,15+30", "40/120:00,20/60:00,15:00+30"),
        ("5:00/4:00", "5+0/4+0"),
        ("5+0/4+0=black", "5+0/4+0=black"),
        ("5+3=black", "5+3=black"),
        ("5+3/5+3=white", "5+3=white"),
        ("hg3/hg5", "hg3/hg5"),
        ("unlimited/5+3", "unlimited/5+3"),
        ("3days/1day", "3days/1day"),
        ("40/90,30:00/5+3", "40/90:00,30:00/5+3"),
        ("5+3/40/90,30", "5+3/40/90:00,30:00"),
        ("40/90,30:00/20/60,15", "40/90:00,30:00/20/60:00,15:00"),
    ] {
        let controls: Controls = text.parse().unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(controls.to_string(), written);
    }
    let controls: Controls = "40/90+30,30d5/10b2=black".parse().unwrap();
    let moves = NonZeroU16::new(40);
    let minutes = Millis::from_minutes;
    let white = [
        Period::new(moves, minutes(90), Bonus::Increment(Millis(30_000))).unwrap(),
        Period::new(None, minutes(30), Bonus::Delay(Millis(5_000))).unwrap(),
    ];
    assert!(controls[Color::White].periods().eq(white));
    let black = Period::new(None, minutes(10), Bonus::Bronstein(Millis(2_000))).unwrap();
    assert!(controls[Color::Black].periods().eq([black]));
    assert_eq!(controls.draw_odds(), Some(Color::Black));
}

#[test]
fn l50_other_texts_say_what_is_wrong() {
    use TimeControlError::{Bonus, Days, Form, Hourglass, LastPeriod, Moves, Periods, Time};
    for (text, error) in [
        ("", Form),
        ("five", Form),
        ("5+", Form),
        ("+3", Form),
        ("5+3+1", Form),
        ("5+3d1", Form),
        ("-5+3", Form),
        ("5:7+3", Form),
        ("5:60+3", Form),
        ("5+0.0001", Form),
        ("99999999999999999999+3", Form),
        ("0+3", Time),
        ("1441", Time),
        ("5+601", Bonus),
        ("5d601", Bonus),
        ("٥+٣", Form),
        ("5=green", Form),
        ("5=black=black", Form),
        ("=black", Form),
        ("5/4", LastPeriod),
        ("5/4:00", LastPeriod),
        ("40/90", LastPeriod),
        ("90,30", LastPeriod),
        ("0/90,30", Moves),
        ("1000/90,30", Form),
        ("40/90,", Form),
        (",30", Form),
        ("1/1,1/1,1/1,1/1,1", Periods),
        ("5+0/4+0/3+0", Form),
        ("40/90,30/20/60,15", Form),
        ("/5", Form),
        ("5+0/", Form),
        ("hg", Form),
        ("hg3+1", Form),
        ("hg0:00.5", Time),
        ("hg3/5+0", Hourglass),
        ("0days", Days),
        ("1days", Days),
        ("15days", Days),
        ("days", Form),
        ("2day", Form),
        ("unlimited+3", Form),
    ] {
        assert_eq!(text.parse::<Controls>(), Err(error), "{text:?}");
    }
}

#[test]
fn l50_a_pgn_s_tag_counts_in_seconds() {
    for (text, tag) in [
        ("5+3", "300+3"),
        ("10", "600"),
        ("0:01.5+0.25", "1.5+0.25"),
        ("40/90+30,30+30", "40/5400+30:1800+30"),
        ("40/120,20/60,15+30", "40/7200:20/3600:900+30"),
        ("hg3", "*180"),
        ("unlimited", "-"),
    ] {
        let controls: Controls = text.parse().unwrap();
        assert_eq!(pgn::write(&controls), (tag.to_owned(), None), "{text}");
        assert_eq!(pgn::read(tag), Ok(Some(controls)), "{tag}");
    }
    let five_hours: Controls = "300+3".parse().unwrap();
    assert_ne!(pgn::read("300+3"), Ok(Some(five_hours)), "seconds in a PGN, minutes at the command line");
    assert_eq!(pgn::read("?"), Ok(None));
}

#[test]
fn l50_what_a_pgn_s_tag_cannot_hold_has_one_of_its_own() {
    for text in ["10d5", "10b5", "3days", "5+0/4+0", "5+3=black", "40/90:00+30,30:00d5", "hg3/hg5"] {
        assert_eq!(pgn::write(&text.parse().unwrap()), ("?".to_owned(), Some(text.to_owned())));
    }
}

#[test]
fn l50_other_tags_are_refused() {
    use TimeControlError::{Bonus, LastPeriod, PgnForm, Time};
    for (tag, error) in [
        ("", PgnForm),
        ("300:60", LastPeriod),
        ("300+", PgnForm),
        ("300+3+1", PgnForm),
        ("40/5400", LastPeriod),
        ("40/5400:", PgnForm),
        ("x/5400:60", PgnForm),
        ("0", Time),
        ("300+601", Bonus),
        ("*", PgnForm),
        ("300d5", PgnForm),
        ("3days", PgnForm),
    ] {
        assert_eq!(pgn::read(tag), Err(error), "{tag:?}");
    }
}

proptest! {
    #[test]
    fn l50_every_control_is_read_as_it_was_written(controls in controls()) {
        let text = controls.to_string();
        prop_assert_eq!(text.parse(), Ok(controls), "{}", text);
        let (tag, own) = pgn::write(&controls);
        let read = match own {
            Some(own) => own.parse().map(Some),
            None => pgn::read(&tag),
        };
        prop_assert_eq!(read, Ok(Some(controls)), "{}", tag);
    }

    /// No text is read as something that it would not be read as again.
    #[test]
    fn l50_any_text_means_one_thing_or_nothing(text in "[0-9:,/+db.=hgasyunlimtedwck]{0,24}|[0-9]{1,2}(/|:|,)[0-9]{2}.{0,8}") {
        if let Ok(controls) = text.parse::<Controls>() {
            prop_assert_eq!(controls.to_string().parse(), Ok(controls));
        }
        let _ = pgn::read(&text);
    }

    #[cfg(feature = "bincode")]
    #[test]
    fn l50_every_control_keeps_its_bytes(controls in controls()) {
        let config = bincode::config::standard();
        let bytes = bincode::encode_to_vec(controls, config).unwrap();
        prop_assert_eq!(bincode::decode_from_slice(&bytes, config).unwrap(), (controls, bytes.len()));
    }

    #[cfg(feature = "bincode")]
    #[test]
    fn any_bytes_are_controls_within_bounds_or_refused(bytes in prop::collection::vec(0..8_u8, 0..40)) {
        let config = bincode::config::standard();
        if let Ok((controls, read)) = bincode::decode_from_slice::<Controls, _>(&bytes, config) {
            prop_assert_eq!(bincode::encode_to_vec(controls, config).unwrap(), &bytes[..read]);
            prop_assert_eq!(controls.to_string().parse(), Ok(controls));
        }
    }
}
