//! How a local rule's random process is simulated, and which way a plan's points take. Which one
//! is the fastest is told by `local` (`fastest`), from where on by each rule (`auto` in
//! `local/rules`).

use super::{Algorithm, Point, local};

/// How a rule's random process is simulated. Each has its own streams, so two dynamics never share
/// a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dynamics {
    /// Updates that change nothing are skipped: the same distribution of every observable for a
    /// fraction of the work.
    RejectionFree,
    /// One update at a time: the plain reference.
    Stepwise,
    /// Updates that change nothing are skipped, and many trials of one point run side by side. Only
    /// where [`Point::no_lanes`] says nothing against it.
    Lanes,
}

impl Dynamics {
    /// Name in manifests, plans and the stream's domain tag.
    pub fn name(self) -> &'static str {
        match self {
            Self::RejectionFree => "rejection-free",
            Self::Stepwise => "stepwise",
            Self::Lanes => "lanes",
        }
    }

    /// [`Self::name`] read back.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::RejectionFree, Self::Stepwise, Self::Lanes];
        all.into_iter().find(|dynamics| dynamics.name() == name)
    }
}

/// How the dynamics of a point is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DynamicsChoice {
    /// The fastest one, by a fixed function of rule, n, ε and of whether something is recorded
    /// ([`local::Rule::auto`]).
    #[default]
    Auto,
    /// The same without lanes: rejection-free, or stepwise where the algorithm has no other.
    OneByOne,
    /// This one, whatever the point.
    Only(Dynamics),
}

impl DynamicsChoice {
    /// The choices, in the order of the command line's help.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::OneByOne,
        Self::Only(Dynamics::RejectionFree),
        Self::Only(Dynamics::Stepwise),
        Self::Only(Dynamics::Lanes),
    ];

    /// Word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::OneByOne => "one-by-one",
            Self::Only(dynamics) => dynamics.name(),
        }
    }

    /// The dynamics to simulate `point` of an algorithm with, where the state of its trials is
    /// recorded on the way or is not; `None` for a search, which has none.
    pub fn at(self, algorithm: &Algorithm, point: &Point, is_recorded: bool) -> Option<Dynamics> {
        let assumed = self.assumed_at(algorithm, point, is_recorded)?;
        let is_chosen = !matches!(self, Self::Only(_));
        let has_other_law = is_chosen && local::law::difference(point, assumed).is_some();
        Some(if has_other_law {
            Dynamics::Stepwise
        } else {
            assumed
        })
    }

    /// [`Self::at`] if every dynamics has the law of the update of its rule.
    pub fn assumed_at(
        self,
        algorithm: &Algorithm,
        point: &Point,
        is_recorded: bool,
    ) -> Option<Dynamics> {
        if algorithm.is_search {
            return None;
        }
        Some(match self {
            Self::Auto | Self::OneByOne if algorithm.is_only_stepwise => Dynamics::Stepwise,
            Self::Auto => local::fastest(point, is_recorded),
            Self::OneByOne => local::fastest(point, true),
            Self::Only(dynamics) => dynamics,
        })
    }

    /// Why a dynamics that is faster than the stepwise one is not taken at a point, in a sentence;
    /// `None` where it is, or where the choice names one.
    pub fn why_stepwise(
        self,
        algorithm: &Algorithm,
        point: &Point,
        is_recorded: bool,
    ) -> Option<String> {
        match self {
            Self::Only(_) => None,
            _ if algorithm.is_search || algorithm.is_only_stepwise => None,
            Self::Auto => local::why_stepwise(point, is_recorded),
            Self::OneByOne => local::why_stepwise(point, true),
        }
    }
}

impl Point {
    /// Why this dynamics cannot simulate the point: lanes have no such board or condition, or it
    /// has another law than an update of the rule. `None` where it can.
    pub fn no_dynamics(&self, dynamics: Dynamics) -> Option<String> {
        self.no_assumed_dynamics(dynamics).or_else(|| {
            let difference = local::law::difference(self, dynamics)?;
            Some(format!(
                "has another law than the update of the rule: {difference}"
            ))
        })
    }

    /// [`Self::no_dynamics`] if every dynamics has the law of the update of its rule.
    pub fn no_assumed_dynamics(&self, dynamics: Dynamics) -> Option<String> {
        self.no_lanes().filter(|_| dynamics == Dynamics::Lanes)
    }

    /// Why [`Dynamics::Lanes`] cannot simulate the point; `None` where it can.
    pub fn no_lanes(&self) -> Option<String> {
        let n_max = local::lanes::N_MAX as u64;
        let n = self.integer("n").unwrap_or(0);
        if local::rule(&self.algorithm).is_none() {
            Some(format!("does not simulate {}", self.algorithm))
        } else if !self.variant.is_empty() {
            Some("simulates the certain moves \"safe\" alone, from random cells".to_owned())
        } else {
            (n > n_max).then(|| format!("takes n = 1 to {n_max}, not {n}"))
        }
    }
}
