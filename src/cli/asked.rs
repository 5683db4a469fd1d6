//! The options that name an algorithm's point, for every command that runs one.

use crate::cli::Refused;
use crate::cli::number::{integer, number, real, whole};
use crate::experiment::spec::did_you_mean;
use crate::solver::point::KEY_AXES;
use crate::solver::{self, ALGORITHMS, Algorithm, Axis, Domain, Point, Value};

/// Board side where nothing is said.
const DEFAULT_N: u64 = 8;

/// Updates allowed to a local rule where nothing is said: some minutes.
pub const UPDATES: u64 = 10_000_000_000;

#[derive(Debug, Clone, clap::Args)]
pub struct PointArgs {
    /// The acronym of a variant, for an algorithm that has some [default: PN_PL for cp]
    #[arg(long, value_name = "ACRONYM")]
    pub variant: Option<String>,
    /// Board side and number of queens [default: 8]
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    pub n: Option<u64>,
    /// ε, the probability of a dangerous move (local rules, synchronous, factor)
    #[arg(long, value_name = "P", value_parser = number)]
    pub epsilon: Option<f64>,
    /// η, the probability of any neighbour (cell rule, synchronous informed)
    #[arg(long, value_name = "P", value_parser = number)]
    pub eta: Option<f64>,
    /// Any other parameter of the algorithm; once for each
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub parameter: Vec<(String, String)>,
}

/// The algorithm of this name and its point, without a goal; every value is within what the
/// algorithm declares.
pub fn point(name: &str, args: &PointArgs) -> Result<(&'static dyn Algorithm, Point), Refused> {
    let algorithm = algorithm(name)?;
    let given = given(args);
    let variant = variant(args, algorithm)?;
    let axes = algorithm.axes().iter();
    let axes: Vec<&'static Axis> = axes
        .filter(|axis| algorithm.has_axis(&variant, axis.name))
        .collect();
    let axis = |name: &str| axes.iter().find(|axis| axis.name == name);
    if let Some((name, _)) = given.iter().find(|(name, _)| axis(name).is_none()) {
        let own: Vec<_> = axes.iter().map(|axis| flag(axis.name)).collect();
        return Err(Refused::new(format!(
            "{}: {} has no such parameter; allowed are {}",
            flag(name),
            format!("{} {variant}", algorithm.name()).trim_end(),
            own.join(", ")
        )));
    }
    let values = axes
        .iter()
        .map(|axis| Ok((axis.name, value(axis, &given)?)));
    let values = values.collect::<Result<Vec<_>, Refused>>()?;
    let mut point = Point::new(algorithm.name(), values);
    point.variant = variant;
    Ok((algorithm, point))
}

pub fn algorithm(name: &str) -> Result<&'static dyn Algorithm, Refused> {
    solver::algorithm(name).ok_or_else(|| {
        let names: Vec<&str> = ALGORITHMS.iter().map(|it| it.name()).collect();
        let (near, names) = (did_you_mean(name, &names), names.join(", "));
        Refused::new(format!(
            "--algorithm {name}: unknown algorithm; allowed are {names}{near}"
        ))
    })
}

/// The variant that is named, else the default one; empty where there are none.
fn variant(args: &PointArgs, algorithm: &dyn Algorithm) -> Result<String, Refused> {
    match (algorithm.variants(), &args.variant) {
        (None, None) => Ok(String::new()),
        (None, Some(given)) => Err(Refused::new(format!(
            "--variant {given}: {} has no variants",
            algorithm.name()
        ))),
        (Some(variants), None) => Ok(variants.default()),
        (Some(variants), Some(given)) => match variants.check(given) {
            Ok(()) => Ok(given.clone()),
            Err(reason) => Err(Refused::new(format!("--variant: {reason}"))),
        },
    }
}

/// `NAME=VALUE` of `--parameter`, and of `-s`.
pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("allowed is NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The parameters that the command line names, and their values as it writes them.
fn given(args: &PointArgs) -> Vec<(&str, String)> {
    let n = args.n.map(|n| ("n", n.to_string()));
    let real = |name, value: Option<f64>| value.map(|value| (name, value.to_string()));
    let own = [n, real("epsilon", args.epsilon), real("eta", args.eta)];
    let others = args
        .parameter
        .iter()
        .map(|(name, value)| (&**name, value.clone()));
    own.into_iter().flatten().chain(others).collect()
}

fn flag(name: &str) -> String {
    if KEY_AXES.contains(&name) {
        format!("--{name}")
    } else {
        format!("--parameter {name}")
    }
}

fn value(axis: &Axis, given: &[(&str, String)]) -> Result<Value, Refused> {
    let (flag, domain) = (flag(axis.name), axis.domain);
    let mut own = given.iter().filter(|(name, _)| *name == axis.name);
    let text = match (own.next(), own.next()) {
        (None, _) if axis.name == "n" => return Ok(Value::Integer(DEFAULT_N)),
        (None, _) => return Err(Refused::new(format!("missing {flag}; needed is {domain}"))),
        (Some((_, text)), None) => text,
        (Some(_), Some(_)) => {
            return Err(Refused::new(format!(
                "{flag}: given twice; allowed is one value"
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
    value.ok_or_else(|| Refused::new(format!("{flag} {text}: allowed is {domain}")))
}
