//! The spec of those of a spec's points that meet conditions: values of axes are left out of its
//! text, and sweeps of which nothing is left.

use std::collections::BTreeSet;

use toml_edit::{Array, Table, Value};

use super::edit::{document, elements, replace};
use crate::cli::conditions::Conditions;
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::spec::{self, Refused, Spec, Sweep};

/// The spec of the points that meet the conditions, which act on each axis by itself.
pub fn only(spec: &Spec, only: &Conditions) -> Result<Spec, Refused> {
    let refused = |reason: String| Refused::of_file(&spec.file, reason);
    let alone = |sweep: &Sweep| {
        let sweeps = vec![sweep.clone()];
        Plan::new(&Spec {
            sweeps,
            ..spec.clone()
        })
    };
    let plans = spec.sweeps.iter().map(alone);
    let mut plans = plans.collect::<Result<Vec<Plan>, _>>()?;
    let only = only.as_printed(plans.iter().flat_map(|plan| &plan.points))?;
    let mut text = document(&spec.text).map_err(refused)?;
    let tables = elements(text.as_table_mut(), "sweep").map_err(refused)?;
    // From the last on, so that the places of those before stay.
    for (place, (sweep, plan)) in spec.sweeps.iter().zip(&mut plans).enumerate().rev() {
        let points = &mut plan.points;
        points.retain(|it| only.admit(&it.point));
        let table = tables.get_mut(place);
        let table = table.ok_or_else(|| refused("a sweep is no table".to_owned()))?;
        if points.is_empty() {
            tables.remove(place);
            continue;
        }
        keep(sweep, points, table)
            .map_err(|reason| Refused::of_line(&spec.file, sweep.line, reason))?;
    }
    if tables.is_empty() {
        return Err(only.nothing(&spec.file));
    }
    let text = text.to_string();
    spec::parse(&spec.name, &spec.file, &text, &crate::report::kinds())
}

/// Leaves out of a sweep what none of these of its points has.
fn keep(sweep: &Sweep, points: &[PlannedPoint], table: &mut Table) -> Result<(), String> {
    let is_kept = |variant: &&String| points.iter().any(|it| it.point.variant == **variant);
    let variants: Vec<&String> = sweep.variants.of.iter().filter(is_kept).collect();
    if variants.len() < sweep.variants.of.len() {
        if !table.contains_key("variant") {
            return Err(
                "--only leaves out variants, which this sweep chooses by their parts; allowed is a \
                 sweep with variant = [\"…\"]"
                    .to_owned(),
            );
        }
        let names: Array = variants.iter().map(|it| it.as_str()).collect();
        replace(table, "variant", Value::Array(names))?;
    }
    for (axis, values) in &sweep.axes {
        let left = points.iter().filter_map(|it| it.point.axes.get(axis.name));
        let left: BTreeSet<u64> = left.map(|it| it.number().to_bits()).collect();
        let mut kept = values.clone();
        kept.retain(|it| left.contains(&it.number().to_bits()));
        if kept.is_empty() {
            // No variant that is left has the axis.
            table.remove(axis.name);
        } else if kept.len() < values.len() {
            let list: Vec<String> = kept.iter().map(ToString::to_string).collect();
            let list = format!("[{}]", list.join(", ")).parse::<Value>();
            let list = list.map_err(|error| error.message().to_owned())?;
            replace(table, axis.name, list)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::conditions::conditions;

    const TEXT: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = { from = 4, to = 10, step = 2 } # sides\nepsilon = [0.01, 0.1]\ntrials = 2\ncutoff = 9\n\
                        [[sweep]]\nalgorithm = \"cell\"\nn = 8\nepsilon = { from = 0.01, to = 1, points = 3, scale = \"log\" }\neta = [0, 0.1]\ntrials = 2\ncutoff = 9\n\
                        [[sweep]]\nalgorithm = \"cp\"\nvariant = [\"PN_PL\", \"PA_PL\"]\nn = [4, 8]\ngoal = \"all\"\ncutoff = 99\n\
                        [[sweep]]\nalgorithm = \"synchronous\"\nvariant = [\"blind\", \"informed\"]\nn = 4\nepsilon = 0.1\neta = 0.1\ntrials = 2\ncutoff = 9\n";

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
            "variant=blind",
        ] {
            let conditions = conditions(text).expect(text);
            let mut expected = plan.points.clone();
            expected.retain(|it| conditions.admit(&it.point));
            assert!(!expected.is_empty(), "{text}");
            let changed = only(&spec, &conditions).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(
                Plan::new(&changed).expect("a plan").points,
                expected,
                "{text}"
            );
        }
        let none = conditions("n=5").expect("a condition");
        let error = only(&spec, &none).err().expect("no point");
        assert_eq!(error.to_string(), "--only n=5: a.toml has no such point");
    }
}
