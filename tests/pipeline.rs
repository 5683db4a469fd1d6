//! From a spec to stored rows: the same bytes whatever happens on the way, and nothing lost.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use reines::experiment::store::folder::RunFolder;
use reines::solver::Ending;

use crate::program::{Workplace, stderr};

const PAIR: &str = "[[sweep]]\nalgorithm = \"pair\"\nn = [1, 4, 5]\nepsilon = [0.02, 0.05]\ntrials = 30\ncutoff = 2e5\n";
const CELL: &str = "[[sweep]]\nalgorithm = \"cell\"\nn = { from = 4, to = 6, step = 1 }\nepsilon = 0.05\neta = [0, 0.1]\ntrials = 30\ncutoff = 20_000\n";

#[test]
fn threads_and_order_of_sweeps_leave_the_bytes_alone() {
    let workplace = Workplace::new();
    workplace.write("a.toml", &format!("seeds = [7, 3]\n{PAIR}{CELL}"));
    for threads in ["1", "2", "3"] {
        workplace.succeed(&["run", "a.toml", "--threads", threads, "--results", threads]);
    }
    workplace.write(
        "a.toml",
        &format!("title = \"other words\"\nseeds = [3, 7]\n{CELL}{PAIR}"),
    );
    workplace.succeed(&["run", "a.toml", "--results", "swapped"]);
    let expected = workplace.bytes("1", "a", "trials.parquet");
    for results in ["2", "3", "swapped"] {
        assert_eq!(
            workplace.bytes(results, "a", "trials.parquet"),
            expected,
            "{results}"
        );
        assert_eq!(
            workplace.runs(results, "a")[0].file_name(),
            workplace.runs("1", "a")[0].file_name()
        );
    }
    // 2 seeds × (6 + 6 points) × 30 trials, of which n = 1 does not depend on chance.
    let points = workplace.trials("1", "a");
    assert_eq!(
        points.iter().map(|point| point.rows.len()).sum::<usize>(),
        720
    );
    assert!(
        points
            .iter()
            .flat_map(|point| &point.rows)
            .any(|row| row.outcome.ending == Ending::Censored),
        "the test must cover censored rows"
    );
}

#[test]
fn a_complete_plan_is_not_run_again_unless_forced() {
    let workplace = Workplace::new();
    workplace.write("a.toml", &format!("seed = 1\n{PAIR}"));
    workplace.succeed(&["run", "a.toml"]);
    let first = workplace.bytes("results", "a", "manifest.toml");
    let again = workplace.succeed(&["run", "a.toml"]);
    assert!(
        stderr(&again).contains("complete already"),
        "{}",
        stderr(&again)
    );
    assert_eq!(workplace.bytes("results", "a", "manifest.toml"), first);
    workplace.succeed(&["run", "a.toml", "--force", "--quiet"]);
    let runs = workplace.runs("results", "a");
    assert_eq!(runs.len(), 2);
    assert!(runs[1].to_string_lossy().ends_with(".2"));
    assert_eq!(
        fs::read(runs[0].join("manifest.toml")).expect("the first run is untouched"),
        first
    );
    let trials =
        |run: usize| fs::read(runs[run].join("trials.parquet")).expect("a complete run has trials");
    assert_eq!(trials(0), trials(1));
}

#[test]
fn quick_is_a_subset_of_the_same_rows() {
    let workplace = Workplace::new();
    workplace.write("a.toml", &format!("seed = 1\n{CELL}"));
    workplace.succeed(&["run", "a.toml", "--results", "full"]);
    workplace.succeed(&["run", "a.toml", "--results", "quick", "--quick"]);
    let points = |results| workplace.trials(results, "a");
    let (full, quick) = (points("full"), points("quick"));
    assert_eq!(full.len(), quick.len());
    for (full, quick) in full.iter().zip(&quick) {
        assert_eq!(full.point, quick.point);
        assert!(full.rows.iter().take(5).eq(&quick.rows));
    }
}

#[test]
fn an_interrupted_run_keeps_what_is_finished_and_goes_on_to_the_same_bytes() {
    // Long enough to be caught in the middle: about 10⁸ updates.
    let spec = "seed = 5\n[[sweep]]\nalgorithm = \"pair\"\nn = 7\nepsilon = 0.01\ntrials = 400\ncutoff = 1e6\n";
    let workplace = Workplace::new();
    workplace.write("a.toml", spec);
    workplace.succeed(&["run", "a.toml", "--results", "whole"]);
    let mut interruptions = 0;
    for round in 0..40 {
        let after = Duration::from_millis(20 + 20 * round);
        let ended = workplace.interrupt(&["run", "a.toml", "--threads", "2"], after);
        match ended.status.code() {
            Some(0) => break,
            Some(1) => interruptions += 1,
            code => panic!("exit code {code:?}"),
        }
    }
    workplace.succeed(&["run", "a.toml"]);
    assert!(interruptions > 0, "the run was too short to be interrupted");
    assert_eq!(
        workplace.bytes("results", "a", "trials.parquet"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
    let run = &workplace.runs("results", "a")[0];
    let left: BTreeSet<String> = fs::read_dir(run)
        .expect("the run can be listed")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let expected = [
        "manifest.toml",
        "spec.toml",
        "timings.parquet",
        "trials.parquet",
    ]
    .map(str::to_owned);
    assert_eq!(left, BTreeSet::from(expected));
}

#[test]
fn a_damaged_part_is_set_aside_and_its_trials_run_again() {
    let workplace = Workplace::new();
    workplace.write("a.toml", &format!("seed = 1\n{PAIR}"));
    workplace.succeed(&["run", "a.toml", "--results", "whole"]);
    let whole = workplace.runs("whole", "a")[0].clone();
    let mut records = workplace.records("whole", "a");
    let folder = workplace
        .path()
        .join("results/a")
        .join(whole.file_name().expect("a run folder has a name"));
    let locked = RunFolder::at(&folder)
        .lock()
        .expect("nobody else runs this plan");
    let (mut saved, _) = locked
        .take_over_parts(&mut |_| true)
        .expect("the folder can be written");
    saved
        .save(&mut records[..40])
        .expect("the part can be saved");
    saved
        .save(&mut records[40..90])
        .expect("the part can be saved");
    let locked_out = workplace.reines(&["run", "a.toml"]);
    assert_eq!(locked_out.status.code(), Some(1));
    assert!(
        stderr(&locked_out).contains("another process"),
        "{}",
        stderr(&locked_out)
    );
    drop(locked);
    let parts: Vec<_> = fs::read_dir(folder.join("parts"))
        .expect("there are parts")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    let mut bytes = fs::read(&parts[0]).expect("the part can be read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&parts[0], bytes).expect("the part can be written");
    let resumed = workplace.succeed(&["run", "a.toml"]);
    assert!(
        stderr(&resumed).contains("set aside"),
        "{}",
        stderr(&resumed)
    );
    assert_eq!(
        workplace.bytes("results", "a", "trials.parquet"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
}

#[test]
fn a_flipped_byte_is_named_before_anything_is_read() {
    let workplace = Workplace::new();
    workplace.write(
        "a.toml",
        &format!("seed = 1\n{PAIR}[[figure]]\nkind = \"convergence-vs-n\"\n"),
    );
    workplace.succeed(&["run", "a.toml"]);
    let path = workplace.runs("results", "a")[0].join("trials.parquet");
    let mut bytes = fs::read(&path).expect("the run is complete");
    let last = bytes.len() - 10;
    bytes[last] ^= 0x40;
    fs::write(&path, bytes).expect("the file can be written");
    let output = workplace.reines(&["report", "a.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("BLAKE3") && stderr(&output).contains("trials.parquet"),
        "{}",
        stderr(&output)
    );
    assert!(!workplace.path().join("figures").exists());
}

/// What is called complete has been read to its end; a repetition beside it is found.
#[test]
fn a_run_with_a_flipped_byte_is_not_called_complete() {
    for table in ["trials.parquet", "timings.parquet", "spec.toml"] {
        let workplace = Workplace::new();
        workplace.write("a.toml", &format!("seed = 1\n{PAIR}"));
        workplace.succeed(&["run", "a.toml"]);
        let path = workplace.runs("results", "a")[0].join(table);
        let mut bytes = fs::read(&path).expect("the run is complete");
        let last = bytes.len() - 10;
        bytes[last] ^= 0x40;
        fs::write(&path, &bytes).expect("the file can be written");
        for command in ["run", "merge"] {
            let output = workplace.reines(&[command, "a.toml"]);
            assert_eq!(output.status.code(), Some(1), "{command}, {table}");
            let said = stderr(&output);
            assert!(said.contains("BLAKE3") && said.contains(table), "{said}");
            assert!(said.contains("--force"), "{said}");
        }
        assert_eq!(fs::read(&path).expect("it is kept"), bytes);
        workplace.succeed(&["run", "a.toml", "--force"]);
        let again = stderr(&workplace.succeed(&["run", "a.toml"]));
        assert!(again.contains("complete already in results/a/"), "{again}");
        let second = workplace.runs("results", "a")[1].clone();
        assert!(
            again.contains(
                second
                    .file_name()
                    .and_then(|it| it.to_str())
                    .expect("a name")
            )
        );
    }
}

/// A spec is drawn from the run of its own plan, though another of the same experiment and code
/// version came later.
#[test]
fn a_report_takes_the_run_of_the_specs_own_plan() {
    let workplace = Workplace::new();
    let specs = [7, 9].map(|trials| {
        format!(
            "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = [0.02, 0.05]\ntrials = {trials}\n\
             cutoff = 2e5\n[[figure]]\nkind = \"convergence-vs-epsilon\"\n"
        )
    });
    for spec in &specs {
        workplace.write("a.toml", spec);
        workplace.succeed(&["run", "a.toml", "--quiet"]);
    }
    for (spec, trials) in specs.iter().zip(["7", "9"]) {
        workplace.write("a.toml", spec);
        workplace.succeed(&["report", "a.toml", "--quiet"]);
        let table = workplace
            .path()
            .join("figures/a-convergence-vs-epsilon.csv");
        let table = fs::read_to_string(table).expect("the figure has a table");
        let mut lines = table
            .lines()
            .map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().expect("a header");
        let column = header
            .iter()
            .position(|name| *name == "trials")
            .expect("a column");
        assert!(
            lines.all(|cells| cells[column] == trials),
            "{trials}: {table}"
        );
    }
}
