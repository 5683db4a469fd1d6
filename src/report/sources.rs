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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{cell_key, pair_key};

    #[test]
    fn the_texts_name_one_optimum_and_eleven_times() {
        assert_eq!(best_epsilon(&pair_key(8, 0.5)), Some((0.01, "5")));
        assert_eq!(best_epsilon(&pair_key(9, 0.01)), None);
        assert_eq!(best_epsilon(&cell_key(8, 0.01, 0.1)), None);
        let columns = |text: &str| text.lines().next().map(|line| line.split(',').count());
        assert_eq!(columns(LOCAL_RULES), Some(7));
        let found = SEARCHES.lines().skip(1).filter_map(|row| {
            let cells: Vec<&str> = row.splitn(4, ',').collect();
            let mut point = pair_key(cells[1].parse().ok()?, 0.1);
            point.algorithm = cells[0].to_owned();
            point.goal = Some(if cells[2] == "first" {
                Goal::First
            } else {
                Goal::Count
            });
            seconds(&point)
        });
        let found: Vec<String> = found.collect();
        assert_eq!(found.len(), 11);
        assert!(found[10].starts_with("\"shows its limits\" above"));
    }
}
