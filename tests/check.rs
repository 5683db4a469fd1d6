//! `reines check` and `reines list` as a user meets them: one sentence and exit code 2 for bad
//! input, nothing written.

use std::fs;
use std::process::Stdio;

use crate::program::{Workplace, has, lacks, stderr, stdout, text_of, write_manifest};
use crate::spec::GOOD;

/// [`GOOD`] without its figure, whatever figures there are.
fn plain() -> &'static str {
    GOOD.split("\n[[figure]]").next().unwrap_or_default()
}

#[test]
fn a_good_spec_is_printed_and_nothing_is_written() {
    let place = Workplace::new();
    place.write("small.toml", plain());
    let told = stdout(&place.succeed("check small.toml"));
    has(
        &told,
        "cell n=8 epsilon=0.01 eta=0.1      20  1\u{202f}000\u{202f}000          20\u{202f}000\u{202f}000",
    );
    let json = place.json("check --json small.toml");
    assert_eq!(
        (&json[0]["experiment"], &json[0]["worst_case_updates"]),
        (&"small".into(), &20_000_000.into())
    );
    assert_eq!(fs::read_dir(place.path()).expect("listed").count(), 1);
}

/// Twenty trials tell of sixty; a plan that nothing tells of is unknown.
#[test]
fn earlier_results_foretell_the_run_time() {
    let place = Workplace::new();
    place.write("small.toml", plain());
    place.succeed("run --quiet small.toml");
    place.write("small.toml", &plain().replace("trials = 20", "trials = 60"));
    let told = stdout(&place.succeed("check small.toml"));
    has(&told, "run time: about ");
    has(&told, "(this code version)");
    let json = place.json("check --json small.toml");
    let time = &json[0]["points"][0]["run_time"];
    assert_eq!(
        time["based_on"],
        "20 trials of this point, this code version"
    );
    let [low, seconds, high] =
        ["seconds_low", "seconds", "seconds_high"].map(|key| time[key].as_f64().expect("a number"));
    assert!(0.0 < low && low < seconds && seconds < high, "{time}");
    place.write(
        "other.toml",
        &plain().replace("epsilon = 0.01", "epsilon = 0.02"),
    );
    assert!(stdout(&place.succeed("check other.toml")).contains("run time: unknown"));
}

/// Results of another processor tell of this one, by trials of them that are run again here.
#[test]
fn results_of_another_processor_are_scaled() {
    let place = Workplace::new();
    fs::create_dir(place.path().join("experiments")).expect("a fresh folder");
    place.write("experiments/small.toml", plain());
    let stepwise = ["--dynamics", "stepwise", "small"];
    let run = ["run", "--quiet", "--results", "results/reference"];
    place.succeed([&run[..], &stepwise].concat());
    let listed = || stdout(&place.succeed("list"));
    let manifest = place.runs("results/reference", "small")[0].join("manifest.toml");
    let text = fs::read_to_string(&manifest).expect("a complete run has a manifest");
    let cpu = text.lines().find(|line| line.starts_with("cpu = "));
    let text = text.replace(cpu.expect("a processor"), "cpu = \"another\"");
    write_manifest(&manifest, &text);
    let told = stdout(&place.succeed([&["check"], &stepwise[..]].concat()));
    assert!(
        told.contains("results scaled to this processor ("),
        "{told}"
    );
    assert!(listed().contains("  reference only  "), "{}", listed());
}

/// A sweep across the ε at which the dynamics changes over: each point of the run is read under its
/// own dynamics, and tells of the growth with n under that one.
#[test]
fn a_run_with_two_dynamics_foretells_the_run_time() {
    let place = Workplace::new();
    let spec = |n: &str| {
        format!(
            "seed = 1\n[[sweep]]\nalgorithm = \"cell\"\nn = {n}\nepsilon = [0.05, 0.5]\neta = 0.1\ntrials = 20\ncutoff = 1e6\n"
        )
    };
    place.write("both.toml", &spec("[4, 5, 6]"));
    place.succeed("run --quiet both.toml");
    let manifest = place.runs("results", "both")[0].join("manifest.toml");
    let manifest = text_of(manifest);
    assert!(manifest.contains("dynamics = [\"lanes\", \"stepwise\"]"));
    for n in ["[4, 5, 6]", "[4, 5, 6, 7]"] {
        place.write("both.toml", &spec(n));
        let told = stdout(&place.succeed("check both.toml"));
        has(&told, "run time: about ");
        lacks(&told, "unknown");
    }
}

/// Trials that write down their course leave the lanes, and take longer: they and those that do not
/// tell nothing of each other.
#[test]
fn in_lanes_trials_with_a_course_are_foretold_from_their_like() {
    let place = Workplace::new();
    let spec = |recorded: &[&str]| {
        let sweep = |(n, recorded): (u32, &&str)| {
            format!(
                "[[sweep]]\nalgorithm = \"pair\"\nn = {n}\nepsilon = 0.02\ntrials = 20\ncutoff = 1e6\n{recorded}"
            )
        };
        let sweeps = (4..).zip(recorded).map(sweep).collect::<String>();
        format!("seed = 1\n{sweeps}")
    };
    const NO: &str = "";
    const YES: &str = "[sweep.events]\nkeep = \"moves\"\n";
    let lanes = ["--dynamics", "lanes"];
    let unknown = |spec: String| {
        place.write("a.toml", &spec);
        let told = stdout(&place.succeed([&["check", "a.toml"], &lanes[..]].concat()));
        has(&told, "run time: ");
        if told.contains("run time: unknown") {
            2
        } else {
            u32::from(told.contains("and 1 point of unknown length"))
        }
    };
    place.write("a.toml", &spec(&[NO, YES]));
    place.succeed([&["run", "--quiet", "a.toml"], &lanes[..]].concat());
    assert_eq!(unknown(spec(&[NO, YES])), 0);
    assert_eq!(unknown(spec(&[YES, YES])), 1);
    assert_eq!(unknown(spec(&[NO, NO])), 1);
    assert_eq!(unknown(spec(&[YES, NO])), 2);
}

/// Trials that were cut off say how long trials of that cutoff take, and nothing of a plan that
/// allows them more.
#[test]
fn trials_cut_off_earlier_say_nothing_of_the_run_time() {
    let place = Workplace::new();
    let with_cutoff = |cutoff: &str| plain().replace("cutoff = 1e6", &format!("cutoff = {cutoff}"));
    place.write("small.toml", &with_cutoff("2"));
    place.succeed("run --quiet small.toml");
    let forecast = |cutoff: &str| {
        place.write("small.toml", &with_cutoff(cutoff));
        stdout(&place.succeed("check small.toml"))
    };
    assert!(forecast("2").contains("(this code version)"));
    assert!(forecast("1").contains("(this code version)"));
    assert!(forecast("3").contains("run time: unknown"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let place = Workplace::new();
    place.write(
        "wide.toml",
        &plain().replace(
            "epsilon = 0.01",
            "epsilon = { from = 0, to = 1, points = 20_000 }",
        ),
    );
    for arguments in ["check wide.toml", "check --json wide.toml"] {
        let mut child = place
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn the_algorithms_are_listed() {
    let told = stdout(&Workplace::new().succeed("list --algorithms"));
    has(&told, "pair: ");
    has(&told, "cell: ");
    has(&told, "an integer from 1 to 64");
}
