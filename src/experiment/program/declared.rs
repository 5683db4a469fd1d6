//! `[[program]]` of a spec, read and checked.

use std::collections::BTreeMap;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use super::answer::Reader;
use super::{PROTOCOL, Program, ProgramFile, Programs, Running, command, folder_of, locked};
use crate::experiment::spec::number::MOST_INTEGER;
use crate::experiment::spec::source::Source;
use crate::experiment::spec::{Refused, did_you_mean, one_of};
use crate::experiment::store::atomic::checksum;
use crate::solver::algorithm::Prepare;
use crate::solver::outcome::{COLUMNS, Field, Kind};
use crate::solver::point::{KEY_AXES, WORDS};
use crate::solver::{ALGORITHMS, Algorithm, Axis, Column, Domain, Dynamics, Point};

/// Names of columns and of keys of a request that no axis and no own column may have.
const TAKEN: [&str; 16] = [
    "seed",
    "trial",
    "outcome",
    "cutoff",
    "dynamics",
    "seconds",
    "repeat",
    "experiment",
    "update",
    "trials",
    "repeats",
    "signals",
    "series",
    "start",
    "error",
    "censored",
];
/// Keys of a request alone.
const IN_REQUESTS: [&str; 4] = ["experiment_seed", "random", "random64", "reines"];

/// Files of a run's folder that a program's own would take the place of.
const OF_A_RUN: [&str; 6] = [
    "spec.toml",
    "manifest.toml",
    "trials.parquet",
    "timings.parquet",
    "series.parquet",
    "lock",
];

/// Bytes that a file of a program may have.
const MOST_BYTES: u64 = 1 << 28;

/// A table `[[program]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramTable {
    name: Spanned<String>,
    command: Spanned<Vec<Spanned<String>>>,
    #[serde(default)]
    files: Vec<Spanned<String>>,
    #[serde(default)]
    axes: BTreeMap<Spanned<String>, Spanned<Vec<toml::Value>>>,
    #[serde(default)]
    fills: Vec<Spanned<String>>,
    timeout: Option<Spanned<toml::Value>>,
    #[serde(default)]
    search: bool,
    #[serde(default)]
    columns: BTreeMap<Spanned<String>, Spanned<ColumnTable>>,
}

/// A column of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ColumnTable {
    #[serde(rename = "type")]
    kind: Kind,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    doc: String,
}

/// The programs of a spec's tables `[[program]]`. Files that a kept spec names may be gone: its run
/// is read without them.
///
/// # Errors
/// The first that is wrong with them.
pub fn read(
    source: &Source,
    tables: Vec<Spanned<DeTable>>,
    is_kept: bool,
) -> Result<Programs, Refused> {
    let mut programs: Vec<&'static Program> = Vec::new();
    for table in tables {
        let program = Declared {
            source,
            place: table.span(),
            table: source.read(table)?,
            is_kept,
        };
        let program = program.program()?;
        for other in &programs {
            refuse_other(source, program.1.clone(), program.0, other)?;
        }
        programs.push(program.0);
    }
    Ok(Programs(programs))
}

/// Refuses a program that another one of the spec does not go with.
fn refuse_other(
    source: &Source,
    place: Range<usize>,
    program: &Program,
    other: &Program,
) -> Result<(), Refused> {
    let [own, its] = [program, other].map(|it| it.algorithm);
    if own.name == its.name {
        return Err(source.refuse(place, "another program has this name"));
    }
    let is_real = |axis: &Axis| matches!(axis.domain, Domain::Real { .. });
    for axis in own.axes {
        let same = its.axes.iter().find(|other| other.name == axis.name);
        if same.is_some_and(|other| is_real(other) != is_real(axis)) {
            let reason = format!(
                "axis {}: the program {} has integers there and another one reals; expected the same kind of numbers",
                axis.name,
                if is_real(axis) { its.name } else { own.name }
            );
            return Err(source.refuse(place, &reason));
        }
    }
    let is_own = |column: &&Column| column.is_own();
    for column in own.columns.iter().filter(is_own) {
        let mut others = its.columns.iter().filter(is_own);
        let same = others.find(|other| other.name == column.name);
        if same.is_some_and(|other| other.kind() != column.kind() || other.unit != column.unit) {
            let reason = format!(
                "column {}: the program {} has one of another type or unit; expected the same, or another name",
                column.name, its.name
            );
            return Err(source.refuse(place, &reason));
        }
        if its.axes.iter().any(|axis| axis.name == column.name) {
            let reason = format!(
                "column {}: the program {} has an axis of this name",
                column.name, its.name
            );
            return Err(source.refuse(place, &reason));
        }
    }
    for axis in own.axes {
        if its.columns.iter().any(|column| column.name == axis.name) {
            let reason = format!(
                "axis {}: the program {} has a column of this name",
                axis.name, its.name
            );
            return Err(source.refuse(place, &reason));
        }
    }
    Ok(())
}

/// A table and its place.
struct Declared<'s> {
    source: &'s Source<'s>,
    place: Range<usize>,
    table: ProgramTable,
    is_kept: bool,
}

impl Declared<'_> {
    /// The program, and the place of its name.
    fn program(&self) -> Result<(&'static Program, Range<usize>), Refused> {
        let table = &self.table;
        self.check_name()?;
        let words: Vec<String> = table
            .command
            .get_ref()
            .iter()
            .map(|word| word.get_ref().clone())
            .collect();
        if words.first().is_none_or(|word| word.trim().is_empty()) {
            let expected = "a program and its arguments, such as [\"python3\", \"walk.py\"]";
            return Err(self.source.expected(table.command.span(), expected));
        }
        let axes = self.axes()?;
        let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
        for word in table.command.get_ref() {
            if let Some(reason) = command::slip(word.get_ref(), &names) {
                return Err(self.source.refuse(word.span(), &reason));
            }
        }
        let is_per_trial = command::has_name(&words[1..], &names);
        let columns = self.columns(&names)?;
        let files = self.files()?;
        let identity = self.identity(&words, &axes, &columns, &files);
        let timeout = self.timeout()?;
        let folder = folder_of(self.source.file);
        let place = table.name.span();
        // One that a run has kept is never taken for one of a present spec.
        let is_kept = self.is_kept;
        let key = format!("{}\n{is_kept}\n{timeout:?}\n{identity}", folder.display());
        if let Some(known) = locked(&KNOWN).get(&key) {
            return Ok((known, place));
        }
        let made = self.made(Made {
            words,
            axes,
            columns,
            files,
            identity: key.clone(),
            version: checksum(identity.as_bytes())[..8].to_owned(),
            timeout,
            is_per_trial,
        });
        locked(&KNOWN).insert(key, made);
        Ok((made, place))
    }

    /// The program for the rest of the process: there is one for each declaration and state of its
    /// files.
    fn made(&self, made: Made) -> &'static Program {
        let name: &'static str = self.table.name.get_ref().clone().leak();
        let axes: Vec<Axis> = made
            .axes
            .into_iter()
            .map(|axis| {
                let name: &'static str = axis.name.leak();
                Axis {
                    name,
                    symbol: name,
                    domain: axis.domain,
                    doc: "",
                }
            })
            .collect();
        let columns: &'static [Column] = made.columns.leak();
        let running = Arc::new(Running {
            name: name.to_owned(),
            words: made.words.clone(),
            folder: folder_of(self.source.file),
            is_per_trial: made.is_per_trial,
            timeout: made.timeout,
            reader: Reader {
                columns: columns.to_vec(),
                is_search: self.table.search,
                censors: made.is_per_trial,
            },
            idle: Mutex::default(),
            notes: Mutex::default(),
        });
        let own = Arc::clone(&running);
        let prepare: Box<Prepare> =
            Box::new(move |point: &Point, _: Option<Dynamics>| own.prepare(point));
        let part: &'static str = format!("{}{name}", super::PART).leak();
        let algorithm = Algorithm {
            name,
            doc: "a program",
            axes: axes.leak(),
            columns,
            is_search: self.table.search,
            is_only_stepwise: true,
            part,
            version: made.version.leak(),
            prepare: Box::leak(prepare),
            ..Algorithm::UNNAMED
        };
        Box::leak(Box::new(Program {
            algorithm: Box::leak(Box::new(algorithm)),
            files: made.files,
            command: made.words,
            identity: made.identity,
            is_kept: self.is_kept,
            running,
        }))
    }

    fn check_name(&self) -> Result<(), Refused> {
        let name = &self.table.name;
        let inner = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let text = name.get_ref();
        let fits = (1..=64).contains(&text.len())
            && text.chars().all(inner)
            && text.starts_with(|c: char| c.is_ascii_alphabetic());
        if !fits {
            let expected = "a letter, and ASCII letters, digits, - and _ behind it, 64 at most";
            return Err(self.source.expected(name.span(), expected));
        }
        if ALGORITHMS.iter().any(|algorithm| algorithm.name == text) {
            return Err(self.source.refuse(
                name.span(),
                "an algorithm of this program has this name; expected another one",
            ));
        }
        Ok(())
    }

    fn axes(&self) -> Result<Vec<DeclaredAxis>, Refused> {
        let axes = self.table.axes.iter().map(|(name, ends)| {
            self.check_column_name(name, "axis")?;
            let text = name.get_ref();
            if COLUMNS.iter().any(|column| column.name == text) || IN_REQUESTS.contains(&&**text) {
                return Err(self.source.refuse(name.span(), "an axis cannot have the name of a column or of a key of requests; expected another one"));
            }
            let domain = domain(ends.get_ref()).ok_or_else(|| {
                let expected = format!("its ends, such as [1, 1000] for integers from 0 to {MOST_INTEGER}, or [0.0, 1.0] for real numbers");
                self.source.expected(ends.span(), &expected)
            })?;
            self.check_shared(name, domain)?;
            Ok(DeclaredAxis { name: text.clone(), domain })
        });
        axes.collect()
    }

    /// Refuses an axis of another kind than that of an algorithm which has one of the same name.
    fn check_shared(&self, name: &Spanned<String>, domain: Domain) -> Result<(), Refused> {
        let text = name.get_ref();
        let is_real = matches!(domain, Domain::Real { .. });
        let others = ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes);
        let mut others = others.filter(|axis| axis.name == text);
        let is_other = |axis: &Axis| matches!(axis.domain, Domain::Real { .. }) != is_real;
        if others.any(is_other) {
            let kind = if is_real { "integers" } else { "real numbers" };
            let reason = format!(
                "the axis {text} of other algorithms has {kind}; expected {kind}, or another name"
            );
            return Err(self.source.refuse(name.span(), &reason));
        }
        let is_large = matches!(domain, Domain::Integer { max, .. } if max > i32::MAX as u64);
        if text == KEY_AXES[0] && is_large {
            return Err(self
                .source
                .refuse(name.span(), "expected at most 2147483647 for n"));
        }
        Ok(())
    }

    /// Refuses a name that no axis and no own column may have.
    fn check_column_name(&self, name: &Spanned<String>, what: &str) -> Result<(), Refused> {
        let text = name.get_ref();
        let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let fits = (1..=64).contains(&text.len())
            && text.chars().all(inner)
            && text.starts_with(|c: char| c.is_ascii_lowercase());
        if !fits {
            let expected = format!(
                "a small letter, and small ASCII letters, digits and _ behind it, 64 at most, as the name of an {what}"
            );
            return Err(self.source.expected(name.span(), &expected));
        }
        if TAKEN.contains(&&**text) || WORDS.contains(&&**text) {
            let reason = format!("{text} has another meaning; expected another name");
            return Err(self.source.refuse(name.span(), &reason));
        }
        Ok(())
    }

    /// The columns that it shares, then its own by name.
    fn columns(&self, axes: &[&str]) -> Result<Vec<Column>, Refused> {
        let mut columns: Vec<Column> = Vec::new();
        let shared: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        for name in &self.table.fills {
            let text = name.get_ref();
            let Some(column) = COLUMNS.iter().find(|column| column.name == text) else {
                let near = did_you_mean(text, &shared);
                let reason = format!(
                    "unknown column {text:?}; expected {}{near}; columns of its own stand in [program.columns]",
                    one_of(&shared)
                );
                return Err(self.source.refuse(name.span(), &reason));
            };
            if columns.iter().any(|other| other.name == text) {
                return Err(self.source.expected(name.span(), "each column once"));
            }
            columns.push(*column);
        }
        let has = |name: &str| columns.iter().any(|column| column.name == name);
        let has_time = has("absorption_time") || has("hitting_time");
        if has_time && !has("updates") {
            columns.push(Column::named("updates"));
        }
        for (name, table) in &self.table.columns {
            self.check_column_name(name, "own column")?;
            let text = name.get_ref();
            let is_axis = |axis: &Axis| axis.name == text;
            let mut others = ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes);
            if shared.contains(&&**text) || axes.contains(&&**text) || others.any(is_axis) {
                let reason = format!(
                    "{text} is a column already; expected another name, or fills = [{text:?}]"
                );
                return Err(self.source.refuse(name.span(), &reason));
            }
            let ColumnTable { kind, unit, doc } = table.get_ref();
            if [unit, doc]
                .iter()
                .any(|text| text.contains(char::is_control))
            {
                return Err(self
                    .source
                    .expected(table.span(), "texts without control characters"));
            }
            let [name, unit, doc] = [text, unit, doc].map(|text| &*text.clone().leak());
            columns.push(Column::own(name, unit, *kind).meaning(doc));
        }
        if columns.is_empty() {
            let expected = "columns: fills = [\"absorption_time\"], or [program.columns]";
            return Err(self.source.expected(self.place.clone(), expected));
        }
        Ok(columns)
    }

    fn timeout(&self) -> Result<Option<Duration>, Refused> {
        let Some(found) = &self.table.timeout else {
            return Ok(None);
        };
        let seconds = match found.get_ref() {
            toml::Value::Integer(seconds) => *seconds as f64,
            toml::Value::Float(seconds) => *seconds,
            _ => f64::NAN,
        };
        let timeout = Duration::try_from_secs_f64(seconds).ok();
        let timeout = timeout.filter(|timeout| !timeout.is_zero());
        let expected = || {
            self.source
                .expected(found.span(), "seconds, a number above 0")
        };
        timeout.map(Some).ok_or_else(expected)
    }

    /// The files that its version is made of: those that the words of the command name in the
    /// folder of the spec, and `files`.
    fn files(&self) -> Result<Vec<ProgramFile>, Refused> {
        let mut files: Vec<ProgramFile> = Vec::new();
        let words = self.table.command.get_ref().iter();
        let words = words
            .enumerate()
            .map(|(position, word)| (word, position < 2 && self.is_script(position)));
        let named = self.table.files.iter().map(|name| (name, true));
        for (name, must_be) in words.chain(named) {
            let Some(file) = self.file(name, must_be)? else {
                continue;
            };
            if files.iter().all(|known| known.name != file.name) {
                files.push(file);
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }

    /// True if the word at this position names a file: a program with a path, or the script of an
    /// interpreter.
    fn is_script(&self, position: usize) -> bool {
        let words = self.table.command.get_ref();
        let first = words[0].get_ref();
        if position == 0 {
            return first.contains('/');
        }
        let word = words[1].get_ref();
        let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
        !first.contains('/')
            && !word.starts_with('-')
            && (1..=4).contains(&ending.len())
            && ending.starts_with(|c: char| c.is_ascii_alphabetic())
            && ending.chars().all(|c| c.is_ascii_alphanumeric())
    }

    /// The file of a name in the folder of the spec; `None` where there is none and need not be.
    fn file(&self, name: &Spanned<String>, must_be: bool) -> Result<Option<ProgramFile>, Refused> {
        let text = name.get_ref();
        let path = Path::new(text);
        if path.is_absolute() && !must_be || text.is_empty() {
            return Ok(None);
        }
        let folder = folder_of(self.source.file);
        let place = folder.join(path);
        let is_file = place.is_file();
        if path.is_absolute() {
            return match is_file || self.is_kept {
                true => Ok(None),
                false => Err(self.source.refuse(name.span(), "there is no such file")),
            };
        }
        if !is_file {
            if must_be && !self.is_kept {
                let reason = format!("there is no file {}", place.display());
                return Err(self.source.refuse(name.span(), &reason));
            }
            return Ok(None);
        }
        let parts: Vec<Component> = path
            .components()
            .filter(|part| *part != Component::CurDir)
            .collect();
        let is_inside = parts
            .iter()
            .all(|part| matches!(part, Component::Normal(_)));
        if !is_inside {
            let reason = "a file outside of the spec's folder; expected one in it, which is kept with the run";
            return Err(self.source.refuse(name.span(), reason));
        }
        let parts = parts
            .iter()
            .map(|part| part.as_os_str().to_string_lossy().into_owned());
        let inside = parts.collect::<Vec<String>>().join("/");
        if OF_A_RUN.contains(&&*inside) || inside.starts_with("parts/") {
            let reason = "a run's folder has a file of this name; expected another name";
            return Err(self.source.refuse(name.span(), reason));
        }
        let told = |error: std::io::Error| self.source.refuse(name.span(), &error.to_string());
        let about = place.metadata().map_err(told)?;
        if about.len() > MOST_BYTES {
            let reason = format!(
                "a file of {} bytes; expected at most {MOST_BYTES}",
                about.len()
            );
            return Err(self.source.refuse(name.span(), &reason));
        }
        Ok(Some(ProgramFile {
            name: inside,
            bytes: std::fs::read(&place).map_err(told)?.into(),
            is_executable: about.permissions().mode() & 0o111 != 0,
        }))
    }

    /// The text whose hash is the version: docs/inside.md has its lines.
    fn identity(
        &self,
        words: &[String],
        axes: &[DeclaredAxis],
        columns: &[Column],
        files: &[ProgramFile],
    ) -> String {
        let mut lines = vec![
            format!("reines program {PROTOCOL}"),
            format!("name {}", self.table.name.get_ref()),
        ];
        lines.extend(words.iter().map(|word| format!("word {word:?}")));
        lines.push(format!("search {}", self.table.search));
        lines.extend(
            axes.iter()
                .map(|axis| format!("axis {} {}", axis.name, ends(axis.domain))),
        );
        lines.extend(columns.iter().map(|column| match column.field {
            Field::Own(kind) => format!("column {} {} {:?}", column.name, kind.name(), column.unit),
            _ => format!("fills {}", column.name),
        }));
        lines.extend(
            files
                .iter()
                .map(|file| format!("file {:?} {}", file.name, checksum(&file.bytes))),
        );
        lines.into_iter().map(|line| line + "\n").collect()
    }
}

/// What a program is made of.
struct Made {
    words: Vec<String>,
    axes: Vec<DeclaredAxis>,
    columns: Vec<Column>,
    files: Vec<ProgramFile>,
    identity: String,
    version: String,
    timeout: Option<Duration>,
    is_per_trial: bool,
}

struct DeclaredAxis {
    name: String,
    domain: Domain,
}

/// Every program that a spec of this process has declared, by all that it is.
static KNOWN: LazyLock<Mutex<BTreeMap<String, &'static Program>>> = LazyLock::new(Mutex::default);

/// The versions that programs of this name have in the specs that this process has read, but for
/// those that runs have kept.
pub fn present_versions(name: &str) -> Vec<String> {
    let known = locked(&KNOWN);
    let own = known
        .values()
        .filter(|program| program.algorithm.name == name);
    let present = own.filter(|program| !program.is_kept);
    present
        .map(|program| program.algorithm.version.to_owned())
        .collect()
}

/// Integers or real numbers, as the ends are written.
fn domain(ends: &[toml::Value]) -> Option<Domain> {
    match ends {
        [toml::Value::Integer(min), toml::Value::Integer(max)] => {
            let min = u64::try_from(*min).ok()?;
            let max = u64::try_from(*max).ok()?;
            (min <= max).then_some(Domain::Integer { min, max })
        }
        [toml::Value::Float(min), toml::Value::Float(max)] => {
            let is_range = min.is_finite() && max.is_finite() && min <= max;
            is_range.then_some(Domain::Real {
                min: *min,
                max: *max,
            })
        }
        _ => None,
    }
}

fn ends(domain: Domain) -> String {
    match domain {
        Domain::Integer { min, max } => format!("{min} {max}"),
        Domain::Real { min, max } => format!("{min:?} {max:?}"),
    }
}
