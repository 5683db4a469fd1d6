//! Faults by the thousand: every system call of every command fails once in turn, resources run
//! out, folders vanish, processes are killed wherever they are. Run by name: `make faults`.
//!
//! `FAULTS_STRIDE=10` tries one fault in ten. What needs `strace` or mounts says that it is skipped
//! where there are none.

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

/// One fault in so many is tried.
fn stride() -> usize {
    let stride = std::env::var("FAULTS_STRIDE").ok();
    stride.and_then(|it| it.parse().ok()).unwrap_or(1)
}
