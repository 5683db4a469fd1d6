//! What ε does inside a trial: kinds of moves, entries into solutions, and blocked time.

use crate::analysis::course::effects::{EFFECTS, Effects};
use crate::analysis::mean::Estimate;
use crate::experiment::store::PointKey;
use crate::report::foresight::{Foreseen, differ_along, with_epsilon};
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample};
use crate::report::number::short;
use crate::report::panel::{Mark, Weight};
use crate::report::point_table::{KeyColumns, estimate_cells};
use crate::report::scale::Span;
use crate::report::series::{describe, in_words};
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::SeriesStyle;
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::solver::Value;
use crate::solver::point::KEY_AXES;

/// Shares of moves, entries per absorption and shares of time against ε, one curve per rule.
pub struct EffectsOfEpsilon;

impl Figure for EffectsOfEpsilon {
    fn kind(&self) -> &'static str {
        "effects-of-epsilon"
    }

    fn doc(&self) -> &'static str {
        "kinds of moves, entries per absorption and blocked time against ε"
    }

    fn draws_courses(&self) -> bool {
        true
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let with_series = plan.points.iter().filter(|it| it.has_series);
        let points = with_epsilon(with_series.map(|it| &it.point));
        self.needs(differ_along(points, "epsilon", &["epsilon"]), NO_CURVE)
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let points: Vec<Effects> = input.courses.iter().filter_map(Effects::of).collect();
        let grouped = Grouped::of(&points);
        let plots: Vec<Plot> = PANELS
            .iter()
            .filter_map(|panel| panel.plot(&grouped.curves))
            .collect();
        if plots.is_empty() {
            return Err(self.nothing(NO_CURVE));
        }
        let sheet = Sheet {
            findings: grouped.curves.iter().filter_map(Curve::in_words).collect(),
            left_out: LeftOut::but(grouped.curves.iter().flat_map(Curve::keys))
                .with_reasons(&grouped.left_out),
            caption: sentences([
                "Against ε, with 95 % intervals: shares of the queen moves that needed their coin, were needless, were deceived (above); entries into solutions per absorption (middle); shares of the time before the absorption (below)",
            ]),
            parts: Plot::stack(plots),
            legend: legend(&grouped.curves),
            table: table(&points),
        };
        Ok(sheet.draw(input))
    }
}

/// Places in [`EFFECTS`].
const DANGEROUS: usize = 0;
const NO_SAFE_MOVE: usize = 5;

/// Why there is nothing to draw.
const NO_CURVE: &str = "no two points with a series differ in ε > 0 alone";

/// The points of one rule, in increasing order of ε.
struct Curve<'a> {
    label: String,
    index: usize,
    points: Vec<(f64, &'a Effects)>,
}

struct Grouped<'a> {
    curves: Vec<Curve<'a>>,
    left_out: Vec<String>,
}

impl<'a> Grouped<'a> {
    /// By everything but ε.
    fn of(points: &'a [Effects]) -> Self {
        let mut curves: Vec<Curve> = Vec::new();
        let mut left_out = Vec::new();
        for point in points {
            let epsilon = point.point.axes.get("epsilon").map_or(0.0, Value::number);
            if epsilon <= 0.0 {
                left_out.push(format!("{}: no ε > 0", describe(&point.point)));
                continue;
            }
            let label = in_words(&point.point, &["epsilon"]);
            match curves.iter_mut().find(|curve| curve.label == label) {
                Some(curve) => curve.points.push((epsilon, point)),
                None => curves.push(Curve {
                    label,
                    index: 0,
                    points: vec![(epsilon, point)],
                }),
            }
        }
        let alone = curves.iter().filter(|curve| curve.points.len() < 2);
        left_out.extend(alone.map(|curve| format!("{}: alone on its curve", curve.label)));
        curves.retain(|curve| curve.points.len() > 1);
        for (index, curve) in curves.iter_mut().enumerate() {
            curve.index = index;
            curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        Self { curves, left_out }
    }
}

impl Curve<'_> {
    /// What changes from the least ε to the greatest: dangerous moves, time without a safe move.
    fn in_words(&self) -> Option<String> {
        let ends = [self.points.first()?, self.points.last()?];
        let change = |effect: usize| {
            let [least, greatest] = ends.map(|(_, point)| {
                let share = point.estimates[effect]?.value;
                Some(format!("{} %", short(100.0 * share, 3)))
            });
            Some((least?, greatest?))
        };
        let (few, many) = change(DANGEROUS)?;
        let time = change(NO_SAFE_MOVE)
            .map(|(first, last)| format!(", the time without a safe move from {first} to {last}"));
        let [least, greatest] = ends.map(|(epsilon, _)| short(*epsilon, 3));
        Some(format!(
            "{}: from ε = {least} to {greatest} the share of dangerous moves goes from {few} to {many}{}",
            self.label,
            time.unwrap_or_default()
        ))
    }

    fn keys(&self) -> impl Iterator<Item = &PointKey> {
        self.points.iter().map(|(_, effects)| &effects.point)
    }

    fn marks(&self, effect: usize) -> Vec<Mark> {
        let mark = |&(epsilon, point): &(f64, &Effects)| {
            let Estimate { value, interval } = point.estimates[effect]?;
            Some(Mark::with_interval(epsilon, value, interval))
        };
        self.points.iter().filter_map(mark).collect()
    }

    /// The colour is the effect's; marker and dash are those of rule and effect, of which a panel
    /// shows at most three.
    fn style(&self, colour: usize) -> SeriesStyle {
        let index = 3 * self.index + colour % 3;
        SeriesStyle::coloured(colour, index).unwrap_or_else(|| SeriesStyle::of(index))
    }
}

struct PanelOf {
    height: i32,
    title: &'static str,
    /// By their places in [`EFFECTS`], each with its colour.
    effects: &'static [(usize, usize)],
    is_logarithmic: bool,
}

const PANELS: [PanelOf; 3] = [
    PanelOf {
        height: 720,
        title: "share of the queen moves",
        effects: &[(0, 0), (1, 1), (2, 2)],
        is_logarithmic: false,
    },
    PanelOf {
        height: 560,
        title: "entries per absorption",
        effects: &[(3, 3)],
        is_logarithmic: true,
    },
    PanelOf {
        height: 720,
        title: "share of the time",
        effects: &[(4, 0), (5, 1), (6, 2)],
        is_logarithmic: false,
    },
];

/// What each colour means, above and below.
const COLOURS: [&str; 4] = [
    "above: dangerous moves; below: no safe cell",
    "above: needless moves; below: no safe move",
    "above: deceived moves; below: all signals true",
    "middle: entries into solutions per absorption",
];

impl PanelOf {
    /// `None` where no curve has a mark.
    fn plot<'a>(&'a self, curves: &'a [Curve]) -> Option<Plot<'a>> {
        let of_curve = |curve: &'a Curve| {
            let effects = self.effects.iter();
            effects.map(move |&(effect, colour)| (curve.style(colour), curve.marks(effect)))
        };
        let drawn: Vec<(SeriesStyle, Vec<Mark>)> = curves.iter().flat_map(of_curve).collect();
        let marks = || drawn.iter().flat_map(|(_, marks)| marks);
        let across = Span::logarithmic(marks().map(|mark| mark.x))?;
        let heights = marks().flat_map(Mark::heights);
        let up = if self.is_logarithmic {
            Span::plain_logarithmic(heights)?
        } else {
            Span::from_zero(heights)
        };
        let titles = ("ε, probability of a dangerous move", self.title);
        Some(Plot::new(self.height, (across, up), titles, move |panel| {
            for (style, marks) in &drawn {
                panel.draw_curve(marks, *style, Weight::Full);
            }
        }))
    }
}

fn legend(curves: &[Curve]) -> Vec<Entry> {
    let mut entries = Vec::new();
    for curve in curves {
        for (colour, text) in COLOURS.into_iter().enumerate() {
            let text = format!("{}: {text}", curve.label);
            entries.push(Entry::new(Sample::Curve(curve.style(colour)), text));
        }
    }
    entries.push(Entry::new(
        Sample::ErrorBar,
        "95 % interval, from resampled trials (BCa)",
    ));
    let points = curves.iter().flat_map(|curve| &curve.points);
    let cut_off: usize = points.map(|(_, point)| point.cut_off).sum();
    if cut_off > 0 {
        entries.push(Entry::new(
            Sample::None,
            format!("trials cut off: {cut_off}; they count up to there"),
        ));
    }
    entries
}

fn table(points: &[Effects]) -> Table {
    let key = KeyColumns::of(&KEY_AXES, points.iter().map(|it| &it.point));
    let mut header = key.header();
    header.extend(["trials", "cut_off", "moves", "moments"].map(str::to_owned));
    for effect in EFFECTS {
        header.extend(["", "_low", "_high"].map(|end| format!("{}{end}", effect.name)));
    }
    let row = |point: &Effects| {
        let mut cells = key.cells(&point.point);
        cells.extend([point.trials, point.cut_off].map(|it| it.to_string()));
        cells.extend([point.moves, point.moments].map(|it| it.to_string()));
        cells.extend(point.estimates.into_iter().flat_map(estimate_cells));
        cells
    };
    let mut notes = vec![
        "`dangerous`, `needless`, `deceived`: shares of the queen `moves` of all trials. `entries_per_absorption`: times that the positions became a solution, per trial that was absorbed. \
         `no_safe_cell`, `no_safe_move`, `all_signals_true`: shares of the `moments` of the series before the absorption at which that was so; at moments in equal steps these are shares of the time up to \
         the absorption or to the last moment. Brackets hold 95 % intervals: BCa, from resampled trials. The words are defined in docs/rules.md."
            .to_owned(),
    ];
    if points.iter().any(|point| point.cut_off > 0) {
        notes.push("`cut_off`: trials that were cut off; their moves, entries and moments up to there count.".to_owned());
    }
    Table {
        header,
        rows: points.iter().map(row).collect(),
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic;

    #[test]
    fn curves_are_by_rule_and_points_without_a_curve_are_named() {
        let mut courses = synthetic::courses();
        courses.push(crate::results::courses::PointCourses {
            point: synthetic::pair_key(6, 0.01),
            ..courses[0].clone()
        });
        let points: Vec<Effects> = courses.iter().filter_map(Effects::of).collect();
        let grouped = Grouped::of(&points);
        let labels: Vec<&str> = grouped.curves.iter().map(|it| &*it.label).collect();
        assert_eq!(labels, ["pair rule, n = 8", "cell rule, n = 8, η = 0.1"]);
        assert_eq!(grouped.left_out, ["pair rule, n = 6: alone on its curve"]);
        let names = [DANGEROUS, NO_SAFE_MOVE].map(|effect| EFFECTS[effect].name);
        assert_eq!(names, ["dangerous", "no_safe_move"]);
        let words = grouped.curves[0].in_words().expect("shares");
        assert!(
            words.starts_with("pair rule, n = 8: from ε = ") && words.contains(" % to "),
            "{words}"
        );
        let table = table(&points);
        assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
        let dangerous = table
            .header
            .iter()
            .position(|it| it == "dangerous")
            .expect("there");
        let share: f64 = table.rows[0][dangerous].parse().expect("a share");
        assert!((share - 0.5).abs() < 0.01, "{share}");
    }
}
