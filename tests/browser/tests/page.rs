//! The page of the reference results.

use std::fs;

use reines_browser::made;
use reines_browser::visit::{Look, Visit};

use crate::{assert_fits, assert_quiet, keep};

fn open(look: Look) -> Visit {
    Visit::of(made::page(), "", look)
}

#[test]
fn the_search_filters_experiments() {
    let visit = open(Look::WIDE);
    let shown =
        "[...document.querySelectorAll('nav li')].filter(it => it.checkVisibility()).length";
    let sections = "[...document.querySelectorAll('main > section')].filter(it => it.checkVisibility()).length";
    let all = visit.number(shown);
    assert!(all > 15.0);
    visit.click("document.getElementById('search')");
    visit.write("Factoring product");
    visit.wait("document.getElementById('found').textContent !== ''");
    let left = visit.number(shown);
    assert!(0.0 < left && left < all / 2.0, "{left} of {all}");
    assert_eq!(visit.number(sections), left);
    let expected = format!("{left} of {all} experiments");
    assert_eq!(
        visit.text("document.getElementById('found').textContent"),
        expected
    );
    visit.ask(
        "document.getElementById('search').value = 'no such word'; \
         document.getElementById('search').dispatchEvent(new Event('input'));",
    );
    assert_eq!(visit.number(shown), 0.0);
    assert_quiet(&visit);
}

/// A native tip is not a part of a picture. It shows where the pointer is on an element with a
/// `<title>`: that is looked for under the middle of a point.
const UNDER_A_POINT: &str = "\
    const under = []; \
    for (const point of document.querySelectorAll('#figure-convergence-vs-epsilon a')) { \
      point.scrollIntoView({ block: 'center', behavior: 'instant' }); \
      const box = point.getBoundingClientRect(); \
      const it = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
      const title = it.parentNode.querySelector('title'); \
      under.push(it.closest('a') && title ? title.textContent : ''); \
    } \
    return under;";

#[test]
fn every_point_has_a_tip_under_the_pointer() {
    let visit = open(Look::WIDE);
    let under = visit.ask(UNDER_A_POINT);
    let under: Vec<&str> = under
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it.as_str())
        .collect();
    assert!(under.len() > 10, "{under:?}");
    for tip in under {
        assert!(
            tip.contains("ε = ") && tip.contains("trials") && tip.contains("bar from"),
            "{tip:?}"
        );
    }
    assert_quiet(&visit);
}

/// A point's link; of two points in one place the upper one.
const POINT: &str = "[...document.querySelectorAll('#figure-convergence-vs-epsilon a')].find(it => { \
                     it.scrollIntoView({ block: 'center', behavior: 'instant' }); const box = it.getBoundingClientRect(); \
                     return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).closest('a') === it; })";

/// Clicks on the point; its row is then in the window.
fn follow(visit: &Visit, row: &str) {
    let id = visit.text(&format!("({POINT}).getAttribute('href').slice(1)"));
    visit.click(POINT);
    visit.wait(&format!("document.querySelector('{row}')"));
    assert_eq!(
        visit.text(&format!("document.querySelector('{row}').id")),
        id
    );
    let is_seen = visit.ask(&format!(
        "const it = document.querySelector('{row}'); const box = it.getBoundingClientRect(); \
         return it.checkVisibility() && box.top >= 0 && box.bottom <= innerHeight;"
    ));
    assert_eq!(is_seen, true, "the row is in the window");
}

#[test]
fn a_point_leads_to_its_row_without_a_script() {
    let page = fs::read_to_string(made::page()).expect("the page");
    let (before, rest) = page.split_once("<script>").expect("its script");
    let (_, after) = rest.split_once("</script>").expect("its end");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("index.html");
    fs::write(&file, [before, after].concat()).expect("a fresh file");
    let visit = Visit::of(&file, "", Look::WIDE);
    follow(&visit, "tr:target");
    assert_quiet(&visit);
}

#[test]
fn a_point_leads_to_its_row_and_the_row_to_a_replay() {
    let visit = open(Look::WIDE);
    let tip = visit.text(&format!("({POINT}).querySelector('title').textContent"));
    follow(&visit, "tr.chosen");
    let chosen = "document.querySelector('tr.chosen')";
    visit.wait("document.querySelector('tr.replay')");
    let epsilon = visit.ask(&format!(
        "const it = {chosen}; const heads = [...it.closest('table').querySelectorAll('th')]; \
         return it.cells[heads.findIndex(th => th.textContent === 'epsilon')].textContent;"
    ));
    let epsilon: f64 = epsilon.as_str().expect("text").parse().expect("a number");
    let said = tip
        .lines()
        .find_map(|line| line.strip_prefix("ε = "))
        .expect("a place");
    let value: f64 = said.replace("·10⁻⁴", "e-4").parse().expect("a number");
    assert_eq!(epsilon, value, "{tip}");
    let command = visit.text("document.querySelector('tr.replay code').textContent");
    assert!(
        command.starts_with("reines replay results/reference/epsilon --where '")
            && command.ends_with(" --median"),
        "{command}"
    );
    keep(&visit, "page-row");
    assert_quiet(&visit);
    it_plays(&command);
}

/// The command as a shell would split it.
fn it_plays(command: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("replay.html");
    let words: Vec<String> = command
        .split_whitespace()
        .skip(1)
        .map(|word| word.replace('\'', ""))
        .collect();
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.extend(["--output", file.to_str().expect("text")]);
    let output = made::reines(&words);
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
    let head = "[...document.querySelectorAll('main table th')].find(it => it.textContent.startsWith('mean'))";
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

#[test]
fn the_page_fits_wide_and_narrow_in_dark_and_in_light_and_on_paper() {
    let visit = open(Look::WIDE);
    let looks = [
        ("page-wide", Look::WIDE),
        ("page-wide-dark", Look::WIDE.dark()),
        ("page-narrow", Look::NARROW),
        ("page-narrow-dark", Look::NARROW.dark()),
    ];
    let ground = "getComputedStyle(document.body).backgroundColor";
    for (name, look) in looks {
        visit.set(look);
        visit.ask("scrollTo(0, 0);");
        assert_fits(&visit);
        let expected = if look.is_dark {
            "rgb(22, 24, 27)"
        } else {
            "rgb(255, 255, 255)"
        };
        assert_eq!(visit.text(ground), expected, "{name}");
        keep(&visit, name);
        visit.ask("document.querySelector('main > section:nth-of-type(2)').scrollIntoView();");
        keep(&visit, &format!("{name}-section"));
    }
    let print = Look {
        is_print: true,
        ..Look::WIDE.dark()
    };
    visit.set(print);
    assert_eq!(visit.text(ground), "rgb(255, 255, 255)", "paper is white");
    let seen = visit.ask(
        "return [document.querySelector('.search'), document.querySelector('main details table')].map(it => it.checkVisibility({ contentVisibilityAuto: true }));",
    );
    assert_eq!(seen, serde_json::json!([false, true]));
    let pdf = visit.printed();
    assert!(pdf.starts_with(b"%PDF") && pdf.len() > 100_000);
    std::fs::write(made::pages().join("pictures/page.pdf"), pdf).expect("written");
    assert_quiet(&visit);
}
