//! The binary `chatrang`.

use std::process::ExitCode;

fn main() -> ExitCode {
    chatrang_client::run::run(std::env::args_os())
}
