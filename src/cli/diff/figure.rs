//! The figure of what differs, and the table beside it. What is drawn, and in which panels, is
//! decided in `report/out/ratios.rs`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::compared::Compared;
use crate::cli::{Refused, user_files};
use crate::report;

/// Refuses a file that is no SVG, or that cannot be written with its table beside it.
pub fn check(file: &Path, force: bool) -> Result<(), Refused> {
    user_files::ending(file, &["svg"])?;
    user_files::check(file, force)?;
    user_files::check(&table_of(file), force)
}

/// The table beside a figure.
fn table_of(file: &Path) -> PathBuf {
    file.with_extension("csv")
}

/// Writes the figure and its table, and says where they are. Where nothing differs there is no
/// figure (`None`), nor an earlier one that would seem to be of these results.
pub fn write(
    file: &Path,
    force: bool,
    compared: &[Compared],
    every_row: bool,
) -> anyhow::Result<Option<String>> {
    let experiments = compared
        .iter()
        .map(|compared| (&*compared.experiment, &compared.comparison));
    let experiments: Vec<_> = experiments.collect();
    let table = table_of(file);
    let Some(drawing) = report::ratios(&experiments, every_row) else {
        for file in [file, &table] {
            remove(file).with_context(|| file.display().to_string())?;
        }
        return Ok(None);
    };
    user_files::write(&table, &drawing.table.to_csv(), force)?;
    user_files::write(file, drawing.svg.as_bytes(), force)?;
    let file = file.display();
    Ok(Some(format!("{file}, its numbers in {}", table.display())))
}

/// Removes a file, if it is there.
fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
