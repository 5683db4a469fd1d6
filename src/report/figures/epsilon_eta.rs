//! A mean over two axes at once.

use super::kit::*;
use plotters::style::RGBColor;

use crate::analysis::optimum::Contest;
use crate::report::canvas::{Anchor, Canvas, HoverArea, Lettering, Spot, Tip};
use crate::report::legend::{LegendEntry, Sample};
use crate::report::mark::Mark;
use crate::report::number::with_power;
use crate::report::panel::{FrameEdges, fitting};
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
pub fn tiles<'s>(scene: &'s Scene) -> Vec<SheetPart<'s>> {
    let maps = maps(scene.chart, &scene.frame);
    let is_labelled = maps.len() > 1;
    let part = |map: Map| SheetPart {
        above: if is_labelled { LABEL_GAP } else { 0 },
        height: map.height(),
        below: FOOT_ROOM,
        ..SheetPart::of(move |canvas, frame, _| {
            if is_labelled {
                let lettering = Lettering {
                    size: AXIS_TITLE_SIZE,
                    ..Lettering::PLAIN
                };
                let spot = (frame.left, frame.top - LABEL_GAP / 2);
                canvas.text(&map.label, spot, lettering);
            }
            map.paint(scene.chart, canvas, frame);
        })
    };
    maps.into_iter().map(part).collect()
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
    /// The mean as it is written.
    mean: String,
    /// Half the width of its interval on the logarithmic scale, in per cent of the mean.
    half_width: Option<String>,
    /// True if it may be the best: the best itself, and those not significantly slower.
    contends: bool,
}

fn maps(chart: &Chart, frame: &Frame) -> Vec<Map> {
    let is_shown = |row: &usize| frame.word(*row, "quantity") == chart.panels[0].columns[0].only;
    let shown: Vec<usize> = (0..frame.keys.len()).filter(is_shown).collect();
    let varying = axes(chart);
    let maps = shown.chunk_by(|&a, &b| frame.keys[a].is_same_apart(&frame.keys[b], &varying));
    maps.map(|rows| Map::of(frame, rows, varying)).collect()
}

impl Map {
    /// The map of the means in these rows.
    fn of(frame: &Frame, rows: &[usize], axes: [&str; 2]) -> Self {
        let value = |row: usize, axis: &str| Some(frame.keys[row].axes.get(axis)?.number());
        let along = |axis| distinct(rows.iter().filter_map(|&row| value(row, axis)));
        let [across, upwards] = axes.map(along);
        let place = |row, axis, values: &[f64]| {
            let own = value(row, axis);
            values.iter().position(|&value| Some(value) == own)
        };
        let tile = |&row: &usize| {
            let column = place(row, axes[0], &across)?;
            let mean = frame.estimate(row, "mean")?;
            let half = 100.0 * ((mean.high / mean.low).sqrt() - 1.0);
            Some(Tile {
                column,
                row: place(row, axes[1], &upwards)?,
                mark: Mark {
                    row: Some(row),
                    trials: frame.trials(row),
                    ..Mark::of(across[column], mean)
                },
                mean: short(mean.value, 3),
                half_width: half.is_finite().then(|| format!("± {} %", short(half, 2))),
                contends: false,
            })
        };
        let mut tiles: Vec<Tile> = rows.iter().filter_map(tile).collect();
        let means: Vec<Estimate> = tiles.iter().map(|tile| tile.mark.y).collect();
        // All of a map are written in one form.
        let has_powers = tiles.iter().any(|tile| tile.mean.contains('·'));
        let contest = Contest::of(&means);
        for (index, tile) in tiles.iter_mut().enumerate() {
            if has_powers {
                tile.mean = with_power(tile.mark.y.value, 3);
            }
            if tile.mark.y.is_bound {
                tile.mean = format!("≥ {}", tile.mean);
            }
            tile.contends = contest.as_ref().is_some_and(|it| !it.worse[index]);
        }
        let key = frame.keys[rows[0]].clone();
        Self {
            label: in_words(&key, &axes),
            best: contest.map(|contest| contest.best),
            key,
            across,
            upwards,
            tiles,
        }
    }

    fn contenders(&self) -> impl Iterator<Item = &Tile> {
        self.tiles.iter().filter(|tile| tile.contends)
    }

    fn height(&self) -> i32 {
        TILE_HEIGHT * self.upwards.len() as i32
    }

    /// True if every mean fits into the width of its tile, on a map of this width, in texts of at
    /// least this size.
    fn has_room(&self, across: i32, least_text: i32) -> bool {
        let widest = widest(
            self.tiles.iter().map(|it| &*it.mean),
            text_sizes(least_text)[0],
        );
        widest <= f64::from(across) / self.across.len() as f64
    }

    /// True if half widths fit under the means in tiles of this size.
    fn has_room_under_means(&self, (width, height): (i32, i32), least_text: i32) -> bool {
        let [size, small] = text_sizes(least_text);
        let halves = self.tiles.iter().filter_map(|it| it.half_width.as_deref());
        // A line is a fifth higher than its letters.
        6 * (size + small) / 5 <= height && widest(halves, small) <= f64::from(width)
    }

    /// The longest part of the title that fits beside the rows.
    fn upright_title<'t>(&self, chart: &'t Chart) -> &'t str {
        fitting(axis_title(axes(chart)[1]), self.height() + LABEL_GAP)
    }

    /// The tiles with their axes, from the lowest row upwards, each as light as its mean is low; a
    /// tip says what it is of.
    fn paint(&self, chart: &Chart, canvas: &Canvas, frame: FrameEdges) {
        let across = frame.right - frame.left;
        let edge = |column: usize| frame.left + across * column as i32 / self.across.len() as i32;
        let height = (frame.bottom - frame.top) / self.upwards.len() as i32;
        let box_of = |tile: &Tile| {
            let floor = frame.bottom - height * tile.row as i32;
            let (left, right) = (edge(tile.column), edge(tile.column + 1));
            ((left, floor - height), (right, floor))
        };
        let logarithm = |tile: &Tile| libm::log(tile.mark.y.value);
        let (low, high) = extent(self.tiles.iter().map(logarithm));
        let tile_size = (across / self.across.len() as i32, height);
        let has_mean = self.has_room(across, canvas.least_text);
        let has_half = has_mean && self.has_room_under_means(tile_size, canvas.least_text);
        let [x_axis, y_axis] = axes(chart);
        let titles = (axis_title(x_axis), &*chart.panels[0].title);
        for tile in &self.tiles {
            let up = short(self.upwards[tile.row], 6);
            let of = format!("{}, {} = {up}", self.label, symbol(y_axis));
            let (corner, opposite) = box_of(tile);
            canvas.tip(Tip {
                area: HoverArea::Tile(corner, opposite),
                row: tile.mark.row,
                words: tile.mark.in_words([&of, ""], titles),
            });
            let share = match high > low {
                true => (high - logarithm(tile)) / (high - low),
                false => 1.0,
            };
            canvas.rectangle(corner, opposite, ramp(share).into());
            if has_mean {
                let middle = ((corner.0 + opposite.0) / 2, (corner.1 + opposite.1) / 2);
                tile.write(canvas, middle, has_half, on(ramp(share)));
            }
        }
        for tile in self.contenders() {
            canvas.frame(box_of(tile), INK, CONTENDER_FRAME);
        }
        if let Some(best) = self.best {
            canvas.frame(box_of(&self.tiles[best]), INK, BEST_FRAME);
        }
        // As many columns as have room have their value under them, the first one among them.
        let labels: Vec<String> = self.across.iter().map(|&it| short(it, 3)).collect();
        let size = text_sizes(canvas.least_text)[0];
        let widest = widest(labels.iter().map(String::as_str), size);
        let column = f64::from(across) / self.across.len() as f64;
        let step = (widest / column).ceil();
        for column in (0..labels.len()).step_by(step.max(1.0) as usize) {
            let middle = (edge(column) + edge(column + 1)) / 2;
            let spot = (middle, frame.bottom + UNDER_LABEL);
            canvas.text(&labels[column], spot, Lettering::TICK);
        }
        for (row, &value) in self.upwards.iter().enumerate() {
            let lettering = Lettering {
                anchor: Anchor::Right,
                ..Lettering::TICK
            };
            let middle = frame.bottom - height * row as i32 - height / 2;
            canvas.text(&short(value, 3), (frame.left - 18, middle), lettering);
        }
        let spot = ((frame.left + frame.right) / 2, frame.bottom + UNDER_TITLE);
        canvas.text(titles.0, spot, Lettering::AXIS);
        let middle = frame.bottom - height * self.upwards.len() as i32 / 2;
        let spot = (frame.left - BESIDE_TITLE, middle);
        canvas.text(self.upright_title(chart), spot, Lettering::UPRIGHT);
    }
}

impl Tile {
    /// The mean in the middle of the tile, and under it half the width of its interval.
    fn write(&self, canvas: &Canvas, (x, y): Spot, has_half: bool, colour: RGBColor) {
        let [size, small] = text_sizes(canvas.least_text);
        let write = |text: &str, y: i32, size: i32| {
            let lettering = Lettering {
                size,
                colour,
                ..Lettering::TICK
            };
            canvas.text(text, (x, y), lettering);
        };
        match self.half_width.as_ref().filter(|_| has_half) {
            None => write(&self.mean, y, size),
            Some(half) => {
                write(&self.mean, y - 3 * small / 4, size);
                write(half, y + (3 * size + 3) / 4, small);
            }
        }
    }
}

/// The sizes of a mean and of its half width, where no text is smaller than this one.
fn text_sizes(least_text: i32) -> [i32; 2] {
    [TICK_SIZE, TICK_SIZE * 4 / 5].map(|size| size.max(least_text))
}

/// The width of the widest text, reckoning 0.6 of its size for each sign.
fn widest<'t>(texts: impl Iterator<Item = &'t str>, size: i32) -> f64 {
    let widths = texts.map(|it| 0.6 * f64::from(size) * it.chars().count() as f64);
    widths.fold(0.0, f64::max)
}

pub fn legend(scene: &Scene) -> Vec<LegendEntry> {
    let maps = maps(scene.chart, &scene.frame);
    // The title without its unit.
    let shown = match scene.chart.panels[0].title.split(" (").next() {
        Some("mean absorption time") | None => "mean time",
        Some(name) => name,
    };
    let [ends, others] = scene.chart.panels[0].worse_in_words();
    // Each map has its own colours.
    let numbers = match &maps[..] {
        [map] => {
            let order = |a: &&Tile, b: &&Tile| a.mark.y.value.total_cmp(&b.mark.y.value);
            let tiles = || map.tiles.iter();
            let ends = [tiles().max_by(order), tiles().min_by(order)];
            let ends = ends.into_iter().flatten().map(|it| &*it.mean);
            format!(" ({})", ends.collect::<Vec<_>>().join(" to "))
        }
        _ => String::new(),
    };
    let contends = format!("not significantly {others} than the best (95 %)");
    let mut entries = vec![
        LegendEntry::new(Sample::Ramp, format!("{shown}, from {ends}{numbers}")),
        LegendEntry::new(Sample::Frame(BEST_FRAME), format!("least {shown}")),
        LegendEntry::new(Sample::Frame(CONTENDER_FRAME), contends),
    ];
    let page = FigureSize::of(&scene.chart.choices);
    let across = page.width - 2 * MARGIN - AXIS_ROOM;
    if !maps.iter().all(|it| it.has_room(across, page.least_text)) {
        entries.push(LegendEntry::new(Sample::None, "numbers: in the table"));
    }
    let upwards = axis_title(axes(scene.chart)[1]);
    if maps
        .iter()
        .any(|it| it.upright_title(scene.chart) != upwards)
    {
        entries.push(LegendEntry::new(Sample::None, upwards));
    }
    entries
}
