//! From the text of a spec to the spec, or to its first error.

use std::io::{ErrorKind, Read};
use std::path::Path;

use itertools::Itertools;

use super::conditions::{Conditions, conditions};
use super::figure::{self, FigureKinds};
use super::number::range_in;
use super::tree::{Entry, Source, SpecTable, each_once};
use super::{Refused, Spec, Sweep, certain, name, set, sweep};
use crate::solver::DynamicsChoice;

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

/// What the text of a spec runs: the keys of the plan alone are read, as the spec that a run has
/// kept may have others of another version.
///
/// # Errors
/// As [`parse`], of these keys.
pub fn parse_plan(name: &str, file_label: &str, text: &str) -> Result<Spec, Refused> {
    read_tree(name, &Source::new(file_label, text), None)
}

/// What figures show of the run that has kept this spec: its title and the figures that can be
/// read, and what is wrong with the others. A plan that cannot be read has no sweeps here.
///
/// # Errors
/// A text that is no TOML.
pub fn parse_shown(
    name: &str,
    file_label: &str,
    text: &str,
    figure_kinds: &FigureKinds,
) -> Result<(Spec, Vec<Refused>), Refused> {
    let source = Source::new(file_label, text);
    let mut tree = source.parse()?;
    // What it changes of sweeps is read below, with its errors.
    let _ = set::apply(&source, tree.get_mut(), true);
    let root = SpecTable::root(&source, tree.get_ref());
    let unread = || Spec {
        name: name.to_owned(),
        file: file_label.to_owned(),
        text: text.to_owned(),
        is_kept: true,
        ..Spec::default()
    };
    let mut spec = read_tree(name, &source, None).unwrap_or_else(|_| unread());
    spec.title = root.optional("title", line_of_text).ok().flatten();
    let figures = figure::read(&root, name, &spec.sweeps, figure_kinds);
    let figures = figures.unwrap_or_else(|error| vec![Err(error)]);
    let (figures, unread) = figures.into_iter().partition_result();
    spec.figures = figures;
    spec.finish_figures();
    Ok((spec, unread))
}

/// Points that a spec may spell out, counted before overlapping sweeps are joined.
pub const MAX_POINTS: u64 = 100_000;

const MAX_SEEDS: usize = 1000;

/// Runs of a trial that is timed.
pub const MAX_REPEATS: u32 = 1000;

/// Bytes that a spec's file may have.
pub const MAX_BYTES: u64 = 1 << 20;

/// The keys of a spec that stand before its tables.
pub const KEYS: [&str; 10] = [
    "title", "source", "group", "rank", "finding", "only", "quick", "dynamics", "seed", "seeds",
];

/// The keys and tables that say what is run.
const OF_THE_PLAN: [&str; 8] = [
    "seed", "seeds", "defaults", "sweep", "only", "quick", "dynamics", "set",
];

/// The names of its tables.
const TABLES: [&str; 4] = ["sweep", "figure", "defaults", "set"];

pub(super) fn read_tree(
    name: &str,
    source: &Source,
    figure_kinds: Option<&FigureKinds>,
) -> Result<Spec, Refused> {
    let (file, text) = source.names();
    name::check_experiment(name).map_err(|reason| Refused::of_file(file, reason))?;
    let mut tree = source.parse()?;
    set::apply(source, tree.get_mut(), figure_kinds.is_none())?;
    if figure_kinds.is_none() {
        let keys = tree.get_ref().keys().map(|key| key.get_ref().to_string());
        let others: Vec<String> = keys.filter(|it| !OF_THE_PLAN.contains(&&**it)).collect();
        others
            .iter()
            .for_each(|it| drop(tree.get_mut().remove(&**it)));
    }
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
        finding: line_of_text("finding")?,
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
        is_kept: figure_kinds.is_none(),
    };
    certain::check_names(file, &spec.sweeps)?;
    if let Some(kinds) = figure_kinds {
        let figures = figure::read(&root, name, &spec.sweeps, kinds)?.into_iter();
        spec.figures = figures.collect::<Result<_, _>>()?;
        spec.finish_figures();
    }
    Ok(spec)
}

fn read_text(path: &Path) -> Result<String, String> {
    let told = |error: std::io::Error| {
        let renamed = path.with_extension("toml.txt");
        match renamed.is_file() && error.kind() == ErrorKind::NotFound {
            true => format!("{error}; there is {}", renamed.display()),
            false => error.to_string(),
        }
    };
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
            let allowed = format!("seed, {SEED}, or seeds, several of them");
            Err(root.missing("seed", &allowed))
        }
    }
}

const SEED: &str = "an integer from 0 to 18446744073709551615";

fn several_seeds(entry: &Entry) -> Result<Vec<u64>, Refused> {
    let allowed =
        || format!("a list of 1 to {MAX_SEEDS} seeds, each {SEED}, or a range as \"1..8\"");
    if let Some([from, to]) = entry.text("").ok().and_then(range_in) {
        let ends = u64::try_from(from).ok().zip(u64::try_from(to).ok());
        // Counted before they are spelled out.
        let is_short = |(from, to): &(u64, u64)| from <= to && to - from < MAX_SEEDS as u64;
        let ends = ends
            .filter(is_short)
            .ok_or_else(|| entry.refuse(&allowed()))?;
        return Ok((ends.0..=ends.1).collect());
    }
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
