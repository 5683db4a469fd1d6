//! `reines docs`: renders the pages of the docs whose numbers come from tables.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use super::{Refused, output};
use crate::cli::terminal::{self, say};
use crate::pages::{self, Tables};

/// Render the pages of the docs whose numbers come from tables
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where the tables are: CSV files as `reines report` writes them; may be given several times
    #[arg(long, value_name = "DIR", default_value = "figures")]
    tables: Vec<PathBuf>,
    /// Write nothing; say which page is out of date
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let tables = Arc::new(Tables::read(&args.tables)?);
    let mut code = ExitCode::SUCCESS;
    for path in templates(Path::new("docs/templates"))? {
        let name = path.display().to_string();
        let template = fs::read_to_string(&path).map_err(|error| output::refused(&path, error))?;
        let page = pages::render(&name, &template, &tables)?;
        let target = Path::new("docs").join(path.file_name().unwrap_or_default());
        if !args.check {
            output::replace(&target, page.as_bytes())?;
            writeln!(terminal::out(), "{}", target.display())?;
        } else if let Some(difference) = difference(&target, &page) {
            say!("{difference}");
            code = ExitCode::from(1);
        }
    }
    Ok(code)
}

/// The templates of a folder, by name; at least one.
fn templates(folder: &Path) -> Result<Vec<PathBuf>, Refused> {
    let unreadable = |error: std::io::Error| output::refused(folder, error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(output::refused(folder, "no template, no file *.md"));
    }
    paths.sort();
    Ok(paths)
}

/// The first line in which a file is not the page, in words.
fn difference(target: &Path, page: &str) -> Option<String> {
    const REMEDY: &str = "`make docs` writes it";
    let name = target.display();
    let text = match fs::read_to_string(target) {
        Ok(text) if text == page => return None,
        Ok(text) => text,
        Err(error) => return Some(format!("{name}: {error}; {REMEDY}")),
    };
    let (mut found, mut needed) = (text.lines(), page.lines());
    for line in 1.. {
        let (has, should) = (found.next(), needed.next());
        if has != should || has.is_none() {
            let shown = |it: Option<&str>| it.map_or("nothing".into(), |it| format!("{it:?}"));
            let (has, should) = (shown(has), shown(should));
            return Some(format!(
                "{name}:{line}: out of date: has {has}, the tables give {should}; {REMEDY}"
            ));
        }
    }
    None
}
