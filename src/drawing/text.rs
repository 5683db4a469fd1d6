//! A picture as text, in the form that can be read again.

use super::picture::Picture;
use super::place::{Place, Window, column_name};
use crate::solver::board::Directions;

/// Rows with their numbers, the names of the columns, then marks, arrows and signals in words.
pub fn text(picture: &Picture) -> String {
    let position = &picture.position;
    let side = position.side();
    let window = picture.crop.unwrap_or(Window::whole(side));
    let mut text = rows(picture, window);
    let names = |places: &mut dyn Iterator<Item = Place>| {
        let names: Vec<String> = places.map(|place| place.name(side)).collect();
        names.join(" ")
    };
    let mut say = |what: &str, words: String| {
        if !words.is_empty() {
            text += &format!("# {what}: {words}\n");
        }
    };
    let inside = |place: &Place| window.contains(*place);
    say(
        "marked",
        names(&mut picture.marks.iter().copied().filter(inside)),
    );
    let arrows = picture.arrows.iter();
    let arrows: Vec<String> = arrows
        .map(|arrow| format!("{}-{}", arrow.from.name(side), arrow.to.name(side)))
        .collect();
    say("arrows", arrows.join(" "));
    let mut threatened = window.places().filter(|&place| position.threatened(place));
    say("threatened", names(&mut threatened));
    if picture.omega {
        text += "# omega of the free cells:\n";
        for line in omegas(picture, window).lines() {
            text += &format!("# {line}\n");
        }
    }
    if position.has_signals() {
        let list = |text: &mut String, title: &str, signals: &dyn Fn(Place) -> Directions| {
            let mut lines = String::new();
            for place in window.places().filter(|&place| !signals(place).is_empty()) {
                let words: Vec<String> = signals(place).iter().map(|d| format!("{d:?}")).collect();
                lines += &format!("# {} {}\n", place.name(side), words.join(" "));
            }
            if !lines.is_empty() {
                *text += &format!("# {title}:\n{lines}");
            }
        };
        let (carried, truth) = (|p| position.signals(p), |p| position.true_signals(p));
        list(&mut text, "true signals", &|p| {
            carried(p).intersection(truth(p))
        });
        list(&mut text, "false signals", &|p| {
            carried(p).difference(carried(p).intersection(truth(p)))
        });
        if picture.missing {
            list(&mut text, "missing signals", &|p| {
                truth(p).difference(carried(p).intersection(truth(p)))
            });
        }
    }
    text
}

/// As wide as the widest of these.
fn width<'a>(words: impl Iterator<Item = &'a String>) -> usize {
    words.map(|word| word.chars().count()).max().unwrap_or(0)
}

/// The board in characters.
fn rows(picture: &Picture, window: Window) -> String {
    let position = &picture.position;
    grid(position.side(), window, |place| {
        match position.queens(place) {
            0 if picture.marks.contains(&place) => "×".to_owned(),
            0 => ".".to_owned(),
            1 => "Q".to_owned(),
            n => n.to_string(),
        }
    })
}

/// ω of the free cells; `-` where it is infinite.
fn omegas(picture: &Picture, window: Window) -> String {
    let position = &picture.position;
    grid(position.side(), window, |place| {
        match position.state(place) {
            state if state.queens > 0 => "-".to_owned(),
            state => state.signals.len().to_string(),
        }
    })
}

/// A word for each cell, with the names of rows and columns.
fn grid(side: usize, window: Window, word: impl Fn(Place) -> String) -> String {
    let numbers: Vec<String> = window.ys().map(|y| (side - y).to_string()).collect();
    let names: Vec<String> = window.xs().map(column_name).collect();
    let words: Vec<String> = window.places().map(word).collect();
    let (left, cell) = (width(numbers.iter()), width(names.iter().chain(&words)));
    let line = |number: &str, words: &[String]| {
        let words: Vec<String> = words.iter().map(|word| format!("{word:<cell$}")).collect();
        let line = format!("{number:>left$}  {}", words.join(" "));
        format!("{}\n", line.trim_end())
    };
    let rows = numbers.iter().zip(words.chunks(window.columns));
    let rows: String = rows.map(|(number, words)| line(number, words)).collect();
    rows + &line("", &names)
}
