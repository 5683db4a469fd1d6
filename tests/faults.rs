//! Faults: system calls of every command fail once in turn, and files get their names in an order
//! that survives it.
//!
//! `make test` tries a few calls; `make faults` the slow tests too, and one call in `FAULTS_STRIDE`
//! from that of `FAULTS_OFFSET` on. What needs `strace` says that it is skipped where there is
//! none.

mod calls;
mod order;
mod saving;
mod scenarios;

use self::scenarios::Met;

/// One fault in so many is tried if the environment does not say how many.
const STRIDE: usize = 1200;

/// One fault in so many of all, in their order, from that of `FAULTS_OFFSET` on; the others on
/// other days.
fn some_of<T>(all: Vec<T>) -> Vec<T> {
    let stride = variable("FAULTS_STRIDE").unwrap_or(STRIDE).max(1);
    let offset = variable("FAULTS_OFFSET").unwrap_or(0) % stride;
    all.into_iter().skip(offset).step_by(stride).collect()
}

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

fn variable(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}
