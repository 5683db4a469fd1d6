//! The options that decide which plan a spec stands for, and where its run is kept: commands that speak of one run share them.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::experiment::plan::{Plan, PlanError, QUICK_TRIALS};
use crate::experiment::spec::Spec;
use crate::solver::DynamicsChoice;

#[derive(Debug, Clone, clap::Args)]
pub struct PlanArgs {
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
    /// How trials are simulated: auto takes the faster one at each point
    #[arg(long, value_name = "KIND", value_parser = dynamics(), default_value = "auto")]
    pub dynamics: DynamicsChoice,
    /// Only the first five trials of each point and seed: the same rows, fewer of them
    #[arg(long)]
    pub quick: bool,
    /// Allow a plan of more than 100 million trials
    #[arg(long)]
    pub allow_huge: bool,
}

impl PlanArgs {
    /// The plan that a spec stands for.
    ///
    /// # Errors
    /// A spec that is no plan, or a huge one without leave.
    pub fn plan(&self, spec: &Spec) -> Result<Plan, PlanError> {
        let plan = Plan::with_dynamics(spec, self.dynamics)?;
        let plan = if self.quick { plan.capped(QUICK_TRIALS) } else { plan };
        if !self.allow_huge {
            plan.refuse_huge(spec)?;
        }
        Ok(plan)
    }
}

/// The words of `--dynamics`.
fn dynamics() -> impl TypedValueParser<Value = DynamicsChoice> {
    let choice = |word: String| DynamicsChoice::ALL.into_iter().find(|choice| choice.name() == word);
    PossibleValuesParser::new(DynamicsChoice::ALL.map(DynamicsChoice::name)).try_map(move |word| choice(word).ok_or("no such dynamics"))
}
