//! The best ε of each n, and the mean absorption time there.

use crate::analysis::mean::{Estimate, Interval, Mean};
use crate::analysis::regression::Growth;
use crate::analysis::valley::{POINTS, Place, Swept, Valley};
use crate::experiment::store::{PointKey, PointTrials};
use crate::report::canvas::Spot;
use crate::report::legend::{Entry, Sample};
use crate::report::number::six_digits;
use crate::report::panel::Mark;
use crate::report::point_table::KeyColumns;
use crate::report::scale::Span;
use crate::report::series::{fewer_axes_first, in_words};
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::{SeriesStyle, THIN_WIDTH};
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};

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

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let curves = curves(input.trials);
        if curves.is_empty() {
            let reason = format!("no n has {POINTS} values of ε without censored trials");
            return Err(self.nothing(&reason));
        }
        let words: Vec<String> = curves.iter().flat_map(Curve::in_words).collect();
        let sheet = Sheet {
            caption: sentences([
                "Above: the ε of least mean absorption time against n; below: the mean time there. Bars: 95 % bootstrap intervals; dashed: weighted least squares on \
                 the logarithms",
                &words.join(". "),
            ]),
            parts: Plot::stack(plots(&curves)),
            legend: legend(&curves),
            table: table(&curves, &words),
        };
        Ok(sheet.draw(input))
    }
}

/// One rule at one η.
struct Curve {
    label: String,
    style: SeriesStyle,
    /// In increasing order of n.
    sides: Vec<Side>,
    /// ln best ε against ln n, and ln least mean against n, over the sides with closed intervals.
    power: Option<Growth>,
    growth: Option<Growth>,
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
    curves.iter_mut().for_each(Curve::fit);
    curves
}

impl Side {
    /// `None` with too few values of ε.
    fn of(points: &[&PointTrials]) -> Option<Self> {
        let times = |point: &PointTrials| {
            point
                .rows
                .iter()
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
            sides: vec![side],
            power: None,
            growth: None,
        }
    }

    fn fit(&mut self) {
        let closed = |estimate: fn(&Side) -> Option<Mean>, x: fn(f64) -> f64| -> Vec<(f64, Mean)> {
            self.sides
                .iter()
                .filter_map(|side| Some((x(side.n()), estimate(side)?)))
                .collect()
        };
        self.power = Growth::fit(&closed(|side| side.valley.best(side.trials), libm::log));
        self.growth = Growth::fit(&closed(|side| side.valley.least_mean(side.trials), |n| n));
    }

    fn power_in_words(&self) -> Option<String> {
        let Estimate { value, interval } = self.power?.slope;
        let [slope, low, high] = [value, interval.low, interval.high]
            .map(|power| format!("{power:.2}").replace('-', "−"));
        Some(format!(
            "{}: best ε ∝ n^({slope}) (95 %: {low} to {high})",
            self.label
        ))
    }

    fn growth_in_words(&self) -> Option<String> {
        let growth = self.growth?;
        let Interval { low, high } = growth.factor_interval();
        Some(format!(
            "{}: mean at the best ε × {:.2} per added row (95 %: {low:.2} to {high:.2})",
            self.label,
            growth.factor()
        ))
    }

    /// Both fits, where there are any.
    fn in_words(&self) -> Vec<String> {
        let words = [self.power_in_words(), self.growth_in_words()];
        words.into_iter().flatten().collect()
    }

    fn best(&self) -> Vec<Mark> {
        self.marks(|valley| (valley.x, valley.x_interval))
    }

    fn least(&self) -> Vec<Mark> {
        self.marks(|valley| (valley.mean, valley.mean_interval))
    }

    fn marks(&self, value: fn(&Valley) -> (f64, Interval)) -> Vec<Mark> {
        let mark = |side: &Side| {
            let (y, interval) = value(&side.valley);
            Mark::with_interval(side.n(), y, interval)
        };
        self.sides.iter().map(mark).collect()
    }

    /// From the first to the last side.
    fn range(&self) -> (f64, f64) {
        (self.sides[0].n(), self.sides[self.sides.len() - 1].n())
    }
}

fn table(curves: &[Curve], words: &[String]) -> Table {
    let sides = || curves.iter().flat_map(|curve| &curve.sides);
    let key = KeyColumns::of(&["n", "eta"], sides().map(|side| &side.key));
    let measured = [
        "trials",
        "points",
        "least_is",
        "best_epsilon",
        "best_epsilon_low",
        "best_epsilon_high",
        "mean",
        "mean_low",
        "mean_high",
        "window_from",
        "window_to",
    ];
    let row = |side: &Side| {
        let Valley {
            place,
            x,
            x_interval,
            mean,
            mean_interval,
            window,
        } = side.valley;
        let place = match place {
            Place::LowEnd => "at the lowest ε or below",
            Place::Inside => "inside",
            Place::HighEnd => "at the highest ε or above",
        };
        let mut cells = key.cells(&side.key);
        cells.extend([side.trials.to_string(), side.points.to_string()]);
        cells.push(place.to_owned());
        let numbers = [
            x,
            x_interval.low,
            x_interval.high,
            mean,
            mean_interval.low,
            mean_interval.high,
            window.0,
            window.1,
        ];
        cells.extend(numbers.map(six_digits));
        cells
    };
    let mut notes = vec![
        "The least of a cubic through the logarithms, over the swept ε from `window_from` to `window_to`; brackets hold 95 % bootstrap intervals, 0 or `inf` where \
         the sweep bounds the best ε on one side only. `mean` is the cubic's mean absorption time there, in updates. The method is in docs/methods.md."
            .to_owned(),
    ];
    notes.extend(words.iter().map(|words| format!("{words}.")));
    notes.extend(sides().filter(|side| side.censored > 0).map(|side| {
        format!(
            "{} rule, n = {}: {} values of ε left out, where trials were cut off (lower bounds).",
            side.key.algorithm,
            side.n(),
            side.censored
        )
    }));
    let mut header = key.header();
    header.extend(measured.map(str::to_owned));
    Table {
        header,
        rows: sides().map(row).collect(),
        notes,
    }
}

fn legend(curves: &[Curve]) -> Vec<Entry> {
    let curve = |curve: &Curve| {
        let words = curve.in_words().join("; ");
        // Both parts begin with the label.
        let text = words.replace(&format!("; {}: ", curve.label), "; ");
        let text = if text.is_empty() {
            curve.label.clone()
        } else {
            text
        };
        Entry::new(Sample::Curve(curve.style), text)
    };
    let mut entries: Vec<Entry> = curves.iter().map(curve).collect();
    if curves.iter().any(|curve| curve.power.is_some()) {
        entries.push(Entry::new(
            Sample::Dashed(curves[0].style.colour),
            "dashed: fitted power law (above) and exponential (below)",
        ));
    }
    entries.push(Entry::new(
        Sample::ErrorBar,
        "95 % interval by resampling the trials",
    ));
    let sides = || curves.iter().flat_map(|curve| &curve.sides);
    if sides()
        .any(|side| side.valley.x_interval.low == 0.0 || side.valley.x_interval.high.is_infinite())
    {
        entries.push(Entry::new(
            Sample::None,
            "a bar that runs into the frame: the sweep bounds the best ε on one side only",
        ));
    }
    if sides().any(|side| side.censored > 0) {
        entries.push(Entry::new(
            Sample::None,
            "cut off: values of ε with censored trials (lower bounds) are left out",
        ));
    }
    entries
}

const HEIGHT: i32 = 640;

fn plots(curves: &[Curve]) -> Vec<Plot<'_>> {
    let power = |curve: &Curve, n: f64| Some(curve.power?.at(libm::log(n)));
    let growth = |curve: &Curve, n: f64| Some(curve.growth?.at(n));
    let plots = [
        plot(curves, "best ε", Curve::best, power),
        plot(curves, "mean time there (updates)", Curve::least, growth),
    ];
    plots.into_iter().flatten().collect()
}

/// The measured marks of each curve, and the fitted value at each n.
fn plot<'a>(
    curves: &'a [Curve],
    title: &'a str,
    marks: fn(&Curve) -> Vec<Mark>,
    fit: fn(&Curve, f64) -> Option<f64>,
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
            let (first, last) = curve.range();
            let spots: Vec<Spot> = (0..)
                .map(|step| first + f64::from(step))
                .take_while(|&n| n <= last)
                .filter_map(|n| Some((panel.x.pixel(n), panel.y.pixel_within(fit(curve, n)?))))
                .collect();
            for ends in spots.windows(2) {
                let colour = curve.style.colour;
                panel
                    .canvas
                    .dashed_line(ends[0], ends[1], colour, THIN_WIDTH);
            }
        }
        for (curve, marks) in curves.iter().zip(&drawn) {
            panel.draw_marks(marks, curve.style);
        }
    }))
}
