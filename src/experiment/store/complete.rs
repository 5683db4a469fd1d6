//! Complete runs: what is stored of them, and the spec and plan that they were made of.

use std::sync::Arc;

use super::StoreError;
use super::folder::{RunFolder, SPEC};
pub use super::stored::CompleteRun;
use crate::experiment::plan::Plan;
use crate::experiment::provenance::checksum;
use crate::experiment::spec::{self, Refused, Spec};

/// Why the plan of a run cannot be made again.
#[derive(Debug, thiserror::Error)]
pub enum PlanLost {
    /// The kept spec is damaged or missing.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The kept spec is none for this program, or gives other plans.
    #[error("{0}")]
    Other(#[source] Refused),
}

impl CompleteRun {
    /// The run in its own folder.
    ///
    /// # Errors
    /// A manifest that is missing, damaged, of a newer schema, or of another run than the folder.
    pub fn read(folder: &RunFolder) -> Result<Self, StoreError> {
        let run = Self::at(folder.clone())?;
        folder.refuse_foreign(&run.manifest)?;
        Ok(run)
    }

    /// The run in a folder of any name.
    pub fn at(folder: RunFolder) -> Result<Self, StoreError> {
        let run = Self::open(&folder)?;
        // What it is follows from the spec that it keeps, which is there and sound.
        run.spec_text()?;
        Ok(run)
    }

    /// The spec that the run kept, without figures, and the plan that ran.
    ///
    /// # Errors
    /// A spec that is damaged, or of which this program makes no such plan.
    pub fn plan(&self) -> Result<(Arc<Spec>, Arc<Plan>), PlanLost> {
        if let Some(known) = self.planned.get() {
            return Ok(known.clone());
        }
        let manifest = &self.manifest;
        let label = self.folder.path().join(SPEC).display().to_string();
        let text = self.spec_text()?;
        let spec =
            spec::parse_plan(&manifest.experiment, &label, &text).map_err(PlanLost::Other)?;
        let (hash, code_version) = (&manifest.plan_hash, &manifest.code_version);
        let Some(plan) = Plan::new(&spec).ok().filter(|plan| plan.hash() == *hash) else {
            let reason = format!(
                "this program makes no plan {hash} of it; expected code version {code_version}"
            );
            return Err(PlanLost::Other(Refused::of_file(&label, reason)));
        };
        let known = || (Arc::new(spec), Arc::new(plan));
        Ok(self.planned.get_or_init(known).clone())
    }

    /// The spec that the run was started from, whose checksum is compared.
    pub(crate) fn spec_text(&self) -> Result<String, StoreError> {
        let text = self.folder.spec_text()?;
        let found = checksum(text.as_bytes());
        match self.manifest.files.get(SPEC) {
            Some(seal) if seal.blake3 == found => Ok(text),
            Some(seal) => Err(StoreError::Checksum {
                path: self.folder.path().join(SPEC),
                expected: seal.blake3.clone(),
                found,
            }),
            None => Err(self.wrong_manifest(format!("no checksum of {SPEC}"))),
        }
    }
}
