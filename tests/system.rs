//! What the system refuses or answers, where `strace` cannot stand in its place (`faults`): mounts
//! and locks. One clear message, and nothing saved is lost.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use reines::experiment::store::folder::RunFolder;

use crate::program::{Workplace, bytes_of, has, lacks, skipped, stderr, stdout, wait_until};

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5, 6]\nepsilon = [0.02, 0.05]\ntrials = 100\ncutoff = 2e4\n";

fn workplace() -> Workplace {
    let place = Workplace::with(SPEC);
    place.succeed("run a.toml --results whole");
    place
}

/// Runs a script as root in a mount namespace of its own; `None`, said aloud, where that is not
/// allowed.
fn with_mounts(place: &Workplace, script: &str) -> Option<Output> {
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["-m", "sh", "-ec", script, env!("CARGO_BIN_EXE_reines")]);
        command.current_dir(place.path()).output()
    };
    let probe = unshare("mkdir probe; mount -t tmpfs tmpfs probe");
    if !probe.is_ok_and(|output| output.status.success()) {
        skipped("no mounts without root and unshare");
        return None;
    }
    Some(unshare(script).expect("it worked a moment ago"))
}

#[test]
fn a_read_only_mount_refuses_a_run_and_still_serves_a_complete_one() {
    let place = workplace();
    // As published by who did not wait for the last command.
    let run = place.run("whole");
    fs::create_dir(run.join("parts")).expect("it can be made");
    for name in ["lock", ".partial-abc"] {
        fs::write(run.join(name), "").expect("it can be written");
    }
    let script = "mkdir results; for it in whole results; do mount --bind $it $it; mount -o remount,ro,bind $it; done; \
                  \"$0\" run a.toml --results whole; code=0; \"$0\" run a.toml || code=$?; echo code $code";
    let Some(output) = with_mounts(&place, script) else {
        return;
    };
    has(&stdout(&output), "code 1");
    has(&stderr(&output), "complete already");
    has(&stderr(&output), "Read-only file system");
    fs::remove_dir_all(run.join("parts")).expect("writable again");
    fs::remove_file(run.join(".partial-abc")).expect("writable again");
    place.succeed("run a.toml");
    let [own, whole] = ["results", "whole"].map(|it| place.bytes(it, "a", "trials.parquet"));
    assert!(own == whole);
    assert_eq!(place.files("results", "a"), place.files("whole", "a"));
}

/// The run ends while another process waits for its lock, which then leaves it as it is.
#[test]
fn a_run_leaves_alone_what_ended_while_it_waited_for_the_lock() {
    let place = Workplace::with(SPEC);
    place.succeed("run a.toml");
    let run = place.run("results");
    let (manifest, hidden) = (run.join("manifest.toml"), run.join("hidden"));
    let before = bytes_of(&manifest);
    // How long the command takes until it gives up, 100 ms after it has found the lock held.
    let mut until_end = None;
    for tries in 1.. {
        fs::rename(&manifest, &hidden).expect("it is there");
        // A process that another test starts has our descriptors until it becomes its program.
        let mut locked = None;
        wait_until("the lock is free", || {
            locked = RunFolder::at(&run).lock().ok();
            locked.is_some()
        });
        let begin = Instant::now();
        let mut waiting = place.start("run a.toml -q");
        match until_end {
            // While it waits, if it is as fast as before.
            Some(until_end) => sleep(until_end),
            None => {
                let status = waiting.wait().expect("a child");
                assert_eq!(status.code(), Some(1), "the lock was held");
            }
        }
        fs::rename(&hidden, &manifest).expect("it is there");
        drop(locked);
        // 1: it waited longer than it may, and says that the plan runs.
        if waiting.wait().expect("a child").success() {
            break;
        }
        until_end = Some(begin.elapsed().saturating_sub(Duration::from_millis(50)));
        assert!(tries < 50, "it never waits for as long as before");
    }
    assert!(bytes_of(&manifest) == before, "rewritten");
    assert_eq!(place.runs("results", "a").len(), 1);
}

#[test]
fn threads_are_few_whatever_the_environment_says() {
    let place = Workplace::with(&SPEC.replace("[4, 5, 6]", "3").replace("2e4", "1e15"));
    let mut command = place.command("run a.toml -q --threads 1");
    let mut child = command
        .env("RAYON_NUM_THREADS", "2000")
        .spawn()
        .expect("it starts");
    wait_until("it has begun", || place.has_begun());
    let threads = fs::read_dir(format!("/proc/{}/task", child.id())).map_or(0, Iterator::count);
    child.kill().and_then(|()| child.wait()).expect("ours");
    assert!(threads < 200, "{threads}");
}

/// A terminal that cannot draw a bar gets the line at the end alone (and a line a minute), without
/// anything that steers a terminal; who wants no colours gets the bar.
#[test]
fn a_terminal_gets_a_bar_or_lines() {
    let place = Workplace::with(
        "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = 5\ncutoff = 1e6\n",
    );
    let on_terminal = |command: &str, variables: &[(&str, &str)]| {
        let mut script = place.tool("script");
        script
            .args(["-qec", command, "/dev/null"])
            .stdin(Stdio::null());
        script
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied());
        script.output().ok().map(|output| stdout(&output))
    };
    let run =
        |variables: &[(&str, &str)]| on_terminal("rm -rf results; reines run a.toml", variables);
    let Some(said) = run(&[("TERM", "dumb")]) else {
        return skipped("there is no `script`, which makes a terminal");
    };
    has(&said, "a: 5 trials in ");
    lacks(&said, "\u{1b}");
    lacks(&said, "of 5 trials");
    lacks(&said, "░");
    let said = run(&[("TERM", "xterm"), ("NO_COLOR", "1")]).expect("it was there");
    has(&said, "░");
    let quiet = "rm -rf results; reines run --quiet a.toml";
    assert_eq!(on_terminal(quiet, &[("TERM", "dumb")]).as_deref(), Some(""));
}
