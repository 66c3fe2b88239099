//! What a frame from the other end says, read no further than a measurement needs.
//!
//! The players of a measurement share the machine with what they measure, so they do not read the boards
//! that they are sent: the kind of a message and the intent that it answers stand in front.

use chatrang_protocol::ids::IntentId;

/// bincode's number of [`ClientFrame::Intent`](chatrang_protocol::client_frame::ClientFrame).
const INTENT: u64 = 3;

/// bincode's number of [`GameFrame::Update`](chatrang_protocol::view::GameFrame).
const UPDATE: u64 = 1;

/// And of its `Answer`.
const ANSWER: u64 = 2;

/// The message of a relay's acknowledgement; no intent begins so.
pub(crate) const ACKNOWLEDGED: &[u8] = b"ok";

/// What a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// What somebody has done, by the intent that caused it.
    Done(IntentId),
    /// An own intent was carried out, and is on disk.
    Accepted,
    /// An own intent was not.
    Refused,
    /// Something else.
    Else,
}

/// What a relay's message says.
pub(crate) fn from_relay(message: &[u8]) -> Heard {
    if message == ACKNOWLEDGED {
        return Heard::Accepted;
    }
    let mut rest = message;
    match number(&mut rest) {
        Some(INTENT) => number(&mut rest).map_or(Heard::Else, |id| Heard::Done(IntentId(id))),
        _ => Heard::Else,
    }
}

/// What the server's message on a game's stream says.
pub(crate) fn from_server(message: &[u8]) -> Heard {
    read_server(message).unwrap_or(Heard::Else)
}

fn read_server(mut rest: &[u8]) -> Option<Heard> {
    match number(&mut rest)? {
        UPDATE => {
            let _seq = number(&mut rest)?;
            let caused = number(&mut rest)? == 1;
            Some(if caused { Heard::Done(IntentId(number(&mut rest)?)) } else { Heard::Else })
        }
        ANSWER => {
            let _intent = number(&mut rest)?;
            Some(if number(&mut rest)? == 0 { Heard::Accepted } else { Heard::Refused })
        }
        _ => Some(Heard::Else),
    }
}

/// One of bincode's numbers: a byte up to 250, or a mark and two, four or eight bytes.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let (&first, behind) = rest.split_first()?;
    let (bytes, behind) = match first {
        0..=250 => (&rest[..1], behind),
        251 => behind.split_at_checked(2)?,
        252 => behind.split_at_checked(4)?,
        253 => behind.split_at_checked(8)?,
        _ => return None,
    };
    *rest = behind;
    Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatrang_protocol::client_frame::ClientFrame;
    use chatrang_protocol::codec;
    use chatrang_protocol::ids::Seq;
    use chatrang_protocol::intent::{Intent, IntentError, IntentFrame};
    use chatrang_protocol::view::{Answer, GameFrame};

    const IDS: [IntentId; 5] =
        [IntentId(0), IntentId(250), IntentId(251), IntentId(70_000), IntentId(u64::MAX)];

    #[test]
    fn intents_and_answers_are_known_by_their_first_bytes() {
        for id in IDS {
            let intent = IntentFrame { id, seen: Seq(1), intent: Intent::Resign };
            let forwarded = codec::encode(&ClientFrame::from(intent), 100).unwrap();
            assert_eq!(from_relay(&forwarded), Heard::Done(id));
            for (outcome, heard) in [(Ok(Seq(1)), Heard::Accepted), (Err(IntentError::Busy), Heard::Refused)]
            {
                let answer = GameFrame::Answer(Answer { intent: id, outcome });
                assert_eq!(from_server(&codec::encode(&answer, 100).unwrap()), heard);
            }
        }
        assert_eq!(from_relay(ACKNOWLEDGED), Heard::Accepted);
    }

    #[test]
    fn what_is_cut_short_is_something_else() {
        for message in [&[][..], &[1], &[1, 251, 0], &[1, 4, 1], &[2, 253], &[255]] {
            assert_eq!(from_server(message), Heard::Else, "{message:?}");
        }
    }
}
