//! Classes of speed (FIDE A.1, B.1).

/// How quick a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpeedClass {
    /// Under three minutes.
    Bullet,
    /// To ten minutes.
    Blitz,
    /// Under an hour.
    Rapid,
    /// Longer.
    Classical,
    /// Days a move.
    Correspondence,
}
