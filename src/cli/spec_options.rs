//! The options that say what of experiments is run, `-s key=value`, `--only`, `--quick` and
//! `--dynamics` among them: specs with changes, without new files, and their plans. The run keeps
//! the spec with the changes behind it. Their help, the message where `-s` stands beside another
//! option, and what is kept of a command line are here; how a change lies over a spec is in
//! `experiment/spec/set.rs`.

use std::env;
use std::path::{Path, PathBuf};

use itertools::Itertools;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use toml::de::ValueDeserializer;

use super::target::{self, Target};
use super::text::pasted;
use super::{Failures, Refused, SpecAndFigures};
use crate::experiment::plan::Plan;
use crate::experiment::runner::Request;
use crate::experiment::spec::number::real_in;
use crate::experiment::spec::{self, Conditions, Setting, Spec, conditions_of_any};
use crate::experiment::store::complete::CompleteRun;
use crate::solver::DynamicsChoice;

#[derive(Debug, Clone, Default, clap::Args)]
pub struct PlanArgs {
    /// Change a key of the spec, as seed=7 or n=8..10; one of a sweep in every sweep whose
    /// algorithm has it; the run's name says so
    #[arg(short = 's', long = "set", value_name = "KEY=VALUE", value_parser = super::trial::setting)]
    set: Vec<(String, String)>,
    #[command(flatten)]
    pub only: OnlyArgs,
    /// Only the first five trials of each point and seed: the same rows, fewer of them
    #[arg(long)]
    pub quick: bool,
    /// How trials are simulated (docs/inside.md) [default: as the spec says, else auto, the fastest
    /// way at each point]
    #[arg(long, value_name = "KIND", value_parser = dynamics())]
    pub dynamics: Option<DynamicsChoice>,
}

/// `--only`, where it makes the plan smaller.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct OnlyArgs {
    /// Only these points, as 'algorithm=pair,n<=9,epsilon=0.01'; `run` and `check` also take seed
    /// and trial; of several --only one must hold
    #[arg(long, value_name = "CONDITIONS", value_parser = pasted_conditions)]
    pub only: Vec<Conditions>,
}

fn pasted_conditions(text: &str) -> Result<Conditions, String> {
    conditions_of_any(&pasted(text))
}

impl OnlyArgs {
    /// The conditions for the points of runs, with the values that their plans have for those that
    /// are given as they are printed, and with the conditions that have these names.
    pub fn among(
        &self,
        runs: &[CompleteRun],
        names: &[(String, String)],
    ) -> Result<Option<Conditions>, Refused> {
        let Some(only) = self.conditions()? else {
            return Ok(None);
        };
        if self.is_piece() {
            let reason = "expected conditions on points: seed and trial are for run and check";
            return Err(Refused::new(format!("--only {only}: {reason}")));
        }
        let plans: Vec<_> = runs.iter().filter_map(|run| run.plan().ok()).collect();
        let points = plans.iter().flat_map(|(_, plan)| &plan.points);
        let points = points.map(|point| &point.point);
        let only = only.among(names.iter(), points);
        only.map(Some)
            .map_err(|reason| Refused::new(format!("--only {reason}")))
    }

    /// True if they leave out trials of a point, so that what is run is a piece of it.
    pub fn is_piece(&self) -> bool {
        self.only.iter().any(Conditions::cuts_points)
    }

    pub fn is_some(&self) -> bool {
        !self.only.is_empty()
    }

    /// The conditions, of which those of one option must hold.
    fn conditions(&self) -> Result<Option<Conditions>, Refused> {
        let either = self.only.iter().join("; ");
        let found = self
            .is_some()
            .then(|| conditions_of_any(&either))
            .transpose();
        found.map_err(|reason| Refused::new(format!("--only {either}: {reason}")))
    }
}

/// An experiment that is meant, with its changed spec and its plan.
pub type Planned = (Target, SpecAndFigures, Plan);

impl PlanArgs {
    /// The experiments that are meant, with their changed specs and their plans: those of which
    /// nothing is refused.
    pub fn read(
        &self,
        experiments: &[PathBuf],
        results: &Path,
    ) -> anyhow::Result<(Vec<Planned>, Failures)> {
        let settings = self.settings()?;
        let (targets, unknown) = target::known_targets(experiments, results)?;
        let meant = super::read_specs(targets, |target, spec| {
            if spec.is_kept {
                target.refuse_lost_plan(&spec)?;
            }
            Ok(spec.with(&settings)?)
        });
        let mut failures = Failures::among(meant.len() + unknown.len());
        for (name, error) in unknown {
            failures.keep::<()>(&name, Err(error));
        }
        let planned = meant.into_iter().filter_map(|(target, read)| {
            let planned = read.and_then(|read| {
                let plan = Plan::among(&read.0, results)?;
                plan.refuse_huge(&read.0)?;
                Ok((plan, read))
            });
            let (plan, read) = failures.keep(&target.name(), planned)?;
            Some((target, read, plan))
        });
        Ok((planned.collect(), failures))
    }

    /// The keys that `-s` changes, each with its value as it was given.
    pub fn set(&self) -> impl Iterator<Item = &(String, String)> {
        self.set.iter()
    }

    /// What the options change, in the order in which it is applied.
    pub fn settings(&self) -> Result<Vec<Setting>, Refused> {
        let mut all = Vec::new();
        for (key, value) in &self.set {
            all.push(setting(format!("-s {key}={value}"), key, value)?);
        }
        let of_options = self.settings_of_options()?;
        for (option, set) in of_options.iter().cartesian_product(&all) {
            if option.key == set.key {
                let option = &option.option;
                let set = &set.option;
                let reason = format!("{set} stands beside {option}; expected one of both");
                return Err(Refused::new(reason));
            }
        }
        all.extend(of_options);
        Ok(all)
    }

    /// What `--only`, `--quick` and `--dynamics` change.
    fn settings_of_options(&self) -> Result<Vec<Setting>, Refused> {
        let only = self.only.conditions()?;
        let mut all = Vec::from_iter(only.as_ref().map(conditions_set));
        if self.quick {
            all.push(setting("--quick".to_owned(), "quick", "true")?);
        }
        if let Some(dynamics) = self.dynamics.map(DynamicsChoice::name) {
            all.push(setting(
                format!("--dynamics {dynamics}"),
                "dynamics",
                dynamics,
            )?);
        }
        Ok(all)
    }
}

/// A key with a value as it is written on the command line.
fn setting(option: String, key: &str, value: &str) -> Result<Setting, Refused> {
    let value =
        in_toml(key, value).map_err(|reason| Refused::new(format!("{option}: {reason}")))?;
    let key = key.to_owned();
    Ok(Setting { option, key, value })
}

/// The conditions of `--only`.
fn conditions_set(conditions: &Conditions) -> Setting {
    Setting {
        option: format!("--only {conditions}"),
        key: "only".to_owned(),
        value: toml::Value::from(conditions.to_string()).to_string(),
    }
}

/// The value as TOML: as it stands; numbers `4,5,6` and, of keys that have no text, words
/// `PN_PL,PN_PD` as a list; a plain word, a range `8..10`, conditions `n<=8` or a formula as a
/// text.
fn in_toml(key: &str, value: &str) -> Result<String, String> {
    if value.contains(['\n', '\r']) {
        return Err("expected a value in one line".to_owned());
    }
    let items = || value.split(',').map(str::trim);
    if value.contains(',') && items().all(|item| real_in(item).is_some()) {
        return Ok(format!("[{value}]"));
    }
    let is_name = |item: &str| {
        let is_inner = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        !item.is_empty() && item.chars().all(is_inner)
    };
    if value.contains(',') && !spec::TEXTS.contains(&key) && items().all(is_name) {
        let items = items().map(|item| match item {
            "true" | "false" => item.to_owned(),
            _ => toml::Value::from(item).to_string(),
        });
        return Ok(format!("[{}]", items.collect::<Vec<_>>().join(", ")));
    }
    let is_word = |c: char| c.is_alphanumeric() || "-_ .,=<>!()*/^+".contains(c);
    match ValueDeserializer::parse(value.trim()) {
        Ok(_) => Ok(value.trim().to_owned()),
        Err(_) if !value.is_empty() && value.chars().all(is_word) => {
            Ok(toml::Value::from(value).to_string())
        }
        Err(error) => Err(format!("not a TOML value: {}", error.message())),
    }
}

/// The run of a spec's plan in a results folder, started by this command line.
pub fn request<'a>(spec: &'a Spec, plan: &'a Plan, results: &'a Path) -> Request<'a> {
    Request {
        command: env::args_os()
            .map(|word| without_own_folder(&word.to_string_lossy()))
            .collect(),
        ..Request::new(spec, plan, results)
    }
}

/// A word of the command line as it is kept with the run, which may be handed over: an absolute
/// path is relative to the present folder, or where it leads elsewhere its last name alone. In
/// `--option=path` this holds for the path.
fn without_own_folder(word: &str) -> String {
    if let Some((option, path)) = word
        .split_once('=')
        .filter(|parts| parts.0.starts_with("--"))
    {
        return format!("{option}={}", without_own_folder(path));
    }
    let path = Path::new(word);
    if !path.is_absolute() {
        return word.to_owned();
    }
    let present = env::current_dir().unwrap_or_default();
    let shown = match path.strip_prefix(&present) {
        Ok(inside) if inside.as_os_str().is_empty() => Path::new("."),
        Ok(inside) => inside,
        Err(_) => Path::new(path.file_name().unwrap_or(path.as_os_str())),
    };
    shown.display().to_string()
}

/// The words of `--dynamics`.
pub(super) fn dynamics() -> impl TypedValueParser<Value = DynamicsChoice> {
    let all = DynamicsChoice::ALL;
    let choice = move |word: String| all.into_iter().find(|choice| choice.name() == word);
    PossibleValuesParser::new(all.map(DynamicsChoice::name))
        .map(move |word| choice(word).expect("one of their names"))
}
