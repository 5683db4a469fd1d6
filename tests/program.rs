//! Runs the program as a user would, in a folder of its own.

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use reines::experiment::store::Record;
use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;
use reines::experiment::store::schema;
use reines::experiment::store::table::{Axes, Writer};
use reines::results::PointTrials;
use reines::solver::course::Course;
use tempfile::TempDir;

/// A folder with specs in it, and the program.
pub struct Workplace {
    folder: TempDir,
}

impl Workplace {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("the system has a temporary folder"),
        }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file and returns its name.
    pub fn write<'a>(&self, name: &'a str, text: &str) -> &'a str {
        fs::write(self.path().join(name), text).expect("the temporary folder can be written");
        name
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reines"));
        command
            .arg0("reines")
            .args(arguments)
            .current_dir(self.path());
        command
    }

    pub fn reines(&self, arguments: &[&str]) -> Output {
        self.command(arguments)
            .output()
            .expect("the program starts")
    }

    /// Runs and expects exit code 0.
    pub fn succeed(&self, arguments: &[&str]) -> Output {
        let output = self.reines(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            stderr(&output)
        );
        output
    }

    /// Starts a run of `a.toml` into `results`, and waits until it has begun or ended: only then
    /// does it listen for signals.
    pub fn begin(&self, arguments: &[&str]) -> Child {
        let mut child = self
            .command(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        while !self.runs_begun("results", "a")
            && child.try_wait().expect("the child can be asked").is_none()
        {
            sleep(Duration::from_millis(1));
        }
        child
    }

    /// [`Self::begin`], and so long after that an interruption: how it ended.
    ///
    /// A program that was asked before it listened (SIGINT, 2) is begun again, and asked later.
    pub fn interrupt(&self, arguments: &[&str], mut after: Duration) -> Output {
        loop {
            let child = self.begin(arguments);
            sleep(after);
            let output = interrupt(child);
            if output.status.signal() != Some(2) {
                return output;
            }
            after *= 2;
        }
    }

    /// The run folders of an experiment, by name.
    pub fn runs(&self, results: &str, experiment: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path().join(results).join(experiment))
            .expect("the experiment has results");
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.expect("the folder can be listed").path())
            .collect();
        paths.sort();
        paths
    }

    /// Whether a run of the experiment has a folder.
    pub fn runs_begun(&self, results: &str, experiment: &str) -> bool {
        self.path().join(results).join(experiment).exists()
    }

    /// The names of what is in an experiment's only run, sorted.
    pub fn files(&self, results: &str, experiment: &str) -> Vec<String> {
        let runs = self.runs(results, experiment);
        assert_eq!(runs.len(), 1, "{runs:?}");
        let entries = fs::read_dir(&runs[0]).expect("the run can be listed");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    /// The rows of an experiment's only, complete run, by point.
    pub fn trials(&self, results: &str, experiment: &str) -> Vec<PointTrials> {
        let folder = RunFolder::at(&self.runs(results, experiment)[0]);
        let run = CompleteRun::at(folder).expect("a complete run");
        run.all_points().expect("our own file is readable")
    }

    /// The rows of an experiment's only, complete run, each with what a table has.
    pub fn records(&self, results: &str, experiment: &str) -> Vec<Record> {
        let of_point = |PointTrials { point, rows }| {
            let point = Arc::new(point);
            let rows: Vec<_> = rows.iter().collect();
            rows.into_iter().map(move |row| Record {
                point: Arc::clone(&point),
                row,
                repeat: 0,
                seconds: 1.0,
                course: Course::default(),
            })
        };
        let points = self.trials(results, experiment).into_iter();
        points.flat_map(of_point).collect()
    }

    /// The bytes of a file in an experiment's only run.
    pub fn bytes(&self, results: &str, experiment: &str, file: &str) -> Vec<u8> {
        let runs = self.runs(results, experiment);
        assert_eq!(runs.len(), 1, "{runs:?}");
        fs::read(runs[0].join(file)).expect("a complete run has the file")
    }
}

/// Asks a run to end, as Ctrl-C does, and waits until it has.
pub fn interrupt(child: Child) -> Output {
    let asked = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    asked.expect("there is a kill command");
    child
        .wait_with_output()
        .expect("the child can be waited for")
}

/// A `trials.parquet` of these rows.
pub fn encode(records: &[Record]) -> Vec<u8> {
    let axes = Axes::of(records.iter().map(|record| &record.point));
    let mut bytes = Vec::new();
    let writer = Writer::new(schema::trials(), &axes, &mut bytes);
    let mut writer = writer.expect("a vector can be written");
    for record in records {
        writer.write(record).expect("a vector can be written");
    }
    writer.finish().expect("a vector can be written");
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

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
