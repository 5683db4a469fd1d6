//! Signals that ask the program to end: Ctrl-C, a terminal that closes, a scheduler's time limit.
//! SIGHUP, SIGINT and SIGTERM are heard, unless they were ignored at the start; the timer of
//! `--for` and the words `interrupted` and `out of time` are here.

use std::mem::MaybeUninit;
use std::process::Child;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use anyhow::Context;
use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// Set by a signal.
static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Set where a time is over.
static IS_OUT_OF_TIME: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Sets the flag of [`listen`] after a time: the system's timer sends a signal.
pub fn end_after(time: Duration) -> anyhow::Result<()> {
    // In this order: whoever sees the second knows why.
    for set in [&IS_OUT_OF_TIME, &STOP] {
        let heard = flag::register(SIGALRM, Arc::clone(set));
        heard.context("cannot listen for signals")?;
    }
    let never = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    let end = libc::timeval {
        tv_sec: time.as_secs().try_into().unwrap_or(libc::time_t::MAX),
        // A timer of 0 is none.
        tv_usec: time.subsec_micros().max(1) as libc::suseconds_t,
    };
    let timer = libc::itimerval {
        it_interval: never,
        it_value: end,
    };
    // SAFETY: it reads the timer that it is given, and writes no former one.
    let answer = unsafe { libc::setitimer(libc::ITIMER_REAL, &timer, ptr::null_mut()) };
    if answer != 0 {
        let reason = std::io::Error::last_os_error();
        return Err(anyhow::Error::new(reason).context("cannot set a timer"));
    }
    Ok(())
}

/// Why the flag of [`listen`] is set, in words.
pub fn why_stopped() -> &'static str {
    if is_out_of_time() {
        "out of time"
    } else {
        "interrupted"
    }
}

/// True if the time of [`end_after`] is over.
pub fn is_out_of_time() -> bool {
    IS_OUT_OF_TIME.load(Ordering::Relaxed)
}

/// Listens for signals and returns the flag that they set, so that a run ends in good order.
/// Another signal changes nothing: `timeout` sends its own to the process and to its group.
///
/// A signal that was ignored when the program started stays ignored: `nohup` has asked for that.
pub fn listen() -> anyhow::Result<&'static AtomicBool> {
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        if !is_ignored(signal) {
            let heard = flag::register(signal, Arc::clone(&STOP));
            heard.context("cannot listen for signals")?;
        }
    }
    Ok(&STOP)
}

/// Asks another process to end, as a scheduler does.
pub fn end(child: &Child) {
    // A number that does not fit is that of no process.
    let Ok(process) = libc::pid_t::try_from(child.id()) else {
        return;
    };
    // SAFETY: it sends a signal to a child that was not waited for yet, so that its number is not
    // that of another process.
    unsafe { libc::kill(process, SIGTERM) };
}

/// True if the signal is ignored.
fn is_ignored(signal: i32) -> bool {
    let mut present = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, `sigaction` only writes the present one, to where it may.
    let answer = unsafe { libc::sigaction(signal, ptr::null(), present.as_mut_ptr()) };
    // SAFETY: zeros are a valid `libc::sigaction`, and the call may have written another one.
    answer == 0 && unsafe { present.assume_init() }.sa_sigaction == libc::SIG_IGN
}
