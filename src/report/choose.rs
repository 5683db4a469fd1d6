//! What a spec's `[[figure]]` chooses: the points that its `where` keeps, in rows and in words.

use super::number::short;
use super::scene::Page;
use super::{Chart, Drawing, Foreseen, Input, NothingToDraw};
use crate::experiment::plan::Plan;
use crate::experiment::spec::{Choices, Keep, Kept};
use crate::results::PointCourses;
use crate::results::{PointTimings, PointTrials};
use crate::solver::Point;
use crate::solver::goal::Goal;
use crate::solver::{Value, algorithm, symbol};

/// Whether the point has one of the values of each key of `where`.
pub fn keeps(choices: &Choices, point: &Point) -> bool {
    choices
        .keep
        .iter()
        .all(|keep| keep.values.iter().any(|value| has(point, &keep.key, value)))
}

fn has(point: &Point, key: &str, value: &Kept) -> bool {
    match (key, value) {
        ("algorithm", Kept::Word(word)) => point.algorithm == *word,
        ("variant", Kept::Word(word)) => point.variant == *word,
        ("goal", Kept::Word(word)) => point.goal.map(Goal::name) == Some(word),
        (axis, Kept::Number(value)) => {
            let own = point.axes.get(axis);
            own.is_some_and(|own| own.order(value).is_eq())
        }
        _ => false,
    }
}

/// `n = 8; ε = 0.01 or 0.1`.
fn in_words(choices: &Choices) -> String {
    let value = |value: &Kept| match value {
        Kept::Number(Value::Integer(value)) => value.to_string(),
        Kept::Number(Value::Real(value)) => short(*value, 6),
        Kept::Word(word) => word.clone(),
    };
    let keep = |keep: &Keep| {
        let values: Vec<String> = keep.values.iter().map(value).collect();
        format!("{} = {}", symbol(&keep.key), values.join(" or "))
    };
    let words: Vec<String> = choices.keep.iter().map(keep).collect();
    words.join("; ")
}

/// Which rules `where` drops because they lack one of its axes.
fn dropped<'p>(choices: &Choices, points: impl Iterator<Item = &'p Point>) -> Option<String> {
    let has_axis = |point: &Point, key: &str| point.axes.get(key).is_some();
    let words = ["algorithm", "variant", "goal"];
    let axes = || choices.keep.iter().map(|it| &it.key[..]);
    let axes: Vec<&str> = axes().filter(|it| !words.contains(it)).collect();
    let mut dropped: Vec<String> = Vec::new();
    for point in points {
        let lacking = axes.iter().find(|axis| !has_axis(point, axis));
        let words = lacking.map(|axis| format!("{} (no {})", point.algorithm, symbol(axis)));
        dropped.extend(words.filter(|it| !dropped.contains(it)));
    }
    (!dropped.is_empty()).then(|| format!("without {}", dropped.join(", ")))
}

/// What `check` says of a figure that can be drawn: that it is too high for a journal's page, and
/// which rules its `where` drops.
pub fn remark(figure: &Chart, plan: &Plan, choices: &Choices) -> Option<String> {
    let (heights, is_labelled, lines) =
        figure.made(choices, |chart| chart.frames(&Foreseen::of(plan, choices)));
    // A label may need two lines there.
    if !Page::of(choices).holds(&heights, is_labelled, 2 * lines as i32) {
        return Some(
            "is higher than 230 mm in print; split it: fewer panels each (panels, quantity), or fewer points (where)"
                .to_owned(),
        );
    }
    let dropped = dropped(choices, plan.points.iter().map(|it| &it.point))?;
    Some(format!("is drawn {dropped}"))
}

/// Whether the rule counts steps of n² updates.
fn counts_steps(point: &Point) -> bool {
    algorithm(&point.algorithm).is_some_and(|it| it.cutoff_unit() == "steps")
}

/// Draws `figure` of the points that the choices of `input` keep and that it has a place for.
///
/// # Errors
/// When there is nothing that it could show, and when no point is kept.
pub fn draw(figure: &Chart, input: &Input) -> Result<Drawing, NothingToDraw> {
    let choices = input.choices;
    let takes_steps = figure.made(choices, |chart| chart.takes_steps);
    let has_place = |point: &Point| takes_steps || !counts_steps(point);
    let is_kept = |point: &Point| keeps(choices, point) && has_place(point);
    if input.trials.iter().all(|it| is_kept(&it.point)) {
        return figure.draw(input);
    }
    let trials = input.trials.iter().filter(|it| is_kept(&it.point));
    let trials: Vec<PointTrials> = trials.cloned().collect();
    let mut remarks = input.remarks.to_vec();
    if !choices.keep.is_empty() {
        let words = in_words(choices);
        if trials.is_empty() {
            return Err(figure.nothing(&format!("no point has {words}")));
        }
        let (some, all) = (trials.len(), input.trials.len());
        let dropped = dropped(choices, input.trials.iter().map(|it| &it.point));
        let dropped = dropped.map_or_else(String::new, |it| format!("; {it}"));
        remarks.push(format!("shown: {some} of {all} points, {words}{dropped}"));
    }
    let steps = left_out_steps(input.trials.iter().filter(|it| !has_place(&it.point)));
    remarks.extend(steps.clone());
    let timings = input.timings.iter().filter(|it| is_kept(&it.point));
    let timings: Vec<PointTimings> = timings.cloned().collect();
    let courses = input.courses.iter().filter(|it| is_kept(&it.point));
    let courses: Vec<PointCourses> = courses.cloned().collect();
    let mut drawing = figure.draw(&Input {
        trials: &trials,
        timings: &timings,
        courses: &courses,
        remarks: &remarks,
        ..*input
    })?;
    drawing.left_out.extend(steps);
    Ok(drawing)
}

/// What is said of points that count steps where none has a place.
fn left_out_steps<'a>(mut steps: impl Iterator<Item = &'a PointTrials>) -> Option<String> {
    let name = &steps.next()?.point.algorithm;
    let count = 1 + steps.count();
    Some(format!(
        "left out: {count} points of the rule {name}, which counts steps, not updates"
    ))
}

/// Whether rows of a plan could be drawn by `figure`.
///
/// # Errors
/// When no rows of these points could be drawn, and when `where` keeps no point of the plan.
pub fn foresee(figure: &Chart, plan: &Foreseen) -> Result<(), NothingToDraw> {
    if plan.points.is_empty() && !plan.choices.keep.is_empty() {
        let words = in_words(plan.choices);
        return Err(figure.nothing(&format!("no point of the sweeps has {words}")));
    }
    if figure.made(plan.choices, |chart| chart.takes_steps) {
        return figure.foresee(plan);
    }
    let points = plan.points.iter().filter(|it| !counts_steps(&it.point));
    figure.foresee(&Foreseen {
        choices: plan.choices,
        points: points.cloned().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic;
    use crate::report::ForeseenPoint;

    /// Steps of the synchronous rule are n² updates each, and no axis of updates may show them.
    #[test]
    fn steps_are_left_out_of_figures_of_updates() {
        let figure = crate::report::figure("convergence-vs-epsilon").expect("registered");
        let choices = Choices::default();
        let drawn = |trials: &[PointTrials]| draw(figure, &Input::of_trials(trials));
        let steps: Vec<PointTrials> = synthetic::synchronous_steps()
            .into_iter()
            .filter(|it| counts_steps(&it.point))
            .collect();
        let both = [synthetic::sweep_over_epsilon(), steps.clone()].concat();
        let [shown, alone] = [&both, &synthetic::sweep_over_epsilon()]
            .map(|trials| drawn(trials).expect("curves of updates"));
        assert_eq!(shown.table.rows, alone.table.rows);
        let said = format!("left out: {} points of the rule synchronous", steps.len());
        assert!(shown.left_out.iter().any(|it| it.starts_with(&said)));
        assert!(shown.svg.contains(&said) && alone.left_out.is_empty());
        assert!(drawn(&steps).is_err());
        let points = steps.iter().map(|it| ForeseenPoint {
            point: it.point.clone(),
            trials: it.rows.len() as u64,
            has_series: false,
            has_moves: false,
        });
        let plan = Foreseen {
            choices: &choices,
            points: points.collect(),
        };
        assert!(figure.foresee(&plan).is_ok() && foresee(figure, &plan).is_err());
    }
}
