//! Pages of experiments as a user gets them: one file that is complete, safe and small.

use std::collections::BTreeSet;
use std::fs;

use crate::figures::drawn;
use crate::program::{Workplace, bytes_of, has, lacks, name_of, stderr, tree};

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

/// Two experiments, `a` and `b`, of which `a` has run and has a page that is whole.
fn with_a_page() -> (Workplace, String) {
    let place = Workplace::with(SPEC);
    place.write("b.toml", &SPEC.replace("0.3", "0.4"));
    place.succeed("run -q a.toml");
    place.succeed("report -q --html page.html a.toml");
    let page = place.text("page.html");
    (place, page)
}

/// A word that means nothing, a spec with an error, other results, no run: nothing is drawn, and
/// the page of an earlier time stays; where there is none, none is left, so that the same command
/// works once its cause is mended.
#[test]
fn a_finished_page_is_never_replaced_by_an_empty_one() {
    let (place, page) = with_a_page();
    place.write("bad.toml", &SPEC.replace("seed", "sead"));
    for (code, words) in [
        (2, "nosuch.toml"),
        (2, "nosuch"),
        (2, "bad.toml"),
        (2, "bad.toml nosuch"),
        (1, "b.toml"),
    ] {
        let said = place.ends(code, format!("report -q --force --html page.html {words}"));
        has(&said, "page.html: not written: no figure is drawn\n");
        assert_eq!(place.text("page.html"), page, "{words}");
        place.ends(code, format!("report -q --html new.html {words}"));
        assert!(!place.path().join("new.html").exists(), "{words}");
    }
    place.ends(
        2,
        "report -q --force --html page.html --results none a.toml",
    );
    assert_eq!(place.text("page.html"), page);
    place.succeed("run -q b.toml");
    place.succeed("report -q --html new.html b.toml");
}

/// With `--force` there is a page of what can be drawn, which names what is missing and why;
/// without it none is left.
#[test]
fn a_page_names_what_is_missing_on_it() {
    let (place, whole) = with_a_page();
    lacks(&whole, "Not on this page");
    place.write("bad.toml", &SPEC.replace("seed", "sead"));
    let words = "a.toml b.toml bad.toml nosuch";
    place.ends(2, format!("report -q --html new.html {words}"));
    assert!(!place.path().join("new.html").exists());
    place.ends(2, format!("report -q --html page.html --force {words}"));
    let page = place.text("page.html");
    assert_whole(&page);
    has(&page, "<h1>1 experiment</h1>");
    for line in [
        "<li><b>b</b>: it has no complete run</li>",
        "<li><b>bad</b>: its spec is refused</li>",
        "<li><b>nosuch</b>: there is no spec and no run of this name</li>",
    ] {
        has(&page, line);
    }
    // A figure that cannot be drawn is named in its section.
    place.write(
        "a.toml",
        &format!("{SPEC}[[figure]]\nname = 'gone'\ny = ['nodes']\n"),
    );
    place.ends(1, "report -q --html page.html --force a.toml");
    let page = place.text("page.html");
    assert_whole(&page);
    has(&page, "<p><b>Not drawn:</b> gone: figure kind");
    // A run whose files are damaged.
    let run = place.run("results");
    fs::write(run.join("trials.parquet"), "").expect("it can be written");
    place.succeed("run -q b.toml");
    place.ends(2, "report -q --html page.html --force a.toml b.toml");
    has(
        &place.text("page.html"),
        "<li><b>a</b>: its run cannot be read</li>",
    );
}

/// Each point has 30 trials, of which a quick run has five: `report` draws them, says so wherever
/// somebody may look, and ends with 1; `report --quick` draws the same bytes, and ends with 0.
#[test]
fn a_quick_run_is_never_taken_for_the_whole_one() {
    let place = Workplace::with(SPEC);
    let said = place.succeed("run --quick a.toml");
    has(&stderr(&said), "next: reines report --quick a.toml\n");
    let said = place.ends(1, "report -q --figures one --html one.html a.toml");
    assert_eq!(said, "a: drawn from a quick run: 15 of 90 trials\n");
    let quick = "report -q --quick --figures two --html two.html a.toml";
    assert_eq!(place.ends(0, quick), "");
    for folder in ["one", "two"] {
        let name = format!("{folder}/a-convergence-vs-epsilon");
        let [figure, table] = ["svg", "md"].map(|ending| place.text(format!("{name}.{ending}")));
        // In the legend and in the description.
        let words = "rawn from a quick run: 15 of 90 trials";
        assert_eq!(figure.replace('\u{202F}', " ").matches(words).count(), 2);
        // In the caption and under the table.
        assert_eq!(table.matches(words).count(), 2);
    }
    let [one, two] = ["one", "two"].map(|it| tree(&place.path().join(it)));
    assert_eq!(one.len(), 3);
    for ((path, _), (other, _)) in one.iter().zip(&two) {
        assert_eq!(bytes_of(path), bytes_of(other), "{path:?}");
    }
    let page = place.text("one.html");
    assert_eq!(page, place.text("two.html"));
    // Above the figure, in its legend, description and caption, and under its table.
    assert_eq!(
        page.matches("rawn from a quick run: 15 of 90 trials")
            .count(),
        5
    );
    has(
        &page,
        "<code>reines run --quick a.toml\nreines report --quick a.toml\n",
    );
    // Under other dynamics the trials of ε = 0.1 are others, which are run in lanes otherwise.
    let said = place.succeed("run --dynamics stepwise --results stepwise a.toml");
    let run = name_of(&place.run("stepwise"));
    let next = format!("report --results stepwise stepwise/a/{run}");
    has(&stderr(&said), &format!("next: reines {next}\n"));
    assert_eq!(place.ends(0, format!("{next} -q")), "");
    let said = place.ends(1, "report -q --results stepwise a.toml");
    has(&said, "a: drawn from a run of another plan (");
    has(&said, ": 60 of 90 trials\n");
    // A run of fewer trials of each point, and one of other points.
    place.succeed("run -q a.toml");
    assert_eq!(place.ends(0, "report -q a.toml"), "");
    place.write("a.toml", &SPEC.replace("trials = 30", "trials = 40"));
    let said = place.ends(1, "report -q a.toml");
    has(
        &said,
        "a: drawn from a part of the plan: 90 of 120 trials\n",
    );
    place.write("a.toml", &SPEC.replace("0.1, 0.2, 0.3", "0.1, 0.2, 0.5"));
    let said = place.ends(1, "report -q a.toml");
    has(&said, "): 60 of 90 trials\n");
    has(&said, "a: drawn from a run of another plan (");
}
