use super::*;
use crate::html::{escaped, policy};
use crate::report::TableCell;

const HOSTILE: &str = "</title><script>alert(1)</script>]]>\"'{{ policy }}\u{0}\u{1b}[0m &amp;";

fn table() -> FigureTable {
    FigureTable {
        header: ["algorithm", "n", "mean"].map(str::to_owned).to_vec(),
        rows: vec![["pair", HOSTILE, "1.5"].map(TableCell::from).to_vec()],
        notes: vec![HOSTILE.to_owned()],
    }
}

fn page(text: &str) -> Page {
    let figure = "<svg viewBox=\"0 0 2400 600\"><circle cx=\"5\" cy=\"6\" r=\"20\" data-row=\"1\"><title>tip</title></circle></svg>";
    let figure = |name: &str| Shown {
        name: name.to_owned(),
        figure: figure.to_owned(),
        caption: text.to_owned(),
        table: Some(table()),
        results: "results/a".to_owned(),
        varies: true,
    };
    let section = |name: &str, rank, group: &str| Section {
        name: name.to_owned(),
        title: text.to_owned(),
        group: group.to_owned(),
        rank,
        findings: vec![text.to_owned()],
        figures: vec![figure(&format!("{name}-1")), figure(&format!("{name}-2"))],
        details: vec![text.to_owned()],
        blocks: vec![(text.to_owned(), text.to_owned())],
        trials: 1,
    };
    Page {
        title: text.to_owned(),
        lead: vec![text.to_owned()],
        board: ("<svg></svg>".to_owned(), text.to_owned()),
        links: vec![("../docs/replay.html".to_owned(), text.to_owned())],
        sections: vec![
            section("late", None, "Two"),
            section("second", Some(2), text),
            section("first", Some(1), "One"),
            section("third", Some(3), "One"),
        ],
        first: 1,
        watchable: vec![("pair".to_owned(), vec!["n".to_owned()])],
    }
}

/// Between two texts.
fn between<'a>(page: &'a str, begin: &str, end: &str) -> &'a str {
    let rest = page.split_once(begin).expect(begin).1;
    rest.split_once(end).expect(end).0
}

#[test]
fn what_comes_from_outside_stays_text() {
    let html = html(&page(HOSTILE));
    assert!(!html.contains("<script>alert") && !html.contains("]]>"));
    assert!(!html.contains(['\u{0}', '\u{1b}']));
    assert_eq!(html.matches("<script>").count(), 1);
    assert_eq!(html.matches("</script>").count(), 1);
    // The page's, and that of a point of each of the eight figures.
    assert_eq!(html.matches("</title>").count(), 1 + 8);
    let escaped = "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;]]&gt;&quot;&#39;{{ policy }}\u{FFFD}\u{FFFD}[0m &amp;amp;";
    assert!(html.matches(escaped).count() > 20);
}

#[test]
fn the_page_loads_nothing_and_its_policy_is_its_own() {
    let html = html(&page("plain"));
    let found = between(&html, "Content-Security-Policy\" content=\"", "\"");
    assert_eq!(found, escaped(&policy(&html)));
    assert!(
        found.starts_with("default-src &#39;none&#39;; style-src &#39;sha256-"),
        "{found}"
    );
    for loading in [" style=", "onclick", "eval("] {
        assert!(!html.contains(loading), "{loading}");
    }
}

#[test]
fn sections_stand_by_rank_in_groups_and_the_first_at_the_top() {
    let html = html(&page("It falls"));
    let order: Vec<&str> = html
        .split("<article id=\"experiment-")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert_eq!(order, ["first", "third", "second", "late"]);
    let headings: Vec<&str> = html
        .split("<h2>")
        .skip(1)
        .filter_map(|rest| rest.split('<').next())
        .collect();
    assert_eq!(headings, ["One", "It falls", "Two"]);
    let top = between(&html, "<header", "</header>");
    assert_eq!(top.matches("<li><a href=\"#experiment-first\">").count(), 1);
    assert_eq!(top.matches("<li>").count(), 1);
    assert_eq!(html.matches("<p class=\"finding\">").count(), 4);
}
