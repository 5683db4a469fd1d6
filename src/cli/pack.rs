//! `reines pack`: runs as one file to hand over, an RO-Crate.

mod metadata;
pub mod zip;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;

use super::text::{counted, size};
use super::{Common, Refused, named, output};
use crate::cli::terminal::say;
use crate::experiment::spec::Spec;
use crate::pages::experiments;
use crate::pages::page::{Section, html};
use crate::report;
use crate::results::runs::CompleteRun;

/// Put runs of experiments into one file to hand over: an RO-Crate
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines pack epsilon -o epsilon.crate.zip
  reines pack --results results/reference epsilon rules -o paper.crate.zip
  reines verify --rerun epsilon.crate.zip        run it again, and compare

The file is an RO-Crate 1.1 with the Process Run Crate profile (docs/data.md):
of each experiment a run with its figures; a page to read; licence and citation.
The same runs and the same program give the same bytes.")]
pub struct Args {
    /// Experiments, by their names, specs or runs
    #[arg(required = true, value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    /// The file: *.crate.zip
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

/// Files of a crate by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// A run and its spec.
type PackedRun = (Spec, CompleteRun);

/// What every crate has beside its runs.
const COMMON: [(&str, &str); 3] = [
    ("CITATION.cff", include_str!("../../CITATION.cff")),
    ("LICENSE-APACHE", include_str!("../../LICENSE-APACHE")),
    ("LICENSE-MIT", include_str!("../../LICENSE-MIT")),
];

pub fn run(args: &Args, common: &Common) -> anyhow::Result<u8> {
    if !args.output.to_string_lossy().ends_with(".crate.zip") {
        let reason = "expected a file *.crate.zip";
        return Err(output::refused(&args.output, reason).into());
    }
    output::check(&args.output, args.force)?;
    let mut files = Files::new();
    for (name, text) in COMMON {
        files.insert(name.to_owned(), text.as_bytes().to_vec());
    }
    let (mut packed, mut sections) = (Vec::new(), Vec::new());
    for run in named::newest(&args.experiments, &common.results)? {
        let name = &run.manifest.experiment;
        if let Some((_, other)) = packed
            .iter()
            .find(|(spec, _): &&PackedRun| spec.name == *name)
        {
            let [a, b] = [other, &run].map(|run| run.folder.path().display());
            let reason =
                format!("{a} and {b} are runs of one experiment; expected one of each experiment");
            return Err(Refused::new(reason).into());
        }
        let (spec, section) = pack(&run, &mut files)?;
        packed.push((spec, run));
        sections.push(section);
    }
    let preview = html(&experiments::of_experiments(sections)).into_bytes();
    files.insert("ro-crate-preview.html".to_owned(), preview);
    let metadata = metadata::json(&packed, &files)?;
    files.insert(metadata::NAME.to_owned(), metadata.into_bytes());
    let bytes = zip::write(&files)?;
    output::write(&args.output, &bytes, args.force)?;
    let (file, count) = (args.output.display(), counted(files.len(), "file"));
    say!("{file}: {count}, {}", size(bytes.len() as u128));
    Ok(0)
}

/// Adds the files of a run, each checked against the manifest, and its figures.
fn pack(run: &CompleteRun, files: &mut Files) -> anyhow::Result<(Spec, Section)> {
    let (name, results) = (&run.manifest.experiment, experiments::RESULTS);
    for file in run.manifest.files.keys() {
        files.insert(format!("{name}/{file}"), run.bytes(file)?);
    }
    let path = run.folder.path().join("manifest.toml");
    let manifest = fs::read(&path).with_context(|| path.display().to_string())?;
    files.insert(format!("{name}/manifest.toml"), manifest);
    let spec = named::kept_spec(name, &run.folder)?;
    let mut shown = Vec::new();
    for (figure, drawing) in report::drawings(&spec, run)? {
        let stem = format!("{name}/figures/{}", figure.name);
        files.insert(format!("{stem}.svg"), drawing.svg.clone().into_bytes());
        files.insert(format!("{stem}.csv"), drawing.table.to_csv());
        let (title, kind) = (figure.name.clone(), &report::Chart::of(figure));
        shown.push(experiments::shown(results, &spec, title, kind, drawing));
    }
    let section = experiments::section(results, &spec, run, shown)?;
    Ok((spec, section))
}
