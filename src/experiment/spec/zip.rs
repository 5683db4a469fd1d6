//! `zip = ["n", "epsilon"]`: axes whose values go together, the first of each, then the second, in
//! place of their product. They must be equally many.

use itertools::Itertools;
use toml::Spanned;

use super::source::Source;
use super::values::Values;
use super::{MAX_POINTS, Refused, range};
use crate::solver::{Axis, Value};

/// The values that some axes have together.
pub type Together = Vec<(&'static Axis, Value)>;

/// What stands behind the key: the names of axes, each with its place.
pub type Names = Spanned<Vec<Spanned<String>>>;

/// The combinations of the values of these axes, in the order of the file.
///
/// # Errors
/// Names of which one is no axis of the sweep or stands there twice, fewer than two of them, and
/// values that are not equally many.
pub fn together(
    source: &Source,
    names: &Names,
    axes: &[(&'static Axis, &Values)],
) -> Result<Vec<Together>, Refused> {
    let known: Vec<&str> = axes.iter().map(|(axis, _)| axis.name).collect();
    let expected = format!("two axes or more of {}, each once", known.join(", "));
    let given = names.get_ref();
    let are_many = given.len() > 1 && given.iter().map(Spanned::get_ref).all_unique();
    if !are_many {
        return Err(source.expected(names.span(), &expected));
    }
    let mut columns: Vec<Together> = Vec::new();
    for name in given {
        let found = axes.iter().find(|(axis, _)| axis.name == name.get_ref());
        let Some((axis, written)) = found else {
            return Err(source.expected(name.span(), &expected));
        };
        let allowed = range::AllowedValues::new(source, axis.domain, MAX_POINTS, &[]);
        let values = allowed.values(written)?.into_iter();
        columns.push(values.map(|value| (*axis, value)).collect());
    }
    if !columns.iter().map(Vec::len).all_equal() {
        let counts = columns.iter().map(|column| {
            let name = column.first().map_or("", |(axis, _)| axis.name);
            format!("{} of {name}", column.len())
        });
        let found = counts.collect_vec().join(", ");
        return Err(source.refuse(
            names.span(),
            &format!("{found}; expected equally many values"),
        ));
    }
    let rows = 0..columns[0].len();
    let row = |at: usize| columns.iter().map(|column| column[at]).collect();
    Ok(rows.map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::super::parse_plan;

    /// A spec of the cell rule with these lines.
    fn sweep(lines: &str) -> Result<Vec<String>, String> {
        let text = format!(
            "seed = 1\n[[sweep]]\nalgorithm = \"cell\"\ntrials = 1\ncutoff = 10\n{lines}\n"
        );
        let spec = parse_plan("a", "a.toml", &text).map_err(|error| error.to_string())?;
        let points = spec.sweeps.iter().map(|sweep| {
            let axes = sweep.axes.iter();
            let axes = axes.map(|(axis, values)| format!("{}={:?}", axis.name, values.len()));
            let first = sweep.axes.iter().map(|(_, values)| values[0].number());
            format!(
                "{} {:?}",
                axes.collect::<Vec<_>>().join(" "),
                first.collect::<Vec<_>>()
            )
        });
        Ok(points.collect())
    }

    /// Pairs in the order of the file; an axis that is not named keeps its product.
    #[test]
    fn lists_go_together() {
        let found =
            sweep("n = [8, 6]\nepsilon = [0.1, 0.2]\neta = [0, 0.5]\nzip = [\"epsilon\", \"n\"]");
        let expected = [
            "n=1 epsilon=1 eta=2 [8.0, 0.1, 0.0]",
            "n=1 epsilon=1 eta=2 [6.0, 0.2, 0.0]",
        ];
        assert_eq!(found.expect("a spec"), expected);
        // A formula follows an axis that goes with another.
        let found = sweep(
            "n = [6, 8]\nepsilon = [0.2, 0.1]\neta = \"0.01 * n\"\nzip = [\"epsilon\", \"n\"]",
        );
        let expected = [
            "n=1 epsilon=1 eta=1 [6.0, 0.2, 0.06]",
            "n=1 epsilon=1 eta=1 [8.0, 0.1, 0.08]",
        ];
        assert_eq!(found.expect("a spec"), expected);
    }

    #[test]
    fn what_cannot_go_together_is_refused() {
        for (zip, words) in [
            (
                "[\"n\", \"epsilon\"]",
                "2 of n, 3 of epsilon; expected equally many values",
            ),
            ("[\"n\"]", "expected two axes or more"),
            ("[\"n\", \"n\"]", "each once"),
            ("[\"n\", \"trials\"]", "of n, epsilon, eta"),
            ("\"n\"", "expected"),
        ] {
            let lines = format!("n = [6, 8]\nepsilon = [0.1, 0.2, 0.3]\neta = 0\nzip = {zip}");
            let error = sweep(&lines).expect_err(zip);
            assert!(error.contains(words), "{zip}: {error}");
        }
    }
}
