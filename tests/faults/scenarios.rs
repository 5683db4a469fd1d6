//! What is tried: a command in a folder, and what must be there after it has been called again.

use std::collections::BTreeMap;
use std::fs;
use std::process::Output;

use crate::program::{Workplace, bytes_of, stderr, stdout, tree};

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"cell\"\nn = [4, 5]\nepsilon = 0.05\neta = 0.1\ntrials = 12\ncutoff = 50_000\n\
                    [sweep.series]\nat = { from = 1, to = 1e4, points = 4, scale = \"log\" }\n\
                    [[figure]]\nkind = \"convergence-vs-n\"\n";

/// A command, tried in a copy of a folder.
pub struct Scenario {
    pub name: &'static str,
    /// Makes the folder ready.
    prepare: fn(&Workplace),
    pub command: &'static str,
}

const fn of(name: &'static str, prepare: fn(&Workplace), command: &'static str) -> Scenario {
    Scenario {
        name,
        prepare,
        command,
    }
}

const RUN: &str = "run a.toml --threads 1";

/// Every command that writes, and those that read much.
pub const ALL: &[Scenario] = &[
    of("run", |_| {}, RUN),
    of("resume", begin, RUN),
    of("grow", grow, RUN),
    of("run again", litter, RUN),
    of("piece", |_| {}, "run a.toml --threads 1 --only trial<6"),
    of("finish", pieces, "run a.toml --threads 1"),
    of("report", complete, "report a.toml --html a.html"),
    of("verify", complete, "verify"),
    of("export", complete, "export a -o a.csv"),
    of("list", complete, "list a"),
    of("diff", two_sides, "diff results other"),
];

fn grow(place: &Workplace) {
    complete(place);
    place.write("a.toml", &SPEC.replace("trials = 12", "trials = 14"));
}

/// A complete run with what a killed process leaves.
fn litter(place: &Workplace) {
    complete(place);
    let run = place.run("results");
    fs::create_dir(run.join("parts")).expect("it can be made");
    for left in ["parts/000000-00.parquet", ".partial-a", "lock"] {
        fs::write(run.join(left), "left").expect("it can be written");
    }
}

fn pieces(place: &Workplace) {
    for piece in ["trial<6", "trial>=6"] {
        place.succeed(format!("run a.toml --only {piece}"));
    }
}

fn two_sides(place: &Workplace) {
    complete(place);
    place.succeed("run a.toml --results other");
}

fn complete(place: &Workplace) {
    place.succeed("run a.toml");
}

/// A run of which the larger part is saved.
fn begin(place: &Workplace) {
    place.save_some("", |it| it.row.trial % 3 > 0);
}

/// The files of a folder that are the same however often they are made, with their bytes.
pub type Files = BTreeMap<String, Vec<u8>>;

impl Scenario {
    /// The same command as it is called again after a failure, over what is there.
    fn again(&self) -> String {
        let names_a_file = self.command.contains(" -o ") || self.command.contains(" --html ");
        let force = if names_a_file { " --force" } else { "" };
        self.command.replace(" --threads 1", "") + force
    }

    /// A folder in which the command can be called.
    pub fn ready(&self) -> Workplace {
        let place = Workplace::with(SPEC);
        (self.prepare)(&place);
        place
    }

    /// What is there when nothing fails.
    pub fn expected(&self, ready: &Workplace) -> Files {
        let place = ready.copy();
        place.succeed(self.command);
        files(&place)
    }

    /// What falls short after the command was called with a fault, and again without.
    pub fn judge(
        &self,
        place: &Workplace,
        output: &Output,
        expected: &Files,
    ) -> Result<Met, String> {
        let said = stderr(output);
        let met = match output.status.code() {
            Some(0) => Met::Unaffected,
            // The system's loader, before the program begins.
            Some(127) if said.contains("loading shared libraries") => Met::Error,
            Some(1 | 2)
                if said
                    .lines()
                    .any(|line| line.contains("error") || line.contains(": ")) =>
            {
                Met::Error
            }
            Some(1) if self.name == "verify" => Met::Error,
            // Beside the run that it lists.
            Some(1) if self.name == "list" && stdout(output).contains("(os error ") => Met::Error,
            code => return Err(format!("exit code {code:?}, {:?}: {said}", output.status)),
        };
        if said.contains("panicked") {
            return Err(format!("a panic: {said}"));
        }
        // What a complete run could not get rid of, which the next command removes.
        let mut found = files(place);
        let left = ["/parts/", "/.partial-"];
        let is_left = |name: &str| left.iter().any(|it| name.contains(it));
        found.retain(|name, _| expected.contains_key(name) || !is_left(name));
        // A run is complete without the links beside it; the next one makes those that are named.
        let is_told = |name: &String| said.contains(&format!("{name}: no link can be made"));
        let told = expected.iter().filter(|it| is_told(it.0));
        found.extend(told.map(|(name, bytes)| (name.clone(), bytes.clone())));
        if met == Met::Unaffected && found != *expected {
            return Err(format!("exit code 0, and {}", difference(&found, expected)));
        }
        let odd = |(path, _): &(std::path::PathBuf, u64)| {
            let name = path.display().to_string();
            name.contains("damaged")
        };
        if let Some((path, _)) = tree(place.path()).into_iter().find(odd) {
            return Err(format!("sound and set aside: {}", path.display()));
        }
        let again = place.reines(self.again());
        if !again.status.success() {
            return Err(format!("called again: {}", stderr(&again)));
        }
        let found = files(place);
        if found != *expected {
            return Err(format!("called again: {}", difference(&found, expected)));
        }
        let verified = place.reines("verify");
        if !verified.status.success() {
            return Err(String::from_utf8_lossy(&verified.stdout).into_owned());
        }
        Ok(met)
    }
}

/// How a command took its fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Met {
    /// It ended with an error in words.
    Error,
    /// It did its work.
    Unaffected,
}

fn files(place: &Workplace) -> Files {
    let varies = ["timings.parquet", "manifest.toml", "a.html"];
    let mut files = Files::new();
    for (path, _) in tree(place.path()) {
        let name = path
            .strip_prefix(place.path())
            .expect("in it")
            .display()
            .to_string();
        // A lock may stay where the command failed, and is removed by the next one.
        // What a killed process began to write beside figures harms nothing, and another one may
        // be writing there.
        let is_begun = name.contains(".partial-") && !name.starts_with("results/");
        let counts = path.is_file() && !name.ends_with("/lock") && !is_begun;
        if counts && varies.iter().any(|end| name.ends_with(end)) {
            files.insert(name, Vec::new());
        } else if counts {
            files.insert(name, bytes_of(&path));
        }
    }
    files
}

fn difference(found: &Files, expected: &Files) -> String {
    let names = found.keys().chain(expected.keys());
    let differing = names.filter(|name| found.get(*name) != expected.get(*name));
    let mut differing: Vec<&String> = differing.collect();
    differing.sort();
    differing.dedup();
    format!("other files than without the fault: {differing:?}")
}
