//! How long a test waits before it says that something will never happen.

use std::time::Duration;
use tokio::time::timeout;

/// Far longer than anything takes on a busy machine, and short enough to see which wait it was.
pub const PATIENCE: Duration = Duration::from_secs(40);

/// Waits for `future`.
#[track_caller]
pub fn soon<F: Future>(what: &str, future: F) -> impl Future<Output = F::Output> {
    let place = std::panic::Location::caller();
    let waiting = timeout(PATIENCE, future);
    async move { waiting.await.unwrap_or_else(|_| panic!("waited in vain for {what} ({place})")) }
}
