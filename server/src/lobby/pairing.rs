//! Who plays whom, and who has White: pure, so that a table of cases decides it.

use chatrang_protocol::lobby::{Proposal, Side};
use chatrang_rules::color::Color;

/// The side the first of two players gets, if both wishes can be met; `lot` decides when both leave it
/// open.
pub fn color_of_first(first: Side, second: Side, lot: Color) -> Option<Color> {
    match (first, second) {
        (Side::White, Side::White) | (Side::Black, Side::Black) => None,
        (Side::White, _) | (_, Side::Black) => Some(Color::White),
        (Side::Black, _) | (_, Side::White) => Some(Color::Black),
        (Side::Random, Side::Random) => Some(lot),
    }
}

/// Whether two proposals make a game: both want the same terms, and sides that go together.
pub fn matches(first: &Proposal, second: &Proposal) -> bool {
    Proposal { side: second.side, ..*first } == *second
        && color_of_first(first.side, second.side, Color::White).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatrang_rules::game::{Conduct, Profile, SpeedClass, Stakes};

    #[test]
    fn wishes_are_met_where_both_can_be() {
        use Color::{Black, White};
        for (first, second, lot, color) in [
            (Side::White, Side::Black, Black, Some(White)),
            (Side::White, Side::Random, Black, Some(White)),
            (Side::Random, Side::White, White, Some(Black)),
            (Side::Random, Side::Black, Black, Some(White)),
            (Side::Black, Side::Random, White, Some(Black)),
            (Side::Random, Side::Random, White, Some(White)),
            (Side::Random, Side::Random, Black, Some(Black)),
            (Side::White, Side::White, White, None),
            (Side::Black, Side::Black, White, None),
        ] {
            assert_eq!(color_of_first(first, second, lot), color, "{first:?} {second:?} {lot:?}");
        }
    }

    #[test]
    fn only_the_same_terms_make_a_game() {
        let proposal = |time: &str, side| Proposal::casual(time.parse().unwrap(), side);
        let wish = proposal("5+3", Side::Random);
        assert!(matches(&wish, &proposal("5+3", Side::White)));
        assert!(!matches(&wish, &proposal("5+0", Side::White)));
        assert!(!matches(&proposal("5+3", Side::Black), &proposal("5+3", Side::Black)));
        for other in [
            Proposal { stakes: Stakes::Rated, ..wish },
            Proposal { agreement_from: 30, ..wish },
            Proposal { conduct: Some(Conduct::new(Profile::Tournament, SpeedClass::Blitz)), ..wish },
        ] {
            assert!(!matches(&wish, &other), "{other:?}");
            assert!(matches(&other, &other), "{other:?}");
        }
    }
}
