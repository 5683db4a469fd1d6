//! How a local rule's random process is simulated, and which way a plan's points take: up to which
//! ε `auto` takes which dynamics (`LIMITS_OF_AUTO`), and where it takes the stepwise one since
//! another has not the law of the rule. The words of `--dynamics` are here, too, and the messages
//! of a dynamics that cannot simulate a point. The greatest board of lanes is in
//! `local/lanes/layout.rs`.

use super::local::{self, EPSILON, law};
use super::{Algorithm, Point};

/// The greatest ε at which [`DynamicsChoice::Auto`] takes each dynamics of a rule, the first that
/// can be; above all the stepwise one. Near these ε two dynamics take the same time, lanes with
/// AVX2. The share of updates that change something grows with ε, and a change costs the
/// rejection-free dynamics as much as some 4 or 5 updates cost the stepwise one.
///
/// A trial depends on its dynamics, so the values are never measured at run time, and never change
/// for a rule that has results.
const LIMITS_OF_AUTO: [(&str, [(Dynamics, f64); 2]); 2] = [
    (
        "cell",
        [(Dynamics::Lanes, 0.3), (Dynamics::RejectionFree, 0.1)],
    ),
    (
        "pair",
        [(Dynamics::Lanes, 0.1), (Dynamics::RejectionFree, 0.03)],
    ),
];

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
    /// (`LIMITS_OF_AUTO`).
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
        let has_other_law = is_chosen && law::difference(point, assumed).is_some();
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
            Self::Auto => fastest(point, is_recorded),
            Self::OneByOne => fastest(point, true),
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
            Self::Auto => why_stepwise(point, is_recorded),
            Self::OneByOne => why_stepwise(point, true),
        }
    }
}

impl Point {
    /// Why this dynamics cannot simulate the point: lanes have no such board or condition, or it
    /// has another law than an update of the rule. `None` where it can.
    pub fn no_dynamics(&self, dynamics: Dynamics) -> Option<String> {
        self.no_assumed_dynamics(dynamics).or_else(|| {
            let difference = law::difference(self, dynamics)?;
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

/// Why [`DynamicsChoice::Auto`] takes the stepwise dynamics where another one is faster, in a
/// sentence.
fn why_stepwise(point: &Point, is_recorded: bool) -> Option<String> {
    let fastest = fastest(point, is_recorded);
    let difference = law::difference(point, fastest)?;
    let rule = &point.algorithm;
    let name = fastest.name();
    Some(format!(
        "{rule}: auto takes stepwise in place of {name}, which has another law than the update of the rule: {difference}"
    ))
}

/// The dynamics that [`DynamicsChoice::Auto`] takes at a point by `LIMITS_OF_AUTO`, without lanes
/// where something is recorded, if it has the law of an update ([`law::difference`]).
fn fastest(point: &Point, is_recorded: bool) -> Dynamics {
    if local::rule(&point.algorithm).is_none() {
        return Dynamics::RejectionFree;
    }
    let Some(epsilon) = point.real(EPSILON.name) else {
        return Dynamics::RejectionFree;
    };
    let has_lanes = !is_recorded && point.no_lanes().is_none();
    let is_taken = |(dynamics, greatest): &(Dynamics, f64)| {
        epsilon <= *greatest && (has_lanes || *dynamics != Dynamics::Lanes)
    };
    let taken = limits_of_auto(&point.algorithm)
        .iter()
        .find(|limit| is_taken(limit));
    taken.map_or(Dynamics::Stepwise, |(dynamics, _)| *dynamics)
}

/// The limits of a rule; none of one without a row, which `auto` simulates step by step.
fn limits_of_auto(rule: &str) -> &'static [(Dynamics, f64)] {
    let row = LIMITS_OF_AUTO.iter().find(|(name, _)| *name == rule);
    row.map_or(&[], |(_, limits)| limits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_limits_of_auto() {
        let rules: Vec<&str> = local::names().collect();
        assert_eq!(LIMITS_OF_AUTO.map(|(name, _)| name), rules[..]);
    }
}
