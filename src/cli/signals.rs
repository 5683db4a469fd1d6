//! Signals that ask the program to end: Ctrl-C, a terminal that closes, a scheduler's time limit.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use std::{process, ptr, thread};

use anyhow::Context;
use signal_hook::consts::{
    SIGALRM, SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
};
use signal_hook::iterator::Signals;

use super::terminal::say;

/// The exit code of a program that a signal has asked to end, as shells expect it.
pub const INTERRUPTED: u8 = 130;

/// Set by a signal.
static STOP: AtomicBool = AtomicBool::new(false);

/// The signals that would end the program and that people, terminals and schedulers send.
const ENDING: [i32; 8] = [
    SIGALRM, SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
];

/// Signals that come together count as one: `timeout` sends its own to the process and to its
/// group, a terminal that closes sends two.
const TOGETHER: Duration = Duration::from_secs(1);

/// Listens for signals and returns the flag that the first one sets, so that a run ends in good
/// order; another one, a second later at the earliest, ends the program at once.
///
/// A signal that was ignored when the program started stays ignored: `nohup`, `trap '' HUP` and the
/// `&` of a script have asked for that.
pub fn listen() -> anyhow::Result<&'static AtomicBool> {
    // Several runs in one process listen once.
    static LISTENING: OnceLock<()> = OnceLock::new();
    if LISTENING.set(()).is_err() {
        return Ok(&STOP);
    }
    let wanted = ENDING.into_iter().filter(|signal| !is_ignored(*signal));
    let mut signals = Signals::new(wanted).context("cannot listen for signals")?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            let mut first = None;
            for _ in signals.forever() {
                STOP.store(true, Ordering::SeqCst);
                if first.get_or_insert_with(Instant::now).elapsed() >= TOGETHER {
                    end_at_once();
                }
            }
        })
        .context("cannot listen for signals")?;
    Ok(&STOP)
}

fn end_at_once() -> ! {
    // Nobody may read standard error, and another thread may wait with its lock.
    let _ = thread::Builder::new().spawn(|| {
        say!("ended at once by a second signal; what a run had saved is kept, and the same command goes on from it");
    });
    thread::sleep(Duration::from_millis(100));
    process::exit(INTERRUPTED.into());
}

/// A file that may not grow further gives an error from now on, which names it, and ends nothing in
/// silence.
pub fn survive_file_limits() {
    // Where it cannot be set, the limit ends the program as before.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::<AtomicBool>::default());
}

/// True if the signal is ignored.
fn is_ignored(signal: i32) -> bool {
    let mut present = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, `sigaction` only writes the present one, to where it may.
    let answer = unsafe { libc::sigaction(signal, ptr::null(), present.as_mut_ptr()) };
    // SAFETY: zeros are a valid `libc::sigaction`, and the call may have written another one.
    answer == 0 && unsafe { present.assume_init() }.sa_sigaction == libc::SIG_IGN
}
