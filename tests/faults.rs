//! Faults by the thousand: every system call of every command fails once in turn, resources run
//! out, folders vanish, processes are killed wherever they are. Run by name: `make faults`.
//!
//! `FAULTS_STRIDE=10` tries one fault in ten, `FAULTS_OFFSET=3` from the third on. What needs
//! `strace` or mounts says that it is skipped where there are none.

#[allow(dead_code, reason = "not all of it is needed here")]
mod program;

#[path = "faults/scenarios.rs"]
mod scenarios;

#[path = "faults/calls.rs"]
mod calls;

#[path = "faults/limits.rs"]
mod limits;

#[path = "faults/everywhere.rs"]
mod everywhere;

#[path = "faults/saving.rs"]
mod saving;

/// One fault in so many is tried, and the others on other days.
fn stride() -> usize {
    variable("FAULTS_STRIDE").unwrap_or(1).max(1)
}

/// Of all in their order one in so many, from that of `FAULTS_OFFSET` on.
fn one_in<T>(stride: usize, all: Vec<T>) -> Vec<T> {
    let offset = variable("FAULTS_OFFSET").unwrap_or(0) % stride;
    all.into_iter().skip(offset).step_by(stride).collect()
}

fn variable(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}
