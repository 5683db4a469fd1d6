//! The options that name an algorithm's point and the position where its trial begins, for the
//! commands that run one.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::number::{integer, pasted, real};
use super::text::counted;
use super::{Refused, output};
use crate::drawing::read;
use crate::experiment::spec::one_of;
use crate::solver::board::N_MAX;
use crate::solver::local;
use crate::solver::local::configuration::Configuration;
use crate::solver::point::KEY_AXES;
use crate::solver::{self, ALGORITHMS, Algorithm, Axis, Domain, Point, Value};

/// Updates allowed to a local rule where nothing is said: some minutes.
pub const UPDATES: u64 = 10_000_000_000;

#[derive(Debug, Clone, clap::Args)]
pub struct PointArgs {
    /// The acronym of a variant, for an algorithm that has some [default: PN_PL for cp]; of pair
    /// and cell the condition of certain moves [default: safe]
    #[arg(long, value_name = "VARIANT")]
    variant: Option<String>,
    /// Board side and number of queens [default: that of --start, else 8]
    #[arg(long, value_name = "N")]
    n: Option<String>,
    /// ε, the probability of a dangerous move (local rules, synchronous, factor)
    #[arg(long, value_name = "P")]
    epsilon: Option<String>,
    /// η, the probability of any neighbour (cell rule, synchronous informed)
    #[arg(long, value_name = "P")]
    eta: Option<String>,
    /// Any parameter of the algorithm, once for each, as -p product=143
    #[arg(short, value_name = "KEY=VALUE", value_parser = setting)]
    parameter: Vec<(String, String)>,
    /// Begin with this position in place of random cells (local rules): a drawing, a
    /// line for each row
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// The signals of --start
    #[arg(long, value_name = "KIND", requires = "start", default_value = "none", value_parser = ["true", "none"])]
    signals: String,
}

/// `KEY=VALUE` of `-p`, and of `-s`.
pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected KEY=VALUE in one word, as trials=20")?;
    Ok((name.trim().to_owned(), pasted(value.trim())))
}

impl PointArgs {
    /// The algorithm of this name, its point without a goal, every value within what the algorithm
    /// declares, and what a trial begins with in place of random cells.
    pub fn point(
        &self,
        algorithm: &str,
    ) -> Result<(&'static Algorithm, Point, Option<Configuration>), Refused> {
        let algorithm = solver::algorithm(algorithm).expect("a word of --algorithm");
        let (variant, start) = (self.variant(algorithm)?, self.start(algorithm)?);
        let side = start.as_ref().map_or(8, |(_, start)| start.board().n());
        let given = self.given();
        let has = |axis: &&Axis| algorithm.has_axis(&variant, axis.name);
        let axes: Vec<&'static Axis> = algorithm.axes.iter().filter(has).collect();
        let is_own = |name: &str| axes.iter().any(|axis| axis.name == name);
        if let Some((name, _)) = given.iter().find(|(name, _)| !is_own(name)) {
            let own: Vec<_> = axes.iter().map(|axis| flag(axis.name)).collect();
            let has_it =
                |it: &Algorithm| !it.is_search && it.axes.iter().any(|axis| axis.name == *name);
            let others = match &names(has_it)[..] {
                [] => String::new(),
                others => format!("; it goes with --algorithm {}", others.join(", ")),
            };
            let owner = match &*variant {
                "" => format!("the algorithm {}", algorithm.name),
                variant => format!("the variant {variant} of {}", algorithm.name),
            };
            return Err(Refused::new(format!(
                "{}: {owner} has no such axis; expected {}{others}",
                flag(name),
                one_of(&own)
            )));
        }
        let values = axes
            .iter()
            .map(|axis| Ok((axis.name, value(axis, &given, side)?)))
            .collect::<Result<Vec<_>, Refused>>()?;
        let mut point = Point::new(algorithm.name, values);
        point.variant = variant;
        match (start, point.integer("n").unwrap_or_default()) {
            (Some((file, _)), n) if n != side as u64 => Err(output::refused(
                file,
                format!("a board of side {side}, and --n {n}; expected the same, or no --n"),
            )),
            (start, _) => Ok((algorithm, point, start.map(|(_, start)| start))),
        }
    }

    /// The variant that is named, else the default one; empty where there are none.
    fn variant(&self, algorithm: &Algorithm) -> Result<String, Refused> {
        let Some(given) = &self.variant else {
            let variants = algorithm.variants;
            return Ok(variants.map_or_else(String::new, |it| it.default()));
        };
        let has_some = algorithm.variants.is_some() || algorithm.condition.is_some();
        let expected = if has_some {
            ""
        } else {
            "; expected no --variant"
        };
        let refused = |reason| Refused::new(format!("--variant {given}: {reason}{expected}"));
        algorithm.variant(given).map_err(refused)
    }

    /// The file of `--start` and its position.
    fn start(&self, algorithm: &Algorithm) -> Result<Option<(&Path, Configuration)>, Refused> {
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
            Some(start) if queens == side => return Ok(Some((file, start))),
            Some(_) => {
                let queens = counted(queens, "queen");
                format!("{queens} on {board}; expected {side}, as many as rows")
            }
        };
        Err(output::refused(file, reason))
    }

    /// The parameters that the command line names, and their values as it writes them.
    pub fn given(&self) -> Vec<(&str, &str)> {
        let own = [
            ("n", &self.n),
            ("epsilon", &self.epsilon),
            ("eta", &self.eta),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let others = self.parameter.iter();
        own.chain(others.map(|(name, value)| (&**name, &**value)))
            .collect()
    }
}

/// The names of the algorithms of which something is true.
pub fn names(is_one: impl Fn(&Algorithm) -> bool) -> Vec<&'static str> {
    let those = ALGORITHMS.iter().filter(|algorithm| is_one(algorithm));
    those.map(|algorithm| algorithm.name).collect()
}

/// The option that names an axis.
fn flag(name: &str) -> String {
    if KEY_AXES.contains(&name) {
        format!("--{name}")
    } else {
        format!("-p {name}")
    }
}

/// The option with its value.
pub fn option(name: &str, value: impl Display) -> String {
    let separator = if KEY_AXES.contains(&name) { ' ' } else { '=' };
    format!("{}{separator}{value}", flag(name))
}

/// The one value that is given on an axis; `side` where none is given of n.
fn value(axis: &Axis, given: &[(&str, &str)], side: usize) -> Result<Value, Refused> {
    let (flag, domain) = (flag(axis.name), axis.domain);
    let mut own = given.iter().filter(|(name, _)| *name == axis.name);
    let text = match (own.next(), own.next()) {
        (None, _) if axis.name == "n" => &side.to_string(),
        (None, _) => return Err(Refused::new(format!("missing {flag}; expected {domain}"))),
        (Some((_, text)), None) => *text,
        (Some(_), Some(_)) => {
            return Err(Refused::new(format!(
                "{flag}: given twice; expected one value"
            )));
        }
    };
    let value = match domain {
        Domain::Integer { min, max } => integer(text)
            .and_then(|value| value.try_into().ok())
            .filter(|value| (min..=max).contains(value))
            .map(Value::Integer),
        Domain::Real { min, max } => real(text)
            .filter(|value| (min..=max).contains(value))
            .map(Value::real),
    };
    let option = option(axis.name, text);
    value.ok_or_else(|| Refused::new(format!("{option}: expected {domain}")))
}
