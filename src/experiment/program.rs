//! Algorithms that are programs, in any language: `[[program]]` of a spec. docs/programs.md has the
//! protocol. Here are the number of the protocol, the message of a late answer and of a file that
//! has changed, and the line that says what is started.
//!
//! A program belongs to its spec: two specs may have programs of one name, with other axes and
//! columns ([`Programs`]). It is started by the first trial that is asked of it, so only by what
//! runs trials; reading a spec, a plan or a run starts nothing. Each thread has a process of its
//! own, which is kept over trials and points.
//!
//! `declared` reads and checks the table, `command` makes a request of a trial, `process` is the
//! one file that starts a program and talks with it, `answer` reads what comes back. The protocol
//! and the text that a version is made of are promises to programs that others have written.

mod answer;
mod command;
mod declared;
mod process;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use self::answer::Reader;
use self::command::Request;
use self::process::{Fault, Process, Wait};
use crate::solver::rng::{TrialStream, Words as _};
use crate::solver::{
    ALGORITHMS, Algorithm, Column, Control, Course, Key, Outcome, Point, Prepared, TrialError,
    TrialResult, algorithm,
};

pub(super) use declared::{present_versions, read};

/// Begins the name of the part of a code version that a program is.
pub(crate) const PART: &str = "program.";

/// True of a program of a spec.
pub(crate) fn is_program(algorithm: &Algorithm) -> bool {
    algorithm.part.starts_with(PART)
}

/// The number of the protocol, which the first line tells.
const PROTOCOL: u32 = 1;

/// A program of a spec.
pub struct Program {
    /// What it is to all who run or show algorithms.
    pub algorithm: &'static Algorithm,
    /// The files that belong to its version, relative to the folder of the spec.
    pub files: Vec<ProgramFile>,
    /// The words of its command.
    pub command: Vec<String>,
    /// Everything that its version is made of, and where it is started.
    identity: String,
    /// True of a program of a spec that a run has kept.
    is_kept: bool,
    running: Arc<Running>,
}

/// A file that belongs to the version of a program.
#[derive(Clone, PartialEq, Eq)]
pub struct ProgramFile {
    /// The path in the folder of the spec.
    pub name: String,
    /// What it had when the spec was read.
    pub bytes: Arc<[u8]>,
    /// True if it may be executed.
    pub is_executable: bool,
}

/// What the trials of a program share.
struct Running {
    name: String,
    words: Vec<String>,
    folder: PathBuf,
    /// True if it is started anew for each trial, with the values of the trial in its words.
    is_per_trial: bool,
    timeout: Option<Duration>,
    reader: Reader,
    /// Processes that wait for a trial.
    idle: Mutex<Vec<Process>>,
    /// What is to be said of it, and was not taken yet.
    notes: Mutex<Vec<String>>,
}

/// The programs of a spec.
#[derive(Clone, Default)]
pub struct Programs(Vec<&'static Program>);

impl Programs {
    /// The programs in the order of the spec.
    pub fn iter(&self) -> impl Iterator<Item = &'static Program> + use<'_> {
        self.0.iter().copied()
    }

    /// The program of this name.
    pub fn program(&self, name: &str) -> Option<&'static Program> {
        self.iter().find(|program| program.algorithm.name == name)
    }

    /// The algorithm of this name: a program of the spec, or one of the registry.
    pub fn algorithm(&self, name: &str) -> Option<&'static Algorithm> {
        let own = self.program(name).map(|program| program.algorithm);
        own.or_else(|| algorithm(name))
    }

    /// The algorithms that the spec may name.
    pub fn algorithms(&self) -> Vec<&'static Algorithm> {
        let own = self.iter().map(|program| program.algorithm);
        ALGORITHMS.iter().chain(own).collect()
    }

    /// The columns that algorithms of the spec have for themselves.
    pub fn own_columns(&self) -> Vec<Column> {
        let columns = self.algorithms().into_iter();
        let columns = columns.flat_map(|algorithm| algorithm.columns);
        columns.filter(|column| column.is_own()).copied().collect()
    }

    /// Ends the processes that wait for trials.
    ///
    /// # Errors
    /// What one of them wrote on standard output that is no answer.
    pub fn end(&self) -> Result<(), String> {
        let mut wrong = Ok(());
        for program in &self.0 {
            for process in std::mem::take(&mut *locked(&program.running.idle)) {
                let more = process.end();
                if !more.is_empty() {
                    wrong = Err(format!(
                        "{}: after its last answer it wrote {} on standard output; expected one line for each trial: its rows may be those of other trials",
                        program.algorithm.name,
                        process::quoted(&more)
                    ));
                }
            }
        }
        wrong
    }

    /// What there is to be said of programs since the last call.
    pub fn take_notes(&self) -> Vec<String> {
        let notes = self.0.iter().map(|program| &program.running.notes);
        notes
            .flat_map(|notes| std::mem::take(&mut *locked(notes)))
            .collect()
    }

    /// The files of all programs, each once.
    pub fn files(&self) -> Vec<&'static ProgramFile> {
        let mut files: Vec<&ProgramFile> = Vec::new();
        for file in self.iter().flat_map(|program| &program.files) {
            if files.iter().all(|known| known.name != file.name) {
                files.push(file);
            }
        }
        files
    }

    /// Refuses a program of which a file has changed since the spec was read.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn refuse_changed(&self) -> Result<(), String> {
        for program in &self.0 {
            for file in &program.files {
                let path = program.running.folder.join(&file.name);
                let is_same = std::fs::read(&path).is_ok_and(|bytes| *bytes == *file.bytes);
                if !is_same {
                    return Err(format!(
                        "{}: {} has changed since the run began; run again to begin again with the present one",
                        program.algorithm.name,
                        path.display()
                    ));
                }
            }
        }
        Ok(())
    }
}

impl Program {
    /// `the program walk is started: python3 walk.py, in experiments`.
    pub fn in_words(&self) -> String {
        let folder = match self.running.folder.as_os_str().is_empty() {
            true => ".".to_owned(),
            false => self.running.folder.display().to_string(),
        };
        let each = if self.running.is_per_trial {
            ", once for each trial"
        } else {
            ""
        };
        let name = self.algorithm.name;
        let command = self.command.join(" ");
        format!("the program {name} is started in {folder}{each}: {command}")
    }
}

impl fmt::Debug for Programs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|program| program.algorithm.name);
        f.debug_list().entries(names).finish()
    }
}

impl PartialEq for Programs {
    fn eq(&self, other: &Self) -> bool {
        let identities = |programs: &Self| -> Vec<&'static str> {
            let programs = programs.iter();
            programs.map(|program| &*program.identity).collect()
        };
        identities(self) == identities(other)
    }
}

impl Running {
    /// Makes a point ready to run its trials.
    fn prepare(self: &Arc<Self>, point: &Point) -> Prepared {
        let running = Arc::clone(self);
        let point = point.clone();
        Box::new(move |key, cutoff, control| running.trial(&point, key, cutoff, control))
    }

    fn trial(&self, point: &Point, key: Key, cutoff: u64, control: &Control) -> TrialResult {
        let Key { seed, trial } = key;
        let random = TrialStream::new("reines/program/1", seed, point, trial).word();
        let request = Request {
            point,
            trial,
            seed,
            cutoff,
            random,
        };
        let wait = Wait {
            control,
            timeout: self.timeout,
            late: &|| self.note_late(&request),
        };

        let answered = if self.is_per_trial {
            self.started_for(&request, &wait)
        } else {
            self.asked(&request, &wait)
        };
        match answered {
            Ok(outcome) => Ok((outcome, Course::default())),
            Err(Fault::Interrupted) => Err(TrialError::Interrupted(crate::solver::Interrupted)),
            Err(Fault::Failed(reason)) => {
                let name = &self.name;
                let sentence = format!("{name}: trial {trial} of seed {seed} at {point}: {reason}");
                Err(TrialError::Failed(sentence))
            }
        }
    }

    /// Notes that a first answer is late, and why that may be.
    fn note_late(&self, request: &Request) {
        let Request {
            point, trial, seed, ..
        } = request;
        let name = &self.name;
        let seconds = process::LATE.as_secs();
        let flush =
            "each answer must be flushed: print(…, flush=True) in Python, fflush(stdout) in C";
        let note = format!(
            "{name}: no answer after {seconds} s to trial {trial} of seed {seed} at {point}; {flush}"
        );
        locked(&self.notes).push(note);
    }

    /// The outcome of a program that is started for this trial alone.
    fn started_for(&self, request: &Request, wait: &Wait) -> Result<Outcome, Fault> {
        let words = request.filled(&self.words);
        let process = Process::start(&words, &self.folder, false);
        let mut process = process.map_err(Fault::Failed)?;
        let line = process.last_line(wait);
        self.read(&mut process, line, request.cutoff)
    }

    /// The outcome that a running program answers with; it waits for the next trial then.
    fn asked(&self, request: &Request, wait: &Wait) -> Result<Outcome, Fault> {
        let waiting = locked(&self.idle).pop();
        let mut line = request.line();
        let mut process = match waiting {
            Some(process) => process,
            None => {
                line.insert_str(0, &format!("{{\"reines\": {PROTOCOL}}}\n"));
                let started = Process::start(&self.words, &self.folder, true);
                started.map_err(Fault::Failed)?
            }
        };
        let answer = process.ask(&line, wait);
        let outcome = self.read(&mut process, answer, request.cutoff)?;
        locked(&self.idle).push(process);
        Ok(outcome)
    }

    /// The outcome of a line behind which there is no other one.
    fn only_outcome(&self, process: &Process, line: &str, cutoff: u64) -> Result<Outcome, String> {
        let outcome = self.reader.outcome(line, cutoff)?;
        process.refuse_more()?;
        Ok(outcome)
    }

    /// Reads an answer; what is wrong is told with the last lines on standard error.
    fn read(
        &self,
        process: &mut Process,
        line: Result<String, Fault>,
        cutoff: u64,
    ) -> Result<Outcome, Fault> {
        let reason = match line {
            Err(Fault::Interrupted) => return Err(Fault::Interrupted),
            Err(Fault::Failed(reason)) => reason,
            // The answer first: where it is a banner, the next line is right.
            Ok(line) => match self.only_outcome(process, &line, cutoff) {
                Ok(outcome) => return Ok(outcome),
                Err(reason) => reason,
            },
        };
        let errors = match &*process.errors() {
            "" => String::new(),
            lines => format!("\n  the last lines on its standard error:{lines}"),
        };
        Err(Fault::Failed(reason + &errors))
    }
}

/// The folder of a spec's file.
fn folder_of(file: &str) -> PathBuf {
    Path::new(file)
        .parent()
        .map(Path::to_path_buf)
        .unwrap_or_default()
}

/// A panic elsewhere ends the process, so what it left is never used.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
