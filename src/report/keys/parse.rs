//! The figures of a spec: each `[[figure]]` read over its kind, and what is wrong with it. Here are
//! how the kinds are read, the name of a figure where the spec gives none, the values of `where`
//! and `over`, and the messages of unknown words and names; defaults of a kind are in `kinds.toml`.

mod gone;
mod panels;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use itertools::Itertools;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::analysis::formula::Summary;
use crate::experiment::program::is_program;
use crate::experiment::spec::set::{tables as tables_of, unknown_key};
use crate::experiment::spec::source::Source;
use crate::experiment::spec::tree::{items, lay};
use crate::experiment::spec::values::{Scalar, Values};
use crate::experiment::spec::{
    NamedVariant, Refused, Spec, check_name, did_you_mean, one_of, range,
};
use crate::experiment::store::own_columns;
use crate::report::figure::{DERIVED, MeasureTable};
use crate::report::keys::{FigureSpec, FilterValue, KEYS, KeyFilter, LETTERS, MarkShape, SEED_KEY};
use crate::report::measures::{TABLES, columns};
use crate::report::words;
use crate::solver::Axis;
use crate::solver::goal::Goal;
use crate::solver::point::WORDS;

/// What each figure of a file begins with.
const BEGIN: &str = "[[figure]]\n";

/// The kinds in the order of their file: the lines of each, and its keys over what all figures
/// have.
static KINDS: LazyLock<Vec<(&str, DeTable)>> = LazyLock::new(|| {
    let blocks = include_str!("kinds.toml").split(BEGIN);
    let mut kinds = blocks.map(|lines| {
        let keys = DeTable::parse(lines).expect("a test reads it");
        (lines, keys.into_inner())
    });
    let (_, defaults) = kinds.next().expect("what all figures have");
    let laid = kinds.map(|(lines, own)| {
        let mut keys = defaults.clone();
        lay(own, &mut keys);
        (lines, keys)
    });
    laid.collect()
});

/// What a kind has as a text, empty where it has none.
fn text_of(kind: &'static DeTable, key: &str) -> &'static str {
    let found = kind.get(key).and_then(|value| value.get_ref().as_str());
    found.unwrap_or_default()
}

/// Names of the kinds, in their order, and what each shows: the first line under its `[[figure]]`.
pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    let kinds = KINDS.iter();
    kinds.map(|(lines, keys)| {
        let first = lines.lines().next().unwrap_or_default();
        (text_of(keys, "kind"), first.trim_start_matches("# "))
    })
}

/// The kind's own lines, as a spec may have them.
pub fn lines_of_kind(kind: &str) -> String {
    let mut kinds = KINDS.iter();
    let found = kinds.find(|(_, keys)| text_of(keys, "kind") == kind);
    let lines = found.map_or("", |(lines, _)| lines.trim_end());
    format!("{BEGIN}{lines}")
}

/// Names of the tables of measures, each with what the vertical and the horizontal axis may show.
pub fn tables() -> impl Iterator<Item = (&'static str, Vec<&'static str>, Vec<&'static str>)> {
    let across = |table: &MeasureTable| table.across.iter().map(|(column, _)| *column).collect();
    let measures =
        |table: &MeasureTable| table.measures.iter().map(|measure| measure.name).collect();
    let tables = TABLES.iter();
    tables.map(move |table| (table.name, measures(table), across(table)))
}

/// The figures of a spec.
///
/// # Errors
/// The first that is wrong with them.
pub fn read(spec: &Spec) -> Result<Vec<FigureSpec>, Refused> {
    read_each(spec)?.into_iter().collect()
}

/// The figures of a spec, or what is wrong with each. Where there are no sweeps, they may have any
/// axis.
///
/// # Errors
/// A text that is no TOML, and figures that are no tables.
pub fn read_each(spec: &Spec) -> Result<Vec<Result<FigureSpec, Refused>>, Refused> {
    let source = Source::new(&spec.file, &spec.text, &[]);
    let mut names = BTreeSet::new();
    let mut figures = Vec::new();
    for table in tables_of(&source, source.parse()?.get_mut(), "figure")? {
        figures.push(figure(spec, &source, table, &mut names));
    }
    if let ([Ok(figure)], Some(title)) = (&mut figures[..], &spec.title)
        && !figure.has_own_title
    {
        figure.title.clone_from(title);
    }
    Ok(figures)
}

/// A figure whose table in the spec is `own`. What comes from the kind has the place of the
/// figure's `kind`, or of its head.
fn figure<'a>(
    spec: &Spec,
    source: &Source<'a>,
    own: Spanned<DeTable<'a>>,
    names: &mut BTreeSet<String>,
) -> Result<FigureSpec, Refused> {
    let head = own.span();
    let mut own = own.into_inner();
    refuse_unknown_keys(source, &own)?;
    let (kind, place) = kind_of(source, &own, &head)?;
    let title = own.get("title").and_then(|title| title.get_ref().as_bool());
    if title.is_some() {
        own.remove("title");
    }
    let places = own.iter();
    let places = places.map(|(key, value)| (key.get_ref().to_string(), value.span()));
    let read = Reading {
        source,
        spec,
        own: places.collect(),
        place,
    };

    let (mut figure, panels) = read.laid_over(kind, own, &head)?;
    figure.has_title = title != Some(false);
    // A kind that is pasted into a spec has the kind's title.
    figure.has_own_title &= figure.title != text_of(kind, "title");
    if read.own.contains_key("where") && figure.keep.is_empty() {
        return Err(source.expected(read.at("where"), "a table such as { n = 8 }"));
    }
    read.name(&mut figure, names, &head)?;
    read.check_panels(&mut figure, &panels)?;
    read.check_words(&figure)?;
    read.check_rules(&figure)?;
    read.check_reference_marks(&figure)?;
    // The best point is that of the least mean time, not that of the least ratio.
    figure.marks_best &= figure.over.is_none() && figure.is_of_means();
    if figure.has_column_across() {
        figure.lay_column_across();
    }
    Ok(figure)
}

/// The axes that no built-in algorithm of the spec's sweeps has, and a program has.
fn axes_of_programs(spec: &Spec) -> BTreeSet<String> {
    let axes = |of_programs: bool| {
        let sweeps = spec.sweeps.iter().map(|sweep| sweep.algorithm);
        let algorithms = sweeps.filter(move |algorithm| is_program(algorithm) == of_programs);
        let axes = algorithms.flat_map(|algorithm| algorithm.axes);
        axes.map(|axis| axis.name.to_owned())
            .collect::<BTreeSet<String>>()
    };
    &axes(true) - &axes(false)
}

/// Refuses the first key that a figure has not, or has no more.
fn refuse_unknown_keys(source: &Source, own: &DeTable) -> Result<(), Refused> {
    gone::refuse(source, own)?;
    let known: Vec<&str> = KEYS.iter().map(|key| key.0).collect();
    let unknown = own.keys().find(|key| !known.contains(&&**key.get_ref()));
    unknown.map_or(Ok(()), |key| {
        let message = match gone::is_of_looks(key.get_ref()) {
            true => gone::OF_LOOKS.to_owned(),
            false => unknown_key(key.get_ref(), &known),
        };
        Err(source.refuse(key.span(), &message))
    })
}

/// The keys of the kind that a figure starts from, and the place at which errors of them are told.
fn kind_of<'a>(
    source: &Source<'a>,
    own: &DeTable<'a>,
    head: &Range<usize>,
) -> Result<(&'static DeTable<'static>, Range<usize>), Refused> {
    let kinds: Vec<&str> = kinds().map(|kind| kind.0).collect();
    let (kind, place) = match own.get("kind").cloned() {
        Some(found) => {
            if !found.get_ref().is_str() {
                return Err(source.expected(found.span(), &one_of(&kinds)));
            }
            let found: Spanned<Scalar> = source.read(found)?;
            (source.word(&found, "figure kind", &kinds)?, found.span())
        }
        None => ("curve", head.clone()),
    };
    let mut known = KINDS.iter();
    let known = known.find(|(_, keys)| text_of(keys, "kind") == kind);
    let (_, keys) = known.expect("one of the kinds");
    Ok((keys, place))
}

/// What errors of a figure are told with.
struct Reading<'r> {
    source: &'r Source<'r>,
    spec: &'r Spec,
    /// The keys of the spec's own table, and where their values stand.
    own: BTreeMap<String, Range<usize>>,
    /// The place at which errors of the kind's values are told.
    place: Range<usize>,
}

impl Reading<'_> {
    /// The figure of the spec's own keys over those of its kind, and the places of its panels.
    fn laid_over<'a>(
        &self,
        kind: &DeTable<'a>,
        mut own: DeTable<'a>,
        head: &Range<usize>,
    ) -> Result<(FigureSpec, Vec<Range<usize>>), Refused> {
        // Nothing is wrong with a kind's values, whose places are those of another file.
        let mut whole = kind.clone();
        let upwards = self.upwards(&mut own, &mut whole)?;
        let kept = own.remove("where");
        let over = own.remove("over");
        self.refuse_lists(over.as_ref())?;
        let own_columns = own_columns(&self.spec.programs.own_columns());
        let asks_for_fit = panels::ask_for_fit(&own);
        let panels = panels::lay_panels(own, &mut whole, &own_columns);
        let figure = FigureSpec {
            line: self.source.line(head.start),
            keep: self.tables_of_values(kept)?,
            over: self.tables_of_values(over)?.pop(),
            upwards,
            conditions: self.spec.condition_names().unique().cloned().collect(),
            own: own_columns,
            axes_of_programs: axes_of_programs(self.spec),
            has_own_title: self.own.contains_key("title"),
            asks_for_fit,
            ..self.source.read(Spanned::new(head.clone(), whole))?
        };
        Ok((figure, panels))
    }

    /// Names the figure, in the spec's words or by its kind, and no two alike.
    fn name(
        &self,
        figure: &mut FigureSpec,
        names: &mut BTreeSet<String>,
        head: &Range<usize>,
    ) -> Result<(), Refused> {
        let spec = self.spec;
        figure.name = if self.own.contains_key("name") {
            spec.changed_name(&figure.name)
        } else {
            format!("{}-{}", spec.name, figure.kind)
        };
        let once = "two figures of one name would overwrite each other; expected a name of its own";
        let is_new = names.insert(figure.name.to_lowercase());
        let checked = check_name(&figure.name);
        let checked = checked.and_then(|()| is_new.then_some(()).ok_or(once.to_owned()));
        checked.map_err(|reason| {
            let place = self.own.get("name").unwrap_or(head).clone();
            let reason = format!("figure name {:?}: {reason}", figure.name);
            self.source.refuse(place, &reason)
        })
    }

    /// The vertical axis of tiles, which takes the name of their measure's key for that.
    fn upwards<'a>(
        &self,
        own: &mut DeTable<'a>,
        kind: &mut DeTable<'a>,
    ) -> Result<Option<String>, Refused> {
        let is_map = |table: &DeTable| Some(table.get("mark")?.get_ref().as_str()? == "tile");
        let has_kind = is_map(kind) == Some(true);
        let has_own = is_map(own).unwrap_or(has_kind);
        let mut axis = None;
        for (table, is_map) in [(kind, has_kind), (&mut *own, has_own)] {
            if is_map {
                axis = table.remove("y").or(axis);
                let fill = table.remove("fill");
                table.extend(fill.map(|fill| (Spanned::new(fill.span(), "y".into()), fill)));
            }
        }
        let axis = match &items(axis)[..] {
            [axis] => axis.get_ref().as_str().map(str::to_owned),
            _ => None,
        };
        let (key, expected) = match (has_own, &axis) {
            (true, None) if self.own.contains_key("y") => ("y", "the vertical axis"),
            (true, None) => (
                "mark",
                "y, the vertical axis, and fill, a measure, beside it",
            ),
            (false, _) if own.contains_key("fill") => ("fill", "it together with mark = \"tile\""),
            _ => return Ok(axis.filter(|_| has_own)),
        };
        Err(self.source.expected(self.at(key), expected))
    }

    /// Refuses several tables of `over`, which are the points of one curve.
    fn refuse_lists(&self, over: Option<&Spanned<DeValue>>) -> Result<(), Refused> {
        if over.is_some_and(|over| over.get_ref().is_array()) {
            let expected = "one table, the points of one curve, such as { algorithm = \"cell\" }";
            return Err(self.source.expected(self.at("over"), expected));
        }
        Ok(())
    }

    fn at(&self, key: &str) -> Range<usize> {
        self.own.get(key).unwrap_or(&self.place).clone()
    }

    /// The axes of the sweeps, or all there are.
    fn axes(&self) -> Vec<&'static Axis> {
        let sweeps = self.spec.sweeps.iter().flat_map(|sweep| &sweep.axes);
        let axes: Vec<&Axis> = sweeps.map(|(axis, _)| *axis).collect();
        if axes.is_empty() {
            let algorithms = self.spec.programs.algorithms().into_iter();
            algorithms.flat_map(|algorithm| algorithm.axes).collect()
        } else {
            axes
        }
    }

    /// The values of each table of `where` or `over`.
    fn tables_of_values(
        &self,
        found: Option<Spanned<DeValue>>,
    ) -> Result<Vec<Vec<KeyFilter>>, Refused> {
        let tables = items(found).into_iter();
        let tables = tables.map(|table| self.keep(&self.source.read(table)?));
        tables.collect()
    }

    /// The values that are kept of axes and of words.
    fn keep(&self, found: &BTreeMap<String, Values>) -> Result<Vec<KeyFilter>, Refused> {
        let source = self.source;
        let axes = self.axes();
        let names = axes.iter().map(|axis| axis.name).unique();
        let known: Vec<&str> = names.chain(WORDS).collect();
        if let Some((key, values)) = found.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            let message = format!("{key}: {}", unknown_key(key, &known));
            return Err(source.refuse(values.span.clone(), &message));
        }
        let goals = Goal::EVERY.map(Goal::name);
        let word = |key: &str, item: &Spanned<Scalar>| match key {
            "goal" => source.word(item, key, &goals).map(str::to_owned),
            _ => source.words(item, "a text").map(str::to_owned),
        };
        let known = known.into_iter();
        let found = known.filter_map(|key| Some((key, found.get(key)?)));
        let keep = found.map(|(key, values)| {
            let own = axes.iter().filter(|axis| axis.name == key);
            let each = own.map(|axis| range::on(source, axis, values, &[]));
            let values = match each.find_or_first(Result::is_ok) {
                Some(numbers) => numbers?.into_iter().map(FilterValue::Number).collect(),
                None => {
                    let expected = "a text, or a list of texts";
                    let words = source.each(values, expected, |item| word(key, item))?;
                    let value = |word: String| match key {
                        "variant" => {
                            let named = NamedVariant::of(&word, self.spec.condition_names());
                            FilterValue::Variant(word, named)
                        }
                        _ => FilterValue::Word(word),
                    };
                    words.into_iter().map(value).collect()
                }
            };
            let key = key.to_owned();
            Ok(KeyFilter { key, values })
        });
        keep.collect()
    }

    /// Refuses words of the spec's own keys that name nothing, or one thing twice.
    fn check_words(&self, figure: &FigureSpec) -> Result<(), Refused> {
        let mut words = figure.words.iter();
        let refused = words.find_map(|(from, to)| words::refused(from, to));
        if let Some(message) = refused {
            return Err(self.source.refuse(self.at("words"), &message));
        }

        for Names { key, found, known } in self.names_in(figure) {
            let unknown = found.iter().find(|name| !known.contains(&name.as_str()));
            let message = match (unknown, found.iter().duplicates().next()) {
                (Some(name), _) => {
                    let expected = one_of(&known);
                    let near = did_you_mean(name, &known);
                    format!("unknown word {name:?}; expected {expected}{near}")
                }
                (None, Some(name)) => format!("{name:?} is doubled; expected each once"),
                _ if found.is_empty() && key != "bin" => {
                    format!("expected a list of {}", known.join(", "))
                }
                _ => continue,
            };
            if let Some(place) = self.own.get(key) {
                return Err(self.source.refuse(place.clone(), &message));
            }
        }
        Ok(())
    }

    /// What stands in the keys that name axes, columns and the like, and what may stand there.
    fn names_in<'f>(&self, figure: &'f FigureSpec) -> Vec<Names<'f>> {
        let axes: Vec<&str> = self.axes().iter().map(|axis| axis.name).unique().collect();
        let of_points = [&WORDS[..], &axes, &[SEED_KEY]].concat();
        let colours = [&of_points[..], &LETTERS].concat();
        let numbers = columns::numbers(&figure.own);
        let names = |key, found, known| Names { key, found, known };
        let mut all = vec![
            names("x", vec![&figure.x], self.across(figure, &axes, &numbers)),
            names("bin", figure.bin.column.iter().collect(), numbers),
            names("facet", figure.facet.iter().collect(), of_points.clone()),
        ];
        if figure.upwards.is_some() {
            all.push(names("y", figure.upwards.iter().collect(), axes.clone()));
        }
        let groups = figure.group.iter().flatten().collect();
        all.extend([
            names("vary", figure.vary.iter().collect(), axes),
            names("group", groups, of_points),
            names("colour", figure.colour.iter().collect(), colours),
        ]);
        all
    }

    /// What the horizontal axis may show.
    fn across<'f>(
        &self,
        figure: &'f FigureSpec,
        axes: &[&'f str],
        numbers: &[&'f str],
    ) -> Vec<&'f str> {
        let mut across = axes.to_vec();
        // Tiles stand over axes alone.
        if figure.upwards.is_some() {
            return across;
        }
        let measures = figure.y.iter().flat_map(|panel| &panel.measures);
        let tables = measures.filter_map(|measure| Some(figure.named(measure)?.table));
        let of_tables = tables
            .flat_map(|table| table.across)
            .map(|(column, _)| *column);
        across.extend(of_tables.unique());
        across.extend(DERIVED.iter().map(|derived| derived.name));
        across.push(SEED_KEY);
        across.extend(numbers);
        if figure.has_column_across() {
            across.push(&figure.x);
        }
        across
    }
}

/// The names that stand in a key, and those that it may have.
struct Names<'f> {
    key: &'static str,
    found: Vec<&'f String>,
    known: Vec<&'f str>,
}

impl FigureSpec {
    /// Fills in what it has by default where x is a column of trials, which gives points no order.
    fn lay_column_across(&mut self) {
        let keys = WORDS.map(str::to_owned).into_iter();
        let keys = keys.chain(self.colour.clone()).unique();
        self.group.get_or_insert_with(|| keys.collect());
        if let Ok(summary) = self.x.parse::<Summary>() {
            self.x = summary.to_string();
        }
        if self.mark == MarkShape::Line {
            self.mark = MarkShape::Points;
        }
    }

    /// The figure that a kind is by itself.
    #[cfg(test)]
    pub fn of_kind(kind: &str) -> Self {
        let spec = Spec {
            text: format!("[[figure]]\nkind = {kind:?}\n"),
            name: "preset".to_owned(),
            ..Spec::default()
        };
        read(&spec).expect("a kind").remove(0)
    }
}
