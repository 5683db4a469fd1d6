//! Colours, sizes and markers of every figure, board and page. Sizes are canvas units; a figure
//! shown 900 pixels wide has 0.375 pixel per unit, so the smallest text (34 units) is read at 13
//! pixels.

use plotters::style::RGBColor;

/// The colours as SVG has them.
pub mod palette {
    /// Text, frames, queens and rings.
    pub const INK: &str = "#222222";
    /// What is drawn on; light squares.
    pub const PAPER: &str = "#ffffff";
    /// Dark squares.
    pub const DARK: &str = "#d9d9d9";
    /// Lines of a grid.
    pub const GRID: &str = "#e4e4e4";
    /// The colour of what is not measured.
    pub const GREY: &str = "#595959";

    // The palette of Okabe and Ito (2008), told apart by colour-blind readers.
    pub const BLUE: &str = "#0072b2";
    pub const VERMILION: &str = "#d55e00";
    pub const GREEN: &str = "#009e73";
    pub const PURPLE: &str = "#cc79a7";
    pub const SKY: &str = "#56b4e9";
    pub const ORANGE: &str = "#e69f00";
    pub const YELLOW: &str = "#f0e442";

    /// The colours of pages, by day and by night: `--paper` in their style, and so on.
    pub const PAGES: [(&str, [&str; 2]); 15] = [
        ("paper", [PAPER, "#16181b"]),
        ("ink", [INK, "#ececec"]),
        ("soft", [GREY, "#b5b5b5"]),
        ("line", ["#8a8a8a", "#7d7d7d"]),
        ("panel", ["#f4f4f2", "#212429"]),
        ("accent", ["#005a8e", "#7cc7f5"]),
        // The board of a replay, and its curves.
        ("light", [PAPER, "#5a5e64"]),
        ("dark", [DARK, "#43474d"]),
        ("piece", [INK, "#f5f5f5"]),
        ("true", [BLUE, SKY]),
        ("false", ["#b84f00", "#ffb25e"]),
        ("open", [PAPER, "#2a2d31"]),
        ("mark", [YELLOW, "#847b00"]),
        ("trail", ["#00795a", "#3fd6ae"]),
        ("glow", ["#e0a800", "#f0d442"]),
    ];
}

/// Width of every canvas; coordinates are whole units, so the canvas is large.
pub const WIDTH: i32 = 2400;
/// Width of a canvas that is printed 86 mm wide: the smallest text of most figures is 6 pt there.
pub const SINGLE_WIDTH: i32 = 1380;
/// Free edge of the canvas.
pub const MARGIN: i32 = 40;
/// Space for an axis' title and tick labels beside a panel.
pub const AXIS_ROOM: i32 = 210;
/// Space for tick labels and the axis' title under a panel.
pub const FOOT_ROOM: i32 = 160;

/// The fonts of every text, the first that a program has. They are named, since some programs have
/// one fixed font for `sans-serif`, or take that of the document around the drawing. A text is
/// placed by the widths of the widest of them, DejaVu Sans.
pub const FONTS: &str = "Arial, Helvetica, Liberation Sans, DejaVu Sans, sans-serif";

pub const TITLE_SIZE: i32 = 46;
pub const AXIS_TITLE_SIZE: i32 = 40;
pub const TEXT_SIZE: i32 = 36;
pub const TICK_SIZE: i32 = 34;

/// The distance from one line of text to the next, and from one of a title.
pub const LINE: i32 = 54;
pub const TITLE_LINE: i32 = 64;
/// Width kept for the sample before a legend's text.
pub const SAMPLE: i32 = 130;
/// The distance from one plot to the next, without and with a label above it.
pub const GAP: i32 = 48;
pub const LABEL_GAP: i32 = 100;
/// The distance from a frame to the middle of the labels under it and of the axis's title, and to
/// that of the title of the upright axis.
pub const UNDER_LABEL: i32 = 36;
pub const UNDER_TITLE: i32 = 100;
pub const BESIDE_TITLE: i32 = 160;
pub const MAJOR_TICK: i32 = 16;
pub const MINOR_TICK: i32 = 8;

/// The height of a tile of a map.
pub const TILE_HEIGHT: i32 = 120;
pub const BEST_FRAME: i32 = 9;
pub const CONTENDER_FRAME: i32 = 3;

pub const FRAME_WIDTH: u32 = 3;
pub const GRID_WIDTH: u32 = 2;
pub const CURVE_WIDTH: u32 = 6;
/// Hitting times and error bars.
pub const THIN_WIDTH: u32 = 3;
pub const MARKER_RADIUS: i32 = 14;
pub const SMALL_MARKER_RADIUS: i32 = 8;
/// Half the width of an error bar's caps.
pub const CAP: i32 = 13;
/// Length of a lower bound's arrow beyond the error bar.
pub const ARROW: i32 = 52;

/// Radius of the ring around the best point of a sweep.
pub const BEST_RADIUS: i32 = 24;
/// The opacity of the strip over the range of the best value.
pub const STRIP_OPACITY: f64 = 0.35;
/// The opacity of the band of a curve's intervals.
pub const BAND_OPACITY: f64 = 0.18;
/// The opacity of the bars of a histogram, so that those of several curves show.
pub const BAR_OPACITY: f64 = 0.4;

pub const INK: RGBColor = rgb(palette::INK);
pub const GRID: RGBColor = rgb(palette::GRID);
pub const PAPER: RGBColor = rgb(palette::PAPER);
/// The colour of what is not measured: the density of solutions.
pub const THEORY: RGBColor = rgb(palette::GREY);

/// The colours of curves, ordered by contrast; the palette's yellow is too pale for lines on paper.
const COLOURS: [RGBColor; 6] = [
    rgb(palette::BLUE),
    rgb(palette::VERMILION),
    rgb(palette::GREEN),
    rgb(palette::PURPLE),
    rgb(palette::SKY),
    rgb(palette::ORANGE),
];

/// The number of colours of curves.
pub const COLOURS_TOLD_APART: usize = COLOURS.len();

/// The colour of the text `#rrggbb`.
const fn rgb(colour: &str) -> RGBColor {
    const fn digit(sign: u8) -> u8 {
        if sign < b'a' {
            sign - b'0'
        } else {
            sign - b'a' + 10
        }
    }
    let signs = colour.as_bytes();
    RGBColor(
        16 * digit(signs[1]) + digit(signs[2]),
        16 * digit(signs[3]) + digit(signs[4]),
        16 * digit(signs[5]) + digit(signs[6]),
    )
}

const MARKERS: [Marker; 10] = [
    Marker::Circle,
    Marker::Square,
    Marker::TriangleUp,
    Marker::Diamond,
    Marker::TriangleDown,
    Marker::Cross,
    Marker::TriangleLeft,
    Marker::Plus,
    Marker::TriangleRight,
    Marker::Hourglass,
];

/// How a curve's line is broken, so that curves are told apart without colours: lengths of line and
/// gap in turns, in canvas units; none for a line without gaps.
pub const DASHES: [&[f64]; 6] = [
    &[],
    &[26.0, 14.0],
    &[34.0, 11.0, 8.0, 11.0],
    &[8.0, 12.0],
    &[56.0, 18.0],
    &[34.0, 10.0, 8.0, 10.0, 8.0, 10.0],
];
/// The dashes of lines that are no curves: fits, laws and limits.
pub const FINE: &[f64] = &[18.0, 14.0];

/// Shape of a point; distinct shapes keep curves apart in black and white.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    Circle,
    Square,
    TriangleUp,
    Diamond,
    TriangleDown,
    Cross,
    TriangleLeft,
    Plus,
    TriangleRight,
    Hourglass,
}

/// Nine colours of the map cividis, dark to light at equal steps of lightness as all readers see
/// it, the colour-blind and those of a grey copy included. Source: J. R. Nuñez, C. R. Anderton, R.
/// S. Renslow, PLoS ONE 13 (2018) e0199239.
const RAMP: [RGBColor; 9] = [
    RGBColor(0x00, 0x22, 0x4E),
    RGBColor(0x1A, 0x38, 0x6F),
    RGBColor(0x43, 0x4E, 0x6C),
    RGBColor(0x61, 0x65, 0x6F),
    RGBColor(0x7D, 0x7C, 0x78),
    RGBColor(0x9B, 0x94, 0x76),
    RGBColor(0xBC, 0xAE, 0x6C),
    RGBColor(0xDE, 0xC9, 0x58),
    RGBColor(0xFE, 0xE8, 0x38),
];

/// The colour at `share` of the way from dark (0) to light (1).
pub fn ramp(share: f64) -> RGBColor {
    let steps = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let step = (steps as usize).min(RAMP.len() - 2);
    let between = steps - step as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + between * (f64::from(b) - f64::from(a))).round() as u8;
    let a = RAMP[step];
    let b = RAMP[step + 1];
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// The colour of text on this one, ink or paper: the one of more contrast (WCAG 2.2).
pub fn on(RGBColor(red, green, blue): RGBColor) -> RGBColor {
    let linear = |part: u8| match f64::from(part) / 255.0 {
        part if part <= 0.04045 => part / 12.92,
        part => libm::pow((part + 0.055) / 1.055, 2.4),
    };
    let light = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    // Ink has the luminance 0.016, paper 1.
    let is_light = (light + 0.05) / 0.066 > 1.05 / (light + 0.05);
    if is_light { INK } else { PAPER }
}

/// `text` in lines that fit into `space` at `size`, counting 0.6 of the size per character: wider
/// than any common sans-serif's average; the whole size for those of Chinese, Japanese and Korean
/// and for pictures. Lines end between words; a word that is longer than a line is broken.
pub fn wrapped(text: &str, space: i32, size: i32) -> Vec<String> {
    let tenths = |c: char| if c >= '\u{2E80}' { 10 } else { 6 };
    let limit = 10 * space / size;
    let mut lines: Vec<String> = Vec::new();
    let mut taken = 0;
    for word in text.split_ascii_whitespace() {
        let width: i32 = word.chars().map(tenths).sum();
        match lines.last_mut() {
            Some(line) if taken + 6 + width <= limit => {
                line.push(' ');
                line.push_str(word);
                taken += 6 + width;
                continue;
            }
            _ => lines.push(String::new()),
        }
        taken = 0;
        for c in word.chars() {
            if taken + tenths(c) > limit && taken > 0 {
                lines.push(String::new());
                taken = 0;
            }
            taken += tenths(c);
            lines.last_mut().expect("it was pushed").push(c);
        }
    }
    lines
}

/// Colour, marker and dash of one series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesStyle {
    pub colour: RGBColor,
    pub marker: Marker,
    pub dash: &'static [f64],
}

impl SeriesStyle {
    /// The same shape and dash in another colour.
    pub fn in_colour(self, colour: RGBColor) -> Self {
        Self { colour, ..self }
    }

    /// Style of the series at `index`; the first 30 are distinct, the first 10 by their markers and
    /// the first 6 by their dashes alone.
    pub fn of(index: usize) -> Self {
        // One more for each round of colours: what has the same colour has another dash.
        let dash = index + index / COLOURS.len();
        Self {
            colour: COLOURS[index % COLOURS.len()],
            marker: MARKERS[index % MARKERS.len()],
            dash: DASHES[dash % DASHES.len()],
        }
    }

    /// [`of`](Self::of) `index` in the colour of this number; after [`COLOURS_TOLD_APART`] colours
    /// they begin anew.
    pub fn coloured(colour: usize, index: usize) -> Self {
        Self::of(index).in_colour(COLOURS[colour % COLOURS_TOLD_APART])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_and_lines_fit() {
        let lines = wrapped("one two  three four", 60, 10);
        assert_eq!(lines, ["one two", "three four"]);
        assert_eq!(wrapped("of 12\u{202F}000", 60, 10), ["of 12\u{202F}000"]);
        assert_eq!(wrapped("", 60, 10), Vec::<String>::new());
    }

    /// Between the two colours of text the worst contrast is √(1.05 / 0.066) = 3.99, more than the
    /// 3 that large text needs.
    #[test]
    fn text_can_be_read_on_every_colour_of_a_map() {
        let light = |RGBColor(red, green, blue): RGBColor| {
            let parts = [(red, 0.2126), (green, 0.7152), (blue, 0.0722)];
            let linear = |part: f64| libm::pow((part + 0.055) / 1.055, 2.4);
            let parts = parts.map(|(part, share)| share * linear(f64::from(part) / 255.0));
            parts.iter().sum::<f64>() + 0.05
        };
        for step in 0..=100 {
            let tile = ramp(f64::from(step) / 100.0);
            let (a, b) = (light(tile), light(on(tile)));
            assert!(a.max(b) / a.min(b) > 3.8, "{step}: {a}, {b}");
        }
        assert_eq!([0.0, 1.0].map(|it| on(ramp(it))), [PAPER, INK]);
    }

    /// Ten curves are told apart without colours by their markers, and those of one marker or one
    /// dash never have the same colour.
    #[test]
    fn curves_differ_without_colours() {
        let styles: Vec<SeriesStyle> = (0..10).map(SeriesStyle::of).collect();
        for (index, style) in styles.iter().enumerate() {
            for other in &styles[..index] {
                assert_ne!(style.marker, other.marker, "series {index}");
                assert!(
                    style.dash != other.dash || style.colour != other.colour,
                    "series {index}"
                );
            }
            assert!(
                index >= 6 || styles[..index].iter().all(|other| other.dash != style.dash),
                "series {index}"
            );
        }
    }
}
