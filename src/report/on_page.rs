//! A figure in a page that has its words and its table: few bytes, no ids that another figure has,
//! and of each point the row that it is, whose numbers the page shows.

use std::convert::Infallible;

use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
    FontTransform,
};

use super::canvas::{SIZE_OF_PLOTTERS, Spot, Tip};
use super::scene::PaintedPage;

impl PaintedPage {
    /// The figure as an element of HTML.
    pub fn on_page(&self) -> String {
        let mut pen = Pen::default();
        let shapes = self.canvas.shapes.borrow();
        shapes.iter().for_each(|shape| shape.put(&mut pen));
        pen.end_path();
        let (width, height) = (self.page.width, self.height);
        format!(
            "<svg viewBox=\"0 0 {width} {height}\" fill=none>{}<g pointer-events=all>{}</g></svg>",
            pen.out,
            self.hover_areas()
        )
    }

    /// Shapes that are not seen, over the points that are rows of the table, counted from 1.
    fn hover_areas(&self) -> String {
        let shape = |tip: &Tip| {
            let (row, (name, attributes)) = (tip.row? + 1, tip.area.element(""));
            Some(format!("<{name}{attributes} data-row={row} />"))
        };
        self.canvas.tips.borrow().iter().filter_map(shape).collect()
    }
}

/// The backend that writes a page: shapes of one style that follow each other are one path; a
/// translucent one stands alone, since two of them cover each other twice.
#[derive(Default)]
struct Pen {
    out: String,
    /// The style of the path that is open.
    open: Option<String>,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Pen {
    type ErrorType = Infallible;

    /// Shapes scale with the page.
    fn get_size(&self) -> (u32, u32) {
        (0, 0)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        self.end_path();
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): Spot, colour: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &colour, true)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = Spot>>(
        &mut self,
        spots: I,
        style: &S,
    ) -> Drawn {
        let (colour, width) = (hex(style.color()), style.stroke_width());
        let spots: Vec<Spot> = spots.into_iter().collect();
        self.path(format!("stroke={colour} stroke-width={width}"), &spots, "");
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = Spot>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        let corners: Vec<Spot> = corners.into_iter().collect();
        self.path(filled(style.color()), &corners, "z");
        Ok(())
    }

    /// Every rectangle of a figure is filled.
    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): Spot,
        (right, bottom): Spot,
        style: &S,
        _: bool,
    ) -> Drawn {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        self.fill_polygon(corners, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): Spot,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let colour = hex(style.color());
        let look = match fill {
            true => format!("fill={colour}"),
            false => format!("stroke={colour} stroke-width={}", style.stroke_width()),
        };
        self.element(&format!("<circle cx={x} cy={y} r={radius} {look} />"));
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): Spot) -> Drawn {
        let anchor = match style.anchor().h_pos {
            HPos::Left => "",
            HPos::Center => " text-anchor=middle",
            HPos::Right => " text-anchor=end",
        };
        let bold = match style.style() {
            FontStyle::Bold => " font-weight=bold",
            _ => "",
        };
        let turned = match style.transform() {
            FontTransform::Rotate270 => format!(" transform=\"rotate(270,{x},{y})\""),
            _ => String::new(),
        };
        let size = (style.size() / SIZE_OF_PLOTTERS).round();
        let (colour, text) = (hex(style.color()), crate::html::escaped_inside(text));
        self.element(&format!(
            "<text x={x} y={y} dy=.5ex font-size={size} fill={colour}{anchor}{bold}{turned}>{text}</text>"
        ));
        Ok(())
    }
}

impl Pen {
    /// A line of one spot has no length and is left out.
    fn path(&mut self, style: String, spots: &[Spot], end: &str) {
        let [(x, y), _, ..] = spots else { return };
        if self.open.as_ref() != Some(&style) || style.contains("opacity") {
            self.end_path();
            self.out += &format!("<path {style} d=\"");
            self.open = Some(style);
        }
        self.out += &format!("M{x}{}{}{end}", signed(*y), steps(spots));
    }

    fn element(&mut self, element: &str) {
        self.end_path();
        self.out += element;
    }

    fn end_path(&mut self) {
        if self.open.take().is_some() {
            self.out += "\"/>";
        }
    }
}

fn filled(colour: BackendColor) -> String {
    match colour.alpha {
        1.0 => format!("fill={}", hex(colour)),
        alpha => format!("fill={} opacity={alpha}", hex(colour)),
    }
}

fn hex(BackendColor { rgb, .. }: BackendColor) -> String {
    let (red, green, blue) = rgb;
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The path from each spot to the next.
fn steps(spots: &[Spot]) -> String {
    let mut text = String::new();
    let mut last = ' ';
    for pair in spots.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let (command, numbers) = match (dx, dy) {
            (dx, 0) => ('h', dx.to_string()),
            (0, dy) => ('v', dy.to_string()),
            _ => ('l', format!("{dx}{}", signed(dy))),
        };
        match (command == last, numbers.starts_with('-')) {
            (true, true) => {}
            (true, false) => text.push(' '),
            (false, _) => text.push(command),
        }
        text += &numbers;
        last = command;
    }
    text
}

/// A number after another: its sign keeps them apart, or a blank.
fn signed(number: i32) -> String {
    if number < 0 {
        number.to_string()
    } else {
        format!(" {number}")
    }
}

#[cfg(test)]
mod tests {
    use plotters::style::{Color, RGBColor};

    use super::*;
    use crate::experiment::spec::Choices;
    use crate::report::canvas::Canvas;
    use crate::report::scene::FigureSize;

    fn inside(paint: impl FnOnce(&Canvas)) -> String {
        let figure = PaintedPage::of(&FigureSize::of(&Choices::default()), 600, paint).on_page();
        let begin = "<svg viewBox=\"0 0 2400 600\" fill=none>\
                     <path fill=#ffffff d=\"M0 0h2400v600h-2400z";
        let inside = figure.strip_prefix(begin).expect("its paper");
        let end = "<g pointer-events=all></g></svg>";
        inside.strip_suffix(end).expect("its end").to_owned()
    }

    const BLUE: RGBColor = RGBColor(0, 0, 255);

    #[test]
    fn shapes_of_one_look_are_one_path_unless_they_are_translucent() {
        let inside = inside(|canvas| {
            canvas.line(&[(1, 2), (3, 2), (3, 9), (1, 7), (0, 6)], BLUE, 3);
            canvas.line(&[(5, 5), (6, 5)], BLUE, 3);
            canvas.line(&[(5, 5)], BLUE, 3);
            canvas.rectangle((1, 1), (2, 2), BLUE.mix(0.5));
            canvas.rectangle((1, 1), (2, 2), BLUE.mix(0.5));
        });
        assert_eq!(
            inside,
            "\"/><path stroke=#0000ff stroke-width=3 d=\"M1 2h2v7l-2-2-1-1M5 5h1\"/>\
             <path fill=#0000ff opacity=0.5 d=\"M1 1h1v1h-1z\"/>\
             <path fill=#0000ff opacity=0.5 d=\"M1 1h1v1h-1z\"/>"
        );
    }
}
