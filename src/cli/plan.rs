//! The options that decide which plan a spec stands for, and where its run is kept: commands that
//! speak of one run share them.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::experiment::plan::{Plan, PlanError, QUICK_TRIALS};
use crate::experiment::spec::Spec;
use crate::experiment::store::catalog;
use crate::experiment::store::folder::RunFolder;
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
    /// Refuse (exit code 2) a program whose code version of the plan is another one
    #[arg(long, value_name = "VERSION")]
    pub code_version: Option<String>,
}

impl PlanArgs {
    /// The plan that a spec stands for.
    ///
    /// # Errors
    /// A spec that is no plan, a huge one without leave, or another code version than is asked for.
    pub fn plan(&self, spec: &Spec) -> Result<Plan, PlanError> {
        let plan = Plan::with_dynamics(spec, self.dynamics)?;
        let plan = if self.quick {
            plan.capped(QUICK_TRIALS)
        } else {
            plan
        };
        if !self.allow_huge {
            plan.refuse_huge(spec)?;
        }
        let other = |asked: &&String| **asked != plan.code_version();
        if let Some(asked) = self.code_version.as_ref().filter(other) {
            return Err(PlanError::CodeVersion {
                file: spec.file.clone(),
                found: plan.code_version(),
                asked: asked.clone(),
            });
        }
        Ok(plan)
    }

    /// The folder of a plan's run under this code version.
    pub fn run_folder(&self, results: &Path, spec: &Spec, plan: &Plan) -> RunFolder {
        catalog::folder(results, &spec.name, &plan.code_version(), &plan.hash(), 1)
    }

    /// The options again, as words: whoever runs the same plan elsewhere needs them, but for the
    /// results folder.
    pub fn words(&self) -> Vec<String> {
        let flags = [(self.quick, "--quick"), (self.allow_huge, "--allow-huge")];
        let flags = flags
            .into_iter()
            .filter_map(|(given, word)| given.then_some(word));
        ["--dynamics", self.dynamics.name()]
            .into_iter()
            .chain(flags)
            .map(str::to_owned)
            .collect()
    }
}

/// The words of `--dynamics`.
fn dynamics() -> impl TypedValueParser<Value = DynamicsChoice> {
    let choice = |word: String| {
        DynamicsChoice::ALL
            .into_iter()
            .find(|choice| choice.name() == word)
    };
    PossibleValuesParser::new(DynamicsChoice::ALL.map(DynamicsChoice::name))
        .try_map(move |word| choice(word).ok_or("no such dynamics"))
}
