//! What happens by itself when its time has come: a flag, a first move that was not made, an absence, an
//! arbiter who did not come.

use super::conduct::{FlagFall, NoShow};
use super::draft::Draft;
use super::event::Action;
use super::state::State;
use super::time::{GameInstant, Stamp};
use super::{absence, arbiter, ending, flag};
use crate::outcome::{GameResult, Termination};

/// When something may next be due, if nothing else happens and the house takes no time.
pub(super) fn deadline(state: &State) -> Option<GameInstant> {
    if state.result().is_some() {
        return None;
    }
    let deadlines = [
        flag_falls(state),
        first_move_ends(state),
        absence::ends_by_itself(state),
        arbiter::wait_ends(state),
    ];
    deadlines.into_iter().flatten().min()
}

/// Whether anything may be overdue at `now`, whatever credit is given: told at once, where what comes of it may
/// take long to find out.
pub(super) fn may_be_overdue(state: &State, now: GameInstant) -> bool {
    deadline(state).is_some_and(|deadline| deadline <= now) || state.clock().is_flag_down(Stamp::at(now))
}

/// What a deadline that has passed gives.
pub(super) fn overdue(state: &State, stamp: Stamp) -> Option<Draft> {
    let passed =
        |deadline: Option<GameInstant>| deadline.is_some_and(|end| end.plus(stamp.house) <= stamp.now);
    if state.result().is_some() {
        return None;
    }
    let to_move = state.position().turn();
    let is_flag_down =
        state.terms().conduct.flag_fall == FlagFall::Noticed && state.clock().is_flag_down(stamp);
    let no_show = state.terms().conduct.no_show;
    let is_no_game = is_flag_down && !state.has_begun() && no_show == NoShow::Aborted;
    if is_no_game || passed(first_move_ends(state)) {
        let result = match no_show {
            NoShow::Aborted => GameResult::none(Termination::NoFirstMove),
            NoShow::Lost => GameResult::win(!to_move, Termination::NoFirstMove),
        };
        return Some(state.draft(Action::TimeRanOut, stamp).ending(result));
    }
    if is_flag_down {
        return Some(flag::fallen(state, to_move, stamp));
    }
    if passed(absence::ends_by_itself(state)) {
        let result = ending::lost(state.position(), to_move, Termination::Absence);
        return Some(state.draft(Action::AbsenceEnded, stamp).ending(result));
    }
    passed(arbiter::wait_ends(state)).then(|| arbiter::waited_in_vain(state, stamp))
}

/// When the flag of the side to move falls by itself.
fn flag_falls(state: &State) -> Option<GameInstant> {
    match state.terms().conduct.flag_fall {
        FlagFall::Noticed => state.clock().flag_falls(),
        FlagFall::Claimed => None,
    }
}

/// When the side to move has used up the time for its first move (L29). Where that ends a game without a
/// result, a flag that falls before then does so too: nobody loses on time a game that has not begun.
/// Where not to be there is to lose, only who is away by then loses: whoever sits at the board may think
/// (FIDE 6.7.1).
fn first_move_ends(state: &State) -> Option<GameInstant> {
    state.clock().running().filter(|_| !state.has_begun())?;
    let ends = state.clock().thought_reaches(state.terms().first_move);
    let is_away = state.absent_since(state.position().turn()).is_some();
    match state.terms().conduct.no_show {
        NoShow::Aborted => Some(ends),
        // Who leaves after that time was there when it was over.
        NoShow::Lost => (is_away && ends > state.last_event()).then_some(ends),
    }
}
