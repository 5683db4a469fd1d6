//! What happens inside a trial: the mean of each observable against time, and how often the trials
//! of a point are in what state. Here are the names and titles of observables and effects, and
//! their notes; the numbers are made in `analysis/course`.

use std::collections::BTreeSet;

use crate::analysis::course::effects::{EFFECTS, Effects};
use crate::analysis::course::time_course::{Moment, OBSERVABLES, time_course};
use crate::analysis::share::share;
use crate::experiment::store::rows::PointCourses;
use crate::report::measures::kit::*;

pub const SERIES: MeasureTable = MeasureTable {
    name: "series",
    of: RowsOf::Series,
    measures: &[
        Measure::share("true_signals", "true signals", "share"),
        Measure::labelled("threatened", "threatened queens", "queens"),
        Measure::labelled("attacked", "attacked queens", "queens"),
        Measure::labelled("conflicts", "conflicts", "pairs"),
        Measure::labelled("safe_cells", "safe cells", "cells"),
        Measure::labelled("truly_safe_cells", "truly safe cells", "cells"),
        Measure::labelled("safe_moves", "safe moves", "moves"),
        Measure::labelled("move_rate", "rate of moves", "moves / update"),
        Measure::share("not_absorbed", "trials not yet absorbed", "share"),
    ],
    across: &[("update", "number of updates")],
    rows: rows_of_means,
    needs: with_series,
    lacking: "no trial has a series with a moment after the start",
    ignores: MeasureTable::OF_ERRORS,
    ..MeasureTable::PLAIN
};

/// The points whose trials record their course.
fn with_series(scope: &Scope, points: Vec<Point>) -> Vec<Point> {
    let courses = scope.rows.courses.iter();
    let recorded: BTreeSet<&Point> = courses.map(|of| &of.point).collect();
    only(points, |point| recorded.contains(point))
}

fn rows_of_means(scope: &Scope) -> Result<Table, String> {
    let courses = scope.rows.courses.iter();
    let lines = courses.flat_map(|of| time_course(of).into_iter().map(move |moment| (of, moment)));
    let lines: Vec<(&PointCourses, Moment)> = lines.collect();
    let mut columns = Table::of(&lines, |(course, _)| &course.point, &KEY_AXES)
        .column("update", |(_, moment)| moment.update)
        .column("trials", |(course, _)| course.trials.len())
        .column("observed", |(_, moment)| moment.observed)
        .column("living", |(_, moment)| moment.living);
    for (index, (name, _)) in OBSERVABLES.iter().enumerate() {
        columns = columns.estimate(name, |(_, moment)| moment.means[index]);
    }
    let columns = columns
        .estimate("move_rate", |(_, moment)| moment.move_rate)
        // A handful of trials has no rate worth a point.
        .drawn("move_rate", |(_, moment)| {
            moment.move_rate.filter(|_| moment.living >= 5)
        })
        .estimate("not_absorbed", |(_, moment)| {
            let [living, observed] = [moment.living, moment.observed].map(|count| count as u64);
            share(living, observed)
        })
        .note(
            "The state after `update` updates: means over the `observed` of the `trials`, of which `living` are not yet absorbed; after the absorption the state stands still and counts. \
             The observables are defined in docs/rules.md. Brackets hold 95 % intervals: the t interval of the logarithm.",
        )
        .note(
            "`moves`: queen moves so far. `move_rate`: queen moves an update of the trials not yet absorbed, since the line before (Σ moves / Σ updates).",
        )
        .warn_if(
            |(course, _)| course.cut_off() > 0,
            "the rows of a trial end where it was cut off",
        );
    Ok(columns.table)
}

pub const EFFECTS_TABLE: MeasureTable = MeasureTable {
    name: "effects",
    of: RowsOf::Series,
    measures: &[
        Measure::labelled(
            "entries_per_absorption",
            "entries into solutions",
            "entries per absorption",
        ),
        Measure::share(
            "no_safe_cell",
            "no safe cell",
            "share of the time without a safe cell",
        ),
        Measure::share(
            "no_safe_move",
            "no safe move",
            "share of the time without a safe move",
        ),
        Measure::share(
            "all_signals_true",
            "all signals true",
            "share of the time with all signals true",
        ),
        Measure::labelled("moves_per_update", "moves per update", "moves / updates"),
        Measure::labelled(
            "blocked_stretch",
            "stretch without a safe move",
            "updates of a stretch without a safe move",
        ),
        Measure::share(
            "dangerous_choices",
            "dangerous in place of a safe move",
            "dangerous / moves beside a safe one",
        ),
        Measure::share(
            "informed_moves",
            "moves while all signals are true",
            "moves while all signals are true / queen moves",
        ),
        Measure::share(
            "missed_chances",
            "missed solutions",
            "missed / solutions one move away",
        ),
    ],
    rows: rows_of_effects,
    needs: with_series,
    lacking: "no trial has a series",
    ignores: MeasureTable::OF_ERRORS,
    ..MeasureTable::PLAIN
};

fn rows_of_effects(scope: &Scope) -> Result<Table, String> {
    let effects = scope.rows.courses.iter();
    let effects =
        effects.filter_map(|effect| Some((effect.point.clone(), Ok(Effects::of(effect)?))));
    let (kept, left_out) = scope.placed(effects);
    let mut columns = Table::of(&kept, |(point, _)| point, &KEY_AXES)
        .left_out(left_out)
        .column("trials", |(_, it)| it.trials)
        .column("censored", |(_, it)| it.cut_off)
        .column("moments", |(_, it)| it.moments);
    for (index, (name, ..)) in EFFECTS.iter().enumerate() {
        columns = columns.estimate(name, |(_, it)| it.estimates[index]);
    }
    let columns = columns
        .note(
            "`entries_per_absorption`: times that the positions became a solution, per trial that was absorbed. \
             `no_safe_cell`, `no_safe_move`, `all_signals_true`: shares of the `moments` of the series before the absorption at which that was so; at moments in equal steps these are shares of the time up to \
             the absorption or to the last moment.",
        )
        .note(
            "Counted update by update, up to the last moment: `blocked_stretch`, the mean number of updates of a stretch without a safe move; `dangerous_choices`, the share of dangerous moves among those before which there was a safe one; \
             `informed_moves`, the share of moves before which all signals were true; `missed_chances`, of the moves before which one move of one queen would have made a solution, the share that made none. `moves_per_update` is of the whole trial. Brackets hold 95 % intervals: the t interval of the logarithm, over trials. The words are defined in docs/rules.md.",
        )
        .warn_if(
            |(_, it)| it.cut_off > 0,
            "the entries and moments of trials that were cut off count up to there",
        );
    Ok(columns.table)
}
