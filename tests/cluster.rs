//! `reines submit` and `reines status` where there is no Slurm. With one: tests/slurm/run.sh.

use std::fs;
use std::process::Output;

use crate::program::{Words, Workplace, has, stderr, stdout};

const SPEC: &str =
    "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.05\ntrials = 20\ncutoff = 2e5\n";

/// Runs the program with no other program to be found, so that a Slurm of this machine does not
/// matter.
fn alone(workplace: &Workplace, arguments: impl Words) -> Output {
    workplace
        .command(arguments)
        .env("PATH", workplace.path())
        .output()
        .expect("the program starts")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_str(&stdout(output)).expect("JSON")
}

#[test]
fn the_status_is_told_from_files_where_nothing_else_tells() {
    let workplace = Workplace::with(SPEC);
    let status =
        |arguments: &[&str]| alone(&workplace, [&["status", "a.toml"], arguments].concat());
    let output = status(&[]);
    assert_eq!(output.status.code(), Some(1));
    has(&stdout(&output), "not begun");
    for index in [0, 1, 3] {
        workplace.succeed(format!("run a.toml -q --shard {index}/4"));
    }
    // Begun, not ended, and its process gone.
    let run = workplace.runs("results", "a")[0].clone();
    fs::remove_file(run.join("shards/1-of-4/manifest.toml")).expect("the shard is complete");
    let output = status(&[]);
    assert_eq!(output.status.code(), Some(1));
    for line in [
        "a: 2 of 4 shards done",
        "  done     0,3\n",
        "  failed   1\n",
        "  missing  2\n",
    ] {
        assert!(
            stdout(&output).contains(line),
            "{line:?}: {}",
            stdout(&output)
        );
    }
    // Held by this process, which stands for one that runs it.
    let lock = fs::File::options()
        .create(true)
        .append(true)
        .open(run.join("shards/1-of-4/lock"))
        .expect("the lock can be made");
    lock.lock().expect("nobody has it");
    let report = json(&status(&["--json"]));
    assert_eq!(
        report["counts"],
        serde_json::json!({"done": 2, "failed": 0, "missing": 1, "queued": 0, "running": 1})
    );
    assert_eq!(
        report["shards"][1],
        serde_json::json!({"shard": 1, "state": "running"})
    );
    // Only what nobody is at is submitted, in the cut that there is; another cut would start over.
    let rehearsal = stdout(&alone(&workplace, "submit a.toml --dry-run"));
    has(&rehearsal, "\nshards=4\n");
    has(&rehearsal, " --array=2 ");
    drop(lock);
    let output = alone(&workplace, "submit a.toml --dry-run --shards 5");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    for index in [1, 2] {
        workplace.succeed(format!("run a.toml -q --shard {index}/4"));
    }
    assert!(stdout(&status(&[])).contains("not merged yet"));
    workplace.succeed("merge a.toml");
    assert_eq!(status(&[]).status.code(), Some(0));
    assert_eq!(json(&status(&["--json"]))["complete"], true);
}

/// A script of `submit` runs its shards, and after its code version was changed none.
#[test]
fn a_job_of_another_code_version_runs_nothing() {
    let workplace = Workplace::with(SPEC);
    let rehearsal = stdout(&alone(&workplace, "submit a.toml --dry-run --shards 2"));
    // `# PATH` and the file's text, twice.
    let (spec, rest) = rehearsal.split_once(SPEC).expect("the copy of the spec");
    let spec = std::path::Path::new(spec.trim_start_matches("# ").trim_end());
    fs::create_dir_all(spec.parent().expect("a folder")).expect("the folder can be made");
    fs::write(spec, SPEC).expect("the copy of the spec can be written");
    let (_, array) = rest.split_once("job.sh\n").expect("the script");
    let (array, _) = array.split_once("# submitted").expect("its end");
    let run = |script: &str| {
        let mut bash = std::process::Command::new("bash");
        let bash = bash.args(["-c", script]).env("SLURM_ARRAY_TASK_ID", "0");
        bash.output().expect("bash starts")
    };
    let version = array.split("--code-version ").nth(1).expect("an option");
    let version = version.split(' ').next().expect("its value");
    // In the option alone: the folder's name has the version too.
    let option = |version: &str| format!("--code-version {version}");
    let output = run(&array.replace(&option(version), &option("0.1.0-00000000")));
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let expected = format!("its plan is {version}, not 0.1.0-00000000");
    has(&stderr(&output), &expected);
    let shard = |path: &std::path::Path| path.join("shards/0-of-2/manifest.toml");
    assert!(!shard(&workplace.runs("results", "a")[0]).exists());
    let output = run(array);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(shard(&workplace.runs("results", "a")[0]).exists());
}
