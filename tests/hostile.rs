//! Input that attacks: manifests and parts of random damage, names that would escape, links. No
//! panic, no hang, no absurd memory, and nothing written outside the results and the figures.

use std::fs;
use std::path::Path;

use reines::experiment::store::Record;
use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;

use crate::program::{Workplace, stderr, tree, write_manifest};
use crate::spec_fuzz::Damage;

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.05\ntrials = 20\ncutoff = 2000\n\
                    [[figure]]\nkind = \"convergence-vs-n\"\n";

fn workplace() -> Workplace {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    workplace.succeed(&["run", "a.toml", "--results", "whole"]);
    workplace
}

/// Whatever is done to a manifest, reading it ends in a manifest or in one sentence.
#[test]
fn damaged_manifests_end_in_a_manifest_or_in_one_sentence() {
    let workplace = workplace();
    let run = RunFolder::at(&workplace.runs("whole", "a")[0]);
    let path = run.path().join("manifest.toml");
    let text = fs::read_to_string(&path).expect("the run is complete");
    let (mut read, mut refused) = (0, 0);
    for case in 1..=crate::CASES {
        let mut damage = Damage::new(case);
        let mut damaged = text.clone();
        for _ in 0..=damage.below(3) {
            damaged = damage.apply(&damaged);
        }
        fs::write(&path, &damaged).expect("the file can be written");
        let is_read = run.manifest().is_ok();
        assert!(!is_read || damaged == text, "damaged and read:\n{damaged}");
        // As if it had been written so: what then can be read at all is held against the rest.
        write_manifest(&path, &damaged);
        match CompleteRun::at(run.clone()).and_then(|run| run.all_points()) {
            Ok(_) => read += 1,
            Err(error) => {
                refused += 1;
                let sentence = error.to_string();
                let sane = !sentence.chars().any(|c| c.is_control() && c != '\n')
                    && sentence.chars().count() < 2000;
                assert!(sane, "{sentence:?}\n{damaged}");
            }
        }
    }
    assert!(
        read > 0 && refused > crate::CASES / 3,
        "the damages are too mild or too harsh: {read} read, {refused} refused"
    );
}

/// Whatever is done to the bytes of a part, it is set aside and none of its rows is taken.
#[test]
fn damaged_parts_are_set_aside_unread() {
    let workplace = workplace();
    let mut records = workplace.records("whole", "a");
    let locked = RunFolder::at(workplace.path().join("run"))
        .lock()
        .expect("a new folder");
    let (mut parts, _) = locked
        .take_over_parts(&mut |_| true)
        .expect("the folder can be written");
    parts.save(&mut records).expect("the part can be saved");
    let folder = workplace.path().join("run/parts");
    let part = fs::read_dir(&folder)
        .expect("there is a part")
        .next()
        .expect("one")
        .expect("an entry")
        .path();
    let bytes = fs::read(&part).expect("the part can be read");
    for case in 1..=crate::CASES {
        let damaged = Damage::new(case).apply_to_bytes(&bytes);
        if damaged == bytes {
            continue;
        }
        fs::write(&part, &damaged).expect("the part can be written");
        let mut unread = |_: &[Record]| -> bool { panic!("case {case}: a row was read") };
        let (_, set_aside) = locked
            .take_over_parts(&mut unread)
            .expect("the folder can be read");
        assert_eq!(set_aside.len(), 1, "case {case}");
        fs::remove_file(part.with_extension("damaged")).expect("it was set aside");
    }
}

#[test]
fn names_that_would_escape_or_mislead_are_refused_and_nothing_is_written() {
    let workplace = Workplace::new();
    fs::create_dir(workplace.path().join("specs")).expect("it can be made");
    let long = "n".repeat(240);
    // As stems of files; what no file can be called, a shell could still ask for.
    let stems = [
        "..",
        "...",
        ".hidden",
        "-rf",
        "a b",
        "a\nb",
        "a\u{7}",
        "a\u{202e}b",
        "a\u{2215}b",
        "a\u{ff0f}b",
        "\u{430}\u{200b}",
        "con\u{0}",
        &long,
    ]
    .map(str::to_owned);
    let reserved = ["reference", "latest", "Latest", "REFERENCE"].map(str::to_owned);
    for stem in stems
        .iter()
        .chain(&reserved)
        .filter(|stem| !stem.contains('\0'))
    {
        let file = format!("specs/{stem}.toml");
        fs::write(workplace.path().join(&file), SPEC).expect("Linux allows the name");
        let before = tree(workplace.path());
        for command in ["run", "report", "check"] {
            let output = workplace.reines(&[command, &file]);
            assert_eq!(
                output.status.code(),
                Some(2),
                "{command} {stem:?}: {}",
                stderr(&output)
            );
            assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
        }
        assert_eq!(tree(workplace.path()), before, "{stem:?}");
    }
    for path in [
        "/",
        "..",
        "../x.toml",
        "/dev/null",
        &format!("{}.toml", "x".repeat(300)),
        "",
    ] {
        let output = workplace.reines(&["run", path]);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{path:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn figure_names_that_would_escape_are_refused() {
    let workplace = Workplace::new();
    for name in [
        "../x", "/tmp/x", "a/b", "..", "a\\\\b", "x\\u0000", "\\u202ex",
    ] {
        workplace.write("a.toml", &format!("{SPEC}name = \"{name}\"\n"));
        let output = workplace.reines(&["run", "a.toml"]);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
    }
    assert_eq!(tree(workplace.path()).len(), 1, "only the spec is there");
}

/// Points and trials that no memory holds are refused before they are spelt out.
#[test]
fn absurd_counts_are_refused_at_once() {
    let workplace = Workplace::new();
    for (from, to) in [
        (
            "n = [4, 5]",
            "n = { from = 1, to = 64, points = 4294967295 }",
        ),
        ("n = [4, 5]", "n = 1e9"),
        ("trials = 20", "trials = 1e12"),
        ("trials = 20", "trials = 4294967295"),
        (
            "epsilon = 0.05",
            "epsilon = { from = 0, to = 1, step = 1e-12 }",
        ),
    ] {
        workplace.write("a.toml", &SPEC.replace(from, to));
        // 2 GiB of address space: an allocation from the count itself would fail.
        let script = "ulimit -v 2097152; exec \"$0\" run a.toml";
        let mut command = std::process::Command::new("sh");
        let output = command
            .args(["-c", script, env!("CARGO_BIN_EXE_reines")])
            .current_dir(workplace.path())
            .output()
            .expect("there is a shell");
        assert_eq!(output.status.code(), Some(2), "{to}: {}", stderr(&output));
    }
}

#[test]
fn linked_results_folders_work_and_nothing_is_written_elsewhere() {
    let workplace = workplace();
    let inside = |name: &str| workplace.path().join(name);
    fs::create_dir_all(inside("disk/results")).expect("it can be made");
    std::os::unix::fs::symlink("disk/results", inside("results")).expect("it can be linked");
    let before = tree(workplace.path());
    for arguments in [
        &["run", "a.toml"][..],
        &["report", "a.toml"],
        &["verify-files"],
        &["list"],
    ] {
        workplace.succeed(arguments);
    }
    assert_eq!(
        fs::read(workplace.runs("disk/results", "a")[0].join("trials.parquet"))
            .expect("the run is complete"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
    let is_allowed = |path: &Path| {
        path.starts_with(inside("disk/results")) || path.starts_with(inside("figures"))
    };
    let after = tree(workplace.path())
        .into_iter()
        .filter(|(path, _)| !is_allowed(path))
        .collect::<Vec<_>>();
    let before = before
        .into_iter()
        .filter(|(path, _)| !is_allowed(path))
        .collect::<Vec<_>>();
    assert_eq!(after, before);
}
