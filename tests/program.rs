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
use reines::experiment::provenance::Manifest;
use reines::experiment::store::Record;
use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;
use reines::experiment::store::parts::Parts;
use reines::experiment::store::schema;
use reines::experiment::store::stored::Stored;
use reines::experiment::store::table::{Axes, Groups};
use reines::solver::Dynamics;
use reines::solver::course::Course;
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

/// The words of a command: one text, divided at its blanks, or one text for each.
pub trait Words {
    fn words(&self) -> Vec<String>;
}

impl Words for str {
    fn words(&self) -> Vec<String> {
        self.split_whitespace().map(str::to_owned).collect()
    }
}

impl Words for String {
    fn words(&self) -> Vec<String> {
        self.as_str().words()
    }
}

impl Words for [&str] {
    fn words(&self) -> Vec<String> {
        self.iter().map(|&word| word.to_owned()).collect()
    }
}

impl<const N: usize> Words for [&str; N] {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }
}

impl Words for Vec<&str> {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }
}

impl<T: Words + ?Sized> Words for &T {
    fn words(&self) -> Vec<String> {
        (*self).words()
    }
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

    pub fn command(&self, command: impl Words) -> Command {
        let mut reines = Command::new(env!("CARGO_BIN_EXE_reines"));
        reines.arg0("reines").args(command.words());
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

    pub fn reines(&self, command: impl Words) -> Output {
        let output = self.command(command).output();
        output.expect("the program starts")
    }

    /// Runs and expects exit code 0.
    #[track_caller]
    pub fn succeed(&self, command: impl Words) -> Output {
        let output = self.reines(&command);
        let said = stderr(&output);
        assert!(output.status.success(), "{:?}: {said}", command.words());
        output
    }

    /// Runs, expects this exit code and no panic; all that it says.
    #[track_caller]
    pub fn ends(&self, code: i32, command: impl Words) -> String {
        let output = self.reines(&command);
        let said = stderr(&output) + &stdout(&output);
        let is_well = output.status.code() == Some(code) && !said.contains("panicked");
        assert!(
            is_well,
            "{:?}: {}, not {code}: {said}",
            command.words(),
            output.status
        );
        said
    }

    /// What a command that succeeds prints, as JSON.
    #[track_caller]
    pub fn json(&self, command: impl Words) -> serde_json::Value {
        serde_json::from_slice(&self.succeed(command).stdout).expect("JSON")
    }

    /// The text of a file in the folder.
    #[track_caller]
    pub fn text(&self, file: impl AsRef<Path>) -> String {
        text_of(self.path().join(file))
    }

    /// Starts a command, whose standard error is kept.
    pub fn start(&self, command: impl Words) -> Child {
        let mut program = self.command(command);
        let program = program.stdout(Stdio::null()).stderr(Stdio::piped());
        program.spawn().expect("the program starts")
    }

    /// Starts a run of `a.toml` into `results`, and waits until it listens for signals and has
    /// begun.
    pub fn begin(&self, command: impl Words) -> Child {
        let mut child = self.start(command);
        wait_until_it_listens(&mut child);
        wait_until("the run has begun or ended", || {
            self.runs_begun("results", "a") || has_ended(&mut child)
        });
        child
    }

    /// [`Self::begin`], and so long after that an interruption: how it ended.
    pub fn interrupt(&self, command: impl Words, after: Duration) -> Output {
        let child = self.begin(&command);
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

    /// True if a run of the experiment has a folder.
    pub fn runs_begun(&self, results: &str, experiment: &str) -> bool {
        self.path().join(results).join(experiment).exists()
    }

    /// How many parts the runs of the experiment `a` have saved.
    pub fn n_parts(&self) -> usize {
        let manifests = |run: &PathBuf| {
            let parts = fs::read_dir(run.join("parts"))
                .into_iter()
                .flatten()
                .flatten();
            parts
                .filter(|part| part.path().join("manifest.toml").exists())
                .count()
        };
        let runs = match self.runs_begun("results", "a") {
            true => self.runs("results", "a"),
            false => Vec::new(),
        };
        runs.iter().map(manifests).sum()
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

/// The table with another integer in a row of a column.
pub fn with_count(mut table: DataFrame, name: &str, row: usize, value: u64) -> DataFrame {
    let column = table.column(name).expect("a column of the table");
    let (kind, wide) = (column.dtype().clone(), column.cast(&DataType::UInt64));
    let wide = wide.expect("numbers");
    let mut values: Vec<Option<u64>> = wide.u64().expect("as cast").iter().collect();
    values[row] = Some(value);
    let values = Series::new(name.into(), values);
    let column = values.cast(&kind).expect("it fits");
    table
        .with_column(Column::from(column))
        .expect("as many rows");
    table
}

/// Saves trials of a complete run as a part of an unfinished one.
pub fn save_part(whole: &CompleteRun, run: &Path, mut records: Vec<Record>) {
    let (_, plan) = whole.plan().expect("our own spec");
    let manifest = Manifest {
        files: BTreeMap::new(),
        points: Vec::new(),
        ..whole.manifest.clone()
    };
    let run = RunFolder::at(run);
    let parts = Parts::of(&run, &plan, manifest, &mut |_, _| Ok(true));
    let (mut parts, damaged) = parts.expect("the folder can be written");
    assert_eq!(damaged, []);
    parts.save(&mut records).expect("the folder can be written");
}

/// The trials that are stored, each with its times and course.
pub fn records_of(stored: &Stored) -> Vec<Record> {
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

/// Changes one bit of the byte in this place; the same call changes it back.
#[track_caller]
pub fn flip(path: &Path, place: usize) {
    let mut bytes = bytes_of(path);
    bytes[place] ^= 0x10;
    fs::write(path, bytes).expect("it can be written");
}

/// Writes a file of a run, and what the manifest says of it.
pub fn forge(run: &Path, name: &str, bytes: &[u8]) {
    let path = run.join("manifest.toml");
    let mut manifest: toml::Table = text_of(&path).parse().expect("TOML");
    let hash = blake3::hash(bytes).to_hex().to_string();
    manifest["files"][name]["blake3"] = hash.as_str().into();
    manifest["files"][name]["bytes"] = (bytes.len() as i64).into();
    if name == "spec.toml" {
        manifest["spec_hash"] = hash.into();
    }
    fs::write(run.join(name), bytes).expect("it can be written");
    write_manifest(&path, &manifest.to_string());
}

/// Makes a complete run one of other code: of another hash of `part`, in a folder of another name,
/// which is returned.
pub fn age(run: &Path, part: &str, digits: &str, ended: &str) -> PathBuf {
    let manifest = run.join("manifest.toml");
    let mut tree: toml::Table = text_of(&manifest).parse().expect("TOML");
    tree["parts"][part] = "00000000".into();
    tree["code_version"] = format!("0.1.0-{digits}").into();
    tree["ended"] = ended.into();
    write_manifest(&manifest, &tree.to_string());
    let name = name_of(run);
    let plan = name.rsplit_once('-').expect("a plan hash").1;
    let old = run.with_file_name(format!("0.1.0-{digits}-{plan}"));
    fs::rename(run, &old).expect("the folder can be renamed");
    old
}

/// Copies what is in a folder; links stay links.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    for entry in fs::read_dir(from).expect("it can be listed") {
        let path = entry.expect("an entry").path();
        let target = to.join(name_of(&path));
        let kind = path.symlink_metadata().expect("it is there").file_type();
        if kind.is_symlink() {
            let meant = fs::read_link(&path).expect("a link");
            std::os::unix::fs::symlink(meant, target).expect("a link");
        } else if kind.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).expect("it can be copied");
        }
    }
}

/// Xorshift64*: moments and places that tests draw; nothing of it reaches a result.
pub struct Draws(u64);

impl Draws {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() >> 32) as usize % bound
    }

    /// A moment between 0 and `end`.
    pub fn moment(&mut self, end: Duration) -> Duration {
        end.mul_f64((self.word() >> 11) as f64 / (1_u64 << 53) as f64)
    }
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

/// A `trials.parquet` of these rows.
pub fn encode(records: &[Record]) -> Vec<u8> {
    let axes = Axes::of(records.iter().map(|record| &*record.point));
    let tables = schema::tables(&axes, &mut records.to_vec());
    let frame = tables.expect("our own columns").swap_remove(0).1;
    let mut bytes = Vec::new();
    let groups = Groups::new(frame, &mut bytes).expect("a vector can be written");
    groups.finish().expect("a vector can be written");
    bytes
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
