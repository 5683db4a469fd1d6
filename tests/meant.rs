//! Which run is meant: after edits, renames, copies and damage every command takes the run that a
//! fresh folder would have, as docs/data.md says.

use std::fs;

use crate::program::{
    Workplace, bytes_of, copy_folder, files_of, has, lacks, name_of, stderr, stdout, text_of,
};

/// A spec of the pair rule at n = 4 and 5, with a figure that is called `drawn`.
fn spec(seed: u32, trials: u32) -> String {
    format!(
        "seed = {seed}\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\n\
         trials = {trials}\ncutoff = 100_000\n\
         [[figure]]\nkind = \"convergence-vs-n\"\nname = \"drawn\"\n"
    )
}

/// A folder with `experiments/a.toml`.
fn place_with(spec: &str) -> Workplace {
    let place = Workplace::new();
    fs::create_dir(place.path().join("experiments")).expect("the folder is empty");
    place.write("experiments/a.toml", spec);
    place
}

/// What a folder in which nothing happened before has in a file after these commands.
fn fresh(spec: &str, commands: &[&str], file: &str) -> String {
    let place = place_with(spec);
    for command in commands {
        place.succeed(command);
    }
    place.text(file)
}

/// The run to which the link of an experiment leads.
fn linked(place: &Workplace, experiment: &str) -> String {
    let link = place.path().join("results").join(experiment);
    let target = fs::read_link(link.join("trials.parquet")).expect("a link");
    name_of(target.parent().expect("a run's folder"))
}

/// How many rows `export` writes, and what it says.
#[track_caller]
fn exported(place: &Workplace, what: &str) -> (usize, String) {
    let output = place.succeed(format!("export {what} -o -"));
    let rows = stdout(&output).lines().count() - 1;
    (rows, stderr(&output))
}

/// A present spec that has fewer trials than an earlier one, and another seed: 12 rows of seed 2,
/// where the earlier run has 40 of seed 1.
fn edited() -> Workplace {
    let place = place_with(&spec(1, 20));
    place.succeed("run -q a");
    copy_folder(&place.path().join("results"), &place.path().join("first"));
    place.write("experiments/a.toml", &spec(2, 6));
    place.succeed("run -q a");
    place
}

#[test]
fn a_folder_of_results_means_the_runs_of_the_present_specs() {
    let place = edited();
    let expected = fresh(
        &spec(2, 6),
        &["run -q a", "report -q a"],
        "figures/drawn.csv",
    );
    for (at, named) in ["a", "results", "results/a", ""].iter().enumerate() {
        let said = stderr(&place.succeed(format!("report {named} --figures drawn-{at}")));
        assert_eq!(said, "", "{named}");
        assert_eq!(
            place.text(format!("drawn-{at}/drawn.csv")),
            expected,
            "{named}"
        );
        let (rows, said) = exported(&place, named);
        assert_eq!(rows, 12, "{named}: {said}");
    }
    // 40 rows of seed 1, and 12 of seed 2.
    let said = place.ends(0, "diff first results --json");
    lacks(&said, "\"same_folder\": true");
    has(&said, "\"folder\": \"first/a/");
    has(&place.ends(0, "diff first/a results"), "the seeds differ");
    has(&stdout(&place.reines("list results")), "± 95 %");
}

#[test]
fn to_run_a_folder_is_to_run_its_present_spec() {
    let place = edited();
    let run = linked(&place, "a");
    has(&stderr(&place.succeed("run results/a")), "complete already");
    assert_eq!(linked(&place, "a"), run);
}

#[test]
fn from_another_working_folder_the_same_run_is_meant() {
    let place = edited();
    fs::create_dir(place.path().join("sub")).expect("the folder is new");
    let expected = fresh(
        &spec(2, 6),
        &["run -q a", "report -q a"],
        "figures/drawn.csv",
    );
    for (at, command) in [
        "report a --results ../results",
        "report ../results",
        "report --results ../results",
    ]
    .iter()
    .enumerate()
    {
        let mut program = place.command(format!("{command} --figures drawn-{at}"));
        let output = program.current_dir(place.path().join("sub")).output();
        assert!(
            output.expect("the program starts").status.success(),
            "{command}"
        );
        let drawn = place.text(format!("sub/drawn-{at}/drawn.csv"));
        assert_eq!(drawn, expected, "{command}");
    }
}

/// Its name is that of the present spec under its change: another seed, fewer n, another figure.
#[test]
fn a_changed_experiment_is_the_present_spec_under_its_change() {
    let commands = ["run -q a -s trials=4", "report -q a-with-trials-4"];
    let file = "figures/drawn-with-trials-4.csv";
    let fewer = spec(1, 20).replace("[4, 5]", "[4, 6]");
    let place = place_with(&spec(1, 20));
    for present in [spec(1, 20), spec(2, 20), fewer] {
        place.write("experiments/a.toml", &present);
        place.succeed(commands[0]);
        let expected = fresh(&present, &commands, file);
        for named in ["a-with-trials-4", "results/a-with-trials-4", "results"] {
            assert_eq!(
                stderr(&place.succeed(format!("report {named}"))),
                "",
                "{named}"
            );
            assert_eq!(place.text(file), expected, "{named}");
            fs::remove_dir_all(place.path().join("figures")).expect("it was drawn");
        }
        has(&place.ends(0, "run a-with-trials-4"), "complete already");
        assert_eq!(exported(&place, "a-with-trials-4").0, 8);
        has(&place.ends(0, "list a-with-trials-4"), "the spec's plan");
    }
    // Without a run of the present plan, that of the link.
    place.write("experiments/a.toml", &spec(3, 20));
    let said = exported(&place, "a-with-trials-4").1;
    has(&said, "taken is one of 8 trials");
    has(&said, &linked(&place, "a-with-trials-4"));
}

/// The seeds 2, 7 and 2 again: the newest run by its end is that of seed 7.
#[test]
fn without_a_spec_the_run_of_the_link_is_meant() {
    let place = place_with(&spec(2, 6));
    place.succeed("run -q a");
    let run = linked(&place, "a");
    place.write("experiments/a.toml", &spec(7, 6));
    place.succeed("run -q a");
    place.write("experiments/a.toml", &spec(2, 6));
    place.succeed("run -q a");
    assert_eq!(linked(&place, "a"), run);
    fs::remove_file(place.path().join("experiments/a.toml")).expect("it is there");
    for named in ["a", "results"] {
        let said = exported(&place, named).1;
        has(&said, "of 2 complete runs taken is one of 12 trials");
        has(&said, &run);
    }
}

/// The newest of a whole plan: after it ran `--quick` and `--only`, before it a larger plan.
#[test]
fn without_spec_and_link_the_newest_whole_run_is_meant() {
    let place = place_with(&spec(1, 20));
    place.succeed("run -q a");
    place.write("experiments/a.toml", &spec(2, 6));
    place.succeed("run -q a");
    let run = linked(&place, "a");
    place.write("experiments/a.toml", &spec(3, 30));
    place.succeed("run -q --quick a");
    place.succeed("run -q --only n=4 a");
    let files = ["experiments/a.toml", "results/a/trials.parquet"];
    for file in files {
        fs::remove_file(place.path().join(file)).expect("it is there");
    }
    let said = exported(&place, "a").1;
    has(&said, "taken is one of 12 trials");
    has(&said, &run);
    has(&said, "the newest of a whole plan");
    for folder in place.runs("results", "a") {
        let text = text_of(folder.join("spec.toml"));
        if !text.contains("[[set]]") {
            fs::remove_dir_all(folder).expect("it is there");
        }
    }
    // Of `--only n=4` with 30 trials, since `--quick` was before.
    has(&exported(&place, "a").1, "taken is one of 30 trials");
}

#[test]
fn names_of_conditions_are_those_of_the_present_spec() {
    let named = |first: &str, second: &str| {
        let certain = format!("certain = {{ {first} = \"safe\", {second} = \"b.queens == 0\" }}");
        spec(1, 3).replace("cutoff", &format!("{certain}\ncutoff"))
    };
    let place = place_with(&named("source", "empty"));
    place.succeed("run -q a");
    let rules = |place: &Workplace, name: &str| {
        let output = place.succeed(format!("export a -q --only variant={name} -o -"));
        stdout(&output)
    };
    let rows = [rules(&place, "source"), rules(&place, "empty")];
    assert!(
        rows[0] != rows[1] && rows[0].lines().count() == 7,
        "{rows:?}"
    );
    // Another name, and the two names swapped.
    place.write("experiments/a.toml", &named("source", "renamed"));
    has(&place.ends(0, "run a"), "complete already");
    assert_eq!(rules(&place, "renamed"), rows[1]);
    place.ends(2, "export a --only variant=empty -o -");
    has(&place.ends(0, "list a"), "pair renamed n=4");
    place.write("experiments/a.toml", &named("empty", "source"));
    has(&place.ends(0, "run a"), "complete already");
    assert_eq!([rules(&place, "empty"), rules(&place, "source")], rows);
    let listed = |place: &Workplace| {
        let shown = stdout(&place.succeed("list a"));
        let means = shown
            .lines()
            .filter(|line| line.contains("absorption_time"));
        means.map(str::to_owned).collect::<Vec<_>>()
    };
    let fresh = place_with(&named("empty", "source"));
    fresh.succeed("run -q a");
    assert_eq!(listed(&place), listed(&fresh));
    let point = "n=4 epsilon=0.1 --trial 0";
    has(
        &place.ends(0, format!("replay a variant=source {point}")),
        "are those of the row",
    );
}

/// A run of an earlier plan, of another experiment or of other code: without its spec, with a
/// manifest that is cut short or empty.
#[test]
fn a_damaged_run_that_is_not_meant_is_left_alone() {
    let ready = edited();
    let present = linked(&ready, "a");
    for harm in ["spec gone", "manifest cut", "of other code"] {
        let place = ready.copy();
        let old = place.runs("results", "a");
        let old = old.iter().find(|run| name_of(run) != present);
        let old = old.expect("the run of the earlier plan");
        match harm {
            "spec gone" => fs::remove_file(old.join("spec.toml")),
            "manifest cut" => fs::write(old.join("manifest.toml"), "checksum = \"1\"\nrows"),
            _ => {
                let (_, plan) = present.rsplit_once('-').expect("its plan");
                let other = old.with_file_name(format!("0.1.0-00000000-{plan}"));
                fs::rename(old, &other).expect("it is there");
                fs::write(other.join("manifest.toml"), "")
            }
        }
        .expect("it can be written");
        let said = stderr(&place.succeed("report a --html page.html"));
        has(&said, "the run is left alone");
        has(&place.text("page.html"), "drawn");
        assert_eq!(exported(&place, "a").0, 12, "{harm}");
        assert_eq!(exported(&place, "").0, 12, "{harm}");
        has(&place.ends(0, "list a"), "± 95 %");
        has(&place.ends(0, "list a --csv"), ",6,0,");
        place.succeed("diff results results");
        place.succeed("replay a n=4 --trial 0");
        has(&place.ends(0, "run a"), "complete already");
    }
}

#[test]
fn the_run_that_is_meant_is_refused_where_it_is_damaged() {
    let place = edited();
    let run = place.path().join("results/a").join(linked(&place, "a"));
    fs::remove_file(run.join("spec.toml")).expect("it is there");
    let before = files_of(&run, "");
    for command in ["report a", "export a -o a.csv", "diff first results"] {
        let output = place.reines(command);
        assert!(!output.status.success(), "{command}");
        has(&stderr(&output), "spec.toml");
    }
    assert_eq!(files_of(&run, ""), before);
}

/// A spec with `only` or `quick` as keys is a whole one: the link leads to its run.
#[test]
fn the_link_follows_a_spec_that_leaves_points_out() {
    for (key, rows) in [("only = \"n=4\"", 20), ("quick = true", 10)] {
        let place = place_with(&spec(1, 20));
        place.succeed("run -q a");
        let without = spec(1, 20);
        let (sweeps, _) = without.split_once("[[figure]]").expect("a figure");
        place.write("experiments/a.toml", &format!("{key}\n{sweeps}"));
        place.succeed("run -q a");
        let table = bytes_of(place.path().join("results/a/trials.parquet"));
        assert_eq!(crate::program::table(&table).height(), rows, "{key}");
        // The options choose a part, and leave the link where it is.
        let run = linked(&place, "a");
        place.succeed("run -q a --only n=4,trial=0");
        assert_eq!(linked(&place, "a"), run);
    }
}

/// An experiment that was renamed with its results has its runs.
#[test]
fn an_experiment_may_be_renamed_with_its_results() {
    let place = place_with(&spec(1, 20));
    place.succeed("run -q a");
    for folder in ["experiments", "results"] {
        let ending = if folder == "experiments" { ".toml" } else { "" };
        let path = place.path().join(folder);
        fs::rename(
            path.join(format!("a{ending}")),
            path.join(format!("b{ending}")),
        )
        .expect("it is there");
    }
    has(&place.ends(0, "run b"), "complete already");
    place.succeed("report b");
    assert_eq!(place.ends(0, "verify").matches("ok ").count(), 1);
    has(&place.ends(0, "list b"), "± 95 %");
    place.succeed("diff results results");
    // Under its present name, as in a fresh folder.
    let fresh = Workplace::new();
    fs::create_dir(fresh.path().join("experiments")).expect("the folder is empty");
    fresh.write("experiments/b.toml", &spec(1, 20));
    fresh.succeed("run -q b");
    fresh.succeed("report -q b");
    assert_eq!(
        place.text("figures/drawn.csv"),
        fresh.text("figures/drawn.csv")
    );
    assert_eq!(
        place.text("figures/drawn.svg"),
        fresh.text("figures/drawn.svg")
    );
    for what in ["b", "", "results"] {
        let command = format!("export -q {what} -o -");
        assert_eq!(place.ends(0, &command), fresh.ends(0, &command), "{what}");
    }
    // Of a larger plan only what is new runs.
    place.write("experiments/b.toml", &spec(1, 21));
    let said = place.ends(0, "run b");
    has(&said, "40 trials taken over from results/b/");
    lacks(&said, "ignored");
}

/// Beside runs of its own, a copied run of another experiment gives its rows and is not taken.
#[test]
fn a_run_of_another_name_is_taken_only_where_no_other_stands() {
    let place = edited();
    place.write("experiments/b.toml", &spec(1, 3));
    place.succeed("run -q b");
    let runs = place.runs("results", "a");
    let old = runs.iter().find(|run| name_of(run) != linked(&place, "a"));
    let old = old.expect("the run of the earlier plan");
    let copy = place.path().join("results/b").join(name_of(old));
    copy_folder(old, &copy);
    fs::remove_file(place.path().join("experiments/b.toml")).expect("it is there");
    fs::remove_file(place.path().join("results/b/trials.parquet")).expect("a link");
    assert_eq!(exported(&place, "b").0, 6);
    place.write("experiments/b.toml", &spec(1, 30));
    has(
        &place.ends(0, "run b"),
        "40 trials taken over from results/",
    );
}

/// A folder of the name of an experiment is meant by its path alone.
#[test]
fn a_bare_word_is_the_experiment_and_a_path_the_folder() {
    let place = edited();
    let runs = place.runs("results", "a");
    let old = runs.iter().find(|run| name_of(run) != linked(&place, "a"));
    copy_folder(old.expect("an earlier run"), &place.path().join("a"));
    let (rows, said) = exported(&place, "a");
    assert_eq!(rows, 12);
    has(
        &said,
        "a: taken is the experiment of experiments/a.toml; ./a means the folder",
    );
    for path in ["./a", "a/"] {
        assert_eq!(exported(&place, path).0, 40, "{path}");
    }
    place.write("experiments/a.toml", &spec(2, 7));
    has(
        &place.ends(0, "run a"),
        "12 trials taken over from results/a/",
    );
    // One that has nothing of this program is not told.
    fs::create_dir(place.path().join("b")).expect("it is new");
    place.write("experiments/b.toml", &spec(1, 3));
    lacks(&place.ends(0, "run b"), "means the folder");
}

/// Also where a figure alone is refused; another experiment is not kept from its rows.
#[test]
fn a_spec_with_an_error_has_no_run() {
    let figure = "[[figure]]\nkind = \"distribution\"\nname = \"drawn\"\n";
    let place = edited();
    place.write("experiments/b.toml", &spec(1, 3));
    place.succeed("run -q b");
    for wrong in [
        spec(1, 20).replace("trials", "trails"),
        spec(1, 20) + figure,
    ] {
        place.write("experiments/a.toml", &wrong);
        let said = place.ends(1, "list a");
        has(&said, "experiments/a.toml:");
        lacks(&said, "± 95 %");
        for command in [
            "export a -o a.csv",
            "report a",
            "run a",
            "replay a n=4 --trial 0",
        ] {
            has(&place.ends(2, command), "experiments/a.toml:");
        }
        for what in ["", "results"] {
            let (rows, said) = exported(&place, what);
            assert_eq!(rows, 6, "{what}");
            has(&said, "the experiment a is left out");
        }
    }
}

/// A link with a name of its own is an experiment of its own.
#[test]
fn a_link_to_a_spec_is_an_experiment() {
    let place = place_with(&spec(1, 3).replace("name = \"drawn\"\n", ""));
    let link = place.path().join("experiments/b.toml");
    std::os::unix::fs::symlink("a.toml", link).expect("a link can be made");
    place.succeed("run -q experiments/a.toml experiments/b.toml ./experiments/a.toml");
    assert_eq!(
        (
            place.runs("results", "a").len(),
            place.runs("results", "b").len()
        ),
        (1, 1)
    );
    place.succeed("report -q experiments/a.toml experiments/b.toml");
    assert_eq!(files_of(&place.path().join("figures"), ".svg").len(), 2);
}

/// Specs of the present folder are listed, those that never ran, too, and files that are none are
/// not.
#[test]
fn specs_of_the_present_folder_are_listed() {
    let place = Workplace::with(&spec(1, 3));
    place.write("Cargo.toml", "[package]\nname = \"x\"\n");
    let listed = || stdout(&place.succeed("list"));
    has(&listed(), "no results");
    lacks(&listed(), "Cargo");
    place.succeed("run -q a");
    has(&listed(), "complete");
    place.write("a.toml", &spec(1, 4));
    has(&listed(), "of other code or plan");
}

/// Every axis and the goal have a column.
#[test]
fn the_means_of_all_runs_have_every_axis() {
    let place = Workplace::with(
        "seed = 1\n[[sweep]]\nalgorithm = \"factor\"\nproduct = [6, 10]\nepsilon = 0.1\ntrials = 2\n\
         cutoff = 1000\n[[sweep]]\nalgorithm = \"lines\"\nn = 4\ncutoff = 1e6\ngoal = \"first\"\n",
    );
    place.succeed("run -q a.toml");
    let rows = crate::program::csv(&stdout(&place.succeed("list a --csv")));
    let cells: Vec<[&str; 4]> = rows
        .iter()
        .map(|row| ["algorithm", "n", "product", "goal"].map(|column| &*row[column]))
        .collect();
    let expected = [
        ["factor", "", "6", ""],
        ["factor", "", "10", ""],
        ["lines", "4", "", "first"],
    ];
    assert_eq!(cells, expected);
}
