//! A plan and its place in the results: what `run` and `merge` have in common.

use std::collections::BTreeSet;
use std::path::Path;

use super::StoppingRule;
use crate::experiment::plan::{DEFINITION, Plan, PlannedPoint};
use crate::experiment::provenance::{self, Machine, Manifest, SCHEMA};
use crate::experiment::shard::Shard;
use crate::experiment::spec::Spec;
use crate::experiment::store::StoreError;
use crate::experiment::store::catalog;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::schema::{MOVES, SERIES};

/// What is to be there in the end, and where: the run of a plan in a results folder.
#[derive(Clone, Copy)]
pub struct PlannedRun<'a> {
    /// The experiment.
    pub spec: &'a Spec,
    /// The spec's plan.
    pub plan: &'a Plan,
    /// The results folder, in which the run has a folder of its own.
    pub results: &'a Path,
    /// When a point with `trials = { min, max, precision }` has enough trials.
    pub rule: StoppingRule,
    /// The command line, for the manifest.
    pub command: &'a [String],
}

impl<'a> PlannedRun<'a> {
    /// The folder of the plan's first run under this code version.
    pub fn folder(&self) -> RunFolder {
        let mut folders = self.folders();
        folders.next().expect("the numbers of runs begin with 1")
    }

    /// The folders of the plan's first run, of its second, …, there or not.
    pub(super) fn folders(&self) -> impl Iterator<Item = RunFolder> {
        let Self { results, spec, .. } = *self;
        let (code_version, hash) = (self.plan.code_version(), self.plan.hash());
        (1..).map(move |repeat| catalog::folder(results, &spec.name, &code_version, &hash, repeat))
    }

    /// Refuses a manifest that is not of this run, or of this shard of it.
    ///
    /// # Errors
    /// [`StoreError::Foreign`].
    pub(in crate::experiment) fn refuse_foreign(
        &self,
        folder: &RunFolder,
        manifest: &Manifest,
        shard: Option<Shard>,
    ) -> Result<(), StoreError> {
        let (code_version, plan_hash) = (self.plan.code_version(), self.plan.hash());
        let names = [&*self.spec.name, &code_version, &plan_hash];
        catalog::refuse_foreign(folder, manifest, names, shard)
    }

    /// The tables of courses that the plan asks for.
    pub(in crate::experiment) fn course_tables(&self) -> Vec<&'static str> {
        let series = self.plan.records_series().then_some(SERIES);
        let moves = self.plan.records_moves().then_some(MOVES);
        series.into_iter().chain(moves).collect()
    }

    /// The manifest of a run, or of one of its shards, that ends now; without its files.
    pub(in crate::experiment) fn manifest(
        &self,
        shard: Option<Shard>,
        started: String,
        threads: usize,
    ) -> Manifest {
        let (commit, dirty) = provenance::commit();
        let points = self.plan.points.iter();
        let dynamics = points.clone().filter_map(PlannedPoint::dynamics_name);
        let dynamics: BTreeSet<String> = dynamics.map(str::to_owned).collect();
        Manifest {
            schema: SCHEMA,
            experiment: self.spec.name.clone(),
            code_version: self.plan.code_version(),
            plan_hash: self.plan.hash(),
            shard: shard.map(|shard| shard.to_string()),
            spec_hash: provenance::checksum(self.spec.text.as_bytes()),
            commit,
            dirty,
            rows: self.plan.trials(),
            series_rows: 0,
            move_rows: 0,
            dynamics: dynamics.into_iter().collect(),
            definitions: points
                .map(|planned| (planned.point.algorithm.clone(), DEFINITION))
                .collect(),
            parts: self.plan.parts(),
            started,
            ended: provenance::now(),
            command: self.command.to_vec(),
            machine: Machine::here(threads),
            files: Default::default(),
            shards: Vec::new(),
        }
    }
}
