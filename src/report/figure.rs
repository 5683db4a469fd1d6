//! The figures that a spec asks for: the keys of a `[[figure]]`, from which specs, kinds.toml and
//! docs/spec.md have them, laid over those of its kind.

mod panel;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use itertools::Itertools;
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use toml::de::DeTable;

pub use self::panel::{Fitting, Law, PanelChoice};
use super::figures::TABLES;
use super::measure::MeasureTable;
use crate::analysis::formula::{Formula, Statistic};
use crate::experiment::spec::set::{items, lay, tables as tables_of, unknown_key};
use crate::experiment::spec::source::Source;
use crate::experiment::spec::values::{Scalar, Scale, Values};
use crate::experiment::spec::{Refused, Spec, check_name, did_you_mean, one_of, range};
use crate::solver::goal::Goal;
use crate::solver::outcome::{COLUMNS, Column, Field};
use crate::solver::point::WORDS;
use crate::solver::{ALGORITHMS, Axis, Value};

/// The table whose measures are the columns of `trials.parquet`.
pub const COLUMNS_TABLE: &str = "columns";

/// Each letter of a variant, as keys of points name it.
pub const LETTERS: [&str; 5] = [
    "variant[1]",
    "variant[2]",
    "variant[3]",
    "variant[4]",
    "variant[5]",
];

/// What tells the trials of a point apart, and stands for an axis in figures.
pub const SEED_KEY: &str = "seed";
/// What tells the trials of a seed apart, where each is a point.
pub const TRIAL_KEY: &str = "trial";

/// A table of keys: what docs/spec.md says of each, its name, and the field that serde fills with
/// it; a key `[panel]` is one of each panel, and a key `[points]` says which points are meant.
macro_rules! keys {
    ($($(#[doc = $doc:literal])* $key:literal => $([$apart:ident])? $($field:ident: $type:ty$(, $by:tt)?)?;)*
     $(+ $more:ident: $of:ty;)*) => {
        /// Name and meaning of each key of a `[[figure]]`.
        pub const KEYS: &[(&str, &str)] = &[$(($key, concat!($($doc),*))),*];

        /// A figure: the keys of its kind, and those of its spec in their place. What each does,
        /// [`KEYS`] says.
        #[derive(Debug, Clone, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Figure {
            $($(#[serde(rename = $key, default $(, deserialize_with = $by)?)] #[doc = $key] pub $field: $type,)?)*
            $(#[serde(skip)] pub(crate) $more: $of,)*
        }
    };
}

keys! {
    /// the kind of figure that it starts from, by default `"curve"`
    "kind" => kind: String;
    /// stem of the files, by default `<experiment>-<kind>`
    "name" => name: String;
    /// only points that match: a table with values of axes (a value, a list or a range),
    /// `algorithm`, `variant`, `goal` (a text or a list); or a list of such tables, of which a
    /// point matches one
    "where" => [points];
    /// the table whose columns are the measures (`reines list figures` names them); by default the
    /// kind's, else the first one with the measure. `columns` has those of `trials.parquet`; a mean
    /// with censored trials is drawn there as a lower bound
    "table" => table: String;
    /// what stands across: an axis of the sweeps; `"seed"`; `"permutations_per_solution"`, n!/S(n);
    /// or a measure of the table (a column or formula of `columns`, `"update"` of `series`,
    /// `"time"` or `"time_in_means"` of `distribution`); by default `"n"`
    "x" => x: String;
    /// `"linear"` or `"log"`; by default as `x` suggests
    "x_scale" => x_is_logarithmic: Option<bool>, "scale";
    /// the title of the axis across
    "x_title" => x_title: Option<String>;
    /// of the table `distribution`: a column of `trials.parquet`, in place of the times
    "column" => column: Option<String>;
    /// its number of bins, from 2 to 200 (40); of whole numbers, at most
    "bins" => bins: u32, "panel::bins";
    /// `[low, high]`: the ends of its axis across, between which the bins lie
    "x_range" => x_range: Option<(f64, f64)>, "panel::ends";
    /// of the table `columns`: `"mean"` (the default), `"median"`, another quantile (`"q01"` to
    /// `"q99"`), or `"share"`, the share of trials with a value in the column;
    /// with `y = ["censored"]` the share of those that were cut off
    "statistic" => statistic: Statistic;
    /// `"linear"` or `"log"`; by default logarithmic unless a mean is 0 or an interval
    /// reaches below 0
    "y_scale" => [panel];
    /// the title of the upright axis
    "y_title" => [panel];
    /// `[low, high]`: the ends of the upright axis; points beyond them are left out
    "y_range" => [panel];
    /// the height of a panel in 1/2400 of the width
    "height" => [panel];
    /// `[below, above]`: margins below and above the curves, in lengths of the axis
    "room" => [panel];
    /// `"exponential"` (ln y = a + b x) or `"power"` (ln y = a + b ln x) through the points without
    /// censored trials; by default `"none"`. With fewer than 4 points, or an interval wider than a
    /// factor of 10, nothing is fitted. As a table it has `law`, `y` (another measure to fit),
    /// `from`, `row` (its name in the table) and `drawn` (`true`: even if the points reject the
    /// law)
    "fit" => [panel];
    /// a list of measures, a panel for each. The table `columns` also has `"moves / updates"` (the
    /// sums over all trials, divided) and `"absorption_time / n^3"` (also `n`, `(sites * n)`, sites
    /// being the pairs or cells that an update draws from, `(1/d)`, d the
    /// [density](rules.md#density-of-solutions), `guesses` of a product, and `(1/step)`: steps of
    /// n² updates as updates). A measure may be a table: `measure` (or `measures`, which share a
    /// panel), `heading` (what stands above), and `y_scale`, `y_title`, `y_range`, `height`,
    /// `room`, `fit` of this panel alone. A missing key is taken from the kind's panel of this
    /// measure, else from its first panel
    "y" => y: Vec<PanelChoice>;
    /// of the table `columns`: measures that the table has beside those drawn; the time or moves
    /// until the first solution are then a thin line under those until the absorption, where they
    /// are visibly less
    "also" => also: Vec<String>;
    /// the least `x` that is fitted; in kinds with a fit of their own, that of the power law
    "fit_from" => fit_from: Option<f64>, "panel::finite";
    /// the keys in which curves differ: a list of axes, `algorithm`, `variant`, `goal`, `seed`; by
    /// default all but `x`, with a column across `algorithm`, `variant`, `goal` and that of
    /// `colour`. The axis of `facet` is always one of them. Two points of a curve at one `x` are an
    /// error; a point alone is left out
    "group" => group: Option<Vec<String>>;
    /// an axis, `algorithm`, `variant`, `goal` or `"seed"`: each panel is drawn once for each of
    /// its values, two side by side where there is room. With one measure all panels have one
    /// upright axis
    "facet" => facet: Option<String>;
    /// a key whose values give curves their colours: an axis, `algorithm`, `variant` or its second
    /// letter `variant[2]`, `goal`, `seed`. If a figure has `"seed"` here, in `x`, `group` or
    /// `facet`, the trials of each seed are points of their own
    "colour" => colour: Option<String>;
    /// the points of one curve, as in `where`, by which every other curve is divided: `{ algorithm
    /// = "cell" }` divides the pair rule's means by the cell rule's
    "over" => [points];
    /// axes on which the points of a curve may differ beside `x`; of several points at one `x` the
    /// fastest is drawn
    "vary" => vary: Vec<String>;
    /// `"line"`, `"points"`, `"dots"`, `"band"`; `"bars"` of the table `distribution`; or `"tile"`,
    /// a map over the axes `x` and `y` that is coloured by the measure `fill`. A frame stands
    /// around the tiles that the least of the map, or of each n, does not exceed significantly.
    /// With a column across: `"points"`, or `"dots"`, one for each trial, 2000 at most
    "mark" => mark: MarkShape;
    /// the measure of tiles
    "fill" => [panel];
    /// `true`: marks the least mean time of each curve, and where its best `x` lies
    "mark_best" => marks_best: bool;
    /// `"1/d"`: random starts per solved start, against n, on the same logarithmic scale; `"none"`
    /// leaves out the right axis of a kind
    "right_axis" => has_density: bool, "density";
    /// `"single"` (86 mm) or `"double"` (178 mm), the columns of a journal. Text is then at least 6
    /// pt, and the figure at most 230 mm high; `check` says if this is impossible
    "width" => width: Option<Width>;
    /// a text in place of the kind's title, in which `{y}` and `{x}` stand for what is shown;
    /// `false` leaves the title out
    "title" => title: String;
    /// the caption's first sentence; `{y}`, `{x}` and `{axis}` are filled in
    "caption" => caption: String;
    /// names of curves in the legend, from the whole present name to the new one: `{ "pair rule" =
    /// "two cells" }`
    "names" => names: BTreeMap<String, String>;
    /// the least number of points of a curve (2)
    "least_points" => least_points: usize, "panel::count";
    /// the greatest number of curves of a panel (10): others are in the table only
    "most_curves" => most_curves: usize, "panel::count";
    /// algorithms that need a curve each; of several the first one comes first
    "compare" => compare: Vec<String>;
    /// the message if the figure cannot be drawn; `{y}`, `{x}` and `{axis}` are filled in
    "nothing" => nothing: String;
    /// of a kind: what `reines list figures` says of it
    "doc" => doc: String;

    // Line of `[[figure]]` in the file, from 1.
    + line: usize;
    // `where`: only points that all keys of one of these keep; empty: all points.
    + keep: Vec<Vec<KeyFilter>>;
    // The points of the curve that the other curves are divided by.
    + over: Option<Vec<KeyFilter>>;
    // The names of conditions, each with its condition.
    + conditions: Vec<(String, String)>;
    // The axis upwards of tiles.
    + upwards: Option<String>;
    // True if a title is drawn above the figure.
    + has_title: bool;
    // True if the title is the spec's.
    + has_own_title: bool;
}

/// A key of `where` and the values that it keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyFilter {
    /// An axis, `algorithm`, `variant` or `goal`.
    pub key: String,
    /// The values, at least one.
    pub values: Vec<FilterValue>,
}

/// A value of `where`.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterValue {
    /// A value on an axis.
    Number(Value),
    /// A word of `algorithm`, `variant` or `goal`.
    Word(String),
}

/// How the numbers of a curve are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkShape {
    /// Points with lines from one to the next, and bars.
    #[default]
    Line,
    /// Points with bars; those of one x are drawn side by side.
    Points,
    /// Small points with bars.
    Dots,
    /// Bars from the lower end of the axis, each as far as the middle between its neighbours.
    Bars,
    /// A line with a band, and a marker on every fifth.
    Band,
    /// A tile over two axes.
    Tile,
}

/// Width of a figure in print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Width {
    /// One column of a journal, 86 mm.
    Single,
    /// The page of a journal, 178 mm.
    Double,
}

fn scale<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Ok(Some(Scale::deserialize(deserializer)? == Scale::Log))
}

fn density<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    #[derive(PartialEq, Deserialize)]
    enum Right {
        #[serde(rename = "1/d")]
        Density,
        #[serde(rename = "none")]
        Nothing,
    }
    Ok(Right::deserialize(deserializer)? == Right::Density)
}

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
    let found = kind.get(key).and_then(|it| it.get_ref().as_str());
    found.unwrap_or_default()
}

/// Names and first sentences of the kinds, in their order.
pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    let kinds = KINDS.iter();
    kinds.map(|(_, keys)| (text_of(keys, "kind"), text_of(keys, "doc")))
}

/// The kind's own lines, as a spec may have them.
pub fn lines_of_kind(kind: &str) -> String {
    let mut kinds = KINDS.iter();
    let found = kinds.find(|it| text_of(&it.1, "kind") == kind);
    format!("{BEGIN}{}", found.map_or("", |it| it.0.trim_end()))
}

/// Names of the tables of measures, each with what may stand upwards and across.
pub fn tables() -> impl Iterator<Item = (&'static str, Vec<&'static str>, Vec<&'static str>)> {
    let across = |table: &MeasureTable| table.across.iter().map(|it| it.0).collect();
    let tables = TABLES.iter();
    tables.map(move |it| (it.name, measures(it), across(it)))
}

/// The measures of a table by name; those of the columns are the columns of numbers.
fn measures(table: &MeasureTable) -> Vec<&'static str> {
    let is_number = |column: &&Column| matches!(column.field, Field::Count(..));
    if table.name == COLUMNS_TABLE {
        COLUMNS.iter().filter(is_number).map(|it| it.name).collect()
    } else {
        table.measures.iter().map(|it| it.name).collect()
    }
}

/// The figures of a spec.
///
/// # Errors
/// The first that is wrong with them.
pub fn read(spec: &Spec) -> Result<Vec<Figure>, Refused> {
    read_each(spec)?.into_iter().collect()
}

/// The figures of a spec, or what is wrong with each. Where there are no sweeps, they may have any
/// axis.
///
/// # Errors
/// A text that is no TOML, and figures that are no tables.
pub fn read_each(spec: &Spec) -> Result<Vec<Result<Figure, Refused>>, Refused> {
    let source = Source::new(&spec.file, &spec.text, &[]);
    let mut names = BTreeSet::new();
    let figures = tables_of(&source, source.parse()?.get_mut(), "figure")?.into_iter();
    let figures = figures.map(|own| figure(spec, &source, own, &mut names));
    let mut figures: Vec<_> = figures.collect();
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
) -> Result<Figure, Refused> {
    let (head, mut own) = (own.span(), own.into_inner());
    let known: Vec<&str> = KEYS.iter().map(|it| it.0).collect();
    if let Some(key) = own.keys().find(|it| !known.contains(&&**it.get_ref())) {
        return Err(source.refuse(key.span(), &unknown_key(key.get_ref(), &known)));
    }
    let kinds: Vec<&str> = kinds().map(|it| it.0).collect();
    let (kind, place) = match own.get("kind").cloned() {
        Some(found) => {
            let found: Spanned<Scalar> = source.read(found)?;
            (source.word(&found, "figure kind", &kinds)?, found.span())
        }
        None => ("curve", head.clone()),
    };
    let mut known = KINDS.iter();
    let kind = known.find(|it| text_of(&it.1, "kind") == kind);
    // Nothing is wrong with a kind's values, whose places are those of another file.
    let mut whole = kind.map_or_else(DeTable::new, |it| it.1.clone());
    let title = own.get("title").and_then(|it| it.get_ref().as_bool());
    title.map(|_| own.remove("title"));
    let places = own.iter();
    let places = places.map(|(key, value)| (key.get_ref().to_string(), value.span()));
    let read = Reading {
        source,
        spec,
        own: places.collect(),
        place,
    };
    let upwards = read.upwards(&mut own, &mut whole)?;
    let keep = |found| {
        let each = items(found).into_iter();
        let each = each.map(|it| read.keep(&source.read(it)?));
        each.collect::<Result<Vec<_>, _>>()
    };
    let [kept, over] = ["where", "over"].map(|it| own.remove(it));
    let places = panel::lay_panels(own, &mut whole);
    let mut figure = Figure {
        line: source.line(head.start),
        keep: keep(kept)?,
        over: keep(over)?.pop(),
        upwards,
        conditions: spec.condition_names().unique().cloned().collect(),
        has_title: title != Some(false),
        has_own_title: read.own.contains_key("title"),
        ..source.read(Spanned::new(head.clone(), whole))?
    };
    if read.own.contains_key("where") && figure.keep.is_empty() {
        return Err(source.expected(read.at("where"), "a table such as { n = 8 }"));
    }
    read.name(&mut figure, names, &head)?;
    if figure.table.is_empty() {
        figure.table = table_of(figure.y.first()).to_owned();
    }
    read.check_words(&figure)?;
    read.check_panels(&mut figure, &places)?;
    read.check_rules(&figure)?;
    if figure.has_column_across() {
        figure.lay_column_across(read.own.contains_key("least_points"));
    }
    Ok(figure)
}

/// The first table that has the first measure of a panel, else that of columns.
fn table_of(panel: Option<&PanelChoice>) -> &'static str {
    let first = panel.and_then(|it| it.measure.as_ref().or(it.measures.first()));
    let has = |it: &MeasureTable, own: &String| measures(it).contains(&own.as_str());
    let table = first.and_then(|own| TABLES.iter().find(|it| has(it, own)));
    table.map_or(COLUMNS_TABLE, |it| it.name)
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
    /// Names the figure, in the spec's words or by its kind, and no two alike.
    fn name(
        &self,
        figure: &mut Figure,
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

    /// The axis upwards of tiles, which takes the name of their measure's key for that.
    fn upwards<'a>(
        &self,
        own: &mut DeTable<'a>,
        kind: &mut DeTable<'a>,
    ) -> Result<Option<String>, Refused> {
        let is_map = |it: &DeTable| Some(it.get("mark")?.get_ref().as_str()? == "tile");
        let has_kind = is_map(kind) == Some(true);
        let has_own = is_map(own).unwrap_or(has_kind);
        let mut axis = None;
        for (table, is_map) in [(kind, has_kind), (&mut *own, has_own)] {
            if is_map {
                axis = table.remove("y").or(axis);
                let fill = table.remove("fill");
                table.extend(fill.map(|it| (Spanned::new(it.span(), "y".into()), it)));
            }
        }
        let axis = match &items(axis)[..] {
            [axis] => axis.get_ref().as_str().map(str::to_owned),
            _ => None,
        };
        let (key, expected) = match (has_own, &axis) {
            (true, None) if self.own.contains_key("y") => ("y", "the axis upwards"),
            (true, None) => (
                "mark",
                "y, the axis upwards, and fill, a measure, beside it",
            ),
            (false, _) if own.contains_key("fill") => ("fill", "it together with mark = \"tile\""),
            _ => return Ok(axis.filter(|_| has_own)),
        };
        Err(self.source.expected(self.at(key), expected))
    }

    fn at(&self, key: &str) -> Range<usize> {
        self.own.get(key).unwrap_or(&self.place).clone()
    }

    /// The axes of the sweeps, or all there are.
    fn axes(&self) -> Vec<&'static Axis> {
        let sweeps = self.spec.sweeps.iter().flat_map(|sweep| &sweep.axes);
        let axes: Vec<&Axis> = sweeps.map(|(axis, _)| *axis).collect();
        if axes.is_empty() {
            ALGORITHMS.iter().flat_map(|it| it.axes).collect()
        } else {
            axes
        }
    }

    /// The values that are kept of axes and of words.
    fn keep(&self, found: &BTreeMap<String, Values>) -> Result<Vec<KeyFilter>, Refused> {
        let (source, axes) = (self.source, self.axes());
        let names = axes.iter().map(|axis| axis.name).unique();
        let known: Vec<&str> = names.chain(WORDS).collect();
        if let Some((key, values)) = found.iter().find(|it| !known.contains(&&**it.0)) {
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
                    words.into_iter().map(FilterValue::Word).collect()
                }
            };
            let key = key.to_owned();
            Ok(KeyFilter { key, values })
        });
        keep.collect()
    }

    /// Refuses words of the spec's own keys that name nothing, or one thing twice.
    fn check_words(&self, figure: &Figure) -> Result<(), Refused> {
        let axes: Vec<&str> = self.axes().iter().map(|axis| axis.name).unique().collect();
        let points = [&WORDS[..], &axes, &[SEED_KEY]].concat();
        let algorithms = ALGORITHMS.iter().map(|it| it.name).collect();
        let tables: Vec<&str> = TABLES.iter().map(|it| it.name).collect();
        let table = TABLES.iter().copied().filter(|it| it.name == figure.table);
        let across = table.clone().flat_map(|it| it.across).map(|it| it.0);
        let derived = super::chart::DERIVED.iter().map(|it| it.name);
        let numbers = measures(TABLES[0]);
        let is_known = |it: &&str| Formula::of(it).columns().all(|it| numbers.contains(&it));
        let formula = Some(&*figure.x).filter(is_known);
        let of_trials = table.filter(|it| it.name == COLUMNS_TABLE);
        let of_trials = of_trials.flat_map(|_| numbers.iter().copied().chain(formula));
        let beside = across.chain(derived).chain([SEED_KEY]).chain(of_trials);
        // Tiles stand over axes alone.
        let beside = beside.filter(|_| figure.upwards.is_none());
        let across: Vec<&str> = axes.iter().copied().chain(beside).collect();
        let colour = [&points[..], &LETTERS].concat();
        let words: [(&str, Vec<&String>, Vec<&str>); 10] = [
            ("also", figure.also.iter().collect(), numbers.clone()),
            ("table", vec![&figure.table], tables),
            ("x", vec![&figure.x], across),
            ("column", figure.column.iter().collect(), numbers),
            ("facet", figure.facet.iter().collect(), points.clone()),
            ("y", figure.upwards.iter().collect(), axes.clone()),
            ("vary", figure.vary.iter().collect(), axes),
            ("group", figure.group.iter().flatten().collect(), points),
            ("colour", figure.colour.iter().collect(), colour),
            ("compare", figure.compare.iter().collect(), algorithms),
        ];
        let is_meant = |key: &str| key != "y" || figure.upwards.is_some();
        for (key, found, known) in words.into_iter().filter(|it| is_meant(it.0)) {
            let unknown = found.iter().find(|it| !known.contains(&it.as_str()));
            let message = match (unknown, found.iter().duplicates().next()) {
                (Some(word), _) => {
                    let (expected, near) = (one_of(&known), did_you_mean(word, &known));
                    format!("unknown word {word:?}; expected {expected}{near}")
                }
                (None, Some(word)) => format!("{word:?} is doubled; expected each once"),
                _ if found.is_empty() => format!("expected a list of {}", known.join(", ")),
                _ => continue,
            };
            if let Some(place) = self.own.get(key) {
                return Err(self.source.refuse(place.clone(), &message));
            }
        }
        Ok(())
    }
}

impl Figure {
    /// True if a column of trials, or what is made of one, stands across.
    pub fn has_column_across(&self) -> bool {
        let is_number = |it: &str| COLUMNS.iter().any(|own| own.name == it);
        self.table == COLUMNS_TABLE && Formula::of(&self.x).columns().all(is_number)
    }

    /// Fills in what it has by default where a column stands across, which gives points no order.
    fn lay_column_across(&mut self, has_least_points: bool) {
        let keys = WORDS.map(str::to_owned).into_iter();
        let keys = keys.chain(self.colour.clone()).unique();
        self.group.get_or_insert_with(|| keys.collect());
        self.x = Formula::of(&self.x).to_string();
        if self.mark == MarkShape::Line {
            self.mark = MarkShape::Points;
        }
        if !has_least_points {
            self.least_points = 1;
        }
    }

    /// True if each mark is a trial.
    pub fn draws_trials(&self) -> bool {
        self.mark == MarkShape::Dots && self.has_column_across()
    }

    /// True if the trials of each seed are points of their own.
    pub fn is_by_seed(&self) -> bool {
        let keys = self.facet.iter().chain(&self.colour).chain([&self.x]);
        let mut keys = keys.chain(self.group.iter().flatten());
        keys.any(|key| key == SEED_KEY)
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
