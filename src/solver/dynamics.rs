//! How a local rule's random process is simulated, and how that is chosen.

use super::{Point, algorithm, local};

/// How a rule's random process is simulated. Each has its own streams, so two dynamics never share
/// a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dynamics {
    /// Updates that change nothing are skipped: the same distribution of every observable for a
    /// fraction of the work.
    RejectionFree,
    /// One update at a time: the plain reference.
    Stepwise,
}

impl Dynamics {
    /// Name in manifests, plans and the stream's domain tag.
    pub fn name(self) -> &'static str {
        match self {
            Self::RejectionFree => "rejection-free",
            Self::Stepwise => "stepwise",
        }
    }
}

/// How the dynamics of a point is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DynamicsChoice {
    /// The faster one, by a fixed function of the point: rejection-free up to the rule's
    /// [`local::rule::LocalRule::REJECTION_FREE_UP_TO`], stepwise where the algorithm has no other.
    #[default]
    Auto,
    /// [`Dynamics::RejectionFree`], whatever the point.
    RejectionFree,
    /// [`Dynamics::Stepwise`], whatever the point.
    Stepwise,
}

impl DynamicsChoice {
    /// The choices, in the order of the command line's help.
    pub const ALL: [Self; 3] = [Self::Auto, Self::RejectionFree, Self::Stepwise];

    /// Word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::RejectionFree => Dynamics::RejectionFree.name(),
            Self::Stepwise => Dynamics::Stepwise.name(),
        }
    }

    /// The dynamics to simulate `point` with.
    pub fn at(self, point: &Point) -> Dynamics {
        match self {
            Self::Auto if is_only_stepwise(point) => Dynamics::Stepwise,
            Self::Auto => local::auto(point),
            Self::RejectionFree => Dynamics::RejectionFree,
            Self::Stepwise => Dynamics::Stepwise,
        }
    }
}

fn is_only_stepwise(point: &Point) -> bool {
    algorithm(point.algorithm).is_some_and(|algorithm| algorithm.is_only_stepwise())
}
