//! What a complete run says of the dynamics of its plan: that they have the laws of their rules.
//! The program that made the run compared them, which takes up to half a second a rule; a program
//! of the same code would find the same. When such a run is believed is decided here.

use std::path::Path;

use super::folder::RunFolder;
use crate::experiment::manifest::Manifest;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{Refused, Spec};
use crate::solver::local::law;

impl RunFolder {
    /// The folder of a plan's run by the present code.
    pub fn of(plan: &Plan, experiment: &str, results: &Path) -> Self {
        let name = format!("{}-{}", plan.code_version(), plan.hash());
        Self::at(results.join(experiment).join(name))
    }
}

impl Plan {
    /// [`Plan::new`] of a spec of which a complete run may stand in a folder of results.
    ///
    /// # Errors
    /// Those of [`Plan::new`].
    pub fn among(spec: &Spec, results: &Path) -> Result<Self, Refused> {
        let assumed = Self::assumed(spec)?;
        let folder = RunFolder::of(&assumed, &spec.name, results);
        if let Ok(manifest) = folder.manifest() {
            assumed.assume_laws_of(&manifest, &folder);
        }
        assumed.checked(spec)
    }

    /// The plan of this hash, if the spec makes it: the dynamics of what has run are not compared
    /// with laws again.
    pub(super) fn of_hash(spec: &Spec, hash: &str) -> Option<Self> {
        let assumed = Self::assumed(spec).ok()?;
        if assumed.hash() == hash {
            return Some(assumed);
        }
        let checked = assumed.checked(spec).ok()?;
        (checked.hash() == hash).then_some(checked)
    }

    /// Takes the dynamics of the plan for compared with the laws of its rules, where the manifest
    /// in the folder of its run says so.
    fn assume_laws_of(&self, manifest: &Manifest, folder: &RunFolder) {
        if !is_checked_by(manifest, folder) {
            return;
        }
        for planned in &self.points {
            if let Some(dynamics) = planned.dynamics {
                law::take_as_held(&planned.point, dynamics);
            }
        }
    }
}

/// True for the manifest of a run of this folder's plan and code, which names laws.
fn is_checked_by(manifest: &Manifest, folder: &RunFolder) -> bool {
    let is_of_plan = manifest.plan_hash == folder.plan_hash;
    let is_of_code = manifest.code_version == folder.code_version;
    is_of_plan && is_of_code && !manifest.laws.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::laws::Laws;
    use crate::solver::DynamicsChoice;

    /// What a run says of its plan counts; not that of another plan, of another code or of an
    /// earlier program.
    #[test]
    fn a_run_has_a_word_of_its_own_plan_and_code_alone() {
        let text = "seed = 1\ndefaults.cutoff = 1e6\n[[sweep]]\nalgorithm = \"cell\"\n\
                    n = 4\nepsilon = 0.1\neta = 0.1\ntrials = 1\n";
        let plan = Plan::example(text, DynamicsChoice::Auto);
        let text = format!(
            "schema = 4\nexperiment = \"a\"\ncode_version = \"{}\"\nplan_hash = \"{}\"\n\
             commit = \"\"\ndirty = false\nrows = 1\ndynamics = []\nstarted = \"\"\nended = \"\"\n\
             command = []\ndefinitions = {{}}\nparts = {{}}\nfiles = {{}}\n\
             laws.cell.group = \"01234567\"\n\
             [machine]\nrustc = \"\"\ntarget = \"\"\ncpu = \"\"\ncores = 1\nthreads = 1\nos = \"\"\n",
            plan.code_version(),
            plan.hash()
        );
        let own: Manifest = toml::from_str(&text).expect("a manifest");
        let folder = RunFolder::of(&plan, "a", Path::new("results"));
        assert!(is_checked_by(&own, &folder));
        let of_another_plan = Manifest {
            plan_hash: "01234567".to_owned(),
            ..own.clone()
        };
        let of_another_code = Manifest {
            code_version: "0.1.0-01234567".to_owned(),
            ..own.clone()
        };
        let without_laws = Manifest {
            laws: Laws::new(),
            ..own
        };
        for other in [of_another_plan, of_another_code, without_laws] {
            assert!(!is_checked_by(&other, &folder), "{other:?}");
        }
    }
}
