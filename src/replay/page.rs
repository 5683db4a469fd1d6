//! The page that plays a film, or that runs the rule alone: one file that loads nothing.
//!
//! `page/rules.js` has the pair and the cell rule in JavaScript, `page/tape.js` the changes of a
//! run and their words. Each concern of the page is a class in a file of its own: the board, the
//! course of the run, what plays it, the quiz, trials that are measured, and in `page/play.js` the
//! page that has them. All pages have all of it; a film is a log beside it. `page/ask.js` is the
//! live page's own: the questions that its reader measures.
//! `page/means.csv` has means of `figures/` (`make docs` writes it), with which the page compares
//! its runs.

use std::collections::BTreeMap;

use minijinja::context;
use minijinja::value::Value as Markup;
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde::Serialize;

use super::film::Film;
use crate::drawing::glyphs::{COUNT_SIZE, COUNT_X, COUNT_Y};
use crate::drawing::picture::Picture;
use crate::drawing::position::Position;
use crate::html::{base64, counted, document, filled, json};
use crate::solver::{Dynamics, Point, Value};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const RULES: &str = include_str!("page/rules.js");
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("page/tape.js"),
    include_str!("page/board.js"),
    include_str!("page/course.js"),
    include_str!("page/player.js"),
    include_str!("page/quiz.js"),
    include_str!("page/trials.js"),
    include_str!("page/play.js"),
);
const ASK: &str = include_str!("page/ask.js");
const MEANS: &str = include_str!("page/means.csv");

/// The seed and the trial that the live page opens with: of the first 400 trials the one with the
/// fewest changes, 505 (`trial.next` counted), of which 20 are moves; it plays for a minute.
const FIRST_RUN: (u64, u32) = (1, 147);

/// The sides of boards on which the page runs the rules.
const SIDES: std::ops::RangeInclusive<usize> = 4..=12;

/// What the page's script needs besides the log.
#[derive(Default, Serialize)]
struct PageFacts {
    point: serde_json::Value,
    from: u64,
    until: u64,
    hit: Option<u64>,
    absorbed: Option<u64>,
    ending: Option<String>,
    is_given: bool,
    is_live: bool,
    /// The place in a cell of the number of its queens, x and y, and the number's size.
    count: [usize; 3],
    /// The empty boards, by side.
    boards: BTreeMap<usize, EmptyBoard>,
    means: &'static str,
}

/// An empty board, as the renderer draws it.
#[derive(Serialize)]
struct EmptyBoard {
    view_box: String,
    ground: String,
}

impl EmptyBoard {
    fn of(side: usize) -> (usize, Self) {
        let empty = Position::new(side, vec![0; side * side]);
        let pieces = Picture::new(empty.expect("a side from 1 to 64")).pieces();
        let board = Self {
            view_box: pieces.view_box,
            ground: pieces.ground,
        };
        (side, board)
    }
}

/// The page of a film, with these lines of it and the command that makes it again.
pub fn html(film: &Film, lines: &[String], command: &str) -> String {
    let (scene, log) = (&film.scene, &film.log);
    let within = |update: &u64| (log.from..=film.until).contains(update);
    let end = film.outcome.updates.unwrap_or_default();
    let ending = match film.outcome.absorption_time {
        _ if film.until < end => Some("the end of this part of the run".to_owned()),
        None => Some(format!("the cutoff, after {}", counted(end, "update"))),
        Some(_) => None,
    };
    let facts = PageFacts {
        from: log.from,
        until: film.until,
        hit: film.outcome.hitting_time.filter(within),
        absorbed: film.outcome.absorption_time.filter(within),
        ending,
        is_given: scene.start.is_some(),
        ..facts(&scene.point, (scene.seed, scene.trial))
    };
    let picture = Picture::new(Position::of(&log.start));
    let (n, rule) = (picture.position.side(), &scene.point.algorithm);
    let title = format!("{n} queens, {rule} rule: one run");
    let version = format!(
        "Made by reines {} from its dynamics ({}).",
        env!("CARGO_PKG_VERSION"),
        scene.dynamics.map_or("", Dynamics::name)
    );
    let numbers = json(&log.numbers());
    let values = context! {
        point => scene.to_string(),
        lines,
        provenance => [format!("The same page: {command}"), version],
        is_live => false,
        log => Markup::from_safe_string(base64(&compress_to_vec_zlib(numbers.as_bytes(), 9))),
    };
    rendered(&title, &facts, &picture, values)
}

/// The page without a film: the rule runs in it.
pub fn live() -> String {
    let values = [("n", Value::Integer(8)), ("epsilon", Value::real(0.01))];
    let facts = PageFacts {
        is_live: true,
        ..facts(&Point::new("pair", values), FIRST_RUN)
    };
    let empty = Position::new(8, vec![0; 64]).expect("a small board");
    let title = "Queens that see only their neighbours, live";
    let nothing: [&str; 0] = [];
    let values = context! {
        point => "",
        lines => nothing,
        provenance => nothing,
        is_live => true,
        log => "",
    };
    rendered(title, &facts, &Picture::new(empty), values)
}

fn facts(point: &Point, (seed, trial): (u64, u32)) -> PageFacts {
    let mut run = serde_json::json!(point.axes);
    run["rule"] = point.algorithm.as_str().into();
    // A whole number of 64 bits may be none of JavaScript's.
    run["seed"] = seed.to_string().into();
    run["trial"] = trial.into();
    let own = point.integer("n").and_then(|n| usize::try_from(n).ok());
    PageFacts {
        point: run,
        count: [COUNT_X, COUNT_Y, COUNT_SIZE],
        boards: SIDES.chain(own).map(EmptyBoard::of).collect(),
        means: MEANS,
        ..PageFacts::default()
    }
}

fn rendered(title: &str, facts: &PageFacts, picture: &Picture, values: Markup) -> String {
    let pieces = picture.pieces_with_all_glyphs();
    let markup = |text: &str| Markup::from_safe_string(text.to_owned());
    let ask = if facts.is_live { ASK } else { "" };
    let values = context! {
        title, facts,
        view_box => pieces.view_box,
        board_title => picture.title(),
        definitions => markup(&pieces.definitions),
        ground => markup(&pieces.ground),
        figures => markup(&pieces.figures),
        position => picture.to_text(),
        json => markup(&json(facts)),
        rules => markup(RULES),
        script => markup(&format!("{SCRIPT}{ask}")),
        ..values
    };
    document(title, STYLE, &filled(TEMPLATE, values, false))
}

#[cfg(test)]
mod tests;
