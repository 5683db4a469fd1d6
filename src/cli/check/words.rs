//! Forecasts of run times in words, and for programs.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::run_time::Earlier;
use crate::analysis::mean::Interval;
use crate::analysis::run_time::{Basis, Forecast};
use crate::cli::plan::at_most;
use crate::cli::progress::duration;
use crate::cli::text::counted;
use crate::experiment::plan::Plan;

impl Earlier {
    /// The whole plan in a few words: `about 2 min 05 s`.
    pub fn in_short(&self, plan: &Plan) -> String {
        let forecasts = self.forecasts(plan);
        let known: Vec<&Forecast> = forecasts.iter().flatten().collect();
        let seconds: f64 = known.iter().map(|forecast| forecast.seconds).sum();
        let seconds = about(seconds / self.threads as f64);
        match known.len() {
            0 => "time unknown".to_owned(),
            some if some < forecasts.len() => format!("more than {seconds}"),
            _ => format!("about {seconds}"),
        }
    }

    /// The whole plan in a sentence.
    pub fn in_words(&self, plan: &Plan, forecasts: &[Option<Forecast>]) -> String {
        let known: Vec<&Forecast> = forecasts.iter().flatten().collect();
        let unreadable = match counted(self.unreadable as u64, "damaged run") {
            _ if self.unreadable == 0 => String::new(),
            runs => format!("; {runs} left out"),
        };
        if known.is_empty() {
            return format!(
                "run time: unknown, no earlier results of these points that tell of it{unreadable}"
            );
        }
        let seconds: f64 = known.iter().map(|forecast| forecast.seconds).sum();
        let unknown = forecasts.len() - known.len();
        let rest = match counted(unknown as u64, "point") {
            _ if unknown == 0 => String::new(),
            points => format!(", and {points} of unknown length"),
        };
        let bases: BTreeSet<&str> = known.iter().map(|forecast| kind(&forecast.basis)).collect();
        let bases = bases.into_iter().collect::<Vec<_>>().join("; ");
        let most = at_most(plan);
        let whose = if self.is_scaled {
            "scaled to this processor"
        } else {
            "on this kind of processor"
        };
        let threads = counted(self.threads as u64, "thread");
        format!(
            "run time: {most}about {} of trials, {} on {threads}{rest}; from earlier results {whose} ({bases}), if it is as busy as then{unreadable}",
            about(seconds),
            about(seconds / self.threads as f64)
        )
    }
}

/// The forecast of one point, in trial seconds, added up over threads, for programs.
pub fn json(forecast: &Forecast) -> Value {
    let based_on = match &forecast.basis {
        Basis::SameCode { trials } => format!("{trials} trials of this point, this code version"),
        Basis::OtherCode {
            code_version,
            trials,
        } => format!("{trials} trials of this point, code version {code_version}"),
        Basis::Growth { sides } => {
            let sides: Vec<String> = sides.iter().map(u64::to_string).collect();
            format!("growth with n, from n = {}", sides.join(", "))
        }
    };
    json!({
        "seconds": forecast.seconds,
        "seconds_low": forecast.interval.low,
        // JSON has null for what has no bound.
        "seconds_high": forecast.interval.high,
        "based_on": based_on,
    })
}

/// `12 s (9 s to 15 s)`.
pub fn in_words(forecast: &Forecast) -> String {
    let Interval { low, high } = forecast.interval;
    let high = if high.is_finite() {
        about(high)
    } else {
        "?".to_owned()
    };
    format!("{} ({} to {high})", about(forecast.seconds), about(low))
}

fn kind(basis: &Basis) -> &'static str {
    match basis {
        Basis::SameCode { .. } => "this code version",
        Basis::OtherCode { .. } => "other code versions",
        Basis::Growth { .. } => "growth with n where n is new",
    }
}

/// Two digits below ten seconds, whole seconds above, minutes and hours as a clock has them.
fn about(seconds: f64) -> String {
    if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else {
        duration(Duration::from_secs_f64(seconds.min(1e15).round()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec;

    #[test]
    fn the_threads_share_the_time_of_the_trials() {
        let text = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5, 6]\nepsilon = 0.1\ntrials = 1\ncutoff = 1\n";
        let plan = Plan::new(&spec::parse("a", "a.toml", text, &[]).unwrap()).unwrap();
        let earlier = Earlier {
            runs: Vec::new(),
            unreadable: 0,
            threads: 4,
            is_scaled: false,
        };
        let of = |seconds: f64| {
            Some(Forecast {
                seconds,
                interval: Interval {
                    low: seconds,
                    high: seconds,
                },
                basis: Basis::SameCode { trials: 1 },
            })
        };
        let forecasts = [of(100.0), None, of(300.0)];
        let told = earlier.in_words(&plan, &forecasts);
        assert!(
            told.starts_with(
                "run time: about 6 min 40 s of trials, 1 min 40 s on 4 threads, and 1 point of unknown length;"
            ),
            "{told}"
        );
    }
}
