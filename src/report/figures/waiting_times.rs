//! Waits between moves: bursts, or no more than chance?

use crate::analysis::course::waiting::{ALL, Runs, WaitingTimes, Waits};
use crate::analysis::mean::Estimate;
use crate::report::chart::{Chart, Of, Panel, Scene, Scope, in_interval};
use crate::report::frame::Frame;
use crate::report::series::{Along, describe};
use crate::solver::Point;
use crate::solver::point::KEY_AXES;

/// How the waits between successive moves scatter, and how often safe moves follow each other,
/// beside what chance would give; one curve per rule and kind of moves.
pub const WAITING_TIMES: Chart = Chart {
    kind: "waiting-times",
    doc: "scatter of the waits between moves, and runs of safe moves, beside chance",
    title: "Bursts of moves",
    lead: "Against ε, above: standard deviation of the waits between successive moves of a kind over their mean, from two relaxation times of the signals on; \
           below: share of the runs of three or more safe moves over that of tosses of a coin. Above the dashed line moves come in bursts",
    of: Of::Moves,
    along: Along {
        axes: &["epsilon"],
        least: 1,
        ..Chart::PLAIN.along
    },
    split: Some("kind"),
    x_is_logarithmic: Some(true),
    nothing: "no trial writes down two moves (events) after two relaxation times of the signals",
    rows,
    panels: &[
        Panel {
            height: 800,
            ys: &[("variation", "")],
            title: "deviation / mean of the waits",
            level: Some(1.0),
            ..Panel::PLAIN
        },
        Panel {
            height: 560,
            ys: &[("runs_over_coin", "")],
            title: "runs / runs of a coin",
            level: Some(1.0),
            ..Panel::PLAIN
        },
    ],
    findings,
    ..Chart::PLAIN
};

/// P(≥ 3) of tosses of a coin with the same P(0).
fn tosses(runs: Runs) -> f64 {
    let safe = 1.0 - runs.none.value;
    safe * safe * safe
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let points = scope.input.courses.iter().filter_map(WaitingTimes::of);
    let points: Vec<WaitingTimes> = points.collect();
    let lines = points
        .iter()
        .flat_map(|it| it.waits.iter().map(move |waits| (&it.point, (it, waits))));
    type Line<'a> = (&'a Point, (&'a WaitingTimes, &'a Waits));
    let lines: Vec<Line> = lines.collect();
    // The runs are in the row of all moves.
    let runs = |(_, (it, waits)): &Line| it.runs.filter(|_| waits.kind == ALL);
    let over_coin = |runs: Runs| {
        let Estimate { value, interval } = runs.three_or_more;
        let estimate = Estimate {
            value: value / tosses(runs),
            interval: interval.map(|end| end / tosses(runs)),
        };
        (estimate, false)
    };
    let mut frame = Frame::of(&lines, &KEY_AXES)
        .column("kind", |it| it.1.1.kind)
        .column("trials", |it| it.1.0.trials)
        .column("cut_off", |it| it.1.0.cut_off)
        .column("transient", |it| it.1.0.transient)
        .column("waits", |it| it.1.1.gaps)
        .estimate("mean", |it| it.1.1.mean)
        .estimate("variation", |it| it.1.1.variation)
        .column("runs", |it| runs(it).map(|it| it.runs))
        .estimate("runs_0", |it| runs(it).map(|it| it.none))
        .estimate("runs_3_or_more", |it| runs(it).map(|it| it.three_or_more))
        .column("runs_3_or_more_of_a_coin", |it| runs(it).map(tosses))
        .drawn("runs_over_coin", |it| runs(it).map(over_coin))
        .note(
            "Waits in updates between successive moves of a `kind` in one trial, pooled over trials, without those that begin in the first `transient` updates, two mean relaxation times of the signals (positions settle later). \
             `variation`: standard deviation / mean of the pooled waits, 1 for exponential ones. Brackets hold 95 % intervals: the t interval of the logarithm, over trials.",
        )
        .note(
            "`runs`: stretches between two successive dangerous moves of a trial, the first `transient` updates included; `runs_0` and `runs_3_or_more`: shares of those with no safe move and with three or more; \
             `runs_3_or_more_of_a_coin`: (1 − runs_0)³. The figure shows `runs_3_or_more`, with its interval, over that.",
        )
        .frame;
    if points.iter().any(|it| it.cut_off > 0) {
        frame.warn("the moves of a trial end where it was cut off");
    }
    Ok(frame)
}

/// The scatter of the waits between all moves.
fn findings(scene: &Scene) -> Vec<String> {
    let rows = scene.frame.keys.iter().enumerate();
    let all = rows.filter(|(row, _)| scene.frame.word(*row, "kind") == ALL);
    let scatter = |(row, key): (usize, &Point)| {
        let [value, low, high] = in_interval(scene.frame.estimate(row, "variation")?);
        let point = describe(key);
        Some(format!(
            "{point}: waits between moves scatter {value} times as much as by chance ({low} to {high})"
        ))
    };
    all.filter_map(scatter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic;
    use crate::report::Input;

    #[test]
    fn every_kind_has_its_line_and_the_runs_are_in_the_first() {
        let courses = synthetic::courses();
        let input = Input {
            courses: &courses,
            ..Input::of_trials(&[])
        };
        let table = WAITING_TIMES.drawn(&input).expect("moves").table;
        assert_eq!(table.rows.len(), 18);
        assert_eq!(table.column("kind")[..3], ["all", "dangerous", "safe"]);
        // A move is dangerous with probability 1 − exp(−0.8), and so ends a run.
        let none: f64 = table.column("runs_0")[0].parse().expect("a share");
        assert!((none - 0.551).abs() < 0.03, "{none}");
        assert_eq!(table.column("runs_0")[1], "");
    }
}
