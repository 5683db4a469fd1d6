//! Wall-clock times of a complete run, read back.

use super::folder::RunFolder;
use super::{PointKey, Record, StoreError};
use crate::experiment::provenance::Manifest;

/// How long one trial took.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// What was run.
    pub point: PointKey,
    /// Of the spec.
    pub seed: u64,
    /// Index from 0.
    pub trial: u32,
    /// Wall-clock time.
    pub seconds: f64,
}

/// The first time that each trial of a complete run was measured.
///
/// # Errors
/// A damaged or missing file.
pub fn read(folder: &RunFolder, manifest: &Manifest) -> Result<Vec<Timing>, StoreError> {
    let mut timings = Vec::new();
    folder.records(manifest, &mut |records| {
        let timing = |Record {
                          point,
                          row,
                          seconds,
                          ..
                      }: Record| Timing {
            point: PointKey::clone(&point),
            seed: row.seed,
            trial: row.trial,
            seconds,
        };
        timings.extend(records.into_iter().map(timing));
        Ok(())
    })?;
    Ok(timings)
}
