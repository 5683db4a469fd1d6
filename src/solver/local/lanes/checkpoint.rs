//! What happens to a trial at a checkpoint: the waits of its draws are drawn together, and with
//! them it is known when it is, and whether it ends.

use super::batch::Tally;
use super::boards::Lane;
use super::layout::Layout;
use super::retrace::Draws;
use super::seat::Seat;
use super::waits::failures;
use crate::solver::Outcome;

/// Updates since the last checkpoint, those that changed nothing included, from the numbers of
/// draws by the number of open sites.
pub fn draw_waits(
    tally: &mut Tally,
    counted: impl Iterator<Item = u32>,
    probabilities: &[f64],
) -> (u128, Vec<Draws>) {
    // What was saturated lies beyond every cutoff.
    let waited = match tally.waited {
        u64::MAX => u128::from(u64::MAX) + 1,
        waited => u128::from(waited),
    };
    let (mut sum, mut draws) = (waited, Vec::new());
    for (open, number) in counted.enumerate() {
        if open > 0 && number > 0 {
            let failures = failures(number, probabilities[open], &mut tally.waits);
            sum += u128::from(number) + u128::from(failures);
            draws.push(Draws {
                open,
                number,
                failures,
            });
        }
    }
    (sum, draws)
}

/// Takes note of where a trial is at a checkpoint, after so many updates; its outcome if it ends
/// there.
pub fn go_on<const W: usize>(
    seat: &mut Seat<W>,
    tally: &mut Tally,
    board: Lane<W>,
    (time, cutoff): (u64, u64),
    layout: &Layout<W>,
) -> Option<Outcome> {
    if tally.moves_at_hit.is_some() && seat.hitting_time.is_none() {
        seat.hitting_time = Some(time);
    }
    (seat.time, tally.waited) = (time, 0);
    seat.tally = tally.clone();
    seat.board = board;
    let is_absorbed = tally.is_still && seat.board.solution(layout).is_some();
    (tally.is_still || time == cutoff).then(|| seat.outcome(layout, is_absorbed, cutoff))
}
