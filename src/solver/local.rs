//! The local rules of the source text and the ways to simulate them.

use super::{Algorithm, Axis, Column, Control, Domain, Interrupted, Job, Outcome};

const N: Axis = Axis { name: "n", domain: Domain::Integer { min: 1, max: 64 }, doc: "board side and number of queens" };
const EPSILON: Axis =
    Axis { name: "epsilon", domain: Domain::Real { min: 0.0, max: 1.0 }, doc: "probability ε that a queen makes a dangerous move" };
const ETA: Axis = Axis {
    name: "eta",
    domain: Domain::Real { min: 0.0, max: 1.0 },
    doc: "probability η that the destination is any neighbour, not one of least ω",
};

/// What both rules fill, and how.
const COLUMNS: &[Column] = &[
    Column {
        name: "absorption_time",
        unit: "updates",
        doc: "until the queens form a solution and every signal is true; null when censored",
    },
    Column {
        name: "hitting_time",
        unit: "updates",
        doc: "until the queens' positions first form a solution, signals ignored; null if never",
    },
    Column { name: "moves", unit: "queen moves", doc: "up to the absorption or the cutoff; a swap is none" },
    Column { name: "moves_at_hit", unit: "queen moves", doc: "up to the hitting time, the move that hits included; null if never" },
    Column { name: "updates", unit: "updates", doc: "simulated, those that change nothing included: the absorption time or the cutoff" },
    Column { name: "solution", unit: "", doc: "final placement if it is a solution: the row of the queen in each column" },
];

/// A local rule as an algorithm of the registry.
#[derive(Debug)]
pub struct LocalAlgorithm {
    name: &'static str,
    doc: &'static str,
    axes: &'static [Axis],
}

pub const PAIR: LocalAlgorithm =
    LocalAlgorithm { name: "pair", doc: "Algorithm 1: a random pair of adjacent cells per update", axes: &[N, EPSILON] };
pub const CELL: LocalAlgorithm =
    LocalAlgorithm { name: "cell", doc: "Algorithm 2: a random cell per update, ω chooses the destination", axes: &[N, EPSILON, ETA] };

impl Algorithm for LocalAlgorithm {
    fn name(&self) -> &'static str {
        self.name
    }

    fn doc(&self) -> &'static str {
        self.doc
    }

    fn axes(&self) -> &'static [Axis] {
        self.axes
    }

    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn definition(&self) -> u32 {
        1
    }

    fn trial(&self, _job: &Job, _trial: u32, _control: &Control) -> Result<Outcome, Interrupted> {
        todo!("the solver room is being furnished")
    }
}
