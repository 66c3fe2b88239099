//! A server that says what a test tells it to, over real QUIC on loopback.

use chatrang_protocol::chat::{ChatLine, ChatRoom, ChatText};
use chatrang_protocol::client_frame::ClientFrame;
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::codec::{self, Decode, Encode, List, Text};
use chatrang_protocol::hello::{Denial, Hello, HelloReply, Welcome};
use chatrang_protocol::ids::{AccountId, GameId, Handle, IntentId, Seq, TalkId};
use chatrang_protocol::intent::{Attach, IntentFrame};
use chatrang_protocol::invite::ServerAddress;
use chatrang_protocol::key::SecretKey;
use chatrang_protocol::limits;
use chatrang_protocol::net::endpoint::{EndpointKeys, server_config, server_endpoint, udp_socket};
use chatrang_protocol::net::stream::{FrameReceiver, FrameSender, encode_frame};
use chatrang_protocol::request::RequestFrame;
use chatrang_protocol::role::Role;
use chatrang_protocol::talk::TalkFrame;
use chatrang_protocol::view::{
    Answer, EventView, GameFrame, LegalMove, PlayedView, PlayerView, Presence, SanText, Snapshot, StateView,
    Update,
};
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Action, ClockReading, Event, GameInstant, Millis, Party, Terms};
use chatrang_rules::moves::Move;
use chatrang_rules::outcome::GameResult;
use std::net::{Ipv4Addr, SocketAddr};

pub(crate) const GAME: GameId = GameId(7);

const KEYS: EndpointKeys = EndpointKeys { reset_key: [1; 64], connection_id_key: 2, token_key: [3; 64] };

/// The server.
pub(crate) struct House {
    endpoint: quinn::Endpoint,
    pub(crate) key: SecretKey,
}

impl House {
    pub(crate) fn open() -> Self {
        let key = SecretKey::generate().unwrap();
        let socket = udp_socket((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        Self { endpoint: server_endpoint(socket, &key, &KEYS).unwrap(), key }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.endpoint.local_addr().unwrap()
    }

    /// The line to join with.
    pub(crate) fn line(&self) -> ServerAddress {
        format!("{}/{}", self.address(), self.key.public_key().fingerprint()).parse().unwrap()
    }

    /// Shows another key from now on.
    pub(crate) fn change_key(&mut self) {
        self.key = SecretKey::generate().unwrap();
        self.endpoint.set_server_config(Some(server_config(&self.key, &KEYS).unwrap()));
    }

    /// The next client, once its hello is there.
    pub(crate) async fn caller(&self) -> Caller {
        loop {
            let incoming = self.endpoint.accept().await.unwrap();
            // A client that only looked at the key, or that did not like it, is not the next one.
            let Ok(connection) = incoming.await else { continue };
            let Ok(stream) = connection.accept_bi().await else { continue };
            let mut control = Stream::of(stream);
            let hello = match control.take().await {
                ClientFrame::Hello(hello) => hello,
                other => panic!("no hello: {other:?}"),
            };
            return Caller { connection, control, hello };
        }
    }

    /// The next client, let in.
    pub(crate) async fn guest(&self) -> Guest {
        self.caller().await.welcome().await
    }

    /// A connection on which nobody has said anything.
    pub(crate) async fn silent_caller(&self) -> quinn::Connection {
        self.endpoint.accept().await.unwrap().await.unwrap()
    }
}

/// Both halves of a stream.
pub(crate) struct Stream {
    pub(crate) sender: FrameSender,
    receiver: FrameReceiver,
}

impl Stream {
    fn of((sender, receiver): (quinn::SendStream, quinn::RecvStream)) -> Self {
        Self {
            sender: FrameSender::new(sender),
            receiver: FrameReceiver::new(receiver, limits::CLIENT_FRAME_BYTES_MAX),
        }
    }

    pub(crate) async fn give<T: Encode>(&mut self, message: &T) {
        let frame = encode_frame(message, limits::SERVER_FRAME_BYTES_MAX).unwrap();
        self.sender.send(frame).await.unwrap();
    }

    pub(crate) async fn take<T: Decode<()>>(&mut self) -> T {
        codec::decode(&self.receiver.next().await.unwrap().unwrap()).unwrap()
    }

    /// Whether the client has finished its half.
    pub(crate) async fn is_finished(&mut self) -> bool {
        self.receiver.next().await == Ok(None)
    }
}

/// A client that has said hello and waits.
pub(crate) struct Caller {
    connection: quinn::Connection,
    control: Stream,
    pub(crate) hello: Hello,
}

impl Caller {
    pub(crate) async fn welcome(mut self) -> Guest {
        let welcome = Welcome {
            minor: 0,
            features: 0,
            agent: Text::cut("scripted"),
            account: AccountId(1),
            handle: handle("Shirin"),
            role: Role::Player,
        };
        self.control.give(&HelloReply::Welcome(welcome)).await;
        Guest { connection: self.connection, control: self.control }
    }

    pub(crate) async fn deny(mut self, denial: Denial) {
        self.control.give(&HelloReply::Denied(denial)).await;
        self.connection.closed().await;
    }

    /// Hangs up without an answer.
    pub(crate) fn drop_with(self, code: CloseCode) {
        self.connection.close(code.into(), b"");
    }
}

/// A client that is in.
pub(crate) struct Guest {
    pub(crate) connection: quinn::Connection,
    pub(crate) control: Stream,
}

impl Guest {
    pub(crate) async fn request(&mut self) -> RequestFrame {
        match self.control.take().await {
            ClientFrame::Request(request) => request,
            other => panic!("no request: {other:?}"),
        }
    }

    /// The next game's stream, once the attach is there.
    pub(crate) async fn table(&self) -> Table {
        let mut stream = Stream::of(self.connection.accept_bi().await.unwrap());
        let attach = match stream.take().await {
            ClientFrame::Attach(attach) => attach,
            other => panic!("no attach: {other:?}"),
        };
        Table { stream, attach }
    }

    /// Cuts the connection, as a server that stops does.
    pub(crate) fn cut(self) {
        self.connection.close(CloseCode::ServerStopping.into(), b"");
    }
}

/// One game's stream.
pub(crate) struct Table {
    pub(crate) stream: Stream,
    pub(crate) attach: Attach,
}

impl Table {
    pub(crate) async fn intent(&mut self) -> IntentFrame {
        match self.stream.take().await {
            ClientFrame::Intent(intent) => intent,
            other => panic!("no intent: {other:?}"),
        }
    }

    pub(crate) async fn talk(&mut self) -> TalkFrame {
        match self.stream.take().await {
            ClientFrame::Talk(talk) => talk,
            other => panic!("no talk: {other:?}"),
        }
    }

    pub(crate) async fn chat(&mut self, lines: Vec<ChatLine>) {
        self.stream.give(&GameFrame::Chat(List::cut(lines))).await;
    }

    pub(crate) async fn snapshot(&mut self, seq: u64) {
        self.stream.give(&GameFrame::Snapshot(snapshot(seq))).await;
    }

    pub(crate) async fn updates(&mut self, seqs: std::ops::RangeInclusive<u64>) {
        for seq in seqs {
            self.stream.give(&GameFrame::Update(update(seq))).await;
        }
    }

    pub(crate) async fn answer(&mut self, intent: IntentId, seq: u64) {
        self.stream.give(&GameFrame::Answer(Answer { intent, outcome: Ok(Seq(seq)) })).await;
    }
}

pub(crate) fn chat_line(from: &str, id: TalkId, text: &str) -> ChatLine {
    ChatLine { id, from: handle(from), room: ChatRoom::Players, text: ChatText::new(text).unwrap() }
}

pub(crate) fn handle(text: &str) -> Handle {
    Handle::new(text).unwrap()
}

/// A knight's move out on even plies and back on odd ones: legal on and on, for both sides in turn.
pub(crate) fn knight_move(ply: u32) -> Move {
    let (from, to) = [("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")][ply as usize % 4];
    Move::normal(from.parse().unwrap(), to.parse().unwrap())
}

/// A game in which event `seq` was move `seq`.
pub(crate) fn state(seq: u64) -> StateView {
    let ply = seq as u32;
    let turn = Color::ALL[ply as usize % 2];
    StateView {
        fen: Text::cut("a position"),
        ply,
        turn,
        in_check: false,
        legal: List::cut(vec![LegalMove { mv: knight_move(ply), san: SanText::cut("N") }]),
        touched: List::default(),
        clocks: clocks(),
        proposals: List::default(),
        claims: ByColor::default(),
        illegal_moves: ByColor::default(),
        repetitions: 1,
        halfmove_clock: ply,
        suspension: None,
        envelope: None,
        claim_waiting: None,
        absent_for: ByColor::default(),
        result: None,
    }
}

pub(crate) fn snapshot(seq: u64) -> Snapshot {
    let player =
        |account, name| PlayerView { account: AccountId(account), handle: handle(name), role: Role::Player };
    Snapshot {
        game: GAME,
        seq: Seq(seq),
        seat: Some(Color::White),
        players: ByColor { white: player(1, "Shirin"), black: player(2, "Khosrow") },
        presence: ByColor { white: Presence::Here, black: Presence::Here },
        terms: Terms::online("5+3".parse().unwrap()),
        played: List::default(),
        state: state(seq),
    }
}

pub(crate) fn update(seq: u64) -> Update {
    let ply = seq as u32 - 1;
    let action = Action::Moved {
        mv: knight_move(ply),
        charged: Millis::ZERO,
        credit: Millis::ZERO,
        house: Millis::ZERO,
        irregularity: None,
    };
    let by = Party::Player(Color::ALL[ply as usize % 2]);
    Update {
        seq: Seq(seq),
        intent: None,
        event: EventView::Open(Event { at: GameInstant(seq), by, action, clocks: clocks(), end: None }),
        played: Some(PlayedView {
            mv: knight_move(ply),
            san: SanText::cut("N"),
            left: Millis::from_seconds(300),
        }),
        state: state(seq),
    }
}

/// The same game, over.
pub(crate) fn over(mut snapshot: Snapshot, result: GameResult) -> Snapshot {
    snapshot.state.result = Some(result);
    snapshot.state.legal = List::default();
    snapshot
}

fn clocks() -> ClockReading {
    ClockReading::start(&"5+3".parse().unwrap()).stopped()
}
