//! The keys of a `[[figure]]`: one table, from which specs, kinds and docs/spec.md have them.

mod panels;
mod points;
mod rules;

use std::collections::BTreeSet;

use itertools::Itertools;

use self::panels::{change_panels, read_panels};
use self::points::{either, keep};
use super::{
    Choices, FigureKinds, FigureSpec, LETTERS, Law, MarkShape, PanelChoice, SEED_KEY, Statistic,
    Width,
};
use crate::experiment::spec::tree::{Entry, SpecTable, each_once};
use crate::experiment::spec::{Refused, Sweep, name};
use crate::solver::point::WORDS;
use crate::solver::{ALGORITHMS, Axis};

/// A key of a `[[figure]]`.
pub struct FigureKey {
    /// The name of the key.
    pub name: &'static str,
    /// What it does, as docs/spec.md says it.
    pub doc: &'static str,
    read: fn(&mut Choices, &Entry, &Reader) -> Result<(), Refused>,
}

/// A table of keys: what docs/spec.md says of each, its name, and what is done with its entry.
macro_rules! keys {
    ($it:ident, $entry:ident, $reader:ident;
     $($(#[doc = $doc:literal])* $name:literal => $read:expr;)*) => {
        &[$(FigureKey {
            name: $name,
            doc: concat!($($doc),*),
            read: |$it, $entry, $reader| {
                let _ = (&$it, &$entry, &$reader);
                $read;
                Ok(())
            },
        }),*]
    };
}

/// Every key, in the order in which they are read: `y` after what its panels start from.
pub const KEYS: &[FigureKey] = keys! { it, entry, reader;
    /// the kind of figure that it starts from, by default `"curve"`
    "kind" => {};
    /// stem of the files, by default `<experiment>-<kind>`
    "name" => {};
    /// only points that match: a table with values of axes (a value, a list or a range),
    /// `algorithm`, `variant`, `goal` (a text or a list); or a list of such tables, of which a
    /// point matches one. The kind's own `where` applies, too
    "where" => {
        let alternatives = either(entry, reader.axes)?;
        match reader.is_own {
            true => it.keep = alternatives,
            // The points that the kind is about.
            false => it.wanted = alternatives,
        }
    };
    /// the table whose columns are the measures (`reines list figures` names them); by default the
    /// kind's, else the first one with the measure. `columns` has those of `trials.parquet`; a mean
    /// with censored trials is drawn there as a lower bound
    "table" => {
        let known: Vec<&str> = reader.kinds.tables.iter().map(|it| it.table).collect();
        it.table = entry.word("table of measures", &known)?.to_owned();
    };
    /// what stands across: an axis of the sweeps; `"permutations_per_solution"`, n!/S(n); or a
    /// measure of the table (`"update"` of `series`, `"time"` or `"time_in_means"` of
    /// `distribution`); by default `"n"`
    "x" => {
        let of_table = reader.kinds.tables.iter().find(|of| of.table == it.table);
        let across = of_table.map_or(&[][..], |it| &it.across);
        let names = [&reader.names_of_axes()[..], across, &reader.kinds.derived].concat();
        it.x = entry.word("axis of these sweeps", &names)?.to_owned();
    };
    /// `"linear"` or `"log"`; by default as `x` suggests
    "x_scale" => it.x_is_logarithmic = Some(entry.word("scale", SCALES)? == "log");
    /// the title of the axis across
    "x_title" => it.x_title = Some(text(entry)?);
    /// of the table `columns`: `"mean"` (the default), `"median"`, another quantile (`"q05"`,
    /// `"q25"`, `"q75"`, `"q95"`), or `"share"`, the share of trials with a value in the column;
    /// with `y = ["censored"]` the share of those that were cut off
    "statistic" => {
        let known = ["mean", "median", "q05", "q25", "q75", "q95", "share"];
        it.statistic = match Statistic::named(entry.text("a text")?) {
            Some(statistic) => statistic,
            None => return entry.word("statistic", &known).map(|_| ()),
        };
    };
    /// `"linear"` or `"log"`; by default logarithmic unless a mean is 0 or an interval
    /// reaches below 0
    "y_scale" => change_panels(it, entry, reader)?;
    /// the title of the upright axis
    "y_title" => change_panels(it, entry, reader)?;
    /// `[low, high]`: the ends of the upright axis; points beyond them are left out
    "y_range" => change_panels(it, entry, reader)?;
    /// the height of a panel in 1/2400 of the width
    "height" => change_panels(it, entry, reader)?;
    /// `[below, above]`: margins below and above the curves, in lengths of the axis
    "room" => change_panels(it, entry, reader)?;
    /// `"exponential"` (ln y = a + b x) or `"power"` (ln y = a + b ln x) through the points without
    /// censored trials; by default `"none"`. With fewer than 4 points, or an interval wider than a
    /// factor of 10, nothing is fitted. As a table it has `law`, `y` (another measure to fit),
    /// `from`, `row` (its name in the table) and `drawn` (`true`: even if the points reject the
    /// law)
    "fit" => change_panels(it, entry, reader)?;
    /// a dotted line of known growth: `{ growth = 2.57 }`, this factor for each unit of `x`, or `{
    /// power = -1 }`, through `at = [x, y]` or the middle of the first curve; or a list of such
    /// lines
    "guide" => change_panels(it, entry, reader)?;
    /// a list of measures, a panel for each. The table `columns` also has `"moves / updates"` (the
    /// sums over all trials, divided) and `"absorption_time / n^3"` (also `n`, `(sites * n)`, sites
    /// being the pairs or cells that an update draws from, and `(1/d)`, d the
    /// [density](rules.md#density-of-solutions)). A measure may be a table: `measure` (or
    /// `measures`, which share a panel), `heading` (what stands above), `level` (a dashed line),
    /// and `y_scale`, `y_title`, `y_range`, `height`, `room`, `fit`, `guide` of this panel alone. A
    /// missing key is taken from the kind's panel of this measure, else from its first panel
    "y" => read_panels(it, entry, reader)?;
    /// the least `x` that is fitted; in kinds with a fit of their own, that of the power law
    "fit_from" => it.fit_from = Some(entry.real(|_| true, "a number")?);
    /// the keys in which curves differ: a list of axes, `algorithm`, `variant`, `goal`, `seed`; by
    /// default all but `x`. The axis of `facet` is always one of them. Two points of a curve at one
    /// `x`, and a curve of one point, are errors
    "group" => it.group = Some(words_once(entry, "key of the points", &reader.keys())?);
    /// an axis, or `"seed"`: the first panel is drawn once for each of its values, two side by side
    /// where there is room
    "facet" => {
        let known = [&reader.names_of_axes()[..], &[SEED_KEY]].concat();
        it.facet = Some(entry.word("axis of these sweeps", &known)?.to_owned());
    };
    /// `false`: each panel of a facet has its own upright axis
    "share_y" => it.shares_y = entry.boolean("true or false")?;
    /// a key whose values give curves their colours: an axis, `algorithm`, `variant` or its second
    /// letter `variant[2]`, `goal`, `seed`. If a figure has `"seed"` here, in `group` or `facet`,
    /// the trials of each seed are points of their own
    "colour" => {
        let known = [&reader.keys()[..], &LETTERS].concat();
        it.colour = Some(entry.word("key of the points", &known)?.to_owned());
    };
    /// the points of one curve, as in `where`, by which every other curve is divided: `{ algorithm
    /// = "cell" }` divides the pair rule's means by the cell rule's
    "over" => it.over = Some(keep(entry, reader.axes)?);
    /// axes on which the points of a curve may differ beside `x`; of several points at one `x` the
    /// fastest is drawn. In a map: the axis upwards
    "vary" => it.vary = words_once(entry, "axis", &reader.names_of_axes())?;
    /// `"line"`, `"points"`, `"dots"`, `"band"`; `"bars"` of the table `distribution`, `"tile"` of
    /// `map`
    "mark" => it.mark = choice(entry, "mark", MarkShape::NAMES)?;
    /// `true`: marks the least mean time of each curve, and where its best `x` lies
    "mark_best" => it.marks_best = entry.boolean("true or false")?;
    /// `"1/d"`: random starts per solved start, against n, on the same logarithmic scale; `"none"`
    /// leaves out the right axis of a kind
    "right_axis" => it.has_density = entry.word("axis", &["1/d", "none"])? == "1/d";
    /// `"single"` (86 mm) or `"double"` (178 mm), the columns of a journal. Text is then at least 6
    /// pt, and the figure at most 230 mm high; `check` says if this is impossible
    "width" => it.width = Some(choice(entry, "width", Width::NAMES)?);
    /// a text in place of the kind's title, in which `{y}` and `{x}` stand for what is shown;
    /// `false` leaves the title out
    "title" => {
        let allowed = "true, false or a text";
        match entry.boolean(allowed) {
            Ok(has_title) => it.has_no_title = !has_title,
            Err(_) => {
                it.title = entry.text(allowed)?.to_owned();
                it.has_own_title = reader.is_own;
            }
        }
    };
    /// the caption's first sentence; `{y}`, `{x}` and `{axis}` are filled in
    "caption" => it.caption = text(entry)?;
    /// names of curves in the legend, from the present name to the new one: `{ "pair rule" = "two
    /// cells" }`
    "names" => {
        let refused = || entry.refuse("a table such as { \"pair rule\" = \"two cells\" }");
        let table = entry.table().ok_or_else(refused)?;
        let names = table.entries().into_iter();
        let names = names.map(|(curve, name)| Ok((curve.to_owned(), text(&name)?)));
        it.names = names.collect::<Result<_, Refused>>()?;
    };
    /// the least number of points of a curve (2)
    "least_points" => it.least_points = count(entry)?;
    /// the greatest number of curves of a panel (10): others are in the table only
    "most_curves" => it.most_curves = count(entry)?;
    /// algorithms that need a curve each
    "compare" => {
        let algorithms: Vec<&str> = ALGORITHMS.iter().map(|it| it.name).collect();
        it.compare = words_once(entry, "algorithm", &algorithms)?;
    };
    /// the message if the figure cannot be drawn; `{y}`, `{x}` and `{axis}` are filled in
    "nothing" => it.nothing = text(entry)?;
    /// of a kind: what `reines list figures` says of it
    "doc" => { text(entry)?; };
};

/// What the entries of a table may name.
struct Reader<'t> {
    /// The axes of the sweeps; in a kind all there are.
    axes: &'t [&'static Axis],
    kinds: &'t FigureKinds,
    /// True for the table of a spec, false for that of a kind.
    is_own: bool,
}

impl Reader<'_> {
    fn names_of_axes(&self) -> Vec<&'static str> {
        self.axes.iter().map(|axis| axis.name).unique().collect()
    }

    /// The keys of points.
    fn keys(&self) -> Vec<&'static str> {
        [&WORDS[..], &self.names_of_axes(), &[SEED_KEY]].concat()
    }

    /// What the table says, in place of what was said before.
    fn read(&self, choices: &mut Choices, table: &SpecTable) -> Result<(), Refused> {
        for key in KEYS {
            if let Some(entry) = table.get(key.name) {
                (key.read)(choices, &entry, self)?;
            }
        }
        Ok(())
    }
}

/// The figures of a spec, or what is wrong with each; one without a name is called after
/// `experiment` and its kind. Where there are no sweeps, they may have any axis.
pub fn read(
    root: &SpecTable,
    experiment: &str,
    sweeps: &[Sweep],
    kinds: &FigureKinds,
) -> Result<Vec<Result<FigureSpec, Refused>>, Refused> {
    let all: Vec<&Axis> = ALGORITHMS.iter().flat_map(|it| it.axes).collect();
    let axes = sweeps.iter().flat_map(|sweep| &sweep.axes);
    let axes: Vec<&Axis> = match sweeps {
        [] => all.clone(),
        _ => axes.map(|(axis, _)| *axis).collect(),
    };
    let reader = |axes, is_own| Reader {
        axes,
        kinds,
        is_own,
    };
    let mut names = BTreeSet::new();
    kinds.with_presets(|presets| {
        let known = presets
            .iter()
            .map(|it| it.require("kind", "a kind")?.text(""))
            .collect::<Result<Vec<_>, _>>()?;
        let figures = root.tables("figure")?.into_iter().map(|own| {
            let keys: Vec<&str> = KEYS.iter().map(|it| it.name).collect();
            own.only(&keys)?;
            let kind = own.optional("kind", |it| it.word("figure kind", &known))?;
            let kind = kind.unwrap_or("curve");
            let name = name(&own, experiment, kind, &mut names)?;
            let mut choices = Choices::default();
            let preset = presets.iter().zip(&known).find(|it| *it.1 == kind);
            if let Some((preset, _)) = preset {
                reader(&all, false).read(&mut choices, preset)?;
            }
            let has_table = preset.is_some_and(|it| it.0.get("table").is_some());
            if let Some(measure) = own.get("y").filter(|_| !has_table) {
                choices.table = kinds.table_of(&measure).to_owned();
            }
            choices.base = PanelChoice::default();
            reader(&axes, true).read(&mut choices, &own)?;
            choices.base = PanelChoice::default();
            fit_from(&own, &mut choices);
            rules::refuse_together(&own, &choices, kinds)?;
            Ok(FigureSpec {
                kind: kind.to_owned(),
                name,
                line: own.line(),
                choices,
            })
        });
        Ok(figures.collect())
    })
}

/// The least place that the figure's own law is fitted from; in a kind, its power law.
fn fit_from(own: &SpecTable, choices: &mut Choices) {
    let has_own = own.get("fit").is_some();
    let fits = choices.y.iter_mut().filter_map(|it| it.fit.as_mut());
    for fit in fits.filter(|fit| has_own || fit.law == Law::Power) {
        fit.from = fit.from.or(choices.fit_from);
    }
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
        Some(entry) => text(entry)?,
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

const SCALES: &[&str] = &["linear", "log"];

fn text(entry: &Entry) -> Result<String, Refused> {
    Ok(entry.text("a text")?.to_owned())
}

fn count(entry: &Entry) -> Result<usize, Refused> {
    let most = 1_000_000;
    Ok(entry.integer(1, most, &format!("an integer from 1 to {most}"))? as usize)
}

/// One of these words, by what stands beside it.
fn choice<T: Copy>(entry: &Entry, what: &str, choices: &[(&str, T)]) -> Result<T, Refused> {
    let words: Vec<&str> = choices.iter().map(|it| it.0).collect();
    let word = entry.word(what, &words)?;
    let found = choices.iter().find(|it| it.0 == word);
    Ok(found.expect("one of these words").1)
}

/// A list of known words, each once.
fn words_once(entry: &Entry, what: &str, known: &[&str]) -> Result<Vec<String>, Refused> {
    let allowed = format!("a list of {}", known.join(", "));
    let items = entry.list().filter(|items| !items.is_empty());
    let items = items.ok_or_else(|| entry.refuse(&allowed))?;
    each_once(&items, what, |item| Ok(item.word(what, known)?.to_owned()))
}
