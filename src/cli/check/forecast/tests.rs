use super::*;
use crate::solver::DynamicsChoice;

fn plan(sweep: &str) -> Plan {
    let text = format!("seed = 1\n[[sweep]]\n{sweep}\ncutoff = 9e11\n");
    Plan::example(&text, DynamicsChoice::Auto)
}

fn pair(n: &str, epsilon: &str) -> Plan {
    plan(&format!(
        "algorithm = \"pair\"\nn = {n}\nepsilon = {epsilon}\ntrials = 10"
    ))
}

fn forecast(plan: &Plan, seconds: &[f64]) -> Forecast {
    let known = plan.points.iter().zip(seconds.iter().copied());
    Forecast {
        threads: 4,
        ..Forecast::of(known)
    }
}

/// Of 2 s at n = 4 and 18 s at n = 6 a trial takes three times as long a row: 6 s at 5, 162 s
/// at 8. Of 2 s and 2 s it takes 2 s at any n, of 2 s at n = 4 alone 32 s at 6. ε = 0.15 is
/// nearer to 0.1 than 0.05 is, but simulated step by step, and 0 is near to nothing.
#[test]
fn the_nearest_values_or_two_n_or_one_foretell() {
    let [thrice, steep, level] = [[2.0, 18.0, 0.0], [2.0, 99.0, 0.0], [9.0, 2.0, 2.0]];
    let cases = [
        ("[4, 6]", "0.1", thrice, "4", 20.0, ""),
        ("4", "[0, 0.05, 0.15]", level, "4", 20.0, "epsilon=0.05"),
        ("[4, 6]", "0.1", thrice, "5", 60.0, "n = 4 and 6"),
        ("[4, 6]", "0.1", thrice, "8", 1620.0, "n = 4 and 6"),
        ("[4, 6]", "0.1", steep, "7", 3960.0, "n = 4 and 6"),
        ("[3, 4, 6]", "0.1", level, "9", 20.0, "n = 4 and 6"),
        ("4", "0.1", thrice, "6", 320.0, "n = 4"),
        ("4", "0.1", thrice, "3", 5.0, "n = 4"),
    ];
    for (known, epsilon, seconds, n, sum, expected) in cases {
        let known = forecast(&pair(known, epsilon), &seconds);
        let told = known.trial(&pair(n, "0.1").points[0]);
        let told = told.expect("known").times(10);
        assert!((told.seconds - sum).abs() < 1e-9, "{n}: {told:?}");
        assert_eq!(told.from.unwrap_or_default(), expected);
        let factor: f64 = match (expected, n) {
            ("", _) => 1.0,
            ("epsilon=0.05", _) => 3.0,
            (_, "5" | "3" | "7") => 6.0,
            (_, "8" | "6") => 12.0,
            _ => 24.0,
        };
        assert!((told.high / told.seconds - factor).abs() < 1e-9, "{n}");
        assert!((told.seconds / told.low - factor).abs() < 1e-9, "{n}");
    }
}

/// Four threads share 10 trials of 2 s, and no sum is below a trial; five timed ones run alone.
#[test]
fn untimed_trials_share_the_threads() {
    let timed = plan("algorithm = \"lines\"\nn = 4\nrepeats = 5");
    let pair = pair("4", "0.1");
    for (known, planned, seconds) in [
        (&pair, &pair, Some(5.0)),
        (&pair, &pair.clone().capped(1), Some(2.0)),
        (&timed, &timed, Some(10.0)),
        (&pair, &timed, None),
    ] {
        assert_eq!(forecast(known, &[2.0]).total(planned).seconds, seconds);
    }
}
/// Ten updates of a local rule take less than 22 µs, whatever others took; of a search nothing
/// is known of a check.
#[test]
fn no_trial_takes_longer_than_its_cutoff() {
    let known = forecast(&pair("4", "0.1"), &[2.0]);
    let mut planned = pair("4", "[0.1, 0.15]").points;
    for planned in &mut planned {
        planned.cutoff = 10;
        let told = known.trial(planned).expect("known");
        assert!(told.seconds < 2.2e-5 && told.high < 2.2e-5, "{told:?}");
    }
    let searches = plan("algorithm = \"lines\"\nn = 4");
    let mut search = searches.points[0].clone();
    search.cutoff = 10;
    let told = forecast(&searches, &[2.0]).trial(&search).expect("known");
    assert_eq!(told.seconds, 2.0);
}
