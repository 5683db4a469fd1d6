//! A position and what is drawn beside it.

use super::glyphs::Glyph;
use super::place::{Arrow, Place, Window};
use super::position::Position;
use super::svg::{self, number};
use super::{layout::Layout, text};

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
    /// Cells with a tint.
    pub marks: Vec<Place>,
    /// From cell to cell.
    pub arrows: Vec<Arrow>,
    /// The part that is drawn; all if none.
    pub crop: Option<Window>,
    /// Whether ω is written into the free cells: the number of their signals, of the true ones
    /// where no signals are given.
    pub omega: bool,
    /// Whether signals that would be true and are not there are drawn too, as dashed arrowheads.
    pub missing: bool,
    /// Whether the names of columns and rows are written outside of the board.
    pub coordinates: bool,
    /// For those who cannot see the drawing; if none, it is made of the position.
    pub title: Option<String>,
    /// Width in millimetres; if none, a cell is 8 mm wide and all at most 178 mm.
    pub width_mm: Option<f64>,
    /// Before every id, so that two drawings on one page do not share any.
    pub ids: String,
}

/// The pieces of a picture's SVG, for what draws more than one picture or changes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pieces {
    /// `x y width height`, 100 units to a cell. The cell (x, y) of the part that is drawn begins
    /// at (100 x, 100 y), both from 0.
    pub view_box: String,
    /// Units from left to right.
    pub width: usize,
    /// Units from top to bottom.
    pub height: usize,
    /// The glyphs that the picture uses, or all of them: what goes into `<defs>`.
    pub definitions: String,
    /// Squares, marks, frame, and the names of columns and rows.
    pub ground: String,
    /// Arrows, ω, signals, rings and queens. A signal is `<use href="#true-N" x="300" y="200"/>`,
    /// and so are the others, by [`Glyph::name`].
    pub figures: String,
}

impl Picture {
    /// The position with names of columns and rows, and nothing else beside it.
    pub fn new(position: Position) -> Self {
        Self {
            position,
            marks: Vec::new(),
            arrows: Vec::new(),
            crop: None,
            omega: false,
            missing: false,
            coordinates: true,
            title: None,
            width_mm: None,
            ids: String::new(),
        }
    }

    /// The drawing as a file of its own.
    pub fn to_svg(&self) -> String {
        let pieces = self.pieces();
        let (width, height) = Layout::of(self).size_mm(self.width_mm);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{}mm\" height=\"{}mm\" viewBox=\"{}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n<defs>\n{}</defs>\n{}{}</svg>\n",
            number(width),
            number(height),
            pieces.view_box,
            svg::escaped(&self.title()),
            svg::escaped(&self.to_text()),
            pieces.definitions,
            pieces.ground,
            pieces.figures,
        )
    }

    /// The drawing in pieces, with the definitions that it uses.
    pub fn pieces(&self) -> Pieces {
        let used = svg::used(self);
        self.pieces_with(&used)
    }

    /// The drawing in pieces, with the definitions of all glyphs: for what changes it.
    pub fn pieces_with_all_glyphs(&self) -> Pieces {
        self.pieces_with(&Glyph::all().collect::<Vec<_>>())
    }

    fn pieces_with(&self, glyphs: &[Glyph]) -> Pieces {
        let layout = Layout::of(self);
        Pieces {
            view_box: layout.view_box(),
            width: layout.width(),
            height: layout.height(),
            definitions: svg::definitions(glyphs, &self.ids, !self.position.has_signals()),
            ground: svg::ground(self, &layout),
            figures: svg::figures(self, &layout),
        }
    }

    /// The drawing as text: rows and columns with their names, and below it the signals.
    pub fn to_text(&self) -> String {
        text::text(self)
    }

    /// The title, or one made of the position.
    pub fn title(&self) -> String {
        self.title.clone().unwrap_or_else(|| {
            let (side, queens) = (self.position.side(), self.position.n_queens());
            let noun = if queens == 1 { "queen" } else { "queens" };
            format!("{queens} {noun} on a board of {side} × {side} cells")
        })
    }
}
