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
use reines_browser::visit::Visit;

/// Nothing was said on the console, and nothing but the page was asked for.
fn assert_quiet(visit: &Visit) {
    assert_eq!(visit.seen(), [""; 0]);
}

/// Nothing is wider than the window.
fn assert_fits(visit: &Visit) {
    let [wide, room] = ["scrollWidth", "clientWidth"]
        .map(|it| visit.number(&format!("document.documentElement.{it}")));
    assert!(wide <= room, "{wide} pixels in a window of {room}");
}

/// Keeps what is seen, for people to look at.
fn keep(visit: &Visit, name: &str) {
    let folder = made::pages().join("pictures");
    fs::create_dir_all(&folder).expect("a folder of the build");
    fs::write(folder.join(format!("{name}.png")), visit.picture()).expect("written");
}
