//! What a connection costs that does nothing, and what a move costs among thousands of them.

use crate::crowd::{Crowd, Playing};
use crate::doors::Doors;
use crate::host::{Host, Kind, Programs};
use crate::script::Script;
use crate::verdict::{Verdict, figure, micros};
use chatrang_tests::wire::Wire;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the processes get to come to rest before their memory is looked at.
const REST: Duration = Duration::from_secs(1);

/// How long idleness is watched: two rounds of everybody's sign of life.
const IDLENESS: Duration = Duration::from_secs(2 * chatrang_protocol::limits::KEEP_ALIVE_SECONDS);

/// How long the moves of the few among the many are measured.
const PLAY: Duration = Duration::from_secs(10);

/// Who comes before anybody is counted, so that what every process needs once is there.
const FIRST: u32 = 2;

/// How many there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    /// Connections whose memory is compared with the relay's.
    pub(crate) compared: u32,
    /// Sessions that are held at the same time.
    pub(crate) held: u32,
    /// Games among them.
    pub(crate) games: u32,
    /// Moves a second in each.
    pub(crate) rate: f64,
}

/// Compares, holds and plays, and prints all of it.
pub(crate) async fn run(
    programs: &Programs,
    numbers: Numbers,
    scripts: &[Arc<Script>],
) -> anyhow::Result<Vec<Verdict>> {
    println!("\n{} idle sessions: memory of the process for each (KiB)", numbers.compared);
    println!("{:<10} {:>12} {:>16}", "through", "a session", "and its game");
    let relay = weigh(programs, Kind::Relay, numbers.compared, scripts).await?;
    let server = weigh(programs, Kind::Server, numbers.compared, scripts).await?;
    let mut verdicts = vec![Verdict::at_most(
        "an idle session",
        server,
        1.5 * relay,
        "KiB",
        "1.5 of the relay's connections",
    )];
    verdicts.extend(hold(programs, numbers, scripts).await?);
    Ok(verdicts)
}

/// KiB of a session that does nothing; prints that, and what the game costs that each then opens.
async fn weigh(programs: &Programs, kind: Kind, count: u32, scripts: &[Arc<Script>]) -> anyhow::Result<f64> {
    let host = programs.start(kind).await?;
    let doors = Doors::to(host.place)?;
    let _first = doors.enter_all(0..FIRST).await;
    let before = at_rest(&host).await?;
    let wires = doors.enter_all(FIRST..FIRST + count).await;
    let idle = at_rest(&host).await?;
    let crowd = Crowd::sit_down(kind, wires, scripts).await;
    let seated = at_rest(&host).await?;
    drop(crowd);
    let each = |from, to| kib_each(from, to, count);
    println!("{:<10} {:>12.1} {:>16.1}", kind.name(), each(before, idle), each(before, seated));
    Ok(each(before, idle))
}

/// Thousands of sessions in one server, some of which then play.
async fn hold(
    programs: &Programs,
    numbers: Numbers,
    scripts: &[Arc<Script>],
) -> anyhow::Result<Vec<Verdict>> {
    let Numbers { held, games, rate, .. } = numbers;
    println!("\n{held} sessions, {games} games among them");
    let host = programs.start(Kind::Server).await?;
    let doors = Doors::to(host.place)?;
    let first = doors.enter_all(0..FIRST).await;
    let before = at_rest(&host).await?;
    let (started, cpu) = (Instant::now(), host.process.cpu()?);
    let mut idlers = doors.enter_all(FIRST..FIRST + held).await;
    let entered = started.elapsed();
    let entering_cpu = host.process.cpu_since(cpu)? / held;
    let after = at_rest(&host).await?;
    let idle_cores = idleness(&host).await?;
    println!(
        "all in after {:.1} s, {:.0} us of CPU each; {:.1} KiB each; idle they take {:.1} % of a core",
        entered.as_secs_f64(),
        micros(entering_cpu),
        kib_each(before, after, held),
        100.0 * idle_cores
    );
    let players = idlers.split_off(idlers.len().saturating_sub(2 * games as usize));
    let started = Instant::now();
    let crowd = Crowd::sit_down(Kind::Server, players, scripts).await;
    println!("all games begun after {:.1} s", started.elapsed().as_secs_f64());
    let mut playing = crowd.play(Some(rate));
    play(&host, &mut playing, idle_cores).await?;
    let lost = lost(&first) + lost(&idlers);
    Ok(vec![
        Verdict::at_most("idle sessions lost meanwhile", figure(lost), 0.0, "sessions", "the goal"),
        Verdict::at_most("until all are in", entered.as_secs_f64(), 5.0, "s", "the goal"),
        Verdict::at_most("a session held", kib_each(before, after, held), 45.0, "KiB", "the goal"),
        Verdict::at_most("CPU while idle", 100.0 * idle_cores, 5.0, "% of a core", "the goal"),
    ])
}

/// Measures the moves, and prints what they cost above the idle sessions around them.
async fn play(host: &Host, playing: &mut Playing, idle_cores: f64) -> anyhow::Result<()> {
    let measured = playing.measure(host, REST, PLAY).await?;
    let idle = measured.time.as_secs_f64() * idle_cores;
    let above = measured.per_move((measured.spent.host_cpu.as_secs_f64() - idle).max(0.0) * 1e6);
    println!(
        "{:.0} moves/s, {} late: p50 {:.0} us, p99 {:.0} us, {:.2} cores; {above:.1} us of CPU a move above idle",
        measured.moves_per_second(),
        measured.seen.late,
        micros(measured.seen.to_opponent.percentile(50)),
        micros(measured.seen.to_opponent.percentile(99)),
        measured.host_cores(),
    );
    Ok(())
}

/// Who is not there any more.
fn lost(wires: &[Wire]) -> u64 {
    wires.iter().filter(|wire| wire.connection.close_reason().is_some()).count() as u64
}

async fn at_rest(host: &Host) -> anyhow::Result<u64> {
    tokio::time::sleep(REST).await;
    host.process.resident_kib()
}

/// How many cores the host keeps busy while nobody does anything.
async fn idleness(host: &Host) -> anyhow::Result<f64> {
    let before = host.process.cpu()?;
    tokio::time::sleep(IDLENESS).await;
    Ok(host.process.cpu_since(before)?.as_secs_f64() / IDLENESS.as_secs_f64())
}

fn kib_each(before: u64, after: u64, count: u32) -> f64 {
    figure(after.saturating_sub(before)) / f64::from(count)
}
