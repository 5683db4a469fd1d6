//! The page that plays a film, or that runs the rule alone: one file that loads nothing.
//!
//! `page/measure.js` and `page/ask.js` are the live page's own: many trials, and what they answer.
//! `page/rules.js` has the pair and the cell rule in JavaScript, `page/tape.js` the changes of a
//! run and their words, `page/play.js` what is drawn and done. All pages have all of it; a film is
//! a log beside it. `page/means.csv` has means of `figures/`, for the runs of the page to be held
//! against.

use std::collections::BTreeMap;

use minijinja::context;
use minijinja::value::Value as Markup;
use serde::Serialize;

use super::film::{Film, MOST_OF_A_PAGE, NoFilm, pack};
use crate::drawing::glyphs::{COUNT_SIZE, COUNT_X, COUNT_Y};
use crate::drawing::picture::Picture;
use crate::drawing::position::Position;
use crate::html::{base64, counted, document, filled, json};
use crate::solver::{Point, Value};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const RULES: &str = include_str!("page/rules.js");
const MEASURE: &str = include_str!("page/measure.js");
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("page/tape.js"),
    include_str!("page/play.js")
);
const ASK: &str = include_str!("page/ask.js");
const MEANS: &str = include_str!("page/means.csv");

/// The seed and the trial that the live page opens with: of the first 400 trials the one with the
/// fewest changes, 505 (`trial.next` counted), of which 20 are moves; it plays for a minute.
const FIRST_RUN: (u64, u32) = (1, 147);

/// The sides of boards on which the page runs the rules.
const SIDES: std::ops::RangeInclusive<usize> = 4..=12;

/// The counts of the course, by the id of their element.
const COUNTS: [[&str; 2]; 4] = [
    ["threatened", "Threatened queens"],
    ["false-signals", "False signals"],
    ["safe-cells", "Safe cells"],
    ["moves", "Moves so far"],
];

/// What the page's script needs besides the log.
#[derive(Serialize)]
struct Facts {
    point: BTreeMap<String, serde_json::Value>,
    from: u64,
    until: u64,
    hit: Option<u64>,
    absorbed: Option<u64>,
    ending: Option<String>,
    start: String,
    is_given: bool,
    is_live: bool,
    /// Where a cell has the number of its queens, and the number's size.
    count: [usize; 3],
    /// By side.
    boards: BTreeMap<usize, Board>,
    means: &'static str,
}

/// An empty board, as the renderer draws it.
#[derive(Serialize)]
struct Board {
    /// `Eight queens`.
    name: String,
    view_box: String,
    ground: String,
}

impl Board {
    fn of(side: usize) -> (usize, Self) {
        const NUMBERS: [&str; 12] = [
            "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
            "Eleven", "Twelve",
        ];
        let number = NUMBERS.get(side - 1).map(|&it| it.to_owned());
        let empty = Position::new(side, vec![0; side * side]);
        let pieces = Picture::new(empty.expect("a side from 1 to 64")).pieces();
        let board = Self {
            name: format!("{} queens", number.unwrap_or_else(|| side.to_string())),
            view_box: pieces.view_box,
            ground: pieces.ground,
        };
        (side, board)
    }
}

/// The page of a film, with these lines of it and the command that makes it again.
///
/// # Errors
/// A page above [`MOST_OF_A_PAGE`].
pub fn html(film: &Film, lines: &[String], command: &str) -> Result<String, NoFilm> {
    let (scene, log) = (&film.scene, &film.log);
    let within = |update: &u64| (log.from..=film.until).contains(update);
    let end = film.outcome.updates.unwrap_or_default();
    let ending = match film.outcome.absorption_time {
        _ if film.until < end => Some("the end of this part of the run".to_owned()),
        None => Some(format!("the cutoff, after {}", counted(end, "update"))),
        Some(_) => None,
    };
    let start = match (log.from, &scene.start) {
        (0, None) => "The start: queens on random cells, no signal.".to_owned(),
        (0, Some(_)) => "The start that was given.".to_owned(),
        (from, _) => format!(
            "The state after {}, where this part of the run begins.",
            counted(from, "update")
        ),
    };
    let facts = Facts {
        from: log.from,
        until: film.until,
        hit: film.outcome.hitting_time.filter(within),
        absorbed: film.outcome.absorption_time.filter(within),
        ending,
        start,
        is_given: scene.start.is_some(),
        ..facts(&scene.point, (scene.seed, scene.trial))
    };
    let picture = Picture::new(Position::of(&log.start));
    let board = &facts.boards[&picture.position.side()];
    let title = format!("{}, {} rule: one run", board.name, scene.point.algorithm);
    let version = format!(
        "Made by reines {} from its dynamics ({}).",
        env!("CARGO_PKG_VERSION"),
        scene.dynamics.name()
    );
    let values = context! {
        point => scene.to_string(),
        lines,
        provenance => [format!("The same page: {command}"), version],
        is_live => false,
        log => Markup::from_safe_string(base64(&pack(&log.bytes()))),
    };
    let page = rendered(&title, &facts, &picture, values);
    if page.len() as u64 > MOST_OF_A_PAGE {
        let (size, updates) = (page.len() as u128, film.until - log.from);
        return Err(NoFilm::too_long("", size, log.n_changes, updates));
    }
    Ok(page)
}

/// The page without a film: the rule runs in it.
pub fn live() -> String {
    let values = [("n", Value::Integer(8)), ("epsilon", Value::real(0.01))];
    let facts = Facts {
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

fn facts(point: &Point, (seed, trial): (u64, u32)) -> Facts {
    let value = |value| match value {
        Value::Integer(integer) => serde_json::Value::from(integer),
        Value::Real(real) => real.into(),
    };
    let values = point.axes.by_name();
    let mut values: BTreeMap<_, _> = values
        .map(|(name, it)| (name.to_owned(), value(it)))
        .collect();
    values.insert("rule".to_owned(), point.algorithm.clone().into());
    // A whole number of 64 bits may be none of JavaScript's.
    values.insert("seed".to_owned(), seed.to_string().into());
    values.insert("trial".to_owned(), trial.into());
    let own = point.integer("n").and_then(|n| usize::try_from(n).ok());
    Facts {
        point: values,
        from: 0,
        until: 0,
        hit: None,
        absorbed: None,
        ending: None,
        start: String::new(),
        is_given: false,
        is_live: false,
        count: [COUNT_X, COUNT_Y, COUNT_SIZE],
        boards: SIDES.chain(own).map(Board::of).collect(),
        means: MEANS,
    }
}

fn rendered(title: &str, facts: &Facts, picture: &Picture, values: Markup) -> String {
    let pieces = picture.pieces_with_all_glyphs();
    let markup = |text: &str| Markup::from_safe_string(text.to_owned());
    let [measure, ask] = if facts.is_live {
        [MEASURE, ASK]
    } else {
        [""; 2]
    };
    let values = context! {
        title, facts,
        view_box => pieces.view_box,
        board_title => picture.title(),
        definitions => markup(&pieces.definitions),
        ground => markup(&pieces.ground),
        figures => markup(&pieces.figures),
        counts => COUNTS,
        position => picture.to_text(),
        json => markup(&json(facts)),
        rules => markup(&format!("{RULES}{measure}")),
        script => markup(&format!("{SCRIPT}{ask}")),
        ..values
    };
    document(title, STYLE, &filled(TEMPLATE, values, false))
}

#[cfg(test)]
mod tests;
