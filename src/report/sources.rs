//! What the source texts say of their figures, as far as it can be read: experiments/sources.

use crate::solver::Point;

/// Figure, algorithm, n, quantity, value, reading error and origin of each number.
const LOCAL_RULES: &str = include_str!("../../experiments/sources/local-rules.csv");

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{cell_key, pair_key};

    #[test]
    fn the_text_names_one_optimum() {
        assert_eq!(best_epsilon(&pair_key(8, 0.5)), Some((0.01, "5")));
        assert_eq!(best_epsilon(&pair_key(9, 0.01)), None);
        assert_eq!(best_epsilon(&cell_key(8, 0.01, 0.1)), None);
        let columns = LOCAL_RULES
            .lines()
            .next()
            .map(|line| line.split(',').count());
        assert_eq!(columns, Some(7));
    }
}
