//! The task of one game: opens letters one by one, and lets nothing out that is not on disk.

mod absence;
mod call;
mod listeners;
mod ruling;
mod talk;

use super::audience::{Audience, ListenerId};
use super::chat::Chat;
use super::entry::{Cause, Entry, Place};
use super::feed::Feed;
use super::handle::{Act, Letter, Mailboxes, Visit};
use super::intents::command_of;
use super::pondering::Pondering;
use super::rematch::Rematch;
use super::seats::Seated;
use crate::blocks::Blocks;
use crate::calls::Calls;
use crate::metrics::figure::Stopwatch;
use crate::metrics::{Metrics, RefusalKind};
use crate::report::{Report, Reporter};
use crate::store::{Health, Phase, Store, StoreFailure};
use crate::timeline::{ServerInstant, Timeline};
use chatrang_protocol::ids::{GameId, Seq};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::view::PlayerView;
use chatrang_rules::color::ByColor;
use chatrang_rules::game::{
    Command, Event, Game, GameInstant, Millis, Party, Refusal, ReplayError, Stamp, Suspension,
};
use chatrang_rules::outcome::GameResult;
use std::collections::HashMap;
use std::pin::pin;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, info};

/// How long the house leaves a store alone that did not take what it wanted to write, unless the store is full
/// and says itself when it has room.
const STORE_RETRY: Millis = Millis(500);

/// What a game needs of the house it is played in.
#[derive(Clone, Debug)]
pub struct House {
    /// Where events are kept.
    pub store: Store,
    /// Who hears nothing of whom, and has no rematch with him.
    pub blocks: Blocks,
    /// What time it is.
    pub timeline: Arc<dyn Timeline>,
    /// Where games that begin and end are told.
    pub reporter: Reporter,
    /// Where games wait for an arbiter.
    pub calls: Calls,
    /// What is counted for whoever watches over the server.
    pub metrics: Metrics,
    /// Where long questions to the Laws are worked on.
    pub pondering: Pondering,
    /// How long clocks stand still after a restart when a player does not come back.
    pub restart_grace_ms: u64,
    /// Told when the server stops.
    pub stop: CancellationToken,
}

/// What never changes about a game.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its number.
    pub game: GameId,
    /// When it was created: game time counts from here.
    pub created: ServerInstant,
    /// Who plays.
    pub players: ByColor<PlayerView>,
}

/// Who has asked for something, and where he hears what came of it.
#[derive(Clone, Copy, Debug)]
struct Asker {
    cause: Cause,
    from: ListenerId,
}

/// The task of one game.
#[derive(Debug)]
pub(super) struct Actor {
    house: House,
    table: Table,
    /// Both players' seats, as long as there is no result.
    seated: Option<Seated>,
    mailboxes: Mailboxes,
    game: Game,
    /// Everything that is on disk, in order.
    entries: Vec<Entry>,
    /// The answers that a doubled intent gets again.
    answered: HashMap<Cause, Seq>,
    audience: Audience,
    chat: Chat,
    rematch: Rematch,
    /// The last updates, for listeners that have missed a few.
    feed: Feed,
    /// When the last event was handed out: the time from its arrival until then is nobody's.
    handed_out: ServerInstant,
    /// When this task began: what a restart's grace counts from.
    began: ServerInstant,
    /// From when on an absence counts: time that a restart took is nobody's.
    absence_counts_from: ServerInstant,
    /// The absences that the record does not take, by when they began.
    unrecorded: ByColor<Option<ServerInstant>>,
    /// When the house may next write by itself: what is due stays due while it cannot be kept.
    writes_again: ServerInstant,
    /// Runs since the intent that is heard came, for the metrics alone.
    arrived: Option<Stopwatch>,
}

impl Actor {
    /// The game that `entries` tell, all of which are on disk.
    ///
    /// # Errors
    /// [`ReplayError`] when they tell none.
    pub(super) fn new(
        house: House,
        table: Table,
        entries: Vec<Entry>,
        seated: Seated,
        mailboxes: Mailboxes,
    ) -> Result<Self, ReplayError> {
        let game = Game::replay(entries.iter().map(Entry::event))?;
        let answered =
            (0..).zip(&entries).filter_map(|(seq, entry)| Some((entry.cause()?, Seq(seq)))).collect();
        let now = house.timeline.now();
        Ok(Self {
            audience: Audience::new(now).counting(house.metrics.listeners_let_go.clone()),
            chat: Chat::default(),
            rematch: Rematch::default(),
            handed_out: now,
            began: now,
            absence_counts_from: now,
            unrecorded: ByColor::default(),
            writes_again: now,
            arrived: None,
            house,
            table,
            seated: Some(seated),
            mailboxes,
            feed: Feed::new(),
            game,
            entries,
            answered,
        })
    }

    /// Plays on with a game that a restart has interrupted.
    ///
    /// A clock that ran then stands still from `lived`, the last instant at which the server is known to
    /// have lived, until both players are back or the grace has passed.
    pub(super) async fn run_after_restart(mut self, lived: ServerInstant) {
        self.stop_clocks_at(lived).await;
        if self.waits_for_restart() {
            self.forget_absences().await;
        }
        self.run().await;
    }

    /// Stops the clocks as a restart does, and plays no further.
    pub(super) async fn suspend_for_restart(mut self, lived: ServerInstant) {
        self.stop_clocks_at(lived).await;
    }

    async fn stop_clocks_at(&mut self, lived: ServerInstant) {
        if self.game.result().is_none() && self.game.suspension().is_none() {
            let suspend = Command::Suspend(Suspension::Restart);
            // A server that stops in order has suspended its games. This one crashed, and its listeners
            // had the last event but for one commit's time.
            let stamp = Stamp::at(GameInstant(lived.since_ms(self.table.created)));
            // Full again at once: no clock runs while the store is full, and the next start suspends.
            let _ = self.command(Party::House, suspend, stamp, None).await;
        }
    }

    /// Plays the game until it has ended and nobody looks at it any more, or the server stops.
    pub(super) async fn run(mut self) {
        self.show_call();
        let stop = self.house.stop.clone();
        let mut stopped = pin!(stop.cancelled());
        while !self.is_over() {
            let wake = self.wakes();
            tokio::select! {
                // What a player has sent has arrived before a deadline passes, and no crowd of visitors
                // keeps a flag from falling.
                biased;
                () = &mut stopped => return self.stop().await,
                Some(letter) = self.mailboxes.acts.recv() => self.open(letter).await,
                () = sleep_until(&self.house, wake) => self.wake().await,
                Some(visit) = self.mailboxes.visits.recv() => self.receive(visit).await,
                else => return,
            }
        }
    }

    /// Stops the clocks before the server does, while it is still known what the house owes.
    async fn stop(&mut self) {
        if self.game.result().is_none() && self.game.suspension().is_none() {
            let stamp = self.stamp_at(self.house.timeline.now());
            // A store that takes nothing any more leaves it to the next start.
            let _ = self.command(Party::House, Command::Suspend(Suspension::Restart), stamp, None).await;
        }
    }

    fn is_over(&self) -> bool {
        self.game.result().is_some() && self.audience.is_empty() && self.mailboxes.visits.is_empty()
    }

    async fn receive(&mut self, visit: Visit) {
        match visit {
            Visit::Attach { account, seat, seen, queue, answer } => {
                // Whoever asked may have gone; the audience finds out.
                let _ = answer.send(self.attach(account, seat, seen, queue));
                self.note_presence().await;
                self.continue_when_complete().await;
            }
            Visit::Detach(listener) => {
                let before = self.presence();
                self.audience.leave(listener, self.house.timeline.now());
                self.announce(before);
            }
            Visit::Summary(answer) => {
                let _ = answer.send(self.summary());
            }
            Visit::Talk { speaker, frame, answer } => {
                // Whoever spoke may have lost his connection; he has been heard.
                let _ = answer.send(self.talk(speaker, frame));
            }
            Visit::RematchSettled(begun) => self.settle_rematch(begun),
        }
    }

    /// Sees to it that whoever has asked is answered.
    async fn open(&mut self, Letter { act, answered }: Letter) {
        let asker = Asker { cause: act.cause, from: act.from };
        if let Some(outcome) = self.act(act, asker).await.transpose() {
            // When a flush has failed nobody knows what is on disk: nothing is said, and the same
            // intent asks again at the next start.
            if matches!(*self.house.store.health().borrow(), Health::Failed(_)) {
                return;
            }
            if let Err(why) = &outcome {
                self.house.metrics.refusals.count(RefusalKind::of(why));
                debug!(account = %asker.cause.account, law = why.law(), %why, "intent refused");
            }
            self.answer_only(asker, outcome);
        }
        // Whoever asked may have lost his connection; his intent stands.
        let _ = answered.send(());
    }

    /// Does as an intent wants; the event that answers it, or none when it has been answered with what came
    /// of it.
    ///
    /// # Errors
    /// Why nothing came of it.
    async fn act(&mut self, act: Act, asker: Asker) -> Result<Option<Seq>, IntentError> {
        if let Some(&seq) = self.answered.get(&act.cause) {
            return Ok(Some(seq));
        }
        if act.intent == Intent::Resume
            && let Some(side) = self.missing_from_adjourned()
        {
            return Err(Refusal::StillAway { side }.into());
        }
        let command = command_of(&self.game, &self.entries, act.intent, act.seen)?;
        let stamp = Stamp { path_rtt: act.arrival.path_rtt, ..self.stamp_at(act.arrival.at) };
        self.arrived = Some(act.arrival.stopwatch);
        let outcome = self.command(act.by, command, stamp, Some(asker)).await;
        self.arrived = None;
        outcome.map(|()| None)
    }

    /// Brings a command to the Laws, keeps what comes of it, and only then tells anyone.
    async fn command(
        &mut self,
        by: Party,
        command: Command,
        stamp: Stamp,
        asker: Option<Asker>,
    ) -> Result<(), IntentError> {
        let ply = self.game.ply();
        let ruling = self.rule(by, command, stamp).await?;
        // A refused command may still have found a fallen flag, which is nobody's intent.
        let asker = asker.filter(|_| ruling.answer.is_ok());
        self.keep(ruling.events, ply, asker).await?;
        Ok(ruling.answer?)
    }

    async fn wake(&mut self) {
        let stamp = self.stamp_at(self.house.timeline.now());
        let ply = self.game.ply();
        if let Ok(Some(event)) = self.tick(stamp).await {
            // The store is full: time stands still, and the flag falls when it goes on.
            let _ = self.keep(vec![event], ply, None).await;
        }
        if self.waits_for_restart() && self.house.timeline.now() >= self.grace_ends() {
            self.let_clocks_run().await;
        }
        self.note_presence().await;
    }

    async fn continue_when_complete(&mut self) {
        if self.audience.is_complete() && self.waits_for_restart() {
            self.let_clocks_run().await;
        }
    }

    async fn let_clocks_run(&mut self) {
        let now = self.house.timeline.now();
        // The store is full: no clock runs anyway, and the next attach or grace tries again.
        if self.command(Party::House, Command::Continue, self.stamp_at(now), None).await.is_ok() {
            self.absence_counts_from = now;
        }
    }

    /// Whether the clocks stand still for players who are not back after a restart.
    fn waits_for_restart(&self) -> bool {
        self.game.result().is_none() && self.game.suspension() == Some(Suspension::Restart)
    }

    /// Appends events to the journal, waits until they are on disk, answers whoever has asked for them, and
    /// tells the audience. The game was at `ply` before them; only the last of them can have changed that.
    ///
    /// If they cannot be kept, the game goes back to what is on disk.
    async fn keep(&mut self, events: Vec<Event>, ply: u32, asker: Option<Asker>) -> Result<(), IntentError> {
        if events.is_empty() {
            return Ok(());
        }
        let cause = asker.map(|asker| asker.cause);
        let new: Vec<Entry> = events.into_iter().map(|event| Entry::Happened { cause, event }).collect();
        let appended = self.append(&new, ply);
        // While the disk writes, what will be told is made ready.
        let ready = self.make_ready(&new, ply);
        if let Err(failure) = appended.await {
            self.return_to_disk();
            if failure != StoreFailure::Full {
                self.writes_again = self.house.timeline.now().plus_ms(STORE_RETRY.0);
            }
            return Err(match failure {
                StoreFailure::Full => IntentError::StoreFull,
                StoreFailure::Busy => IntentError::Busy,
                _ => IntentError::ServerStopping,
            });
        }
        let committed = Stopwatch::start();
        let ready = if self.is_fresh(&ready) { ready } else { self.make_ready(&new, ply) };
        self.entries.extend(new);
        if let Some(cause) = cause {
            self.answered.insert(cause, self.seq());
        }
        self.hand_out(ready, asker);
        self.count(ply, committed);
        self.show_call();
        if let Some(result) = self.game.result() {
            self.close(result);
        }
        Ok(())
    }

    /// Counts what was kept and handed out.
    fn count(&self, ply: u32, committed: Stopwatch) {
        let metrics = &self.house.metrics;
        let handed_out = committed.elapsed();
        metrics.commit_to_send.observe(handed_out);
        if let Some(arrived) = self.arrived {
            metrics.accept_to_commit.observe(arrived.elapsed().saturating_sub(handed_out));
        }
        if self.game.ply() > ply {
            metrics.moves.count();
        }
    }

    /// The players are free for other games; whoever still looks at this one may.
    fn close(&mut self, result: GameResult) {
        self.seated = None;
        info!(%result, "game over");
        self.house.reporter.report(&Report::GameOver {
            game: self.table.game.0,
            result: result.score_text(),
            termination: result.termination.name(),
        });
        self.open_rooms();
    }

    fn append(
        &self,
        new: &[Entry],
        ply: u32,
    ) -> impl Future<Output = Result<(), StoreFailure>> + Send + use<> {
        let rows = (self.entries.len() as u64..).zip(new).map(|(seq, entry)| {
            let place = Place { game: self.table.game, created: self.table.created, seq: Seq(seq), ply };
            let phase = entry.event().end.map_or(Phase::Continues, |result| Phase::Ends(result.score_text()));
            entry.row(place, phase)
        });
        let rows: Result<Vec<_>, _> = rows.collect();
        let appended = rows.map(|rows| self.house.store.append(rows));
        async move {
            match appended {
                Ok(appended) => appended.await,
                Err(error) => {
                    error!(%error, "an event has no encoding: this is a fault of the server");
                    Err(StoreFailure::Refused(error.to_string()))
                }
            }
        }
    }

    fn return_to_disk(&mut self) {
        match Game::replay(self.entries.iter().map(Entry::event)) {
            Ok(game) => self.game = game,
            Err(error) => {
                error!(%error, "the game's own record does not replay: this is a fault of the server");
            }
        }
    }

    /// The seq of the last event on disk.
    fn seq(&self) -> Seq {
        Seq(self.entries.len() as u64 - 1)
    }

    fn stamp_at(&self, at: ServerInstant) -> Stamp {
        let now = GameInstant(at.since_ms(self.table.created));
        Stamp { house: self.house_time(), ..Stamp::at(now) }
    }

    /// From the last event's arrival until its listeners were told: charged to nobody.
    fn house_time(&self) -> Millis {
        let arrived = self.table.created.plus_ms(self.game.last_event().0);
        Millis(self.handed_out.since_ms(arrived))
    }

    /// When this task has something to do without a letter.
    fn wakes(&self) -> Option<ServerInstant> {
        if self.game.result().is_some() {
            return None;
        }
        let deadline = self.game.deadline().map(|deadline| {
            let deadline = deadline.plus(self.house_time());
            self.table.created.plus_ms(deadline.0)
        });
        let grace = self.waits_for_restart().then(|| self.grace_ends());
        let due = [deadline, grace, self.presence_due()].into_iter().flatten().min();
        due.map(|due| due.max(self.writes_again))
    }

    fn grace_ends(&self) -> ServerInstant {
        self.began.plus_ms(self.house.restart_grace_ms)
    }
}

/// Sleeps until then, or for ever; and as long as the store takes nothing, whatever the time.
async fn sleep_until(house: &House, at: Option<ServerInstant>) {
    let Some(at) = at else { return std::future::pending().await };
    if house.store.health().wait_for(|health| *health == Health::Healthy).await.is_err() {
        // The store is closed: the server stops.
        return std::future::pending().await;
    }
    house.timeline.sleep_until(at).await;
}
