//! The replay of a trial.

use headless_chrome::browser::tab::ModifierKey;
use reines_browser::made::{self, Replay};
use reines_browser::visit::{Look, Visit};
use serde_json::Value;

use crate::{assert_fits, assert_quiet, print};

/// Some thousand changes, with moves of every kind.
pub const TRIAL: &str = "--algorithm pair --n 7 --epsilon 0.01 --seed 1 --trial 2";

const CHANGE: &str = "Number(document.getElementById('replay').dataset.change)";
const UPDATE: &str = "Number(document.getElementById('replay').dataset.update)";
const CHANGES: &str = "Number(document.getElementById('place').max)";

fn open(replay: &Replay, place: &str, look: Look) -> Visit {
    let visit = Visit::of(&replay.file(), place, look);
    wait_until_ready(&visit);
    visit
}

fn wait_until_ready(visit: &Visit) {
    visit.wait("document.getElementById('replay').dataset.ready");
}

/// What `solve --json` says of the trial.
fn solved() -> Value {
    let printed = made::printed(&format!("solve --json {TRIAL}"));
    serde_json::from_str(&printed).expect("JSON")
}

#[test]
fn played_to_the_end_it_has_the_board_of_solve() {
    let solved = solved();
    let replay = Replay::of(TRIAL);
    let visit = open(&replay, "", Look::WIDE);
    assert!(visit.number(CHANGES) > 1000.0);
    visit.ask("document.getElementById('speed').value = '10000';");
    visit.click("document.getElementById('play')");
    visit.wait(&format!("{CHANGE} === {CHANGES}"));
    visit.wait("document.getElementById('play').textContent === 'Play'");
    // `solve` has the row of the queen of each column, from the north.
    let rows = solved["boards"][0].as_array().expect("a board");
    let n = rows.len();
    let row = |row: usize| {
        let cell = |queen: &Value| {
            if queen.as_u64() == Some(row as u64) {
                "Q"
            } else {
                "."
            }
        };
        let cells: Vec<&str> = rows.iter().map(cell).collect();
        format!("{}  {}", n - row, cells.join(" "))
    };
    let expected: Vec<String> = (0..n).map(row).collect();
    let shown = visit.text("document.getElementById('position').textContent");
    let shown: Vec<&str> = shown.lines().take(n).collect();
    assert_eq!(shown, expected);
    let said = visit.text("document.getElementById('what').textContent");
    assert!(
        said.ends_with("a solution, and every signal is true."),
        "{said}"
    );
    assert_eq!(
        Some(visit.number(UPDATE)),
        solved["absorption_time"].as_f64()
    );
    let moves = visit.text("document.getElementById('moves').textContent");
    let moves = moves.replace('\u{202F}', "").parse().ok();
    assert_eq!(moves, solved["moves"].as_u64());
    assert_quiet(&visit);
}

/// All that is shown, as a number.
const SHOWN: &str = "\
    const shown = () => { \
      const parts = ['figures', 'position', 'marks', 'trail', 'what', 'update', 'threatened', 'false-signals', 'safe-cells', 'moves']; \
      const text = parts.map(id => document.getElementById(id).innerHTML).join(); \
      let hash = 2166136261; \
      for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619); \
      return hash >>> 0; \
    }; \
    const slider = document.getElementById('place'); \
    const jump = (to) => { slider.value = to; slider.dispatchEvent(new Event('input')); };";

#[test]
fn a_thousand_jumps_give_what_a_fresh_play_gives() {
    let replay = Replay::of(TRIAL);
    let visit = open(&replay, "", Look::WIDE);
    let played = visit.ask(&format!(
        "{SHOWN} const all = [shown()]; const forward = document.getElementById('forward'); \
         for (let k = 0; k < Number(slider.max); k++) {{ forward.click(); all.push(shown()); }} return all;"
    ));
    let played = played.as_array().expect("a list").clone();
    let different: std::collections::BTreeSet<u64> =
        played.iter().filter_map(Value::as_u64).collect();
    assert!(different.len() * 2 > played.len(), "states differ");
    visit.go(&replay.file(), "");
    wait_until_ready(&visit);
    // Near and far, forward and back.
    let places: Vec<usize> = (0..1000).map(|it| it * it * 7919 % played.len()).collect();
    let jumped = visit.ask(&format!(
        "{SHOWN} return {places:?}.map(to => {{ jump(to); return shown(); }});"
    ));
    let expected: Vec<Value> = places.iter().map(|&it| played[it].clone()).collect();
    assert!(jumped == Value::Array(expected));
    assert_quiet(&visit);
}

#[test]
fn an_address_restores_the_moment() {
    let replay = Replay::of(TRIAL);
    let visit = open(&replay, "", Look::WIDE);
    visit.ask(&format!(
        "{SHOWN} jump(700); slider.dispatchEvent(new Event('change'));"
    ));
    visit.wait("location.hash !== ''");
    let hash = visit.text("location.hash");
    let shown = visit.ask(&format!("{SHOWN} return shown();"));
    assert_eq!(hash, format!("#t={}", visit.number(UPDATE)));
    visit.go(&replay.file(), &hash);
    wait_until_ready(&visit);
    assert_eq!(visit.number(CHANGE), 700.0);
    assert_eq!(visit.ask(&format!("{SHOWN} return shown();")), shown);
    visit.ask("location.hash = '#t=0';");
    visit.wait(&format!("{UPDATE} === 0"));
    visit.ask("history.back();");
    visit.wait(&format!("{CHANGE} === 700"));
    assert_quiet(&visit);
}

#[test]
fn the_keys_do_what_the_buttons_do() {
    let replay = Replay::of(TRIAL);
    let visit = open(&replay, "", Look::WIDE);
    let place = |key: &str, modifiers: &[ModifierKey]| {
        visit.press(key, modifiers);
        visit.number(CHANGE)
    };
    let clicked = |id: &str| {
        visit.ask(&format!("document.getElementById('{id}').click();"));
        visit.number(CHANGE)
    };
    let shift = [ModifierKey::Shift];
    assert_eq!(place("ArrowRight", &[]), 1.0);
    assert_eq!(place("ArrowLeft", &[]), 0.0);
    for (key, modifiers, button) in [
        ("ArrowRight", &shift[..], "forward-move"),
        ("ArrowLeft", &shift[..], "back-move"),
        ("d", &[], "next-dangerous"),
        ("h", &[], "to-hit"),
        ("End", &[], "to-end"),
        ("Home", &[], "to-start"),
    ] {
        // From a place with moves before and behind.
        visit.ask(&format!("{SHOWN} jump(500);"));
        let by_key = place(key, modifiers);
        visit.ask(&format!("{SHOWN} jump(500);"));
        assert_eq!(by_key, clicked(button), "{key}");
        assert_ne!(by_key, 500.0, "{key}");
    }
    let speed = "document.getElementById('speed').selectedIndex";
    let before = visit.number(speed);
    visit.press("+", &[]);
    assert_eq!(visit.number(speed), before + 1.0);
    visit.press("-", &[]);
    assert_eq!(visit.number(speed), before);
    visit.press("s", &[]);
    assert_eq!(
        visit.text("document.getElementById('signals').value"),
        "missing"
    );
    visit.press(" ", &[]);
    let play = "document.getElementById('play').textContent";
    assert_eq!(visit.text(play), "Pause");
    visit.press(" ", &[]);
    assert_eq!(visit.text(play), "Play");
    assert_quiet(&visit);
}

/// Pictures at least 400 ms apart, and the run goes on all the same.
#[test]
fn where_motion_is_not_wanted_pictures_are_still() {
    let replay = Replay::of(TRIAL);
    let calm = Look {
        is_calm: true,
        ..Look::WIDE
    };
    let visit = open(&replay, "", calm);
    let moments = visit.ask(
        "document.getElementById('speed').value = '1000'; \
         const moments = []; \
         await new Promise((done) => { \
           new MutationObserver(() => { moments.push(performance.now()); if (moments.length > 3) done(); }) \
             .observe(document.getElementById('update'), { childList: true, characterData: true, subtree: true }); \
           document.getElementById('play').click(); \
           setTimeout(done, 60000); \
         }); \
         return moments;",
    );
    let moments: Vec<f64> = moments
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    assert!(moments.len() > 3, "{moments:?}");
    // The first picture may be that of the place where it begins.
    for pair in moments[1..].windows(2) {
        assert!(pair[1] - pair[0] > 400.0, "{moments:?}");
    }
    assert_quiet(&visit);
}

#[test]
fn the_replay_fits_wide_and_narrow_in_dark_and_in_light_and_on_paper() {
    let replay = Replay::of(TRIAL);
    let visit = open(&replay, "", Look::WIDE);
    visit.ask(&format!(
        "{SHOWN} jump(500); document.getElementById('forward-move').click();"
    ));
    assert_fits(&visit, "replay", "#course");
    print(&visit, "replay.pdf");
    let seen = "getComputedStyle(document.querySelector('.names')).fill";
    assert_eq!(visit.text(seen), "rgb(34, 34, 34)", "ink on paper");
    assert_quiet(&visit);
}
