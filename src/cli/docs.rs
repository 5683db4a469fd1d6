//! `reines docs`: renders a page of the docs whose numbers come from tables.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Common, output, terminal};
use crate::pages::{self, Tables};

/// Print a page of the docs whose numbers come from tables
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The template of the page
    #[arg(value_name = "FILE")]
    template: PathBuf,
    /// A folder of tables: CSV files as `reines report` writes them; may be given several times
    #[arg(long, value_name = "DIR", default_value = "figures")]
    tables: Vec<PathBuf>,
}

pub fn run(args: &Args, _: &Common) -> anyhow::Result<u8> {
    let tables = Arc::new(Tables::read(&args.tables)?);
    let template = output::text(&args.template)?;
    let page = pages::render(&args.template.display().to_string(), &template, &tables)?;
    terminal::Out.write_all(page.as_bytes())?;
    Ok(0)
}
