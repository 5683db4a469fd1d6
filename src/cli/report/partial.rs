//! `reines report --partial`: an unfinished run, drawn so that it is not mistaken for a finished
//! one.

use anyhow::{Context, bail};

use super::{Report, Rows};
use crate::cli::named::kept_spec;
use crate::cli::plan::at_most;
use crate::cli::text::spaced;
use crate::cli::{own_name, terminal::say};
use crate::experiment::spec::Spec;
use crate::experiment::store::catalog::RunEntry;
use crate::experiment::version::Code;
use crate::report;

/// What is added to the names of the files, so that a part never replaces the whole.
const SUFFIX: &str = "-partial";

/// The unfinished run of this plan under the present code version; else the last of this code
/// version, if there is one.
pub fn choose<'a>(
    experiment: &str,
    plan_hash: &str,
    unfinished: &'a [RunEntry],
) -> Option<&'a RunEntry> {
    let own = unfinished.iter().filter(|it| it.experiment == experiment);
    let present: Vec<&RunEntry> = own.filter(|it| it.code() == Code::Present).collect();
    let mut of_plan = present.iter().filter(|it| it.plan_hash == plan_hash);
    of_plan.next().or(present.last()).copied()
}

/// Adds the specs of experiments that have unfinished runs alone, as the last of them keeps it.
pub fn add_stored_specs(specs: &mut Vec<Spec>, unfinished: &[RunEntry]) -> anyhow::Result<()> {
    for entry in unfinished.iter().rev() {
        let is_new = specs.iter().all(|spec| spec.name != entry.experiment);
        if is_new && entry.code() == Code::Present {
            let text = entry.folder.spec_text()?;
            specs.push(kept_spec(&entry.experiment, &entry.folder, &text)?);
        }
    }
    Ok(())
}

impl Report<'_> {
    /// Draws the figures of what the run has so far.
    pub(super) fn draw_partial(&mut self, spec: &Spec, entry: &RunEntry) -> anyhow::Result<()> {
        let folder = &entry.folder;
        // What the run is to be in the end, by the spec that it keeps.
        let plan = entry.plan().with_context(|| {
            let spec = folder.path().join("spec.toml");
            format!(
                "{}: not the spec of plan {}, or of another program: nothing is drawn of the run",
                spec.display(),
                entry.plan_hash
            )
        })?;
        let so_far = folder.so_far(&plan)?;
        // A figure without some of the rows would be biased, and nothing would say so.
        if let Some((first, others)) = so_far.damaged.split_first() {
            let more = match others.len() {
                0 => String::new(),
                more => format!(", and {more} more files are damaged"),
            };
            bail!(
                "{}: {}{more}; nothing is drawn of this run: `{} run` sets aside what is damaged and runs its trials again",
                first.path.display(),
                first.reason,
                own_name()
            );
        }
        let (finished, all) = (spaced(so_far.finished), spaced(plan.trials()));
        let remark = format!("partial: {finished} of {}{all} trials", at_most(&plan));
        if !self.args.quiet {
            let (name, running, path) = (&spec.name, so_far.running, folder.path().display());
            say!("{name}: {remark}, and {running} running, in {path}");
        }
        let [experiment, code_version, plan_hash] = entry.names();
        let provenance = format!(
            "experiment {experiment}, code version {code_version}, plan {plan_hash}, {remark}"
        );
        let rows = Rows::of_trials(so_far.trials, provenance);
        self.draw_figures(spec, SUFFIX, |kind, choices| {
            report::draw_partial(kind, &rows.input(choices), &remark)
        });
        Ok(())
    }
}
