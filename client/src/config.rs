//! Where the program keeps its files, after the XDG rules on every system, and the player's settings.

use crate::fault::{Exit, Fault};
use chatrang_protocol::ids::Handle;
use etcetera::base_strategy::{BaseStrategy, Xdg};
use serde::Deserialize;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The program's directories.
#[derive(Clone, Debug)]
pub struct Paths {
    /// `$XDG_CONFIG_HOME/chatrang`: what the player writes.
    pub config: PathBuf,
    /// `$XDG_DATA_HOME/chatrang`: the key, the known servers, the data of an own server.
    pub data: PathBuf,
    /// `$XDG_STATE_HOME/chatrang`: logs.
    pub state: PathBuf,
}

impl Paths {
    /// The directories of the user who runs the program.
    ///
    /// # Errors
    /// [`Exit::LocalFile`] when there is no home directory.
    pub fn of_user() -> Result<Self, Fault> {
        let xdg = Xdg::new().map_err(|error| {
            Fault::new(Exit::LocalFile, "there is no home directory", "set HOME to a directory of yours")
                .caused_by(error)
        })?;
        let data = xdg.data_dir();
        Ok(Self {
            config: xdg.config_dir().join("chatrang"),
            state: xdg.state_dir().unwrap_or_else(|| data.clone()).join("chatrang"),
            data: data.join("chatrang"),
        })
    }

    /// The file of the secret key.
    pub fn identity(&self) -> PathBuf {
        self.data.join("identity.pk8")
    }

    /// The file of the known servers.
    pub fn servers(&self) -> PathBuf {
        self.data.join("servers.toml")
    }

    /// The data directory of an own server.
    pub fn own_server(&self) -> PathBuf {
        self.data.join("server")
    }

    /// The log of an own server.
    pub fn own_server_log(&self) -> PathBuf {
        self.state.join("chatrangd.log")
    }

    /// The file of the settings.
    pub fn settings(&self) -> PathBuf {
        self.config.join("config.toml")
    }
}

/// What the player may write into `config.toml`; every key may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The name to ask for on a new server.
    pub name: Option<String>,
    /// How the pieces are painted.
    pub pieces: Option<PieceStyle>,
    /// Whether the screen listens to the mouse; it does by default.
    pub mouse: Option<bool>,
    /// Whether the screen rings the terminal's bell when it is the player's turn; it does not by default.
    pub bell: Option<bool>,
    /// Where `chatrang host` listens.
    pub listen: Option<SocketAddr>,
}

/// How the pieces are painted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceStyle {
    /// Chess symbols: White's are outlines, Black's are filled.
    #[default]
    Glyphs,
    /// `K Q R B N P` for White, `k q r b n p` for Black.
    Letters,
}

impl PieceStyle {
    /// The other style.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Glyphs => Self::Letters,
            Self::Letters => Self::Glyphs,
        }
    }
}

impl Settings {
    /// Reads the settings; without a file they are all left out.
    ///
    /// # Errors
    /// [`Exit::LocalFile`] when the file is there but cannot be read or understood.
    pub fn load(path: &Path) -> Result<Self, Fault> {
        let hint = format!("correct {} or delete it", path.display());
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                return Err(Fault::new(Exit::LocalFile, "the settings cannot be read", hint).caused_by(error));
            }
        };
        let settings: Self = toml::from_str(&text).map_err(|error| {
            Fault::new(Exit::LocalFile, "the settings make no sense", hint.clone()).caused_by(error)
        })?;
        if let Some(Err(error)) = settings.name.as_deref().map(Handle::new) {
            return Err(
                Fault::new(Exit::LocalFile, "the name in the settings is no name", hint).caused_by(error)
            );
        }
        Ok(settings)
    }

    /// The name to ask for on a new server, if one is set.
    pub fn handle(&self) -> Option<Handle> {
        self.name.as_deref().and_then(|name| Handle::new(name).ok())
    }
}

/// Makes a directory that only its owner may enter, and those above it.
///
/// # Errors
/// [`Exit::LocalFile`] with the directory's name.
pub fn make_private_dir(path: &Path) -> Result<(), Fault> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|error| {
        Fault::new(
            Exit::LocalFile,
            format!("the directory {} cannot be made", path.display()),
            "make it yourself, or set XDG_DATA_HOME to a directory that you may write to",
        )
        .caused_by(error)
    })
}

/// Writes a file that only its owner may read, in place of the old one at once or not at all.
///
/// # Errors
/// What the system says.
pub fn write_private_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::rename(write_draft(path, bytes)?, path)
}

/// Writes a file that only its owner may read, unless there is one already.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] when there is, and what else the system says.
pub fn create_private_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = write_draft(path, bytes)?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(draft)?;
    linked
}

/// Writes the whole content beside its place.
fn write_draft(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let draft = path.with_extension(format!("draft-{}", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(draft)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A directory of its own for one test, removed afterwards.
    pub(crate) struct Scratch(pub(crate) PathBuf);

    impl Scratch {
        pub(crate) fn new() -> Self {
            static COUNT: AtomicU32 = AtomicU32::new(0);
            let name =
                format!("chatrang-client-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn settings_may_be_missing_whole_or_wrong() {
        let scratch = Scratch::new();
        let path = scratch.0.join("config.toml");
        assert_eq!(Settings::load(&path), Ok(Settings::default()));
        fs::write(&path, "name = 'bob'\npieces = 'letters'\nmouse = false\nlisten = '[::]:7000'").unwrap();
        let settings = Settings::load(&path).unwrap();
        assert_eq!(settings.handle(), Handle::new("bob").ok());
        assert_eq!(settings.pieces, Some(PieceStyle::Letters));
        for wrong in ["name = 'b'", "pieces = 'wood'", "colour = 'red'", "mouse"] {
            fs::write(&path, wrong).unwrap();
            assert_eq!(Settings::load(&path).unwrap_err().exit, Exit::LocalFile, "{wrong}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn private_files_are_their_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let scratch = Scratch::new();
        let path = scratch.0.join("secret");
        create_private_file(&path, b"one").unwrap();
        let twice = create_private_file(&path, b"other").unwrap_err();
        assert_eq!(
            (twice.kind(), fs::read(&path).unwrap().as_slice()),
            (io::ErrorKind::AlreadyExists, &b"one"[..])
        );
        write_private_file(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 1);
    }
}
