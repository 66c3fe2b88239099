//! A table at which a scripted game is played: whatever happens at it is checked against its own record.

use chatrang_rules::color::Color;
use chatrang_rules::game::{
    Arbiter, Command, Decision, Event, Game, Order, Party, Profile, Refusal, Stamp, Terms,
};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::{fen, san};

/// A game in play, its record, and what time it is.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) game: Game,
    pub(crate) record: Vec<Event>,
    pub(crate) now_ms: u64,
}

impl Table {
    /// A game by a profile that has just begun, with an arbiter named: `Table::of(Profile::Online, "5+3")`.
    pub(crate) fn of(profile: Profile, time_control: &str) -> Self {
        let terms = Terms::of(profile, time_control.parse().expect("a time control"));
        Self::on(Terms { arbiter: Arbiter::Named, ..terms })
    }

    /// A game that has just begun on these terms.
    pub(crate) fn on(terms: Terms) -> Self {
        Self { game: Game::new(terms), record: vec![Game::first_event(terms)], now_ms: 0 }
    }

    /// Lets time pass.
    pub(crate) fn wait_ms(&mut self, ms: u64) -> &mut Self {
        self.now_ms += ms;
        self
    }

    /// Both sides play these moves, in SAN, each `each_ms` after what was before it.
    pub(crate) fn play(&mut self, each_ms: u64, moves: &str) -> &mut Self {
        for text in moves.split_whitespace() {
            let by = self.game.position().turn();
            let mv = Command::Move(self.san(text));
            self.wait_ms(each_ms).says(by, mv).unwrap_or_else(|why| panic!("{text}: {why}"));
        }
        self
    }

    /// A player says or does something now.
    pub(crate) fn says(&mut self, by: Color, command: Command) -> Result<(), Refusal> {
        self.apply(Party::Player(by), command)
    }

    /// The arbiter rules now.
    pub(crate) fn rules(&mut self, order: Order) -> Result<(), Refusal> {
        let reason = "as the arbiter saw it".parse().expect("a reason");
        self.apply(Party::Arbiter, Command::Rule(Decision { order, reason }))
    }

    /// The house does something now.
    pub(crate) fn house(&mut self, command: Command) -> Result<(), Refusal> {
        self.apply(Party::House, command)
    }

    /// Somebody looks whether time has run out; whether it had.
    pub(crate) fn tick(&mut self) -> bool {
        let event = self.game.tick(Stamp::at_ms(self.now_ms));
        let has_run_out = event.is_some();
        self.record.extend(event);
        self.check_record();
        has_run_out
    }

    fn apply(&mut self, by: Party, command: Command) -> Result<(), Refusal> {
        let before = self.game.clone();
        let ruling = self.game.apply(by, command, Stamp::at_ms(self.now_ms));
        if ruling.events.is_empty() {
            assert_eq!(self.game, before, "what is refused changes nothing");
        }
        self.record.extend(ruling.events);
        self.check_record();
        ruling.answer
    }

    fn check_record(&self) {
        assert_eq!(Game::replay(&self.record), Ok(self.game.clone()), "the record replays to the game");
    }

    /// The move that this SAN means on the board.
    pub(crate) fn san(&self, text: &str) -> Move {
        san::parse(self.game.position(), text).unwrap_or_else(|why| panic!("{text}: {why}"))
    }

    /// Asserts that the game goes on: the men on the board as a FEN has them, and what White and Black
    /// have left.
    pub(crate) fn assert_stands(&self, board: &str, left_ms: [u64; 2]) {
        assert_eq!(fen::write(self.game.position()), board);
        assert_eq!(self.left_ms(), left_ms);
        assert_eq!(self.game.result(), None);
    }

    /// Asserts that the game is over: the board, the clocks, which have stopped, the scores as a PGN has
    /// them, and the sentence that says why.
    pub(crate) fn assert_ended(&self, board: &str, left_ms: [u64; 2], score: &str, sentence: &str) {
        let result = self.game.result().expect("the game is over");
        assert_eq!(fen::write(self.game.position()), board);
        assert_eq!(self.left_ms(), left_ms);
        assert_eq!((result.score_text().as_str(), result.to_string().as_str()), (score, sentence));
        assert_eq!(self.game.clocks(Stamp::at_ms(self.now_ms)).running, None);
        assert_eq!(self.game.deadline(), None);
        assert!(self.game.moves().is_empty(), "nobody moves any more");
        for by in Color::ALL {
            let mut over = self.clone();
            assert_eq!(over.says(by, Command::Resign), Err(Refusal::GameOver(result)));
        }
    }

    /// What White and Black have left.
    pub(crate) fn left_ms(&self) -> [u64; 2] {
        let left = self.game.clocks(Stamp::at_ms(self.now_ms)).left;
        [left.white.0, left.black.0]
    }
}

/// What a hand does, legal or not: it carries a man from one square to another, `e2e5`.
pub(crate) fn carry(text: &str) -> Move {
    let square = |text: &str| text.parse().expect("a square");
    Move::normal(square(&text[..2]), square(&text[2..]))
}
