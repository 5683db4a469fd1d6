//! A position and what is drawn beside it.

use super::coordinates::Arrow;
use super::glyphs::Glyph;
use super::position::Position;
use super::svg::{self, number};
use super::{layout::PictureLayout, text};
use crate::html::{counted, escaped_inside};

/// A position and how it is drawn.
///
/// In the drawing a queen is a crown, several queens on a cell a crown and their number. A signal
/// is an arrowhead at the cell's edge on the side it comes from: a filled one if it is true, an
/// open one of another colour if it is false. Threatened queens have a ring; where no signals are
/// given, those that are threatened with true signals.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// What is drawn. Signals are drawn where they are given.
    pub position: Position,
    /// The arrows from cell to cell.
    pub arrows: Vec<Arrow>,
}

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
    /// The position with nothing beside it.
    pub fn new(position: Position) -> Self {
        Self {
            position,
            arrows: Vec::new(),
        }
    }

    /// The drawing as a file of its own. Its ids begin with what its content gives, so that two
    /// drawings in one page share none unless they are alike.
    pub fn to_svg(&self) -> String {
        let used = svg::used(self);
        let plain = self.pieces("", &used);
        let content = [self.title(), plain.ground, plain.figures].concat();
        let hash = blake3::hash(content.as_bytes()).to_hex();
        let pieces = self.pieces(&format!("b{}-", &hash[..8]), &used);
        let (width, height) = PictureLayout::of(self).size_mm();
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
        let layout = PictureLayout::of(self);
        Pieces {
            view_box: layout.view_box(),
            definitions: svg::definitions(glyphs, ids, !self.position.has_signals()),
            ground: svg::ground(self, &layout),
            figures: svg::figures(self, ids),
        }
    }

    /// The drawing as text: rows and columns with their names, and below it the signals.
    pub fn to_text(&self) -> String {
        text::text(self)
    }

    /// The text for readers who cannot see the drawing.
    pub fn title(&self) -> String {
        let (side, queens) = (self.position.side(), self.position.n_queens());
        let queens = counted(queens, "queen");
        format!("{queens} on a board of {side} × {side} cells")
    }
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;

    use super::*;
    use crate::drawing::glyphs::{COUNT_X, COUNT_Y};
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
