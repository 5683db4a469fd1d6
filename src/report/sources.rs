//! What the source texts say of their figures and their times, as far as it can be read:
//! experiments/sources.

use crate::solver::Point;
use crate::solver::goal::Goal;

/// Figure, algorithm, n, quantity, value, reading error and origin of each number.
const LOCAL_RULES: &str = include_str!("../../experiments/sources/local-rules.csv");
/// Algorithm, n, goal and, in the text's words, the seconds of each search.
const SEARCHES: &str = include_str!("../../experiments/sources/searches.csv");

/// The best ε that the source text names for the rule and n of a point, and the text's figure.
pub fn best_epsilon(point: &Point) -> Option<(f64, &'static str)> {
    let mut rows = LOCAL_RULES.lines().skip(1);
    rows.find_map(|row| {
        let cells: Vec<&str> = row.splitn(6, ',').collect();
        let [figure, algorithm, n, quantity, value, _] = cells[..] else {
            return None;
        };
        let is_of = algorithm == point.algorithm
            && quantity == "best_epsilon"
            && n.parse().ok() == point.integer("n");
        Some((value.parse().ok().filter(|_| is_of)?, figure))
    })
}

/// The seconds that a text names for the search of a point, in its words.
pub fn seconds(point: &Point) -> Option<String> {
    let mut rows = SEARCHES.lines().skip(1);
    rows.find_map(|row| {
        let cells: Vec<&str> = row.splitn(4, ',').collect();
        let [algorithm, n, goal, words] = cells[..] else {
            return None;
        };
        let is_of = algorithm == point.algorithm
            && n.parse().ok() == point.integer("n")
            && (goal == "first") == (point.goal == Some(Goal::First));
        let words = words.strip_prefix('"')?.strip_suffix('"')?;
        is_of.then(|| words.replace("\"\"", "\""))
    })
}
