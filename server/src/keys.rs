//! The server's own keys, made at its first start and kept for ever after.
//!
//! `server.key` is the identity that players pin: whoever loses it loses their trust, whoever copies
//! it is the server. `endpoint.keys` lets a restarted server tell clients of the earlier run at once
//! that their connections are gone, and takes their address tokens.

use chatrang_protocol::key::{SecretKey, SecretKeyError};
use chatrang_protocol::net::endpoint::EndpointKeys;
use ring::rand::{SecureRandom, SystemRandom};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const SERVER_KEY: &str = "server.key";
const ENDPOINT_KEYS: &str = "endpoint.keys";

/// All keys of a server.
#[derive(Debug)]
pub struct ServerKeys {
    /// Who the server is.
    pub identity: SecretKey,
    /// What its endpoint must remember.
    pub endpoint: EndpointKeys,
}

/// Why a server has no keys.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The file system refuses to show a file.
    #[error(
        "the key file {} cannot be read ({source}): make it readable for the user who runs the server",
        path.display()
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// The file system refuses to take a file.
    #[error(
        "the key file {} cannot be written ({source}): make room on the disk, and the directory writable for the \
         user who runs the server",
        path.display()
    )]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// Others may read a file that is the server.
    #[error("the key file {0} can be read by others: take that right from them with chmod 600 {0}", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
    },
    /// The identity is not what was written.
    #[error(
        "the key file {} is damaged ({source}): restore it from a backup; without it players will be warned that \
         this is another server",
        path.display()
    )]
    IdentityDamaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: SecretKeyError,
    },
    /// The endpoint's keys are not what was written.
    #[error("the key file {} is damaged: delete it, and the next start makes a new one", path.display())]
    EndpointDamaged {
        /// The file.
        path: PathBuf,
    },
    /// The system has no random numbers to give.
    #[error("the system gives no random numbers to make keys from")]
    NoRandomness,
}

impl ServerKeys {
    /// Reads the keys in the data directory `dir`; none when one of them is missing. Makes nothing.
    ///
    /// # Errors
    /// [`KeysError`] names the file and what to do.
    pub fn read(dir: &Path) -> Result<Option<Self>, KeysError> {
        Ok(match (read_identity(dir)?, read_endpoint(dir)?) {
            (Some(identity), Some(endpoint)) => Some(Self { identity, endpoint }),
            _ => None,
        })
    }

    /// Reads the keys in the data directory `dir`; makes those that are missing.
    ///
    /// To be called by whoever holds the directory (an open store does).
    ///
    /// # Errors
    /// [`KeysError`] names the file and what to do; nothing that exists is ever replaced.
    pub fn load_or_make(dir: &Path) -> Result<Self, KeysError> {
        Ok(Self { identity: identity(dir)?, endpoint: endpoint(dir)? })
    }
}

fn read_identity(dir: &Path) -> Result<Option<SecretKey>, KeysError> {
    let path = dir.join(SERVER_KEY);
    let Some(pkcs8) = read(&path)? else { return Ok(None) };
    SecretKey::from_pkcs8(&pkcs8).map(Some).map_err(|source| KeysError::IdentityDamaged { path, source })
}

fn read_endpoint(dir: &Path) -> Result<Option<EndpointKeys>, KeysError> {
    let path = dir.join(ENDPOINT_KEYS);
    let Some(bytes) = read(&path)? else { return Ok(None) };
    from_bytes(&bytes).map(Some).ok_or(KeysError::EndpointDamaged { path })
}

fn identity(dir: &Path) -> Result<SecretKey, KeysError> {
    if let Some(key) = read_identity(dir)? {
        return Ok(key);
    }
    let path = dir.join(SERVER_KEY);
    let key = SecretKey::generate().map_err(|_| KeysError::NoRandomness)?;
    write(dir, &path, key.to_pkcs8()).map_err(|source| KeysError::Unwritable { path, source })?;
    Ok(key)
}

fn endpoint(dir: &Path) -> Result<EndpointKeys, KeysError> {
    if let Some(keys) = read_endpoint(dir)? {
        return Ok(keys);
    }
    let path = dir.join(ENDPOINT_KEYS);
    let keys = generate_endpoint_keys()?;
    write(dir, &path, &to_bytes(&keys)).map_err(|source| KeysError::Unwritable { path, source })?;
    Ok(keys)
}

/// New endpoint keys.
///
/// # Errors
/// [`KeysError::NoRandomness`] when the system has none to give.
pub fn generate_endpoint_keys() -> Result<EndpointKeys, KeysError> {
    Ok(EndpointKeys {
        reset_key: random()?,
        connection_id_key: u64::from_le_bytes(random()?),
        token_key: random()?,
    })
}

fn to_bytes(keys: &EndpointKeys) -> Vec<u8> {
    [&keys.reset_key[..], &keys.connection_id_key.to_le_bytes(), &keys.token_key].concat()
}

fn from_bytes(bytes: &[u8]) -> Option<EndpointKeys> {
    let (reset_key, rest) = bytes.split_first_chunk()?;
    let (connection_id_key, rest) = rest.split_first_chunk()?;
    Some(EndpointKeys {
        reset_key: *reset_key,
        connection_id_key: u64::from_le_bytes(*connection_id_key),
        token_key: rest.try_into().ok()?,
    })
}

fn random<const N: usize>() -> Result<[u8; N], KeysError> {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).map_err(|_| KeysError::NoRandomness)?;
    Ok(bytes)
}

/// A key file's bytes, or `None` if there is no such file.
fn read(path: &Path) -> Result<Option<Vec<u8>>, KeysError> {
    let unreadable = |source| KeysError::Unreadable { path: path.to_owned(), source };
    match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
        Ok(metadata) if is_exposed(&metadata) => return Err(KeysError::Exposed { path: path.to_owned() }),
        Ok(_) => {}
    }
    std::fs::read(path).map(Some).map_err(unreadable)
}

#[cfg(unix)]
fn is_exposed(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o077 != 0
}

#[cfg(not(unix))]
fn is_exposed(_: &std::fs::Metadata) -> bool {
    false
}

/// Writes a whole key file or none: under another name, flushed, then renamed, and the name flushed.
fn write(dir: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&draft, path)?;
    File::open(dir)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn keys_are_made_once_and_read_ever_after() {
        let scratch = Scratch::new();
        let made = ServerKeys::load_or_make(scratch.path()).unwrap();
        let read = ServerKeys::load_or_make(scratch.path()).unwrap();
        assert_eq!(made.identity.public_key(), read.identity.public_key());
        assert_eq!(to_bytes(&made.endpoint), to_bytes(&read.endpoint));
        let other = Scratch::new();
        let another = ServerKeys::load_or_make(other.path()).unwrap();
        assert_ne!(made.identity.public_key(), another.identity.public_key());
        assert_ne!(made.endpoint.reset_key, another.endpoint.reset_key);
        assert_ne!(made.endpoint.connection_id_key, another.endpoint.connection_id_key);
        assert_ne!(made.endpoint.token_key, another.endpoint.token_key);
        let names = std::fs::read_dir(scratch.path()).unwrap().count();
        assert_eq!(names, 2, "no draft stays");
    }

    #[test]
    fn damaged_files_are_named_and_never_replaced() {
        let scratch = Scratch::new();
        ServerKeys::load_or_make(scratch.path()).unwrap();
        let path = scratch.path().join(ENDPOINT_KEYS);
        for damaged in [&[7; 135][..], &[7; 137], &[]] {
            std::fs::write(&path, damaged).unwrap();
            let error = ServerKeys::load_or_make(scratch.path()).unwrap_err();
            assert!(matches!(&error, KeysError::EndpointDamaged { path: named } if *named == path));
            assert_eq!(std::fs::read(&path).unwrap(), damaged);
        }
        let path = scratch.path().join(SERVER_KEY);
        std::fs::write(&path, b"no key").unwrap();
        let error = ServerKeys::load_or_make(scratch.path()).unwrap_err();
        assert!(matches!(&error, KeysError::IdentityDamaged { path: named, .. } if *named == path));
    }

    #[test]
    fn a_missing_directory_is_named() {
        let scratch = Scratch::new();
        let dir = scratch.path().join("missing");
        let error = ServerKeys::load_or_make(&dir).unwrap_err();
        assert!(error.to_string().ends_with("the directory writable for the user who runs the server"));
        assert!(matches!(error, KeysError::Unwritable { path, .. } if path == dir.join(SERVER_KEY)));
    }

    #[cfg(unix)]
    #[test]
    fn keys_are_private_or_refused() {
        use std::os::unix::fs::PermissionsExt;
        let scratch = Scratch::new();
        ServerKeys::load_or_make(scratch.path()).unwrap();
        for name in [SERVER_KEY, ENDPOINT_KEYS] {
            let path = scratch.path().join(name);
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
            let error = ServerKeys::load_or_make(scratch.path()).unwrap_err();
            assert!(matches!(&error, KeysError::Exposed { path: named } if *named == path), "{error}");
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        }
    }
}
