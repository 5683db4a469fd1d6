use std::process::ExitCode;

use clap::Parser;
use reines::cli::{self, Cli};

fn main() -> ExitCode {
    match cli::dispatch(Cli::parse()) {
        Ok(code) => code,
        // Whoever read our output has seen enough: `reines list | head`.
        Err(error) if cli::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            cli::print_error(&error);
            cli::exit_code(&error)
        }
    }
}
