//! What `reines list` says about the registries.

use reines::cli::list;
use reines::solver::ALGORITHMS;

#[test]
fn every_algorithm_is_listed_with_its_axes_and_columns() {
    let mut out = Vec::new();
    list::write_algorithms(&mut out).expect("written to memory");
    let text = String::from_utf8(out).expect("UTF-8");
    for algorithm in ALGORITHMS {
        let (_, own) = text.split_once(&format!("{}: {}", algorithm.name(), algorithm.doc())).expect("its heading");
        for axis in algorithm.axes() {
            let line = own.lines().find(|line| line.trim_start().starts_with(axis.name)).expect("its axis");
            assert!(line.contains(&axis.domain.to_string()) && line.ends_with(axis.doc), "{line}");
        }
        for column in algorithm.columns() {
            assert!(own.lines().any(|line| line.trim_start().starts_with(column.name) && line.ends_with(column.doc)), "{}", column.name);
        }
    }
}

#[test]
fn programs_read_domains_and_units() {
    let json = serde_json::to_value(list::algorithms_json()).expect("JSON");
    let pair = json.as_array().and_then(|all| all.iter().find(|one| one["name"] == "pair")).expect("the pair rule");
    let epsilon = pair["axes"].as_array().and_then(|axes| axes.iter().find(|axis| axis["name"] == "epsilon")).expect("its ε");
    assert_eq!((&epsilon["type"], &epsilon["min"], &epsilon["max"]), (&"real".into(), &0.0.into(), &1.0.into()));
    let units: Vec<_> = pair["columns"].as_array().into_iter().flatten().map(|column| column["unit"].as_str()).collect();
    assert!(units.contains(&Some("updates")) && units.iter().all(Option::is_some));
}
