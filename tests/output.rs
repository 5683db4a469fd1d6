//! What is printed, and to whom.

use std::process::Stdio;

use crate::program::{Workplace, stderr, stdout};

/// `reines list --algorithms | head -1`: the reader has seen enough, and that is no error.
#[test]
fn a_closed_pipe_ends_quietly() {
    let workplace = Workplace::new();
    for arguments in [
        &["list", "--algorithms"][..],
        &["list", "--figures", "--json"],
        &["completions", "bash"],
        &["density", "--n", "1..27"],
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

#[test]
fn quiet_is_silent_and_plain_lines_stand_in_for_a_bar() {
    let workplace = Workplace::new();
    workplace.write("a.toml", "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.05\ntrials = 10\ncutoff = 1e6\n");
    let quiet = workplace.succeed(&["run", "a.toml", "--quiet"]);
    assert_eq!(
        (stdout(&quiet), stderr(&quiet)),
        (String::new(), String::new())
    );
    let told = workplace.succeed(&["run", "a.toml", "--force"]);
    let lines: Vec<String> = stderr(&told).lines().map(str::to_owned).collect();
    assert!(lines[0].starts_with("a: 10 trials in "), "{lines:?}");
    assert_eq!(
        lines[1..],
        [
            "  1 point, 10 trials, 0 of them censored",
            "next: reines report a.toml"
        ]
    );
    assert!(
        !stderr(&told).contains('\u{1b}'),
        "no terminal, no control sequences"
    );
}
