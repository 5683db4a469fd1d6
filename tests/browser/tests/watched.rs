//! The watch itself: it sees what a page must not do, and no browser outlives its test.

use std::fs;
use std::path::Path;

use reines_browser::visit::{Look, Visit};

const BAD: &str = "<!doctype html><html><head><meta http-equiv=\"Content-Security-Policy\" \
    content=\"style-src 'none'\"></head><body><p style=\"color: red\">refused</p>\
    <img src=\"http://localhost:8999/away.png\"><script>console.error('said'); \
    setTimeout(() => { throw new Error('thrown'); });</script></body></html>";

#[test]
fn errors_requests_and_refusals_are_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bad.html");
    fs::write(&file, BAD).expect("written");
    let visit = Visit::of(&file, "", Look::WIDE);
    let seen = visit.seen().join("\n");
    for part in [
        "said",
        "thrown",
        "request: http://localhost:8999/away.png",
        "Content Security Policy",
    ] {
        assert!(seen.contains(part), "{part}: {seen}");
    }
}

#[test]
fn a_browser_goes_with_its_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("empty.html");
    fs::write(&file, "<!doctype html><title>x</title>").expect("written");
    let visit = Visit::of(&file, "", Look::WIDE);
    assert!(visit.seen().is_empty(), "{:?}", visit.seen());
    let home = visit.chromium().home().to_owned();
    let process = Path::new("/proc").join(visit.chromium().process().to_string());
    assert!(home.join("profile").exists());
    drop(visit);
    assert!(!home.exists() && !process.exists());
}
