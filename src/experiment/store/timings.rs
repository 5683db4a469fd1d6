//! Wall-clock times of a complete run, read back.

use std::fs;
use std::io::Cursor;

use polars::prelude::*;

use super::folder::RunFolder;
use super::{PointKey, StoreError};
use crate::experiment::provenance::{Manifest, checksum};
use crate::solver::goal::Goal;

const TIMINGS: &str = "timings.parquet";

/// How long one trial took.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    pub point: PointKey,
    pub seed: u64,
    pub trial: u32,
    pub seconds: f64,
}

/// The first time that each trial of a complete run was measured; the file's checksum is compared before it is read.
///
/// # Errors
/// A damaged or missing file.
pub fn read(folder: &RunFolder, manifest: &Manifest) -> Result<Vec<Timing>, StoreError> {
    let path = folder.path().join(TIMINGS);
    let bytes = fs::read(&path).map_err(|source| StoreError::Io { path: path.clone(), source })?;
    let (expected, found) = (manifest.files.get(TIMINGS).cloned().unwrap_or_default(), checksum(&bytes));
    if expected != found {
        return Err(StoreError::Checksum { path, expected, found });
    }
    decode(&bytes).map_err(|error| StoreError::Format { path, reason: error.to_string() })
}

fn decode(bytes: &[u8]) -> PolarsResult<Vec<Timing>> {
    let frame = ParquetReader::new(Cursor::new(bytes)).finish()?;
    let [algorithm, variant] = [frame.column("algorithm")?.str()?, frame.column("variant")?.str()?];
    let [n, trial, repeat] = [frame.column("n")?.u32()?, frame.column("trial")?.u32()?, frame.column("repeat")?.u32()?];
    let [epsilon, eta, seconds] = [frame.column("epsilon")?.f64()?, frame.column("eta")?.f64()?, frame.column("seconds")?.f64()?];
    let seed = frame.column("seed")?.u64()?;
    // The first files of schema 1 know no search.
    let goal = frame.column("goal").ok().map(|column| column.str()).transpose()?;
    let timing = |i: usize| {
        let text = |column: &StringChunked| column.get(i).map(str::to_owned);
        let (algorithm, variant) = (text(algorithm)?, text(variant)?);
        let goal = goal.and_then(|column| column.get(i)).and_then(Goal::from_name);
        let point = PointKey { algorithm, variant, n: n.get(i)?, epsilon: epsilon.get(i), eta: eta.get(i), goal };
        Some(Timing { point, seed: seed.get(i)?, trial: trial.get(i)?, seconds: seconds.get(i)? })
    };
    let missing = || PolarsError::ComputeError("a timing without its key".into());
    (0..frame.height()).filter(|&i| repeat.get(i) == Some(0)).map(|i| timing(i).ok_or_else(missing)).collect()
}
