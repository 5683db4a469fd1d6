//! `reines pack`: runs as one file to hand over, an RO-Crate.

mod metadata;
pub mod zip;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;

use super::text::{counted, size};
use super::{Refused, named, output, page, report};
use crate::cli::terminal::say;
use crate::experiment::spec::Spec;
use crate::pages::page::{Section, html};
use crate::results::runs::CompleteRun;

/// Put runs of experiments into one file to hand over: an RO-Crate
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines pack epsilon -o epsilon.crate.zip
  reines pack --results results/reference epsilon rules -o paper.crate.zip
  reines rerun epsilon.crate.zip        run it again, and compare

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
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

/// Files of a crate by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// What every crate has beside its runs.
const COMMON: [(&str, &str); 3] = [
    ("CITATION.cff", include_str!("../../CITATION.cff")),
    ("LICENSE-APACHE", include_str!("../../LICENSE-APACHE")),
    ("LICENSE-MIT", include_str!("../../LICENSE-MIT")),
];

/// A run, its spec, and the names of its files in the crate.
pub struct Packed {
    pub spec: Spec,
    pub run: CompleteRun,
    /// Tables and figures.
    pub results: Vec<String>,
}

pub fn run(args: &Args) -> anyhow::Result<u8> {
    if !args.output.to_string_lossy().ends_with(".crate.zip") {
        let reason = "allowed is a name NAME.crate.zip";
        return Err(output::refused(&args.output, reason).into());
    }
    output::refuse_existing(&args.output, args.force)?;
    let mut files = Files::new();
    for (name, text) in COMMON {
        files.insert(name.to_owned(), text.as_bytes().to_vec());
    }
    let (mut packed, mut sections) = (Vec::new(), Vec::new());
    let runs = named::newest(&args.experiments, &args.results)?;
    let names = |run: &CompleteRun| run.manifest.experiment.clone();
    if let Some(both) = runs.windows(2).find(|it| names(&it[0]) == names(&it[1])) {
        let [a, b] = [&both[0], &both[1]].map(|run| run.folder.path().display());
        let reason = format!("{a} and {b} are runs of one experiment; allowed is one of each");
        return Err(Refused::new(reason).into());
    }
    for run in runs {
        let (own, section) = pack(run, &mut files)?;
        packed.push(own);
        sections.push(section);
    }
    let preview = html(&page::of_experiments(sections)).into_bytes();
    files.insert("ro-crate-preview.html".to_owned(), preview);
    let metadata = metadata::json(&packed, &files)?;
    files.insert(metadata::NAME.to_owned(), metadata.into_bytes());
    let bytes = zip::write(&files)?;
    output::write(&args.output, &bytes, args.force)?;
    let (file, count) = (args.output.display(), counted(files.len() as u64, "file"));
    say!("{file}: {count}, {}", size(bytes.len() as u128));
    Ok(0)
}

/// Adds the files of a run, each checked against the manifest, and its figures.
fn pack(run: CompleteRun, files: &mut Files) -> anyhow::Result<(Packed, Section)> {
    let name = run.manifest.experiment.clone();
    let mut results = Vec::new();
    for file in run.manifest.files.keys() {
        let bytes = run.bytes(file)?;
        files.insert(format!("{name}/{file}"), bytes);
        if file != "spec.toml" {
            results.push(format!("{name}/{file}"));
        }
    }
    let path = run.folder.path().join("manifest.toml");
    let manifest = fs::read(&path).with_context(|| path.display().to_string())?;
    files.insert(format!("{name}/manifest.toml"), manifest);
    let text = run.spec_text()?;
    let spec = named::kept_spec(&name, &run.folder, &text)?;
    let mut shown = Vec::new();
    for (figure, drawing) in report::drawings(&spec, &run)? {
        for (ending, bytes) in [
            ("svg", drawing.svg.as_bytes()),
            ("csv", drawing.table.to_csv().as_bytes()),
        ] {
            let file = format!("{name}/figures/{}.{ending}", figure.name);
            files.insert(file.clone(), bytes.to_vec());
            results.push(file);
        }
        let (title, kind) = (figure.name.clone(), report::kind(figure));
        shown.push(page::shown(page::RESULTS, &spec, title, kind, drawing));
    }
    let section = page::section(page::RESULTS, &spec, &run, shown)?;
    Ok((Packed { spec, run, results }, section))
}
