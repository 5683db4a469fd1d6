//! Lists of signals: `a4 N NE`, a line for each cell.

use super::ReadError;
use crate::drawing::place::Place;
use crate::drawing::position::neighbour;
use crate::solver::board::{Direction, Directions};

/// The signals of a list, row by row from the north: a line for each cell that carries some, its
/// name and their directions. Blank lines and what follows `#` are left out.
///
/// # Errors
/// For what is no cell of a board of this side and no direction, for a direction that leads off the
/// board (no signal ever comes from there), and for a cell that is listed twice.
pub fn signals(text: &str, side: usize) -> Result<Vec<Directions>, ReadError> {
    let mut signals = vec![Directions::NONE; side * side];
    let mut listed: Vec<Option<usize>> = vec![None; side * side];
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split('#').next().unwrap_or("").split_whitespace();
        let Some(name) = words.next() else { continue };
        let at = |reason: String| ReadError::at(number, reason);
        let place = Place::named(name, side).map_err(|error| at(error.to_string()))?;
        if let Some(before) = listed[place.index(side)].replace(number) {
            return Err(at(format!("{name} is in line {before} too")));
        }
        for word in words {
            let direction = direction(word).map_err(at)?;
            if neighbour(side, place, direction).is_none() {
                let reason = format!("no signal of {name} comes from {word}: the board ends there");
                return Err(at(reason));
            }
            let carried = &mut signals[place.index(side)];
            *carried = carried.with(direction, true);
        }
    }
    Ok(signals)
}

/// The direction of this name.
fn direction(name: &str) -> Result<Direction, String> {
    let found = Direction::ALL
        .into_iter()
        .find(|direction| format!("{direction:?}") == name);
    found.ok_or_else(|| {
        let names = Direction::ALL.map(|direction| format!("{direction:?}"));
        format!("{name:?} is no direction; allowed are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_has_the_signals_of_its_line() {
        let text = "# seen by hand\na4 S SE\n\n  b1 W N W # the same twice\nc3\n";
        let found = signals(text, 4).expect("a list");
        let at = |name| found[Place::named(name, 4).expect("a cell").index(4)];
        let set = |directions: &[Direction]| {
            directions
                .iter()
                .fold(Directions::NONE, |set, &d| set.with(d, true))
        };
        assert_eq!(at("a4"), set(&[Direction::S, Direction::SE]));
        assert_eq!(at("b1"), set(&[Direction::W, Direction::N]));
        assert_eq!(
            found.iter().filter(|signals| !signals.is_empty()).count(),
            2
        );
        assert_eq!(signals("", 2), Ok(vec![Directions::NONE; 4]));
    }

    #[test]
    fn what_is_no_signal_is_refused_with_its_line() {
        for (text, expected) in [
            (
                "a4 S\ne1 N",
                "s:2: \"e1\" is no cell of this board; allowed are a1 to d4",
            ),
            (
                "a4 s",
                "s:1: \"s\" is no direction; allowed are NW, N, NE, W, E, SW, S, SE",
            ),
            (
                "a4 N",
                "s:1: no signal of a4 comes from N: the board ends there",
            ),
            ("a4 S\n\na4 E", "s:3: a4 is in line 1 too"),
            ("a4:S", "s:1: \"a4:S\" is no cell"),
        ] {
            let error = signals(text, 4).expect_err(text).in_file("s");
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
