//! `ro-crate-metadata.json`: RO-Crate 1.1 with the profile Process Run Crate 0.5.

use std::iter::once;

use itertools::Itertools;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Files, PackedRun};
use crate::results::runs::CompleteRun;

pub const NAME: &str = "ro-crate-metadata.json";

/// What every crate says: its context, and of the graph this file, the profile and the authors.
const COMMON: &str = include_str!("common.json");

const PROFILE: &str = "https://w3id.org/ro/wfrun/process/0.5";

pub fn json(packed: &[PackedRun], files: &Files) -> serde_json::Result<String> {
    let mut graph = vec![root(packed, files)];
    let versions = packed.iter().map(|(_, run)| &run.manifest.code_version);
    for version in versions.sorted().dedup() {
        graph.push(json!({
            "@id": format!("#reines-{version}"),
            "@type": "SoftwareApplication",
            "name": "reines",
            "description": "A reproducible research pipeline for the n-queens problem solved by local rules",
            "softwareVersion": version,
        }));
    }
    graph.extend(packed.iter().map(|(_, run)| action(run, files)));
    graph.extend(files.iter().map(|(name, bytes)| file(name, bytes, packed)));
    let mut metadata: Value = serde_json::from_str(COMMON)?;
    if let Some(common) = metadata["@graph"].as_array_mut() {
        common.extend(graph);
    }
    Ok(serde_json::to_string_pretty(&metadata)? + "\n")
}

fn id(name: &str) -> Value {
    json!({ "@id": name })
}

fn root(packed: &[PackedRun], files: &Files) -> Value {
    let names: Vec<&str> = packed.iter().map(|(spec, _)| &*spec.name).collect();
    let title = |(spec, _): &PackedRun| spec.title.as_ref().unwrap_or(&spec.name).clone();
    let tags = packed.iter().flat_map(|(spec, _)| &spec.tags);
    let keywords = once("n-queens").chain(tags.map(String::as_str));
    let ended = packed.iter().map(|(_, run)| &run.manifest.ended).max();
    let mut actions: Vec<Value> = names.iter().map(|it| id(&format!("#run-{it}"))).collect();
    // A list of one is its value, as RO-Crate recommends it.
    let mentions = match actions.len() {
        1 => actions.swap_remove(0),
        _ => Value::Array(actions),
    };
    json!({
        "@id": "./",
        "@type": "Dataset",
        "name": format!("Runs of reines: {}", names.join(", ")),
        "description": packed.iter().map(title).join("; "),
        "datePublished": ended.map(|it| with_offset(it)),
        "license": id("LICENSE-MIT"),
        "author": id("#authors"),
        "publisher": id("#authors"),
        "keywords": keywords.unique().join(", "),
        "conformsTo": id(PROFILE),
        "hasPart": files.keys().map(|name| id(name)).collect::<Vec<_>>(),
        "mentions": mentions,
    })
}

/// A time in UTC with the offset that the checkers of crates look for.
fn with_offset(time: &str) -> String {
    time.replace('Z', "+00:00")
}

fn action(run: &CompleteRun, files: &Files) -> Value {
    let manifest = &run.manifest;
    let (experiment, machine) = (&manifest.experiment, &manifest.machine);
    let (code_version, plan_hash) = (&manifest.code_version, &manifest.plan_hash);
    let (folder, spec) = (format!("{experiment}/"), format!("{experiment}/spec.toml"));
    let is_result = |name: &&String| name.starts_with(&folder) && **name != spec;
    let results: Vec<Value> = files.keys().filter(is_result).map(|it| id(it)).collect();
    json!({
        "@id": format!("#run-{experiment}"),
        "@type": "CreateAction",
        "name": format!("Run of {experiment}, plan {plan_hash}, code version {code_version}"),
        "description": format!("On {}, {} logical processors, {} threads", machine.cpu, machine.cores, machine.threads),
        "instrument": id(&format!("#reines-{code_version}")),
        "agent": id("#authors"),
        "startTime": with_offset(&manifest.started),
        "endTime": with_offset(&manifest.ended),
        "actionStatus": "http://schema.org/CompletedActionStatus",
        "object": id(&spec),
        "result": results,
    })
}

fn file(name: &str, bytes: &[u8], packed: &[PackedRun]) -> Value {
    let (experiment, file) = name.split_once('/').unwrap_or(("", name));
    let of = packed.iter().find(|(spec, _)| spec.name == experiment);
    let title = of.and_then(|(spec, _)| spec.title.as_deref());
    let title = title.unwrap_or(experiment);
    let description = match file {
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
    let sha256 = Sha256::digest(bytes);
    let sha256: String = sha256.iter().map(|it| format!("{it:02x}")).collect();
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
