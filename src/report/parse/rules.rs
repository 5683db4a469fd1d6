//! Keys that need others, exclude them, or are without effect: checks of the finished figure, its
//! kind's values included.

use super::Reading;
use crate::analysis::formula::{DividedBy, Formula, Statistic};
use crate::experiment::spec::Refused;
use crate::report::chart::Chart;
use crate::report::figure::{COLUMNS_TABLE, Figure, MarkShape, PanelChoice};
use crate::report::figures::table_named;

/// The measure that the best is marked of.
const TIME: &str = "absorption_time";
/// The keys of a figure that are without effect on tiles.
const NOT_OF_TILES: &str = "facet fit fit_from group colour vary mark_best \
    right_axis rules compare names x_scale y_scale y_range y_title x_title height room";

/// The keys that break a rule, when they do, and what is told then at the first of them that stands
/// in the spec. A single key is broken by the spec alone: the kind's gives way.
type Rule = (&'static [&'static str], fn(&Figure) -> bool, &'static str);

macro_rules! rules {
    ($([$($key:literal),+] $is_broken:expr => $message:literal;)*) => {
        const RULES: &[Rule] = &[$((&[$($key),+], $is_broken, $message)),*];
    };
}

rules! {
    ["fit_from"] |it| !it.has(|panel| panel.fit.is_some())
        => "expected fit_from together with fit";
    ["right_axis", "x"] |it| it.has_density && it.x != "n"
        => "1/d on the right axis is of n; expected x = \"n\", or right_axis = \"none\"";
    ["facet", "x"] |it| it.facet.as_ref() == Some(&it.x)
        => "the axis of facet stands across; expected another facet or x";
    ["colour", "x"] |it| it.colour.as_ref().is_some_and(|key| Chart::of(it).axes.contains(&&**key))
        => "the points of a curve differ in the key of colour; expected another one";
    ["vary"] |it| it.vary.contains(&it.x)
        => "it names what stands across, which varies anyhow; expected other axes";
    ["mark_best"] |it| it.marks_best && !it.has(|panel| panel.measures[0] == TIME)
        => "it marks the least mean time; expected mark_best with the measure absorption_time";
    ["mark_best"] |it| it.marks_best && it.over.is_some()
        => "it marks the least mean time, and over draws ratios; expected one of both";
    ["mark_best"] |it| it.marks_best && !it.is_of_means()
        => "it is of means; expected a figure without statistic";
    ["fit", "statistic"]
        |it| it.is_of_columns() && it.has(|panel| panel.fit.is_some()) && !it.is_of_means()
        => "a fit is of means; expected a figure without statistic, or fit = \"none\"";
    ["y", "x", "statistic"]
        |it| it.is_of_columns() && !it.is_of_means() && it.has_no_such_statistic()
        => "a quotient of columns is one of means; expected columns alone with this statistic";
    ["over", "statistic"]
        |it| it.over.is_some() && matches!(it.statistic, Statistic::Quantile(_))
        => "over divides means; expected a figure without statistic";
    ["fill", "mark"] |it| it.is_map() && it.y.iter().flat_map(|it| &it.measures).count() > 1
        => "a map shows one measure; expected fill with one, and a figure for each other one";
    ["y", "x", "mark"] |it| it.is_map() && it.upwards.as_ref() == Some(&it.x)
        => "tiles stand over two axes; expected x and y = two of the sweeps";
    ["also"] |it| !it.is_of_columns()
        => "it is of columns; expected it with the table columns, which the kind curve has";
    ["statistic"] |it| !it.is_of_columns()
        => "it is of columns; expected it with the table columns, which the kind curve has";
    ["mark", "table"] |it| it.mark == MarkShape::Bars && it.table != "distribution"
        => "bars are shares of trials; expected mark = \"bars\" with the table distribution, or one of line, points, dots, band";
    ["fit", "over", "mark_best"]
        |it| it.has_column_across() && (it.over.is_some() || it.marks_best || it.has(|panel| panel.fit.is_some()))
        => "a column stands across; expected an axis as x";
    ["mark"] |it| it.has_column_across() && !matches!(it.mark, MarkShape::Points | MarkShape::Dots)
        => "a column stands across, in which points have no order; expected points or dots";
    ["statistic"] |it| it.draws_trials() && !it.is_of_means()
        => "each dot is a trial where a column stands across; expected no statistic, or mark = \"points\"";
    ["column", "bins", "x_range"] |it| it.table != "distribution"
        => "it is of the table distribution, which the kinds histogram and distribution have";
    ["column", "y"] |it| it.column.is_some() && it.y.iter().flat_map(|it| &it.measures).any(|it| it.contains("hit"))
        => "column says of what; expected y with absorbed, running or absorbed_in_bin";
    ["x_range", "x_scale"] |it| it.x_is_logarithmic == Some(true) && it.x_range.is_some_and(|it| it.0 <= 0.0)
        => "a logarithmic axis has no place for 0; expected x_range with a low end above 0";
    ["y_range", "y_scale", "y"] |it| it.has(has_no_end)
        => "a logarithmic axis has no place for 0; expected y_range with a low end above 0";
    ["room"] |it| !it.has(|panel| panel.y_range.is_none())
        => "y_range says where the axis ends; expected one of both";
}

/// True of a logarithmic axis down to 0.
fn has_no_end(panel: &PanelChoice) -> bool {
    panel.is_logarithmic == Some(true) && panel.y_range.is_some_and(|it| it.0 <= 0.0)
}

impl Figure {
    /// True if one of the panels is so.
    fn has(&self, is_so: impl Fn(&PanelChoice) -> bool) -> bool {
        self.y.iter().any(is_so)
    }

    fn is_of_columns(&self) -> bool {
        self.table == COLUMNS_TABLE
    }

    fn is_map(&self) -> bool {
        self.mark == MarkShape::Tile
    }

    fn is_of_means(&self) -> bool {
        self.statistic == Statistic::Mean
    }

    /// True if the statistic is not one of a measure's quotient.
    fn has_no_such_statistic(&self) -> bool {
        let measures = self.y.iter().flat_map(|panel| &panel.measures);
        let across = Some(&self.x).filter(|_| self.has_column_across());
        let mut measures = measures.chain(across);
        measures.any(|measure| match Formula::of(measure).by {
            DividedBy::Column(_) => true,
            DividedBy::Axes(_) => self.statistic == Statistic::Share,
            DividedBy::One => false,
        })
    }
}

impl Reading<'_> {
    /// Refuses what breaks a rule and keys without effect on what the table draws: the first of
    /// them in the file.
    pub fn check_rules(&self, figure: &Figure) -> Result<(), Refused> {
        let broken = RULES.iter().filter(|(_, is_broken, _)| is_broken(figure));
        let broken = broken.filter_map(|(keys, _, message)| {
            let place = keys.iter().find_map(|key| self.own.get(*key))?;
            Some((place, (*message).to_owned()))
        });
        let table = &figure.table;
        let ignored = table_named(table).map_or(&[][..], |it| it.ignores);
        let ignored = ignored.iter().copied();
        let ignored = ignored.map(|key| (key, format!("a figure of the table {table}")));
        let of_tiles = NOT_OF_TILES.split(' ').filter(|_| figure.is_map());
        let of_tiles = of_tiles.map(|key| (key, "tiles".to_owned()));
        let ignored = ignored.chain(of_tiles).filter_map(|(key, what)| {
            let message = format!("without effect on {what}; expected no {key}");
            Some((self.own.get(key)?, message))
        });
        let first = broken.chain(ignored).min_by_key(|it| it.0.start);
        first.map_or(Ok(()), |(place, message)| {
            Err(self.source.refuse(place.clone(), &message))
        })
    }
}
