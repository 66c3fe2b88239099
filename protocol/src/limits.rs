//! Every bound of the wire, with its unit, in one place.
//!
//! A stranger can send anything; nothing he sends may cost more than what stands here.

/// Longest frame a client may send: room for a hello with an invite, or for any intent.
pub const CLIENT_FRAME_BYTES_MAX: usize = 4 * 1024;

/// Longest frame a server may send: room for the snapshot of a very long game.
pub const SERVER_FRAME_BYTES_MAX: usize = 256 * 1024;

/// How long a peer may take from the first to the last byte of one frame.
pub const FRAME_SECONDS_MAX: u64 = 10;

/// How long a stream may stay open before its game is named.
pub const ATTACH_SECONDS_MAX: u64 = 10;

/// How long a client may take to shake hands.
pub const HANDSHAKE_SECONDS_MAX: u64 = 10;

/// How long a new connection may take to present a complete hello.
pub const HELLO_SECONDS_MAX: u64 = 10;

/// Longest name of a client program (`chatrang 0.1.0`).
pub const AGENT_BYTES_MAX: usize = 64;

/// Shortest handle.
pub const HANDLE_BYTES_MIN: usize = 3;

/// Longest handle.
pub const HANDLE_BYTES_MAX: usize = 20;

/// Handles offered to a player whose first choice is taken.
pub const HANDLE_SUGGESTIONS_MAX: usize = 2;

/// Bidirectional streams a client may have open: one for control, the rest for games.
pub const STREAMS_MAX: u32 = 32;

/// Requests of one client that may wait for their reply. The server reads the next one after it has
/// answered, so more would only wait in the client's own buffers.
pub const REQUESTS_IN_FLIGHT_MAX: usize = 16;

/// Intents of one client in one game that may wait for their answer, likewise.
pub const INTENTS_IN_FLIGHT_MAX: usize = 8;

/// Requests that one connection may make in the long run. Each may look into the store.
pub const REQUESTS_PER_SECOND_MAX: u32 = 50;

/// Attaches that one connection may make in the long run. Each may replay a game.
pub const ATTACHES_PER_SECOND_MAX: u32 = 50;

/// Intents and lines of chat that one connection may send in all its games in the long run.
pub const INTENTS_PER_SECOND_MAX: u32 = 2_000;

/// Longest line of chat, in characters.
pub const CHAT_CHARS_MAX: usize = 200;

/// Longest line of chat, in bytes: as many of the widest characters.
pub const CHAT_BYTES_MAX: usize = 4 * CHAT_CHARS_MAX;

/// Lines that an account may say at once in one game.
pub const CHAT_BURST_LINES: u64 = 5;

/// How long it takes until the account may say one more, in seconds.
pub const CHAT_LINE_SECONDS: u64 = 2;

/// Lines of each of a game's two rooms that the server keeps for those who come later.
pub const CHAT_LINES_KEPT_MAX: usize = 20;

/// Lines of chat that one frame carries: all that are kept of both rooms.
pub const CHAT_LINES_SENT_MAX: usize = 2 * CHAT_LINES_KEPT_MAX;

/// Lines and asks of one client in one game that may wait for their answer. The server reads the next
/// one after it has answered.
pub const TALKS_IN_FLIGHT_MAX: usize = 4;

/// Accounts that one account may block.
pub const BLOCKS_PER_ACCOUNT_MAX: usize = 100;

/// What a connection has not asked for it may make up for at once, as much as for so many seconds.
/// Whoever goes beyond is closed as `TooMany`.
pub const BURST_SECONDS: u64 = 4;

/// Connections from one address (an IPv6 network of 64 bits counts as one), the server's own machine
/// excepted.
pub const CONNECTIONS_PER_ADDRESS_MAX: usize = 256;

/// Connections a server has at the same time, handshakes included.
pub const CONNECTIONS_MAX: usize = 16_384;

/// Connections one account may have at the same time.
pub const CONNECTIONS_PER_ACCOUNT_MAX: usize = 8;

/// Handshakes in flight from which on a new client must first prove its address (Retry).
pub const HANDSHAKES_BEFORE_RETRY: usize = 64;

/// Handshakes in flight from which on whoever has proven his address is refused too. One costs some 40 KiB.
pub const HANDSHAKES_MAX: usize = 1_024;

/// Handshakes in flight of one address; one that is not proven has half as many.
pub const HANDSHAKES_PER_ADDRESS_MAX: usize = 64;

/// Handshakes of all addresses in the long run: at about 0.25 ms each, a quarter of one core. Keys are free to
/// make, so no bound for each address or key would do.
pub const HANDSHAKES_PER_SECOND_MAX: u32 = 1_000;

/// Handshakes of one address in the long run.
pub const HANDSHAKES_PER_ADDRESS_AND_SECOND_MAX: u32 = 32;

/// Accounts that are made in an hour: an account stays on the disk for ever.
pub const NEWCOMERS_PER_HOUR_MAX: u32 = 1_000;

/// Accounts that are made in an hour from one address, tries with a wrong code included: enough for a club's
/// evening behind one router.
pub const NEWCOMERS_PER_ADDRESS_AND_HOUR_MAX: u32 = 60;

/// Open seeks one account may have.
pub const SEEKS_PER_ACCOUNT_MAX: usize = 4;

/// Seeks the whole lobby may hold; also the longest list of them a reply may carry.
pub const SEEKS_MAX: usize = 1_000;

/// Unused invites one account may have.
pub const INVITES_PER_ACCOUNT_MAX: usize = 32;

/// How long an invite is good for.
pub const INVITE_SECONDS_MAX: u64 = 14 * 24 * 60 * 60;

/// Unfinished games one account may play at the same time.
pub const GAMES_PER_ACCOUNT_MAX: usize = 31;

/// Games listed in one reply.
pub const GAMES_LISTED_MAX: usize = 200;

/// Streams that may watch or play one game.
pub const LISTENERS_PER_GAME_MAX: usize = 1_000;

/// Streams of one account in one game; the oldest gives way.
pub const STREAMS_PER_ACCOUNT_AND_GAME_MAX: usize = 4;

/// Acts of the players that may wait for one game, and as many visits of everybody else; further ones
/// are refused as `Busy` or `TooManyListeners`.
pub const GAME_MAILBOX_MAX: usize = 64;

/// Frames that may wait for one listener of a game; a listener further behind is told to resync.
pub const LISTENER_FRAMES_MAX: usize = 64;

/// Frames that may wait for one connection's control stream.
pub const CONTROL_FRAMES_MAX: usize = 64;

/// Bytes of frames that may wait for one connection on all of its streams; the frame that reaches the bound is
/// still taken. A listener for whom there is no room is told to resync, and a snapshot waits for it.
pub const BACKLOG_BYTES_MAX: usize = 64 * 1024;

/// Plies of one game. No game under the seventy-five-move rule comes near it (5,898 moves a side is
/// the known maximum), so reaching it is a fault in the server and never a result.
pub const PLIES_MAX: usize = 17_698;

/// Legal moves of one position. The known maximum is 218; drops come later and stay below.
pub const LEGAL_MOVES_MAX: usize = 512;

/// Longest SAN of a move (`Qa1xb2+ e.p.` is no move; `Qa1xb2#` is).
pub const SAN_BYTES_MAX: usize = 12;

/// Longest FEN the server writes.
pub const FEN_BYTES_MAX: usize = 120;

/// Claims of one side that may succeed at the same time: one for each legal move that would complete a
/// repetition or fifty moves, and a few that name none.
pub const CLAIMS_MAX: usize = LEGAL_MOVES_MAX + 8;

/// Men touched on one move: no more than stand on the board.
pub const TOUCHED_MAX: usize = 64;

/// Matters in which something may stand proposed.
pub const MATTERS: usize = chatrang_rules::game::Matter::ALL.len();

/// The latest move number before which terms may forbid to agree on a draw.
pub const AGREEMENT_FROM_MAX: u16 = 200;

/// Games that may wait for an arbiter and be listed; a further one is told of, but not listed.
pub const CALLS_MAX: usize = 500;

/// A nudge: one datagram of this many bytes.
pub const NUDGE_BYTES: usize = 1;

/// How often both ends nudge while a move waits for its answer, in milliseconds.
pub const NUDGE_INTERVAL_MS: u64 = 120;

/// Nudges of one connection that the server answers in the long run: room for one from each of its games every
/// [`NUDGE_INTERVAL_MS`]. Further ones are passed over.
pub const NUDGES_PER_SECOND_MAX: u32 = 300;

/// Breaches and denials that the server's log tells of in full in the long run; further ones are told only where
/// it tells all. A stranger does not fill the operator's disk with lines.
pub const STRANGERS_LOGGED_PER_SECOND_MAX: u32 = 5;

/// How long one wait is nudged; then the connection is left to its idle limit.
pub const NUDGE_SECONDS_MAX: u64 = 20;

/// Addresses one invite line may carry.
pub const INVITE_ADDRESSES_MAX: usize = 4;

/// Longest invite line in characters: room for that many addresses of the longest name.
pub const INVITE_LINE_BYTES_MAX: usize = 2_048;

/// Longest host name (RFC 1035).
pub const HOST_BYTES_MAX: usize = 253;

/// Longest part of a host name between two dots (RFC 1035).
pub const HOST_LABEL_BYTES_MAX: usize = 63;

/// A connection that hears nothing for so long is lost.
pub const IDLE_SECONDS_MAX: u64 = 20;

/// The longest that a server that stops may ask its clients to stay away; they come back earlier than
/// it says if it says more.
pub const RETRY_SECONDS_MAX: u64 = 60;

/// How often a client says that it is there: three times within the idle limit, and then some.
pub const KEEP_ALIVE_SECONDS: u64 = 6;

/// Bytes a client may have under way to the server on one stream: four of its longest frames.
pub const SERVER_STREAM_WINDOW_BYTES: u32 = 16 * 1024;

/// Bytes a client may have under way to the server in all. With quinn's default it is unlimited, and
/// one client could pin 128 MiB.
pub const SERVER_RECEIVE_WINDOW_BYTES: u32 = 64 * 1024;

/// Bytes the server holds for a client that does not acknowledge; a longer frame flows through.
pub const SERVER_SEND_WINDOW_BYTES: u64 = 64 * 1024;

/// Bytes the server may have under way to a client on one stream: two of its longest frames.
pub const CLIENT_STREAM_WINDOW_BYTES: u32 = 2 * SERVER_FRAME_BYTES_MAX as u32;

/// Bytes the server may have under way to a client in all: several snapshots at once.
pub const CLIENT_RECEIVE_WINDOW_BYTES: u32 = 16 * SERVER_FRAME_BYTES_MAX as u32;

/// Bytes a client holds while the server does not acknowledge.
pub const CLIENT_SEND_WINDOW_BYTES: u64 = 64 * 1024;

/// Bytes of nudges that either end holds in each direction.
pub const NUDGE_BUFFER_BYTES: usize = 4 * 1024;

/// Connection attempts that may wait for the server to look at them; the next one is refused.
pub const INCOMING_MAX: usize = 1_024;

/// Bytes kept of one connection attempt that waits.
pub const INCOMING_BYTES_MAX: u64 = 8 * 1024;

/// Bytes kept of all connection attempts that wait.
pub const INCOMING_TOTAL_BYTES_MAX: u64 = 4 * 1024 * 1024;
