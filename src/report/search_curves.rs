//! Searches against n: what the figures of exhaustive methods and of constraint models share.

use super::panel::{Mark, Weight};
use super::scale::Span;
use super::series::without_goal;
use super::sheet::Plot;
use super::style::SeriesStyle;
use crate::analysis::quantile::Bounded;
use crate::analysis::search::{SearchSummary, Spread};
use crate::experiment::store::PointKey;
use crate::solver::cp::variant::Variant;
use crate::solver::goal::Goal;

/// More curves could not be told apart.
const MOST_CURVES: usize = 10;

/// A panel's quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    Nodes,
    /// Of searches that ended: nodes over the boards that they found.
    NodesPerBoard,
    Seconds,
    MicrosecondsPerNode,
}

/// Searches that differ in n alone, in increasing order of it.
pub struct SearchCurve<'a> {
    pub searches: Vec<&'a SearchSummary>,
    pub style: SeriesStyle,
}

/// Place of a point's variant in the lab's table; `None` where it has no variant.
pub fn place_in_the_table(point: &PointKey) -> Option<usize> {
    let variant: Variant = point.variant.parse().ok()?;
    Variant::all().position(|other| other == variant)
}

/// `searches` that have n, by algorithm, variant, goal and axes but n: variants in the order of the
/// lab's table.
pub fn curves<'a>(searches: impl IntoIterator<Item = &'a SearchSummary>) -> Vec<SearchCurve<'a>> {
    let has_n = |search: &&SearchSummary| search.point.integer("n").is_some();
    let mut searches: Vec<&SearchSummary> = searches.into_iter().filter(has_n).collect();
    let key = |search: &SearchSummary| {
        let point = &search.point;
        (
            point.algorithm.clone(),
            place_in_the_table(point),
            point.variant.clone(),
            point.goal.map(Goal::name),
        )
    };
    let others = |a: &SearchSummary, b: &SearchSummary| {
        let axes = || a.point.axes.order(&b.point.axes, &["n"]);
        key(a).cmp(&key(b)).then_with(axes)
    };
    searches.sort_by(|a, b| others(a, b).then_with(|| a.n().cmp(&b.n())));
    let curves = searches.chunk_by(|a, b| others(a, b).is_eq());
    curves
        .enumerate()
        .map(|(index, searches)| SearchCurve {
            searches: searches.to_vec(),
            style: SeriesStyle::of(index),
        })
        .collect()
}

/// At most ten of the curves, with a remark on those that are left to the table: of more, the
/// variants that `is_plain`.
pub fn at_most_ten<'a>(
    curves: Vec<SearchCurve<'a>>,
    is_plain: fn(&Variant) -> bool,
) -> (Vec<SearchCurve<'a>>, Option<String>) {
    let all = curves.len();
    if all <= MOST_CURVES {
        return (curves, None);
    }
    let (mut drawn, others): (Vec<_>, Vec<_>) = curves
        .into_iter()
        .partition(|curve| curve.variant().is_some_and(|variant| is_plain(&variant)));
    drawn.extend(
        others
            .into_iter()
            .take(if drawn.is_empty() { MOST_CURVES } else { 0 }),
    );
    drawn.truncate(MOST_CURVES);
    let names: Vec<String> = drawn.iter().map(SearchCurve::label).collect();
    let remark = format!(
        "Drawn of {all} curves: {}. The others are in this table alone.",
        names.join("; ")
    );
    (drawn, Some(remark))
}

/// Gives a colour to each letter at `place` of the acronyms, and to each curve its own marker and
/// dash; leaves the styles as they are where the colours run out.
pub fn colour_by_letter(curves: &mut [SearchCurve], place: usize) {
    let letter = |curve: &SearchCurve| curve.searches[0].point.variant.chars().nth(place);
    let letters: Vec<Option<char>> = curves.iter().map(letter).collect();
    let styles: Option<Vec<SeriesStyle>> = in_order(letters.iter())
        .into_iter()
        .enumerate()
        .map(|(index, colour)| SeriesStyle::coloured(colour, index))
        .collect();
    if let Some(styles) = styles {
        curves
            .iter_mut()
            .zip(styles)
            .for_each(|(curve, style)| curve.style = style);
    }
}

/// For each item its place among the different ones, in the order in which they come first.
fn in_order<'k, T: PartialEq + 'k>(items: impl Iterator<Item = &'k T>) -> Vec<usize> {
    let mut different: Vec<&T> = Vec::new();
    let place = |item| {
        different
            .iter()
            .position(|other| *other == item)
            .unwrap_or_else(|| {
                different.push(item);
                different.len() - 1
            })
    };
    items.map(place).collect()
}

impl SearchCurve<'_> {
    /// `cp PN_PL`, and what was asked for unless that is counting.
    pub fn label(&self) -> String {
        let point = &self.searches[0].point;
        let goal = match point.goal {
            Some(Goal::First) => ", first board",
            Some(Goal::All) => ", all boards",
            _ => "",
        };
        format!("{}{goal}", without_goal(point, &["n"]))
    }

    pub fn variant(&self) -> Option<Variant> {
        self.searches[0].point.variant.parse().ok()
    }

    /// Whether both trees have the same number of nodes at every n.
    pub fn covers(&self, other: &Self) -> bool {
        let nodes = |curve: &Self| {
            curve
                .searches
                .iter()
                .map(|search| (search.n(), search.nodes.clone()))
                .collect::<Vec<_>>()
        };
        // Searches that were all cut off at one limit have that in common and nothing else.
        nodes(self) == nodes(other) && self.searches.iter().any(|search| search.cut_off() == 0)
    }

    /// ` (median of 20 trials)`, of a random search.
    pub fn trials_in_words(&self) -> String {
        let trials = self
            .searches
            .iter()
            .filter(|search| search.is_random)
            .map(|search| search.trials());
        match (trials.clone().min(), trials.max()) {
            (Some(least), Some(most)) if least == most => format!(" (median of {least} trials)"),
            (Some(least), Some(most)) => format!(" (median of {least} to {most} trials)"),
            _ => String::new(),
        }
    }

    /// The search at the largest n.
    pub fn last(&self) -> &SearchSummary {
        self.searches.last().expect("a curve has searches")
    }

    pub fn marks(&self, measure: Measure) -> Vec<Mark> {
        self.searches
            .iter()
            .filter_map(|search| measure.mark(search))
            .collect()
    }

    pub fn is_random(&self) -> bool {
        self.searches.iter().any(|search| search.is_random)
    }
}

impl Measure {
    pub fn axis_title(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::NodesPerBoard => "nodes per board found",
            Self::Seconds => "time (seconds)",
            Self::MicrosecondsPerNode => "time per node (µs)",
        }
    }

    /// What a logarithmic axis can show of a search.
    pub fn mark(self, search: &SearchSummary) -> Option<Mark> {
        let time = search.time.as_ref();
        let mark = match self {
            Self::Nodes => mark(search, search.nodes.as_ref()?, 1.0),
            Self::NodesPerBoard => {
                let boards = search
                    .solutions
                    .as_ref()
                    .filter(|boards| search.cut_off() == 0 && boards.median.value > 0)?
                    .median
                    .value;
                mark(search, search.nodes.as_ref()?, boards as f64)
            }
            Self::Seconds => mark(search, &time?.nanoseconds, 1e9),
            Self::MicrosecondsPerNode => mark(search, time?.picoseconds_per_node.as_ref()?, 1e6),
        };
        Some(mark).filter(|mark| mark.low > 0.0)
    }

    fn span(self, values: impl IntoIterator<Item = f64>) -> Option<Span> {
        match self {
            Self::Nodes | Self::Seconds => Span::logarithmic(values),
            Self::NodesPerBoard | Self::MicrosecondsPerNode => Span::plain_logarithmic(values),
        }
    }
}

/// Median and spread, divided by `unit`. An upper quartile that is itself cut off has no upper end.
fn mark(search: &SearchSummary, spread: &Spread, unit: f64) -> Mark {
    let value = |bounded: Bounded| bounded.value as f64 / unit;
    let has_no_end = spread.high.at_least && !spread.median.at_least;
    Mark {
        x: search.n() as f64,
        y: value(spread.median),
        low: value(spread.low),
        high: if has_no_end {
            f64::INFINITY
        } else {
            value(spread.high)
        },
        is_lower_bound: spread.median.at_least,
        row: None,
        aside: 0.0,
    }
}

/// A plot for each of `panels`, the height and the quantity, as far as there is something to show
/// in them; `rows` are those of the table.
pub fn plots<'a>(
    curves: &'a [SearchCurve],
    panels: &[(i32, Measure)],
    rows: &[&SearchSummary],
) -> Vec<Plot<'a>> {
    let plot = |&(height, measure): &(i32, Measure)| {
        let drawn: Vec<Vec<Mark>> = curves
            .iter()
            .map(|curve| {
                let own = |search: &SearchSummary| {
                    let row = rows.iter().position(|it| it.point == search.point);
                    let mark = measure.mark(search)?;
                    Some(Mark { row, ..mark })
                };
                curve.searches.iter().filter_map(|it| own(it)).collect()
            })
            .collect();
        let searches = curves.iter().flat_map(|curve| &curve.searches);
        let across = Span::sides(searches.map(|search| search.n() as u32));
        let up = measure.span(drawn.iter().flatten().flat_map(Mark::heights))?;
        let titles = (
            "n, side of the board and number of queens",
            measure.axis_title(),
        );
        // Room for the arrows of lower bounds.
        let spans = (across, up.with_room(0.0, 0.06));
        Some(Plot::new(height, spans, titles, move |panel| {
            for (curve, marks) in curves.iter().zip(&drawn) {
                panel.draw_curve(marks, curve.style, Weight::Full, &curve.label());
            }
        }))
    };
    panels.iter().filter_map(plot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{constraint_searches, searches, timings};
    use crate::report::search_legend::legend;
    use crate::results::PointTrials;

    fn summaries(trials: &[PointTrials]) -> Vec<SearchSummary> {
        SearchSummary::of(trials, &timings(trials))
    }

    #[test]
    fn curves_are_variants_in_the_order_of_the_labs_table() {
        let searches = summaries(&[searches(), constraint_searches()].concat());
        let curves = curves(&searches);
        let labels: Vec<String> = curves
            .iter()
            .map(|curve| format!("{}{}", curve.label(), curve.trials_in_words()))
            .collect();
        let expected = [
            "cp PN_PL, all boards",
            "cp PN_PL, first board",
            "cp PB_PL, all boards",
            "cp PA_PL, all boards",
            "cp PA_PR, first board (median of 20 trials)",
            "cp PA_PD, first board",
            "lines",
            "rows",
        ];
        assert_eq!(labels, expected);
        assert!(
            curves
                .iter()
                .all(|curve| curve.searches.is_sorted_by_key(|search| search.n()))
        );
    }

    /// 507 nodes for 92 boards; a search that was cut off has no such ratio. Times of the synthetic
    /// rows: 10, 20 and 30 ns a node.
    #[test]
    fn marks_are_in_the_units_of_their_axes() {
        let searches = summaries(&constraint_searches());
        let curves = curves(&searches);
        let all = &curves[0];
        let per_board = all.marks(Measure::NodesPerBoard);
        assert_eq!(
            per_board
                .iter()
                .map(|mark| (mark.x, mark.y))
                .collect::<Vec<_>>(),
            [(8.0, 507.0 / 92.0), (10.0, 7389.0 / 724.0)]
        );
        let mark = all.marks(Measure::Seconds)[0];
        assert_eq!(
            (mark.low, mark.y, mark.high, mark.is_lower_bound),
            (5.07e-6, 1.014e-5, 1.521e-5, false)
        );
        assert_eq!(
            all.marks(Measure::MicrosecondsPerNode)[2].y,
            0.02,
            "the rate of a search that was cut off is known"
        );
        assert!(
            all.marks(Measure::Nodes)[2].is_lower_bound
                && all.marks(Measure::Seconds)[2].is_lower_bound
        );
    }

    /// Of 20 trials at n = 60 between a quarter and a half are cut off, so that the median is exact
    /// and the upper quartile has no end.
    #[test]
    fn a_quartile_among_trials_cut_off_has_no_end() {
        let searches = summaries(&constraint_searches());
        let curves = curves(&searches);
        let random = curves
            .iter()
            .find(|curve| curve.is_random())
            .expect("one of them is random");
        assert!((5..10).contains(&random.last().cut_off()));
        let mark = *random.marks(Measure::Nodes).last().expect("it has marks");
        assert!(mark.high.is_infinite() && !mark.is_lower_bound && mark.low < mark.y);
        let texts: Vec<String> = legend(&curves, &[Measure::Nodes])
            .into_iter()
            .map(|entry| entry.text)
            .collect();
        assert!(
            texts
                .iter()
                .any(|text| text.starts_with("a bar up to the frame"))
        );
        assert!(texts.iter().any(|text| {
            text.contains("differences N=neq, B=bounds, A=domain; symmetry broken _=false;")
        }));
    }

    #[test]
    fn of_many_curves_the_plain_ones_are_drawn() {
        let template = &constraint_searches()[0];
        let trials: Vec<PointTrials> = Variant::all()
            .map(|variant| {
                let mut trials = template.clone();
                trials.point.variant = variant.to_string();
                trials
            })
            .collect();
        let searches = summaries(&trials);
        let is_plain = |variant: &Variant| variant.to_string().ends_with("A_PL");
        let (drawn, remark) = at_most_ten(curves(&searches), is_plain);
        assert_eq!(
            drawn.iter().map(SearchCurve::label).collect::<Vec<_>>(),
            ["cp PA_PL, first board", "cp AA_PL, first board"]
        );
        assert!(remark.is_some_and(|remark| {
            remark.starts_with("Drawn of 120 curves: cp PA_PL, first board; cp AA_PL, first board.")
        }));
        assert_eq!(at_most_ten(curves(&searches), |_| false).0.len(), 10);
        let texts: Vec<String> = legend(&drawn, &[Measure::Nodes])
            .into_iter()
            .map(|entry| entry.text)
            .collect();
        assert_eq!(texts[1], "cp AA_PL, first board, the nodes of cp PA_PL");
    }

    /// PN_PL, PB_PL and PA_PL: three colours by the second letter, one by the first; markers and
    /// dashes differ all the same.
    #[test]
    fn one_letter_is_the_colour_and_every_curve_has_its_marker_and_dash() {
        let searches = summaries(&constraint_searches());
        let mut curves: Vec<SearchCurve> = curves(&searches)
            .into_iter()
            .filter(|curve| curve.label().contains("all"))
            .collect();
        curves
            .iter_mut()
            .for_each(|curve| curve.style = SeriesStyle::of(7));
        for (letter, colours) in [(1, [0, 1, 2]), (0, [0, 0, 0])] {
            colour_by_letter(&mut curves, letter);
            let styles: Vec<SeriesStyle> = curves.iter().map(|curve| curve.style).collect();
            let expected =
                [0, 1, 2].map(|index| SeriesStyle::coloured(colours[index], index).expect("few"));
            assert_eq!(styles, expected, "letter {letter}");
            assert!(
                styles[0].marker != styles[1].marker && styles[0].dash != styles[1].dash,
                "letter {letter}"
            );
        }
    }
}
