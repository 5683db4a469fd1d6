//! Input that attacks: names that would escape, titles that are code, absurd numbers, links.
//! Nothing is written outside the results and the figures. (`damage` has files that attack.)

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{Workplace, stderr, tree};

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.05\ntrials = 20\ncutoff = 2000\n\
                    [[figure]]\nkind = \"convergence-vs-n\"\n";

#[test]
fn names_that_would_escape_or_mislead_are_refused_and_nothing_is_written() {
    let place = Workplace::new();
    fs::create_dir(place.path().join("specs")).expect("it can be made");
    let long = "n".repeat(240);
    // As stems of files.
    for stem in [
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
        &long,
        "reference",
        "latest",
        "Latest",
        "REFERENCE",
    ] {
        let file = format!("specs/{stem}.toml");
        fs::write(place.path().join(&file), SPEC).expect("Linux allows the name");
        let before = tree(place.path());
        for command in ["run", "report", "check"] {
            place.ends(2, [command, &file]);
        }
        assert_eq!(tree(place.path()), before, "{stem:?}");
    }
    let long = format!("{}.toml", "x".repeat(300));
    for path in ["/", "..", "../x.toml", "/dev/null", &long, ""] {
        place.ends(2, ["run", path]);
    }
}

#[test]
fn figure_names_that_would_escape_are_refused() {
    let place = Workplace::new();
    for name in [
        "../x", "/tmp/x", "a/b", "..", "a\\\\b", "x\\u0000", "\\u202ex",
    ] {
        place.write("a.toml", &format!("{SPEC}name = \"{name}\"\n"));
        place.ends(2, "run a.toml");
    }
    assert_eq!(tree(place.path()).len(), 1, "only the spec is there");
}

/// Points, trials and threads that no memory holds are refused before they are spelt out: here in 2
/// GiB of address space, where an allocation from the count itself would fail.
#[test]
fn absurd_counts_are_refused_at_once() {
    let place = Workplace::new();
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
        place.write("a.toml", &SPEC.replace(from, to));
        let script = "ulimit -v 2097152; exec \"$0\" run a.toml";
        let mut shell = Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_reines")]);
        let output = shell
            .current_dir(place.path())
            .output()
            .expect("there is a shell");
        assert_eq!(output.status.code(), Some(2), "{to}: {}", stderr(&output));
    }
    place.write("a.toml", SPEC);
    let said = place.ends(2, "run a.toml --threads 60000");
    crate::program::has(&said, "allowed is an integer from 1 to ");
}

#[test]
fn linked_results_folders_work_and_nothing_is_written_elsewhere() {
    let place = Workplace::with(SPEC);
    let inside = |name: &str| place.path().join(name);
    fs::create_dir_all(inside("disk/results")).expect("it can be made");
    std::os::unix::fs::symlink("disk/results", inside("results")).expect("it can be linked");
    let is_allowed = |path: &Path| {
        path.starts_with(inside("disk/results")) || path.starts_with(inside("figures"))
    };
    let elsewhere = || -> Vec<(PathBuf, u64)> {
        let all = tree(place.path()).into_iter();
        all.filter(|(path, _)| !is_allowed(path)).collect()
    };
    let before = elsewhere();
    for command in ["run a.toml", "report a.toml", "verify-files", "list"] {
        place.succeed(command);
    }
    assert!(place.run("disk/results").join("trials.parquet").exists());
    assert_eq!(elsewhere(), before);
}

#[test]
fn a_hostile_title_is_text_in_every_file() {
    let title = "title = \"<img src=x> ]( \u{FFFE}\u{202e}\"\n";
    let place = Workplace::with(&format!("{title}{SPEC}{title}"));
    place.succeed("run a.toml");
    place.succeed("report a.toml --html a.html");
    let file = |name: &str| place.text(name);
    let figure = |ending: &str| file(&format!("figures/a-convergence-vs-n.{ending}"));
    let (svg, md, html) = (figure("svg"), figure("md"), file("a.html"));
    for text in [&svg, &md, &html] {
        assert!(
            !text.contains("<img src=x") && !text.contains('\u{FFFE}'),
            "{text}"
        );
    }
    assert!(md.contains("&lt;img src=x>") && svg.contains("&lt;img src=x&gt;"));
}
