//! What a page says of its film.

use super::Asked;
use super::row::Stored;
use crate::html::{counted, grouped};
use crate::replay::film::Film;
use crate::replay::page::Caption;
use crate::solver::point::KEY_AXES;
use crate::solver::{DynamicsChoice, Outcome};

/// How the trial ended, in a line.
fn ending(asked: &Asked, outcome: &Outcome) -> String {
    let after = |updates: u64, moves: u64| {
        let (updates, moves) = (counted(updates, "update"), counted(moves, "move"));
        format!("after {updates} and {moves}")
    };
    let hit = match (outcome.hitting_time, outcome.moves_at_hit) {
        (Some(time), Some(moves)) => format!("first a solution {}", after(time, moves)),
        _ => "never a solution".to_owned(),
    };
    let (word, time) = match outcome.absorption_time {
        Some(time) => ("Absorbed", time),
        None => ("Cut off", asked.cutoff),
    };
    let end = after(time, outcome.moves.unwrap_or_default());
    format!("{word} {end}; {hit}")
}

/// The title of an animation.
pub fn animation(asked: &Asked, n_steps: usize, moves_only: bool) -> String {
    let (point, seed, trial) = (&asked.point, asked.seed, asked.trial);
    let what = if moves_only { "moves" } else { "changes" };
    format!("{point}, seed {seed}, trial {trial}: its last {n_steps} {what}")
}

pub fn caption(asked: &Asked, film: &Film) -> Caption {
    let mut lines = vec![ending(asked, &film.outcome)];
    lines.extend(asked.stored.as_ref().map(Stored::agreement));
    let from = film.log.from;
    let start = match (from, &asked.start) {
        (0, None) => "The start: queens on random cells, no signal.".to_owned(),
        (0, Some(_)) => "The start that was given.".to_owned(),
        _ => format!(
            "The state after {} updates, where this part of the run begins.",
            grouped(from)
        ),
    };
    let version = format!(
        "Made by reines {} from its dynamics ({}).",
        env!("CARGO_PKG_VERSION"),
        asked.dynamics.name()
    );
    Caption {
        trial: (asked.point.clone(), asked.seed, asked.trial),
        lines,
        start,
        is_given: asked.start.is_some(),
        provenance: vec![format!("The same page: {}", command(asked, film)), version],
    }
}

/// The command that makes the same page, but for the name of its file.
fn command(asked: &Asked, film: &Film) -> String {
    let point = &asked.point;
    let mut words = vec![format!("reines replay --algorithm {}", point.algorithm)];
    if !point.variant.is_empty() {
        words.push(format!("--variant {}", point.variant));
    }
    for (name, value) in point.axes.by_column() {
        words.push(if KEY_AXES.contains(&name) {
            format!("--{name} {value}")
        } else {
            format!("--parameter {name}={value}")
        });
    }
    words.push(format!("--seed {} --trial {}", asked.seed, asked.trial));
    words.push(format!("--cutoff {}", asked.cutoff));
    if DynamicsChoice::Auto.at(point) != asked.dynamics {
        words.push(format!("--dynamics {}", asked.dynamics.name()));
    }
    if asked.start.is_some() {
        words.push("--start FILE --signals FILE".to_owned());
    }
    if film.log.from > 0 {
        words.push(format!("--from {}", film.log.from));
    }
    if film.outcome.updates.is_some_and(|end| film.until < end) {
        words.push(format!("--to {}", film.until));
    }
    words.join(" ")
}
