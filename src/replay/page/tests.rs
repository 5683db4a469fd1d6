use std::ops::RangeInclusive;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::inflate::decompress_to_vec_zlib;

use super::*;
use crate::html::escaped;
use crate::replay::film::{SingleTrial, record};
use crate::solver::{Control, Dynamics, Key, Point, Value};

const ALL: RangeInclusive<u64> = 0..=u64::MAX;

fn film(n: u64, window: RangeInclusive<u64>) -> Film {
    let values = [("n", Value::Integer(n)), ("epsilon", Value::real(0.05))];
    let scene = SingleTrial {
        point: Point::new("pair", values),
        key: Key { seed: 1, trial: 0 },
        cutoff: 10_000_000,
        dynamics: Some(Dynamics::Stepwise),
        start: None,
    };
    record(scene, window, &Control::unstopped()).expect("a film")
}

fn page(n: u64, window: RangeInclusive<u64>) -> String {
    html(&film(n, window), &["a <b>text</b>".to_owned()], "")
}

/// The text between two others.
fn between<'a>(page: &'a str, begin: &str, end: &str) -> &'a str {
    let rest = page.split_once(begin).expect(begin).1;
    rest.split_once(end).expect(end).0
}

#[test]
fn a_page_loads_nothing_and_its_policy_is_its_own() {
    let played = page(5, ALL);
    let packed = between(&played, "id=\"log\">", "</script>");
    let packed = STANDARD.decode(packed).expect("base64");
    let numbers = decompress_to_vec_zlib(&packed).expect("as zlib packs it");
    let numbers: Vec<u64> = serde_json::from_slice(&numbers).expect("JSON");
    assert_eq!(numbers, film(5, ALL).log.numbers());
    assert_eq!(played, page(5, ALL));
    assert!(played.contains(&escaped(&crate::html::policy(&played))));
    // The namespace of SVG is a name.
    let played = played.replace("http://www.w3.org/2000/svg", "");
    for loading in [
        "http:", "https:", "src=", "url(", "@import", " style=", "onclick", "eval(", "fetch(",
    ] {
        assert!(!played.contains(loading), "{loading}");
    }
}

/// Films of different lengths are played in the same minute: each says how fast its time goes.
#[test]
fn a_film_says_its_scale() {
    let cases = [
        (0, 1),
        (7, 7),
        (99, 99),
        (114, 110),
        (995, 1000),
        (8534, 8500),
    ];
    assert_eq!(
        cases.map(|(number, _)| two_digits(number)),
        cases.map(|case| case.1)
    );
    let log = film(5, ALL).log;
    let scale = counted(two_digits((log.until - log.from) / 60), "update");
    let option = format!("all in 60 s: 1 s ≈ {scale}<");
    assert!(page(5, ALL).contains(&option), "{option}");
    let player = include_str!("player.js");
    assert!(player.contains(&format!("static SECONDS = {SECONDS};")));
}

#[test]
fn what_comes_from_outside_stays_text() {
    let hostile = "</title><script>alert(1)</script>]]>\"'{{ log }}\u{0}";
    let page = html(&film(4, ALL), &[hostile.to_owned()], hostile);
    assert!(!page.contains("<script>alert") && !page.contains('\u{0}'));
    assert_eq!(page.matches("</script>").count(), 3);
    assert_eq!(page.matches("&lt;script&gt;alert(1)").count(), 2);
    assert!(page.contains("{{ log }}"), "a text is no place for another");
}

/// What the script asks for by its id, and the glyphs that it copies.
#[test]
fn every_element_that_the_script_names_is_there_once() {
    let page = page(6, ALL);
    let glyphs = ["true-N", "false-SE", "missing-W", "queen", "queens", "ring"];
    let named = SCRIPT.split("get(\"").skip(1);
    let named = named.map(|rest| rest.split_once('"').expect("the name's end").0);
    for id in named.chain(glyphs) {
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
}

#[test]
fn a_window_knows_what_is_in_it() {
    let page = page(6, 3..=40);
    let facts = between(&page, "id=\"facts\">", "</script>");
    let facts: serde_json::Value = serde_json::from_str(facts).expect("JSON");
    assert_eq!((&facts["from"], &facts["until"]), (&3.into(), &40.into()));
    assert_eq!(facts["ending"], "the end of this part of the run");
    assert!(facts["hit"].is_null() && facts["absorbed"].is_null());
}
