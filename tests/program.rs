//! Runs the program as a user would, in a folder of its own; and what several tests need of files,
//! texts and random numbers.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Write as _};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use polars::prelude::{
    Column, DataFrame, DataType, NamedFrom, ParquetReader, ParquetWriter, SerReader, Series,
};
use reines::experiment::store::Record;
use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;
use reines::experiment::store::parts::Parts;
use reines::solver::course::Course;
use reines::solver::rng::{RandomSource, TrialStream};
use reines::solver::{Dynamics, Point};
use tempfile::TempDir;

/// The folder of the sources.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every experiment of the repository, the large ones last.
pub fn experiments() -> Vec<PathBuf> {
    let folders = ["experiments", "experiments/large"];
    folders
        .map(|it| files_of(&root().join(it), ".toml"))
        .concat()
}

/// Waits until something is so, at most ten minutes: it is so within seconds on a machine with
/// nothing else to do.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    const LIMIT: Duration = Duration::from_secs(600);
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < LIMIT, "not within {LIMIT:?}: {what}");
        sleep(Duration::from_millis(1));
    }
}

/// Says what could not be checked on this machine, also where the test passes: what `eprintln!`
/// prints is shown of failed tests alone.
pub fn skipped(reason: &str) {
    let line = format!("skipped: {reason}\n");
    io::stderr().write_all(line.as_bytes()).expect("written");
}

/// A folder with specs in it, and the program.
pub struct Workplace {
    folder: TempDir,
}

/// The words of a command, divided at blanks; what stands in `'…'` is one word.
pub fn words(command: impl AsRef<str>) -> Vec<String> {
    let pieces = command.as_ref().split('\'').enumerate();
    let words = pieces.flat_map(|(at, piece)| match at % 2 {
        0 => piece.split_whitespace().map(str::to_owned).collect(),
        _ => vec![piece.to_owned()],
    });
    words.collect()
}

impl Workplace {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("the system has a temporary folder"),
        }
    }

    /// A folder with this spec as `a.toml`.
    pub fn with(spec: &str) -> Self {
        let workplace = Self::new();
        workplace.write("a.toml", spec);
        workplace
    }

    /// A copy of another one, links included.
    pub fn copy(&self) -> Self {
        let copy = Self::new();
        copy_folder(self.path(), copy.path());
        copy
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file and returns its name.
    pub fn write<'a>(&self, name: &'a str, text: &str) -> &'a str {
        fs::write(self.path().join(name), text).expect("the temporary folder can be written");
        name
    }

    pub fn command(&self, command: impl AsRef<str>) -> Command {
        let mut reines = Command::new(env!("CARGO_BIN_EXE_reines"));
        reines.arg0("reines").args(words(command));
        reines.current_dir(self.path());
        reines
    }

    /// A command in the folder, with the program on its path; `sh` starts later than `/bin/sh`.
    pub fn tool(&self, name: &str) -> Command {
        let program = Path::new(env!("CARGO_BIN_EXE_reines")).parent();
        let folder = program.expect("a folder").display();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(name);
        command.current_dir(self.path());
        command.env("PATH", format!("{folder}:{path}"));
        command
    }

    pub fn reines(&self, command: impl AsRef<str>) -> Output {
        let output = self.command(command).output();
        output.expect("the program starts")
    }

    /// Runs and expects exit code 0.
    #[track_caller]
    pub fn succeed(&self, command: impl AsRef<str>) -> Output {
        let output = self.reines(&command);
        let said = stderr(&output);
        assert!(output.status.success(), "{}: {said}", command.as_ref());
        output
    }

    /// Runs, expects this exit code and no panic; all that it says.
    #[track_caller]
    pub fn ends(&self, code: i32, command: impl AsRef<str>) -> String {
        let output = self.reines(&command);
        let said = stderr(&output) + &stdout(&output);
        let is_well = output.status.code() == Some(code) && !said.contains("panicked");
        let (command, status) = (command.as_ref(), output.status);
        assert!(is_well, "{command}: {status}, not {code}: {said}");
        said
    }

    /// The text of a file in the folder.
    #[track_caller]
    pub fn text(&self, file: impl AsRef<Path>) -> String {
        text_of(self.path().join(file))
    }

    /// Starts a command, whose standard error is kept.
    pub fn start(&self, command: impl AsRef<str>) -> Child {
        let mut program = self.command(command);
        let program = program.stdout(Stdio::null()).stderr(Stdio::piped());
        heeds_signals(program).spawn().expect("the program starts")
    }

    /// Starts a run of `a.toml` into `results`, and interrupts it so long after it has begun: how
    /// it ended.
    pub fn interrupt(&self, command: impl AsRef<str>, after: Duration) -> Output {
        let mut child = self.start(command);
        wait_until_it_listens(&mut child);
        wait_until("the run has begun or ended", || {
            self.has_begun() || has_ended(&mut child)
        });
        sleep(after);
        interrupt(child)
    }

    /// The run folders of an experiment, by name.
    pub fn runs(&self, results: &str, experiment: &str) -> Vec<PathBuf> {
        let mut runs = files_of(&self.path().join(results).join(experiment), "");
        // Beside them are links to the tables of one.
        runs.retain(|path| path.is_dir());
        runs
    }

    /// The only run of the experiment `a`.
    pub fn run(&self, results: &str) -> PathBuf {
        self.only_run(results, "a")
    }

    fn only_run(&self, results: &str, experiment: &str) -> PathBuf {
        let mut runs = self.runs(results, experiment);
        assert_eq!(runs.len(), 1, "{runs:?}");
        runs.remove(0)
    }

    /// Leaves the trials of `a.toml` that are kept as a part of an unfinished run in `results`,
    /// whose folder is returned.
    pub fn save_some(&self, options: &str, is_kept: impl Fn(&Record) -> bool) -> PathBuf {
        const WHOLE: &str = "to-save-some";
        self.succeed(format!("run a.toml -q --results {WHOLE} {options}"));
        let whole = self.run(WHOLE);
        let read = self.complete(WHOLE, "a");
        let kept: Vec<Record> = records_of(&read).into_iter().filter(is_kept).collect();
        let run = self.path().join("results/a").join(name_of(&whole));
        fs::create_dir_all(&run).expect("it can be made");
        save_part(&read, &run, kept);
        fs::copy(whole.join("spec.toml"), run.join("spec.toml")).expect("the run has its spec");
        fs::remove_dir_all(self.path().join(WHOLE)).expect("it is there");
        run
    }

    /// True if a run of `a.toml` has a folder in `results`.
    pub fn has_begun(&self) -> bool {
        self.path().join("results/a").exists()
    }

    /// How many parts the runs of the experiment `a` have saved.
    pub fn n_parts(&self) -> usize {
        let files = |run: &PathBuf| match run.join("parts") {
            parts if parts.exists() => files_of(&parts, ".parquet").len(),
            _ => 0,
        };
        let runs = if self.has_begun() {
            self.runs("results", "a")
        } else {
            Vec::new()
        };
        runs.iter().map(files).sum()
    }

    /// The names of what is in an experiment's only run, sorted.
    pub fn files(&self, results: &str, experiment: &str) -> Vec<String> {
        let files = files_of(&self.only_run(results, experiment), "");
        files.iter().map(|path| name_of(path)).collect()
    }

    /// An experiment's only, complete run.
    pub fn complete(&self, results: &str, experiment: &str) -> CompleteRun {
        let folder = RunFolder::at(self.only_run(results, experiment));
        CompleteRun::at(folder).expect("a complete run")
    }

    /// The rows of an experiment's only, complete run, each with what a table has.
    pub fn records(&self, results: &str, experiment: &str) -> Vec<Record> {
        records_of(&self.complete(results, experiment))
    }

    /// The bytes of a file in an experiment's only run.
    pub fn bytes(&self, results: &str, experiment: &str, file: &str) -> Vec<u8> {
        bytes_of(self.only_run(results, experiment).join(file))
    }
}

/// The rows of a table.
pub fn table(bytes: &[u8]) -> DataFrame {
    let reader = ParquetReader::new(Cursor::new(bytes.to_vec()));
    reader.finish().expect("our own file")
}

/// A table of these rows.
pub fn table_bytes(mut table: DataFrame) -> Vec<u8> {
    let mut bytes = Vec::new();
    let writer = ParquetWriter::new(&mut bytes);
    writer.finish(&mut table).expect("a vector can be written");
    bytes
}

/// Writes a table of a run with other integers in a column: of each the row and what is there.
pub fn forge_column(run: &Path, file: &str, name: &str, other: impl Fn(usize, u64) -> u64) {
    let mut frame = table(&bytes_of(run.join(file)));
    let column = frame.column(name).expect("a column of the table");
    let (kind, wide) = (column.dtype().clone(), column.cast(&DataType::UInt64));
    let wide = wide.expect("numbers");
    let values = wide.u64().expect("as cast").iter().enumerate();
    let others: Vec<_> = values
        .map(|(row, it)| it.map(|it| other(row, it)))
        .collect();
    let others = Series::new(name.into(), others).cast(&kind);
    let others = Column::from(others.expect("it fits"));
    frame.with_column(others).expect("as many rows");
    forge(run, file, &table_bytes(frame));
}

/// Saves trials of a complete run as a part of an unfinished one.
pub fn save_part(whole: &CompleteRun, run: &Path, mut records: Vec<Record>) {
    let (_, plan) = whole.plan().expect("our own spec");
    let run = RunFolder::at(run);
    let parts = Parts::open(&run, &plan).expect("the folder can be written");
    let (mut parts, damaged) = parts;
    assert!(damaged.is_empty(), "{damaged:?}");
    parts.save(&mut records).expect("the folder can be written");
}

/// The trials that are stored, each with its times and course.
pub fn records_of(stored: &CompleteRun) -> Vec<Record> {
    const READABLE: &str = "our own files are readable";
    let table = stored.table("trials.parquet").expect(READABLE);
    let dynamics = table.frame.column("dynamics").expect("a column");
    let dynamics = dynamics.str().expect("a text").iter();
    let mut dynamics = dynamics.map(|name| name.and_then(Dynamics::from_name));
    let points = stored.points().expect(READABLE);
    let timings = stored.timings_of_searches(&points).expect(READABLE);
    let courses = stored.courses().expect(READABLE);
    let mut records = Vec::new();
    for trials in &points {
        let point = std::sync::Arc::new(trials.point.clone());
        let times = timings.iter().find(|it| it.point == *point);
        let courses = courses.iter().find(|it| it.point == *point);
        for (at, row) in trials.rows.iter().enumerate() {
            records.push(Record {
                point: std::sync::Arc::clone(&point),
                row,
                dynamics: dynamics.next().flatten(),
                seconds: times.map_or_else(Vec::new, |it| it.seconds[at].clone()),
                course: courses.map_or_else(Course::default, |it| it.trials[at].1.clone()),
            });
        }
    }
    records
}

/// A part of an unfinished run.
pub fn part_of(run: &Path) -> PathBuf {
    files_of(&run.join("parts"), "").remove(0)
}

/// Copies a part of a run to another one, under another number.
pub fn copy_part(part: &Path, run: &Path, number: &str) -> PathBuf {
    let name = name_of(part);
    let (_, checksum) = name.split_once('-').expect("a part's name");
    let copy = run.join("parts").join(format!("{number}-{checksum}"));
    fs::copy(part, &copy).expect("it can be copied");
    copy
}

/// The last piece of a path, as a text.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().expect("a name");
    name.to_string_lossy().into_owned()
}

/// The files of a folder whose names end so, sorted.
pub fn files_of(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| name_of(path).ends_with(ending));
    paths.sort();
    paths
}

#[track_caller]
pub fn bytes_of(path: impl AsRef<Path>) -> Vec<u8> {
    let path = path.as_ref();
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[track_caller]
pub fn text_of(path: impl AsRef<Path>) -> String {
    String::from_utf8(bytes_of(path)).expect("UTF-8")
}

/// Writes a file of a run, and what the manifest says of it.
pub fn forge(run: &Path, name: &str, bytes: &[u8]) {
    let path = run.join("manifest.toml");
    let mut manifest: toml::Table = text_of(&path).parse().expect("TOML");
    let hash = blake3::hash(bytes).to_hex().to_string();
    manifest["files"][name]["blake3"] = hash.into();
    manifest["files"][name]["bytes"] = (bytes.len() as i64).into();
    fs::write(run.join(name), bytes).expect("it can be written");
    write_manifest(&path, &manifest.to_string());
}

/// Copies what is in a folder; links stay links.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    let mut copy = Command::new("cp");
    let copied = copy.arg("-R").arg(from.join(".")).arg(to).status();
    assert!(copied.expect("there is a cp").success(), "{from:?}");
}

/// Moments and places that tests draw; nothing of it reaches a result.
pub struct Draws(TrialStream);

impl Draws {
    pub fn new(seed: u64) -> Self {
        let point = Point::new("draws", []);
        Self(TrialStream::new("reines/test/draws/1", seed, &point, 0))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound as u64) as usize
    }

    /// A moment between 0 and `end`.
    pub fn moment(&mut self, end: Duration) -> Duration {
        end * self.below(1_000_000) as u32 / 1_000_000
    }
}

/// The command with the signals as a system has them: who runs the tests with `nohup` or `&` has
/// some of them ignored.
pub fn heeds_signals(command: &mut Command) -> &mut Command {
    let by_default = || {
        for signal in [libc::SIGHUP, libc::SIGINT] {
            // SAFETY: `signal` may be called between fork and exec, and has no pointers.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Ok(())
    };
    // SAFETY: the closure does nothing but what may be done between fork and exec.
    unsafe { command.pre_exec(by_default) }
}

/// Sends a signal; true if the process was there.
pub fn send(child: &Child, signal: &str) -> bool {
    let mut kill = Command::new("kill");
    kill.args([&format!("-{signal}"), &child.id().to_string()]);
    let sent = kill.stderr(Stdio::null()).status();
    sent.expect("there is a kill command").success()
}

pub fn has_ended(child: &mut Child) -> bool {
    child.try_wait().expect("the child can be asked").is_some()
}

/// Waits until a process that was just started catches signals, however long its start takes: a
/// signal before that ends it as it ends any program.
#[track_caller]
pub fn wait_until_it_listens(child: &mut Child) {
    let path = format!("/proc/{}/status", child.id());
    wait_until("it listens", || {
        let Ok(status) = fs::read_to_string(&path) else {
            // No such file on this system, or the process is gone.
            sleep(Duration::from_millis(200));
            return true;
        };
        let caught = status.lines().find_map(|it| it.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap_or_default().trim(), 16);
        caught.is_ok_and(|it| it & 1 << (libc::SIGTERM - 1) != 0) || has_ended(child)
    });
}

/// How a process ended.
#[track_caller]
pub fn ended(mut child: Child) -> Output {
    wait_until("it has ended", || has_ended(&mut child));
    child.wait_with_output().expect("it has ended")
}

/// Asks a run to end, as Ctrl-C does, and waits until it has.
#[track_caller]
pub fn interrupt(child: Child) -> Output {
    send(&child, "INT");
    ended(child)
}

/// Writes a manifest that has been changed, with the checksum of its own that it would have.
pub fn write_manifest(path: impl AsRef<Path>, text: &str) {
    let own = text.lines().filter(|line| !line.starts_with("checksum = "));
    let lines: String = own.map(|line| format!("{line}\n")).collect();
    let checksum = blake3::hash(lines.as_bytes()).to_hex();
    fs::write(path, format!("checksum = \"{checksum}\"\n{lines}"))
        .expect("the manifest can be written");
}

/// Every file and folder under `path`, with the length of each file; links are not followed.
pub fn tree(path: &Path) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(path).expect("the folder can be listed") {
        let entry = entry.expect("an entry");
        let metadata = entry.path().symlink_metadata().expect("the entry is there");
        if metadata.is_dir() {
            found.push((entry.path(), 0));
            found.extend(tree(&entry.path()));
        } else {
            found.push((entry.path(), metadata.len()));
        }
    }
    found.sort();
    found
}

/// The rows of a table of a figure, each cell under the name of its column.
pub fn csv(text: &str) -> Vec<BTreeMap<String, String>> {
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    rows.map(|row| row.expect("a table")).collect()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
pub fn has(said: &str, words: &str) {
    assert!(said.contains(words), "{words:?} is not in:\n{said}");
}

#[track_caller]
pub fn lacks(said: &str, words: &str) {
    assert!(!said.contains(words), "{words:?} is in:\n{said}");
}
