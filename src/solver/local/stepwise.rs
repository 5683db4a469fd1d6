//! The plain dynamics: one update at a time, the changes to nothing included. The reference for
//! every faster one.

use super::configuration::Configuration;
use super::observe::{Observables, Recorder};
use super::sites::LocalRule;
use crate::rng::RandomSource;
use crate::{Control, Interrupted, Outcome};

/// Simulates one trial from `start` until it is absorbed or has had `cutoff` updates.
///
/// # Errors
/// [`Interrupted`] when `control` asks to stop.
pub fn run<R: LocalRule>(
    rule: &R,
    start: Configuration,
    cutoff: u64,
    mut random: impl RandomSource,
    recorder: &mut (impl Recorder + ?Sized),
    control: &Control,
) -> Result<Outcome, Interrupted> {
    recorder.started(&start);
    let (mut observables, mut x, mut time) = (Observables::at_start(&start), start, 0);
    while time < cutoff && !observables.is_absorbed() {
        let before = time;
        let end = cutoff.min(before.saturating_add(Control::POLL_INTERVAL));
        time = advance(
            rule,
            &mut x,
            &mut observables,
            before,
            end,
            &mut random,
            recorder,
        );
        control.poll(time - before)?;
    }
    recorder.stood_until(observables.stands_until(cutoff), &x, &observables);
    Ok(observables.outcome(&x, time))
}

/// Goes on from `time` until `end`, or to the absorption if that comes first; returns the updates
/// so far. Apart from what is done once in a while, so that the loop has the registers.
#[inline(never)]
fn advance<R: LocalRule>(
    rule: &R,
    x: &mut Configuration,
    observables: &mut Observables,
    mut time: u64,
    end: u64,
    random: &mut impl RandomSource,
    recorder: &mut (impl Recorder + ?Sized),
) -> u64 {
    let sees_updates = recorder.sees_updates();
    while time < end {
        recorder.stood_until(time, x, observables);
        let site = rule.site(random.below(rule.n_sites()));
        let moved = rule.update(x, site, random);
        time += 1;
        if let Some(queen) = moved {
            let kinds = observables.queen_moved(queen, x, time);
            recorder.moved(time, queen, kinds, x);
        }
        let cells = rule.signal_cells(site);
        if sees_updates {
            recorder.updated(time, cells.as_ref(), x);
        }
        if observables.in_solution() && observables.absorbed_after(cells, x) {
            break;
        }
    }
    time
}
