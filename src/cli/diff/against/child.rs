//! Other programs: git's answers aside, cargo and the two programs that are compared. How Ctrl-C is
//! handed on to them, and their exit codes, is decided here.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;

use anyhow::Context;

use crate::cli::{exit_code, signals};

/// How long a signal may wait before it is handed on.
const PAUSE: Duration = Duration::from_millis(10);

/// Runs a program to its end and returns its exit code; where a signal has ended it, 128 and the
/// signal's number, as shells do. What it prints goes to standard error.
///
/// A signal that asks this process to end is handed on, and the program is waited for: a run keeps
/// what is finished.
pub fn exit_code(command: &mut Command) -> anyhow::Result<i32> {
    let stop = signals::listen()?;
    let name = command.get_program().to_string_lossy().into_owned();
    let command = command.stdin(Stdio::null()).stdout(io::stderr());
    let mut child = command.spawn().with_context(|| name.clone())?;
    let mut was_told = false;
    loop {
        if let Some(status) = child.try_wait().with_context(|| name.clone())? {
            let by_signal = status.signal().map(|signal| 128 + signal);
            let code = status.code().or(by_signal).unwrap_or(-1);
            // Whatever it has made of the signal.
            let is_stopped = stop.load(Ordering::Relaxed);
            return Ok(if is_stopped {
                exit_code::INTERRUPTED.into()
            } else {
                code
            });
        }
        if stop.load(Ordering::Relaxed) && !was_told {
            was_told = true;
            signals::end(&child);
        }
        sleep(PAUSE);
    }
}
