//! The operator's commands, beside a server that runs and on what it has left.

use chatrang_protocol::client::connect::ConnectError;
use chatrang_protocol::client::{Client, News, Settings};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::hello::Denial;
use chatrang_protocol::ids::{AccountId, GameId, Seq};
use chatrang_protocol::lobby::Side;
use chatrang_protocol::role::Role;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Action, Game, Millis, Terms};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::pgn::{PgnError, Reader, Text, Visitor};
use chatrang_rules::outcome::Outcome;
use chatrang_rules::position::Position;
use chatrang_server::config::{Command, Config, Face, RegistrationMode};
use chatrang_server::game::entry::{Entry, Place};
use chatrang_server::keys::ServerKeys;
use chatrang_server::operator::{CommandError, carry_out};
use chatrang_server::store::{NewGame, Phase, Store, StoreOptions};
use chatrang_server::timeline::ServerInstant;
use chatrang_tests::binaries::binaries;
use chatrang_tests::children::{Daemon, Talker, command};
use chatrang_tests::house::{House, Plan, enter, handle, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, Table, proposal, seat};
use chatrang_tests::scratch::Scratch;
use std::path::Path;

/// What a command says, and whether it was carried out.
fn run(command: &Command, config: &Config) -> (String, Result<(), CommandError>) {
    let mut said = Vec::new();
    let done = carry_out(command, config, &mut said);
    (String::from_utf8(said).unwrap(), done)
}

/// The settings of a house's own data directory, which gets keys as a real server's has.
fn settings(house: &House) -> Config {
    let dir = house.database().parent().unwrap().to_owned();
    ServerKeys::load_or_make(&dir).unwrap();
    Config { listen: house.address, ..Config::for_tests(&dir) }
}

/// A table that has finished one game, and is at the next.
async fn after_one_game(house: &House) -> (GameId, Table) {
    let mut first = house.table("5+3").await;
    first.play_all("f3 e5 g4 Qh4#").await;
    first.result(house).await;
    let (white, black) = (first.white.client.clone(), first.black.client.clone());
    let mut second = seat(white, black, proposal("3+2", Side::Random)).await;
    second.play_all("e4 e5 Nf3").await;
    (first.game, second)
}

fn damage(house: &Path, statement: &str) {
    let database = rusqlite::Connection::open(house).unwrap();
    database.pragma_update(None, "foreign_keys", false).unwrap();
    assert_eq!(database.execute(statement, []).unwrap(), 1, "{statement}");
}

#[tokio::test]
async fn a_check_beside_a_server_finds_nothing_wrong_and_changes_nothing() {
    let house = House::open_on_disk().await;
    let config = settings(&house);
    let (_, mut table) = after_one_game(&house).await;
    let (said, done) = run(&Command::Check, &config);
    done.unwrap();
    // Five events of the first game, and the beginning and three moves of the second.
    assert_eq!(said, "2 accounts, 1 finished games, 1 in play, 9 sound events, 0 faults.\n");
    table.play("Nc6").await;
    let house = house.close().await;
    let (said, done) = run(&Command::Check, &Config { face: Face::Json, ..config });
    done.unwrap();
    let checked: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&checked["type"], &checked["faults"]), (&"checked".into(), &0.into()));
    assert_eq!(checked["events"], 11, "a move more, and the clocks that stand still");
    drop(house);
}

#[tokio::test]
async fn a_check_names_every_fault_with_its_place() {
    let house = House::open_on_disk().await;
    let config = settings(&house);
    let (first, table) = after_one_game(&house).await;
    let second = table.game;
    let house_dir = house.close().await;
    let database = config.data_dir.join("chatrang.db");
    damage(
        &database,
        &format!(
            "UPDATE journal SET payload = CAST(substr(payload, 1, 5) || x'ff' || substr(payload, 7) AS BLOB)
             WHERE game = {second} AND seq = 2"
        ),
    );
    let (said, done) = run(&Command::Check, &config);
    assert!(matches!(done, Err(CommandError::Faults(1))), "{done:?}");
    assert!(done.unwrap_err().is_store(), "exit code 8");
    assert!(said.starts_with(&format!("game {second}, event 2: its checksum is wrong\n")), "{said}");
    assert!(said.ends_with(" 1 faults.\n"), "{said}");

    damage(&database, &format!("UPDATE games SET result = '1-0' WHERE game = {first}"));
    damage(&database, &format!("DELETE FROM journal WHERE game = {second} AND seq = 1"));
    damage(&database, "DELETE FROM accounts WHERE handle = 'Khosrow'");
    std::fs::remove_file(config.data_dir.join("server.key")).unwrap();
    let (said, done) = run(&Command::Check, &Config { face: Face::Json, ..config });
    assert!(matches!(done, Err(CommandError::Faults(7..))), "{done:?} {said}");
    for expected in [
        format!(r#"{{"type":"fault","game":{second},"event":1,"what":"it is missing"}}"#),
        format!(r#"{{"type":"fault","game":{first},"what":"the index says 1-0, and its events 0-1"}}"#),
        format!(r#"{{"type":"fault","game":{first},"what":"account 2, who plays in it, is missing"}}"#),
        r#"{"type":"fault","what":"the key files are not all there"#.to_owned(),
        r#"{"type":"fault","what":"the database: a row of keys names one of accounts that is missing"}"#
            .to_owned(),
    ] {
        assert!(
            said.lines().any(|line| line.starts_with(expected.trim_end_matches('}'))),
            "{expected}\n{said}"
        );
    }
    drop(house_dir);
}

/// A row whose checksum is right, and whose event no game can have.
#[tokio::test]
async fn a_check_replays_every_game() {
    let dir = Scratch::new();
    let store = Store::open(dir.path(), StoreOptions::default()).unwrap();
    let seats = ByColor { white: AccountId(1), black: AccountId(2) };
    let start = Game::first_event(Terms::online("5+3".parse().unwrap()));
    let mv = Move::normal("e2".parse().unwrap(), "e5".parse().unwrap());
    let (charged, credit, house) = (Millis::ZERO, Millis::ZERO, Millis::ZERO);
    let moved = chatrang_rules::game::Event {
        by: chatrang_rules::game::Party::Player(Color::White),
        action: Action::Moved { mv, charged, credit, house, irregularity: None },
        ..start.clone()
    };
    let place = |seq| Place { game: GameId(1), created: ServerInstant::ZERO, seq: Seq(seq), ply: 0 };
    let begins = Phase::Begins(NewGame {
        created_unix_ms: 0,
        white: seats.white,
        black: seats.black,
        terms: "5+3".to_owned(),
    });
    let begun = Entry::Begun { seats, event: start }.row(place(0), begins).unwrap();
    let illegal = Entry::Happened { cause: None, event: moved }.row(place(1), Phase::Continues).unwrap();
    store.append(vec![begun, illegal]).await.unwrap();
    store.close().await;
    let (said, done) = run(&Command::Check, &Config::for_tests(dir.path()));
    assert!(done.is_err());
    assert!(said.contains("game 1, event 1: event 1 is an illegal move"), "{said}");
}

#[tokio::test]
async fn a_backup_made_under_play_is_a_server_again() {
    let dir = Scratch::new();
    let mut daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let keys = [new_key(), new_key()];
    let player = |line: &str, index: usize| {
        let name = ["Shirin", "Khosrow"][index];
        Settings::new(line.parse().unwrap(), keys[index].clone()).with_handle(handle(name))
    };
    let line = daemon.line();
    let (white, black) = (enter(player(&line, 0)).await, enter(player(&line, 1)).await);
    let mut table = seat(white, black, proposal("5+3", Side::Random)).await;
    table.play_all("e4 e5 Nf3").await;

    let (data, restored) = (dir.path().join("server"), dir.path().join("restored"));
    std::fs::create_dir(&restored).unwrap();
    let copy = restored.join("chatrang.db");
    let backup = |copy: &Path| {
        let mut backup = command(&binaries().chatrangd, dir.path());
        backup.arg("backup").arg(copy).arg("--data").arg(&data);
        Talker::start(&mut backup)
    };
    let mut made = backup(&copy);
    let said = made.line().await.unwrap();
    assert!(said.contains("server.key and endpoint.keys"), "{said}");
    assert_eq!(made.ends().await.code(), Some(0));
    let bytes = std::fs::read(&copy).unwrap();
    assert_eq!(backup(&copy).ends().await.code(), Some(2), "nothing is overwritten");
    assert_eq!(std::fs::read(&copy).unwrap(), bytes);
    assert_eq!(std::fs::read_dir(&restored).unwrap().count(), 1, "one file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(copy.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    table.play("Nc6").await;
    let game = table.game;
    drop(table);
    daemon.process.signal("TERM").await;
    daemon.process.ends().await;

    for name in ["server.key", "endpoint.keys"] {
        std::fs::copy(data.join(name), restored.join(name)).unwrap();
    }
    let address = daemon.address().to_owned();
    let mut second = Talker::start(
        command(&binaries().chatrangd, dir.path())
            .args(["--json", "--log", "error", "--listen", &address, "--data"])
            .arg(&restored),
    );
    let ready = second.object("ready").await;
    assert_eq!(ready["fingerprint"], daemon.ready["fingerprint"], "the same server to its players");
    let white = Player::open(enter(player(&line, 0)).await, game).await;
    let black = Player::open(enter(player(&line, 1)).await, game).await;
    let mut table = Table { game, white, black };
    assert_eq!(table.white.state().ply, 3, "as it was when the copy was made");
    table.black.until("the clocks to run", |view| view.state.suspension.is_none()).await;
    table.play_all("d6 d4").await;
    second.signal("TERM").await;
    assert_eq!(second.ends().await.code(), Some(0));
}

/// A game as a PGN tells it: who played, what, and how it ended.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    tags: Vec<(String, String)>,
    moves: Vec<Move>,
    outcome: Option<Outcome>,
}

#[derive(Default)]
struct Games(Vec<Told>);

impl Visitor for Games {
    fn begin_game(&mut self) {
        self.0.push(Told::default());
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>) {
        let tag = (name.decode().to_string(), value.decode().to_string());
        self.0.last_mut().unwrap().tags.push(tag);
    }

    fn played(&mut self, _: &Position, mv: Move) {
        self.0.last_mut().unwrap().moves.push(mv);
    }

    fn end_game(&mut self, outcome: Option<Outcome>) {
        self.0.last_mut().unwrap().outcome = outcome;
    }

    fn error(&mut self, error: &PgnError) {
        panic!("{error:?}");
    }
}

fn read(pgn: &str) -> Vec<Told> {
    let (mut reader, mut games) = (Reader::new(), Games::default());
    reader.feed(pgn.as_bytes(), &mut games);
    reader.finish(&mut games);
    games.0
}

fn export(player: Option<&str>, since: Option<&str>) -> Command {
    Command::Export {
        output: None,
        unfinished: false,
        player: player.map(handle),
        since: since.map(|date| date.parse().unwrap()),
    }
}

#[tokio::test]
async fn an_export_is_read_back_as_the_games_that_were_played() {
    let house = House::open_on_disk().await;
    let config = settings(&house);
    let (first, table) = after_one_game(&house).await;
    house.guest("Farhad").await;
    let finished = run(&export(None, None), &config).0;
    let all = Command::Export { output: None, unfinished: true, player: None, since: None };
    let told = read(&run(&all, &config).0);
    assert_eq!(told.len(), 2);
    assert_eq!(read(&finished), told[..1], "a game in play is shown to nobody before its time");
    for (told, game) in told.iter().zip([first, table.game]) {
        let entries = house.journal(game).await;
        let played = Game::replay(entries.iter().map(Entry::event)).unwrap();
        assert_eq!(told.moves, played.played().iter().map(|played| played.mv).collect::<Vec<_>>());
        assert_eq!(told.outcome, played.result().and_then(|result| result.outcome));
        let tag = |name: &str| told.tags.iter().find(|(tag, _)| tag == name).unwrap().1.as_str();
        assert_eq!((tag("White"), tag("Black"), tag("GameId")), ("Shirin", "Khosrow", &*game.to_string()));
        assert_eq!((tag("UTCDate"), tag("Round")), (tag("Date"), "-"));
    }
    assert_eq!(run(&export(Some("khosrow"), Some("1970-01-01")), &config).0, finished);
    assert_eq!(run(&export(Some("Farhad"), None), &config).0, "");
    assert_eq!(run(&export(None, Some("9999-12-31")), &config).0, "");
    let unknown = run(&export(Some("Nobody"), None), &config).1.unwrap_err();
    assert!(matches!(unknown, CommandError::NoPlayer) && !unknown.is_store());

    let file = config.data_dir.join("games.pgn");
    let to_file =
        Command::Export { output: Some(file.clone()), unfinished: false, player: None, since: None };
    let (said, done) = run(&to_file, &config);
    done.unwrap();
    assert_eq!(said, format!("1 games are written to {}.\n", file.display()));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), finished);
    assert!(matches!(run(&to_file, &config).1, Err(CommandError::File { .. })), "nothing is overwritten");
    drop(table);
    let house = house.close().await;
    damage(
        &config.data_dir.join("chatrang.db"),
        &format!("UPDATE games SET result = '1-0' WHERE game = {first}"),
    );
    let (said, done) = run(&export(None, None), &config);
    assert_eq!(said, "");
    assert!(matches!(done, Err(CommandError::LeftOut(1))), "{done:?}");
    drop(house);
}

/// `chatrangd export | head` ends quietly when `head` has had enough.
#[tokio::test]
async fn an_export_that_nobody_reads_on_ends_quietly() {
    let dir = Scratch::new();
    let mut daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let newcomer = |name| Settings::new(daemon.line().parse().unwrap(), new_key()).with_handle(handle(name));
    let (white, black) = (enter(newcomer("Shirin")).await, enter(newcomer("Khosrow")).await);
    let mut table = seat(white, black, proposal("5+3", Side::Random)).await;
    table.play_all("f3 e5 g4 Qh4#").await;
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut export = command(&binaries().chatrangd, dir.path());
    export.arg("export").arg("--data").arg(dir.path().join("server")).stdout(writer);
    let done = soon("the export", export.output()).await.unwrap();
    assert_eq!((done.status.code(), String::from_utf8(done.stderr).unwrap().as_str()), (Some(0), ""));
    daemon.process.signal("TERM").await;
    assert_eq!(daemon.process.ends().await.code(), Some(0));
}

/// The line that a command has made.
fn line_in(said: &str) -> String {
    said.lines().find_map(|line| line.trim().strip_prefix("chatrang join ")).expect("a line").to_owned()
}

/// The same line with the fingerprint that the house really has.
fn to_house(house: &House, line: &str) -> Settings {
    let code = line.rsplit('/').next().unwrap();
    Settings::new(format!("{}/{code}", house.line()).parse().unwrap(), new_key())
}

#[tokio::test]
async fn an_invite_from_the_command_line_lets_as_many_in_as_it_says() {
    let plan = Plan { registration: RegistrationMode::Invite, ..Plan::default() };
    let house = House::open_on_disk_as(plan).await;
    let config = settings(&house);
    let invite = |role, uses| Command::Invite { role, uses, address: Some("chess.example.net".to_owned()) };
    let (said, done) = run(&invite(Role::Arbiter, 2), &config);
    done.unwrap();
    let line = line_in(&said);
    let fingerprint =
        ServerKeys::read(&config.data_dir).unwrap().unwrap().identity.public_key().fingerprint();
    assert!(
        line.starts_with(&format!("chess.example.net:{}/{fingerprint}/", house.address.port())),
        "{line}"
    );
    for name in ["Arash", "Banu"] {
        let arbiter = enter(to_house(&house, &line).with_handle(handle(name))).await;
        assert_eq!(arbiter.welcome().role, Role::Arbiter);
    }
    let third = Client::connect(to_house(&house, &line).with_handle(handle("Cyrus"))).await;
    assert!(matches!(third, Err(ConnectError::Denied(Denial::InviteUsedUp))), "{third:?}");
    for (command, is_right) in [
        (invite(Role::Owner, 1), (|error| matches!(error, CommandError::OwnerInvite)) as fn(_) -> _),
        (invite(Role::Player, 0), |error| matches!(error, CommandError::Uses)),
        (invite(Role::Player, 1_001), |error| matches!(error, CommandError::Uses)),
        (Command::Invite { role: Role::Player, uses: 1, address: Some("no host".to_owned()) }, |error| {
            matches!(error, CommandError::Address(_))
        }),
    ] {
        let error = run(&command, &config).1.unwrap_err();
        assert!(!error.is_store() && is_right(error), "{command:?}");
    }
}

/// Her key is lost: the operator's line gives her account a new one, in the middle of a game, and whoever has
/// the old key is put out.
#[tokio::test]
async fn a_lost_key_is_replaced_and_opens_nothing_any_more() {
    let house = House::open_on_disk().await;
    let config = settings(&house);
    let lost = new_key();
    let hers = Settings::new(house.line(), lost.clone()).with_handle(handle("Shirin"));
    let (white, black) = (enter(hers).await, house.guest("Khosrow").await);
    let account = white.welcome().account;
    let mut table = seat(white, black, proposal("5+3", Side::Random)).await;
    table.play_all("e4 e5").await;

    let relink = |name: &str| Command::Relink { handle: handle(name), address: None };
    assert!(matches!(run(&relink("Nobody"), &config).1, Err(CommandError::Relink(_))));
    let (said, done) = run(&relink("shirin"), &config);
    done.unwrap();
    assert!(said.starts_with("Give this line to Shirin and to nobody else."), "{said}");
    let settings = to_house(&house, &line_in(&said));
    // Whoever has found the old key is in with it.
    let mut thief = table.white.client.clone();
    // She needs to give no name: the account has one.
    let back = enter(settings).await;
    assert_eq!((back.welcome().account, back.welcome().handle.as_str()), (account, "Shirin"));
    let put_out = async {
        loop {
            match thief.next_news().await {
                Some(News::Closed(error)) => return error,
                Some(_) => {}
                None => panic!("the client was closed without a word"),
            }
        }
    };
    let why = soon("the old key to be put out", put_out).await;
    assert!(matches!(why, ConnectError::Closed(CloseCode::Revoked)), "{why:?}");
    let stranger = Client::connect(Settings::new(house.line(), lost)).await;
    assert!(matches!(stranger, Err(ConnectError::Denied(Denial::HandleNeeded))), "{stranger:?}");
    let again = Client::connect(to_house(&house, &line_in(&said))).await;
    assert!(matches!(again, Err(ConnectError::Denied(Denial::HandleNeeded))), "once: {again:?}");

    table.white = Player::open(back, table.game).await;
    table.play("Nf3").await;
    let log = house.journal(table.game).await;
    assert_eq!(log.last().unwrap().cause().unwrap().account, account);
}

#[tokio::test]
async fn a_probe_says_whether_the_server_is_ready() {
    let dir = Scratch::new();
    let chatrangd = |arguments: &[&str]| {
        Talker::start(command(&binaries().chatrangd, dir.path()).args(["--json"]).args(arguments))
    };
    let serve = ["--log", "off", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"];
    let mut server = chatrangd(&serve);
    let metrics = server.object("ready").await["metrics"].as_str().unwrap().to_owned();
    let mut probe = chatrangd(&["ready", "--metrics", &metrics]);
    assert_eq!(probe.line().await.unwrap(), r#"{"type":"ready"}"#);
    assert_eq!(probe.ends().await.code(), Some(0));
    server.signal("TERM").await;
    assert_eq!(server.ends().await.code(), Some(0));
    assert_eq!(chatrangd(&["ready", "--metrics", &metrics]).ends().await.code(), Some(2));
    assert_eq!(chatrangd(&["ready"]).ends().await.code(), Some(2));
}

/// Each as the operator types it: what a library does within a runtime, a program may not outside of one.
#[tokio::test]
async fn every_command_is_carried_out_beside_a_server_and_without_one() {
    let dir = Scratch::new();
    let mut daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let settings = Settings::new(daemon.line().parse().unwrap(), new_key());
    let _player = enter(settings.with_handle(handle("Zoe"))).await;
    let (copy, games) = (dir.path().join("copy.db"), dir.path().join("games.pgn"));
    let commands: [&[&str]; 8] = [
        &["accounts"],
        &["check"],
        &["role", "Zoe", "arbiter"],
        &["invite", "--uses", "3"],
        &["relink", "Zoe"],
        &["backup", copy.to_str().unwrap()],
        &["export"],
        &["export", "--output", games.to_str().unwrap()],
    ];
    let carried_out = async |when: &str| {
        for arguments in commands {
            let mut command = command(&binaries().chatrangd, dir.path());
            let command = command.arg("--data").arg(dir.path().join("server")).args(arguments);
            let output = command.output().await.unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!((output.status.code(), said.as_str()), (Some(0), ""), "{arguments:?} {when}");
        }
        std::fs::remove_file(&copy).unwrap();
        std::fs::remove_file(&games).unwrap();
    };
    carried_out("beside a server").await;
    daemon.process.kill().await;
    carried_out("without one").await;
}

/// A directory that is none of a server's is left as it is, and one sentence says what to do.
#[tokio::test]
async fn where_no_server_was_there_is_nothing_to_do() {
    let dir = Scratch::new();
    let config = Config::for_tests(dir.path());
    let commands = [
        Command::Accounts,
        Command::Check,
        export(None, None),
        Command::Backup { file: dir.path().join("copy.db") },
        Command::Role { handle: handle("Zoe"), role: Role::Bot },
    ];
    for empty in [false, true] {
        if empty {
            std::fs::write(dir.path().join("chatrang.db"), "").unwrap();
        }
        for command in &commands {
            let (said, done) = run(command, &config);
            let error = done.unwrap_err();
            assert!(
                error.to_string().contains("no server has been started on it yet"),
                "{command:?}: {error}"
            );
            assert!(said.is_empty() && !error.is_store());
        }
    }
    std::fs::write(dir.path().join("chatrang.db"), "this is no database, and longer than nothing").unwrap();
    for command in &commands {
        assert!(run(command, &config).1.unwrap_err().is_store(), "{command:?}");
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing was made");
}
