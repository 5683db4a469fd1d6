//! Signals: a command ends in good order and says what is kept.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::program::{
    Workplace, ended, has, heeds_signals, send, stderr, text_of, wait_until, wait_until_it_listens,
};

/// Short trials, and one that does not end.
const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [3, 4]\nepsilon = 0.02\ntrials = 3\ncutoff = 1_000_000_000_000_000\n";

/// Starts a shell script in the folder, in which `"$0"` is the program; its standard error is kept.
fn begin(place: &Workplace, script: &str) -> Child {
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_reines")]);
    shell.current_dir(place.path()).stdin(Stdio::null());
    shell.stdout(Stdio::null()).stderr(Stdio::piped());
    heeds_signals(&mut shell).spawn().expect("there is a shell")
}

/// [`begin`] of a run of `a.toml`, until it has a folder and listens.
fn begin_run(place: &Workplace, script: &str) -> Child {
    let mut child = begin(place, script);
    wait_until_it_listens(&mut child);
    wait_until("the run has begun", || place.has_begun());
    child
}

#[test]
fn a_signal_that_is_ignored_at_the_start_stays_ignored() {
    for (script, signal) in [
        ("trap '' HUP; exec \"$0\" run -q a.toml", "HUP"),
        ("trap '' INT; exec \"$0\" run -q a.toml", "INT"),
        // The `&` of a script ignores SIGINT; `exec` keeps the number of the process.
        ("trap '' INT HUP; exec \"$0\" run -q a.toml", "HUP"),
    ] {
        let place = Workplace::with(SPEC);
        let mut child = begin_run(&place, script);
        send(&child, signal);
        sleep(Duration::from_millis(300));
        let status = child.try_wait().expect("the child can be asked");
        assert_eq!(status, None, "{script}: ended by {signal}");
        send(&child, "TERM");
        assert_eq!(ended(child).status.code(), Some(130), "{script}");
    }
}

/// Also with `--quiet`: a run that has not ended is no remark.
#[test]
fn a_signal_keeps_what_is_finished_and_says_so() {
    for signal in ["INT", "TERM", "HUP"] {
        let place = Workplace::with(SPEC);
        let child = begin_run(&place, "exec \"$0\" run -q a.toml");
        send(&child, signal);
        let output = ended(child);
        assert_eq!(output.status.code(), Some(130), "{signal}");
        has(&stderr(&output), " of 6 trials, kept in results/a/");
    }
}

/// As from `timeout`, which sends its signal to the process and to its group, and from a terminal
/// that closes.
#[test]
fn signals_that_come_together_are_one() {
    let place = Workplace::with(SPEC);
    let child = begin_run(&place, "exec \"$0\" run a.toml");
    for signal in ["TERM", "TERM", "HUP"] {
        // It may have ended between two of them.
        send(&child, signal);
    }
    let output = ended(child);
    assert_eq!(output.status.code(), Some(130));
    has(&stderr(&output), " of 6 trials, kept in results/a/");
}

#[test]
fn every_command_that_is_interrupted_ends_with_130() {
    for command in [
        "replay pair n=3 epsilon=1e-9 --cutoff 1e15 -o a.html",
        "solve pair n=3 epsilon=1e-9 --cutoff 1e15",
        // The largest board, which takes weeks.
        "solve bitboard n=27 --count",
    ] {
        let place = Workplace::new();
        let mut child = begin(&place, &format!("exec \"$0\" {command}"));
        wait_until_it_listens(&mut child);
        send(&child, "INT");
        let output = ended(child);
        assert_eq!(output.status.code(), Some(130), "{command}");
    }
}

/// Of a search that was stopped for a while, as by Ctrl-Z, the time is measured again: the pause is
/// none of it. The search takes half a second on a processor of its own.
#[test]
fn a_pause_is_no_time_of_a_search() {
    const PAUSE: Duration = Duration::from_secs(10);
    let spec =
        "seed = 1\n[[sweep]]\nalgorithm = \"backtracking\"\nn = 13\ncutoff = 1e12\nrepeats = 1\n";
    let place = Workplace::with(spec);
    let child = begin_run(&place, "exec \"$0\" run -q a.toml --threads 1");
    sleep(Duration::from_millis(100));
    send(&child, "STOP");
    sleep(PAUSE);
    send(&child, "CONT");
    let output = ended(child);
    assert!(output.status.success(), "{}", stderr(&output));
    let record = &place.records("results", "a")[0];
    let seconds = record.seconds[0];
    assert!(seconds < PAUSE.as_secs_f64(), "{seconds}");
    let manifest = text_of(place.run("results").join("manifest.toml"));
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let known = manifest["points"][0]["seconds_sum"].as_float();
    let is_marked = manifest.contains_key("held_up");
    assert!(is_marked || known == Some(seconds), "{manifest}");
}
