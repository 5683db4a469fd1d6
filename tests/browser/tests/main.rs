//! The page of all experiments, the replay of a trial and the rule running live, as a reader's
//! browser shows them.
//!
//! Every test has a Chromium of its own, which is gone when the test is, and ends with what the
//! page did that it should not have done: nothing.

mod access;

mod live;

mod page;

mod replay;

mod watched;

use std::fs;

use reines_browser::made;
use reines_browser::visit::{Look, Visit};

/// Nothing was said on the console, and nothing but the page was asked for.
fn assert_quiet(visit: &Visit) {
    assert_eq!(visit.seen(), [""; 0]);
}

/// Wide and narrow, in light and in dark: nothing is wider than the window, and the ground is that
/// of the theme. Kept is what is seen at the top and at a place further down.
fn assert_fits(visit: &Visit, page: &str, further: &str) {
    for (width, look) in [("wide", Look::WIDE), ("narrow", Look::NARROW)] {
        for (scheme, look, ground) in [
            ("", look, "rgb(255, 255, 255)"),
            ("-dark", look.dark(), "rgb(22, 24, 27)"),
        ] {
            let name = format!("{page}-{width}{scheme}");
            visit.set(look);
            visit.ask("scrollTo(0, 0);");
            let [wide, room] = ["scrollWidth", "clientWidth"]
                .map(|it| visit.number(&format!("document.documentElement.{it}")));
            assert!(wide <= room, "{name}: {wide} pixels in a window of {room}");
            assert_eq!(visit.text(GROUND), ground, "{name}");
            keep(visit, &name);
            visit.ask(&format!(
                "document.querySelector('{further}').scrollIntoView();"
            ));
            keep(visit, &format!("{name}-further"));
        }
    }
}

const GROUND: &str = "getComputedStyle(document.body).backgroundColor";

/// Shows and keeps the page as it is printed, by a reader who prefers dark.
fn print(visit: &Visit, name: &str) {
    let print = Look {
        is_print: true,
        ..Look::WIDE.dark()
    };
    visit.set(print);
    let pdf = visit.printed();
    assert!(pdf.starts_with(b"%PDF") && pdf.len() > 50_000);
    fs::write(made::pages().join("pictures").join(name), pdf).expect("written");
}

/// Keeps what is seen, for people to look at.
fn keep(visit: &Visit, name: &str) {
    let folder = made::pages().join("pictures");
    fs::create_dir_all(&folder).expect("a folder of the build");
    fs::write(folder.join(format!("{name}.png")), visit.picture()).expect("written");
}
