//! One trial, named by its algorithm, its parameters, its seed and its number: what `solve` and
//! `replay` run. Here are the cutoff where none is given (10¹⁰ updates), the seed (1), the forms of
//! `--start` and `--signals`, and the messages of unknown, missing and doubled keys.

use std::collections::BTreeMap;
use std::path::PathBuf;

use itertools::Itertools;

use super::terminal::optional_message;
use super::text::{counted, pasted, whole};
use super::{Refused, user_files};
use crate::drawing::read;
use crate::experiment::spec::number::{MOST_INTEGER, integer_in, real_in};
use crate::experiment::spec::{did_you_mean, key_named, one_of};
use crate::replay::film::SingleTrial;
use crate::solver::local;
use crate::solver::local::configuration::Configuration;
use crate::solver::{Algorithm, Axis, Domain, DynamicsChoice, Key, Point, Value};

/// Updates allowed to a local rule where nothing is said: some minutes.
const DEFAULT_CUTOFF: u64 = 10_000_000_000;

#[derive(Debug, Clone, clap::Args)]
pub struct TrialArgs {
    /// The algorithm's parameters, as n=8 epsilon=0.01; variant=PN_PL or, of pair and cell, the
    /// condition of certain moves
    #[arg(value_name = "KEY=VALUE", value_parser = setting)]
    pub keys: Vec<(String, String)>,
    /// Seed of what is drawn [default: 1]
    #[arg(long, value_name = "S", value_parser = whole(0..=MOST_INTEGER))]
    pub seed: Option<u64>,
    /// Updates allowed, or checks or nodes of a search [default: 10^10 updates, any number of
    /// checks or nodes]
    #[arg(long, value_name = "K", value_parser = whole(1..=MOST_INTEGER))]
    pub cutoff: Option<u64>,
    /// Begin with this position in place of random cells (local rules): a drawing, a
    /// line for each row
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
    /// The signals of --start
    #[arg(long, value_name = "KIND", requires = "start", default_value = "none", value_parser = ["true", "none"])]
    pub signals: String,
}

/// Reads `KEY=VALUE`, of `-s` too.
pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected KEY=VALUE in one word, as trials=20")?;
    Ok((key_named(name.trim()).to_owned(), pasted(value.trim())))
}

impl TrialArgs {
    /// The trial of an algorithm, without a goal.
    pub fn single_trial(
        &self,
        algorithm: &'static Algorithm,
        trial: u32,
        dynamics: DynamicsChoice,
    ) -> Result<SingleTrial, Refused> {
        let start = self.start(algorithm)?;
        let point = self.point(algorithm, start.as_ref())?;
        let most = if algorithm.is_search {
            u64::MAX
        } else {
            DEFAULT_CUTOFF
        };
        let seed = self.seed.unwrap_or(1);
        if let Some(reason) = dynamics.why_stepwise(algorithm, &point, false) {
            optional_message!("warning: {reason}");
        }
        Ok(SingleTrial {
            key: Key { seed, trial },
            cutoff: self.cutoff.unwrap_or(most),
            dynamics: dynamics.at(algorithm, &point, false),
            start,
            point,
        })
    }

    /// The point of an algorithm, of which the start has the side of the board.
    fn point(
        &self,
        algorithm: &'static Algorithm,
        start: Option<&Configuration>,
    ) -> Result<Point, Refused> {
        let name = algorithm.name;
        let side = start.map(|start| start.board().n().to_string());
        let values = self.values(side.as_deref())?;
        let variant = match values.get("variant") {
            None => algorithm
                .variants
                .map_or_else(String::new, |variants| variants.default()),
            Some(text) => {
                let wrong = |reason| Refused::new(format!("variant={text}: {reason}"));
                algorithm.variant(text).map_err(wrong)?
            }
        };
        let has = |axis: &&Axis| algorithm.has_axis(&variant, axis.name);
        let axes: Vec<&Axis> = algorithm.axes.iter().filter(has).collect();
        let mut keys: Vec<&str> = axes.iter().map(|axis| axis.name).collect();
        if algorithm.variants.is_some() || algorithm.condition.is_some() {
            keys.push("variant");
        }
        if let Some((key, value)) = self.keys.iter().find(|key| !keys.contains(&&*key.0)) {
            let owner = format!("{name} {variant}");
            let owner = owner.trim_end();
            let near = did_you_mean(key, &keys);
            let keys = one_of(&keys);
            let reason = format!("unknown key of {owner}; expected {keys}{near}");
            return Err(Refused::new(format!("{key}={value}: {reason}")));
        }
        let missing = axes.iter().filter(|axis| !values.contains_key(axis.name));
        let missing = missing
            .map(|axis| format!("{} ({})", axis.name, axis.domain))
            .join(", ");
        if !missing.is_empty() {
            let reason = format!("missing keys; expected {missing}");
            return Err(Refused::new(format!("{name}: {reason}")));
        }
        let value = |axis: &&Axis| Ok((axis.name, value(axis, values[axis.name])?));
        let point = Point::new(name, axes.iter().map(value).collect::<Result<Vec<_>, _>>()?);
        Ok(Point { variant, ..point })
    }

    /// The values of the keys, and of n where the side of the board is known.
    fn values<'v>(&'v self, side: Option<&'v str>) -> Result<BTreeMap<&'v str, &'v str>, Refused> {
        let mut values: BTreeMap<&str, &str> = BTreeMap::new();
        for (key, value) in &self.keys {
            let reason = match side {
                _ if values.insert(key, value).is_some() => {
                    "the key is doubled; expected each key once".to_owned()
                }
                Some(side) if key == "n" && value != side => {
                    format!("--start has a board of side {side}; expected n={side}")
                }
                _ => continue,
            };
            return Err(Refused::new(format!("{key}={value}: {reason}")));
        }
        values.extend(side.map(|side| ("n", side)));
        Ok(values)
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
                local::names().join(", ")
            )));
        }
        let text = user_files::text(file)?;
        let position = read::position(&file.display().to_string(), &text).map_err(Refused::new)?;
        let position = match &*self.signals {
            "true" => position.with_true_signals(),
            _ => position,
        };
        let side = position.side();
        let queens = position.n_queens();
        if queens != side {
            let queens = format!("{} on a board of side {side}", counted(queens, "queen"));
            let reason = format!("{queens}; expected {side}, as many as rows");
            return Err(user_files::refused(file, reason));
        }
        Ok(Some(position.configuration().clone()))
    }
}

/// The value that a text gives an axis.
fn value(axis: &Axis, text: &str) -> Result<Value, Refused> {
    let value = match axis.domain {
        Domain::Integer { min, max } => integer_in(text)
            .and_then(|value| value.try_into().ok())
            .filter(|value| (min..=max).contains(value))
            .map(Value::Integer),
        Domain::Real { min, max } => real_in(text)
            .filter(|value| (min..=max).contains(value))
            .map(Value::real),
    };
    let wrong = || Refused::new(format!("{}={text}: expected {}", axis.name, axis.domain));
    value.ok_or_else(wrong)
}
