//! The options that decide which plan is made of a spec, and where its run is kept: the same for
//! every command about one run.

use std::env;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::named;
use crate::analysis::sequential::is_precise;
use crate::experiment::plan::{MAX_COURSE_ROWS, Plan, QUICK_TRIALS};
use crate::experiment::runner::PlannedRun;
use crate::experiment::spec::{Refused, Spec};
use crate::solver::DynamicsChoice;

#[derive(Debug, Clone, clap::Args)]
pub struct PlanArgs {
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
    /// How trials are simulated (docs/inside.md); auto takes the fastest way at each point
    #[arg(long, value_name = "KIND", value_parser = dynamics(), default_value = "auto")]
    pub dynamics: DynamicsChoice,
    /// Only the first five trials of each point and seed: the same rows, fewer of them
    #[arg(long)]
    pub quick: bool,
    /// Allow a plan of more than 100 million trials, or rows of series.parquet or moves.parquet
    #[arg(long, hide = true)]
    pub allow_huge: bool,
    /// Refuse (exit code 2) a program whose code version of the plan is another one
    #[arg(long, value_name = "VERSION", hide = true)]
    pub code_version: Option<String>,
}

impl PlanArgs {
    /// The spec and the plan of the one experiment or run that is meant.
    pub fn named(&self, word: &Path) -> anyhow::Result<(Spec, Plan)> {
        let (spec, of_run) = named::spec(word, &self.results)?;
        let plan = self.plan(&spec)?;
        let own = of_run.and_then(|hash| Plan::recover(&spec, &hash));
        Ok((spec, own.unwrap_or(plan)))
    }

    /// The plan of a spec under these options.
    pub fn plan(&self, spec: &Spec) -> Result<Plan, Refused> {
        let mut plan = Plan::with_dynamics(spec, self.dynamics)?;
        if self.quick {
            plan = plan.capped(QUICK_TRIALS);
        }
        if !self.allow_huge {
            plan.refuse_huge(spec)?;
        }
        let found = plan.code_version();
        match &self.code_version {
            Some(asked) if *asked != found => Err(Refused::of_file(
                &spec.file,
                format!(
                    "the code version of its plan is {found}, not {asked}: build that version \
                     again, or allow --code-version {found}"
                ),
            )),
            _ => Ok(plan),
        }
    }

    /// Rows that `moves.parquet` may have.
    pub fn most_moves(&self) -> u64 {
        match self.allow_huge {
            true => u64::MAX,
            false => MAX_COURSE_ROWS,
        }
    }

    /// The options again, as words, without the results folder: what another process needs to make
    /// the same plan.
    pub fn words(&self) -> Vec<String> {
        let flags = [(self.quick, "--quick"), (self.allow_huge, "--allow-huge")];
        let flags = flags.into_iter().filter(|(given, _)| *given);
        let mut words = vec!["--dynamics", self.dynamics.name()];
        words.extend(flags.map(|(_, word)| word));
        words.into_iter().map(str::to_owned).collect()
    }
}

/// The run of a spec's plan in a results folder, started by this command line.
pub fn planned_run<'a>(spec: &'a Spec, plan: &'a Plan, results: &'a Path) -> PlannedRun<'a> {
    PlannedRun {
        spec,
        plan,
        results,
        rule: is_precise,
        command: env::args_os()
            .map(|it| it.to_string_lossy().into_owned())
            .collect(),
    }
}

/// Before a number of trials: points whose rows decide how many they have need not have all that
/// the plan allows.
pub fn at_most(plan: &Plan) -> &'static str {
    let is_sequential = plan.points.iter().any(|it| it.sequential.is_some());
    if is_sequential { "at most " } else { "" }
}

/// The words of `--dynamics`.
pub(super) fn dynamics() -> impl TypedValueParser<Value = DynamicsChoice> {
    let all = DynamicsChoice::ALL;
    let choice = move |word: String| all.into_iter().find(|choice| choice.name() == word);
    PossibleValuesParser::new(all.map(DynamicsChoice::name))
        .map(move |word| choice(word).expect("one of their names"))
}
