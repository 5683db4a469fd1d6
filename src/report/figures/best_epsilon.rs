//! The best ε of each n, and the mean absorption time there.

use crate::analysis::mean::{Interval, Mean};
use crate::analysis::regression::Growth;
use crate::analysis::valley::{POINTS, Place, Swept, Valley};
use crate::experiment::store::{PointKey, PointTrials};
use crate::report::canvas::{self, Canvas};
use crate::report::legend::{Entry, Sample, Words, sentences};
use crate::report::number::six_digits;
use crate::report::panel::{Frame, Mark, Panel, Weight};
use crate::report::point_table::KeyColumns;
use crate::report::scale::Scale;
use crate::report::series::{fewer_axes_first, in_words};
use crate::report::style::{AXIS_ROOM, FOOT_ROOM, MARGIN, SeriesStyle, THIN_WIDTH, WIDTH};
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
            return Err(NothingToDraw {
                kind: self.kind(),
                reason,
            });
        }
        let words: Vec<String> = curves
            .iter()
            .flat_map(|curve| [curve.power_in_words(), curve.growth_in_words()])
            .flatten()
            .collect();
        let caption = sentences([
            input.title,
            "Above: the ε of least mean absorption time against n; below: the mean time there. Bars: 95 % bootstrap intervals; dashed: weighted least squares on \
             the logarithms",
            &words.join(". "),
            input.provenance,
        ]);
        Ok(Drawing {
            svg: paint(input.title, &caption, &curves),
            table: table(&curves, &words),
            caption,
        })
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
        let power = self.power?;
        let Interval { low, high } = power.slope_interval();
        let [slope, low, high] =
            [power.slope, low, high].map(|power| format!("{power:.2}").replace('-', "−"));
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

    fn best(&self) -> Vec<Mark> {
        self.marks(|valley| (valley.x, valley.x_interval))
    }

    fn least(&self) -> Vec<Mark> {
        self.marks(|valley| (valley.mean, valley.mean_interval))
    }

    fn marks(&self, value: fn(&Valley) -> (f64, Interval)) -> Vec<Mark> {
        let mark = |side: &Side| {
            let (y, Interval { low, high }) = value(&side.valley);
            Mark {
                x: side.n(),
                y,
                low,
                high,
                is_lower_bound: false,
            }
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
    let entry = |sample: Sample, text: String| Entry { sample, text };
    let mut entries = Vec::new();
    for curve in curves {
        let words: Vec<String> = [curve.power_in_words(), curve.growth_in_words()]
            .into_iter()
            .flatten()
            .collect();
        let text = if words.is_empty() {
            curve.label.clone()
        } else {
            words
                .join("; ")
                .replace(&format!("; {}: ", curve.label), "; ")
        };
        entries.push(entry(Sample::Curve(curve.style), text));
    }
    if curves.iter().any(|curve| curve.power.is_some()) {
        entries.push(entry(
            Sample::Dashed(curves[0].style.colour),
            "dashed: fitted power law (above) and exponential (below)".to_owned(),
        ));
    }
    entries.push(entry(
        Sample::ErrorBar,
        "95 % interval by resampling the trials".to_owned(),
    ));
    let sides = || curves.iter().flat_map(|curve| &curve.sides);
    if sides()
        .any(|side| side.valley.x_interval.low == 0.0 || side.valley.x_interval.high.is_infinite())
    {
        entries.push(entry(
            Sample::None,
            "a bar that runs into the frame: the sweep bounds the best ε on one side only"
                .to_owned(),
        ));
    }
    if sides().any(|side| side.censored > 0) {
        entries.push(entry(
            Sample::None,
            "cut off: values of ε with censored trials (lower bounds) are left out".to_owned(),
        ));
    }
    entries
}

const HEIGHTS: [i32; 2] = [640, 640];
const GAP: i32 = 48;

fn paint(title: &str, caption: &str, curves: &[Curve]) -> String {
    let words = Words::new(title, legend(curves));
    let legend_top = words.head() + HEIGHTS[0] + GAP + HEIGHTS[1] + FOOT_ROOM;
    canvas::draw(legend_top + words.foot(), title, caption, |canvas| {
        let (left, right) = (MARGIN + AXIS_ROOM, WIDTH - MARGIN);
        let upper = Frame {
            left,
            right,
            top: words.head(),
            bottom: words.head() + HEIGHTS[0],
        };
        let lower = Frame {
            left,
            right,
            top: upper.bottom + GAP,
            bottom: upper.bottom + GAP + HEIGHTS[1],
        };
        let power = |curve: &Curve, n: f64| Some(curve.power?.at(libm::log(n)));
        paint_panel(
            canvas,
            upper,
            curves,
            (Curve::best, &power),
            ("best ε", None),
        );
        let growth = |curve: &Curve, n: f64| Some(curve.growth?.at(n));
        let across = Some("n, side of the board and number of queens");
        paint_panel(
            canvas,
            lower,
            curves,
            (Curve::least, &growth),
            ("mean time there (updates)", across),
        );
        words.draw(canvas, legend_top);
    })
}

/// The measured marks of each curve and the fitted value at an n.
type Content<'a> = (
    fn(&Curve) -> Vec<Mark>,
    &'a dyn Fn(&Curve, f64) -> Option<f64>,
);

fn paint_panel(
    canvas: &Canvas,
    frame: Frame,
    curves: &[Curve],
    (marks, fit): Content,
    (up, across): (&str, Option<&str>),
) {
    let drawn: Vec<Vec<Mark>> = curves.iter().map(marks).collect();
    let Some(y) = Scale::logarithmic(
        drawn
            .iter()
            .flatten()
            .flat_map(|mark| [mark.low, mark.y, mark.high]),
        frame.upwards(),
    ) else {
        return;
    };
    let sides = || {
        curves
            .iter()
            .flat_map(|curve| curve.sides.iter().map(|side| side.n() as u32))
    };
    let x = Scale::integers(
        sides().min().unwrap_or_default(),
        sides().max().unwrap_or_default(),
        frame.across(),
    );
    let panel = Panel {
        canvas,
        frame,
        x,
        y,
    };
    panel.draw_grid();
    for curve in curves {
        let (first, last) = curve.range();
        let spots: Vec<_> = (0..)
            .map(|step| first + f64::from(step))
            .take_while(|&n| n <= last)
            .filter_map(|n| Some((panel.x.pixel(n), panel.y.pixel_within(fit(curve, n)?))))
            .collect();
        spots
            .windows(2)
            .for_each(|ends| canvas.dashed_line(ends[0], ends[1], curve.style.colour, THIN_WIDTH));
    }
    for (curve, marks) in curves.iter().zip(&drawn) {
        marks.iter().for_each(|mark| {
            panel.draw_curve(std::slice::from_ref(mark), curve.style, Weight::Full)
        });
    }
    panel.draw_frame();
    panel.draw_x_axis(across);
    panel.draw_y_axis(up);
}
