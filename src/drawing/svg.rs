//! A picture as SVG. Its colours are attributes, which a page may override by the classes. Here are
//! the order in which squares, arrows, signals and queens are painted, and the names of classes and
//! ids.

use super::coordinates::{Arrow, Coordinates, column_name};
use super::glyphs::{ARROW, CELL, COUNT_SIZE, COUNT_X, COUNT_Y, DARK, Glyph, INK, PAPER};
use super::layout::{EDGE, PictureLayout};
use super::picture::Picture;
use crate::html::escaped_inside;
use crate::theme::FONTS;

/// The pieces of a picture's SVG, for what changes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pieces {
    /// `x y width height`, 100 units to a cell. The cell (x, y) begins at (100 x, 100 y), both from
    /// 0.
    pub view_box: String,
    /// The glyphs: what goes into `<defs>`.
    pub definitions: String,
    /// Squares, frame, and the names of columns and rows.
    pub ground: String,
    /// Arrows, signals, rings and queens. A signal is `<use xlink:href="#true-N" x="300"
    /// y="200"/>`, and so are the others, by [`Glyph::name`].
    pub figures: String,
}

impl Picture {
    /// The drawing as a file of its own. Its ids begin with what its content gives, so that two
    /// drawings in one page share none unless they are alike.
    pub fn to_svg(&self) -> String {
        let used = used(self);
        let plain = self.pieces("", &used);
        let content = [self.title(), plain.ground, plain.figures].concat();
        let hash = blake3::hash(content.as_bytes()).to_hex();
        let pieces = self.pieces(&format!("b{}-", &hash[..8]), &used);
        let (width, height) = PictureLayout::of(&self.position).size_mm();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" role=\"img\" width=\"{}mm\" height=\"{}mm\" viewBox=\"{}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n<defs>\n{}</defs>\n{}{}</svg>\n",
            number(width),
            number(height),
            pieces.view_box,
            escaped_inside(&self.title()),
            escaped_inside(&self.to_text()),
            pieces.definitions,
            pieces.ground,
            pieces.figures,
        )
    }

    /// The drawing in pieces, with the definitions of all glyphs.
    pub fn pieces_with_all_glyphs(&self) -> Pieces {
        self.pieces("", &Glyph::all().collect::<Vec<_>>())
    }

    fn pieces(&self, ids: &str, glyphs: &[Glyph]) -> Pieces {
        let layout = PictureLayout::of(&self.position);
        Pieces {
            view_box: layout.view_box(),
            definitions: definitions(glyphs, ids, !self.position.has_signals()),
            ground: ground(self, &layout),
            figures: figures(self, ids),
        }
    }
}

/// The definitions of these glyphs, one a line.
fn definitions(glyphs: &[Glyph], ids: &str, large: bool) -> String {
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
fn used(picture: &Picture) -> Vec<Glyph> {
    let cells = picture.position.cells();
    let found: Vec<Glyph> = cells.flat_map(|cell| glyphs_on(picture, cell)).collect();
    Glyph::all().filter(|glyph| found.contains(glyph)).collect()
}

/// Squares, frame and names.
fn ground(picture: &Picture, layout: &PictureLayout) -> String {
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
        "<g class=\"names\" fill=\"{INK}\" font-family=\"{FONTS}\" font-size=\"{font}\">\n<g text-anchor=\"middle\">\n"
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
fn figures(picture: &Picture, ids: &str) -> String {
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
            let x = x + COUNT_X as i64;
            let y = y + COUNT_Y as i64;
            svg += &format!(
                "<text class=\"count\" fill=\"{INK}\" font-family=\"{FONTS}\" font-size=\"{COUNT_SIZE}\" font-weight=\"bold\" text-anchor=\"middle\" x=\"{x}\" y=\"{y}\">{queens}</text>\n"
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
    let dx = to_x - from_x;
    let dy = to_y - from_y;
    let length = (dx * dx + dy * dy).sqrt();
    let ux = dx / length;
    let uy = dy / length;
    let at = |along: f64, aside: f64| {
        let x = from_x + along * ux - aside * uy;
        let y = from_y + along * uy + aside * ux;
        format!("{} {}", number(x), number(y))
    };
    let start = 38.0;
    let tip = length - if to_queen { 36.0 } else { 8.0 };
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
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;

    use super::*;
    use crate::drawing::position::Position;
    use crate::solver::board::{Direction, Directions};

    fn picture(side: usize, queens: &[u8]) -> Picture {
        Picture::new(Position::of_queens(side, queens))
    }

    /// Two queens on a2, one on b1, which carries a true signal and a false one.
    fn two_and_one() -> Picture {
        let both = Directions::only(Direction::NW).with(Direction::N, true);
        let signals = [Directions::NONE, Directions::NONE, Directions::NONE, both];
        Picture::new(picture(2, &[2, 0, 0, 1]).position.with_signals(signals))
    }

    #[test]
    fn every_queen_and_signal_is_drawn_on_its_cell() {
        let pieces = two_and_one().pieces_with_all_glyphs();
        let uses = pieces.figures.lines().filter(|it| it.starts_with("<use"));
        let expected = [
            ("ring", 0),
            ("queens", 0),
            ("true-NW", 100),
            ("false-N", 100),
            ("ring", 100),
            ("queen", 100),
        ]
        .map(|(name, at)| format!("<use xlink:href=\"#{name}\" x=\"{at}\" y=\"{at}\"/>"));
        assert_eq!(Vec::from_iter(uses), expected);
        let count = format!("x=\"{COUNT_X}\" y=\"{COUNT_Y}\">2</text>");
        assert!(pieces.figures.contains(&count));
        assert_eq!(pieces.definitions.matches(" id=").count(), 3 + 3 * 8);
    }

    /// The corner a1 of a chess board is dark, whatever the side.
    #[test]
    fn the_south_western_corner_is_dark() {
        for side in [1, 2, 3] {
            let svg = picture(side, &vec![0; side * side]).to_svg();
            let dark = svg.lines().find(|line| line.contains("class=\"dark\""));
            let corner = format!("M0 {}h100", 100 * (side - 1));
            assert!(dark.is_some_and(|dark| dark.contains(&corner)), "{svg}");
        }
    }

    #[test]
    fn a_picture_is_as_wide_as_its_cells_and_at_most_178_mm() {
        let natural = |side: usize| {
            let svg = picture(side, &vec![0; side * side]).to_svg();
            let width = svg
                .split("width=\"")
                .nth(1)
                .and_then(|rest| rest.split("mm").next());
            width
                .and_then(|width| width.parse::<f64>().ok())
                .expect("a width")
        };
        assert!((64.0..70.0).contains(&natural(8)) && natural(64) == 178.0);
    }

    /// Queens are larger without signals: by one id, one of two drawings would show those of the
    /// other.
    #[test]
    fn two_files_in_one_page_share_no_id() {
        let queens = two_and_one();
        let pictures = [
            queens.clone(),
            Picture::new(queens.position.clone().with_true_signals()),
            picture(8, &[1; 64]),
        ];
        let files: Vec<String> = pictures.iter().map(Picture::to_svg).collect();
        let mut ids: Vec<&str> = Vec::new();
        for file in &files {
            let own = file.split(" id=\"").skip(1);
            let own: Vec<&str> = own.filter_map(|rest| rest.split('"').next()).collect();
            let used = file.split("href=\"#").skip(1);
            for link in used.filter_map(|rest| rest.split('"').next()) {
                assert!(own.contains(&link), "{link}");
            }
            ids.extend(own);
        }
        assert!(ids.iter().all_unique(), "{ids:?}");
        assert!(ids.len() > 8);
        assert_eq!(pictures[0].to_svg(), files[0]);
    }
}
