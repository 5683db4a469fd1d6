//! What the words of a command line mean: an experiment by its name or its spec's path; a run by
//! its folder; several runs by a folder of results.

use std::path::{Path, PathBuf};

use itertools::Itertools;

use super::shelf::{
    SPECS, Shelf, Shelved, complete, is_toml, kept_spec, listed, shown_spec, spec_file, spec_files,
};
use super::terminal::remark;
use super::text::{counted, first_of};
use super::{Refused, output};
use crate::experiment::plan::Plan;
use crate::experiment::spec::{self, Spec, did_you_mean};
use crate::experiment::store::StoreError;
use crate::experiment::store::atomic::real_path;
use crate::experiment::store::catalog;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::version::Code;
use crate::report;
use crate::results::runs::{self, CompleteRun};

/// What a word means.
#[derive(Debug, Clone)]
pub enum Word {
    /// The file of a spec, there or not.
    Spec(PathBuf),
    /// The folder of a run.
    Run(RunFolder),
    /// An experiment by its name or, with the folder of results that it lies in, by the folder of
    /// its runs.
    Experiment(String, Option<PathBuf>),
    /// The runs in a folder of results.
    Folder(PathBuf),
}

/// Where a spec stands: in a file, or in the folder of a run that has kept it.
pub enum Source {
    File(PathBuf),
    Kept(RunFolder),
}

impl Word {
    /// The name of the experiment that is meant, or the word for several.
    pub fn name(&self) -> String {
        let of = |path: &Path| {
            path.file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy()
                .into_owned()
        };
        match self {
            Self::Spec(path) if is_toml(path) => of(&path.with_extension("")),
            Self::Spec(path) => of(path),
            // A copy may lie anywhere.
            Self::Run(run) => match run.manifest() {
                Ok(manifest) => manifest.experiment,
                Err(_) => of(&real_path(&run.path().join(".."))),
            },
            Self::Experiment(name, _) => name.clone(),
            Self::Folder(path) => path.display().to_string(),
        }
    }

    /// True if it is this run, or an experiment that has it.
    pub fn means(&self, run: &RunFolder) -> bool {
        match self {
            Self::Run(own) => real_path(own.path()) == real_path(run.path()),
            other => other.name() == run.experiment,
        }
    }
}

impl Shelf {
    /// What a word means.
    pub fn word(&self, raw: &Path) -> Result<Word, StoreError> {
        // Without a slash at its end.
        let plain: PathBuf = raw.components().collect();
        let is_plain = plain.components().count() == 1;
        let name = plain.to_string_lossy().into_owned();
        let in_specs = Path::new(SPECS).join(raw);
        if is_toml(raw) && is_plain && !raw.exists() && in_specs.is_file() {
            return Ok(Word::Spec(in_specs));
        }
        if (raw.is_file() || is_toml(raw)) && !raw.ends_with("manifest.toml") {
            return Ok(Word::Spec(raw.to_owned()));
        }
        Ok(match run_folder(raw) {
            Some(run) => Word::Run(run),
            None if raw.is_dir() => self.folder(raw, &plain)?,
            // A path to nothing names none, though its last part may be the name of one.
            None => Word::Experiment(name, None),
        })
    }

    /// What a folder means that is no run: of a copy of an experiment's folder the newest run; the
    /// experiment whose runs lie in it or, by a plain name, one that there is; else all that is in
    /// it.
    fn folder(&self, raw: &Path, plain: &Path) -> Result<Word, StoreError> {
        let ended = |run: &RunFolder| run.manifest().map_or_else(|_| String::new(), |it| it.ended);
        if let Some(newest) = catalog::copied(raw)?.into_iter().max_by_key(ended) {
            return Ok(Word::Run(newest));
        }
        let name = plain
            .file_name()
            .map(|it| it.to_string_lossy().into_owned());
        let Some(name) = name else {
            return Ok(Word::Folder(raw.to_owned()));
        };
        let above = plain.parent().filter(|it| it.is_dir());
        let is_of = |runs: &[RunFolder]| runs.iter().any(|it| it.experiment == name);
        Ok(match above {
            Some(above) if is_of(&catalog::runs(above)?) => {
                Word::Experiment(name, Some(above.to_owned()))
            }
            None if self.knows(&name)? => Word::Experiment(name, None),
            _ => Word::Folder(raw.to_owned()),
        })
    }

    fn knows(&self, name: &str) -> Result<bool, StoreError> {
        let has = |runs: &[Shelved]| runs.iter().any(|it| it.folder.experiment == name);
        Ok(spec_file(name).is_file() || has(self.own()?) || has(self.reference()?))
    }

    /// What the words mean, with the newest run of each experiment for one that means several.
    pub fn each(&self, raws: &[PathBuf]) -> Result<Vec<Word>, StoreError> {
        let mut each = Vec::new();
        for raw in raws {
            let word = self.word(raw)?;
            let runs = runs::latest(&self.several(&word)?);
            match runs.is_empty() {
                true => each.push(word),
                false => each.extend(runs.into_iter().map(|run| Word::Run(run.folder))),
            }
        }
        Ok(each)
    }

    /// The complete runs of a word for several; none of another.
    fn several(&self, word: &Word) -> Result<Vec<CompleteRun>, StoreError> {
        match word {
            Word::Folder(path) => complete(&listed(path)?),
            Word::Spec(_) | Word::Run(_) | Word::Experiment(..) => Ok(Vec::new()),
        }
    }

    /// The spec that is meant: a file, else the one of this name in `experiments/`, else here, else
    /// the one that a run has kept, the largest.
    pub fn spec(&self, word: &Word) -> anyhow::Result<Spec> {
        match self.source(word)? {
            Source::File(path) => Ok(spec::read(&path, &report::kinds())?),
            Source::Kept(run) => kept_spec(&word.name(), &run),
        }
    }

    /// The spec that is meant, with its figures; of one that a run has kept those that can be read.
    pub fn shown(&self, word: &Word) -> anyhow::Result<Spec> {
        match self.source(word)? {
            Source::File(_) => self.spec(word),
            Source::Kept(run) => shown_spec(&word.name(), &run),
        }
    }

    /// Where the spec stands that is meant.
    pub fn source(&self, word: &Word) -> anyhow::Result<Source> {
        let name = word.name();
        match word {
            Word::Spec(path) | Word::Folder(path) if path.exists() || is_toml(path) => {
                return Ok(Source::File(path.clone()));
            }
            Word::Run(folder) => return Ok(Source::Kept(folder.clone())),
            _ => {}
        }
        if Path::new(&name).components().count() == 1 {
            let files = [spec_file(&name), PathBuf::from(format!("{name}.toml"))];
            if let Some(file) = files.iter().find(|it| it.is_file()) {
                return Ok(Source::File(file.clone()));
            }
        }
        let runs = self.own()?.iter().map(|it| &it.folder);
        let size = |it: &&RunFolder| it.plan().map(|plan| plan.trials());
        let own = runs.filter(|it| it.experiment == name);
        if let Some(run) = own.max_by_key(|it| (size(it), it.code() == Code::Present)) {
            return Ok(Source::Kept(run.clone()));
        }
        let mut known = self.with_runs(true)?;
        known.extend(spec_files()?.into_iter().map(|it| Word::Spec(it).name()));
        let results = self.results.display();
        let what = format!("no spec and no run of this name in {SPECS} and {results}");
        Err(unknown(&name, &what, &known).into())
    }

    /// The hash of the plan that an experiment has now. A spec with an error has none.
    fn present_plan(&self, word: &Word) -> Option<String> {
        let plan = self
            .spec(word)
            .and_then(|spec| Ok(Plan::new(&spec)?.hash()));
        plan.ok()
    }

    /// The run in a folder; else that of an experiment, by [`runs::choose`], which is looked for in
    /// the reference last. One that cannot be read may be the one that is meant, unless another of
    /// the same code and plan is found.
    pub fn of_plan(&self, word: &Word, plan: Option<&str>) -> anyhow::Result<Option<CompleteRun>> {
        let name = word.name();
        let elsewhere;
        let places = match word {
            Word::Run(run) if run.is_complete() => return Ok(Some(CompleteRun::at(run.clone())?)),
            Word::Experiment(_, Some(results)) => {
                elsewhere = [listed(results)?, listed(&results.join("reference"))?];
                [&elsewhere[0][..], &elsewhere[1][..]]
            }
            Word::Spec(_) | Word::Experiment(_, None) => [self.own()?, self.reference()?],
            Word::Run(_) | Word::Folder(_) => return Ok(None),
        };
        for place in places {
            let own = place
                .iter()
                .map(|it| (&it.folder, it))
                .filter(|(run, _)| run.experiment == name && run.is_complete());
            let (mut runs, mut unread) = (Vec::new(), Vec::new());
            for (folder, run) in own {
                match run.read() {
                    Ok(run) => runs.push(run.clone()),
                    Err(error) => unread.push((folder, error)),
                }
            }
            let run = runs::choose(&name, plan, &runs);
            for (folder, error) in unread {
                let is_same = |run: &CompleteRun| {
                    let it = &run.manifest;
                    [&it.experiment, &it.code_version, &it.plan_hash] == folder.names()
                };
                if !run.is_some_and(is_same) {
                    return Err(error.into());
                }
                remark!("warning: {name}: left out: {error}");
            }
            if run.is_some() {
                return Ok(run.cloned());
            }
        }
        Ok(None)
    }

    /// The runs that a word means, none where it means nothing: the run in a folder; that of an
    /// experiment, of the plan that it has now, else of another plan, as `--only` and `--quick`
    /// make them, and a line says so; or several.
    pub fn found(&self, word: &Word) -> anyhow::Result<Vec<CompleteRun>> {
        let plan = match word {
            Word::Spec(_) | Word::Experiment(..) => self.present_plan(word),
            _ => None,
        };
        let Some(run) = self.of_plan(word, plan.as_deref())? else {
            return Ok(self.several(word)?);
        };
        if plan.is_some_and(|plan| plan != run.manifest.plan_hash) {
            let (folder, trials) = (run.folder.path(), counted(run.manifest.rows, "trial"));
            let (name, folder) = (word.name(), folder.display());
            remark!(
                "{name}: no complete run of its present plan; taken is one of {trials}, {folder}"
            );
        }
        Ok(vec![run])
    }

    /// The runs that a word means, at least one.
    fn meant(&self, raw: &Path) -> anyhow::Result<Vec<CompleteRun>> {
        let found = self.found(&self.word(raw)?)?;
        match found.is_empty() {
            true => Err(self.no_run(raw, "")?.into()),
            false => Ok(found),
        }
    }

    /// The one run that a word means.
    pub fn run(&self, raw: &Path) -> anyhow::Result<CompleteRun> {
        let mut runs = self.meant(raw)?;
        if let [_] = runs[..] {
            return Ok(runs.swap_remove(0));
        }
        let folders = runs.iter().map(|it| it.folder.path().display().to_string());
        let folders = first_of(5, ", ", folders.collect());
        let reason = format!("{} runs; expected one of {folders}", runs.len());
        Err(output::refused(raw, reason).into())
    }

    /// The runs that are meant, the newest of each experiment where a word means several; each
    /// once. Where no word is given that of each experiment.
    pub fn newest(&self, raws: &[PathBuf]) -> anyhow::Result<Vec<CompleteRun>> {
        let mut raws = raws.to_vec();
        if raws.is_empty() {
            raws.extend(self.with_runs(false)?.into_iter().map(PathBuf::from));
        }
        let mut found = Vec::new();
        for raw in &raws {
            found.extend(runs::latest(&self.meant(raw)?));
        }
        let place = |run: &CompleteRun| real_path(run.folder.path());
        found.sort_by_cached_key(|run| (run.manifest.experiment.clone(), place(run)));
        found.dedup_by_key(|run| place(run));
        let of_other_code = |run: &&CompleteRun| run.manifest.code() != Code::Present;
        let (all, others) = (found.len(), found.iter().filter(of_other_code).count());
        if others > 0 {
            let all = counted(all, "run");
            remark!("made by other code than this program: {others} of {all}");
        }
        Ok(found)
    }

    /// The error of a word that means no run; a command may have more words for runs.
    pub fn no_run(&self, raw: &Path, more: &str) -> Result<Refused, StoreError> {
        let (known, results) = (self.with_runs(false)?, self.results.display());
        let what = format!(
            "no complete run in {results}; expected a run's folder, a folder of results{more} \
             or an experiment that has one"
        );
        Ok(unknown(&raw.display().to_string(), &what, &known))
    }
}

/// The experiments of these that are meant, sorted, each once; all where no word is given. One of
/// another name is refused, with what it lacks.
pub fn experiments(words: &[Word], known: &[&str], lacking: &str) -> Result<Vec<String>, Refused> {
    let names: Vec<String> = match words {
        [] => known.iter().map(|&name| name.to_owned()).collect(),
        words => words.iter().map(Word::name).collect(),
    };
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(unknown(name, lacking, known));
    }
    Ok(names.into_iter().sorted().dedup().collect())
}

/// The folder of a run that is meant by itself or by the manifest in it.
fn run_folder(path: &Path) -> Option<RunFolder> {
    let folder = match path.ends_with("manifest.toml") {
        true => path.parent()?,
        false => path,
    };
    let mut own = ["spec.toml", "manifest.toml"].into_iter();
    own.any(|it| folder.join(it).exists())
        .then(|| RunFolder::at(folder))
}

fn unknown(name: &str, what: &str, known: &[impl AsRef<str>]) -> Refused {
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).sorted().dedup().collect();
    // Of a path the last part.
    let last = name.rsplit('/').next().unwrap_or(name);
    let near = did_you_mean(last, &known);
    let known = match nearest(last, &known) {
        none if none.is_empty() => "there is none".to_owned(),
        known => format!("there are {known}"),
    };
    Refused::new(format!("{name}: {what}; {known}{near}"))
}

/// All words or, of many, the nearest to one, in the order given, and how many more there are.
fn nearest(word: &str, known: &[&str]) -> String {
    const MOST: usize = 5;
    // A longer one is no name, and the comparison is quadratic.
    let word = word.get(..64).unwrap_or(word).to_lowercase();
    let mut ranked: Vec<&str> = known.to_vec();
    let distance = |name: &&str| 1.0 - strsim::jaro_winkler(&word, name);
    ranked.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    ranked.truncate(MOST);
    ranked.sort_unstable();
    match known.len() - ranked.len() {
        0 => ranked.join(", "),
        more => format!("{} and {more} more", ranked.join(", ")),
    }
}
