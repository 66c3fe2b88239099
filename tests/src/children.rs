//! Processes of the two binaries, each with a home of its own, killed when dropped.

use crate::binaries::binaries;
use crate::patience::soon;
use crate::scratch::Scratch;
use serde_json::Value;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

/// A process that talks in lines.
#[derive(Debug)]
pub struct Talker {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    /// All that it has said, and complained of, to show when a test fails.
    said: Arc<Mutex<Vec<String>>>,
    /// Ends with its standard error.
    complaining: JoinHandle<()>,
}

/// A command with nothing of the tester's own surroundings, at home in `home`.
pub fn command(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_STATE_HOME", home.join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

impl Talker {
    /// Starts a command.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().expect("the program starts");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut complaints = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let said = Arc::<Mutex<Vec<String>>>::default();
        let heard = Arc::clone(&said);
        let complaining = tokio::spawn(async move {
            while let Ok(Some(line)) = complaints.next_line().await {
                heard.lock().unwrap().push(line);
            }
        });
        Self { stdin: child.stdin.take(), child, lines, said, complaining }
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// The next line; none at the end of its output.
    pub async fn line(&mut self) -> Option<String> {
        let line = soon("a line", self.lines.next_line()).await.expect("it writes UTF-8");
        self.said.lock().unwrap().extend(line.clone());
        line
    }

    /// Reads until a line is as wanted.
    pub async fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        loop {
            match self.line().await {
                Some(line) if wanted(&line) => return line,
                Some(_) => {}
                None => panic!("it ended without {what}; it said {:#?}", self.said.lock().unwrap()),
            }
        }
    }

    /// Reads until an object of a type comes.
    pub async fn object(&mut self, kind: &str) -> Value {
        let is_wanted = |line: &str| object(line)["type"] == kind;
        object(&self.until(kind, is_wanted).await)
    }

    /// All that it has said, and complained of, once it has ended.
    pub async fn last_words(&mut self) -> Vec<String> {
        while self.line().await.is_some() {}
        soon("its last complaint", &mut self.complaining).await.expect("its complaints are text");
        self.said.lock().unwrap().clone()
    }

    /// Gives it a line.
    pub async fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("its input is open");
        stdin.write_all(format!("{line}\n").as_bytes()).await.expect("it reads");
    }

    /// Closes its input.
    pub fn hang_up(&mut self) {
        self.stdin = None;
    }

    /// Sends it a signal by its name (`TERM`).
    pub async fn signal(&self, name: &str) {
        signal(self.id(), name).await;
    }

    /// Kills it as a crash would (SIGKILL), and returns when it is gone.
    pub async fn kill(&mut self) {
        self.child.kill().await.expect("it can be killed");
    }

    /// Waits until it ends.
    pub async fn ends(&mut self) -> ExitStatus {
        soon("the process to end", self.child.wait()).await.expect("it can be waited for")
    }
}

/// Sends a process a signal by its name (`TERM`).
pub async fn signal(process: u32, name: &str) {
    let arguments = [format!("-{name}"), process.to_string()];
    let sent = Command::new("kill").args(arguments).status().await.expect("kill runs");
    assert!(sent.success());
}

/// A line as the object it is.
pub fn object(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line:?} is no object: {error}"))
}

/// A `chatrangd` on a data directory of its own.
#[derive(Debug)]
pub struct Daemon {
    /// The process.
    pub process: Talker,
    /// Its first line.
    pub ready: Value,
}

impl Daemon {
    /// Starts one that listens on `listen` and lets anybody register.
    pub async fn start(dir: &Scratch, listen: &str) -> Self {
        let mut process = Talker::start(
            command(&binaries().chatrangd, dir.path())
                .args(["--json", "--registration", "open", "--log", "error", "--listen", listen, "--data"])
                .arg(dir.path().join("server")),
        );
        let ready = process.object("ready").await;
        Self { process, ready }
    }

    /// Where it listens.
    pub fn address(&self) -> &str {
        self.ready["address"].as_str().expect("an address")
    }

    /// The memory that the system counts as its own, in KiB (Linux alone tells).
    pub fn resident_kib(&self) -> Option<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches("kB").trim().parse().ok()
    }

    /// The line without a code: registration is open.
    pub fn line(&self) -> String {
        format!("{}/{}", self.address(), self.ready["fingerprint"].as_str().expect("a fingerprint"))
    }
}
