//! Players who play move by move, and the record that all they saw must agree with.

use crate::house::House;
use crate::patience::soon;
use chatrang_protocol::client::Client;
use chatrang_protocol::client::game::{GameLink, GameNews};
use chatrang_protocol::ids::{GameId, Seq};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::lobby::{Proposal, Seat, Side};
use chatrang_protocol::view::{Snapshot, StateView};
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Game, Millis, Stamp};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::fen;
use chatrang_rules::outcome::GameResult;
use chatrang_server::game::entry::Entry;

/// Somebody at a game: a player, or a spectator.
#[derive(Debug)]
pub struct Player {
    /// His connection.
    pub client: Client,
    /// The game.
    pub link: GameLink,
}

/// Two players at their game.
#[derive(Debug)]
pub struct Table {
    /// The game.
    pub game: GameId,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
}

/// A proposal to play `time` (`5+3`).
pub fn proposal(time: &str, side: Side) -> Proposal {
    Proposal::casual(time.parse().unwrap(), side)
}

/// Seats two clients at a new game, the first as White.
pub async fn pair(white: &Client, black: &Client, proposal: Proposal) -> ByColor<Seat> {
    let mut waiting = white.clone();
    white.seek(Proposal { side: Side::White, ..proposal }).await.unwrap();
    let begun = soon("a game for White", waiting.find_seat());
    let black = black.seek(Proposal { side: Side::Black, ..proposal }).await.unwrap();
    let chatrang_protocol::client::Sought::Paired(black) = black else {
        panic!("nobody was there: {black:?}")
    };
    ByColor { white: begun.await, black }
}

/// Waits for the notice that a game has begun.
trait FindSeat {
    async fn find_seat(&mut self) -> Seat;
}

impl FindSeat for Client {
    async fn find_seat(&mut self) -> Seat {
        use chatrang_protocol::client::News;
        use chatrang_protocol::notice::Notice;
        loop {
            match self.next_news().await {
                Some(News::Notice(Notice::GameStarted(seat))) => return seat,
                Some(News::Closed(error)) => panic!("no game: {error}"),
                Some(_) => {}
                None => panic!("no game: the client has been closed"),
            }
        }
    }
}

impl House {
    /// Two new players at a game of `time`.
    pub async fn table(&self, time: &str) -> Table {
        let white = self.guest("Shirin").await;
        let black = self.guest("Khosrow").await;
        seat(white, black, proposal(time, Side::Random)).await
    }
}

/// Two clients at a new game, the first as White.
pub async fn seat(white: Client, black: Client, proposal: Proposal) -> Table {
    let game = pair(&white, &black, proposal).await.white.game;
    let white = Player::open(white, game).await;
    let black = Player::open(black, game).await;
    let mut table = Table { game, white, black };
    // Both at the board: nobody is away when the test begins.
    table
        .white
        .until("Black to be here", |view| view.presence.black == chatrang_protocol::view::Presence::Here)
        .await;
    table
}

impl Table {
    /// Whose turn it is, by White's board.
    pub fn turn(&self) -> Color {
        self.white.state().turn
    }

    /// The player of a side.
    pub fn player(&mut self, color: Color) -> &mut Player {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }

    /// The side to move plays, and both see it.
    pub async fn play(&mut self, san: &str) {
        let color = self.turn();
        let seq = self.player(color).play(san).await;
        self.player(!color).until_seq(seq).await;
    }

    /// Both play, in turn: `e4 e5 Nf3`.
    pub async fn play_all(&mut self, moves: &str) {
        for san in moves.split_whitespace() {
            self.play(san).await;
        }
    }

    /// How it ended, once both know; they agree with each other and with the record.
    pub async fn result(&mut self, house: &House) -> GameResult {
        let result = self.white.result().await;
        assert_eq!(self.black.result().await, result);
        let record = house.journal(self.game).await;
        agree(&record, &[&self.white, &self.black]);
        result
    }
}

impl Player {
    /// Opens a game.
    pub async fn open(client: Client, game: GameId) -> Self {
        let link = soon("the game to open", client.open_game(game)).await.unwrap();
        Self { client, link }
    }

    /// What he sees of the board and the clocks.
    pub fn state(&self) -> &StateView {
        self.link.state()
    }

    /// What both have left, as he last heard it.
    pub fn left(&self) -> ByColor<Millis> {
        self.state().clocks.left
    }

    /// The next news; they never end while this is asked.
    pub async fn next(&mut self) -> GameNews {
        match soon("news of the game", self.link.next()).await {
            Some(GameNews::Ended(end)) => panic!("the game is not to be heard any more: {end}"),
            Some(news) => news,
            None => panic!("the game's link has ended before"),
        }
    }

    /// Listens until the view is as wanted.
    pub async fn until(&mut self, what: &str, wanted: impl Fn(&Snapshot) -> bool) {
        let waiting = async {
            while !wanted(self.link.view()) {
                self.next().await;
            }
        };
        soon(what, waiting).await;
    }

    /// Listens until he has seen an event.
    pub async fn until_seq(&mut self, seq: Seq) {
        self.until("an event", |view| view.seq >= seq).await;
    }

    /// How the game ended.
    pub async fn result(&mut self) -> GameResult {
        self.until("the game's end", |view| view.state.result.is_some()).await;
        self.state().result.unwrap()
    }

    /// The legal move that is written so; check signs may be left out.
    pub fn legal(&self, san: &str) -> Move {
        let bare = |san: &str| san.trim_end_matches(['+', '#']).to_owned();
        let found = self.state().legal.iter().find(|legal| bare(legal.san.as_str()) == bare(san));
        found.unwrap_or_else(|| panic!("{san} is not legal in {}", self.state().fen.as_str())).mv
    }

    /// Makes a move; it is accepted.
    pub async fn play(&mut self, san: &str) -> Seq {
        let mv = self.legal(san);
        soon(san, self.link.play(mv)).await.unwrap().unwrap_or_else(|| panic!("{san} came after the end"))
    }

    /// Asks for something, and waits for what comes of it.
    ///
    /// # Errors
    /// Why it is refused.
    pub async fn ask(&mut self, intent: Intent) -> Result<Seq, IntentError> {
        let id = self.link.send(intent).unwrap();
        loop {
            if let GameNews::Answer(answer) = self.next().await
                && answer.intent == id
            {
                return answer.outcome;
            }
        }
    }

    /// Asks for something, which is done, and listens until he has seen it.
    pub async fn does(&mut self, intent: Intent) -> Seq {
        let seq = self.ask(intent).await.unwrap();
        self.until_seq(seq).await;
        seq
    }
}

/// The game that a record tells.
pub fn replay(record: &[Entry]) -> Game {
    Game::replay(record.iter().map(Entry::event)).expect("a record replays")
}

/// Asserts that everyone has seen what the record tells: the moves, the position, the result, and of
/// a game that is over the clocks.
pub fn agree(record: &[Entry], views: &[&Player]) {
    let game = replay(record);
    let last = record.last().unwrap().event();
    for player in views {
        let view = player.link.view();
        assert_eq!(view.seq.0 + 1, record.len() as u64);
        assert_eq!(view.state.fen.as_str(), fen::write(game.position()));
        assert_eq!(view.state.result, game.result());
        let seen = view.played.iter().map(|played| (played.mv, played.san.as_str(), played.left));
        assert!(seen.eq(game.played().iter().map(|played| (played.mv, played.san.as_str(), played.left))));
        if game.result().is_some() {
            assert_eq!(view.state.clocks, last.clocks);
            assert_eq!(view.state.clocks, game.clocks(Stamp::at(last.at)));
        }
    }
}
