//! One page with everything: figures, tables, specs, plans and manifests of many experiments in one
//! HTML file that loads nothing.
//!
//! `page/page.html`, the body, is a template of minijinja; all text in it goes through `escaped`,
//! but for the figures. The same content gives the same bytes.

use itertools::Itertools;
use minijinja::context;
use minijinja::value::Value;

use crate::html::{document, filled};
use crate::report::FigureTable;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");

/// What a page holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    /// Title of the page.
    pub title: String,
    /// What was run, in which words, and how much of it: a paragraph each.
    pub lead: Vec<String>,
    /// A board, drawn as SVG, and what is seen on it; empty: none.
    pub board: (String, String),
    /// Pages to read next: the address of each and its words.
    pub links: Vec<(String, String)>,
    /// One after the other; those of one group stand together.
    pub sections: Vec<Section>,
    /// The number of sections whose findings stand at the top of the page, too.
    pub first: usize,
    /// Algorithms whose trials can be played, each with the names of its axes.
    pub watchable: Vec<(String, Vec<String>)>,
}

/// An experiment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Section {
    /// The section's name, unlike that of any other section.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// Heading of the sections that it stands with; empty: none.
    pub group: String,
    /// The rank: sections of least rank come first, those without one last.
    pub rank: Option<u64>,
    /// What it finds, a sentence each.
    pub findings: Vec<String>,
    /// Figures with their tables.
    pub figures: Vec<Shown>,
    /// What is folded away: its origin, a paragraph each.
    pub details: Vec<String>,
    /// What is folded away, under a title: spec, plan, manifest, commands.
    pub blocks: Vec<(String, String)>,
    /// How many trials it has.
    pub trials: u64,
}

/// A figure in a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shown {
    /// The figure's name, unlike that of any other figure.
    pub name: String,
    /// The drawing, an SVG element of HTML.
    pub figure: String,
    /// What it shows.
    pub caption: String,
    /// The figure's numbers; without them a figure has no rows to lead to.
    pub table: Option<FigureTable>,
    /// Folder of the results that it is drawn from, as a command names it; empty where none of them
    /// can be played.
    pub results: String,
    /// True if it shows wall-clock times, which vary from run to run.
    pub varies: bool,
}

/// The HTML of a page.
pub fn html(page: &Page) -> String {
    let mut groups: Vec<(&str, Vec<Value>)> = Vec::new();
    let mut sorted: Vec<&Section> = page.sections.iter().collect();
    sorted.sort_by_key(|section| section.rank.unwrap_or(u64::MAX));
    for (section, number) in sorted.iter().zip(1..) {
        let value = section_value(section, number <= page.first);
        match groups.iter_mut().find(|group| group.0 == section.group) {
            Some(group) => group.1.push(value),
            None => groups.push((&section.group, vec![value])),
        }
    }
    let rule = |(name, axes): &(String, Vec<String>)| format!("{name}:{}", axes.join(","));
    let group = |(title, sections)| context! { title, sections };
    let values = context! {
        title => page.title,
        lead => page.lead,
        board => Value::from_safe_string(page.board.0.clone()),
        on_board => page.board.1,
        links => page.links,
        groups => groups.into_iter().map(group).collect::<Vec<_>>(),
        watchable => page.watchable.iter().map(rule).join(" "),
    };
    let body = filled(TEMPLATE, values, true);
    document(&page.title, STYLE, &body)
}

fn section_value(section: &Section, is_first: bool) -> Value {
    let block = |(title, text): &(String, String)| context! { title, text };
    let figures = section.figures.iter().enumerate();
    let figures = figures.map(|(index, shown)| figure_value(shown, &section.figures[..index]));
    context! {
        name => section.name,
        title => section.title,
        is_first,
        findings => section.findings,
        figures => figures.collect::<Vec<_>>(),
        details => section.details,
        blocks => section.blocks.iter().map(block).collect::<Vec<_>>(),
    }
}

/// A table that stands under a figure before this one is not written again.
fn figure_value(shown: &Shown, before: &[Shown]) -> Value {
    let twin = before.iter().find(|it| it.table == shown.table);
    let owner = twin.unwrap_or(shown);
    let table = |table: &FigureTable| {
        let (titles, rows) = table.for_reading();
        context! { titles, rows, notes => table.notes }
    };
    context! {
        name => shown.name,
        figure => Value::from_safe_string(shown.figure.clone()),
        caption => shown.caption,
        results => shown.results,
        varies => shown.varies,
        owner => owner.name,
        table => shown.table.as_ref().map(table),
    }
}

#[cfg(test)]
mod tests;
