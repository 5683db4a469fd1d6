//! The tables of a folder, and the search for a row.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::experiment::spec::{Refused, one_of};
use crate::report::{FigureTable, IS_BOUND, TableCell};

/// Tables by name.
#[derive(Debug)]
pub struct Tables {
    tables: BTreeMap<String, FigureTable>,
    /// Names of tables that cannot be drawn before their run; any column may be theirs.
    unknown: Vec<String>,
    /// True if the rows are made up: what is looked up has some number.
    pub(super) are_made_up: bool,
}

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
                let table = parsed(&text).map_err(refused)?;
                if tables.insert(name.clone(), table).is_some() {
                    return Err(refused("two tables of this name; expected one".to_owned()));
                }
            }
        }
        Ok(Self::of(tables))
    }

    /// The tables of figures that have just been drawn, by the figures' names.
    pub fn drawn<'a>(tables: impl IntoIterator<Item = (&'a str, &'a FigureTable)>) -> Self {
        let named = |(name, table): (&str, &FigureTable)| (name.to_owned(), table.clone());
        Self::of(tables.into_iter().map(named).collect())
    }

    fn of(tables: BTreeMap<String, FigureTable>) -> Self {
        Self {
            tables,
            unknown: Vec::new(),
            are_made_up: false,
        }
    }

    /// Tables of made-up rows, by the figures' names; `None` where none can be made up.
    pub fn made_up(tables: Vec<(String, Option<FigureTable>)>) -> Self {
        let mut made_up = Self {
            are_made_up: true,
            ..Self::of(BTreeMap::new())
        };
        for (name, table) in tables {
            match table {
                Some(table) => _ = made_up.tables.insert(name, table),
                None => made_up.unknown.push(name),
            }
        }
        made_up
    }

    /// True if a table of this name will be there, with columns that are not known yet.
    pub(super) fn is_unknown(&self, name: &str) -> bool {
        self.unknown.iter().any(|it| it == name)
    }

    pub(super) fn table(&self, name: &str) -> Result<&FigureTable, String> {
        self.tables.get(name).ok_or_else(|| {
            let known = self.tables.keys().chain(&self.unknown);
            let names: Vec<&str> = known.map(String::as_str).collect();
            format!("unknown table {name:?}; expected {}", one_of(&names))
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

/// Reads what the report writes: RFC 4180 with a header line.
///
/// # Errors
/// In words, where a quote has no end or a row has not as many cells as the header.
fn parsed(text: &str) -> Result<FigureTable, String> {
    if text.matches('"').count() % 2 == 1 {
        return Err("a quote has no end".to_owned());
    }
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let words = |line: csv::StringRecord| line.iter().map(str::to_owned).collect::<Vec<_>>();
    let mut header = words(reader.headers().map_err(|it| it.to_string())?.clone());
    if header.is_empty() {
        return Err("empty; expected a header".to_owned());
    }
    let row = |line: csv::Result<_>| Ok(words(line?).into_iter().map(TableCell::from).collect());
    let rows = reader.records().map(row).collect::<csv::Result<_>>();
    let mut rows: Vec<Vec<TableCell>> = rows.map_err(|it| it.to_string())?;
    let is_of = |pair: &[String]| pair[1] == format!("{}{IS_BOUND}", pair[0]);
    while let Some(index) = header.windows(2).position(is_of) {
        header.remove(index + 1);
        for row in &mut rows {
            if row.remove(index + 1) == TableCell::from("true") {
                row[index] = TableCell::AtLeast(row[index].plain());
            }
        }
    }
    Ok(FigureTable {
        header,
        rows,
        notes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_report_writes_is_read_back() {
        let table = FigureTable {
            header: vec!["a".to_owned(), "b,c".to_owned()],
            rows: vec![
                vec!["1".into(), "x \"y\", z".into()],
                vec!["line\nend".into(), "".into()],
                vec![TableCell::AtLeast("3".to_owned()), "4".into()],
            ],
            notes: vec![],
        };
        let written = String::from_utf8(table.to_csv()).expect("text");
        assert_eq!(parsed(&written), Ok(table));
    }

    #[test]
    fn what_is_no_table() {
        let reason = |text| parsed(text).expect_err(text);
        assert_eq!(reason(""), "empty; expected a header");
        assert_eq!(
            reason("a,b\n1,2\n3\n"),
            "CSV error: record 2 (line: 3, byte: 8): found record with 1 fields, but the previous record has 2 fields"
        );
        assert_eq!(reason("a\n\"1\n"), "a quote has no end");
    }
}
