//! Disks that fill up and folders that cannot be written: one clear message, and nothing saved is
//! lost.

use std::fs;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::{Command, Output};

use reines::experiment::store::folder::RunFolder;

use crate::program::{Workplace, stderr};

/// What a preloaded library does in place of `fsync`: it writes down which file or folder it was.
#[cfg(target_os = "linux")]
const SYNC: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int fsync(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path);
    FILE *log = fopen(getenv("SYNC_LOG"), "a");
    if (log && length > 0) fprintf(log, "%.*s\n", (int)length, path);
    if (log) fclose(log);
    return syscall(SYS_fsync, file);
}
"#;

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5, 6]\nepsilon = [0.02, 0.05]\ntrials = 100\ncutoff = 2e4\n";

/// The program with files of at most `blocks` of 512 bytes; a write beyond that fails as on a full
/// disk, since the signal is ignored.
fn with_small_files(workplace: &Workplace, blocks: u32) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" run a.toml");
    let mut command = Command::new("sh");
    command
        .args(["-c", &script, env!("CARGO_BIN_EXE_reines")])
        .current_dir(workplace.path());
    command.output().expect("there is a shell")
}

fn workplace() -> Workplace {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    workplace.succeed(&["run", "a.toml", "--results", "whole"]);
    workplace
}

fn assert_recovers(workplace: &Workplace) {
    workplace.succeed(&["run", "a.toml"]);
    assert_eq!(
        workplace.bytes("results", "a", "trials.parquet"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
    assert_eq!(
        workplace.files("results", "a"),
        [
            "manifest.toml",
            "spec.toml",
            "timings.parquet",
            "trials.parquet"
        ]
    );
}

/// What is in the folder of the parts.
fn files_of_parts(run: &Path) -> Vec<String> {
    let entries = fs::read_dir(run.join("parts")).expect("the run has begun");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn a_disk_with_no_room_for_a_part_ends_the_run_with_one_message() {
    let workplace = workplace();
    let output = with_small_files(&workplace, 2);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("/parts: file too large"), "{message}");
    assert_eq!(
        (
            message.matches("too large").count(),
            message.lines().count()
        ),
        (1, 1),
        "{message}"
    );
    let left = files_of_parts(&workplace.runs("results", "a")[0]);
    assert_eq!(left.len(), 0, "a file that was not finished must not stay");
    assert_recovers(&workplace);
}

#[test]
fn a_disk_that_fills_up_during_the_merge_keeps_the_parts() {
    let workplace = workplace();
    let records = workplace.records("whole", "a");
    let name = workplace.runs("whole", "a")[0]
        .file_name()
        .expect("a run folder has a name")
        .to_owned();
    let locked = RunFolder::at(workplace.path().join("results/a").join(name))
        .lock()
        .expect("nobody else runs this plan");
    let (mut parts, _) = locked
        .take_over_parts(&mut |_| true)
        .expect("the folder can be written");
    let mut largest = 0;
    for batch in records[..590].chunks(59) {
        parts
            .save(&mut batch.to_vec())
            .expect("the part can be saved");
    }
    for part in fs::read_dir(locked.folder().path().join("parts")).expect("there are parts") {
        largest = largest.max(part.expect("an entry").metadata().expect("readable").len());
    }
    drop(locked);
    let needed = workplace.bytes("whole", "a", "trials.parquet").len() as u64;
    assert!(
        needed > largest + 1024,
        "the limit must lie between a part, {largest} bytes, and the table, {needed} bytes"
    );
    let output = with_small_files(&workplace, u32::try_from(needed / 512).expect("small"));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("file too large"),
        "{}",
        stderr(&output)
    );
    let run = &workplace.runs("results", "a")[0];
    assert!(!run.join("trials.parquet").exists() && !run.join("manifest.toml").exists());
    assert_eq!(
        files_of_parts(run).len(),
        11,
        "ten saved before and the last one"
    );
    assert_recovers(&workplace);
}

/// A power cut after a file has its name must leave it whole: it is synced under its temporary
/// name, and its folder when it has its own. Skipped where there is no C compiler.
#[cfg(target_os = "linux")]
#[test]
fn every_file_is_synced_and_then_its_folder() {
    let workplace = workplace();
    workplace.write("sync.c", SYNC);
    let mut compiler = Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", "-o", "sync.so", "sync.c"])
        .current_dir(workplace.path());
    if !compiler.status().is_ok_and(|status| status.success()) {
        println!("skipped: no C compiler");
        return;
    }
    let log = workplace.path().join("sync.log");
    let output = workplace
        .command(&["run", "a.toml", "--threads", "1"])
        .env("LD_PRELOAD", workplace.path().join("sync.so"))
        .env("SYNC_LOG", &log)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", stderr(&output));
    let synced = fs::read_to_string(&log).expect("something was synced");
    let synced: Vec<&Path> = synced.lines().map(Path::new).collect();
    let is_unnamed = |path: &Path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(".partial-"))
    };
    let mut files = 0;
    for (at, file) in synced
        .iter()
        .enumerate()
        .filter(|(_, path)| is_unnamed(path))
    {
        assert_eq!(synced.get(at + 1).copied(), file.parent(), "{synced:#?}");
        files += 1;
    }
    assert!(
        files > workplace.files("results", "a").len(),
        "and the parts: {synced:#?}"
    );
    let results = workplace.path().join("results");
    assert!(
        synced.iter().any(|path| path.ends_with("results")),
        "{results:?} holds a new folder: {synced:#?}"
    );
    assert_recovers(&workplace);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let workplace = workplace();
    workplace.write("results", "a file where the folder should be");
    let output = workplace.reines(&["run", "a.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("results/a") && stderr(&output).contains("Not a directory"),
        "{}",
        stderr(&output)
    );
    fs::remove_file(workplace.path().join("results")).expect("the file can be removed");
    assert_recovers(&workplace);
}

/// Runs `script` as root in a mount namespace of its own; `None`, said aloud, where that is not
/// allowed.
fn with_mounts(workplace: &Workplace, script: &str) -> Option<Output> {
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command
            .args(["-m", "sh", "-ec", script, env!("CARGO_BIN_EXE_reines")])
            .current_dir(workplace.path());
        command.output()
    };
    let allowed = unshare("mkdir probe; mount -t tmpfs tmpfs probe")
        .is_ok_and(|output| output.status.success());
    if !allowed {
        println!("skipped: no mounts without root and unshare");
        return None;
    }
    Some(unshare(script).expect("it worked a moment ago"))
}

#[test]
fn a_full_file_system_keeps_what_is_saved() {
    let workplace = workplace();
    // The run is interrupted by the full disk; what it saved is copied out of the mount before that
    // goes with its namespace.
    let script = "mkdir results; mount -t tmpfs -o size=24k tmpfs results; code=0; \"$0\" run a.toml || code=$?; \
                  mkdir kept; cp -r results/. kept/; echo code $code";
    let Some(output) = with_mounts(&workplace, script) else {
        return;
    };
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("code 1"),
        "{output:?}"
    );
    assert!(
        ["No space left", "no storage space"]
            .iter()
            .any(|words| stderr(&output).contains(words)),
        "{}",
        stderr(&output)
    );
    fs::remove_dir(workplace.path().join("results")).expect("the mount point is empty again");
    fs::rename(
        workplace.path().join("kept"),
        workplace.path().join("results"),
    )
    .expect("it can be renamed");
    assert_recovers(&workplace);
}

#[test]
fn a_read_only_mount_refuses_a_run_and_still_serves_a_complete_one() {
    let workplace = workplace();
    // As published by who did not wait for the last command.
    let run = workplace.runs("whole", "a")[0].clone();
    fs::create_dir(run.join("parts")).expect("it can be made");
    for name in ["lock", ".partial-abc"] {
        fs::write(run.join(name), "").expect("it can be written");
    }
    let script = "mkdir results; mount --bind whole whole; mount -o remount,ro,bind whole; mount --bind results results; mount -o remount,ro,bind results; \
                  \"$0\" run a.toml --results whole; code=0; \"$0\" run a.toml || code=$?; echo code $code";
    let Some(output) = with_mounts(&workplace, script) else {
        return;
    };
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("code 1"),
        "{output:?}"
    );
    assert!(
        stderr(&output).contains("complete already")
            && stderr(&output).contains("Read-only file system"),
        "{}",
        stderr(&output)
    );
    assert_recovers(&workplace);
}
