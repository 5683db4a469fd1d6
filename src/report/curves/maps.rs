//! Maps: a measure over two axes, a tile a point, and which of its tiles may be the least. Which
//! tiles are compared (never those of different n), and the row `tiles_that_may_be_best`, are here;
//! how a tile looks is in `marks/tile.rs`, which may be the least in `analysis/optimum.rs`.

use itertools::Itertools;

use crate::analysis::estimate::Estimate;
use crate::analysis::optimum::Contest;
use crate::report::axes::scale::Span;
use crate::report::curves::{Curves, Group};
use crate::report::marks::Tiles;
use crate::report::marks::mark::Mark;
use crate::report::out::sheet::{Grid, Plot};
use crate::report::table::Table;
use crate::report::words::points::grouped;
use crate::solver::{Value, symbol};
use crate::theme::TILE_HEIGHT;

/// A point of a map: its mark, and its value on the axis upwards.
type Place = (Mark, f64);

/// Boards and products of several sizes are never compared.
const SIZES: [&str; 2] = ["n", "product"];

impl Curves<'_> {
    fn places(&self, group: &Group) -> Vec<Place> {
        let shown = &self.figure.panels[0].columns[0];
        let marks = self.marks(&group.rows, &shown.column).into_iter();
        let up = |mark: Mark| Some((mark, self.figure.upwards_of(&self.table.keys[mark.row])?));
        marks.filter_map(up).collect()
    }

    /// The axis by whose values the tiles are compared each for itself.
    fn size(&self) -> Option<&str> {
        let mut axes = self.figure.axes.iter().copied();
        axes.find(|axis| SIZES.contains(axis))
    }

    /// The tiles that are compared with each other, by their indices; none where the least may be a
    /// bound.
    fn contests(&self, places: &[Place]) -> Vec<(Vec<usize>, Contest)> {
        let size = |&index: &usize| {
            let key = &self.table.keys[places[index].0.row];
            key.axes
                .get(self.size()?)
                .map(|value| value.number().to_bits())
        };
        let contest = |indices: Vec<usize>| {
            let numbers = indices.iter().map(|&index| {
                let Mark { y, trials, .. } = places[index].0;
                y.with_error_of_interval(trials.map_or(0, |counts| counts[0]))
            });
            let numbers: Vec<Estimate> = numbers.collect();
            let mut contest = Contest::of(&numbers).filter(|_| numbers.len() > 1)?;
            // A bound without an error is larger where it is beyond the interval of the least.
            let beyond = numbers[contest.best].high;
            for (number, is_worse) in numbers.iter().zip(&mut contest.worse) {
                *is_worse |= number.is_bound && number.low > beyond;
            }
            let mut rivals = numbers
                .iter()
                .zip(&contest.worse)
                .filter(|(_, is_worse)| !**is_worse);
            rivals
                .all(|rival| !rival.0.is_bound)
                .then_some((indices, contest))
        };
        let rivals = grouped(0..places.len(), size).into_iter();
        rivals.filter_map(contest).collect()
    }

    /// Rows of how many tiles may be the least.
    pub fn push_contests(&self, table: &mut Table) {
        for group in &self.groups {
            let places = self.places(group);
            for (indices, contest) in self.contests(&places) {
                let contenders = contest.worse.iter().filter(|is_worse| !**is_worse).count();
                let number = Estimate::exactly(contenders as f64);
                let axes = group.varying.iter();
                let apart = axes.filter(|axis| Some(&***axis) != self.size()).cloned();
                let key = &self.table.keys[places[indices[0]].0.row];
                table.push_fit(
                    (key, &apart.collect_vec()),
                    "tiles_that_may_be_best",
                    number,
                );
            }
        }
    }

    /// A map of each group.
    pub fn maps(&self) -> Grid {
        let figure = self.figure;
        let panel = &self.figure.panels[0];
        let upwards = figure.spec.upwards.as_deref().unwrap_or_default();
        let titles = [figure.x(), upwards].map(|axis| figure.axis_title(axis).to_owned());
        let maps = self.groups.iter().map(|group| (group, self.places(group)));
        let maps: Vec<_> = maps.filter(|(_, places)| !places.is_empty()).collect();
        let is_alone = maps.len() == 1;
        let each = self
            .size()
            .map_or_else(String::new, |axis| format!(" of each {}", symbol(axis)));
        let plot = |(group, places): (&Group, Vec<Place>)| {
            let contests = self.contests(&places);
            let digits = &self.table.digits;
            let label = |up| {
                let value = digits.value_in_words(upwards, Value::Real(up));
                format!("{}, {} = {value}", group.label, symbol(upwards))
            };
            let named = places.into_iter().map(|(mark, up)| (mark, up, label(up)));
            let tiles = Tiles::of(named.collect(), panel, &contests, (is_alone, each.clone()));
            let [across, upwards] = tiles.steps();
            let label = Some(&group.label).filter(|_| !is_alone);
            Plot {
                label: label.cloned().unwrap_or_default(),
                titles: titles.clone(),
                height: TILE_HEIGHT * upwards.len() as i32,
                layers: vec![Box::new(tiles)],
                x: Span::categories(across),
                y: Span::categories(upwards),
                intervals: "",
            }
        };
        Grid {
            blocks: maps.into_iter().map(|map| vec![plot(map)]).collect(),
            ..Grid::default()
        }
    }
}
