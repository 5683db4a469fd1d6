//! What a spec's `[[figure]]` chooses: the points that its `where` keeps, in rows and in words.

use super::number::short;
use super::{Drawing, Figure, Foreseen, Input, NothingToDraw};
use crate::experiment::spec::{Choices, Keep, Kept};
use crate::experiment::store::courses::PointCourses;
use crate::experiment::store::{PointKey, PointTimings, PointTrials};
use crate::solver::goal::Goal;
use crate::solver::{Value, symbol};

/// Whether the point has one of the values of each key of `where`.
pub fn keeps(choices: &Choices, point: &PointKey) -> bool {
    choices
        .keep
        .iter()
        .all(|keep| keep.values.iter().any(|value| has(point, &keep.key, value)))
}

fn has(point: &PointKey, key: &str, value: &Kept) -> bool {
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

/// Draws `figure` of the points that the choices of `input` keep.
///
/// # Errors
/// As [`Figure::draw`]; when no point is kept.
pub fn draw(figure: &dyn Figure, input: &Input) -> Result<Drawing, NothingToDraw> {
    let choices = input.choices;
    if choices.keep.is_empty() {
        return figure.draw(input);
    }
    let words = in_words(choices);
    let is_kept = |point: &PointKey| keeps(choices, point);
    let kept: Vec<bool> = input.trials.iter().map(|it| is_kept(&it.point)).collect();
    let trials: Vec<PointTrials> = chosen(input.trials, &kept);
    if trials.is_empty() {
        return Err(figure.nothing(&format!("no point has {words}")));
    }
    let timings: Vec<PointTimings> = chosen(input.timings, &kept);
    let courses = input.courses.iter().filter(|it| is_kept(&it.point));
    let courses: Vec<PointCourses> = courses.cloned().collect();
    let shown = format!(
        "shown: the {} of {} points with {words}",
        trials.len(),
        input.trials.len()
    );
    let remarks: Vec<String> = input.remarks.iter().cloned().chain([shown]).collect();
    figure.draw(&Input {
        trials: &trials,
        timings: &timings,
        courses: &courses,
        remarks: &remarks,
        ..*input
    })
}

/// Whether rows of a plan could be drawn by `figure`.
///
/// # Errors
/// As [`Figure::foresee`]; when `where` keeps no point of the plan.
pub fn foresee(figure: &dyn Figure, plan: &Foreseen) -> Result<(), NothingToDraw> {
    if plan.points.is_empty() && !plan.choices.keep.is_empty() {
        let words = in_words(plan.choices);
        return Err(figure.nothing(&format!("no point of the sweeps has {words}")));
    }
    figure.foresee(plan)
}

/// The items beside a true; all items have one, or there are none.
fn chosen<T: Clone>(items: &[T], kept: &[bool]) -> Vec<T> {
    let both = items.iter().zip(kept);
    both.filter(|(_, kept)| **kept)
        .map(|(item, _)| item.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{cell_key, pair_key};

    fn keep(key: &str, values: &[Kept]) -> Keep {
        Keep {
            key: key.to_owned(),
            values: values.to_vec(),
        }
    }

    #[test]
    fn where_keeps_the_points_that_have_one_value_of_each_key() {
        let choices = Choices {
            keep: vec![
                keep("n", &[Kept::Number(Value::Integer(8))]),
                keep(
                    "epsilon",
                    &[0.01, 0.1].map(|it| Kept::Number(Value::real(it))),
                ),
            ],
            ..Choices::default()
        };
        let points = [
            pair_key(8, 0.01),
            pair_key(9, 0.01),
            pair_key(8, 0.02),
            cell_key(8, 0.1, 0.5),
        ];
        let kept: Vec<bool> = points.iter().map(|point| keeps(&choices, point)).collect();
        assert_eq!(kept, [true, false, false, true]);
        assert_eq!(in_words(&choices), "n = 8; ε = 0.01 or 0.1");
        let of_a_rule = Choices {
            keep: vec![keep("algorithm", &[Kept::Word("cell".to_owned())])],
            ..Choices::default()
        };
        assert!(keeps(&of_a_rule, &points[3]) && !keeps(&of_a_rule, &points[0]));
        assert!(keeps(&Choices::default(), &points[0]));
    }
}
