//! The best ε of each n, and the mean absorption time there.

use crate::analysis::mean::{Estimate, Interval, Mean};
use crate::analysis::regression::Growth;
use crate::analysis::valley::{POINTS, Place, Swept, Valley};
use crate::experiment::store::PointKey;
use crate::report::canvas::Spot;
use crate::report::foresight::{Foreseen, most_along, with_epsilon};
use crate::report::frame::{Cell, Frame};
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample};
use crate::report::number::short;
use crate::report::panel::Mark;
use crate::report::scale::Span;
use crate::report::series::{fewer_axes_first, in_words};
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::slopes::{meant, verdict};
use crate::report::style::{SeriesStyle, THIN_WIDTH};
use crate::report::{Drawing, Figure, Input, NothingToDraw};
use crate::results::PointTrials;

/// Above, the ε of least mean time against n with its power law; below, the mean time there with
/// its growth per row; one curve per rule and η.
pub struct BestEpsilon;

impl Figure for BestEpsilon {
    fn kind(&self) -> &'static str {
        "best-epsilon"
    }

    fn doc(&self) -> &'static str {
        "best ε against n by a local cubic with bootstrap intervals, and the mean time there"
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let most = most_along(with_epsilon(plan.trials()), "epsilon", &["epsilon"]);
        self.needs(
            most >= POINTS,
            &format!("no n has {POINTS} values of ε > 0"),
        )
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let curves = curves(input.trials);
        if curves.is_empty() {
            let reason = format!("no n has {POINTS} values of ε without censored trials");
            return Err(self.nothing(&reason));
        }
        let ratios = Ratio::all(&curves);
        let words = curves.iter().flat_map(Curve::in_words);
        let words: Vec<String> = words
            .chain(ratios.iter().filter_map(Ratio::in_words))
            .collect();
        let sheet = Sheet {
            findings: words.clone(),
            left_out: left_out(input.trials, &curves),
            caption: sentences([
                "Above: the ε of least mean absorption time against n; below: the mean time there. Bars: 95 % bootstrap intervals; thin lines: through the logarithms, each \
                 weighted by its sampling error and the scatter about the line (REML). The power of the best ε is fitted from the least n on from which its lack of \
                 fit is not significant (χ² test, p ≥ 0.05, at least four n); smaller n are shown and left out",
                &words.join(". "),
            ]),
            parts: Plot::stack(plots(&curves)),
            legend: legend(&curves),
            table: frame(&curves, &ratios, &words).table(),
        };
        Ok(sheet.draw(input))
    }
}

/// Points of too few ε, and those with trials cut off.
fn left_out(trials: &[PointTrials], curves: &[Curve]) -> LeftOut {
    let is_cut = |point: &PointTrials| {
        let mut rows = point.rows.without_boards();
        rows.any(|row| row.outcome.absorption_time.is_none())
    };
    let has_side = |point: &PointTrials| {
        let mut sides = curves.iter().flat_map(|curve| &curve.sides);
        sides.any(|side| side.key.is_same_apart(&point.point, &["epsilon"]))
    };
    let swept = || {
        trials
            .iter()
            .filter(|it| it.point.real("epsilon").is_some())
    };
    let cut = swept().filter(|it| is_cut(it)).map(|it| &it.point);
    let few = swept().filter(|it| !is_cut(it) && !has_side(it));
    let few = few.map(|it| &it.point);
    let shown = swept().filter(|it| !is_cut(it) && has_side(it));
    LeftOut::but(shown.map(|it| &it.point))
        .because(cut, "lower bounds: trials were cut off")
        .because(
            few,
            &format!("fewer than {POINTS} values of ε without trials cut off"),
        )
}

/// One rule at one η.
struct Curve {
    label: String,
    style: SeriesStyle,
    /// Of its first side in the table.
    row: usize,
    /// In increasing order of n.
    sides: Vec<Side>,
    /// ln best ε against ln n, from the least n on from which a single power fits, over the sides
    /// with closed intervals.
    power: Option<Growth>,
    /// ln least mean against n, over all sides with closed intervals.
    growth: Option<Growth>,
    /// Why there is no growth factor, although a line was fitted.
    vague: Option<String>,
}

/// One n of a curve.
struct Side {
    key: PointKey,
    /// The fewest trials at any of its ε.
    trials: u64,
    points: usize,
    /// Values of ε left out because some of their trials were censored.
    censored: usize,
    valley: Valley,
}

/// The axes on which the points of one curve differ.
const VARYING: [&str; 2] = ["n", "epsilon"];

fn curves(trials: &[PointTrials]) -> Vec<Curve> {
    let mut points: Vec<&PointTrials> = trials
        .iter()
        .filter(|point| {
            point
                .point
                .real("epsilon")
                .is_some_and(|epsilon| epsilon > 0.0)
        })
        .collect();
    // By everything but ε; rules with fewer parameters first.
    points.sort_by(|a, b| {
        let (a, b) = (&a.point, &b.point);
        fewer_axes_first(a, b)
            .then_with(|| a.order_apart(b, &VARYING))
            .then_with(|| a.order(b))
    });
    let sides: Vec<Side> = points
        .chunk_by(|a, b| a.point.is_same_apart(&b.point, &["epsilon"]))
        .filter_map(Side::of)
        .collect();
    let mut curves: Vec<Curve> = Vec::new();
    for side in sides {
        match curves
            .last_mut()
            .filter(|curve| curve.sides[0].key.is_same_apart(&side.key, &VARYING))
        {
            Some(curve) => curve.sides.push(side),
            None => curves.push(Curve::starting_with(side, SeriesStyle::of(curves.len()))),
        }
    }
    let mut rows = 0;
    for curve in &mut curves {
        curve.row = rows;
        rows += curve.sides.len();
        curve.fit();
    }
    curves
}

impl Side {
    /// `None` with too few values of ε.
    fn of(points: &[&PointTrials]) -> Option<Self> {
        let times = |point: &PointTrials| {
            point
                .rows
                .without_boards()
                .map(|row| row.outcome.absorption_time)
                .collect::<Option<Vec<u64>>>()
        };
        let complete = points.iter().filter_map(|point| {
            Some(Swept {
                x: point.point.real("epsilon")?,
                times: times(point)?,
            })
        });
        let sweep: Vec<Swept> = complete.collect();
        let valley = Valley::of(&sweep)?;
        let trials = sweep.iter().map(|swept| swept.times.len() as u64).min()?;
        let mut key = points[0].point.clone();
        key.axes = key.axes.without(&["epsilon"]);
        key.integer("n")?;
        Some(Self {
            key,
            trials,
            points: sweep.len(),
            censored: points.len() - sweep.len(),
            valley,
        })
    }

    fn n(&self) -> f64 {
        self.key.integer("n").unwrap_or_default() as f64
    }
}

impl Curve {
    fn starting_with(side: Side, style: SeriesStyle) -> Self {
        Self {
            label: in_words(&side.key, &VARYING),
            style,
            row: 0,
            sides: vec![side],
            power: None,
            growth: None,
            vague: None,
        }
    }

    fn fit(&mut self) {
        let closed = |estimate: fn(&Side) -> Option<Mean>, x: fn(f64) -> f64| -> Vec<(f64, Mean)> {
            self.sides
                .iter()
                .filter_map(|side| Some((x(side.n()), estimate(side)?)))
                .collect()
        };
        self.power =
            Growth::where_it_fits(&closed(|side| side.valley.best(side.trials), libm::log));
        let line = Growth::fit(&closed(|side| side.valley.least_mean(side.trials), |n| n));
        (self.growth, self.vague) = meant(line);
    }

    /// First and last n of the fitted power.
    fn power_range(&self) -> Option<(f64, f64)> {
        let (first, last) = self.power?.range;
        Some((libm::round(libm::exp(first)), libm::round(libm::exp(last))))
    }

    /// The n that have a place in the fit of the power.
    fn is_in_power(&self, side: &Side) -> bool {
        let within = |(first, last): (f64, f64)| (first..=last).contains(&side.n());
        side.valley.best(side.trials).is_some() && self.power_range().is_some_and(within)
    }

    fn power_in_words(&self) -> Option<String> {
        let power = self.power?;
        let (first, last) = self.power_range()?;
        let Estimate { value, interval } = power.slope;
        let [slope, low, high] = [value, interval.low, interval.high]
            .map(|power| format!("{power:.2}").replace('-', "−"));
        let fits = if power.fits() {
            "no lack of fit"
        } else {
            "a single power does not fit: it only describes these points"
        };
        Some(format!(
            "{}: best ε ∝ n^({slope}) (95 %: {low} to {high}) from n = {first} to {last}, {fits} (p = {})",
            self.label,
            short(power.p_value, 2)
        ))
    }

    /// How well each of [`POWERS`] agrees with the fit.
    fn powers_in_words(&self) -> Option<String> {
        let power = self.power?;
        let test = |(name, slope): (&str, f64)| {
            format!("{name}: p = {}", short(power.p_of_slope(slope), 2))
        };
        let tests: Vec<String> = POWERS.into_iter().map(test).collect();
        Some(format!(
            "{}: powers compared, {}",
            self.label,
            tests.join(", ")
        ))
    }

    fn growth_in_words(&self) -> Option<String> {
        let Some(growth) = self.growth else {
            let vague = self.vague.as_ref()?;
            return Some(format!("{}: mean at the best ε: {vague}", self.label));
        };
        let Interval { low, high } = growth.factor_interval();
        let (first, last) = growth.range;
        Some(format!(
            "{}: mean at the best ε × {:.2} per added row (95 %: {low:.2} to {high:.2}) from n = {first} to {last}, {}",
            self.label,
            growth.factor(),
            verdict(
                "a single exponential",
                growth.fits(),
                growth.reduced_chi_square
            )
        ))
    }

    /// Quantity, value and interval of each fit, for the table.
    fn fits(&self) -> Vec<Fitted> {
        let mut fits = Vec::new();
        if let (Some(power), Some((first, last))) = (self.power, self.power_range()) {
            fits.push(Fitted::estimate("power_of_n", power.slope));
            fits.push(Fitted::number("power_first_n", first));
            fits.push(Fitted::number("power_last_n", last));
            fits.push(Fitted::number("power_p_value", power.p_value));
            fits.extend(POWERS.map(|(name, slope)| {
                let name = format!("p_of_power_{}", name.replace('−', "-"));
                Fitted::number(&name, power.p_of_slope(slope))
            }));
        }
        if let Some(growth) = self.growth {
            let factor = Estimate {
                value: growth.factor(),
                interval: growth.factor_interval(),
            };
            fits.push(Fitted::estimate("growth_per_row", factor));
            fits.push(Fitted::number(
                "growth_reduced_chi_square",
                growth.reduced_chi_square,
            ));
            fits.push(Fitted::number("growth_scatter", growth.scatter));
        }
        fits
    }

    /// All fits, where there are any.
    fn in_words(&self) -> Vec<String> {
        let words = [
            self.power_in_words(),
            self.powers_in_words(),
            self.growth_in_words(),
        ];
        words.into_iter().flatten().collect()
    }

    fn best(&self) -> Vec<Mark> {
        self.marks(|valley| (valley.x, valley.x_interval))
    }

    fn least(&self) -> Vec<Mark> {
        self.marks(|valley| (valley.mean, valley.mean_interval))
    }

    fn marks(&self, value: fn(&Valley) -> (f64, Interval)) -> Vec<Mark> {
        let mark = |(side, row): (&Side, usize)| {
            let (y, interval) = value(&side.valley);
            Mark {
                row: Some(row),
                ..Mark::with_interval(side.n(), y, interval)
            }
        };
        self.sides.iter().zip(self.row..).map(mark).collect()
    }
}

/// Powers of n that the best ε is compared with.
const POWERS: [(&str, f64); 3] = [("−1", -1.0), ("−3/2", -1.5), ("−2", -2.0)];

/// A fitted number in the table.
struct Fitted {
    quantity: String,
    n: Option<f64>,
    value: f64,
    interval: Option<Interval>,
}

impl Fitted {
    fn number(quantity: &str, value: f64) -> Self {
        Self {
            quantity: quantity.to_owned(),
            n: None,
            value,
            interval: None,
        }
    }

    fn estimate(quantity: &str, estimate: Estimate) -> Self {
        Self {
            interval: Some(estimate.interval),
            ..Self::number(quantity, estimate.value)
        }
    }
}

/// How many times the updates of one curve another takes, each at its own best ε.
struct Ratio<'a> {
    slower: &'a Curve,
    faster: &'a Curve,
    /// Least mean over least mean, at each n that both have with closed intervals.
    ratios: Vec<(f64, Mean)>,
    growth: Option<Growth>,
}

impl<'a> Ratio<'a> {
    /// The first curve over each other one.
    fn all(curves: &'a [Curve]) -> Vec<Self> {
        let Some((first, others)) = curves.split_first() else {
            return Vec::new();
        };
        let ratios = others.iter().map(|other| Self::of(first, other));
        ratios.filter(|ratio| !ratio.ratios.is_empty()).collect()
    }

    fn of(slower: &'a Curve, faster: &'a Curve) -> Self {
        let ratio = |side: &Side| {
            let mut sides = faster.sides.iter();
            let other = sides.find(|other| other.n() == side.n())?;
            let [above, below] = [side, other].map(|side| side.valley.least_mean(side.trials));
            let (above, below) = (above?, below?);
            let value = above.value / below.value;
            let variance = above.log_variance()? + below.log_variance()?;
            let mean = Mean {
                value,
                standard_error: value * variance.sqrt(),
                trials: above.trials.min(below.trials),
            };
            Some((side.n(), mean))
        };
        let ratios: Vec<(f64, Mean)> = slower.sides.iter().filter_map(ratio).collect();
        Self {
            growth: meant(Growth::fit(&ratios)).0,
            slower,
            faster,
            ratios,
        }
    }

    fn in_words(&self) -> Option<String> {
        let growth = self.growth?;
        let Interval { low, high } = growth.factor_interval();
        let (first, last) = growth.range;
        Some(format!(
            "{} over {}, each at its best ε: the ratio of the means grows × {:.2} per added row (95 %: {low:.2} to {high:.2}) from n = {first} to {last}, {}",
            self.slower.label,
            self.faster.label,
            growth.factor(),
            verdict(
                "a single exponential",
                growth.fits(),
                growth.reduced_chi_square
            )
        ))
    }

    fn fits(&self) -> Vec<Fitted> {
        let name = format!("{}_over_this", self.slower.sides[0].key.algorithm);
        let at = |&(n, mean): &(f64, Mean)| Fitted {
            quantity: name.clone(),
            n: Some(n),
            value: mean.value,
            interval: Some(mean.interval()),
        };
        let growth = self.growth.map(|growth| Estimate {
            value: growth.factor(),
            interval: growth.factor_interval(),
        });
        let growth = growth.map(|factor| Fitted::estimate(&format!("{name}_per_row"), factor));
        self.ratios.iter().map(at).chain(growth).collect()
    }
}

fn frame(curves: &[Curve], ratios: &[Ratio], words: &[String]) -> Frame {
    let sides = curves
        .iter()
        .flat_map(|curve| curve.sides.iter().map(move |it| (curve, it)));
    let sides: Vec<(&PointKey, (&Curve, &Side))> = sides.map(|it| (&it.1.key, it)).collect();
    let columns = Frame::of(&sides, &["n", "eta"])
        .column("trials", |it| it.1.1.trials)
        .column("points", |it| it.1.1.points)
        .column("least_is", |it| match it.1.1.valley.place {
            Place::LowEnd => "at the lowest ε or below",
            Place::Inside => "inside",
            Place::HighEnd => "at the highest ε or above",
        })
        .estimate("best_epsilon", |it| Estimate {
            value: it.1.1.valley.x,
            interval: it.1.1.valley.x_interval,
        })
        .estimate("mean", |it| Estimate {
            value: it.1.1.valley.mean,
            interval: it.1.1.valley.mean_interval,
        })
        .column("window_from", |it| it.1.1.valley.window.0)
        .column("window_to", |it| it.1.1.valley.window.1)
        .column("in_power_fit", |it| match it.1.0.is_in_power(it.1.1) {
            true => "yes",
            false => "no",
        })
        .column("fit", |_| Cell::Empty)
        .column("value", |_| Cell::Empty)
        .column("value_low", |_| Cell::Empty)
        .column("value_high", |_| Cell::Empty);
    let mut frame = columns.frame;
    frame.notes = notes(curves, words);
    let fits = curves
        .iter()
        .flat_map(|it| it.fits().into_iter().map(move |fit| (it, fit)));
    let compared = ratios
        .iter()
        .flat_map(|it| it.fits().into_iter().map(move |fit| (it.faster, fit)));
    let apart = VARYING.map(str::to_owned);
    for (curve, fit) in fits.chain(compared) {
        let named = [
            ("n", fit.n.map(|n| n as u64).into()),
            ("fit", fit.quantity.into()),
            ("value", fit.value.into()),
            ("value_low", fit.interval.map(|it| it.low).into()),
            ("value_high", fit.interval.map(|it| it.high).into()),
        ];
        frame.push(Some((&curve.sides[0].key, &apart)), &named);
    }
    frame
}

fn notes(curves: &[Curve], words: &[String]) -> Vec<String> {
    let mut notes = vec![
        "The least of a cubic through the logarithms, over the swept ε from `window_from` to `window_to`; brackets hold 95 % bootstrap intervals, 0 or `inf` where \
         the sweep bounds the best ε on one side only. `mean` is the cubic's mean absorption time there, in updates. The method is in docs/statistics.md."
            .to_owned(),
        "`in_power_fit`: whether an n is among those that the power is fitted to, from the least n on from which the lack of fit is not significant (χ² test, p ≥ 0.05, at \
         least four n with closed intervals). `fit` and `value`: what was fitted; `p_of_power_…`: two-sided p-value of that power; `…_over_this`: mean of the first rule over that of this \
         one, each at its best ε."
            .to_owned(),
    ];
    notes.extend(words.iter().map(|words| format!("{words}.")));
    let sides = curves.iter().flat_map(|curve| &curve.sides);
    notes.extend(sides.filter(|side| side.censored > 0).map(|side| {
        format!(
            "{}: {} values of ε left out, where trials were cut off (lower bounds).",
            in_words(&side.key, &["epsilon"]),
            side.censored
        )
    }));
    notes
}

fn legend(curves: &[Curve]) -> Vec<Entry> {
    let curve = |curve: &Curve| Entry::new(Sample::Fitted(curve.style), &curve.label);
    let mut entries: Vec<Entry> = curves.iter().map(curve).collect();
    entries.push(Entry::new(Sample::ErrorBar, "95 % interval"));
    let sides = || curves.iter().flat_map(|curve| &curve.sides);
    if sides()
        .any(|side| side.valley.x_interval.low == 0.0 || side.valley.x_interval.high.is_infinite())
    {
        entries.push(Entry::new(
            Sample::None,
            "bar into the frame: bounded on one side only",
        ));
    }
    if sides().any(|side| side.censored > 0) {
        entries.push(Entry::new(
            Sample::None,
            "left out: lower bounds, where trials were cut off",
        ));
    }
    entries
}

const HEIGHT: i32 = 640;

fn plots(curves: &[Curve]) -> Vec<Plot<'_>> {
    let power = |curve: &Curve| {
        let (power, range) = (curve.power?, curve.power_range()?);
        let at: Law = Box::new(move |n| power.at(libm::log(n)));
        Some((range, at))
    };
    let growth = |curve: &Curve| {
        let growth = curve.growth?;
        let at: Law = Box::new(move |n| growth.at(n));
        Some((growth.range, at))
    };
    let plots = [
        plot(curves, "best ε", Curve::best, power),
        plot(curves, "mean time there (updates)", Curve::least, growth),
    ];
    plots.into_iter().flatten().collect()
}

/// A fitted law, against n.
type Law = Box<dyn Fn(f64) -> f64>;

/// A law, and the first and last n of its fit.
type LawOverSides = ((f64, f64), Law);

/// The measured marks of each curve, and its fitted law with the first and last n of the fit.
fn plot<'a>(
    curves: &'a [Curve],
    title: &'a str,
    marks: fn(&Curve) -> Vec<Mark>,
    fit: fn(&Curve) -> Option<LawOverSides>,
) -> Option<Plot<'a>> {
    let drawn: Vec<Vec<Mark>> = curves.iter().map(marks).collect();
    let sides = curves.iter().flat_map(|curve| &curve.sides);
    let spans = (
        Span::integers(sides.map(|side| side.n() as u32)),
        Span::logarithmic(drawn.iter().flatten().flat_map(Mark::heights))?,
    );
    let titles = ("n, side of the board and number of queens", title);
    Some(Plot::new(HEIGHT, spans, titles, move |panel| {
        for curve in curves {
            let Some(((first, last), law)) = fit(curve) else {
                continue;
            };
            let spots: Vec<Spot> = (0..)
                .map(|step| first + f64::from(step))
                .take_while(|&n| n <= last)
                .map(|n| (panel.x.pixel(n), panel.y.pixel_within(law(n))))
                .collect();
            let SeriesStyle { colour, dash, .. } = curve.style;
            panel.canvas.broken_line(&spots, colour, THIN_WIDTH, dash);
        }
        for (curve, marks) in curves.iter().zip(&drawn) {
            panel.draw_marks(marks, curve.style, &curve.label);
        }
    }))
}
