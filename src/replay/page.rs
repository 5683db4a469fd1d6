//! The page that plays a film: one file that loads nothing.
//!
//! Here are the title, the lines over the film, and how long a whole run plays at the first speed
//! (a minute). `page/page.html` has the labels, the buttons and the speeds, `page/page.css` how it
//! looks. In `page/`: `tape.js` has the words for a move, `board.js` how the board changes,
//! `course.js` the four charts of a run, `player.js` the timing of steps, and `play.js` the keys,
//! the buttons and the words for start, hit and end. Comments of these files are a part of every
//! page.

use minijinja::context;
use minijinja::value::Value as Markup;
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde::Serialize;

use super::film::Film;
use crate::drawing::glyphs::{COUNT_SIZE, COUNT_X, COUNT_Y};
use crate::drawing::picture::Picture;
use crate::drawing::position::Position;
use crate::html::{base64, counted, document, filled, json};
use crate::solver::Dynamics;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = concat!(
    include_str!("page/tape.js"),
    include_str!("page/board.js"),
    include_str!("page/course.js"),
    include_str!("page/player.js"),
    include_str!("page/play.js"),
);

/// What the page's script needs besides the log.
#[derive(Serialize)]
struct PageFacts {
    from: u64,
    until: u64,
    hit: Option<u64>,
    absorbed: Option<u64>,
    ending: Option<String>,
    is_given: bool,
    is_cell_rule: bool,
    has_condition: bool,
    /// The place in a cell of the number of its queens, x and y, and the number's size.
    count: [usize; 3],
}

/// The page of a film, with these lines of it and the command that makes it again.
pub fn html(film: &Film, lines: &[String], command: &str) -> String {
    let scene = &film.scene;
    let log = &film.log;
    let facts = facts(film);
    let certain = if facts.has_condition {
        format!("meets the condition “{}”", scene.point.variant)
    } else {
        "looks safe".to_owned()
    };
    let picture = Picture::new(Position::of(&log.start));
    let pieces = picture.pieces_with_all_glyphs();
    let n = picture.position.side();
    let rule = &scene.point.algorithm;
    let title = format!("{n} queens, {rule} rule: one run");
    let scale = counted(two_digits((log.until - log.from) / SECONDS), "update");
    let version = format!(
        "Made by reines {} from its dynamics ({}).",
        env!("CARGO_PKG_VERSION"),
        scene.dynamics.map_or("", Dynamics::name)
    );
    let markup = |text: &str| Markup::from_safe_string(text.to_owned());
    let numbers = json(&log.numbers());
    let values = context! {
        title, facts, lines, certain, scale,
        point => scene.to_string(),
        view_box => pieces.view_box,
        board_title => picture.title(),
        definitions => markup(&pieces.definitions),
        ground => markup(&pieces.ground),
        figures => markup(&pieces.figures),
        provenance => [format!("The same page: {command}"), version],
        json => markup(&json(&facts)),
        log => markup(&base64(&compress_to_vec_zlib(numbers.as_bytes(), 9))),
        script => markup(SCRIPT),
    };
    document(&title, STYLE, &filled(TEMPLATE, values))
}

fn facts(film: &Film) -> PageFacts {
    let scene = &film.scene;
    let log = &film.log;
    let within = |update: &u64| (log.from..=log.until).contains(update);
    let end = film.outcome.updates.unwrap_or_default();
    let ending = match film.outcome.absorption_time {
        _ if log.until < end => Some("the end of this part of the run".to_owned()),
        None => Some(format!("the cutoff, after {}", counted(end, "update"))),
        Some(_) => None,
    };
    PageFacts {
        from: log.from,
        until: log.until,
        hit: film.outcome.hitting_time.filter(within),
        absorbed: film.outcome.absorption_time.filter(within),
        ending,
        is_given: scene.start.is_some(),
        is_cell_rule: scene.point.algorithm == "cell",
        has_condition: !scene.point.variant.is_empty(),
        count: [COUNT_X, COUNT_Y, COUNT_SIZE],
    }
}

/// How long the whole run is played (`Player.SECONDS` of `page/player.js`).
const SECONDS: u64 = 60;

/// The number with two significant digits, at least 1.
fn two_digits(number: u64) -> u64 {
    let number = number.max(1);
    let unit = 10_u64.pow(number.ilog10().saturating_sub(1));
    (number + unit / 2) / unit * unit
}

#[cfg(test)]
mod tests;
