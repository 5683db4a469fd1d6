//! `reines docs` from outside, and what the shipped templates rest on besides tables.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{Workplace, stderr, stdout};

const TABLE: &str = "algorithm,n,mean,mean_low,mean_high\n\
                     pair,8,447000,420000,480000\n\
                     cell,8,43349.7,41167.5,45496.7\n";

/// A workplace with a table, and this as the only template.
fn workplace(template: &str) -> Workplace {
    let workplace = Workplace::new();
    for folder in ["figures", "docs/templates"] {
        fs::create_dir_all(workplace.path().join(folder)).expect("a folder");
    }
    workplace.write("figures/times.csv", TABLE);
    workplace.write("docs/templates/page.md", template);
    workplace
}

fn page(workplace: &Workplace) -> String {
    fs::read_to_string(workplace.path().join("docs/page.md")).expect("rendered")
}

#[test]
fn pages_are_written_and_checked() {
    let template = "# Times\n\nT = {{ at('times', 'mean', algorithm='pair', n=8) | interval }}\n";
    let workplace = workplace(template);
    let first = workplace.reines(&["docs", "--check"]);
    assert_eq!(first.status.code(), Some(1));
    assert!(
        stderr(&first).starts_with("docs/page.md: "),
        "{}",
        stderr(&first)
    );
    let written = workplace.succeed(&["docs"]);
    assert_eq!(stdout(&written), "docs/page.md\n");
    let text = "<!-- Rendered from docs/templates/page.md by `make docs`. Do not edit. -->\n\n# Times\n\nT = 4.5·10⁵ (4.2 – 4.8)\n";
    assert_eq!(page(&workplace), text);
    assert_eq!(stdout(&workplace.succeed(&["docs", "--check"])), "");
    // Another run of the experiment.
    workplace.write("figures/times.csv", &TABLE.replace("447000", "457000"));
    let old = workplace.reines(&["docs", "--check"]);
    assert_eq!(old.status.code(), Some(1));
    assert_eq!(
        stderr(&old),
        "docs/page.md:5: out of date: has \"T = 4.5·10⁵ (4.2 – 4.8)\", the tables give \"T = 4.6·10⁵ (4.2 – 4.8)\"; `make docs` writes it\n"
    );
    assert_eq!(page(&workplace), text, "a check writes nothing");
}

#[test]
fn a_bad_template_ends_in_one_sentence() {
    let cases = [
        (
            "\n{{ at('times', 'mean', n=9) }}\n",
            "docs/templates/page.md:2: table \"times\", column \"mean\": no row with n = 9; with any value, n is 8",
        ),
        (
            "\n{{ at('times', 'mean', n=8) }}\n",
            "docs/templates/page.md:2: table \"times\", column \"mean\": 2 rows with n = 8, lines 2, 3; one is needed",
        ),
        (
            "{{ at('times', 'median') }}\n",
            "docs/templates/page.md:1: table \"times\": no column \"median\"; there are algorithm, n, mean, mean_low, mean_high",
        ),
        (
            "{{ at('gone', 'mean') }}\n",
            "docs/templates/page.md:1: table \"gone\": not there; there are times",
        ),
        (
            "T = 4.5\n",
            "docs/templates/page.md:1: the number 4.5 is typed by hand; ",
        ),
        ("\n\n{{ at( }}\n", "docs/templates/page.md:3: "),
        ("{% if %}\n", "docs/templates/page.md:1: "),
        ("{{ nothing }}\n", "docs/templates/page.md:1: "),
        (
            "{{ at('times', 'mean', n=8) | colour }}\n",
            "docs/templates/page.md:1: ",
        ),
    ];
    for (template, expected) in cases {
        let workplace = workplace(template);
        let output = workplace.reines(&["docs"]);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.starts_with(&format!("error: {expected}")), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(!workplace.path().join("docs/page.md").exists());
    }
}

#[test]
fn missing_and_broken_folders_end_in_one_sentence() {
    let workplace = workplace("x\n");
    workplace.write("figures/broken.csv", "a,b\n1\n");
    let cases: [(&[&str], &str); 3] = [
        (
            &["docs"],
            "error: broken.csv: line 2 has 1 cells, the header 2",
        ),
        (&["docs", "--tables", "none"], "error: none: "),
        (
            &["docs", "--tables", "docs", "--templates", "docs"],
            "error: docs: no template, no file *.md",
        ),
    ];
    for (arguments, expected) in cases {
        let output = workplace.reines(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    }
}

/// Every Rust file of the sources and tests, joined.
fn sources() -> String {
    fn collect(folder: &Path, text: &mut String) {
        let mut paths: Vec<PathBuf> = fs::read_dir(folder)
            .expect("the sources are here")
            .map(|entry| entry.expect("readable").path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                collect(&path, text);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                *text += &fs::read_to_string(&path).expect("text");
            }
        }
    }
    let mut text = String::new();
    for folder in ["src", "tests"] {
        collect(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut text,
        );
    }
    text
}

/// The code of the test of this name, up to the next function.
fn body<'a>(sources: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = sources.split_once(&format!("fn {name}("))?;
    Some(rest.split_once("\nfn ").map_or(rest, |(body, _)| body))
}

/// A row that a test holds names a test that is there; a number that a test holds is in that test.
#[test]
fn tests_that_the_claims_name_are_there() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/templates/claims.md");
    let template = fs::read_to_string(path).expect("the template");
    let sources = sources();
    let mut named = 0;
    for held in template.split("held by ").skip(1) {
        let cell = held.split(['|', ';']).next().unwrap_or_default();
        for name in cell.split('`').skip(1).step_by(2) {
            assert!(body(&sources, name).is_some(), "no test {name}");
            named += 1;
        }
    }
    for tested in template.split("tested('").skip(1) {
        let (number, rest) = tested.split_once("', '").expect("a number and a test");
        let name = rest.split('\'').next().unwrap_or_default();
        let body = body(&sources, name).unwrap_or_else(|| panic!("no test {name}"));
        let number = number.replace(' ', "");
        let plain = body.replace('_', "");
        assert!(plain.contains(&number), "{name} has no {number}");
        named += 1;
    }
    assert!(named > 10, "{named}");
}
