//! What single studies draw and write beside the curves: 1/d on an axis of its own, relaxation
//! times of signals, powers between neighbouring n, values of an axis of which a function stands
//! across. A panel asks all of them and names none.
//!
//! Adding one: a file here with a [`Study`], which gives nothing where the figure does not ask for
//! it, and an entry in [`ALL`].

mod density;
mod function_of_axis;
mod local_powers;
mod relaxation;

use crate::report::axes::Layer;
use crate::report::curves::{Curves, Group};
use crate::report::table::Table;

type Layers = Vec<Box<dyn Layer>>;

/// All of them, in the order in which they lie on each other and in the table.
pub const ALL: [&dyn Study; 4] = [
    &density::InverseDensity,
    &relaxation::RelaxationTimes,
    &function_of_axis::FunctionOfAxis,
    &local_powers::LocalPowers,
];

/// Layers of a panel and rows of its table that belong to one study.
pub trait Study: Sync {
    /// What lies under all curves of a panel, whose upright axis may be logarithmic.
    fn under_all(&self, _: &Curves, _y_is_logarithmic: bool) -> Layers {
        Vec::new()
    }

    /// What lies under the curves of a group.
    fn under(&self, _: &Curves, _: &Group) -> Layers {
        Vec::new()
    }

    /// What lies over all curves of a panel.
    fn over(&self, _: &Curves) -> Layers {
        Vec::new()
    }

    /// Adds rows under those of the points.
    fn push_rows(&self, _: &Curves, _: &mut Table) {}

    /// Adds rows of a group.
    fn push_rows_of(&self, _: &Curves, _: &Group, _: &mut Table) {}
}
