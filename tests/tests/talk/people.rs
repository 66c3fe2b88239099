//! L63, between people: chat, blocks, rematches; and the roles of L44.

use chatrang_protocol::chat::{ChatLine, ChatRoom};
use chatrang_protocol::client::game::GameNews;
use chatrang_protocol::client::{CallError, Client, Settings, Sought};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::ids::{GameId, TalkId};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::limits;
use chatrang_protocol::lobby::Side;
use chatrang_protocol::reply::RequestError;
use chatrang_protocol::role::Role;
use chatrang_protocol::talk::{RematchNews, Talk, TalkError, TalkFrame};
use chatrang_protocol::view::Presence;
use chatrang_rules::color::Color;
use chatrang_rules::game::Refusal;
use chatrang_server::config::RegistrationMode;
use chatrang_tests::binaries::binaries;
use chatrang_tests::children::{Daemon, Talker, command, object};
use chatrang_tests::house::{House, Plan, enter, handle, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, Table, pair, proposal, seat};
use chatrang_tests::scratch::Scratch;
use chatrang_tests::wire::{Wire, framed};
use serde_json::{Value, json};

/// Says something, and waits for nothing.
fn call_out(player: &Player, text: &str) -> TalkId {
    player.link.say(text.parse().unwrap()).unwrap()
}

/// What comes of something that a player has said; what else happens is passed over.
async fn outcome(player: &mut Player, id: TalkId) -> Result<(), TalkError> {
    loop {
        if let GameNews::Talked(answer) = player.next().await
            && answer.id == id
        {
            return answer.outcome;
        }
    }
}

/// Says something, and waits for what comes of it.
async fn say(player: &mut Player, text: &str) -> Result<(), TalkError> {
    let id = call_out(player, text);
    outcome(player, id).await
}

/// Asks for a rematch, and waits for what comes of it.
async fn ask_rematch(player: &mut Player) -> Result<(), TalkError> {
    let id = player.link.ask_rematch().unwrap();
    outcome(player, id).await
}

/// The next lines that a player hears.
async fn heard(player: &mut Player) -> Vec<ChatLine> {
    loop {
        if let GameNews::Chat(lines) = player.next().await {
            return lines;
        }
    }
}

/// The next line that a player hears, with its speaker.
async fn heard_line(player: &mut Player) -> (String, ChatRoom, String) {
    let lines = heard(player).await;
    let [ChatLine { from, room, text, .. }] = lines.as_slice() else { panic!("not one line: {lines:?}") };
    (from.to_string(), *room, text.to_string())
}

fn players(from: &str, text: &str) -> (String, ChatRoom, String) {
    (from.to_owned(), ChatRoom::Players, text.to_owned())
}

fn spectators(from: &str, text: &str) -> (String, ChatRoom, String) {
    (from.to_owned(), ChatRoom::Spectators, text.to_owned())
}

async fn rematch_news(player: &mut Player) -> RematchNews {
    loop {
        if let GameNews::Rematch(news) = player.next().await {
            return news;
        }
    }
}

/// Black gives up.
async fn black_resigns(table: &mut Table) {
    table.black.does(Intent::Resign).await;
    table.white.result().await;
}

fn refused<T>(error: RequestError) -> Result<T, CallError> {
    Err(CallError::Refused(error))
}

/// Both ask, White first; the game that begins.
async fn rematch(table: &mut Table) -> GameId {
    ask_rematch(&mut table.white).await.unwrap();
    assert_eq!(rematch_news(&mut table.black).await, RematchNews::Asked { by: Color::White });
    table.black.link.ask_rematch().unwrap();
    match rematch_news(&mut table.black).await {
        RematchNews::Begun { game } => game,
        news => panic!("not begun: {news:?}"),
    }
}

#[tokio::test]
async fn l63_players_and_spectators_talk_apart_until_the_game_is_over() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let mut farhad = Player::open(house.guest("Farhad").await, table.game).await;
    call_out(&table.white, "Good luck!");
    for player in [&mut table.white, &mut table.black, &mut farhad] {
        assert_eq!(heard_line(player).await, players("Shirin", "Good luck!"), "everybody hears the players");
    }
    say(&mut farhad, "Nf3 wins a pawn").await.unwrap();
    say(&mut table.black, "Thank you").await.unwrap();
    assert_eq!(heard_line(&mut table.white).await, players("Khosrow", "Thank you"), "and not the advice");

    let mut golnar = Player::open(house.guest("Golnar").await, table.game).await;
    let kept = heard(&mut golnar).await;
    let kept: Vec<_> = kept.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(kept, ["Good luck!", "Nf3 wins a pawn", "Thank you"], "who comes late hears what was said");

    table.black.ask(Intent::Resign).await.unwrap();
    assert_eq!(heard_line(&mut table.white).await, spectators("Farhad", "Nf3 wins a pawn"));
    say(&mut golnar, "What a pity").await.unwrap();
    for player in [&mut table.white, &mut table.black] {
        let mut line = heard_line(player).await;
        while line == spectators("Farhad", "Nf3 wins a pawn") {
            line = heard_line(player).await;
        }
        assert_eq!(line, spectators("Golnar", "What a pity"));
    }
}

#[tokio::test]
async fn l63_who_talks_too_fast_is_refused_and_goes_on_playing() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    for number in 0..limits::CHAT_BURST_LINES {
        say(&mut table.white, &format!("line {number}")).await.unwrap();
    }
    assert_eq!(say(&mut table.white, "and another").await, Err(TalkError::TooFast));
    assert_eq!(say(&mut table.black, "hush").await, Ok(()), "each for himself");
    table.play_all("e4 e5").await;
    house.pass_ms(1_000 * limits::CHAT_LINE_SECONDS);
    assert_eq!(say(&mut table.white, "sorry").await, Ok(()));
    assert_eq!(say(&mut table.white, "really").await, Err(TalkError::TooFast));

    // Nor does a second stream of hers give her more.
    let mut again = Player::open(table.white.client.clone(), table.game).await;
    let lines = heard(&mut again).await;
    assert_eq!(lines.len() as u64, limits::CHAT_BURST_LINES + 2);
    assert_eq!(say(&mut again, "really").await, Err(TalkError::TooFast));
}

#[tokio::test]
async fn l63_nobody_is_left_to_talk_at_a_game_that_was_over_before() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    black_resigns(&mut table).await;
    let Table { game, white, black } = table;
    let (shirin, khosrow) = (white.client.clone(), black.client.clone());
    drop((white, black));
    // Its task ends as soon as it knows that nobody looks any more.
    soon("the table to be cleared", async {
        while house.registry.find(game).is_some() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let mut white = Player::open(shirin, game).await;
    let _black = Player::open(khosrow, game).await;
    assert_eq!(say(&mut white, "hello?").await, Err(TalkError::NobodyThere));
    assert_eq!(ask_rematch(&mut white).await, Err(TalkError::NobodyThere));
}

#[tokio::test]
async fn l63_a_block_keeps_pairings_apart_and_chat_unheard() {
    let house = House::open_on_disk().await;
    let (ann, bob, cid) = (house.guest("Ann").await, house.guest("Bob").await, house.guest("Cid").await);
    assert_eq!(ann.block(handle("Nobody")).await, refused(RequestError::NoSuchPlayer));
    assert_eq!(ann.block(handle("ANN")).await, refused(RequestError::BlocksYourself));
    ann.block(handle("bob")).await.unwrap();
    assert_eq!(ann.blocks().await.unwrap(), [handle("Bob")]);
    assert_eq!(bob.blocks().await.unwrap(), []);

    // Neither his seek and hers nor hers and his make a game; another's does.
    let wish = proposal("5+3", Side::Random);
    let Ok(Sought::Listed(his)) = bob.seek(wish).await else { panic!("paired") };
    let Ok(Sought::Listed(hers)) = ann.seek(wish).await else { panic!("paired with him whom she blocks") };
    assert_eq!(ann.take_seek(his).await, refused(RequestError::Blocked));
    assert_eq!(bob.take_seek(hers).await, refused(RequestError::Blocked));
    let Ok(Sought::Paired(seated)) = cid.seek(wish).await else { panic!("not paired") };
    assert_eq!(seated.opponent, handle("Bob"), "who has waited longest");
    let code = bob.invite(wish).await.unwrap();
    assert_eq!(ann.take_invite(code).await, refused(RequestError::Blocked));

    // She watches his game and does not hear him; he hears her.
    let mut watching = Player::open(ann.clone(), seated.game).await;
    let mut playing = Player::open(bob.clone(), seated.game).await;
    let mut opponent = Player::open(cid.clone(), seated.game).await;
    say(&mut playing, "can she hear me?").await.unwrap();
    say(&mut opponent, "no").await.unwrap();
    assert_eq!(heard_line(&mut watching).await, players("Cid", "no"));
    let mut late = Player::open(ann.clone(), seated.game).await;
    assert_eq!(heard_line(&mut late).await, players("Cid", "no"), "nor later");

    // It outlives a restart, and ends when she takes it back.
    let house = house.close().await.reopen().await;
    soon("her to be back", async {
        while ann.blocks().await != Ok(vec![handle("Bob")]) {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let code = soon("him to be back", async {
        loop {
            match bob.invite(wish).await {
                Ok(code) => return code,
                Err(CallError::ConnectionLost) => tokio::task::yield_now().await,
                Err(error) => panic!("{error}"),
            }
        }
    })
    .await;
    assert_eq!(ann.take_invite(code).await, refused(RequestError::Blocked));
    ann.unblock(handle("Bob")).await.unwrap();
    assert!(ann.take_invite(code).await.is_ok());
    drop(house);
}

#[tokio::test]
async fn l63_a_rematch_has_the_same_terms_and_exchanged_colours() {
    let house = House::open().await;
    let mut table = house.table("3+2").await;
    let mut farhad = Player::open(house.guest("Farhad").await, table.game).await;
    assert_eq!(ask_rematch(&mut table.white).await, Err(TalkError::NotOver));
    black_resigns(&mut table).await;
    assert_eq!(ask_rematch(&mut farhad).await, Err(TalkError::NotSeated));

    let next = rematch(&mut table).await;
    assert_ne!(next, table.game);
    assert_eq!(rematch_news(&mut farhad).await, RematchNews::Asked { by: Color::White });
    assert_eq!(rematch_news(&mut farhad).await, RematchNews::Begun { game: next });
    let terms = table.white.link.view().terms;
    let Table { white, black, .. } = table;
    let mut shirin = Player::open(white.client.clone(), next).await;
    let mut khosrow = Player::open(black.client.clone(), next).await;
    assert_eq!((shirin.link.view().seat, khosrow.link.view().seat), (Some(Color::Black), Some(Color::White)));
    assert_eq!(shirin.link.view().terms, terms);
    let seq = khosrow.play("e4").await;
    shirin.until_seq(seq).await;
    assert_eq!(
        khosrow.ask(Intent::Move { ply: 1, mv: shirin.legal("e5") }).await,
        Err(IntentError::Law(Refusal::NotYourTurn { to_move: Color::Black }))
    );
}

#[tokio::test]
async fn l63_a_rematch_is_off_when_a_player_leaves_or_blocks_the_other() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    black_resigns(&mut table).await;
    ask_rematch(&mut table.white).await.unwrap();
    let Table { game, mut white, black } = table;
    let khosrow = black.client.clone();
    drop(black);
    assert_eq!(rematch_news(&mut white).await, RematchNews::Withdrawn);
    assert_eq!(ask_rematch(&mut white).await, Err(TalkError::OpponentGone));

    let black = Player::open(khosrow, game).await;
    let mut table = Table { game, white, black };
    table.white.until("Black to be back", |view| view.presence.black == Presence::Here).await;
    let next = rematch(&mut table).await;
    let mut next = seat_at(table, next).await;
    black_resigns(&mut next).await;
    next.white.client.block(handle("Shirin")).await.unwrap();
    for player in [&mut next.white, &mut next.black] {
        assert_eq!(ask_rematch(player).await, Err(TalkError::NoGame(RequestError::Blocked)));
    }
}

/// Both players of a table at their rematch.
async fn seat_at(table: Table, game: GameId) -> Table {
    let Table { white, black, .. } = table;
    let mut white_now = Player::open(black.client.clone(), game).await;
    let black_now = Player::open(white.client.clone(), game).await;
    white_now.until("Black to be here", |view| view.presence.black == Presence::Here).await;
    Table { game, white: white_now, black: black_now }
}

/// The seats rule holds: who is in as many games as he may be has no rematch, and may ask again.
#[tokio::test]
async fn l63_a_rematch_needs_a_free_seat() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let cid = house.guest("Cid").await;
    for _ in 1..limits::GAMES_PER_ACCOUNT_MAX {
        pair(&table.white.client, &cid, proposal("9+0", Side::Random)).await;
    }
    black_resigns(&mut table).await;
    pair(&table.white.client, &house.guest("Dan").await, proposal("9+0", Side::Random)).await;
    ask_rematch(&mut table.white).await.unwrap();
    let refused = ask_rematch(&mut table.black).await;
    assert_eq!(refused, Err(TalkError::NoGame(RequestError::TooManyGames)));
}

#[tokio::test]
async fn l44_an_owner_gives_roles_and_nobody_else() {
    let plan = Plan { registration: RegistrationMode::Open, ..Plan::default() };
    let house = House::open_as(plan).await;
    let ann: Client = enter(Settings { invite: house.invite, ..house.newcomer("Ann") }).await;
    let (bob, cid) = (house.guest("Bob").await, house.guest("Cid").await);
    assert_eq!(bob.set_role(handle("Bob"), Role::Owner).await, refused(RequestError::NotOwner));
    assert_eq!(ann.set_role(handle("Ann"), Role::Player).await, refused(RequestError::LastOwner));
    assert_eq!(ann.set_role(handle("Nobody"), Role::Bot).await, refused(RequestError::NoSuchPlayer));
    ann.set_role(handle("cid"), Role::Bot).await.unwrap();

    // A session has its new role from its next request on, and shows it in its next game.
    let table = seat(cid, bob.clone(), proposal("5+3", Side::Random)).await;
    assert_eq!(table.white.link.view().players.white.role, Role::Bot);
    ann.set_role(handle("Bob"), Role::Owner).await.unwrap();
    bob.set_role(handle("Ann"), Role::Player).await.unwrap();
    assert_eq!(ann.set_role(handle("Cid"), Role::Player).await, refused(RequestError::NotOwner));
}

/// Text that would act on a terminal never gets further than the server's decoder.
#[tokio::test]
async fn l63_terminal_escapes_are_no_chat() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let wire = Wire::enter(&house, &new_key(), "Zahhak").await;
    let (mut stream, _) = wire.attach(table.game).await;
    let text = "[2J xxxx".parse().unwrap();
    let harmless = framed(TalkFrame { id: TalkId(1), talk: Talk::Say(text) });
    let escape = harmless.iter().map(|&byte| if byte == b'x' { 0x1b } else { byte }).collect::<Vec<_>>();
    stream.give_bytes(&escape).await;
    assert_eq!(wire.closed().await, CloseCode::Malformed);
    call_out(&table.black, "what was that?");
    assert_eq!(heard_line(&mut table.white).await, players("Khosrow", "what was that?"));
}

/// A `chatrang` at home in a directory of its own.
fn chatrang(home: &Scratch, arguments: &[&str]) -> Talker {
    Talker::start(command(&binaries().chatrang, home.path()).args(arguments))
}

/// A command that ends by itself: its objects.
async fn objects(mut process: Talker) -> Vec<Value> {
    let mut objects = Vec::new();
    while let Some(line) = process.line().await {
        objects.push(object(&line));
    }
    objects
}

/// Two JSON clients that stay: they talk, one of them mutes the other, and they play again.
#[tokio::test]
async fn l63_two_scripts_talk_and_play_again() {
    let (dir, shirin, khosrow) = (Scratch::new(), Scratch::new(), Scratch::new());
    let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let line = daemon.line();
    let arguments = ["play", "--json", "--stay", "--server", &line];
    let mut white = chatrang(&shirin, &[&arguments[..], &["--name", "Shirin", "--side", "white"]].concat());
    white.object("seeking").await;
    let mut black = chatrang(&khosrow, &[&arguments[..], &["--name", "Khosrow", "--side", "black"]].concat());
    for client in [&mut white, &mut black] {
        client.object("game").await;
    }
    white.say("say Good luck, e4!").await;
    for client in [&mut white, &mut black] {
        let chat = client.object("chat").await;
        assert_eq!((&chat["from"], &chat["room"]), (&"Shirin".into(), &"players".into()));
        assert_eq!(chat["text"], "Good luck, e4!");
    }
    white.say("say \u{1b}[2J").await;
    assert_eq!(white.object("refused").await["law"], "input");

    white.say("mute").await;
    white.object("note").await;
    black.say("/can you hear me?").await;
    assert_eq!(black.object("chat").await["text"], "can you hear me?");
    // The stream of a game keeps its order: with this move White has had the line that he does not hear.
    white.say("e4").await;
    assert_eq!(white.object("move").await["san"], "e4");
    white.say("unmute").await;
    white.object("note").await;
    black.say("say and now?").await;
    assert_eq!(white.object("chat").await["text"], "and now?");

    white.say("rematch").await;
    assert_eq!(white.object("refused").await["law"], "L63");
    black.say("resign yes").await;
    for client in [&mut white, &mut black] {
        assert_eq!(client.object("end").await["result"], "1-0");
    }
    black.say("rematch").await;
    for client in [&mut white, &mut black] {
        assert_eq!(client.object("rematch").await["by"], "black");
    }
    white.say("rematch").await;
    for (client, side) in [(&mut white, "black"), (&mut black, "white")] {
        assert_eq!(client.object("rematch_begun").await["game"], 2);
        let game = client.object("game").await;
        assert_eq!((&game["game"], &game["side"], &game["terms"]), (&2.into(), &side.into(), &"5+3".into()));
    }
    black.say("e4").await;
    for client in [&mut white, &mut black] {
        assert_eq!(client.object("move").await["san"], "e4");
    }
    white.say("abort").await;
    for client in [&mut white, &mut black] {
        assert_eq!(client.object("end").await["termination"], "aborted");
    }
    // The end of its input, or a word, ends a client that stays.
    white.hang_up();
    black.say("quit").await;
    for client in [&mut white, &mut black] {
        assert_eq!(client.ends().await.code(), Some(0));
    }
}

/// Blocks and roles from the command lines of player, owner and operator.
#[tokio::test]
async fn l44_l63_blocks_and_roles_have_commands() {
    let (dir, shirin, khosrow) = (Scratch::new(), Scratch::new(), Scratch::new());
    let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let line = daemon.line();
    let at = |home, arguments: &[&str], name| {
        objects(chatrang(home, &[arguments, &["--json", "--server", &line, "--name", name]].concat()))
    };
    assert_eq!(at(&khosrow, &["games"], "Khosrow").await, [] as [Value; 0]);
    let blocked = json!({"v": 1, "type": "blocked", "handle": "Khosrow"});
    assert_eq!(at(&shirin, &["block", "Khosrow"], "Shirin").await, std::slice::from_ref(&blocked));
    assert_eq!(at(&shirin, &["blocks"], "Shirin").await, [blocked]);
    let unblocked = json!({"v": 1, "type": "unblocked", "handle": "Khosrow"});
    assert_eq!(at(&shirin, &["unblock", "Khosrow"], "Shirin").await, [unblocked]);
    assert_eq!(at(&shirin, &["role", "Shirin", "arbiter"], "Shirin").await[0]["code"], "not_now");

    // The operator's program works on the data of the server that runs.
    let data = dir.path().join("server").display().to_string();
    let operator = |arguments: &[&str]| {
        let arguments = [arguments, &["--json", "--data", &data]].concat();
        objects(Talker::start(command(&binaries().chatrangd, dir.path()).args(arguments)))
    };
    let given = json!({"type": "role", "handle": "Shirin", "role": "owner"});
    assert_eq!(operator(&["role", "Shirin", "owner"]).await, [given]);
    let role = json!({"v": 1, "type": "role", "handle": "Khosrow", "role": "bot"});
    assert_eq!(at(&shirin, &["role", "Khosrow", "bot"], "Shirin").await, [role]);
    let accounts = operator(&["accounts"]).await;
    let roles: Vec<_> = accounts.iter().map(|account| (&account["handle"], &account["role"])).collect();
    assert_eq!(roles, [(&json!("Khosrow"), &json!("bot")), (&json!("Shirin"), &json!("owner"))]);
}
