//! What a spec's `[[figure]]` chooses: the points that its `where` keeps, in rows and in words.
//! Here is decided which points a value means, the words `shown: 3 of 9 points, …`, and what
//! `check` says of a figure that is too high for a page.

use itertools::Itertools;

use crate::analysis::formula::counts_steps;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{did_you_mean, number};
use crate::html::{counted, spaced};
use crate::report::keys::{FigureSpec, FilterValue, KeyFilter};
use crate::report::words::number::exact;
use crate::report::words::points::word;
use crate::report::{Drawing, Figure, FigureRows, NothingToDraw};
use crate::solver::point::WORDS;
use crate::solver::{Point, Value, symbol};
use crate::theme::PAGE_HEIGHT_MM;

/// True if the point has what one of the tables of `where` says, or there is none.
pub fn keeps(either: &[Vec<KeyFilter>], point: &Point) -> bool {
    either.is_empty() || either.iter().any(|keep| has_all(keep, point))
}

/// True if the point has one of the values of each key.
pub fn has_all(keep: &[KeyFilter], point: &Point) -> bool {
    let has_one = |keep: &KeyFilter| keep.values.iter().any(|value| has(point, &keep.key, value));
    keep.iter().all(has_one)
}

/// [`meant`] of each table of `where`.
fn meant_by<'p>(
    either: &[Vec<KeyFilter>],
    points: impl Iterator<Item = &'p Point> + Clone,
) -> Result<Vec<Vec<KeyFilter>>, String> {
    either
        .iter()
        .map(|keep| meant(keep, points.clone()))
        .collect()
}

fn has(point: &Point, key: &str, value: &FilterValue) -> bool {
    match value {
        FilterValue::Word(own) => WORDS.contains(&key) && word(point, key) == *own,
        FilterValue::Variant(_, named) => named.is_of(point),
        FilterValue::Number(value) => {
            let own = point.axes.get(key);
            own.is_some_and(|known| known.order(value).is_eq())
        }
    }
}

/// The keys of a table with the values of these points that its numbers mean, as after `--only`:
/// those that are exactly it, and only if there are none, those that are printed so.
///
/// # Errors
/// Several values that are printed so.
pub fn meant<'p>(
    keep: &[KeyFilter],
    points: impl Iterator<Item = &'p Point> + Clone,
) -> Result<Vec<KeyFilter>, String> {
    let mut keep = keep.to_vec();
    for KeyFilter { key, values } in &mut keep {
        let own = points.clone().filter_map(|point| point.real(key));
        let own: Vec<f64> = own.unique_by(|value| value.to_bits()).collect();
        for value in values {
            let FilterValue::Number(Value::Real(number)) = value else {
                continue;
            };
            match number::meant(*number, own.iter().copied())[..] {
                [] => {}
                [one] => *number = one,
                ref several => {
                    let key = symbol(key);
                    let number = exact(*number);
                    let several = several.iter().join(", ");
                    return Err(format!(
                        "{key} = {number}: several values are printed so; expected one of {several}"
                    ));
                }
            }
        }
    }
    Ok(keep)
}

/// `n = 8; ε = 0.01 or 0.1`, of several tables each in brackets.
fn in_words(spec: &FigureSpec) -> String {
    match &spec.keep[..] {
        [keep] => table_in_words(keep),
        several => {
            let each = several
                .iter()
                .map(|keep| format!("({})", table_in_words(keep)));
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
        FilterValue::Number(Value::Integer(value)) => spaced(*value),
        FilterValue::Number(Value::Real(value)) => exact(*value),
        FilterValue::Word(word) | FilterValue::Variant(word, _) => word.clone(),
    }
}

/// The values of `where` that no point has, each with the nearest word that one has.
fn unmet(either: &[Vec<KeyFilter>], points: &[&Point]) -> Vec<String> {
    let keys = either.iter().flatten();
    let values = keys.flat_map(|key| key.values.iter().map(move |value| (&*key.key, value)));
    let unmet = values.filter(|(key, own)| !points.iter().any(|point| has(point, key, own)));
    let unmet = unmet.map(|(key, own)| {
        let known = points
            .iter()
            .map(|point| word(point, key))
            .unique()
            .collect_vec();
        let known = known.iter().map(String::as_str).collect_vec();
        let near = match own {
            FilterValue::Word(own) | FilterValue::Variant(own, _) => did_you_mean(own, &known),
            FilterValue::Number(_) => String::new(),
        };
        format!("{} = {}{near}", symbol(key), kept_in_words(own))
    });
    unmet.unique().collect()
}

/// What `where` drops, in words: the rules that lack one of its axes, and its own values that no
/// point has.
fn dropped(either: &[Vec<KeyFilter>], points: &[&Point]) -> Option<String> {
    let filters = match either {
        [keep] => &keep[..],
        _ => &[],
    };
    let is_word = |filter: &&KeyFilter| WORDS.contains(&&*filter.key);
    let (words, axes): (Vec<_>, Vec<_>) = filters.iter().partition(is_word);
    // Of a rule that `where` does not name nothing is to be said.
    let is_named = |point: &&&Point| {
        let is_one = |filter: &&KeyFilter| {
            let mut values = filter.values.iter();
            values.any(|value| has(point, &filter.key, value))
        };
        words.iter().all(is_one)
    };
    let lacking = points.iter().filter(is_named).filter_map(|point| {
        let filter = axes
            .iter()
            .find(|filter| point.axes.get(&filter.key).is_none())?;
        Some(format!("{} (no {})", point.algorithm, symbol(&filter.key)))
    });
    let unmet = unmet(either, points).into_iter();
    let unmet = unmet.map(|value| format!("{value} (no point has it)"));
    let dropped = lacking.chain(unmet).unique().join(", ");
    (!dropped.is_empty()).then(|| format!("without {dropped}"))
}

impl Figure<'_> {
    /// Draws the rows of the points that the spec keeps and that it can use, and leaves the
    /// others out, saying so.
    ///
    /// # Errors
    /// When there is nothing that it could show, and when no point is kept.
    pub fn draw(&self, rows: &FigureRows) -> Result<Drawing, NothingToDraw> {
        self.of_kept(rows, |rows| self.drawn(rows))
    }

    /// What `of` makes of the rows that are drawn.
    pub(crate) fn of_kept<T>(
        &self,
        rows: &FigureRows,
        of: impl Fn(&FigureRows) -> Result<T, String>,
    ) -> Result<T, NothingToDraw> {
        let kept = self.kept(rows)?;
        let kept = kept.as_ref().unwrap_or(rows);
        let made = if self.spec.draws_trials() {
            of(&kept.by_trial())
        } else if self.spec.is_by_seed() {
            of(&kept.by_seed())
        } else {
            of(kept)
        };
        made.map_err(|reason| self.nothing(&reason))
    }

    /// The rows of the points that the spec keeps and the figure can use; `None`: all of them.
    ///
    /// # Errors
    /// When no point is kept.
    fn kept(&self, rows: &FigureRows) -> Result<Option<FigureRows>, NothingToDraw> {
        let spec = self.spec;
        let points: Vec<&Point> = rows.trials.iter().map(|trial| &trial.point).collect();
        let keep = meant_by(&spec.keep, points.iter().copied());
        let keep = keep.map_err(|reason| self.nothing(&format!("where: {reason}")))?;
        let is_kept = |point: &Point| keeps(&keep, point) && self.takes(point);
        if points.iter().all(|point| is_kept(point)) {
            return Ok(None);
        }

        let mut kept = rows.kept(is_kept);
        let in_steps = points.iter().copied();
        let in_steps = in_steps.filter(|point| keeps(&keep, point) && !self.takes(point));
        kept.in_steps = in_steps.cloned().collect();
        if spec.keep.is_empty() {
            return Ok(Some(kept));
        }
        if kept.trials.is_empty() {
            let nothing = self.nothing_kept(&keep, &points, kept.in_steps.len());
            return Err(self.nothing(&nothing));
        }
        let shown = spaced(kept.trials.len());
        let all = spaced(points.len());
        let words = in_words(spec);
        let dropped =
            dropped(&keep, &points).map_or_else(String::new, |words| format!("; {words}"));
        let remark = format!("shown: {shown} of {all} points, {words}{dropped}");
        kept.remarks.push(remark);
        Ok(Some(kept))
    }

    /// Why `where` leaves nothing of these points, of which so many count steps.
    fn nothing_kept(&self, keep: &[Vec<KeyFilter>], all: &[&Point], in_steps: usize) -> String {
        if in_steps > 0 {
            let points = counted(in_steps, "point");
            return format!("the rule of what where keeps ({points}) counts steps, not updates");
        }
        let first = unmet(keep, all).into_iter().next();
        format!(
            "no point has {}",
            first.unwrap_or_else(|| in_words(self.spec))
        )
    }

    /// What `check` says of a figure that can be drawn: that it is too high for a journal's page,
    /// or which rules its `where` drops.
    pub fn remark(&self, plan: &Plan, drawing: &Drawing) -> Option<String> {
        if drawing.is_too_high {
            return Some(format!(
                "is higher than {PAGE_HEIGHT_MM} mm in print; split it: fewer measures each (y), \
                 or fewer points (where)"
            ));
        }
        let points = plan.points.iter().map(|point| &point.point).collect_vec();
        let keep = meant_by(&self.spec.keep, points.iter().copied()).ok()?;
        Some(format!("is drawn {}", dropped(&keep, &points)?))
    }

    /// Why it cannot be drawn.
    fn nothing(&self, reason: &str) -> NothingToDraw {
        NothingToDraw {
            kind: self.spec.kind.clone(),
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
    use crate::experiment::spec::NamedVariant;
    use crate::experiment::store::rows::PointTrials;
    use crate::solver::Value;

    /// Steps of the synchronous rule are n² updates each, and no axis of updates may show them.
    #[test]
    fn steps_are_left_out_of_figures_of_updates() {
        let figure = &crate::report::measures::preset("convergence-vs-epsilon");
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

        // Where nothing else is kept, that is the reason, not that there are no such points.
        let only = KeyFilter {
            key: "algorithm".to_owned(),
            values: vec![FilterValue::Word("synchronous".to_owned())],
        };
        let spec = FigureSpec {
            keep: vec![vec![only]],
            ..FigureSpec::of_kind("convergence-vs-epsilon")
        };
        let rows = FigureRows::of_trials(both, String::new());
        let Err(told) = Figure::of(&spec).draw(&rows) else {
            panic!("there are no updates");
        };
        assert!(
            told.reason.contains("counts steps, not updates"),
            "{told:?}"
        );
    }

    /// `safe` and other forms of a condition name it, under every start.
    #[test]
    fn a_condition_is_kept_by_each_of_its_forms() {
        let variants = [
            "",
            "from Q./.Q",
            "b.queens == 0",
            "b.queens == 0 from Q./.Q",
        ];
        let point = |variant: &str| Point {
            variant: variant.to_owned(),
            ..synthetic::pair_key(2, 0.1)
        };
        for (word, expected) in [
            ("safe", [true, true, false, false]),
            ("(b.queens==0)", [false, false, true, true]),
            ("from Q./.Q", [false, true, false, false]),
        ] {
            let named = NamedVariant::of(word, [].iter());
            let value = FilterValue::Variant(word.to_owned(), named);
            let kept = variants.map(|variant| has(&point(variant), "variant", &value));
            assert_eq!(kept, expected, "{word}");
        }
        let search = Point::new("bitboard", []);
        let safe = FilterValue::Variant("safe".to_owned(), NamedVariant::of("safe", [].iter()));
        assert!(!has(&search, "variant", &safe));
    }

    /// A point is meant by its exact value, and only if no point has it, by its value as it is
    /// printed; what no point has is told.
    #[test]
    fn values_are_meant_exactly_or_as_printed_and_told_where_no_point_has_them() {
        let number = |it| FilterValue::Number(Value::real(it));
        let keep = |key: &str, values| KeyFilter {
            key: key.to_owned(),
            values,
        };
        let kept = |epsilons: &[f64], values: &[f64]| {
            let points = epsilons.iter().map(|it| synthetic::pair_key(8, *it));
            let points = points.collect_vec();
            let values = values.iter().copied().map(number).collect();
            let meant = meant(&[keep("epsilon", values)], points.iter())?;
            let kept = points.iter().map(|point| has_all(&meant, point));
            Ok::<_, String>(kept.collect_vec())
        };
        let grid = [0.0430886938006, 0.2];
        assert_eq!(kept(&grid, &[0.0431, 0.5]), Ok(vec![true, false]));
        let near = [0.1, 0.10001, 0.1004];
        assert_eq!(kept(&near, &[0.1]), Ok(vec![true, false, false]));
        let several = "ε = 0.1: several values are printed so; expected one of 0.10001, 0.1004";
        assert_eq!(kept(&near[1..], &[0.1]), Err(several.to_owned()));

        let points = grid.map(|it| synthetic::pair_key(8, it));
        let epsilon = keep("epsilon", [0.0431, 0.5].map(number).into());
        let word = keep("algorithm", vec![FilterValue::Word("pari".to_owned())]);
        let both = meant(&[epsilon, word], points.iter()).expect("one value each");
        let told = unmet(&[both], &points.iter().collect_vec());
        let near = "algorithm = pari; did you mean \"pair\"?";
        assert_eq!(told, ["ε = 0.5", near]);
    }
}
