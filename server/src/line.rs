//! A connection's control stream as the rest of the server sees it: a bounded queue of frames.

use crate::metrics::Metrics;
use crate::queue::{Queue, QueueError};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::codec::Encode;
use chatrang_protocol::limits;
use chatrang_protocol::net::stream::encode_frame;
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::ControlFrame;
use tracing::{error, warn};

/// Where to tell a client something. Nobody waits for a client that does not read: it is closed.
#[derive(Clone, Debug)]
pub struct Line {
    queue: Queue,
    connection: quinn::Connection,
    metrics: Metrics,
}

impl Line {
    /// A line into `queue`, whose other end writes to `connection`'s control stream.
    pub fn new(queue: Queue, connection: quinn::Connection, metrics: Metrics) -> Self {
        Self { queue, connection, metrics }
    }

    /// Sends a notice.
    pub fn notice(&self, notice: &Notice) {
        self.send(&ControlFrame::Notice(notice.clone()));
    }

    /// Sends any message of the control stream.
    pub fn send<T: Encode>(&self, message: &T) {
        let frame = match encode_frame(message, limits::SERVER_FRAME_BYTES_MAX) {
            Ok(frame) => frame,
            Err(error) => {
                error!(%error, "a control frame has no encoding: this is a fault of the server");
                return;
            }
        };
        if let Err(QueueError::Full) = self.queue.try_send(frame) {
            warn!(
                frames_max = limits::CONTROL_FRAMES_MAX,
                bytes_max = limits::BACKLOG_BYTES_MAX,
                "a client does not read what it is told"
            );
            self.close(CloseCode::NotReading);
        }
    }

    /// Closes the connection, with a reason that lies elsewhere than in what it does now.
    pub fn close(&self, code: CloseCode) {
        self.metrics.closed.count(code);
        close(&self.connection, code);
    }
}

/// Closes a connection with a code and its sentence.
pub fn close(connection: &quinn::Connection, code: CloseCode) {
    connection.close(code.into(), code.to_string().as_bytes());
}
