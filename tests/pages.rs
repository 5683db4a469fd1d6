//! Pages of experiments as a user gets them: one file that is complete, safe and small.

use std::collections::BTreeSet;
use std::fs;

use crate::figures::drawn;
use crate::program::Workplace;

/// Bytes that the page of the shipped experiments may have.
const MOST: usize = 4_000_000;

/// What stands after each `mark`, up to a quote, a blank or `>`.
fn after<'a>(page: &'a str, mark: &str) -> Vec<&'a str> {
    let rest = page.split(mark).skip(1);
    let value = |rest: &'a str| {
        rest.trim_start_matches('"')
            .split(['"', '>', ' '])
            .next()
            .unwrap_or_default()
    };
    rest.map(value).collect()
}

fn assert_whole(page: &str) {
    // What a reader sees may be any text; marks of HTML are never in it.
    let ids = after(page, " id=");
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len(), "an id stands for one element");
    for link in after(page, " href=") {
        let id = link
            .strip_prefix('#')
            .unwrap_or_else(|| panic!("{link}: it leads out of the page"));
        assert!(unique.contains(id), "{link}");
    }
    for loading in [
        " src=", "@import", "http:", "https:", "<link", "<iframe", "<img",
    ] {
        assert!(!page.contains(loading), "{loading}");
    }
    assert!(page.contains("default-src &#39;none&#39;"));
}

/// The rows that the points of a figure lead to.
fn rows_of(figure: &str) -> BTreeSet<u32> {
    let rows = figure.split(" data-row=").skip(1);
    let number = |rest: &str| {
        let rest = rest.trim_start_matches('"');
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        rest[..end].parse().expect("a row")
    };
    rows.map(number).collect()
}

#[test]
fn the_page_of_the_shipped_experiments_is_complete_and_small() {
    let (files, page) = drawn();
    let root = env!("CARGO_MANIFEST_DIR");
    assert!(
        page.len() < MOST,
        "{} bytes, expected at most {MOST}",
        page.len()
    );
    assert_whole(page);
    let figures = files
        .iter()
        .filter_map(|(name, _)| name.strip_suffix(".svg"));
    for figure in figures {
        assert!(
            page.contains(&format!("id=\"figure-{figure}\"")),
            "{figure}"
        );
        assert!(page.contains(&format!("id=\"table-{figure}\"")), "{figure}");
        // A point leads to the row that the file says.
        let file = format!("{root}/figures/{figure}.svg");
        let Ok(svg) = fs::read_to_string(file) else {
            continue;
        };
        let mark = format!("id=\"figure-{figure}\"");
        let on_page = page.split(&mark).nth(1).expect("just found");
        let on_page = on_page.split("</svg>").next().unwrap_or_default();
        assert_eq!(rows_of(on_page), rows_of(&svg), "{figure}");
    }
    assert!(!page.contains(root), "a folder of this machine");
    assert!(page.contains("wall-clock times"));
    assert!(page.matches(" data-row=").count() > 1500);
}

const SPEC: &str = r#"
# <script>alert("spec")</script> ]]> & '
title = '</title><script>alert("title")</script>]]>&"'
seed = 1
[[sweep]]
algorithm = "pair"
n = 4
epsilon = [0.1, 0.2, 0.3]
trials = 30
cutoff = 1e6
[[figure]]
kind = "convergence-vs-epsilon"
"#;

#[test]
fn a_spec_cannot_write_markup_and_the_same_results_give_the_same_page() {
    let place = Workplace::with(SPEC);
    place.succeed("run --quiet a.toml");
    fs::create_dir(place.path().join("pages")).expect("it can be made");
    let page = |file: &str, folder: &str| {
        place.succeed(format!(
            "report --quiet --figures {folder} --html {file} a.toml"
        ));
        place.text(file)
    };
    let once = page("pages/one.html", "figures");
    assert_whole(&once);
    assert_eq!(once.matches("<script>").count(), 1, "its own");
    assert!(!once.contains("]]>"));
    let title =
        "&lt;/title&gt;&lt;script&gt;alert(&quot;title&quot;)&lt;/script&gt;]]&gt;&amp;&quot;";
    assert!(once.matches(title).count() > 1);
    assert!(once.contains("# &lt;script&gt;alert(&quot;spec&quot;)"));
    assert!(once.contains("data-results=\"results/a\""));
    let folder = place.path().to_string_lossy().into_owned();
    for path in [&folder, env!("CARGO_BIN_EXE_reines")] {
        assert!(!once.contains(path), "{path}: of the machine");
    }
    assert_eq!(once, page("two.html", "elsewhere"));
    assert_eq!(rows_of(&once), (1..=12).collect::<BTreeSet<u32>>());
    // Of a folder of results that the command line names.
    place.succeed("run --quiet --results other/place a.toml");
    place.succeed("report --quiet --results other/place --html three.html a.toml");
    let three = place.text("three.html");
    assert!(three.contains("data-results=\"other/place/a\""));
    assert!(three.contains("reines run --results other/place a.toml"));
    assert!(three.contains("reines diff other/place/a again "));
    let options = format!("--results {folder}/other/place --html four.html {folder}/a.toml");
    place.succeed(format!("report --quiet {options}"));
    let four = place.text("four.html");
    assert!(four.contains("reines run experiments/a.toml ") && !four.contains(&folder));
}
