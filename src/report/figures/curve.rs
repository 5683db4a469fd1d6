//! Any quantity against any axis, grouped as the spec says.

mod drawn;

use self::drawn::{Curve, Drawn};
use crate::analysis::mean::{Estimate, Interval};
use crate::experiment::spec::Choices;
use crate::experiment::store::PointKey;
use crate::report::foresight::Foreseen;
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample, mean_entries};
use crate::report::number::six_digits;
use crate::report::panel::{Mark, Weight};
use crate::report::point_table::{KeyColumns, LOWER_BOUND, fit_row, without_interval};
use crate::report::scale::Span;
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::{SINGLE_WIDTH, THEORY};
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::solver::point::KEY_AXES;
use crate::solver::{ALGORITHMS, symbol};

/// The mean of a column against an axis, one curve for each group of points; scales and fits as the
/// spec chooses.
pub struct AnyCurve;

/// What is shown where the spec does not say.
const X: &str = "n";
const QUANTITY: &str = "absorption_time";
const HEIGHT: i32 = 1000;

impl Figure for AnyCurve {
    fn kind(&self) -> &'static str {
        "curve"
    }

    fn doc(&self) -> &'static str {
        "the mean of any column against any axis: x, quantity, group, x_scale, y_scale and fit say which"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["x", "quantity", "group", "x_scale", "y_scale", "fit"]
    }

    fn takes_steps(&self, choices: &Choices) -> bool {
        unit_of(Shown::of(choices).quantity) != Some("updates")
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let Shown { x, quantity, .. } = Shown::of(plan.choices);
        let fills = |point: &PointKey| {
            let algorithm = ALGORITHMS.iter().find(|it| it.name() == point.algorithm);
            algorithm.is_some_and(|it| it.columns().iter().any(|column| column.name == quantity))
        };
        let has_place = |point: &&PointKey| {
            let value = point.axes.get(x).map(|value| value.number());
            let is_logarithmic = plan.choices.x_is_logarithmic == Some(true);
            value.is_some_and(|value| !is_logarithmic || value > 0.0)
        };
        let keys = plan.points.iter().map(|it| &it.point);
        let points: Vec<&PointKey> = keys.filter(has_place).filter(|it| fills(it)).collect();
        self.needs(!points.is_empty(), &nothing(x, quantity))?;
        drawn::refuse_doubles(&points, plan.choices, x).map_err(|reason| self.nothing(&reason))
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let shown = Shown::of(input.choices);
        let drawn = Drawn::of(input.trials, input.choices, shown.x, shown.quantity)
            .map_err(|reason| self.nothing(&reason))?;
        let Some(plot) = shown.plot(&drawn, input.choices) else {
            return Err(self.nothing(&nothing(shown.x, shown.quantity)));
        };
        let words: Vec<String> = drawn
            .curves
            .iter()
            .filter_map(Curve::fit_in_words)
            .collect();
        let lead = format!(
            "{} against {}, with 95 % intervals",
            capital(shown.y_title()),
            shown.x_title()
        );
        let sheet = Sheet {
            findings: words.clone(),
            left_out: LeftOut::but(drawn.points().map(|it| it.key)).with_reasons(&drawn.left_out),
            caption: sentences([&lead[..], &words.join(". ")]),
            parts: Plot::stack(vec![plot]),
            legend: legend(&drawn),
            table: table(&drawn, &shown, &words),
        };
        Ok(sheet.draw(input))
    }
}

fn nothing(x: &str, quantity: &str) -> String {
    format!("no point has both {x} and {quantity}")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.map(String::from_iter).unwrap_or_default() + letters.as_str()
}

/// Unit of a stored column; `None` for a name that is none.
fn unit_of(quantity: &str) -> Option<&'static str> {
    let mut columns = crate::solver::outcome::COLUMNS.iter();
    columns.find(|it| it.name == quantity).map(|it| it.unit)
}

/// What is across and what upwards.
struct Shown<'a> {
    x: &'a str,
    quantity: &'a str,
    titles: [String; 2],
}

impl<'a> Shown<'a> {
    fn of(choices: &'a Choices) -> Self {
        let x = choices.x.as_deref().unwrap_or(X);
        let quantity = choices.quantity.as_deref().unwrap_or(QUANTITY);
        let across = match x {
            "n" => "n, side of the board and number of queens".to_owned(),
            "epsilon" => "ε, probability of a dangerous move".to_owned(),
            "eta" => "η, probability of a random destination".to_owned(),
            other => symbol(other).to_owned(),
        };
        let unit: String = unit_of(quantity)
            .into_iter()
            .filter(|unit| !unit.is_empty())
            .map(|unit| format!(" ({unit})"))
            .collect();
        let name = quantity.replace('_', " ");
        Self {
            x,
            quantity,
            titles: [across, format!("mean {name}{unit}")],
        }
    }

    fn x_title(&self) -> &str {
        &self.titles[0]
    }

    fn y_title(&self) -> &str {
        &self.titles[1]
    }

    /// `None` where nothing has a place on the scales.
    fn plot<'p>(&'p self, drawn: &'p Drawn, choices: &Choices) -> Option<Plot<'p>> {
        let across = self.across(drawn, choices)?;
        let heights = drawn
            .curves
            .iter()
            .flat_map(|it| &it.marks)
            .flat_map(Mark::heights);
        let heights: Vec<f64> = heights.collect();
        let up = if drawn.y_is_logarithmic {
            Span::logarithmic(heights)?.with_room(0.0, 0.08)
        } else {
            Span::from_zero(heights).with_room(0.0, 0.06)
        };
        let height = if choices.width.is_some() {
            SINGLE_WIDTH * 2 / 3
        } else {
            HEIGHT
        };
        let titles = (self.x_title(), self.y_title());
        Some(Plot::new(height, (across, up), titles, move |panel| {
            drawn.curves.iter().for_each(|curve| curve.paint_fit(panel));
            for curve in &drawn.curves {
                panel.draw_curve(&curve.marks, curve.style, Weight::Full);
            }
        }))
    }

    fn across(&self, drawn: &Drawn, choices: &Choices) -> Option<Span> {
        let values = drawn
            .curves
            .iter()
            .flat_map(|it| &it.marks)
            .map(|mark| mark.x);
        let values: Vec<f64> = values.collect();
        let is_whole = drawn.points().all(|it| it.key.integer(self.x).is_some());
        let whole = || values.iter().map(|&value| value as u32);
        match (is_whole, choices.x_is_logarithmic) {
            _ if values.is_empty() => None,
            (true, None) => Some(Span::sides(whole())),
            (true, Some(false)) => Some(Span::integers(whole())),
            (true, Some(true)) => Span::plain_logarithmic(values),
            (false, _) if drawn.x_is_logarithmic => Span::logarithmic(values),
            (false, _) => Some(Span::linear(values)),
        }
    }
}

fn legend(drawn: &Drawn) -> Vec<Entry> {
    let curve = |curve: &Curve| Entry::new(Sample::Curve(curve.style), curve.in_words());
    let mut entries: Vec<Entry> = drawn.curves.iter().map(curve).collect();
    if drawn.curves.iter().any(|curve| curve.fit.is_some()) {
        let text = "thin dashes: law fitted to the logarithms of the means";
        entries.push(Entry::new(Sample::Dashed(THEORY), text));
    }
    let mut marks = drawn.curves.iter().flat_map(|curve| &curve.marks);
    entries.extend(mean_entries(marks.any(|mark| mark.is_lower_bound)));
    entries
}

const COLUMNS: [&str; 9] = [
    "quantity",
    "trials",
    "censored",
    "cutoff",
    "mean_is",
    "method",
    "mean",
    "mean_low",
    "mean_high",
];

fn table(drawn: &Drawn, shown: &Shown, words: &[String]) -> Table {
    let key = KeyColumns::of(&KEY_AXES, drawn.points().map(|it| it.key));
    let mut header = key.header();
    header.extend(COLUMNS.map(str::to_owned));
    let row = |point: &drawn::Point| {
        let average = point.average;
        let mean_is = if average.is_lower_bound() {
            LOWER_BOUND
        } else {
            "mean"
        };
        let mut cells = key.cells(point.key);
        cells.push(shown.quantity.to_owned());
        cells.extend([average.trials, average.censored, average.cutoff].map(|it| it.to_string()));
        cells.extend([mean_is, average.method].map(str::to_owned));
        let Interval { low, high } = average.interval;
        cells.extend([average.mean.value, low, high].map(six_digits));
        cells
    };
    let mut rows: Vec<Vec<String>> = drawn.points().map(row).collect();
    for curve in &drawn.curves {
        rows.extend(fit_rows(&header, curve));
    }
    let mut notes = vec![format!(
        "The mean of the column `{}` over the `trials` of a point; `mean_low` and `mean_high` are its 95 % interval by `method` (docs/statistics.md).",
        shown.quantity
    )];
    if drawn.points().any(|it| it.average.is_lower_bound()) {
        notes.push(
            "`lower bound`: `censored` trials were cut off and count with what they had come to; the true mean is larger."
                .to_owned(),
        );
    }
    let mut table = Table {
        header,
        rows,
        notes,
    };
    table.note_sentences(words);
    table
}

/// The fitted number of a curve, and how well the law fits.
fn fit_rows(header: &[String], curve: &Curve) -> Vec<Vec<String>> {
    let Some((name, estimate, line)) = curve.fitted() else {
        return Vec::new();
    };
    let apart: Vec<&str> = curve.varying.iter().map(String::as_str).collect();
    let key = (curve.points[0].key, &apart[..]);
    let chi_square = Estimate {
        value: line.reduced_chi_square,
        interval: Interval::exactly(line.reduced_chi_square),
    };
    let lack = fit_row(
        header,
        key,
        &format!("{name}_reduced_chi_square"),
        chi_square,
    );
    vec![
        fit_row(header, key, name, estimate),
        without_interval(header, lack),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic;
    use crate::experiment::spec::Law;
    use crate::results::PointTrials;

    fn draw(choices: &Choices, trials: &[PointTrials]) -> Result<Drawing, NothingToDraw> {
        AnyCurve.draw(&Input {
            title: "Any",
            trials,
            courses: &[],
            timings: &[],
            machine: "",
            provenance: "",
            choices,
            remarks: &[],
        })
    }

    fn along(x: &str) -> Choices {
        Choices {
            x: Some(x.to_owned()),
            ..Choices::default()
        }
    }

    /// η from 0 to 0.5 at several ε: a curve for each ε, on a linear axis since η = 0 is there.
    #[test]
    fn a_figure_against_eta_has_a_curve_for_each_epsilon() {
        let trials = synthetic::sweep_over_epsilon_and_eta();
        let drawing = draw(&along("eta"), &trials).expect("points with η");
        assert!(
            drawing
                .svg
                .contains("η, probability of a random destination")
        );
        let mut epsilons: Vec<f64> = trials
            .iter()
            .filter_map(|it| it.point.real("epsilon"))
            .collect();
        epsilons.sort_by(f64::total_cmp);
        epsilons.dedup();
        let choices = along("eta");
        let drawn = Drawn::of(&trials, &choices, "eta", "absorption_time").expect("curves");
        assert_eq!(drawn.curves.len(), epsilons.len());
        assert!(!drawn.x_is_logarithmic, "η = 0 is there");
        assert!(drawing.left_out.is_empty(), "{:?}", drawing.left_out);
        assert!(
            drawing
                .table
                .rows
                .iter()
                .all(|row| row.len() == drawing.table.header.len())
        );
    }

    /// Without ε in `group` there would be several means at one η.
    #[test]
    fn two_points_at_one_place_of_a_curve_are_refused() {
        let trials = synthetic::sweep_over_epsilon_and_eta();
        let choices = Choices {
            group: Some(vec!["algorithm".to_owned(), "n".to_owned()]),
            ..along("eta")
        };
        let error = draw(&choices, &trials).expect_err("many ε");
        assert!(error.reason.contains("add epsilon to group"), "{error}");
        let points = trials.iter().map(|it| crate::report::ForeseenPoint {
            point: it.point.clone(),
            trials: 10,
            has_series: false,
            has_moves: false,
        });
        let foreseen = Foreseen {
            choices: &choices,
            points: points.collect(),
        };
        assert_eq!(AnyCurve.foresee(&foreseen), Err(error));
    }

    #[test]
    fn other_quantities_and_fits_are_drawn() {
        let choices = Choices {
            quantity: Some("moves".to_owned()),
            fit: Some(Law::Exponential),
            y_is_logarithmic: Some(true),
            ..along("n")
        };
        let drawing = draw(&choices, &synthetic::sweep_over_n()).expect("points with n");
        assert!(drawing.svg.contains("mean moves (queen moves)"));
        assert!(drawing.svg.contains("per unit of n"));
        assert!(
            drawing
                .table
                .rows
                .iter()
                .any(|row| row.contains(&"factor_per_unit".to_owned()))
        );
        let nodes = Choices {
            quantity: Some("nodes".to_owned()),
            ..along("n")
        };
        assert!(draw(&nodes, &synthetic::sweep_over_n()).is_err());
        let checks = Choices {
            quantity: Some("checks".to_owned()),
            ..along("n")
        };
        draw(&checks, &synthetic::searches()).expect("searches have checks");
        draw(&nodes, &synthetic::constraint_searches()).expect("searches have nodes");
    }
}
