//! `reines report --partial`: an unfinished run, drawn so that it is not mistaken for a finished
//! one.

use anyhow::{Context, bail};

use super::{Args, Undrawn, draw_figures};
use crate::cli::named::kept_spec;
use crate::cli::plan::at_most;
use crate::cli::text::spaced;
use crate::cli::{own_name, terminal::say};
use crate::experiment::plan::Plan;
use crate::experiment::spec::{Choices, Spec};
use crate::experiment::store::catalog::RunEntry;
use crate::experiment::version::Code;
use crate::report::{self, Input};
use crate::results::so_far::SoFar;

/// What is added to the names of the files, so that a part never replaces the whole.
const SUFFIX: &str = "-partial";

/// The unfinished run of this plan under the present code version; else the last of this code
/// version, if there is one.
pub fn choose<'a>(
    experiment: &str,
    plan_hash: &str,
    unfinished: &'a [RunEntry],
) -> Option<&'a RunEntry> {
    let present = || {
        unfinished
            .iter()
            .filter(|entry| entry.experiment == experiment && entry.code() == Code::Present)
    };
    present()
        .find(|entry| entry.plan_hash == plan_hash)
        .or_else(|| present().next_back())
}

/// Adds the specs of experiments that have unfinished runs alone, as the last of them keeps it.
///
/// # Errors
/// A spec that cannot be read.
pub fn add_stored_specs(specs: &mut Vec<Spec>, unfinished: &[RunEntry]) -> anyhow::Result<()> {
    for entry in unfinished
        .iter()
        .rev()
        .filter(|entry| entry.code() == Code::Present)
    {
        if specs.iter().all(|spec| spec.name != entry.experiment) {
            let text = entry.folder.spec_text()?;
            specs.push(kept_spec(&entry.experiment, &entry.folder, &text)?);
        }
    }
    Ok(())
}

/// What the run is to be in the end, by the spec that it keeps.
fn plan(entry: &RunEntry) -> anyhow::Result<Plan> {
    entry.plan().with_context(|| {
        let spec = entry.folder.path().join("spec.toml");
        format!(
            "{}: not the spec of plan {}, or of another program: nothing is drawn of the run",
            spec.display(),
            entry.plan_hash
        )
    })
}

/// A figure without some of the rows would be biased, and nothing would say so.
fn refuse_damaged(so_far: &SoFar) -> anyhow::Result<()> {
    let Some((first, others)) = so_far.damaged.split_first() else {
        return Ok(());
    };
    let more = match others.len() {
        0 => String::new(),
        more => format!(", and {more} more files are damaged"),
    };
    bail!(
        "{}: {}{more}; nothing is drawn of this run: `{} run` sets aside what is damaged and runs its trials again",
        first.path.display(),
        first.reason,
        own_name()
    )
}

/// Draws the figures of what the run has so far.
///
/// # Errors
/// A run that cannot be read, or has nothing to draw yet; a file that cannot be written.
pub fn draw(
    spec: &Spec,
    entry: &RunEntry,
    args: &Args,
    undrawn: &mut Undrawn,
) -> anyhow::Result<()> {
    let plan = plan(entry)?;
    let so_far = entry.folder.so_far(&plan)?;
    refuse_damaged(&so_far)?;
    let (finished, all) = (spaced(so_far.finished), spaced(plan.trials()));
    let remark = format!("partial: {finished} of {}{all} trials", at_most(&plan));
    if !args.quiet {
        say!(
            "{}: {remark}, and {} running, in {}",
            spec.name,
            so_far.running,
            entry.folder.path().display()
        );
    }
    let provenance = format!(
        "experiment {}, code version {}, plan {}, {remark}",
        entry.experiment, entry.code_version, entry.plan_hash
    );
    let input = Input {
        trials: &so_far.trials,
        courses: &[],
        timings: &[],
        machine: "",
        provenance: &provenance,
        choices: &Choices::default(),
        remarks: &[],
    };
    draw_figures(spec, args, SUFFIX, undrawn, |kind, choices| {
        report::draw_partial(kind, &Input { choices, ..input }, &remark)
    })?;
    Ok(())
}
