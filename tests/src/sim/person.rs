//! An account in a world: finds games, plays them, watches others', and goes home.

use super::bell::Bell;
use super::dice::Dice;
use super::echo::Echo;
use super::guest::{Guest, Heard};
use super::host::Host;
use super::network::{Line, Network, SERVER};
use super::notes::{Listener, Notes};
use super::plan::Plan;
use super::player::{Player, Repeat};
use super::wishes::Temper;
use chatrang_protocol::client::connect::Knock;
use chatrang_protocol::client::{CallError, Chance, Client, Settings};
use chatrang_protocol::ids::GameId;
use chatrang_protocol::intent::Intent;
use chatrang_protocol::key::{Fingerprint, SecretKey};
use chatrang_protocol::lobby::{Proposal, Side};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// Games that one account plays at once.
const GAMES_AT_ONCE: usize = 2;

/// How long somebody who is told no waits before he tries again.
const AGAIN: Duration = Duration::from_secs(1);

/// Copies that may wait to be sent again.
const COPIES_MAX: usize = 4;

/// What the people of a world play at. Few, so that they find each other; short, so that they end.
const CONTROLS: [&str; 6] = ["1+0", "0:30+1", "3+2", "2d2", "2b2", "0:20+0"];

/// What all people of a world share; cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) plan: Plan,
    pub(super) network: Network,
    pub(super) host: Host,
    pub(super) notes: Notes,
    pub(super) fingerprint: Fingerprint,
    /// The games that have begun, as far as anybody has heard.
    pub(super) games: Bell<BTreeSet<GameId>>,
    listeners: Arc<AtomicUsize>,
    devices: Arc<Mutex<Vec<(Line, quinn::Endpoint)>>>,
}

/// An account, with the connection of its first device.
struct Person {
    world: World,
    name: String,
    key: SecretKey,
    dice: Dice,
    echo: Option<mpsc::Sender<Repeat>>,
    second: Option<Client>,
    seated: BTreeSet<GameId>,
    tables: JoinSet<()>,
}

impl World {
    pub(super) fn new(
        plan: Plan,
        network: Network,
        host: Host,
        notes: Notes,
        fingerprint: Fingerprint,
    ) -> Self {
        Self {
            plan,
            network,
            host,
            notes,
            fingerprint,
            games: Bell::default(),
            listeners: Arc::default(),
            devices: Arc::default(),
        }
    }

    /// Everybody's devices.
    pub(super) fn devices(&self) -> Vec<Line> {
        self.devices.lock().unwrap().iter().map(|(line, _)| *line).collect()
    }

    /// A device takes another address, and its sockets with it.
    pub(super) fn move_device(&self, line: Line) {
        let devices = self.devices.lock().unwrap();
        let found = devices.iter().find(|(own, _)| *own == line);
        if let Some((_, endpoint)) = found {
            endpoint.rebind_abstract(self.network.moved_socket(line)).expect("a socket in memory");
        }
    }

    /// Forgets the devices, so that nothing keeps them.
    pub(super) fn forget_devices(&self) {
        self.devices.lock().unwrap().clear();
    }

    /// Whether no more games are to begin.
    pub(super) fn is_closing(&self) -> bool {
        self.games.read(BTreeSet::len) >= self.plan.games
    }

    /// Completes when no more games are to begin.
    pub(super) async fn closing(&self) {
        let games = self.plan.games;
        self.games.until(|begun| begun.len() >= games).await;
    }

    fn listener(&self) -> Listener {
        Listener(self.listeners.fetch_add(1, Ordering::Relaxed))
    }

    /// A new device.
    fn device(&self) -> (quinn::Endpoint, Line) {
        let (endpoint, line) = self.network.device(self.plan.conditions, self.plan.conditions);
        self.devices.lock().unwrap().push((line, endpoint.clone()));
        (endpoint, line)
    }

    /// A client on a new device, who is in.
    async fn enter(&self, name: &str, key: &SecretKey, seed: u64) -> Option<Client> {
        let (endpoint, _) = self.device();
        let line = format!("{SERVER}/{}", self.fingerprint);
        let server = line.parse().expect("the server's line is one");
        let settings = Settings {
            chance: Chance::from_seed(seed),
            ..Settings::new(server, key.clone()).with_handle(name.parse().expect("a name"))
        };
        loop {
            let entered =
                async { Knock::over(settings.clone(), endpoint.clone(), SERVER).await?.enter().await };
            match entered.await {
                Ok(client) => {
                    self.notes.trace(name, format_args!("is in"));
                    return Some(client);
                }
                Err(error) if error.is_final() => {
                    self.notes.complain(format!("{name} is not let in: {error}"));
                    return None;
                }
                Err(_) => sleep(AGAIN).await,
            }
        }
    }
}

/// One account, from its coming to its going home.
pub(super) async fn play(world: World, number: usize) {
    let name = format!("Player{number}");
    let mut dice = Dice::of(world.plan.seed, "player", number);
    let key = SecretKey::generate().expect("the system has chance");
    sleep(dice.ms(0, 2_000)).await;
    let Some(client) = world.enter(&name, &key, dice.number()).await else { return };
    let mut people = JoinSet::new();
    let mut person = Person {
        name: name.clone(),
        dice,
        echo: None,
        second: None,
        seated: BTreeSet::new(),
        tables: JoinSet::new(),
        key: key.clone(),
        world: world.clone(),
    };
    if number < world.plan.echoes {
        let (endpoint, _) = world.device();
        let (give, copies) = mpsc::channel(COPIES_MAX);
        let (server, me, notes) = (world.fingerprint, world.listener(), world.notes.clone());
        people.spawn(Echo { endpoint, key, server, me, notes }.run(copies));
        person.echo = Some(give);
    }
    if (world.plan.echoes..world.plan.echoes + world.plan.second_devices).contains(&number) {
        let seed = person.dice.number();
        person.second = world.enter(&name, &person.key, seed).await;
    }
    person.play_games(&client).await;
    person.finish_games(&client).await;
    let Person { second, echo, .. } = person;
    drop(echo);
    if let Some(second) = second {
        second.close().await;
    }
    client.close().await;
    world.notes.trace(&name, format_args!("is gone"));
    while let Some(ended) = people.join_next().await {
        if let Err(error) = ended {
            world.notes.complain(format!("I6: {name}'s second connection: {error}"));
        }
    }
}

impl Person {
    /// Finds one game after the other, until there have been enough.
    async fn play_games(&mut self, client: &Client) {
        while !self.world.is_closing() {
            if self.tables.len() >= GAMES_AT_ONCE {
                tokio::select! {
                    biased;
                    ended = self.tables.join_next() => self.note_ended(ended),
                    () = self.world.closing() => {}
                }
                continue;
            }
            let text = CONTROLS[(self.world.plan.seed % 5) as usize + usize::from(self.dice.per_mille(300))];
            let proposal = Proposal::casual(text.parse().expect("a control"), Side::Random);
            let found = tokio::select! {
                biased;
                () = self.world.closing() => return,
                found = timeout(Duration::from_secs(20), client.find_game(proposal)) => found,
            };
            match found {
                Ok(Ok(seat)) => self.sit_down(client, seat.game),
                // Nobody wanted to play that, or somebody has just now: whatever has begun is played.
                Err(_) => self.take_seats(client).await,
                Ok(Err(CallError::Refused(_) | CallError::ConnectionLost)) => sleep(AGAIN).await,
                Ok(Err(error)) => {
                    self.world.notes.complain(format!("{} finds no game: {error}", self.name));
                    return;
                }
            }
        }
    }

    /// Plays all that is left to the end, also games that have begun without his knowing.
    async fn finish_games(&mut self, client: &Client) {
        loop {
            self.take_seats(client).await;
            while !self.tables.is_empty() {
                let ended = self.tables.join_next().await;
                self.note_ended(ended);
            }
            if self.world.host.games_in_play() == Some(0) {
                return;
            }
            sleep(AGAIN).await;
        }
    }

    /// Sits down at all games of his.
    async fn take_seats(&mut self, client: &Client) {
        for seat in client.seats().await.unwrap_or_default() {
            self.sit_down(client, seat.game);
        }
    }

    fn note_ended(&self, ended: Option<Result<(), tokio::task::JoinError>>) {
        if let Some(Err(error)) = ended {
            self.world.notes.complain(format!("I6: {} at his game: {error}", self.name));
        }
    }

    /// Plays a game, with all devices he has.
    fn sit_down(&mut self, client: &Client, game: GameId) {
        if !self.seated.insert(game) {
            return;
        }
        self.world.games.change(|games| games.insert(game));
        self.world.notes.trace(&self.name, format_args!("plays game {game}"));
        let devices = [Some(client), self.second.as_ref()];
        for (device, client) in devices.into_iter().flatten().enumerate() {
            let (world, client, me) = (self.world.clone(), client.clone(), self.world.listener());
            let who = format!("{}.{device}", self.name);
            let mut dice = Dice::of(self.world.plan.seed, &who, game.0 as usize);
            let echo = self.echo.clone().filter(|_| device == 0);
            self.tables.spawn(async move {
                let Some(guest) = Guest::open(&client, &who, me, game, &world.notes).await else { return };
                let allowance = guest.link.view().state.clocks.left.white.0;
                let temper = Temper::of(&mut dice, allowance);
                Player::new(guest, temper, dice, echo).play().await;
            });
        }
    }
}

/// An account that only watches: comes to a game, and stays to its end or goes before.
pub(super) async fn watch(world: World, number: usize) {
    let name = format!("Watcher{number}");
    let mut dice = Dice::of(world.plan.seed, "watcher", number);
    let key = SecretKey::generate().expect("the system has chance");
    let Some(client) = world.enter(&name, &key, dice.number()).await else { return };
    let mut watched = BTreeSet::new();
    loop {
        let new: Vec<GameId> = world.games.read(|games| games.difference(&watched).copied().collect());
        match dice.pick(&new) {
            Some(&game) => {
                watched.insert(game);
                let me = world.listener();
                let Some(guest) = Guest::open(&client, &name, me, game, &world.notes).await else { break };
                look_on(guest, &mut dice).await;
            }
            None if world.is_closing() => break,
            None => {
                world.games.until(|games| !games.is_subset(&watched)).await;
            }
        }
    }
    client.close().await;
}

/// Watches one game; tries now and then to move for somebody else.
async fn look_on(mut guest: Guest, dice: &mut Dice) {
    let goes_at = dice.per_mille(300).then(|| Instant::now() + dice.ms(1_000, 30_000));
    let mut meddles_at = Instant::now() + dice.ms(1_000, 20_000);
    loop {
        if guest.is_over() {
            return guest.note_end();
        }
        tokio::select! {
            biased;
            heard = guest.hear() => if let Heard::Ended(end) = heard {
                if guest.is_over() {
                    guest.note_end();
                } else {
                    guest.complain(format_args!("lost the game he watched: {end}"));
                }
                return;
            },
            () = sleep_until(goes_at.unwrap_or(meddles_at)), if goes_at.is_some() => return,
            () = sleep_until(meddles_at) => {
                meddles_at = Instant::now() + dice.ms(5_000, 60_000);
                let state = guest.state();
                if let Some(legal) = dice.pick(&state.legal) {
                    let intent = Intent::Move { ply: state.ply, mv: legal.mv };
                    guest.send(intent);
                }
            }
        }
    }
}
