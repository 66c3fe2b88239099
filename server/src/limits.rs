//! Every bound of the server's inside and of the operator's side, with its unit; those of the wire are the
//! protocol's.

/// Longest request that the metrics port reads, in bytes: room for what browsers and collectors send.
pub const METRICS_REQUEST_BYTES_MAX: usize = 8 * 1024;

/// How long one conversation on the metrics port may take, in seconds.
pub const METRICS_SECONDS_MAX: u64 = 5;

/// Conversations on the metrics port at the same time; the oldest gives way.
pub const METRICS_CONNECTIONS_MAX: usize = 16;

/// A commit that takes longer makes the server not ready, in seconds.
pub const COMMIT_SECONDS_MAX: u64 = 5;

/// Newcomers that one invite from the command line is for.
pub const INVITE_USES_MAX: u32 = 1_000;

/// Reports that may wait for the standard output; when nobody reads it, further ones are dropped.
pub const REPORT_LINES_MAX: usize = 1_024;

/// Lines of the log that may wait for the standard error; when nobody reads it, further ones are dropped.
pub const LOG_LINES_MAX: usize = 4 * 1024;

/// Foreign text in the log is cut after so many characters.
pub const LOG_FOREIGN_CHARS_MAX: usize = 120;

/// Panics of one game within [`PANIC_WINDOW_MS`] after which it still goes on; with one more it is set aside.
pub const PANICS_PER_GAME_MAX: usize = 3;

/// How long a panic counts, in milliseconds of server time: a fault that shows now and then is survived each time.
pub const PANIC_WINDOW_MS: u64 = 60_000;

/// How long anybody waits for a game's task, in seconds: three times what another program's lock on the database
/// may take. A task that does not come back from one of its own steps cannot be stopped from outside; whoever asks
/// it is told so, and nobody else notices.
pub const GAME_ANSWER_SECONDS_MAX: u64 = 30;

/// How long a list of games waits for one of them, in seconds; one that does not answer is left out.
pub const GAME_SUMMARY_SECONDS_MAX: u64 = 1;

/// Long questions to the Laws that are worked on at the same time, in all games: each may take 70 MB. And as many
/// records of finished games that are replayed.
pub const PONDERED_MAX: usize = 2;
