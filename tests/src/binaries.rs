//! `chatrangd` and `chatrang`, built once a run, in the profile that the test was built in.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where the binaries are.
#[derive(Debug)]
pub struct Binaries {
    /// The server.
    pub chatrangd: PathBuf,
    /// The client.
    pub chatrang: PathBuf,
    /// The bot of the protocol's examples.
    pub random_bot: PathBuf,
}

/// Builds them, or returns when somebody else of this process has.
pub fn binaries() -> &'static Binaries {
    static BUILT: OnceLock<Binaries> = OnceLock::new();
    BUILT.get_or_init(|| {
        let profile_dir = profile_dir();
        build(&profile_dir);
        let in_profile = |name: &str| {
            let path = profile_dir.join(name).with_extension(std::env::consts::EXE_EXTENSION);
            assert!(path.is_file(), "{} was not built", path.display());
            path
        };
        Binaries {
            chatrangd: in_profile("chatrangd"),
            chatrang: in_profile("chatrang"),
            random_bot: in_profile("examples/random_bot"),
        }
    })
}

/// The directory that this program was built into: above `deps`, if it is a test.
fn profile_dir() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let dir = program.parent().unwrap();
    if dir.ends_with("deps") { dir.parent().unwrap().to_owned() } else { dir.to_owned() }
}

/// The same packages as the test's own, so that nothing is built twice.
fn build(profile_dir: &Path) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let profile = match profile_dir.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--profile", profile, "--target-dir"])
        .arg(profile_dir.parent().unwrap())
        .args([
            "-p",
            "chatrang-tests",
            "-p",
            "chatrang-server",
            "-p",
            "chatrang-client",
            "-p",
            "chatrang-protocol",
        ])
        .args(["--bin", "chatrangd", "--bin", "chatrang", "--example", "random_bot"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the binaries do not build");
}
