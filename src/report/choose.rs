//! What a spec's `[[figure]]` chooses: the points that its `where` keeps, in rows and in words.

use itertools::Itertools;

use super::figure::{Figure, FilterValue, KeyFilter};
use super::series::{value_in_words, word};
use super::{Chart, Drawing, FigureRows, NothingToDraw};
use crate::analysis::formula::counts_steps;
use crate::experiment::plan::Plan;
use crate::experiment::spec::did_you_mean;
use crate::experiment::spec::number::as_printed;
use crate::html::spaced;
use crate::solver::point::WORDS;
use crate::solver::{Point, symbol};

/// True if the point has what one of the tables of `where` says, or there is none.
pub fn keeps(either: &[Vec<KeyFilter>], point: &Point) -> bool {
    either.is_empty() || either.iter().any(|keep| has_all(keep, point))
}

/// True if the point has one of the values of each key.
pub fn has_all(keep: &[KeyFilter], point: &Point) -> bool {
    let has_one = |keep: &KeyFilter| keep.values.iter().any(|it| has(point, &keep.key, it));
    keep.iter().all(has_one)
}

fn has(point: &Point, key: &str, value: &FilterValue) -> bool {
    match value {
        FilterValue::Word(own) => WORDS.contains(&key) && word(point, key) == *own,
        // As after `--only`, a point may be named by its value as it is printed, of three digits.
        FilterValue::Number(value) => point.axes.get(key).is_some_and(|own| {
            own.order(value).is_eq() || as_printed(own.number()) == Some(value.number())
        }),
    }
}

/// `n = 8; ε = 0.01 or 0.1`, of several tables each in brackets.
fn in_words(choices: &Figure) -> String {
    match &choices.keep[..] {
        [keep] => table_in_words(keep),
        several => {
            let each = several.iter().map(|it| format!("({})", table_in_words(it)));
            each.collect::<Vec<_>>().join(" or ")
        }
    }
}

/// The keys of one table of `where` or `over`, and their values.
pub fn table_in_words(own: &[KeyFilter]) -> String {
    let keep = |keep: &KeyFilter| {
        let values = keep.values.iter().map(kept_in_words).join(" or ");
        format!("{} = {values}", symbol(&keep.key))
    };
    own.iter().map(keep).join("; ")
}

fn kept_in_words(value: &FilterValue) -> String {
    match value {
        FilterValue::Number(value) => value_in_words(*value),
        FilterValue::Word(word) => word.clone(),
    }
}

/// The values of `where` that no point has, each with the nearest word that one has.
fn unmet(choices: &Figure, points: &[&Point]) -> Vec<String> {
    let keys = choices.keep.iter().flatten();
    let values = keys.flat_map(|it| it.values.iter().map(move |own| (&*it.key, own)));
    let unmet = values.filter(|(key, own)| !points.iter().any(|it| has(it, key, own)));
    let unmet = unmet.map(|(key, own)| {
        let known = points.iter().map(|it| word(it, key)).unique().collect_vec();
        let known = known.iter().map(String::as_str).collect_vec();
        let near = match own {
            FilterValue::Word(own) => did_you_mean(own, &known),
            FilterValue::Number(_) => String::new(),
        };
        format!("{} = {}{near}", symbol(key), kept_in_words(own))
    });
    unmet.unique().collect()
}

/// What `where` drops, in words: the rules that lack one of its axes, and its own values that no
/// point has.
fn dropped(choices: &Figure, points: &[&Point]) -> Option<String> {
    let axes = match &choices.keep[..] {
        [keep] => keep.iter().map(|it| &it.key[..]).collect_vec(),
        _ => Vec::new(),
    };
    let lacking = points.iter().filter_map(|point| {
        let mut axes = axes.iter().filter(|it| !WORDS.contains(it));
        let axis = axes.find(|axis| point.axes.get(axis).is_none())?;
        Some(format!("{} (no {})", point.algorithm, symbol(axis)))
    });
    let unmet = unmet(choices, points).into_iter();
    let unmet = unmet.map(|it| format!("{it} (no point has it)"));
    let dropped = lacking.chain(unmet).unique().join(", ");
    (!dropped.is_empty()).then(|| format!("without {dropped}"))
}

impl Chart<'_> {
    /// Draws the rows of the points that the choices keep and that it can use, and leaves the
    /// others out, saying so.
    ///
    /// # Errors
    /// When there is nothing that it could show, and when no point is kept.
    pub fn draw(&self, rows: &FigureRows) -> Result<Drawing, NothingToDraw> {
        self.of_kept(rows, |rows| self.drawn(rows))
    }

    /// What `of` makes of the rows that are drawn.
    pub(super) fn of_kept<T>(
        &self,
        rows: &FigureRows,
        of: impl Fn(&FigureRows) -> Result<T, String>,
    ) -> Result<T, NothingToDraw> {
        let choices = self.choices;
        let is_kept = |point: &Point| keeps(&choices.keep, point) && self.takes(point);
        let points = || rows.trials.iter().map(|it| &it.point);
        let of = |rows: &FigureRows| {
            let are_trials = choices.draws_trials();
            let is_apart = choices.is_by_seed() || are_trials;
            let apart = is_apart.then(|| rows.apart(are_trials));
            let drawn = of(apart.as_ref().unwrap_or(rows));
            drawn.map_err(|reason| self.nothing(&reason))
        };
        if points().all(is_kept) {
            return of(rows);
        }
        let mut kept = rows.kept(is_kept);
        if !choices.keep.is_empty() {
            let (words, all) = (in_words(choices), points().collect_vec());
            if kept.trials.is_empty() {
                let first = unmet(choices, &all).into_iter().next();
                return Err(self.nothing(&format!("no point has {}", first.unwrap_or(words))));
            }
            let dropped = dropped(choices, &all);
            let dropped = dropped.map_or_else(String::new, |it| format!("; {it}"));
            let some = points().filter(|it| is_kept(it)).count();
            let [some, all] = [some, rows.trials.len()].map(spaced);
            let remark = format!("shown: {some} of {all} points, {words}{dropped}");
            kept.remarks.push(remark);
        }
        let in_steps = points().filter(|it| keeps(&choices.keep, it) && !self.takes(it));
        kept.in_steps = in_steps.cloned().collect();
        of(&kept)
    }

    /// What `check` says of a figure that can be drawn: that it is too high for a journal's page,
    /// or which rules its `where` drops.
    pub fn remark(&self, plan: &Plan, drawing: &Drawing) -> Option<String> {
        if drawing.is_too_high {
            let words = "is higher than 230 mm in print; split it: fewer measures each (y), or fewer points (where)";
            return Some(words.to_owned());
        }
        let points = plan.points.iter().map(|it| &it.point).collect_vec();
        Some(format!("is drawn {}", dropped(self.choices, &points)?))
    }

    /// Why it cannot be drawn.
    fn nothing(&self, reason: &str) -> NothingToDraw {
        NothingToDraw {
            kind: self.choices.kind.clone(),
            reason: reason.to_owned(),
        }
    }

    /// True unless the rule of a point counts steps, which the figure would show as updates.
    fn takes(&self, point: &Point) -> bool {
        !counts_steps(point) || self.takes_steps()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic;
    use crate::results::PointTrials;
    use crate::solver::Value;

    /// Steps of the synchronous rule are n² updates each, and no axis of updates may show them.
    #[test]
    fn steps_are_left_out_of_figures_of_updates() {
        let figure = &crate::report::figures::preset("convergence-vs-epsilon");
        let drawn = |trials: &[PointTrials]| {
            figure.draw(&FigureRows::of_trials(trials.to_vec(), String::new()))
        };
        let steps: Vec<PointTrials> = synthetic::synchronous_steps()
            .into_iter()
            .filter(|it| counts_steps(&it.point))
            .collect();
        let both = [synthetic::sweep_over_epsilon(), steps.clone()].concat();
        let [shown, alone] = [&both, &synthetic::sweep_over_epsilon()]
            .map(|trials| drawn(trials).expect("curves of updates"));
        assert_eq!(shown.table.rows, alone.table.rows);
        let reason = "(its rule counts steps, not updates)";
        assert!(shown.left_out.iter().any(|it| it.contains(reason)));
        let said = format!("left out: {} points {reason}", steps.len());
        assert!(shown.svg.contains(&said) && alone.left_out.is_empty());
        assert!(drawn(&steps).is_err());
    }

    /// A point is meant by its value as it is printed; what no point has is told.
    #[test]
    fn values_are_meant_as_printed_and_told_where_no_point_has_them() {
        let points = [0.0430886938006, 0.2].map(|it| synthetic::pair_key(8, it));
        let number = |it| FilterValue::Number(Value::real(it));
        let keep = |key: &str, values| KeyFilter {
            key: key.to_owned(),
            values,
        };
        let epsilon = keep("epsilon", [0.0431, 0.5].map(number).into());
        let word = keep("algorithm", vec![FilterValue::Word("pari".to_owned())]);
        let kept = points
            .each_ref()
            .map(|it| has_all(std::slice::from_ref(&epsilon), it));
        assert_eq!(kept, [true, false]);
        let figure = Figure {
            keep: vec![vec![epsilon, word]],
            ..Figure::of_kind("curve")
        };
        let told = unmet(&figure, &points.iter().collect_vec());
        let near = "algorithm = pari; did you mean \"pair\"?";
        assert_eq!(told, ["ε = 0.5", near]);
    }
}
