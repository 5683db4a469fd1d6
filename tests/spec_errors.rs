//! The errors that each slip in a spec gets, to the letter.

use crate::spec::{refused, with};

/// A changed line of the good spec, what stands there instead, and the whole message.
type Slip = (&'static str, &'static str, &'static str);

fn assert_refused(slips: &[Slip]) {
    let told: Vec<_> = slips
        .iter()
        .map(|(line, by, _)| refused(&with(line, by)))
        .collect();
    let wrong: Vec<_> = told
        .iter()
        .zip(slips)
        .filter(|(told, (_, _, expected))| told.as_str() != *expected)
        .collect();
    let report: Vec<_> = wrong
        .iter()
        .map(|(told, (_, by, expected))| format!("{by}\n     told {told}\n expected {expected}\n"))
        .collect();
    assert!(wrong.is_empty(), "{}", report.join("\n"));
}

#[test]
fn tags_and_notes() {
    let tag = "allowed is a text without control characters, commas, and blanks at its ends";
    let list = "allowed is a list of at most 100 texts";
    let notes = "allowed is a text, of several lines if wanted, without other control characters";
    for (found, expected) in [
        ("tags = \"a\"", format!("tags = \"a\": {list}")),
        ("tags = [\"a\", 3]", format!("tags = 3: {tag}")),
        ("tags = [\"\"]", format!("tags = \"\": {tag}")),
        ("tags = [\" a\"]", format!("tags = \" a\": {tag}")),
        ("tags = [\"a,b\"]", format!("tags = \"a,b\": {tag}")),
        (
            "tags = [\"a\", \"b\", \"a\"]",
            "tags = \"a\": the tag is doubled; allowed is each tag once".to_owned(),
        ),
        ("notes = 3", format!("notes = 3: {notes}")),
        ("notes = \"\\t\"", format!("notes = \"\\t\": {notes}")),
    ] {
        let by = format!("seed = 7\n{found}");
        let expected = format!("small.toml:3: {expected}");
        assert_eq!(refused(&with("seed = 7", &by)), expected);
    }
    let many = format!("seed = 7\ntags = [{}]", "\"a\", ".repeat(101));
    assert!(refused(&with("seed = 7", &many)).ends_with(list));
}

#[test]
fn keys_that_are_unknown_missing_or_doubled() {
    assert_refused(&[
        (
            "epsilon = 0.01",
            "epslon = 0.01",
            "small.toml:7: epslon = 0.01: unknown key; allowed are algorithm, trials, cutoff, n, epsilon, eta, series, events; did you mean \"epsilon\"?",
        ),
        (
            "epsilon = 0.01",
            "colour = \"red\"",
            "small.toml:7: colour = \"red\": unknown key; allowed are algorithm, trials, cutoff, n, epsilon, eta, series, events",
        ),
        (
            "algorithm = \"cell\"",
            "algorithm = \"pair\"\nepslon = 1",
            "small.toml:6: epslon = 1: unknown key; allowed are algorithm, trials, cutoff, n, epsilon, series, events; did you mean \"epsilon\"?",
        ),
        (
            "algorithm = \"cell\"",
            "algorithm = \"cp\"\ngoals = \"all\"",
            "small.toml:6: goals = \"all\": unknown key; allowed are algorithm, trials, cutoff, n, goal, repeats, variant, model, constraints, symmetry, decision, branching; did you mean \"goal\"?",
        ),
        (
            "epsilon = 0.01",
            "",
            "small.toml:4: missing key epsilon; needed is a number from 0 to 1, a list of them, {from, to, step} or {from, to, points, scale}",
        ),
        (
            "trials = 20",
            "",
            "small.toml:4: missing key trials; needed is an integer from 1 to 4294967295, or {min, max, precision}",
        ),
        (
            "cutoff = 1e6",
            "",
            "small.toml:4: missing key cutoff; needed is an integer from 1 to 18446744073709551615, in updates per trial",
        ),
        (
            "algorithm = \"cell\"",
            "",
            "small.toml:4: missing key algorithm; needed is one of cell, cell-fewer, cell-fewer-relaxation, cell-relaxation, cp, factor, pair, pair-fewer, pair-fewer-relaxation, pair-relaxation, synchronous, attacks, backtracking, bitboard, cells, distinct-cells, construction, fill, heap, lines, partial-lists, permutations, quadrants, rows",
        ),
        (
            "algorithm = \"cell\"",
            "algoritm = \"cell\"",
            "small.toml:5: algoritm = \"cell\": unknown key; allowed are algorithm, trials, cutoff, n, epsilon, eta, product, goal, repeats, variant, reading, model, constraints, symmetry, decision, branching, queens, series, events; did you mean \"algorithm\"?",
        ),
        (
            "seed = 7",
            "",
            "small.toml:1: missing key seed; needed is seed, an integer from 0 to 18446744073709551615, or seeds, a list of them",
        ),
        (
            "seed = 7",
            "seed = 7\nseeds = [1, 2]",
            "small.toml:3: seeds = [1, 2]: seed stands beside it; allowed is one of the two",
        ),
        (
            "seed = 7",
            "sead = 7",
            "small.toml:2: sead = 7: unknown key; allowed are title, source, tags, notes, group, rank, finding, seed, seeds, sweep, figure; did you mean \"seed\"?",
        ),
        (
            "seed = 7",
            "seed = 7\ntag = \"a\"",
            "small.toml:3: tag = \"a\": unknown key; allowed are title, source, tags, notes, group, rank, finding, seed, seeds, sweep, figure; did you mean \"tags\"?",
        ),
        (
            "seed = 7",
            "seed = 7\n[swep]\nn = 3",
            "small.toml:3: swep = [swep]: unknown key; allowed are title, source, tags, notes, group, rank, finding, seed, seeds, sweep, figure; did you mean \"sweep\"?",
        ),
        (
            "cutoff = 1e6",
            "cutoff = 1e6\ntrials = 30",
            "small.toml:11: trials = 30: not TOML: the key is doubled; allowed is each key once in a table",
        ),
        (
            "algorithm = \"cell\"",
            "algorithm = \"pair\"",
            "small.toml:8: eta = 0.1: the algorithm pair has no such axis; allowed are n, epsilon",
        ),
        (
            "algorithm = \"cell\"",
            "algorithm = \"synchronous\"\nvariant = \"blind\"",
            "small.toml:9: eta = 0.1: the variant blind of synchronous has no such axis; allowed are n, epsilon",
        ),
        (
            "eta = 0.1",
            "variant = [\"blind\", \"informed\"]",
            "small.toml:8: variant = [\"blind\", \"informed\"]: the algorithm cell has no variants; allowed is no such key",
        ),
        (
            "algorithm = \"cell\"",
            "algorithm = \"cells\"",
            "small.toml:5: algorithm = \"cells\": it has no epsilon, eta; allowed is an algorithm that has them; did you mean \"cell\"?",
        ),
        (
            "n = 8",
            "product = 15",
            "small.toml:6: product = 15: the algorithm cell has no such axis; allowed are n, epsilon, eta",
        ),
        (
            "kind = \"convergence-vs-n\"",
            "name = \"x\"",
            "small.toml:12: missing key kind; needed is one of convergence-vs-epsilon, convergence-vs-n, pair-vs-cell",
        ),
        (
            "kind = \"convergence-vs-n\"",
            "kind = \"convergence-vs-n\"\nnames = \"x\"",
            "small.toml:14: names = \"x\": unknown key; allowed are kind, name, where, width, title; did you mean \"name\"?",
        ),
    ]);
}

#[test]
fn keys_of_ranges() {
    assert_refused(&[
        (
            "n = 8",
            "n = { from = 4, to = 8 }",
            "small.toml:6: n = { from = 4, to = 8 }: neither step nor points; allowed is {from, to, step} or {from, to, points, scale}",
        ),
        (
            "n = 8",
            "n = { to = 8, step = 1 }",
            "small.toml:6: missing key n.from; needed is an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 8, steps = 1 }",
            "small.toml:6: n.steps = 1: unknown key; allowed are from, to, step, points, scale; did you mean \"step\"?",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 8, step = 1, points = 5 }",
            "small.toml:6: n = { from = 4, to = 8, step = 1, points = 5 }: step and points exclude each other; allowed is {from, to, step} or {from, to, points, scale}",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 8, step = 1, scale = \"log\" }",
            "small.toml:6: n = { from = 4, to = 8, step = 1, scale = \"log\" }: scale goes with points, not with step; allowed is {from, to, step} or {from, to, points, scale}",
        ),
    ]);
}

#[test]
fn values_out_of_their_domain() {
    assert_refused(&[
        (
            "epsilon = 0.01",
            "epsilon = 1.5",
            "small.toml:7: epsilon = 1.5: allowed is a number from 0 to 1",
        ),
        (
            "epsilon = 0.01",
            "epsilon = -0.01",
            "small.toml:7: epsilon = -0.01: allowed is a number from 0 to 1",
        ),
        (
            "epsilon = 0.01",
            "epsilon = nan",
            "small.toml:7: epsilon = nan: allowed is a number from 0 to 1",
        ),
        (
            "epsilon = 0.01",
            "epsilon = inf",
            "small.toml:7: epsilon = inf: allowed is a number from 0 to 1",
        ),
        (
            "epsilon = 0.01",
            "epsilon = 1e-400",
            "small.toml:7: epsilon = 1e-400: allowed is a number from 0 to 1",
        ),
        (
            "eta = 0.1",
            "eta = [0.1,\n  2]",
            "small.toml:9: eta = 2: allowed is a number from 0 to 1",
        ),
        (
            "n = 8",
            "n = 0",
            "small.toml:6: n = 0: allowed is an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = 65",
            "small.toml:6: n = 65: allowed is an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = -8",
            "small.toml:6: n = -8: allowed is an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = 8.5",
            "small.toml:6: n = 8.5: allowed is an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = 99999999999999999999999999999999999999999999999999",
            "small.toml:6: n = 99999999999999999999999999999999999999999999999999: allowed is an integer from 1 to 64",
        ),
        (
            "trials = 20",
            "trials = 0",
            "small.toml:9: trials = 0: allowed is an integer from 1 to 4294967295, or {min, max, precision}",
        ),
        (
            "trials = 20",
            "trials = -1",
            "small.toml:9: trials = -1: allowed is an integer from 1 to 4294967295, or {min, max, precision}",
        ),
        (
            "trials = 20",
            "trials = 1_000_000_000_000",
            "small.toml:9: trials = 1_000_000_000_000: allowed is an integer from 1 to 4294967295, or {min, max, precision}",
        ),
        (
            "trials = 20",
            "trials = 2.5",
            "small.toml:9: trials = 2.5: allowed is an integer from 1 to 4294967295, or {min, max, precision}",
        ),
        (
            "cutoff = 1e6",
            "cutoff = 0",
            "small.toml:10: cutoff = 0: allowed is an integer from 1 to 18446744073709551615, in updates per trial",
        ),
        (
            "cutoff = 1e6",
            "cutoff = 1e20",
            "small.toml:10: cutoff = 1e20: allowed is an integer from 1 to 18446744073709551615, in updates per trial",
        ),
        (
            "cutoff = 1e6",
            "cutoff = inf",
            "small.toml:10: cutoff = inf: allowed is an integer from 1 to 18446744073709551615, in updates per trial",
        ),
        (
            "seed = 7",
            "seed = -1",
            "small.toml:2: seed = -1: allowed is an integer from 0 to 18446744073709551615",
        ),
        (
            "seed = 7",
            "seed = 0.5",
            "small.toml:2: seed = 0.5: allowed is an integer from 0 to 18446744073709551615",
        ),
        (
            "seed = 7",
            "seeds = []",
            "small.toml:2: seeds = []: allowed is a list of 1 to 1000 seeds, each an integer from 0 to 18446744073709551615",
        ),
        (
            "seed = 7",
            "seeds = 3",
            "small.toml:2: seeds = 3: allowed is a list of 1 to 1000 seeds, each an integer from 0 to 18446744073709551615",
        ),
        (
            "seed = 7",
            "seeds = [1, 2, 1]",
            "small.toml:2: seeds = 1: the seed is doubled; allowed is each seed once",
        ),
    ]);
}

#[test]
fn numbers_of_trials_that_rows_are_to_decide() {
    let min = "small.toml:9: trials.min = 29: allowed is an integer from 30 to 4294967295";
    assert_refused(&[
        (
            "trials = 20",
            "trials = { min = 29, max = 100, precision = 0.05 }",
            min,
        ),
        (
            "trials = 20",
            "trials = { min = 100, max = 99, precision = 0.05 }",
            "small.toml:9: trials.max = 99: allowed is an integer from 100 to 4294967295, not below min",
        ),
        (
            "trials = 20",
            "trials = { min = 30, max = 4294967296, precision = 0.05 }",
            "small.toml:9: trials.max = 4294967296: allowed is an integer from 30 to 4294967295, not below min",
        ),
        (
            "trials = 20",
            "trials = { min = 30, max = 100, precision = 0 }",
            "small.toml:9: trials.precision = 0: allowed is a number above 0 and below 1",
        ),
        (
            "trials = 20",
            "trials = { min = 30, max = 100, precision = 1 }",
            "small.toml:9: trials.precision = 1: allowed is a number above 0 and below 1",
        ),
        (
            "trials = 20",
            "trials = { min = 30, max = 100, precision = nan }",
            "small.toml:9: trials.precision = nan: allowed is a number above 0 and below 1",
        ),
        (
            "trials = 20",
            "trials = { min = 30, max = 100, precison = 0.05 }",
            "small.toml:9: trials.precison = 0.05: unknown key; allowed are min, max, precision; did you mean \"precision\"?",
        ),
        (
            "trials = 20",
            "trials = { min = 30, max = 100 }",
            "small.toml:9: missing key trials.precision; needed is a number above 0 and below 1",
        ),
        (
            "trials = 20",
            "trials = { max = 100, precision = 0.05 }",
            "small.toml:9: missing key trials.min; needed is an integer from 30 to 4294967295",
        ),
        (
            "algorithm = \"cell\"\nn = 8\nepsilon = 0.01\neta = 0.1\ntrials = 20",
            "algorithm = \"rows\"\nn = 8\ntrials = { min = 30, max = 100, precision = 0.05 }",
            "small.toml:7: trials = { min = 30, max = 100, precision = 0.05 }: allowed is 1, since every trial would be the same; repeats times it several times",
        ),
        (
            "algorithm = \"cell\"\nn = 8\nepsilon = 0.01\neta = 0.1\ntrials = 20",
            "algorithm = \"cp\"\nn = 8\nbranching = \"random\"\ntrials = { min = 30, max = 100, precision = 0.05 }",
            "small.toml:8: trials = { min = 30, max = 100, precision = 0.05 }: allowed is an integer from 1 to 4294967295",
        ),
    ]);
}

#[test]
fn values_of_the_wrong_type() {
    assert_refused(&[
        (
            "n = 8",
            "n = \"8\"",
            "small.toml:6: n = \"8\": allowed is an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = true",
            "small.toml:6: n = true: allowed is an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = 1979-05-27",
            "small.toml:6: n = 1979-05-27: allowed is an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = []",
            "small.toml:6: n = []: allowed is a list of 1 to 100000 values, each an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = [[4, 5], 6]",
            "small.toml:6: n = [4, 5]: allowed is an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = [4, { from = 5, to = 6, step = 1 }]",
            "small.toml:6: n = { from = 5, to = 6, step = 1 }: allowed is an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = { from = [4], to = 6, step = 1 }",
            "small.toml:6: n.from = [4]: allowed is an integer from 1 to 64",
        ),
        (
            "algorithm = \"cell\"",
            "algorithm = 2",
            "small.toml:5: algorithm = 2: allowed is one of cell, cell-fewer, cell-fewer-relaxation, cell-relaxation, cp, factor, pair, pair-fewer, pair-fewer-relaxation, pair-relaxation, synchronous, attacks, backtracking, bitboard, cells, distinct-cells, construction, fill, heap, lines, partial-lists, permutations, quadrants, rows",
        ),
        (
            "title = \"A small one\"",
            "title = 1",
            "small.toml:1: title = 1: allowed is a text without control characters",
        ),
        (
            "title = \"A small one\"",
            "title = \"two\\nlines\"",
            "small.toml:1: title = \"two\\nlines\": allowed is a text without control characters",
        ),
        (
            "trials = 20",
            "trials = [20]",
            "small.toml:9: trials = [20]: allowed is an integer from 1 to 4294967295, or {min, max, precision}",
        ),
        (
            "[[sweep]]",
            "[sweep]",
            "small.toml:4: sweep = [sweep]: allowed is a table [[sweep]] for each sweep",
        ),
        (
            "[[figure]]",
            "[figure]",
            "small.toml:12: figure = [figure]: allowed is a table [[figure]] for each figure",
        ),
    ]);
}

#[test]
fn ranges_that_lead_nowhere() {
    assert_refused(&[
        (
            "n = 8",
            "n = { from = 8, to = 4, step = 1 }",
            "small.toml:6: n = { from = 8, to = 4, step = 1 }: from is greater than to; allowed is from ≤ to",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 8, step = 0 }",
            "small.toml:6: n.step = 0: allowed is an integer of at least 1",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 8, step = -1 }",
            "small.toml:6: n.step = -1: allowed is an integer of at least 1",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 8, step = 0.5 }",
            "small.toml:6: n.step = 0.5: allowed is an integer of at least 1",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 8, points = 0 }",
            "small.toml:6: n.points = 0: allowed is an integer from 2 to 100000",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 8, points = 1 }",
            "small.toml:6: n.points = 1: allowed is an integer from 2 to 100000",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 4, points = 2 }",
            "small.toml:6: n.points = 2: allowed is 1, since from = to",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 8, points = 4 }",
            "small.toml:6: n.points = 4: 5.33333333333 would be one of the values; allowed are integers",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 8, points = 4294967295 }",
            "small.toml:6: n.points = 4294967295: allowed is an integer from 2 to 100000",
        ),
        (
            "n = 8",
            "n = { from = 4, to = 65, step = 1 }",
            "small.toml:6: n.to = 65: allowed is an integer from 1 to 64",
        ),
        (
            "epsilon = 0.01",
            "epsilon = { from = 0, to = 1, points = 5, scale = \"log\" }",
            "small.toml:7: epsilon.from = 0: allowed is a number above 0 on a logarithmic scale",
        ),
        (
            "epsilon = 0.01",
            "epsilon = { from = 0.1, to = 1, points = 5, scale = \"logarithmic\" }",
            "small.toml:7: epsilon.scale = \"logarithmic\": unknown scale; allowed is one of linear, log; did you mean \"log\"?",
        ),
        (
            "epsilon = 0.01",
            "epsilon = { from = 0.1, to = 1, points = 5, scale = 10 }",
            "small.toml:7: epsilon.scale = 10: allowed is one of linear, log",
        ),
        (
            "epsilon = 0.01",
            "epsilon = { from = 0.5, to = 0.1, step = 0.1 }",
            "small.toml:7: epsilon = { from = 0.5, to = 0.1, step = 0.1 }: from is greater than to; allowed is from ≤ to",
        ),
        (
            "epsilon = 0.01",
            "epsilon = { from = 0.1, to = nan, step = 0.1 }",
            "small.toml:7: epsilon.to = nan: allowed is a number from 0 to 1",
        ),
        (
            "epsilon = 0.01",
            "epsilon = { from = 0.1, to = 0.5, step = 0 }",
            "small.toml:7: epsilon.step = 0: allowed is a finite number above 0",
        ),
        (
            "epsilon = 0.01",
            "epsilon = { from = 0.1, to = 0.5, step = nan }",
            "small.toml:7: epsilon.step = nan: allowed is a finite number above 0",
        ),
        (
            "epsilon = 0.01",
            "epsilon = { from = 0, to = 1, step = 1e-300 }",
            "small.toml:7: epsilon.step = 1e-300: more than 100000 values; allowed is a larger step",
        ),
        (
            "epsilon = 0.01",
            "epsilon = { from = 0.5, to = 0.50000000000001, points = 9 }",
            "small.toml:7: epsilon = { from = 0.5, to = 0.50000000000001, points = 9 }: its values are not distinct and ascending at 12 significant digits; allowed is a range where they are",
        ),
        (
            "epsilon = 0.01",
            "epsilon = { from = 5e-324, to = 1, points = 3, scale = \"log\" }",
            "small.toml:7: epsilon = { from = 5e-324, to = 1, points = 3, scale = \"log\" }: its values are not distinct and ascending at 12 significant digits; allowed is a range where they are",
        ),
        (
            "eta = 0.1",
            "eta = { from = 0, to = 1, points = 100_000 }\n\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1",
            "small.toml:4: missing key trials; needed is an integer from 1 to 4294967295, or {min, max, precision}\n\
             small.toml:4: missing key cutoff; needed is an integer from 1 to 18446744073709551615, in updates per trial",
        ),
        (
            "n = 8",
            "n = \"8..4\"",
            "small.toml:6: n = \"8..4\": allowed is A..B with A ≤ B, each an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = \"60..65\"",
            "small.toml:6: n = \"60..65\": allowed is A..B with A ≤ B, each an integer from 1 to 64",
        ),
        (
            "n = 8",
            "n = 4..8",
            "small.toml:6: n = 4..8: not TOML: allowed is \"4..8\", in quotes",
        ),
        (
            "epsilon = 0.01",
            "epsilon = \"0..1\"",
            "small.toml:7: epsilon = \"0..1\": allowed is a number from 0 to 1",
        ),
    ]);
}

/// Each at its line, five of them; a table with an unknown key is read no further.
#[test]
fn several_mistakes_are_told_at_once() {
    let bad = "titel = \"A\"\nseed = -1\n\n[[sweep]]\nalgorithm = \"cell\"\nn = 0\nepsilon = 2\neta = 0.1\n\
               trials = 0\ncutoff = 10\n\n[[sweep]]\nalgorithm = \"pair\"\nnn = 4\nepsilon = 2\n";
    let told = refused(bad);
    let lines: Vec<&str> = told
        .lines()
        .map(|line| line.split(": ").next().unwrap_or(line))
        .collect();
    assert_eq!(
        lines,
        [
            "small.toml:1",
            "small.toml:2",
            "small.toml:6",
            "small.toml:7",
            "small.toml:9"
        ],
        "{told}"
    );
    let both = refused(&with(
        "n = 8\nepsilon = 0.01",
        "n = 0\nepsilom = 0.01\nep = 3",
    ));
    assert_eq!(both.matches("unknown key").count(), 2, "{both}");
    assert_eq!(both.lines().count(), 2, "{both}");
}

#[test]
fn names_and_kinds_that_are_not_known() {
    assert_refused(&[
        (
            "algorithm = \"cell\"",
            "algorithm = \"cel\"",
            "small.toml:5: algorithm = \"cel\": unknown algorithm; allowed is one of cell, cell-fewer, cell-fewer-relaxation, cell-relaxation, cp, factor, pair, pair-fewer, pair-fewer-relaxation, pair-relaxation, synchronous, attacks, backtracking, bitboard, cells, distinct-cells, construction, fill, heap, lines, partial-lists, permutations, quadrants, rows; did you mean \"cell\"?",
        ),
        (
            "algorithm = \"cell\"",
            "algorithm = \"simulated annealing\"",
            "small.toml:5: algorithm = \"simulated annealing\": unknown algorithm; allowed is one of cell, cell-fewer, cell-fewer-relaxation, cell-relaxation, cp, factor, pair, pair-fewer, pair-fewer-relaxation, pair-relaxation, synchronous, attacks, backtracking, bitboard, cells, distinct-cells, construction, fill, heap, lines, partial-lists, permutations, quadrants, rows",
        ),
        (
            "kind = \"convergence-vs-n\"",
            "kind = \"convergence-vs-epsilom\"",
            "small.toml:13: kind = \"convergence-vs-epsilom\": unknown figure kind; allowed is one of convergence-vs-epsilon, convergence-vs-n, pair-vs-cell; did you mean \"convergence-vs-epsilon\"?",
        ),
        (
            "kind = \"convergence-vs-n\"",
            "kind = 3",
            "small.toml:13: kind = 3: allowed is one of convergence-vs-epsilon, convergence-vs-n, pair-vs-cell",
        ),
        (
            "kind = \"convergence-vs-n\"",
            "kind = \"pair-vs-cell\"\nname = \"../../evil\"",
            "small.toml:14: name = \"../../evil\": allowed are 1 to 100 bytes of letters, digits, - _ and . that neither start with . or - nor end with .",
        ),
        (
            "kind = \"convergence-vs-n\"",
            "kind = \"pair-vs-cell\"\nname = \"\"",
            "small.toml:14: name = \"\": allowed are 1 to 100 bytes of letters, digits, - _ and . that neither start with . or - nor end with .",
        ),
        (
            "kind = \"convergence-vs-n\"",
            "kind = \"pair-vs-cell\"\nname = \"..\"",
            "small.toml:14: name = \"..\": allowed are 1 to 100 bytes of letters, digits, - _ and . that neither start with . or - nor end with .",
        ),
        (
            "kind = \"convergence-vs-n\"",
            "kind = \"pair-vs-cell\"\nname = \"a\\u0000b\"",
            "small.toml:14: name = \"a\\u0000b\": allowed is a text without control characters",
        ),
        (
            "kind = \"convergence-vs-n\"",
            "kind = \"pair-vs-cell\"\n[[figure]]\nkind = \"pair-vs-cell\"",
            "small.toml:14: figure name \"small-pair-vs-cell\": two figures of one name would overwrite each other; allowed is a name of its own",
        ),
        (
            "kind = \"convergence-vs-n\"",
            "kind = \"pair-vs-cell\"\nname = \"A\"\n[[figure]]\nkind = \"pair-vs-cell\"\nname = \"a\"",
            "small.toml:17: name = \"a\": two figures of one name would overwrite each other; allowed is a name of its own",
        ),
    ]);
}

/// What the trials write down of their course; each slip follows the line of the cutoff, line 10.
#[test]
fn courses() {
    const UPDATES: &str = "a number of updates from 0 to 9007199254740992";
    const AT: &str = "a list of updates or {from, to, points, scale}";
    const WANTED: &str = "allowed is";
    let of_series = [
        (
            "at = []",
            format!("at = []: {WANTED} a list of 1 to 10000 updates"),
        ),
        ("at = 5", format!("at = 5: {WANTED} {AT}")),
        ("at = [1, -1]", format!("at = -1: {WANTED} {UPDATES}")),
        ("at = [1e16]", format!("at = 1e16: {WANTED} {UPDATES}")),
        ("at = [\"1\"]", format!("at = \"1\": {WANTED} {UPDATES}")),
        (
            "at = [2e6]",
            format!(
                "at = [2e6]: every moment is after the cutoff; {WANTED} a first moment of at most 1000000"
            ),
        ),
        (
            "at = { from = 0, to = 10, points = 3, scale = \"log\" }",
            format!("at.from = 0: {WANTED} a number above 0 on a logarithmic scale"),
        ),
        (
            "at = { from = 9, to = 1, points = 3 }",
            format!(
                "at = {{ from = 9, to = 1, points = 3 }}: from is greater than to; {WANTED} from ≤ to"
            ),
        ),
        (
            "at = { from = 1, to = 9, points = 1 }",
            format!("at.points = 1: {WANTED} an integer from 2 to 10000"),
        ),
        (
            "at = { from = 5, to = 5, points = 2 }",
            format!("at.points = 2: {WANTED} 1, since from = to"),
        ),
        (
            "at = { from = 1, to = 9, points = 3, scale = \"logarithmic\" }",
            format!(
                "at.scale = \"logarithmic\": unknown scale; {WANTED} one of linear, log; did you mean \"log\"?"
            ),
        ),
        (
            "at = { from = 1, to = 9, step = 1 }",
            "at.step = 1: unknown key; allowed are from, to, points, scale".to_owned(),
        ),
        (
            "from = 1",
            "from = 1: unknown key; allowed are at".to_owned(),
        ),
    ];
    let of_events = [
        (
            "keep = \"all\"",
            format!("keep = \"all\": unknown kind of event; {WANTED} one of moves"),
        ),
        (
            "keep = \"move\"",
            format!(
                "keep = \"move\": unknown kind of event; {WANTED} one of moves; did you mean \"moves\"?"
            ),
        ),
    ];
    let other = [
        (
            "[sweep.series]\nat = { to = 9, points = 3 }",
            format!("12: missing key series.at.from; needed is {UPDATES}"),
        ),
        (
            "[sweep.series]",
            format!("11: missing key series.at; needed is {AT}"),
        ),
        (
            "[sweep.events]",
            "11: missing key events.keep; needed is \"moves\"".to_owned(),
        ),
        (
            "series = 5",
            format!("11: series = 5: {WANTED} a table with at = {AT}"),
        ),
        (
            "events = true",
            format!("11: events = true: {WANTED} a table with keep = \"moves\""),
        ),
    ];
    let of = |key: &'static str| {
        move |(line, expected): (&str, String)| {
            (
                format!("[sweep.{key}]\n{line}"),
                format!("12: {key}.{expected}"),
            )
        }
    };
    let series = of_series.into_iter().map(of("series"));
    let slips = series.chain(of_events.into_iter().map(of("events")));
    let other = other.map(|(text, expected)| (text.to_owned(), expected));
    for (text, expected) in slips.chain(other) {
        let told = refused(&with("cutoff = 1e6", &format!("cutoff = 1e6\n{text}")));
        assert_eq!(told, format!("small.toml:{expected}"), "{text}");
    }
}

#[test]
fn an_algorithm_without_courses_refuses_their_keys() {
    let search = "algorithm = \"rows\"\nn = 4\ncutoff = 10\nrepeats = 2";
    let events = "[sweep.events]\nkeep = \"moves\"";
    let told = refused(&format!("seed = 1\n[[sweep]]\n{search}\n{events}\n"));
    let reason = "[sweep.events]: the algorithm rows does not record the course of its trials; allowed are such keys with cell, ";
    assert!(
        told.starts_with(&format!("small.toml:7: {reason}")),
        "{told}"
    );
    assert!(
        told.contains("pair, ") && !told.contains("relaxation"),
        "{told}"
    );
}
