//! `reines submit`: the shards of an experiment as jobs of a cluster.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::ValueEnum;
use serde::Serialize;

use super::number::whole;
use super::plan::{PlanArgs, planned_run};
use crate::cli::terminal;
use crate::cluster::ClusterError;
use crate::cluster::script::quote;
use crate::cluster::state::ShardState;
use crate::cluster::submission::Submission;
use crate::cluster::submit::{self, Order, Proposal};
use crate::experiment::shard::{MAX_SHARDS, ranges};
use crate::experiment::spec::Spec;
use crate::experiment::store::folder::RunFolder;

/// Submit the shards of an experiment that need a task, and a merge after them, to a cluster
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines submit --engine slurm --shards 64 --time 2:00:00 experiments/epsilon.toml\n  \
                  reines submit --dry-run experiments/epsilon.toml\n  \
                  reines submit --sbatch=--mem=2G --sbatch=--qos=long experiments/epsilon.toml\n\n\
                  The same command again submits what is still missing. docs/clusters.md describes other queues."
)]
pub struct Args {
    /// The experiment's spec file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What runs the jobs
    #[arg(long, value_enum, default_value_t = Engine::Slurm)]
    engine: Engine,
    /// Into how many shards to cut the run [default: as before, else 16]
    #[arg(long, value_name = "K", value_parser = whole(1..=MAX_SHARDS))]
    shards: Option<u32>,
    /// Processors, and threads, of each task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=u16::MAX))]
    cpus: u16,
    /// Slurm's partition
    #[arg(long, value_name = "NAME", value_parser = word)]
    partition: Option<String>,
    /// Time limit of each job, as Slurm writes it: 30, 2:00:00, 1-12
    #[arg(long, value_name = "LIMIT", value_parser = word)]
    time: Option<String>,
    /// Slurm's account
    #[arg(long, value_name = "NAME", value_parser = word)]
    account: Option<String>,
    /// One more option for sbatch; may be given several times
    #[arg(long, value_name = "OPTION", value_parser = option, allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// Print what would be written and submitted, and do neither; needs no Slurm
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    plan: PlanArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Engine {
    Slurm,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    experiment: String,
    folder: PathBuf,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    shards: Option<u32>,
    /// The shards that got a task.
    submitted: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    submission: Option<Submission>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rehearsal: Option<Rehearsal>,
}

#[derive(Serialize)]
struct Rehearsal {
    files: Vec<(PathBuf, String)>,
    commands: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<String>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Engine::Slurm = args.engine;
    let spec = super::read_specs(std::slice::from_ref(&args.file))?.remove(0);
    let plan = args.plan.plan(&spec)?;
    let results = std::path::absolute(&args.plan.results)
        .with_context(|| args.plan.results.display().to_string())?;
    let folder = planned_run(&spec, &plan, &results, &[]).folder();
    if folder.is_complete() {
        return print(
            args,
            &report(&spec, &folder, true),
            &format!(
                "{}: complete already in {}\n",
                spec.name,
                folder.path().display()
            ),
        );
    }
    let program = std::env::current_exe().context("this program's own path")?;
    let (code_version, options) = (plan.code_version(), args.plan.words());
    let order = Order {
        experiment: &spec.name,
        spec: &spec.text,
        run: &folder,
        results: &results,
        pieces: plan.pieces(),
        program: &program,
        code_version: &code_version,
        options: &options,
        shards: args.shards,
        cpus: args.cpus,
        sbatch: sbatch_options(args),
    };
    if args.dry_run {
        rehearse(args, &spec, &order)
    } else {
        submit(args, &spec, &order)
    }
}

fn submit(args: &Args, spec: &Spec, order: &Order) -> anyhow::Result<ExitCode> {
    let (proposal, submission) = submit::submit(order).with_context(|| spec.name.clone())?;
    let text = format!("{}: {}", spec.name, summary(&proposal, &submission));
    let mut report = report(spec, order.run, false);
    report.shards = Some(proposal.shards);
    report.submitted = proposal.submitted();
    report.submission = Some(submission);
    print(args, &report, &text)
}

fn rehearse(args: &Args, spec: &Spec, order: &Order) -> anyhow::Result<ExitCode> {
    let (proposal, silence) = submit::rehearse(order).with_context(|| spec.name.clone())?;
    let array = proposal
        .array
        .as_ref()
        .map(|(_, arguments)| arguments.clone());
    let merge = proposal.merge_arguments(array.is_some().then_some("ARRAY"));
    let commands: Vec<Vec<String>> = [array, merge]
        .into_iter()
        .flatten()
        .map(|arguments| [vec!["sbatch".into()], arguments].concat())
        .collect();
    let remark = silence.map(|error: ClusterError| {
        format!("Slurm was not asked what is queued and how large an array may be: {error}")
    });
    let text = rehearsal_text(&proposal, &commands, remark.as_deref());
    let mut report = report(spec, order.run, false);
    report.shards = Some(proposal.shards);
    report.submitted = proposal.submitted();
    report.rehearsal = Some(Rehearsal {
        files: proposal.files,
        commands,
        remark,
    });
    print(args, &report, &text)
}

fn report(spec: &Spec, folder: &RunFolder, complete: bool) -> Report {
    let (experiment, folder) = (spec.name.clone(), folder.path().to_owned());
    Report {
        experiment,
        folder,
        complete,
        shards: None,
        submitted: Vec::new(),
        submission: None,
        rehearsal: None,
    }
}

fn print(args: &Args, report: &Report, text: &str) -> anyhow::Result<ExitCode> {
    let mut out = terminal::out();
    if args.json {
        writeln!(out, "{}", terminal::json(report)?)?
    } else {
        write!(out, "{text}")?
    }
    Ok(ExitCode::SUCCESS)
}

fn summary(proposal: &Proposal, submission: &Submission) -> String {
    let count = |state| {
        proposal
            .states
            .iter()
            .filter(|shard| shard.state == state)
            .count()
    };
    let mut text = format!(
        "{} of {} shards done before\n",
        count(ShardState::Done),
        proposal.shards
    );
    if let Some(job) = &submission.array_job {
        text += &format!(
            "  shards {} as tasks {} of job {job}\n",
            ranges(&proposal.submitted()),
            submission.array
        );
    } else {
        text += &format!(
            "  no shard needs a task: {} running, {} queued\n",
            count(ShardState::Running),
            count(ShardState::Queued)
        );
    }
    match &submission.merge_job {
        Some(job) => text += &format!("  merge as job {job}, when they have ended\n"),
        None => text += "  a merge is queued already\n",
    }
    text
}

fn rehearsal_text(proposal: &Proposal, commands: &[Vec<String>], remark: Option<&str>) -> String {
    let mut text = String::new();
    for (path, content) in &proposal.files {
        text += &format!("# {}\n{content}\n", quote(&path.display().to_string()));
    }
    if let Some(folder) = proposal.files.first().and_then(|(path, _)| path.parent()) {
        text += &format!(
            "# submitted, in this order and from there\ncd {}\n",
            quote(&folder.display().to_string())
        );
    }
    for command in commands {
        let words: Vec<String> = command.iter().map(|word| quote(word)).collect();
        text += &format!("{}\n", words.join(" "));
    }
    if commands.is_empty() {
        text += "# nothing: every shard is done or under way, and a merge is queued\n";
    }
    text + &remark.map_or_else(String::new, |remark| format!("# {remark}\n"))
}

fn sbatch_options(args: &Args) -> Vec<String> {
    let named = [
        ("partition", &args.partition),
        ("time", &args.time),
        ("account", &args.account),
    ];
    let named = named
        .into_iter()
        .filter_map(|(key, value)| value.as_ref().map(|value| format!("--{key}={value}")));
    named.chain(args.sbatch.iter().cloned()).collect()
}

/// A value that Slurm may be given.
fn word(text: &str) -> Result<String, String> {
    if text.is_empty() || text.chars().any(char::is_control) {
        Err("must be one line of text".into())
    } else {
        Ok(text.into())
    }
}

/// An option of sbatch. The first word that is none would be the script's name.
fn option(text: &str) -> Result<String, String> {
    if text.starts_with('-') {
        word(text)
    } else {
        Err("an option of sbatch in one word, as --sbatch=--mem=2G".into())
    }
}
