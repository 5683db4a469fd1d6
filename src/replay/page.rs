//! The page that plays a film: one file that loads nothing.

use serde::Serialize;

use super::course::{self, Counts, Curve};
use super::film::{Film, MOST_OF_A_PAGE, TooLong, pack};
use crate::drawing::glyphs::{COUNT_SIZE, COUNT_X, COUNT_Y};
use crate::drawing::picture::Picture;
use crate::drawing::position::Position;
use crate::html::{base64, document, escaped, grouped, json};

/// The body.
const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// What a page says besides the film.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// What was run: a line.
    pub title: String,
    /// How it ended, and the like: a paragraph each.
    pub lines: Vec<String>,
    /// What the page begins with.
    pub start: String,
    /// Where the film comes from: a paragraph each.
    pub provenance: Vec<String>,
}

/// What the page's script needs besides the log.
#[derive(Serialize)]
struct Facts<'a> {
    from: u64,
    until: u64,
    hit: Option<u64>,
    absorbed: Option<u64>,
    ending: Option<String>,
    start: &'a str,
    /// Where a cell has the number of its queens, and the number's size.
    count: [usize; 3],
}

/// The page of a film.
///
/// # Errors
/// A page above [`MOST_OF_A_PAGE`].
pub fn html(film: &Film, caption: &Caption) -> Result<String, TooLong> {
    let picture = Picture::new(Position::of(&film.log.start));
    let pieces = picture.pieces_with_all_glyphs();
    let paragraphs = |lines: &[String]| {
        let lines = lines
            .iter()
            .map(|line| format!("<p>{}</p>\n", escaped(line)));
        lines.collect::<String>()
    };
    let facts = facts(film, caption);
    let body = fill(
        TEMPLATE,
        &[
            ("title", &escaped(&caption.title)),
            ("lines", &paragraphs(&caption.lines)),
            ("provenance", &paragraphs(&caption.provenance)),
            ("view_box", &pieces.view_box),
            ("board_title", &escaped(&picture.title())),
            ("definitions", &pieces.definitions),
            ("ground", &pieces.ground),
            ("figures", &pieces.figures),
            ("from", &film.log.from.to_string()),
            ("from_grouped", &grouped(film.log.from)),
            ("until_grouped", &grouped(film.until)),
            ("start_words", &escaped(&caption.start)),
            ("changes", &film.log.changes.len().to_string()),
            ("no_hit", if facts.hit.is_some() { "" } else { " disabled" }),
            ("course", &course_of(film, facts.hit)),
            ("position", &escaped(&picture.to_text())),
            ("facts", &json(&facts)),
            ("log", &base64(&pack(&film.bytes))),
        ],
    );
    let page = document(&caption.title, STYLE, &body);
    if page.len() as u64 > MOST_OF_A_PAGE {
        return Err(TooLong {
            size: page.len() as u64,
            is_estimate: false,
            n_changes: film.log.changes.len() as u64,
            updates: film.until - film.log.from,
        });
    }
    Ok(page)
}

fn facts<'a>(film: &Film, caption: &'a Caption) -> Facts<'a> {
    let within = |update: &u64| (film.log.from..=film.until).contains(update);
    let absorbed = film.outcome.absorption_time;
    let end = film.outcome.updates.unwrap_or_default();
    let ending = match absorbed {
        _ if film.until < end => Some("the end of this part of the run".to_owned()),
        None => Some(format!("cut off after {} updates", grouped(end))),
        Some(_) => None,
    };
    Facts {
        from: film.log.from,
        until: film.until,
        hit: film.outcome.hitting_time.filter(within),
        absorbed: absorbed.filter(within),
        ending,
        start: &caption.start,
        count: [COUNT_X, COUNT_Y, COUNT_SIZE],
    }
}

/// The template with a text in the place of each `{{name}}`.
///
/// # Panics
/// When a name of the template has no text.
fn fill(template: &str, texts: &[(&str, &str)]) -> String {
    let mut pieces = template.split("{{");
    let mut page = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").expect("a name ends with }}");
        let text = texts.iter().find(|text| text.0 == name);
        page += text.unwrap_or_else(|| panic!("no text for {name}")).1;
        page += rest;
    }
    page
}

/// A panel for each count, the axis below them.
fn course_of(film: &Film, hit: Option<u64>) -> String {
    const NAMES: [(&str, &str); Counts::NUMBER] = [
        ("threatened", "Threatened queens"),
        ("false-signals", "False signals"),
        ("safe-cells", "Safe cells"),
        ("moves", "Moves so far"),
    ];
    let (width, height) = (Curve::COLUMNS, Curve::HEIGHT);
    let (from, until) = (film.log.from, film.until);
    let hit_line = hit.map_or_else(String::new, |hit| {
        let span = u128::from(until.saturating_sub(from).max(1));
        let tenths = u128::from(hit - from) * u128::from(10 * width) / span;
        let x = format!("{}.{}", tenths / 10, tenths % 10);
        format!("<line class=\"hit\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"{height}\"/>")
    });
    let mut html = String::new();
    for ((id, name), curve) in NAMES.iter().zip(course::curves(&film.log, until)) {
        let Curve { greatest, path } = curve;
        let greatest = grouped(greatest);
        html += &format!(
            "<figure>\n<figcaption>{name} <output id=\"{id}\"></output> <span>axis from 0 to {greatest}</span></figcaption>\n\
             <svg viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{name} against updates, from 0 to {greatest}\">\
             {hit_line}<path d=\"{path}\"/><line class=\"cursor\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"{height}\"/></svg>\n</figure>\n"
        );
    }
    let legend = hit.map_or_else(String::new, |hit| {
        format!(" (dashed line: the hit, at {})", grouped(hit))
    });
    html + &format!(
        "<div class=\"axis\"><span>{}</span><span>updates{legend}</span><span>{}</span></div>\n",
        grouped(from),
        grouped(until)
    )
}

#[cfg(test)]
mod tests;
