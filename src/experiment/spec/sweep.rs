//! One `[[sweep]]`: an algorithm, a set of values for each of its axes, trials and cutoff. Where a
//! value follows another axis, it is read as a sweep for each value of that one.

use std::collections::BTreeMap;
use std::ops::Range;

use itertools::Itertools;
use serde::Deserialize;
use toml::Spanned;

use super::course::Series;
use super::formula;
use super::number::MOST_INTEGER;
use super::source::Source;
use super::values::{Scalar, Values};
use super::variant::SweptVariants;
use super::{MAX_POINTS, MAX_REPEATS, Refused, Sweep, course, one_of, range, variant, zip};
use crate::experiment::program::Programs;
use crate::solver::goal::Goal;
use crate::solver::variants::{Choice, Variants};
use crate::solver::{Algorithm, Axis, Domain, Value};

/// What a sweep says beside its algorithms and their axes, trials and variants.
#[derive(Deserialize)]
pub(super) struct Keys {
    cutoff: Option<Spanned<Scalar>>,
    goal: Option<Spanned<Scalar>>,
    repeats: Option<Spanned<Scalar>>,
    signals: Option<Spanned<Scalar>>,
    series: Option<Series>,
    start: Option<Spanned<Vec<String>>>,
    zip: Option<zip::Names>,
}

pub(super) const OF_KEYS: [&str; 7] = [
    "cutoff",
    "goal",
    "repeats",
    "signals",
    course::KEY,
    "start",
    "zip",
];

/// A sweep whose tables lie over each other.
pub(super) struct LaidSweep<'s> {
    pub source: &'s Source<'s>,
    pub programs: &'s Programs,
    pub head: Range<usize>,
    pub keys: Keys,
    /// The values of each other key.
    pub values: BTreeMap<String, Values>,
    /// The keys of its own table.
    pub own: Vec<Spanned<String>>,
    /// The names of its conditions, in their order; none where they have none.
    pub names: Vec<String>,
}

/// What a sweep is of one of its algorithms.
struct SweptAlgorithm {
    algorithm: &'static Algorithm,
    variants: SweptVariants,
    /// The axes that any of the variants has.
    axes: Vec<&'static Axis>,
    is_random: bool,
}

/// The keys of the sweeps of all algorithms.
pub(super) fn keys(programs: &Programs) -> Vec<&'static str> {
    let algorithms = programs.algorithms().into_iter();
    let all = algorithms.flat_map(|algorithm| keys_of(algorithm, algorithm.axes));
    all.unique().collect()
}

/// The keys that a sweep of the algorithm on these axes may have, in the order of messages.
pub(super) fn keys_of(
    algorithm: &Algorithm,
    axes: impl IntoIterator<Item = &'static Axis>,
) -> impl Iterator<Item = &'static str> {
    let searches = algorithm.is_search;
    let of_search = ["goal", "repeats"].into_iter().filter(move |_| searches);
    // A search writes down no course.
    let course = (algorithm.records_course && !searches).then_some(course::KEY);
    let axes = axes.into_iter().map(|axis| axis.name);
    let keys = ["algorithm", "trials", "cutoff"].into_iter().chain(axes);
    let keys = keys.chain(of_search).chain(variant::keys(algorithm));
    let begins = algorithm.start.is_some();
    let of_start = ["start", "signals"].into_iter().filter(move |_| begins);
    let zip = ["zip"].into_iter().filter(|_| algorithm.axes.len() > 1);
    keys.chain(course).chain(of_start).chain(zip)
}

const CONDITIONS: &str = "a condition such as \"safe or b.signals < a.signals\", a list of them, or a table of names and conditions";

const ONE: &str = "1, since every trial would be the same; repeats times it several times";
const NUMBER_OR_LIST: &str = "an integer from 1 to 4294967295, or a list of one for each n";

impl LaidSweep<'_> {
    /// The sweep as products of axes, one for each of its algorithms and value of those that
    /// formulas follow; `points` counts those before, too, and `used` gets the keys.
    pub fn sweeps(
        &self,
        points: &mut u64,
        used: &mut Vec<&'static str>,
    ) -> Result<Vec<Sweep>, Refused> {
        let algorithms = self.programs.algorithms();
        let known: Vec<&str> = algorithms.iter().map(|algorithm| algorithm.name).collect();
        let Some(named) = self.values.get("algorithm") else {
            let missing = format!("missing key algorithm; expected {}", one_of(&known));
            return Err(self.refuse(&missing));
        };
        let name = |it: &Spanned<Scalar>| self.source.word(it, "algorithm", &known);
        let names = self.source.each(named, &one_of(&known), name)?;
        let each = names
            .iter()
            .filter_map(|name| self.programs.algorithm(name));
        let each: Vec<SweptAlgorithm> = each.map(|it| self.of(it)).try_collect()?;
        let taken = each.iter().flat_map(|own| {
            let keys = keys_of(own.algorithm, own.axes.iter().copied());
            keys.filter(|key| *key != "trials" || self.has_trials(own))
        });
        let taken: Vec<&str> = taken.unique().collect();
        let mut own = self.own.iter();
        if let Some(key) = own.find(|it| !taken.contains(&&**it.get_ref())) {
            let place = key.span();
            let key = key.get_ref();
            let others = algorithms.iter();
            let others = others.filter(|other| keys_of(other, other.axes).any(|it| it == key));
            let others = others.map(|it| it.name).join(", ");
            let variants = each.iter().flat_map(|it| &it.variants.of);
            let variants = match variants.clone().count() {
                0..=3 => variants.into_iter().join(", "),
                many => format!("in {many} variants"),
            };
            let what = format!("{} {variants}", names.join(", "));
            let expected = format!("expected {}; {key} goes with {others}", one_of(&taken));
            let message = format!("{} has no such key; {expected}", what.trim());
            return Err(self.source.refuse(place, &message));
        }
        used.extend(taken);
        let products = each.iter().map(|own| self.products(own, points));
        products.flatten_ok().collect()
    }

    fn of(&self, algorithm: &'static Algorithm) -> Result<SweptAlgorithm, Refused> {
        let variants = self.variants(algorithm)?;
        let any = |is: &dyn Fn(&str) -> bool| variants.of.iter().any(|it| is(it));
        let is_had = |axis: &&Axis| any(&|variant| algorithm.has_axis(variant, axis.name));
        Ok(SweptAlgorithm {
            axes: algorithm.axes.iter().filter(is_had).collect(),
            is_random: any(&|variant| algorithm.is_random(variant)),
            algorithm,
            variants,
        })
    }

    /// The variants of a sweep; the default one where it names none.
    fn variants(&self, algorithm: &Algorithm) -> Result<SweptVariants, Refused> {
        let source = self.source;
        let values = &self.values;
        let [variant, certain] = [variant::KEY, variant::CERTAIN].map(|it| values.get(it));
        let (named, such_as) = match (algorithm.variants, variant, certain) {
            (None, _, Some(named)) if algorithm.condition.is_some() => {
                (named, CONDITIONS.to_owned())
            }
            (None, ..) => return Ok(SweptVariants::new(vec![String::new()], Vec::new())),
            (Some(variants), None, _) => return self.product(variants),
            (Some(variants), Some(named), _) => {
                let mut choices = variants.choices.iter();
                if let Some(choice) = choices.find_map(|choice| values.get(choice.key)) {
                    let beside =
                        "variant stands beside it; expected variant or the choices it is made of";
                    return Err(source.refuse(choice.span.clone(), beside));
                }
                (named, format!("an acronym such as {}", variants.default()))
            }
        };
        let form = |item: &Spanned<Scalar>| {
            let form = algorithm.variant(source.words(item, &such_as)?);
            form.map_err(|reason| source.refuse(item.span(), &reason))
        };
        let of = source.each(named, &such_as, form)?;
        let are_conditions = algorithm.condition.is_some();
        if are_conditions && of.len() < named.items.len() {
            return Err(source.expected(named.span.clone(), "each condition once"));
        }
        let names = self.names.iter().zip(&named.items);
        let names = names.filter(|_| are_conditions);
        let names = names.map(|(name, item)| {
            variant::check(name, algorithm)
                .map_err(|reason| source.refuse(item.span(), &reason))?;
            Ok((name.clone(), form(item)?))
        });
        Ok(SweptVariants::new(of, names.try_collect()?))
    }

    /// Every combination of the chosen words that can be.
    fn product(&self, variants: &Variants) -> Result<SweptVariants, Refused> {
        let words = |choice: &Choice| {
            let Some(values) = self.values.get(choice.key) else {
                return Ok(vec![choice.words[0]]);
            };
            let word = |it: &Spanned<Scalar>| self.source.word(it, choice.key, choice.words);
            let words = self.source.each(values, &one_of(choice.words), word)?;
            Ok(words.into_iter().sorted().collect())
        };
        let words: Vec<Vec<&str>> = variants.choices.iter().map(words).try_collect()?;
        let rows = words.into_iter().multi_cartesian_product();
        let rows = rows.map(|row| variants.acronym(&row));
        let (of, reasons): (Vec<_>, Vec<_>) = rows.partition_result();
        let impossible = reasons.len();
        let reason = reasons.into_iter().next();
        match &reason {
            Some(reason) if of.is_empty() => {
                Err(self.refuse(&format!("choices that cannot be combined: {reason}")))
            }
            _ => Ok(SweptVariants {
                impossible,
                reason,
                ..SweptVariants::new(of, Vec::new())
            }),
        }
    }

    /// True if it takes trials: where nothing is drawn at random those of its own table, not what
    /// all share.
    fn has_trials(&self, own: &SweptAlgorithm) -> bool {
        own.is_random || self.own.iter().any(|it| it.get_ref() == "trials")
    }

    fn products(&self, own: &SweptAlgorithm, points: &mut u64) -> Result<Vec<Sweep>, Refused> {
        let source = self.source;
        let keys = &self.keys;
        let algorithm = own.algorithm;
        let line = source.line(self.head.start);
        self.refuse_missing(own)?;
        let axes = own.axes.iter();
        let axes = axes.filter_map(|axis| Some((*axis, self.values.get(axis.name)?)));
        let axes: Vec<(&Axis, &Values)> = axes.collect();
        let of = |axis: &Axis| range::AllowedValues::new(source, axis.domain, MAX_POINTS, &[]);
        let sizes = axes.iter().find(|axis| axis.0.name == algorithm.size);
        let sizes = sizes.map(|(axis, n)| of(axis).values(n));
        let sizes = sizes.transpose()?.unwrap_or_default();
        let trials = self.trials(own, &sizes)?;
        let variants = self.started(own, &sizes)?;
        let cutoff = keys.cutoff.as_ref();
        let cutoff =
            cutoff.map(|cutoff| source.integer(cutoff, (1, MOST_INTEGER), &cutoffs(algorithm)));
        let cutoff = cutoff.transpose()?.unwrap_or(1);
        let goals = Goal::EVERY.map(Goal::name);
        let goal = keys.goal.as_ref().map(|it| source.word(it, "goal", &goals));
        let goal = goal.transpose()?.and_then(Goal::from_name);
        let repeats = keys.repeats.as_ref().filter(|_| algorithm.is_search);
        let expected = "an integer from 1 to 1000";
        let repeats = repeats.map(|repeat| source.integer(repeat, (1, MAX_REPEATS), expected));
        let repeats = repeats.transpose()?;
        let has_course = keys_of(algorithm, []).contains(&course::KEY);
        let series = keys.series.as_ref().filter(|_| has_course);
        let mut sweeps = Vec::new();
        for fixed in self.combinations(algorithm, &axes, series, trials.len())? {
            let at = fixed.iter().map(|(axis, it)| (axis.name, it.number()));
            let at: Vec<_> = at.collect();
            let value = |name: &str| Some(fixed.iter().find(|it| it.0.name == name)?.1);
            let values = axes.iter().map(|(axis, written)| {
                let values = match value(axis.name) {
                    Some(value) => vec![value],
                    None => range::on(source, axis, written, &at)?,
                };
                Ok((*axis, values))
            });
            let size = value(algorithm.size).filter(|_| trials.len() > 1);
            let nth_size = size.and_then(|found| sizes.iter().position(|size| *size == found));
            let moments = series.map(|series| series.moments(source, cutoff, &at));
            let sweep = Sweep {
                line,
                algorithm,
                variants: variants.clone(),
                axes: values.collect::<Result<_, Refused>>()?,
                goal: algorithm.is_search.then(|| goal.unwrap_or_default()),
                trials: trials[nth_size.unwrap_or(0)],
                cutoff,
                repeats,
                recorded: moments.transpose()?.unwrap_or_default(),
            };
            *points = points.saturating_add(sweep.size());
            if *points > MAX_POINTS {
                return Err(self.refuse(&format!(
                    "{points} points of the spec up to here; expected at most {MAX_POINTS}"
                )));
            }
            sweeps.push(sweep);
        }
        Ok(sweeps)
    }

    /// The variants, each from the position of `start` if the sweep has one.
    fn started(&self, own: &SweptAlgorithm, sizes: &[Value]) -> Result<SweptVariants, Refused> {
        let source = self.source;
        let keys = &self.keys;
        let (form, found) = match (own.algorithm.start, &keys.start, &keys.signals) {
            (Some(form), Some(found), _) => (form, found),
            (_, None, Some(signals)) => {
                return Err(source.expected(signals.span(), "signals beside start"));
            }
            _ => return Ok(own.variants.clone()),
        };
        let refused = |reason: &str| source.refuse(found.span(), reason);
        let side = found.get_ref().len();
        if sizes.iter().any(|n| *n != Value::Integer(side as u64)) {
            return Err(refused(&format!("its side is {side}; expected n = {side}")));
        }
        let signals = keys.signals.as_ref();
        let signals = signals.map(|signal| source.word(signal, "signals", &["none", "true"]));
        let is_true = signals.transpose()? == Some("true");
        let start = form(found.get_ref(), is_true).map_err(refused)?;
        let from = |it: &String| format!("{it} {start}").trim_start().to_owned();
        let names = own.variants.names.iter();
        let names = names.map(|(name, condition)| (name.clone(), from(condition)));
        let of = own.variants.of.iter().map(from);
        Ok(SweptVariants::new(of.collect(), names.collect()))
    }

    /// Every combination of the values of the axes that formulas of the sweep follow; one of no
    /// values where there is no formula.
    fn combinations(
        &self,
        algorithm: &Algorithm,
        axes: &[(&'static Axis, &Values)],
        series: Option<&Series>,
        trials: usize,
    ) -> Result<Vec<Vec<(&'static Axis, Value)>>, Refused> {
        let is_real = |(axis, _): &&(&Axis, _)| matches!(axis.domain, Domain::Real { .. });
        let real = axes.iter().filter(is_real);
        let formulas = real.map(|it| it.1).chain(series.map(|series| &series.at));
        let names = formulas.flat_map(Values::texts).flat_map(formula::names);
        // So do trials of which there is a list.
        let names = names.chain((trials > 1).then_some(algorithm.size));
        let names: Vec<&str> = names.collect();
        let together = self.keys.zip.as_ref();
        let is_together = |axis: &Axis| {
            let names = together.into_iter().flat_map(|names| names.get_ref());
            names.into_iter().any(|name| name.get_ref() == axis.name)
        };
        let followed = axes.iter().filter(|axis| names.contains(&axis.0.name));
        let followed = followed.filter(|(axis, _)| !is_together(axis));
        let followed = followed.map(|(axis, written)| {
            let values = range::on(self.source, axis, written, &[])?.into_iter();
            Ok(values.map(|value| vec![(*axis, value)]).collect_vec())
        });
        let mut followed: Vec<Vec<zip::Together>> = followed.try_collect()?;
        if let Some(names) = together {
            followed.push(zip::together(self.source, names, axes)?);
        }
        match followed.iter().map(|it| it.len() as u64).product::<u64>() {
            0..=MAX_POINTS => {
                let combinations = followed.into_iter().multi_cartesian_product();
                Ok(combinations.map(|values| values.concat()).collect())
            }
            _ => Err(self.refuse(&format!("expected at most {MAX_POINTS} values to follow"))),
        }
    }

    /// Refuses a sweep that lacks keys which it must have, and names them all.
    fn refuse_missing(&self, own: &SweptAlgorithm) -> Result<(), Refused> {
        let values =
            |domain: Domain| format!("{domain}, a list of them, {}", range::ranges(domain));
        let axes = own.axes.iter().map(|axis| (axis.name, values(axis.domain)));
        let needs_trials = own.is_random && !own.algorithm.is_search;
        let trials = needs_trials.then(|| ("trials", NUMBER_OR_LIST.to_owned()));
        let cutoff = self.keys.cutoff.is_none();
        let cutoff = cutoff.then(|| ("cutoff", cutoffs(own.algorithm)));
        let missing = axes.chain(trials);
        let missing = missing.filter(|it| !self.values.contains_key(it.0));
        let (missing, expected): (Vec<&str>, Vec<String>) = missing.chain(cutoff).unzip();
        if missing.is_empty() {
            return Ok(());
        }
        let missing = missing.join(", ");
        let expected = expected.join("; ");
        Err(self.refuse(&format!("missing key {missing}; expected {expected}")))
    }

    /// Trials of a point under each seed: a number, or a list of one for each n in its order. One
    /// where the key is missing, as it may be in a search, and where nothing is drawn at random.
    fn trials(&self, own: &SweptAlgorithm, sizes: &[Value]) -> Result<Vec<u32>, Refused> {
        let found = self.values.get("trials");
        let Some(found) = found.filter(|_| self.has_trials(own)) else {
            return Ok(vec![1]);
        };
        let (most, expected) = if own.is_random {
            (u32::MAX, NUMBER_OR_LIST)
        } else {
            (1, ONE)
        };
        let each = found.items.iter();
        let each = each.map(|it| self.source.integer(it, (1, most), expected));
        let trials: Vec<u32> = each.try_collect()?;
        let ascend = sizes.is_sorted_by(|a, b| a.order(b).is_lt());
        let message = match (trials.len(), sizes.len()) {
            (1, sizes) if sizes < 2 || !self.source.is_list(found) => return Ok(trials),
            (found, sizes) if found != sizes => {
                format!("a list of {found} beside {sizes} n; expected {expected}")
            }
            _ if ascend => return Ok(trials),
            _ => "n does not ascend; expected each n once, the least first".to_owned(),
        };
        Err(self.source.refuse(found.span.clone(), &message))
    }

    /// An error of the sweep as a whole.
    pub fn refuse(&self, message: &str) -> Refused {
        self.source.refuse(self.head.clone(), message)
    }
}

/// What a cutoff may be: updates of a trial, or checks or nodes of a search.
fn cutoffs(algorithm: &Algorithm) -> String {
    let unit = algorithm.cutoff_unit;
    let each = [" per trial", ""][usize::from(algorithm.is_search)];
    format!("an integer from 1 to {MOST_INTEGER}, in {unit}{each}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::outcome::COLUMNS;

    /// A key of a sweep has one meaning, and so has a column of the results.
    #[test]
    fn no_key_has_the_name_of_a_column() {
        let columns = COLUMNS.iter().map(|column| column.name);
        let columns = columns.chain(["seed", "trial", "outcome", "repeat", "seconds"]);
        assert!(columns.chain(keys(&Programs::default())).all_unique());
    }
}
