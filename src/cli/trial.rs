//! One trial, named by its algorithm, its parameters, its seed and its number: what `solve` and
//! `replay` run.

use std::path::PathBuf;

use super::number::{integer, pasted, real, whole};
use super::text::counted;
use super::{Refused, output};
use crate::drawing::read;
use crate::experiment::spec::{did_you_mean, one_of};
use crate::solver::board::N_MAX;
use crate::solver::local;
use crate::solver::local::configuration::Configuration;
use crate::solver::{Algorithm, Axis, Domain, Point, Value};

/// Updates allowed to a local rule where nothing is said: some minutes.
pub const UPDATES: u64 = 10_000_000_000;

/// `KEY=VALUE`, of `-s` too.
pub type Given = (String, String);

#[derive(Debug, Clone, clap::Args)]
pub struct TrialArgs {
    /// The algorithm's parameters, as n=8 epsilon=0.01; variant=PN_PL or, of pair and cell, the
    /// condition of certain moves
    #[arg(value_name = "KEY=VALUE", value_parser = setting)]
    pub given: Vec<Given>,
    /// Seed of what is drawn [default: 1; of a row its own]
    #[arg(long, value_name = "S", value_parser = whole(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Updates allowed, or checks or nodes of a search [default: 10^10 updates, any number of
    /// checks or nodes]
    #[arg(long, value_name = "K", value_parser = whole(1..=u64::MAX))]
    pub cutoff: Option<u64>,
    /// Begin with this position in place of random cells (local rules): a drawing, a
    /// line for each row
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
    /// The signals of --start
    #[arg(long, value_name = "KIND", requires = "start", default_value = "none", value_parser = ["true", "none"])]
    pub signals: String,
}

/// Reads `KEY=VALUE`.
pub fn setting(text: &str) -> Result<Given, String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected KEY=VALUE in one word, as trials=20")?;
    Ok((name.trim().to_owned(), pasted(value.trim())))
}

impl TrialArgs {
    /// The point of an algorithm, without a goal, and what a trial begins with in place of random
    /// cells.
    pub fn point(
        &self,
        algorithm: &'static Algorithm,
    ) -> Result<(Point, Option<Configuration>), Refused> {
        let name = algorithm.name;
        let start = self.start(algorithm)?;
        let mut given = self.given.clone();
        if let Some(start) = &start
            && self.value("n").is_none()
        {
            given.push(("n".to_owned(), start.board().n().to_string()));
        }
        let variant = match (self.value("variant"), algorithm.variants) {
            (Some(variant), _) => algorithm
                .variant(variant)
                .map_err(|reason| Refused::new(format!("variant={variant}: {reason}")))?,
            (None, variants) => variants.map_or_else(String::new, |it| it.default()),
        };
        let axes = algorithm.axes.iter();
        let axes: Vec<_> = axes
            .filter(|it| algorithm.has_axis(&variant, it.name))
            .collect();
        let mut keys: Vec<&str> = axes.iter().map(|axis| axis.name).collect();
        if algorithm.variants.is_some() || algorithm.condition.is_some() {
            keys.push("variant");
        }
        for (at, (key, value)) in given.iter().enumerate() {
            let reason = if !keys.contains(&&**key) {
                let near = did_you_mean(key, &keys);
                let owner = format!("{name} {variant}");
                let (owner, keys) = (owner.trim_end(), one_of(&keys));
                format!("unknown key of {owner}; expected {keys}{near}")
            } else if given[..at].iter().any(|it| it.0 == *key) {
                "the key is doubled; expected each key once".to_owned()
            } else {
                continue;
            };
            return Err(Refused::new(format!("{key}={value}: {reason}")));
        }
        let is_missing = |axis: &&&Axis| given.iter().all(|it| it.0 != axis.name);
        let missing = axes.iter().filter(is_missing);
        let missing: Vec<_> = missing
            .map(|it| format!("{} ({})", it.name, it.domain))
            .collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            return Err(Refused::new(format!(
                "{name}: missing keys; expected {missing}"
            )));
        }
        let of_axis = |axis: &&'static Axis| {
            let (_, text) = given.iter().find(|it| it.0 == axis.name)?;
            Some(value(axis, text).map(|value| (axis.name, value)))
        };
        let values = axes
            .iter()
            .filter_map(of_axis)
            .collect::<Result<Vec<_>, _>>()?;
        let mut point = Point::new(name, values);
        point.variant = variant;
        let side = start.as_ref().map(|it| it.board().n() as u64);
        match (side, point.integer("n")) {
            (Some(side), Some(n)) if n != side => {
                let reason =
                    format!("n={n}: --start has a board of side {side}; expected n={side}");
                Err(Refused::new(reason))
            }
            _ => Ok((point, start)),
        }
    }

    fn value(&self, key: &str) -> Option<&str> {
        let found = self.given.iter().find(|it| it.0 == key);
        found.map(|it| &*it.1)
    }

    /// The position of `--start`.
    fn start(&self, algorithm: &Algorithm) -> Result<Option<Configuration>, Refused> {
        let Some(file) = &self.start else {
            return Ok(None);
        };
        if local::rule(algorithm.name).is_none() {
            return Err(Refused::new(format!(
                "--start: {} does not begin with a position; expected one of {}",
                algorithm.name,
                local::names().collect::<Vec<_>>().join(", ")
            )));
        }
        let text = output::text(file)?;
        let position = read::position(&file.display().to_string(), &text).map_err(Refused::new)?;
        let position = match &*self.signals {
            "true" => position.with_true_signals(),
            _ => position,
        };
        let (side, queens) = (position.side(), position.n_queens());
        let board = format!("a board of side {side}");
        let reason = match position.configuration() {
            None => format!("{board}; expected 1 to {N_MAX} for a run"),
            Some(start) if queens == side => return Ok(Some(start)),
            Some(_) => {
                let queens = counted(queens, "queen");
                format!("{queens} on {board}; expected {side}, as many as rows")
            }
        };
        Err(output::refused(file, reason))
    }
}

/// The value that a text gives an axis.
fn value(axis: &Axis, text: &str) -> Result<Value, Refused> {
    let value = match axis.domain {
        Domain::Integer { min, max } => integer(text)
            .and_then(|value| value.try_into().ok())
            .filter(|value| (min..=max).contains(value))
            .map(Value::Integer),
        Domain::Real { min, max } => real(text)
            .filter(|value| (min..=max).contains(value))
            .map(Value::real),
    };
    let wrong = || Refused::new(format!("{}={text}: expected {}", axis.name, axis.domain));
    value.ok_or_else(wrong)
}
