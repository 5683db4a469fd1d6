//! What a command line asks for, as a point.

use super::Args;
use crate::cli::BadInput;
use crate::solver::goal::Goal;
use crate::solver::point::KEY_AXES;
use crate::solver::{self, ALGORITHMS, Algorithm, Axis, Domain, Point, Value};

/// The algorithm and its point, every value within what the algorithm declares.
pub fn point(args: &Args) -> Result<(&'static dyn Algorithm, Point), BadInput> {
    let names = || {
        ALGORITHMS
            .iter()
            .map(|algorithm| algorithm.name())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let unknown = || {
        BadInput(format!(
            "--algorithm {}: unknown algorithm; allowed are {}",
            args.algorithm,
            names()
        ))
    };
    let algorithm = solver::algorithm(&args.algorithm).ok_or_else(unknown)?;
    let given = given(args);
    let variant = variant(args, algorithm)?;
    let axes = algorithm.axes().iter();
    let axes: Vec<&'static Axis> = axes
        .filter(|axis| algorithm.has_axis(&variant, axis.name))
        .collect();
    let axis = |name: &str| axes.iter().find(|axis| axis.name == name);
    if let Some((name, _)) = given.iter().find(|(name, _)| axis(name).is_none()) {
        let own: Vec<_> = axes.iter().map(|axis| flag(axis.name)).collect();
        return Err(BadInput(format!(
            "{}: {} has no such parameter; allowed are {}",
            flag(name),
            format!("{} {variant}", algorithm.name()).trim_end(),
            own.join(", ")
        )));
    }
    let axis_value = |axis: &&'static Axis| Ok((axis.name, value(axis, &given)?));
    let values = axes
        .iter()
        .map(axis_value)
        .collect::<Result<Vec<_>, BadInput>>()?;
    if args.trace && !algorithm.traces() {
        return Err(BadInput(format!(
            "--trace: {} writes nothing down; allowed with {}",
            algorithm.name(),
            tracing()
        )));
    }
    Ok((
        algorithm,
        Point {
            variant,
            goal: goal(args, algorithm)?,
            ..Point::new(algorithm.name(), values)
        },
    ))
}

fn tracing() -> String {
    ALGORITHMS
        .iter()
        .filter(|algorithm| algorithm.traces())
        .map(|algorithm| algorithm.name())
        .collect::<Vec<_>>()
        .join(", ")
}

/// The variant that is named, else the default one; empty where there are none.
fn variant(args: &Args, algorithm: &dyn Algorithm) -> Result<String, BadInput> {
    match (algorithm.variants(), &args.variant) {
        (None, None) => Ok(String::new()),
        (None, Some(given)) => Err(BadInput(format!(
            "--variant {given}: {} has no variants",
            algorithm.name()
        ))),
        (Some(variants), None) => Ok(variants.default()),
        (Some(variants), Some(given)) => match variants.check(given) {
            Ok(()) => Ok(given.clone()),
            Err(reason) => Err(BadInput(format!("--variant: {reason}"))),
        },
    }
}

/// `NAME=VALUE` of `--set`.
pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("allowed is NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The parameters that the command line names, and their values as it writes them.
fn given(args: &Args) -> Vec<(&str, String)> {
    let n = args.n.map(|n| ("n", n.to_string()));
    let real = |name, value: Option<f64>| value.map(|value| (name, value.to_string()));
    let own = [n, real("epsilon", args.epsilon), real("eta", args.eta)];
    let set = args
        .set
        .iter()
        .map(|(name, value)| (&**name, value.clone()));
    own.into_iter().flatten().chain(set).collect()
}

/// The option of the parameter of this name.
fn flag(name: &str) -> String {
    if KEY_AXES.contains(&name) {
        format!("--{name}")
    } else {
        format!("--set {name}")
    }
}

fn value(axis: &Axis, given: &[(&str, String)]) -> Result<Value, BadInput> {
    let (flag, domain) = (flag(axis.name), axis.domain);
    let mut own = given.iter().filter(|(name, _)| *name == axis.name);
    let text = match (own.next(), own.next()) {
        (None, _) => return Err(BadInput(format!("missing {flag}; needed is {domain}"))),
        (Some((_, text)), None) => text,
        (Some(_), Some(_)) => {
            return Err(BadInput(format!(
                "{flag}: given twice; allowed is one value"
            )));
        }
    };
    let value = match domain {
        Domain::Integer { min, max } => text
            .parse()
            .ok()
            .filter(|value| (min..=max).contains(value))
            .map(Value::Integer),
        Domain::Real { min, max } => text
            .parse()
            .ok()
            .filter(|value| (min..=max).contains(value))
            .map(Value::real),
    };
    value.ok_or_else(|| BadInput(format!("{flag} {text}: allowed is {domain}")))
}

/// The goal that is named, else the first board; `None` where there is no search.
fn goal(args: &Args, algorithm: &dyn Algorithm) -> Result<Option<Goal>, BadInput> {
    let named = [
        (args.first, Goal::First),
        (args.all, Goal::All),
        (args.count, Goal::Count),
    ];
    let named = named
        .into_iter()
        .find(|(is_named, _)| *is_named)
        .map(|(_, goal)| goal);
    match named {
        None if algorithm.goals().is_empty() => Ok(None),
        None => Ok(Some(Goal::First)),
        Some(goal) if algorithm.goals().contains(&goal) => Ok(Some(goal)),
        Some(goal) => {
            let allowed: Vec<_> = algorithm
                .goals()
                .iter()
                .map(|goal| format!("--{}", goal.name()))
                .collect();
            let allowed = if allowed.is_empty() {
                "no goal: it is no search".into()
            } else {
                allowed.join(", ")
            };
            Err(BadInput(format!(
                "--{}: {} cannot be asked for that; allowed is {allowed}",
                goal.name(),
                algorithm.name()
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn said(options: &str) -> String {
        let line = Line::try_parse_from(std::iter::once("solve").chain(options.split(' ')));
        match point(&line.expect("options that clap knows").args) {
            Ok((_, point)) => point.to_string(),
            Err(BadInput(reason)) => reason,
        }
    }

    #[test]
    fn a_parameter_without_an_option_of_its_own_is_set_by_name() {
        let heated = "--algorithm heated --n 4 --epsilon 0.5";
        let factored = "--algorithm factored --epsilon 0.5";
        for (options, expected) in [
            (
                format!("{heated} --set temperature=2"),
                "heated n=4 epsilon=0.5 temperature=2",
            ),
            (
                format!("{factored} --set product=15"),
                "factored epsilon=0.5 product=15",
            ),
            (
                heated.to_owned(),
                "missing --set temperature; needed is a number from 0 to 9",
            ),
            (
                format!("{heated} --set temperature=hot"),
                "--set temperature hot: allowed is a number from 0 to 9",
            ),
            (
                format!("{factored} --n 4 --set product=15"),
                "--n: factored has no such parameter; allowed are --set product, --epsilon",
            ),
            (
                format!("{factored} --set product=15 --set product=21"),
                "--set product: given twice; allowed is one value",
            ),
        ] {
            assert_eq!(said(&options), expected);
        }
    }
}
