//! How many trials end in a solution at all.

use crate::analysis::mean::Estimate;
use crate::analysis::share::AbsorbedShare;
use crate::experiment::spec::Choices;
use crate::experiment::store::PointKey;
use crate::report::foresight::Foreseen;
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample};
use crate::report::number::short;
use crate::report::panel::{Mark, Weight};
use crate::report::point_table::{KeyColumns, estimate_cells};
use crate::report::scale::Span;
use crate::report::series::{fewer_axes_first, in_words};
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::SeriesStyle;
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::results::PointTrials;
use crate::solver::point::KEY_AXES;

/// The share of the trials that were absorbed before their cutoff, against n, one curve per rule
/// and parameters.
pub struct AbsorbedShares;

impl Figure for AbsorbedShares {
    fn kind(&self) -> &'static str {
        "absorbed-share"
    }

    fn doc(&self) -> &'static str {
        "share of the trials that end in a solution, against n; at ε = 0 the others are blocked"
    }

    fn takes_steps(&self, _: &Choices) -> bool {
        true
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let mut trials = plan.trials();
        let has_n = trials.any(|point| point.integer("n").is_some());
        self.needs(has_n, "no point of a local rule has n")
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let curves = curves(input.trials);
        let heights = |points: &[Point]| points.iter().flat_map(Point::heights).collect::<Vec<_>>();
        let all: Vec<f64> = curves
            .iter()
            .flat_map(|curve| heights(&curve.points))
            .collect();
        let Some(span) = Span::logarithmic(all.into_iter().filter(|share| *share > 0.0)) else {
            return Err(self.nothing("no trial of a local rule was absorbed"));
        };
        let words: Vec<String> = curves.iter().map(Curve::in_words).collect();
        let sheet = Sheet {
            findings: words.clone(),
            left_out: LeftOut::but(
                curves
                    .iter()
                    .flat_map(|curve| &curve.points)
                    .map(|it| &it.key),
            )
            .because(
                curves.iter().flat_map(Curve::zeros),
                "a share of 0 has no place on a logarithmic axis",
            ),
            caption: sentences([
                "Share of the trials that were absorbed before their cutoff, against n; bars: 95 % intervals (Wilson)",
                &words.join(". "),
            ]),
            table: table(&curves, &words),
            parts: Plot::stack(vec![plot(&curves, span)]),
            legend: legend(&curves),
        };
        Ok(sheet.draw(input))
    }
}

/// Points that differ in n alone, in increasing order of n.
struct Curve {
    points: Vec<Point>,
    style: SeriesStyle,
}

struct Point {
    key: PointKey,
    n: u64,
    share: AbsorbedShare,
    cutoff: u64,
}

impl Point {
    fn of(trials: &PointTrials) -> Option<Self> {
        let key = trials.point.clone();
        Some(Self {
            n: key.integer("n")?,
            share: AbsorbedShare::of(&trials.rows)?,
            cutoff: trials.rows.first()?.cutoff,
            key,
        })
    }

    fn mark(&self) -> Mark {
        let Estimate { value, interval } = self.share.estimate();
        Mark::with_interval(self.n as f64, value, interval)
    }

    fn heights(&self) -> [f64; 3] {
        self.mark().heights()
    }

    fn censored(&self) -> u64 {
        self.share.trials - self.share.absorbed
    }
}

fn curves(trials: &[PointTrials]) -> Vec<Curve> {
    let mut points: Vec<Point> = trials.iter().filter_map(Point::of).collect();
    points.sort_by(|a, b| {
        fewer_axes_first(&a.key, &b.key)
            .then_with(|| a.key.order_apart(&b.key, &["n"]))
            .then_with(|| a.n.cmp(&b.n))
    });
    let mut curves: Vec<Curve> = Vec::new();
    for point in points {
        match curves.last_mut() {
            Some(curve) if curve.points[0].key.is_same_apart(&point.key, &["n"]) => {
                curve.points.push(point);
            }
            _ => curves.push(Curve {
                style: SeriesStyle::of(curves.len()),
                points: vec![point],
            }),
        }
    }
    curves
}

impl Curve {
    fn in_words(&self) -> String {
        let share = |point: &Point| {
            let Estimate { value, interval } = point.share.estimate();
            let [value, low, high] =
                [value, interval.low, interval.high].map(|share| short(100.0 * share, 3));
            format!("{value} % (95 %: {low} to {high}) at n = {}", point.n)
        };
        let shares: Vec<String> = self.points.iter().map(share).collect();
        let censored: u64 = self.points.iter().map(Point::censored).sum();
        let cut = match censored {
            0 => String::new(),
            _ => format!("; cut off: {censored} trials"),
        };
        let label = in_words(&self.points[0].key, &["n"]);
        format!("{label}: {} of the trials{cut}", shares.join(", "))
    }

    /// The points of no absorbed trial.
    fn zeros(&self) -> impl Iterator<Item = &PointKey> {
        let zeros = self.points.iter().filter(|it| it.share.absorbed == 0);
        zeros.map(|it| &it.key)
    }

    /// A share of 0 has no place on a logarithmic axis.
    fn marks(&self) -> Vec<Mark> {
        let marks = self.points.iter().map(Point::mark);
        marks.filter(|mark| mark.y > 0.0).collect()
    }
}

fn table(curves: &[Curve], words: &[String]) -> Table {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let key = KeyColumns::of(&KEY_AXES, points().map(|point| &point.key));
    let mut header = key.header();
    let measured = [
        "trials",
        "absorbed",
        "censored",
        "cutoff",
        "share",
        "share_low",
        "share_high",
    ];
    header.extend(measured.map(str::to_owned));
    let rows = points().map(|point| {
        let mut cells = key.cells(&point.key);
        let AbsorbedShare { absorbed, trials } = point.share;
        let counts = [trials, absorbed, point.censored(), point.cutoff];
        cells.extend(counts.map(|count| count.to_string()));
        cells.extend(estimate_cells(Some(point.share.estimate())));
        cells
    });
    let mut table = Table {
        header,
        rows: rows.collect(),
        notes: vec![
            "`share`: `absorbed` over `trials`; brackets hold 95 % intervals (Wilson). At ε = 0 no queen makes a dangerous move, and trials that are blocked run to their cutoff. A share \
             of 0 is in the table only."
                .to_owned(),
        ],
    };
    table.note_sentences(words);
    table
}

const HEIGHT: i32 = 900;

fn legend(curves: &[Curve]) -> Vec<Entry> {
    let curve = |curve: &Curve| Entry::new(Sample::Curve(curve.style), curve.in_words());
    let mut entries: Vec<Entry> = curves.iter().map(curve).collect();
    entries.push(Entry::new(Sample::ErrorBar, "95 % interval (Wilson)"));
    entries
}

fn plot(curves: &[Curve], span: Span) -> Plot<'_> {
    let sides = curves.iter().flat_map(|curve| &curve.points);
    let spans = (Span::integers(sides.map(|point| point.n as u32)), span);
    let titles = (
        "n, side of the board and number of queens",
        "share of the trials absorbed",
    );
    Plot::new(HEIGHT, spans, titles, move |panel| {
        for curve in curves {
            panel.draw_curve(&curve.marks(), curve.style, Weight::Full);
        }
    })
}
