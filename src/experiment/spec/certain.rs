//! The conditions of a sweep: which moves of threatened queens need no coin.

use super::Refused;
use super::tree::{Entry, SpecTable, each_once};
use crate::solver::Algorithm;

/// The key of a sweep whose algorithm takes conditions.
pub(super) const KEY: &str = "certain";

const ALLOWED: &str = "a condition such as \"safe or b.signals < a.signals\", or a list of them";

/// The conditions that `table` names, each in its one form; SAFEGO where it names none.
pub(super) fn read(table: &SpecTable, algorithm: &Algorithm) -> Result<Vec<String>, Refused> {
    let Some(named) = table.get(KEY) else {
        return Ok(vec![String::new()]);
    };
    let condition = |entry: &Entry| {
        let text = entry.text(ALLOWED)?;
        algorithm
            .variant(text)
            .map_err(|reason| entry.error(&reason))
    };
    let mut conditions = each_once(&named.items(ALLOWED)?, "condition", condition)?;
    conditions.sort();
    Ok(conditions)
}
