//! What befalls a world, and when: drawn from its seed.

use super::dice::Dice;
use super::keeper::Step;
use super::network::Line;
use super::person::World;
use std::time::Duration;
use tokio::time::sleep;

/// How long a blackout lasts, in milliseconds; a connection outlives it.
const BLACKOUT_MS: u64 = 10_000;

/// How long a device is gone that vanishes, in milliseconds; its connection is dead by then.
const VANISHED_MS: (u64, u64) = (25_000, 60_000);

/// How long a disk is full or slow, in milliseconds.
const BAD_DISK_MS: (u64, u64) = (500, 8_000);

/// Something that may befall a world.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Crash,
    FullDisk,
    SlowDisk,
    Rebinding,
    Moving,
    Blackout,
    Vanishing,
}

/// Lets things befall a world until no more games are to begin, and then mends what can be mended.
pub(super) async fn blow(world: World) {
    let mut dice = Dice::of(world.plan.seed, "weather", 0);
    let kinds = kinds(&world);
    if !kinds.is_empty() {
        tokio::select! {
            biased;
            () = world.closing() => {}
            () = storm(&world, &kinds, &mut dice) => {}
        }
    }
    world.host.orders().clear();
    world.host.make_room().await;
}

/// The kinds of faults of a world, and how often each comes.
fn kinds(world: &World) -> Vec<(Fault, u64)> {
    let faults = &world.plan.faults;
    [
        (Fault::Crash, faults.crash),
        (Fault::FullDisk, faults.full_disk),
        (Fault::SlowDisk, faults.slow_disk),
        (Fault::Rebinding, faults.rebinding),
        (Fault::Moving, faults.moving),
        (Fault::Blackout, faults.blackout),
        (Fault::Vanishing, faults.vanishing),
    ]
    .into_iter()
    .filter_map(|(fault, mean_s)| Some((fault, mean_s?)))
    .collect()
}

/// One fault after the other. Each kind comes about as often as the plan says.
async fn storm(world: &World, kinds: &[(Fault, u64)], dice: &mut Dice) {
    // The next of each kind, counted from the world's beginning.
    let mut due: Vec<Duration> = kinds.iter().map(|(_, mean_s)| dice.about_ms(mean_s * 1_000)).collect();
    loop {
        let Some((next, at)) = due.iter().copied().enumerate().min_by_key(|(_, at)| *at) else { return };
        sleep(at.saturating_sub(world.notes.now())).await;
        let (fault, mean_s) = kinds[next];
        due[next] = world.notes.now() + dice.about_ms(mean_s * 1_000);
        befall(world, fault, dice).await;
    }
}

async fn befall(world: &World, fault: Fault, dice: &mut Dice) {
    let lines = world.devices();
    let Some(&line) = dice.pick(&lines) else { return };
    match fault {
        Fault::Crash => match world.plan.faults.crash_at.or_else(|| dice.pick(&Step::ALL).copied()) {
            None | Some(Step::Anywhere) => world.host.fail(),
            Some(step) => world.host.orders().kill(step),
        },
        Fault::FullDisk => {
            world.notes.fault("disk full");
            world.host.fill_disk().await;
            sleep(dice.ms(BAD_DISK_MS.0, BAD_DISK_MS.1)).await;
            world.host.make_room().await;
        }
        Fault::SlowDisk => {
            world.notes.fault("disk slow");
            world.host.orders().slow_down(dice.ms(BAD_DISK_MS.0, BAD_DISK_MS.1));
        }
        Fault::Rebinding => {
            world.notes.fault("address changed on the way");
            world.network.rebind(line);
        }
        Fault::Moving => {
            world.notes.fault("device moved to another address");
            world.move_device(line);
        }
        Fault::Blackout => {
            let span = Duration::from_millis(BLACKOUT_MS);
            if dice.per_mille(300) {
                world.notes.fault("blackout of 10 s for all");
                for line in lines {
                    world.network.silence(line, span);
                }
            } else {
                silence(world, line, "blackout of 10 s", span);
            }
        }
        Fault::Vanishing => silence(world, line, "device vanished", dice.ms(VANISHED_MS.0, VANISHED_MS.1)),
    }
}

fn silence(world: &World, line: Line, name: &'static str, span: Duration) {
    world.notes.fault(name);
    world.network.silence(line, span);
}
