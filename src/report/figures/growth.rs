//! Times against ε or n: presets of one chart.

use super::kit::*;

const QUANTITIES: [&str; 4] = ["absorption_time", "hitting_time", "moves", "moves_at_hit"];

pub const CONVERGENCE_VS_EPSILON: Chart = Chart {
    kind: "convergence-vs-epsilon",
    doc: "mean absorption time and moves against ε, the best ε marked (figure 5)",
    title: "against ε",
    lead: "against ε",
    axes: &["epsilon"],
    x_is_logarithmic: Some(true),
    panels: &[
        Panel {
            height: 820,
            // Room for the strips below and the arrows above.
            room: (0.08, 0.06),
            ..Panel::of(Quantity::AbsorptionTime)
        },
        Panel {
            height: 620,
            room: (0.08, 0.06),
            ..Panel::of(Quantity::Moves)
        },
    ],
    quantities: &QUANTITIES,
    marks_best: true,
    ..Chart::PLAIN
};

/// Times against n, with their growth per row.
const GROWTH: Chart = Chart {
    panels: &[Panel {
        height: 1120,
        room: (0.0, 0.05),
        fit: Some(Fit::EXPONENTIAL),
        ..Panel::of(Quantity::AbsorptionTime)
    }],
    quantities: &QUANTITIES,
    title: "against n",
    ..Chart::PLAIN
};

pub const CONVERGENCE_VS_N: Chart = Chart {
    kind: "convergence-vs-n",
    doc: "mean absorption time and 1/d against n, with the growth per row (figure 6)",
    lead: "against n, and 1/d(n), d the density of solutions among random starts, on the right-hand axis",
    has_density: true,
    ..GROWTH
};

pub const PAIR_VS_CELL: Chart = Chart {
    kind: "pair-vs-cell",
    doc: "mean absorption time of both rules against n, with the growth per row (figure 8)",
    title: "of both rules against n",
    lead: "of the pair rule and the cell rule against n. An update of the pair rule looks at two cells, one of the cell rule \
           at up to nine, so times compare growth, not work",
    is_wanted: |point, _| ["pair", "cell"].contains(&&*point.algorithm),
    compares: &["pair", "cell"],
    ..GROWTH
};

pub const SCALING: Chart = Chart {
    kind: "scaling",
    doc: "mean absorption time against n where each n has an ε of its own, with the growth per row",
    title: "against n, each n at an ε of its own",
    lead: "against n, each n at the ε given in the table. An update of the pair rule looks at two cells, one of the cell rule at up to \
           nine, so times compare growth, not work",
    axes: &["n", "epsilon"],
    // A relaxation has no ε; it stands in the experiment for another figure.
    is_wanted: |point, _| point.real("epsilon").is_some(),
    nothing: "no two points of one rule and η differ in n",
    ..GROWTH
};
