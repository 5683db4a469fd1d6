//! Shards of a run: apart, together, and what is refused.

use std::fs;
use std::path::PathBuf;

use reines::experiment::store::folder::RunFolder;

use crate::program::{Workplace, stderr, stdout, write_manifest};

const SPEC: &str = "seeds = [7, 3]\n[[sweep]]\nalgorithm = \"pair\"\nn = [1, 4, 5]\nepsilon = [0.02, 0.05]\ntrials = 20\ncutoff = 2e5\n\
                    [[sweep]]\nalgorithm = \"cell\"\nn = 4\nepsilon = 0.05\neta = [0, 0.1]\ntrials = 20\ncutoff = 20_000\n";

/// A spec `a.toml` whose whole run stands in `whole/`.
fn workplace() -> Workplace {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    workplace.succeed(&["run", "a.toml", "--results", "whole", "--quiet"]);
    workplace
}

fn run_shards(workplace: &Workplace, count: u32) {
    for index in 0..count {
        workplace.succeed(&[
            "run",
            "a.toml",
            "--quiet",
            "--threads",
            "1",
            "--shard",
            &format!("{index}/{count}"),
        ]);
    }
}

/// The folder of a shard of the only run in `results/`.
fn shard(workplace: &Workplace, name: &str) -> PathBuf {
    workplace.runs("results", "a")[0].join("shards").join(name)
}

#[test]
fn any_number_of_shards_merges_to_the_bytes_of_a_run_in_one_piece() {
    let workplace = workplace();
    let expected = workplace.bytes("whole", "a", "trials.parquet");
    for count in [1, 3, 100] {
        let _ = fs::remove_dir_all(workplace.path().join("results"));
        if count < 10 {
            run_shards(&workplace, count);
        } else {
            run_many(&workplace, count);
        }
        assert!(
            !workplace.runs("results", "a")[0]
                .join("trials.parquet")
                .exists(),
            "a shard is not the run"
        );
        workplace.succeed(&["merge", "a.toml"]);
        assert_eq!(
            workplace.bytes("results", "a", "trials.parquet"),
            expected,
            "{count} shards"
        );
        let run = RunFolder::at(&workplace.runs("results", "a")[0]);
        let manifest = run.manifest().expect("a merged run has a manifest");
        assert_eq!(
            (manifest.rows, manifest.shards.len(), manifest.shard),
            (320, count as usize, None)
        );
        assert!(
            !run.path().join("shards").exists(),
            "the run holds the rows, once"
        );
        workplace.succeed(&["report", "a.toml"]);
    }
    let again = workplace.succeed(&["run", "a.toml", "--shard", "2/100"]);
    assert!(
        stderr(&again).contains("complete already"),
        "{}",
        stderr(&again)
    );
    assert!(stderr(&workplace.succeed(&["merge", "a.toml"])).contains("complete already"));
}

/// A run that waits for its shards is not listed as an empty one.
#[test]
fn shards_are_listed() {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    for shard in ["0/3", "2/3"] {
        workplace.succeed(&["run", "a.toml", "--quiet", "--shard", shard]);
    }
    let told = stdout(&workplace.succeed(&["list", "a"]));
    assert!(
        told.contains("unfinished, 0 parts saved, 2 of 3 shards complete"),
        "{told}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&workplace.succeed(&["list", "--json"]))).expect("JSON");
    assert!(
        json.to_string()
            .contains(r#""shards":[{"begun":2,"complete":2,"of":3}]"#),
        "{json}"
    );
}

/// As [`run_shards`] from inside, without a process for each.
fn run_many(workplace: &Workplace, count: u32) {
    use reines::analysis::sequential::is_precise;
    use reines::experiment::plan::{MAX_COURSE_ROWS, Plan};
    use reines::experiment::{runner, shard::Shard, spec};
    struct Silent;
    impl runner::Observer for Silent {
        fn progress(&mut self, _: &runner::Progress) {}
        fn remark(&mut self, remark: &runner::Remark) {
            panic!("{remark}");
        }
    }
    let spec = spec::read(&workplace.path().join("a.toml"), &[]).expect("the spec is valid");
    let plan = Plan::new(&spec).expect("the spec is a plan");
    let results = workplace.path().join("results");
    let run = runner::PlannedRun {
        spec: &spec,
        plan: &plan,
        results: &results,
        rule: is_precise,
        command: &[],
    };
    let mut empty = 0;
    for shard in Shard::all(count) {
        let request = runner::Request {
            run,
            shard: Some(shard),
            threads: 1,
            most_moves: MAX_COURSE_ROWS,
            foreseen: &Vec::new,
            force: false,
        };
        let finish = runner::run(&request, &false.into(), &mut Silent).expect("the shard runs");
        let runner::Finish::Complete { rows, .. } = finish else {
            panic!("{finish:?}")
        };
        empty += u32::from(rows == 0);
    }
    assert!(
        empty > 0,
        "of 320 trials, some of {count} shards should have none"
    );
}

#[test]
fn a_merge_names_the_shards_that_are_missing_and_loses_none() {
    let workplace = workplace();
    let nothing = workplace.reines(&["merge", "a.toml"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(
        stderr(&nothing).contains("no shards"),
        "{}",
        stderr(&nothing)
    );
    run_shards(&workplace, 4);
    fs::remove_dir_all(shard(&workplace, "1-of-4")).expect("the shard is there");
    fs::remove_file(shard(&workplace, "2-of-4").join("manifest.toml"))
        .expect("the shard is complete");
    let incomplete = workplace.reines(&["merge", "a.toml"]);
    assert_eq!(incomplete.status.code(), Some(1));
    assert!(
        stderr(&incomplete).contains("2 of 4 shards are not done: 1-2"),
        "{}",
        stderr(&incomplete)
    );
    // Only the two run again; a complete shard is left alone.
    let other = fs::read(shard(&workplace, "0-of-4").join("manifest.toml")).expect("a manifest");
    run_shards(&workplace, 4);
    assert_eq!(
        fs::read(shard(&workplace, "0-of-4").join("manifest.toml")).expect("a manifest"),
        other
    );
    workplace.succeed(&["merge", "a.toml"]);
    assert_eq!(
        workplace.bytes("results", "a", "trials.parquet"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
}

#[test]
fn shards_of_two_cuts_are_not_mixed() {
    let workplace = workplace();
    run_shards(&workplace, 3);
    workplace.succeed(&["run", "a.toml", "--quiet", "--shard", "1/2"]);
    fs::remove_dir_all(shard(&workplace, "2-of-3")).expect("the shard is there");
    let output = workplace.reines(&["merge", "a.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--shards"), "{}", stderr(&output));
    let output = workplace.reines(&["merge", "a.toml", "--shards", "2"]);
    assert!(
        stderr(&output).contains("1 of 2 shards are not done: 0"),
        "{}",
        stderr(&output)
    );
    run_shards(&workplace, 3);
    workplace.succeed(&["merge", "a.toml"]);
    assert_eq!(
        workplace.bytes("results", "a", "trials.parquet"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
}

#[test]
fn foreign_and_damaged_shards_are_refused() {
    let workplace = workplace();
    run_shards(&workplace, 2);
    let manifest = shard(&workplace, "1-of-2").join("manifest.toml");
    let good = fs::read_to_string(&manifest).expect("a manifest");
    let version = RunFolder::at(shard(&workplace, "1-of-2"))
        .manifest()
        .expect("a manifest")
        .code_version;
    for (from, to, word) in [
        (version.as_str(), "0.0.0-00000000", "code version"),
        ("\"1/2\"", "\"0/2\"", "shard"),
    ] {
        write_manifest(&manifest, &good.replace(from, to));
        let output = workplace.reines(&["merge", "a.toml"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr(&output).contains(&format!("the {word} is")),
            "{}",
            stderr(&output)
        );
    }
    // The rows of shard 0 under the name of shard 1: every checksum is right, the rows are not.
    let copy = shard(&workplace, "0-of-2");
    fs::copy(
        copy.join("shard.parquet"),
        shard(&workplace, "1-of-2").join("shard.parquet"),
    )
    .expect("the file can be copied");
    let text = fs::read_to_string(copy.join("manifest.toml")).expect("a manifest");
    write_manifest(&manifest, &text.replace("\"0/2\"", "\"1/2\""));
    let output = workplace.reines(&["merge", "a.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("are not the trials of the plan"),
        "{}",
        stderr(&output)
    );
    // A flipped byte: the shard is set aside and runs again.
    let path = shard(&workplace, "0-of-2").join("shard.parquet");
    let mut bytes = fs::read(&path).expect("the shard is complete");
    bytes[100] ^= 1;
    fs::write(&path, bytes).expect("the file can be written");
    let output = workplace.reines(&["merge", "a.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("BLAKE3") && stderr(&output).contains("0-of-2.damaged-1"),
        "{}",
        stderr(&output)
    );
    fs::remove_dir_all(shard(&workplace, "1-of-2")).expect("the shard is there");
    run_shards(&workplace, 2);
    workplace.succeed(&["merge", "a.toml"]);
    assert_eq!(
        workplace.bytes("results", "a", "trials.parquet"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
}

#[test]
fn a_bad_shard_is_refused_in_one_sentence() {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    for text in [
        "8/8", "9/8", "0/0", "1/0", "1/1", "a/8", "1", "", "-1/8", "1/8/2", "0/100001",
    ] {
        let output = workplace.reines(&["run", "a.toml", &format!("--shard={text}")]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(
            stderr(&output).contains("shard"),
            "{text}: {}",
            stderr(&output)
        );
    }
    let output = workplace.reines(&["run", "a.toml", "--shard", "0/2", "--force"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!workplace.path().join("results").exists());
}
