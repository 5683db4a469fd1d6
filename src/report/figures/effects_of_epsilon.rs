//! What ε does inside a trial: kinds of moves, entries into solutions, and blocked time.

use crate::analysis::course::effects::{EFFECTS, Effects};
use crate::report::chart::{Chart, Curve, Of, Panel, Scene, Scope};
use crate::report::frame::Frame;
use crate::report::number::short;
use crate::report::series::{Along, Points};
use crate::solver::point::KEY_AXES;

/// Shares of moves, entries per absorption and shares of time against ε, one curve per rule.
pub const EFFECTS_OF_EPSILON: Chart = Chart {
    kind: "effects-of-epsilon",
    doc: "kinds of moves, entries per absorption and blocked time against ε",
    title: "What ε does inside a trial",
    lead: "Against ε: shares of the queen moves that needed their coin, were needless, were deceived (above); entries into solutions per absorption (middle); shares of the time before the absorption (below)",
    along: Along {
        axes: &["epsilon"],
        ..Chart::PLAIN.along
    },
    x_is_logarithmic: Some(true),
    of: Of::Series,
    nothing: "no two points with a series differ in ε > 0 alone",
    rows,
    panels: &[
        Panel {
            height: 720,
            title: "share of the queen moves",
            ys: &[
                ("dangerous", "dangerous moves"),
                ("needless", "needless moves"),
                ("deceived", "deceived moves"),
            ],
            ..Panel::PLAIN
        },
        Panel {
            height: 560,
            title: "entries per absorption",
            ys: &[("entries_per_absorption", "entries into solutions")],
            is_logarithmic: Some(true),
            ..Panel::PLAIN
        },
        Panel {
            height: 720,
            title: "share of the time",
            ys: &[
                ("no_safe_cell", "no safe cell"),
                ("no_safe_move", "no safe move"),
                ("all_signals_true", "all signals true"),
            ],
            ..Panel::PLAIN
        },
    ],
    findings: |scene| scene.each(finding),
    ..Chart::PLAIN
};

fn rows(scope: &Scope) -> Result<Frame, String> {
    let along = &scope.chart.along;
    let effects = scope.input.courses.iter().filter_map(Effects::of);
    let effects = effects.map(|it| (it.point.clone(), it)).collect();
    let missing = |it: &(_, Effects)| {
        let has_place = scope.chart.has_place(&it.0);
        (!has_place).then(|| "no ε > 0".to_owned())
    };
    let Points { kept, left_out } = Points::of(effects, along, missing).in_curves(along);
    let mut columns = Frame::of(&kept, &KEY_AXES)
        .column("trials", |(_, it)| it.trials)
        .column("cut_off", |(_, it)| it.cut_off)
        .column("moves", |(_, it)| it.moves)
        .column("moments", |(_, it)| it.moments);
    for (index, (name, ..)) in EFFECTS.iter().enumerate() {
        columns = columns.estimate(name, |(_, it)| it.estimates[index]);
    }
    let mut frame = columns
        .note(
            "`dangerous`, `needless`, `deceived`: shares of the queen `moves` of all trials. `entries_per_absorption`: times that the positions became a solution, per trial that was absorbed. \
             `no_safe_cell`, `no_safe_move`, `all_signals_true`: shares of the `moments` of the series before the absorption at which that was so; at moments in equal steps these are shares of the time up to \
             the absorption or to the last moment. Brackets hold 95 % intervals: the t interval of the logarithm, over trials. The words are defined in docs/rules.md.",
        )
        .frame;
    frame.left_out = left_out;
    if kept.iter().any(|(_, it)| it.cut_off > 0) {
        frame.warn("the moves, entries and moments of trials that were cut off count up to there");
    }
    Ok(frame)
}

/// What changes from the least ε to the greatest: dangerous moves, time without a safe move.
fn finding(scene: &Scene, curve: &Curve) -> Option<String> {
    let ends = [curve.rows[0], curve.rows[curve.rows.len() - 1]];
    let change = |effect: &str| {
        let [least, greatest] = ends.map(|row| {
            let share = scene.frame.estimate(row, effect)?.value;
            Some(format!("{} %", short(100.0 * share, 3)))
        });
        Some((least?, greatest?))
    };
    let (few, many) = change("dangerous")?;
    let time = change("no_safe_move")
        .map(|(first, last)| format!(", the time without a safe move from {first} to {last}"));
    let [least, greatest] = ends.map(|row| short(scene.at(row), 3));
    Some(format!(
        "{}: from ε = {least} to {greatest} the share of dangerous moves goes from {few} to {many}{}",
        curve.label,
        time.unwrap_or_default()
    ))
}
