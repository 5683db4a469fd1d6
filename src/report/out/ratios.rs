//! The ratios B / A of two runs, point by point: a panel for each experiment whose rows differ, a
//! line at 1, and a ring around what is different. Here are which quantities are drawn, what a ring
//! means, the caption, the columns of its table, and how far an axis reaches.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::comparison::end_point::{EndPoint, EndPointTest};
use crate::analysis::comparison::{ALPHA, Comparison, Finding, PointComparison};
use crate::analysis::estimate::Estimate;
use crate::html::counted;
use crate::report::Drawing;
use crate::report::axes::scale::Span;
use crate::report::axes::{Axes, FrameEdges, Layer};
use crate::report::keys::MarkShape;
use crate::report::marks::mark::{Aside, Mark};
use crate::report::marks::{Curve, Line, boxed};
use crate::report::measures::measure::RowsOf;
use crate::report::out::canvas::{Drawn, Rank};
use crate::report::out::sheet::{FigureSize, Grid, Plot, draw, lay_out, svg};
use crate::report::table::written::{FigureTable, TableCell};
use crate::report::words::Words;
use crate::theme::{BEST_RADIUS, INK, SeriesStyle, THEORY, THIN_WIDTH};

/// The end points of local rules that are drawn also where they do not differ: the one that is
/// mostly studied, and the one that scatters least.
const DRAWN: [EndPoint; 2] = [EndPoint::AbsorptionTime, EndPoint::UpdatesPerMove];

/// What is drawn of searches.
const WORK: &str = "work of searches";

/// The name of the ratio of points whose rows are all the same.
const IDENTICAL: &str = "identical rows";

/// The factor by which an axis goes beyond a ratio at most, for the sake of its interval.
const MOST_REACH: f64 = 10.0;

/// One ratio of a point.
struct Ratio<'a> {
    /// The point, and its number in its experiment, from 1.
    point: &'a PointComparison,
    number: usize,
    /// Which quantity, as the legend calls it.
    quantity: &'static str,
    ratio: Option<Estimate>,
    /// Holm's adjusted p; `None` without a test.
    holm: Option<f64>,
    is_different: bool,
    /// Trials compared.
    trials: [usize; 2],
}

/// The figure of these experiments, each with its name; `None` where no row differs. Points are
/// marked that differ by more than chance; with `every_row` all that have other rows.
pub fn ratios(experiments: &[(&str, &Comparison)], every_row: bool) -> Option<Drawing> {
    let differ = |(_, comparison): &&(&str, &Comparison)| comparison.differences().next().is_some();
    let shown: Vec<_> = experiments.iter().filter(differ).collect();
    if shown.is_empty() {
        return None;
    }

    let mut table = empty_table();
    let mut panels = Vec::new();
    let mut notes = Vec::new();
    for (name, comparison) in shown {
        let points = comparison.points.iter().zip(1..);
        let ratios = points.flat_map(|(point, number)| of_point(point, number, every_row));
        let ratios: Vec<Ratio> = ratios.collect();
        notes.extend(without_ratio(name, &ratios));
        panels.extend(axes(name, &ratios, table.rows.len()));
        table
            .rows
            .extend(ratios.iter().map(|ratio| row(name, ratio)));
    }
    let grid = Grid {
        blocks: vec![panels],
        has_own_axes: true,
        ..Grid::default()
    };

    let title = "Means of B divided by those of A";
    let caption = caption(every_row, &notes);
    let page = lay_out(FigureSize::PLAIN, title, &grid, 1.0);
    let (drawn, height) = draw(&grid, &page, &notes, &Words::default());
    Some(Drawing {
        svg: svg(FigureSize::PLAIN, (drawn, height), (title, &caption)),
        table,
        words: caption.clone(),
        caption,
        ..Drawing::default()
    })
}

/// The caption, with what is not drawn.
fn caption(every_row: bool, notes: &[String]) -> String {
    let without: String = notes.iter().map(|note| format!(" {note}.")).collect();
    format!(
        "Bars: 95 % intervals. Rings: {}. Experiments with identical rows are left out.{without}",
        ring_in_words(every_row)
    )
}

/// What a ring says.
fn ring_in_words(every_row: bool) -> String {
    if every_row {
        "different rows".to_owned()
    } else {
        format!("different by more than chance (Holm, α = {ALPHA}), or other rows of a search")
    }
}

/// The ratios of a point; none of one that is not comparable.
fn of_point(point: &PointComparison, number: usize, every_row: bool) -> Vec<Ratio<'_>> {
    let of = |quantity, ratio, holm: Option<f64>, trials| Ratio {
        point,
        number,
        quantity,
        ratio,
        holm,
        is_different: holm.is_some_and(|holm| holm <= ALPHA)
            || point.is_certain()
            || every_row && point.difference().is_some(),
        trials,
    };
    match &point.finding {
        Finding::NotComparable(_) => Vec::new(),
        Finding::Identical { trials, .. } => {
            let one = Some(Estimate::exactly(1.0));
            vec![of(IDENTICAL, one, None, [*trials; 2])]
        }
        Finding::Different(found) if found.tests.is_empty() => {
            vec![of(WORK, found.work, None, found.trials)]
        }
        Finding::Different(found) => {
            let tests = found.tests.iter();
            let tests = tests.filter(|test| is_drawn(test, &found.tests));
            let ratio = |test: &EndPointTest| {
                let name = test.end_point.name();
                of(name, test.ratio, Some(test.holm), found.trials)
            };
            tests.map(ratio).collect()
        }
    }
}

/// True if a test of a point is drawn: the usual ones; an own number that differs; another one that
/// differs where no usual one does. Where there is no usual one all are drawn.
fn is_drawn(test: &EndPointTest, tests: &[EndPointTest]) -> bool {
    let is_usual = |test: &EndPointTest| DRAWN.contains(&test.end_point);
    let differs = |test: &EndPointTest| test.holm <= ALPHA;
    let has_usual = tests.iter().any(is_usual);
    let usual_differs = tests.iter().any(|other| is_usual(other) && differs(other));
    let is_own = matches!(test.end_point, EndPoint::Own(_));
    is_usual(test) || !has_usual || differs(test) && (is_own || !usual_differs)
}

/// That quantities differ of whose means there is no ratio to draw, and at how many points.
fn without_ratio(name: &str, ratios: &[Ratio]) -> Option<String> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for of in ratios {
        if of.is_different && of.ratio.is_none_or(|ratio| ratio.value <= 0.0) {
            *counts.entry(of.quantity).or_default() += 1;
        }
    }
    let points = counts
        .iter()
        .map(|(quantity, points)| format!("{quantity} (at {})", counted(*points, "point")));
    let points: Vec<String> = points.collect();
    (!points.is_empty()).then(|| {
        let points = points.join(", ");
        format!("{name}: different without a ratio to draw, since a value is below 0 or a mean is 0: {points}")
    })
}

/// The quantities of a panel, each with its number, by which it has its colour.
fn quantities(ratios: &[Ratio]) -> Vec<&'static str> {
    let mut quantities: Vec<&str> = DRAWN.map(EndPoint::name).into();
    quantities.extend([WORK, IDENTICAL]);
    let more: BTreeSet<&'static str> = ratios.iter().map(|of| of.quantity).collect();
    for quantity in more {
        if !quantities.contains(&quantity) {
            quantities.push(quantity);
        }
    }
    quantities
}

fn empty_table() -> FigureTable {
    let header = [
        "experiment",
        "number",
        "point",
        "quantity",
        "ratio",
        "ratio_low",
        "ratio_high",
        "p_holm",
        "different",
        "trials_a",
        "trials_b",
    ];
    FigureTable {
        header: header.map(str::to_owned).into(),
        ..FigureTable::default()
    }
}

fn row(experiment: &str, of: &Ratio) -> Vec<TableCell> {
    let value = of.ratio.map(|ratio| ratio.value);
    let low = of.ratio.map(|ratio| ratio.low);
    let high = of.ratio.map(|ratio| ratio.high);
    vec![
        experiment.into(),
        of.number.into(),
        of.point.name.as_str().into(),
        of.quantity.into(),
        value.into(),
        low.into(),
        high.into(),
        of.holm.into(),
        of.is_different.to_string().into(),
        of.trials[0].into(),
        of.trials[1].into(),
    ]
}

/// The panel of an experiment, whose first ratio is at this row of the table; `None` where no ratio
/// is known.
fn axes(name: &str, ratios: &[Ratio], first_row: usize) -> Option<Plot> {
    let quantities = quantities(ratios);
    let mut known: Vec<(&Ratio, Mark)> = Vec::new();
    for (ratio, row) in ratios.iter().zip(first_row..) {
        known.extend(mark(ratio, row, &quantities).map(|mark| (ratio, mark)));
    }
    let heights = known.iter().flat_map(|(_, mark)| heights(&mark.y));
    let y = Span::logarithmic(heights.chain([1.0]).collect::<Vec<f64>>())?;
    let x = Span::integers(known.iter().map(|(_, mark)| mark.x));
    let mut layers = vec![boxed(Level)];
    for (quantity, order) in quantities.into_iter().zip(0..) {
        let own = known.iter().filter(|(of, _)| of.quantity == quantity);
        let own: Vec<&(&Ratio, Mark)> = own.collect();
        if !own.is_empty() {
            layers.push(boxed(curve(quantity, order, &own)));
        }
    }
    let different = known.iter().filter(|(of, _)| of.is_different);
    layers.push(boxed(Rings(different.map(|(_, mark)| *mark).collect())));
    (!known.is_empty()).then(|| Plot {
        label: name.to_owned(),
        titles: [
            "number of the point".to_owned(),
            "ratio of means, B / A".to_owned(),
        ],
        height: 560,
        layers,
        x,
        y,
        intervals: RowsOf::Trials.intervals(),
    })
}

/// The mark of a ratio that is above 0; those of a point stand beside each other.
fn mark(of: &Ratio, row: usize, quantities: &[&str]) -> Option<Mark> {
    const ASIDE: i32 = 12;
    let x = of.number as f64;
    let y = of.ratio.filter(|ratio| ratio.value > 0.0)?;
    let mut beside = quantities
        .iter()
        .filter(|quantity| ![WORK, IDENTICAL].contains(quantity));
    let place = beside.clone().position(|quantity| *quantity == of.quantity);
    let last = beside.by_ref().count() as i32 - 1;
    Some(Mark {
        x,
        x_known: Estimate::exactly(x),
        y,
        row,
        trials: None,
        aside: Aside {
            offset: place.map_or(0, |place| ASIDE * (2 * place as i32 - 1)),
            reach: ASIDE * (2 * last - 1),
        },
    })
}

/// What an axis holds of a ratio: of an interval no end that is very far away.
fn heights(ratio: &Estimate) -> [f64; 3] {
    let low = ratio.low.max(ratio.value / MOST_REACH);
    let high = ratio.high.min(ratio.value * MOST_REACH);
    [low, ratio.value, high]
}

/// The marks of a quantity, each by itself.
fn curve(quantity: &str, order: usize, own: &[&(&Ratio, Mark)]) -> Line {
    let style = SeriesStyle::of(order);
    let is_plain = quantity == IDENTICAL;
    let points = own
        .iter()
        .map(|(of, mark)| (mark.row, of.point.name.clone()));
    let marks: Vec<Mark> = own.iter().map(|(_, mark)| *mark).collect();
    let curve = Curve {
        group: order,
        order,
        label: String::new(),
        points: points.collect::<BTreeMap<usize, String>>(),
        title: format!("B / A, {quantity}"),
        name: quantity.to_owned(),
        measure: None,
        style: if is_plain {
            style.in_colour(THEORY)
        } else {
            style
        },
        is_named: false,
        beyond: Vec::new(),
        zeros: Vec::new(),
        gaps: Vec::new(),
        marks,
    };
    Line {
        stretches: curve.marks.iter().map(|mark| vec![*mark]).collect(),
        curve,
        mark: if is_plain {
            MarkShape::Dots
        } else {
            MarkShape::Points
        },
        until: None,
    }
}

/// The line at 1.
struct Level;

impl Layer for Level {
    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        let FrameEdges { left, right, .. } = axes.frame;
        let y = axes.y.pixel(1.0);
        drawn.line(&[(left, y), (right, y)], INK, THIN_WIDTH);
        drawn.entry(Rank::Upright, "1: the means are equal", |sample| {
            sample.line(&[(-50, 0), (50, 0)], INK, THIN_WIDTH);
        });
        drawn
    }
}

/// Rings around marks.
struct Rings(Vec<Mark>);

impl Layer for Rings {
    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        for mark in &self.0 {
            drawn.ring(axes.spot(mark), BEST_RADIUS, INK);
        }
        if !self.0.is_empty() {
            drawn.entry(Rank::Ring, "ring: different", |sample| {
                sample.ring((0, 0), BEST_RADIUS, INK);
            });
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::comparison::two_sample::Test;
    use crate::analysis::comparison::{Design, Difference};
    use crate::analysis::synthetic::pair_key;

    fn test(end_point: EndPoint, ratio: f64, holm: f64) -> EndPointTest {
        EndPointTest {
            end_point,
            method: "paired t",
            test: Test {
                statistic: 1.0,
                p: holm,
            },
            means: [1.0, ratio],
            are_bounds: [false; 2],
            ratio: Some(Estimate::within_factor(ratio, 1.5)),
            holm,
            spread: 1.0,
        }
    }

    fn point(n: u32, holm: f64, finding: Option<Finding>) -> PointComparison {
        let tests = [(EndPoint::AbsorptionTime, 2.0), (EndPoint::Moves, 3.0)];
        let tests = tests.map(|(end_point, ratio)| test(end_point, ratio, holm));
        let found = Difference {
            design: Design::Pairs,
            trials: [60; 2],
            of: [60; 2],
            common: 60,
            differing: 7,
            work: None,
            tests: tests.into(),
        };
        PointComparison {
            name: format!("pair n={n}"),
            point: pair_key(n, 0.1),
            has_same_dynamics: true,
            is_different: holm <= ALPHA,
            finding: finding.unwrap_or(Finding::Different(found)),
        }
    }

    /// Two points that differ, one of them by more than chance, and one with identical rows; and an
    /// experiment of identical rows alone, which has no panel and no row.
    #[test]
    fn what_differs_has_a_panel_and_what_is_different_a_ring() {
        let identical = || Finding::Identical {
            trials: 60,
            of: [60; 2],
        };
        let comparison = |points: Vec<PointComparison>| Comparison {
            only_in_a: Vec::new(),
            only_in_b: Vec::new(),
            points,
        };
        let other = comparison(vec![
            point(4, 0.5, None),
            point(5, 0.01, None),
            point(6, 1.0, Some(identical())),
        ]);
        let same = comparison(vec![point(4, 1.0, Some(identical()))]);
        let experiments = [("same", &same), ("other", &other)];
        let drawing = ratios(&experiments, false).expect("rows differ");
        let column = |name| drawing.table.column(name);
        assert_eq!(column("experiment"), ["other"; 3]);
        assert_eq!(column("point"), ["pair n=4", "pair n=5", "pair n=6"]);
        assert_eq!(column("different"), ["false", "true", "false"]);
        assert_eq!(column("ratio"), ["2.00000", "2.00000", "1.00000"]);
        assert_eq!(column("ratio_high"), ["3.00000", "3.00000", "1.00000"]);
        let rings = |drawing: &Drawing| {
            let ring = format!("r=\"{BEST_RADIUS}\"");
            drawing.svg.matches(&ring).count()
        };
        // One around the mark, one in the legend.
        assert_eq!(rings(&drawing), 2);
        assert!(
            drawing.svg.contains("pair n=5&#10;"),
            "a tip names its point"
        );
        let every = ratios(&experiments, true).expect("rows differ");
        assert_eq!(rings(&every), 3);
        assert!(ratios(&experiments[..1], false).is_none());
    }
}
