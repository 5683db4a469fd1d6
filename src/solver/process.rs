//! The driver of every simulation: its cutoff, its polls of the stop flag, and its end. What is
//! simulated is a [`Process`]. A trial is absorbed before its cutoff or at it, else it is censored
//! at its cutoff; updates that a dynamics skips count as time. How often Ctrl-C is looked for is in
//! `algorithm.rs`.

use super::{Control, Course, Outcome, TrialResult};
use crate::rng::TrialStream;

/// A random process in time that is counted in updates, of which some may be skipped.
pub trait Process {
    /// Goes on from after `time` updates, which are below `cutoff`: by one step, which is the next
    /// update that is not skipped, or several updates.
    fn next(&mut self, time: u64, cutoff: u64, random: &mut TrialStream) -> Next;

    /// True if nothing can ever change again and the trial has its solution.
    fn is_absorbed(&self) -> bool;

    /// Steps between two polls of the stop flag.
    fn steps_per_poll(&self) -> u64 {
        Control::POLL_INTERVAL
    }

    /// What there is to be said of the trial when it has ended after `time` updates, absorbed or at
    /// its cutoff.
    fn end(self, time: u64, cutoff: u64) -> (Outcome, Course);
}

/// What came of [`Process::next`].
pub enum Next {
    /// A step; the number of updates up to its end.
    Update(u64),
    /// The same, and nothing can ever change again.
    Absorption(u64),
    /// Nothing: the next update would come after the cutoff.
    Beyond,
}

/// Runs a process until it is absorbed or has had `cutoff` updates, those skipped included.
///
/// # Errors
/// [`Interrupted`](crate::Interrupted) when `control` asks to stop.
pub fn run(
    mut process: impl Process,
    cutoff: u64,
    mut random: TrialStream,
    control: &Control,
) -> TrialResult {
    let mut time = 0;
    while time < cutoff && !process.is_absorbed() {
        let before = time;
        time = go_on(&mut process, time, cutoff, &mut random);
        control.poll(time - before)?;
    }
    Ok(process.end(time, cutoff))
}

/// Makes as many steps as there are between two polls, or those up to the absorption or the cutoff.
/// Apart from what is done once in a while, so that the loop has the registers.
#[inline(never)]
fn go_on<P: Process>(process: &mut P, mut time: u64, cutoff: u64, random: &mut TrialStream) -> u64 {
    for _ in 0..process.steps_per_poll() {
        match process.next(time, cutoff, random) {
            Next::Update(next) if next < cutoff => time = next,
            Next::Update(last) | Next::Absorption(last) => return last,
            Next::Beyond => return cutoff,
        }
    }
    time
}
