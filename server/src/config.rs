//! Settings: from a file, the environment and the command line, the later the stronger, checked
//! once, here; the rest of the server never sees a setting that makes no sense.

/// Kept by the store, which decides by them.
pub use crate::store::{Arbiters, RegistrationMode};

use crate::date::Date;
use crate::gate::GateLimits;
use chatrang_protocol::ids::Handle;
use chatrang_protocol::role::Role;
use chatrang_rules::game::Profile;
use clap::{Parser, Subcommand};
use serde::Deserialize;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tracing_subscriber::EnvFilter;

/// The UDP address of a server that is told none. IPv4, since that works on every machine, containers
/// without IPv6 included; `[::]:7777` serves both where the system has both.
pub const LISTEN_DEFAULT: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::UNSPECIFIED), chatrang_protocol::invite::DEFAULT_PORT);

/// How long the first move of each side may take where nothing else is set, in seconds.
const FIRST_MOVE_SECONDS_DEFAULT: u64 = 60;

/// How long clocks stand still for players who are not back after a restart, in seconds.
const RESTART_GRACE_SECONDS_DEFAULT: u64 = 60;

/// No wait that is set in seconds is longer.
const SECONDS_MAX: u64 = 24 * 60 * 60;

/// How the server talks on its standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Lines for people.
    Text,
    /// One JSON object a line; logs go to the standard error.
    Json,
}

/// What ends the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopWhen {
    /// A signal.
    Signalled,
    /// A signal, or the end of the standard input: whoever started the server is gone.
    StdinCloses,
}

/// The settings of one server, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Where the database and the keys lie.
    pub data_dir: PathBuf,
    /// The UDP address; port 0 takes any free one.
    pub listen: SocketAddr,
    /// The TCP address of this machine where metrics can be read, if any.
    pub metrics: Option<SocketAddr>,
    /// Who may register.
    pub registration: RegistrationMode,
    /// How games are conducted whose players leave it to the house.
    pub profile: Profile,
    /// Whose account gives games an arbiter to turn to.
    pub arbiters: Arbiters,
    /// How long the first move of each side may take before the game is called off, or lost.
    pub first_move: Duration,
    /// How long clocks stand still for players who are not back after a restart.
    pub restart_grace: Duration,
    /// What is logged: directives of `tracing`'s filter, known to be well formed.
    pub log: String,
    /// How the server talks on its standard output.
    pub face: Face,
    /// What ends the server.
    pub stop_when: StopWhen,
    /// How many may come; nobody sets it but a test.
    pub gate: GateLimits,
}

/// A chess server that one command starts.
#[derive(Clone, Debug, Default, Parser)]
#[command(name = "chatrangd", version, about)]
pub struct Flags {
    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Where the database and the keys lie [default: ~/.local/share/chatrang/server]
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The UDP address to serve on [default: 0.0.0.0:7777]
    #[arg(long, value_name = "ADDR:PORT")]
    pub listen: Option<String>,
    /// A TCP address of this machine to show metrics on, such as 127.0.0.1:9477 [default: none]
    #[arg(long, value_name = "ADDR:PORT")]
    pub metrics: Option<String>,
    /// A TOML file with settings; the environment (CHATRANG_LISTEN, …) and flags are stronger
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Who may register: invite, open or closed [default: invite]
    #[arg(long, value_name = "WHO")]
    pub registration: Option<String>,
    /// How games are conducted whose players leave it open: online, tournament or classic [default: online]
    #[arg(long, value_name = "PROFILE")]
    pub profile: Option<String>,
    /// Whether games have an arbiter to turn to when somebody is appointed one, or also when there is only
    /// the owner: appointed or owner [default: appointed]
    #[arg(long, value_name = "WHO")]
    pub arbiters: Option<String>,
    /// How long the first move of each side may take [default: 60]
    #[arg(long, value_name = "SECONDS")]
    pub first_move_seconds: Option<String>,
    /// How long clocks stand still for players who are not back after a restart [default: 60]
    #[arg(long, value_name = "SECONDS")]
    pub restart_grace_seconds: Option<String>,
    /// What is logged, such as info or chatrang_server=debug [default: info]
    #[arg(long, value_name = "FILTER")]
    pub log: Option<String>,
    /// Print one JSON object a line; logs go to the standard error
    #[arg(long, global = true)]
    pub json: bool,
    /// Stop when the standard input closes
    #[arg(long)]
    pub while_stdin: bool,
}

/// What to do instead of serving.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Lists the accounts and their roles
    Accounts,
    /// Gives an account a role; a running server knows it from the next request on
    Role {
        /// The account's name
        #[arg(value_name = "NAME")]
        handle: Handle,
        /// owner, arbiter, player or bot
        role: Role,
    },
    /// Makes an invite line; a running server knows it at once
    Invite {
        /// What the newcomers become: player, bot or arbiter
        #[arg(long, value_name = "ROLE", default_value_t = Role::Player)]
        role: Role,
        /// For how many of them it is
        #[arg(long, value_name = "COUNT", default_value_t = 1)]
        uses: u32,
        /// Where players reach the server [default: where it listens]
        #[arg(long, value_name = "HOST[:PORT]")]
        address: Option<String>,
    },
    /// Makes a line with which a player whose key is lost gives his account a new one
    Relink {
        /// The account's name
        #[arg(value_name = "NAME")]
        handle: Handle,
        /// Where players reach the server [default: where it listens]
        #[arg(long, value_name = "HOST[:PORT]")]
        address: Option<String>,
    },
    /// Checks settings, keys and store, and replays every game; changes nothing
    Check,
    /// Copies the database into a new file, also while the server runs
    Backup {
        /// The file, which must not exist
        file: PathBuf,
    },
    /// Writes all finished games as a PGN
    Export {
        /// Into this new file, not to the standard output
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Those in play as well
        #[arg(long)]
        unfinished: bool,
        /// Of this player only
        #[arg(long, value_name = "NAME")]
        player: Option<Handle>,
        /// That began on this day (in UTC) or later
        #[arg(long, value_name = "YYYY-MM-DD")]
        since: Option<Date>,
    },
    /// Asks the running server whether it serves players: exit code 0 if it does
    Ready {
        /// Where it shows its metrics [default: as in the settings]
        #[arg(long, value_name = "ADDR:PORT")]
        metrics: Option<SocketAddr>,
    },
}

/// Where a setting was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A key of the configuration file.
    File {
        /// The file.
        path: PathBuf,
        /// The key.
        key: &'static str,
    },
    /// A variable of the environment.
    Variable(String),
    /// A flag of the command line.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, key } => write!(f, "{key} in {}", path.display()),
            Self::Variable(name) => write!(f, "the variable {name}"),
            Self::Flag(name) => write!(f, "the option {name}"),
        }
    }
}

/// Why there are no settings to start with.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file that was named cannot be read.
    #[error("the configuration file {} cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        source: std::io::Error,
    },
    /// It is no TOML, or has keys that do not exist.
    #[error("the configuration file {} is wrong: {fault}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where and what.
        fault: String,
    },
    /// A value that makes no sense.
    #[error("{origin} says {value:?}, but {fix}")]
    Value {
        /// Where it was said.
        origin: Origin,
        /// What was said.
        value: String,
        /// What can be said there.
        fix: &'static str,
    },
    /// Neither a data directory nor a home to put one.
    #[error("there is no home directory to keep the data in: name a data directory with --data DIR")]
    NoHome,
}

impl Config {
    /// Reads all settings; `variable` looks a variable of the environment up.
    ///
    /// # Errors
    /// [`ConfigError`]: one sentence that names the file, variable or option, and what to do.
    pub fn load(flags: Flags, variable: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let path = flags.config.or_else(|| variable("CHATRANG_CONFIG").map(PathBuf::from));
        let file = match path {
            Some(path) => File { values: FileValues::read(&path)?, path },
            None => File::default(),
        };
        let values = file.values;
        let source = Source { path: file.path, variable: &variable };
        let data_dir = match (flags.data, source.strongest("data", None, values.data)) {
            (Some(dir), _) => dir,
            (None, Some(setting)) => setting.read(directory)?,
            (None, None) => default_data_dir(&variable).ok_or(ConfigError::NoHome)?,
        };
        let seconds = |key, flag, file: Option<u64>, default| {
            let setting = source.strongest(key, flag, file.map(|seconds| seconds.to_string()));
            setting.map_or(Ok(Duration::from_secs(default)), |setting| setting.read(seconds))
        };
        Ok(Self {
            data_dir,
            listen: source
                .strongest("listen", flags.listen, values.listen)
                .map_or(Ok(LISTEN_DEFAULT), |setting| setting.read(listen))?,
            metrics: source
                .strongest("metrics", flags.metrics, values.metrics)
                .map(|setting| setting.read(metrics))
                .transpose()?,
            registration: source
                .strongest("registration", flags.registration, values.registration)
                .map_or(Ok(RegistrationMode::default()), |setting| setting.read(registration))?,
            profile: source
                .strongest("profile", flags.profile, values.profile)
                .map_or(Ok(Profile::Online), |setting| setting.read(profile))?,
            arbiters: source
                .strongest("arbiters", flags.arbiters, values.arbiters)
                .map_or(Ok(Arbiters::default()), |setting| setting.read(arbiters))?,
            first_move: seconds(
                "first_move_seconds",
                flags.first_move_seconds,
                values.first_move_seconds,
                FIRST_MOVE_SECONDS_DEFAULT,
            )?,
            restart_grace: seconds(
                "restart_grace_seconds",
                flags.restart_grace_seconds,
                values.restart_grace_seconds,
                RESTART_GRACE_SECONDS_DEFAULT,
            )?,
            log: source
                .strongest("log", flags.log, values.log)
                .map_or_else(|| Ok("info".to_owned()), |setting| setting.read(log))?,
            face: if flags.json { Face::Json } else { Face::Text },
            stop_when: if flags.while_stdin { StopWhen::StdinCloses } else { StopWhen::Signalled },
            gate: GateLimits::default(),
        })
    }

    /// Settings for a test: any free port of this machine, open registration, the default waits.
    pub fn for_tests(data_dir: &Path) -> Self {
        Self {
            data_dir: data_dir.to_owned(),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            metrics: None,
            registration: RegistrationMode::Open,
            profile: Profile::Online,
            arbiters: Arbiters::default(),
            first_move: Duration::from_secs(FIRST_MOVE_SECONDS_DEFAULT),
            restart_grace: Duration::from_secs(RESTART_GRACE_SECONDS_DEFAULT),
            log: "warn".to_owned(),
            face: Face::Text,
            stop_when: StopWhen::Signalled,
            gate: GateLimits::default(),
        }
    }
}

/// The keys of the configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileValues {
    data: Option<String>,
    listen: Option<String>,
    metrics: Option<String>,
    registration: Option<String>,
    profile: Option<String>,
    arbiters: Option<String>,
    first_move_seconds: Option<u64>,
    restart_grace_seconds: Option<u64>,
    log: Option<String>,
}

#[derive(Default)]
struct File {
    path: PathBuf,
    values: FileValues,
}

impl FileValues {
    fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            let fault = format!("line {line}: {}", error.message());
            ConfigError::Malformed { path: path.to_owned(), fault }
        })
    }
}

/// A value and who said it.
struct Setting {
    origin: Origin,
    value: String,
}

impl Setting {
    /// The value as `read` understands it; `read` says otherwise what it would.
    fn read<T>(self, read: impl Fn(&str) -> Result<T, &'static str>) -> Result<T, ConfigError> {
        read(&self.value).map_err(|fix| ConfigError::Value { origin: self.origin, value: self.value, fix })
    }
}

/// Where settings come from, apart from the flags.
struct Source<'a> {
    path: PathBuf,
    variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Source<'_> {
    /// Of the places that say anything about `key` the strongest: the flag, the variable, the file.
    fn strongest(&self, key: &'static str, flag: Option<String>, file: Option<String>) -> Option<Setting> {
        if let Some(value) = flag {
            let origin = Origin::Flag(format!("--{}", key.replace('_', "-")));
            return Some(Setting { origin, value });
        }
        let name = format!("CHATRANG_{}", key.to_ascii_uppercase());
        if let Some(value) = (self.variable)(&name) {
            return Some(Setting { origin: Origin::Variable(name), value });
        }
        file.map(|value| Setting { origin: Origin::File { path: self.path.clone(), key }, value })
    }
}

fn registration(text: &str) -> Result<RegistrationMode, &'static str> {
    match text {
        "invite" => Ok(RegistrationMode::Invite),
        "open" => Ok(RegistrationMode::Open),
        "closed" => Ok(RegistrationMode::Closed),
        _ => Err("registration is one of invite, open, closed"),
    }
}

fn profile(text: &str) -> Result<Profile, &'static str> {
    text.parse().map_err(|_| "a profile is one of online, tournament, classic")
}

fn arbiters(text: &str) -> Result<Arbiters, &'static str> {
    match text {
        "appointed" => Ok(Arbiters::Appointed),
        "owner" => Ok(Arbiters::AppointedOrOwner),
        _ => Err("arbiters is one of appointed, owner"),
    }
}

fn directory(text: &str) -> Result<PathBuf, &'static str> {
    if text.is_empty() { Err("a directory has a name: write ./data, for instance") } else { Ok(text.into()) }
}

fn listen(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "an address and a port are needed, such as 0.0.0.0:7777 or [::]:7777")
}

/// Metrics tell how much is played and by how many; whoever wants them elsewhere lets a program of this
/// machine fetch them.
fn metrics(text: &str) -> Result<SocketAddr, &'static str> {
    match text.parse::<SocketAddr>() {
        Ok(address) if address.ip().is_loopback() => Ok(address),
        _ => Err(
            "an address of this machine itself and a port are needed, such as 127.0.0.1:9477 or [::1]:9477",
        ),
    }
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    match text.parse() {
        Ok(seconds @ 1..=SECONDS_MAX) => Ok(Duration::from_secs(seconds)),
        _ => Err("a whole number of seconds from 1 to 86400 is needed"),
    }
}

fn log(text: &str) -> Result<String, &'static str> {
    EnvFilter::builder()
        .parse(text)
        .map(|_| text.to_owned())
        .map_err(|_| "a log filter is needed, such as info or chatrang_server=debug,warn")
}

/// By the XDG base directory specification.
fn default_data_dir(variable: &impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(data.join("chatrang/server"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn flags(line: &str) -> Flags {
        Flags::try_parse_from(std::iter::once("chatrangd").chain(line.split_whitespace())).unwrap()
    }

    fn load(line: &str, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let variable = |name: &str| {
            environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        Config::load(flags(line), variable)
    }

    #[test]
    fn without_any_setting_there_are_defaults() {
        let config = load("", &[("HOME", "/home/ann")]).unwrap();
        let expected = Config {
            data_dir: "/home/ann/.local/share/chatrang/server".into(),
            listen: "0.0.0.0:7777".parse().unwrap(),
            metrics: None,
            registration: RegistrationMode::Invite,
            profile: Profile::Online,
            arbiters: Arbiters::Appointed,
            first_move: Duration::from_mins(1),
            restart_grace: Duration::from_mins(1),
            log: "info".into(),
            face: Face::Text,
            stop_when: StopWhen::Signalled,
            gate: GateLimits::default(),
        };
        assert_eq!(config, expected);
        let xdg = load("", &[("HOME", "/home/ann"), ("XDG_DATA_HOME", "/data")]).unwrap();
        assert_eq!(xdg.data_dir, Path::new("/data/chatrang/server"));
        assert!(matches!(load("", &[("HOME", "relative")]), Err(ConfigError::NoHome)));
    }

    #[test]
    fn a_flag_is_stronger_than_a_variable_and_a_variable_than_the_file() {
        let scratch = Scratch::new();
        let path = scratch.path().join("chatrangd.toml");
        let text = "data = '/file'\nlisten = '[::]:1'\nregistration = 'closed'\nfirst_move_seconds = 5\n\
                    restart_grace_seconds = 7\nlog = 'debug'\n";
        std::fs::write(&path, text).unwrap();
        let file = format!("--config {}", path.display());
        let config = load(&file, &[]).unwrap();
        assert_eq!(config.data_dir, Path::new("/file"));
        assert_eq!(config.listen, "[::]:1".parse().unwrap());
        assert_eq!(config.registration, RegistrationMode::Closed);
        assert_eq!(
            (config.first_move, config.restart_grace),
            (Duration::from_secs(5), Duration::from_secs(7))
        );
        assert_eq!(config.log, "debug");

        let environment = [
            ("CHATRANG_LISTEN", "127.0.0.1:2"),
            ("CHATRANG_REGISTRATION", "open"),
            ("CHATRANG_DATA", "/env"),
        ];
        let line = format!("{file} --listen 127.0.0.1:3 --first-move-seconds 9 --json --while-stdin");
        let config = load(&line, &environment).unwrap();
        assert_eq!(config.listen, "127.0.0.1:3".parse().unwrap());
        assert_eq!(config.registration, RegistrationMode::Open);
        assert_eq!(config.data_dir, Path::new("/env"));
        assert_eq!(config.first_move, Duration::from_secs(9));
        assert_eq!((config.face, config.stop_when), (Face::Json, StopWhen::StdinCloses));

        let named = [("CHATRANG_CONFIG", path.to_str().unwrap())];
        assert_eq!(load("--data /flag", &named).unwrap().data_dir, Path::new("/flag"));
    }

    #[test]
    fn an_error_is_one_sentence_with_place_and_fix() {
        let home = ("HOME", "/home/ann");
        for (line, environment, sentence) in [
            (
                "--listen 7777",
                vec![],
                "the option --listen says \"7777\", but an address and a port are needed, such as 0.0.0.0:7777 or \
                 [::]:7777",
            ),
            (
                "",
                vec![("CHATRANG_REGISTRATION", "Open")],
                "the variable CHATRANG_REGISTRATION says \"Open\", but registration is one of invite, open, closed",
            ),
            (
                "--metrics 0.0.0.0:9477",
                vec![],
                "the option --metrics says \"0.0.0.0:9477\", but an address of this machine itself and a port are \
                 needed, such as 127.0.0.1:9477 or [::1]:9477",
            ),
            (
                "--restart-grace-seconds 0",
                vec![],
                "the option --restart-grace-seconds says \"0\", but a whole number of seconds from 1 to 86400 is \
                 needed",
            ),
            (
                "--log ===",
                vec![],
                "the option --log says \"===\", but a log filter is needed, such as info or \
                 chatrang_server=debug,warn",
            ),
        ] {
            let environment = [vec![home], environment].concat();
            assert_eq!(load(line, &environment).unwrap_err().to_string(), sentence);
        }
    }

    #[test]
    fn a_wrong_file_is_named_with_its_line() {
        let scratch = Scratch::new();
        let path = scratch.path().join("chatrangd.toml");
        let line = format!("--data /d --config {}", path.display());
        let missing = load(&line, &[]).unwrap_err().to_string();
        assert!(missing.starts_with(&format!("the configuration file {} cannot be read", path.display())));
        for (text, fault) in [
            ("log = 'info'\nlisten_to = ':1'\n", "line 2: unknown field `listen_to`"),
            ("first_move_seconds = -1\n", "line 1: "),
            ("listen = ", "line 1: "),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = load(&line, &[]).unwrap_err().to_string();
            let expected = format!("the configuration file {} is wrong: {fault}", path.display());
            assert!(error.starts_with(&expected), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
        std::fs::write(&path, "registration = 'friends'").unwrap();
        let error = load(&line, &[]).unwrap_err().to_string();
        let expected = format!("registration in {} says \"friends\"", path.display());
        assert!(error.starts_with(&expected), "{error}");
    }

    #[test]
    fn a_profile_and_who_is_an_arbiter_are_words() {
        for profile in Profile::ALL {
            assert_eq!(load(&format!("--data /d --profile {profile}"), &[]).unwrap().profile, profile);
        }
        let config = load("--data /d --arbiters owner", &[("CHATRANG_PROFILE", "classic")]).unwrap();
        assert_eq!((config.profile, config.arbiters), (Profile::Classic, Arbiters::AppointedOrOwner));
        for line in ["--data /d --profile fide", "--data /d --arbiters all"] {
            assert!(matches!(load(line, &[]), Err(ConfigError::Value { .. })), "{line}");
        }
    }

    #[test]
    fn registration_is_one_of_three() {
        for (text, mode) in [
            ("invite", RegistrationMode::Invite),
            ("open", RegistrationMode::Open),
            ("closed", RegistrationMode::Closed),
        ] {
            let config = load(&format!("--data /d --registration {text}"), &[]).unwrap();
            assert_eq!(config.registration, mode);
        }
    }
}
