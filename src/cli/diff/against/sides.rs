//! The runs of both sides: what is complete is taken, the rest is run by each side's program. Here
//! are which runs are taken without a run, the options that are handed on, and the message of a
//! spec that a side cannot run.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use itertools::Itertools;

use super::PRESENT;
use super::revision::Revision;
use super::{child, lawless};
use crate::cli::exit_code;
use crate::cli::spec_options::{self, PlanArgs};
use crate::cli::terminal::message;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, Spec};
use crate::experiment::store::atomic::checksum;
use crate::experiment::store::catalog;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::RunFolder;
use crate::solver::{Dynamics, DynamicsChoice, Interrupted};

/// An experiment of either side.
pub struct Experiment {
    pub name: String,
    /// Its spec, below the checkout's uppermost folder if it is there.
    pub file: PathBuf,
    /// The present spec, with the changes of the options, and its plan; `None` where the revision
    /// alone has it.
    pub present: Option<(Spec, Plan)>,
    /// The text of the spec that A runs, if that is its own.
    pub theirs: Option<String>,
}

/// How a run of one side has ended: with its rows, or with an exit code.
pub enum Ran {
    Complete(Box<CompleteRun>),
    Failed(i32),
}

/// What runs both sides.
pub struct Sides<'a> {
    pub revision: &'a Revision<'a>,
    /// The options that change the plan, on both sides.
    pub plan: &'a PlanArgs,
    /// True if the present program is that of the revision, as far as rows are concerned.
    pub has_present_code: bool,
    /// The user's results, whose complete runs of the present code are B's.
    pub results: PathBuf,
    /// Where the present program puts its rows.
    pub rows: PathBuf,
}

impl Sides<'_> {
    /// The plan that A's own spec makes in this program; `None` where A has none, or one that this
    /// program cannot read.
    pub fn their_plan(&self, experiment: &Experiment) -> anyhow::Result<Option<Plan>> {
        Ok(self.their_spec(experiment)?.map(|(_, plan)| plan))
    }

    fn their_spec(&self, experiment: &Experiment) -> anyhow::Result<Option<(Spec, Plan)>> {
        match &experiment.theirs {
            Some(text) => self.planned(experiment, text),
            None => Ok(None),
        }
    }

    /// The spec of a text with the changes of the options, and its plan; `None` where this program
    /// cannot read it.
    fn planned(&self, experiment: &Experiment, text: &str) -> anyhow::Result<Option<(Spec, Plan)>> {
        let settings = self.plan.settings()?;
        let stem = experiment.file.file_stem().unwrap_or_default();
        let label = experiment.file.display().to_string();
        let spec = spec::parse_plan(&stem.to_string_lossy(), &label, text);
        let spec = spec.and_then(|spec| spec.with(&settings));
        let planned = spec.and_then(|spec| {
            let plan = Plan::new(&spec)?;
            Ok((spec, plan))
        });
        Ok(planned.ok())
    }

    /// Runs an experiment on the side of the revision.
    pub fn run_a(&self, experiment: &Experiment) -> anyhow::Result<Ran> {
        let spec = match experiment.theirs {
            Some(_) => self.revision.sources()?.join(&experiment.file),
            None => self.revision.checkout.top.join(&experiment.file),
        };
        if self.has_present_code {
            return match self.their_spec(experiment)? {
                Some(planned) => self.run_present("A", &spec, &experiment.file, &planned),
                None => Ok(self.failed("A", &experiment.file, 2)),
            };
        }
        let program = self.revision.program()?;
        let text = fs::read(&spec).with_context(|| spec.display().to_string())?;
        let mut key = text;
        key.extend(self.options().join("\0").into_bytes());
        let digits = &checksum(&key)[..16];
        let home = self.revision.home.join(format!("A-{}", program.key));
        let results = home.join(format!("{}-{digits}", experiment.name));
        if let Some(run) = only_run(&results)? {
            return Ok(Ran::Complete(Box::new(run)));
        }
        match self.run(&program.path, &results, &spec, ("A", &experiment.file))? {
            0 => match only_run(&results)? {
                Some(run) => Ok(Ran::Complete(Box::new(run))),
                None => {
                    let why = lawless::why_unread(&catalog::runs(&results)?);
                    message!("A: {why}");
                    Ok(Ran::Failed(0))
                }
            },
            code => Ok(self.failed("A", &experiment.file, code)),
        }
    }

    /// Runs an experiment by the present program and spec.
    pub fn run_b(&self, experiment: &Experiment) -> anyhow::Result<Ran> {
        let Some(planned) = &experiment.present else {
            return Ok(Ran::Failed(0));
        };
        let spec = self.revision.checkout.top.join(&experiment.file);
        self.run_present("B", &spec, &experiment.file, planned)
    }

    /// Runs an experiment on both sides step by step; `None` where a side cannot.
    pub fn run_stepwise(
        &self,
        experiment: &Experiment,
    ) -> anyhow::Result<Option<(CompleteRun, CompleteRun)>> {
        let mut plan = self.plan.clone();
        plan.dynamics = Some(DynamicsChoice::Only(Dynamics::Stepwise));
        let stepwise = Sides {
            plan: &plan,
            results: self.results.clone(),
            rows: self.rows.clone(),
            ..*self
        };
        let Some((spec, _)) = &experiment.present else {
            return Ok(None);
        };
        let text = fs::read_to_string(&experiment.file).with_context(|| spec.file.clone())?;
        let experiment = Experiment {
            name: experiment.name.clone(),
            file: experiment.file.clone(),
            present: stepwise.planned(experiment, &text)?,
            theirs: experiment.theirs.clone(),
        };
        let Ran::Complete(a) = stepwise.run_a(&experiment)? else {
            return Ok(None);
        };
        match stepwise.run_b(&experiment)? {
            Ran::Complete(b) => Ok(Some((*a, *b))),
            Ran::Failed(_) => Ok(None),
        }
    }

    fn run_present(
        &self,
        side: &str,
        file: &Path,
        shown: &Path,
        (spec, plan): &(Spec, Plan),
    ) -> anyhow::Result<Ran> {
        let folder = |results: &Path| spec_options::request(spec, plan, results).folder();
        let complete = |folder: RunFolder| CompleteRun::read(&folder).ok();
        let of_user = complete(folder(&self.results));
        // The code version leaves out what only a mistake in the sources around the solver changes.
        let of_user = of_user.filter(|run| run.manifest.sources == PRESENT);
        if let Some(run) = of_user.or_else(|| complete(folder(&self.rows))) {
            return Ok(Ran::Complete(Box::new(run)));
        }
        let program = env::current_exe()?;
        match self.run(&program, &self.rows, file, (side, shown))? {
            0 => Ok(Ran::Complete(Box::new(CompleteRun::read(&folder(
                &self.rows,
            ))?))),
            code => Ok(self.failed(side, shown, code)),
        }
    }

    /// Runs a spec by a program; its exit code.
    fn run(
        &self,
        program: &Path,
        results: &Path,
        spec: &Path,
        (side, shown): (&str, &Path),
    ) -> anyhow::Result<i32> {
        message!("{side}: {}", shown.display());
        let mut command = Command::new(program);
        command.args(["run", "--quiet"]).args(self.options());
        command.arg("--results").arg(results).arg(spec);
        match child::exit_code(&mut command)? {
            code if code == i32::from(exit_code::INTERRUPTED) => Err(Interrupted.into()),
            code => Ok(code),
        }
    }

    fn failed(&self, side: &str, shown: &Path, code: i32) -> Ran {
        message!("{side} cannot run {} (exit code {code})", shown.display());
        Ran::Failed(code)
    }

    /// The options that change the plan, as they are given.
    fn options(&self) -> Vec<String> {
        let plan = self.plan;
        let set = plan
            .set()
            .map(|(key, value)| ["-s".to_owned(), format!("{key}={value}")]);
        let only = plan
            .only
            .only
            .iter()
            .map(|only| ["--only".to_owned(), only.to_string()]);
        let mut options: Vec<String> = set.chain(only).flatten().collect();
        options.extend(plan.quick.then(|| "--quick".to_owned()));
        if let Some(dynamics) = plan.dynamics {
            options.extend(["--dynamics".to_owned(), dynamics.name().to_owned()]);
        }
        options
    }
}

/// The complete run in a folder of results in which one spec was run.
fn only_run(results: &Path) -> anyhow::Result<Option<CompleteRun>> {
    let runs = catalog::runs(results)?.into_iter();
    let complete = runs.filter_map(|folder| CompleteRun::read(&folder).ok());
    Ok(complete.exactly_one().ok())
}
