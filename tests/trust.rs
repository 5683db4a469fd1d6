//! What is not as it was written is named and not used: damage, edits, files in the wrong place,
//! forged tables. And what is sound is used, whatever lies beside it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Output;

use reines::experiment::store::Record;
use reines::experiment::store::folder::RunFolder;
use reines::solver::{Ending, Outcome};

use crate::damage::{begin, flip, workplace};
use crate::program::{Workplace, encode, stderr, stdout, write_manifest};

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the file is there")
}

/// The exit code and what is said; no sentence is a panic's.
fn said(output: &Output) -> (Option<i32>, String) {
    let said = stderr(output) + &stdout(output);
    assert!(!said.contains("panicked"), "{said}");
    (output.status.code(), said)
}

/// Refused with exit code 1 and a sentence that has all these words.
fn assert_refused(output: &Output, words: &[&str]) {
    let (code, said) = said(output);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        words.iter().all(|word| said.contains(word)),
        "{words:?}: {said}"
    );
}

fn assert_same_as_whole(workplace: &Workplace) {
    let [run, whole] =
        ["results", "whole"].map(|results| workplace.bytes(results, "a", "trials.parquet"));
    assert!(run == whole);
}

/// Every row that a trial under way could have.
fn running(record: &Record, updates: u64) -> Record {
    let mut running = record.clone();
    running.row.outcome = Outcome {
        updates: Some(updates),
        ..Outcome::ended(Ending::Censored)
    };
    running
}

/// A file of the parts whose name begins so.
fn of_parts(run: &Path, begin: &str) -> PathBuf {
    let entries = fs::read_dir(run.join("parts")).expect("there are parts");
    let mut paths = entries.map(|entry| entry.expect("an entry").path());
    let is_meant = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|it| it.to_string_lossy().starts_with(begin))
    };
    paths.find(is_meant).expect("a file of that name")
}

/// Without the rows of a damaged file the others would be biased, and nothing would say so.
#[test]
fn a_partial_report_of_damaged_files_is_refused() {
    let workplace = workplace();
    let run = begin(&workplace);
    let records = workplace.records("whole", "a");
    let locked = RunFolder::at(&run).lock().expect("nobody else has it");
    let (parts, _) = locked.take_over_parts(&mut |_| true).expect("readable");
    let spec = read(&workplace.path().join("a.toml"));
    locked.save_spec(&spec).expect("the folder can be written");
    parts
        .save_running(&mut [running(&records[60], 9), running(&records[61], 8)])
        .expect("the folder can be written");
    drop(locked);
    let report = || workplace.reines(&["report", "a.toml", "--partial"]);
    let (code, sound) = said(&report());
    assert_eq!(code, Some(0), "{sound}");
    assert!(sound.contains("60 of 80 trials, and 2 running"), "{sound}");
    fs::remove_dir_all(workplace.path().join("figures")).expect("they were drawn");
    for begin in ["000000-", "running-"] {
        let path = of_parts(&run, begin);
        flip(&path, 200);
        let name = path.file_name().expect("a name").to_string_lossy();
        assert_refused(&report(), &[&name, "BLAKE3", "nothing is drawn"]);
        assert!(!workplace.path().join("figures").exists());
        let verified = workplace.reines(&["verify-files"]);
        assert_refused(&verified, &[&name, "DAMAGED"]);
        flip(&path, 200);
    }
    // Rows of trials that the plan does not have.
    let mut strange = running(&records[60], 9);
    strange.row.seed = 77;
    parts
        .save_running(&mut [strange])
        .expect("it can be written");
    assert_refused(&report(), &["running-", "not this plan's"]);
}

/// Two processes that both have written to the folder, since its locks do not work.
#[test]
fn parts_of_one_number_are_both_used() {
    let workplace = workplace();
    let run = begin(&workplace);
    let second = of_parts(&run, "000001-");
    let renamed = second.display().to_string().replace("/000001-", "/000000-");
    fs::rename(&second, renamed).expect("it can be renamed");
    fs::copy(workplace.path().join("a.toml"), run.join("spec.toml")).expect("it can be copied");
    let (_, so_far) = said(&workplace.reines(&["report", "a.toml", "--partial"]));
    assert!(so_far.contains("60 of 80 trials"), "{so_far}");
    let (code, resumed) = said(&workplace.reines(&["run", "a.toml"]));
    assert_eq!(code, Some(0), "{resumed}");
    assert!(!resumed.contains("set aside"), "{resumed}");
    assert_same_as_whole(&workplace);
}

#[test]
fn parts_of_the_largest_numbers_are_used() {
    let workplace = workplace();
    let run = begin(&workplace);
    for (part, number) in [("000000-", u64::MAX), ("000001-", u64::MAX - 1)] {
        let path = of_parts(&run, part);
        let renamed = path
            .display()
            .to_string()
            .replace(part, &format!("{number}-"));
        fs::rename(&path, renamed).expect("it can be renamed");
    }
    let (code, resumed) = said(&workplace.reines(&["run", "a.toml"]));
    assert_eq!(code, Some(0), "{resumed}");
    assert_same_as_whole(&workplace);
}

/// The merge was killed when the tables were there, and some of the shards were not any more.
#[test]
fn what_a_killed_merge_leaves_is_no_damage_and_the_next_command_removes_it() {
    let workplace = workplace();
    for shard in ["0/2", "1/2"] {
        workplace.succeed(&["run", "a.toml", "--shard", shard]);
    }
    let run = workplace.runs("results", "a")[0].clone();
    let kept = workplace.path().join("kept");
    fs::rename(run.join("shards"), &kept).expect("it can be renamed");
    copy(&kept, &run.join("shards"));
    workplace.succeed(&["merge", "a.toml"]);
    assert_same_as_whole(&workplace);
    let whole = workplace.files("results", "a");
    for command in ["merge", "run"] {
        copy(&kept, &run.join("shards"));
        fs::remove_file(run.join("shards/0-of-2/shard.parquet")).expect("it is there");
        fs::remove_dir_all(run.join("shards/1-of-2")).expect("it is there");
        for name in [".partial-abc", "lock"] {
            fs::write(run.join(name), "left").expect("it can be written");
        }
        let verified = workplace.succeed(&["verify-files"]);
        let verified = stdout(&verified);
        for left in ["shards", ".partial-abc", "lock"] {
            let line = format!("{left}: left by a process that was killed");
            assert!(verified.contains(&line), "{verified}");
        }
        let again = workplace.succeed(&[command, "a.toml"]);
        assert!(stderr(&again).contains("complete already"));
        assert_eq!(workplace.files("results", "a"), whole, "{command}");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    for entry in fs::read_dir(from).expect("it can be listed") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("it can be copied");
        }
    }
}

/// Every line of a manifest, changed, doubled or taken out.
#[test]
fn every_change_of_a_manifest_is_found() {
    let workplace = workplace();
    let run = RunFolder::at(&workplace.runs("whole", "a")[0]);
    let path = run.path().join("manifest.toml");
    let text = read(&path);
    assert!(run.manifest().is_ok());
    let lines: Vec<&str> = text.lines().collect();
    for at in 0..lines.len() {
        let with = |new: &[&str]| {
            let changed = [&lines[..at], new, &lines[at + 1..]].concat();
            changed.join("\n") + "\n"
        };
        let line = lines[at];
        let digit = line.rfind(|c: char| c.is_ascii_alphanumeric()).unwrap_or(0);
        let other = if line[digit..].starts_with('1') {
            "2"
        } else {
            "1"
        };
        let mut edited = line.to_owned();
        if !line.is_empty() {
            edited.replace_range(digit..=digit, other);
        }
        for changed in [
            with(&[]),
            with(&[line, line]),
            with(&[&edited, ""]),
            with(&[&edited]),
        ] {
            if changed != text {
                fs::write(&path, &changed).expect("it can be written");
                assert!(run.manifest().is_err(), "{line:?}:\n{changed}");
            }
        }
    }
    fs::write(&path, &text).expect("it can be written");
    assert_eq!(
        run.manifest().expect("as it was").to_text().expect("TOML"),
        text
    );
}

/// Manifests that someone wrote with a right checksum of their own, and files that none speaks of.
#[test]
fn verify_files_accounts_for_every_file_and_number() {
    let workplace = workplace();
    let run = workplace.runs("whole", "a")[0].clone();
    let path = run.join("manifest.toml");
    let text = read(&path);
    let verify = || workplace.reines(&["verify-files", "whole"]);
    let without = |begin: &str| -> String {
        let lines = text.lines().filter(|line| !line.starts_with(begin));
        lines.map(|line| format!("{line}\n")).collect()
    };
    let hash = text.split_once("spec_hash = \"").expect("a hash").1[..64].to_owned();
    for (forged, words) in [
        (
            text.replace("schema = 2", "schema = 0"),
            &["schema 0; "][..],
        ),
        (text.replace("schema = 2", "schema = -1"), &["schema -1; "]),
        (
            without("\"trials.parquet\""),
            &["no checksum of trials.parquet"],
        ),
        (
            without("\"timings.parquet\""),
            &["timings.parquet: manifest.toml has no checksum"],
        ),
        (
            text.replace("rows = 80", "rows = 81"),
            &["81 rows, trials.parquet has 80"],
        ),
        (
            text.replace(
                &format!("spec_hash = \"{hash}"),
                &format!("spec_hash = \"{:064}", 0),
            ),
            &["spec.toml", "BLAKE3"],
        ),
        (
            text.replace("experiment = \"a\"", "experiment = \"b\""),
            &["the experiment is b"],
        ),
    ] {
        assert!(forged != text, "{words:?}");
        write_manifest(&path, &forged);
        assert_refused(&verify(), words);
    }
    fs::write(&path, &text).expect("it can be written");
    fs::copy(run.join("trials.parquet"), run.join("series.parquet")).expect("a copy");
    assert_refused(
        &verify(),
        &["series.parquet: manifest.toml has no checksum of it"],
    );
    fs::rename(run.join("series.parquet"), run.join("notes.txt")).expect("it can be renamed");
    let (code, beside) = said(&verify());
    assert_eq!(code, Some(0), "{beside}");
    assert!(beside.contains("beside it: ") && beside.contains("notes.txt: no file of the run"));
    fs::remove_file(&path).expect("it is there");
    assert_refused(
        &verify(),
        &["trials.parquet: there is no manifest.toml to check it by"],
    );
    // A folder of which nothing can be known: here a link to itself.
    let strange = workplace.path().join("whole/strange");
    symlink(&strange, &strange).expect("it can be made");
    assert_refused(&verify(), &["whole/strange"]);
    fs::remove_file(&strange).expect("it is there");
    assert!(stderr(&workplace.reines(&["verify-files", "."])).contains("no run in it"));
}

/// What the clock could stop once stood in a table of its own: no such run is read by half.
#[test]
fn a_run_with_a_table_of_time_limits_is_refused_by_what_reads_it() {
    let workplace = workplace();
    workplace.succeed(&["run", "a.toml", "--results", "again"]);
    let run = workplace.runs("whole", "a")[0].clone();
    let manifest = run.join("manifest.toml");
    let text = read(&manifest);
    let hash = blake3::hash(b"rows of an earlier program").to_hex();
    fs::write(run.join("timed.parquet"), "rows of an earlier program").expect("it can be written");
    let files = format!("[files]\n\"timed.parquet\" = \"{hash}\"");
    let timed = text.replace("[files]", &files);
    write_manifest(
        &manifest,
        &timed.replace("rows = 80", "rows = 80\ntimed_rows = 1"),
    );
    let folder = run.display().to_string();
    for arguments in [
        &["verify-files", "whole"][..],
        &["report", "a.toml", "--results", "whole"],
        &["diff", &folder, "again"],
        &["export", "--results", "whole", "-o", "all.csv"],
    ] {
        let output = workplace.reines(arguments);
        let sentence = "timed.parquet: rows of trials with a time limit: this program reads no run";
        assert_refused(&output, &[sentence]);
    }
    // A spec that asks for what there is no more, beside tables that have nothing of it.
    write_manifest(&manifest, &text);
    let cutoff = "cutoff = 50_000\n";
    let timed = format!("{cutoff}time_limit = \"1 s\"\n");
    let spec = read(&run.join("spec.toml")).replace(cutoff, &timed);
    forge(&run, "spec.toml", spec.as_bytes());
    let (code, said) = said(&workplace.reines(&["rerun", &folder]));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("time_limit = \"1 s\": unknown key"), "{said}");
    let listed = workplace.succeed(&["list", "a", "--results", "whole"]);
    assert!(stdout(&listed).contains("complete, 80 trials"));
}

#[test]
fn a_stored_spec_that_was_edited_is_not_used() {
    let workplace = workplace();
    let run = workplace.runs("whole", "a")[0].clone();
    let spec = read(&run.join("spec.toml"));
    let edited = spec.replace("convergence-vs-n", "absorbed-share");
    fs::write(run.join("spec.toml"), edited).expect("it can be written");
    let figures = || workplace.path().join("figures").exists();
    for arguments in [
        &["report", "--results", "whole"][..],
        &["rerun", &run.display().to_string()],
        &["pack", "a", "--results", "whole", "-o", "a.crate.zip"],
        &["run", "a.toml", "--results", "whole"],
    ] {
        assert_refused(&workplace.reines(arguments), &["spec.toml", "BLAKE3"]);
        assert!(!figures() && !workplace.path().join("a.crate.zip").exists());
    }
}

/// Of another experiment, though with the same plan and under the same name.
#[test]
fn a_run_in_the_folder_of_another_is_not_used() {
    let workplace = workplace();
    workplace.write("b.toml", &read(&workplace.path().join("a.toml")));
    let run = workplace.runs("whole", "a")[0].clone();
    let moved = workplace.path().join("whole/b");
    fs::create_dir(&moved).expect("it can be made");
    fs::rename(&run, moved.join(run.file_name().expect("a name"))).expect("it can be renamed");
    for arguments in [
        &["run", "b.toml", "--results", "whole"][..],
        &["merge", "b.toml", "--results", "whole"],
        &["report", "b.toml", "--results", "whole"],
        &["report", "--results", "whole"],
        &["verify-files", "whole"],
    ] {
        let output = workplace.reines(arguments);
        assert_refused(&output, &["the experiment is a, where that of b belongs"]);
        assert!(!workplace.path().join("figures").exists());
    }
}

/// What can be drawn is, and the exit code says that something could not.
#[test]
fn a_damaged_manifest_is_an_error_of_the_report() {
    let workplace = workplace();
    workplace.write("b.toml", &read(&workplace.path().join("a.toml")));
    workplace.succeed(&["run", "b.toml", "--results", "whole"]);
    flip(&workplace.runs("whole", "a")[0].join("manifest.toml"), 300);
    let output = workplace.reines(&["report", "--results", "whole"]);
    assert_refused(&output, &["a: not drawn", "manifest.toml"]);
    assert!(
        workplace
            .path()
            .join("figures/b-convergence-vs-n.svg")
            .exists()
    );
    workplace.succeed(&["report", "b.toml", "--results", "whole"]);
}

/// The file's new bytes, and what the manifest would say of them.
pub fn forge(run: &Path, name: &str, bytes: &[u8]) {
    let path = run.join("manifest.toml");
    let text = read(&path);
    let old = blake3::hash(&fs::read(run.join(name)).expect("the file is there"));
    let new = blake3::hash(bytes);
    fs::write(run.join(name), bytes).expect("it can be written");
    write_manifest(
        &path,
        &text.replace(old.to_hex().as_str(), new.to_hex().as_str()),
    );
}

/// Whatever a table with a right checksum holds, it is found to be none of ours and not used.
#[test]
fn forged_tables_end_in_one_sentence() {
    let workplace = workplace();
    let run = workplace.runs("whole", "a")[0].clone();
    let records = workplace.records("whole", "a");
    let sound = fs::read(run.join("trials.parquet")).expect("complete");
    let changed = |change: &dyn Fn(&mut Vec<Record>)| {
        let mut forged = records.clone();
        change(&mut forged);
        encode(&forged)
    };
    let with_board = |board: &[u32]| {
        let board: Box<[u32]> = board.into();
        changed(&|rows| rows[3].row.outcome.solution = Some(board.clone()))
    };
    let decimal = include_bytes!("data/hostile/decimal.parquet").to_vec();
    let cut = |length: usize| sound[..length].to_vec();
    for (what, bytes, reason) in [
        (
            "doubled",
            changed(&|rows| rows[1] = rows[0].clone()),
            "is there twice",
        ),
        (
            "not sorted",
            changed(&|rows| rows.swap(0, 1)),
            "is there not in its place",
        ),
        (
            "a row beyond the board",
            with_board(&[0, 1, 2, 4]),
            "no board of side 4",
        ),
        (
            "too short a board",
            with_board(&[0, 1, 2]),
            "no board of side 4",
        ),
        ("a decimal column", decimal, "column n"),
        ("empty", Vec::new(), "too short"),
        ("seven bytes", cut(7), "too short"),
        ("without its footer", cut(sound.len() - 9), ""),
        ("text", b"PAR1 this is no table at all PAR1".to_vec(), ""),
        (
            "an endless footer",
            [&[0xff; 40][..], b"PAR1"].concat(),
            "its footer is longer",
        ),
    ] {
        forge(&run, "trials.parquet", &bytes);
        for arguments in [
            &["report", "--results", "whole"][..],
            &["export", "a", "--results", "whole", "-o", "a.csv"],
            &["verify-files", "whole"],
        ] {
            let output = workplace.reines(arguments);
            let (code, said) = said(&output);
            assert!(code != Some(0), "{what}: {arguments:?}: {said}");
            assert!(
                said.contains("trials.parquet") && said.contains(reason),
                "{what}: {arguments:?}: {said}"
            );
        }
        assert!(!workplace.path().join("figures").exists(), "{what}");
        assert!(!workplace.path().join("a.csv").exists(), "{what}");
    }
    forge(&run, "trials.parquet", &sound);
    workplace.succeed(&["verify-files", "whole"]);
}

/// Two gigabytes with nothing in them must not be read into memory.
#[test]
fn manifests_and_specs_of_absurd_size_are_refused_unread() {
    for name in ["manifest.toml", "spec.toml"] {
        let workplace = workplace();
        let file = workplace.runs("whole", "a")[0].join(name);
        let file = fs::File::options().write(true).open(file).expect("ours");
        file.set_len(1 << 31).expect("a file with a hole");
        let report = ["report", "--results", "whole"];
        let output = workplace.reines(&report);
        assert_refused(&output, &[name, "is larger than"]);
    }
}

/// The name of a folder and the text of a manifest are shown, and do nothing to the terminal.
#[test]
fn hostile_names_are_shown_and_do_nothing() {
    let workplace = workplace();
    let run = workplace.runs("whole", "a")[0].clone();
    let named = "0.1.0\u{1b}[2J\u{202e}-11111111-22222222";
    fs::rename(&run, run.with_file_name(named)).expect("it can be renamed");
    let manifest = workplace
        .path()
        .join("whole/a")
        .join(named)
        .join("manifest.toml");
    for (from, to) in [
        ("0.1.0-", "0.1.0\\u001B[31m-"),
        ("cpu = \"", "cpu = \"<b>\\u202E"),
    ] {
        let text = read(&manifest);
        write_manifest(&manifest, &text.replacen(from, to, 1));
    }
    for arguments in [
        &["list", "--results", "whole"][..],
        &["list", "--results", "whole", "--json"],
        &["verify-files", "whole"],
        &["report", "--results", "whole"],
        &["diff", "whole", "whole"],
        &["prune", "--results", "whole"],
        &["rerun", &manifest.display().to_string()],
    ] {
        let (_, said) = said(&workplace.reines(arguments));
        let hidden = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!said.contains(hidden), "{arguments:?}: {said:?}");
    }
}

#[test]
fn a_hostile_title_is_text_in_every_file() {
    let workplace = Workplace::new();
    let spec = "title = \"<img src=x> ]( \u{FFFE}\u{202e}\"\nseed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\n\
                epsilon = 0.05\ntrials = 5\ncutoff = 1e6\n[[figure]]\nkind = \"convergence-vs-n\"\n\
                title = \"<img src=x> ]( \u{FFFE}\u{202e}\"\n";
    workplace.write("a.toml", spec);
    workplace.succeed(&["run", "a.toml"]);
    workplace.succeed(&["report", "a.toml", "--html", "a.html"]);
    let file = |ending: &str| {
        read(
            &workplace
                .path()
                .join("figures/a-convergence-vs-n")
                .with_extension(ending),
        )
    };
    let (svg, md) = (file("svg"), file("md"));
    let html = read(&workplace.path().join("a.html"));
    for (name, text) in [("svg", &svg), ("md", &md), ("html", &html)] {
        assert!(!text.contains("<img src=x"), "{name}");
        assert!(!text.contains('\u{FFFE}'), "{name}");
    }
    assert!(md.contains("&lt;img src=x>") && svg.contains("&lt;img src=x&gt;"));
}

#[test]
fn thousands_of_threads_are_refused() {
    let workplace = workplace();
    for command in ["run", "rerun"] {
        let output = workplace.reines(&[command, "a.toml", "--threads", "60000"]);
        let (code, said) = said(&output);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("allowed is an integer from 1 to "), "{said}");
    }
}
