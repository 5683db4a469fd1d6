//! Factoring by signals against guessing.

use super::kit::*;
use crate::analysis::factoring::{Factored, checked, factors, overall};
use crate::experiment::store::Row;
use crate::report::canvas::{Canvas, Lettering, Spot};
use crate::report::panel;
use crate::report::style::{GRID, INK, PAPER, TICK_SIZE};
use crate::solver::Value;
use crate::solver::factor::{self, lattice::Lattice};

pub const FACTORING: MeasureTable = MeasureTable {
    name: "factoring",
    measures: &[
        Measure::new("updates_per_guess", "mean updates / guesses"),
        Measure::new("moves_per_guess", "mean moves / guesses"),
    ],
    rows,
    beneath,
    findings: |scene| scene.frame.findings.clone(),
    ..MeasureTable::PLAIN
};

/// How often each comparison is won.
fn in_words((epsilon, counts): &(f64, [usize; 6])) -> String {
    let [
        products,
        complete,
        fewer_updates,
        more_updates,
        fewer_moves,
        more_moves,
    ] = counts;
    format!(
        "ε = {}: {complete} of {products} products without a trial cut off; fewer updates than guesses for {fewer_updates} products and more for {more_updates}, fewer moves than guesses for {fewer_moves} and more for {more_moves} (95 %, not adjusted for multiple comparisons)",
        short(*epsilon, 3)
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

/// True if no trial was cut off.
fn is_complete(point: &Factored) -> bool {
    !point.updates.is_lower_bound()
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let mut points: Vec<Factored> = scope.rows.trials.iter().filter_map(Factored::of).collect();
    points.sort_by(|a, b| a.point.point.order(&b.point.point));
    let rows: Vec<(&Point, &Factored)> = points.iter().map(|it| (&it.point.point, it)).collect();
    let mut frame = Frame::of(&rows, &["product", "epsilon"])
        .means(|(_, it)| Some((it.updates.mean, it.updates.is_lower_bound())))
        .column("trials", |(_, it)| it.point.trials)
        .column("censored", |(_, it)| it.updates.censored)
        .column("cutoff", |(_, it)| it.point.cutoff)
        .column("mean_is", |(_, it)| mean_is(it.updates.is_lower_bound()))
        .column("absorbed", |(_, it)| it.absorbed)
        .column("right", |(_, it)| it.right)
        .estimate("updates", |(_, it)| it.updates.estimate())
        .estimate("moves", |(_, it)| it.moves.estimate())
        .column("guesses", |(_, it)| it.guesses.map(|it| it.to_string()))
        .estimate("updates_per_guess", |(_, it)| it.in_guesses(&it.updates))
        .estimate("moves_per_guess", |(_, it)| it.in_guesses(&it.moves))
        // Means of trials that were cut off are in the table alone.
        .drawn("updates_per_guess", |(_, it)| {
            Some((it.in_guesses(&it.updates).filter(|_| is_complete(it))?, false))
        })
        .drawn("moves_per_guess", |(_, it)| {
            Some((it.in_guesses(&it.moves).filter(|_| is_complete(it))?, false))
        })
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
            |(_, it)| it.updates.is_lower_bound(),
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
    let cut_off = points.iter().filter(|it| !is_complete(it)).count();
    if cut_off > 0 {
        frame.said.push(format!(
            "in the table alone: {} with trials that were cut off (lower bounds)",
            counted(cut_off, "point")
        ));
    }
    let counts = checked(&points);
    let [absorbed, right] = counts.map(spaced);
    let said = format!("{right} of {absorbed} absorbed trials end in two factors of N above 1");
    frame.findings = overall.iter().map(in_words).chain([said]).collect();
    let [absorbed, right] = counts.map(TableCell::from);
    let algorithm = ("algorithm", "factor".into());
    frame.push(None, &[algorithm, ("absorbed", absorbed), ("right", right)]);
    Ok(frame)
}

/// The product of the source's figure 9, shown where it was factored; else the greatest that was.
const OF_THE_TEXT: u64 = 143;

/// The tokens of an absorbed trial at its start and its end, in lattices as the source text's
/// figure 9 has them: a multiplication on paper, each line a copy of the first factor moved on by
/// one column. `None` where no trial was absorbed.
fn beneath(scope: &Scope) -> Option<Beneath> {
    let found = scope.rows.trials.iter().filter_map(|trials| {
        let product = trials.point.integer("product")?;
        let is_absorbed = |row: &Row| row.outcome.absorption_time.is_some();
        let row = trials.rows.iter().find(is_absorbed)?;
        let rank = (product == OF_THE_TEXT, product);
        Some((rank, trials.point.real("epsilon")?, row))
    });
    let best = found.max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let ((_, product), epsilon, row) = best?;
    let values = [
        ("product", Value::Integer(product)),
        ("epsilon", Value::real(epsilon)),
    ];
    let start = factor::start(&Point::new("factor", values), row.seed, row.trial);
    let [a, b] = factors(&row)?;
    let words = format!(
        "lattices: tokens (discs) of trial {} of seed {} for N = {product}, at its start and absorbed as {a} · {b}; a token is worth the power of two above it, rows of cells are the \
         columns j of the lattice from the top, as the lines of a multiplication on paper",
        row.trial, row.seed
    );
    let lattices = [start, Lattice::of_factors(a, b)];
    let part = Part {
        above: 60,
        height: 420,
        below: 40,
        ..Part::of(move |canvas, frame, _| paint(canvas, frame, &lattices))
    };
    Some((part, words))
}

/// Between two lattices.
const GAP: i32 = 160;
/// Room for the powers of two above the cells.
const HEAD: i32 = 60;
const LARGEST_CELL: i32 = 80;

/// The two lattices side by side, an arrow from the first to the second.
fn paint(canvas: &Canvas, frame: panel::FrameEdges, lattices: &[Lattice; 2]) {
    let (across, down) = extent(&lattices[0]);
    let room = (frame.right - frame.left - GAP) / 2;
    let height = frame.bottom - frame.top - HEAD;
    let cell = (room / across).min(height / down).min(LARGEST_CELL);
    let width = cell * across;
    let left = (frame.left + frame.right - GAP) / 2 - width;
    for (lattice, left) in lattices.iter().zip([left, left + width + GAP]) {
        paint_lattice(canvas, lattice, (left, frame.top), cell);
    }
    let y = frame.top + HEAD + cell * down / 2;
    let tip = left + width + GAP - 40;
    canvas.line(&[(left + width + 40, y), (tip - 20, y)], INK, 5);
    canvas.polygon(&[(tip, y), (tip - 28, y - 14), (tip - 28, y + 14)], INK);
}

/// Powers of two across, columns of the lattice down.
fn extent(lattice: &Lattice) -> (i32, i32) {
    let (rows, columns) = (lattice.rows() as i32, lattice.columns() as i32);
    (rows + columns - 1, columns)
}

/// A cell (i, j) in line j, in the column of its worth 2^(i + j): the greatest on the left.
fn paint_lattice(canvas: &Canvas, lattice: &Lattice, (left, top): Spot, cell: i32) {
    let (across, _) = extent(lattice);
    let corner = |i: usize, j: usize| {
        let column = across - 1 - (i + j) as i32;
        (left + cell * column, top + HEAD + cell * j as i32)
    };
    // Those that have room above the cells, reckoning 0.6 of the size per digit.
    let digits = (1_u64 << (across - 1)).to_string().len() as i32;
    let width = digits * TICK_SIZE * 3 / 5 + 8;
    let step = (width + cell - 1) / cell;
    for power in (0..across).filter(|power| power % step == 0) {
        let spot = (
            left + cell * (across - 1 - power) + cell / 2,
            top + HEAD / 2,
        );
        canvas.text(&(1_u64 << power).to_string(), spot, Lettering::TICK);
    }
    for j in 0..lattice.columns() {
        for i in 0..lattice.rows() {
            let (x, y) = corner(i, j);
            canvas.rectangle((x, y), (x + cell, y + cell), GRID.into());
            canvas.rectangle((x + 2, y + 2), (x + cell - 2, y + cell - 2), PAPER.into());
            if lattice.tokens(i, j) > 0 {
                canvas.disc((x + cell / 2, y + cell / 2), cell * 3 / 10, INK);
            }
        }
    }
}
