//! Times against n with their growth per row: presets of one chart.

use crate::report::chart::Chart;
use crate::report::series::Along;

/// Mean absorption time against n, one curve per rule, ε and η, with 1/d(n) on an axis of its own;
/// fitted growth per row.
pub const CONVERGENCE_VS_N: Chart = Chart {
    kind: "convergence-vs-n",
    doc: "mean absorption time and 1/d against n, with the growth per row (figure 6)",
    lead: "against n, and 1/d(n), d the density of solutions among random starts, on the right-hand axis",
    has_density: true,
    ..Chart::GROWTH
};

/// Mean absorption time of both rules against n, one curve per rule, ε and η; fitted growth per
/// row.
pub const PAIR_VS_CELL: Chart = Chart {
    kind: "pair-vs-cell",
    doc: "mean absorption time of both rules against n, with the growth per row (figure 8)",
    title: "of both rules against n",
    lead: "of the pair rule and the cell rule against n. An update of the pair rule looks at two cells, one of the cell rule \
           at up to nine, so times compare growth, not work",
    is_wanted: |point, _| ["pair", "cell"].contains(&&*point.algorithm),
    compares: &["pair", "cell"],
    ..Chart::GROWTH
};

/// Mean absorption time against n, one curve per rule and η, where ε changes with n; fitted growth
/// per row.
pub const SCALING: Chart = Chart {
    kind: "scaling",
    doc: "mean absorption time against n where each n has an ε of its own, with the growth per row",
    title: "against n, each n at an ε of its own",
    lead: "against n, each n at the ε given in the table. An update of the pair rule looks at two cells, one of the cell rule at up to \
           nine, so times compare growth, not work",
    along: Along {
        axes: &["n", "epsilon"],
        ..Chart::PLAIN.along
    },
    // A relaxation has no ε; it stands in the experiment for another figure.
    is_wanted: |point, _| point.real("epsilon").is_some(),
    nothing: "no two points of one rule and η differ in n",
    ..Chart::GROWTH
};
