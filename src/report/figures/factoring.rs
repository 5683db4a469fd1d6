//! Factoring by signals against guessing.

use super::kit::*;
use crate::analysis::factoring::{Factored, checked, overall};

pub const FACTORING: MeasureTable = MeasureTable {
    name: "factoring",
    measures: &[
        Measure::new("updates_per_guess", "mean updates / guesses"),
        Measure::new("moves_per_guess", "mean moves / guesses"),
    ],
    rows,
    ..MeasureTable::PLAIN
};

/// Columns of all products at one ε.
const OVERALL: [&str; 6] = [
    "products",
    "complete",
    "fewer_updates",
    "more_updates",
    "fewer_moves",
    "more_moves",
];

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
        .empty(&OVERALL)
        .note(
            "`updates` and `moves`: means until absorption. `right`: `absorbed` trials whose factors are above 1 and have the product N, multiplied once more. `guesses`: \
             expected number of guesses (docs/rules.md); `…_per_guess`: mean / `guesses`, above 1 where guessing takes less. Brackets hold 95 % intervals, \
             not adjusted for multiple comparisons.",
        )
        .note(
            "Without a product: all `products` at one ε; `complete` had no trial cut off, `fewer_…` and `more_…` count the products whose interval of `…_per_guess` is \
             below and above 1.",
        )
        .note_if(
            |it| !is_complete(it),
            "`lower bound`: `censored` trials were cut off at `cutoff`, where they count with what they had come to; the true means are larger.",
        )
        .frame;
    // A row for each ε, and one for all.
    let overall = overall(&points);
    for &(epsilon, counts) in &overall {
        let counts = OVERALL.into_iter().zip(counts.map(TableCell::from));
        let mut named: Vec<_> = counts.collect();
        named.push(("algorithm", "factor".into()));
        named.push(("epsilon", epsilon.to_string().into()));
        frame.push(None, &named);
    }
    let counts = checked(&points);
    let [absorbed, right] = counts.map(TableCell::from);
    let algorithm = ("algorithm", "factor".into());
    frame.push(None, &[algorithm, ("absorbed", absorbed), ("right", right)]);
    Ok(frame)
}
