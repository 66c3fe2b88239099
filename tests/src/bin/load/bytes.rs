//! What a move weighs on the wire.

use crate::crowd::{Crowd, Measured};
use crate::host::{Kind, Programs};
use crate::script::Script;
use crate::verdict::figure;
use std::sync::Arc;
use std::time::Duration;

/// Games at a slow pace, so that no packet carries two moves.
const GAMES: u32 = 20;

/// Moves a second in each.
const RATE: f64 = 1.0;

/// How long is played before anything is looked at.
const WARM_UP: Duration = Duration::from_secs(2);

/// Plays slowly through the relay and through the server, and prints what it weighs.
pub(crate) async fn run(programs: &Programs, time: Duration, scripts: &[Arc<Script>]) -> anyhow::Result<()> {
    println!("\nbytes of a move, {GAMES} games at {RATE} move a second");
    println!("{}", head());
    for kind in [Kind::Relay, Kind::Server] {
        let host = programs.start(kind).await?;
        let mut playing = Crowd::seat(&host, GAMES, scripts).await?.play(Some(RATE));
        println!("{}", row(kind, &playing.measure(&host, WARM_UP, time).await?));
    }
    Ok(())
}

/// Frames first; then, for both players and all of a move together, datagrams and their bytes (UDP's
/// payload: IP and UDP add 28 bytes to each).
fn head() -> String {
    format!(
        "{:<10} {:>7} {:>7} {:>7} {:>10} {:>9} {:>10} {:>9} {:>8}",
        "through", "intent", "answer", "update", "packets up", "bytes up", "and down", "bytes", "in all"
    )
}

fn row(kind: Kind, measured: &Measured) -> String {
    let Measured { seen, spent, .. } = measured;
    let by_move = |count: u64| measured.per_move(figure(count));
    format!(
        "{:<10} {:>7.0} {:>7.0} {:>7.0} {:>10.1} {:>9.0} {:>10.1} {:>9.0} {:>8.0}",
        kind.name(),
        seen.intents.mean_bytes(),
        seen.answers.mean_bytes(),
        seen.updates.mean_bytes(),
        by_move(spent.up.datagrams),
        by_move(spent.up.bytes),
        by_move(spent.down.datagrams),
        by_move(spent.down.bytes),
        by_move(spent.up.bytes + spent.down.bytes),
    )
}
