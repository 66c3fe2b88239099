//! One game that an arbiter watches: what he is told of it, in what the players' faces know of a game.

use super::news::DeskNews;
use crate::message::{Effect, Message, Moment, Refused, Report};
use crate::model::{AtEnd, Model, ScreenModel};
use crate::update::update;
use chatrang_protocol::client::game::{GameNews, LinkEnd};
use chatrang_protocol::ids::{GameId, IntentId};
use chatrang_protocol::intent::IntentError;
use chatrang_protocol::view::{Answer, Snapshot};
use chatrang_rules::game::{Millis, Refusal};
use std::collections::HashMap;

/// A watched game. Pure: the link to it is held elsewhere.
#[derive(Debug)]
pub struct Watch {
    model: Model,
    /// What was typed for each order that has no answer yet.
    pending: HashMap<IntentId, String>,
}

impl Watch {
    /// A game as it is when it is opened, and what there is to tell of it.
    pub fn open(snapshot: Snapshot, now: Moment, lag: Millis) -> (Self, Vec<DeskNews>) {
        let mut watch =
            Self { model: Model::new(AtEnd::Stay, ScreenModel::default()), pending: HashMap::new() };
        watch.pass(now);
        let told = watch.report(Report::Snapshot { snapshot: Box::new(snapshot), lag });
        (watch, told)
    }

    /// The game as the faces show it.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Lets time pass; what there is to tell is a clock that runs low.
    pub fn pass(&mut self, now: Moment) -> Vec<DeskNews> {
        self.hear(Message::Time(now))
    }

    /// Takes in what the server says of the game.
    pub fn heard(&mut self, news: GameNews, lag: Millis) -> Vec<DeskNews> {
        match news {
            GameNews::Snapshot(snapshot) => {
                self.report(Report::Snapshot { snapshot: Box::new(snapshot), lag })
            }
            GameNews::Update(update) => self.report(Report::Update { update: Box::new(update), lag }),
            GameNews::Answer(answer) => self.answered(answer),
            GameNews::Presence { color, presence } => self.report(Report::Presence { color, presence }),
            GameNews::Chat(lines) => self.report(Report::Chat(lines)),
            GameNews::Rematch(news) => self.report(Report::Rematch(news)),
            GameNews::Ended(end) => self.ended(&end),
            // The desk tells of the connection once, and says nothing at the boards.
            GameNews::ConnectionLost | GameNews::ConnectionBack | GameNews::Talked(_) => Vec::new(),
        }
    }

    /// Takes in what concerns every game of the server.
    pub fn report(&mut self, report: Report) -> Vec<DeskNews> {
        self.hear(Message::Report(report))
    }

    /// Notes that an order is under way.
    pub fn ordered(&mut self, intent: IntentId, input: String) {
        self.pending.insert(intent, input);
    }

    /// What the arbiter is told when an order of his is not carried out.
    pub fn refuse(&self, input: String, error: &IntentError) -> DeskNews {
        let refused = Refused { input, law: error.law(), text: error.to_string() };
        DeskNews::Refused { game: self.game(), refused }
    }

    /// The refusal of an order that can reach nobody any more: the result, if there is one, is the reason.
    pub fn too_late(&self) -> IntentError {
        let result = self.model.game.as_ref().and_then(|game| game.state.result);
        result.map_or(IntentError::Busy, |result| IntentError::Law(Refusal::GameOver(result)))
    }

    fn game(&self) -> Option<GameId> {
        self.model.game.as_ref().map(|game| game.id)
    }

    fn answered(&mut self, answer: Answer) -> Vec<DeskNews> {
        let (Some(input), Some(game)) = (self.pending.remove(&answer.intent), self.game()) else {
            return Vec::new();
        };
        match answer.outcome {
            Ok(_) => vec![DeskNews::Ruled { game, input }],
            Err(error) => vec![self.refuse(input, &error)],
        }
    }

    fn ended(&mut self, end: &LinkEnd) -> Vec<DeskNews> {
        let too_late = self.too_late();
        let mut inputs: Vec<(IntentId, String)> = self.pending.drain().collect();
        inputs.sort_unstable();
        let mut told: Vec<DeskNews> =
            inputs.into_iter().map(|(_, input)| self.refuse(input, &too_late)).collect();
        if let (Some(game), false) = (self.game(), *end == LinkEnd::Over) {
            told.push(DeskNews::Unwatched { game, text: end.to_string() });
        }
        told
    }

    fn hear(&mut self, message: Message) -> Vec<DeskNews> {
        let effects = update(&mut self.model, message);
        let Some(game) = self.game() else { return Vec::new() };
        let told = effects.into_iter().filter_map(|effect| match effect {
            Effect::Tell(news) => Some(DeskNews::Event { game, news }),
            // Nobody plays here: there is nothing to send, nobody to call, and no end with the game's.
            _ => None,
        });
        told.collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::message::News;
    use crate::model::tests::{START, snapshot_of, state_of, update_by, update_of};
    use chatrang_protocol::close::CloseCode;
    use chatrang_protocol::ids::Seq;
    use chatrang_protocol::lobby::{CallMatter, CallView, GameSummary};
    use chatrang_protocol::view::{EventView, Presence, Update};
    use chatrang_rules::color::{ByColor, Color};
    use chatrang_rules::game::{Action, Decision, Event, Order, Party};
    use chatrang_rules::outcome::{GameResult, Outcome, Termination};

    /// Game 7, alice against bob, just opened.
    pub(in crate::arbiter) fn watch() -> Watch {
        Watch::open(snapshot_of(START, None), Moment(0), Millis::ZERO).0
    }

    /// An arbiter's order in it.
    pub(in crate::arbiter) fn ruling(order: Order, result: Option<GameResult>) -> GameNews {
        let mut state = state_of(START);
        state.result = result;
        let decision = Decision { order, reason: "a telephone rang".parse().unwrap() };
        let update = update_by(&state, Color::White, Action::Ruled(decision));
        let event = update.event.open().cloned().unwrap();
        let event = EventView::Open(Event { by: Party::Arbiter, ..event });
        GameNews::Update(Update { event, ..update })
    }

    /// That game in the list.
    pub(in crate::arbiter) fn listed() -> DeskNews {
        DeskNews::Listed(GameSummary {
            game: GameId(7),
            players: ByColor { white: "alice".parse().unwrap(), black: "bob".parse().unwrap() },
            controls: "5+3".parse().unwrap(),
            ply: 3,
            result: None,
        })
    }

    /// A call of Black's in it.
    pub(in crate::arbiter) fn called(matter: CallMatter) -> DeskNews {
        let by = "bob".parse().unwrap();
        DeskNews::Called(CallView { game: GameId(7), by, color: Color::Black, matter })
    }

    fn refused(input: &str, law: &str, text: &str) -> DeskNews {
        let refused = Refused { input: input.to_owned(), law: law.to_owned(), text: text.to_owned() };
        DeskNews::Refused { game: Some(GameId(7)), refused }
    }

    fn answer(intent: u64, outcome: Result<Seq, IntentError>) -> GameNews {
        GameNews::Answer(Answer { intent: IntentId(intent), outcome })
    }

    /// A ruling that ends the game, and the end.
    fn scored() -> (GameNews, GameResult) {
        let outcome = Outcome::win(Color::White);
        let result = GameResult::win(Color::White, Termination::ArbiterRuling);
        (ruling(Order::Declare { outcome }, Some(result)), result)
    }

    #[test]
    fn what_happens_is_told_as_its_players_are_told() {
        let (mut watch, told) = Watch::open(snapshot_of(START, None), Moment(0), Millis::ZERO);
        assert_eq!(told, [DeskNews::Event { game: GameId(7), news: News::Game }]);
        let told = watch.heard(GameNews::Update(update_of(&state_of(START), "e4")), Millis::ZERO);
        assert!(matches!(&told[..], [DeskNews::Event { news: News::Moved { ply: 0, .. }, .. }]), "{told:?}");
        let away = Presence::Away { for_ms: 0 };
        let told = watch.heard(GameNews::Presence { color: Color::White, presence: away }, Millis::ZERO);
        assert!(matches!(&told[..], [DeskNews::Event { news: News::Away { .. }, .. }]), "{told:?}");
        // At 5+3 and without a move since, Black's clock runs low; he who watches is told of both.
        let told = watch.pass(Moment(281_000));
        let low = News::LowTime { color: Color::Black, seconds: 20 };
        assert_eq!(told, [DeskNews::Event { game: GameId(7), news: low }]);
    }

    #[test]
    fn l44_a_ruling_is_told_as_everybody_at_the_board_is_told() {
        let order = Order::AddTime { side: Color::White, span: Millis(120_000) };
        let told = watch().heard(ruling(order, None), Millis::ZERO);
        let sentence = "The arbiter gives White 2:00: a telephone rang (FIDE 12).";
        let [DeskNews::Event { news: News::Happened(happening), .. }] = &told[..] else { panic!("{told:?}") };
        assert_eq!(happening.text, sentence);
        let (ends, result) = scored();
        let told = watch().heard(ends, Millis::ZERO);
        assert_eq!(told.last(), Some(&DeskNews::Event { game: GameId(7), news: News::End(result) }));
    }

    #[test]
    fn what_comes_of_an_order_is_told_with_what_was_typed() {
        let mut watch = watch();
        for (intent, input) in [(1, "pause : x"), (2, "flag : x"), (3, "grant : x"), (4, "reject : x")] {
            watch.ordered(IntentId(intent), input.to_owned());
        }
        assert_eq!(
            watch.heard(answer(1, Ok(Seq(1))), Millis::ZERO),
            [DeskNews::Ruled { game: GameId(7), input: "pause : x".to_owned() }]
        );
        let not_down = IntentError::Law(Refusal::FlagNotDown);
        assert_eq!(
            watch.heard(answer(2, Err(not_down.clone())), Millis::ZERO),
            [refused("flag : x", "FIDE 6.8", "no flag is down")]
        );
        assert_eq!(watch.heard(answer(9, Err(not_down)), Millis::ZERO), [], "nobody's");

        let (ends, result) = scored();
        watch.heard(ends, Millis::ZERO);
        let over = format!("the game is over: {result}");
        assert_eq!(
            watch.heard(GameNews::Ended(LinkEnd::Over), Millis::ZERO),
            [refused("grant : x", "FIDE 5", &over), refused("reject : x", "FIDE 5", &over)]
        );
        assert_eq!(watch.heard(GameNews::Ended(LinkEnd::Over), Millis::ZERO), [], "each once");
    }

    #[test]
    fn a_game_that_cannot_be_heard_any_more_is_not_watched_any_more() {
        let end = LinkEnd::Closed(CloseCode::ServerStopping);
        let told = watch().heard(GameNews::Ended(end.clone()), Millis::ZERO);
        assert_eq!(told, [DeskNews::Unwatched { game: GameId(7), text: end.to_string() }]);
    }
}
