//! Trials with a series.

use super::{Draws, cell_key, pair_key};
use crate::experiment::store::Row;
use crate::experiment::store::rows::PointCourses;
use crate::solver::course::{Course, Observation, Tally};
use crate::solver::{Ending, Outcome};

/// A trial of n = 8 that is absorbed at a time, or not before the cutoff, with a series at these
/// moments: half of the signals true up to the absorption, and moves as said.
pub fn course_trial(
    trial: u32,
    (absorption_time, cutoff): (Option<u64>, u64),
    moments: &[u64],
    moves: impl Fn(u64) -> u64,
) -> (Row, Course) {
    let end = absorption_time.unwrap_or(cutoff);
    let ending = absorption_time.map_or(Ending::Censored, |_| Ending::Absorbed);
    let state = |&update: &u64| {
        let living = u32::from(absorption_time.is_none_or(|time| update < time));
        Observation {
            update,
            signals: 420,
            true_signals: 420 - 210 * living,
            threatened: 4 * living,
            attacked: 6 * living,
            safe_cells: 3 * living,
            truly_safe_cells: living,
            safe_moves: 2 * living,
            conflicts: living * (1 + (update / 100_000 % 2) as u32),
            moves: moves(update),
            tally: Some(Tally {
                blocked_updates: update.min(end) / 2,
                blocked_stretches: update.min(end) / 20_000,
                choices: moves(update) / 2,
                dangerous_choices: moves(update) / 8,
                informed_moves: moves(update) / 10,
                chances: moves(update) / 10,
                missed_chances: moves(update) / 20,
            }),
        }
    };
    let is_seen = |moment: &&u64| absorption_time.is_some() || **moment <= cutoff;
    let course = Course {
        series: moments.iter().filter(is_seen).map(state).collect(),
    };
    let outcome = Outcome {
        absorption_time,
        hitting_time: absorption_time,
        moves: Some(moves(end)),
        moves_at_hit: absorption_time.map(&moves),
        updates: Some(end),
        dangerous_moves: Some(0),
        needless_moves: Some(0),
        deceived_moves: Some(0),
        entries: Some(u64::from(absorption_time.is_some())),
        ..Outcome::ended(ending)
    };
    let row = Row {
        seed: 1,
        trial,
        cutoff,
        outcome,
    };
    (row, course)
}

/// Trials of both rules at three ε with a series; at each rule's largest ε they are the
/// fastest, and the last is cut off.
pub fn courses() -> Vec<PointCourses> {
    const CUTOFF: u64 = 1_000_000;
    let moments: Vec<u64> = (0..=12).map(|step| step * 100_000).collect();
    let mut draws = Draws::new(12);
    let mut trial = |index: u32, mean: f64, is_cut_off: bool| {
        let end = (20_000 + draws.exponential(mean)).min(CUTOFF);
        let moves = |t: u64| t.min(end) / 400;
        let absorbed = (!is_cut_off).then_some(end);
        let (mut row, course) = course_trial(index, (absorbed, CUTOFF), &moments, moves);
        let share = |of: u64| row.outcome.moves.map(|moves| moves / of);
        let kinds = [2, 20, 5].map(share);
        let it = &mut row.outcome;
        [it.dangerous_moves, it.needless_moves, it.deceived_moves] = kinds;
        (row, course)
    };
    let mut points = Vec::new();
    for (epsilon, mean, cut_off) in [(0.01, 2e5, 20), (0.02, 2e5, 20), (0.03, 1e5, 19)] {
        for point in [pair_key(8, epsilon), cell_key(8, epsilon, 0.1)] {
            let trials = (0..20).map(|index| trial(index, mean, index == cut_off));
            let trials = trials.collect();
            points.push(PointCourses { point, trials });
        }
    }
    points
}
