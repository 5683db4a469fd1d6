//! What a command line asks for, as a point.

use super::Args;
use crate::cli::{Refused, asked};
use crate::solver::goal::Goal;
use crate::solver::{ALGORITHMS, Algorithm, Point};

/// The algorithm and its point, every value within what the algorithm declares.
pub fn point(args: &Args) -> Result<(&'static dyn Algorithm, Point), Refused> {
    let (algorithm, point) = asked::point(&args.algorithm, &args.start.with_side(&args.asked)?)?;
    if args.trace && !algorithm.traces() {
        return Err(Refused::new(format!(
            "--trace: {} writes nothing down; allowed with {}",
            algorithm.name(),
            names(|it| it.traces())
        )));
    }
    if args.trial.is_some() && !algorithm.is_random(&point.variant) {
        return Err(Refused::new(format!(
            "--trial: {} draws nothing, so that all its trials are the same; allowed with {}",
            format!("{} {}", algorithm.name(), point.variant).trim_end(),
            names(|it| it.goals().is_empty())
        )));
    }
    let goal = goal(args, algorithm)?;
    Ok((algorithm, Point { goal, ..point }))
}

/// The names of the algorithms of which something is true.
fn names(is_one: fn(&dyn Algorithm) -> bool) -> String {
    ALGORITHMS
        .iter()
        .filter(|algorithm| is_one(**algorithm))
        .map(|algorithm| algorithm.name())
        .collect::<Vec<_>>()
        .join(", ")
}

/// The goal that is named, else the first board, or the count of a method that shows none; `None`
/// where there is no search.
fn goal(args: &Args, algorithm: &dyn Algorithm) -> Result<Option<Goal>, Refused> {
    let goals = algorithm.goals();
    let named = match (args.all, args.count) {
        (true, _) => Goal::All,
        (_, true) => Goal::Count,
        _ if goals.contains(&Goal::First) => return Ok(Some(Goal::First)),
        _ => return Ok(Goal::default_of(goals)),
    };
    if goals.contains(&named) {
        return Ok(Some(named));
    }
    let allowed: Vec<_> = goals.iter().map(|goal| goal.name()).collect();
    Err(Refused::new(format!(
        "--{}: {} cannot be asked for that; {}",
        named.name(),
        algorithm.name(),
        match allowed.as_slice() {
            [] => "it is no search".to_owned(),
            goals => format!("its goals are {}", goals.join(", ")),
        }
    )))
}
