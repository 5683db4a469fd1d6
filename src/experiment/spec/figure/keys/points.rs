//! The points that `where` and `over` keep.

use itertools::Itertools;

use super::super::{Keep, Kept};
use crate::experiment::spec::tree::Entry;
use crate::experiment::spec::{Refused, range};
use crate::solver::Axis;
use crate::solver::goal::Goal;
use crate::solver::point::WORDS;

/// A table of keys and values, or a list of such tables.
pub fn either(entry: &Entry, axes: &[&'static Axis]) -> Result<Vec<Vec<Keep>>, Refused> {
    let tables = entry.items("a table such as { n = 8, epsilon = [0.01, 0.1] }")?;
    tables.iter().map(|it| keep(it, axes)).collect()
}

/// The values that are kept of words and of these axes.
pub fn keep(entry: &Entry, axes: &[&'static Axis]) -> Result<Vec<Keep>, Refused> {
    let refused = || entry.refuse("a table such as { n = 8, epsilon = [0.01, 0.1] }");
    let table = entry.table().ok_or_else(refused)?;
    let names: Vec<&str> = axes.iter().map(|axis| axis.name).unique().collect();
    table.only(&[&WORDS[..], &names].concat())?;
    let keys = names.into_iter().chain(WORDS);
    keys.filter_map(|key| Some((key, table.get(key)?)))
        .map(|(key, entry)| {
            let own = axes.iter().copied().filter(|axis| axis.name == key);
            let values = match WORDS.contains(&key) {
                true => words(key, &entry)?,
                false => {
                    let values = range::on_one_of(own, &entry)?.into_iter();
                    values.map(Kept::Number).collect()
                }
            };
            let key = key.to_owned();
            Ok(Keep { key, values })
        })
        .collect()
}

fn words(key: &str, entry: &Entry) -> Result<Vec<Kept>, Refused> {
    let allowed = format!("a text, or a list of texts, for {key}");
    let items = entry.items(&allowed)?;
    let goals = Goal::EVERY.map(Goal::name);
    let word = |item: &Entry| {
        let text = match key {
            "goal" => item.word("goal", &goals)?,
            _ => item.text(&allowed)?,
        };
        Ok(Kept::Word(text.to_owned()))
    };
    items.iter().map(word).collect()
}
