//! `reines report --partial`: an unfinished run, drawn so that it is not mistaken for a finished
//! one.

use super::{Args, Undrawn, draw_figures};
use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, Choices, Spec};
use crate::experiment::store::catalog::RunEntry;
use crate::experiment::version::Code;
use crate::report::{self, Input};

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
            let label = entry.folder.path().join("spec.toml").display().to_string();
            specs.push(spec::parse(
                &entry.experiment,
                &label,
                &entry.folder.spec_text()?,
                &report::kinds(),
            )?);
        }
    }
    Ok(())
}

/// Points whose rows decide how many trials they have need not have all that the plan allows.
fn most(plan: &Plan) -> &'static str {
    if plan
        .points
        .iter()
        .any(|planned| planned.sequential.is_some())
    {
        "at most "
    } else {
        ""
    }
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
    let so_far = entry.folder.so_far()?;
    let of_total = entry.plan().map_or_else(String::new, |plan| {
        format!(" of {}{}", most(&plan), plan.trials())
    });
    let remark = format!("partial: {}{of_total} trials", so_far.finished);
    if !args.quiet {
        eprintln!(
            "{}: {remark}, and {} running, in {}",
            spec.name,
            so_far.running,
            entry.folder.path().display()
        );
    }
    let title = spec.title.as_deref().unwrap_or(&spec.name);
    let provenance = format!(
        "experiment {}, code version {}, plan {}, {remark}",
        entry.experiment, entry.code_version, entry.plan_hash
    );
    let input = Input {
        title,
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
