//! Accessibility, by the rules of axe-core (axe/, its own licence).

use reines_browser::made::{self, Replay};
use reines_browser::visit::{Look, Visit};
use serde_json::Value;

use crate::assert_quiet;
use crate::replay::TRIAL;

const AXE: &str = include_str!("../axe/axe.min.js");

/// What keeps people out: rule, weight and the first places.
fn findings(visit: &Visit) -> Vec<String> {
    let known = visit.ask("return typeof axe;");
    if known == "undefined" {
        visit.ask(&format!("{AXE}; return 1;"));
    }
    let found = visit.ask(
        "const found = await axe.run(document, { resultTypes: ['violations'] }); \
         return found.violations.map(it => [it.impact, it.id, it.help, \
         it.nodes.length, ...it.nodes.slice(0, 3).map(node => node.html.slice(0, 200) + ' ' + \
         (node.any[0] || node.all[0] || node.none[0] || {}).message)]);",
    );
    let found = found.as_array().expect("a list").clone();
    let is_heavy = |it: &&Value| it[0] == "serious" || it[0] == "critical";
    let heavy = found.iter().filter(is_heavy);
    heavy.map(Value::to_string).collect()
}

fn assert_open(visit: &Visit) {
    for look in [Look::WIDE, Look::WIDE.dark(), Look::NARROW.dark()] {
        visit.set(look);
        assert_eq!(findings(visit), [""; 0], "{look:?}");
    }
}

#[test]
fn the_page_keeps_nobody_out() {
    let visit = Visit::of(made::page(), "", Look::WIDE);
    // A figure with its table, spec, plan and manifest, and a chosen row with its command.
    visit.ask(
        "const section = document.getElementById('experiment-epsilon'); \
         section.querySelectorAll('details').forEach(it => { it.open = true; }); \
         section.querySelector('tbody tr').click();",
    );
    visit.wait("document.querySelector('tr.replay')");
    assert_open(&visit);
    assert_quiet(&visit);
}

#[test]
fn a_replay_keeps_nobody_out() {
    let replay = Replay::of(TRIAL);
    let visit = Visit::of(&replay.file(), "", Look::WIDE);
    visit.wait("document.getElementById('replay').dataset.ready");
    visit.ask(
        "document.querySelectorAll('details').forEach(it => { it.open = true; }); \
         document.getElementById('forward-move').click();",
    );
    assert_open(&visit);
    assert_quiet(&visit);
}

#[test]
fn the_live_page_keeps_nobody_out() {
    let visit = Visit::of(&made::root().join("docs/live.html"), "", Look::WIDE);
    visit.wait("document.getElementById('replay').dataset.ready");
    visit.ask(
        "document.querySelectorAll('details').forEach(it => { it.open = true; }); \
         get('quiz-on').click(); get('forward-move').click();",
    );
    assert_open(&visit);
    assert_quiet(&visit);
}
