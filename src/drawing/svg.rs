//! A picture as SVG. Its colours are attributes, which a page may override by the classes.

use super::coordinates::{Arrow, Coordinates, column_name};
use super::glyphs::{ARROW, CELL, COUNT_SIZE, COUNT_X, COUNT_Y, DARK, Glyph, INK, MARK, PAPER};
use super::layout::{EDGE, PictureLayout};
use super::picture::Picture;
use crate::solver::board::Direction;

/// The definitions of these glyphs, one a line.
pub fn definitions(glyphs: &[Glyph], ids: &str, large: bool) -> String {
    glyphs
        .iter()
        .map(|glyph| glyph.definition(ids, large) + "\n")
        .collect()
}

/// The glyphs of a cell, those below first.
fn glyphs_on(picture: &Picture, cell: Coordinates) -> Vec<Glyph> {
    let position = &picture.position;
    let mut glyphs = Vec::new();
    if position.has_signals() {
        let kinds: [fn(Direction) -> Glyph; 3] = [Glyph::True, Glyph::False, Glyph::Missing];
        let sets = position.signals_by_truth(cell).into_iter().zip(kinds);
        for (set, glyph) in sets.take(if picture.missing { 3 } else { 2 }) {
            glyphs.extend(set.iter().map(glyph));
        }
    }
    if position.threatened(cell) {
        glyphs.push(Glyph::Ring);
    }
    match position.queens(cell) {
        0 => {}
        1 => glyphs.push(Glyph::Queen),
        _ => glyphs.push(Glyph::Queens),
    }
    glyphs
}

/// The glyphs that pictures use, each once, in the order of [`Glyph::all`].
pub fn used(pictures: &[&Picture]) -> Vec<Glyph> {
    let mut found = Vec::new();
    for picture in pictures {
        let cells = PictureLayout::of(picture).window.cells();
        found.extend(cells.flat_map(|cell| glyphs_on(picture, cell)));
    }
    Glyph::all().filter(|glyph| found.contains(glyph)).collect()
}

/// Squares, marks, frame and names.
pub fn ground(picture: &Picture, layout: &PictureLayout) -> String {
    let window = layout.window;
    let (width, height) = (window.columns * CELL, window.rows * CELL);
    let mut svg = format!(
        "<path class=\"page\" fill=\"{PAPER}\" d=\"M-{left} -{EDGE}h{w}v{h}h-{w}z\"/>\n",
        left = layout.left,
        w = layout.width(),
        h = layout.height(),
    );
    svg += &format!(
        "<path class=\"light\" fill=\"{PAPER}\" d=\"M0 0h{width}v{height}h-{width}z\"/>\n"
    );
    let dark: String = window
        .cells()
        .filter(|cell| (cell.x + picture.position.side() - cell.y) % 2 == 1)
        .map(|cell| {
            let (x, y) = corner(layout, cell);
            format!("M{x} {y}h{CELL}v{CELL}h-{CELL}z")
        })
        .collect();
    if !dark.is_empty() {
        svg += &format!("<path class=\"dark\" fill=\"{DARK}\" d=\"{dark}\"/>\n");
    }
    for cell in window.cells().filter(|cell| picture.marks.contains(cell)) {
        let (x, y) = corner(layout, cell);
        // An inner line, because the tint is as light as a square in a grey copy.
        svg += &format!(
            "<rect class=\"mark\" fill=\"{MARK}\" stroke=\"{INK}\" stroke-width=\"3\" stroke-dasharray=\"8 6\" x=\"{}\" y=\"{}\" width=\"{size}\" height=\"{size}\"/>\n",
            x + 4,
            y + 4,
            size = CELL - 8
        );
    }
    svg += &frame(picture, layout);
    if picture.coordinates {
        svg += &names(picture, layout);
    }
    svg
}

/// A heavy line where the board ends, a thin one where only the part does.
fn frame(picture: &Picture, layout: &PictureLayout) -> String {
    let (window, side) = (layout.window, picture.position.side());
    let (width, height) = (window.columns * CELL, window.rows * CELL);
    let edges = [
        (window.corner.y == 0, format!("M-3 0h{}", width + 6)),
        (window.corner.x == 0, format!("M0 -3v{}", height + 6)),
        (
            window.ys().end == side,
            format!("M-3 {height}h{}", width + 6),
        ),
        (
            window.xs().end == side,
            format!("M{width} -3v{}", height + 6),
        ),
    ];
    let path = |ends: bool| -> String {
        let edges = edges.iter().filter(|edge| edge.0 == ends);
        edges.map(|edge| edge.1.as_str()).collect()
    };
    let mut svg = String::new();
    for (ends, class, attributes) in [
        (false, "cut", "stroke-width=\"2\" stroke-dasharray=\"4 8\""),
        (true, "frame", "stroke-width=\"6\""),
    ] {
        let path = path(ends);
        if !path.is_empty() {
            svg += &format!(
                "<path class=\"{class}\" fill=\"none\" stroke=\"{INK}\" {attributes} d=\"{path}\"/>\n"
            );
        }
    }
    svg
}

/// The names of columns below the board and of rows on its left.
fn names(picture: &Picture, layout: &PictureLayout) -> String {
    let PictureLayout {
        window, font, step, ..
    } = *layout;
    let side = picture.position.side();
    let mut svg = format!(
        "<g class=\"names\" fill=\"{INK}\" font-family=\"sans-serif\" font-size=\"{font}\">\n<g text-anchor=\"middle\">\n"
    );
    let baseline = window.rows * CELL + font;
    for x in window.xs().step_by(step) {
        let middle = (x - window.corner.x) * CELL + CELL / 2;
        svg += &format!(
            "<text x=\"{middle}\" y=\"{baseline}\">{}</text>\n",
            column_name(x)
        );
    }
    svg += "</g>\n<g text-anchor=\"end\">\n";
    // From the southern row on, as the columns from the western one.
    for y in window.ys().rev().step_by(step) {
        let middle = (y - window.corner.y) * CELL + CELL / 2 + font * 35 / 100;
        let right = font / 3;
        svg += &format!("<text x=\"-{right}\" y=\"{middle}\">{}</text>\n", side - y);
    }
    svg + "</g>\n</g>\n"
}

/// Arrows, ω, signals, rings and queens.
pub fn figures(picture: &Picture, layout: &PictureLayout) -> String {
    let mut svg: String = picture
        .arrows
        .iter()
        .map(|&arrow| line(layout, arrow, picture.position.queens(arrow.to) > 0))
        .collect();
    let cells = || layout.window.cells();
    if picture.omega {
        svg += &format!(
            "<g class=\"omega\" fill=\"{INK}\" font-family=\"sans-serif\" font-size=\"42\" text-anchor=\"middle\">\n"
        );
        for cell in cells().filter(|&cell| picture.position.queens(cell) == 0) {
            let (x, y) = corner(layout, cell);
            let omega = picture.position.state(cell).signals.len();
            svg += &format!("<text x=\"{}\" y=\"{}\">{omega}</text>\n", x + 50, y + 65);
        }
        svg += "</g>\n";
    }
    for cell in cells() {
        let (x, y) = corner(layout, cell);
        for glyph in glyphs_on(picture, cell) {
            let (ids, name) = (&picture.ids, glyph.name());
            svg += &format!("<use href=\"#{ids}{name}\" x=\"{x}\" y=\"{y}\"/>\n");
        }
        let queens = picture.position.queens(cell);
        if queens > 1 {
            let (x, y) = (x + COUNT_X as i64, y + COUNT_Y as i64);
            svg += &format!(
                "<text class=\"count\" fill=\"{INK}\" font-family=\"sans-serif\" font-size=\"{COUNT_SIZE}\" font-weight=\"bold\" text-anchor=\"middle\" x=\"{x}\" y=\"{y}\">{queens}</text>\n"
            );
        }
    }
    svg
}

/// Draws an arrow from the middle of a cell towards that of another: a line and its head, with
/// paper around them.
fn line(layout: &PictureLayout, arrow: Arrow, to_queen: bool) -> String {
    let middle = |cell: Coordinates| {
        let (x, y) = corner(layout, cell);
        (x as f64 + 50.0, y as f64 + 50.0)
    };
    let ((from_x, from_y), (to_x, to_y)) = (middle(arrow.from), middle(arrow.to));
    let (dx, dy) = (to_x - from_x, to_y - from_y);
    let length = (dx * dx + dy * dy).sqrt();
    let (ux, uy) = (dx / length, dy / length);
    let at = |along: f64, aside: f64| {
        let (x, y) = (
            from_x + along * ux - aside * uy,
            from_y + along * uy + aside * ux,
        );
        format!("{} {}", number(x), number(y))
    };
    let (start, tip) = (38.0, length - if to_queen { 36.0 } else { 8.0 });
    let neck = tip - 30.0;
    let path = format!(
        "M{} {} {} {} {} {} {}z",
        at(start, -5.0),
        at(neck, -5.0),
        at(neck, -17.0),
        at(tip, 0.0),
        at(neck, 17.0),
        at(neck, 5.0),
        at(start, 5.0),
    );
    format!(
        "<path class=\"arrow\" fill=\"{ARROW}\" stroke=\"{PAPER}\" stroke-width=\"3\" d=\"{path}\"/>\n"
    )
}

/// Returns the corner at which a cell of the board begins; outside of the part that is drawn too.
fn corner(layout: &PictureLayout, cell: Coordinates) -> (i64, i64) {
    let from = |at: usize, corner: usize| (at as i64 - corner as i64) * CELL as i64;
    (
        from(cell.x, layout.window.corner.x),
        from(cell.y, layout.window.corner.y),
    )
}

/// Returns the number with at most two decimals.
pub fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

/// What the ids of a drawing begin with, so that two drawings in one page share none unless they
/// are alike.
pub fn ids_of(content: &str) -> String {
    let hash = blake3::hash(content.as_bytes()).to_hex();
    format!("b{}-", &hash[..8])
}
