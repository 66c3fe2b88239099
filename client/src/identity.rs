//! This machine's key: made on the first run, kept where only its owner reads it.

use crate::config::{self, Paths};
use crate::fault::{Exit, Fault};
use chatrang_protocol::ids::Handle;
use chatrang_protocol::key::SecretKey;
use chatrang_protocol::limits::HANDLE_BYTES_MAX;
use std::fs;
use std::io;
use std::path::Path;

/// Loads the key, or makes one on the first run.
///
/// # Errors
/// [`Exit::LocalFile`] when the file cannot be read or written, is no key, or is open to others.
pub fn load_or_create(paths: &Paths) -> Result<SecretKey, Fault> {
    let path = paths.identity();
    match fs::read(&path) {
        Ok(bytes) => {
            refuse_open_file(&path)?;
            SecretKey::from_pkcs8(&bytes).map_err(|error| {
                let hint = format!(
                    "put a copy of your key back to {}, or move the file away to become somebody new",
                    path.display()
                );
                Fault::new(Exit::LocalFile, "your key cannot be read", hint).caused_by(error)
            })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => create(paths, &path),
        Err(error) => {
            let hint = format!("see to it that you may read {}", path.display());
            Err(Fault::new(Exit::LocalFile, "your key cannot be read", hint).caused_by(error))
        }
    }
}

/// A name that servers accept, made from the one of the system's user.
pub fn suggest_handle(user: &str) -> Option<Handle> {
    let mut name: String =
        user.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
    name.truncate(HANDLE_BYTES_MAX);
    let prefixed = if name.is_empty() { "player".to_owned() } else { format!("player-{name}") };
    let attempts = [name, prefixed, "player".to_owned()];
    attempts.iter().find_map(|name| Handle::new(name).ok())
}

fn create(paths: &Paths, path: &Path) -> Result<SecretKey, Fault> {
    config::make_private_dir(&paths.data)?;
    let key = SecretKey::generate().map_err(|error| {
        Fault::new(Exit::Other, "no key can be made", "try again; if it stays, look at /dev/urandom")
            .caused_by(error)
    })?;
    match config::create_private_file(path, key.to_pkcs8()) {
        Ok(()) => Ok(key),
        // Another run of the program was faster: its key counts.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => load_or_create(paths),
        Err(error) => {
            let hint = format!("see to it that you may write to {}", paths.data.display());
            Err(Fault::new(Exit::LocalFile, "your new key cannot be written", hint).caused_by(error))
        }
    }
}

#[cfg(unix)]
fn refuse_open_file(path: &Path) -> Result<(), Fault> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path).map(|metadata| metadata.permissions().mode()).unwrap_or_default();
    let for_others = mode & 0o077;
    if for_others == 0 {
        return Ok(());
    }
    Err(Fault::new(
        Exit::LocalFile,
        "others can read your key, so they can play as you",
        format!("run: chmod 600 {}", path.display()),
    ))
}

#[cfg(not(unix))]
fn refuse_open_file(_path: &Path) -> Result<(), Fault> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::Scratch;

    fn paths(scratch: &Scratch) -> Paths {
        Paths { config: scratch.0.join("c"), data: scratch.0.join("d"), state: scratch.0.join("s") }
    }

    #[test]
    fn a_key_is_made_once() {
        let scratch = Scratch::new();
        let first = load_or_create(&paths(&scratch)).unwrap();
        let second = load_or_create(&paths(&scratch)).unwrap();
        assert_eq!(first.public_key(), second.public_key());
    }

    #[cfg(unix)]
    #[test]
    fn a_key_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let scratch = Scratch::new();
        let paths = paths(&scratch);
        load_or_create(&paths).unwrap();
        assert_eq!(fs::metadata(paths.identity()).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(paths.identity(), fs::Permissions::from_mode(0o644)).unwrap();
        let fault = load_or_create(&paths).unwrap_err();
        assert_eq!(fault.exit, Exit::LocalFile);
        assert!(fault.hint.starts_with("run: chmod 600 "), "{fault}");
    }

    #[test]
    fn a_damaged_key_is_not_replaced() {
        let scratch = Scratch::new();
        let paths = paths(&scratch);
        load_or_create(&paths).unwrap();
        config::write_private_file(&paths.identity(), b"damaged").unwrap();
        assert_eq!(load_or_create(&paths).unwrap_err().exit, Exit::LocalFile);
        assert_eq!(fs::read(paths.identity()).unwrap(), b"damaged");
    }

    #[test]
    fn every_user_has_a_name() {
        for (user, name) in [
            ("alice", "alice"),
            ("j.doe", "jdoe"),
            ("zoë", "player-zo"),
            ("7of9", "player-7of9"),
            ("", "player"),
            ("дмитрий", "player"),
            ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrst"),
            ("01234567890123456789", "player"),
        ] {
            assert_eq!(suggest_handle(user).unwrap().as_str(), name, "{user}");
        }
    }
}
