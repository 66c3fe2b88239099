//! Games that lead to few men: legal from the first move on, and without an end on the way.

/// Black has a bare king, which is in check; White has all that it needs.
pub(crate) const BARE_BLACK_KING: &str = "d4 e5 dxe5 d5 Qxd5 h6 Bxh6 Bd6 Qxb7 f6 Qxc7 Ne7 exf6 Bb7 Qxb8 Rh7 \
    fxe7 Ba3 Qxa7 Bxg2 Bxg7 Rh5 Qxa8 Kf7 Nxa3 Rb5 Nxb5 Qf8 Bxg2 Kg8 exf8=Q+";

/// Black has a bare king, which is not in check and far from White's; White has all that it needs.
pub(crate) const BARE_BLACK_KING_AT_LARGE: &str = "e4 d5 exd5 c6 dxc6 Be6 cxb7 Bf5 bxa8=B h5 Qxh5 Be4 Bxe4 \
    Nh6 Qxf7+ Kd7 Qxe7+ Kc8 Qxg7 Rh7 Qxh6 Qb6 Qxf8+ Qd8 Bxh7 Qe8+ Qxe8+ Kb7 Qxb8+ Kc6 Qxa7";

/// King and rook against king and bishop: Black may take the rook, and then a bishop each is left, on
/// squares of the same colour.
pub(crate) const BISHOPS_OF_ONE_COLOUR_TO_COME: &str = "c4 d5 cxd5 Qxd5 Qc2 Qxa2 Qxh7 Qxb1 Qxg7 Rxh2 Rxa7 \
    Rxh1 Rxa8 Rxg1 Rxb8 Rxg2 Rxb7 Rxf2 Kxf2 Qxc1 Qxg8 Qxb2 Qxf8+ Kxf8 Rxc7 Qxd2 Rxe7 Qxe2+ Bxe2 Bg4 Rxf7+";

/// White has king and knight, Black king and queen; White is to move.
pub(crate) const KNIGHT_AGAINST_QUEEN: &str = "d4 h6 Bxh6 e5 Bxg7 exd4 Qxd4 Rxh2 Qxa7 Rxh1 Qxb7 Rxa2 Qxc8 \
    Rxg1 Bxf8 Kxf8 Qxd7 Rxg2 Qxc7 Rxf2 Qxb8 Rxe2+ Bxe2 Qxb8 Rxa2 Qxb2 Bh5 Qxc2 Bxf7 Qxa2 Bxg8 Kxg8";

/// White has king and knight, Black king and rook; White is to move.
pub(crate) const KNIGHT_AGAINST_ROOK: &str = "e4 d5 exd5 Qxd5 Qh5 Qxa2 Qxh7 Qxb2 Qxg8 Rxh2 Rxa7 Rxh1 Rxa8 \
    Rxg1 Rxb8 Rxg2 Rxb7 Rxf2 Rxc7 Rxd2 Qxg7 Rxc2 Qxf8+ Kxf8 Bxb2 Ba6 Rxe7 Bxf1 Kxf1 Rxb2 Rxf7+ Kxf7";

/// Sam Loyd's shortest stalemate, but for its last move, Qe6.
pub(crate) const ALMOST_STALEMATE: &str =
    "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6";
