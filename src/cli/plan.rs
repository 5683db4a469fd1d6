//! The options that say what of experiments is run, `-s key=value`, `--only`, `--quick` and
//! `--dynamics` among them: specs with changes, without new files, and their plans. What is changed
//! is the spec's text, so that the run keeps what it ran.

mod edit;

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::Refused;
use super::number::pasted;
use crate::experiment::plan::Plan;
use crate::experiment::runner::Request;
use crate::experiment::spec::{self, Conditions, SIGNS, Spec, conditions};
use crate::results::runs::CompleteRun;
use crate::solver::DynamicsChoice;

/// No doc comment: rustdoc reads its brackets as a link.
const SET: &str = "Change a key of the spec, as seed=7, n=8..10 or 'sweep[1].trials=50' (sweeps \
                   count from 0; without one, every sweep that has the key); the run's name \
                   says so";

#[derive(Debug, Clone, Default, clap::Args)]
pub struct PlanArgs {
    /// Changed keys with their values, in the order given.
    #[arg(
        short = 's',
        long = "set",
        value_name = "KEY=VALUE",
        value_parser = super::asked::setting,
        help = SET
    )]
    set: Vec<(String, String)>,
    #[command(flatten)]
    keys: KeyArgs,
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

/// Keys that are changed most often.
#[derive(Debug, Clone, Default, clap::Args)]
struct KeyArgs {
    /// Trials of each point under each seed: -s trials=K
    #[arg(long, value_name = "K")]
    trials: Option<String>,
    /// Board sides, as 8, 4..8 or 4,6,8: -s n=N
    #[arg(long, value_name = "N")]
    n: Option<String>,
    /// Values of ε, as 0.1 or 0.1,0.2: -s epsilon=P
    #[arg(long, value_name = "P")]
    epsilon: Option<String>,
    /// The seed: -s seed=S
    #[arg(long, value_name = "S")]
    seed: Option<String>,
    /// Updates after which a trial stops: -s cutoff=K
    #[arg(long, value_name = "K")]
    cutoff: Option<String>,
}

impl KeyArgs {
    fn given(&self) -> impl Iterator<Item = (String, String)> {
        let keys = [
            ("trials", &self.trials),
            ("n", &self.n),
            ("epsilon", &self.epsilon),
            ("seed", &self.seed),
            ("cutoff", &self.cutoff),
        ];
        let given = keys.map(|(key, value)| Some((key.to_owned(), pasted(value.as_deref()?))));
        given.into_iter().flatten()
    }
}

/// `--only`, where it makes the plan smaller.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct OnlyArgs {
    /// Only these points, as 'algorithm=pair,n<=9,epsilon=0.01'; `run` and `check` also take seed
    /// and trial
    #[arg(long, value_name = "CONDITIONS", value_parser = pasted_conditions)]
    pub only: Option<Conditions>,
}

fn pasted_conditions(text: &str) -> Result<Conditions, String> {
    conditions(&pasted(text))
}

impl OnlyArgs {
    /// The conditions for the points of runs, with the values that their plans have for those that
    /// are given as they are printed.
    pub fn among(&self, runs: &[CompleteRun]) -> Result<Option<Conditions>, Refused> {
        let Some(only) = &self.only else {
            return Ok(None);
        };
        if self.is_piece() {
            let reason = "expected conditions on points: seed and trial are for run and check";
            return Err(Refused::new(format!("--only {only}: {reason}")));
        }
        let plans = runs.iter().filter_map(|run| Some(run.plan().ok()?.1));
        let plans: Vec<Arc<Plan>> = plans.collect();
        let points = plans.iter().flat_map(|plan| &plan.points);
        only.as_printed(points).map(Some)
    }

    /// True if they leave out trials of a point, so that what is run is a piece of it.
    pub fn is_piece(&self) -> bool {
        self.only.as_ref().is_some_and(Conditions::cuts_points)
    }
}

/// Bytes of the name of a changed experiment, as many as an experiment's name may have.
const LONGEST_NAME: usize = 70;

impl PlanArgs {
    /// True if they change nothing.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.only.only.is_none() && !self.quick && self.dynamics.is_none()
    }

    /// The specs of these experiments or runs with the changes, before anything is done with one.
    /// With the word for each.
    pub fn read(
        &self,
        experiments: &[PathBuf],
        results: &Path,
    ) -> anyhow::Result<Vec<(PathBuf, Spec)>> {
        let specs = super::read_specs(experiments, results)?;
        let (words, specs): (Vec<_>, Vec<_>) = specs.into_iter().unzip();
        let specs = super::each(specs.into_iter().map(|spec| self.of(spec)))?;
        Refused::all(spec::shared_names(&specs))?;
        Ok(words.into_iter().zip(specs).collect())
    }

    /// One spec with the changes; its lines stay those of the file, unless keys were set.
    fn of(&self, spec: Spec) -> Result<Spec, Refused> {
        let mut spec = self.with_keys(spec)?;
        if self.quick && !spec.quick {
            spec.text = with_root(&spec, "quick", "true")?;
            spec.quick = true;
        }
        if let Some(dynamics) = self.dynamics.filter(|it| *it != spec.dynamics) {
            spec.text = with_root(&spec, "dynamics", &format!("{:?}", dynamics.name()))?;
            spec.dynamics = dynamics;
        }
        match &self.only.only {
            Some(conditions) => only(&spec, conditions),
            None => Ok(spec),
        }
    }

    /// The keys that are changed, and their values.
    pub fn changes(&self) -> Vec<(String, String)> {
        self.set.iter().cloned().chain(self.keys.given()).collect()
    }

    /// One spec with other values of keys, under another name; the same without any.
    fn with_keys(&self, spec: Spec) -> Result<Spec, Refused> {
        let changes = self.changes();
        if changes.is_empty() {
            return Ok(spec);
        }
        let mut text = spec.text;
        for (key, value) in &changes {
            text = edit::set(&text, key, value).map_err(|reason| {
                Refused::of_file(&spec.file, format!("-s {key}={value}: {reason}"))
            })?;
        }
        let words: Vec<String> = changes.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let name = name(&spec.name, &words);
        let file = format!("{} with {}", spec.file, words.join(" "));
        let keeps_finding = changes.iter().any(|(key, _)| key == "finding");
        let text = edit::renamed(&text, keeps_finding, |figure| self::name(figure, &words))
            .map_err(|reason| Refused::of_file(&file, reason))?;
        spec::parse(&name, &file, &text, &crate::report::kinds())
    }

    /// The plan of a spec under these options.
    pub fn plan(&self, spec: &Spec) -> Result<Plan, Refused> {
        let plan = Plan::new(spec)?;
        plan.refuse_huge(spec)?;
        Ok(plan)
    }
}

/// The spec of those of its points that meet the conditions, too. Its lines stay those of the file.
pub fn only(spec: &Spec, only: &Conditions) -> Result<Spec, Refused> {
    let only = only.as_printed(Plan::new(spec)?.points.iter())?;
    let only = only.and(spec.only.as_ref());
    Ok(Spec {
        text: with_root(spec, "only", &edit::quoted(&only.to_string()))?,
        only: Some(only),
        only_line: None,
        ..spec.clone()
    })
}

/// The text of a spec with a root key set to a value, as TOML.
fn with_root(spec: &Spec, key: &str, value: &str) -> Result<String, Refused> {
    edit::with_root(&spec.text, key, value).map_err(|reason| Refused::of_file(&spec.file, reason))
}

/// A name for what is changed, `epsilon-with-trials-50`: other conditions have other names.
pub fn name(base: &str, words: &[String]) -> String {
    let mut words = words.join("-");
    for (sign, word, _) in SIGNS {
        words = words.replace(sign, word);
    }
    let pieces = words.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    let pieces: Vec<&str> = pieces.filter(|it| !it.is_empty()).collect();
    let name = format!("{base}-with-{}", pieces.join("-").trim_end_matches('.'));
    if name.len() <= LONGEST_NAME {
        return name;
    }
    let hash = blake3::hash(words.as_bytes()).to_hex();
    let kept: String = name.chars().take(LONGEST_NAME / 2).collect();
    format!("{}-{}", kept.trim_end_matches(['-', '.']), &hash[..8])
}

/// The run of a spec's plan in a results folder, started by this command line.
pub fn request<'a>(spec: &'a Spec, plan: &'a Plan, results: &'a Path) -> Request<'a> {
    Request {
        command: env::args_os()
            .map(|it| it.to_string_lossy().into_owned())
            .collect(),
        ..Request::new(spec, plan, results)
    }
}

/// The words of `--dynamics`.
pub(super) fn dynamics() -> impl TypedValueParser<Value = DynamicsChoice> {
    let all = DynamicsChoice::ALL;
    let choice = move |word: String| all.into_iter().find(|choice| choice.name() == word);
    PossibleValuesParser::new(all.map(DynamicsChoice::name))
        .map(move |word| choice(word).expect("one of their names"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_experiment_has_a_name_that_says_so() {
        let words = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
        for (given, expected) in [
            ("trials=50|seed=7", "a-with-trials-50-seed-7"),
            ("n=8..10", "a-with-n-8..10"),
            ("n<=8,eta!=0", "a-with-n-to-8-eta-not-0"),
            ("epsilon=[0.1, 0.2]", "a-with-epsilon-0.1-0.2"),
        ] {
            assert_eq!(name("a", &words(given)), expected);
        }
        let long = format!("epsilon=[{}]", "0.125, ".repeat(40));
        let [one, other] = [&long, &(long.clone() + &long)].map(|it| name("a", &words(it)));
        assert!(one.len() <= LONGEST_NAME && one != other, "{one} {other}");
    }
}
