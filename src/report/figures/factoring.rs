//! Factoring by signals against guessing.

use crate::analysis::factoring::{Factored, Overall, checked, epsilons};
use crate::analysis::mean::Estimate;
use crate::analysis::summary::Summary;
use crate::experiment::store::PointKey;
use crate::report::foresight::Foreseen;
use crate::report::frame::{Cell, Frame, mean_is};
use crate::report::lattices::Example;
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample, mean_entries};
use crate::report::number::short;
use crate::report::panel::{Mark, Weight, draw_marker};
use crate::report::scale::Span;
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::{SMALL_MARKER_RADIUS, SeriesStyle, THEORY};
use crate::report::{Drawing, Figure, Input, NothingToDraw};

/// Mean updates and mean moves until a product is factored, against the product, with the expected
/// number of random guesses; the tokens of one trial at its start and its end.
pub struct Factoring;

impl Figure for Factoring {
    fn kind(&self) -> &'static str {
        "factoring"
    }

    fn doc(&self) -> &'static str {
        "updates and moves until a product is factored, against the expected number of random guesses; a lattice (figure 9)"
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let has_product = |point: &PointKey| point.integer("product").is_some();
        self.needs(plan.trials().any(has_product), "no trials of a product")
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let mut points: Vec<Factored> = input.trials.iter().filter_map(Factored::of).collect();
        points.sort_by(|a, b| a.point.point.order(&b.point.point));
        if points.is_empty() {
            return Err(self.nothing("no trials of a product"));
        }
        let words = words(&points);
        let example = Example::of(input.trials);
        let mut parts = Plot::stack(
            PANELS
                .iter()
                .filter_map(|panel| plot(panel, &points))
                .collect(),
        );
        parts.extend(example.as_ref().map(Example::part));
        let shown = example.as_ref().map(Example::in_words).unwrap_or_default();
        let sheet = Sheet {
            findings: words.clone(),
            left_out: LeftOut::but(points.iter().map(|it| &it.point.point)),
            caption: sentences([
                "Mean updates (above) and mean moves (below) until the tokens form a product set with true signals, against the product N, with 95 % intervals, beside the \
                 expected number of random guesses of two factors",
                &words.join(". "),
                &shown,
            ]),
            parts,
            legend: legend(&points),
            table: frame(&points, &words).table(),
        };
        Ok(sheet.draw(input))
    }
}

/// Label, axis title, what is drawn.
type Comparison = (&'static str, &'static str, fn(&Factored) -> &Summary);

/// One unit each: a guess against an update, and a guess against a move.
const PANELS: [Comparison; 2] = [
    (
        "one guess (which sets every cell) beside one update (of one cell)",
        "mean updates, guesses",
        |point| &point.updates,
    ),
    (
        "one guess beside one move of a token",
        "mean moves, guesses",
        |point| &point.moves,
    ),
];
const HEIGHT: i32 = 800;

fn in_words(overall: &Overall) -> String {
    let Overall {
        epsilon,
        products,
        complete,
        fewer_updates,
        more_updates,
        fewer_moves,
        more_moves,
    } = overall;
    format!(
        "ε = {}: {complete} of {products} products without a trial cut off; fewer updates than guesses at {fewer_updates} and more at {more_updates}, fewer moves than guesses \
         at {fewer_moves} and more at {more_moves} (95 %, each product for itself)",
        short(*epsilon, 3)
    )
}

/// For each ε how often each comparison is won, and that every product was checked.
fn words(points: &[Factored]) -> Vec<String> {
    let [absorbed, right] = checked(points);
    let checked = format!("{right} of {absorbed} absorbed trials end in two factors of N above 1");
    let overall = Overall::all(points);
    overall.iter().map(in_words).chain([checked]).collect()
}

/// `None` where no mean is above 0.
fn plot<'a>(&(label, title, summary): &Comparison, points: &'a [Factored]) -> Option<Plot<'a>> {
    let epsilons = epsilons(points);
    let guesses: Vec<Mark> = points
        .iter()
        .filter_map(|point| Some(Mark::exact(point.product as f64, point.guesses?)))
        .collect();
    let marks: Vec<(SeriesStyle, String, Mark)> = points
        .iter()
        .enumerate()
        .filter_map(|(row, point)| {
            let own = point.epsilon();
            let place = epsilons.iter().position(|&value| Some(value) == own)?;
            let summary = summary(point);
            // Those of one product side by side.
            let aside = 1.2 * (place as f64 - (epsilons.len() - 1) as f64 / 2.0);
            let mark = Mark {
                is_lower_bound: summary.is_lower_bound(),
                aside,
                row: Some(row),
                ..Mark::with_interval(point.product as f64, summary.mean.value, summary.interval)
            };
            let name = format!("ε = {}", short(epsilons[place], 6));
            (mark.y > 0.0).then_some((SeriesStyle::of(place), name, mark))
        })
        .collect();
    let heights = marks.iter().map(|(.., mark)| mark).chain(&guesses);
    let up = Span::logarithmic(heights.flat_map(Mark::heights))?.with_room(0.0, 0.08);
    let products = points.iter().map(|point| point.product as f64);
    let spans = (Span::from_zero(products), up);
    let plot = Plot::new(HEIGHT, spans, ("product N", title), move |panel| {
        for (style, name, mark) in &marks {
            if mark.is_lower_bound {
                // An arrow at each of a hundred marks would cover the others.
                let spot = (panel.x.pixel(mark.x + mark.aside), panel.y.pixel(mark.y));
                draw_marker(panel.canvas, spot, *style, SMALL_MARKER_RADIUS, true);
                panel.give_tip(mark, name, SMALL_MARKER_RADIUS);
            } else {
                panel.draw_curve(std::slice::from_ref(mark), *style, Weight::Thin, name);
            }
        }
        for mark in &guesses {
            let (x, y) = (panel.x.pixel(mark.x), panel.y.pixel(mark.y));
            panel.canvas.line(&[(x - 9, y), (x + 9, y)], THEORY, 5);
        }
    });
    Some(plot.labelled(label))
}

fn legend(points: &[Factored]) -> Vec<Entry> {
    let epsilon = |(place, epsilon): (usize, &f64)| {
        let sample = Sample::Marker(SeriesStyle::of(place));
        Entry::new(sample, format!("ε = {}", short(*epsilon, 6)))
    };
    let epsilons = epsilons(points);
    let mut entries: Vec<Entry> = epsilons.iter().enumerate().map(epsilon).collect();
    let text = "expected number of random guesses";
    entries.push(Entry::new(Sample::Bar(THEORY), text));
    entries.extend(mean_entries(false));
    let bound = "open: lower bound, trials were cut off";
    let has_bounds = points.iter().any(|it| it.updates.is_lower_bound());
    entries.extend(has_bounds.then(|| Entry::new(Sample::None, bound)));
    entries
}

fn frame(points: &[Factored], words: &[String]) -> Frame {
    let mean = |summary: &Summary| Estimate {
        value: summary.mean.value,
        interval: summary.interval,
    };
    let rows: Vec<(&PointKey, &Factored)> = points.iter().map(|it| (&it.point.point, it)).collect();
    let mut columns = Frame::of(&rows, &["product", "epsilon"])
        .column("trials", |(_, it)| it.point.trials)
        .column("censored", |(_, it)| it.updates.censored)
        .column("cutoff", |(_, it)| it.point.cutoff)
        .column("mean_is", |(_, it)| mean_is(it.updates.is_lower_bound()))
        .column("absorbed", |(_, it)| it.absorbed)
        .column("right", |(_, it)| it.right)
        .estimate("updates", |(_, it)| mean(&it.updates))
        .estimate("moves", |(_, it)| mean(&it.moves))
        .column("guesses", |(_, it)| {
            it.guesses.map(|guesses| short(guesses, 6))
        })
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
    for it in Overall::all(points) {
        let counts = [
            it.products,
            it.complete,
            it.fewer_updates,
            it.more_updates,
            it.fewer_moves,
            it.more_moves,
        ];
        let counts = OVERALL.into_iter().zip(counts.map(Cell::from));
        let epsilon = ("epsilon", it.epsilon.to_string().into());
        let named = [("algorithm", "factor".into()), epsilon];
        frame.push(None, &named.into_iter().chain(counts).collect::<Vec<_>>());
    }
    let [absorbed, right] = checked(points).map(Cell::from);
    let algorithm = ("algorithm", "factor".into());
    frame.push(None, &[algorithm, ("absorbed", absorbed), ("right", right)]);
    words
        .iter()
        .fold(frame, |frame, it| frame.noted(&format!("{it}.")))
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
