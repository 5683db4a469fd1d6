//! The page of experiments, `report --html`: a gallery of figures with their captions, findings,
//! tables and commands, in one HTML file that loads nothing. The same content gives the same bytes.
//!
//! This file collects what is shown: the order of experiments (by rank), the line on code version
//! and time, the commands with their paths. `pages/page.html` is the template with its headings,
//! `page.css` how it looks. All may change. All text goes in escaped (`crate::html`), and the
//! policy of the page allows no script: what a spec says can do nothing there.

use std::path::{Component, Path};

use itertools::Itertools;
use minijinja::{Value, context};
use serde::Serialize;

use crate::experiment::code_version;
use crate::experiment::manifest::Manifest;
use crate::experiment::spec::Spec;
use crate::html::{counted, document, filled};
use crate::report::{Drawing, Figure, capital};

const TEMPLATE: &str = include_str!("pages/page.html");
const STYLE: &str = include_str!("pages/page.css");

/// An experiment on the page.
#[derive(Debug, Clone, Serialize)]
pub struct Section {
    name: String,
    title: String,
    /// The heading of the experiments that it stands with, if there is one.
    group: Option<String>,
    /// Experiments of least rank come first, those without one last.
    rank: Option<u64>,
    /// What its spec says of its reference run.
    finding: Option<String>,
    /// Code version, time and number of rows.
    origin: String,
    /// What the rows are where they are not all of the plan.
    part: Option<String>,
    commands: String,
    spec: String,
    trials: u64,
    /// The figures of the experiment.
    pub figures: Vec<PageFigure>,
    /// The figures of the spec that are not drawn, each with the reason.
    pub not_drawn: Vec<Missing>,
}

/// What a run has of the plan of its spec.
#[derive(Debug, Clone, Default)]
pub struct PlanShare {
    /// True for a run of the first few trials of each point.
    pub is_quick: bool,
    /// What its rows are where they are not all of the plan: a clause without a full stop.
    pub words: Option<String>,
}

/// What is not on the page, though it was asked for, and why.
#[derive(Debug, Clone, Serialize)]
pub struct Missing {
    /// The experiment or the figure.
    pub name: String,
    /// A clause without a full stop, with no path of the machine.
    pub reason: String,
}

/// A figure on the page.
#[derive(Debug, Clone, Default, Serialize)]
pub struct PageFigure {
    name: String,
    svg: Value,
    caption: String,
    /// True if it shows wall-clock times, which vary from run to run.
    varies: bool,
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
}

impl Section {
    /// An experiment with a run in a folder of results, what that has of the plan, and the figures
    /// that are drawn and that are not.
    pub fn of(
        results: &Path,
        spec: &Spec,
        manifest: &Manifest,
        share: PlanShare,
        (figures, not_drawn): (Vec<PageFigure>, Vec<Missing>),
    ) -> Self {
        let version = &manifest.code_version;
        let ended = &manifest.ended;
        let trials = counted(manifest.rows, "trial");
        Self {
            name: spec.name.clone(),
            title: spec.title.clone().unwrap_or_else(|| spec.name.clone()),
            group: spec.group.clone(),
            rank: spec.rank,
            finding: spec.finding.clone(),
            origin: format!("Code version {version}, run until {ended}, {trials}."),
            part: share.words.map(|words| capital(&words)),
            commands: commands(results, spec, share.is_quick),
            spec: spec.text.clone(),
            trials: manifest.rows,
            figures,
            not_drawn,
        }
    }
}

impl PageFigure {
    /// A figure that is drawn where no page is written.
    pub fn without_page(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// A figure that is drawn.
    pub fn of(name: &str, figure: &Figure, drawing: &Drawing) -> Self {
        let (titles, rows) = drawing.table.for_reading();
        // HTML needs no addresses of namespaces.
        let svg = drawing
            .svg
            .replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
        let svg = svg.replace(" xmlns:xlink=\"http://www.w3.org/1999/xlink\"", "");
        Self {
            name: name.to_owned(),
            svg: Value::from_safe_string(svg),
            caption: drawing.words.clone(),
            varies: figure.shows_seconds(),
            titles,
            rows,
            notes: drawing.table.notes.clone(),
        }
    }
}

/// The page of these experiments, those of one group side by side, and what is missing on it.
pub fn html(mut sections: Vec<Section>, missing: &[Missing]) -> String {
    sections.sort_by_key(|section| section.rank.unwrap_or(u64::MAX));
    let groups = sections
        .iter()
        .map(|section| section.group.clone())
        .unique();
    let groups: Vec<Option<String>> = groups.collect();
    // Those without a group stand under no other one's heading.
    sections.sort_by_key(|section| {
        let place = groups.iter().position(|group| *group == section.group);
        (section.group.is_some(), place)
    });
    let trials: u64 = sections.iter().map(|section| section.trials).sum();
    let figures: usize = sections.iter().map(|section| section.figures.len()).sum();
    let title = match &sections[..] {
        [one] if missing.is_empty() => one.title.clone(),
        _ => counted(sections.len(), "experiment"),
    };
    let lead = format!(
        "{}, {}; drawn by reines {}.",
        counted(figures, "figure"),
        counted(trials, "trial"),
        *code_version::PROGRAM
    );
    document(
        &title,
        STYLE,
        &filled(TEMPLATE, context! { title, lead, sections, missing }),
    )
}

/// What makes the figures of an experiment from its spec.
fn commands(results: &Path, spec: &Spec, is_quick: bool) -> String {
    let mut option = match inside(results).filter(|folder| folder != "results") {
        None => String::new(),
        Some(results) => format!("--results {results} "),
    };
    if is_quick {
        option += "--quick ";
    }
    let name = &spec.name;
    let file = Path::new(&spec.file);
    let is_own = file.file_stem().is_some_and(|stem| stem == &**name);
    let own_path = inside(file).filter(|_| is_own);
    let path = own_path.unwrap_or_else(|| format!("experiments/{name}.toml"));
    format!("reines run {option}{path}\nreines report {option}{path}\n")
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
