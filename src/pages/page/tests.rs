use super::*;
use crate::html::policy;

const HOSTILE: &str = "</title><script>alert(1)</script>]]>\"'{{ policy }}\u{0}\u{1b}[0m &amp;";

fn table() -> Table {
    Table {
        header: ["algorithm", "n", "mean"].map(str::to_owned).to_vec(),
        rows: vec![["pair", HOSTILE, "1.5"].map(str::to_owned).to_vec()],
        notes: vec![HOSTILE.to_owned()],
    }
}

fn page(text: &str) -> Page {
    let svg = "<svg viewBox=\"0 0 2400 600\">\n<title>t</title>\n<g class=\"points\" fill=\"none\">\n\
               <circle cx=\"5\" cy=\"6\" r=\"20\" data-row=\"1\"><title>n = 8</title></circle>\n</g>\n</svg>\n";
    let figure = |name: &str| Shown {
        name: name.to_owned(),
        svg: svg.to_owned(),
        caption: text.to_owned(),
        table: Some(table()),
        results: "results/a".to_owned(),
        varies: true,
    };
    Page {
        title: text.to_owned(),
        lead: vec![text.to_owned()],
        sections: vec![Section {
            name: "a".to_owned(),
            title: text.to_owned(),
            tags: vec![text.to_owned(); 2],
            notes: vec![text.to_owned()],
            findings: vec![text.to_owned(); 4],
            varies: true,
            origin: text.to_owned(),
            figures: vec![figure("one"), figure("two")],
            blocks: vec![
                Block {
                    title: text.to_owned(),
                    content: Content::Text(text.to_owned()),
                },
                Block {
                    title: text.to_owned(),
                    content: Content::Paragraphs(vec![text.to_owned()]),
                },
                Block {
                    title: text.to_owned(),
                    content: Content::Table(text.to_owned(), table()),
                },
            ],
        }],
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
    assert_eq!(
        html.matches("</title>").count(),
        3,
        "the page's and two tips"
    );
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
    for loading in [
        "http:", "https:", "src=", "@import", " style=", "onclick", "eval(",
    ] {
        assert!(!html.contains(loading), "{loading}");
    }
}

#[test]
fn ids_are_unique_and_links_lead_somewhere() {
    let html = html(&page("plain"));
    let ids = |mark: &str| -> Vec<String> {
        let rest = html.split(mark).skip(1);
        let id = |rest: &str| {
            rest.trim_start_matches('"')
                .split(['"', '>', ' '])
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        rest.map(id).collect()
    };
    let all = ids(" id=");
    let mut sorted = all.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(all.len(), sorted.len(), "{all:?}");
    assert_eq!(
        html.matches("<a href=#f").count(),
        2,
        "a link for each point"
    );
    for link in ids("href=") {
        let id = link.strip_prefix('#').expect("a place in the page");
        assert!(all.iter().any(|it| it == id), "{link}");
    }
    assert!(all.contains(&"f2-1".to_owned()), "{all:?}");
}

#[test]
fn the_list_has_the_first_findings_and_the_section_all() {
    let html = html(&page("It falls"));
    let list = between(&html, "<nav", "</nav>");
    assert_eq!(list.matches("<p>It falls.</p>").count(), SHOWN_FINDINGS);
    assert!(list.contains("… and 2 more."));
    assert_eq!(
        between(&html, "<main", "</main>")
            .matches("<li>It falls.</li>")
            .count(),
        4
    );
}

#[test]
fn the_same_content_gives_the_same_bytes() {
    assert_eq!(html(&page("plain")), html(&page("plain")));
}
