//! Figure 8 of the source text: the growth of both rules.

use crate::report::chart::Chart;

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
