//! From the text of a spec to the spec, or to its first error. Here are the keys before the tables
//! (title, source, group, rank, finding, seed, seeds, only, quick, dynamics), what each may be (a
//! rank is from 1 to 1000), and the greatest sizes: a file of 1 MiB, 100 000 points, 1000 repeats.

use std::io::{ErrorKind, Read};
use std::path::Path;

use itertools::Itertools;
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;
use toml::de::DeValue;

use super::conditions::{Conditions, conditions};
use super::number::MOST_INTEGER;
use super::range::AllowedValues;
use super::set::SpecParts;
use super::source::Source;
use super::values::{Scalar, Values};
use super::{Refused, Spec, name, variant};
use crate::experiment::program::Programs;
use crate::solver::{Domain, DynamicsChoice, Value};

/// Reads the spec in `path`, of the name of the file's stem.
///
/// # Errors
/// A file that cannot be read, is larger than [`MAX_BYTES`], no UTF-8, or no valid spec.
pub fn read(path: &Path) -> Result<Spec, Refused> {
    let file = path.display().to_string();
    let text = read_text(path).map_err(|reason| Refused::of_file(&file, reason))?;
    let name = path.file_stem().and_then(|stem| stem.to_str());
    parse(name.unwrap_or_default(), &file, &text)
}

/// Validates the text of a spec, its figures apart; `file_label` is what messages call its file.
///
/// # Errors
/// The first that is wrong with it.
pub fn parse(name: &str, file_label: &str, text: &str) -> Result<Spec, Refused> {
    read_parts(name, &Source::new(file_label, text, &[]), false)
}

/// What the text of a spec runs: the keys of the plan alone are read, and a title, as the spec that
/// a run has kept may have others of another version.
///
/// # Errors
/// As [`parse`], of these keys.
pub fn parse_plan(name: &str, file_label: &str, text: &str) -> Result<Spec, Refused> {
    read_parts(name, &Source::new(file_label, text, &[]), true)
}

/// The same for what is shown of a run: a plan that cannot be read has no sweeps here.
///
/// # Errors
/// A text that is no TOML.
pub fn parse_shown(name: &str, file_label: &str, text: &str) -> Result<Spec, Refused> {
    parse_plan(name, file_label, text).or_else(|_| {
        let parts = SpecParts::of(&Source::new(file_label, text, &[]), true)?;
        let title = parts.root.get_ref().get("title");
        let title = title.and_then(|title| title.get_ref().as_str());
        Ok(Spec {
            name: name.to_owned(),
            file: file_label.to_owned(),
            title: title.map(str::to_owned),
            text: text.to_owned(),
            changes: parts.changes,
            is_kept: true,
            ..Spec::default()
        })
    })
}

/// Points that a spec may spell out, counted before overlapping sweeps are joined.
pub const MAX_POINTS: u64 = 100_000;

/// Runs of a trial that is timed.
pub const MAX_REPEATS: u32 = 1000;

/// Bytes that a spec's file may have.
pub const MAX_BYTES: u64 = 1 << 20;

/// Bytes that the spec of a run may have: that of a file, and behind it what commands have changed.
pub const MAX_KEPT_BYTES: u64 = 2 * MAX_BYTES;

/// What stands before the tables.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: Option<Spanned<String>>,
    source: Option<Spanned<String>>,
    group: Option<Spanned<String>>,
    rank: Option<Spanned<Scalar>>,
    finding: Option<Spanned<String>>,
    // It is read apart, as the tables are.
    #[serde(rename = "only")]
    _only: Option<IgnoredAny>,
    #[serde(default)]
    quick: bool,
    dynamics: Option<Spanned<Scalar>>,
    seed: Option<Values>,
    seeds: Option<Values>,
    #[serde(
        rename = "sweep",
        alias = "figure",
        alias = "defaults",
        alias = "set",
        alias = "program"
    )]
    _tables: Option<IgnoredAny>,
}

pub(super) fn read_parts(name: &str, source: &Source, is_kept: bool) -> Result<Spec, Refused> {
    name::check_experiment(name).map_err(|reason| Refused::of_file(source.file, reason))?;
    let parts = SpecParts::of(source, is_kept)?;
    let file: File = source.read(parts.root.clone())?;
    let lines = [&file.title, &file.source, &file.group, &file.finding];
    let is_wrong = |text: &&Spanned<String>| text.get_ref().contains(char::is_control);
    if let Some(line) = lines.into_iter().flatten().find(is_wrong) {
        return Err(source.expected(line.span(), "a text without control characters"));
    }
    let rank = file
        .rank
        .as_ref()
        .map(|rank| source.integer(rank, (1, 1000), "an integer from 1 to 1000"));
    let only = only(source, &parts.only, &parts.programs)?;
    let dynamics = dynamics(source, &file)?;
    let spec = Spec {
        name: name.to_owned(),
        file: source.file.to_owned(),
        seeds: seeds(source, &file)?,
        title: file.title.map(Spanned::into_inner),
        source: file.source.map(Spanned::into_inner),
        group: file.group.map(Spanned::into_inner),
        rank: rank.transpose()?,
        finding: file.finding.map(Spanned::into_inner),
        only,
        quick: file.quick,
        dynamics,
        sweeps: sweeps(source, &parts)?,
        programs: parts.programs,
        changes: parts.changes,
        text: source.text.to_owned(),
        is_kept,
    };
    variant::check_names(source.file, &spec.sweeps)?;
    Ok(spec)
}

fn dynamics(source: &Source, file: &File) -> Result<DynamicsChoice, Refused> {
    let Some(found) = &file.dynamics else {
        return Ok(DynamicsChoice::default());
    };
    let known = DynamicsChoice::ALL.map(DynamicsChoice::name);
    let name = source.word(found, "dynamics", &known)?;
    let mut choices = DynamicsChoice::ALL.into_iter();
    let named = choices.find(|choice| choice.name() == name);
    Ok(named.unwrap_or_default())
}

fn sweeps(source: &Source, parts: &SpecParts) -> Result<Vec<super::Sweep>, Refused> {
    let mut sweeps = Vec::new();
    let mut points = 0;
    let mut used = Vec::new();
    for laid in parts.laid(source)? {
        sweeps.extend(laid.sweeps(&mut points, &mut used)?);
    }
    if sweeps.is_empty() {
        return Err(missing(
            source,
            "missing key sweep; expected at least one [[sweep]]",
        ));
    }
    let mut shared = parts.shared.iter();
    match shared.find(|key| !used.contains(&&**key.get_ref())) {
        Some(key) => {
            let reason = match &**key.get_ref() {
                "trials" => {
                    "a search that draws nothing at random has 1 trial, and no sweep has others; expected no trials; repeats times it several times"
                }
                _ => "no algorithm of the sweeps has such a key, in the variants that they name",
            };
            Err(source.refuse(key.span(), reason))
        }
        None => Ok(sweeps),
    }
}

/// The error of a key that is nowhere in the file.
fn missing(source: &Source, message: &str) -> Refused {
    Refused::of_place(source.file, (1, 1), message)
}

fn read_text(path: &Path) -> Result<String, String> {
    let told = |error: std::io::Error| {
        let renamed = path.with_extension("toml.txt");
        if renamed.is_file() && error.kind() == ErrorKind::NotFound {
            format!("{error}; there is {}", renamed.display())
        } else {
            error.to_string()
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
        let reason = format!("it is larger than {MAX_BYTES} bytes");
        return Err(reason + "; expected a short TOML file");
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        format!("not UTF-8 in line {line}; expected a TOML file")
    })
}

/// The conditions of each `only`, of the file and of what commands have set, which must all hold,
/// and what errors of the last one begin with.
fn only(
    source: &Source,
    all: &[Spanned<DeValue>],
    programs: &Programs,
) -> Result<Option<(Conditions, Refused)>, Refused> {
    let mut conditions: Option<(Conditions, Refused)> = None;
    for found in all {
        let found: Values = source.read(found.clone())?;
        let these = alternatives(source, &found, programs)?;
        let before = conditions.as_ref().map(|(before, _)| before);
        conditions = Some((these.and(before), source.refuse(found.span.clone(), "")));
    }
    Ok(conditions)
}

/// The conditions of an `only`: a text, or a list of texts of which one must hold.
fn alternatives(
    source: &Source,
    found: &Values,
    programs: &Programs,
) -> Result<Conditions, Refused> {
    const EXPECTED: &str = "a text as 'algorithm=pair,n<=9'";
    let mut each = Vec::new();
    for item in &found.items {
        let conditions = conditions(source.words(item, EXPECTED)?, programs);
        each.push(conditions.map_err(|reason| source.refuse(item.span(), &reason))?);
    }
    if each.is_empty() {
        return Err(source.expected(found.span.clone(), EXPECTED));
    }
    let either = Conditions::either(each);
    either.map_err(|reason| source.refuse(found.span.clone(), &reason))
}

fn seeds(source: &Source, file: &File) -> Result<Vec<u64>, Refused> {
    let (found, most) = match (&file.seed, &file.seeds) {
        (Some(seed), None) => (seed, 1),
        (None, Some(seeds)) => (seeds, 1000),
        (Some(_), Some(seeds)) => {
            let expected = "one of the keys seed, an integer, and seeds, several of them";
            return Err(source.expected(seeds.span.clone(), expected));
        }
        (None, None) => {
            let expected =
                "expected seed, an integer, or seeds, several of them, before the first table";
            return Err(missing(source, &format!("missing key seed; {expected}")));
        }
    };
    let min = 0;
    let max = MOST_INTEGER;
    let allowed = AllowedValues::new(source, Domain::Integer { min, max }, most, &[]);
    let are_several = source.is_list(found) || found.texts().any(|text| text.contains(".."));
    let several = |error: Refused| match most {
        1 if are_several => error.and("; several of them are the key seeds"),
        _ => error,
    };
    let mut seeds = Vec::new();
    for value in allowed.values(found).map_err(several)? {
        if let Value::Integer(seed) = value {
            seeds.push(seed);
        }
    }
    seeds.sort_unstable();
    if seeds.iter().all_unique() {
        return Ok(seeds);
    }
    Err(source.expected(found.span.clone(), "each seed once"))
}
