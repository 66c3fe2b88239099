//! The command line.

use chatrang_protocol::ids::{GameId, Handle};
use chatrang_protocol::invite::{HostPort, InviteError, ServerAddress};
use chatrang_protocol::lobby::{Proposal, Side};
use chatrang_protocol::role::Role;
use chatrang_rules::game::{Conduct, ConductError, Controls, SpeedClass, Stakes};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::str::FromStr;

/// Play chess in the terminal, with friends, over the network.
#[derive(Debug, Parser)]
#[command(name = "chatrang", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Options of every command.
    #[command(flatten)]
    pub options: Options,
}

const EXIT_CODES: &str = "Exit codes: 0 well, or the game is over whoever won; 1 other; 2 usage; 3 server out of reach; \
4 not let in; 5 the server's key changed; 6 versions do not fit; 7 not possible now; 8 local file; 130 interrupted.";

/// A command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Starts a server on this machine, prints the one line to send to a friend, and plays
    Host {
        /// Minutes and seconds a move, such as 5+3; 40/90+30,30+30, 10d5, hg3, 3days and others also
        #[arg(value_name = "TC", default_value = "5+3")]
        controls: Controls,
        /// What else is agreed
        #[command(flatten)]
        wishes: TermsWishes,
        /// Where the friend reaches this machine [default: the address of the default route]
        #[arg(long, value_name = "HOST[:PORT]")]
        advertise: Option<Advertised>,
        /// Where the server listens [default: port 7777 of every address]
        #[arg(long, value_name = "ADDR:PORT")]
        listen: Option<SocketAddr>,
    },
    /// Joins the server that an invite line names, and its game
    Join {
        /// HOST:PORT/FINGERPRINT/CODE, or a token cr1…, or only HOST:PORT
        #[arg(value_parser = invite_line)]
        line: ServerAddress,
        /// Plays by whatever terms the invitation proposes, without asking
        #[arg(long)]
        accept_terms: bool,
    },
    /// Finds an opponent on a server and plays
    Play {
        /// Minutes and seconds a move, such as 5+3; 40/90+30,30+30, 10d5, hg3, 3days and others also
        #[arg(value_name = "TC", default_value = "5+3")]
        controls: Controls,
        /// What else is agreed
        #[command(flatten)]
        wishes: TermsWishes,
    },
    /// Watches a game
    Watch {
        /// Its number, as `chatrang games` lists it
        game: GameId,
    },
    /// Lists the games that are being played on a server
    Games,
    /// Has nothing to do with a player: no game between the two of you, and his chat is not heard
    Block {
        /// His name on the server
        #[arg(value_name = "NAME")]
        player: Handle,
    },
    /// Takes a block back
    Unblock {
        /// His name on the server
        #[arg(value_name = "NAME")]
        player: Handle,
    },
    /// Lists the players you block
    Blocks,
    /// Sits at the arbiter's desk: lists games and calls, watches games, rules in them; always in lines
    Arbiter,
    /// Gives an account a role: for an owner of the server
    Role {
        /// Its name on the server
        #[arg(value_name = "NAME")]
        player: Handle,
        /// owner, arbiter, player or bot
        role: Role,
    },
    /// Shows who you are
    #[command(subcommand)]
    Identity(IdentityCommand),
    /// Shows and forgets the servers this machine knows
    #[command(subcommand)]
    Trust(TrustCommand),
}

/// What to do with the identity.
#[derive(Debug, Subcommand)]
pub enum IdentityCommand {
    /// Prints the fingerprint of this machine's key, and where the key lies
    Show,
}

/// What to do with the known servers.
#[derive(Debug, Subcommand)]
pub enum TrustCommand {
    /// Lists the known servers and their fingerprints
    List,
    /// Forgets a server's key, so that a new one can be learnt
    Forget {
        /// HOST:PORT
        server: HostPortOrHost,
    },
}

/// Options of every command, before or after it.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option that stands alone on the command line")]
pub struct Options {
    /// Plain lines instead of a screen; chosen by itself without a terminal, with TERM=dumb or ACCESSIBLE
    #[arg(long, global = true)]
    pub plain: bool,
    /// One JSON object a line instead of a screen
    #[arg(long, global = true, conflicts_with = "plain")]
    pub json: bool,
    /// The server [default: the one used last]
    #[arg(long, global = true, value_name = "HOST:PORT[/FP[/CODE]]")]
    pub server: Option<ServerAddress>,
    /// Your name on a server that does not know you yet
    #[arg(long, global = true, value_name = "NAME")]
    pub name: Option<Handle>,
    /// The side you would like
    #[arg(long, global = true, value_enum, default_value_t = SideWish::Random)]
    pub side: SideWish,
    /// Trusts a server that this machine does not know yet, without asking
    #[arg(long, global = true)]
    pub trust_new: bool,
    /// Stay at the board when the game is over, to talk or for a rematch; quit leaves. The screen does anyway
    #[arg(long, global = true)]
    pub stay: bool,
    /// Colours on the screen
    #[arg(long, global = true, value_enum, default_value_t = ColorWish::Auto)]
    pub color: ColorWish,
}

/// What a player wants to agree besides the time.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct TermsWishes {
    /// How the game is conducted: online, tournament or classic (touch-move; illegal moves and wrong claims
    /// count), and settings that differ, as in "tournament touch-move=off". Settings: touch-move=on|off,
    /// illegal=refused|stands|COUNT/SECONDS, unpromoted=illegal|queen, flag=noticed|claimed,
    /// wrong-claim=refused|SECONDS, quickplay=off|increment|draw, arbiter=called|unasked,
    /// no-show=aborted|lost, absence=borne|claimed|automatic, sealed-move=yes|no [default: as the server has
    /// it]
    #[arg(long, value_name = "RULES")]
    pub rules: Option<String>,
    /// Plays for a rating
    #[arg(long)]
    pub rated: bool,
    /// No draw is agreed before this move
    #[arg(long, value_name = "N")]
    pub no_draw_before: Option<u16>,
}

impl TermsWishes {
    /// The whole proposal, with a side.
    ///
    /// # Errors
    /// [`ConductError`] names the word of the rules that is none.
    pub fn proposal(&self, controls: Controls, side: Side) -> Result<Proposal, ConductError> {
        let class = SpeedClass::of_game(&controls);
        let conduct = self.rules.as_ref().map(|rules| Conduct::parse(rules, class)).transpose()?;
        let stakes = if self.rated { Stakes::Rated } else { Stakes::Casual };
        let agreement_from = self.no_draw_before.unwrap_or(1);
        Ok(Proposal { controls, conduct, stakes, agreement_from, side })
    }
}

/// The side a player would like to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "a variant is its own name, and a doc comment would be help text")]
pub enum SideWish {
    White,
    Black,
    Random,
}

impl From<SideWish> for Side {
    fn from(wish: SideWish) -> Self {
        match wish {
            SideWish::White => Self::White,
            SideWish::Black => Self::Black,
            SideWish::Random => Self::Random,
        }
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "a variant is its own name, and a doc comment would be help text")]
pub enum ColorWish {
    Auto,
    Always,
    Never,
}

/// Where a friend reaches this machine: the port may be left to the one the server listens on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advertised(pub String);

impl Advertised {
    /// The address, with the server's own port unless another was given.
    ///
    /// # Errors
    /// A sentence, never for a text that was parsed.
    pub fn with_port(&self, port: u16) -> Result<HostPort, chatrang_protocol::invite::AddressError> {
        HostPort::with_default_port(&self.0, port)
    }
}

impl FromStr for Advertised {
    type Err = chatrang_protocol::invite::AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        HostPort::with_default_port(text, chatrang_protocol::invite::DEFAULT_PORT)?;
        Ok(Self(text.to_owned()))
    }
}

/// A server's address; without a port, the usual one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPortOrHost(pub HostPort);

impl FromStr for HostPortOrHost {
    type Err = chatrang_protocol::invite::AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        HostPort::with_default_port(text, chatrang_protocol::invite::DEFAULT_PORT).map(Self)
    }
}

/// Reads an invite line, also when it was pasted with the command in front of it.
fn invite_line(text: &str) -> Result<ServerAddress, InviteError> {
    let line = text.trim();
    line.strip_prefix("chatrang join ").unwrap_or(line).trim().parse()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Cli {
        Cli::try_parse_from(line.split(' ')).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_stand_before_or_after_the_command() {
        for line in [
            "chatrang --json --name bob --side black --trust-new play 3+2",
            "chatrang play 3+2 --json --name bob --side black --trust-new",
            "chatrang --json --side black play --name bob 3+2 --trust-new",
        ] {
            let cli = parse(line);
            assert!(matches!(&cli.command, Command::Play { controls, .. } if controls.to_string() == "3+2"));
            assert!(cli.options.json && cli.options.trust_new && !cli.options.plain);
            assert_eq!(cli.options.name.unwrap().as_str(), "bob");
            assert_eq!(cli.options.side, SideWish::Black);
        }
    }

    #[test]
    fn the_other_players_name_is_not_ones_own() {
        let cli = parse("chatrang block bob --name alice");
        assert!(matches!(&cli.command, Command::Block { player } if player.as_str() == "bob"));
        assert_eq!(cli.options.name.unwrap().as_str(), "alice");
        let cli = parse("chatrang role bob arbiter --name alice");
        assert!(
            matches!(&cli.command, Command::Role { player, role: Role::Arbiter } if player.as_str() == "bob")
        );
    }

    #[test]
    fn five_and_three_is_the_default() {
        for line in ["chatrang play", "chatrang host"] {
            match parse(line).command {
                Command::Play { controls, .. } | Command::Host { controls, .. } => {
                    assert_eq!(controls.to_string(), "5+3");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn terms_are_a_profile_and_what_differs_from_it() {
        let arguments = ["chatrang", "play", "5+3", "--rules", "tournament touch-move=off", "--rated"];
        let Command::Play { controls, wishes } = Cli::try_parse_from(arguments).unwrap().command else {
            panic!("not play")
        };
        let proposal = wishes.proposal(controls, Side::White).unwrap();
        assert_eq!(crate::agreed::of_proposal(&proposal), "5+3, tournament, touch-move off, rated");
        let wishes = TermsWishes { rules: Some("tourney".to_owned()), ..wishes };
        let error = wishes.proposal(controls, Side::White).unwrap_err();
        assert!(error.to_string().contains("online, tournament or classic"), "{error}");
        let Command::Host { wishes, .. } = parse("chatrang host --no-draw-before 30").command else {
            panic!("not host")
        };
        let proposal = wishes.proposal(controls, Side::White).unwrap();
        assert_eq!((proposal.conduct, proposal.agreement_from), (None, 30));
    }

    #[test]
    fn a_server_is_an_address_or_an_invite_line() {
        let fingerprint = "0vhzv3yt56xp1atsanyyc7pv18";
        for (text, has_fingerprint, has_code) in [
            ("chess.example.net", false, false),
            ("192.0.2.7:7778", false, false),
            (&format!("chess.example.net:7777/{fingerprint}"), true, false),
            (&format!("chess.example.net:7777/{fingerprint}/k7r3m9ta"), true, true),
        ] {
            let server = parse(&format!("chatrang games --server {text}")).options.server.unwrap();
            assert_eq!(
                (server.fingerprint().is_some(), server.code().is_some()),
                (has_fingerprint, has_code)
            );
        }
    }

    #[test]
    fn nonsense_is_a_usage_error() {
        for line in [
            "chatrang",
            "chatrang join",
            "chatrang join chess.example.net:7777/short",
            "chatrang play five",
            "chatrang watch first",
            "chatrang play --side green",
            "chatrang block",
            "chatrang block 1x",
            "chatrang role bob king",
            "chatrang play --name 1x",
            "chatrang play --plain --json",
        ] {
            assert_eq!(Cli::try_parse_from(line.split(' ')).unwrap_err().exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn an_advertised_address_may_leave_the_port_to_the_server() {
        for (text, address) in
            [("chess.example.net", "chess.example.net:7790"), ("192.0.2.7:1", "192.0.2.7:1")]
        {
            assert_eq!(text.parse::<Advertised>().unwrap().with_port(7790).unwrap().to_string(), address);
        }
    }

    #[test]
    fn a_line_may_be_pasted_with_its_command() {
        let line = "chess.example.net:7777/0vhzv3yt56xp1atsanyyc7pv18/k7r3m9ta";
        assert_eq!(invite_line(&format!("chatrang join {line} ")), invite_line(line));
        assert!(invite_line("chatrang join").is_err());
    }
}
