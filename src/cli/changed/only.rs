//! The text of a spec whose points are those that meet conditions: values of axes are left out, and
//! sweeps of which nothing is left.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::cli::BadInput;
use crate::cli::conditions::Conditions;
use crate::experiment::spec::{Spec, Sweep};
use crate::solver::goal::Goal;

/// The text of `spec` for the points that meet the conditions, which act on each axis by itself.
///
/// # Errors
/// No point is left; a sweep whose variants cannot be named one by one.
pub fn restricted(spec: &Spec, only: &Conditions) -> Result<String, BadInput> {
    let unread = || BadInput(format!("{}: not TOML", spec.file));
    let root = DeTable::parse(&spec.text).map_err(|_| unread())?;
    let tables = |name: &str| -> &[Spanned<DeValue>] {
        let list = root
            .get_ref()
            .get(name)
            .and_then(|it| it.get_ref().as_array());
        list.map_or(&[], |it| &it[..])
    };
    let heads = ["sweep", "figure"].map(tables).concat();
    let mut starts: Vec<usize> = heads.iter().map(|table| table.span().start).collect();
    starts.push(spec.text.len());
    starts.sort_unstable();
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut left = 0;
    for (sweep, table) in spec.sweeps.iter().zip(tables("sweep")) {
        let start = table.span().start;
        let end = starts.iter().copied().find(|&next| next > start);
        let end = end.unwrap_or(spec.text.len());
        match kept(sweep, table, only) {
            Ok(Some(own)) => {
                left += 1;
                edits.extend(own);
            }
            Ok(None) => edits.push((start..end, String::new())),
            Err(reason) => return Err(BadInput(format!("{}:{}: {reason}", spec.file, sweep.line))),
        }
    }
    if left == 0 {
        return Err(only.nothing(&spec.file));
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut text = spec.text.clone();
    for (range, new) in edits.into_iter().rev() {
        text.replace_range(range, &new);
    }
    Ok(text)
}

type Edits = Vec<(Range<usize>, String)>;

/// What changes in a sweep; `None` where none of its points is left.
fn kept(
    sweep: &Sweep,
    table: &Spanned<DeValue>,
    only: &Conditions,
) -> Result<Option<Edits>, String> {
    let algorithm = sweep.algorithm.name();
    let goal = sweep.goal.map_or("", Goal::name);
    if !only.admit_word("algorithm", algorithm) || !only.admit_word("goal", goal) {
        return Ok(None);
    }
    let value_of = |key: &str| table.get_ref().as_table().and_then(|it| it.get(key));
    let mut edits = Vec::new();
    let is_kept = |variant: &&String| {
        let has_axes = only
            .axes()
            .all(|axis| sweep.algorithm.has_axis(variant, axis));
        only.admit_word("variant", variant) && has_axes
    };
    let variants: Vec<&String> = sweep.variants.of.iter().filter(is_kept).collect();
    if variants.is_empty() {
        return Ok(None);
    }
    if variants.len() < sweep.variants.of.len() {
        let old = value_of("variant").ok_or(
            "--only leaves out variants, which this sweep chooses by their parts; allowed is a sweep with variant = [\"…\"]",
        )?;
        let names: Vec<String> = variants.iter().map(|it| format!("{it:?}")).collect();
        edits.push((old.span(), format!("[{}]", names.join(", "))));
    }
    for (axis, values) in &sweep.axes {
        let admitted = values
            .iter()
            .filter(|it| only.admit_number(axis.name, it.number()));
        let admitted: Vec<String> = admitted.map(ToString::to_string).collect();
        if admitted.is_empty() {
            return Ok(None);
        }
        if admitted.len() < values.len() {
            let old = value_of(axis.name).ok_or("an axis has no place in the file")?;
            edits.push((old.span(), format!("[{}]", admitted.join(", "))));
        }
    }
    // An axis that the algorithm has not.
    let own = |axis: &str| sweep.axes.iter().any(|(own, _)| own.name == axis);
    Ok(only.axes().all(own).then_some(edits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::conditions::conditions;
    use crate::experiment::plan::Plan;
    use crate::experiment::spec;
    use crate::experiment::store::PointKey;

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
            let admitted = plan
                .points
                .iter()
                .filter(|it| only.admit(&PointKey::of(&it.point)));
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
