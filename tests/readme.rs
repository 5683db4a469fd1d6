//! What the README, the tutorial, the help and the page on data show: their commands run and
//! print what the page says, their links lead somewhere, their recipes read the results.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Output;

use crate::program::{
    Workplace, csv, files_of, has, name_of, root, skipped, stderr, stdout, words,
};
use crate::programs::has_python;

fn text_of(page: &str) -> String {
    crate::program::text_of(root().join(page))
}

/// The blocks of a page, each with its language.
pub fn blocks(page: &str) -> Vec<(String, String)> {
    let text = text_of(page);
    let block = |block: &str| {
        let (language, rest) = block.split_once('\n').expect("a line");
        (language.to_owned(), rest.to_owned())
    };
    let pieces = text.split("```").skip(1).step_by(2);
    pieces.map(block).collect()
}

/// A folder with what the pages name, the reference results of one experiment among them: all of
/// them would be read by each run, for its forecast.
fn place() -> Workplace {
    let place = Workplace::new();
    for folder in ["results/reference", "experiments", "docs"] {
        fs::create_dir_all(place.path().join(folder)).expect("a fresh folder");
    }
    for name in ["results/reference/blocked", "docs/boards"] {
        symlink(root().join(name), place.path().join(name)).expect("a link");
    }
    for name in ["docs/class.toml", "experiments/blocked.toml"] {
        place.write(name, &text_of(name));
    }
    place
}

/// Runs the commands of a page one after the other, but for those of make. A block of TOML that
/// begins with `# path` is a file; a block of text is what the commands before it print, each line
/// with `…` for what may differ.
fn run_page(page: &str, place: &Workplace) {
    let mut printed = String::new();
    for (language, block) in blocks(page) {
        let named = block.strip_prefix("# ").and_then(|it| it.lines().next());
        match (language.as_str(), named) {
            ("toml", Some(name)) => {
                place.write(name, &block);
            }
            ("sh", _) => {
                let lines = block.lines().filter(|line| !line.starts_with("make "));
                // What the reference lacks is not compared.
                let diff = "reines diff results/reference results";
                let commands = lines.collect::<Vec<_>>().join("\n");
                let commands = commands.replace(diff, &format!("{diff} || [ $? = 3 ]"));
                let output = place.tool("/bin/sh").args(["-ec", &commands]).output();
                let output = output.expect("there is a shell");
                printed = stdout(&output) + &stderr(&output);
                assert!(output.status.success(), "{page}: {commands}\n{printed}");
            }
            ("text", _) => {
                for line in block.lines() {
                    let is_there = printed.lines().any(|it| begins_like(it, line));
                    assert!(is_there, "{page}: {line}\nis not in\n{printed}");
                }
            }
            _ => {}
        }
    }
}

/// True if a line has the pieces between `…` in this order, the first at its start.
fn begins_like(line: &str, expected: &str) -> bool {
    let mut pieces = expected.split('…');
    let mut rest = line.strip_prefix(pieces.next().unwrap_or_default());
    for piece in pieces {
        rest = rest.and_then(|rest| Some(rest.split_once(piece)?.1));
    }
    rest.is_some()
}

#[test]
fn the_tutorial_prints_what_it_says() {
    run_page("docs/tutorial.md", &place());
}

#[test]
fn the_commands_of_the_readme_run() {
    let place = place();
    // For `reines diff results/reference results`.
    place.succeed("run -q --quick experiments/blocked.toml");
    run_page("README.md", &place);
}

/// The examples of a command's help, without the remarks after them.
fn examples(command: &str, place: &Workplace) -> Vec<String> {
    let help = stdout(&place.succeed(format!("{command} --help")));
    let help = help.replace("Example:\n", "Examples:\n");
    let (_, examples) = help.split_once("Examples:\n").unwrap_or_default();
    let lines = examples.lines().take_while(|line| !line.is_empty());
    let own = lines.filter(|line| line.starts_with("  reines "));
    own.filter_map(|line| line.trim().split("   ").next())
        .map(str::to_owned)
        .collect()
}

/// Every example of every command's help runs, in a folder with what it names.
#[test]
fn the_examples_of_the_help_run() {
    const COMMANDS: [&str; 10] = [
        "new", "replay", "solve", "list", "check", "run", "report", "diff", "export", "verify",
    ];
    // One needs a revision to build.
    let has_python = has_python();
    let is_for_here = |line: &String| {
        let needs_python = line.contains("walk.toml");
        !line.contains("--rev") && (has_python || !needs_python)
    };
    let place = Workplace::new();
    fs::create_dir(place.path().join("experiments")).expect("a fresh folder");
    // A replay of `epsilon` is of one point; two sweeps there would give two.
    let rule = "algorithm = \"pair\"\nn = [4, 8]\n";
    let both = &format!("algorithm = \"cell\"\neta = 0.1\nn = 8\n[[sweep]]\n{rule}");
    for (name, sweeps) in [("epsilon", rule), ("rules", both), ("size", rule)] {
        let head = "seed = 1\n[defaults]\nepsilon = [0.01, 0.1]\ntrials = 20\ncutoff = 2e4\n";
        let figure = "[[figure]]\nkind = \"convergence-vs-n\"\n";
        let spec = format!("{head}[[sweep]]\n{sweeps}{figure}");
        place.write(&format!("experiments/{name}.toml"), &spec);
    }
    let board = "Q . . .\n. . Q .\n. Q . .\n. . . Q\n";
    for (language, file) in [("python", "walk.py"), ("toml", "walk.toml")] {
        let page = blocks("docs/programs.md");
        let block = page.iter().find(|(found, _)| found == language);
        place.write(file, &block.expect("a block of the page").1);
    }
    place.write("position.txt", board);
    place.write("board.txt", board);
    place.write("signals.txt", "a4 E\n");
    for experiment in ["epsilon", "rules", "size"] {
        place.succeed(format!("run -q {experiment}"));
        place.succeed(format!("run -q {experiment} --results results/reference"));
    }
    for command in COMMANDS {
        let examples = examples(command, &place);
        assert!(!examples.is_empty(), "{command}");
        for line in examples.into_iter().filter(is_for_here) {
            let output = place.tool("/bin/sh").args(["-ec", &line]).output();
            let output = output.expect("there is a shell");
            // A page is written over no other one.
            let _ = fs::remove_file(place.path().join("replay.html"));
            let said = stdout(&output) + &stderr(&output);
            // What the reference lacks is not compared.
            let is_incomplete = line.starts_with("reines diff") && output.status.code() == Some(3);
            assert!(output.status.success() || is_incomplete, "{line}\n{said}");
        }
    }
}

/// Nothing that a command says of itself is wider than 80 columns.
#[test]
fn help_fits_a_terminal() {
    let place = Workplace::new();
    let help = stdout(&place.succeed("--help"));
    let commands = help.lines().filter_map(|it| it.strip_prefix("  "));
    let commands = commands.filter_map(|it| it.split(' ').next());
    for command in commands.filter(|it| !["", "reines"].contains(it)) {
        let mut program = place.command(format!("{command} --help"));
        let help = stdout(&program.env("COLUMNS", "80").output().expect("it starts"));
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{command}: {line}");
        }
    }
}

/// The number of updates in the README is the mean on the results page, to two digits.
#[test]
fn the_number_in_the_readme_is_measured() {
    let table = text_of("docs/tables/moves-large.csv");
    let columns = ["algorithm", "n", "epsilon"];
    let values = ["pair", "8", "0.01"];
    let is_meant = |row: &BTreeMap<String, String>| columns.map(|name| &*row[name]) == values;
    let row = csv(&table).into_iter().find(is_meant);
    let mean: f64 = row.expect("the point")["mean(absorption_time)"]
        .parse()
        .expect("a mean");
    let thousands = (mean / 1e4).round() * 10.0;
    let shown = format!("after {thousands} 000 updates on average");
    has(&text_of("README.md").replace('\n', " "), &shown);
}

#[test]
fn the_recipes_read_the_results() {
    let place = Workplace::new();
    // One experiment serves, in less time.
    let epsilon = "results/reference/epsilon";
    fs::create_dir_all(place.path().join("results/reference")).expect("a fresh folder");
    symlink(root().join(epsilon), place.path().join(epsilon)).expect("a link");
    let snippets = |language: &str| {
        let blocks = blocks("docs/data.md").into_iter();
        let of_language = blocks.filter(|(name, _)| name == language);
        of_language.map(|(_, text)| text).collect::<Vec<String>>()
    };
    let snippet = |language: &str| snippets(language).swap_remove(0);
    let shell = place.tool("/bin/sh").args(["-ec", &snippet("sh")]).output();
    shell.expect("there is a shell");
    if let Some(output) = tried("python3", "import pandas, pyarrow", &snippet("py"), &place) {
        let printed = stdout(&output);
        let points = printed.lines().filter(|it| it.contains("NaN")).count();
        assert!(points > 10, "{printed}");
    }
    let duckdb = format!(
        "import duckdb\nrows = duckdb.sql(\"\"\"{}\"\"\").fetchall()\nassert len(rows) > 10\nassert any(row[0] == 'pair' and row[2] == 8 and row[5] >= 1000 for row in rows), rows",
        snippet("sql")
    );
    tried("python3", "import duckdb", &duckdb, &place);
    tried("Rscript", "library(nanoparquet)", &snippet("r"), &place);
    place.succeed("export --results results/reference -o trials.csv");
    let probe = "library(data.table); library(survival)";
    if let Some(output) = tried("Rscript", probe, &snippets("r")[1], &place) {
        // By pandas, of 1 000 trials at ε = 0.01: 331 379 and 335 216 are the middle two.
        let printed = stdout(&output);
        let line = printed.lines().find(|line| line.contains(" 0.0100 "));
        has(line.unwrap_or_default(), "1000   333297.5");
    }
}

/// Runs a snippet, unless there is no such interpreter here or it lacks the library.
fn tried(program: &str, probe: &str, text: &str, place: &Workplace) -> Option<Output> {
    let option = if program == "Rscript" { "-e" } else { "-c" };
    let call = |text: &str| place.tool(program).arg(option).arg(text).output().ok();
    if !call(probe).is_some_and(|it| it.status.success()) {
        skipped(&format!("no {program} with {probe}"));
        return None;
    }
    let output = call(text)?;
    assert!(output.status.success(), "{program}: {}", stderr(&output));
    Some(output)
}

/// Pages with links, from the root.
fn pages() -> Vec<String> {
    let mut pages = words("README.md CONTRIBUTING.md CHANGELOG.md");
    let docs = files_of(&root().join("docs"), ".md");
    pages.extend(docs.iter().map(|it| format!("docs/{}", name_of(it))));
    pages
}

/// Names of the sections of a page, as links have them.
fn sections(text: &str) -> Vec<String> {
    let kept = |c: char| c.is_alphanumeric() || "-_ ".contains(c);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let titles = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase());
    let name = |title: String| title.chars().filter(|&c| kept(c)).collect::<String>();
    titles.map(|title| name(title).replace(' ', "-")).collect()
}

#[test]
fn no_link_of_the_docs_is_dead() {
    let mut dead = Vec::new();
    for page in pages() {
        let text = text_of(&page);
        let links = text.split("](").skip(1).chain(text.split("src=\"").skip(1));
        for link in links.filter_map(|rest| rest.split([')', '"']).next()) {
            if link.contains("://") {
                continue;
            }
            let (file, section) = link.split_once('#').unwrap_or((link, ""));
            let mut target = root().join(&page);
            if !file.is_empty() {
                target.set_file_name(file);
            }
            let text = fs::read_to_string(&target).unwrap_or_default();
            let is_there = section.is_empty() || sections(&text).contains(&section.to_owned());
            if !target.exists() || !is_there {
                dead.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}
