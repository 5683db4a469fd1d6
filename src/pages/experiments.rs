//! What a page of experiments says of their runs: `report --html`.

use std::path::{Component, Path};

use super::page::{Page, Section, Shown};
use crate::drawing::picture::Picture;
use crate::drawing::read;
use crate::experiment::provenance::Manifest;
use crate::experiment::spec::Spec;
use crate::experiment::store::StoreError;
use crate::experiment::version;
use crate::html::{counted, spaced};
use crate::report::{Chart, Drawing};
use crate::results::runs::{CompleteRun, PlanLost};
use crate::solver::algorithm;
use crate::solver::local;

/// The folder that commands take without `--results`.
pub const RESULTS: &str = "results";

/// The results folder as a page may name it: as it was given, or `results`.
pub fn folder(results: &Path) -> String {
    inside(results).unwrap_or_else(|| RESULTS.to_owned())
}

/// A path within the working folder, with `/` between its names; none that leads out of it, since
/// paths of the machine are no part of a page.
fn inside(path: &Path) -> Option<String> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) => names.push(name.to_string_lossy()),
            _ => return None,
        }
    }
    Some(names.join("/")).filter(|path| !path.is_empty())
}

/// A figure of an experiment, whose results are in the folder `results`.
pub fn shown(results: &str, spec: &Spec, name: String, figure: &Chart, drawing: Drawing) -> Shown {
    Shown {
        name,
        figure: svg_in_page(&drawing.svg),
        caption: drawing.words,
        table: Some(drawing.table),
        results: format!("{results}/{}", spec.name),
        varies: figure.shows_seconds(),
    }
}

/// An experiment with its figures, and what its spec says of its reference run.
pub fn section(
    results: &str,
    spec: &Spec,
    run: &CompleteRun,
    figures: Vec<Shown>,
) -> anyhow::Result<Section> {
    let manifest = &run.manifest;
    let finding = spec.finding.iter();
    let finding = finding.map(|it| format!("In the reference run: {it}"));
    let mut without_command = manifest.clone();
    // The table of a figure has more of each point.
    without_command.points.clear();
    // It has paths of the machine.
    without_command.command.clear();
    Ok(Section {
        name: spec.name.clone(),
        title: spec.title.clone().unwrap_or_else(|| spec.name.clone()),
        group: spec.group.clone().unwrap_or_default(),
        rank: spec.rank,
        findings: finding.collect(),
        details: vec![origin(manifest)],
        figures,
        blocks: vec![
            ("Spec".to_owned(), spec.text.clone()),
            ("Plan".to_owned(), plan(run)?),
            ("Manifest".to_owned(), toml::to_string(&without_command)?),
            ("Commands".to_owned(), commands(results, spec)),
        ],
        trials: manifest.rows,
    })
}

/// What is studied by whoever uses this program, and the words for it.
const STUDIED: [&str; 4] = [
    "n queens on a board of n × n cells look for a solution: a placement in which none attacks \
     another. A cell asks only its neighbours and keeps signals: in which directions a queen \
     stands. Signals travel one cell at a time, so they may be out of date.",
    "A queen whose cell holds a signal is threatened. It steps to a neighbouring cell that looks \
     safe or, with a small probability ε, takes a risk and steps to one that does not.",
    "An update of the pair rule draws two neighbouring cells, an update of the cell rule one cell \
     with all its neighbours. A run ends with its absorption: a solution whose signals are all \
     true, so that nothing changes any more. 1/d is the number of random starts for one that is a \
     solution.",
    "The rules come from the French text “Le problème des n reines”, which is called the source \
     here.",
];

/// The board at the top of a page, with true signals.
const BOARD: &str = ".Q....\n...Q..\n.....Q\nQ.....\n..Q...\n...Q..\n";

const ON_BOARD: &str = "An arrowhead is a signal: a queen stands on that side. A ring marks a \
    threatened queen.";

/// The pages in docs/ to read next.
const NEXT: [(&str, &str); 3] = [
    ("replay.html", "A run, move by move"),
    ("rules.md", "The rules in full"),
    ("results.md", "What was found"),
];

/// Links from a page in `folder` to those pages in docs/ that are there beside the folder.
pub fn next_to(folder: &Path) -> Vec<(String, String)> {
    NEXT.map(|(name, words)| (format!("../docs/{name}"), words.to_owned()))
        .into_iter()
        .filter(|(address, _)| folder.join(address).is_file())
        .collect()
}

/// An SVG for the inside of HTML: a page loads nothing, and needs no address of a namespace there.
fn svg_in_page(svg: &str) -> String {
    const NAMESPACES: [&str; 2] = [
        " xmlns=\"http://www.w3.org/2000/svg\"",
        " xmlns:xlink=\"http://www.w3.org/1999/xlink\"",
    ];
    let without = |svg: String, it: &&str| svg.replace(*it, "");
    NAMESPACES.iter().fold(svg.to_owned(), without)
}

/// The page of these experiments.
pub fn of_experiments(sections: Vec<Section>) -> Page {
    /// The experiments about figures of the source.
    const FIRST: usize = 3;
    let figures: usize = sections.iter().map(|section| section.figures.len()).sum();
    let trials: u64 = sections.iter().map(|section| section.trials).sum();
    let experiments = counted(sections.len(), "experiment");
    let (trials, figures) = (spaced(trials), counted(figures, "figure"));
    let program = version::PROGRAM.as_str();
    // Of the local rules.
    let with_axes = |name: &str| {
        let axes = algorithm(name).map(|it| it.axes).unwrap_or_default();
        let axes = axes.iter().map(|axis| axis.name.to_owned());
        (name.to_owned(), axes.collect())
    };
    let lead =
        format!("{trials} trials in {experiments}, with {figures}; drawn by reines {program}.");
    let position = read::position("board", BOARD).expect("a grid");
    let board = Picture::new(position.with_true_signals()).to_svg();
    let board = svg_in_page(&board);
    let studied = STUDIED.map(str::to_owned).into_iter();
    Page {
        title: "Queens by local rules: experiments".to_owned(),
        lead: studied.chain([lead]).collect(),
        board: (board, ON_BOARD.to_owned()),
        links: Vec::new(),
        sections,
        first: FIRST,
        watchable: local::names().map(with_axes).collect(),
    }
}

/// Code version, time and number of rows.
pub fn origin(manifest: &Manifest) -> String {
    let (version, ended) = (&manifest.code_version, &manifest.ended);
    let trials = counted(manifest.rows, "trial");
    format!("Code version {version}, run until {ended}, {trials}.")
}

fn plan(run: &CompleteRun) -> Result<String, StoreError> {
    let plan = match run.plan() {
        Ok((_, plan)) => plan,
        Err(PlanLost::Store(error)) => return Err(error),
        // Its message names files of this machine.
        Err(_) => {
            let hash = &run.manifest.plan_hash;
            return Ok(format!(
                "This program makes no plan {hash} of the spec that is kept with the run."
            ));
        }
    };
    let seeds: Vec<String> = plan.seeds.iter().map(u64::to_string).collect();
    let (hash, trials, seeds) = (plan.hash(), spaced(plan.trials()), seeds.join(" "));
    let points = counted(plan.points.len(), "point");
    let mut text = format!("Plan {hash}: {points}, {trials} trials, seeds {seeds}.\n");
    for planned in &plan.points {
        let trials = u64::from(planned.trials) * plan.seeds.len() as u64;
        let (trials, cutoff) = (counted(trials, "trial"), spaced(planned.cutoff));
        text += &format!("{}: {trials}, cutoff {cutoff}", planned.point);
        text.extend(planned.dynamics_name().map(|it| format!(", {it}")));
        text.push('\n');
    }
    Ok(text)
}

/// What makes an experiment again from its spec.
fn commands(results: &str, spec: &Spec) -> String {
    let (name, file) = (&spec.name, Path::new(&spec.file));
    let is_own = file.file_stem().is_some_and(|stem| stem == &**name);
    let file = inside(file).filter(|_| is_own);
    let file = file.unwrap_or_else(|| format!("experiments/{name}.toml"));
    let option = match results {
        RESULTS => String::new(),
        results => format!("--results {results} "),
    };
    format!(
        "reines check {option}{file}     # what it runs, and how long that takes\n\
         reines run {option}{file}       # run it, or go on with it\n\
         reines report {option}{file}    # draw its figures\n\
         reines run --results again {file} && reines diff {results}/{name} again    # run it once more and compare\n"
    )
}
