//! `[[program]]` of a spec, read and checked: `axes_and_columns.rs` has these, `files.rs` the files
//! that belong to its version, `conflict.rs` what two programs of a spec cannot both have. Here are
//! its keys (name, command, search, timeout …), the names that are allowed (64 characters), and the
//! text that its version is the hash of.

mod axes_and_columns;
mod conflict;
mod files;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use self::axes_and_columns::{ColumnTable, DeclaredAxis};
use super::answer::Reader;
use super::{PROTOCOL, Program, ProgramFile, Programs, Running, command, folder_of, locked};
use crate::experiment::spec::Refused;
use crate::experiment::spec::source::Source;
use crate::experiment::store::atomic::checksum;
use crate::solver::algorithm::{self, Prepare};
use crate::solver::outcome::Field;
use crate::solver::{ALGORITHMS, Algorithm, Axis, Column, Domain, Dynamics, Point};

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
        let declared = Declared {
            source,
            place: table.span(),
            table: source.read(table)?,
            is_kept,
        };
        let program = declared.program()?;
        for earlier in &programs {
            let place = declared.table.name.span();
            conflict::refuse(source, place, program.algorithm, earlier.algorithm)?;
        }
        programs.push(program);
    }
    Ok(Programs(programs))
}

/// A table and its place.
struct Declared<'s> {
    source: &'s Source<'s>,
    place: Range<usize>,
    table: ProgramTable,
    is_kept: bool,
}

/// What a program is made of.
struct Parts {
    words: Vec<String>,
    axes: Vec<DeclaredAxis>,
    columns: Vec<Column>,
    files: Vec<ProgramFile>,
    timeout: Option<Duration>,
    is_per_trial: bool,
}

/// Every program that a spec of this process has declared, by all that it is.
static KNOWN: LazyLock<Mutex<BTreeMap<String, &'static Program>>> = LazyLock::new(Mutex::default);

/// The versions that programs of this name have in the specs that this process has read, but for
/// those that runs have kept.
pub fn present_versions(name: &str) -> Vec<String> {
    let mut versions = Vec::new();
    for program in locked(&KNOWN).values() {
        if program.algorithm.name == name && !program.is_kept {
            versions.push(program.algorithm.version.to_owned());
        }
    }
    versions
}

impl Declared<'_> {
    /// The program: there is one for each declaration and state of its files.
    fn program(&self) -> Result<&'static Program, Refused> {
        let parts = self.parts()?;
        let version = self.what_its_version_is_of(&parts);
        // One that a run has kept is never taken for one of a present spec.
        let identity = format!(
            "{}\n{}\n{:?}\n{version}",
            folder_of(self.source.file).display(),
            self.is_kept,
            parts.timeout
        );
        if let Some(known) = locked(&KNOWN).get(&identity) {
            return Ok(known);
        }
        let version = checksum(version.as_bytes())[..8].to_owned();
        let program = self.made(parts, version, identity.clone());
        locked(&KNOWN).insert(identity, program);
        Ok(program)
    }

    /// Reads the table; its errors come in this order.
    fn parts(&self) -> Result<Parts, Refused> {
        self.check_name()?;
        let words = self.words()?;
        let axes = self.axes()?;
        let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
        for word in self.table.command.get_ref() {
            if let Some(reason) = command::slip(word.get_ref(), &names) {
                return Err(self.source.refuse(word.span(), &reason));
            }
        }
        Ok(Parts {
            is_per_trial: command::has_name(&words[1..], &names),
            columns: self.columns(&names)?,
            files: self.files()?,
            timeout: self.timeout()?,
            words,
            axes,
        })
    }

    /// The program for the rest of the process.
    fn made(&self, parts: Parts, version: String, identity: String) -> &'static Program {
        let name: &'static str = self.table.name.get_ref().clone().leak();
        let running = Arc::new(self.running(&parts));
        let axes: Vec<Axis> = parts.axes.into_iter().map(DeclaredAxis::leaked).collect();
        let columns: &'static [Column] = parts.columns.leak();
        let prepared = Arc::clone(&running);
        let prepare: Box<Prepare> =
            Box::new(move |point: &Point, _: Option<Dynamics>| prepared.prepare(point));
        let algorithm = Algorithm {
            name,
            doc: "a program",
            axes: axes.leak(),
            columns,
            is_search: self.table.search,
            is_only_stepwise: true,
            lengths: match self.table.search {
                true => algorithm::LENGTHS_OF_SEARCHES,
                false => Algorithm::UNNAMED.lengths,
            },
            part: format!("{}{name}", super::PART).leak(),
            version: version.leak(),
            prepare: Box::leak(prepare),
            ..Algorithm::UNNAMED
        };
        Box::leak(Box::new(Program {
            algorithm: Box::leak(Box::new(algorithm)),
            files: parts.files,
            command: parts.words,
            identity,
            is_kept: self.is_kept,
            running,
        }))
    }

    /// What its processes share.
    fn running(&self, parts: &Parts) -> Running {
        Running {
            name: self.table.name.get_ref().clone(),
            words: parts.words.clone(),
            folder: folder_of(self.source.file),
            is_per_trial: parts.is_per_trial,
            timeout: parts.timeout,
            reader: Reader {
                columns: parts.columns.clone(),
                is_search: self.table.search,
                censors: parts.is_per_trial,
            },
            idle: Mutex::default(),
            notes: Mutex::default(),
        }
    }

    fn check_name(&self) -> Result<(), Refused> {
        let name = &self.table.name;
        let text = name.get_ref();
        let is_inner = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let is_name = (1..=64).contains(&text.len())
            && text.chars().all(is_inner)
            && text.starts_with(|c: char| c.is_ascii_alphabetic());
        if !is_name {
            let expected = "a letter, and ASCII letters, digits, - and _ after it, 64 at most";
            return Err(self.source.expected(name.span(), expected));
        }
        if ALGORITHMS.iter().any(|algorithm| algorithm.name == text) {
            let reason = "an algorithm of this program has this name; expected another one";
            return Err(self.source.refuse(name.span(), reason));
        }
        Ok(())
    }

    /// The words of the command.
    fn words(&self) -> Result<Vec<String>, Refused> {
        let command = &self.table.command;
        let words = command.get_ref().iter();
        let words: Vec<String> = words.map(|word| word.get_ref().clone()).collect();
        if words.first().is_none_or(|word| word.trim().is_empty()) {
            let expected = "a program and its arguments, such as [\"python3\", \"walk.py\"]";
            return Err(self.source.expected(command.span(), expected));
        }
        self.refuse_line(&words)?;
        Ok(words)
    }

    /// Refuses a first word that is a whole line, as a shell would read it.
    fn refuse_line(&self, words: &[String]) -> Result<(), Refused> {
        let first = &words[0];
        let is_line = first.split_whitespace().count() > 1;
        if self.is_kept || !is_line || folder_of(self.source.file).join(first).is_file() {
            return Ok(());
        }
        let pieces: Vec<&str> = first.split_whitespace().collect();
        let expected = format!("each word by itself, such as {pieces:?}: no shell reads them");
        let place = self.table.command.get_ref()[0].span();
        Err(self.source.expected(place, &expected))
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
        match Duration::try_from_secs_f64(seconds) {
            Ok(timeout) if !timeout.is_zero() => Ok(Some(timeout)),
            _ => {
                let expected = "seconds, a number above 0";
                Err(self.source.expected(found.span(), expected))
            }
        }
    }

    /// The text whose hash is the version: docs/inside.md has its lines.
    fn what_its_version_is_of(&self, parts: &Parts) -> String {
        let mut lines = vec![
            format!("reines program {PROTOCOL}"),
            format!("name {}", self.table.name.get_ref()),
        ];
        for word in &parts.words {
            lines.push(format!("word {word:?}"));
        }
        lines.push(format!("search {}", self.table.search));
        for axis in &parts.axes {
            let ends = match axis.domain {
                Domain::Integer { min, max } => format!("{min} {max}"),
                Domain::Real { min, max } => format!("{min:?} {max:?}"),
            };
            lines.push(format!("axis {} {ends}", axis.name));
        }
        for Column {
            name, unit, field, ..
        } in &parts.columns
        {
            lines.push(match field {
                Field::Own(kind) => format!("column {name} {} {unit:?}", kind.name()),
                _ => format!("fills {name}"),
            });
        }
        for file in &parts.files {
            lines.push(format!("file {:?} {}", file.name, checksum(&file.bytes)));
        }
        lines.into_iter().map(|line| line + "\n").collect()
    }
}
