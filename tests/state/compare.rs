//! What commands say and make after a sequence of actions, held against a fresh folder that has the
//! same specs and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use super::actions::{Action, CHANGED, Model, script};
use super::specs::{Name, Spec};
use crate::program::{Workplace, copy_folder};

/// What is asked for beside `run`, `report`, `list` and `export` of each experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// The conditions by their names.
    Conditions,
    /// The folder of the experiment's results, as an argument.
    Folder,
    /// From another working folder, in which there are no specs.
    Elsewhere,
    /// The experiment with a change.
    Changed,
}

impl Question {
    pub const ALL: [Self; 4] = [
        Self::Conditions,
        Self::Folder,
        Self::Elsewhere,
        Self::Changed,
    ];
}

/// A difference from a fresh folder that is as it should be.
pub struct Allowed {
    pub what: &'static str,
    pub reason: &'static str,
    /// Words of a line on standard error that a fresh folder does not have.
    words: &'static [&'static str],
    pub used: AtomicUsize,
}

const fn allowed(
    what: &'static str,
    reason: &'static str,
    words: &'static [&'static str],
) -> Allowed {
    Allowed {
        what,
        reason,
        words,
        used: AtomicUsize::new(0),
    }
}

/// All of them.
pub static ALLOWED: [Allowed; 8] = [
    allowed(
        "lines about damaged runs",
        "a user whose files are harmed is told so",
        &[
            "is damaged",
            "set aside",
            "the run is left alone",
            "(os error 2)",
            "the manifest is damaged",
            "was not read",
        ],
    ),
    allowed(
        "lines about other runs than the one that is meant",
        "where several could be meant, or rows were not taken, the user is told",
        &[
            "moved here",
            "not taken over",
            "the run is ignored",
            "means the folder",
        ],
    ),
    allowed(
        "experiments without a spec in `list`",
        "their rows are there and may be read",
        &[],
    ),
    allowed(
        "`report` with 2 before `--force`",
        "a figure file belongs to an experiment that has no such figure any more",
        &[
            "which has no spec any more",
            "whose spec has no such figure any more",
        ],
    ),
    allowed(
        "`run` with 1 beside a plain table",
        "a copy has made a file of the link, which may have been changed by hand",
        &[],
    ),
    allowed(
        "old files of a figure that cannot be drawn",
        "the line that says why it is not drawn says that they are removed",
        &[],
    ),
    allowed(
        "what was made before a spec had an error",
        "it is left as it is; every command refuses the spec, as in a fresh folder",
        &[],
    ),
    allowed(
        "a figure file of an experiment whose spec has an error",
        "whether that spec still has the figure is not known, so that nobody may take it over",
        &[],
    ),
];

/// Ends the line about a figure that is not drawn, where there were old files of it.
const REMOVED: &str = "; its old files are removed";

const EXTRA_EXPERIMENT: usize = 2;
const OTHERS_FIGURE: usize = 3;
const PLAIN_TABLE: usize = 4;
const REMOVED_FIGURE: usize = 5;
const BEFORE_ERROR: usize = 6;
const OWNER_WITH_ERROR: usize = 7;

fn use_allowed(index: usize) {
    ALLOWED[index].used.fetch_add(1, Ordering::Relaxed);
}

/// The lines of a shell that ask. What a command prints is kept in `out/`, with its exit code.
fn questions(model: &Model, asked: &[Question]) -> String {
    let mut lines = String::from(
        "mkdir -p out sub\n\
         try() { label=$1; shift; \"$@\" > out/$label.out 2> out/$label.err; code=$?; echo $code > out/$label.code; }\n",
    );
    for (name, spec) in &model.specs {
        lines += &format!(
            "{}\
             try {name}-report reines report {name}\n\
             if [ $code = 2 ] && grep -q 'force takes it over' out/{name}-report.err; then\n\
             touch out/{name}.owned; try {name}-report reines report --force {name}; fi\n\
             try {name}-list.json reines list {name} --json\n\
             try {name}-export reines export -q {name} -o out/{name}.csv\n",
            run(name, &format!("run -q {name}"))
        );
        for question in asked.iter().filter(|_| spec.fault.is_none()) {
            lines += &question.lines(name, spec);
        }
    }
    lines + "try list.json reines list --json\n"
}

/// The lines that run an experiment; where a table beside its runs is no link and cannot become
/// one, it is removed, and the experiment is run again.
fn run(experiment: &str, command: &str) -> String {
    format!(
        "try {experiment}-run reines {command}\n\
         if [ $code = 1 ] && grep -q '{experiment}/[a-z]*.parquet' out/{experiment}-run.err; then\n\
         rm -f results/{experiment}/*.parquet; touch out/{experiment}.plain; try {experiment}-run reines {command}; fi\n"
    )
}

impl Question {
    fn lines(self, name: Name, spec: &Spec) -> String {
        match self {
            Self::Conditions => {
                let names = spec.conditions.into_iter().flatten();
                let line = |condition| {
                    format!(
                        "try {name}-{condition} reines export -q {name} \
                         --only variant={condition} -o out/{name}-{condition}.csv\n"
                    )
                };
                names.map(line).collect()
            }
            Self::Folder => format!(
                "try {name}-folder-report reines report results/{name} --figures out/{name}-folder\n\
                 try {name}-folder-export reines export -q results/{name} -o out/{name}-folder.csv\n\
                 try {name}-folder-run reines run -q results/{name}\n"
            ),
            Self::Elsewhere => format!(
                "cd sub; ln -sfn ../out out\n\
                 try {name}-elsewhere-report reines report {name} --results ../results --figures ../out/{name}-elsewhere\n\
                 try {name}-elsewhere-export reines export -q {name} --results ../results -o ../out/{name}-elsewhere.csv\n\
                 cd ..\n"
            ),
            Self::Changed => {
                let (option, ending) = CHANGED;
                let changed = format!("{name}{ending}");
                let run = run(&changed, &format!("run -q {name} {option}"));
                format!(
                    "{run}\
                     try {changed}-report reines report {changed} --figures out/{changed}\n\
                     try {changed}-list.json reines list {changed} --json\n\
                     try {changed}-export reines export -q {changed} -o out/{changed}.csv\n"
                )
            }
        }
    }
}

/// What is different after these actions from a fresh folder, in lines; nothing if all is as it
/// should be.
pub fn differences(actions: &[Action], asked: &[Question]) -> Vec<String> {
    let (lines, model) = script(actions);
    let questions = questions(&model, asked);
    let used = Workplace::new();
    let said = shell(&used, &lines);
    let mut found = Vec::new();
    if said.contains("panicked") {
        found.push(format!("a panic:\n{said}"));
    }
    let fresh = Workplace::new();
    let specs = |place: &Workplace| place.path().join("experiments");
    copy_folder(&specs(&used), &specs(&fresh));
    for place in [&used, &fresh] {
        shell(place, &questions);
    }
    found.extend(compared(&used, &fresh, &model));
    found
}

/// The whole script of a sequence, to be read and run by hand.
pub fn printed(actions: &[Action], asked: &[Question]) -> String {
    let (lines, model) = script(actions);
    format!("{lines}# The questions.\n{}", questions(&model, asked))
}

/// Runs a script in a folder; what it prints.
fn shell(place: &Workplace, lines: &str) -> String {
    let mut shell = place.tool("/bin/sh");
    // One thread is enough for plans as small as these.
    for variable in ["RAYON_NUM_THREADS", "POLARS_MAX_THREADS"] {
        shell.env(variable, "1");
    }
    let output = shell
        .args(["-c", lines])
        .output()
        .expect("there is a shell");
    let said = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&said).into_owned()
}

/// Every difference between two folders in which the same was asked for.
fn compared(used: &Workplace, fresh: &Workplace, model: &Model) -> Vec<String> {
    let (used, fresh) = (used.path(), fresh.path());
    let mut found = Vec::new();
    let [used_out, fresh_out] = [used, fresh].map(|place| files_below(&place.join("out")));
    let blocked = blocked(&used_out, model);
    let is_blocked = |name: &str| {
        let mut reports = blocked
            .iter()
            .map(|experiment| format!("{experiment}-report."));
        reports.any(|report| name.starts_with(&report))
    };
    let names: BTreeSet<&String> = used_out.keys().chain(fresh_out.keys()).collect();
    for name in names.into_iter().filter(|name| !is_blocked(name)) {
        let both = [used_out.get(name), fresh_out.get(name)];
        found.extend(compared_file(name, both, model));
    }
    for (name, spec) in &model.specs {
        let files = files_of(name, spec).into_iter();
        let is_left_out = |file: &String| blocked.contains(name) && file.starts_with("figures/");
        for file in files.filter(|file| !is_left_out(file)) {
            let [here, there] = [used, fresh].map(|place| fs::read(place.join(&file)).ok());
            if here == there {
                continue;
            }
            if spec.fault.is_some() {
                use_allowed(BEFORE_ERROR);
                continue;
            }
            let words = presence(here.is_some(), there.is_some());
            found.push(format!("{file}: {words}"));
        }
    }
    found
}

/// The tables beside the runs of an experiment, and the files of its figures.
fn files_of(name: Name, spec: &Spec) -> Vec<String> {
    let mut files = Vec::new();
    for table in ["trials", "series"] {
        files.push(format!("results/{name}/{table}.parquet"));
    }
    for figure in spec.files(name) {
        for ending in ["svg", "csv", "md"] {
            files.push(format!("figures/{figure}.{ending}"));
        }
    }
    files
}

/// The experiments of which a figure's file belongs to one whose spec has an error.
fn blocked(out: &BTreeMap<String, Vec<u8>>, model: &Model) -> BTreeSet<Name> {
    let specs = model.specs.iter();
    let (faulty, sound): (Vec<_>, Vec<_>) = specs.partition(|(_, spec)| spec.fault.is_some());
    let mut blocked = BTreeSet::new();
    for (name, _) in sound {
        let said = out.get(&format!("{name}-report.err"));
        let said = said.map_or_else(String::new, |said| String::from_utf8_lossy(said).into());
        let mut owners = faulty.iter();
        if owners.any(|(owner, _)| said.contains(&format!("is of the experiment {owner};"))) {
            use_allowed(OWNER_WITH_ERROR);
            blocked.insert(*name);
        }
    }
    blocked
}

/// How two files differ.
fn presence(is_here: bool, is_there: bool) -> &'static str {
    match (is_here, is_there) {
        (true, false) => "here, and not in a fresh folder",
        (false, true) => "not here, and in a fresh folder",
        _ => "other bytes than in a fresh folder",
    }
}

/// Every file below a folder, by its path there.
fn files_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return files;
    };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy().into_owned();
        if path.is_dir() {
            let below = files_below(&path).into_iter();
            files.extend(below.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            files.insert(name, fs::read(&path).unwrap_or_default());
        }
    }
    files
}

/// What is different in a file that a question has made.
fn compared_file(name: &str, both: [Option<&Vec<u8>>; 2], model: &Model) -> Vec<String> {
    let text =
        |bytes: Option<&Vec<u8>>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let [here, there] = both.map(text);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "plain" => {
            use_allowed(PLAIN_TABLE);
            Vec::new()
        }
        "owned" => {
            use_allowed(OTHERS_FIGURE);
            Vec::new()
        }
        _ if name.ends_with("list.json.out") => {
            let [here, there] = [here, there].map(|text| listed(&text.unwrap_or_default()));
            compared_lists(name, &here, &there, model)
        }
        "err" => compared_lines(name, &here.unwrap_or_default(), &there.unwrap_or_default()),
        _ if here == there => Vec::new(),
        "code" => {
            let codes = [here, there].map(Option::unwrap_or_default);
            let codes = codes.map(|code| code.trim().to_owned());
            vec![format!(
                "{name}: {} here, {} in a fresh folder",
                codes[0], codes[1]
            )]
        }
        _ => {
            let words = presence(here.is_some(), there.is_some());
            vec![format!("{name}: {words}")]
        }
    }
}

/// Every line of a fresh folder is there, and others only if they are allowed.
fn compared_lines(name: &str, here: &str, there: &str) -> Vec<String> {
    let plain = here.replace(REMOVED, "");
    if plain != here && !there.contains(REMOVED) {
        use_allowed(REMOVED_FIGURE);
    }
    let [ours, theirs] = [&plain, there].map(|text| text.lines().collect::<BTreeSet<_>>());
    let mut found = Vec::new();
    for line in theirs.difference(&ours) {
        found.push(format!("{name}: only in a fresh folder: {line}"));
    }
    for line in ours.difference(&theirs) {
        let is_allowed = |entry: &Allowed| entry.words.iter().any(|words| line.contains(words));
        match ALLOWED.iter().position(is_allowed) {
            Some(index) => use_allowed(index),
            None => found.push(format!("{name}: only here: {line}")),
        }
    }
    found
}

/// The experiments that `list --json` has, by name.
fn listed(text: &str) -> BTreeMap<String, Value> {
    let found: Value = serde_json::from_str(text).unwrap_or_default();
    let experiments = found["experiments"].as_array().cloned();
    let named = experiments.unwrap_or_default().into_iter();
    let named = named.map(|listed| {
        (
            listed["name"].as_str().unwrap_or_default().to_owned(),
            listed,
        )
    });
    named.collect()
}

/// The beginning of a value.
fn short(value: &Value) -> String {
    value.to_string().chars().take(100).collect()
}

/// What `list` says of experiments that have a spec.
fn compared_lists(
    name: &str,
    here: &BTreeMap<String, Value>,
    there: &BTreeMap<String, Value>,
    model: &Model,
) -> Vec<String> {
    let mut found = Vec::new();
    for (experiment, fresh) in there {
        let Some(own) = here.get(experiment) else {
            found.push(format!("{name}: {experiment} is not listed"));
            continue;
        };
        let spec = model.specs.get(&**experiment);
        let is_wrong = spec.is_some_and(|spec| spec.fault.is_some());
        // Of a spec with an error `list` shows what runs there are.
        let keys: &[&str] = if is_wrong {
            &["error"]
        } else {
            &["error", "state", "means", "plan_hash", "title", "trials"]
        };
        for key in keys {
            if own[key] != fresh[key] {
                let [own, fresh] = [own, fresh].map(|listed| short(&listed[key]));
                let both = format!("{own} here, {fresh} in a fresh folder");
                found.push(format!("{name}: {experiment}: {key}: {both}"));
            }
        }
    }
    let is_extra = |experiment: &&String| !there.contains_key(*experiment);
    if here.keys().any(|experiment| is_extra(&experiment)) {
        use_allowed(EXTRA_EXPERIMENT);
    }
    found
}
