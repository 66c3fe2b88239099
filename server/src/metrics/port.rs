//! A port of this machine where the figures can be read: `GET` of three paths, and nothing else of HTTP.
//!
//! Whoever can reach it is on this machine. Even so, nothing he does costs more than
//! [`limits`](crate::limits) says: a request is short, a conversation is over soon, and of too many the
//! oldest gives way, so that one who dawdles keeps nobody out.

use super::page;
use crate::hall::Hall;
use crate::limits::{METRICS_CONNECTIONS_MAX, METRICS_REQUEST_BYTES_MAX, METRICS_SECONDS_MAX};
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::{AbortHandle, JoinSet};
use tracing::warn;

/// How long the port rests when the system gives it no connection (there are no files left, for instance).
const REST: Duration = Duration::from_secs(1);

/// Serves the port until the server stops. `listen` is the server's UDP socket.
pub async fn serve(listener: TcpListener, hall: Hall, listen: Option<SocketAddr>) {
    let mut conversations = JoinSet::new();
    let mut oldest_first: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let accepted = tokio::select! {
            () = hall.stop.cancelled() => return,
            accepted = listener.accept() => accepted,
            Some(_) = conversations.join_next() => {
                oldest_first.retain(|conversation| !conversation.is_finished());
                continue;
            }
        };
        match accepted {
            Ok((stream, _)) => {
                if oldest_first.len() >= METRICS_CONNECTIONS_MAX
                    && let Some(oldest) = oldest_first.pop_front()
                {
                    oldest.abort();
                }
                let hall = hall.clone();
                let answer = move |path: &str| answer(path, &hall, listen);
                oldest_first.push_back(conversations.spawn(converse(stream, answer)));
            }
            Err(error) => {
                warn!(%error, "the metrics port takes no connection");
                tokio::time::sleep(REST).await;
            }
        }
    }
}

/// What a path shows.
struct Answer {
    status: &'static str,
    body: String,
}

fn answer(path: &str, hall: &Hall, listen: Option<SocketAddr>) -> Answer {
    let ok = |body| Answer { status: "200 OK", body };
    match path {
        "/metrics" => ok(page::page(hall, listen)),
        // That it is said at all shows that the event loop runs.
        "/live" => ok("live\n".to_owned()),
        "/ready" => match page::obstacle(hall) {
            None => ok("ready\n".to_owned()),
            Some(why) => Answer { status: "503 Service Unavailable", body: format!("{why}\n") },
        },
        _ => Answer { status: "404 Not Found", body: "there are /metrics, /live and /ready\n".to_owned() },
    }
}

/// One request and its answer, in [`METRICS_SECONDS_MAX`] at the most.
async fn converse(mut stream: impl AsyncRead + AsyncWrite + Unpin, answer: impl Fn(&str) -> Answer) {
    let conversation = async {
        let Some(answer) = hear(&mut stream, answer).await? else { return Ok(()) };
        let Answer { status, body } = answer;
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body.as_bytes()).await?;
        stream.shutdown().await
    };
    // Whoever has gone, or takes too long, gets no answer: there is nobody to tell.
    let _: Result<io::Result<()>, _> =
        tokio::time::timeout(Duration::from_secs(METRICS_SECONDS_MAX), conversation).await;
}

/// Reads a request to its empty line and answers it; none when it breaks off.
async fn hear(
    stream: &mut (impl AsyncRead + Unpin),
    answer: impl Fn(&str) -> Answer,
) -> io::Result<Option<Answer>> {
    let mut request = Vec::new();
    while !request.windows(4).any(|bytes| bytes == b"\r\n\r\n") {
        if request.len() >= METRICS_REQUEST_BYTES_MAX {
            let body = format!("a request has at most {METRICS_REQUEST_BYTES_MAX} bytes\n");
            return Ok(Some(Answer { status: "431 Request Header Fields Too Large", body }));
        }
        let room = METRICS_REQUEST_BYTES_MAX - request.len();
        if (&mut *stream).take(room as u64).read_buf(&mut request).await? == 0 {
            return Ok(None);
        }
    }
    let text = String::from_utf8_lossy(&request);
    let mut words = text.lines().next().unwrap_or_default().split(' ');
    let (method, target) = (words.next(), words.next());
    Ok(Some(match (method, target) {
        (Some("GET"), Some(target)) => answer(target.split('?').next().unwrap_or_default()),
        _ => Answer { status: "405 Method Not Allowed", body: "only GET is answered\n".to_owned() },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::duplex;

    fn echo(path: &str) -> Answer {
        Answer { status: "200 OK", body: path.to_owned() }
    }

    /// All that is said to `request`, whose sender then waits.
    async fn said_to(request: &[u8]) -> String {
        let (mut client, server) = duplex(64 * 1024);
        let conversation = tokio::spawn(converse(server, echo));
        client.write_all(request).await.unwrap();
        let mut said = String::new();
        client.read_to_string(&mut said).await.unwrap();
        conversation.await.unwrap();
        said
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_is_read_to_its_empty_line() {
        for (request, status, body) in [
            (&b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"[..], "200 OK", "/metrics"),
            (b"GET /ready?verbose=1 HTTP/1.0\r\n\r\n", "200 OK", "/ready"),
            (b"POST /metrics HTTP/1.1\r\n\r\n", "405 Method Not Allowed", "only GET is answered\n"),
            (b"\xff\xfe \r\n\r\n", "405 Method Not Allowed", "only GET is answered\n"),
        ] {
            let said = said_to(request).await;
            assert!(said.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{said}");
            assert!(
                said.ends_with(&format!("Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()))
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_dawdles_is_cut_off() {
        let before = tokio::time::Instant::now();
        assert_eq!(said_to(b"GET /metrics HTTP/1.1\r\nHost: ").await, "");
        assert_eq!(before.elapsed().as_secs(), METRICS_SECONDS_MAX);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_without_end_is_not_read_on() {
        let (mut client, server) = duplex(1024);
        let conversation = tokio::spawn(converse(server, echo));
        // Exactly as much as is read: one byte more would wait for ever.
        client.write_all(&[b'x'; METRICS_REQUEST_BYTES_MAX]).await.unwrap();
        let mut said = String::new();
        client.read_to_string(&mut said).await.unwrap();
        assert!(said.starts_with("HTTP/1.1 431 "), "{said}");
        conversation.await.unwrap();
    }
}
