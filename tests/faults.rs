//! Faults: system calls of every command fail once in turn, and files get their names in an order
//! that survives it.
//!
//! `make test` tries a few calls, `make verify` all. What needs `strace` says that it is skipped
//! where there is none.

mod calls;
mod order;
mod saving;
mod scenarios;

use self::scenarios::Met;

/// What came of faults.
#[derive(Default)]
struct Tally {
    tried: usize,
    errors: usize,
    short: Vec<String>,
}

impl Tally {
    fn add(&mut self, fault: &str, met: Result<Met, String>) {
        self.tried += 1;
        match met {
            Ok(Met::Error) => self.errors += 1,
            Ok(Met::Unaffected) => {}
            Err(reason) => self.short.push(format!("{fault}: {reason}")),
        }
    }

    /// Says it in a line; fails where a command fell short.
    fn end(&self, what: &str) {
        let Self {
            tried,
            errors,
            short,
        } = self;
        println!("{what}: {tried} tried, {errors} errors");
        assert!(short.is_empty(), "falls short:\n{}", short.join("\n"));
    }
}
