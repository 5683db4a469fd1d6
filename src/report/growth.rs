//! Mean absorption times against n, with fitted growth: what figures 6 and 8 share.

use super::left_out::LeftOut;
use super::legend::{Entry, Sample, shared_entries};
use super::number::short;
use super::panel::{Mark, Panel, Weight};
use super::point_table::{exact_row, fit_row, point_table, without_interval};
use super::scale::Span;
use super::series::{Grouped, Series};
use super::series_marks::SeriesMarks;
use super::sheet::{Plot, Sheet, sentences};
use super::slopes::{meant, verdict};
use super::style::{Dash, Marker, SeriesStyle, THEORY, THIN_WIDTH};
use super::{Drawing, Input};
use crate::analysis::density_law::{DensityLaw, Rarity};
use crate::analysis::mean::{Estimate, Interval, Mean};
use crate::analysis::regression::{Growth, exact_factor};
use crate::analysis::summary::Quantity;
use crate::experiment::spec::Choices;
use crate::solver::density::inverse_density;

const HEIGHT: i32 = 1120;
/// Share of its length by which 1/d's scale is shifted against the other.
const SHIFT: f64 = 0.3;
const DENSITY_STYLE: SeriesStyle = SeriesStyle {
    colour: THEORY,
    marker: Marker::Diamond,
    dash: Dash::Solid,
};

/// A plot of times against n, perhaps with 1/d(n) on an axis of its own.
pub struct GrowthPlot<'a> {
    quantity: Quantity,
    curves: Vec<Curve<'a>>,
    /// (n, 1/d(n)) at the sides of the curves.
    inverse_density: Vec<(f64, f64)>,
    left_out: &'a [String],
}

struct Curve<'a> {
    series: &'a Series,
    quantity: Quantity,
    style: SeriesStyle,
    growth: Option<Growth>,
    /// Why there is no growth factor, although a line was fitted.
    vague: Option<String>,
}

impl<'a> GrowthPlot<'a> {
    /// Of the quantity that is chosen, else of the absorption time.
    pub fn new(grouped: &'a Grouped, choices: &Choices) -> Self {
        let quantity = choices.quantity.as_deref().and_then(Quantity::from_name);
        let quantity = quantity.unwrap_or(Quantity::AbsorptionTime);
        let curve = |(index, series): (usize, &'a Series)| {
            let (growth, vague) = meant(Growth::fit(&series.means_without_censoring(quantity)));
            Curve {
                series,
                quantity,
                style: SeriesStyle::of(index),
                growth,
                vague,
            }
        };
        Self {
            quantity,
            curves: grouped.series.iter().enumerate().map(curve).collect(),
            inverse_density: Vec::new(),
            left_out: &grouped.left_out,
        }
    }

    /// Adds 1/d(n) on the right-hand axis.
    pub fn with_inverse_density(mut self) -> Self {
        let mut sides: Vec<u64> = self
            .curves
            .iter()
            .flat_map(|curve| &curve.series.points)
            .filter_map(|point| point.point.integer("n"))
            .collect();
        sides.sort_unstable();
        sides.dedup();
        self.inverse_density = sides
            .into_iter()
            .filter_map(|n| Some((n as f64, inverse_density(u32::try_from(n).ok()?)?)))
            .collect();
        self
    }

    /// The figure; `lead` says in a sentence, after the quantity, what it shows.
    pub fn draw(&self, input: &Input, lead: &str) -> Drawing {
        let name = axis_title(self.quantity).trim_end_matches(" (updates)");
        let lead = format!("M{} {lead}", &name[1..]);
        let fits: Vec<String> = self
            .curves
            .iter()
            .filter_map(Curve::fit_in_full)
            .chain(self.density_in_words())
            .collect();
        let mut table = point_table(self.curves.iter().flat_map(|curve| &curve.series.points));
        let exact =
            |&(n, value): &(f64, f64)| exact_row(&table.header, n as u64, "inverse_density", value);
        let exact: Vec<Vec<String>> = self.inverse_density.iter().map(exact).collect();
        table.rows.extend(exact);
        for curve in &self.curves {
            let rows = fit_rows(&table.header, curve);
            table.rows.extend(rows);
        }
        table.note_sentences(&fits);
        for curve in &self.curves {
            let label = curve.series.label();
            let laws = laws(curve.series).into_iter();
            let words: Vec<String> = laws
                .map(|(law, fit)| law_in_words(&label, law, &fit))
                .collect();
            table.note_sentences(&words);
        }
        let sheet = Sheet {
            findings: fits.clone(),
            left_out: LeftOut::but(
                self.curves
                    .iter()
                    .flat_map(|curve| &curve.series.points)
                    .map(|it| &it.point),
            )
            .with_reasons(self.left_out),
            caption: sentences([
                &lead[..],
                "Bars: 95 % intervals; thinner: hitting time, where it differs; thin dashes: line through the logarithms, each weighted by its sampling error and the scatter about the line (REML)",
                &fits.join(". "),
            ]),
            parts: Plot::stack(self.plot().into_iter().collect()),
            legend: self.legend(),
            table,
        };
        sheet.draw(input)
    }

    fn density_in_words(&self) -> Option<String> {
        let factor = exact_factor(&self.inverse_density)?;
        Some(format!(
            "1/d(n), random starts per solved start: × {factor:.2} per added row"
        ))
    }

    fn legend(&self) -> Vec<Entry> {
        let curve = |curve: &Curve| Entry::new(Sample::Curve(curve.style), curve.in_short());
        let mut entries: Vec<Entry> = self.curves.iter().map(curve).collect();
        if let Some(text) = self.density_in_words() {
            let text = format!("{text} (right axis)");
            entries.push(Entry::new(Sample::Curve(DENSITY_STYLE), text));
        }
        if self.curves.iter().any(|curve| curve.growth.is_some()) {
            entries.push(Entry::new(
                Sample::Dashed(THEORY),
                "thin dashes: line fitted to the logarithms of the means, by sampling error and scatter about it",
            ));
        }
        entries.extend(shared_entries(
            self.curves.iter().map(|curve| curve.series),
            &[self.quantity],
        ));
        entries
    }

    fn plot(&self) -> Option<Plot<'_>> {
        let drawn: Vec<(&Curve, SeriesMarks)> = self
            .curves
            .iter()
            .map(|curve| (curve, SeriesMarks::of(curve.series, self.quantity)))
            .collect();
        let marks = || drawn.iter().flat_map(|(_, marks)| marks.all());
        let across = Span::integers(marks().map(|mark| mark.x as u32));
        let up = Span::logarithmic(marks().flat_map(Mark::heights))?;
        // Above, room for arrows; below, for 1/d, whose own scale leaves as much above: the two
        // curves rise alike and would cover each other.
        let has_density = !self.inverse_density.is_empty();
        let up = up.with_room(if has_density { SHIFT } else { 0.0 }, 0.05);
        let titles = (
            "n, side of the board and number of queens",
            axis_title(self.quantity),
        );
        let plot = Plot::new(HEIGHT, (across, up), titles, move |panel| {
            self.paint_density(panel);
            self.curves.iter().for_each(|curve| curve.paint_fit(panel));
            for (curve, marks) in &drawn {
                marks.draw_thin(panel, curve.style);
            }
            for (curve, marks) in &drawn {
                panel.draw_curve(&marks.full, curve.style, Weight::Full);
            }
        });
        Some(if has_density {
            plot.with_right_axis()
        } else {
            plot
        })
    }

    fn paint_density(&self, panel: &Panel) {
        let values = self.inverse_density.iter().map(|&(_, value)| value);
        let Some(span) = Span::logarithmic(values) else {
            return;
        };
        let scale = span.with_room(0.0, SHIFT).on(panel.frame.upwards());
        let exact = |&(n, value): &(f64, f64)| Mark::exact(n, value);
        let marks: Vec<Mark> = self.inverse_density.iter().map(exact).collect();
        let title = "1/d(n), random starts per solved start";
        let beside = Panel {
            y: scale,
            titles: (panel.titles.0, title),
            ..*panel
        };
        beside.draw_curve(&marks, DENSITY_STYLE, Weight::Full);
        panel.draw_right_axis(&scale, title, THEORY);
    }
}

/// The quantities that such a figure can show.
pub const QUANTITIES: [&str; 4] = ["absorption_time", "hitting_time", "moves", "moves_at_hit"];

/// Title of the upright axis.
pub fn axis_title(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::AbsorptionTime => "mean absorption time (updates)",
        Quantity::HittingTime => "mean hitting time (updates)",
        Quantity::Moves => "mean number of queen moves",
        Quantity::MovesAtHit => "mean number of queen moves until the hit",
    }
}

fn until(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::AbsorptionTime => "until absorption",
        Quantity::HittingTime => "until the hit",
        Quantity::Moves => "of the moves",
        Quantity::MovesAtHit => "of the moves until the hit",
    }
}

/// What grows with n.
fn counted(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::AbsorptionTime | Quantity::HittingTime => "updates",
        Quantity::Moves | Quantity::MovesAtHit => "moves",
    }
}

/// A law fitted to the times or the moves of a curve.
struct Law {
    quantity: Quantity,
    rarity: Rarity,
    /// Formula in words, and the quantities of its rows in the table.
    formula: &'static str,
    power: &'static str,
    beside: &'static str,
}

const LAWS: [Law; 6] = [
    Law {
        quantity: Quantity::AbsorptionTime,
        rarity: Rarity::DensityBesideN,
        formula: "ln T = a + b ln(1/d) + c n",
        power: "time_density_power",
        beside: "time_density_per_row",
    },
    Law {
        quantity: Quantity::AbsorptionTime,
        rarity: Rarity::PermutationsBesideLogN,
        formula: "ln T = a + b ln(n!/S(n)) + c ln n",
        power: "time_permutations_power",
        beside: "time_permutations_power_of_n",
    },
    Law {
        quantity: Quantity::Moves,
        rarity: Rarity::DensityBesideN,
        formula: "ln moves = a + b ln(1/d) + c n",
        power: "moves_density_power",
        beside: "moves_density_per_row",
    },
    Law {
        quantity: Quantity::Moves,
        rarity: Rarity::PermutationsBesideLogN,
        formula: "ln moves = a + b ln(n!/S(n)) + c ln n",
        power: "moves_permutations_power",
        beside: "moves_permutations_power_of_n",
    },
    Law {
        quantity: Quantity::Moves,
        rarity: Rarity::Permutations,
        formula: "ln moves = a + b ln(n!/S(n)), without n",
        power: "moves_permutations_power_alone",
        beside: "",
    },
    Law {
        quantity: Quantity::Moves,
        rarity: Rarity::Density,
        formula: "ln moves = a + b ln(1/d), one growing series on another, without n",
        power: "moves_density_power_alone",
        beside: "",
    },
];

/// The fits that a curve's points allow.
fn laws(series: &Series) -> Vec<(&'static Law, DensityLaw)> {
    let fit = |law: &'static Law| {
        let means = series.means_without_censoring(law.quantity).into_iter();
        let means: Vec<(u32, Mean)> = means.map(|(n, mean)| (n as u32, mean)).collect();
        Some((law, DensityLaw::fit(&means, law.rarity)?))
    };
    LAWS.iter().filter_map(fit).collect()
}

fn law_in_words(label: &str, law: &Law, fit: &DensityLaw) -> String {
    let estimate = |name: &str, estimate: Estimate| {
        let Interval { low, high } = estimate.interval;
        let value = estimate.value;
        format!("{name} = {value:.3} (95 %: {low:.3} to {high:.3})").replace('-', "−")
    };
    let beside = fit
        .beside
        .map_or_else(String::new, |beside| format!(", {}", estimate("c", beside)));
    let verdict = if fit.fits() {
        "no lack of fit"
    } else {
        "the law does not fit: b only describes these points"
    };
    format!(
        "{label}: {}: {}{beside}; {} points without censored trials, {}: {verdict}",
        law.formula,
        estimate("b", fit.power),
        fit.points,
        scatter_in_words(fit.reduced_chi_square, fit.scatter)
    )
}

/// What is left over: by the sampling errors, and beyond them.
fn scatter_in_words(reduced_chi_square: f64, scatter: f64) -> String {
    format!(
        "reduced χ² = {}, scatter of the logarithm about it beyond the sampling errors {}",
        short(reduced_chi_square, 2),
        short(scatter, 2)
    )
}

/// The lines of the table for the fits to a curve, as `quantity` with `mean_is` = `fit`.
fn fit_rows(header: &[String], curve: &Curve) -> Vec<Vec<String>> {
    let key = &curve.series.points[0].point;
    let varying = curve.series.varying();
    let row = |quantity: &str, estimate| fit_row(header, (key, varying), quantity, estimate);
    let number = |quantity: &str, value: f64| {
        let interval = Interval::exactly(value);
        let cells = row(quantity, Estimate { value, interval });
        without_interval(header, cells)
    };
    let mut rows = Vec::new();
    if let Some(growth) = &curve.growth {
        let factor = Estimate {
            value: growth.factor(),
            interval: growth.factor_interval(),
        };
        rows.extend([
            row("growth_per_row", factor),
            number("growth_reduced_chi_square", growth.reduced_chi_square),
            number("growth_scatter", growth.scatter),
        ]);
    }
    for (law, fit) in laws(curve.series) {
        rows.push(row(law.power, fit.power));
        rows.extend(fit.beside.map(|beside| row(law.beside, beside)));
        rows.push(number(&format!("{}_scatter", law.power), fit.scatter));
    }
    rows
}

impl Curve<'_> {
    fn in_words(&self) -> String {
        let label = self.series.label();
        let Some(growth) = self.growth else {
            let vague = self.vague.iter().map(|vague| format!(" ({vague})"));
            return format!(
                "{label}: mean {}{}",
                until(self.quantity),
                vague.collect::<String>()
            );
        };
        let interval = growth.factor_interval();
        format!(
            "{label}: {} × {:.2} per added row (95 %: {:.2} to {:.2})",
            counted(self.quantity),
            growth.factor(),
            interval.low,
            interval.high
        )
    }

    /// For the legend: with the lack of fit, where it is significant.
    fn in_short(&self) -> String {
        let words = self.in_words();
        match self.growth {
            Some(growth) if !growth.fits() => format!(
                "{words}; {}",
                verdict("a single exponential", false, growth.reduced_chi_square)
            ),
            _ => words,
        }
    }

    fn fit_in_full(&self) -> Option<String> {
        let growth = self.growth?;
        let verdict = if growth.fits() {
            "no lack of fit"
        } else {
            "a single exponential does not fit, the factor only describes these points, and its interval includes the scatter about the line"
        };
        Some(format!(
            "{}, {} points without censored trials, {}: {verdict}",
            self.in_words(),
            growth.points,
            scatter_in_words(growth.reduced_chi_square, growth.scatter)
        ))
    }

    /// From the first to the last fitted side.
    fn paint_fit(&self, panel: &Panel) {
        let Some(growth) = self.growth else { return };
        let sides: Vec<f64> = self
            .series
            .means_without_censoring(self.quantity)
            .iter()
            .map(|&(n, _)| n)
            .collect();
        let (Some(&first), Some(&last)) = (sides.first(), sides.last()) else {
            return;
        };
        let spot = |n: f64| (panel.x.pixel(n), panel.y.pixel_within(growth.at(n)));
        panel
            .canvas
            .dashed_line(spot(first), spot(last), self.style.colour, THIN_WIDTH);
    }
}
