//! Every system call of every command, failing once in turn with every error that it may give.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Output};
use std::sync::Mutex;

use rayon::prelude::*;

use super::scenarios::{ALL, Files, Met, Scenario};
use super::{one_in, stride};
use crate::program::{Workplace, skipped, words};

/// Calls, and the errors that each may give.
const CALLS: &[(&str, &[&str])] = &[
    ("openat", &["EACCES", "EIO", "EMFILE", "ESTALE"]),
    ("read", &["EIO", "ESTALE", "EINTR"]),
    ("pread64", &["EIO", "ESTALE"]),
    ("lseek", &["EIO"]),
    ("statx", &["EIO", "EACCES"]),
    ("newfstatat", &["EIO"]),
    ("getdents64", &["EIO"]),
    ("write", &["ENOSPC", "EIO", "EINTR"]),
    ("fsync", &["EIO", "ENOSPC"]),
    ("rename", &["EIO", "EACCES"]),
    ("renameat", &["EIO", "ENOSPC"]),
    ("mkdir", &["ENOSPC", "EACCES"]),
    ("unlink", &["EIO", "EACCES"]),
    ("unlinkat", &["EIO", "EACCES"]),
    ("flock", &["ENOLCK", "EINTR"]),
    ("clone3", &["EAGAIN"]),
];

/// Seconds after which a command hangs.
const PATIENCE: &str = "60";

/// A fault, or what is said where there is no tracing.
struct Fault {
    call: &'static str,
    error: &'static str,
    at: usize,
}

#[derive(Default)]
struct Tally {
    tried: usize,
    errors: usize,
    unaffected: usize,
    short: Vec<String>,
}

/// `strace` with these options, and then the command.
pub fn traced(place: &Workplace, options: &[&str], command: &str) -> Output {
    let mut traced = Command::new("timeout");
    traced.args(["-k", "5", PATIENCE, "strace", "-f", "-qq"]);
    traced.args(options).arg(env!("CARGO_BIN_EXE_reines"));
    traced.args(words(command)).current_dir(place.path());
    traced.env("TMPDIR", place.path());
    traced.output().expect("there is timeout")
}

/// How often each call is made, by the thread that makes it most often.
fn counts(place: &Workplace, command: &str) -> Option<BTreeMap<String, usize>> {
    let names: Vec<&str> = CALLS.iter().map(|(call, _)| *call).collect();
    let wanted = format!("trace={}", names.join(","));
    let log = place.path().join("trace");
    let log_name = log.display().to_string();
    let output = traced(place, &["-o", &log_name, "-e", &wanted], command);
    let text = fs::read_to_string(&log).ok()?;
    fs::remove_file(&log).expect("it is there");
    if !output.status.success() || text.is_empty() {
        return None;
    }
    let mut by_thread: BTreeMap<(String, String), usize> = BTreeMap::new();
    for line in text.lines() {
        let (thread, call) = line.split_once(' ')?;
        if let Some((name, _)) = call.trim().split_once('(') {
            let key = (name.to_owned(), thread.to_owned());
            *by_thread.entry(key).or_default() += 1;
        }
    }
    let mut most = BTreeMap::new();
    for ((name, _), count) in by_thread {
        let largest: &mut usize = most.entry(name).or_default();
        *largest = count.max(*largest);
    }
    Some(most)
}

fn faults(counts: &BTreeMap<String, usize>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for &(call, errors) in CALLS {
        for at in 1..=counts.get(call).copied().unwrap_or_default() {
            faults.extend(errors.iter().map(|&error| Fault { call, error, at }));
        }
    }
    one_in(stride(), faults)
}

fn try_one(
    scenario: &Scenario,
    ready: &Workplace,
    expected: &Files,
    fault: &Fault,
) -> Result<Met, String> {
    let place = ready.copy();
    let Fault { call, error, at } = fault;
    let inject = format!("inject={call}:error={error}:when={at}");
    let trace = format!("trace={call}");
    let options = ["-o", "/dev/null", "-e", &trace, "-e", &inject];
    let output = traced(&place, &options, scenario.command);
    scenario.judge(&place, &output, expected)
}

#[test]
fn every_call_of_every_command_may_fail() {
    let mut short = Vec::new();
    println!(
        "{:<18} {:>6} {:>7} {:>11} {:>6}",
        "command", "tried", "errors", "unaffected", "short"
    );
    for scenario in ALL {
        let ready = scenario.ready();
        let Some(counts) = counts(&ready.copy(), scenario.command) else {
            skipped("no strace, or no tracing allowed");
            return;
        };
        let expected = scenario.expected(&ready);
        let tally = Mutex::new(Tally::default());
        faults(&counts).par_iter().for_each(|fault| {
            let met = try_one(scenario, &ready, &expected, fault);
            let mut tally = tally.lock().expect("no thread panics with it");
            tally.tried += 1;
            match met {
                Ok(Met::Error) => tally.errors += 1,
                Ok(Met::Unaffected) => tally.unaffected += 1,
                Err(reason) => {
                    let Fault { call, error, at } = fault;
                    tally
                        .short
                        .push(format!("{}: {call} {at} {error}: {reason}", scenario.name));
                }
            }
        });
        let tally = tally.into_inner().expect("no thread panics with it");
        println!(
            "{:<18} {:>6} {:>7} {:>11} {:>6}",
            scenario.name,
            tally.tried,
            tally.errors,
            tally.unaffected,
            tally.short.len()
        );
        tally.short.iter().for_each(|reason| println!("{reason}"));
        short.extend(tally.short);
    }
    assert!(short.is_empty(), "falls short:\n{}", short.join("\n"));
}
