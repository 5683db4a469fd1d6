//! The points of a figure sorted into curves by the keys that the spec groups by.

use crate::analysis::average::Average;
use crate::analysis::mean::{Estimate, Mean};
use crate::analysis::regression::{FACTOR_POINTS, Growth};
use crate::experiment::spec::{Choices, Law};
use crate::experiment::store::PointKey;
use crate::report::canvas::Spot;
use crate::report::number::short;
use crate::report::panel::{Mark, Panel};
use crate::report::series::{describe, fewer_axes_first, in_words};
use crate::report::slopes::{meant, verdict};
use crate::report::style::{Dash, SeriesStyle, THIN_WIDTH};
use crate::results::PointTrials;
use crate::solver::goal::Goal;
use crate::solver::symbol;

/// More curves could not be told apart.
const MOST_CURVES: usize = 10;
/// Straight parts of a fitted law.
const PARTS: u32 = 48;

/// A point with its place across and its mean.
pub struct Point<'a> {
    pub key: &'a PointKey,
    pub x: f64,
    pub average: Average,
}

/// Points that share all that the spec groups by, in increasing order of x.
pub struct Curve<'a> {
    label: String,
    symbol: &'a str,
    pub style: SeriesStyle,
    pub points: Vec<Point<'a>>,
    pub marks: Vec<Mark>,
    /// The axes on which its points may differ.
    pub varying: Vec<String>,
    pub fit: Option<(Law, Growth)>,
    /// Why nothing is said of the fit.
    vague: Option<String>,
}

/// All curves, and what found no place.
pub struct Drawn<'a> {
    pub curves: Vec<Curve<'a>>,
    pub x_is_logarithmic: bool,
    pub y_is_logarithmic: bool,
    /// Points in words, each with the reason.
    pub left_out: Vec<String>,
}

impl<'a> Drawn<'a> {
    /// # Errors
    /// Why the points cannot be drawn: two at one place of a curve.
    pub fn of(
        trials: &'a [PointTrials],
        choices: &Choices,
        x: &'a str,
        quantity: &str,
    ) -> Result<Self, String> {
        let mut left_out = Vec::new();
        let mut points: Vec<Point> = Vec::new();
        for trials in trials {
            let key = &trials.point;
            let Some(value) = key.axes.get(x) else {
                left_out.push(format!("{}: has no {}", describe(key), symbol(x)));
                continue;
            };
            let Some(average) = Average::of(trials, quantity) else {
                left_out.push(format!("{}: has no {quantity}", describe(key)));
                continue;
            };
            if points.iter().all(|point| point.key != key) {
                points.push(Point {
                    key,
                    x: value.number(),
                    average,
                });
            }
        }
        refuse_doubles(
            &points.iter().map(|it| it.key).collect::<Vec<_>>(),
            choices,
            x,
        )?;
        let is_whole = points.iter().all(|it| it.key.integer(x).is_some());
        let by_default = !is_whole && points.iter().all(|it| it.x > 0.0);
        let x_is_logarithmic = choices.x_is_logarithmic.unwrap_or(by_default);
        let y_is_logarithmic = choices
            .y_is_logarithmic
            .unwrap_or_else(|| points.iter().all(|it| it.average.mean.value > 0.0));
        points.retain(|point| {
            let zero = match () {
                () if x_is_logarithmic && point.x <= 0.0 => symbol(x),
                () if y_is_logarithmic && point.average.mean.value <= 0.0 => "the mean",
                () => return true,
            };
            let words = describe(point.key);
            left_out.push(format!(
                "{words}: {zero} = 0 has no place on a logarithmic axis"
            ));
            false
        });
        let curves = curves(points, choices, x, &mut left_out);
        Ok(Self {
            curves,
            x_is_logarithmic,
            y_is_logarithmic,
            left_out,
        })
    }

    pub fn points(&self) -> impl Iterator<Item = &Point<'a>> {
        self.curves.iter().flat_map(|curve| &curve.points)
    }
}

/// Names and values that the points of a curve have in common.
type Group = Vec<(String, String)>;

/// The values of a point that make its curve.
fn group(point: &PointKey, choices: &Choices, x: &str) -> Group {
    let word = |key: &str| match key {
        "algorithm" => point.algorithm.clone(),
        "variant" => point.variant.clone(),
        "goal" => point
            .goal
            .map_or_else(String::new, |goal| Goal::name(goal).to_owned()),
        axis => point
            .axes
            .get(axis)
            .map_or_else(String::new, |it| it.to_string()),
    };
    let all = || {
        let axes = point.axes.by_name().map(|(name, _)| name);
        let axes = axes.filter(|name| *name != x).map(str::to_owned);
        let words = ["algorithm", "variant", "goal"].map(str::to_owned);
        words.into_iter().chain(axes).collect()
    };
    let keys: Vec<String> = choices.group.clone().unwrap_or_else(all);
    let pair = |key: String| {
        let word = word(&key);
        (key, word)
    };
    keys.into_iter().map(pair).collect()
}

/// Two different points that would stand at one place of a curve: which key tells them apart.
pub fn refuse_doubles(points: &[&PointKey], choices: &Choices, x: &str) -> Result<(), String> {
    let mut places: Vec<_> = points
        .iter()
        .filter_map(|point| {
            let value = point.axes.get(x)?.to_string();
            Some((group(point, choices, x), value, *point))
        })
        .collect();
    places.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)).then_with(|| a.2.order(b.2)));
    for pair in places.windows(2) {
        let [(a_group, a_x, a), (b_group, b_x, b)] = pair else {
            continue;
        };
        if a_group == b_group && a_x == b_x && a != b {
            return Err(format!(
                "{a} and {b} would stand at one {x} of one curve; add {} to group, or choose with where",
                difference(a, b)
            ));
        }
    }
    Ok(())
}

fn difference(a: &PointKey, b: &PointKey) -> String {
    if a.algorithm != b.algorithm {
        return "algorithm".to_owned();
    }
    if a.variant != b.variant {
        return "variant".to_owned();
    }
    let mut axes = a.axes.by_name().chain(b.axes.by_name());
    let axis = axes.find(|(name, _)| a.axes.get(name) != b.axes.get(name));
    axis.map_or("goal", |(name, _)| name).to_owned()
}

fn curves<'a>(
    mut points: Vec<Point<'a>>,
    choices: &Choices,
    x: &'a str,
    left_out: &mut Vec<String>,
) -> Vec<Curve<'a>> {
    let key = |point: &Point| group(point.key, choices, x);
    points.sort_by(|a, b| {
        fewer_axes_first(a.key, b.key)
            .then_with(|| a.key.order_apart(b.key, &[x]))
            .then_with(|| a.x.total_cmp(&b.x))
    });
    let mut groups: Vec<(Group, Vec<Point>)> = Vec::new();
    for point in points {
        let own = key(&point);
        match groups.iter_mut().find(|(known, _)| *known == own) {
            Some((_, points)) => points.push(point),
            None => groups.push((own, vec![point])),
        }
    }
    for (_, points) in groups.iter().skip(MOST_CURVES) {
        let words = points.iter().map(|point| describe(point.key));
        left_out.extend(words.map(|words| format!("{words}: {MOST_CURVES} curves are drawn")));
    }
    groups.truncate(MOST_CURVES);
    let curves = groups.into_iter().enumerate();
    curves
        .map(|(index, (_, points))| Curve::of(points, SeriesStyle::of(index), choices, x))
        .collect()
}

impl<'a> Curve<'a> {
    fn of(mut points: Vec<Point<'a>>, style: SeriesStyle, choices: &Choices, x: &'a str) -> Self {
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let mark = |point: &Point| Mark {
            is_lower_bound: point.average.is_lower_bound(),
            ..Mark::with_interval(point.x, point.average.mean.value, point.average.interval)
        };
        let varying = varying(&points, x);
        let (fit, vague) = fit(&points, choices.fit);
        Self {
            label: label(&points, &varying),
            symbol: symbol(x),
            style,
            marks: points.iter().map(mark).collect(),
            points,
            varying,
            fit,
            vague,
        }
    }

    pub fn in_words(&self) -> String {
        match (self.fit_in_words(), &self.vague) {
            (Some(words), _) => words,
            (None, Some(vague)) => format!("{} ({vague})", self.label),
            (None, None) => self.label.clone(),
        }
    }

    /// Name in the table, number and line of the fit.
    pub fn fitted(&self) -> Option<(&'static str, Estimate, Growth)> {
        let (law, line) = self.fit?;
        Some(match law {
            Law::Exponential => {
                let factor = Estimate {
                    value: line.factor(),
                    interval: line.factor_interval(),
                };
                ("factor_per_unit", factor, line)
            }
            Law::Power => ("power", line.slope, line),
        })
    }

    pub fn fit_in_words(&self) -> Option<String> {
        let (name, Estimate { value, interval }, line) = self.fitted()?;
        let number = |number: f64| {
            let sign = if number < 0.0 { "−" } else { "" };
            format!("{sign}{}", short(number.abs(), 3))
        };
        let [value, low, high] = [value, interval.low, interval.high].map(number);
        let (law, slope) = if name == "power" {
            ("a single power", format!("∝ {}^({value})", self.symbol))
        } else {
            (
                "a single exponential",
                format!("× {value} per unit of {}", self.symbol),
            )
        };
        Some(format!(
            "{}: {slope} (95 %: {low} to {high}), {}",
            self.label,
            verdict(law, line.fits(), line.reduced_chi_square)
        ))
    }

    /// Over the points that are fitted.
    pub fn paint_fit(&self, panel: &Panel) {
        let Some((law, line)) = self.fit else { return };
        let (first, last) = line.range;
        let spot = |part: u32| -> Spot {
            let t = first + (last - first) * f64::from(part) / f64::from(PARTS);
            let x = match law {
                Law::Exponential => t,
                Law::Power => libm::exp(t),
            };
            (panel.x.pixel(x), panel.y.pixel_within(line.at(t)))
        };
        let spots: Vec<Spot> = (0..=PARTS).map(spot).collect();
        panel
            .canvas
            .broken_line(&spots, self.style.colour, THIN_WIDTH, Dash::Fine);
    }
}

/// The axes on which the points of a curve differ, x among them.
fn varying(points: &[Point], x: &str) -> Vec<String> {
    let first = points[0].key;
    let mut names: Vec<String> = vec![x.to_owned()];
    for point in points {
        let axes = point.key.axes.by_name().chain(first.axes.by_name());
        for (name, _) in axes {
            let differs = point.key.axes.get(name) != first.axes.get(name);
            if differs && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// What the points share.
fn label(points: &[Point], varying: &[String]) -> String {
    let apart: Vec<&str> = varying.iter().map(String::as_str).collect();
    let words: Vec<String> = points.iter().map(|it| in_words(it.key, &apart)).collect();
    if words.iter().all(|word| *word == words[0]) {
        return words[0].clone();
    }
    let mut names: Vec<&str> = points.iter().map(|it| it.key.algorithm.as_str()).collect();
    names.dedup();
    format!("points of {}", names.join(", "))
}

/// A line through the logarithms of the means above 0 without trials cut off.
fn fit(points: &[Point], law: Option<Law>) -> (Option<(Law, Growth)>, Option<String>) {
    let Some(law) = law else {
        return (None, None);
    };
    let complete = points.iter().filter(|it| {
        !it.average.is_lower_bound()
            && it.average.mean.value > 0.0
            && (law != Law::Power || it.x > 0.0)
    });
    let means: Vec<(f64, Mean)> = complete
        .map(|it| {
            let x = match law {
                Law::Exponential => it.x,
                Law::Power => libm::log(it.x),
            };
            (x, it.average.mean)
        })
        .collect();
    let line = Growth::fit(&means);
    let (line, vague) = match law {
        Law::Exponential => meant(line),
        Law::Power => match line.filter(|line| line.points < FACTOR_POINTS) {
            Some(few) => {
                let points = few.points;
                (
                    None,
                    Some(format!(
                        "no power: {points} points, {FACTOR_POINTS} are needed"
                    )),
                )
            }
            None => (line, None),
        },
    };
    let too_few = || format!("no fit: {} points without trials cut off", means.len());
    match (line, vague) {
        (Some(line), _) => (Some((law, line)), None),
        (None, Some(vague)) => (None, Some(vague)),
        (None, None) => (None, Some(too_few())),
    }
}
