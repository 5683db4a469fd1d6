//! One `[[sweep]]`: an algorithm, a set of values for each of its axes, trials and cutoff. Where a
//! value follows another axis, it is read as a sweep for each value of that one. Here are the keys
//! of a sweep and which algorithms each is for, which must be there, what the cutoff and trials may
//! be, the default of trials of a search that draws nothing (1), and the messages of a sweep.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use itertools::Itertools;
use serde::Deserialize;
use toml::Spanned;

use super::formula;
use super::number::MOST_INTEGER;
use super::series::Series;
use super::source::Source;
use super::values::{Scalar, Values};
use super::variant::SweptVariants;
use super::{MAX_POINTS, MAX_REPEATS, Refused, Sweep, one_of, range, series, variant, zip};
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
    series::KEY,
    "start",
    "zip",
];

/// The keys of searches alone.
const OF_SEARCHES: [&str; 2] = ["goal", "repeats"];

/// A sweep whose tables lie over each other.
pub(super) struct LaidSweep<'s> {
    pub source: &'s Source<'s>,
    pub programs: &'s Programs,
    pub head: Range<usize>,
    pub keys: Keys,
    /// The values of each other key.
    pub values: BTreeMap<String, Values>,
    /// The keys of its own table.
    pub own_keys: Vec<Spanned<String>>,
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
    let of_search = OF_SEARCHES.into_iter().filter(move |_| searches);
    // A search writes down no course.
    let course = (algorithm.records_course && !searches).then_some(series::KEY);
    let axes = axes.into_iter().map(|axis| axis.name);
    let of_all = ["algorithm", "trials", "cutoff"].into_iter();
    let of_variants = variant::keys(algorithm);
    let begins = algorithm.start.is_some();
    let of_start = ["start", "signals"].into_iter().filter(move |_| begins);
    let zip = ["zip"].into_iter().filter(|_| algorithm.axes.len() > 1);
    let keys = of_all.chain(axes).chain(of_search).chain(of_variants);
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
        let name = |word: &Spanned<Scalar>| self.source.word(word, "algorithm", &known);
        let names = self.source.each(named, &one_of(&known), name)?;
        let mut swept_algorithms = Vec::new();
        for name in &names {
            if let Some(algorithm) = self.programs.algorithm(name) {
                swept_algorithms.push(self.swept(algorithm)?);
            }
        }
        let taken = swept_algorithms.iter().flat_map(|swept| {
            let keys = keys_of(swept.algorithm, swept.axes.iter().copied());
            keys.filter(|key| *key != "trials" || self.has_trials(swept))
        });
        let taken: Vec<&str> = taken.unique().collect();
        let mut keys = self.own_keys.iter();
        if let Some(key) = keys.find(|key| !taken.contains(&&**key.get_ref())) {
            let variants = swept_algorithms.iter().flat_map(|swept| &swept.variants.of);
            return Err(self.foreign_key(key, &names, variants.collect(), &taken));
        }
        used.extend(taken);
        let products = swept_algorithms
            .iter()
            .map(|swept| self.products(swept, points));
        products.flatten_ok().collect()
    }

    /// The error of a key that none of the sweep's algorithms has, in the variants that it names.
    fn foreign_key(
        &self,
        key: &Spanned<String>,
        names: &[&str],
        variants: Vec<&String>,
        taken: &[&str],
    ) -> Refused {
        let place = key.span();
        let key = key.get_ref();
        let algorithms = self.programs.algorithms().into_iter();
        let has_key = |algorithm: &&'static Algorithm| {
            keys_of(algorithm, algorithm.axes).any(|name| name == key)
        };
        let is_program = |name: &&str| self.programs.program(name).is_some();
        if OF_SEARCHES.contains(&&**key)
            && let Some(program) = names.iter().copied().find(|name| is_program(name))
        {
            let message = format!(
                "{program} is no search; expected search = true in its [[program]], or no {key}"
            );
            return self.source.refuse(place, &message);
        }
        let others = algorithms.filter(has_key).map(|algorithm| algorithm.name);
        let others = others.collect_vec().join(", ");
        let variants = match variants.len() {
            0..=3 => variants.into_iter().join(", "),
            many => format!("in {many} variants"),
        };
        let what = format!("{} {variants}", names.join(", "));
        let expected = format!("expected {}; {key} goes with {others}", one_of(taken));
        let message = format!("{} has no such key; {expected}", what.trim());
        self.source.refuse(place, &message)
    }

    fn swept(&self, algorithm: &'static Algorithm) -> Result<SweptAlgorithm, Refused> {
        let variants = self.variants(algorithm)?;
        let of_any_variant = |is_so: &dyn Fn(&str) -> bool| {
            let mut names = variants.of.iter();
            names.any(|variant| is_so(variant))
        };
        let is_had =
            |axis: &&Axis| of_any_variant(&|variant| algorithm.has_axis(variant, axis.name));
        Ok(SweptAlgorithm {
            axes: algorithm.axes.iter().filter(is_had).collect(),
            is_random: of_any_variant(&|variant| algorithm.is_random(variant)),
            algorithm,
            variants,
        })
    }

    /// The variants of a sweep; the default one where it names none.
    fn variants(&self, algorithm: &Algorithm) -> Result<SweptVariants, Refused> {
        let source = self.source;
        let values = &self.values;
        let variant = values.get(variant::KEY);
        let certain = values.get(variant::CERTAIN);
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
        let mut names = Vec::new();
        if are_conditions {
            for (name, item) in self.names.iter().zip(&named.items) {
                variant::check(name, algorithm)
                    .map_err(|reason| source.refuse(item.span(), &reason))?;
                names.push((name.clone(), form(item)?));
            }
        }
        Ok(SweptVariants::new(of, names))
    }

    /// Every combination of the chosen words that can be.
    fn product(&self, variants: &Variants) -> Result<SweptVariants, Refused> {
        let chosen = |choice: &Choice| {
            let Some(values) = self.values.get(choice.key) else {
                return Ok(vec![choice.words[0]]);
            };
            let word = |word: &Spanned<Scalar>| self.source.word(word, choice.key, choice.words);
            let words = self.source.each(values, &one_of(choice.words), word)?;
            Ok(words.into_iter().sorted().collect())
        };
        let words: Vec<Vec<&str>> = variants.choices.iter().map(chosen).try_collect()?;
        let combinations = words.into_iter().multi_cartesian_product();
        let acronyms = combinations.map(|words| variants.acronym(&words));
        let (of, reasons): (Vec<_>, Vec<_>) = acronyms.partition_result();
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
    fn has_trials(&self, swept: &SweptAlgorithm) -> bool {
        swept.is_random || self.own_keys.iter().any(|key| key.get_ref() == "trials")
    }

    fn products(&self, swept: &SweptAlgorithm, points: &mut u64) -> Result<Vec<Sweep>, Refused> {
        let source = self.source;
        let algorithm = swept.algorithm;
        self.refuse_missing(swept)?;
        let axes = swept.axes.iter();
        let written = axes.filter_map(|axis| Some((*axis, self.values.get(axis.name)?)));
        let axes: Vec<(&Axis, &Values)> = written.collect();
        let sizes = self.sizes(algorithm, &axes)?;
        let trials = self.trials(swept, &sizes)?;
        let of_all = self.without_axes(swept, &sizes, trials[0])?;
        let has_course = keys_of(algorithm, []).contains(&series::KEY);
        let series = self.keys.series.as_ref().filter(|_| has_course);

        let mut sweeps = Vec::new();
        for fixed in self.combinations(algorithm, &axes, series, trials.len())? {
            let mut sweep = of_all.clone();
            sweep.axes = self.values_where(&fixed, &axes)?;
            let size = value_on(algorithm.size, &fixed);
            let nth_size = size.and_then(|size| sizes.iter().position(|other| *other == size));
            if let Some(trials) = nth_size.and_then(|nth_size| trials.get(nth_size)) {
                sweep.trials = *trials;
            }
            if let Some(series) = series {
                sweep.recorded = series.moments(source, sweep.cutoff, &numbers(&fixed))?;
            }
            *points = points.saturating_add(sweep.size());
            self.refuse_many(*points)?;
            sweeps.push(sweep);
        }
        Ok(sweeps)
    }

    /// What all sweeps of an algorithm have in common.
    fn without_axes(
        &self,
        swept: &SweptAlgorithm,
        sizes: &[Value],
        trials: u32,
    ) -> Result<Sweep, Refused> {
        let algorithm = swept.algorithm;
        Ok(Sweep {
            line: self.source.line(self.head.start),
            algorithm,
            variants: self.started(swept, sizes)?,
            axes: Vec::new(),
            cutoff: self.cutoff(algorithm)?,
            goal: self.goal(algorithm)?,
            repeats: self.repeats(algorithm)?,
            trials,
            recorded: Arc::default(),
        })
    }

    /// Refuses so many points of the spec up to this sweep.
    fn refuse_many(&self, points: u64) -> Result<(), Refused> {
        if points <= MAX_POINTS {
            return Ok(());
        }
        let reason =
            format!("{points} points of the spec up to here; expected at most {MAX_POINTS}");
        Err(self.refuse(&reason))
    }

    /// The values of each axis where these have one value each.
    fn values_where(
        &self,
        fixed: &[(&'static Axis, Value)],
        axes: &[(&'static Axis, &Values)],
    ) -> Result<Vec<(&'static Axis, Vec<Value>)>, Refused> {
        let at = numbers(fixed);
        let values = axes.iter().map(|(axis, written)| {
            let values = match value_on(axis.name, fixed) {
                Some(value) => vec![value],
                None => range::on(self.source, axis, written, &at)?,
            };
            Ok((*axis, values))
        });
        values.collect()
    }

    /// The values of the axis that says how large a problem is, in the order of the file.
    fn sizes(
        &self,
        algorithm: &Algorithm,
        axes: &[(&'static Axis, &Values)],
    ) -> Result<Vec<Value>, Refused> {
        let mut axes = axes.iter();
        let Some((axis, written)) = axes.find(|(axis, _)| axis.name == algorithm.size) else {
            return Ok(Vec::new());
        };
        range::AllowedValues::new(self.source, axis.domain, MAX_POINTS, &[]).values(written)
    }

    fn cutoff(&self, algorithm: &Algorithm) -> Result<u64, Refused> {
        match &self.keys.cutoff {
            Some(cutoff) => self
                .source
                .integer(cutoff, (1, MOST_INTEGER), &cutoffs(algorithm)),
            None => Ok(1),
        }
    }

    /// The goal of a search.
    fn goal(&self, algorithm: &Algorithm) -> Result<Option<Goal>, Refused> {
        let known = Goal::EVERY.map(Goal::name);
        let goal = match &self.keys.goal {
            Some(word) => Goal::from_name(self.source.word(word, "goal", &known)?),
            None => None,
        };
        Ok(algorithm.is_search.then(|| goal.unwrap_or_default()))
    }

    fn repeats(&self, algorithm: &Algorithm) -> Result<Option<u32>, Refused> {
        match &self.keys.repeats {
            Some(repeats) if algorithm.is_search => {
                let expected = "an integer from 1 to 1000";
                let repeats = self.source.integer(repeats, (1, MAX_REPEATS), expected);
                repeats.map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The variants, each from the position of `start` if the sweep has one.
    fn started(&self, swept: &SweptAlgorithm, sizes: &[Value]) -> Result<SweptVariants, Refused> {
        let source = self.source;
        let keys = &self.keys;
        let (form, found) = match (swept.algorithm.start, &keys.start, &keys.signals) {
            (Some(form), Some(found), _) => (form, found),
            (_, None, Some(signals)) => {
                return Err(source.expected(signals.span(), "signals beside start"));
            }
            _ => return Ok(swept.variants.clone()),
        };
        let refused = |reason: &str| source.refuse(found.span(), reason);
        let side = found.get_ref().len();
        if sizes.iter().any(|n| *n != Value::Integer(side as u64)) {
            return Err(refused(&format!("its side is {side}; expected n = {side}")));
        }
        let are_true = match &keys.signals {
            Some(signals) => source.word(signals, "signals", &["none", "true"])? == "true",
            None => false,
        };
        let start = form(found.get_ref(), are_true).map_err(refused)?;
        let from_start = |variant: &String| format!("{variant} {start}").trim_start().to_owned();
        let named = swept.variants.names.iter();
        let names = named.map(|(name, condition)| (name.clone(), from_start(condition)));
        let of = swept.variants.of.iter().map(from_start);
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
        let mut names = names_in_formulas(axes, series);
        if trials > 1 {
            // Trials of which there is a list follow the size.
            names.push(algorithm.size);
        }
        let together = self.keys.zip.as_ref();
        let is_together = |axis: &Axis| {
            let names = together.into_iter().flat_map(|names| names.get_ref());
            names.into_iter().any(|name| name.get_ref() == axis.name)
        };
        let mut followed: Vec<Vec<zip::Together>> = Vec::new();
        for (axis, written) in axes {
            if names.contains(&axis.name) && !is_together(axis) {
                let values = range::on(self.source, axis, written, &[])?.into_iter();
                followed.push(values.map(|value| vec![(*axis, value)]).collect());
            }
        }
        if let Some(names) = together {
            followed.push(zip::together(self.source, names, axes)?);
        }
        let counts = followed.iter().map(|values| values.len() as u64);
        if counts.product::<u64>() > MAX_POINTS {
            let reason = format!("expected at most {MAX_POINTS} values to follow");
            return Err(self.refuse(&reason));
        }
        let combinations = followed.into_iter().multi_cartesian_product();
        Ok(combinations.map(|values| values.concat()).collect())
    }

    /// Refuses a sweep that lacks keys which it must have, and names them all.
    fn refuse_missing(&self, swept: &SweptAlgorithm) -> Result<(), Refused> {
        let mut missing = Vec::new();
        let mut expected = Vec::new();
        for axis in &swept.axes {
            if !self.values.contains_key(axis.name) {
                let domain = axis.domain;
                let ranges = range::ranges(domain);
                missing.push(axis.name);
                expected.push(format!("{domain}, a list of them, {ranges}"));
            }
        }
        let needs_trials = swept.is_random && !swept.algorithm.is_search;
        if needs_trials && !self.values.contains_key("trials") {
            missing.push("trials");
            expected.push(NUMBER_OR_LIST.to_owned());
        }
        if self.keys.cutoff.is_none() {
            missing.push("cutoff");
            expected.push(cutoffs(swept.algorithm));
        }
        if missing.is_empty() {
            return Ok(());
        }
        let missing = missing.join(", ");
        let expected = expected.join("; ");
        Err(self.refuse(&format!("missing key {missing}; expected {expected}")))
    }

    /// Trials of a point under each seed: a number, or a list of one for each n in its order. One
    /// where the key is missing, as it may be in a search, and where nothing is drawn at random.
    fn trials(&self, swept: &SweptAlgorithm, sizes: &[Value]) -> Result<Vec<u32>, Refused> {
        let found = self.values.get("trials");
        let Some(found) = found.filter(|_| self.has_trials(swept)) else {
            return Ok(vec![1]);
        };
        let (most, expected) = if swept.is_random {
            (u32::MAX, NUMBER_OR_LIST)
        } else {
            (1, ONE)
        };
        let items = found.items.iter();
        let trials = items.map(|item| self.source.integer(item, (1, most), expected));
        let trials: Vec<u32> = trials.try_collect()?;
        let ascend = sizes.is_sorted_by(|a, b| a.order(b).is_lt());
        let message = match (trials.len(), sizes.len()) {
            (0, 0) => format!("expected {expected}"),
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

/// The words of the formulas of a sweep that may be names of axes.
fn names_in_formulas<'v>(
    axes: &[(&'static Axis, &'v Values)],
    series: Option<&'v Series>,
) -> Vec<&'v str> {
    let mut formulas = Vec::new();
    for (axis, written) in axes {
        if matches!(axis.domain, Domain::Real { .. }) {
            formulas.push(*written);
        }
    }
    formulas.extend(series.map(|series| &series.at));
    let texts = formulas.into_iter().flat_map(Values::texts);
    texts.flat_map(formula::names).collect()
}

/// The numbers of these values by the names of their axes.
fn numbers(fixed: &[(&'static Axis, Value)]) -> Vec<(&'static str, f64)> {
    let numbers = fixed
        .iter()
        .map(|(axis, value)| (axis.name, value.number()));
    numbers.collect()
}

/// The value that an axis has among these.
fn value_on(name: &str, fixed: &[(&'static Axis, Value)]) -> Option<Value> {
    let found = fixed.iter().find(|(axis, _)| axis.name == name);
    found.map(|(_, value)| *value)
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
