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
        None if algorithm.goals().contains(&Goal::First) => Ok(Some(Goal::First)),
        None => Ok(Goal::default_of(algorithm.goals())),
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
            Err(Refused::new(format!(
                "--{}: {} cannot be asked for that; allowed is {allowed}",
                goal.name(),
                algorithm.name()
            )))
        }
    }
}
