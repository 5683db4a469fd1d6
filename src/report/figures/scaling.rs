//! The growth of both rules, each n at an ε of its own.

use crate::report::chart::Chart;
use crate::report::series::Along;

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
