//! The mean absorption time over ε and η at once.

use crate::analysis::mean::{Estimate, Interval};
use crate::analysis::optimum::{Contest, SweepMean};
use crate::analysis::summary::{PointSummary, Quantity, Summary};
use crate::report::canvas::{Anchor, Canvas, Lettering, Page};
use crate::report::chart::axis_title;
use crate::report::foresight::{Foreseen, differ_along};
use crate::report::frame::{self, of_points, quantities};
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample};
use crate::report::number::short;
use crate::report::panel::{Frame, Mark, fitting};
use crate::report::series::in_words;
use crate::report::sheet::{Part, Sheet, sentences};
use crate::report::style::{
    AXIS_ROOM, AXIS_TITLE_SIZE, BESIDE_TITLE, BEST_FRAME, CONTENDER_FRAME, FOOT_ROOM, INK,
    LABEL_GAP, MARGIN, PAPER, TICK_SIZE, TILE_HEIGHT, UNDER_LABEL, UNDER_TITLE, ramp,
};
use crate::report::tips::{self, Place};
use crate::report::{Drawing, Figure, Input, NothingToDraw};
use crate::results::PointTrials;
use crate::solver::Point;

/// A map of the mean absorption time, one column per ε and one row per η, for each rule and n; the
/// joint optimum marked.
pub struct EpsilonEta;

impl Figure for EpsilonEta {
    fn kind(&self) -> &'static str {
        "epsilon-eta"
    }

    fn doc(&self) -> &'static str {
        "map of the mean absorption time over ε and η, the joint optimum marked"
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let both = || {
            let points = plan.trials();
            points.filter(|it| VARYING.iter().all(|axis| it.real(axis).is_some()))
        };
        let differ = VARYING.map(|axis| differ_along(both(), axis, &VARYING));
        self.needs(differ == [true; 2], NO_MAP)
    }

    fn frames(&self, plan: &Foreseen) -> (Vec<i32>, bool, usize) {
        let points = plan.trials().filter(|it| it.real("eta").is_some());
        let mut maps: Vec<(&Point, Vec<f64>)> = Vec::new();
        for point in points {
            let eta = point.real("eta");
            match maps
                .iter_mut()
                .find(|it| it.0.is_same_apart(point, &VARYING))
            {
                Some((_, etas)) => etas.extend(eta),
                None => maps.push((point, eta.into_iter().collect())),
            }
        }
        let rows = maps
            .into_iter()
            .map(|(_, etas)| distinct(etas.into_iter()).len());
        let heights = rows.map(|rows| TILE_HEIGHT * rows as i32 + FOOT_ROOM);
        (heights.collect(), true, 3)
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let mut maps = maps(input.trials);
        let mut rows = 0;
        for tile in maps.iter_mut().flat_map(|map| &mut map.tiles) {
            tile.table_row = rows;
            rows += tile.point.summaries().len();
        }
        if maps.is_empty() {
            return Err(self.nothing(NO_MAP));
        }
        let words: Vec<String> = maps.iter().map(Map::in_words).collect();
        let tiles = maps.iter().flat_map(|map| &map.tiles);
        let rows = quantities(tiles.map(|tile| &tile.point));
        let mut frame = of_points(&rows).frame;
        maps.iter().for_each(|map| map.push_contenders(&mut frame));
        let mut table = frame.table();
        table.note_sentences(&words);
        let is_labelled = maps.len() > 1;
        let sheet = Sheet {
            title: "Mean absorption time over ε and η".to_owned(),
            findings: words.clone(),
            left_out: LeftOut::but(
                maps.iter()
                    .flat_map(|map| &map.tiles)
                    .map(|tile| &tile.point.point),
            ),
            caption: sentences([
                "Mean absorption time in updates over ε (columns) and η (rows), dark where it is long; small: half width of its 95 % interval; thick frame: the least, thin frames: not surely worse (95 %)",
                if has_bounds(&maps) {
                    "≥: a lower bound, where trials were cut off"
                } else {
                    ""
                },
            ]),
            parts: maps.iter().map(|map| map.part(is_labelled)).collect(),
            legend: legend(&maps, &Page::of(input.choices)),
            table,
        };
        Ok(sheet.draw(input))
    }
}

fn has_bounds(maps: &[Map]) -> bool {
    let mut tiles = maps.iter().flat_map(|map| &map.tiles);
    tiles.any(|tile| tile.time.is_lower_bound())
}

/// Why there is nothing to draw.
const NO_MAP: &str = "no points with one n differ in both ε and η";

/// All points of one rule and n.
struct Map {
    label: String,
    /// Columns and rows, increasing.
    epsilons: Vec<f64>,
    etas: Vec<f64>,
    tiles: Vec<Tile>,
    /// Index of the tile of least mean.
    best: Option<usize>,
}

struct Tile {
    point: PointSummary,
    column: usize,
    row: usize,
    time: Summary,
    /// Perhaps the best: the best itself, and what is not surely worse.
    contends: bool,
    /// Of its times.
    table_row: usize,
}

/// The axes of a map.
const VARYING: [&str; 2] = ["epsilon", "eta"];

fn maps(trials: &[PointTrials]) -> Vec<Map> {
    let has_both =
        |point: &&PointTrials| VARYING.iter().all(|axis| point.point.real(axis).is_some());
    let mut points: Vec<PointSummary> = trials
        .iter()
        .filter(has_both)
        .filter_map(PointSummary::of)
        .collect();
    points.sort_by(|a, b| {
        let apart = a.point.order_apart(&b.point, &VARYING);
        apart.then_with(|| a.point.order(&b.point))
    });
    let share_map = |a: &PointSummary, b: &PointSummary| a.point.is_same_apart(&b.point, &VARYING);
    points.chunk_by(share_map).filter_map(Map::of).collect()
}

impl Map {
    /// `None` unless both parameters vary.
    fn of(points: &[PointSummary]) -> Option<Self> {
        let epsilons = distinct(
            points
                .iter()
                .filter_map(|point| point.point.real("epsilon")),
        );
        let etas = distinct(points.iter().filter_map(|point| point.point.real("eta")));
        if epsilons.len() < 2 || etas.len() < 2 {
            return None;
        }
        let tile = |point: &PointSummary| {
            let [epsilon, eta] = VARYING.map(|axis| point.point.real(axis));
            let time = point
                .quantity(Quantity::AbsorptionTime)
                .filter(|time| time.mean.value > 0.0)?
                .clone();
            let place = |values: &[f64], value: Option<f64>| {
                values.iter().position(|&known| Some(known) == value)
            };
            let (column, row) = (place(&epsilons, epsilon)?, place(&etas, eta)?);
            Some(Tile {
                point: point.clone(),
                column,
                row,
                time,
                contends: false,
                table_row: 0,
            })
        };
        let mut tiles: Vec<Tile> = points.iter().filter_map(tile).collect();
        let mean = |tile: &Tile| SweepMean {
            x: tile.column as f64,
            mean: tile.time.mean,
            is_lower_bound: tile.time.is_lower_bound(),
        };
        let contest = Contest::of(&tiles.iter().map(mean).collect::<Vec<_>>());
        for (tile, &worse) in tiles
            .iter_mut()
            .zip(contest.iter().flat_map(|contest| &contest.worse))
        {
            tile.contends = !worse;
        }
        Some(Self {
            label: in_words(&points[0].point, &VARYING),
            best: contest.map(|contest| contest.best),
            epsilons,
            etas,
            tiles,
        })
    }

    fn in_words(&self) -> String {
        let label = &self.label;
        let widest = self
            .tiles
            .iter()
            .filter_map(Tile::half_width)
            .fold(0.0, f64::max);
        let error = format!("the widest interval is ± {} %", short(widest, 2));
        let Some(best) = self.best.map(|index| &self.tiles[index]) else {
            return format!("{label}: {error}");
        };
        let contenders: Vec<&Tile> = self.tiles.iter().filter(|tile| tile.contends).collect();
        let range = |values: &[f64], index: fn(&Tile) -> usize| {
            let indices = || contenders.iter().map(|tile| index(tile));
            let (low, high) = (
                indices().min().unwrap_or_default(),
                indices().max().unwrap_or_default(),
            );
            let (low, high) = (short(values[low], 3), short(values[high], 3));
            if low == high {
                format!("= {low}")
            } else {
                format!("from {low} to {high}")
            }
        };
        let least = format!(
            "ε = {}, η = {}",
            short(self.epsilons[best.column], 3),
            short(self.etas[best.row], 3)
        );
        format!(
            "{label}: least mean time {} at {least}; {} of {} tiles may be the best (95 % confidence), with ε {} and η {}; {error}",
            best.mean_in_words(),
            contenders.len(),
            self.tiles.len(),
            range(&self.epsilons, |tile| tile.column),
            range(&self.etas, |tile| tile.row),
        )
    }

    /// What its tiles share.
    fn shared(&self) -> Option<(&Point, [String; 2])> {
        let key = &self.tiles.first()?.point.point;
        Some((key, VARYING.map(str::to_owned)))
    }

    /// How many tiles may be the best.
    fn push_contenders(&self, frame: &mut frame::Frame) {
        if let (Some(_), Some((key, apart))) = (self.best, self.shared()) {
            let value = self.tiles.iter().filter(|tile| tile.contends).count() as f64;
            let interval = Interval::exactly(value);
            let number = Estimate { value, interval };
            frame.push_fit((key, &apart), "tiles_that_may_be_best", number);
        }
    }

    /// Least and greatest ln mean of the tiles.
    fn extent(&self) -> (f64, f64) {
        let logs = self
            .tiles
            .iter()
            .map(|tile| libm::log(tile.time.mean.value));
        logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), log| {
            (low.min(log), high.max(log))
        })
    }
}

impl Tile {
    fn mean_in_words(&self) -> String {
        format!(
            "{}{}",
            if self.time.is_lower_bound() {
                "≥ "
            } else {
                ""
            },
            short(self.time.mean.value, 3)
        )
    }

    /// Of the interval of the mean on the logarithmic scale, in per cent of the mean.
    fn half_width(&self) -> Option<f64> {
        let interval = self.time.interval;
        let half = 100.0 * ((interval.high / interval.low).sqrt() - 1.0);
        half.is_finite().then_some(half)
    }
}

/// Sorted, each once.
fn distinct(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

fn legend(maps: &[Map], page: &Page) -> Vec<Entry> {
    let mut entries = vec![
        Entry::new(Sample::Ramp, "mean time, from long to short"),
        Entry::new(Sample::Frame(BEST_FRAME), "least mean time"),
        Entry::new(Sample::Frame(CONTENDER_FRAME), "not surely worse (95 %)"),
    ];
    let across = page.width - 2 * MARGIN - AXIS_ROOM;
    if !maps.iter().all(|map| map.has_room_for_numbers(across)) {
        entries.push(Entry::new(Sample::None, "numbers: in the table"));
    }
    if maps.iter().any(|map| map.eta_title() != axis_title("eta")) {
        entries.push(Entry::new(Sample::None, axis_title("eta")));
    }
    entries
}

impl Map {
    /// Whether every mean fits into its tile, of a map so wide, reckoning 0.6 of the size per sign.
    fn has_room_for_numbers(&self, across: i32) -> bool {
        let tile = f64::from(across) / self.epsilons.len() as f64;
        let signs = self
            .tiles
            .iter()
            .map(|it| it.mean_in_words().chars().count());
        let widest = signs.max().unwrap_or_default();
        0.6 * f64::from(TICK_SIZE) * widest as f64 <= tile
    }

    /// As much of the title as fits beside the rows.
    fn eta_title(&self) -> &'static str {
        fitting(
            axis_title("eta"),
            TILE_HEIGHT * self.etas.len() as i32 + LABEL_GAP,
        )
    }

    fn part(&self, is_labelled: bool) -> Part<'_> {
        Part {
            above: if is_labelled { LABEL_GAP } else { 0 },
            height: TILE_HEIGHT * self.etas.len() as i32,
            below: FOOT_ROOM,
            ..Part::of(move |canvas, frame| {
                if is_labelled {
                    let lettering = Lettering {
                        size: AXIS_TITLE_SIZE,
                        ..Lettering::default()
                    };
                    let spot = (frame.left, frame.top - LABEL_GAP / 2);
                    canvas.text(&self.label, spot, lettering);
                }
                paint_map(canvas, self, frame);
            })
        }
    }
}

/// The tiles with their axes, from the lowest row upwards.
fn paint_map(canvas: &Canvas, map: &Map, frame: Frame) {
    let Frame {
        left,
        right,
        bottom,
        ..
    } = frame;
    let edge = |column: usize| left + (right - left) * column as i32 / map.epsilons.len() as i32;
    let (low, high) = map.extent();
    let height = (bottom - frame.top) / map.etas.len() as i32;
    let box_of = |tile: &Tile| {
        let floor = bottom - height * tile.row as i32;
        (
            (edge(tile.column), floor - height),
            (edge(tile.column + 1), floor),
        )
    };
    for tile in &map.tiles {
        let ((x0, y0), (x1, y1)) = box_of(tile);
        let share = if high > low {
            (high - libm::log(tile.time.mean.value)) / (high - low)
        } else {
            1.0
        };
        canvas.rectangle((x0, y0), (x1, y1), ramp(share).into());
        let colour = if share < 0.5 { PAPER } else { INK };
        let lettering = |size: i32| Lettering {
            size,
            anchor: Anchor::Centre,
            colour,
            ..Lettering::default()
        };
        let (x, y) = ((x0 + x1) / 2, (y0 + y1) / 2);
        if !map.has_room_for_numbers(right - left) {
            continue;
        }
        canvas.text(&tile.mean_in_words(), (x, y - 20), lettering(TICK_SIZE));
        if let Some(half) = tile.half_width() {
            canvas.text(
                &format!("± {} %", short(half, 2)),
                (x, y + 26),
                lettering(TICK_SIZE * 4 / 5),
            );
        }
    }
    for tile in &map.tiles {
        let (corner, opposite) = box_of(tile);
        let eta = short(map.etas[tile.row], 6);
        let (y, interval) = (tile.time.mean.value, tile.time.interval);
        canvas.point(tips::Point {
            place: Place::Tile(corner, opposite),
            mark: Mark {
                is_lower_bound: tile.time.is_lower_bound(),
                row: Some(tile.table_row),
                ..Mark::with_interval(map.epsilons[tile.column], y, interval)
            },
            curve: format!("{}, η = {eta}", map.label),
            plot: String::new(),
            titles: (
                axis_title("epsilon").to_owned(),
                "mean absorption time (updates)".to_owned(),
            ),
        });
    }
    for tile in map.tiles.iter().filter(|tile| tile.contends) {
        canvas.frame(box_of(tile), INK, CONTENDER_FRAME);
    }
    if let Some(best) = map.best {
        canvas.frame(box_of(&map.tiles[best]), INK, BEST_FRAME);
    }
    paint_axes(canvas, map, (bottom, height), edge);
}

fn paint_axes(canvas: &Canvas, map: &Map, (bottom, tile): (i32, i32), edge: impl Fn(usize) -> i32) {
    let lettering = |size: i32, anchor: Anchor| Lettering {
        size,
        anchor,
        ..Lettering::default()
    };
    for (column, &epsilon) in map.epsilons.iter().enumerate() {
        canvas.text(
            &short(epsilon, 3),
            ((edge(column) + edge(column + 1)) / 2, bottom + UNDER_LABEL),
            lettering(TICK_SIZE, Anchor::Centre),
        );
    }
    for (row, &eta) in map.etas.iter().enumerate() {
        let middle = bottom - tile * row as i32 - tile / 2;
        canvas.text(
            &short(eta, 3),
            (edge(0) - 18, middle),
            lettering(TICK_SIZE, Anchor::Right),
        );
    }
    let centre = (edge(0) + edge(map.epsilons.len())) / 2;
    canvas.text(
        axis_title("epsilon"),
        (centre, bottom + UNDER_TITLE),
        lettering(AXIS_TITLE_SIZE, Anchor::Centre),
    );
    let middle = bottom - tile * map.etas.len() as i32 / 2;
    let upwards = Lettering {
        upwards: true,
        ..lettering(AXIS_TITLE_SIZE, Anchor::Centre)
    };
    canvas.text(map.eta_title(), (edge(0) - BESIDE_TITLE, middle), upwards);
}
