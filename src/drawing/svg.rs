//! A picture as SVG. Its colours are attributes, which a page may override by the classes.

use super::coordinates::{Arrow, Coordinates, column_name};
use super::glyphs::{ARROW, CELL, COUNT_SIZE, COUNT_X, COUNT_Y, DARK, Glyph, INK, PAPER};
use super::layout::{EDGE, PictureLayout};
use super::picture::Picture;

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
        let [is_true, is_false] = position.signals_by_truth(cell);
        glyphs.extend(is_true.iter().map(Glyph::True));
        glyphs.extend(is_false.iter().map(Glyph::False));
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

/// The glyphs that a picture uses, each once, in the order of [`Glyph::all`].
pub fn used(picture: &Picture) -> Vec<Glyph> {
    let cells = picture.position.cells();
    let found: Vec<Glyph> = cells.flat_map(|cell| glyphs_on(picture, cell)).collect();
    Glyph::all().filter(|glyph| found.contains(glyph)).collect()
}

/// Squares, frame and names.
pub fn ground(picture: &Picture, layout: &PictureLayout) -> String {
    let side = layout.side;
    let cells = || picture.position.cells();
    let mut svg = format!(
        "<path class=\"page\" fill=\"{PAPER}\" d=\"M-{left} -{EDGE}h{w}v{h}h-{w}z\"/>\n",
        left = layout.left,
        w = layout.width(),
        h = layout.height(),
    );
    svg += &format!(
        "<path class=\"light\" fill=\"{PAPER}\" d=\"M0 0h{whole}v{whole}h-{whole}z\"/>\n",
        whole = side * CELL
    );
    let dark: String = cells()
        .filter(|cell| (cell.x + side - cell.y) % 2 == 1)
        .map(|cell| {
            let (x, y) = corner(cell);
            format!("M{x} {y}h{CELL}v{CELL}h-{CELL}z")
        })
        .collect();
    if !dark.is_empty() {
        svg += &format!("<path class=\"dark\" fill=\"{DARK}\" d=\"{dark}\"/>\n");
    }
    svg += &format!(
        "<rect class=\"frame\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"6\" width=\"{whole}\" height=\"{whole}\"/>\n",
        whole = side * CELL
    );
    svg + &names(layout)
}

/// The names of columns below the board and of rows on its left.
fn names(layout: &PictureLayout) -> String {
    let PictureLayout {
        side, font, step, ..
    } = *layout;
    let mut svg = format!(
        "<g class=\"names\" fill=\"{INK}\" font-family=\"sans-serif\" font-size=\"{font}\">\n<g text-anchor=\"middle\">\n"
    );
    let baseline = side * CELL + font;
    for x in (0..side).step_by(step) {
        let middle = x * CELL + CELL / 2;
        svg += &format!(
            "<text x=\"{middle}\" y=\"{baseline}\">{}</text>\n",
            column_name(x)
        );
    }
    svg += "</g>\n<g text-anchor=\"end\">\n";
    // From the southern row on, as the columns from the western one.
    for y in (0..side).rev().step_by(step) {
        let middle = y * CELL + CELL / 2 + font * 35 / 100;
        let right = font / 3;
        svg += &format!("<text x=\"-{right}\" y=\"{middle}\">{}</text>\n", side - y);
    }
    svg + "</g>\n</g>\n"
}

/// Arrows, signals, rings and queens.
pub fn figures(picture: &Picture, ids: &str) -> String {
    let mut svg: String = picture
        .arrows
        .iter()
        .map(|&arrow| line(arrow, picture.position.queens(arrow.to) > 0))
        .collect();
    for cell in picture.position.cells() {
        let (x, y) = corner(cell);
        for glyph in glyphs_on(picture, cell) {
            let name = glyph.name();
            svg += &format!("<use xlink:href=\"#{ids}{name}\" x=\"{x}\" y=\"{y}\"/>\n");
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
fn line(arrow: Arrow, to_queen: bool) -> String {
    let middle = |cell: Coordinates| {
        let (x, y) = corner(cell);
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

/// The corner at which a cell of the board begins.
fn corner(cell: Coordinates) -> (i64, i64) {
    [cell.x, cell.y].map(|at| (at * CELL) as i64).into()
}

/// Returns the number with at most two decimals.
pub fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}
