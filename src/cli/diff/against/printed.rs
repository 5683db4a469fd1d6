//! What a comparison with a revision prints beside what was found: the versions of both sides,
//! which specs are others, and what its folder takes.

use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use itertools::Itertools;

use super::{Against, HOME};
use crate::cli::diff::{DiffArgs, Pair, print_nothing_compared};
use crate::cli::terminal::{Out, optional_message};
use crate::cli::text::{counted, first_of};
use crate::experiment::store::complete::CompleteRun;

/// Says that all is the same without a run.
pub fn say_nothing_ran(
    args: &DiffArgs,
    against: &Against,
    has_present_code: bool,
) -> anyhow::Result<u8> {
    debug_assert!(has_present_code, "else something was run");
    let words = format!(
        "no source that can reach a row has changed since {} but for comments, and no plan; nothing was built or run",
        against.commit_a
    );
    if args.view.is_json() {
        print_nothing_compared(args, ("identical", words), against)?;
    } else {
        writeln!(Out, "nothing different: {words}")?;
    }
    Ok(0)
}

/// What is compared with what, and which specs are others; in JSON that is in the object.
pub fn print_sides(args: &DiffArgs, pairs: &[Pair], against: &Against) -> anyhow::Result<()> {
    if args.view.is_json() {
        return Ok(());
    }
    if pairs.is_empty() {
        return print_specs(against);
    }
    let versions = |side: fn(&Pair) -> &CompleteRun| {
        let versions = pairs.iter().map(|pair| &side(pair).manifest.code_version);
        versions.sorted().dedup().join(" ")
    };
    let changes = if against.b_has_changes {
        ", with changes"
    } else {
        ""
    };
    let rev = &against.rev;
    let a = &against.commit_a;
    let b = &against.commit_b;
    writeln!(
        Out,
        "A: {rev}, commit {a}, code version {}",
        versions(|pair| &pair.a)
    )?;
    writeln!(
        Out,
        "B: commit {b}{changes}, code version {}",
        versions(|pair| &pair.b)
    )?;
    print_specs(against)
}

/// Says which specs are others, and of which nothing was run.
fn print_specs(against: &Against) -> anyhow::Result<()> {
    let rev = &against.rev;
    for spec in &against.other_specs {
        let name = &spec.experiment;
        let words = &spec.words;
        let hint = "--present-specs runs the present spec on both sides";
        writeln!(
            Out,
            "{name}: this spec differs from that of {rev}: {words}; {hint}"
        )?;
    }
    if !against.stepwise.is_empty() {
        let names = first_of(5, ", ", against.stepwise.clone());
        writeln!(
            Out,
            "run with --dynamics stepwise on both sides, since {rev} names no law of its rules: {names}"
        )?;
    }
    if !against.same_code_and_plan.is_empty() {
        let count = counted(against.same_code_and_plan.len(), "experiment");
        writeln!(Out, "{count} with the same code and plan: nothing was run")?;
    }
    Ok(())
}

/// Says what the folder takes, and what removes it.
pub fn say_size(home: &Path) {
    let megabytes = size(home) / 1_000_000;
    if megabytes > 0 {
        optional_message!("{HOME} takes {megabytes} MB; rm -r {HOME} removes it");
    }
}

/// Bytes that a folder takes on the disk, as far as it can be read.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.blocks() * 512,
        Err(_) => 0,
    });
    sizes.sum()
}
