//! The manifest, `manifest.toml` of a run: where a result comes from (code version, machine,
//! command), the checksums of its files, and what it has of each point, so that lists and forecasts
//! read no rows. Here are its keys and their order, the numbers of its layout that are read (schema
//! 3 and 4), what is said of a machine, the form of times, and the seconds of points. Its text and
//! its own checksum are in `manifest/text.rs`.

mod text;

use std::collections::BTreeMap;
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use polars::prelude::{DataFrame, PolarsResult};
use serde::{Deserialize, Serialize};
use sysinfo::{CpuRefreshKind, RefreshKind, System};

use super::code_version::{self, Code, PartHashes};
use super::laws::Laws;
use super::store::OwnColumns;
use super::store::atomic::checksum;
use super::store::schema;
use super::store::table::Table;
use crate::solver::Ending;

/// Number of the layout of a run's files. Raised when a reader of the one would misread the other.
pub(crate) const SCHEMA: u32 = 4;
/// The oldest layout that is read: its integers have no sign.
const OLDEST_SCHEMA: u32 = 3;

/// What a run was made of: `manifest.toml`, written last, so that a folder that has one is
/// complete. docs/inside.md has its keys.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Number of the set of its keys.
    pub schema: u32,
    pub experiment: String,
    pub code_version: String,
    pub plan_hash: String,
    /// Full commit of the build; empty outside a git checkout, and of an algorithm of another
    /// package, whose sources are others.
    pub commit: String,
    /// True if the built sources differed from the commit.
    pub dirty: bool,
    /// 16 hex digits of a BLAKE3 over the sources that can reach a row, more of them than the code
    /// version is made of; absent in earlier runs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sources: String,
    /// Rows of `trials.parquet`.
    pub rows: u64,
    /// Rows of `series.parquet`; absent where there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub series_rows: u64,
    /// The dynamics of the plan's points, by name, sorted.
    pub dynamics: Vec<String>,
    /// Definition number of each algorithm in the plan.
    pub definitions: BTreeMap<String, u32>,
    /// The parts of the sources that the rows depend on.
    pub parts: PartHashes,
    /// The law of one update of each rule of the plan, by the rule and its condition; absent where
    /// the plan has no rule, or the program that made the run did not enumerate laws.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub laws: Laws,
    /// The columns of `trials.parquet` that algorithms of the plan have for themselves; absent
    /// where there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: OwnColumns,
    /// What programs gave another row for when they were asked again; absent where there is
    /// nothing: these rows cannot be made again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_repeatable: Vec<String>,
    /// Start and end of the run's last attempt, UTC, RFC 3339.
    pub started: String,
    pub ended: String,
    pub command: Vec<String>,
    pub machine: Machine,
    /// File name → what its bytes are.
    pub files: BTreeMap<String, FileSeal>,
    /// What there is of each point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<PointTotals>,
    /// The times of `timings.parquet` that are held up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_up: Vec<HeldUp>,
}

impl Manifest {
    /// How the code that made the run compares with this program.
    pub fn code(&self) -> Code {
        code_version::compare(&self.code_version, &self.parts)
    }
}

/// What the bytes of a file are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSeal {
    /// BLAKE3 of the bytes, hexadecimal.
    pub blake3: String,
    /// How many there are.
    pub bytes: u64,
}

impl FileSeal {
    /// The seal of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            blake3: checksum(bytes),
            bytes: bytes.len() as u64,
        }
    }
}

/// The condition for `skip_serializing_if`.
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A time of a search that is kept though it is longer than the processor time of the search's
/// thread by more than half, and by 0.2 s, as it was each time that it was measured again: the
/// process was stopped, or the machine was busy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeldUp {
    /// The point, as `check` prints it.
    pub point: String,
    /// The trial's seed.
    pub seed: u64,
    /// The trial's index.
    pub trial: u32,
    /// Which of the trial's times it is, from 0.
    pub repeat: u32,
    /// The time, by the wall clock.
    pub seconds: f64,
}

/// The trials of a point in a run: a table `[[points]]` of its manifest, in the order of the plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PointTotals {
    /// The point, as `check` prints it.
    pub point: String,
    /// Trials that were stopped at their cutoff.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub censored: u64,
    /// Trials of which it is known how long they took.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub timed: u64,
    /// Sum of their wall-clock times, in seconds.
    #[serde(default)]
    pub seconds_sum: f64,
}

impl PointTotals {
    /// Adds sorted trials of a part to those before them. A time that is held up counts only where
    /// a trial has no other.
    ///
    /// # Errors
    /// Columns that are missing or of another type.
    pub(crate) fn add(
        points: &mut Vec<Self>,
        part: &DataFrame,
        held_up: &[HeldUp],
    ) -> PolarsResult<()> {
        let seconds = schema::Seconds::of(part)?;
        let outcomes = part.column("outcome")?.str()?;
        // The rows of several tables come in several pieces.
        let mut whole = part.clone();
        whole.rechunk_mut();
        let table = Table::of(whole)?;
        let trials = table.trials()?;
        for (point, range) in &table.points {
            let point = point.to_string();
            if points.last().is_none_or(|last| last.point != point) {
                points.push(Self {
                    point,
                    ..Self::default()
                });
            }
            let last = points.last_mut().expect("one was added");
            for at in range.clone() {
                let trial = trials.at(at);
                let is_held_up = |time: &f64| {
                    let mut marks = held_up.iter().filter(|mark| mark.seconds == *time);
                    marks.any(|mark| mark.point == last.point && trial == (mark.seed, mark.trial))
                };
                let times = seconds.at(at);
                let undisturbed = times.iter().find(|time| !is_held_up(time));
                let time = undisturbed.or(times.first());
                let is_censored = outcomes.get(at) == Some(Ending::Censored.name());
                last.censored += u64::from(is_censored);
                last.timed += u64::from(time.is_some());
                last.seconds_sum += time.unwrap_or(&0.0);
            }
        }
        Ok(())
    }

    /// Mean wall-clock time of a trial, in seconds; `None` where no trial ran here.
    pub fn mean_seconds(&self) -> Option<f64> {
        (self.timed > 0).then(|| self.seconds_sum / self.timed as f64)
    }
}

/// The machine and compiler that a run used; times depend on them, trials do not.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    pub rustc: String,
    pub target: String,
    pub cpu: String,
    pub cores: u32,
    /// Threads that ran trials.
    pub threads: u32,
    pub os: String,
}

impl Machine {
    /// This machine, with `threads` threads running trials.
    pub fn here(threads: usize) -> Self {
        let system =
            System::new_with_specifics(RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()));
        let cpu = system.cpus().first();
        let cpu = cpu.map(|cpu| cpu.brand().trim().to_owned());
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            rustc: env!("REINES_RUSTC").into(),
            target: env!("REINES_TARGET").into(),
            cpu: cpu.unwrap_or_default(),
            cores: count(system.cpus().len()),
            threads: count(threads),
            os: System::long_os_version().unwrap_or_else(|| std::env::consts::OS.into()),
        }
    }
}

/// The time now, UTC, RFC 3339, to the millisecond: two short runs may end within a second, and the
/// newest is the last that ended. A clock may be set to any time, before 1970 too.
pub fn now() -> String {
    // `Utc::now` refuses times before 1970.
    let time = DateTime::<Utc>::from(SystemTime::now());
    time.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
