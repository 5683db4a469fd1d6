//! Figure 5 of the source text: times and moves against ε.

use crate::analysis::summary::Quantity;
use crate::report::chart::{Chart, Panel, QUANTITIES};
use crate::report::series::Along;

/// Mean absorption time and mean queen moves against ε on logarithmic axes, one curve per rule, n
/// and η; the best ε marked.
pub const CONVERGENCE_VS_EPSILON: Chart = Chart {
    kind: "convergence-vs-epsilon",
    doc: "mean absorption time and moves against ε, the best ε marked (figure 5)",
    title: "against ε",
    lead: "against ε",
    along: Along {
        axes: &["epsilon"],
        ..Chart::PLAIN.along
    },
    x_is_logarithmic: Some(true),
    nothing: "no two points differ in ε > 0 alone",
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
