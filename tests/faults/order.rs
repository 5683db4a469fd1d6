//! The order of the calls that give files their names and take them away.

use std::path::Path;

use super::calls::traced;
use crate::program::{Workplace, has, skipped, stderr, text_of};

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.05\ntrials = 20\ncutoff = 2e4\n\
    [sweep.series]\nat = [0, 100]\n";

/// What `strace -y` tells of one of these calls.
#[derive(Debug, PartialEq)]
enum Call {
    Sync(String),
    Rename(String, String),
    Remove(String),
}

fn calls(trace: &str) -> Vec<Call> {
    let call = |line: &str| {
        let (name, rest) = line.split_once('(')?;
        let open = rest.split('<').nth(1).and_then(|it| it.split('>').next());
        let mut texts = rest.split('"').skip(1).step_by(2).map(str::to_owned);
        let name = name.rsplit(' ').next().unwrap_or(name);
        match name {
            "fsync" | "fdatasync" => Some(Call::Sync(open?.to_owned())),
            "rename" | "renameat" | "renameat2" => Some(Call::Rename(texts.next()?, texts.next()?)),
            _ => {
                let folder = open.unwrap_or_default();
                Some(Call::Remove(format!("{folder}/{}", texts.next()?)))
            }
        }
    };
    trace.lines().filter_map(call).collect()
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The calls of a command; `None`, said aloud, where nothing can be traced.
fn traced_calls(command: &str) -> Option<Vec<Call>> {
    let place = Workplace::with(SPEC);
    if command.ends_with("-q") {
        place.save_some("", |it| it.row.trial % 2 == 0);
    }
    let log = place.path().join("trace").display().to_string();
    let wanted = "trace=fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,rmdir";
    let output = traced(&place, &["-y", "-o", &log, "-e", wanted], command);
    if !Path::new(&log).exists() || !output.status.success() {
        skipped("no strace, or no tracing allowed");
        return None;
    }
    Some(calls(&text_of(&log)))
}

const COMMANDS: [&str; 2] = ["run a.toml --threads 1", "run a.toml --threads 1 -q"];

/// A power cut after a file has its name must leave it whole: it is synced under its temporary
/// name, and its folder when it has its own.
#[test]
fn files_are_synced_before_they_are_named() {
    for calls in COMMANDS.iter().map_while(|command| traced_calls(command)) {
        let mut named = 0;
        for (at, call) in calls.iter().enumerate() {
            let Call::Rename(from, to) = call else {
                continue;
            };
            // A link to a table has no bytes, and is made anew by the next run.
            if from.ends_with(".parquet") {
                continue;
            }
            let is_synced = calls[..at].contains(&Call::Sync(from.clone()));
            assert!(is_synced, "{to} has its name before its bytes: {calls:#?}");
            let next = calls.get(at + 1);
            let is_kept = next == Some(&Call::Sync(folder(from).to_owned()));
            assert!(is_kept, "the folder of {to} is not synced: {calls:#?}");
            named += 1;
        }
        assert!(named >= 4, "{calls:#?}");
        let names_parts = |call: &Call| matches!(call, Call::Sync(it) if it.ends_with("/parts"));
        let is_kept = calls.iter().any(names_parts);
        assert!(is_kept, "the folder of the parts is not synced: {calls:#?}");
    }
}

/// What was saved before stays until the manifest has its name, and then goes: a cut between the
/// two must not leave neither.
#[test]
fn parts_stay_until_the_manifest_has_its_name() {
    for calls in COMMANDS.iter().map_while(|command| traced_calls(command)) {
        let is_manifest = |call: &Call| match call {
            Call::Rename(_, to) => to.ends_with("manifest.toml"),
            _ => false,
        };
        let at = calls.iter().position(is_manifest).expect("a manifest");
        let is_removal = |call: &&Call| matches!(call, Call::Remove(_));
        let early = calls[..at].iter().find(is_removal);
        assert_eq!(
            early, None,
            "it goes before there is a manifest: {calls:#?}"
        );
        assert!(
            calls[at..].iter().filter(is_removal).count() > 1,
            "{calls:#?}"
        );
    }
}

/// Calls that some file systems refuse, with how the run ends and what it says.
#[test]
fn what_a_file_system_lacks_is_said_or_does_no_harm() {
    for (path, fault, code, said) in [
        (
            "",
            "symlink,symlinkat:error=EPERM",
            0,
            "no link can be made",
        ),
        ("results", "fsync:error=EINVAL", 0, "40 trials"),
        ("results", "fsync:error=EOPNOTSUPP", 0, "40 trials"),
        ("results", "fsync:error=EIO", 1, "results"),
        ("", "flock:error=ENOLCK", 1, "--results"),
    ] {
        let place = Workplace::with(SPEC);
        let (log, path) = (place.path().join("trace"), place.path().join(path));
        let [log, path] = [log, path].map(|it| it.display().to_string());
        let inject = format!("inject={fault}");
        let only = if path.ends_with("results") {
            vec!["-P", &path]
        } else {
            Vec::new()
        };
        let options = [&["-o", &log, "-e", &inject], &only[..]].concat();
        let output = traced(&place, &options, "run a.toml --threads 1");
        if !Path::new(&log).exists() {
            return skipped("no strace, or no tracing allowed");
        }
        assert!(text_of(&log).contains("INJECTED"), "{fault}: never called");
        assert_eq!(
            output.status.code(),
            Some(code),
            "{fault}: {}",
            stderr(&output)
        );
        has(&stderr(&output), said);
    }
}
