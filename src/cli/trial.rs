//! One trial, named by its algorithm, its parameters, its seed and its number: what `solve` and
//! `replay` run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::number::{integer, pasted, real, whole};
use super::text::counted;
use super::{Refused, output};
use crate::drawing::read;
use crate::experiment::spec::{did_you_mean, one_of};
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
        let (name, start) = (algorithm.name, self.start(algorithm)?);
        let side = start.as_ref().map(|it| it.board().n().to_string());
        let mut given: BTreeMap<&str, &str> = BTreeMap::new();
        given.extend(side.as_deref().map(|side| ("n", side)));
        for (at, (key, value)) in self.given.iter().enumerate() {
            if self.given[..at].iter().any(|it| it.0 == *key) {
                let reason = "the key is doubled; expected each key once";
                return Err(Refused::new(format!("{key}={value}: {reason}")));
            }
            if let ("n", Some(side)) = (&**key, side.as_ref().filter(|it| *it != value)) {
                let reason = format!("--start has a board of side {side}; expected n={side}");
                return Err(Refused::new(format!("n={value}: {reason}")));
            }
            given.insert(key, value);
        }
        let variant = match (given.get("variant"), algorithm.variants) {
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
        if let Some((key, value)) = self.given.iter().find(|it| !keys.contains(&&*it.0)) {
            let owner = format!("{name} {variant}");
            let (owner, near) = (owner.trim_end(), did_you_mean(key, &keys));
            let keys = one_of(&keys);
            let reason = format!("unknown key of {owner}; expected {keys}{near}");
            return Err(Refused::new(format!("{key}={value}: {reason}")));
        }
        let missing = axes.iter().filter(|it| !given.contains_key(it.name));
        let missing = missing.map(|it| format!("{} ({})", it.name, it.domain));
        let missing = missing.collect::<Vec<_>>().join(", ");
        if !missing.is_empty() {
            let reason = format!("{name}: missing keys; expected {missing}");
            return Err(Refused::new(reason));
        }
        let values = axes
            .iter()
            .map(|axis| Ok((axis.name, value(axis, given[axis.name])?)));
        let mut point = Point::new(name, values.collect::<Result<Vec<_>, _>>()?);
        point.variant = variant;
        Ok((point, start))
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
        if queens == side {
            return Ok(Some(position.configuration().clone()));
        }
        let queens = counted(queens, "queen");
        let reason =
            format!("{queens} on a board of side {side}; expected {side}, as many as rows");
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
