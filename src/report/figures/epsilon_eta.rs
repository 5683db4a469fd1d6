//! A mean over two axes at once.

use super::kit::*;
use std::iter;

use crate::analysis::optimum::Contest;
use crate::report::canvas::{Anchor, Canvas, HoverArea, Lettering, Spot, Tip};
use crate::report::legend::{LegendEntry, Sample};
use crate::report::number::with_power;
use crate::report::panel::{self, Mark, fitting};
use crate::report::scale::extent;
use crate::report::scene::FigureSize;
use crate::report::style::{
    AXIS_ROOM, AXIS_TITLE_SIZE, BESIDE_TITLE, BEST_FRAME, CONTENDER_FRAME, FOOT_ROOM, INK,
    LABEL_GAP, MARGIN, TICK_SIZE, TILE_HEIGHT, UNDER_LABEL, UNDER_TITLE, on, ramp,
};

pub const MAP: MeasureTable = MeasureTable {
    name: "map",
    rows,
    ignores: &[
        "facet",
        "share_y",
        "fit",
        "fit_from",
        "guide",
        "group",
        "colour",
        "dash",
        "split",
        "mark_best",
        "right_axis",
        "most_curves",
        "least_points",
        "compare",
        "names",
        "x_scale",
        "y_scale",
        "y_range",
        "y_title",
        "x_title",
        "height",
        "room",
    ],
    ..MeasureTable::TIMES
};

/// What the sign before a number means.
pub const BOUND: &str = "≥: a lower bound, where trials were cut off";

/// The maps, one above the other.
pub fn tiles<'s>(scene: &Scene) -> Vec<Part<'s>> {
    let maps = maps(scene.chart, &scene.frame);
    let is_labelled = maps.len() > 1;
    maps.into_iter().map(|map| map.part(is_labelled)).collect()
}

/// The axes across and upwards.
fn axes(chart: &Chart) -> [&str; 2] {
    let upwards = chart.choices.vary.first();
    [chart.x(), upwards.map_or("eta", String::as_str)]
}

/// Map after map, under them what is found of each.
fn rows(scope: &Scope) -> Result<Frame, String> {
    let varying = axes(scope.chart);
    let mut points = scope.measured(PointSummary::of);
    points.sort_by(|a, b| {
        let (a, b) = (&a.point, &b.point);
        a.order_apart(b, &varying).then_with(|| a.order(b))
    });
    let share_map = |a: &PointSummary, b: &PointSummary| a.point.is_same_apart(&b.point, &varying);
    let both_vary = |points: &&[PointSummary]| {
        let varies = |axis: &str| {
            let values = points.iter();
            distinct(values.filter_map(|it| Some(it.point.axes.get(axis)?.number())))
        };
        varying.iter().all(|axis| varies(axis).len() > 1)
    };
    let has_time = |it: &&PointSummary| {
        it.time()
            .is_some_and(|time| time.measured.estimate.value > 0.0)
    };
    let shown = points.chunk_by(share_map).filter(both_vary).flatten();
    let mut frame = of_points(&quantities(shown.filter(has_time))).frame;
    let maps = maps(scope.chart, &frame);
    let apart = varying.map(str::to_owned);
    for map in maps.iter().filter(|map| map.best.is_some()) {
        let contenders = Estimate::exactly(map.contenders().count() as f64);
        frame.push_fit((&map.key, &apart), "tiles_that_may_be_best", contenders);
    }
    Ok(frame)
}

/// All points of one rule and n.
struct Map {
    key: Point,
    label: String,
    /// What its tiles show.
    title: String,
    /// The axes across and upwards.
    axes: [String; 2],
    /// The values of the columns and of the rows, increasing.
    across: Vec<f64>,
    upwards: Vec<f64>,
    tiles: Vec<Tile>,
    /// Index of the tile of least mean.
    best: Option<usize>,
}

struct Tile {
    column: usize,
    row: usize,
    mark: Mark,
    /// How its mean is written: all of a map in one form.
    written: fn(f64, usize) -> String,
    /// The tiles that may be the best: the best itself, and those not significantly slower.
    contends: bool,
}

impl Map {
    /// The map of the times in these rows.
    fn of(frame: &Frame, rows: &[usize], title: &str, axes: [&str; 2]) -> Self {
        let value = |row: usize, axis: &str| Some(frame.keys[row].axes.get(axis)?.number());
        let along = |axis| distinct(rows.iter().filter_map(|&row| value(row, axis)));
        let [across, upwards] = axes.map(along);
        let tile = |&row: &usize| {
            let index = |axis, values: &[f64]| {
                let own = value(row, axis);
                values.iter().position(|&value| Some(value) == own)
            };
            let (column, own_row) = (index(axes[0], &across)?, index(axes[1], &upwards)?);
            let mean = frame.estimate(row, "mean")?;
            let tile = Tile {
                column,
                row: own_row,
                mark: Mark {
                    row: Some(row),
                    trials: frame.trials(row),
                    ..Mark::of(across[column], mean)
                },
                written: short,
                contends: false,
            };
            Some((tile, mean))
        };
        let (mut tiles, means): (Vec<Tile>, Vec<_>) = rows.iter().filter_map(tile).unzip();
        if tiles
            .iter()
            .any(|tile| short(tile.mark.y.value, 3).contains('·'))
        {
            tiles.iter_mut().for_each(|tile| tile.written = with_power);
        }
        let contest = Contest::of(&means);
        let worse = contest.iter().flat_map(|contest| &contest.worse);
        for (tile, &worse) in tiles.iter_mut().zip(worse) {
            tile.contends = !worse;
        }
        let key = frame.keys[rows[0]].clone();
        Self {
            label: in_words(&key, &axes),
            title: title.to_owned(),
            best: contest.map(|contest| contest.best),
            key,
            axes: axes.map(str::to_owned),
            across,
            upwards,
            tiles,
        }
    }

    fn contenders(&self) -> impl Iterator<Item = &Tile> {
        self.tiles.iter().filter(|tile| tile.contends)
    }

    /// `mean time`, or the title without its unit.
    fn shown(&self) -> &str {
        match self.title.split(" (").next() {
            Some("mean absorption time") | None => "mean time",
            Some(name) => name,
        }
    }

    /// True if every mean fits into the width of its tile, on a map of this width, in texts of at
    /// least this size.
    fn has_room_for_numbers(&self, across: i32, least_text: i32) -> bool {
        let size = TICK_SIZE.max(least_text);
        let width = |it: &Tile| width_of(&it.mean_in_words(), size);
        let widest = self.tiles.iter().map(width).fold(0.0, f64::max);
        widest <= f64::from(across) / self.across.len() as f64
    }

    /// True if half widths fit under the means in tiles of this size.
    fn has_room_for_half_widths(&self, (width, height): (i32, i32), least_text: i32) -> bool {
        let [size, small] = text_sizes(least_text);
        let halves = self.tiles.iter().filter_map(Tile::half_width_in_words);
        let widest = halves.map(|it| width_of(&it, small)).fold(0.0, f64::max);
        // A line is a fifth higher than its letters.
        6 * (size + small) / 5 <= height && widest <= f64::from(width)
    }

    /// The columns whose value is written under them: as many as have room, the first one among
    /// them.
    fn labelled_columns(&self, across: i32, least_text: i32) -> impl Iterator<Item = usize> {
        let size = TICK_SIZE.max(least_text);
        let labels = self.across.iter().map(|&it| short(it, 3));
        let widest = labels.map(|it| width_of(&it, size)).fold(0.0, f64::max);
        let column = f64::from(across) / self.across.len() as f64;
        let step = (widest / column).ceil().max(1.0) as usize;
        (0..self.across.len()).step_by(step)
    }

    /// The longest part of the title that fits beside the rows.
    fn upright_title(&self) -> &str {
        fitting(
            axis_title(&self.axes[1]),
            TILE_HEIGHT * self.upwards.len() as i32 + LABEL_GAP,
        )
    }

    fn part<'s>(self, is_labelled: bool) -> Part<'s> {
        Part {
            above: if is_labelled { LABEL_GAP } else { 0 },
            height: TILE_HEIGHT * self.upwards.len() as i32,
            below: FOOT_ROOM,
            ..Part::of(move |canvas, frame, _| {
                if is_labelled {
                    let lettering = Lettering {
                        size: AXIS_TITLE_SIZE,
                        ..Lettering::PLAIN
                    };
                    let spot = (frame.left, frame.top - LABEL_GAP / 2);
                    canvas.text(&self.label, spot, lettering);
                }
                paint_map(canvas, &self, frame);
            })
        }
    }
}

impl Tile {
    /// Between two corners, as light as its `share`; a tip says what it is `of`.
    fn paint(
        &self,
        canvas: &Canvas,
        (corner, opposite): (Spot, Spot),
        (share, [has_mean, has_half_width]): (f64, [bool; 2]),
        (of, titles): (&str, (&str, &str)),
    ) {
        canvas.tip(Tip {
            area: HoverArea::Tile(corner, opposite),
            row: self.mark.row,
            words: self.mark.in_words([of, ""], titles),
        });
        canvas.rectangle(corner, opposite, ramp(share).into());
        let (x, y) = ((corner.0 + opposite.0) / 2, (corner.1 + opposite.1) / 2);
        let [size, small] = text_sizes(canvas.least_text);
        let half = self.half_width_in_words().filter(|_| has_half_width);
        let half = half.map(|it| (it, y + (3 * size + 3) / 4, small));
        let above = if half.is_some() { 3 * small / 4 } else { 0 };
        let mean = (self.mean_in_words(), y - above, size);
        for (text, y, size) in iter::once(mean).chain(half).filter(|_| has_mean) {
            let lettering = Lettering {
                size,
                colour: on(ramp(share)),
                ..Lettering::TICK
            };
            canvas.text(&text, (x, y), lettering);
        }
    }

    fn mean_in_words(&self) -> String {
        let bound = if self.mark.y.is_bound { "≥ " } else { "" };
        format!("{bound}{}", (self.written)(self.mark.y.value, 3))
    }

    /// The half width of the interval of the mean on the logarithmic scale, in per cent of the
    /// mean.
    fn half_width(&self) -> Option<f64> {
        let half = 100.0 * ((self.mark.y.high / self.mark.y.low).sqrt() - 1.0);
        half.is_finite().then_some(half)
    }

    fn half_width_in_words(&self) -> Option<String> {
        let half = self.half_width()?;
        Some(format!("± {} %", short(half, 2)))
    }
}

/// The sizes of a mean and of its half width, where no text is smaller than this one.
fn text_sizes(least_text: i32) -> [i32; 2] {
    [TICK_SIZE, TICK_SIZE * 4 / 5].map(|size| size.max(least_text))
}

/// The width of a text, reckoning 0.6 of its size for each sign.
fn width_of(text: &str, size: i32) -> f64 {
    0.6 * f64::from(size) * text.chars().count() as f64
}

fn maps(chart: &Chart, frame: &Frame) -> Vec<Map> {
    let is_time = |row: &usize| frame.word(*row, "quantity") == chart.panels[0].columns[0].only;
    let times: Vec<usize> = (0..frame.keys.len()).filter(is_time).collect();
    let varying = axes(chart);
    let maps = times.chunk_by(|&a, &b| frame.keys[a].is_same_apart(&frame.keys[b], &varying));
    let title = &chart.panels[0].title;
    maps.map(|rows| Map::of(frame, rows, title, varying))
        .collect()
}

pub fn legend(scene: &Scene) -> Vec<LegendEntry> {
    let maps = maps(scene.chart, &scene.frame);
    let shown = maps.first().map_or("mean", Map::shown);
    let [ends, others] = match shown {
        "mean time" => ["long to short", "slower"],
        _ => ["many to few", "more"],
    };
    // Each map has its own colours.
    let numbers = match &maps[..] {
        [map] => {
            let order = |a: &&Tile, b: &&Tile| a.mark.y.value.total_cmp(&b.mark.y.value);
            let tiles = || map.tiles.iter();
            let ends = [tiles().max_by(order), tiles().min_by(order)];
            let ends = ends.into_iter().flatten().map(Tile::mean_in_words);
            format!(" ({})", ends.collect::<Vec<_>>().join(" to "))
        }
        _ => String::new(),
    };
    let mut entries = vec![
        LegendEntry::new(Sample::Ramp, format!("{shown}, from {ends}{numbers}")),
        LegendEntry::new(Sample::Frame(BEST_FRAME), format!("least {shown}")),
        LegendEntry::new(
            Sample::Frame(CONTENDER_FRAME),
            format!("not significantly {others} than the best (95 %)"),
        ),
    ];
    let page = FigureSize::of(&scene.chart.choices);
    let across = page.width - 2 * MARGIN - AXIS_ROOM;
    let has_room = |map: &Map| map.has_room_for_numbers(across, page.least_text);
    if !maps.iter().all(has_room) {
        entries.push(LegendEntry::new(Sample::None, "numbers: in the table"));
    }
    let [_, upwards] = axes(scene.chart);
    if maps
        .iter()
        .any(|map| map.upright_title() != axis_title(upwards))
    {
        entries.push(LegendEntry::new(Sample::None, axis_title(upwards)));
    }
    entries
}

/// The tiles with their axes, from the lowest row upwards.
fn paint_map(canvas: &Canvas, map: &Map, frame: panel::FrameEdges) {
    let across = frame.right - frame.left;
    let edge = |column: usize| frame.left + across * column as i32 / map.across.len() as i32;
    let height = (frame.bottom - frame.top) / map.upwards.len() as i32;
    let box_of = |tile: &Tile| {
        let floor = frame.bottom - height * tile.row as i32;
        let (left, right) = (edge(tile.column), edge(tile.column + 1));
        ((left, floor - height), (right, floor))
    };
    let (low, high) = extent(map.tiles.iter().map(|tile| libm::log(tile.mark.y.value)));
    let least_text = canvas.least_text;
    let tile_size = (across / map.across.len() as i32, height);
    let has_mean = map.has_room_for_numbers(across, least_text);
    let has_half_width = has_mean && map.has_room_for_half_widths(tile_size, least_text);
    for tile in &map.tiles {
        let up = symbol(&map.axes[1]);
        let of = format!("{}, {up} = {}", map.label, short(map.upwards[tile.row], 6));
        let share = match high > low {
            true => (high - libm::log(tile.mark.y.value)) / (high - low),
            false => 1.0,
        };
        tile.paint(
            canvas,
            box_of(tile),
            (share, [has_mean, has_half_width]),
            (&of, (axis_title(&map.axes[0]), &map.title)),
        );
    }
    for tile in map.contenders() {
        canvas.frame(box_of(tile), INK, CONTENDER_FRAME);
    }
    if let Some(best) = map.best {
        canvas.frame(box_of(&map.tiles[best]), INK, BEST_FRAME);
    }
    for column in map.labelled_columns(across, least_text) {
        let value = map.across[column];
        let middle = (edge(column) + edge(column + 1)) / 2;
        let spot = (middle, frame.bottom + UNDER_LABEL);
        canvas.text(&short(value, 3), spot, Lettering::TICK);
    }
    for (row, &value) in map.upwards.iter().enumerate() {
        let lettering = Lettering {
            anchor: Anchor::Right,
            ..Lettering::TICK
        };
        let middle = frame.bottom - height * row as i32 - height / 2;
        canvas.text(&short(value, 3), (frame.left - 18, middle), lettering);
    }
    let spot = ((frame.left + frame.right) / 2, frame.bottom + UNDER_TITLE);
    canvas.text(axis_title(&map.axes[0]), spot, Lettering::AXIS);
    let middle = frame.bottom - height * map.upwards.len() as i32 / 2;
    let spot = (frame.left - BESIDE_TITLE, middle);
    canvas.text(map.upright_title(), spot, Lettering::UPRIGHT);
}
