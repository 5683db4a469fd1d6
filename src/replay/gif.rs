//! An animation as a GIF, for where no SVG is played: its pictures as pixels.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anyhow::Result;
use gif::{Encoder, Frame, Repeat};

use super::animation::Animation;
use crate::drawing::picture::Picture;
use crate::report::formats;

/// Pixels of a board from west to east.
const WIDE: u16 = 488;

/// Red, green and blue.
type Colour = [u8; 3];

impl Animation {
    /// The animation as a GIF that goes on for ever.
    ///
    /// # Errors
    /// Those of drawing and of the format.
    pub fn to_gif(&self) -> Result<Vec<u8>> {
        let svgs = self.pictures.iter().map(Picture::to_svg);
        let frames: Vec<_> = svgs
            .map(|svg| formats::pixels(&svg, WIDE))
            .collect::<Result<_, _>>()?;
        let Some(&(width, height, _)) = frames.first() else {
            return Ok(Vec::new());
        };
        let palette = Palette::of(frames.iter().map(|it| &*it.2));
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, width, height, &palette.colours.concat())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let mut before = Vec::new();
        for ((_, _, colours), duration) in frames.iter().zip(self.durations()) {
            let indices = palette.indices(colours);
            let mut frame = changed(&before, &indices, usize::from(width));
            frame.delay = (duration / 10) as u16;
            encoder.write_frame(&frame)?;
            before = indices;
        }
        drop(encoder);
        Ok(bytes)
    }
}

/// The part of a picture that differs from the one before: the smallest such rectangle, or one
/// pixel if nothing differs.
fn changed(before: &[u8], after: &[u8], width: usize) -> Frame<'static> {
    let (mut old, new) = (before.chunks(width), after.chunks(width));
    // Whole rows are compared first: most of them are as before.
    let mut differing = Vec::new();
    for (row, new) in new.clone().enumerate() {
        let old = old.next();
        if old != Some(new) {
            let is_new = |at: &usize| old.is_none_or(|old| old[*at] != new[*at]);
            differing.push((row, (0..width).find(is_new), (0..width).rfind(is_new)));
        }
    }
    let [top, bottom] = [differing.first(), differing.last()].map(|it| it.map_or(0, |it| it.0));
    let left = differing.iter().filter_map(|it| it.1).min().unwrap_or(0);
    let right = differing.iter().filter_map(|it| it.2).max().unwrap_or(0);
    let rows = new.take(bottom + 1).skip(top);
    let inside: Vec<u8> = rows.flat_map(|row| &row[left..=right]).copied().collect();
    // No side is longer than that of the whole, which is a number of 16 bits.
    let [left, top, wide, high] =
        [left, top, right - left + 1, bottom - top + 1].map(|it| it as u16);
    Frame {
        left,
        top,
        width: wide,
        height: high,
        buffer: Cow::Owned(inside),
        ..Frame::default()
    }
}

/// The most frequent colours, at most 256.
struct Palette {
    colours: Vec<Colour>,
    /// The index of the nearest colour of the palette, for every colour in the frames.
    nearest: BTreeMap<Colour, u8>,
}

impl Palette {
    fn of<'a>(pictures: impl Iterator<Item = &'a [Colour]>) -> Self {
        let mut times: BTreeMap<Colour, usize> = BTreeMap::new();
        for run in pictures.flat_map(runs) {
            *times.entry(run[0]).or_default() += run.len();
        }
        let mut all: Vec<Colour> = times.keys().copied().collect();
        all.sort_by_key(|colour| std::cmp::Reverse(times[colour]));
        let colours: Vec<Colour> = all.iter().copied().take(256).collect();
        let distance = |a: Colour, b: Colour| -> u32 {
            let of_one = |(a, b): (u8, u8)| u32::from(a.abs_diff(b)).pow(2);
            a.into_iter().zip(b).map(of_one).sum()
        };
        let nearest = |colour: Colour| {
            let nearest = (0..colours.len()).min_by_key(|&at| distance(colours[at], colour));
            (colour, nearest.unwrap_or_default() as u8)
        };
        Self {
            nearest: all.into_iter().map(nearest).collect(),
            colours,
        }
    }

    /// The index of each pixel's colour, or of the nearest one.
    fn indices(&self, picture: &[Colour]) -> Vec<u8> {
        let indices = runs(picture).map(|run| vec![self.nearest[&run[0]]; run.len()]);
        indices.collect::<Vec<_>>().concat()
    }
}

/// Neighbours of one colour, of which most pixels have many: each run is looked up once.
fn runs(picture: &[Colour]) -> impl Iterator<Item = &[Colour]> {
    picture.chunk_by(|a, b| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::read;

    /// The decoded animation has the time of each frame and the pixels of its picture.
    #[test]
    fn a_gif_has_the_pictures_and_their_times() {
        let picture = |text: &str| {
            let drawn = read::positions(text).expect("a drawing").remove(0);
            Picture::new(drawn.position.with_true_signals())
        };
        let animation = Animation {
            pictures: vec![picture("Q.\n.Q"), picture(".2\n..")],
            step_ms: 700,
            title: String::new(),
        };
        let bytes = animation.to_gif().expect("a small board");
        assert_eq!(bytes, animation.to_gif().expect("the same"));
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).expect("a GIF");
        let (wide, mut canvas) = (decoder.width(), Vec::new());
        for (picture, delay) in animation.pictures.iter().zip([70, 250]) {
            let (width, height, drawn) =
                formats::pixels(&picture.to_svg(), WIDE).expect("our own SVG");
            assert_eq!(wide, width);
            canvas.resize(drawn.len(), [0; 3]);
            let frame = decoder.read_next_frame().expect("a frame").expect("one");
            assert_eq!(frame.delay, delay);
            assert!(frame.top + frame.height <= height);
            for (at, pixel) in frame.buffer.chunks(4).enumerate() {
                let (wide, left) = (usize::from(frame.width), usize::from(frame.left));
                let row = usize::from(frame.top) + at / wide;
                canvas[row * usize::from(width) + left + at % wide] =
                    [pixel[0], pixel[1], pixel[2]];
            }
            let is_far = |(found, drawn): &(&Colour, &Colour)| {
                found.iter().zip(*drawn).any(|(a, b)| a.abs_diff(*b) > 8)
            };
            let far = canvas.iter().zip(&drawn).filter(is_far).count();
            assert!(far * 100 < drawn.len(), "but for rare colours");
        }
    }
}
