use std::sync::atomic::{AtomicBool, AtomicU64};

use super::*;
use crate::replay::film::{Scene, pack, record};
use crate::replay::log::{self, Window};
use crate::solver::{Control, Dynamics, Job, Point, Value};

fn film(n: u64, window: Window) -> Film {
    let point = Point::new(
        "pair",
        [("n", Value::Integer(n)), ("epsilon", Value::real(0.05))],
    );
    let (stop, updates) = (AtomicBool::new(false), AtomicU64::new(0));
    let scene = Scene {
        job: Job {
            point: &point,
            seed: 1,
            cutoff: 10_000_000,
            dynamics: Dynamics::Stepwise,
        },
        trial: 0,
        start: None,
        window,
    };
    record(&scene, &Control::new(&stop, &updates)).expect("a film")
}

fn caption(title: &str) -> Caption {
    Caption {
        title: title.to_owned(),
        lines: vec!["absorbed & <b>done</b>".to_owned()],
        start: "The start".to_owned(),
        provenance: vec!["reines replay …".to_owned()],
    }
}

fn page(n: u64, window: Window) -> String {
    html(&film(n, window), &caption("pair n=5")).expect("a small page")
}

/// Between two texts.
fn between<'a>(page: &'a str, begin: &str, end: &str) -> &'a str {
    let rest = page.split_once(begin).expect(begin).1;
    rest.split_once(end).expect(end).0
}

#[test]
fn the_page_has_the_log_and_loads_nothing() {
    let film = film(5, Window::ALL);
    let page = html(&film, &caption("pair n=5")).expect("a small page");
    let packed = between(&page, "id=\"log\">", "</script>");
    assert_eq!(packed, base64(&pack(&film.bytes)));
    assert!(!page.contains("{{") && !page.contains("}}"));
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    assert!(
        policy.starts_with("default-src &#39;none&#39;; style-src &#39;sha256-"),
        "{policy}"
    );
    // The namespace of SVG is a name.
    let without_names = page.replace("http://www.w3.org/2000/svg", "");
    for loading in [
        "http:", "https:", "src=", "url(", "@import", " style=", "onclick", "eval(",
    ] {
        assert!(!without_names.contains(loading), "{loading}");
    }
    assert_eq!(page, html(&film, &caption("pair n=5")).expect("the same"));
}

#[test]
fn the_policy_is_that_of_the_whole_page() {
    let page = page(5, Window::ALL);
    let policy_of_page = escaped(&crate::html::policy(&page));
    assert!(page.contains(&policy_of_page), "{policy_of_page}");
}

#[test]
fn what_comes_from_outside_stays_text() {
    let hostile = "</title><script>alert(1)</script>]]>\"'{{log}}\u{0}";
    let caption = Caption {
        start: hostile.to_owned(),
        lines: vec![hostile.to_owned()],
        provenance: vec![hostile.to_owned()],
        title: hostile.to_owned(),
    };
    let page = html(&film(4, Window::ALL), &caption).expect("a small page");
    assert!(!page.contains("<script>alert") && !page.contains('\u{0}'));
    assert_eq!(page.matches("</script>").count(), 3);
    assert_eq!(page.matches("&lt;script&gt;alert(1)").count(), 5);
    assert!(page.contains("{{log}}"), "a text is no place for another");
}

#[test]
fn every_count_has_its_curve_and_every_control_its_id() {
    let page = page(6, Window::ALL);
    for id in [
        "board",
        "place",
        "play",
        "back",
        "forward",
        "back-move",
        "forward-move",
        "next-dangerous",
        "to-start",
        "to-hit",
        "to-end",
        "speed",
        "signals",
        "update",
        "position",
        "threatened",
        "false-signals",
        "safe-cells",
        "moves",
        "true-N",
        "false-SE",
        "missing-W",
        "queen",
        "queens",
        "ring",
    ] {
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
    assert_eq!(page.matches("class=\"cursor\"").count(), Counts::NUMBER);
    assert!(page.contains("id=\"to-hit\">"), "the trial hits a solution");
}

/// In a window without the hit, its button is off, and there is no line for it.
#[test]
fn a_window_knows_what_is_in_it() {
    let page = page(6, Window { from: 3, to: 40 });
    assert!(page.contains("id=\"to-hit\" disabled>"));
    assert!(!page.contains("class=\"hit\""));
    let facts = between(&page, "id=\"facts\">", "</script>");
    let facts: serde_json::Value = serde_json::from_str(facts).expect("JSON");
    assert_eq!((&facts["from"], &facts["until"]), (&3.into(), &40.into()));
    assert_eq!(facts["ending"], "the end of this part of the run");
    assert!(facts["hit"].is_null() && facts["absorbed"].is_null());
}

/// Of random bytes, which cannot be compressed.
#[test]
fn a_page_that_is_too_large_is_refused_with_its_size() {
    let mut film = film(5, Window::ALL);
    let mut bits = 1_u64;
    film.bytes = (0..4 << 20)
        .map(|_| {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            bits as u8
        })
        .collect();
    let error = html(&film, &caption("")).expect_err("too large");
    assert!(error.size > 5 << 20 && !error.is_estimate, "{error}");
    assert_eq!(
        error.n_changes,
        log::read(&film_bytes()).map_or(0, |it| it.changes.len() as u64)
    );
}

fn film_bytes() -> Vec<u8> {
    film(5, Window::ALL).bytes
}
