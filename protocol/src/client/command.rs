//! What a client asks of its session.

use crate::client::attachment::Attachment;
use crate::client::control::Call;

/// What a client's owner wants of its session.
#[derive(Debug)]
pub(super) enum Command {
    Call(Call),
    Open(Box<Attachment>),
    Leave,
}
