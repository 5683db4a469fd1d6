//! What a command line asks for, as a point.

use super::Args;
use crate::cli::BadInput;
use crate::solver::goal::Goal;
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
    let given = [
        ("n", Some(Given::Integer(args.n))),
        ("epsilon", args.epsilon.map(Given::Real)),
        ("eta", args.eta.map(Given::Real)),
    ];
    let foreign = |name: &str| !algorithm.axes().iter().any(|axis| axis.name == name);
    if let Some((name, _)) = given
        .iter()
        .find(|(name, value)| value.is_some() && foreign(name))
    {
        let own: Vec<_> = algorithm
            .axes()
            .iter()
            .map(|axis| format!("--{}", axis.name))
            .collect();
        return Err(BadInput(format!(
            "--{name}: {} has no such parameter; allowed are {}",
            algorithm.name(),
            own.join(", ")
        )));
    }
    let axis_value = |axis: &'static Axis| {
        let given = given
            .iter()
            .find(|(name, _)| *name == axis.name)
            .and_then(|(_, value)| *value);
        value(axis, given).map(|value| (axis.name, value))
    };
    let values = algorithm
        .axes()
        .iter()
        .map(axis_value)
        .collect::<Result<Vec<_>, _>>()?;
    if args.trace && !algorithm.traces() {
        return Err(BadInput(format!(
            "--trace: {} writes nothing down; allowed with {}",
            algorithm.name(),
            tracing()
        )));
    }
    let variant = variant(args, algorithm)?;
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

#[derive(Clone, Copy)]
enum Given {
    Integer(u64),
    Real(f64),
}

fn value(axis: &Axis, given: Option<Given>) -> Result<Value, BadInput> {
    let (name, domain) = (axis.name, axis.domain);
    match (domain, given) {
        (_, None) => Err(BadInput(format!("missing --{name}; needed is {domain}"))),
        (Domain::Integer { min, max }, Some(Given::Integer(value)))
            if (min..=max).contains(&value) =>
        {
            Ok(Value::Integer(value))
        }
        (Domain::Real { min, max }, Some(Given::Real(value))) if (min..=max).contains(&value) => {
            Ok(Value::real(value))
        }
        (_, Some(Given::Integer(value))) => {
            Err(BadInput(format!("--{name} {value}: allowed is {domain}")))
        }
        (_, Some(Given::Real(value))) => {
            Err(BadInput(format!("--{name} {value}: allowed is {domain}")))
        }
    }
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
