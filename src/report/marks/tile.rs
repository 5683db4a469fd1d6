//! Means over two axes, a tile each. Here are the number and the interval in a tile and when they
//! fit, how colours are spread (over logarithms), the thick and thin frames and their words (not
//! significantly slower than the best), and the sign ≥ of lower bounds. The colours are in
//! `theme/colours.rs`.

use plotters::style::RGBColor;

use crate::analysis::estimate::Estimate;
use crate::analysis::optimum::Contest;
use crate::report::axes::Axes;
use crate::report::axes::scale::extent;
use crate::report::figure::{FallInWords, Panel};
use crate::report::marks::Layer;
use crate::report::marks::mark::Mark;
use crate::report::out::canvas::{Drawn, HoverArea, Lettering, Rank, Spot, Tip};
use crate::report::words::number::{short, with_power};
use crate::report::words::points::distinct;
use crate::theme::{BEST_FRAME, CONTENDER_FRAME, INK, TICK_SIZE, on, ramp};

/// Tiles, each as light as its mean is low.
pub struct Tiles {
    tiles: Vec<Tile>,
    /// The title of its numbers.
    title: String,
    /// How they fall, what those are that are significantly above the least, and what the least is
    /// called beside them.
    words: FallInWords,
    /// True if they are shares, whose intervals may end at 0 or 1: these are written with both
    /// ends.
    are_shares: bool,
    /// True if the legend names the ends: each of several maps has colours of its own.
    is_alone: bool,
    /// What is said of the least.
    each: String,
}

struct Tile {
    mark: Mark,
    upwards: f64,
    /// What the tip calls it.
    label: String,
    /// The mean as it is written.
    mean: String,
    /// Half the width of the interval of its logarithm in per cent, or both ends of that of a
    /// share.
    interval: Option<String>,
    /// The width of its frame if it may be the least: the least itself, and those not significantly
    /// worse.
    frame: Option<i32>,
}

impl Tiles {
    /// The map of these marks, each with its value upwards and its name.
    pub fn of(
        marks: Vec<(Mark, f64, String)>,
        shown: &Panel,
        contests: &[(Vec<usize>, Contest)],
        (is_alone, each): (bool, String),
    ) -> Self {
        let means: Vec<Estimate> = marks.iter().map(|mark| mark.0.y).collect();
        let frames = frames(marks.len(), contests);
        let are_shares = shown.columns.iter().all(|column| column.is_share);
        // All of a map are written in one form.
        let has_powers = means.iter().any(|mean| short(mean.value, 3).contains('·'));
        let tile = |(index, (mark, upwards, label)): (usize, (Mark, f64, String))| {
            let mean = mark.y;
            let bound = if mark.y.is_bound { "≥ " } else { "" };
            let written: fn(f64, usize) -> String = if has_powers { with_power } else { short };
            // As the table of `run` has it.
            let half = mean.log_half_width();
            let half = half.map(|half| format!("± {} %", (100.0 * half).ceil()));
            let ends = format!("{} to {}", short(mean.low, 2), short(mean.high, 2));
            Tile {
                mean: format!("{bound}{}", written(mean.value, 3)),
                interval: if are_shares { Some(ends) } else { half },
                frame: frames[index],
                mark,
                upwards,
                label,
            }
        };
        Self {
            tiles: marks.into_iter().enumerate().map(tile).collect(),
            title: shown.title.clone(),
            words: shown.fall_in_words(),
            are_shares,
            is_alone,
            each,
        }
    }

    /// The columns and the rows, increasing.
    pub fn steps(&self) -> [Vec<f64>; 2] {
        let places = self.tiles.iter().map(|tile| (tile.mark.x, tile.upwards));
        let (across, upwards): (Vec<f64>, Vec<f64>) = places.unzip();
        [distinct(across), distinct(upwards)]
    }

    /// True if every mean fits into its tile, and true if intervals fit under them. A line is a
    /// fifth higher than its letters, and a sign 0.6 of its height wide.
    fn has_room(&self, axes: &Axes) -> [bool; 2] {
        let [size, small] = text_sizes(axes.least_text);
        let signs = |text: Option<&String>| text.map_or(0, |text| text.chars().count());
        let tiles = self.tiles.iter();
        let means = tiles.clone().map(|tile| signs(Some(&tile.mean))).max();
        let intervals = tiles.map(|tile| signs(tile.interval.as_ref())).max();
        let [wide, high] = [&axes.x, &axes.y].map(|scale| scale.density());
        let fits = |signs: Option<usize>, size: i32, wide: f64| {
            0.6 * f64::from(size) * signs.unwrap_or(0) as f64 <= wide
        };
        let has_mean = fits(means, size, wide);
        let is_high = f64::from(6 * (size + small) / 5) <= high.floor();
        let has_interval = has_mean && is_high && fits(intervals, small, wide.floor());
        [has_mean, has_interval]
    }

    /// The legend's lines and the caption's, of what is drawn.
    fn say(&self, drawn: &mut Drawn, axes: &Axes, [has_mean, has_interval]: [bool; 2]) {
        if has_interval {
            drawn.say(0, self.interval_in_words());
        }
        self.say_colours(drawn);
        self.say_frames(drawn);
        if !has_mean {
            drawn.entry(Rank::Note(0), "numbers: in the table", |_| {});
        }
        if axes.upright_title() != axes.words.said(axes.titles[1]) {
            drawn.entry(Rank::Note(0), axes.titles[1], |_| {});
        }
        if self.tiles.iter().any(|tile| tile.mark.y.is_bound) {
            drawn.say(1, "≥: a lower bound, where trials were cut off");
        }
    }

    fn interval_in_words(&self) -> &'static str {
        match self.are_shares {
            true => "small: the 95 % interval",
            false => "small: half the width of the 95 % interval of the logarithm",
        }
    }

    /// The title of its numbers without its unit.
    fn shown(&self) -> &str {
        match self.title.split(" (").next() {
            Some("mean absorption time") | None => "mean time",
            Some(name) => name,
        }
    }

    /// What the colours mean.
    fn say_colours(&self, drawn: &mut Drawn) {
        let order = |a: &&Tile, b: &&Tile| a.mark.y.value.total_cmp(&b.mark.y.value);
        let tiles = || self.tiles.iter().filter(|_| self.is_alone);
        let numbers = match (tiles().max_by(order), tiles().min_by(order)) {
            (Some(most), Some(least)) => format!(" ({} to {})", most.mean, least.mean),
            _ => " (each map for itself)".to_owned(),
        };
        let text = format!("{}, from {}{numbers}", self.shown(), self.words.fall);
        if !self.is_alone {
            drawn.say(
                3,
                "each map has colours of its own, from its greatest number to its least",
            );
        }
        drawn.entry(Rank::Name(0), text, |sample| {
            for step in 0..25 {
                let left = 4 * step - 50;
                let colour = ramp(f64::from(step) / 25.0);
                sample.rectangle((left, -20), (left + 4, 20), colour.into());
            }
        });
    }

    /// What the frames mean that are drawn.
    fn say_frames(&self, drawn: &mut Drawn) {
        let FallInWords { worse, best, .. } = self.words;
        let is_framed = |width: i32| self.tiles.iter().any(|tile| tile.frame == Some(width));
        let frame = |sample: &mut Drawn, width| sample.frame(((-50, -20), (50, 20)), INK, width);
        if is_framed(BEST_FRAME) {
            let least = format!("least {}{}", self.shown(), self.each);
            drawn.entry(Rank::Ring, least, |sample| frame(sample, BEST_FRAME));
            drawn.say(2, format!("thick frame: the least{}", self.each));
        }
        if is_framed(CONTENDER_FRAME) {
            let text = format!("not significantly {worse} than the {best} (95 %)");
            drawn.say(2, format!("thin frames: {text}"));
            drawn.entry(Rank::Strip, text, |sample| frame(sample, CONTENDER_FRAME));
        }
    }
}

impl Tiles {
    /// What the colours of the tiles are spread over: the logarithms of the means, if all have one.
    fn shades(&self) -> Vec<f64> {
        let means = self.tiles.iter().map(|tile| tile.mark.y.value);
        if means.clone().all(|mean| mean > 0.0) {
            means.map(libm::log).collect()
        } else {
            means.collect()
        }
    }

    fn tip(&self, axes: &Axes, tile: &Tile) -> Tip {
        let (corner, opposite) = tile.corners(axes);
        let titles = [axes.titles[0], &self.title];
        Tip {
            area: HoverArea::Tile(corner, opposite),
            row: tile.mark.row,
            words: tile.mark.in_words([&tile.label, ""], titles),
        }
    }
}

impl Tile {
    fn corners(&self, axes: &Axes) -> (Spot, Spot) {
        let (left, right) = axes.x.step(self.mark.x);
        let (bottom, top) = axes.y.step(self.upwards);
        ((left, top), (right, bottom))
    }

    /// The tile in a colour, with its mean in the middle and under that its interval, as far as
    /// there is room.
    fn draw(
        &self,
        drawn: &mut Drawn,
        axes: &Axes,
        colour: RGBColor,
        [has_mean, has_interval]: [bool; 2],
    ) {
        let (corner, opposite) = self.corners(axes);
        drawn.rectangle(corner, opposite, colour.into());
        let x = (corner.0 + opposite.0) / 2;
        let y = (corner.1 + opposite.1) / 2;
        let mut write = |text: &str, y: i32, size: i32| {
            let lettering = Lettering {
                size,
                colour: on(colour),
                ..Lettering::TICK
            };
            drawn.text(text, (x, y), lettering);
        };
        let [size, small] = text_sizes(axes.least_text);
        match self.interval.as_ref().filter(|_| has_interval) {
            Some(interval) => {
                write(&self.mean, y - 3 * small / 4, size);
                write(interval, y + (3 * size + 3) / 4, small);
            }
            None if has_mean => write(&self.mean, y, size),
            None => {}
        }
    }
}

impl Layer for Tiles {
    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        let shades = self.shades();
        let (low, high) = extent(shades.iter().copied());
        let room = self.has_room(axes);
        for (tile, shade) in self.tiles.iter().zip(shades) {
            let share = if high > low {
                (high - shade) / (high - low)
            } else {
                1.0
            };
            drawn.tips.push(self.tip(axes, tile));
            tile.draw(&mut drawn, axes, ramp(share), room);
        }
        for tile in &self.tiles {
            if let Some(width) = tile.frame {
                drawn.frame(tile.corners(axes), INK, width);
            }
        }
        self.say(&mut drawn, axes, room);
        drawn
    }
}

/// The width of the frame of each of so many tiles, if it has one.
fn frames(n_tiles: usize, contests: &[(Vec<usize>, Contest)]) -> Vec<Option<i32>> {
    let mut frames = vec![None; n_tiles];
    for (tiles, contest) in contests {
        for (place, tile) in tiles.iter().enumerate() {
            if !contest.worse[place] {
                let is_best = place == contest.best;
                frames[*tile] = Some(if is_best { BEST_FRAME } else { CONTENDER_FRAME });
            }
        }
    }
    frames
}

/// The sizes of a mean and of its interval, where no text is smaller than this one.
fn text_sizes(least_text: i32) -> [i32; 2] {
    [TICK_SIZE, TICK_SIZE * 4 / 5].map(|size| size.max(least_text))
}
