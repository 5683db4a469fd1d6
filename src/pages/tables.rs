//! The tables of a folder, and the search for a row.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::csv;
use crate::experiment::spec::Refused;
use crate::report::Table;

/// Tables by name.
#[derive(Debug)]
pub struct Tables(BTreeMap<String, Table>);

impl Tables {
    /// Every CSV file of the folders; a table's name is its file's without `.csv`.
    ///
    /// # Errors
    /// When a folder or a file cannot be read, for a file that is no table, and for a name that
    /// stands in two folders.
    pub fn read<P: AsRef<Path>>(folders: &[P]) -> Result<Self, Refused> {
        let mut tables = BTreeMap::new();
        for folder in folders {
            for (name, text) in csv_files(folder.as_ref())? {
                let refused = |reason| Refused::of_file(&format!("{name}.csv"), reason);
                let table = csv::parse(&text).map_err(refused)?;
                if tables.insert(name.clone(), table).is_some() {
                    return Err(refused("two tables of this name".to_owned()));
                }
            }
        }
        Ok(Self(tables))
    }

    /// Those of figures that have just been drawn, by the figures' names.
    pub fn drawn<'a>(tables: impl IntoIterator<Item = (&'a str, &'a Table)>) -> Self {
        let named = |(name, table): (&str, &Table)| (name.to_owned(), table.clone());
        Self(tables.into_iter().map(named).collect())
    }

    pub(super) fn table(&self, name: &str) -> Result<&Table, String> {
        self.0.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.0.keys().map(String::as_str).collect();
            format!("table {name:?}: not there; there are {}", names.join(", "))
        })
    }
}

/// Name and text of every CSV file of a folder.
fn csv_files(folder: &Path) -> Result<Vec<(String, String)>, Refused> {
    let unreadable = |path: &Path, error: std::io::Error| {
        Refused::of_file(&path.display().to_string(), error.to_string())
    };
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
        let path = entry.map_err(|error| unreadable(folder, error))?.path();
        if path.extension().is_some_and(|extension| extension == "csv") {
            let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            let name = path.file_stem().unwrap_or_default();
            texts.push((name.to_string_lossy().into_owned(), text));
        }
    }
    Ok(texts)
}
