//! How the program ends: its exit codes, all in one place, and the faults that lead to them.

use std::fmt;

/// An exit code of `chatrang`. Scripts rely on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All went well; a game came to its end, whoever won.
    Success = 0,
    /// Anything without a code of its own.
    Other = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// The server cannot be reached, or was lost for good.
    Unreachable = 3,
    /// The server does not let this identity in, or not with this invitation.
    NotLetIn = 4,
    /// The server has another key than before.
    ServerKeyChanged = 5,
    /// One side is too old for the other.
    VersionMismatch = 6,
    /// What was asked for is not possible now: no such game, too many games.
    NotNow = 7,
    /// A file of this machine cannot be read, written or run.
    LocalFile = 8,
    /// The player interrupted the program.
    Interrupted = 130,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The name that the JSON line `error` carries as its `code`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Other => "other",
            Self::Usage => "usage",
            Self::Unreachable => "unreachable",
            Self::NotLetIn => "not_let_in",
            Self::ServerKeyChanged => "server_key_changed",
            Self::VersionMismatch => "version_mismatch",
            Self::NotNow => "not_now",
            Self::LocalFile => "local_file",
            Self::Interrupted => "interrupted",
        }
    }
}

/// Why the program cannot go on: what happened, what caused it, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The exit code it leads to.
    pub exit: Exit,
    /// What happened, in one sentence without a full stop.
    pub text: String,
    /// What caused it, when somebody else's words say so.
    pub cause: Option<String>,
    /// What to do next.
    pub hint: String,
}

impl Fault {
    /// A fault that says all there is to say.
    pub fn new(exit: Exit, text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { exit, text: text.into(), cause: None, hint: hint.into() }
    }

    /// The same fault with what caused it.
    #[must_use]
    pub fn caused_by(self, cause: impl fmt::Display) -> Self {
        Self { cause: Some(cause.to_string()), ..self }
    }
}

impl fmt::Display for Fault {
    /// For stderr: the error, its cause, what to do next, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.text)?;
        if let Some(cause) = &self.cause {
            write!(f, "\ncause: {cause}")?;
        }
        write!(f, "\nhint: {}", self.hint)
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_says_what_why_and_what_next() {
        let fault = Fault::new(Exit::LocalFile, "the key cannot be read", "run chmod 600 on it");
        assert_eq!(fault.to_string(), "error: the key cannot be read\nhint: run chmod 600 on it");
        let fault = fault.caused_by("permission denied");
        assert_eq!(
            fault.to_string(),
            "error: the key cannot be read\ncause: permission denied\nhint: run chmod 600 on it"
        );
    }

    #[test]
    fn exit_codes_are_the_documented_ones() {
        let codes = [
            (Exit::Success, 0),
            (Exit::Other, 1),
            (Exit::Usage, 2),
            (Exit::Unreachable, 3),
            (Exit::NotLetIn, 4),
            (Exit::ServerKeyChanged, 5),
            (Exit::VersionMismatch, 6),
            (Exit::NotNow, 7),
            (Exit::LocalFile, 8),
            (Exit::Interrupted, 130),
        ];
        for (exit, code) in codes {
            assert_eq!(exit.code(), code, "{exit:?}");
        }
    }
}
