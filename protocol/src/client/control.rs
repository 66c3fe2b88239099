//! The control stream of one connection: requests up, replies and notices down.

use crate::client::connect::ConnectError;
use crate::client::news::CallError;
use crate::client::writer;
use crate::client_frame::ClientFrame;
use crate::close::CloseCode;
use crate::codec::{self, CodecError};
use crate::ids::RequestId;
use crate::limits;
use crate::net::stream::{FrameReceiver, FrameSender, encode_frame};
use crate::notice::Notice;
use crate::reply::{ControlFrame, Reply, RequestError};
use crate::request::{Request, RequestFrame};
use bytes::Bytes;
use quinn::Connection;
use std::collections::BTreeMap;
use tokio::sync::{mpsc, oneshot};

/// A request and who waits for the reply.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) request: Request,
    pub(super) answer: oneshot::Sender<Result<Reply, CallError>>,
}

impl Call {
    /// Ends the wait. The caller may have gone; then there is nobody to tell.
    pub(super) fn fail(self, error: CallError) {
        let _ = self.answer.send(Err(error));
    }
}

/// The stream, and the calls that wait for their reply on it.
#[derive(Debug)]
pub(super) struct Control {
    connection: Connection,
    receiver: FrameReceiver,
    frames: mpsc::Sender<Bytes>,
    waiting: BTreeMap<RequestId, oneshot::Sender<Result<Reply, CallError>>>,
    last_id: RequestId,
}

impl Control {
    pub(super) fn new(connection: Connection, sender: FrameSender, receiver: FrameReceiver) -> Self {
        Self {
            connection,
            receiver,
            frames: writer::start(sender, limits::REQUESTS_IN_FLIGHT_MAX),
            waiting: BTreeMap::new(),
            last_id: RequestId(0),
        }
    }

    /// Whether another call may be made before one is answered.
    pub(super) fn has_room(&self) -> bool {
        self.waiting.len() < limits::REQUESTS_IN_FLIGHT_MAX
    }

    /// Whether calls wait for their reply.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Sends a request; only while there [is room](Self::has_room).
    pub(super) fn call(&mut self, call: Call) {
        self.last_id = RequestId(self.last_id.0 + 1);
        let frame = ClientFrame::from(RequestFrame { id: self.last_id, request: call.request });
        let sent = encode_frame(&frame, limits::CLIENT_FRAME_BYTES_MAX)
            .is_ok_and(|frame| self.frames.try_send(frame).is_ok());
        if sent {
            self.waiting.insert(self.last_id, call.answer);
        } else {
            // The writer is gone, and the connection with it: `next` will say so. The caller hears it
            // now. He may have gone himself, and then there is nobody to tell.
            let _ = call.answer.send(Err(CallError::ConnectionLost));
        }
    }

    /// Takes one frame: settles the call it answers, or returns the notice it is.
    ///
    /// Cancel-safe.
    ///
    /// # Errors
    /// Why the connection, which is closed by then, is of no more use.
    pub(super) async fn next(&mut self) -> Result<Option<Notice>, ConnectError> {
        let received = tokio::select! {
            // All that has come is heard before the connection is given up.
            biased;
            received = self.receiver.next() => received,
            () = self.frames.closed() => return Err(self.give_up("it stopped reading", CloseCode::Malformed)),
        };
        let message = match received {
            Ok(Some(message)) => message,
            Ok(None) => return Err(self.give_up("it ended the conversation", CloseCode::Malformed)),
            Err(error) => {
                self.connection.close(error.close_code().unwrap_or(CloseCode::Done).into(), b"");
                return Err(ConnectError::stream_ended(&self.connection, &error));
            }
        };
        match codec::decode(&message) {
            Ok(ControlFrame::Notice(notice)) => Ok(Some(notice)),
            Ok(ControlFrame::Reply { id, reply }) => {
                if let Some(answer) = self.waiting.remove(&id) {
                    // The caller may have gone, and then there is nobody to tell.
                    let _ = answer.send(reply.map_err(CallError::Refused));
                }
                Ok(None)
            }
            Err(CodecError::UnknownVariant) => {
                self.pass_over(&message);
                Ok(None)
            }
            Err(error) => Err(self.give_up(&error.to_string(), CloseCode::Malformed)),
        }
    }

    /// A later version of the server says something: a notice can be missed, but whoever waits for a reply is to
    /// know that it has come.
    fn pass_over(&mut self, message: &[u8]) {
        const REPLY: u32 = 0;
        if let Some((REPLY, id)) = codec::beginning(message)
            && let Some(answer) = self.waiting.remove(&RequestId(id))
        {
            // The caller may have gone, and then there is nobody to tell.
            let _ = answer.send(Err(CallError::Refused(RequestError::Unsupported)));
        }
    }

    /// Tells all who wait that the connection is lost: requests are not repeated, since nobody knows
    /// whether the server has carried them out.
    pub(super) fn fail_all(&mut self) {
        for (_, answer) in std::mem::take(&mut self.waiting) {
            let _ = answer.send(Err(CallError::ConnectionLost));
        }
    }

    /// Closes the connection for a reason of ours, unless it was lost before and that is the reason.
    fn give_up(&self, why: &str, code: CloseCode) -> ConnectError {
        if let Some(lost) = self.connection.close_reason() {
            return ConnectError::lost(self.connection.remote_address(), &lost);
        }
        self.connection.close(code.into(), b"");
        ConnectError::Unreadable(why.to_owned())
    }
}
