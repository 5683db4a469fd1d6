//! What happens inside a trial: the mean of each observable against time.

use crate::analysis::course::relaxation_time;
use crate::analysis::course::time_course::{Moment, OBSERVABLES, TimeCourse};
use crate::report::chart::{Chart, Curve, Of, Panel, Scene, Scope, Shape, in_interval};
use crate::report::frame::Frame;
use crate::report::number::short;
use crate::report::series::Along;
use crate::solver::Point;
use crate::solver::point::KEY_AXES;

/// The mean of each observable over trials against the number of updates, one panel for each, one
/// curve per point.
pub const TIME_COURSE: Chart = Chart {
    kind: "time-course",
    doc: "observables inside a trial against time: means over trials with bands",
    title: "Inside a trial",
    lead: "Means over trials against the number of updates; after its absorption a trial stands still and goes on to count; the rate of moves is that of the trials not yet absorbed; \
           upright dashes: mean relaxation time of the signals",
    of: Of::Series,
    // The bands of more curves could not be told apart.
    along: Along {
        axes: &[],
        group: None,
        least: 1,
        most: 6,
    },
    across: Some(("update", "number of updates")),
    x_is_logarithmic: Some(true),
    nothing: "no trial has a series with a moment after the start",
    rows,
    panels: &[
        panel(&[("true_signals", "")], "true signals", "share"),
        panel(&[("threatened", "")], "threatened queens", "queens"),
        panel(&[("attacked", "")], "attacked queens", "queens"),
        panel(&[("conflicts", "")], "conflicts", "pairs"),
        panel(&[("safe_cells", "")], "safe cells", "cells"),
        panel(&[("truly_safe_cells", "")], "truly safe cells", "cells"),
        panel(&[("safe_moves", "")], "safe moves", "moves"),
        Panel {
            is_logarithmic: Some(true),
            ..panel(&[("move_rate", "")], "rate of moves", "moves / update")
        },
    ],
    guide: Some(relaxation_time),
    findings: |scene| scene.each(finding),
    ..Chart::PLAIN
};

const fn panel<'a>(ys: &'a [(&'a str, &'a str)], label: &'a str, title: &'a str) -> Panel<'a> {
    Panel {
        height: 420,
        shape: Shape::Band(5),
        ys,
        label,
        title,
        ..Panel::PLAIN
    }
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let courses = scope.input.courses.iter().filter_map(TimeCourse::of);
    let courses: Vec<TimeCourse> = courses.collect();
    let lines = courses
        .iter()
        .flat_map(|it| it.moments.iter().map(move |at| (&it.point, (it, at))));
    let lines: Vec<(&Point, (&TimeCourse, &Moment))> = lines.collect();
    let mut columns = Frame::of(&lines, &KEY_AXES)
        .column("update", |it| it.1.1.update)
        .column("trials", |it| it.1.0.trials)
        .column("observed", |it| it.1.1.observed)
        .column("living", |it| it.1.1.living);
    for (index, (name, _)) in OBSERVABLES.iter().enumerate() {
        columns = columns.estimate(name, |it| it.1.1.means[index]);
    }
    let mut frame = columns
        .estimate("move_rate", |it| it.1.1.move_rate)
        .note(
            "The state after `update` updates: means over the `observed` of the `trials`, of which `living` are not yet absorbed; after the absorption the state stands still and counts. \
             The observables are defined in docs/rules.md. Brackets hold 95 % intervals: the t interval of the logarithm.",
        )
        .note(
            "`moves`: queen moves so far. `move_rate`: queen moves an update of the trials not yet absorbed, since the line before (Σ moves / Σ updates).",
        )
        .frame;
    if courses.iter().any(|course| course.cut_off > 0) {
        frame.warn("the rows of a trial end where it was cut off");
    }
    Ok(frame)
}

/// When most queens are threatened, and how many; where they are not drawn, both ends of what is
/// drawn first.
fn finding(scene: &Scene, curve: &Curve) -> Option<String> {
    let column = |name: &str| {
        let at = |&row: &usize| Some((scene.at(row), scene.frame.estimate(row, name)?));
        curve.rows.iter().filter_map(at).collect::<Vec<_>>()
    };
    let label = &curve.label;
    if scene.panels.iter().any(|it| it.ys[0].0 == "threatened") {
        let all = column("threatened").into_iter();
        let (update, most) = all.max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
        let ([value, low, high], update) = (in_interval(most), short(update, 2));
        return Some(format!(
            "{label}: most queens are threatened after {update} updates: {value} (95 %: {low} to {high})"
        ));
    }
    let panel = scene.panels.first()?;
    let all = column(panel.ys[0].0);
    let [first, last] = [all.first()?, all.last()?].map(|(update, it)| {
        let (value, update) = (short(it.value, 3), short(*update, 2));
        format!("{value} at update {update}")
    });
    Some(format!("{label}: {}: {first}, {last}", panel.label))
}
