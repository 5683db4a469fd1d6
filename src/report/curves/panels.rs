//! The panels of a figure: which facets and measures have one, and their axes. Only here is asked
//! whether an axis is logarithmic. The defaults of `x_scale` and `y_scale`, the order of facets and
//! measures, whether panels share an axis, and the label above a panel are decided here.

use itertools::Itertools;

use crate::report::axes::scale::{Span, are_far_apart, extent};
use crate::report::curves::Curves;
use crate::report::curves::layers::Layers;
use crate::report::figure::Panel;
use crate::report::keys::MarkShape;
use crate::report::marks::Curve;
use crate::report::measures::measure::ShownMeasure;
use crate::report::out::sheet::{Grid, Plot};

/// The margin above what a panel shows, in lengths of its axis.
const ABOVE: f64 = 0.05;

/// A panel before it has a place on the page.
struct Cell {
    /// The index of its facet.
    facet: usize,
    /// The index of what it shows among the panels of the figure.
    panel: usize,
    layers: Layers,
    y: Span,
}

impl Cell {
    /// What the upright axis has to hold of these layers.
    fn heights(layers: &Layers) -> Vec<f64> {
        layers.iter().flat_map(|layer| layer.heights()).collect()
    }
}

/// The facets, each with its measures, or maps; none where nothing can stand on the axes.
pub fn panels(curves: &Curves) -> Grid {
    let figure = curves.figure;
    if figure.spec.mark == MarkShape::Tile {
        return curves.maps();
    }
    let mut facets: Vec<Option<String>> = curves.facets().into_iter().map(Some).collect();
    let has_facets = facets.len() > 1;
    if facets.is_empty() {
        facets.push(None);
    }
    let is_alone = figure.panels.len() == 1;
    let mut grid = Grid {
        shares_y: has_facets && is_alone,
        ..Grid::default()
    };

    let mut cells: Vec<Cell> = Vec::new();
    for panel in 0..figure.panels.len() {
        cells.extend(curves.cells(panel, &facets, &mut grid.marks));
    }
    // Stable: the measures of a facet beside each other.
    cells.sort_by_key(|cell| cell.facet);
    let layers = cells.iter().flat_map(|cell| &cell.layers);
    let values = layers.flat_map(|layer| layer.across()).collect();
    let Some(x) = curves.across(values) else {
        return grid;
    };

    let mut last_facet = None;
    for cell in cells {
        let facet = cell.facet;
        let plot = curves.plot(cell, &facets[facet], x.clone());
        let is_beside = has_facets && (is_alone || last_facet == Some(facet));
        last_facet = Some(facet);
        match grid.blocks.last_mut().filter(|_| is_beside) {
            Some(block) => block.push(plot),
            None => grid.blocks.push(vec![plot]),
        }
    }
    grid
}

impl Curves<'_> {
    /// A panel of the figure in each facet where it has a mark; the rows of all its marks are added
    /// to `marks`, each with whether the range of its upright axis holds it.
    fn cells(
        &self,
        index: usize,
        facets: &[Option<String>],
        marks: &mut Vec<(usize, bool)>,
    ) -> Vec<Cell> {
        let panel = &self.figure.panels[index];
        let mut shown = self.of_panel(panel);
        let is_logarithmic = self.is_logarithmic(panel, &shown);
        // Bars beyond the axis are drawn as far as the frame.
        let are_bars = self.figure.spec.mark == MarkShape::Bars;
        for curve in &mut shown {
            for mark in &curve.marks {
                marks.push((mark.row, are_bars || panel.holds(false, mark.y.value)));
            }
            if !are_bars {
                curve.hold(panel, is_logarithmic, self.figure.across.is_some());
            }
        }

        let mut layers: Vec<(usize, Layers)> = Vec::new();
        for (place, facet) in facets.iter().enumerate() {
            let is_here =
                |curve: &mut Curve| facet.is_none() || self.groups[curve.group].facet == *facet;
            let curves: Vec<Curve> = shown.extract_if(.., is_here).collect();
            let of_facet = self.layers(index, curves, is_logarithmic);
            layers.extend(of_facet.map(|layers| (place, layers)));
        }
        let of_all_facets = layers.iter().flat_map(|(_, layers)| Cell::heights(layers));
        let of_all_facets: Vec<f64> = of_all_facets.collect();
        let shares_y = self.figure.panels.len() == 1;
        let cells = layers.into_iter().filter_map(|(facet, layers)| {
            let heights = match shares_y {
                true => of_all_facets.clone(),
                false => Cell::heights(&layers),
            };
            let y = self.upwards(panel, is_logarithmic, heights)?;
            Some(Cell {
                facet,
                panel: index,
                layers,
                y,
            })
        });
        cells.collect()
    }

    /// A panel of this facet, with this axis across.
    fn plot(&self, cell: Cell, facet: &Option<String>, x: Span) -> Plot {
        let figure = self.figure;
        let panel = &figure.panels[cell.panel];
        let height = if figure.panels.len() == 1 { 1000 } else { 640 };
        Plot {
            label: self.label(facet, panel),
            titles: [figure.x_title().to_owned(), panel.title.clone()],
            height: panel.spec.height.unwrap_or(height),
            layers: cell.layers,
            x,
            y: cell.y,
            intervals: figure.intervals(),
        }
    }

    pub fn is_logarithmic(&self, panel: &Panel, shown: &[Curve]) -> bool {
        let mut columns = panel.columns.iter();
        let is_share = columns.all(ShownMeasure::is_share_of_trials);
        let wanted = panel.spec.is_logarithmic.or(is_share.then_some(false));
        wanted.unwrap_or_else(|| {
            let mut marks = shown.iter().flat_map(|curve| &curve.marks);
            let has_zero = panel.spec.y_range.is_some_and(|y_range| y_range.0 <= 0.0);
            !has_zero && marks.all(|mark| mark.y.value > 0.0 && mark.y.low >= 0.0)
        })
    }

    /// An upright axis that holds these heights; `None` where nothing can stand on it.
    fn upwards(&self, panel: &Panel, is_logarithmic: bool, heights: Vec<f64>) -> Option<Span> {
        if let Some((low, high)) = panel.spec.y_range {
            return Span::between(low, high, is_logarithmic);
        }
        let up = if is_logarithmic {
            Span::logarithmic(heights)?
        } else {
            Span::with_zero(heights)
        };
        // Room for the strips that show the best ε.
        let below = if self.figure.spec.marks_best {
            0.08
        } else {
            0.0
        };
        let up = up.with_room(below, ABOVE);
        let are_shares = panel.columns.iter().all(|column| column.is_share);
        Some(if are_shares { up.up_to(1.0) } else { up })
    }

    fn label(&self, facet: &Option<String>, panel: &Panel) -> String {
        let others = self.figure.panels.len() > 1 || facet.is_none();
        let label = Some(&panel.label).filter(|label| others && !label.is_empty());
        facet.iter().chain(label).join(", ")
    }

    /// True if all values across are whole numbers.
    fn has_whole_x(&self) -> bool {
        let x = self.figure.x();
        let mut rows = self.groups.iter().flat_map(|group| &group.rows);
        rows.all(|&row| match &self.figure.across {
            Some(_) => self.table.count(row, &self.figure.spec.x).is_some(),
            None => self.figure.derived.is_none() && self.table.keys[row].integer(x).is_some(),
        })
    }

    /// True if the axis across is logarithmic: where the figure says so, else where all its values
    /// are above 0; of whole numbers only where they are far apart.
    pub fn x_is_logarithmic(&self, values: impl Iterator<Item = f64>) -> bool {
        if let Some(is_logarithmic) = self.figure.spec.x_is_logarithmic {
            return is_logarithmic;
        }
        let (low, high) = self.figure.spec.x_range.unwrap_or_else(|| extent(values));
        if self.has_whole_x() {
            are_far_apart(low, high)
        } else {
            low > 0.0
        }
    }

    /// The axis of these values; `None` without any.
    fn across(&self, values: Vec<f64>) -> Option<Span> {
        let is_logarithmic = self.x_is_logarithmic(values.iter().copied());
        if let Some((low, high)) = self.figure.spec.x_range {
            return Span::between(low, high, is_logarithmic);
        }
        let given = self.figure.spec.x_is_logarithmic;
        let has_plain_labels = given.is_none() || self.figure.x() == "n";
        match (self.has_whole_x(), given) {
            _ if values.is_empty() => None,
            (true, _) if !is_logarithmic => Some(Span::integers(values)),
            (true, _) if has_plain_labels => Span::plain_logarithmic(values),
            // A time begins at 0.
            (false, Some(false)) if self.figure.across.is_some() => Some(Span::with_zero(values)),
            _ if is_logarithmic => Span::logarithmic(values),
            _ => Some(Span::linear(values)),
        }
    }
}
