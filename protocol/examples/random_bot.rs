//! Plays one game of random legal moves: `random_bot LINE NAME [TIME]`.

use chatrang_protocol::client::{Client, Settings};
use chatrang_protocol::ids::Handle;
use chatrang_protocol::key::SecretKey;
use chatrang_protocol::lobby::{Proposal, Side};
use rand::seq::IndexedRandom;
use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(line), Some(name)) = (words.next(), words.next()) else {
        return Err("usage: random_bot LINE NAME [TIME]".into());
    };
    let controls = words.next().as_deref().unwrap_or("1+0").parse()?;

    // A bot that wants to be the same player tomorrow keeps its key: `to_pkcs8`, `from_pkcs8`.
    let settings = Settings::new(line.parse()?, SecretKey::generate()?).with_handle(Handle::new(&name)?);
    let client = Client::connect(settings).await?;
    let seat = client.find_game(Proposal::casual(controls, Side::Random)).await?;
    println!("{name} has {} against {}", seat.color, seat.opponent);

    let mut game = client.open_game(seat.game).await?;
    while let Some(state) = game.your_turn().await? {
        let mv = state.legal.choose(&mut rand::rng()).ok_or("no legal move")?.mv;
        game.play(mv).await?;
    }
    if let Some(result) = game.state().result {
        println!("{result}");
    }
    client.close().await;
    Ok(())
}
