//! The colours of figures, boards and pages: those of curves in their order, those of a map, and
//! those of pages by day and by night. The colour of text on a tile and the colours of drawn boards
//! are here, too; which curve gets which is decided in `curve_styles.rs` and
//! `report/curves/names.rs`.

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

pub const INK: RGBColor = rgb(palette::INK);
pub const GRID: RGBColor = rgb(palette::GRID);
pub const PAPER: RGBColor = rgb(palette::PAPER);
/// The colour of what is not measured: the density of solutions.
pub const THEORY: RGBColor = rgb(palette::GREY);

/// The colours of curves, ordered by contrast; the palette's yellow is too pale for lines on paper.
pub(super) const COLOURS: [RGBColor; 6] = [
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
