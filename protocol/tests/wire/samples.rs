//! At least one value of every variant of everything that goes over the wire.
//!
//! [`every!`] makes it hard to forget one: it matches without a wildcard, so a variant that is added
//! to the protocol does not compile here until it has a sample.

use chatrang_protocol::chat::{ChatLine, ChatRoom, ChatText};
use chatrang_protocol::client_frame::ClientFrame;
use chatrang_protocol::codec::{self, Decode, Encode, List, Text};
use chatrang_protocol::hello::{Denial, Hello, HelloReply, Welcome};
use chatrang_protocol::ids::{AccountId, GameId, Handle, IntentId, RequestId, SeekId, Seq, TalkId};
use chatrang_protocol::intent::{Attach, Intent, IntentError, IntentFrame};
use chatrang_protocol::invite::InviteCode;
use chatrang_protocol::limits::{CLIENT_FRAME_BYTES_MAX, SERVER_FRAME_BYTES_MAX};
use chatrang_protocol::lobby::{
    CallMatter, CallView, GameSummary, InvitationView, Proposal, Seat, SeekView, Side,
};
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::{ControlFrame, Reply, RequestError};
use chatrang_protocol::request::{Request, RequestFrame};
use chatrang_protocol::role::Role;
use chatrang_protocol::talk::{RematchNews, Talk, TalkAnswer, TalkError, TalkFrame};
use chatrang_protocol::view::{
    Answer, AttachError, ClaimView, EnvelopeContent, EnvelopeView, EventView, GameFrame, LegalMove,
    PlayedView, PlayerView, Presence, ProposalView, SanText, Snapshot, StateView, Update,
};
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{
    self, AbsenceClaim, Action, ClockReading, Controls, Event, GameInstant, Matter, Millis, Order, Party,
    PeriodPlace, QuickplayClaim, Refusal, Terms,
};
use chatrang_rules::moves::Move;
use chatrang_rules::outcome::{GameResult, Outcome, Score, Termination};
use chatrang_rules::piece;
use chatrang_rules::square::Square;
use std::fmt::Debug;

/// One type of message, and samples of it.
pub(crate) struct Message {
    pub(crate) name: &'static str,
    /// The longest that its sender may send.
    pub(crate) bytes_max: usize,
    pub(crate) samples: Vec<Sample>,
    /// Decodes and, if that goes well, encodes again.
    pub(crate) read: fn(&[u8]) -> Option<Vec<u8>>,
}

/// One message.
pub(crate) struct Sample {
    /// As Rust shows it.
    pub(crate) shown: String,
    pub(crate) bytes: Vec<u8>,
}

/// All types of messages.
pub(crate) fn messages() -> Vec<Message> {
    vec![
        message("client_frame", CLIENT_FRAME_BYTES_MAX, client_frames()),
        message("hello_reply", SERVER_FRAME_BYTES_MAX, hello_replies()),
        message("control_frame", SERVER_FRAME_BYTES_MAX, control_frames()),
        message("game_frame", SERVER_FRAME_BYTES_MAX, game_frames()),
    ]
}

fn message<T>(name: &'static str, bytes_max: usize, values: Vec<T>) -> Message
where
    T: Encode + Decode<()> + Debug + PartialEq,
{
    let sample = |value: T| {
        let bytes = codec::encode(&value, bytes_max).unwrap();
        assert_eq!(codec::decode::<T>(&bytes).as_ref(), Ok(&value));
        Sample { shown: format!("{value:?}"), bytes }
    };
    Message { name, bytes_max, samples: values.into_iter().map(sample).collect(), read: read::<T> }
}

fn read<T: Encode + Decode<()>>(bytes: &[u8]) -> Option<Vec<u8>> {
    let message: T = codec::decode(bytes).ok()?;
    Some(codec::encode(&message, usize::MAX).unwrap())
}

fn client_frames() -> Vec<ClientFrame> {
    let hellos = hellos().into_iter().map(ClientFrame::from);
    let requests = request_frames().into_iter().map(ClientFrame::from);
    let attaches = attaches().into_iter().map(ClientFrame::from);
    let intents = intent_frames().into_iter().map(ClientFrame::from);
    let talks = talks().into_iter().map(|talk| ClientFrame::from(TalkFrame { id: talk_id(), talk }));
    hellos.chain(requests).chain(attaches).chain(intents).chain(talks).collect()
}

/// A function that returns a sample for each variant, given as `pattern => sample`.
macro_rules! every {
    ($($function:ident -> $type:ty { $($pattern:pat => $sample:expr),+ $(,)? })+) => { $(
        pub(crate) fn $function() -> Vec<$type> {
            let every = vec![$($sample),+];
            for value in &every {
                // Without a wildcard: what is not listed does not compile.
                match value { $($pattern => {}),+ }
            }
            let mut listed = every.iter();
            $(assert!(listed.next().is_some_and(|value| matches!(value, $pattern)), "{}", stringify!($pattern));)+
            every
        }
    )+ };
}

mod laws;

use laws::{
    absence_claims, actions, all_illegal_moves, claims, conducts, decision, details, matters, orders,
    parties, proposals, quickplay_claims, reason, refusals, scores, special_actions, stakes, suspensions,
    terminations,
};

every! {
    denials -> Denial {
        Denial::ClientTooOld { .. } => Denial::ClientTooOld { server_minor_min: 300 },
        Denial::ServerTooOld { .. } => Denial::ServerTooOld { server_minor: 2 },
        Denial::InviteNeeded => Denial::InviteNeeded,
        Denial::InviteUnknown => Denial::InviteUnknown,
        Denial::InviteExpired => Denial::InviteExpired,
        Denial::InviteUsedUp => Denial::InviteUsedUp,
        Denial::HandleNeeded => Denial::HandleNeeded,
        Denial::HandleTaken { .. } => Denial::HandleTaken { suggestions: List::cut(vec![handle("Shirin2")]) },
        Denial::RegistrationClosed => Denial::RegistrationClosed,
        Denial::ServerFull => Denial::ServerFull,
        Denial::TooManyConnections => Denial::TooManyConnections,
        Denial::ServerStopping => Denial::ServerStopping,
        Denial::StoreUnavailable => Denial::StoreUnavailable,
        Denial::HandleResembles { .. } => Denial::HandleResembles {
            taken: handle("Shirin"),
            suggestions: List::cut(vec![handle("Sh1rin2")]),
        },
        Denial::HandleReserved => Denial::HandleReserved,
        Denial::TooManyNewcomers { .. } => Denial::TooManyNewcomers { retry_seconds: 300 },
    }

    sides -> Side {
        Side::White => Side::White,
        Side::Black => Side::Black,
        Side::Random => Side::Random,
    }

    requests -> Request {
        Request::Seek(_) => Request::Seek(proposal(Side::Random)),
        Request::CancelSeek(_) => Request::CancelSeek(SeekId(4)),
        Request::TakeSeek(_) => Request::TakeSeek(SeekId(5)),
        Request::ListSeeks => Request::ListSeeks,
        Request::Invite(_) => Request::Invite(proposal(Side::White)),
        Request::TakeInvite(_) => Request::TakeInvite(code()),
        Request::ListGames => Request::ListGames,
        Request::ListSeats => Request::ListSeats,
        Request::Block(_) => Request::Block(handle("Ahriman")),
        Request::Unblock(_) => Request::Unblock(handle("Ahriman")),
        Request::ListBlocks => Request::ListBlocks,
        Request::SetRole { .. } => Request::SetRole { handle: handle("Shirin"), role: Role::Arbiter },
        Request::PeekInvite(_) => Request::PeekInvite(code()),
        Request::ListCalls => Request::ListCalls,
    }

    replies -> Reply {
        Reply::Done => Reply::Done,
        Reply::Seeking(_) => Reply::Seeking(SeekId(4)),
        Reply::Paired(_) => Reply::Paired(seat(Color::White)),
        Reply::Seeks(_) => Reply::Seeks(List::cut(seeks())),
        Reply::Invited(_) => Reply::Invited(code()),
        Reply::Games(_) => Reply::Games(List::cut(games())),
        Reply::Seats(_) => Reply::Seats(List::cut(vec![seat(Color::White), seat(Color::Black)])),
        Reply::Blocks(_) => Reply::Blocks(List::cut(vec![handle("Ahriman"), handle("Zahhak")])),
        Reply::Invitation(_) => Reply::Invitation(InvitationView {
            by: handle("Khosrow"), proposal: proposal(Side::White),
        }),
        Reply::Calls(_) => Reply::Calls(List::cut(call_matters().into_iter().map(call).collect())),
    }

    request_errors -> RequestError {
        RequestError::Unsupported => RequestError::Unsupported,
        RequestError::TooManySeeks => RequestError::TooManySeeks,
        RequestError::TooManyGames => RequestError::TooManyGames,
        RequestError::NoSuchSeek => RequestError::NoSuchSeek,
        RequestError::NoSuchInvite => RequestError::NoSuchInvite,
        RequestError::InviteExpired => RequestError::InviteExpired,
        RequestError::InviteUsedUp => RequestError::InviteUsedUp,
        RequestError::InviteWithoutGame => RequestError::InviteWithoutGame,
        RequestError::Yourself => RequestError::Yourself,
        RequestError::OpponentAway => RequestError::OpponentAway,
        RequestError::ServerStopping => RequestError::ServerStopping,
        RequestError::StoreUnavailable => RequestError::StoreUnavailable,
        RequestError::NoSuchPlayer => RequestError::NoSuchPlayer,
        RequestError::BlocksYourself => RequestError::BlocksYourself,
        RequestError::TooManyBlocks => RequestError::TooManyBlocks,
        RequestError::Blocked => RequestError::Blocked,
        RequestError::NotOwner => RequestError::NotOwner,
        RequestError::LastOwner => RequestError::LastOwner,
        RequestError::NoSuchTerms => RequestError::NoSuchTerms,
        RequestError::NotArbiter => RequestError::NotArbiter,
    }

    notices -> Notice {
        Notice::GameStarted(_) => Notice::GameStarted(seat(Color::Black)),
        Notice::ServerStopping { .. } => Notice::ServerStopping { retry_seconds: 70_000 },
        Notice::StoreFull => Notice::StoreFull,
        Notice::StoreRecovered => Notice::StoreRecovered,
        Notice::Call(_) => Notice::Call(call(CallMatter::Call(reason()))),
    }

    intents -> Intent {
        Intent::Move { .. } => Intent::Move { ply: 0, mv: mv("e2", "e4") },
        Intent::Touch { .. } => Intent::Touch { ply: 4, square: square("g1") },
        Intent::Adjust { .. } => Intent::Adjust { ply: 4, square: square("g1") },
        Intent::Propose(_) => Intent::Propose(game::Proposal::Draw),
        Intent::Accept(_) => Intent::Accept(Matter::Draw),
        Intent::Decline(_) => Intent::Decline(Matter::Draw),
        Intent::ClaimDraw { .. } => Intent::ClaimDraw { ply: 99, intended: Some(mv("g1", "f3")) },
        Intent::ClaimFlag => Intent::ClaimFlag,
        Intent::ClaimIllegalMove { .. } => Intent::ClaimIllegalMove { ply: 5 },
        Intent::ClaimAbsence(_) => Intent::ClaimAbsence(AbsenceClaim::Win),
        Intent::AskIncrement { .. } => Intent::AskIncrement { ply: 80 },
        Intent::ClaimNoWinning { .. } => Intent::ClaimNoWinning { ply: 80 },
        Intent::Seal { .. } => Intent::Seal { ply: 40, mv: mv("g1", "f3") },
        Intent::CloseEnvelope => Intent::CloseEnvelope,
        Intent::Resume => Intent::Resume,
        Intent::CallArbiter(_) => Intent::CallArbiter(reason()),
        Intent::Resign => Intent::Resign,
        Intent::Abort => Intent::Abort,
        Intent::Rule(_) => Intent::Rule(decision(Order::Pause)),
    }

    call_matters -> CallMatter {
        CallMatter::Call(_) => CallMatter::Call(reason()),
        CallMatter::Claim(_) => CallMatter::Claim(QuickplayClaim::NoWinning),
    }

    envelope_contents -> EnvelopeContent {
        EnvelopeContent::Empty => EnvelopeContent::Empty,
        EnvelopeContent::Move => EnvelopeContent::Move,
    }

    event_views -> EventView {
        EventView::Open(_) => EventView::Open(event(Action::EnvelopeClosed)),
        EventView::Sealed { .. } => EventView::Sealed { by: Color::Black },
    }

    intent_errors -> IntentError {
        IntentError::Law(_) => IntentError::Law(Refusal::NotYours),
        IntentError::WrongPly { .. } => IntentError::WrongPly { meant: 3, ply: 4 },
        IntentError::NotSeated => IntentError::NotSeated,
        IntentError::Busy => IntentError::Busy,
        IntentError::StoreFull => IntentError::StoreFull,
        IntentError::ServerStopping => IntentError::ServerStopping,
        IntentError::Unsupported => IntentError::Unsupported,
    }

    presences -> Presence {
        Presence::Here => Presence::Here,
        Presence::Away { .. } => Presence::Away { for_ms: 5_000_000_000 },
    }

    attach_errors -> AttachError {
        AttachError::NoSuchGame => AttachError::NoSuchGame,
        AttachError::TooManyListeners => AttachError::TooManyListeners,
        AttachError::StoreUnavailable => AttachError::StoreUnavailable,
        AttachError::SetAside => AttachError::SetAside,
    }

    roles -> Role {
        Role::Owner => Role::Owner,
        Role::Arbiter => Role::Arbiter,
        Role::Player => Role::Player,
        Role::Bot => Role::Bot,
    }

    talks -> Talk {
        Talk::Say(_) => Talk::Say(said()),
        Talk::AskRematch => Talk::AskRematch,
    }

    talk_errors -> TalkError {
        TalkError::TooFast => TalkError::TooFast,
        TalkError::NobodyThere => TalkError::NobodyThere,
        TalkError::NotSeated => TalkError::NotSeated,
        TalkError::NotOver => TalkError::NotOver,
        TalkError::OpponentGone => TalkError::OpponentGone,
        TalkError::NoGame(_) => TalkError::NoGame(RequestError::Blocked),
        TalkError::Busy => TalkError::Busy,
        TalkError::Unsupported => TalkError::Unsupported,
    }

    rooms -> ChatRoom {
        ChatRoom::Players => ChatRoom::Players,
        ChatRoom::Spectators => ChatRoom::Spectators,
    }

    rematches -> RematchNews {
        RematchNews::Asked { .. } => RematchNews::Asked { by: Color::Black },
        RematchNews::Withdrawn => RematchNews::Withdrawn,
        RematchNews::Begun { .. } => RematchNews::Begun { game: GameId(8) },
    }

    bare_hello_replies -> HelloReply {
        HelloReply::Welcome(_) => HelloReply::Welcome(welcome(Role::Player)),
        HelloReply::Denied(_) => HelloReply::Denied(Denial::InviteNeeded),
    }

    bare_control_frames -> ControlFrame {
        ControlFrame::Reply { .. } => ControlFrame::Reply { id: RequestId(1), reply: Ok(Reply::Done) },
        ControlFrame::Notice(_) => ControlFrame::Notice(Notice::StoreFull),
    }

    bare_game_frames -> GameFrame {
        GameFrame::Snapshot(_) => GameFrame::Snapshot(snapshot()),
        GameFrame::Update(_) => GameFrame::Update(update(event(Action::FlagClaimed))),
        GameFrame::Answer(_) => GameFrame::Answer(Answer { intent: intent_id(), outcome: Ok(Seq(11)) }),
        GameFrame::Presence { .. } => GameFrame::Presence { color: Color::White, presence: Presence::Here },
        GameFrame::Refused(_) => GameFrame::Refused(AttachError::NoSuchGame),
        GameFrame::Chat(_) => GameFrame::Chat(List::cut(chat())),
        GameFrame::Talked(_) => GameFrame::Talked(TalkAnswer { id: talk_id(), outcome: Ok(()) }),
        GameFrame::Rematch(_) => GameFrame::Rematch(RematchNews::Withdrawn),
    }
}

fn hellos() -> Vec<Hello> {
    let bare = Hello {
        minor: 1,
        minor_min: 0,
        features: 0,
        agent: Text::cut("random_bot 1.0"),
        handle: None,
        invite: None,
    };
    let full =
        Hello { features: u64::MAX, handle: Some(handle("Shirin")), invite: Some(code()), ..bare.clone() };
    vec![bare, full]
}

fn hello_replies() -> Vec<HelloReply> {
    let welcomes = roles().into_iter().map(|role| HelloReply::Welcome(welcome(role)));
    bare_hello_replies()
        .into_iter()
        .chain(welcomes)
        .chain(denials().into_iter().map(HelloReply::Denied))
        .collect()
}

fn request_frames() -> Vec<RequestFrame> {
    let seeks = sides().into_iter().map(|side| Request::Seek(proposal(side)));
    let by_rules = conducts().map(|conduct| Proposal { conduct: Some(conduct), ..proposal(Side::Random) });
    let at_stake =
        stakes().into_iter().map(|stakes| Proposal { stakes, agreement_from: 30, ..proposal(Side::Random) });
    let wishes = by_rules.chain(at_stake).map(Request::Seek);
    (1..)
        .zip(requests().into_iter().chain(seeks).chain(wishes))
        .map(|(id, request)| RequestFrame { id: RequestId(id), request })
        .collect()
}

fn control_frames() -> Vec<ControlFrame> {
    let good = replies().into_iter().map(Ok);
    let bad = request_errors().into_iter().map(Err);
    let answered =
        (250..).zip(good.chain(bad)).map(|(id, reply)| ControlFrame::Reply { id: RequestId(id), reply });
    bare_control_frames()
        .into_iter()
        .chain(answered)
        .chain(notices().into_iter().map(ControlFrame::Notice))
        .collect()
}

fn attaches() -> Vec<Attach> {
    [None, Some(Seq(0)), Some(Seq(300))].map(|seen| Attach { game: GameId(7), seen }).into()
}

fn intent_frames() -> Vec<IntentFrame> {
    let moves = [
        Move::en_passant(square("e5"), square("d6")),
        Move::castle(square("e1"), square("h1")),
        Move::promotion(square("a7"), square("a8"), piece::Role::Queen).unwrap(),
    ];
    let moves = moves.into_iter().map(|mv| Intent::Move { ply: 70_000, mv });
    let bare_claim = Intent::ClaimDraw { ply: 99, intended: None };
    intents()
        .into_iter()
        .chain(moves)
        .chain([bare_claim])
        .chain(proposals().into_iter().map(Intent::Propose))
        .chain(matters().into_iter().flat_map(|matter| [Intent::Accept(matter), Intent::Decline(matter)]))
        .chain(absence_claims().into_iter().map(Intent::ClaimAbsence))
        .chain(orders().into_iter().map(|order| Intent::Rule(decision(order))))
        .map(|intent| IntentFrame { id: intent_id(), seen: Seq(10), intent })
        .collect()
}

fn game_frames() -> Vec<GameFrame> {
    let events = actions()
        .into_iter()
        .chain(special_actions())
        .map(event)
        .chain(ends())
        .chain(parties().into_iter().map(|by| Event { by, ..event(Action::Continued) }))
        .map(|event| GameFrame::Update(update(event)));
    let views =
        event_views().into_iter().map(|view| Update { event: view, ..update(event(Action::Continued)) });
    let states = states().map(|state| Update { state, ..update(event(Action::Continued)) });
    let answers = intent_errors()
        .into_iter()
        .chain(refusals().into_iter().map(IntentError::Law))
        .chain(all_illegal_moves().map(|why| IntentError::Law(Refusal::IllegalMove(why))))
        .map(|error| GameFrame::Answer(Answer { intent: intent_id(), outcome: Err(error) }));
    let presences =
        presences().into_iter().map(|presence| GameFrame::Presence { color: Color::Black, presence });
    bare_game_frames()
        .into_iter()
        .chain(events)
        .chain(views.chain(states).map(GameFrame::Update))
        .chain(answers)
        .chain(presences)
        .chain(attach_errors().into_iter().map(GameFrame::Refused))
        .chain(talk_errors().into_iter().map(not_said))
        .chain(rematches().into_iter().map(GameFrame::Rematch))
        .collect()
}

fn not_said(error: TalkError) -> GameFrame {
    GameFrame::Talked(TalkAnswer { id: talk_id(), outcome: Err(error) })
}

/// A line of each room.
fn chat() -> Vec<ChatLine> {
    rooms()
        .into_iter()
        .map(|room| ChatLine { id: talk_id(), from: handle("Khosrow"), room, text: said() })
        .collect()
}

/// Whatever may stand between the players.
fn states() -> impl Iterator<Item = StateView> {
    let suspended = suspensions().into_iter().map(|why| StateView { suspension: Some(why), ..state() });
    let enveloped = envelope_contents().into_iter().map(|content| StateView {
        envelope: Some(EnvelopeView { sealer: Color::Black, content }),
        ..state()
    });
    let claimed = quickplay_claims()
        .into_iter()
        .map(|claim| StateView { claim_waiting: Some(ClaimView { by: Color::White, claim }), ..state() });
    suspended.chain(enveloped).chain(claimed)
}

/// Every way to end, every detail of it and every pair of scores.
fn ends() -> impl Iterator<Item = Event> {
    let plain = terminations().into_iter().map(GameResult::draw);
    let detailed =
        details().into_iter().map(|detail| GameResult { detail, ..GameResult::draw(Termination::FlagFall) });
    let scored = scores().into_iter().map(|white| GameResult {
        outcome: Some(Outcome(ByColor { white, black: Score::Zero })),
        ..GameResult::draw(Termination::Resignation)
    });
    let without = GameResult::none(Termination::Aborted);
    plain
        .chain(detailed)
        .chain(scored)
        .chain([without])
        .map(|end| Event { end: Some(end), ..event(Action::Aborted) })
}

fn welcome(role: Role) -> Welcome {
    Welcome {
        minor: 1,
        features: 6,
        agent: Text::cut("chatrangd 0.1.0"),
        account: AccountId(300),
        handle: handle("Shirin"),
        role,
    }
}

fn seeks() -> Vec<SeekView> {
    sides()
        .into_iter()
        .map(|side| SeekView { seek: SeekId(4), by: handle("Khosrow"), proposal: proposal(side) })
        .collect()
}

fn games() -> Vec<GameSummary> {
    [None, Some(GameResult::win(Color::White, Termination::Checkmate))]
        .map(|result| GameSummary {
            game: GameId(7),
            players: players(),
            controls: controls(),
            ply: 57,
            result,
        })
        .into()
}

fn snapshot() -> Snapshot {
    let player = |account, handle| PlayerView { account: AccountId(account), handle, role: Role::Player };
    let ByColor { white, black } = players();
    Snapshot {
        game: GameId(7),
        seq: Seq(10),
        seat: Some(Color::White),
        players: ByColor { white: player(1, white), black: player(300, black) },
        presence: ByColor { white: Presence::Here, black: Presence::Away { for_ms: 1_500 } },
        terms: terms(),
        played: List::cut(vec![PlayedView {
            mv: mv("e2", "e4"),
            san: SanText::cut("e4"),
            left: Millis(299_000),
        }]),
        state: StateView {
            touched: List::cut(vec![square("g8"), square("b8")]),
            proposals: List::cut(
                proposals().into_iter().map(|proposal| ProposalView { by: Color::Black, proposal }).collect(),
            ),
            claims: ByColor { white: List::default(), black: List::cut(claims()) },
            illegal_moves: ByColor { white: 0, black: 1 },
            absent_for: ByColor { white: None, black: Some(Millis(1_500)) },
            result: Some(GameResult::draw(Termination::Agreement)),
            ..state()
        },
    }
}

fn update(event: Event) -> Update {
    Update {
        seq: Seq(11),
        intent: Some(intent_id()),
        played: matches!(event.action, Action::Moved { .. }).then(|| PlayedView {
            mv: mv("e7", "e5"),
            san: SanText::cut("e5"),
            left: Millis(299_000),
        }),
        event: EventView::Open(event),
        state: state(),
    }
}

fn event(action: Action) -> Event {
    Event { at: GameInstant(70_000), by: Party::Player(Color::White), action, clocks: clocks(), end: None }
}

fn state() -> StateView {
    StateView {
        fen: Text::cut("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        ply: 1,
        turn: Color::Black,
        in_check: false,
        legal: List::cut(vec![LegalMove { mv: mv("e7", "e5"), san: SanText::cut("e5") }]),
        touched: List::default(),
        clocks: clocks(),
        proposals: List::default(),
        claims: ByColor::default(),
        illegal_moves: ByColor::default(),
        repetitions: 1,
        halfmove_clock: 0,
        suspension: None,
        envelope: None,
        claim_waiting: None,
        absent_for: ByColor::default(),
        result: None,
    }
}

fn clocks() -> ClockReading {
    ClockReading {
        left: ByColor { white: Millis(299_000), black: Millis(300_000) },
        running: Some(Color::Black),
        bank: ByColor { white: Millis(2_500), black: Millis(3_000) },
        period: ByColor { white: PeriodPlace { index: 1, moves_before: 40 }, black: PeriodPlace::default() },
        thought: Millis(1_000),
        overrun: ByColor { white: Millis::ZERO, black: Millis(3) },
    }
}

fn terms() -> Terms {
    Terms::online(controls())
}

fn controls() -> Controls {
    "5+3".parse().unwrap()
}

fn proposal(side: Side) -> Proposal {
    Proposal::casual(controls(), side)
}

fn call(matter: CallMatter) -> CallView {
    CallView { game: GameId(7), by: handle("Shirin"), color: Color::White, matter }
}

fn seat(color: Color) -> Seat {
    Seat { game: GameId(7), color, opponent: handle("Khosrow") }
}

fn players() -> ByColor<Handle> {
    ByColor { white: handle("Shirin"), black: handle("Khosrow") }
}

fn handle(text: &str) -> Handle {
    Handle::new(text).unwrap()
}

fn code() -> InviteCode {
    InviteCode::from_random([1, 2, 3, 254, 255])
}

fn talk_id() -> TalkId {
    TalkId(0x0fed_cba9_8765_4321)
}

fn said() -> ChatText {
    ChatText::new("خسته نباشید").unwrap()
}

fn intent_id() -> IntentId {
    IntentId(0x0123_4567_89ab_cdef)
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

fn mv(from: &str, to: &str) -> Move {
    Move::normal(square(from), square(to))
}
