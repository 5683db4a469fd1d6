//! What a page says of its film.

use super::scene::Asked;
use crate::cli::solve::show::Facts;
use crate::experiment::version;
use crate::replay::film::Film;
use crate::replay::page::Caption;
use crate::solver::point::KEY_AXES;
use crate::solver::{DynamicsChoice, Outcome};

/// How the trial ended, in a line.
pub fn ending(asked: &Asked, film: &Film) -> String {
    let outcome: &Outcome = &film.outcome;
    Facts::new(&asked.job(), Some(asked.trial), outcome, None).in_words()
}

pub fn caption(asked: &Asked, film: &Film) -> Caption {
    let Asked {
        point, seed, trial, ..
    } = asked;
    let title = format!("{point}, seed {seed}, trial {trial}");
    let mut lines = vec![format!("{}.", ending(asked, film))];
    if let Some(stored) = &asked.stored {
        lines.push(format!("{}.", stored.agreement()));
    }
    let from = film.log.from;
    let start = match (from, &asked.start) {
        (0, None) => "The start: queens on random cells, no signal".to_owned(),
        (0, Some(_)) => "The start that was given".to_owned(),
        _ => format!("The state after {from} updates, where this part of the run begins"),
    };
    let version = format!(
        "Made by reines {} from its dynamics ({}).",
        version::PROGRAM,
        asked.dynamics.name()
    );
    Caption {
        title,
        lines,
        start,
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
    for (name, value) in point.values.by_column() {
        words.push(if KEY_AXES.contains(&name) {
            format!("--{name} {value}")
        } else {
            format!("--set {name}={value}")
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
