//! The page of all figures, in the text format of Prometheus (version 0.0.4).

use super::figure::{Counted, Histogram, Unit};
use super::system;
use crate::hall::Hall;
use crate::store::Health;
use chatrang_protocol::close::CloseCode;
use std::fmt::Write as _;
use std::net::SocketAddr;

/// What the server counts, as it is now; `listen` is its UDP socket.
pub fn page(hall: &Hall, listen: Option<SocketAddr>) -> String {
    let mut page = Page::default();
    let figures = &hall.metrics;
    page.gauge("chatrang_ready", "Whether players are served: 1 or 0.", u64::from(obstacle(hall).is_none()));
    page.gauge("chatrang_games_in_play", "Games that have a task.", hall.registry.count() as u64);
    page.gauge("chatrang_connections", "Connections, handshakes included.", figures.connections.read());
    page.gauge("chatrang_sessions", "Connections whose player is in.", figures.sessions.read());
    page.gauge("chatrang_handshakes_in_flight", "Handshakes under way.", figures.handshakes.read());
    let knocks = figures.knocks.read().map(|(knock, count)| (knock.word().to_owned(), count));
    page.tally(
        "chatrang_handshakes_total",
        "Connection attempts, by what became of them.",
        "outcome",
        knocks,
    );
    let closed = figures.closed.read().map(|(code, count)| (word(code), count));
    page.tally("chatrang_closed_total", "Connections that the server closed, by code.", "code", closed);
    let refusals = figures.refusals.read().map(|(kind, count)| (kind.word().to_owned(), count));
    page.tally("chatrang_refusals_total", "What was asked for and not done, by kind.", "kind", refusals);
    page.counter("chatrang_moves_total", "Moves that are on disk.", figures.moves.read());
    page.histogram(
        "chatrang_accept_to_commit_seconds",
        "From a whole frame with an intent until what came of it is on disk.",
        &figures.accept_to_commit,
    );
    page.histogram(
        "chatrang_commit_to_send_seconds",
        "From there until every listener's stream has it in its queue.",
        &figures.commit_to_send,
    );
    page.histogram(
        "chatrang_stream_write_seconds",
        "How long the transport takes to accept a frame.",
        &figures.stream_write,
    );
    page.counter(
        "chatrang_listeners_let_go_total",
        "Listeners of a game whose queue was full.",
        figures.listeners_let_go.read(),
    );
    page.store(hall);
    page.counter(
        "chatrang_lines_dropped_total",
        "Lines for the standard output and the log that nobody read.",
        figures.lines_dropped.read(),
    );
    if let Some(drops) = listen.and_then(system::udp_drops) {
        page.counter(
            "chatrang_udp_receive_drops_total",
            "Packets that the server's own socket had no room for.",
            drops,
        );
    }
    if let Some(bytes) = system::resident_bytes() {
        page.gauge("process_resident_memory_bytes", "Memory of the process that is in use.", bytes);
    }
    page.0
}

/// What keeps the server from serving players, in words; none when nothing does.
pub fn obstacle(hall: &Hall) -> Option<String> {
    if hall.stop.is_cancelled() {
        return Some("the server stops".to_owned());
    }
    match &*hall.store.health().borrow() {
        Health::Healthy if hall.store.figures().is_stalled() => {
            Some("the disk takes very long for a commit".to_owned())
        }
        Health::Healthy => None,
        Health::Full => Some("the store is full".to_owned()),
        Health::Failed(why) => Some(format!("the store has failed: {why}")),
    }
}

/// Microseconds in seconds, with as many digits as it takes.
fn seconds(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A close code as a label: its name with underscores.
fn word(code: CloseCode) -> String {
    let mut word = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_ascii_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}

/// A page while it is written. Writing into a text never fails.
#[derive(Default)]
struct Page(String);

impl Page {
    fn store(&mut self, hall: &Hall) {
        let figures = hall.store.figures();
        self.gauge("chatrang_store_queue", "Requests that wait for the store's writer.", figures.waiting());
        self.gauge(
            "chatrang_store_read_queue",
            "Requests that wait for the store's reader.",
            figures.reads_waiting.read(),
        );
        self.counter("chatrang_store_changes_total", "Changes that are on disk.", figures.read().changes);
        self.histogram(
            "chatrang_store_commit_seconds",
            "From a transaction's begin until it is on disk.",
            &figures.commit_time,
        );
        self.histogram("chatrang_store_batch_changes", "Changes that one commit carried.", &figures.batch);
    }

    fn head(&mut self, name: &str, help: &str, kind: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.head(name, help, "gauge");
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.head(name, help, "counter");
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn tally(&mut self, name: &str, help: &str, label: &str, values: impl Iterator<Item = (String, u64)>) {
        self.head(name, help, "counter");
        for (value, count) in values {
            let _ = writeln!(self.0, "{name}{{{label}=\"{value}\"}} {count}");
        }
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.head(name, help, "histogram");
        let Counted { unit, up_to, count, sum } = histogram.read();
        let shown = |number: u64| match unit {
            Unit::Seconds => seconds(number),
            Unit::Pieces => number.to_string(),
        };
        for (bound, count) in up_to {
            let _ = writeln!(self.0, "{name}_bucket{{le=\"{}\"}} {count}", shown(bound));
        }
        let _ = writeln!(self.0, "{name}_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(self.0, "{name}_sum {}\n{name}_count {count}", shown(sum));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn figures_are_written_as_prometheus_reads_them() {
        let mut page = Page::default();
        page.tally("a_total", "Some.", "kind", [("x".to_owned(), 3)].into_iter());
        let histogram = Histogram::of_seconds();
        histogram.observe(Duration::from_micros(150));
        page.histogram("b_seconds", "Time.", &histogram);
        assert!(page.0.starts_with("# HELP a_total Some.\n# TYPE a_total counter\na_total{kind=\"x\"} 3\n"));
        for line in [
            "# TYPE b_seconds histogram",
            "b_seconds_bucket{le=\"0.0001\"} 0",
            "b_seconds_bucket{le=\"0.0002\"} 1",
            "b_seconds_bucket{le=\"5\"} 1",
            "b_seconds_bucket{le=\"+Inf\"} 1",
            "b_seconds_sum 0.00015",
            "b_seconds_count 1",
        ] {
            assert!(page.0.lines().any(|written| written == line), "{line} is missing in\n{}", page.0);
        }
    }

    #[test]
    fn every_close_code_has_a_word_of_its_own() {
        assert_eq!(word(CloseCode::FrameTooLong), "frame_too_long");
        let words: std::collections::HashSet<_> = CloseCode::ALL.into_iter().map(word).collect();
        assert_eq!(words.len(), CloseCode::ALL.len());
    }
}
