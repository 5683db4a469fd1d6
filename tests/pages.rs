//! Pages of experiments as a user gets them: one file that is complete, safe and small.

use std::collections::BTreeSet;
use std::fs;

use crate::figures::drawn;
use crate::program::Workplace;

/// Bytes that the page of the shipped experiments may have.
const MOST: usize = 4_300_000;

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
    }
    assert!(!page.contains(root), "a folder of this machine");
    assert!(page.contains(">Wall-clock times, which vary"));
    // By rank, those of one group side by side.
    let order: Vec<&str> = after(page, "<article id=").into_iter().collect();
    let first = ["epsilon", "size", "rules"].map(|it| format!("experiment-{it}"));
    assert_eq!(order[..3], first);
    assert_eq!(page.matches("<h2>").count(), 4);
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
    assert!(!once.contains("<script") && !once.contains("]]>"));
    let title =
        "&lt;/title&gt;&lt;script&gt;alert(&quot;title&quot;)&lt;/script&gt;]]&gt;&amp;&quot;";
    assert!(once.matches(title).count() > 1);
    assert!(once.contains("# &lt;script&gt;alert(&quot;spec&quot;)"));
    assert!(once.contains("<code>reines run a.toml\nreines report a.toml\n</code>"));
    let folder = place.path().to_string_lossy().into_owned();
    for path in [&folder, env!("CARGO_BIN_EXE_reines")] {
        assert!(!once.contains(path), "{path}: of the machine");
    }
    assert_eq!(once, page("two.html", "elsewhere"));
    // Of a folder of results that the command line names.
    place.succeed("run --quiet --results other/place a.toml");
    place.succeed("report --quiet --results other/place --html three.html a.toml");
    let three = place.text("three.html");
    assert!(three.contains("reines run --results other/place a.toml"));
    let options = format!("--results {folder}/other/place --html four.html {folder}/a.toml");
    place.succeed(format!("report --quiet {options}"));
    let four = place.text("four.html");
    assert!(four.contains("reines run experiments/a.toml\n") && !four.contains(&folder));
}
