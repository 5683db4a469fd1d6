//! `reines check` of many experiments and of many points. (`transcripts/check.txt` has the rest.)

use crate::program::{Workplace, experiments, has, stderr};

/// No experiment of the repository may wait until somebody runs it: its plan can be run, and its
/// figures can be drawn of it. No trial runs here.
#[test]
fn every_experiment_of_the_repository_is_accepted() {
    let paths = experiments();
    let words = paths.iter().map(|it| format!(" '{}'", it.display()));
    Workplace::new().succeed(format!("check{}", words.collect::<String>()));
}

/// User seconds of `check` and of `run`, with earlier results of the same points: a plan of so many
/// has one trial more of each than was run before.
fn user_seconds(points: u32) -> [f64; 2] {
    let spec = |trials: u32| {
        format!(
            "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\n\
             epsilon = {{ from = 0.1, to = 0.2, points = {points} }}\ntrials = {trials}\ncutoff = 100\n"
        )
    };
    let place = Workplace::with(&spec(2));
    place.succeed("run -q a.toml");
    place.write("a.toml", &spec(3));
    [("check", "run time: about"), ("run", "taken over")].map(|(command, words)| {
        // The last line of `times` has user and system time of what the shell ran: 0m1.250s.
        let script = "\"$0\" \"$1\" a.toml > out 2>&1; times >&2";
        let mut shell = place.tool("/bin/sh");
        shell.args(["-ec", script, env!("CARGO_BIN_EXE_reines"), command]);
        let output = shell.output().expect("there is a bash");
        assert!(output.status.success(), "{}", place.text("out"));
        has(&place.text("out"), words);
        let times = stderr(&output);
        let user = times.lines().last().and_then(|it| it.split(' ').next());
        let (minutes, seconds) = user.and_then(|it| it.split_once('m')).expect("a time");
        let [minutes, seconds] =
            [minutes, seconds.trim_end_matches('s')].map(|it| it.parse::<f64>().expect("a number"));
        60.0 * minutes + seconds
    })
}

/// Twenty times as many points take at most about twenty times as long: measured 10 to 16 times.
/// Where `check` goes through all earlier means for each point it is 34 times, and where a point is
/// looked for among all of the plan 170 times.
#[test]
fn the_time_for_many_points_is_in_proportion_to_their_number() {
    let [few, many] = [1000, 20_000].map(user_seconds);
    for (at, command) in ["check", "run"].into_iter().enumerate() {
        let told = format!("{command}: {} s and {} s", few[at], many[at]);
        println!("{told}");
        assert!(many[at] < 22.0 * few[at], "{told}");
    }
}
