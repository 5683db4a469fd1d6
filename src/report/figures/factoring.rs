//! Factoring by signals against guessing.

use super::kit::*;
use crate::analysis::factoring::{Factored, checked};

pub const FACTORING: MeasureTable = MeasureTable {
    name: "factoring",
    measures: &[
        Measure::new("updates_per_guess", "mean updates / guesses"),
        Measure::new("moves_per_guess", "mean moves / guesses"),
    ],
    rows,
    ..MeasureTable::PLAIN
};

/// True if no trial was cut off.
fn is_complete(point: &Factored) -> bool {
    !point.updates.estimate.is_bound
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let mut points: Vec<Factored> = scope.rows.trials.iter().filter_map(Factored::of).collect();
    points.sort_by(|a, b| a.point.order(&b.point));
    let mut frame = Frame::of(&points, |it| &it.point, &["product", "epsilon"])
        .trials(|it| it.updates)
        .column("mean_is", |it| mean_is(it.updates.estimate))
        .column("absorbed", |it| it.absorbed)
        .column("right", |it| it.right)
        .estimate("updates", |it| it.updates.estimate)
        .estimate("moves", |it| it.moves.estimate)
        .column("guesses", |it| it.guesses.map(|it| it.to_string()))
        .estimate("updates_per_guess", |it| it.in_guesses(&it.updates))
        .estimate("moves_per_guess", |it| it.in_guesses(&it.moves))
        .note(
            "`updates` and `moves`: means until absorption. `right`: `absorbed` trials whose factors are above 1 and have the product N, multiplied once more. `guesses`: \
             expected number of guesses (docs/rules.md); `…_per_guess`: mean / `guesses`, above 1 where guessing takes less. Brackets hold 95 % intervals, \
             not adjusted for multiple comparisons.",
        )
        .note_if(
            |it| !is_complete(it),
            "`lower bound`: `censored` trials were cut off at `cutoff`, where they count with what they had come to; the true means are larger.",
        )
        .frame;
    let counts = checked(&points);
    let [absorbed, right] = counts.map(TableCell::from);
    let algorithm = ("algorithm", "factor".into());
    frame.push(None, &[algorithm, ("absorbed", absorbed), ("right", right)]);
    Ok(frame)
}
