//! The keys of a `[[figure]]`, read from a spec and from its kind.

mod panels;

use std::collections::BTreeSet;

use itertools::Itertools;

use super::{
    COLUMNS_TABLE, Choices, DIVISORS, DOC, FigureKinds, FigureSpec, KEYS, Keep, Kept, MarkShape,
    Statistic, Width, columns,
};
use crate::experiment::spec::tree::{Entry, SpecTable, each_once};
use crate::experiment::spec::{Refused, Sweep, name, range};
use crate::solver::goal::Goal;
use crate::solver::point::WORDS;
use crate::solver::{ALGORITHMS, Axis};

/// The figures of a spec; one without a name is called after `experiment` and its kind. Where there
/// are no sweeps, they may have any axis.
pub fn read(
    root: &SpecTable,
    experiment: &str,
    sweeps: &[Sweep],
    kinds: &FigureKinds,
) -> Result<Vec<FigureSpec>, Refused> {
    let all: Vec<&Axis> = ALGORITHMS.iter().flat_map(|it| it.axes).collect();
    let axes = sweeps.iter().flat_map(|sweep| &sweep.axes);
    let axes: Vec<&Axis> = match sweeps {
        [] => all.clone(),
        _ => axes.map(|(axis, _)| *axis).collect(),
    };
    let mut names = BTreeSet::new();
    kinds.with_presets(|presets| {
        let known = presets
            .iter()
            .map(|it| it.require("kind", "a kind")?.text(""))
            .collect::<Result<Vec<_>, _>>()?;
        let figures = root.tables("figure")?.into_iter().map(|own| {
            own.only(&[&KEYS[..], &[DOC]].concat())?;
            let kind = own.optional("kind", |it| it.word("figure kind", &known))?;
            let kind = kind.unwrap_or("curve");
            let preset = known.iter().position(|it| *it == kind);
            let keys = Keys {
                own: &own,
                preset: preset.map(|at| &presets[at]),
                axes: &axes,
                all_axes: &all,
                kinds,
            };
            let name = name(&own, experiment, kind, &mut names)?;
            let choices = keys.choices()?;
            keys.refuse_together(&choices)?;
            Ok(FigureSpec {
                kind: kind.to_owned(),
                name,
                line: own.line(),
                choices,
            })
        });
        figures.collect()
    })
}

/// The name of a figure, which no other one has.
fn name(
    table: &SpecTable,
    experiment: &str,
    kind: &str,
    names: &mut BTreeSet<String>,
) -> Result<String, Refused> {
    let entry = table.get("name");
    let name = match &entry {
        Some(entry) => entry.text("a text")?.to_owned(),
        None => format!("{experiment}-{kind}"),
    };
    let error = |reason: &str| match &entry {
        Some(entry) => entry.error(reason),
        None => table.error(&format!("figure name {name:?}: {reason}")),
    };
    name::check(&name).map_err(|reason| error(&reason))?;
    match names.insert(name.to_lowercase()) {
        true => Ok(name),
        false => Err(error(
            "two figures of one name would overwrite each other; expected a name of its own",
        )),
    }
}

/// The keys of a figure: those of its spec before those of its kind.
struct Keys<'t> {
    own: &'t SpecTable<'t>,
    preset: Option<&'t SpecTable<'t>>,
    /// The axes of the sweeps.
    axes: &'t [&'static Axis],
    all_axes: &'t [&'static Axis],
    kinds: &'t FigureKinds,
}

impl<'t> Keys<'t> {
    fn preset(&self, key: &str) -> Option<Entry<'t>> {
        self.preset?.get(key)
    }

    fn get(&self, key: &str) -> Option<Entry<'t>> {
        self.own.get(key).or_else(|| self.preset(key))
    }

    /// The axes that the entry of a key may name: in a kind all there are.
    fn axes_of(&self, key: &str) -> Vec<&'static str> {
        let axes = match self.own.get(key) {
            Some(_) => self.axes,
            None => self.all_axes,
        };
        axes.iter().map(|axis| axis.name).unique().collect()
    }

    /// What `read` makes of the entry of a key; the default where the key is missing.
    fn read<T: Default>(
        &self,
        key: &str,
        read: impl FnOnce(Entry<'t>) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        self.get(key).map_or_else(|| Ok(T::default()), read)
    }

    fn text(&self, key: &str) -> Result<String, Refused> {
        self.read(key, |it| Ok(it.text("a text")?.to_owned()))
    }

    fn number(&self, key: &str) -> Result<Option<f64>, Refused> {
        self.read(key, |it| it.real(|_| true, "a number").map(Some))
    }

    fn word(&self, key: &str, what: &str, known: &[&str]) -> Result<Option<String>, Refused> {
        self.read(key, |it| Ok(Some(it.word(what, known)?.to_owned())))
    }

    fn list(&self, key: &str, what: &str, known: &[&str]) -> Result<Option<Vec<String>>, Refused> {
        self.read(key, |it| words_once(&it, what, known).map(Some))
    }

    fn count(&self, key: &str) -> Result<Option<usize>, Refused> {
        let most = 1_000_000;
        let allowed = format!("an integer from 1 to {most}");
        self.read(key, |it| Ok(Some(it.integer(1, most, &allowed)? as usize)))
    }

    /// One of these words, by what stands beside it.
    fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<Option<T>, Refused> {
        let words: Vec<&str> = choices.iter().map(|it| it.0).collect();
        let word = self.word(key, key, &words)?;
        let choice = choices.iter().find(|it| Some(it.0) == word.as_deref());
        Ok(choice.map(|it| it.1))
    }

    fn choices(&self) -> Result<Choices, Refused> {
        let (has_no_title, title) = title(self.own)?;
        let table = self.table()?;
        let statistic = self
            .choice("statistic", Statistic::NAMES)?
            .unwrap_or_default();
        let x_scale = self.word("x_scale", "scale", &["linear", "log"])?;
        let interval = self.word("interval", "interval", &["t", "bootstrap"])?;
        let axes_and_words = [&WORDS[..], &self.axes_of("group")].concat();
        let algorithms: Vec<&str> = ALGORITHMS.iter().map(|it| it.name).collect();
        let one_of_these = "axis of these sweeps";
        let own_where = self.own.get("where").map(|it| keep(&it, self.axes));
        // That of a kind may name every axis there is.
        let wanted = self.preset("where").map(|it| keep(&it, self.all_axes));
        Ok(Choices {
            keep: own_where.transpose()?.unwrap_or_default(),
            wanted: wanted.transpose()?.unwrap_or_default(),
            x: self.x(&table)?,
            vary: self
                .list("vary", "axis", &self.axes_of("vary"))?
                .unwrap_or_default(),
            y: self.panels(&table, statistic)?,
            table,
            mark: self.choice("mark", MarkShape::NAMES)?.unwrap_or_default(),
            statistic,
            divide: self.word("divide", "divisor", &[&DIVISORS[..], &columns()].concat())?,
            facet: self.word("facet", one_of_these, &self.axes_of("facet"))?,
            has_density: self.word("right_axis", "axis", &["1/d"])?.is_some(),
            marks_best: self.read("mark_best", |it| it.boolean("true or false"))?,
            group: self.list("group", "key of the points", &axes_and_words)?,
            split: self.read("split", |it| Ok(Some(it.text("a text")?.to_owned())))?,
            compare: self
                .list("compare", "algorithm", &algorithms)?
                .unwrap_or_default(),
            hue: self.count("hue")?,
            least_points: self.count("least_points")?.unwrap_or(2),
            // More could not be told apart by their markers.
            most_curves: self.count("most_curves")?.unwrap_or(10),
            x_is_logarithmic: x_scale.map(|word| word == "log"),
            fit_from: self.number("fit_from")?,
            is_bootstrapped: interval.is_some_and(|word| word == "bootstrap"),
            width: self.choice("width", Width::NAMES)?,
            has_no_title,
            title,
            heading: self.text("heading")?,
            lead: self.text("lead")?,
            nothing: self.text("nothing")?,
        })
    }

    /// What stands across: an axis, or a measure of the table that may.
    fn x(&self, table: &str) -> Result<String, Refused> {
        let of = self.kinds.tables.iter().find(|it| it.table == table);
        let across = of.map_or(&[][..], |it| &it.across);
        let names = [&self.axes_of("x")[..], across, &self.kinds.derived].concat();
        let x = self.word("x", "axis of these sweeps", &names)?;
        Ok(x.unwrap_or_else(|| "n".to_owned()))
    }

    /// The table that is named, else the first one that has the first measure.
    fn table(&self) -> Result<String, Refused> {
        let tables = self.kinds.tables.iter().map(|it| it.table);
        let known: Vec<&str> = tables.chain([COLUMNS_TABLE]).collect();
        if let Some(table) = self.word("table", "table of measures", &known)? {
            return Ok(table);
        }
        let first = self.get("y").and_then(|it| it.list()?.into_iter().next());
        let first = first.and_then(|it| it.text("").ok());
        Ok(self.kinds.table_of(first.unwrap_or_default()).to_owned())
    }

    /// Refuses keys that need others, or exclude them.
    fn refuse_together(&self, choices: &Choices) -> Result<(), Refused> {
        let shows_times = choices.y.iter().any(|it| it.measures[0] == TIME);
        let of_n = "1/d is of n; expected right_axis with x = \"n\"";
        let of_density =
            "the kind has 1/d, which is of n, on the right; expected x = \"n\", or the kind curve";
        let of_facet = "that axis stands across; expected another one";
        let of_times =
            "it marks the least mean time; expected mark_best with the measure absorption_time";
        let of_fit = "expected fit_from together with fit";
        let of_means = "it is of means; expected a figure without statistic, and without a column to divide by";
        let of_one = "the quotient is one of sums or of means; expected divide without statistic = \"share\", and a column to divide by without statistic";
        let of_columns =
            "it is of columns; expected it with the table columns, which the kind curve has";
        let of_table = "tile is the mark of the table map, survival that of run-length, and they have no other one; expected one of line, points, dots, band with other tables";
        let is_of_columns = choices.table == COLUMNS_TABLE;
        let has_means = choices.statistic == Statistic::Mean;
        let has_plain_means = has_means && choices.per().is_none();
        let has_two_forms = match choices.statistic {
            Statistic::Mean => false,
            Statistic::Median => choices.per().is_some(),
            Statistic::Share => choices.divide.is_some(),
        };
        let has = |key: &str| self.own.get(key).is_some();
        let is_across = choices.facet.as_deref() == Some(&choices.x);
        // That of the kind: the figure's own is told of itself.
        let is_wrong_density = choices.has_density && choices.x != "n" && !has("right_axis");
        let has_fit = choices.y.iter().any(|it| it.fit.is_some());
        let of_its_own = match &*choices.table {
            "map" => Some(MarkShape::Tile),
            "run-length" => Some(MarkShape::Survival),
            _ => None,
        };
        let is_special = [MarkShape::Tile, MarkShape::Survival].contains(&choices.mark);
        let has_wrong_mark = of_its_own != is_special.then_some(choices.mark);
        let rules = [
            ("fit_from", !has_fit, of_fit),
            ("right_axis", choices.x != "n", of_n),
            ("x", is_wrong_density, of_density),
            ("facet", is_across, of_facet),
            ("mark_best", choices.marks_best && !shows_times, of_times),
            ("mark_best", shows_times && !has_plain_means, of_means),
            ("fit", !has_means && has_fit, of_means),
            (
                "interval",
                choices.is_bootstrapped && !has_plain_means,
                of_means,
            ),
            ("divide", has_two_forms, of_one),
            ("statistic", !is_of_columns, of_columns),
            ("divide", !is_of_columns, of_columns),
            ("interval", !is_of_columns, of_columns),
            ("mark", has_wrong_mark, of_table),
        ];
        let errors = rules.into_iter().filter(|(_, is_refused, _)| *is_refused);
        let errors = errors.filter_map(|(key, _, message)| Some(self.own.get(key)?.error(message)));
        errors.min_by_key(|error| error.line).map_or(Ok(()), Err)
    }
}

/// The measure that the best is marked of.
const TIME: &str = "absorption_time";

/// True if there is to be no title, and the title if it is the spec's own.
fn title(table: &SpecTable) -> Result<(bool, Option<String>), Refused> {
    let Some(entry) = table.get("title") else {
        return Ok((false, None));
    };
    let allowed = "true, false or a text";
    match entry.boolean(allowed) {
        Ok(has_title) => Ok((!has_title, None)),
        Err(_) => Ok((false, Some(entry.text(allowed)?.to_owned()))),
    }
}

/// A list of known words, each once.
fn words_once(entry: &Entry, what: &str, known: &[&str]) -> Result<Vec<String>, Refused> {
    let allowed = format!("a list of {}", known.join(", "));
    let items = entry.list().filter(|items| !items.is_empty());
    let items = items.ok_or_else(|| entry.refuse(&allowed))?;
    each_once(&items, what, |item| Ok(item.word(what, known)?.to_owned()))
}

/// The values that are kept of words and of these axes.
fn keep(entry: &Entry, axes: &[&'static Axis]) -> Result<Vec<Keep>, Refused> {
    let refused = || entry.refuse("a table such as { n = 8, epsilon = [0.01, 0.1] }");
    let table = entry.table().ok_or_else(refused)?;
    let names: Vec<&str> = axes.iter().map(|axis| axis.name).unique().collect();
    table.only(&[&WORDS[..], &names].concat())?;
    let keys = names.into_iter().chain(WORDS);
    keys.filter_map(|key| Some((key, table.get(key)?)))
        .map(|(key, entry)| {
            let own = axes.iter().copied().filter(|axis| axis.name == key);
            let values = match WORDS.contains(&key) {
                true => words(key, &entry)?,
                false => {
                    let values = range::on_one_of(own, &entry)?.into_iter();
                    values.map(Kept::Number).collect()
                }
            };
            let key = key.to_owned();
            Ok(Keep { key, values })
        })
        .collect()
}

fn words(key: &str, entry: &Entry) -> Result<Vec<Kept>, Refused> {
    let allowed = format!("a text, or a list of texts, for {key}");
    let items = entry.items(&allowed)?;
    let goals = Goal::EVERY.map(Goal::name);
    let word = |item: &Entry| {
        let text = match key {
            "goal" => item.word("goal", &goals)?,
            _ => item.text(&allowed)?,
        };
        Ok(Kept::Word(text.to_owned()))
    };
    items.iter().map(word).collect()
}
