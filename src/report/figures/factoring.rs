//! Factoring by signals against guessing.

use crate::analysis::factoring::{Factored, Overall, checked};
use crate::report::chart::{Chart, Panel, Scope, Shape};
use crate::report::frame::{Cell, Frame, mean_is};
use crate::report::lattices::Example;
use crate::report::number::short;
use crate::report::series::Along;
use crate::solver::Point;

/// Mean updates and mean moves until a product is factored over the expected number of random
/// guesses, against the product; the tokens of one trial at its start and its end.
pub const FACTORING: Chart = Chart {
    kind: "factoring",
    doc: "updates and moves until a product is factored, against the expected number of random guesses; a lattice (figure 9)",
    title: "Factoring by signals beside guessing",
    lead: "Mean updates (above) and mean moves (below) until the tokens form a product set with true signals, over the expected number of random guesses of two factors, against the product N. \
           Above the dashed line guessing takes less; a guess sets every cell, an update looks at one, a move shifts one token",
    along: Along {
        axes: &["product"],
        least: 1,
        ..Chart::PLAIN.along
    },
    nothing: "no trials of a product",
    rows,
    panels: &[
        panel(&[("updates_per_guess", "")], "mean updates / guesses"),
        panel(&[("moves_per_guess", "")], "mean moves / guesses"),
    ],
    beneath: |scope| Some(Example::of(scope.input.trials)?.part()),
    findings: |scene| scene.frame.findings.clone(),
    ..Chart::PLAIN
};

const fn panel<'a>(ys: &'a [(&'a str, &'a str)], title: &'a str) -> Panel<'a> {
    Panel {
        height: 720,
        ys,
        title,
        shape: Shape::Dots,
        level: Some(1.0),
        is_logarithmic: Some(true),
        ..Panel::PLAIN
    }
}

/// How often each comparison is won.
fn in_words(it: &Overall) -> String {
    let [
        products,
        complete,
        fewer_updates,
        more_updates,
        fewer_moves,
        more_moves,
    ] = it.counts;
    format!(
        "ε = {}: {complete} of {products} products without a trial cut off; fewer updates than guesses for {fewer_updates} products and more for {more_updates}, fewer moves than guesses for {fewer_moves} and more for {more_moves} (95 %, each product for itself)",
        short(it.epsilon, 3)
    )
}

/// Columns of all products at one ε.
const OVERALL: [&str; 6] = [
    "products",
    "complete",
    "fewer_updates",
    "more_updates",
    "fewer_moves",
    "more_moves",
];

fn rows(scope: &Scope) -> Result<Frame, String> {
    let mut points: Vec<Factored> = scope.input.trials.iter().filter_map(Factored::of).collect();
    points.sort_by(|a, b| a.point.point.order(&b.point.point));
    let rows: Vec<(&Point, &Factored)> = points.iter().map(|it| (&it.point.point, it)).collect();
    let mut columns = Frame::of(&rows, &["product", "epsilon"])
        .means(|(_, it)| Some((it.updates.mean, it.updates.is_lower_bound())))
        .column("trials", |(_, it)| it.point.trials)
        .column("censored", |(_, it)| it.updates.censored)
        .column("cutoff", |(_, it)| it.point.cutoff)
        .column("mean_is", |(_, it)| mean_is(it.updates.is_lower_bound()))
        .column("absorbed", |(_, it)| it.absorbed)
        .column("right", |(_, it)| it.right)
        .estimate("updates", |(_, it)| it.updates.estimate())
        .estimate("moves", |(_, it)| it.moves.estimate())
        .column("guesses", |(_, it)| it.guesses.map(|it| short(it, 6)))
        .estimate("updates_per_guess", |(_, it)| it.in_guesses(&it.updates))
        .estimate("moves_per_guess", |(_, it)| it.in_guesses(&it.moves));
    for name in OVERALL {
        columns = columns.column(name, |_| Cell::Empty);
    }
    let mut frame = columns
        .note(
            "`updates` and `moves`: means until absorption. `right`: `absorbed` trials whose factors are above 1 and have the product N, multiplied once more. `guesses`: \
             expected number of guesses (docs/rules.md); `…_per_guess`: mean / `guesses`, above 1 where guessing takes less. Brackets hold 95 % intervals, \
             each point for itself.",
        )
        .note(
            "Without a product: all `products` at one ε; `complete` had no trial cut off, `fewer_…` and `more_…` count the products whose interval of `…_per_guess` is \
             below and above 1.",
        )
        .frame;
    if points.iter().any(|it| it.updates.is_lower_bound()) {
        frame = frame.noted("`lower bound`: `censored` trials were cut off at `cutoff`, where they count with what they had come to; the true means are larger.");
    }
    // A row for each ε, and one for all.
    let overall = Overall::all(&points);
    for it in &overall {
        let counts = OVERALL.into_iter().zip(it.counts.map(Cell::from));
        let epsilon = ("epsilon", it.epsilon.to_string().into());
        let named = [("algorithm", "factor".into()), epsilon];
        frame.push(None, &named.into_iter().chain(counts).collect::<Vec<_>>());
    }
    let [absorbed, right] = checked(&points);
    let said = format!("{right} of {absorbed} absorbed trials end in two factors of N above 1");
    frame.findings = overall.iter().map(in_words).chain([said]).collect();
    let [absorbed, right] = [absorbed, right].map(Cell::from);
    let algorithm = ("algorithm", "factor".into());
    frame.push(None, &[algorithm, ("absorbed", absorbed), ("right", right)]);
    Ok(frame)
}
