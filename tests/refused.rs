//! Specs that are refused, to the letter: `tests/refused/*.toml`, with what `reines check` says of
//! them beside each. `RENEW=refused` writes that down anew.
//!
//! A file holds many specs. The lines before its first mark, and those below each `# ===`, are the
//! beginning of all that follow; below `# ---` stands one of them, and below `# each` every line is
//! one. What is of other ones is blank, so that numbers of lines are those of the file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rayon::prelude::*;

use crate::program::{Workplace, files_of, name_of, stderr, text_of};
use crate::spec::GOOD;

/// The specs of a file.
fn specs(text: &str) -> Vec<String> {
    let (mut mark, mut beginning, mut specs) = ("# ===", String::new(), Vec::<String>::new());
    for (line, before) in text.lines().zip(0..) {
        // As many blank lines as are missing.
        let with = |spec: &str| {
            let blank = "\n".repeat(before - spec.matches('\n').count());
            format!("{spec}{blank}{line}\n")
        };
        match (line, mark) {
            ("# ---", _) => specs.push(beginning.clone()),
            ("# ===" | "# each", _) => {}
            (_, "# ===") => beginning = with(&beginning),
            (_, "# each") => specs.push(with(&beginning)),
            _ => *specs.last_mut().expect("its mark made it") = with(&specs[specs.len() - 1]),
        }
        mark = match line {
            "# ---" | "# ===" | "# each" => line,
            _ => mark,
        };
    }
    specs
}

/// The lines, without long lists that were there before.
fn shortened(said: &str) -> String {
    const BEFORE: &str = "expected one of ";
    let mut seen = BTreeSet::new();
    let line = |line: &str| {
        let list = line.split_once(BEFORE).map_or("", |(_, rest)| rest);
        let list = list.split("; ").next().unwrap_or(list);
        if list.len() < 150 || seen.insert(list.to_owned()) {
            return format!("{line}\n");
        }
        format!("{}\n", line.replace(list, "… (as above)"))
    };
    said.lines().map(line).collect()
}

/// What is said of each, and nothing else: exit code 2, and no file. Of figures alone that cannot
/// be drawn the plan is told, too.
fn told(path: &Path) -> String {
    let name = name_of(path);
    let say = |spec: &String| {
        let place = Workplace::new();
        place.write(&name, spec);
        let output = place.reines(format!("check {name}"));
        assert_eq!(output.status.code(), Some(2), "{}\n{spec}", stderr(&output));
        let is_figure = stderr(&output).contains(":1: figure \"");
        assert_eq!(output.stdout.is_empty(), !is_figure, "{spec}");
        assert_eq!(fs::read_dir(place.path()).expect("listed").count(), 1);
        stderr(&output)
    };
    let said: String = specs(&text_of(path)).par_iter().map(say).collect();
    shortened(&said)
}

#[test]
fn every_refused_spec_is_told_what_is_wrong() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused");
    let paths = files_of(&folder, ".toml");
    assert!(paths.len() > 5, "{paths:?}");
    let mut wrong = Vec::new();
    for path in paths {
        let (told, beside) = (told(&path), path.with_extension("stderr"));
        if std::env::var("RENEW").is_ok_and(|it| it == "refused") {
            fs::write(&beside, &told).expect("writable");
        }
        let expected = text_of(&beside);
        let lines = told.lines().zip(expected.lines());
        let differing = lines.filter(|(told, expected)| told != expected);
        wrong.extend(differing.map(|(told, it)| format!("    told {told}\nexpected {it}")));
        if told.lines().count() != expected.lines().count() {
            wrong.push(format!("{}: more or fewer lines:\n{told}", name_of(&path)));
        }
    }
    assert!(
        wrong.is_empty(),
        "\n{}\n(RENEW=refused writes it anew)",
        wrong.join("\n")
    );
}

/// All figures are read before anything else.
#[test]
fn a_misspelt_key_of_a_figure_ends_a_run_before_its_first_trial() {
    let place = Workplace::new();
    place.write("a.toml", &GOOD.replace("kind = \"c", "kinds = \"c"));
    for command in ["run", "check", "report"] {
        let said = place.ends(2, format!("{command} a.toml"));
        assert!(said.contains("a.toml:13:1: kinds"), "{said}");
    }
    assert_eq!(fs::read_dir(place.path()).expect("listed").count(), 1);
}
