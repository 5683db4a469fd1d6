//! Figure 6 of the source text: times against n, beside the rarity of solutions.

use crate::report::chart::Chart;

/// Mean absorption time against n, one curve per rule, ε and η, with 1/d(n) on an axis of its own;
/// fitted growth per row.
pub const CONVERGENCE_VS_N: Chart = Chart {
    kind: "convergence-vs-n",
    doc: "mean absorption time and 1/d against n, with the growth per row (figure 6)",
    lead: "against n, and 1/d(n), d the density of solutions among random starts, on the right-hand axis",
    has_density: true,
    ..Chart::GROWTH
};
