//! The way out of bincode: another codec writes the same bytes and reads them again.
//!
//! Three messages are mirrored, with all that the others are made of: numbers of each width, texts,
//! lists, options, results, enums with and without fields.

use chatrang_protocol::codec::{self, List, Text};
use chatrang_protocol::hello::Hello;
use chatrang_protocol::ids::{Handle, IntentId, RequestId, Seq};
use chatrang_protocol::intent::{Intent, IntentFrame};
use chatrang_protocol::invite::InviteCode;
use chatrang_protocol::lobby::Seat;
use chatrang_protocol::reply::{ControlFrame, Reply, RequestError};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Matter, Proposal};
use chatrang_rules::moves::Move;
use wincode::config::{self, Configuration};
use wincode::{SchemaRead, SchemaWrite};

#[derive(Debug, PartialEq, SchemaRead, SchemaWrite)]
struct HelloMirror {
    minor: u16,
    minor_min: u16,
    features: u64,
    agent: String,
    handle: Option<String>,
    invite: Option<[u8; 5]>,
}

#[derive(Debug, PartialEq, SchemaRead, SchemaWrite)]
struct IntentFrameMirror {
    id: u64,
    seen: u64,
    intent: IntentMirror,
}

#[derive(Debug, PartialEq, SchemaRead, SchemaWrite)]
enum IntentMirror {
    Move { ply: u32, mv: u16 },
    Touch { ply: u32, square: u8 },
    Adjust { ply: u32, square: u8 },
    Propose(RulesProposalMirror),
    Accept(MatterMirror),
    Decline(MatterMirror),
    ClaimDraw { ply: u32, intended: Option<u16> },
    ClaimFlag,
}

#[derive(Debug, PartialEq, SchemaRead, SchemaWrite)]
enum RulesProposalMirror {
    Draw,
    Takeback { plies: u8 },
}

#[derive(Debug, PartialEq, SchemaRead, SchemaWrite)]
enum MatterMirror {
    Draw,
    Takeback,
    Pause,
    Adjournment,
}

#[derive(Debug, PartialEq, SchemaRead, SchemaWrite)]
enum ControlFrameMirror {
    Reply { id: u64, reply: Result<ReplyMirror, RequestErrorMirror> },
}

#[derive(Debug, PartialEq, SchemaRead, SchemaWrite)]
enum ReplyMirror {
    Done,
    Seeking(u64),
    Paired(SeatMirror),
    Seeks(Vec<()>),
    Invited([u8; 5]),
    Games(Vec<()>),
    Seats(Vec<SeatMirror>),
}

#[derive(Debug, PartialEq, SchemaRead, SchemaWrite)]
enum RequestErrorMirror {
    Unsupported,
    TooManySeeks,
}

#[derive(Debug, PartialEq, SchemaRead, SchemaWrite)]
struct SeatMirror {
    game: u64,
    color: ColorMirror,
    opponent: String,
}

#[derive(Debug, PartialEq, SchemaRead, SchemaWrite)]
enum ColorMirror {
    White,
    Black,
}

/// Both codecs write the same, and the other one reads it.
macro_rules! assert_same {
    ($message:expr, $mirror:expr, $type:ty) => {{
        let (message, mirror): (_, $type) = ($message, $mirror);
        let settings = Configuration::default().with_varint_encoding();
        let ours = codec::encode(&message, usize::MAX).unwrap();
        let theirs = config::serialize(&mirror, settings).unwrap();
        assert_eq!(theirs, ours, "{message:?}");
        let again = config::deserialize_exact::<$type, _>(&ours, settings).unwrap();
        assert_eq!(again, mirror);
    }};
}

#[test]
fn a_hello_has_the_same_bytes() {
    let mirror = |handle: Option<&str>, invite| HelloMirror {
        minor: 300,
        minor_min: 1,
        features: u64::MAX,
        agent: "zoë 1.0".to_owned(),
        handle: handle.map(str::to_owned),
        invite,
    };
    let hello = |handle: Option<&str>, invite: Option<[u8; 5]>| Hello {
        minor: 300,
        minor_min: 1,
        features: u64::MAX,
        agent: Text::cut("zoë 1.0"),
        handle: handle.map(|text| Handle::new(text).unwrap()),
        invite: invite.map(InviteCode::from_random),
    };
    for (handle, invite) in [(None, None), (Some("Shirin"), Some([0, 1, 251, 254, 255]))] {
        assert_same!(hello(handle, invite), mirror(handle, invite), HelloMirror);
    }
}

#[test]
fn an_intent_has_the_same_bytes() {
    let mv = Move::castle("e1".parse().unwrap(), "h1".parse().unwrap());
    let bits = mv.bits();
    for (seen, intent, mirror) in [
        (0, Intent::Move { ply: 70_000, mv }, IntentMirror::Move { ply: 70_000, mv: bits }),
        (250, Intent::Propose(Proposal::Draw), IntentMirror::Propose(RulesProposalMirror::Draw)),
        (
            251,
            Intent::Propose(Proposal::Takeback { plies: 2 }),
            IntentMirror::Propose(RulesProposalMirror::Takeback { plies: 2 }),
        ),
        (252, Intent::Accept(Matter::Draw), IntentMirror::Accept(MatterMirror::Draw)),
        (
            u64::from(u16::MAX),
            Intent::Decline(Matter::Adjournment),
            IntentMirror::Decline(MatterMirror::Adjournment),
        ),
        (
            u64::from(u32::MAX),
            Intent::ClaimDraw { ply: 99, intended: Some(mv) },
            IntentMirror::ClaimDraw { ply: 99, intended: Some(bits) },
        ),
        (
            1 << 32,
            Intent::ClaimDraw { ply: 0, intended: None },
            IntentMirror::ClaimDraw { ply: 0, intended: None },
        ),
        (u64::MAX, Intent::ClaimFlag, IntentMirror::ClaimFlag),
    ] {
        let id = 0x0123_4567_89ab_cdef;
        let frame = IntentFrame { id: IntentId(id), seen: Seq(seen), intent };
        assert_same!(frame, IntentFrameMirror { id, seen, intent: mirror }, IntentFrameMirror);
    }
}

#[test]
fn a_reply_has_the_same_bytes() {
    let seat = || Seat {
        game: chatrang_protocol::ids::GameId(7),
        color: Color::Black,
        opponent: Handle::new("Khosrow").unwrap(),
    };
    let seat_mirror = || SeatMirror { game: 7, color: ColorMirror::Black, opponent: "Khosrow".to_owned() };
    for (reply, mirror) in [
        (Ok(Reply::Done), Ok(ReplyMirror::Done)),
        (
            Ok(Reply::Seats(List::cut(vec![seat(), seat()]))),
            Ok(ReplyMirror::Seats(vec![seat_mirror(), seat_mirror()])),
        ),
        (Err(RequestError::TooManySeeks), Err(RequestErrorMirror::TooManySeeks)),
    ] {
        let frame = ControlFrame::Reply { id: RequestId(300), reply };
        assert_same!(frame, ControlFrameMirror::Reply { id: 300, reply: mirror }, ControlFrameMirror);
    }
}
