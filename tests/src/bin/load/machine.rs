//! What the machine has, and what a process of it has used.

use anyhow::Context;
use std::fs;
use std::time::Duration;

/// The unit of CPU time in `/proc`: USER_HZ, which Linux has kept at 100 on every architecture.
const TICKS_PER_SECOND: u64 = 100;

/// A line about the machine: figures of two runs compare only where it is the same.
pub(crate) fn facts() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split(' ').take(3).collect();
    let build =
        if cfg!(debug_assertions) { "a debug build: its figures mean nothing" } else { "release build" };
    format!(
        "{cores} cores, load average {}, {build}, data under {}",
        load.join(" "),
        std::env::temp_dir().display()
    )
}

/// A process that is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process(pub(crate) u32);

impl Process {
    /// This one.
    pub(crate) fn own() -> Self {
        Self(std::process::id())
    }

    /// The CPU time that it has used so far, in user and kernel mode, all threads together.
    pub(crate) fn cpu(self) -> anyhow::Result<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0))?;
        // The second field is a name in parentheses, in which anything may stand.
        let (_, fields) = stat.rsplit_once(')').context("no name in /proc/PID/stat")?;
        let mut times = fields.split_whitespace().skip(11).map(str::parse::<u64>);
        let mut next = || times.next().context("too few fields in /proc/PID/stat");
        let ticks = next()?? + next()??;
        Ok(Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND))
    }

    /// The CPU time that it has used since it had used `before`.
    pub(crate) fn cpu_since(self, before: Duration) -> anyhow::Result<Duration> {
        Ok(self.cpu()?.saturating_sub(before))
    }

    /// The memory that it holds at the moment (VmRSS), in KiB.
    pub(crate) fn resident_kib(self) -> anyhow::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        Ok(line.trim().trim_end_matches(" kB").parse()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_uses_time_and_memory() {
        let own = Process::own();
        let before = own.cpu().unwrap();
        while own.cpu().unwrap() == before {
            std::hint::black_box(facts());
        }
        assert!(own.resident_kib().unwrap() > 1_000);
    }
}
