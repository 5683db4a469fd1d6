//! `reines docs` from outside.

use std::fs;

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
    let cases: [(&[&str], &str); 2] = [
        (
            &["docs"],
            "error: broken.csv: line 2 has 1 cells, the header 2",
        ),
        (&["docs", "--tables", "none"], "error: none: "),
    ];
    for (arguments, expected) in cases {
        let output = workplace.reines(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    }
}
