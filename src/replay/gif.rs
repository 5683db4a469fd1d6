//! An animation as a GIF, for where no SVG is played.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gif::{Encoder, EncodingError, Frame, Repeat};

use super::animation::Animation;
use super::raster::{Colour, Pixels, Raster};
use crate::drawing::picture::Picture;

impl Animation {
    /// The animation as a GIF that goes on for ever, without the names of columns and rows.
    ///
    /// # Errors
    /// A board that is too wide for the format.
    pub fn to_gif(&self) -> Result<Vec<u8>, EncodingError> {
        let pictures: Vec<Picture> = self.pictures.iter().map(without_names).collect();
        let Some(first) = pictures.first() else {
            return Ok(Vec::new());
        };
        let raster = Raster::new(&first.pieces_with_all_glyphs());
        let drawn = |picture: &Picture| raster.draw(&picture.pieces().figures);
        let palette = Palette::of(pictures.iter().map(drawn));
        let size = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
        let (width, height) = (size(raster.width()), size(raster.height()));
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, width, height, &palette.bytes())?;
        encoder.set_repeat(Repeat::Infinite)?;
        for (picture, duration) in pictures.iter().zip(self.durations()) {
            let colours = drawn(picture).colours;
            let indices: Vec<u8> = colours.iter().map(|it| palette.index(*it)).collect();
            encoder.write_frame(&Frame {
                delay: (duration / 10) as u16,
                width,
                height,
                buffer: Cow::Owned(indices),
                ..Frame::default()
            })?;
        }
        drop(encoder);
        Ok(bytes)
    }
}

fn without_names(picture: &Picture) -> Picture {
    Picture {
        coordinates: false,
        ..picture.clone()
    }
}

/// At most 256 colours: those that are seen most.
struct Palette {
    colours: Vec<Colour>,
    /// Of every colour in the frames.
    nearest: BTreeMap<Colour, u8>,
}

impl Palette {
    fn of(frames: impl Iterator<Item = Pixels>) -> Self {
        let mut seen: BTreeMap<Colour, u64> = BTreeMap::new();
        for colour in frames.flat_map(|frame| frame.colours) {
            *seen.entry(colour).or_default() += 1;
        }
        let mut by_number: Vec<(Colour, u64)> = seen.into_iter().collect();
        by_number.sort_by_key(|&(colour, times)| (std::cmp::Reverse(times), colour));
        let all = by_number.iter().map(|it| it.0);
        let colours: Vec<Colour> = all.clone().take(256).collect();
        let distance = |a: Colour, b: Colour| -> u32 {
            let of_one = |(a, b): (u8, u8)| u32::from(a.abs_diff(b)).pow(2);
            a.into_iter().zip(b).map(of_one).sum()
        };
        let nearest = |colour: Colour| {
            let places = 0..colours.len();
            let place = places.min_by_key(|&place| (distance(colours[place], colour), place));
            (colour, place.unwrap_or_default() as u8)
        };
        Self {
            nearest: all.map(nearest).collect(),
            colours,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }

    fn index(&self, colour: Colour) -> u8 {
        self.nearest.get(&colour).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::read;

    /// Decoded again, each frame has its time and, but for rare colours, its pixels.
    #[test]
    fn a_gif_has_the_pictures_and_their_times() {
        let picture = |text: &str| {
            let drawn = read::position(text).expect("a drawing");
            Picture::new(drawn.position.with_true_signals())
        };
        let animation = Animation {
            pictures: vec![picture("Q.\n.Q"), picture(".2\n..")],
            step_ms: 700,
        };
        let bytes = animation.to_gif().expect("a small board");
        assert_eq!(bytes, animation.to_gif().expect("the same"));
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).expect("a GIF");
        let mut found = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a frame") {
            found.push((frame.delay, frame.buffer.to_vec()));
        }
        assert_eq!(found.iter().map(|it| it.0).collect::<Vec<_>>(), [70, 250]);
        let first = without_names(&animation.pictures[0]);
        let raster = Raster::new(&first.pieces_with_all_glyphs());
        for ((_, pixels), picture) in found.iter().zip(&animation.pictures) {
            let expected = raster.draw(&without_names(picture).pieces().figures);
            let colours = pixels.chunks(4).map(|it| [it[0], it[1], it[2]]);
            assert!(colours.eq(expected.colours.iter().copied()));
        }
    }
}
