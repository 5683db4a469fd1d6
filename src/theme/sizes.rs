//! The sizes of figures, in canvas units: widths, margins, fonts, lines and marks; of a figure for
//! a journal also in mm. A figure shown 900 pixels wide has 0.375 pixel per unit, so the smallest
//! text (34 units) is read at 13 pixels.

/// Width of every canvas; coordinates are whole units, so the canvas is large.
pub const WIDTH: i32 = 2400;
/// Width of a canvas that is printed 86 mm wide: the smallest text of most figures is 6 pt there.
pub const SINGLE_WIDTH: i32 = 1380;
/// Width of a journal's column (`width = "single"`) and of its page (`"double"`), in mm, and the
/// greatest height of a figure there.
pub const SINGLE_MM: f64 = 86.0;
pub const DOUBLE_MM: f64 = 178.0;
pub const PAGE_HEIGHT_MM: f64 = 230.0;
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
}
