//! How many unfinished games each account plays, those that are just beginning included.

use chatrang_protocol::ids::AccountId;
use chatrang_protocol::limits;
use chatrang_rules::color::{ByColor, Color};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All seats of the server. Cheap to clone; the same seats behind all clones.
#[derive(Clone, Debug, Default)]
pub struct Seats(Arc<Mutex<HashMap<AccountId, usize>>>);

/// Two taken seats of one game; free again when dropped.
#[derive(Debug)]
pub struct Seated {
    players: ByColor<AccountId>,
    seats: Seats,
}

impl Seats {
    /// Whether this account may be in one more game.
    pub fn has_room(&self, account: AccountId) -> bool {
        has_room(&self.lock(), account)
    }

    /// Takes a seat for each, or none when one of them is in as many games as he may be.
    pub fn take(&self, players: ByColor<AccountId>) -> Option<Seated> {
        let mut taken = self.lock();
        let room = Color::ALL.into_iter().all(|color| has_room(&taken, players[color]));
        room.then(|| self.sit(&mut taken, players))
    }

    /// Takes a seat for each, whatever else they play: their game goes on after a restart.
    pub fn keep(&self, players: ByColor<AccountId>) -> Seated {
        self.sit(&mut self.lock(), players)
    }

    fn sit(&self, taken: &mut HashMap<AccountId, usize>, players: ByColor<AccountId>) -> Seated {
        for color in Color::ALL {
            *taken.entry(players[color]).or_default() += 1;
        }
        Seated { players, seats: self.clone() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AccountId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn has_room(taken: &HashMap<AccountId, usize>, account: AccountId) -> bool {
    taken.get(&account).copied().unwrap_or_default() < limits::GAMES_PER_ACCOUNT_MAX
}

impl Drop for Seated {
    fn drop(&mut self) {
        let mut taken = self.seats.lock();
        for color in Color::ALL {
            let account = self.players[color];
            let left = taken.get(&account).copied().unwrap_or_default().saturating_sub(1);
            if left == 0 {
                taken.remove(&account);
            } else {
                taken.insert(account, left);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_has_so_many_games_and_a_finished_one_makes_room() {
        let seats = Seats::default();
        let game = |opponent| ByColor { white: AccountId(1), black: AccountId(opponent) };
        let mut taken: Vec<Seated> =
            (0..limits::GAMES_PER_ACCOUNT_MAX as u64).map(|n| seats.take(game(10 + n)).unwrap()).collect();
        assert!(!seats.has_room(AccountId(1)));
        assert!(seats.has_room(AccountId(2)));
        assert!(seats.take(game(2)).is_none());
        drop(seats.keep(game(2)));
        assert!(seats.take(game(2)).is_none());
        taken.pop();
        assert!(seats.take(game(2)).is_some());
        drop(taken);
        assert!(seats.lock().is_empty());
    }
}
