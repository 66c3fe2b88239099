//! The commands, from the command line to the exit code.

use crate::cli::{Advertised, Cli, Command, IdentityCommand, Options, TermsWishes, TrustCommand};
use crate::config::{Paths, Settings};
use crate::enter::{self, Entrance, call_fault};
use crate::face::{self, Face};
use crate::fault::{Exit, Fault};
use crate::host::{self, OwnServer};
use crate::link::{self, Goal};
use crate::message::{Consent, Report};
use crate::trust::KnownServers;
use crate::{arbiter, identity, json};
use chatrang_protocol::client::Client;
use chatrang_protocol::ids::Handle;
use chatrang_protocol::invite::ServerAddress;
use chatrang_protocol::lobby::{GameSummary, Proposal};
use chatrang_protocol::role::Role;
use chatrang_rules::game::Controls;
use clap::Parser;
use std::ffi::OsString;
use std::io::Write;
use std::net::SocketAddr;
use std::process::ExitCode;
use tokio::sync::{mpsc, oneshot};

/// Runs the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && arguments.iter().any(|argument| argument == "--json") => {
            let text = error.render().to_string();
            let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
            return fail(&Fault::new(Exit::Usage, first, "run chatrang --help"), Face::Json);
        }
        Err(error) => {
            let code = error.exit_code();
            // Without a stdout or stderr there is nobody to tell.
            let _ = error.print();
            return ExitCode::from(u8::try_from(code).unwrap_or(Exit::Usage.code()));
        }
    };
    let face = Face::choose(&cli.options);
    match command(&cli, face) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(fault) => fail(&fault, face),
    }
}

fn fail(fault: &Fault, face: Face) -> ExitCode {
    match face {
        Face::Json => print(&json::fault(fault)),
        Face::Plain | Face::Screen => eprintln!("{fault}"),
    }
    ExitCode::from(fault.exit.code())
}

/// Prints a line of data. Nobody reads it when that fails.
fn print(line: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

fn command(cli: &Cli, face: Face) -> Result<Exit, Fault> {
    let paths = Paths::of_user()?;
    let settings = Settings::load(&paths.settings())?;
    let session = Session { paths, settings, options: &cli.options, face };
    match &cli.command {
        Command::Identity(IdentityCommand::Show) => session.show_identity(),
        Command::Trust(TrustCommand::List) => session.list_servers(),
        Command::Trust(TrustCommand::Forget { server }) => session.forget_server(&server.0),
        command => {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
            let runtime = runtime.map_err(|error| {
                Fault::new(Exit::Other, "the system gives no threads", "close other programs")
                    .caused_by(error)
            })?;
            runtime.block_on(session.go(command))
        }
    }
}

/// One run of the program.
struct Session<'a> {
    paths: Paths,
    settings: Settings,
    options: &'a Options,
    face: Face,
}

impl Session<'_> {
    async fn go(&self, command: &Command) -> Result<Exit, Fault> {
        match command {
            Command::Host { controls, wishes, advertise, listen } => {
                let proposal = self.proposal(*controls, wishes)?;
                self.host(proposal, advertise.as_ref(), *listen).await
            }
            Command::Join { line, accept_terms } => {
                let consent = if *accept_terms { Consent::Given } else { Consent::Needed };
                let goal = line.code().map_or(Goal::Resume, |code| Goal::Take { code, consent });
                self.at(line, goal).await
            }
            Command::Play { controls, wishes } => {
                let proposal = self.proposal(*controls, wishes)?;
                self.at(&self.server()?, Goal::Play(proposal)).await
            }
            Command::Watch { game } => self.at(&self.server()?, Goal::Watch(*game)).await,
            Command::Games => self.games().await,
            Command::Arbiter => self.arbitrate().await,
            Command::Block { player } => self.block(player).await,
            Command::Unblock { player } => self.unblock(player).await,
            Command::Blocks => self.blocks().await,
            Command::Role { player, role } => self.give_role(player, *role).await,
            Command::Identity(_) | Command::Trust(_) => Ok(Exit::Success),
        }
    }

    fn proposal(&self, controls: Controls, wishes: &TermsWishes) -> Result<Proposal, Fault> {
        wishes.proposal(controls, self.options.side.into()).map_err(|error| {
            Fault::new(
                Exit::Usage,
                error.to_string(),
                "write --rules online, tournament or classic, and what differs",
            )
        })
    }

    /// The server of the command line, or else the one used last.
    fn server(&self) -> Result<ServerAddress, Fault> {
        if let Some(server) = &self.options.server {
            return Ok(server.clone());
        }
        KnownServers::load(self.paths.servers())?.last().ok_or_else(|| {
            Fault::new(
                Exit::Usage,
                "no server has been used yet",
                "join one with an invite line, name one with --server, or start your own: chatrang host",
            )
        })
    }

    async fn enter(&self, server: &ServerAddress) -> Result<Entrance, Fault> {
        let key = identity::load_or_create(&self.paths)?;
        let mut known = KnownServers::load(self.paths.servers())?;
        enter::enter(server, key, &mut known, self.options, &self.settings).await
    }

    /// Plays or watches on a server.
    async fn at(&self, server: &ServerAddress, goal: Goal) -> Result<Exit, Fault> {
        self.mention(&format!("Connecting to {} ...", enter::first_address(server)));
        let Entrance { client, remarks } = self.enter(server).await?;
        let (reports, heard) = mpsc::channel(link::WAITING_MAX);
        let name = enter::first_address(server).to_string();
        self.show(client, goal, name, remarks, (reports, heard)).await
    }

    /// Starts an own server, plays on it, and stops it.
    async fn host(
        &self,
        proposal: Proposal,
        advertise: Option<&Advertised>,
        listen: Option<SocketAddr>,
    ) -> Result<Exit, Fault> {
        let key = identity::load_or_create(&self.paths)?;
        self.mention("Starting your server ...");
        let mut remarks = Vec::new();
        let server = OwnServer::start(&self.paths, listen.or(self.settings.listen), &mut remarks).await?;
        let advertised = host::advertised(advertise, server.port(), &mut remarks)?;
        let (address, invite) = (server.address()?, server.invite());
        let (reports, heard) = mpsc::channel(link::WAITING_MAX);
        let (stop, stopped) = oneshot::channel();
        let keeper = tokio::spawn(server.keep(reports.clone(), stopped));
        let entered = enter::enter_own(address, invite, key, self.options, &self.settings).await;
        let result = match entered {
            Ok(entrance) => {
                remarks.extend(entrance.remarks);
                let goal = Goal::Host { proposal, advertised };
                let name = "your own server".to_owned();
                self.show(entrance.client, goal, name, remarks, (reports, heard)).await
            }
            Err(fault) => Err(fault),
        };
        drop(stop);
        // The server has stopped by now, or its keeper has given it up.
        let _ = keeper.await;
        result
    }

    /// Tells somebody who waits for the screen why it is not there yet.
    fn mention(&self, text: &str) {
        if self.face == Face::Screen {
            eprintln!("{text}");
        }
    }

    /// Shows what happens until the player leaves; then waits for the server to have his last word.
    async fn show(
        &self,
        client: Client,
        goal: Goal,
        server: String,
        remarks: Vec<String>,
        (reports, heard): (mpsc::Sender<Report>, mpsc::Receiver<Report>),
    ) -> Result<Exit, Fault> {
        let handle = client.welcome().handle;
        let first = std::iter::once(Report::Entered { server, handle });
        for report in first.chain(remarks.into_iter().map(Report::Remark)) {
            // Fewer than the channel holds, and the face takes them as soon as it is up.
            let _ = reports.try_send(report);
        }
        let (wishes, taken) = mpsc::channel(link::WAITING_MAX);
        let link = tokio::spawn(link::run(client, goal, link::Ends { wishes: taken, reports }));
        let result =
            face::run(self.face, face::Ends { wishes, reports: heard }, self.options, &self.settings).await;
        // A link that has failed has been reported by the face.
        let _ = link.await;
        result
    }

    async fn games(&self) -> Result<Exit, Fault> {
        let client = self.visit().await?;
        let games = client.games().await.map_err(|error| call_fault(&error))?;
        client.close().await;
        if games.is_empty() && self.face != Face::Json {
            eprintln!("No game is being played.");
        }
        for game in &games {
            match self.face {
                Face::Json => print(&json::listed(game)),
                Face::Plain | Face::Screen => print(&listed(game)),
            }
        }
        Ok(Exit::Success)
    }

    /// Sits at the arbiter's desk until he leaves it or the server has gone.
    async fn arbitrate(&self) -> Result<Exit, Fault> {
        let server = self.server()?;
        let entrance = self.enter(&server).await?;
        arbiter::run(entrance, enter::first_address(&server).to_string(), self.face).await
    }

    async fn block(&self, name: &Handle) -> Result<Exit, Fault> {
        let client = self.visit().await?;
        let blocked = client.block(name.clone()).await.map_err(|error| call_fault(&error));
        client.close().await;
        blocked?;
        self.done(
            &json::blocked(name),
            &format!("No game begins between you and {name}, and you hear no chat of his."),
        );
        Ok(Exit::Success)
    }

    async fn unblock(&self, name: &Handle) -> Result<Exit, Fault> {
        let client = self.visit().await?;
        let unblocked = client.unblock(name.clone()).await.map_err(|error| call_fault(&error));
        client.close().await;
        unblocked?;
        self.done(&json::unblocked(name), &format!("You do not block {name}."));
        Ok(Exit::Success)
    }

    async fn blocks(&self) -> Result<Exit, Fault> {
        let client = self.visit().await?;
        let blocks = client.blocks().await.map_err(|error| call_fault(&error));
        client.close().await;
        let blocks = blocks?;
        if blocks.is_empty() && self.face != Face::Json {
            eprintln!("You block nobody.");
        }
        for name in &blocks {
            self.done(&json::blocked(name), name.as_str());
        }
        Ok(Exit::Success)
    }

    async fn give_role(&self, name: &Handle, role: Role) -> Result<Exit, Fault> {
        let client = self.visit().await?;
        let given = client.set_role(name.clone(), role).await.map_err(|error| call_fault(&error));
        client.close().await;
        given?;
        self.done(&json::role_given(name, role), &format!("{name} is {role} from now on."));
        Ok(Exit::Success)
    }

    /// Prints what was done, as the face says it.
    fn done(&self, object: &str, sentence: &str) {
        print(match self.face {
            Face::Json => object,
            Face::Plain | Face::Screen => sentence,
        });
    }

    /// Enters the server for one request.
    async fn visit(&self) -> Result<Client, Fault> {
        let Entrance { client, remarks } = self.enter(&self.server()?).await?;
        for remark in remarks {
            eprintln!("{remark}");
        }
        Ok(client)
    }

    fn show_identity(&self) -> Result<Exit, Fault> {
        let key = identity::load_or_create(&self.paths)?;
        let (fingerprint, path) = (key.public_key().fingerprint().to_string(), self.paths.identity());
        match self.face {
            Face::Json => print(&json::identity(&fingerprint, &path.display().to_string())),
            Face::Plain | Face::Screen => {
                print(&format!("Fingerprint {fingerprint}\nKey         {}", path.display()));
            }
        }
        Ok(Exit::Success)
    }

    fn list_servers(&self) -> Result<Exit, Fault> {
        for server in KnownServers::load(self.paths.servers())?.iter() {
            let handle = server.handle.as_deref();
            print(&match self.face {
                Face::Json => {
                    json::known_server(&server.address, &server.fingerprint, &server.first_seen, handle)
                }
                Face::Plain | Face::Screen => {
                    let handle = handle.map(|handle| format!(", you are {handle}")).unwrap_or_default();
                    format!(
                        "{}  {}  known since {}{handle}",
                        server.address, server.fingerprint, server.first_seen
                    )
                }
            });
        }
        Ok(Exit::Success)
    }

    fn forget_server(&self, address: &chatrang_protocol::invite::HostPort) -> Result<Exit, Fault> {
        let mut known = KnownServers::load(self.paths.servers())?;
        if !known.forget(address)? {
            let text = format!("this machine does not know {address}");
            return Err(Fault::new(Exit::NotNow, text, "run chatrang trust list to see those it knows"));
        }
        eprintln!("{address} is forgotten: its key is learnt anew when you next join it.");
        Ok(Exit::Success)
    }
}

/// A game in a list, for people.
fn listed(game: &GameSummary) -> String {
    let result =
        game.result.map_or_else(|| format!("move {}", game.ply / 2 + 1), |result| result.score_text());
    let GameSummary { game, players, controls, .. } = game;
    format!("{game:>6}  {} - {}  {controls}  {result}", players.white, players.black)
}
