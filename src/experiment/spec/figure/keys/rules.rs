//! Keys that need others, exclude them, or are without effect.

use super::super::{
    By, COLUMNS_TABLE, Choices, FigureKinds, Formula, Law, MarkShape, PanelChoice, Statistic,
};
use crate::experiment::spec::Refused;
use crate::experiment::spec::tree::SpecTable;

/// The measure that the best is marked of.
const TIME: &str = "absorption_time";

/// Refuses keys of the figure's own table that need others, exclude them, or are without effect on
/// what it draws: the first of them in the file.
pub fn refuse_together(
    own: &SpecTable,
    choices: &mut Choices,
    kinds: &FigureKinds,
) -> Result<(), Refused> {
    for panel in &mut choices.y {
        let fit = panel.fit.iter_mut();
        for fit in fit.filter(|fit| own.get("fit").is_some() || fit.law == Law::Power) {
            fit.from = fit.from.or(choices.fit_from);
        }
    }
    let choices = &*choices;
    let table = &*choices.table;
    let of_table = kinds.tables.iter().find(|it| it.table == table);
    let measures = || choices.y.iter().flat_map(|it| &it.measures);
    let is_of_columns = table == COLUMNS_TABLE;
    let shows_times = choices.y.iter().any(|it| it.measures[0] == TIME);
    let has_means = choices.statistic == Statistic::Mean;
    let has = |key: &str| own.get(key).is_some();
    let has_fit = choices.y.iter().any(|it| it.fit.is_some());
    let has_other = |measure: &String| match Formula::of(measure).by {
        By::Column(_) | By::Less(_) => true,
        By::Axes(_) => matches!(choices.statistic, Statistic::Share | Statistic::Variation),
        By::One => false,
    };
    let has_no_end = |panel: &PanelChoice| {
        panel.is_logarithmic == Some(true) && panel.y_range.is_some_and(|it| it.0 <= 0.0)
    };
    let of_its_own = match table {
        "map" => Some(MarkShape::Tile),
        "run-length" => Some(MarkShape::Survival),
        _ => None,
    };
    let is_special = [MarkShape::Tile, MarkShape::Survival].contains(&choices.mark);
    let is_unknown =
        |measure: &String| !is_of_columns && !kinds.measures(table).contains(&&**measure);
    let rules = [
        ("fit_from", !has_fit, "expected fit_from together with fit"),
        (
            "right_axis",
            choices.has_density && choices.x != "n",
            "1/d is of n; expected right_axis with x = \"n\"",
        ),
        (
            "x",
            // That of the kind: the figure's own is told of itself.
            choices.has_density && choices.x != "n" && !has("right_axis"),
            "the kind has 1/d, which is of n, on the right; expected x = \"n\", or the kind curve",
        ),
        (
            "facet",
            choices.facet.as_ref() == Some(&choices.x),
            "that axis stands across; expected another one",
        ),
        (
            "mark_best",
            choices.marks_best && !shows_times,
            "it marks the least mean time; expected mark_best with the measure absorption_time",
        ),
        (
            "mark_best",
            !has_means,
            "it is of means; expected a figure without statistic",
        ),
        (
            "fit",
            has_fit && !has_means,
            "it is of means; expected a figure without statistic",
        ),
        (
            "y",
            is_of_columns && !has_means && measures().any(has_other),
            "the quotient or difference of columns is one of means; expected columns alone with this statistic",
        ),
        (
            "table",
            measures().any(is_unknown),
            "it has no measure of the kind's y; expected y together with table",
        ),
        (
            "statistic",
            !is_of_columns,
            "it is of columns; expected it with the table columns, which the kind curve has",
        ),
        (
            "mark",
            of_its_own != is_special.then_some(choices.mark),
            "tile is the mark of the table map, survival that of run-length, and they have no other one; expected one of line, points, dots, band, bars with other tables",
        ),
        (
            "y_range",
            choices.y.iter().any(has_no_end),
            "a logarithmic axis has no place for 0; expected a low end above 0",
        ),
        (
            "share_y",
            choices.facet.is_none(),
            "expected share_y together with facet",
        ),
        (
            "room",
            choices.y.iter().all(|it| it.y_range.is_some()),
            "y_range says where the axis ends; expected one of both",
        ),
    ];
    let errors = rules.into_iter().filter(|(_, is_refused, _)| *is_refused);
    let errors = errors.filter_map(|(key, _, message)| Some(own.get(key)?.error(message)));
    let ignored = of_table.map_or(&[][..], |it| it.ignores).iter();
    let ignored = ignored.filter_map(|key| {
        let message = format!("without effect on a figure of the table {table}; expected no {key}");
        Some(own.get(key)?.error(&message))
    });
    let first = errors.chain(ignored).min_by_key(|error| error.line);
    first.map_or(Ok(()), Err)
}
