//! `ro-crate-metadata.json`: RO-Crate 1.1 with the profile Process Run Crate 0.5.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Files, Packed};
use crate::experiment::provenance::Manifest;

pub const NAME: &str = "ro-crate-metadata.json";

const PROFILE: &str = "https://w3id.org/ro/wfrun/process/0.5";

/// The description of a crate with these runs and files.
///
/// # Errors
/// None that these values can cause.
pub fn json(packed: &[Packed], files: &Files) -> serde_json::Result<String> {
    let mut graph = vec![descriptor(), root(packed, files), profile()];
    let mut programs: Vec<&str> = packed.iter().map(|it| version(&it.run.manifest)).collect();
    programs.sort_unstable();
    programs.dedup();
    graph.extend(programs.into_iter().map(program));
    graph.push(json!({
        "@id": "#authors",
        "@type": "Organization",
        "name": "The reines developers",
    }));
    for own in packed {
        graph.push(action(own));
    }
    graph.extend(files.iter().map(|(name, bytes)| file(name, bytes, packed)));
    let context = json!([
        "https://w3id.org/ro/crate/1.1/context",
        {
            "sha256": "https://schema.org/sha256",
        },
    ]);
    let crate_ = json!({ "@context": context, "@graph": graph });
    Ok(serde_json::to_string_pretty(&crate_)? + "\n")
}

fn id(name: &str) -> Value {
    json!({ "@id": name })
}

/// A list, and its value where it has one alone, as RO-Crate recommends it.
fn one_or_all(mut values: Vec<Value>) -> Value {
    match values.len() {
        1 => values.swap_remove(0),
        _ => Value::Array(values),
    }
}

fn descriptor() -> Value {
    json!({
        "@id": NAME,
        "@type": "CreativeWork",
        "about": id("./"),
        "conformsTo": id("https://w3id.org/ro/crate/1.1"),
    })
}

fn profile() -> Value {
    json!({
        "@id": PROFILE,
        "@type": "CreativeWork",
        "name": "Process Run Crate",
        "version": "0.5",
    })
}

fn root(packed: &[Packed], files: &Files) -> Value {
    let names: Vec<&str> = packed.iter().map(|it| &*it.spec.name).collect();
    let titles: Vec<&str> = packed
        .iter()
        .map(|it| it.spec.title.as_deref().unwrap_or(&it.spec.name))
        .collect();
    let ended = packed.iter().map(|it| &it.run.manifest.ended).max();
    json!({
        "@id": "./",
        "@type": "Dataset",
        "name": format!("Runs of reines: {}", names.join(", ")),
        "description": titles.join("; "),
        "datePublished": ended.map(|it| with_offset(it)),
        "license": id("LICENSE-MIT"),
        "author": id("#authors"),
        "publisher": id("#authors"),
        "keywords": keywords(packed),
        "conformsTo": id(PROFILE),
        "hasPart": files.keys().map(|name| id(name)).collect::<Vec<_>>(),
        "mentions": one_or_all(names.iter().map(|name| id(&action_id(name))).collect()),
    })
}

/// `n-queens`, then the tags of the specs, each once.
fn keywords(packed: &[Packed]) -> String {
    let mut words = vec!["n-queens"];
    for tag in packed.iter().flat_map(|it| &it.spec.tags) {
        if !words.contains(&&**tag) {
            words.push(tag);
        }
    }
    words.join(", ")
}

/// A time in UTC with the offset that the checkers of crates look for.
fn with_offset(time: &str) -> String {
    match time.strip_suffix('Z') {
        Some(time) => format!("{time}+00:00"),
        None => time.to_owned(),
    }
}

/// The code version of the program that made a run.
fn version(manifest: &Manifest) -> &str {
    &manifest.code_version
}

fn program_id(version: &str) -> String {
    format!("#reines-{version}")
}

fn program(version: &str) -> Value {
    json!({
        "@id": program_id(version),
        "@type": "SoftwareApplication",
        "name": "reines",
        "description": "A reproducible research pipeline for the n-queens problem solved by local rules",
        "softwareVersion": version,
    })
}

fn action_id(experiment: &str) -> String {
    format!("#run-{experiment}")
}

fn action(own: &Packed) -> Value {
    let Manifest {
        experiment,
        code_version,
        plan_hash,
        started,
        ended,
        machine,
        ..
    } = &own.run.manifest;
    let results: Vec<Value> = own
        .tables
        .iter()
        .chain(&own.figures)
        .map(|name| id(name))
        .chain([id(&format!("{experiment}/manifest.toml"))])
        .collect();
    json!({
        "@id": action_id(experiment),
        "@type": "CreateAction",
        "name": format!("Run of {experiment}, plan {plan_hash}, code version {code_version}"),
        "description": format!("On {}, {} logical processors, {} threads", machine.cpu, machine.cores, machine.threads),
        "instrument": id(&program_id(code_version)),
        "agent": id("#authors"),
        "startTime": with_offset(started),
        "endTime": with_offset(ended),
        "actionStatus": "http://schema.org/CompletedActionStatus",
        "object": id(&format!("{experiment}/spec.toml")),
        "result": results,
    })
}

fn file(name: &str, bytes: &[u8], packed: &[Packed]) -> Value {
    let (format, description) = kind(name, packed);
    let sha256: String = Sha256::digest(bytes)
        .iter()
        .map(|it| format!("{it:02x}"))
        .collect();
    json!({
        "@id": name,
        "@type": "File",
        "name": description,
        "encodingFormat": format,
        "contentSize": bytes.len().to_string(),
        "sha256": sha256,
        "identifier": format!("blake3:{}", blake3::hash(bytes).to_hex()),
    })
}

/// What a file is: its media type and a line.
fn kind(name: &str, packed: &[Packed]) -> (&'static str, String) {
    let (experiment, file) = name.split_once('/').unwrap_or(("", name));
    let of = packed.iter().find(|it| it.spec.name == experiment);
    let title = of.and_then(|it| it.spec.title.clone());
    let title = title.unwrap_or_else(|| experiment.to_owned());
    let line = match file {
        "spec.toml" => format!("The spec of {title}"),
        "manifest.toml" => format!("Code version, machine, command and checksums of {title}"),
        "trials.parquet" => format!("A row for each trial of {title}"),
        "timings.parquet" => format!("Wall-clock seconds of each trial of {title}"),
        "CITATION.cff" => "How to cite reines".to_owned(),
        "LICENSE-MIT" => "The MIT licence, at your choice instead of Apache 2.0".to_owned(),
        "LICENSE-APACHE" => "The Apache licence 2.0, at your choice instead of MIT".to_owned(),
        "ro-crate-preview.html" => "All of it as a page to read".to_owned(),
        other => format!("{other} of {title}"),
    };
    let format = match file.rsplit_once('.').map(|(_, ending)| ending) {
        Some("toml") => "application/toml",
        Some("parquet") => "application/vnd.apache.parquet",
        Some("svg") => "image/svg+xml",
        Some("csv") => "text/csv",
        Some("html") => "text/html",
        Some("cff") => "application/yaml",
        _ => "text/plain",
    };
    (format, line)
}
