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
    workplace.text("docs/page.md")
}

#[test]
fn pages_are_written_and_checked() {
    let template = "# Times\n\nT = {{ at('times', 'mean', algorithm='pair', n=8) | interval }}\n";
    let workplace = workplace(template);
    let first = workplace.reines("docs --check");
    assert_eq!(first.status.code(), Some(1));
    assert!(
        stderr(&first).starts_with("docs/page.md: "),
        "{}",
        stderr(&first)
    );
    let written = workplace.succeed("docs");
    assert_eq!(stdout(&written), "docs/page.md\n");
    let text = "<!-- Rendered from docs/templates/page.md by `make docs`. Do not edit. -->\n\n# Times\n\nT = 4.5·10⁵ (4.2 – 4.8)\n";
    assert_eq!(page(&workplace), text);
    assert_eq!(stdout(&workplace.succeed("docs --check")), "");
    // Another run of the experiment.
    workplace.write("figures/times.csv", &TABLE.replace("447000", "457000"));
    let old = workplace.reines("docs --check");
    assert_eq!(old.status.code(), Some(1));
    assert_eq!(
        stderr(&old),
        "docs/page.md:5: out of date: has \"T = 4.5·10⁵ (4.2 – 4.8)\", the tables give \"T = 4.6·10⁵ (4.2 – 4.8)\"; `make docs` writes it\n"
    );
    assert_eq!(page(&workplace), text, "a check writes nothing");
}
