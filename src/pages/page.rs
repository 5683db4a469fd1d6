//! One page with everything: figures, tables, specs, plans and manifests of many experiments in one
//! HTML file that loads nothing.
//!
//! `page/page.html`, the body, is a template of minijinja, as those of the docs are; all text in it
//! goes through `escaped`, but for the pieces that are made here. The same content gives the same
//! bytes.

mod inline;

mod table;

use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};

use self::inline::Looks;
use crate::html::{document, escaped};
use crate::report::Table;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");

/// Findings that stand in the list of experiments; an experiment's own section has all.
const SHOWN_FINDINGS: usize = 2;

/// What a page holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Title of the page.
    pub title: String,
    /// What was run, by what, when: a paragraph each.
    pub lead: Vec<String>,
    /// One after the other.
    pub sections: Vec<Section>,
    /// Algorithms whose trials can be played, each with the names of its axes.
    pub watchable: Vec<(String, Vec<String>)>,
}

/// An experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its name, unlike that of any other section.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// Words that it is found by.
    pub tags: Vec<String>,
    /// What its spec notes, a line each.
    pub notes: Vec<String>,
    /// What it shows, a sentence each without a full stop.
    pub findings: Vec<String>,
    /// Whether these rest on wall-clock times.
    pub varies: bool,
    /// Code version, date and the like, in a line.
    pub origin: String,
    /// Figures with their tables.
    pub figures: Vec<Shown>,
    /// What is folded away: spec, plan, manifest, commands.
    pub blocks: Vec<Block>,
}

/// A figure in a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Its name, unlike that of any other figure.
    pub name: String,
    /// As it is in its file.
    pub svg: String,
    /// What it shows.
    pub caption: String,
    /// Its numbers; without them a figure has no rows to lead to.
    pub table: Option<Table>,
    /// Folder of the results that it is drawn from, as a command names it.
    pub results: String,
    /// Whether it shows wall-clock times, which vary from run to run.
    pub varies: bool,
}

/// Something folded away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub title: String,
    /// What is in it.
    pub content: Content,
}

/// What is in a [`Block`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Paragraphs.
    Paragraphs(Vec<String>),
    /// A file or commands, line by line.
    Text(String),
    /// A table after a paragraph.
    Table(String, Table),
}

/// The HTML of a page.
///
/// # Panics
/// When the template cannot be rendered, which its test excludes.
pub fn html(page: &Page) -> String {
    let mut looks = Looks::default();
    let mut number = 0;
    let sections: Vec<Value> = page
        .sections
        .iter()
        .map(|section| section_value(section, &mut number, &mut looks))
        .collect();
    let watchable = page.watchable.iter();
    let watchable: Vec<String> = watchable
        .map(|(name, axes)| format!("{name}:{}", axes.join(",")))
        .collect();
    let values = context! {
        title => page.title,
        lead => page.lead,
        sections => sections,
        watchable => watchable.join(" "),
    };
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    environment.set_formatter(|out, _, value| {
        let text = value.to_string();
        let text = if value.is_safe() {
            text
        } else {
            escaped(&text)
        };
        Ok(out.write_str(&text)?)
    });
    let body = environment
        .render_named_str("page.html", TEMPLATE, values)
        .expect("a template that its test renders");
    document(&page.title, &[STYLE, &looks.css()].concat(), &body)
}

/// Markup that is made here.
fn safe(markup: String) -> Value {
    Value::from_safe_string(markup)
}

fn section_value(section: &Section, number: &mut usize, looks: &mut Looks) -> Value {
    let mut thumbnail = None;
    let figures = section.figures.iter().map(|figure| {
        *number += 1;
        let id = format!("figure-{}", escaped(&figure.name));
        thumbnail.get_or_insert_with(|| id.clone());
        figure_value(figure, &id, *number, looks)
    });
    let figures: Vec<Value> = figures.collect();
    let blocks = section.blocks.iter();
    let more = section.findings.len().saturating_sub(SHOWN_FINDINGS);
    let shown: Vec<&String> = section.findings.iter().take(SHOWN_FINDINGS).collect();
    context! {
        name => section.name,
        title => section.title,
        tags => section.tags.join(", "),
        notes => section.notes,
        findings => section.findings,
        shown => shown,
        more => more,
        varies => section.varies,
        origin => section.origin,
        thumbnail => thumbnail,
        figures => figures,
        blocks => blocks.map(|block| block_value(block, section)).collect::<Vec<_>>(),
    }
}

fn figure_value(figure: &Shown, id: &str, number: usize, looks: &mut Looks) -> Value {
    let caption = format!("{id}-caption");
    let rows = format!("f{number}-");
    let names = inline::Names {
        id,
        label: &figure.name,
        caption: &caption,
        rows: &rows,
    };
    let svg = inline::inline(&figure.svg, &names, looks);
    let label = format!("Numbers of the figure {}", figure.name);
    let names = table::Names {
        rows: &rows,
        label: &label,
        results: &figure.results,
    };
    let table = figure.table.as_ref();
    context! {
        name => figure.name,
        caption_id => caption,
        svg => safe(svg),
        caption => figure.caption,
        varies => figure.varies,
        rows => table.map_or(0, |table| table.rows.len()),
        table => table.map(|table| safe(table::html(table, &names))),
    }
}

fn block_value(block: &Block, section: &Section) -> Value {
    let markup = match &block.content {
        Content::Paragraphs(lines) => lines
            .iter()
            .map(|line| format!("<p>{}</p>\n", escaped(line)))
            .collect(),
        Content::Text(text) => {
            format!("<pre tabindex=\"0\"><code>{}</code></pre>\n", escaped(text))
        }
        Content::Table(line, content) => {
            let label = format!("{} of {}", block.title, section.name);
            let names = table::Names {
                rows: "",
                label: &label,
                results: "",
            };
            format!("<p>{}</p>\n{}", escaped(line), table::html(content, &names))
        }
    };
    context! { title => block.title, content => safe(markup) }
}

#[cfg(test)]
mod tests;
