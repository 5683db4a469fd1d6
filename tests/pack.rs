//! `reines pack`: runs as an RO-Crate, and back; `reines verify --rerun` of what others hand over.

use std::process::Command;

use crate::program::{Workplace, forge_plan, has, skipped, stderr, stdout};

const SPEC: &str = "tags = [\"b\", \"a\"]\ntitle = \"Two sides\"\nseed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\ntrials = 6\ncutoff = 1e5\n\
                    [[figure]]\nkind = \"convergence-vs-n\"\n";

/// Python reads the archive, and the description names every file with its SHA-256.
#[test]
fn the_description_names_every_file() {
    let place = Workplace::with(SPEC);
    place.succeed("run -q a.toml");
    place.succeed("pack a -o a.crate.zip");
    let script = r##"
import hashlib, json, zipfile
archive = zipfile.ZipFile("a.crate.zip")
assert archive.testzip() is None
names = set(archive.namelist())
assert archive.namelist() == sorted(names)
graph = {it["@id"]: it for it in json.loads(archive.read("ro-crate-metadata.json"))["@graph"]}
root = graph["./"]
assert {it["@id"] for it in root["hasPart"]} == names - {"ro-crate-metadata.json"}
for name in names - {"ro-crate-metadata.json"}:
    assert hashlib.sha256(archive.read(name)).hexdigest() == graph[name]["sha256"], name
assert root["mentions"] == {"@id": "#run-a"}, "a list of one is its value"
assert root["keywords"] == "n-queens, b, a" and root["publisher"] == root["author"]
assert graph["ro-crate-metadata.json"]["conformsTo"]["@id"] == "https://w3id.org/ro/crate/1.1"
action = graph["#run-a"]
assert action["@type"] == "CreateAction" and action["object"]["@id"] == "a/spec.toml"
assert action["endTime"] == root["datePublished"] and action["endTime"].endswith("+00:00")
assert {"@id": "a/trials.parquet"} in action["result"]
assert graph[action["instrument"]["@id"]]["@type"] == "SoftwareApplication"
def ids(value):
    if isinstance(value, dict):
        if set(value) == {"@id"}: yield value["@id"]
        for it in value.values(): yield from ids(it)
    elif isinstance(value, list):
        for it in value: yield from ids(it)
missing = {it for entity in graph.values() for it in ids(entity)} - set(graph)
assert missing <= {"https://w3id.org/ro/crate/1.1"}, missing
print("sound")
"##;
    let output = Command::new("python3")
        .arg("-c")
        .arg(script)
        .current_dir(place.path())
        .output();
    let Ok(output) = output else {
        skipped("no python3");
        return;
    };
    assert_eq!(stdout(&output), "sound\n", "{}", stderr(&output));
}

/// What others hand over does not lift the limits on a plan.
#[test]
fn a_run_of_a_huge_plan_is_not_repeated() {
    let place = Workplace::with(SPEC);
    place.succeed("run -q a.toml");
    let run = place.run("results");
    place.write(
        "a.toml",
        &SPEC.replace("trials = 6", "trials = 4_000_000_000"),
    );
    forge_plan(&place, &run);
    let said = place.ends(2, format!("verify --rerun {}", run.display()));
    has(
        &said,
        "a plan of 8000000000 trials; expected at most 100000000 without --allow-huge",
    );
}
