//! What a page of experiments says of their runs: `report --html` and `diff --html`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;

use super::text::{all_of, courses_in_words, spaced};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::Manifest;
use crate::experiment::spec::Spec;
use crate::experiment::store::catalog::{CompleteRun, PlanLost};
use crate::experiment::store::{StoreError, atomic};
use crate::experiment::version;
use crate::html::grouped;
use crate::pages::page::{self, Block, Content, Page, Section, Shown};
use crate::report::{Drawing, Figure, Table};
use crate::solver::algorithm;
use crate::solver::local::watch;

/// Writes the page, whole or not at all.
///
/// # Errors
/// Those of writing.
pub fn write(file: &Path, page: &Page) -> anyhow::Result<()> {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    folder
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| atomic::write(file, page::html(page).as_bytes()))
        .with_context(|| file.display().to_string())
}

/// The results folder as a page may name it: as it was given, or `results` where that is no path
/// inside of the working folder, since paths of the machine are no part of a page.
pub fn folder(results: &Path) -> String {
    let results = results.strip_prefix(".").unwrap_or(results);
    let names = results.iter().map(|name| name.to_string_lossy());
    let names: Vec<_> = names.collect();
    if is_inside(results) && !names.is_empty() {
        names.join("/")
    } else {
        RESULTS.to_owned()
    }
}

/// The folder that commands take without `--results`.
pub const RESULTS: &str = "results";

fn is_inside(path: &Path) -> bool {
    path.components()
        .all(|it| matches!(it, std::path::Component::Normal(_)))
}

/// A figure of an experiment, whose results are in the folder `results`.
pub fn shown(
    results: &str,
    spec: &Spec,
    name: String,
    figure: &dyn Figure,
    drawing: Drawing,
) -> (Shown, Vec<String>) {
    let shown = Shown {
        name,
        svg: drawing.svg,
        caption: drawing.caption,
        table: Some(drawing.table),
        results: format!("{results}/{}", spec.name),
        varies: figure.shows_seconds(),
    };
    (shown, drawing.findings)
}

/// An experiment with its figures and what they find.
///
/// # Errors
/// A stored spec that is damaged or cannot be read.
pub fn section(
    results: &str,
    spec: &Spec,
    run: &CompleteRun,
    figures: Vec<(Shown, Vec<String>)>,
) -> Result<Section, StoreError> {
    let manifest = &run.manifest;
    let findings = figures.iter().flat_map(|(_, findings)| findings.clone());
    let findings: Vec<String> = findings
        .map(|finding| finding.trim_end_matches('.').to_owned())
        .collect();
    Ok(Section {
        name: spec.name.clone(),
        title: spec.title.clone().unwrap_or_else(|| spec.name.clone()),
        tags: spec.tags.clone(),
        notes: notes(spec),
        findings,
        varies: figures.iter().any(|(figure, _)| figure.varies),
        origin: origin(manifest),
        figures: figures.into_iter().map(|(figure, _)| figure).collect(),
        blocks: vec![
            block("Spec", Content::Text(spec.text.clone())),
            block("Plan", plan(run)?),
            block("Manifest", Content::Paragraphs(in_words(manifest))),
            block(
                "Commands that make it again",
                Content::Text(commands(results, spec)),
            ),
        ],
    })
}

/// The notes of a spec, a paragraph for each line that is not empty.
pub fn notes(spec: &Spec) -> Vec<String> {
    let lines = spec.notes.iter().flat_map(|notes| notes.lines());
    lines
        .filter(|line| !line.trim().is_empty())
        .map(str::to_owned)
        .collect()
}

/// The page of these experiments.
pub fn of_experiments(sections: Vec<Section>, manifests: &[&Manifest]) -> Page {
    let figures: usize = sections.iter().map(|section| section.figures.len()).sum();
    let mut lead = vec![format!(
        "{} with {}, drawn by reines {}.",
        counted(sections.len(), "experiment"),
        counted(figures, "figure"),
        version::PROGRAM
    )];
    if let Some(newest) = manifests
        .iter()
        .max_by_key(|it| (&it.ended, &it.experiment))
    {
        lead.push(format!(
            "The results changed last on {} ({}).",
            moment(&newest.ended),
            newest.experiment
        ));
    }
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for manifest in manifests {
        *versions.entry(&manifest.code_version).or_default() += 1;
    }
    let versions: Vec<String> = versions
        .iter()
        .map(|(version, &count)| format!("{version} ({count})"))
        .collect();
    lead.push(format!(
        "Code versions, each with its number of experiments: {}. A code version is a hash of the sources that can reach the result.",
        versions.join(", ")
    ));
    Page {
        title: "Experiments".to_owned(),
        lead,
        sections,
        watchable: watchable(),
    }
}

/// The local rules and their axes.
pub fn watchable() -> Vec<(String, Vec<String>)> {
    let axes = |name: &str| {
        let axes = algorithm(name).map(|it| it.axes()).unwrap_or_default();
        axes.iter().map(|axis| axis.name.to_owned()).collect()
    };
    watch::names()
        .map(|name| (name.to_owned(), axes(name)))
        .collect()
}

/// Something folded away.
pub fn block(title: &str, content: Content) -> Block {
    Block {
        title: title.to_owned(),
        content,
    }
}

/// `1 experiment`, `2 experiments`.
pub fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// Code version, time and number of rows.
pub fn origin(manifest: &Manifest) -> String {
    format!(
        "code version {}, run on {}, {} trials",
        manifest.code_version,
        moment(&manifest.ended),
        spaced(manifest.rows)
    )
}

/// `2026-01-02 03:04 UTC` of RFC 3339 in UTC.
fn moment(time: &str) -> String {
    match time.get(..16) {
        Some(minutes) => format!("{} UTC", minutes.replace('T', " ")),
        None => "an unknown day".to_owned(),
    }
}

/// A manifest without the command line, which has paths of the machine.
fn in_words(manifest: &Manifest) -> Vec<String> {
    let Manifest {
        code_version,
        plan_hash,
        commit,
        dirty,
        machine,
        ..
    } = manifest;
    let listed = |pairs: &mut dyn Iterator<Item = (String, String)>| {
        let pairs: Vec<String> = pairs
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        pairs.join(", ")
    };
    let definitions = manifest.definitions.iter();
    let parts = manifest.parts.iter();
    let files = manifest.files.iter();
    let commit = match (commit.as_str(), dirty) {
        ("", _) => "outside a git checkout".to_owned(),
        (commit, false) => format!("commit {commit}"),
        (commit, true) => format!("commit {commit}, with changes that were not committed"),
    };
    let dynamics = match manifest.dynamics.as_slice() {
        [] => String::new(),
        names => format!("; dynamics: {}", all_of(names)),
    };
    let rows = spaced(manifest.rows);
    let courses = courses_in_words([manifest.series_rows, manifest.move_rows]);
    let mut lines = vec![
        format!("Code version {code_version}, plan {plan_hash}; built from {commit}."),
        format!("{rows} trials{courses}{dynamics}."),
        format!(
            "Definitions: {}.",
            listed(&mut definitions.map(|(name, number)| (name.clone(), number.to_string())))
        ),
        format!(
            "Run on {} logical processors ({}), {} threads, {}, {}, target {}, from {} to {}.",
            machine.cores,
            machine.cpu,
            machine.threads,
            machine.os,
            machine.rustc,
            machine.target,
            moment(&manifest.started),
            moment(&manifest.ended)
        ),
        format!(
            "BLAKE3 of the files: {}.",
            listed(&mut files.map(|(name, hash)| (name.clone(), hash.clone())))
        ),
    ];
    if !manifest.parts.is_empty() {
        let parts = listed(&mut parts.map(|(name, hash)| (name.to_string(), hash.to_string())));
        lines.insert(1, format!("Parts of the sources: {parts}."));
    }
    lines
}

fn plan(run: &CompleteRun) -> Result<Content, StoreError> {
    let plan = match run.plan() {
        Ok((_, plan)) => plan,
        Err(PlanLost::Store(error)) => return Err(error),
        // Its message names files of this machine.
        Err(_) => {
            return Ok(Content::Paragraphs(vec![format!(
                "This program makes no plan {} of the spec that is kept with the run.",
                run.manifest.plan_hash
            )]));
        }
    };
    let seeds: Vec<String> = plan.seeds.iter().map(u64::to_string).collect();
    let line = format!(
        "Plan {}: {}, {} trials, seeds {}.",
        plan.hash(),
        counted(plan.points.len(), "point"),
        grouped(plan.trials()),
        seeds.join(" ")
    );
    let header = ["point", "trials", "cutoff", "dynamics"];
    let table = Table {
        header: header.map(str::to_owned).to_vec(),
        rows: plan
            .points
            .iter()
            .map(|point| point_row(&plan, point))
            .collect(),
        notes: Vec::new(),
    };
    Ok(Content::Table(line, table))
}

fn point_row(plan: &Plan, point: &PlannedPoint) -> Vec<String> {
    let most = if point.sequential.is_some() {
        "≤ "
    } else {
        ""
    };
    let trials = u64::from(point.trials) * plan.seeds.len() as u64;
    vec![
        point.point.to_string(),
        format!("{most}{trials}"),
        point.cutoff.to_string(),
        point.dynamics_name().unwrap_or_default().to_owned(),
    ]
}

/// What makes an experiment again from its spec. A file outside of the working folder is named
/// without its folder: paths of the machine are no part of a page.
fn commands(results: &str, spec: &Spec) -> String {
    let file = Path::new(&spec.file);
    let is_own = file
        .file_stem()
        .is_some_and(|stem| stem == spec.name.as_str());
    let file = if is_inside(file) && is_own {
        spec.file.replace('\\', "/")
    } else {
        format!("experiments/{}.toml", spec.name)
    };
    let option = if results == RESULTS {
        String::new()
    } else {
        format!("--results {results} ")
    };
    format!(
        "reines check {option}{file}     # what it runs, and how long that takes\n\
         reines run {option}{file}       # run it, or go on with it\n\
         reines report {option}{file}    # draw its figures\n\
         reines rerun {results}/{}      # run it once more and compare\n",
        spec.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_of_a_machine_is_in_a_page() {
        let spec = |file: &str| {
            let mut spec = crate::experiment::spec::parse_without_figures(
                "a",
                file,
                "seed = 1\n[[sweep]]\nalgorithm = 'pair'\nn = 4\nepsilon = 0.1\ntrials = 1\ncutoff = 10",
            )
            .expect("a spec");
            spec.file = file.to_owned();
            commands(RESULTS, &spec)
        };
        assert!(spec("experiments/large/a.toml").contains("reines run experiments/large/a.toml "));
        for file in ["/home/someone/a.toml", "../a.toml", "results/a/spec.toml"] {
            assert!(
                spec(file).contains("reines run experiments/a.toml "),
                "{file}"
            );
        }
        for (given, named) in [
            ("results", "results"),
            ("./results//reference/", "results/reference"),
            ("/home/someone/results", "results"),
            ("../results", "results"),
            ("", "results"),
        ] {
            assert_eq!(folder(Path::new(given)), named, "{given}");
        }
        let run = CompleteRun::example("a", "00ff00ff", "2026-01-02T03:04:05Z", 1);
        let mut manifest = run.manifest;
        manifest.command = vec!["/home/someone/reines".to_owned()];
        let words = in_words(&manifest).join("\n");
        assert!(!words.contains("someone"), "{words}");
        assert!(words.contains("to 2026-01-02 03:04 UTC"), "{words}");
    }
}
