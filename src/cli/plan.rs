//! The plan of a spec and its run, for every command that runs something.

use std::env;
use std::path::Path;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::named;
use crate::experiment::plan::{MAX_COURSE_ROWS, Plan};
use crate::experiment::runner::Request;
use crate::experiment::spec::{Refused, Spec};
use crate::experiment::store::atomic::behind_links;
use crate::experiment::store::folder::RunFolder;
use crate::solver::DynamicsChoice;

#[derive(Debug, Clone, clap::Args)]
pub struct PlanArgs {
    /// Allow a plan of more than 100 million trials, or rows of series.parquet or moves.parquet
    #[arg(long, hide = true)]
    pub allow_huge: bool,
    /// Refuse (exit code 2) a program whose code version of the plan is another one
    #[arg(long, value_name = "VERSION", hide = true)]
    pub code_version: Option<String>,
}

impl PlanArgs {
    /// The plan of a spec under these options.
    pub fn plan(&self, spec: &Spec) -> Result<Plan, Refused> {
        let plan = Plan::new(spec)?;
        if !self.allow_huge {
            plan.refuse_huge(spec)?;
        }
        let found = plan.code_version();
        match &self.code_version {
            Some(asked) if *asked != found => Err(Refused::of_file(
                &spec.file,
                format!(
                    "the code version of its plan is {found}; expected {asked}: build that \
                     version again, or give --code-version {found}"
                ),
            )),
            _ => Ok(plan),
        }
    }
}

/// Rows that `moves.parquet` may have, without and with `--allow-huge`.
pub fn most_moves(allow_huge: bool) -> u64 {
    match allow_huge {
        true => u64::MAX,
        false => MAX_COURSE_ROWS,
    }
}

/// The run of a spec's plan in a results folder, started by this command line: the very one whose
/// folder the word is, where it is one of the plan's.
pub fn request<'a>(word: &Path, spec: &'a Spec, plan: &'a Plan, results: &'a Path) -> Request<'a> {
    let is_own = |it: &RunFolder| {
        let above = it.path().join("../..");
        it.names() == [&*spec.name, &plan.code_version(), &plan.hash()]
            && behind_links(&above) == behind_links(results)
    };
    Request {
        repeat: named::folder(word).filter(is_own).map(|it| it.repeat),
        command: env::args_os()
            .map(|it| it.to_string_lossy().into_owned())
            .collect(),
        ..Request::new(spec, plan, results)
    }
}

/// The words before a number of trials: points whose rows decide how many they have need not have
/// all that the plan allows.
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
