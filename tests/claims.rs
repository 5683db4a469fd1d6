//! Each number of docs/results.md and of the findings is a cell of a table, or a ratio of two as
//! docs/statistics.md defines it.

use toml::{Table, Value};

use crate::program::{csv, experiments, root, text_of};

/// A value of a claim of docs/claims.toml; of a list, that for the claim's number `index`.
fn part(of: &Table, key: &str, index: usize) -> Option<String> {
    let value = of.get(key)?;
    let value = value.as_array().map_or(value, |it| &it[index % it.len()]);
    Some(value.as_str().map_or(value.to_string(), str::to_owned))
}

/// A cell and the ends of its interval, where it has one.
fn cell(claim: &Table, index: usize) -> [f64; 3] {
    let [table, column] = ["table", "column"].map(|key| part(claim, key, index).expect(key));
    let mut rows = csv(&text_of(root().join(table + ".csv")));
    let keys = claim["row"].as_table().expect("keys of a row");
    rows.retain(|row| {
        keys.keys().all(|it| {
            let (a, b) = (&row[it], part(keys, it, index).expect(it));
            *a == b || a.parse::<f64>().is_ok_and(|a| b.parse() == Ok(a))
        })
    });
    assert_eq!(rows.len(), 1, "rows of {claim}");
    let of = |end| rows[0].get(&format!("{column}{end}")).map_or("", |it| it);
    let ends = ["", "_low", "_high"].map(|end| of(end).parse().unwrap_or(f64::NAN));
    assert!(of("_is_bound") != "true" || is_bound(ends), "{claim}");
    ends
}

/// True for a lower bound, of which the low end alone may be claimed.
fn is_bound([_, low, high]: [f64; 3]) -> bool {
    low.is_finite() && high.is_nan()
}

/// A claim's text with its numbers: `{}`, and `{low}` and `{high}` for the ends of its interval.
fn sentence(claim: &Table) -> String {
    let mut parts = claim["text"].as_str().expect("a text").split(['{', '}']);
    let (mut text, mut count) = (parts.next().unwrap_or_default().to_owned(), 0);
    while let (Some(end), Some(words)) = (parts.next(), parts.next()) {
        count += usize::from(end.is_empty());
        let at = count.max(1) - 1;
        let mut found = cell(claim, at);
        assert!(end == "low" || !is_bound(found), "{claim}");
        if let Some(over) = claim.get("over").and_then(Value::as_table) {
            let below = claim.clone().into_iter().chain(over.clone()).collect();
            let below = cell(&below, at);
            let half_width = |it: [f64; 3]| match is_bound(it) {
                true => libm::log(it[0] / it[1]),
                false => libm::log(it[2] / it[1]) / 2.0,
            };
            let reach = libm::exp(libm::hypot(half_width(found), half_width(below)));
            found = [1.0, 1.0 / reach, reach].map(|it| it * found[0] / below[0]);
        }
        let of = |key, or| part(claim, key, at).map_or(or, |it| it.parse().expect(key));
        let index = usize::from(end == "low") + 2 * usize::from(end == "high");
        let number = of("times", 1.0) * found[index];
        let is_seen = claim.contains_key("is_seen");
        let number = if is_seen {
            libm::exp(2.8 * (2.0 / number).sqrt())
        } else {
            number
        };
        text += &format!("{:.*}{words}", of("digits", 0.0) as usize, number);
    }
    text
}

/// Claims whose text does not stand there once, and numbers without a claim: they are no power of
/// ten, name no point and no figure, and stand in no “ ” as those of the source texts do.
fn faults(text: &str) -> Vec<String> {
    let claims: Table = toml::from_str(&text_of(root().join("docs/claims.toml"))).expect("TOML");
    let (mut text, mut faults) = (text.replace('\u{202F}', "").replace('−', "-"), vec![]);
    for claim in claims["claims"].as_array().expect("a list") {
        let claim = claim.as_table().expect("a claim");
        let found = sentence(claim);
        faults.extend((text.matches(&found).count() != 1).then(|| found.clone()));
        let words = claim["text"].as_str().expect("a text").replace("·10", "");
        text = text.replace(&found, &words);
    }
    let parts = text.split('“');
    let unquoted = parts.map(|it| it.split_once('”').map_or(it, |it| it.1));
    let words = unquoted.flat_map(|it| it.split([' ', '\n', '(', '[']));
    let words: Vec<&str> = words.filter(|it| !it.is_empty()).collect();
    let loose = words.windows(4).filter(|it| {
        let names = "n = N = ε = η = ε > η > n ≥ n + n - n by";
        let is_name = names.contains(&it[..2].join(" ")) || it[1].ends_with("igure");
        let is_other = it[2].starts_with("1/d") || it[2].contains('#') || it[2..] == ["95", "%"];
        it[2].contains(|c: char| c.is_ascii_digit()) && !is_name && !is_other
    });
    faults.extend(loose.map(|it| it.join(" ")));
    faults
}

#[test]
fn each_number_of_the_results_and_the_findings_has_a_claim_that_holds() {
    let mut text = text_of(root().join("docs/results.md"));
    for spec in experiments() {
        let spec: Table = text_of(spec).parse().expect("a spec");
        text += &format!("\n{} .", part(&spec, "finding", 0).unwrap_or_default());
    }
    assert_eq!(faults(&text), Vec::<String>::new());
    assert_eq!(faults(&text.replace("491 (468", "492 (468")).len(), 3);
    assert_eq!(faults(&(text + " Half of 7 queens")), ["Half of 7 queens"]);
}
