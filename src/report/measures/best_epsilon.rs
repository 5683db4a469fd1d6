//! The best ε of each n, and the mean absorption time there. Here are which n and ε count, the
//! power of n and the powers that it is compared with (−1, −3/2, −2), the ratio of two rules, and
//! the notes under the table. How the best ε is found is in `analysis/valley.rs`.

use crate::analysis::course::cells_read;
use crate::analysis::regression::Growth;
use crate::analysis::valley::{LeastPosition, MEAN_TRIALS, POINTS, Swept, Valley};
use crate::report::keys::Law;
use crate::report::measures::kit::*;

pub const BEST_EPSILON: MeasureTable = MeasureTable {
    name: "best-epsilon",
    measures: &[
        Measure::new("best_epsilon", "best ε"),
        Measure::new("mean", "mean time there (updates)"),
        Measure::new("mean_cells_read", "mean time there (cells read)"),
    ],
    rows,
    needs: with_valleys,
    lacking: "no n has five values of ε > 0 whose trials all ended",
    takes_steps: true,
    ..MeasureTable::PLAIN
};

/// The axes on which the points of one curve differ.
const VARYING: [&str; 2] = ["n", "epsilon"];
/// Powers of n that the best ε is compared with.
const POWERS: [(&str, f64); 3] = [("-1", -1.0), ("-3/2", -1.5), ("-2", -2.0)];

/// The points without their ε of which a plan has enough values of it.
fn with_valleys(_: &Scope, points: Vec<Point>) -> Vec<Point> {
    let is_swept =
        |point: &Point| point.integer("n").is_some() && point.real("epsilon") > Some(0.0);
    let mut swept = only(points, is_swept);
    swept.sort_by(|a, b| fewer_axes_first(a, b).then_with(|| a.order_apart(b, &["epsilon"])));
    let sides = swept.chunk_by(|a, b| a.is_same_apart(b, &["epsilon"]));
    let valleys = sides.filter(|side| side.len() >= POINTS);
    let without_epsilon = |side: &[Point]| Point {
        axes: side[0].axes.clone().without(&["epsilon"]),
        ..side[0].clone()
    };
    valleys.map(without_epsilon).collect()
}

/// One n of a curve.
struct Side {
    key: Point,
    points: usize,
    /// True if values of ε are left out because some of their trials were cut off.
    has_cut_off: bool,
    valley: Valley,
    /// The mean at the best ε in cells read.
    mean_cells_read: Option<Estimate>,
    /// The power law of the curve.
    power: Option<Growth>,
}

impl Side {
    /// `None` with too few values of ε.
    fn of(points: &[&PointTrials]) -> Option<Self> {
        let swept = |point_trials: &&PointTrials| {
            Swept::of(point_trials.point.real("epsilon")?, point_trials)
        };
        let sweep: Vec<Swept> = points.iter().filter_map(swept).collect();
        let mut key = points[0].point.clone();
        key.axes = key.axes.without(&["epsilon"]);
        let valley = Valley::of(&sweep)?;
        let mean = valley.mean.in_units(1.0 / updates_per_unit(&key) as f64);
        let cells = cells_read(&key);
        let mean_cells_read = cells.map(|cells| valley.mean.in_units(1.0 / cells));
        Some(Self {
            key,
            points: sweep.len(),
            has_cut_off: sweep.len() < points.len(),
            valley: Valley { mean, ..valley },
            mean_cells_read,
            power: None,
        })
    }

    /// True if a power may be fitted to the best ε.
    fn is_closed(&self) -> bool {
        self.valley.x.error.is_finite()
    }

    fn n(&self) -> f64 {
        self.key.integer("n").unwrap_or_default() as f64
    }

    /// Whether its n is among those that the power is fitted to.
    fn in_power_fit(&self) -> &'static str {
        let range = self.power.map(|power| power.range);
        let n = libm::log(self.n());
        let is_within = range.is_some_and(|(first, last)| (first..=last).contains(&n));
        if is_within && self.is_closed() {
            "yes"
        } else {
            "no"
        }
    }
}

/// The sides in the order of everything but ε; rules with fewer parameters first.
fn sides(scope: &Scope) -> Vec<Side> {
    let is_own = |PointTrials { point, .. }: &&PointTrials| {
        let has_axes = point.integer("n").is_some() && point.real("epsilon") > Some(0.0);
        has_axes && scope.figure.is_wanted(point)
    };
    let mut points: Vec<&PointTrials> = scope.rows.trials.iter().filter(is_own).collect();
    points.sort_by(|a, b| {
        let a = &a.point;
        let b = &b.point;
        fewer_axes_first(a, b)
            .then_with(|| a.order_apart(b, &VARYING))
            .then_with(|| a.order(b))
    });
    let sides = points.chunk_by(|a, b| a.point.is_same_apart(&b.point, &["epsilon"]));
    let mut sides: Vec<Side> = sides.filter_map(Side::of).collect();
    let fits = scope
        .figure
        .panels
        .iter()
        .filter_map(|panel| panel.spec.fit.as_ref());
    let least = fits
        .filter(|fit| fit.law == Law::Power)
        .find_map(|fit| fit.from);
    for curve in sides.chunk_by_mut(|a, b| a.key.is_same_apart(&b.key, &VARYING)) {
        let power = power(curve, least);
        curve.iter_mut().for_each(|side| side.power = power);
    }
    sides
}

/// ln best ε against ln n, over the sides with closed intervals, from the least n that the spec
/// wants.
fn power(sides: &[Side], from: Option<f64>) -> Option<Growth> {
    let closed = sides
        .iter()
        .filter(|side| side.is_closed() && from.is_none_or(|from| side.n() >= from))
        .map(|side| (libm::log(side.n()), side.valley.x));
    Growth::fit(&closed.collect::<Vec<_>>()).filter(|growth| !growth.has_few_points())
}

/// What stands under the table of its columns.
const ON_LEAST: &str = "The least of a cubic through the logarithms, over the swept ε from `window_from` to `window_to`; brackets hold 95 % bootstrap intervals, 0 or ∞ where \
    the sweep bounds the best ε on one side only. `mean` is the cubic's mean absorption time there, in updates (a step of the synchronous rule counts for n²); `mean_cells_read` in cells that updates read (docs/rules.md). The method is in docs/statistics.md.";
const ON_FITS: &str = "`in_power_fit`: whether an n is among those that the power is fitted to, at least four with closed intervals; `power_p_value`: of the test of its lack of fit. `fit` and `value`: what was fitted; `p_of_power_…`: two-sided p-value of that power; `…_over_this`: mean of the first rule over that of this \
    one, each at its best ε; `…_over_this_in_cells_read`: the same in cells read.";

fn rows(scope: &Scope) -> Result<Table, String> {
    let sides = sides(scope);
    let curves: Vec<&[Side]> = sides
        .chunk_by(|a, b| a.key.is_same_apart(&b.key, &VARYING))
        .collect();
    let mut table = Table::of(&sides, |side| &side.key, &["n", "eta"])
        .column("trials", |side| side.valley.x.trials)
        .column("points", |side| side.points)
        .column("least_is", |side| match side.valley.position {
            LeastPosition::LowEnd => "at the lowest ε or below",
            LeastPosition::Inside => "inside",
            LeastPosition::HighEnd => "at the highest ε or above",
        })
        .estimate("best_epsilon", |side| side.valley.x)
        .estimate("mean", |side| side.valley.mean)
        .estimate("mean_cells_read", |side| side.mean_cells_read)
        .column("window_from", |side| side.valley.window.0)
        .column("window_to", |side| side.valley.window.1)
        .column("in_power_fit", Side::in_power_fit)
        .empty(&["fit", "value", "value_low", "value_high"])
        .note(ON_LEAST)
        .note(ON_FITS)
        .warn_if(
            |side| side.valley.x.trials < MEAN_TRIALS as u64,
            &format!("the mean at the best ε has no interval where an ε has fewer than {MEAN_TRIALS} trials"),
        )
        .table;
    for sides in &curves {
        push_power(&mut table, &sides[0]);
    }
    for others in curves.get(1..).unwrap_or_default() {
        push_ratio(&mut table, curves[0], others);
    }
    leave_out(&mut table, scope, &sides);
    Ok(table)
}

/// How well the power fits, and how well it agrees with others.
fn push_power(table: &mut Table, Side { key, power, .. }: &Side) {
    let Some(power) = power else { return };
    let apart = VARYING.map(str::to_owned);
    let mut numbers = vec![("power_p_value".to_owned(), power.agreement.p_value)];
    let compared = POWERS.map(|(name, it)| (format!("p_of_power_{name}"), power.p_of_slope(it)));
    numbers.extend(compared);
    for (name, value) in numbers {
        table.push_fit((key, &apart), &name, Estimate::exactly(value));
    }
}

/// How many times the updates of one curve another takes, each at its own best ε, at each n that
/// both have with closed intervals.
fn push_ratio(table: &mut Table, slower: &[Side], faster: &[Side]) {
    let name = format!("{}_over_this", slower[0].key.algorithm);
    let mut ratios: Vec<(f64, Estimate)> = Vec::new();
    for side in slower {
        let other = faster.iter().find(|other| other.n() == side.n());
        let ratio = |other: &Side| side.valley.mean.ratio_to(&other.valley.mean);
        let ratio = other.and_then(|other| Some((other, ratio(other)?)));
        let Some((other, mean)) = ratio.filter(|ratio| ratio.1.error.is_finite()) else {
            continue;
        };
        table.push_fit((&other.key, &[]), &name, mean);
        let in_cells = side.mean_cells_read.zip(other.mean_cells_read);
        if let Some(in_cells) = in_cells.and_then(|(above, below)| above.ratio_to(&below)) {
            let name = format!("{name}_in_cells_read");
            table.push_fit((&other.key, &[]), &name, in_cells);
        }
        ratios.push((side.n(), mean));
    }
    let growth = Growth::fit(&ratios);
    if let Some(growth) = growth.filter(|growth| !growth.has_few_points() && !growth.is_wide()) {
        let factor = growth.valid_slope().map(libm::exp);
        let shared = (&faster[0].key, &VARYING.map(str::to_owned)[..]);
        let between = between_ends(&growth.agreement);
        table.push_fit(shared, &format!("{name}_per_row{between}"), factor);
    }
}

/// Points of too few ε, and those with trials cut off.
fn leave_out(table: &mut Table, scope: &Scope, sides: &[Side]) {
    let few = format!("fewer than {POINTS} values of ε without trials cut off");
    let all = scope.rows.trials.iter();
    for trials in all.filter(|trials| trials.point.real("epsilon").is_some()) {
        let point = trials.point.clone();
        let has_side = |side: &Side| side.key.is_same_apart(&point, &["epsilon"]);
        match trials.rows.filled("absorption_time") == trials.rows.len() {
            false => table.leave_out([point], "lower bounds: trials were cut off"),
            true if sides.iter().any(has_side) => table.also_shown.push(point),
            true => table.leave_out([point], &few),
        }
    }
    if sides.iter().any(|side| side.has_cut_off) {
        table.warn("ε with trials cut off are left out: their means are lower bounds");
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::synthetic;
    use crate::experiment::store::rows::PointTrials;
    use crate::report::FigureRows;
    use crate::report::measures::preset;

    /// Times in steps of n² updates are n² times as many updates, at the same best ε.
    #[test]
    fn a_step_counts_for_n2_updates() {
        let updates = synthetic::sweep_over_epsilon();
        let mut steps = updates.clone();
        for trials in &mut steps {
            trials.point.algorithm = "synchronous".to_owned();
            trials.point.variant = "blind".to_owned();
        }
        let best = |trials: Vec<PointTrials>| {
            let rows = FigureRows::of_trials(trials, String::new());
            let table = preset("best-epsilon").draw(&rows).expect("a valley").table;
            ["best_epsilon", "mean", "mean_high"].map(|name| {
                let column = table.header.iter().position(|it| it == name);
                let cell = &table.rows[0][column.expect("a column")];
                cell.to_string().parse::<f64>().expect("a number")
            })
        };
        let [[x, mean, high], [in_steps, longer, higher]] = [best(updates), best(steps)];
        assert_eq!(x, in_steps);
        assert!((longer / mean - 64.0).abs() < 1e-3 && (higher / high - 64.0).abs() < 1e-3);
    }
}
