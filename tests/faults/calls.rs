//! Every system call of every command, failing once in turn with every error that it may give.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Output};

use rayon::prelude::*;

use super::Tally;
use super::scenarios::{ALL, Files, Met, Scenario};
use crate::effort;
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
];

/// Seconds after which a command hangs.
const PATIENCE: &str = "60";

/// A call that fails.
struct Fault {
    call: &'static str,
    error: &'static str,
    at: usize,
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
    faults.into_iter().step_by(effort(1200, 1)).collect()
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
    let mut tally = Tally::default();
    for scenario in ALL {
        let ready = scenario.ready();
        let Some(counts) = counts(&ready.copy(), scenario.command) else {
            skipped("no strace, or no tracing allowed");
            return;
        };
        let expected = scenario.expected(&ready);
        let faults = faults(&counts);
        let met = faults.par_iter();
        let met = met.map(|fault| try_one(scenario, &ready, &expected, fault));
        println!("{}: {} faults", scenario.name, faults.len());
        for (Fault { call, error, at }, met) in faults.iter().zip(met.collect::<Vec<_>>()) {
            tally.add(&format!("{}: {call} {at} {error}", scenario.name), met);
        }
    }
    tally.end("calls");
}
