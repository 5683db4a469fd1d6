//! Trials side by side: each takes the lane of one that has ended.
//!
//! What a trial is does not depend on the lanes beside it: its draws and its waits come from its
//! own generators. Here are the order in which lanes get trials, and how often they look for
//! Ctrl-C.

use super::instructions::{FullBatch, Instructions};
use super::kernel::{InLanes, Kernel};
use super::layout::Layout;
use crate::local::{board, own_start};
use crate::{Control, Course, Dynamics, Interrupted, LANES_PER_THREAD, Point, TrialSource};

/// Steps between two polls of the stop flag: some milliseconds.
const STEPS_PER_POLL: u32 = 1 << 14;

/// [`SideBySide`](super::SideBySide) of a rule.
///
/// # Errors
/// [`Interrupted`] when `control` asks to stop, or the source does.
///
/// # Panics
/// Where the processor does not have the instructions.
pub fn run<K: Kernel<G>, const G: usize>(
    instructions: Instructions,
    point: &Point,
    cutoff: u64,
    trials: &mut dyn TrialSource,
    control: &Control,
) -> Result<(), Interrupted> {
    assert!(Instructions::available().contains(&instructions));
    let rule = InLanes::new(K::at(point, board(point)), board(point));
    let mut batch = FullBatch::<G>::idle(cutoff);
    // The updates of the trial in each lane that have been reported; 0 in an idle lane.
    let mut reported = [0; LANES_PER_THREAD];
    loop {
        begin_in_idle_lanes(&mut batch, &rule.layout, point, trials, control)?;
        if (0..LANES_PER_THREAD).all(|lane| batch.is_idle(lane)) {
            return Ok(());
        }
        instructions.run(&rule, &mut batch, STEPS_PER_POLL);
        for lane in 0..LANES_PER_THREAD {
            let ended = batch.has_ended(lane);
            let ended = ended.then(|| batch.end(lane, &rule.layout, cutoff));
            let now = match &ended {
                Some(outcome) => outcome.updates.unwrap_or(cutoff),
                None => batch.time(lane),
            };
            control.poll(now - reported[lane])?;
            reported[lane] = now;
            if let Some(outcome) = ended {
                reported[lane] = 0;
                trials.ended(lane, (outcome, Course::default()))?;
            }
        }
    }
}

/// Begins trials in idle lanes, as long as the source has more.
fn begin_in_idle_lanes<const G: usize>(
    batch: &mut FullBatch<G>,
    layout: &Layout,
    point: &Point,
    trials: &mut dyn TrialSource,
    control: &Control,
) -> Result<(), Interrupted> {
    for lane in 0..LANES_PER_THREAD {
        if !batch.is_idle(lane) {
            continue;
        }
        control.poll(0)?;
        let Some(key) = trials.next(lane) else {
            break;
        };
        let (start, mut stream) = own_start(point, Dynamics::Lanes, key);
        batch.begin(lane, &start, layout, &mut stream);
    }
    Ok(())
}
