//! `experiments/<name>.toml` → [`Spec`]: parsed to a tree with spans, then validated by hand
//! against the axes that each algorithm declares.
//!
//! A spec that passes is right in every value; one that does not gives its first error, with file,
//! line, key, value and what is expected. Nothing is expanded before its size is known to be
//! bearable, so that no number in a file can ask for absurd amounts of memory.

mod certain;
mod conditions;
mod course;
mod error;
mod figure;
mod formula;
mod name;
pub(crate) mod number;
mod range;
mod set;
mod sweep;
mod tree;
mod variant;

pub use conditions::{Conditions, SIGNS, conditions};
pub use course::Recorded;
pub use error::{Refused, did_you_mean, one_of};
pub use figure::{
    By, CENSORED, COLUMNS_TABLE, Choices, FigureKinds, FigureSpec, Fitting, Formula,
    KEYS as FIGURE_KEYS, Keep, Kept, LETTERS, Law, LegendPlace, MarkShape, MeasureNames,
    PanelChoice, SEED_KEY, ShadedRange, Statistic, Width,
};
pub use name::{RESERVED, changed};
pub use set::Setting;
pub use variant::SweptVariants;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use itertools::Itertools;

use crate::solver::goal::Goal;
use crate::solver::{Algorithm, Axis, DynamicsChoice, Point, Value};
use tree::{Entry, Source, SpecTable, each_once};

/// Points that a spec may spell out, counted before overlapping sweeps are joined.
pub const MAX_POINTS: u64 = 100_000;

pub(crate) const MAX_SEEDS: usize = 1000;

/// Bytes that a spec's file may have.
pub const MAX_BYTES: u64 = 1 << 20;

/// A validated experiment.
#[derive(Clone)]
pub struct Spec {
    /// Stem of the file.
    pub name: String,
    /// The file as messages name it.
    pub file: String,
    /// What the experiment shows, in a line.
    pub title: Option<String>,
    /// The figure or passage of a text that it comes from.
    pub source: Option<String>,
    /// Heading on the page under which it stands.
    pub group: Option<String>,
    /// The rank on the page: experiments of least rank come first.
    pub rank: Option<u64>,
    /// What it finds, a template whose numbers are looked up in its figures' tables, and the line
    /// of the file where it stands.
    pub finding: Option<(String, usize)>,
    /// Independent repetitions, pooled; sorted, without duplicates, never empty.
    pub seeds: Vec<u64>,
    /// The sweeps in the order of the file.
    pub sweeps: Vec<Sweep>,
    /// The conditions of the points that are run; all points are run if there are none.
    pub only: Option<Conditions>,
    /// What errors of these begin with: their place in the file, or their option.
    pub only_place: Option<Refused>,
    /// True if only the first five trials of each point and seed are run.
    pub quick: bool,
    /// How the points are simulated.
    pub dynamics: DynamicsChoice,
    /// The figures in the order of the file.
    pub figures: Vec<FigureSpec>,
    /// The file as read, kept beside the results.
    pub text: String,
}

/// A product of axes with one number of trials and one cutoff.
#[derive(Clone)]
pub struct Sweep {
    /// Line of `[[sweep]]` in the file, from 1.
    pub line: usize,
    /// What is run.
    pub algorithm: &'static Algorithm,
    /// The variants of the algorithm that are swept.
    pub variants: SweptVariants,
    /// The axes in the order of the algorithm; values ascending, without duplicates, never empty.
    pub axes: Vec<(&'static Axis, Vec<Value>)>,
    /// What a search is for; `None` where the algorithm has no goals.
    pub goal: Option<Goal>,
    /// Under each seed: one number, or one for each n of the axis.
    pub trials: Vec<u32>,
    /// Updates per trial, or checks or nodes of a search.
    pub cutoff: u64,
    /// Runs of each trial of a search, with nothing beside them; `None`: one, beside others.
    pub repeats: Option<u32>,
    /// What its trials write down of their course.
    pub recorded: Recorded,
}

impl Spec {
    /// One line for each sweep with combinations of choices that cannot be.
    pub fn left_out(&self) -> Vec<String> {
        self.sweeps
            .iter()
            .filter_map(Sweep::left_out)
            .dedup()
            .collect()
    }

    /// The spec with keys that a command changes; an error names the option.
    ///
    /// # Errors
    /// As [`parse`].
    pub fn with(&self, settings: &[Setting], figure_kinds: &FigureKinds) -> Result<Self, Refused> {
        if settings.is_empty() {
            return Ok(self.clone());
        }
        let name = set::name_of(&self.name, settings);
        let (text, options) = set::text(&self.text, settings);
        let source = Source::with_options(&self.file, &text, &options);
        read_tree(&name, &source, Some(figure_kinds))
    }

    /// The names of the conditions of its sweeps, each with its condition.
    pub fn condition_names(&self) -> impl Iterator<Item = &(String, String)> + Clone {
        self.sweeps.iter().flat_map(|it| &it.variants.names)
    }

    /// Refuses one name of two conditions, and two names of one.
    fn check_condition_names(&self) -> Result<(), Refused> {
        for (at, sweep) in self.sweeps.iter().enumerate() {
            let earlier = self.sweeps[..at].iter().flat_map(|it| &it.variants.names);
            for ((name, condition), (other_name, other)) in
                sweep.variants.names.iter().cartesian_product(earlier)
            {
                if (name == other_name) != (condition == other) {
                    let reason = match name == other_name {
                        true => format!("certain.{name} names two conditions"),
                        false => {
                            format!("certain.{name} and certain.{other_name} are one condition")
                        }
                    };
                    let expected = "expected one name for each condition";
                    let reason = format!("{reason}; {expected}");
                    return Err(Refused::of_line(&self.file, sweep.line, reason));
                }
            }
        }
        Ok(())
    }

    /// An error of its conditions.
    pub(super) fn wrong_only(&self, reason: &str) -> Refused {
        let place = self.only_place.clone();
        place
            .unwrap_or_else(|| Refused::of_file(&self.file, ""))
            .and(reason)
    }

    /// The error where none of its points meets the conditions.
    pub(super) fn no_point(&self) -> Refused {
        let values: Vec<String> = self.sweeps.iter().map(Sweep::values).collect();
        self.wrong_only(&format!("no such point; there are {}", values.join("; ")))
    }
}

impl Sweep {
    /// Trials of one of its points under each seed; one where nothing is drawn at random, whatever
    /// other variants have.
    pub(super) fn trials_at(&self, point: &Point) -> u32 {
        if !self.algorithm.is_random(&point.variant) {
            return 1;
        }
        let of_axis = self.axes.iter().find(|(axis, _)| axis.name == "n");
        let index = of_axis.and_then(|(_, sizes)| {
            sizes
                .iter()
                .position(|it| Some(it) == point.axes.get("n").as_ref())
        });
        self.trials[index.filter(|_| self.trials.len() > 1).unwrap_or(0)]
    }

    /// Points of the product, at most `u64::MAX`: for each variant over the axes that it has.
    pub fn size(&self) -> u64 {
        let of = |variant: &String| {
            let has = |axis: &Axis| self.algorithm.has_axis(variant, axis.name);
            let axes = self.axes.iter().filter(|(axis, _)| has(axis));
            axes.map(|(_, values)| values.len() as u64)
                .fold(1, u64::saturating_mul)
        };
        self.variants.of.iter().map(of).fold(0, u64::saturating_add)
    }

    /// `pair n=4, 5 epsilon=0.05`; of many values the ends.
    fn values(&self) -> String {
        const MOST: usize = 10;
        let mut words = self.algorithm.name.to_owned();
        for (axis, values) in &self.axes {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            let values = match &values[..] {
                [first, .., last] if values.len() > MOST => format!("{first} to {last}"),
                all => all.join(", "),
            };
            words += &format!(" {}={values}", axis.name);
        }
        words
    }

    /// One line on the combinations that cannot be, if there are any.
    fn left_out(&self) -> Option<String> {
        let SweptVariants {
            of,
            impossible,
            reason,
            ..
        } = &self.variants;
        let reason = reason.as_ref()?;
        Some(format!(
            "line {}: {impossible} of {} combinations cannot be and are left out, such as: {reason}",
            self.line,
            impossible + of.len()
        ))
    }
}

/// Reads the spec in `path`, of the name of the file's stem and with figures of these kinds.
///
/// # Errors
/// A file that cannot be read, is larger than [`MAX_BYTES`], no UTF-8, or no valid spec.
pub fn read(path: &Path, figure_kinds: &FigureKinds) -> Result<Spec, Refused> {
    let file = path.display().to_string();
    let text = read_text(path).map_err(|reason| Refused::of_file(&file, reason))?;
    let name = path.file_stem().and_then(|stem| stem.to_str());
    parse(name.unwrap_or_default(), &file, &text, figure_kinds)
}

/// Validates the text of a spec; `file_label` is what messages call its file.
///
/// # Errors
/// The first that is wrong with it.
pub fn parse(
    name: &str,
    file_label: &str,
    text: &str,
    figure_kinds: &FigureKinds,
) -> Result<Spec, Refused> {
    read_tree(name, &Source::new(file_label, text), Some(figure_kinds))
}

/// What the text of a spec runs, without its figures, which another version may have written.
///
/// # Errors
/// As [`parse`], but for the figures.
pub fn parse_without_figures(name: &str, file_label: &str, text: &str) -> Result<Spec, Refused> {
    read_tree(name, &Source::new(file_label, text), None)
}

/// The keys of a spec that stand before its tables.
pub const KEYS: [&str; 10] = [
    "title", "source", "group", "rank", "finding", "only", "quick", "dynamics", "seed", "seeds",
];

/// The names of its tables.
const TABLES: [&str; 4] = ["sweep", "figure", "defaults", "set"];

fn read_tree(
    name: &str,
    source: &Source,
    figure_kinds: Option<&FigureKinds>,
) -> Result<Spec, Refused> {
    let (file, text) = source.names();
    name::check_experiment(name).map_err(|reason| Refused::of_file(file, reason))?;
    let mut tree = source.parse()?;
    set::apply(source, tree.get_mut())?;
    let root = SpecTable::root(source, tree.get_ref());
    root.only(&[&KEYS[..], &TABLES].concat())?;
    let only = root.optional("only", |it| only(&it))?;
    let line_of_text = |key| root.optional(key, line_of_text);
    let mut spec = Spec {
        name: name.to_owned(),
        file: file.to_owned(),
        title: line_of_text("title")?,
        source: line_of_text("source")?,
        group: line_of_text("group")?,
        rank: root.optional("rank", rank)?,
        finding: root.optional("finding", |it| {
            Ok((self::line_of_text(it.clone())?, it.line()))
        })?,
        only_place: only.as_ref().map(|it| it.1.clone()),
        only: only.map(|it| it.0),
        quick: root
            .optional("quick", |it| it.boolean("true or false"))?
            .unwrap_or_default(),
        dynamics: root.optional("dynamics", dynamics)?.unwrap_or_default(),
        seeds: seeds(&root)?,
        sweeps: sweeps(&root)?,
        figures: Vec::new(),
        text: text.to_owned(),
    };
    spec.check_condition_names()?;
    if let Some(kinds) = figure_kinds {
        spec.figures = figure::read(&root, name, &spec.sweeps, kinds)?;
        for figure in &mut spec.figures {
            let names = spec.sweeps.iter().flat_map(|it| &it.variants.names);
            figure.choices.conditions = names.unique().cloned().collect();
        }
        if let ([figure], Some(title)) = (&mut spec.figures[..], &spec.title) {
            figure.choices.title_of_experiment(title);
        }
    }
    Ok(spec)
}

/// The specs that would write to the same place as one before them: two experiments of one name,
/// or two figures of one name. Upper and lower case count as one, since some file systems hold them
/// for one. Each names the later file and the earlier one.
pub fn shared_names(specs: &[Spec]) -> Vec<Refused> {
    let (mut experiments, mut figures) = (BTreeMap::new(), BTreeMap::new());
    let mut shared = Vec::new();
    for spec in specs {
        let mut refuse = |other: &String, what: &str, name: &str| {
            let reason = format!("{other} has {what} name {name:?}; expected a name of its own");
            shared.push(Refused::of_file(&spec.file, reason));
        };
        if let Some(other) = experiments.insert(spec.name.to_lowercase(), &spec.file) {
            refuse(other, "the same experiment", &spec.name);
            continue;
        }
        for figure in &spec.figures {
            if let Some(other) = figures.insert(figure.name.to_lowercase(), &spec.file) {
                refuse(other, "a figure of the same", &figure.name);
            }
        }
    }
    shared
}

fn read_text(path: &Path) -> Result<String, String> {
    let told = |error: std::io::Error| error.to_string();
    if path.metadata().map_err(told)?.is_dir() {
        return Err("it is a folder; expected a TOML file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(told)?;
    let read = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(told)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!(
            "it is larger than {MAX_BYTES} bytes; expected a short TOML file"
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let lines: Vec<&[u8]> = before.split(|&byte| byte == b'\n').collect();
        let (line, byte) = (lines.len(), lines.last().map_or(0, |last| last.len()) + 1);
        format!("not UTF-8: byte {byte} of line {line}; expected a TOML file")
    })
}

fn line_of_text(entry: Entry) -> Result<String, Refused> {
    let text = entry.text("a text without control characters");
    text.map(str::to_owned)
}

/// The place on the page.
fn rank(entry: Entry) -> Result<u64, Refused> {
    const MOST: u64 = 1000;
    entry.integer(1, MOST, &format!("an integer from 1 to {MOST}"))
}

/// The conditions of `only`, a text or a list of texts which all must hold, and what errors of the
/// last one begin with.
fn only(entry: &Entry) -> Result<(Conditions, Refused), Refused> {
    const ALLOWED: &str = "a text as 'algorithm=pair,n<=9'";
    let mut all: Option<(Conditions, Refused)> = None;
    for item in entry.items(ALLOWED)? {
        let own = conditions(item.text(ALLOWED)?).map_err(|reason| item.error(&reason))?;
        let before = all.as_ref().map(|it| &it.0);
        all = Some((own.and(before), item.error("")));
    }
    all.ok_or_else(|| entry.refuse(ALLOWED))
}

fn dynamics(entry: Entry) -> Result<DynamicsChoice, Refused> {
    let word = entry.word("dynamics", &DynamicsChoice::ALL.map(DynamicsChoice::name))?;
    let choice = DynamicsChoice::ALL.into_iter().find(|it| it.name() == word);
    Ok(choice.unwrap_or_default())
}

fn seeds(root: &SpecTable) -> Result<Vec<u64>, Refused> {
    match (root.get("seed"), root.get("seeds")) {
        (Some(seed), None) => Ok(vec![seed.integer(0, u64::MAX, SEED)?]),
        (None, Some(seeds)) => several_seeds(&seeds),
        (Some(_), Some(seeds)) => {
            Err(seeds.error("seed stands beside it; expected one of the two"))
        }
        (None, None) => {
            let allowed = format!("seed, {SEED}, or seeds, a list of them");
            Err(root.missing("seed", &allowed))
        }
    }
}

const SEED: &str = "an integer from 0 to 18446744073709551615";

fn several_seeds(entry: &Entry) -> Result<Vec<u64>, Refused> {
    let allowed = || format!("a list of 1 to {MAX_SEEDS} seeds, each {SEED}");
    let items = entry
        .list()
        .filter(|it| (1..=MAX_SEEDS).contains(&it.len()))
        .ok_or_else(|| entry.refuse(&allowed()))?;
    let mut seeds = each_once(&items, "seed", |item| item.integer(0, u64::MAX, SEED))?;
    seeds.sort_unstable();
    Ok(seeds)
}

fn sweeps(root: &SpecTable) -> Result<Vec<Sweep>, Refused> {
    let tables = root.tables("sweep")?;
    if tables.is_empty() {
        return Err(root.missing("sweep", "at least one [[sweep]]"));
    }
    let (mut sweeps, mut points) = (Vec::new(), 0u64);
    for table in tables {
        sweeps.extend(sweep::read(&table, &mut points)?);
    }
    Ok(sweeps)
}
