//! Any file is a configuration or is refused with one sentence; what it sets is within its bounds.
#![no_main]

use chatrang_server::config::{Config, Flags};
use libfuzzer_sys::fuzz_target;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

/// The file that is read: one for each process that fuzzes.
static FILE: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("chatrang-fuzz-config-{}.toml", std::process::id())));

fuzz_target!(|text: &[u8]| {
    std::fs::write(&*FILE, text).expect("the directory for temporary files takes one");
    let flags = Flags { config: Some(FILE.clone()), ..Flags::default() };
    let home = |name: &str| (name == "HOME").then(|| "/home/operator".to_owned());
    match Config::load(flags, home) {
        Ok(config) => {
            assert!(!config.data_dir.as_os_str().is_empty());
            assert!(config.first_move > Duration::ZERO);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
