//! What is agreed before the first move, in words: who takes a game up sees all of it.

use chatrang_protocol::lobby::{Proposal, Side};
use chatrang_rules::game::{
    Absence, Arbiter, Conduct, Controls, FlagFall, IllegalMoves, Millis, NoShow, Profile, SealedMove,
    SpeedClass, Stakes, Terms, TouchMove, WrongClaim,
};

/// The terms of a game, short enough for a headline: `5+3, tournament, touch-move off`.
pub fn of_game(terms: &Terms) -> String {
    words(&terms.controls, Some(&terms.conduct), terms.stakes, terms.agreement_from)
}

/// What somebody proposes, likewise; how it is conducted is left out where that is left to the server.
pub fn of_proposal(proposal: &Proposal) -> String {
    words(&proposal.controls, proposal.conduct.as_ref(), proposal.stakes, proposal.agreement_from)
}

/// The terms of a game in whole sentences.
pub fn in_full(terms: &Terms) -> String {
    let class = terms.class();
    let arbiter = match terms.arbiter {
        Arbiter::Named => "There is an arbiter to turn to.",
        Arbiter::Nobody => "There is no arbiter.",
    };
    let mut sentences = vec![format!("The game is played at {}, {class}.", of_game(terms))];
    sentences.extend(rules(&terms.conduct));
    sentences.push(arbiter.to_owned());
    sentences.join(" ")
}

/// What of a conduct can surprise a player who knows casual games on a screen, in sentences.
pub fn rules(conduct: &Conduct) -> Vec<String> {
    let mut rules = Vec::new();
    if conduct.touch_move == TouchMove::On {
        rules.push("Touch-move: a man you touch must move, or be captured.".to_owned());
    }
    rules.extend(match conduct.illegal_moves {
        IllegalMoves::Refused => None,
        IllegalMoves::Stand => {
            Some("An illegal move stands, and loses if it is claimed before the answer.".to_owned())
        }
        IllegalMoves::PutBack { lost_at, penalty: Millis::ZERO } => {
            Some(format!("Illegal moves are put back; number {lost_at} loses."))
        }
        IllegalMoves::PutBack { lost_at, penalty } => Some(format!(
            "Illegal moves are put back, and the opponent gets {penalty} for each; number {lost_at} loses."
        )),
    });
    if let WrongClaim::Penalty(penalty) = conduct.wrong_claim {
        rules.push(format!("A wrong claim of a draw gives the opponent {penalty}."));
    }
    if conduct.flag_fall == FlagFall::Claimed {
        rules.push("A fallen flag counts when it is claimed.".to_owned());
    }
    if conduct.no_show == NoShow::Lost {
        rules.push("Who is not there in time for the first move loses.".to_owned());
    }
    if conduct.absence == Absence::Automatic {
        rules.push("Who stays away too long loses.".to_owned());
    }
    if conduct.sealed_move == SealedMove::Yes {
        rules.push("To adjourn, the side to move seals its move.".to_owned());
    }
    rules
}

/// Whether whoever takes a proposal up must have said that he agrees to it: it is not the usual game
/// among friends.
pub fn needs_consent(proposal: &Proposal) -> bool {
    let class = SpeedClass::of_game(&proposal.controls);
    let is_usual = proposal.conduct.is_some_and(|conduct| conduct == Conduct::new(Profile::Online, class));
    !is_usual || proposal.stakes == Stakes::Rated || proposal.agreement_from > 1
}

/// A conduct as `--rules` reads it.
pub fn conduct(conduct: &Conduct, controls: &Controls) -> String {
    conduct.text(SpeedClass::of_game(controls))
}

/// The side a proposer would like, as a word: `white`, `black`, `random`.
pub const fn side(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
        Side::Random => "random",
    }
}

fn words(controls: &Controls, conduct: Option<&Conduct>, stakes: Stakes, agreement_from: u16) -> String {
    let mut words = vec![controls.to_string()];
    if let Some(conduct) = conduct {
        let overrides = conduct.overrides(SpeedClass::of_game(controls));
        if conduct.profile != Profile::Online || !overrides.is_empty() {
            words.push(conduct.profile.name().to_owned());
        }
        words.extend(overrides.into_iter().map(|word| word.replace('=', " ")));
    }
    if stakes == Stakes::Rated {
        words.push("rated".to_owned());
    }
    if agreement_from > 1 {
        words.push(format!("no draw before move {agreement_from}"));
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposal(rules: &str) -> Proposal {
        let controls: Controls = "5+3".parse().unwrap();
        let conduct = Conduct::parse(rules, SpeedClass::of_game(&controls)).unwrap();
        Proposal { conduct: Some(conduct), ..Proposal::casual(controls, Side::Random) }
    }

    #[test]
    fn terms_say_what_can_surprise() {
        for (text, sentences) in [
            ("online", ""),
            (
                "tournament",
                "Touch-move: a man you touch must move, or be captured. \
                 Illegal moves are put back, and the opponent gets 1:00 for each; number 2 loses. \
                 A wrong claim of a draw gives the opponent 1:00. \
                 Who is not there in time for the first move loses. \
                 To adjourn, the side to move seals its move.",
            ),
            (
                "online illegal=3/0 absence=automatic",
                "Illegal moves are put back; number 3 loses. Who stays away too long loses.",
            ),
            (
                "online illegal=stands flag=claimed",
                "An illegal move stands, and loses if it is claimed before the answer. \
                 A fallen flag counts when it is claimed.",
            ),
        ] {
            assert_eq!(rules(&proposal(text).conduct.unwrap()).join(" "), sentences, "{text}");
        }
    }

    #[test]
    fn a_headline_has_what_is_unusual() {
        for (proposal, words, needs) in [
            (proposal("online"), "5+3", false),
            (proposal("tournament touch-move=off"), "5+3, tournament, touch-move off", true),
            (proposal("online touch-move=on"), "5+3, online, touch-move on", true),
            (Proposal { stakes: Stakes::Rated, ..proposal("online") }, "5+3, rated", true),
            (
                Proposal { agreement_from: 30, ..proposal("classic") },
                "5+3, classic, no draw before move 30",
                true,
            ),
            (Proposal { conduct: None, ..proposal("online") }, "5+3", true),
        ] {
            assert_eq!((of_proposal(&proposal).as_str(), needs_consent(&proposal)), (words, needs));
        }
    }
}
