//! `--device`: the same bytes on a graphics processor, here a software one, as on the processor;
//! and one clear error where there is none, or no trial for it.

use crate::program::{Workplace, stderr};

const SWEEP: &str =
    "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = 2\ncutoff = 10\n";

/// Refused with exit code 2 and these words.
fn refused(workplace: &Workplace, arguments: &[&str], words: &[&str]) {
    let output = workplace.reines(&[&["run", "a.toml"], arguments].concat());
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
    assert!(!workplace.path().join("results").exists(), "nothing ran");
}

#[test]
fn a_device_that_is_not_there_is_refused() {
    let workplace = Workplace::new();
    workplace.write("a.toml", SWEEP);
    let lanes = ["--dynamics", "lanes", "--device"];
    let with = |device: &'static str| [&lanes[..], &[device]].concat();
    refused(
        &workplace,
        &with("cuda"),
        &["cuda", "gpu:software", "gpu:NAME"],
    );
    let reason = if cfg!(feature = "gpu") {
        "not found by Vulkan"
    } else {
        "without the feature gpu"
    };
    refused(
        &workplace,
        &with("gpu:no such device"),
        &["gpu:no such device", reason],
    );
}

#[test]
fn what_a_device_cannot_run_is_refused_whole() {
    let more = |more: &str| format!("{SWEEP}{more}");
    let cases = [
        (
            SWEEP.to_owned(),
            &["--device", "gpu", "--dynamics", "one-by-one"][..],
            "--dynamics lanes",
        ),
        (
            more("[[sweep]]\nalgorithm = \"rows\"\nn = 5\ncutoff = 1000\n"),
            &["--device", "gpu", "--dynamics", "lanes"],
            "search",
        ),
        (
            more("[sweep.events]\nkeep = \"moves\"\n"),
            &["--device", "gpu", "--dynamics", "lanes"],
            "course",
        ),
    ];
    for (spec, arguments, word) in cases {
        let workplace = Workplace::new();
        workplace.write("a.toml", &spec);
        refused(
            &workplace,
            arguments,
            &["a.toml: ", word, "allowed is --device cpu"],
        );
    }
}

#[test]
fn the_processor_is_a_device_too() {
    let workplace = Workplace::new();
    workplace.write("a.toml", SWEEP);
    workplace.succeed(&["run", "a.toml", "--quiet", "--device", "cpu"]);
    let manifest = workplace.bytes("results", "a", "manifest.toml");
    let manifest = String::from_utf8(manifest).expect("text");
    assert!(!manifest.contains("\ndevice = "), "{manifest}");
}

/// On a software device.
#[cfg(feature = "gpu")]
mod software {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use reines::analysis::sequential::is_precise;
    use reines::experiment::plan::{MAX_COURSE_ROWS, Plan};
    use reines::experiment::runner::{self, Finish, PlannedRun, Request};
    use reines::experiment::spec;
    use reines::solver::{Asked, DynamicsChoice, Gpu};

    use super::*;

    const SPEC: &str = "seeds = [7, 3]\n\
        [[sweep]]\nalgorithm = \"pair\"\nn = [1, 4, 5]\nepsilon = [0.02, 0.05]\ntrials = 30\ncutoff = 2e4\n\
        [[sweep]]\nalgorithm = \"cell\"\nn = [4, 9]\nepsilon = 0.05\neta = [0, 0.1]\ntrials = 20\ncutoff = 20_000\n";

    const LANES: [&str; 5] = ["run", "a.toml", "--quiet", "--dynamics", "lanes"];
    const DEVICE: [&str; 2] = ["--device", "gpu:software"];

    fn run(workplace: &Workplace, more: &[&str]) {
        workplace.succeed(&[&LANES[..], more].concat());
    }

    fn run_on_device(workplace: &Workplace, more: &[&str]) {
        run(workplace, &[&DEVICE[..], more].concat());
    }

    #[test]
    fn threads_and_shards_and_the_device_leave_the_bytes_alone() {
        let workplace = Workplace::new();
        workplace.write("a.toml", SPEC);
        run(&workplace, &["--results", "cpu"]);
        let expected = workplace.bytes("cpu", "a", "trials.parquet");
        for threads in ["1", "3"] {
            run_on_device(&workplace, &["--threads", threads, "--results", threads]);
            assert!(workplace.bytes(threads, "a", "trials.parquet") == expected);
        }
        // One shard on each.
        run_on_device(&workplace, &["--shard", "0/2"]);
        run(&workplace, &["--shard", "1/2"]);
        workplace.succeed(&["merge", "a.toml", "--dynamics", "lanes"]);
        assert!(workplace.bytes("results", "a", "trials.parquet") == expected);
        workplace.succeed(&["verify-files", "1"]);
        let manifest = workplace.bytes("1", "a", "manifest.toml");
        let manifest = String::from_utf8(manifest).expect("text");
        assert!(manifest.contains("(software, "), "{manifest}");
    }

    #[test]
    fn sequential_points_have_the_same_rows() {
        let workplace = Workplace::new();
        let trials = "{ min = 30, max = 200, precision = 0.1 }";
        workplace.write(
            "a.toml",
            &format!("seeds = [1, 2]\n[[sweep]]\nalgorithm = \"cell\"\nn = [4, 5]\nepsilon = 0.1\neta = 0.1\ntrials = {trials}\ncutoff = 1e6\n"),
        );
        run(&workplace, &["--results", "cpu"]);
        run_on_device(&workplace, &["--results", "gpu"]);
        let [one, two] =
            ["cpu", "gpu"].map(|results| workplace.bytes(results, "a", "trials.parquet"));
        assert!(one == two);
    }

    /// Begun on the device, interrupted, and gone on with on the processor.
    #[test]
    fn an_interrupted_run_goes_on_to_the_same_bytes() {
        let spec = "seed = 5\n[[sweep]]\nalgorithm = \"pair\"\nn = [5, 7]\nepsilon = 0.01\ntrials = 1500\ncutoff = 1e6\n";
        let workplace = Workplace::new();
        workplace.write("a.toml", spec);
        run(&workplace, &["--results", "whole"]);
        let arguments = [&LANES[..], &DEVICE].concat();
        let ended = workplace.interrupt(&arguments, Duration::from_millis(700));
        assert_eq!(
            ended.status.code(),
            Some(1),
            "the run was too short to be interrupted"
        );
        run(&workplace, &[]);
        let [whole, resumed] =
            ["whole", "results"].map(|results| workplace.bytes(results, "a", "trials.parquet"));
        assert!(whole == resumed);
    }

    /// No hardware: the software device is not taken unasked.
    #[test]
    fn a_software_device_is_not_taken_for_a_graphics_processor() {
        let workplace = Workplace::new();
        workplace.write("a.toml", SWEEP);
        let output = workplace.reines(&[&LANES[..], &["--device", "gpu"]].concat());
        let told = stderr(&output);
        // Where there is hardware, it runs.
        if !output.status.success() {
            assert_eq!(output.status.code(), Some(2), "{told}");
            assert!(told.contains("gpu:software"), "{told}");
        }
    }

    /// A device that has failed ends the run with its reason; nothing of it is taken for a result,
    /// and the processor goes on from what there is.
    #[test]
    fn a_device_that_fails_ends_the_run() {
        let workplace = Workplace::new();
        let spec = spec::parse("a", "a.toml", SPEC, &[]).expect("a spec");
        let plan = Plan::with_dynamics(&spec, DynamicsChoice::Lanes).expect("a plan");
        let results = workplace.path().join("results");
        let device = Gpu::open(&Asked::Software).unwrap_or_else(|error| panic!("{error}"));
        device.fail("no more of it".to_owned());
        let request = Request {
            run: PlannedRun {
                spec: &spec,
                plan: &plan,
                results: &results,
                rule: is_precise,
                command: &[],
            },
            shard: None,
            threads: 2,
            most_moves: MAX_COURSE_ROWS,
            gpu: Some(&device),
            force: false,
        };
        let failed = runner::run(&request, &AtomicBool::new(false), &mut ());
        let told = failed.expect_err("a device that fails").to_string();
        assert!(
            told.contains("(software, ") && told.contains("no more of it"),
            "{told}"
        );
        let request = Request {
            gpu: None,
            ..request
        };
        let finish = runner::run(&request, &AtomicBool::new(false), &mut ());
        let finish = finish.expect("the processor");
        assert!(
            matches!(finish, Finish::Complete { rows: 520, .. }),
            "{finish:?}"
        );
    }
}
