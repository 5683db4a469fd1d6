//! The command `reines`.

use std::process::ExitCode;

fn main() -> ExitCode {
    reines::run_command_line()
}
