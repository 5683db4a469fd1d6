//! A figure as PNG or PDF, made from its SVG with an embedded font, so that every machine draws the
//! same. A PNG has the same bytes too; in a PDF the order of what it holds varies (svg2pdf).

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use png::{ColorType, PixelDimensions, Unit};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{FontResolver, Options, Tree};

/// Pixels per inch of a PNG.
const DOTS_PER_INCH: f32 = 300.0;
/// Pixels per inch in which an SVG counts its size.
const SVG_PIXELS_PER_INCH: f32 = 96.0;
/// Pixels per metre, as a PNG states its resolution: 300 per inch.
const DOTS_PER_METRE: u32 = 11_811;

/// Regular and bold of DejaVu Sans Condensed, whose licence allows to embed it and which has every
/// sign of the figures (ε, χ², ⁻¹, ≥, …).
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for font in [
        dejavu::sans_condensed::regular(),
        dejavu::sans_condensed::bold(),
    ] {
        fonts.load_font_source(Source::Binary(Arc::new(font)));
    }
    for set in [Database::set_sans_serif_family, Database::set_serif_family] {
        set(&mut fonts, "DejaVu Sans");
    }
    Arc::new(fonts)
});

fn unconvertible(reason: impl Display) -> io::Error {
    io::Error::other(format!("cannot be converted: {reason}"))
}

/// The SVG as shapes and texts, and characters of its texts that the font lacks: at least the first
/// one of each text.
fn tree_and_lacking(svg: &str) -> io::Result<(Tree, BTreeSet<char>)> {
    let lacking = Mutex::new(BTreeSet::new());
    let options = Options {
        dpi: SVG_PIXELS_PER_INCH,
        font_family: "DejaVu Sans".to_owned(),
        fontdb: FONTS.clone(),
        font_resolver: FontResolver {
            select_fallback: Box::new(|character, _, _| {
                let mut lacking = lacking.lock().unwrap_or_else(PoisonError::into_inner);
                lacking.insert(character);
                None
            }),
            ..FontResolver::default()
        },
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(unconvertible)?;
    drop(options);
    let lacking = lacking.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((tree, lacking))
}

fn tree(svg: &str) -> io::Result<Tree> {
    Ok(tree_and_lacking(svg)?.0)
}

/// The SVG with U+FFFD in place of the characters that the font lacks, and these characters. A
/// PDF would have another text than the one it shows: its text is read back from its glyphs, and
/// the glyph of all characters that a font lacks is one.
///
/// # Errors
/// When it is no SVG.
pub fn with_known_characters(svg: &str) -> io::Result<(String, BTreeSet<char>)> {
    let (mut known, mut lacking) = (svg.to_owned(), BTreeSet::new());
    loop {
        let mut found = tree_and_lacking(&known)?.1;
        found.retain(|it| known.contains(*it) && *it != char::REPLACEMENT_CHARACTER);
        if found.is_empty() {
            return Ok((known, lacking));
        }
        known = known.replace(|it| found.contains(&it), "\u{FFFD}");
        lacking.append(&mut found);
    }
}

/// The figure as PNG of 300 dots per inch.
pub fn png(svg: &str) -> io::Result<Vec<u8>> {
    let pixels = rendered(svg, |_| DOTS_PER_INCH / SVG_PIXELS_PER_INCH)?;
    let colours = pixels.pixels().iter().map(|it| it.demultiply());
    let bytes = colours.flat_map(|it| [it.red(), it.green(), it.blue(), it.alpha()]);
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, pixels.width(), pixels.height());
    encoder.set_color(ColorType::Rgba);
    encoder.set_pixel_dims(Some(PixelDimensions {
        xppu: DOTS_PER_METRE,
        yppu: DOTS_PER_METRE,
        unit: Unit::Meter,
    }));
    let mut writer = encoder.write_header().map_err(unconvertible)?;
    let data: Vec<u8> = bytes.collect();
    writer.write_image_data(&data).map_err(unconvertible)?;
    writer.finish().map_err(unconvertible)?;
    Ok(png)
}

/// The figure as pixels, `wide` of them from left to right: their number from left to right and
/// from top to bottom, and the red, green and blue of each.
pub fn pixels(svg: &str, wide: u16) -> io::Result<(u16, u16, Vec<[u8; 3]>)> {
    let pixels = rendered(svg, |width| f32::from(wide) / width)?;
    // On white paper: the colours are multiplied by their opacity. Most neighbours are the same.
    let mut colours = Vec::new();
    for run in pixels.data().as_chunks().0.chunk_by(|a, b| a == b) {
        let [red, green, blue, opacity] = run[0];
        let on_paper = [red, green, blue].map(|part: u8| part.saturating_add(255 - opacity));
        colours.resize(colours.len() + run.len(), on_paper);
    }
    let [width, height] = [pixels.width(), pixels.height()].map(u16::try_from);
    match (width, height) {
        (Ok(width), Ok(height)) => Ok((width, height, colours)),
        _ => Err(unconvertible("is too large")),
    }
}

/// Drawn at the scale that `scale` gives for its width.
fn rendered(svg: &str, scale: impl Fn(f32) -> f32) -> io::Result<Pixmap> {
    let tree = tree(svg)?;
    let scale = scale(tree.size().width());
    let size = tree.size().to_int_size().scale_by(scale);
    let size = size.ok_or_else(|| unconvertible("has no size"))?;
    let mut pixels =
        Pixmap::new(size.width(), size.height()).ok_or_else(|| unconvertible("is too large"))?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    Ok(pixels)
}

/// The figure as PDF of one page, as large as the figure; its text is text.
pub fn pdf(svg: &str) -> io::Result<Vec<u8>> {
    let page = svg2pdf::PageOptions {
        dpi: SVG_PIXELS_PER_INCH,
    };
    svg2pdf::to_pdf(&tree(svg)?, svg2pdf::ConversionOptions::default(), page).map_err(unconvertible)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1200 × 300 pixels, or 12.5 × 3.125 inches.
    const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"300\">\
        <text x=\"50\" y=\"50\" font-family=\"sans-serif\">ε ≥ 10⁻³, χ²</text></svg>";

    #[test]
    fn a_png_has_300_dots_per_inch_and_says_so() {
        let png = png(SVG).expect("an SVG");
        assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four"));
        assert_eq!((number(16), number(20)), (3750, 938));
        assert_eq!(png[37..41], *b"pHYs");
        assert_eq!((number(41), number(45), png[49]), (11_811, 11_811, 1));
        // Something is drawn.
        assert!(png.len() > 2000);
    }

    /// Two unknown characters in one text and one in another; ♛ and the replacement are known.
    #[test]
    fn characters_that_the_font_lacks_are_replaced_and_named() {
        let text = |words: &str| format!("<text x=\"50\" y=\"50\">{words}</text>");
        let texts = text("八皇, ε ♛") + &text("🙂") + &text("plain �");
        let svg = SVG.replace("</svg>", &format!("{texts}</svg>"));
        let (known, lacking) = with_known_characters(&svg).expect("an SVG");
        assert_eq!(lacking, BTreeSet::from(['八', '皇', '🙂']));
        let [words, smile] = [text("��, ε ♛"), text("�")];
        assert!(known.contains(&words) && known.contains(&smile));
        assert_eq!(with_known_characters(SVG).expect("an SVG").0, SVG);
    }

    #[test]
    fn the_same_figure_gives_the_same_png_and_what_is_no_svg_is_refused() {
        assert_eq!(png(SVG).expect("an SVG"), png(SVG).expect("an SVG"));
        // The font is embedded, not named.
        let pdf = pdf(SVG).expect("an SVG");
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.starts_with("%PDF-") && text.contains("FontFile") && text.contains("DejaVu"));
        assert!(png("<p/>").is_err() && super::pdf("").is_err());
    }
}
