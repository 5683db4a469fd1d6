//! What figures are made of: the kinds that a spec may start from, and the tables of measures.

use super::COLUMNS_TABLE;
use crate::experiment::spec::tree::{Entry, Source, SpecTable};
use crate::solver::outcome::{COLUMNS, Column, Field};

/// What a figure may be made of: the kinds, which are figures with a name, and the tables of
/// measures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FigureKinds {
    /// A `[[figure]]` for each kind, in TOML.
    pub text: &'static str,
    /// The tables of measures; that of the columns of trials has none by name.
    pub tables: Vec<MeasureNames>,
    /// Functions of an axis that may stand across in its place.
    pub derived: Vec<&'static str>,
}

/// The names of what one table of measures holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasureNames {
    /// Name of the table.
    pub table: &'static str,
    /// What may stand upwards.
    pub measures: Vec<&'static str>,
    /// What may stand across in place of an axis of the sweeps.
    pub across: Vec<&'static str>,
    /// The keys of a figure that are without effect on what it draws.
    pub ignores: &'static [&'static str],
}

impl FigureKinds {
    /// Names and first sentences of the kinds, in their order.
    pub fn docs(&self) -> Vec<(String, String)> {
        self.with_presets(|presets| {
            let text = |preset: &SpecTable, key: &str| {
                let text = preset.get(key).and_then(|it| it.text("").ok());
                text.unwrap_or_default().to_owned()
            };
            let docs = presets.iter().map(|it| (text(it, "kind"), text(it, "doc")));
            docs.collect()
        })
    }

    /// The figure that a kind is by itself.
    #[cfg(test)]
    pub fn preset(&self, kind: &str) -> Option<super::FigureSpec> {
        let text = format!("[[figure]]\nkind = {kind:?}\n");
        let source = Source::new("", &text);
        let tree = source.parse().ok()?;
        let root = SpecTable::root(&source, tree.get_ref());
        super::read(&root, "preset", &[], self).ok()?.pop()?.ok()
    }

    /// The kind's own lines, as a spec may have them.
    pub fn lines(&self, kind: &str) -> String {
        const BEGIN: &str = "[[figure]]\n";
        let blocks = self.text.split(BEGIN).skip(1);
        let is_own = |block: &&str| {
            let first = block.lines().next().and_then(|line| line.split('"').nth(1));
            first == Some(kind)
        };
        let block = blocks.clone().find(is_own).unwrap_or_default();
        format!("{BEGIN}{}", block.trim_end())
    }

    pub(super) fn with_presets<T>(&self, with: impl FnOnce(&[SpecTable]) -> T) -> T {
        let source = Source::new("kinds.toml", self.text);
        let tree = source.parse().unwrap_or_else(|error| panic!("{error}"));
        let presets = SpecTable::root(&source, tree.get_ref()).tables("figure");
        with(&presets.unwrap_or_else(|error| panic!("{error}")))
    }

    /// The measures of the table of this name; those of the columns are the columns of numbers.
    pub(super) fn measures(&self, table: &str) -> Vec<&'static str> {
        let of = self.tables.iter().find(|it| it.table == table);
        let of = of.filter(|_| table != COLUMNS_TABLE);
        of.map_or_else(columns, |it| it.measures.clone())
    }

    /// The first table that has the first measure of `y`.
    pub(super) fn table_of(&self, y: &Entry) -> &'static str {
        let first = y.list().and_then(|it| it.into_iter().next());
        let first = first.unwrap_or_else(|| y.clone());
        let measure = first.table().and_then(|it| it.get("measure"));
        let measure = measure.unwrap_or(first);
        let measure = measure.text("").unwrap_or_default();
        let found = self.tables.iter().find(|it| it.measures.contains(&measure));
        let found = found.filter(|_| !columns().contains(&measure));
        found.map_or(COLUMNS_TABLE, |it| it.table)
    }
}

/// The columns of numbers.
fn columns() -> Vec<&'static str> {
    let is_number = |column: &&Column| matches!(column.field, Field::Count(..));
    COLUMNS.iter().filter(is_number).map(|it| it.name).collect()
}
