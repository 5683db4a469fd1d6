//! The text of a spec whose points are those that meet conditions: values of axes are left out, and
//! sweeps of which nothing is left.

use toml_edit::{Array, Table, Value};

use super::edit::{document, elements, replace};
use crate::cli::conditions::Conditions;
use crate::experiment::spec::{Refused, Spec, Sweep};
use crate::solver::goal::Goal;

/// The text of `spec` for the points that meet the conditions, which act on each axis by itself.
///
/// # Errors
/// No point is left; a sweep whose variants cannot be named one by one.
pub fn restricted(spec: &Spec, only: &Conditions) -> Result<String, Refused> {
    let refused = |reason: String| Refused::of_file(&spec.file, reason);
    let numbers = spec.sweeps.iter().flat_map(|sweep| &sweep.axes);
    let numbers = numbers.flat_map(|(axis, all)| all.iter().map(|it| (axis.name, it.number())));
    let only = only.as_printed(numbers.collect())?;
    let mut text = document(&spec.text).map_err(refused)?;
    let tables = elements(text.as_table_mut(), "sweep").map_err(refused)?;
    // From the last on, so that the places of those before stay.
    for (place, sweep) in spec.sweeps.iter().enumerate().rev() {
        let table = tables.get_mut(place);
        let table = table.ok_or_else(|| refused("a sweep is no table".to_owned()))?;
        let is_left = keep(sweep, table, &only)
            .map_err(|reason| Refused::of_line(&spec.file, sweep.line, reason))?;
        if !is_left {
            tables.remove(place);
        }
    }
    if tables.is_empty() {
        return Err(only.nothing(&spec.file));
    }
    Ok(text.to_string())
}

/// Leaves out of a sweep what the conditions do not admit; whether any of its points is left.
fn keep(sweep: &Sweep, table: &mut Table, only: &Conditions) -> Result<bool, String> {
    let goal = sweep.goal.map_or("", Goal::name);
    let own = |axis: &str| sweep.axes.iter().any(|(own, _)| own.name == axis);
    if !only.admit_word("algorithm", sweep.algorithm.name())
        || !only.admit_word("goal", goal)
        || !only.axes().all(own)
    {
        return Ok(false);
    }
    let is_kept = |variant: &&String| {
        let mut axes = only.axes();
        only.admit_word("variant", variant) && axes.all(|it| sweep.algorithm.has_axis(variant, it))
    };
    let variants: Vec<&String> = sweep.variants.of.iter().filter(is_kept).collect();
    if variants.len() < sweep.variants.of.len() {
        if !variants.is_empty() && !table.contains_key("variant") {
            return Err(
                "--only leaves out variants, which this sweep chooses by their parts; allowed is a \
                 sweep with variant = [\"…\"]"
                    .to_owned(),
            );
        }
        let names: Array = variants.iter().map(|it| it.as_str()).collect();
        replace(table, "variant", Value::Array(names))?;
    }
    let mut is_left = !variants.is_empty();
    for (axis, values) in &sweep.axes {
        let admitted = |number: f64| only.admit_number(axis.name, number);
        let kept: Vec<_> = values.iter().filter(|it| admitted(it.number())).collect();
        is_left &= !kept.is_empty();
        if kept.len() < values.len() {
            let list: Vec<String> = kept.iter().map(ToString::to_string).collect();
            let list: Value = format!("[{}]", list.join(", "))
                .parse()
                .map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
            replace(table, axis.name, list)?;
        }
    }
    Ok(is_left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::conditions::conditions;
    use crate::experiment::plan::Plan;
    use crate::experiment::spec;

    const TEXT: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = { from = 4, to = 10, step = 2 } # sides\nepsilon = [0.01, 0.1]\ntrials = 2\ncutoff = 9\n\
                        [[sweep]]\nalgorithm = \"cell\"\nn = 8\nepsilon = { from = 0.01, to = 1, points = 3, scale = \"log\" }\neta = [0, 0.1]\ntrials = 2\ncutoff = 9\n\
                        [[sweep]]\nalgorithm = \"cp\"\nvariant = [\"PN_PL\", \"PA_PL\"]\nn = [4, 8]\ngoal = \"all\"\ncutoff = 99\n";

    fn points(text: &str) -> Vec<String> {
        let spec = spec::parse_without_figures("a", "a.toml", text);
        let plan =
            Plan::new(&spec.unwrap_or_else(|error| panic!("{error}\n{text}"))).expect("a plan");
        plan.points.iter().map(|it| it.point.to_string()).collect()
    }

    /// The points of the changed text are those of the whole one that meet the conditions.
    #[test]
    fn the_points_are_those_that_meet_the_conditions() {
        let spec = spec::parse_without_figures("a", "a.toml", TEXT).expect("a spec");
        let plan = Plan::new(&spec).expect("a plan");
        for text in [
            "algorithm=pair",
            "n<=8",
            "n=8",
            "n>4,n!=8",
            "epsilon=0.1",
            "epsilon>=0.1,algorithm=cell",
            "eta=0",
            "eta<=1,n=8",
            "variant=PA_PL",
            "goal=all,n=4",
            "goal!=all",
            "algorithm!=cp,epsilon<0.5",
        ] {
            let only = conditions(text).expect(text);
            let admitted = plan.points.iter().filter(|it| only.admit(&it.point));
            let expected: Vec<String> = admitted.map(|it| it.point.to_string()).collect();
            assert!(!expected.is_empty(), "{text}");
            let changed = restricted(&spec, &only).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(points(&changed), expected, "{text}");
        }
        let none = conditions("n=5").expect("a condition");
        let error = restricted(&spec, &none).expect_err("no point");
        assert_eq!(error.to_string(), "--only n=5: a.toml has no such point");
    }
}
