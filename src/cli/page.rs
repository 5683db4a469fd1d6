//! What a page of experiments says of their runs: `report --html` and `diff --html`.

use std::path::Path;
use std::sync::Arc;

use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::Manifest;
use crate::experiment::spec::{Refused, Spec};
use crate::experiment::store::StoreError;
use crate::experiment::version;
use crate::html::{counted, grouped};
use crate::pages::page::{Page, Section, Shown};
use crate::pages::{self, Tables};
use crate::report::{Chart, Drawing, sentences};
use crate::results::runs::{CompleteRun, PlanLost};
use crate::solver::algorithm;
use crate::solver::local;

/// The results folder as a page may name it: as it was given, or `results` where that is no path
/// inside of the working folder, since paths of the machine are no part of a page.
pub fn folder(results: &Path) -> String {
    let results = results.strip_prefix(".").unwrap_or(results);
    let names: Vec<_> = results.iter().map(|name| name.to_string_lossy()).collect();
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
pub fn shown(results: &str, spec: &Spec, name: String, figure: &Chart, drawing: Drawing) -> Shown {
    Shown {
        name,
        figure: drawing.on_page,
        caption: drawing.words,
        table: Some(drawing.table),
        results: format!("{results}/{}", spec.name),
        varies: figure.shows_seconds(),
        findings: drawing.findings.iter().map(|it| sentences([it])).collect(),
    }
}

/// An experiment with its figures. It finds what its spec says, with the numbers of these figures'
/// tables, where these are all figures of the spec's plan; else what the first figure finds.
pub fn section(
    results: &str,
    spec: &Spec,
    run: &CompleteRun,
    figures: Vec<Shown>,
) -> anyhow::Result<Section> {
    let manifest = &run.manifest;
    let names = spec.figures.iter().map(|figure| &figure.name);
    let is_whole = names.eq(figures.iter().map(|shown| &shown.name))
        && Plan::new(spec)?.hash() == manifest.plan_hash;
    let mut others = figures.iter().flat_map(|shown| shown.findings.clone());
    let finding = match &spec.finding {
        Some(finding) if is_whole => Some(found(&spec.file, finding, &figures)?),
        _ => others.next(),
    };
    let mut details = vec![origin(manifest)];
    if !spec.tags.is_empty() {
        details.push(format!("Tags: {}.", spec.tags.join(", ")));
    }
    details.extend(notes(spec));
    details.extend(others);
    Ok(Section {
        name: spec.name.clone(),
        title: spec.title.clone().unwrap_or_else(|| spec.name.clone()),
        group: spec.group.clone().unwrap_or_default(),
        rank: spec.rank,
        findings: finding.into_iter().collect(),
        details,
        figures,
        blocks: vec![
            ("Spec".to_owned(), spec.text.clone()),
            ("Plan".to_owned(), plan(run)?),
            ("Manifest".to_owned(), without_command(manifest)?),
            ("Commands".to_owned(), commands(results, spec)),
        ],
        trials: manifest.rows,
    })
}

/// A spec's finding, with the numbers of these figures' tables.
fn found(
    file: &str,
    (template, line): &(String, usize),
    figures: &[Shown],
) -> Result<String, Refused> {
    let tables = figures.iter();
    let tables = tables.filter_map(|shown| Some((&shown.name[..], shown.table.as_ref()?)));
    let tables = Arc::new(Tables::drawn(tables));
    pages::filled(file, template, &tables)
        .map_err(|error| Refused::of_line(file, *line, format!("finding: {}", error.message)))
}

/// The notes of a spec, a paragraph for each line that is not empty.
pub fn notes(spec: &Spec) -> impl Iterator<Item = String> {
    let lines = spec.notes.iter().flat_map(|notes| notes.lines());
    let lines = lines.filter(|line| !line.trim().is_empty());
    lines.map(str::to_owned)
}

/// What is studied by whoever uses this program.
const STUDIED: &str = "Queens that see only the cells beside them look for a placement in which \
    none attacks another, and now and then take a dangerous move. How long that takes, what the \
    risk is good for, and how exhaustive search compares is measured here.";

/// The page of these experiments.
pub fn of_experiments(sections: Vec<Section>) -> Page {
    /// Figures of the source, in a row.
    const LARGE: usize = 3;
    let figures: usize = sections.iter().map(|section| section.figures.len()).sum();
    let trials: u64 = sections.iter().map(|section| section.trials).sum();
    let experiments = counted(sections.len() as u64, "experiment");
    let (trials, figures) = (grouped(trials), counted(figures as u64, "figure"));
    let program = version::PROGRAM;
    // Of the local rules.
    let with_axes = |name: &str| {
        let axes = algorithm(name).map(|it| it.axes()).unwrap_or_default();
        let axes = axes.iter().map(|axis| axis.name.to_owned());
        (name.to_owned(), axes.collect())
    };
    let lead =
        format!("{trials} trials in {experiments}, with {figures}; drawn by reines {program}.");
    Page {
        title: "Queens by local rules: experiments".to_owned(),
        lead: vec![STUDIED.to_owned(), lead],
        sections,
        large: LARGE,
        watchable: local::names().map(with_axes).collect(),
    }
}

/// Code version, time and number of rows.
pub fn origin(manifest: &Manifest) -> String {
    let (version, trials) = (&manifest.code_version, counted(manifest.rows, "trial"));
    let moment = moment(&manifest.ended);
    format!("Code version {version}, run on {moment}, {trials}.")
}

/// `2026-01-02 03:04 UTC` of RFC 3339 in UTC.
fn moment(time: &str) -> String {
    match time.get(..16) {
        Some(minutes) => format!("{} UTC", minutes.replace('T', " ")),
        None => "an unknown day".to_owned(),
    }
}

/// A manifest without the command line, which has paths of the machine.
fn without_command(manifest: &Manifest) -> anyhow::Result<String> {
    let mut manifest = manifest.clone();
    manifest.command.clear();
    Ok(toml::to_string(&manifest)?)
}

fn plan(run: &CompleteRun) -> Result<String, StoreError> {
    let plan = match run.plan() {
        Ok((_, plan)) => plan,
        Err(PlanLost::Store(error)) => return Err(error),
        // Its message names files of this machine.
        Err(_) => {
            return Ok(format!(
                "This program makes no plan {} of the spec that is kept with the run.",
                run.manifest.plan_hash
            ));
        }
    };
    let seeds: Vec<String> = plan.seeds.iter().map(u64::to_string).collect();
    let (hash, trials, seeds) = (plan.hash(), grouped(plan.trials()), seeds.join(" "));
    let points = counted(plan.points.len() as u64, "point");
    let head = format!("Plan {hash}: {points}, {trials} trials, seeds {seeds}.\n");
    let points = plan.points.iter().map(|point| in_plan(&plan, point));
    Ok(head + &points.collect::<String>())
}

fn in_plan(plan: &Plan, point: &PlannedPoint) -> String {
    let most = if point.sequential.is_some() {
        "≤ "
    } else {
        ""
    };
    let trials = u64::from(point.trials) * plan.seeds.len() as u64;
    let dynamics = point.dynamics_name().map(|it| format!(", {it}"));
    let dynamics = dynamics.unwrap_or_default();
    let PlannedPoint { point, cutoff, .. } = point;
    format!("{point}: {most}{trials} trials, cutoff {cutoff}{dynamics}\n")
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
    let option = match results {
        RESULTS => String::new(),
        results => format!("--results {results} "),
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
        let text = without_command(&manifest).expect("TOML");
        assert!(!text.contains("someone"), "{text}");
        assert!(origin(&manifest).contains("on 2026-01-02 03:04 UTC, "));
    }
}
