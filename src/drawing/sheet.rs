//! Several boards on one page, under a title: what `reines board` draws of several.

use super::glyphs::{INK, PAPER};
use super::layout::{EDGE, PictureLayout};
use super::picture::Picture;
use super::svg::{self, number};
use crate::html::escaped_inside;
use crate::theme::wrapped;

/// Units of a page are hundredths of a millimetre.
const WIDTH: usize = 17_800;
const GAP: usize = 400;
/// The height of the title's font: 8.5 pt.
const FONT: usize = 300;

/// Names of columns and rows are written where they are at least so high: 6 pt.
const LEAST_NAME: usize = 212;

/// An SVG of several pictures, row by row, under `title`: 178 mm wide. All are scaled to the same
/// width; names of columns and rows are left out where they could not be read.
pub fn sheet(title: &str, pictures: &[Picture]) -> String {
    let across = (2..)
        .find(|across| across * across >= pictures.len())
        .unwrap_or(2);
    let each = (WIDTH - (across - 1) * GAP) / across;
    let texts: Vec<String> = pictures.iter().map(Picture::to_text).collect();
    let ids = svg::ids_of(&texts.concat());
    let pictures: Vec<Picture> = pictures
        .iter()
        .map(|picture| fitted(picture, each, &ids))
        .collect();
    let lines = wrapped(title, WIDTH as i32, FONT as i32);
    let head = (lines.len() + 1) * FONT * 4 / 3;
    let mut top = head;
    let mut body = String::new();
    for row in pictures.chunks(across) {
        let mut height = 0;
        for (column, picture) in row.iter().enumerate() {
            let pieces = picture.pieces();
            let scale = each as f64 / pieces.width as f64;
            height = height.max((pieces.height as f64 * scale).ceil() as usize);
            body += &placed(picture, ((column * (each + GAP)) as i32, top as i32), scale);
        }
        top += height + GAP;
    }
    let height = top.saturating_sub(GAP);
    let lettering = format!("fill=\"{INK}\" font-family=\"sans-serif\" font-size=\"{FONT}\"");
    let line = |(line, at): (&String, usize)| {
        format!(
            "<text {lettering} x=\"0\" y=\"{}\">{}</text>\n",
            at * FONT * 4 / 3,
            escaped_inside(line)
        )
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {WIDTH} {height}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n<defs>\n{}</defs>\n\
         <path class=\"page\" fill=\"{PAPER}\" d=\"M0 0h{WIDTH}v{height}h-{WIDTH}z\"/>\n{}{body}</svg>\n",
        number(WIDTH as f64 / 100.0),
        number(height as f64 / 100.0),
        escaped_inside(title),
        escaped_inside(&texts.join("\n")),
        definitions(&pictures.iter().collect::<Vec<_>>(), &ids),
        lines.iter().zip(1..).map(line).collect::<String>(),
    )
}

/// A picture in the coordinates of what it is a part of: its upper left corner at `(left, top)`,
/// `scale` units of them to one of its own. Its glyphs are defined elsewhere.
pub fn placed(picture: &Picture, (left, top): (i32, i32), scale: f64) -> String {
    let pieces = picture.pieces();
    let beside = PictureLayout::of(picture).left;
    let shift = |by: i32, edge: usize| number(f64::from(by) + scale * edge as f64);
    let (x, y) = (shift(left, beside), shift(top, EDGE));
    format!(
        "<g class=\"board\" transform=\"translate({x} {y}) scale({scale:.4})\">\n{}{}</g>\n",
        pieces.ground, pieces.figures
    )
}

/// What [`placed`] pictures of one SVG use, each glyph once: what goes into its `<defs>`, under the
/// ids of the pictures.
pub fn definitions(pictures: &[&Picture], ids: &str) -> String {
    let large = pictures
        .iter()
        .all(|picture| !picture.position.has_signals());
    svg::definitions(&svg::used(pictures), ids, large)
}

/// Returns the picture, without names of columns and rows if they would be too small on a width of
/// `each`.
fn fitted(picture: &Picture, each: usize, ids: &str) -> Picture {
    let layout = PictureLayout::of(picture);
    let name = layout.font * each / layout.width();
    Picture {
        coordinates: picture.coordinates && name >= LEAST_NAME,
        ids: ids.to_owned(),
        ..picture.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Position;

    fn picture(rows: &[u32]) -> Picture {
        Picture::new(Position::of_rows(rows).expect("a small board"))
    }

    #[test]
    fn each_board_has_its_queens_and_the_title_is_escaped() {
        let boards = [[1, 3, 0, 2], [2, 0, 3, 1], [1, 3, 0, 2]].map(|rows| picture(&rows));
        let svg = sheet("two & more", &boards);
        assert_eq!(svg.matches("-queen\" x=").count(), 12);
        assert_eq!(svg.matches("<g class=\"board\"").count(), 3);
        assert_eq!(svg.matches("-queen\" class=").count(), 1);
        assert!(svg.contains("<title>two &amp; more</title>") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("\n4  . . Q .\n3  Q . . .\n2  . . . Q\n1  . Q . .\n   a b c d\n"));
    }
}
