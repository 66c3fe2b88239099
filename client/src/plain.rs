//! The face of plain lines: each event a complete sentence behind a word that says what it is about.
//! Made for screen readers, braille displays and pipes: no cursor, no colour, no box.

use crate::answers;
use crate::message::News;
use crate::model::Model;
use crate::{sentence, standing};
use chatrang_rules::game::{Action, Order, Proposal};

/// The lines that tell the news, most often one.
pub fn lines(news: &News, model: &Model) -> Vec<String> {
    match news {
        News::Asked(question) => {
            model.game.as_ref().map(|game| answers::answer(*question, game, model.now)).unwrap_or_default()
        }
        News::Invite(invitation) => vec![
            format!("INVITE {}", sentence::of(news, model)),
            // Bare, so that it is copied as it is.
            format!("chatrang join {}", invitation.line),
        ],
        News::Happened(happening) => {
            let mut lines = vec![format!("{} {}", prefix(news), sentence::of(news, model))];
            let what_now =
                model.game.as_ref().filter(|_| stops(&happening.event.action)).and_then(standing::what_now);
            let gone_back = model.game.as_ref().filter(|_| goes_back(&happening.event.action));
            lines.extend(gone_back.map(|game| format!("BOARD {}", sentence::position(game))));
            lines.extend(what_now.map(|text| format!("CLOCK {text}")));
            lines
        }
        news => vec![format!("{} {}", prefix(news), sentence::of(news, model))],
    }
}

fn prefix(news: &News) -> &'static str {
    match news {
        News::Entered => "HELLO",
        News::Invite(_) => "INVITE",
        News::Seeking(_) => "WAIT",
        News::Game => "GAME",
        News::Moved { .. } => "MOVE",
        News::Proposed { .. } => "TERMS",
        News::Offered { .. } | News::Declined { .. } => "OFFER",
        News::Happened(happening) => happened(&happening.event.action),
        News::Sealed { .. } => "SEAL",
        News::Chat(_) => "CHAT",
        News::RematchAsked { .. } | News::RematchWithdrawn | News::RematchBegun { .. } => "REMATCH",
        News::Refused(_) => "REFUSED",
        News::Away { .. } | News::MayClaimAbsence => "AWAY",
        News::Back { .. } => "BACK",
        News::ClocksStopped(_) | News::ClocksRun(_) | News::LowTime { .. } => "CLOCK",
        News::ConnectionLost | News::ConnectionBack => "LINK",
        News::Remark(_) | News::Asked(_) => "NOTE",
        News::End(_) => "END",
    }
}

/// Whether an event may stop the clocks: then a player is told how they run again.
const fn stops(action: &Action) -> bool {
    matches!(
        action,
        Action::Accepted(_)
            | Action::Sealed(_)
            | Action::EnvelopeClosed
            | Action::ArbiterCalled(_)
            | Action::QuickplayClaimed(_)
            | Action::Ruled(_)
    )
}

/// Whether an event takes moves back: then a player is told where the game stands.
const fn goes_back(action: &Action) -> bool {
    match action {
        Action::Accepted(proposal) => matches!(proposal, Proposal::Takeback { .. }),
        Action::Ruled(decision) => matches!(decision.order, Order::GoBack { .. }),
        _ => false,
    }
}

/// What something that happened is about.
const fn happened(action: &Action) -> &'static str {
    match action {
        Action::Touched(_) | Action::Adjusted(_) => "TOUCH",
        Action::MovePutBack { .. } | Action::Moved { .. } => "ILLEGAL",
        Action::Accepted(_) => "AGREED",
        Action::Sealed(_) | Action::EnvelopeClosed => "SEAL",
        Action::Resumed { .. } => "RESUME",
        Action::ArbiterCalled(_) => "CALL",
        Action::Ruled(_) => "RULING",
        _ => "CLAIM",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Effect, Friend, Invitation, Message, Moment, Report};
    use crate::model::tests::{START, line_of, snapshot_of, state_of, update_by, update_of};
    use crate::model::{AtEnd, ScreenModel};
    use crate::update::update;
    use chatrang_protocol::chat::{ChatLine, ChatRoom};
    use chatrang_protocol::ids::{GameId, Handle};
    use chatrang_protocol::intent::IntentError;
    use chatrang_protocol::lobby::{Proposal as Seek, Side};
    use chatrang_protocol::talk::RematchNews;
    use chatrang_protocol::view::Presence;
    use chatrang_protocol::view::{EnvelopeContent, EnvelopeView, StateView};
    use chatrang_rules::color::Color;
    use chatrang_rules::game::{Matter, Millis, Refusal, Suspension};
    use chatrang_rules::outcome::{GameResult, Termination};

    /// What the face says when the model hears `message`.
    fn said(model: &mut Model, message: Message) -> Vec<String> {
        let effects = update(model, message);
        let news = effects.iter().filter_map(|effect| match effect {
            Effect::Tell(news) => Some(news),
            _ => None,
        });
        news.flat_map(|news| lines(news, model)).collect()
    }

    fn reported(model: &mut Model, report: Report) -> Vec<String> {
        said(model, Message::Report(report))
    }

    fn typed(model: &mut Model, line: &str) -> Vec<String> {
        said(model, Message::Typed(line.to_owned()))
    }

    fn playing(seat: Option<Color>) -> Model {
        let mut model = Model::new(AtEnd::Leave, ScreenModel::default());
        let snapshot = Box::new(snapshot_of(START, seat));
        reported(&mut model, Report::Snapshot { snapshot, lag: Millis::ZERO });
        model
    }

    fn joins() -> Friend {
        Friend::Joins(Seek::casual("5+3".parse().unwrap(), Side::Random))
    }

    fn invited(line: &str, friend: Friend) -> Report {
        Report::Invited(Invitation { line: line.to_owned(), friend })
    }

    fn moves(model: &mut Model, san: &str) -> Vec<String> {
        let update = Box::new(update_of(&model.game.as_ref().unwrap().state, san));
        reported(model, Report::Update { update, lag: Millis::ZERO })
    }

    #[test]
    fn a_game_is_told_from_the_welcome_to_the_end() {
        let mut model = Model::new(AtEnd::Leave, ScreenModel::default());
        let entered =
            Report::Entered { server: "a.example:7777".to_owned(), handle: Handle::new("alice").unwrap() };
        assert_eq!(reported(&mut model, entered), ["HELLO You are alice on a.example:7777."]);
        assert_eq!(
            reported(&mut model, invited("a.example:7777/fp/code", joins())),
            [
                "INVITE Send your friend this one line; the game begins when he joins.",
                "chatrang join a.example:7777/fp/code"
            ]
        );
        let mut snapshot = snapshot_of(START, Some(Color::White));
        snapshot.presence.black = Presence::Away { for_ms: 0 };
        assert_eq!(
            reported(&mut model, Report::Snapshot { snapshot: Box::new(snapshot), lag: Millis::ZERO }),
            [
                "GAME Game 7 at 5+3: you play White against bob. It is your move, with 5:00 left.",
                "AWAY bob is not at the board."
            ]
        );
        let back = Report::Presence { color: Color::Black, presence: Presence::Here };
        assert_eq!(reported(&mut model, back), ["BACK bob is back."]);
        assert_eq!(moves(&mut model, "e4"), ["MOVE White plays e4 on move 1."]);
        assert_eq!(
            moves(&mut model, "e5"),
            ["MOVE Black plays e5 on move 1. It is your move, with 5:00 left."]
        );
        let mut state = state_of(START);
        state.result = Some(GameResult::win(Color::Black, Termination::Resignation));
        let update = Box::new(update_by(&state, Color::White, Action::Resigned));
        assert_eq!(
            reported(&mut model, Report::Update { update, lag: Millis::ZERO }),
            [format!("END {}.", state.result.unwrap())]
        );
    }

    #[test]
    fn talk_is_told_in_lines_of_its_own() {
        let mut model = playing(Some(Color::White));
        let watching = ChatLine { room: ChatRoom::Spectators, ..line_of("carol", "what a game") };
        let lines = vec![line_of("bob", "good luck"), watching];
        assert_eq!(
            reported(&mut model, Report::Chat(lines)),
            ["CHAT bob: good luck", "CHAT carol (watching): what a game"]
        );
        let asked = Report::Rematch(RematchNews::Asked { by: Color::Black });
        assert_eq!(reported(&mut model, asked), ["REMATCH bob asks for a rematch: type rematch to agree."]);
        let begun = Report::Rematch(RematchNews::Begun { game: GameId(8) });
        assert_eq!(reported(&mut model, begun), ["REMATCH The rematch begins: game 8."]);
    }

    #[test]
    fn who_stops_the_clocks_is_told_how_they_run_again() {
        let mut model = playing(Some(Color::White));
        for (proposal, change, lines) in [
            (
                Proposal::Pause,
                (|state| state.suspension = Some(Suspension::Pause)) as fn(&mut StateView),
                [
                    "AGREED bob accepts the pause.",
                    "CLOCK The game is paused by agreement: type resume to play on.",
                ],
            ),
            (
                Proposal::Adjournment,
                |state| {
                    let content = EnvelopeContent::Empty;
                    state.envelope = Some(EnvelopeView { sealer: Color::White, content });
                },
                [
                    "AGREED bob accepts to adjourn.",
                    "CLOCK The game is being adjourned: type seal MOVE, then close.",
                ],
            ),
        ] {
            let mut state = state_of(START);
            change(&mut state);
            let update = Box::new(update_by(&state, Color::Black, Action::Accepted(proposal)));
            assert_eq!(reported(&mut model, Report::Update { update, lag: Millis::ZERO }), lines);
        }
    }

    #[test]
    fn moves_that_are_taken_back_leave_a_position_that_is_said() {
        let mut model = playing(Some(Color::White));
        moves(&mut model, "e4");
        let accepted = Action::Accepted(Proposal::Takeback { plies: 1 });
        let update = Box::new(update_by(&state_of(START), Color::Black, accepted));
        assert_eq!(
            reported(&mut model, Report::Update { update, lag: Millis::ZERO }),
            ["AGREED bob accepts to take back.", "BOARD No move has been made; it is your move."]
        );
        moves(&mut model, "e4");
        assert_eq!(
            sentence::position(model.game.as_ref().unwrap()),
            "The last move is e4 on move 1; it is bob's move."
        );
    }

    #[test]
    fn a_house_rule_is_called_so() {
        let mut model = playing(Some(Color::White));
        let Some(ticket) =
            update(&mut model, Message::Typed("takeback".to_owned())).into_iter().find_map(|effect| {
                match effect {
                    Effect::Send { ticket, .. } => Some(ticket),
                    _ => None,
                }
            })
        else {
            panic!("not sent")
        };
        let outcome = Err(IntentError::Law(Refusal::TakebackForbidden));
        assert_eq!(
            reported(&mut model, Report::Answer { ticket, outcome }),
            ["REFUSED takeback: no moves are taken back in a rated game over the board (house rule L61)."]
        );
    }

    #[test]
    fn a_friend_who_has_played_before_is_not_told_to_begin() {
        let mut model = Model::new(AtEnd::Leave, ScreenModel::default());
        assert_eq!(
            reported(&mut model, invited("a.example:7777/fp", Friend::ComesBack)),
            [
                "INVITE If your friend has lost it, this line brings him back to the game.",
                "chatrang join a.example:7777/fp"
            ]
        );
    }

    #[test]
    fn a_full_store_is_said_once_and_so_is_its_end() {
        let mut model = playing(Some(Color::White));
        let full = "CLOCK The server cannot write to its store: the clocks stand still until it can.";
        assert_eq!(reported(&mut model, Report::StoreFull), [full]);
        assert!(reported(&mut model, Report::StoreFull).is_empty());
        assert_eq!(typed(&mut model, "c"), ["White has 5:00, Black has 5:00; both stand still."]);
        assert_eq!(
            reported(&mut model, Report::StoreRecovered),
            ["CLOCK The server can write to its store again: the clocks run on."]
        );
        assert!(reported(&mut model, Report::StoreRecovered).is_empty());
    }

    #[test]
    fn a_check_is_said() {
        let mut model = playing(Some(Color::Black));
        for san in ["e4", "f6", "d4", "g5"] {
            moves(&mut model, san);
        }
        let said = moves(&mut model, "Qh5#");
        assert_eq!(said, ["MOVE White plays Qh5# on move 3. It is your move, with 5:00 left."]);
        let mut model = playing(None);
        for san in ["e4", "f5", "d4", "e6"] {
            moves(&mut model, san);
        }
        assert_eq!(moves(&mut model, "Qh5+"), ["MOVE White plays Qh5+ on move 3. Check."]);
    }

    #[test]
    fn offers_say_what_to_type() {
        for (seat, offered, declined) in [
            (
                Some(Color::White),
                "OFFER bob offers a draw: type accept or decline, or play on.",
                "OFFER You decline the draw.",
            ),
            (Some(Color::Black), "OFFER You offer a draw.", "OFFER alice declines the draw."),
            (None, "OFFER bob offers a draw.", "OFFER alice declines the draw."),
        ] {
            let mut model = playing(seat);
            for (by, action, line) in [
                (Color::Black, Action::Proposed(Proposal::Draw), offered),
                (Color::White, Action::Declined(Matter::Draw), declined),
            ] {
                let update = Box::new(update_by(&state_of(START), by, action));
                assert_eq!(reported(&mut model, Report::Update { update, lag: Millis::ZERO }), [line]);
            }
        }
    }

    #[test]
    fn questions_are_answered_and_nonsense_is_refused() {
        let mut model = playing(Some(Color::White));
        assert_eq!(typed(&mut model, "board").len(), 8);
        assert_eq!(typed(&mut model, "c"), ["White has 5:00, Black has 5:00; White's runs."]);
        assert_eq!(
            typed(&mut model, "hello"),
            ["REFUSED hello: that is neither a move nor a word; type help for both."]
        );
        assert_eq!(typed(&mut model, "resign"), ["REFUSED resign: to give the game up, type: resign yes."]);
        assert_eq!(
            typed(&mut model, "help").len(),
            crate::words::HELP_BOARD.len() + crate::words::HELP_TABLE.len()
        );
        moves(&mut model, "e4");
        assert_eq!(typed(&mut model, "d4"), ["REFUSED d4: it is Black's turn (FIDE 1.2)."]);
    }

    #[test]
    fn a_low_clock_is_said_once() {
        let mut model = playing(Some(Color::White));
        for (now_ms, line) in [
            (239_000, None),
            (240_000, Some("CLOCK You have 60 seconds left.")),
            (241_000, None),
            (280_500, Some("CLOCK You have 20 seconds left.")),
            (290_100, Some("CLOCK You have 10 seconds left.")),
            (299_000, None),
        ] {
            let lines = said(&mut model, Message::Time(Moment(now_ms)));
            assert_eq!(lines, line.into_iter().collect::<Vec<_>>(), "{now_ms}");
        }
    }
}
