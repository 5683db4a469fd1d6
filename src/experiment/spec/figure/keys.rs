//! The keys of a `[[figure]]`, read from a spec and from its kind.

use std::collections::BTreeSet;

use super::{
    CENSORED, COLUMNS_TABLE, Choices, DIVISORS, DOC, FigureKinds, FigureSpec, Fitting, KEYS, Keep,
    Kept, Law, MarkShape, PanelChoice, Statistic, Width, columns,
};
use crate::experiment::spec::error::{Mistakes, every};
use crate::experiment::spec::tree::{Entry, Table, each_once};
use crate::experiment::spec::{Refused, Sweep, name, range};
use crate::solver::goal::Goal;
use crate::solver::point::WORDS;
use crate::solver::{ALGORITHMS, Axis};

/// The figures of a spec; one without a name is called after `experiment` and its kind. Where the
/// sweeps are not known, through mistakes of their own, they may have any axis.
pub fn read(
    root: &Table,
    experiment: &str,
    sweeps: Option<&[Sweep]>,
    kinds: &FigureKinds,
) -> Result<Vec<FigureSpec>, Refused> {
    let all: Vec<&Axis> = ALGORITHMS.iter().flat_map(|it| it.axes()).collect();
    let axes: Vec<&Axis> = match sweeps {
        Some(sweeps) => {
            let axes = sweeps.iter().flat_map(|sweep| &sweep.axes);
            axes.map(|(axis, _)| *axis).collect()
        }
        None => all.clone(),
    };
    let mut names = BTreeSet::new();
    let tables = root.tables("figure")?.into_iter();
    kinds.with_presets(|presets| {
        every(tables.map(|mut own| {
            let mut mistakes = Mistakes::default();
            mistakes.keep(own.only(&[&KEYS[..], &[DOC]].concat()));
            let known = kinds.docs();
            let known: Vec<&str> = known.iter().map(|it| &*it.0).collect();
            let kind = match own.get("kind") {
                Some(kind) => kind.word("figure kind", &known),
                None => Ok("curve"),
            };
            let kind = mistakes.keep(kind);
            let name = mistakes.value(name(&own, experiment, kind, &mut names));
            let is_meant = |it: &&Table| {
                let name = it.get("kind").and_then(|it| it.text("").ok());
                name.is_some() && name == kind
            };
            let preset = presets.iter().find(is_meant);
            let keys = Keys {
                own: &own,
                preset,
                axes: &axes,
                all_axes: &all,
                kinds,
            };
            let choices = preset.map(|_| mistakes.value(keys.choices()));
            if let (Some(choices), true) = (&choices, mistakes.is_empty()) {
                mistakes.keep(keys.refuse_together(choices));
            }
            mistakes.or(choices.map(|choices| FigureSpec {
                kind: kind.unwrap_or_default().to_owned(),
                name,
                line: own.line(),
                choices,
            }))
        }))
    })
}

/// The name of a figure, which no other one has; empty where it depends on a kind that is unknown.
fn name(
    table: &Table,
    experiment: &str,
    kind: Option<&str>,
    names: &mut BTreeSet<String>,
) -> Result<String, Refused> {
    let entry = table.get("name");
    let name = match (&entry, kind) {
        (Some(entry), _) => entry.text("a text")?.to_owned(),
        (None, Some(kind)) => format!("{experiment}-{kind}"),
        (None, None) => return Ok(String::new()),
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

/// Each word once, in the order in which they come.
fn distinct<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    words.filter(|word| seen.insert(*word)).collect()
}

/// The keys of a figure: those of its spec before those of its kind.
struct Keys<'t> {
    own: &'t Table<'t>,
    preset: Option<&'t Table<'t>>,
    /// Those of the sweeps.
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
        distinct(axes.iter().map(|axis| axis.name))
    }

    fn text(&self, key: &str) -> Result<String, Refused> {
        let text = self.get(key).map(|it| it.text("a text")).transpose()?;
        Ok(text.unwrap_or_default().to_owned())
    }

    fn word(&self, key: &str, what: &str, known: &[&str]) -> Result<Option<String>, Refused> {
        let word = self.get(key).map(|it| it.word(what, known)).transpose()?;
        Ok(word.map(str::to_owned))
    }

    fn list(&self, key: &str, what: &str, known: &[&str]) -> Result<Option<Vec<String>>, Refused> {
        let words = self.get(key).map(|it| words_once(&it, what, known));
        words.transpose()
    }

    fn count(&self, key: &str, default: usize) -> Result<usize, Refused> {
        let Some(entry) = self.get(key) else {
            return Ok(default);
        };
        let most = 1_000_000;
        let count = entry.integer(1, most, &format!("an integer from 1 to {most}"))?;
        Ok(count as usize)
    }

    fn choices(&self) -> Result<Choices, Refused> {
        let mut mistakes = Mistakes::default();
        let table = mistakes.value(self.table());
        let (has_no_title, title) = mistakes.value(title(self.own));
        let of = self.kinds.tables.iter().find(|it| it.table == table);
        let across = of.map_or(&[][..], |it| &it.across);
        let names = [&self.axes_of("x")[..], across, &self.kinds.derived].concat();
        let x = self.word("x", "axis of these sweeps", &names);
        let every_axis = |key: &str| [&WORDS[..], &self.axes_of(key)].concat();
        let x_scale = mistakes.value(self.word("x_scale", "scale", &["linear", "log"]));
        let statistic = mistakes.value(self.statistic());
        let marks_best = self.get("mark_best").map(|it| it.boolean("true or false"));
        let hue = self.get("hue").map(|_| self.count("hue", 1)).transpose();
        let fit_from = self.get("fit_from").map(|it| it.real(|_| true, "a number"));
        let interval = self.word("interval", "interval", &["t", "bootstrap"]);
        let algorithms: Vec<&str> = ALGORITHMS.iter().map(|it| it.name()).collect();
        let choices = Choices {
            y: mistakes.value(self.panels(&table, statistic)),
            table,
            keep: mistakes.value(self.kept()),
            wanted: mistakes.value(self.wanted()),
            x: mistakes.value(x).unwrap_or_else(|| "n".to_owned()),
            vary: mistakes
                .value(self.list("vary", "axis", &self.axes_of("vary")))
                .unwrap_or_default(),
            mark: mistakes.value(self.mark()),
            statistic,
            divide: mistakes.value({
                let known = [&DIVISORS[..], &columns()].concat();
                self.word("divide", "divisor", &known)
            }),
            facet: mistakes.value(self.word(
                "facet",
                "axis of these sweeps",
                &self.axes_of("facet"),
            )),
            has_density: mistakes
                .value(self.word("right_axis", "axis", &["1/d"]))
                .is_some(),
            marks_best: mistakes.value(marks_best.transpose()).unwrap_or_default(),
            group: mistakes.value(self.list("group", "key of the points", &every_axis("group"))),
            split: mistakes
                .value(self.get("split").map(|it| it.text("a text")).transpose())
                .map(str::to_owned),
            compare: mistakes
                .value(self.list("compare", "algorithm", &algorithms))
                .unwrap_or_default(),
            hue: mistakes.value(hue),
            least_points: mistakes.value(self.count("least_points", 2)),
            // More could not be told apart by their markers.
            most_curves: mistakes.value(self.count("most_curves", 10)),
            x_is_logarithmic: x_scale.map(|word| word == "log"),
            fit_from: mistakes.value(fit_from.transpose()),
            is_bootstrapped: mistakes
                .value(interval)
                .is_some_and(|word| word == "bootstrap"),
            width: mistakes.value(self.width()),
            has_no_title,
            title,
            heading: mistakes.value(self.text("heading")),
            lead: mistakes.value(self.text("lead")),
            nothing: mistakes.value(self.text("nothing")),
        };
        mistakes.or(Some(choices))
    }

    fn statistic(&self) -> Result<Statistic, Refused> {
        let word = self.word("statistic", "statistic", &["mean", "median", "share"])?;
        Ok(match word.as_deref() {
            Some("median") => Statistic::Median,
            Some("share") => Statistic::Share,
            _ => Statistic::Mean,
        })
    }

    fn mark(&self) -> Result<MarkShape, Refused> {
        let shapes = MarkShape::NAMES;
        let word = self.word("mark", "mark", &shapes.map(|it| it.0))?;
        let shape = shapes.into_iter().find(|it| Some(it.0) == word.as_deref());
        Ok(shape.map_or_else(MarkShape::default, |it| it.1))
    }

    fn width(&self) -> Result<Option<Width>, Refused> {
        let word = self.word("width", "width", &["single", "double"])?;
        Ok(word.map(|word| match &*word {
            "single" => Width::Single,
            _ => Width::Double,
        }))
    }

    /// The `where` of the spec, whose axes are those of its sweeps.
    fn kept(&self) -> Result<Vec<Keep>, Refused> {
        let Some(entry) = self.own.get("where") else {
            return Ok(Vec::new());
        };
        let names = distinct(self.axes.iter().map(|axis| axis.name));
        keep(&entry, self.axes, &[&WORDS[..], &names].concat())
    }

    /// The `where` of the kind, which may name every axis there is.
    fn wanted(&self) -> Result<Vec<Keep>, Refused> {
        let Some(entry) = self.preset("where") else {
            return Ok(Vec::new());
        };
        let all = [&WORDS[..], &self.axes_of("")].concat();
        keep(&entry, self.all_axes, &all)
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

    /// The panels of the spec, which take what they do not say from the kind's panel of the same
    /// measure, else from its first one.
    fn panels(&self, table: &str, statistic: Statistic) -> Result<Vec<PanelChoice>, Refused> {
        let of_kind = self.preset.map(|preset| self.panels_of_kind(preset));
        let of_kind = of_kind.transpose()?.unwrap_or_default().into_iter();
        let of_kind = every(of_kind.map(|it| overlaid(it, self.own, "y_scale")))?;
        let lists = ["y", "quantity", "panels"].map(|key| self.own.get(key));
        let mut panels = match lists.into_iter().flatten().next() {
            None => of_kind,
            Some(list) => {
                let mut known = self.kinds.measures(table);
                if statistic == Statistic::Share {
                    known.push(CENSORED);
                }
                let like = |measure: &str| {
                    let same = of_kind.iter().find(|it| it.measures[0] == measure);
                    let other = of_kind.first().map(|it| PanelChoice {
                        measures: vec![measure.to_owned()],
                        has_names: false,
                        title: None,
                        label: None,
                        level: None,
                        ..it.clone()
                    });
                    same.cloned().or(other).unwrap_or_default()
                };
                let items = list.items(&format!("a list of {}", known.join(", ")))?;
                let panels = every(items.iter().map(|it| panel(it, &known, like)))?;
                each_once(
                    &items,
                    "measure",
                    |it| Ok(panel(it, &known, like)?.measures),
                )?;
                panels
            }
        };
        let law = self.own.get("fit");
        let from = self
            .get("fit_from")
            .and_then(|it| it.real(|_| true, "").ok());
        for panel in &mut panels {
            let fit = panel.fit.iter_mut();
            for fit in fit.filter(|fit| law.is_some() || fit.law == Law::Power) {
                fit.from = fit.from.or(from);
            }
        }
        Ok(panels)
    }

    fn panels_of_kind(&self, preset: &Table) -> Result<Vec<PanelChoice>, Refused> {
        let Some(list) = preset.get("y") else {
            return Ok(Vec::new());
        };
        let table = preset.get("table").and_then(|it| it.text("").ok());
        let known = self.kinds.measures(table.unwrap_or(COLUMNS_TABLE));
        let base = overlaid(PanelChoice::default(), preset, "y_scale")?;
        let items = list.items("a list of panels")?;
        every(items.iter().map(|it| panel(it, &known, |_| base.clone())))
    }

    /// Refuses keys that need others, or exclude them.
    fn refuse_together(&self, choices: &Choices) -> Result<(), Refused> {
        let shows_times = choices.y.iter().any(|it| it.measures[0] == TIME);
        let of_y = "y names the measures; expected one of the keys y, quantity and panels";
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
        let is_doubled = ["y", "quantity", "panels"]
            .into_iter()
            .filter(|key| has(key));
        let is_doubled = is_doubled.count() > 1;
        let is_across = choices.facet.as_deref() == Some(&choices.x);
        let has_fit = choices.y.iter().any(|it| it.fit.is_some());
        let of_its_own = match &*choices.table {
            "map" => Some(MarkShape::Tile),
            "run-length" => Some(MarkShape::Survival),
            _ => None,
        };
        let is_special = [MarkShape::Tile, MarkShape::Survival].contains(&choices.mark);
        let has_wrong_mark = of_its_own != is_special.then_some(choices.mark);
        let rules = [
            ("quantity", is_doubled, of_y),
            ("fit_from", !has_fit, of_fit),
            ("right_axis", choices.x != "n", of_n),
            ("x", choices.has_density && choices.x != "n", of_density),
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
        let broken = rules.into_iter().filter(|(_, is_refused, _)| *is_refused);
        let broken = broken.filter_map(|(key, _, message)| Some(self.own.get(key)?.error(message)));
        Refused::all(broken.collect())
    }
}

/// The measure that the best is marked of.
const TIME: &str = "absorption_time";
/// A panel: the name of its measure, or a table. What it does not say is as in `like` of its
/// measure.
fn panel(
    entry: &Entry,
    known: &[&str],
    like: impl Fn(&str) -> PanelChoice,
) -> Result<PanelChoice, Refused> {
    let Some(mut table) = entry.table() else {
        let measure = entry.word("measure", known)?;
        let like = like(measure);
        return Ok(match like.measures.is_empty() {
            true => PanelChoice {
                measures: vec![measure.to_owned()],
                ..like
            },
            false => like,
        });
    };
    table.only(&[
        "measure", "measures", "title", "label", "height", "scale", "level", "ranges", "room",
        "fit", "guide",
    ])?;
    let (measures, has_names) = match table.get("measures") {
        Some(list) => (words_once(&list, "measure", known)?, true),
        None => {
            let measure = table.require("measure", "the name of a measure")?;
            (vec![measure.word("measure", known)?.to_owned()], false)
        }
    };
    let text = |key: &str| table.get(key).map(|it| it.text("a text")).transpose();
    let (title, label) = (text("title")?, text("label")?);
    let level = table.get("level").map(|it| it.real(|_| true, "a number"));
    let ranges = table.get("ranges").map(|it| {
        let items = it.items("a list of ranges [low, high]")?;
        every(
            items
                .iter()
                .map(|range| pair(range, "a range [low, high]", |_| true)),
        )
    });
    let like = like(&measures[0]);
    let panel = PanelChoice {
        has_names,
        title: title.map(str::to_owned).or(like.title),
        label: label.map(str::to_owned).or(like.label),
        level: level.transpose()?.or(like.level),
        ranges: ranges.transpose()?.unwrap_or(like.ranges),
        measures,
        ..like
    };
    overlaid(panel, &table, "scale")
}

/// The panel with what the table says of its scale, height, room and fit.
fn overlaid(mut panel: PanelChoice, table: &Table, scale: &str) -> Result<PanelChoice, Refused> {
    if let Some(entry) = table.get(scale) {
        panel.is_logarithmic = Some(entry.word("scale", &["linear", "log"])? == "log");
    }
    if let Some(entry) = table.get("height") {
        panel.height = Some(entry.integer(100, 4000, "an integer from 100 to 4000")? as i32);
    }
    if let Some(entry) = table.get("room") {
        let expected = "two numbers from 0 to 1, below and above";
        panel.room = pair(&entry, expected, |it| (0.0..=1.0).contains(&it))?;
    }
    if let Some(entry) = table.get("fit") {
        panel.fit = fit(&entry)?;
    }
    if let Some(entry) = table.get("guide") {
        panel.guides = every(entry.items(GUIDE)?.iter().map(guide))?;
    }
    Ok(panel)
}

/// A list of two numbers.
fn pair(entry: &Entry, expected: &str, holds: fn(f64) -> bool) -> Result<(f64, f64), Refused> {
    let ends = entry.list().ok_or_else(|| entry.refuse(expected))?;
    let ends = every(ends.iter().map(|it| it.real(holds, expected)))?;
    match ends[..] {
        [first, second] => Ok((first, second)),
        _ => Err(entry.refuse(expected)),
    }
}

/// A law by its name, or a table with more.
fn fit(entry: &Entry) -> Result<Option<Fitting>, Refused> {
    const LAWS: [&str; 3] = ["none", "exponential", "power"];
    let law = |entry: &Entry| {
        Ok(match entry.word("law", &LAWS)? {
            "exponential" => Some(Law::Exponential),
            "power" => Some(Law::Power),
            _ => None,
        })
    };
    let Some(mut table) = entry.table() else {
        return Ok(law(entry)?.map(|law| Fitting {
            law,
            ..Fitting::default()
        }));
    };
    table.only(&["law", "of", "row", "drawn", "from"])?;
    let law = law(&table.require("law", &format!("one of {}", LAWS.join(", ")))?)?;
    let text = |key: &str| {
        let text = table.get(key).map(|it| it.text("a text")).transpose()?;
        Ok(text.unwrap_or_default().to_owned())
    };
    let drawn = table.get("drawn").map(|it| it.boolean("true or false"));
    let from = table.get("from").map(|it| it.real(|_| true, "a number"));
    let fitting = Fitting {
        of: text("of")?,
        row: text("row")?,
        is_drawn: drawn.transpose()?,
        from: from.transpose()?,
        ..Fitting::default()
    };
    Ok(law.map(|law| Fitting { law, ..fitting }))
}

/// Whether there is to be none, or a title of its own.
fn title(table: &Table) -> Result<(bool, Option<String>), Refused> {
    let Some(entry) = table.get("title") else {
        return Ok((false, None));
    };
    let allowed = "true, false or a text";
    match entry.boolean(allowed) {
        Ok(has_title) => Ok((!has_title, None)),
        Err(_) => Ok((false, Some(entry.text(allowed)?.to_owned()))),
    }
}

const GUIDE: &str = "{ growth = 2.5 } or { power = -1.5 }";

/// A line of known growth.
fn guide(entry: &Entry) -> Result<(Law, f64), Refused> {
    let refused = || entry.refuse(GUIDE);
    let mut table = entry.table().ok_or_else(refused)?;
    table.only(&["growth", "power"])?;
    match (table.get("growth"), table.get("power")) {
        (Some(growth), None) => {
            let factor = growth.real(|it| it > 0.0, "a factor above 0")?;
            Ok((Law::Exponential, factor))
        }
        (None, Some(power)) => Ok((Law::Power, power.real(|_| true, "a number")?)),
        _ => Err(refused()),
    }
}

/// A list of known words, each once.
fn words_once(entry: &Entry, what: &str, known: &[&str]) -> Result<Vec<String>, Refused> {
    let allowed = format!("a list of {}", known.join(", "));
    let items = entry.list().filter(|items| !items.is_empty());
    let items = items.ok_or_else(|| entry.refuse(&allowed))?;
    each_once(&items, "key", |item| Ok(item.word(what, known)?.to_owned()))
}

fn keep(entry: &Entry, axes: &[&'static Axis], all: &[&str]) -> Result<Vec<Keep>, Refused> {
    let refused = || entry.refuse("a table such as { n = 8, epsilon = [0.01, 0.1] }");
    let mut table = entry.table().ok_or_else(refused)?;
    let mut mistakes = Mistakes::default();
    mistakes.keep(table.only(all));
    let (own_words, names) = all.split_at(WORDS.len());
    let keys = names.iter().chain(own_words);
    let entries = keys.filter_map(|key| Some((*key, table.get(key)?)));
    let kept = mistakes.value(every(entries.map(|(key, entry)| {
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
    })));
    mistakes.or(Some(kept))
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
    every(items.iter().map(word))
}
