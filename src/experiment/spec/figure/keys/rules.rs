//! Keys that need others, exclude them, or are without effect.

use super::super::{
    By, COLUMNS_TABLE, Choices, FigureKinds, Formula, MarkShape, PanelChoice, Statistic,
};
use crate::experiment::spec::Refused;
use crate::experiment::spec::tree::SpecTable;

/// The measure that the best is marked of.
const TIME: &str = "absorption_time";
/// The table of means over two axes.
const MAP: &str = "map";

/// A figure with its keys, those of its kind included.
struct FigureKeys<'a> {
    /// The figure's own keys.
    own: &'a SpecTable<'a>,
    choices: &'a Choices,
    kinds: &'a FigureKinds,
}

/// A key, when it is refused, and what it is told then.
type Rule = (&'static str, fn(&FigureKeys) -> bool, &'static str);

const RULES: &[Rule] = &[
    (
        "fit_from",
        |it| !it.has_fit(),
        "expected fit_from together with fit",
    ),
    (
        "right_axis",
        |it| it.has_density_of_another(),
        "1/d is of n; expected right_axis with x = \"n\"",
    ),
    (
        "x",
        // That of the kind: the figure's own is told of itself.
        |it| it.has_density_of_another() && it.own.get("right_axis").is_none(),
        "the kind has 1/d, which is of n, on the right; expected x = \"n\", or the kind curve",
    ),
    (
        "facet",
        |it| it.choices.facet.as_ref() == Some(&it.choices.x),
        "that axis stands across; expected another one",
    ),
    (
        "mark_best",
        |it| it.choices.marks_best && !it.panels(|panel| panel.measures[0] == TIME),
        "it marks the least mean time; expected mark_best with the measure absorption_time",
    ),
    (
        "mark_best",
        |it| it.choices.marks_best && it.choices.over.is_some(),
        "it marks the least mean time, and over draws ratios; expected one of both",
    ),
    (
        "mark_best",
        |it| !it.is_of_means(),
        "it is of means; expected a figure without statistic",
    ),
    (
        "fit",
        |it| it.has_fit() && !it.is_of_means(),
        "it is of means; expected a figure without statistic",
    ),
    (
        "y",
        |it| it.is_of_columns() && !it.is_of_means() && it.has_no_such_statistic(),
        "a quotient of columns is one of means; expected columns alone with this statistic",
    ),
    (
        "y",
        |it| it.has_several_maps(),
        "a map shows one measure; expected one, and a figure for each other one",
    ),
    (
        "table",
        |it| it.has_several_maps() && it.own.get("y").is_none(),
        "a map shows one measure, and the kind's y has several; expected y with one of them",
    ),
    (
        "table",
        |it| !it.is_of_columns() && it.has_unknown_measure(),
        "it has no measure of the kind's y; expected y together with table",
    ),
    (
        "statistic",
        |it| !it.is_of_columns(),
        "it is of columns; expected it with the table columns, which the kind curve has",
    ),
    (
        "mark",
        |it| it.has_mark_of_another_table(),
        "tile is the mark of the table map, which has no other one; expected one of line, points, dots, band with other tables",
    ),
    (
        "mark",
        |it| it.choices.mark == MarkShape::Bars && it.choices.table != "distribution",
        "bars are shares of trials; expected bars with the table distribution, or one of line, points, dots, band",
    ),
    (
        "y_range",
        |it| it.panels(has_no_end),
        "a logarithmic axis has no place for 0; expected a low end above 0",
    ),
    (
        "share_y",
        |it| it.choices.facet.is_none(),
        "expected share_y together with facet",
    ),
    (
        "room",
        |it| !it.panels(|panel| panel.y_range.is_none()),
        "y_range says where the axis ends; expected one of both",
    ),
];

/// True of a logarithmic axis down to 0.
fn has_no_end(panel: &PanelChoice) -> bool {
    panel.is_logarithmic == Some(true) && panel.y_range.is_some_and(|it| it.0 <= 0.0)
}

impl FigureKeys<'_> {
    /// True if one of the panels is so.
    fn panels(&self, is_so: impl Fn(&PanelChoice) -> bool) -> bool {
        self.choices.y.iter().any(is_so)
    }

    fn has_measure(&self, is_so: impl Fn(&String) -> bool) -> bool {
        self.panels(|panel| panel.measures.iter().any(&is_so))
    }

    fn has_fit(&self) -> bool {
        self.panels(|panel| panel.fit.is_some())
    }

    fn is_of_columns(&self) -> bool {
        self.choices.table == COLUMNS_TABLE
    }

    fn is_of_means(&self) -> bool {
        self.choices.statistic == Statistic::Mean
    }

    fn has_density_of_another(&self) -> bool {
        self.choices.has_density && self.choices.x != "n"
    }

    /// True if the statistic is not one of a measure's quotient.
    fn has_no_such_statistic(&self) -> bool {
        let statistic = self.choices.statistic;
        self.has_measure(|measure| match Formula::of(measure).by {
            By::Column(_) => true,
            By::Axes(_) => statistic == Statistic::Share,
            By::One => false,
        })
    }

    fn has_unknown_measure(&self) -> bool {
        let known = self.kinds.measures(&self.choices.table);
        self.has_measure(|measure| !known.contains(&&**measure))
    }

    /// True if a map would have to show several measures.
    fn has_several_maps(&self) -> bool {
        let measures = self.choices.y.iter().map(|panel| panel.measures.len());
        self.choices.table == MAP && measures.sum::<usize>() > 1
    }

    fn has_mark_of_another_table(&self) -> bool {
        (self.choices.table == MAP) != (self.choices.mark == MarkShape::Tile)
    }
}

/// Refuses keys of the figure's own table that need others, exclude them, or are without effect on
/// what it draws: the first of them in the file.
pub fn refuse_together(
    own: &SpecTable,
    choices: &Choices,
    kinds: &FigureKinds,
) -> Result<(), Refused> {
    let chosen = FigureKeys {
        own,
        choices,
        kinds,
    };
    let refused = RULES
        .iter()
        .filter(|(_, is_refused, _)| is_refused(&chosen));
    let errors = refused.filter_map(|(key, _, message)| Some(own.get(key)?.error(message)));
    let table = &*choices.table;
    let of_table = kinds.tables.iter().find(|it| it.table == table);
    let ignored = of_table.map_or(&[][..], |it| it.ignores).iter();
    let ignored = ignored.filter_map(|key| {
        let message = format!("without effect on a figure of the table {table}; expected no {key}");
        Some(own.get(key)?.error(&message))
    });
    let first = errors.chain(ignored).min_by_key(|error| error.line);
    first.map_or(Ok(()), Err)
}
