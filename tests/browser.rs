//! Films and the page of experiments in a headless Chromium: the program that the variable
//! `CHROMIUM` names, or one on the path.

use std::fs;
use std::path::Path;
use std::process::Command;

use reines::solver::{Key, Point, Value};

use crate::figures::drawn;
use crate::program::{Workplace, has, root, skipped, text_of};
use crate::replay::Recorded;

/// The program; none where there is none, which is said.
fn chromium() -> Option<String> {
    let known = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    let starts = |name: &String| Command::new(name).arg("--version").output().is_ok();
    let found = std::env::var("CHROMIUM").ok();
    let found = found.or_else(|| known.into_iter().find(starts));
    if found.is_none() {
        skipped("pages in a browser, there is no Chromium; CHROMIUM=/path/to/it names one");
    }
    found
}

/// What becomes of a page when it is opened at a place; it may say nothing on the console.
fn opened(chromium: &str, page: &Path, place: &str) -> String {
    let profile = tempfile::tempdir().expect("a temporary folder");
    // The sandbox refuses root. Where motion is not wanted, timers play a film: the time that
    // passes here draws no frames.
    const OPTIONS: &str = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --force-prefers-reduced-motion --enable-logging=stderr --virtual-time-budget=60000 --dump-dom";
    let output = Command::new(chromium)
        .args(OPTIONS.split_whitespace())
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}{place}", page.display()))
        .output()
        .unwrap_or_else(|error| panic!("{chromium}: {error}"));
    let console = String::from_utf8_lossy(&output.stderr);
    let said: Vec<&str> = console
        .lines()
        .filter(|it| it.contains("CONSOLE"))
        .collect();
    assert_eq!(said, [""; 0], "{}", page.display());
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A copy of a page with one more script at its end, which the page's own policy would refuse.
fn with_script(page: &Path, script: &str) -> tempfile::TempPath {
    let text = text_of(page);
    let (before, rest) = text.split_once("<meta http-equiv").expect("a policy");
    let after = rest.split_once('>').expect("its end").1;
    let (body, _) = after.rsplit_once("</body>").expect("the page's end");
    let copy = tempfile::Builder::new()
        .suffix(".html")
        .tempfile()
        .expect("a file");
    let text = format!("{before}{body}<script>{script}</script></body></html>");
    fs::write(&copy, text).expect("written");
    copy.into_temp_path()
}

const PLAY: &str = "get('speed').value = '10000'; const wait = setInterval(() => { \
    if (get('replay').dataset.ready) { clearInterval(wait); get('play').click(); } }, 10);";

/// The text of the element of this id.
fn shown<'a>(page: &'a str, id: &str) -> &'a str {
    let rest = page.split_once(&format!("id=\"{id}\"")).expect(id).1;
    let text = rest.split_once('>').expect("the tag's end").1;
    text.split_once('<').expect("the element's end").0
}

/// A film is played to its end, and opened there and at a move half way, whose words say why the
/// queen may go there: each time it shows what the solver has recorded of the trial.
fn check_film(chromium: &str, film: &Path, trial: &Recorded, why: &str) {
    let end = trial.outcome.updates.expect("updates are counted");
    let played = opened(chromium, &with_script(film, PLAY), "");
    assert_eq!(shown(&played, "play"), "Play", "it has ended");
    let moves = trial.outcome.moves.expect("moves are counted");
    let half = trial.series.iter().find(|it| it.moves == moves / 2);
    let half = half.expect("a move").update;
    let places = [half, end].map(|it| (it, opened(chromium, film, &format!("#t={it}"))));
    for (until, page) in places.into_iter().chain([(end, played)]) {
        let number = |id| shown(&page, id).replace('\u{202F}', "");
        let state = trial.series.iter().rfind(|it| it.update <= until);
        let state = state.expect("the start at least");
        assert_eq!(number("update"), state.update.to_string());
        assert_eq!(number("moves"), state.moves.to_string());
        assert_eq!(number("threatened"), state.threatened.to_string());
        let counts = trial.counts(until);
        let share = (100.0 * counts.blocked).round();
        assert_eq!(shown(&page, "blocked"), format!("{share} %"), "{until}");
        let left = format!("{} of {}", counts.left, counts.solutions);
        assert_eq!(shown(&page, "left"), left);
        let words = match trial.outcome.absorption_time {
            _ if until == half => why,
            Some(_) => " The end: a solution, and every signal is true.",
            None => " Here is the cutoff, after ",
        };
        has(shown(&page, "what"), words);
    }
}

#[test]
fn films_show_what_the_solver_records() {
    let Some(chromium) = chromium() else { return };
    let key = |trial| Key { seed: 1, trial };
    let values = |epsilon| [("n", Value::Integer(6)), ("epsilon", Value::real(epsilon))];
    let plain = Point::new("pair", values(0.032));
    let film = root().join("docs/replay-0.032.html");
    let trial = Recorded::of(&plain, key(20), 10_000_000_000);
    check_film(&chromium, &film, &trial, ", which looks ");
    let place = Workplace::new();
    let condition = Point {
        variant: "b.queens == 0 and b.signals <= 1".to_owned(),
        ..Point::new("pair", values(0.01))
    };
    place.succeed(format!(
        "replay pair n=6 epsilon=0.01 'variant={}' --cutoff 30000 --trial 3",
        condition.variant
    ));
    let film = place.path().join("replay.html");
    let trial = Recorded::of(&condition, key(3), 30_000);
    check_film(&chromium, &film, &trial, ", which the condition ");
}

#[test]
fn the_page_of_experiments_opens_with_its_figures() {
    let Some(chromium) = chromium() else { return };
    let (files, text) = drawn();
    let place = Workplace::new();
    let page = place.path().join(place.write("index.html", text));
    opened(&chromium, &page, "");
    const COUNT: &str = "document.body.dataset.seen = [...document.querySelectorAll('article .sheet svg')] \
        .filter((it) => it.checkVisibility() && it.getBoundingClientRect().height > 100).length;";
    let seen = opened(&chromium, &with_script(&page, COUNT), "");
    let figures = text.matches("<figure id=\"figure-").count();
    assert!(figures > 20, "{figures} of {} files", files.len());
    has(&seen, &format!("data-seen=\"{figures}\""));
    // Longer lines and wider figures scroll in frames of their own.
    const NARROW: &str = "document.body.style.width = '400px'; \
        document.body.dataset.width = document.querySelector('main').scrollWidth;";
    let narrow = opened(&chromium, &with_script(&page, NARROW), "");
    has(&narrow, "data-width=\"400\"");
}
