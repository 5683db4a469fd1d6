//! The page of the reference results.

use reines_browser::made;
use reines_browser::visit::{Look, Visit};

use crate::{GROUND, assert_fits, assert_quiet, keep, print};

fn open(look: Look) -> Visit {
    Visit::of(made::page(), "", look)
}

#[test]
fn the_search_filters_experiments() {
    let visit = open(Look::WIDE);
    let shown =
        "[...document.querySelectorAll('article')].filter(it => it.checkVisibility()).length";
    let all = visit.number(shown);
    assert!(all > 15.0);
    visit.click("document.getElementById('search')");
    visit.write("Factoring product");
    visit.wait("document.getElementById('found').textContent !== ''");
    let left = visit.number(shown);
    assert!(0.0 < left && left < all / 2.0, "{left} of {all}");
    let expected = format!("{left} of {all} experiments");
    assert_eq!(
        visit.text("document.getElementById('found').textContent"),
        expected
    );
    visit.ask(
        "document.getElementById('search').value = 'zzz'; \
         document.getElementById('search').dispatchEvent(new Event('input'));",
    );
    assert_eq!(visit.number(shown), 0.0);
    assert_quiet(&visit);
}

/// The points of a figure under the middle of each: of two in one place the upper one.
const POINTS: &str = "\
    [...document.querySelectorAll('#figure-convergence-vs-epsilon [data-row]')].filter(it => { \
      it.scrollIntoView({ block: 'center', behavior: 'instant' }); \
      const box = it.getBoundingClientRect(); \
      return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === it; })";

#[test]
fn every_point_has_its_row_as_a_tip_under_the_pointer() {
    let visit = open(Look::WIDE);
    let tips = visit.ask(&format!(
        "return {POINTS}.map(it => {{ it.dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }})); \
         return it.querySelector('title').textContent; }});"
    ));
    let tips: Vec<&str> = tips
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it.as_str())
        .collect();
    assert!(tips.len() > 10, "{tips:?}");
    for tip in tips {
        // Of trials that take long there are fewer, as the spec says.
        let trials = match tip.contains("ε = 0.02\n") || tip.contains("ε = 0.03\n") {
            true => "\n300 trials",
            false => "\n1\u{202f}000 trials",
        };
        for words in ["pair rule, n = 8\nε = ", trials, "; bar from "] {
            assert!(tip.contains(words), "{words}: {tip:?}");
        }
    }
    assert_quiet(&visit);
}

#[test]
fn a_point_leads_to_its_row_and_the_row_to_a_replay() {
    let visit = open(Look::WIDE);
    let point = format!("{POINTS}[0]");
    let row = visit.number(&format!("Number({point}.dataset.row)"));
    visit.click(&point);
    visit.wait("document.querySelector('tr.replay')");
    let chosen = visit.number("document.querySelector('tr.chosen').sectionRowIndex");
    assert_eq!(chosen, row - 1.0);
    let is_seen = visit.ask(
        "const it = document.querySelector('tr.chosen'); const box = it.getBoundingClientRect(); \
         return it.checkVisibility() && box.top >= 0 && box.bottom <= innerHeight;",
    );
    assert_eq!(is_seen, true, "the row is in the window");
    let command = visit.text("document.querySelector('tr.replay code').textContent");
    assert!(
        command.starts_with("reines replay results/reference/epsilon --only '")
            && command.ends_with(" --trial median"),
        "{command}"
    );
    keep(&visit, "page-row");
    assert_quiet(&visit);
    it_plays(&command);
}

/// The command with its quotes taken off, as a shell would.
fn it_plays(command: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("replay.html");
    let words = command.replace('\'', "").replacen("reines ", "", 1);
    let output = made::reines(&format!("{words} --output {}", file.display()));
    let said = String::from_utf8_lossy(&output.stderr);
    // Results of other code are refused, with both versions.
    assert!(
        file.exists() || said.contains("code version"),
        "{command}: {said}"
    );
}

#[test]
fn a_table_sorts_both_ways() {
    let visit = open(Look::WIDE);
    visit.ask("document.querySelector('main table').closest('details').open = true;");
    let head = "[...document.querySelectorAll('main table th')].find(it => it.textContent.startsWith('mean ['))";
    let column = format!(
        "const head = {head}; const body = head.closest('table').tBodies[0]; \
         return [...body.rows].map(row => parseFloat(row.cells[head.cellIndex].textContent.replace('≥', ''))).filter(it => !isNaN(it));"
    );
    let numbers = || -> Vec<f64> {
        let values = visit.ask(&column);
        let values = values.as_array().expect("a list").iter();
        values.filter_map(|it| it.as_f64()).collect()
    };
    let before = numbers();
    assert!(before.len() > 3);
    visit.click(&format!("({head}).querySelector('button')"));
    assert_eq!(
        visit.text(&format!("({head}).getAttribute('aria-sort')")),
        "ascending"
    );
    let mut sorted = before.clone();
    sorted.sort_by(f64::total_cmp);
    assert_eq!(numbers(), sorted);
    // By the keyboard.
    visit.press("Enter", &[]);
    visit.wait(&format!(
        "({head}).getAttribute('aria-sort') === 'descending'"
    ));
    sorted.reverse();
    assert_eq!(numbers(), sorted);
    assert_quiet(&visit);
}

/// What people are sent is short, and the box of a figure fits a telephone.
#[test]
fn the_page_is_short() {
    let visit = open(Look::WIDE);
    let words = visit.number(
        "(document.querySelectorAll('.sheet').forEach(it => { it.hidden = true; }), \
         document.body.innerText.split(/\\s+/).filter(Boolean).length)",
    );
    visit.ask("document.querySelectorAll('.sheet').forEach(it => { it.hidden = false; });");
    let height = visit.number("document.documentElement.scrollHeight");
    let figures = visit.number("document.querySelectorAll('.sheet').length");
    assert!(
        words <= 90.0 * figures,
        "{words} words outside of {figures} figures"
    );
    assert!(
        height <= 700.0 * figures,
        "{height} pixels, {figures} figures"
    );
    visit.set(Look::NARROW);
    // A picture that is wider than the telephone scrolls within its box.
    let widest = "Math.max(...[...document.querySelectorAll('.sheet')].map(it => it.clientWidth))";
    assert!(visit.number(widest) <= 400.0);
}

#[test]
fn the_page_fits_wide_and_narrow_in_dark_and_in_light_and_on_paper() {
    let visit = open(Look::WIDE);
    assert_fits(&visit, "page", "main > section:nth-of-type(2)");
    print(&visit, "page.pdf");
    assert_eq!(visit.text(GROUND), "rgb(255, 255, 255)", "paper is white");
    let seen = visit.ask(
        "return ['.search', 'details', 'figure', 'figcaption', '.finding'].map(it => document.querySelector(it).checkVisibility());",
    );
    assert_eq!(seen, serde_json::json!([false, false, true, true, true]));
    assert_quiet(&visit);
}
