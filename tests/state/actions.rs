//! What a user may do to a folder, and the lines of a shell that do it.

use std::collections::BTreeMap;

use super::specs::{Fault, Figure, NAMES, Name, Spec};
use crate::program::Draws;

/// One thing that is done. Where it cannot be done it is left out, so that every sequence of
/// actions can be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Edit(Name, Change),
    /// `mv` of a spec, alone or with its results.
    Rename(Name, Name, WithResults),
    /// A copy of a spec, whose figures get names of their own.
    Copy(Name, Name),
    Swap(Name, Name),
    Remove(Name),
    /// Copies the specs and results away, in the place of an older copy.
    Save,
    Restore(What),
    Run(Name, Way),
    Report(Option<Name>),
    MoveResults(Name, Name),
    DeleteResults(Name),
    DeleteOneRun(Name, Which),
    /// Copies the results as a tool does that makes files of links.
    Dereference,
    Damage(Name, Which, Harm),
    /// Copies a run's folder out of the results, under the name of its experiment.
    TakeOut(Name),
}

/// A change of a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Title,
    Seed(u32),
    Trials(u32),
    Cutoff(u32),
    Sizes(&'static str),
    Conditions(Option<[&'static str; 2]>),
    SwapConditions,
    Series,
    Search,
    AddFigure,
    RenameFigure,
    RemoveFigure,
    Measure,
    Key(Option<&'static str>),
    Fault(Option<Fault>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithResults {
    Yes,
    No,
}

/// What of an older copy is put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Specs,
    /// In the place of what is there.
    Results,
    /// Beside what is there, which stays.
    Merged,
}

/// How an experiment is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Whole,
    Quick,
    Only,
    Piece,
    Changed,
    /// By two processes at once.
    Twice,
    /// Killed after so many hundredths of a second.
    Killed(u32),
}

/// One of an experiment's runs, by the time of its last change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Newest,
    Oldest,
}

/// What happens to a run's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harm {
    NoSpec,
    NoTimings,
    CutManifest,
    OtherTitle,
    OtherByte,
}

/// The option of [`Way::Changed`] and the name that it gives.
pub const CHANGED: (&str, &str) = ("-s trials=4", "-with-trials-4");

/// A measure that a local rule has, and no other algorithm: a figure of it cannot be drawn any more
/// once a spec is of another one.
const OF_LOCAL_RULES: &str = "needless_moves";

/// What the specs of a folder are after some actions.
#[derive(Debug, Clone, Default)]
pub struct Model {
    pub specs: BTreeMap<Name, Spec>,
    /// The specs of the older copy.
    saved: Option<BTreeMap<Name, Spec>>,
    /// Beginnings of names of figures that were used.
    n_tags: u32,
}

impl Model {
    /// Two experiments.
    pub fn new() -> Self {
        let mut model = Self::default();
        for name in ["a", "b"] {
            let spec = Spec::new(&model.tag());
            model.specs.insert(name, spec);
        }
        model
    }

    /// The beginning of names of figures that no spec has had.
    fn tag(&mut self) -> String {
        self.n_tags += 1;
        format!("f{}", self.n_tags)
    }

    /// The lines that write a spec.
    fn written(&self, name: Name) -> String {
        let text = self.specs[name].text();
        format!("cat > experiments/{name}.toml <<'END'\n{text}END")
    }

    /// The lines that write all specs.
    fn all_written(&self) -> String {
        let specs = self.specs.keys().map(|name| self.written(name));
        specs.collect::<Vec<_>>().join("\n")
    }
}

/// The lines of a shell that do these things, one after the other, and the specs that there are
/// then.
pub fn script(actions: &[Action]) -> (String, Model) {
    let mut model = Model::new();
    let mut lines = format!("mkdir -p experiments sub\n{}\n", model.all_written());
    for action in actions {
        if let Some(done) = action.perform(&mut model) {
            lines += &format!("# {action:?}\n{done}\n");
        }
    }
    (lines, model)
}

impl Action {
    /// Changes the model; the lines that do the same to a folder, unless it cannot be done.
    fn perform(&self, model: &mut Model) -> Option<String> {
        match self {
            Self::Edit(name, change) => {
                let mut spec = model.specs.get(name)?.clone();
                change.apply(&mut spec, &model.tag());
                let old = model.specs.insert(name, spec);
                // A link to another spec must not be written through.
                let changed = old.as_ref() != model.specs.get(name);
                let lines = format!("rm -f experiments/{name}.toml\n{}", model.written(name));
                changed.then_some(lines)
            }
            Self::Rename(from, to, with_results) => {
                let spec = model.specs.get(from).filter(|_| from != to)?.clone();
                model.specs.remove(from);
                model.specs.insert(to, spec);
                let mut lines = format!("mv experiments/{from}.toml experiments/{to}.toml");
                if *with_results == WithResults::Yes {
                    lines += &format!("\n{}", moved_results(from, to));
                }
                Some(lines)
            }
            Self::Copy(from, to) => {
                let mut spec = model.specs.get(from).filter(|_| from != to)?.clone();
                spec.rename_figures(&model.tag());
                model.specs.insert(to, spec);
                let lines = model.written(to);
                Some(format!("rm -f experiments/{to}.toml\n{lines}"))
            }
            Self::Swap(one, other) => {
                let (first, second) = (model.specs.get(one)?, model.specs.get(other)?);
                let (first, second) = (first.clone(), second.clone());
                model.specs.insert(one, second);
                model.specs.insert(other, first);
                let lines = format!(
                    "mv experiments/{one}.toml swapped; mv experiments/{other}.toml \
                     experiments/{one}.toml; mv swapped experiments/{other}.toml"
                );
                (one != other).then_some(lines)
            }
            Self::Remove(name) => {
                model.specs.remove(name)?;
                Some(format!("rm experiments/{name}.toml"))
            }
            Self::Save => {
                model.saved = Some(model.specs.clone());
                Some("rm -rf older; mkdir -p older results; cp -R experiments results older".into())
            }
            Self::Restore(what) => {
                let saved = model.saved.clone()?;
                Some(match what {
                    What::Specs => {
                        model.specs = saved;
                        "rm -rf experiments; cp -R older/experiments experiments".into()
                    }
                    What::Results => "rm -rf results; cp -R older/results results".into(),
                    What::Merged => {
                        "mkdir -p results; cp -RPn older/results/. results 2> /dev/null".into()
                    }
                })
            }
            Self::Run(name, way) => {
                model.specs.get(name)?;
                Some(way.line(name))
            }
            Self::Report(name) => Some(
                format!("reines report {}", name.unwrap_or(""))
                    .trim_end()
                    .into(),
            ),
            Self::MoveResults(from, to) => (from != to).then(|| moved_results(from, to)),
            Self::DeleteResults(name) => Some(format!("rm -rf results/{name}")),
            Self::DeleteOneRun(name, which) => {
                let line = which.line(name);
                Some(format!("{line}; if [ -n \"$run\" ]; then rm -rf $run; fi"))
            }
            Self::Dereference => Some(
                "if [ -d results ]; then cp -RL results copied && rm -rf results && \
                 mv copied results; fi"
                    .into(),
            ),
            Self::Damage(name, which, harm) => {
                let line = which.line(name);
                Some(format!(
                    "{line}; if [ -n \"$run\" ]; then {}; fi",
                    harm.line()
                ))
            }
            Self::TakeOut(name) => Some(format!(
                "{}; if [ -n \"$run\" ]; then rm -rf {name}; cp -R $run {name}; fi",
                Which::Newest.line(name)
            )),
        }
    }

    /// An action, as likely as those that find something.
    pub fn draw(draws: &mut Draws) -> Self {
        let name = |draws: &mut Draws| NAMES[draws.below(2)];
        let other = |draws: &mut Draws| NAMES[draws.below(3)];
        match draws.below(26) {
            0..8 => Self::Edit(name(draws), Change::draw(draws)),
            8..14 => Self::Run(name(draws), Way::draw(draws)),
            14..16 => Self::Report(Some(name(draws)).filter(|_| draws.below(2) == 0)),
            16 => {
                let with_results = [WithResults::Yes, WithResults::No][draws.below(2)];
                Self::Rename(name(draws), other(draws), with_results)
            }
            17 => match draws.below(3) {
                0 => Self::Copy(name(draws), other(draws)),
                1 => Self::Swap(name(draws), other(draws)),
                _ => Self::Remove(other(draws)),
            },
            18..20 => Self::Save,
            20 => Self::Restore([What::Specs, What::Results, What::Merged][draws.below(3)]),
            21 => Self::MoveResults(name(draws), other(draws)),
            22 => match draws.below(2) {
                0 => Self::DeleteResults(name(draws)),
                _ => Self::DeleteOneRun(name(draws), Which::draw(draws)),
            },
            23 => Self::Dereference,
            24 => Self::Damage(name(draws), Which::draw(draws), Harm::draw(draws)),
            _ => Self::TakeOut(name(draws)),
        }
    }
}

fn moved_results(from: Name, to: Name) -> String {
    format!(
        "if [ -d results/{from} ]; then rm -rf results/{to}; mv results/{from} results/{to}; fi"
    )
}

impl Change {
    fn apply(&self, spec: &mut Spec, tag: &str) {
        match self {
            Self::Title => spec.title += 1,
            Self::Seed(seed) => spec.seed = *seed,
            Self::Trials(trials) => spec.trials = *trials,
            Self::Cutoff(cutoff) => spec.cutoff = *cutoff,
            Self::Sizes(sizes) => spec.sizes = sizes,
            Self::Conditions(conditions) => spec.conditions = *conditions,
            Self::SwapConditions => {
                spec.conditions = spec.conditions.map(|[safe, empty]| [empty, safe]);
            }
            Self::Series => spec.has_series ^= true,
            Self::Search => spec.has_search ^= true,
            Self::AddFigure => {
                let has_nameless = spec.figures.iter().any(|figure| figure.name.is_none());
                spec.figures.push(Figure {
                    name: has_nameless.then(|| tag.to_owned()),
                    measure: "moves",
                });
            }
            Self::RenameFigure => spec.rename_figures(tag),
            Self::RemoveFigure => drop(spec.figures.pop()),
            Self::Measure => {
                if let Some(figure) = spec.figures.first_mut() {
                    figure.measure = if figure.measure == OF_LOCAL_RULES {
                        "absorption_time"
                    } else {
                        OF_LOCAL_RULES
                    };
                }
            }
            Self::Key(key) => spec.key = *key,
            Self::Fault(fault) => spec.fault = *fault,
        }
    }

    fn draw(draws: &mut Draws) -> Self {
        const CONDITIONS: [Option<[&str; 2]>; 3] =
            [None, Some(["one", "two"]), Some(["three", "two"])];
        const KEYS: [Option<&str>; 4] = [None, None, Some("only = \"n=4\""), Some("quick = true")];
        const FAULTS: [Option<Fault>; 4] = [None, None, Some(Fault::OfPlan), Some(Fault::OfFigure)];
        match draws.below(17) {
            0 => Self::Title,
            1 => Self::Seed(1 + draws.below(3) as u32),
            2..4 => Self::Trials([2, 3, 6][draws.below(3)]),
            4 => Self::Cutoff([20_000, 3000][draws.below(2)]),
            5 => Self::Sizes(["[4, 5]", "[4]", "[4, 5, 6]"][draws.below(3)]),
            6 => Self::Conditions(CONDITIONS[draws.below(3)]),
            7 => Self::SwapConditions,
            8 => Self::Series,
            9 => Self::Search,
            10 => Self::AddFigure,
            11 => Self::RenameFigure,
            12 => Self::RemoveFigure,
            13 => Self::Measure,
            14..16 => Self::Key(KEYS[draws.below(4)]),
            _ => Self::Fault(FAULTS[draws.below(4)]),
        }
    }
}

impl Way {
    fn line(self, name: Name) -> String {
        let run = format!("reines run -q {name}");
        match self {
            Self::Whole => run,
            Self::Quick => run + " --quick",
            Self::Only => run + " --only n=4",
            Self::Piece => run + " --only 'trial<2'",
            Self::Changed => format!("{run} {}", CHANGED.0),
            Self::Twice => format!("{run} & {run}; wait"),
            Self::Killed(hundredths) => {
                let wait = f64::from(hundredths) / 100.0;
                format!("{run} & sleep {wait}; kill -KILL $! 2> /dev/null; wait $!")
            }
        }
    }

    fn draw(draws: &mut Draws) -> Self {
        match draws.below(11) {
            0..5 => Self::Whole,
            5 => Self::Quick,
            6 => Self::Only,
            7 => Self::Piece,
            8 => Self::Changed,
            9 => Self::Twice,
            _ => Self::Killed(draws.below(5) as u32),
        }
    }
}

impl Which {
    /// The line that sets `run` to the folder of a run, or to nothing.
    fn line(self, name: Name) -> String {
        let option = match self {
            Self::Newest => "-dt",
            Self::Oldest => "-dtr",
        };
        format!("run=$(ls {option} results/{name}/*-*-* 2> /dev/null | head -n 1)")
    }

    fn draw(draws: &mut Draws) -> Self {
        [Self::Newest, Self::Oldest][draws.below(2)]
    }
}

impl Harm {
    /// The line that harms the files in `$run`.
    fn line(self) -> &'static str {
        match self {
            Self::NoSpec => "rm -f $run/spec.toml",
            Self::NoTimings => "rm -f $run/timings.parquet",
            Self::CutManifest => {
                "[ ! -f $run/manifest.toml ] || head -c 99 $run/spec.toml > $run/manifest.toml"
            }
            Self::OtherTitle => "[ ! -f $run/spec.toml ] || echo '# edited' >> $run/spec.toml",
            Self::OtherByte => {
                "[ ! -f $run/trials.parquet ] || printf X | dd of=$run/trials.parquet bs=1 seek=99 conv=notrunc 2> /dev/null"
            }
        }
    }

    fn draw(draws: &mut Draws) -> Self {
        [
            Self::NoSpec,
            Self::NoTimings,
            Self::CutManifest,
            Self::OtherTitle,
            Self::OtherByte,
        ][draws.below(5)]
    }
}
