//! Resources that run out: descriptors, memory, the size of a file, the disk, threads; and folders,
//! streams and files that are not what they were.

use std::fs::{self, File};
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::Duration;

use super::scenarios::{ALL, Met};
use super::{Tally, one_in, stride};
use crate::program::{
    Workplace, bytes_of, has, interrupt, lacks, skipped, stderr, wait_until, words,
};

/// Runs a shell script in the folder, in which `"$0" "$@"` is the command.
fn with_script(place: &Workplace, script: &str, command: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_reines")]);
    shell.args(words(command)).current_dir(place.path());
    // A backtrace takes memory, and may wait for ever where there is none.
    shell.env("RUST_BACKTRACE", "0");
    shell.output().expect("there is a shell")
}

/// What a program of this language ends with where there is no memory for it or for its threads.
const OUT_OF_MEMORY: [&str; 3] = [
    "memory allocation of",
    "failed to allocate an alternative stack",
    "Fatal glibc error",
];

/// Every command under every limit, the tightest first: it does its work or says what it lacks, and
/// then goes on. The tightest is tried on every day, and some command must meet it.
fn try_limits(what: &str, limits: &[u64], script: &dyn Fn(u64) -> String) {
    let (tightest, others) = limits.split_first().expect("limits");
    let limits = [vec![*tightest], one_in(stride().min(4), others.to_vec())].concat();
    let mut tally = Tally::default();
    for scenario in ALL {
        let ready = scenario.ready();
        let expected = scenario.expected(&ready);
        for &limit in &limits {
            let place = ready.copy();
            let output = with_script(&place, &script(limit), scenario.command);
            let said = stderr(&output);
            let is_out_of_memory = OUT_OF_MEMORY.iter().any(|words| said.contains(words));
            let met = if is_out_of_memory {
                // Which ends any program of this language; what was saved stays.
                let files = scenario.judge_files(&place, Met::Error, &expected);
                files.map(|()| Met::Error)
            } else {
                scenario.judge(&place, &output, &expected)
            };
            tally.add(&format!("{}: {limit}", scenario.name), met);
        }
    }
    tally.end(what);
    assert!(tally.errors > 0, "no {what} were too few: {limits:?}");
}

#[test]
#[ignore = "slow: `make faults`"]
fn descriptors_run_out() {
    let limits: Vec<u64> = (8..=64).step_by(4).collect();
    try_limits("descriptors", &limits, &|limit| {
        format!("ulimit -n {limit}; exec \"$0\" \"$@\"")
    });
}

#[test]
#[ignore = "slow: `make faults`"]
fn files_may_not_grow() {
    try_limits(
        "blocks of a file",
        &[1, 2, 4, 8, 12, 16, 24, 32],
        &|limit| format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" \"$@\""),
    );
}

#[test]
#[ignore = "slow: `make faults`"]
fn memory_runs_out() {
    let limits = (64..=320).step_by(32).map(|megabytes| megabytes << 10);
    try_limits("kB of memory", &limits.collect::<Vec<_>>(), &|limit| {
        format!("ulimit -v {limit}; exec \"$0\" \"$@\"")
    });
}

/// A disk of so many kilobytes, in a mount namespace of its own. Skipped where that is not allowed.
#[test]
#[ignore = "slow: `make faults`"]
fn disks_fill_up() {
    let probe = Workplace::new();
    let mounts = with_script(
        &probe,
        "mkdir probe; unshare -m mount -t tmpfs tmpfs probe",
        "",
    );
    if !mounts.status.success() {
        skipped("no mounts without root and unshare");
        return;
    }
    let sizes = [
        64, 68, 72, 80, 88, 96, 112, 128, 160, 192, 256, 512, 1024, 4096,
    ];
    try_limits("kB of disk", &sizes, &|size| {
        let inside = format!(
            "mkdir disk; mount -t tmpfs -o size={size}k tmpfs disk; cp -a results disk/ 2>/dev/null; \
             cp a.toml disk/; cp -a run other disk/ 2>/dev/null; cd disk; \"$0\" \"$@\"; code=$?; cd ..; \
             rm -rf results other; cp -a disk/. .; exit $code"
        );
        // A disk on which not even the beginning fits says nothing.
        format!(
            "if [ \"$(du -sk . | cut -f1)\" -gt {} ]; then exec \"$0\" \"$@\"; fi; exec unshare -m sh -c '{inside}' \"$0\" \"$@\"",
            size * 4 / 5
        )
    });
}

/// A trial that does not end, beside short ones.
const ENDLESS: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [3, 4]\nepsilon = 0.02\ntrials = 3\ncutoff = 1_000_000_000_000_000\n";

fn endless() -> (Workplace, Child) {
    let place = Workplace::with(ENDLESS);
    let child = place.start("run a.toml --threads 2");
    wait_until("a part is saved", || place.n_parts() > 0);
    (place, child)
}

/// The folder of a run that goes on is removed, or has another name.
#[test]
#[ignore = "slow: `make faults`"]
fn a_folder_that_vanishes_under_a_run_ends_it_with_an_error() {
    for rename in [true, false] {
        let (place, child) = endless();
        let results = place.path().join("results");
        if rename {
            fs::rename(&results, place.path().join("elsewhere")).expect("it can be renamed");
        } else {
            while fs::remove_dir_all(&results).is_err() {}
        }
        let output = interrupt(child);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        has(&said, "results/a");
        lacks(&said, "panicked");
    }
}

#[test]
#[ignore = "slow: `make faults`"]
fn two_processes_on_one_experiment() {
    let (place, child) = endless();
    has(
        &place.ends(1, "run a.toml"),
        "another process is running this plan",
    );
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    // Four at once, of which some may do all of the work and none harms another.
    let short = ENDLESS
        .replace("[3, 4]", "[4, 5]")
        .replace("trials = 3", "trials = 400");
    place.write("b.toml", &short);
    place.succeed("run b.toml --results whole");
    let run = || place.start("run b.toml");
    for child in [run(), run(), run(), run()] {
        let output = child.wait_with_output().expect("it ends");
        let said = stderr(&output);
        let is_well = output.status.success() || said.contains("another process");
        assert!(is_well && !said.contains("panicked"), "{said}");
    }
    place.succeed("run b.toml");
    let bytes = |results| place.bytes(results, "b", "trials.parquet");
    assert_eq!(bytes("results"), bytes("whole"));
}

#[test]
#[ignore = "slow: `make faults`"]
fn without_a_home_and_with_closed_streams() {
    for script in [
        "unset HOME; exec \"$0\" \"$@\"",
        "exec \"$0\" \"$@\" <&- >&- 2>&-",
        "exec \"$0\" \"$@\" >&-",
        "exec \"$0\" \"$@\" 2>&-",
        "\"$0\" \"$@\" 2>&1 | head -c 1 > /dev/null; exec \"$0\" \"$@\"",
        "exec env -i \"$0\" \"$@\"",
    ] {
        for scenario in ALL.iter().filter(|it| it.name != "export") {
            let ready = scenario.ready();
            let expected = scenario.expected(&ready);
            let place = ready.copy();
            let output = with_script(&place, script, scenario.command);
            let met = scenario.judge(&place, &output, &expected);
            assert!(met.is_ok(), "{}: {script}: {met:?}", scenario.name);
        }
    }
}

/// Cut and overwritten while it is read: an error or the truth, and no signal.
#[test]
#[ignore = "slow: `make faults`"]
fn a_table_that_is_cut_while_it_is_read_kills_no_process() {
    let place = Workplace::with(
        "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.05\ntrials = 100_000\ncutoff = 50\n",
    );
    place.succeed("run a.toml");
    let table = place.runs("results", "a")[0].join("trials.parquet");
    let whole = bytes_of(&table);
    for pause in 0..60 {
        let child = place.start("export a -o a.csv --force");
        sleep(Duration::from_millis(pause));
        let file = File::options().write(true).open(&table).expect("ours");
        file.set_len(whole.len() as u64 / 2).expect("it can be cut");
        let output = child.wait_with_output().expect("it ends");
        let code = output.status.code();
        assert!(
            matches!(code, Some(0 | 1)),
            "{}: {}",
            output.status,
            stderr(&output)
        );
        fs::write(&table, &whole).expect("it can be written");
    }
}
