//! What is printed, and to whom. (`transcripts/outputs.txt` has more.)

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Stdio;

use crate::program::{Workplace, stderr, tree};

/// `reines list algorithms | head -1`: the reader has seen enough, and that is no error.
#[test]
fn a_closed_pipe_ends_quietly() {
    let wide = SPEC.replace("0.05", "{ from = 0, to = 1, points = 1000 }");
    let workplace = Workplace::with(wide.split("[[figure]]").next().unwrap_or_default());
    for arguments in [
        "check a.toml",
        "check --json a.toml",
        "list algorithms",
        "list figures --json",
        "completions bash",
        "count --n 8",
    ] {
        let (reader, writer) = std::io::pipe().expect("the system has pipes");
        // Closed before the program writes its first byte.
        drop(reader);
        let output = workplace
            .command(arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .expect("the program starts");
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            stderr(&output)
        );
        assert_eq!(stderr(&output), "", "{arguments:?}");
    }
}

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.05\ntrials = 10\ncutoff = 1e6\n\
                    [[figure]]\nkind = \"convergence-vs-n\"\n[[figure]]\nkind = \"run-length\"\n";

/// Two outputs that lose lines: on a full disk, and in a pipe whose reader is gone.
fn lost() -> [Stdio; 2] {
    let (reader, writer) = std::io::pipe().expect("the system has pipes");
    drop(reader);
    let full = File::options().write(true).open("/dev/full");
    [
        writer.into(),
        full.expect("the system has /dev/full").into(),
    ]
}

/// Messages that cannot be written are lost, and nothing else.
#[test]
fn a_run_whose_messages_are_lost_keeps_its_work() {
    let workplace = Workplace::with(SPEC);
    workplace.succeed("run a.toml --results whole");
    for (results, lost) in ["pipe", "full"].into_iter().zip(lost()) {
        let mut run = workplace.command(format!("run a.toml --results {results}"));
        let status = run.stderr(lost).status().expect("the program starts");
        assert!(status.success(), "{results}: {status}");
        assert_eq!(
            workplace.bytes(results, "a", "trials.parquet"),
            workplace.bytes("whole", "a", "trials.parquet")
        );
        workplace.succeed(format!("verify {results}"));
    }
}

/// `reines report … | head -1`: every file is written. A disk that is full is an error, and every
/// file is written too.
#[test]
fn a_report_whose_list_of_files_is_lost_writes_them_all() {
    let workplace = Workplace::with(SPEC);
    workplace.succeed("run a.toml");
    workplace.succeed("report a.toml --figures whole");
    let names = |folder: &str| -> Vec<PathBuf> {
        let all = tree(&workplace.path().join(folder)).into_iter();
        all.map(|(path, _)| path.file_name().expect("a name").into())
            .collect()
    };
    assert!(names("whole").len() > 5);
    for ((figures, code), lost) in [("pipe", 0), ("full", 1)].into_iter().zip(lost()) {
        let mut report = workplace.command(format!("report a.toml --figures {figures}"));
        let status = report.stdout(lost).status().expect("the program starts");
        assert_eq!(status.code(), Some(code), "{figures}");
        assert_eq!(names(figures), names("whole"));
    }
}

/// The damage that is found is not read from the pipe, and the exit code still says it.
#[test]
fn an_exit_code_does_not_depend_on_who_reads() {
    let workplace = Workplace::with(SPEC);
    workplace.succeed("run a.toml");
    fs::write(workplace.runs("results", "a")[0].join("spec.toml"), "").expect("ours");
    let [closed, _] = lost();
    let mut verify = workplace.command("verify");
    let status = verify.stdout(closed).status().expect("the program starts");
    assert_eq!(status.code(), Some(1));
}
