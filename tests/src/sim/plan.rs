//! What is to happen in a world, drawn from its seed.

use super::dice::Dice;
use super::keeper::Step;
use super::network::Conditions;
use chatrang_rules::game::Profile as Conduct;

/// What a world suffers from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Nothing: a good network, a good disk.
    Calm,
    /// One packet in ten is lost.
    Loss10,
    /// Three packets in ten are lost.
    Loss30,
    /// The server dies, again and again.
    Crash,
    /// The disk is full for a while, or slow.
    Full,
    /// Anything of it.
    Mix,
}

/// Whether a disk does what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Honesty {
    /// What it has flushed is there after a crash.
    KeepsWhatItFlushed,
    /// It says that it has flushed what it has not: no store can stand on it, and a checker must notice.
    LiesAboutFlush,
}

/// A world to be.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// All chance comes from it.
    pub seed: u64,
    /// What it suffers from.
    pub profile: Profile,
    /// Accounts that play.
    pub players: usize,
    /// Accounts that only watch.
    pub watchers: usize,
    /// Players with a second device, at which somebody plays too.
    pub second_devices: usize,
    /// Players whose intents are sent again over another connection.
    pub echoes: usize,
    /// Games after which nobody looks for another.
    pub games: usize,
    /// How packets fare.
    pub conditions: Conditions,
    /// How games are conducted.
    pub conduct: Conduct,
    /// Whether the disk does what it says.
    pub honesty: Honesty,
    /// How often each fault is injected: about once in so many seconds, or never.
    pub faults: Faults,
}

/// The mean time between two faults of a kind, in seconds; none of those without.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// The server dies.
    pub crash: Option<u64>,
    /// At this step alone, where there is one.
    pub crash_at: Option<Step>,
    /// The disk is full for a while.
    pub full_disk: Option<u64>,
    /// Each flush takes half a second, for a while.
    pub slow_disk: Option<u64>,
    /// A device has another address without knowing.
    pub rebinding: Option<u64>,
    /// A device takes another address.
    pub moving: Option<u64>,
    /// A device hears nothing for ten seconds.
    pub blackout: Option<u64>,
    /// A device hears nothing for longer than its connection lives.
    pub vanishing: Option<u64>,
}

impl Plan {
    /// The world of a seed.
    pub fn new(seed: u64, profile: Profile) -> Self {
        let mut dice = Dice::of(seed, "plan", 0);
        let conduct = if dice.per_mille(700) {
            Conduct::Online
        } else {
            *dice.pick(&Conduct::ALL).expect("there are profiles")
        };
        let faults = Faults::of(profile, &mut dice);
        Self {
            seed,
            profile,
            players: 2 * dice.between(2, 4) as usize,
            watchers: dice.between(0, 2) as usize,
            second_devices: dice.between(0, 2) as usize,
            echoes: dice.between(0, 2) as usize,
            games: dice.between(6, 14) as usize,
            conditions: conditions(profile, &mut dice),
            conduct,
            honesty: Honesty::KeepsWhatItFlushed,
            faults,
        }
    }
}

impl Plan {
    /// The same with fewer people and games: for tests that are to be quick.
    #[must_use]
    pub fn small(self) -> Self {
        Self { players: 4, watchers: self.watchers.min(1), games: 4, ..self }
    }
}

impl Profile {
    /// All of them, by the name that a command line has for them.
    pub const NAMED: [(&'static str, Self); 6] = [
        ("calm", Self::Calm),
        ("loss10", Self::Loss10),
        ("loss30", Self::Loss30),
        ("crash", Self::Crash),
        ("full", Self::Full),
        ("mix", Self::Mix),
    ];
}

impl Faults {
    fn of(profile: Profile, dice: &mut Dice) -> Self {
        let none = Self::default();
        match profile {
            Profile::Calm => none,
            Profile::Loss10 | Profile::Loss30 => Self { rebinding: Some(40), ..none },
            Profile::Crash => Self { crash: Some(20), ..none },
            Profile::Full => Self { full_disk: Some(30), slow_disk: Some(30), ..none },
            Profile::Mix => {
                let mut some = |mean_s| dice.per_mille(500).then_some(mean_s);
                Self {
                    crash: some(40),
                    crash_at: None,
                    full_disk: some(60),
                    slow_disk: some(60),
                    rebinding: some(30),
                    moving: some(30),
                    blackout: some(40),
                    vanishing: some(80),
                }
            }
        }
    }
}

fn conditions(profile: Profile, dice: &mut Dice) -> Conditions {
    let good = Conditions { delay_ms: 5, jitter_ms: 20, lost_per_mille: 0, doubled_per_mille: 0 };
    // The paths of the goals: 100 to 150 ms one way, 5 % doubled.
    let far = Conditions { delay_ms: 100, jitter_ms: 50, lost_per_mille: 100, doubled_per_mille: 50 };
    match profile {
        Profile::Calm => good,
        Profile::Crash | Profile::Full => Conditions { lost_per_mille: dice.below(20), ..good },
        Profile::Loss10 => far,
        Profile::Loss30 => Conditions { lost_per_mille: 300, ..far },
        Profile::Mix => Conditions {
            delay_ms: dice.between(1, 200),
            jitter_ms: dice.below(120),
            lost_per_mille: dice.below(200),
            doubled_per_mille: dice.below(80),
        },
    }
}
