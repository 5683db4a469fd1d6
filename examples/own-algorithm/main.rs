//! A random walk as an algorithm, and the whole command line.

use reines::solver::rng::{RandomSource as _, TrialStream};
use reines::solver::{ALGORITHMS, Algorithm, Axis, Column, Course, Kind, Outcome, OwnValue};

/// The walk.
pub const WALK: Algorithm = Algorithm {
    name: "walk",
    doc: "a random walk from the middle until it is `size` steps away",
    axes: &[Axis::integers("size", 1, 1000)],
    is_only_stepwise: true,
    columns: &[
        Column::named("absorption_time"),
        Column::named("updates"),
        Column::own("energy", "J", Kind::Real),
    ],
    prepare: &|point, _| {
        let (point, size) = (point.clone(), point.integer("size").expect("an axis"));
        Box::new(move |key, cutoff, control| {
            let mut random = TrialStream::new("walk/1", key.seed, &point, key.trial);
            let (mut time, mut position) = (0, 0_i64);
            while time < cutoff && position.unsigned_abs() < size {
                control.poll(1)?;
                position += if random.below(2) == 0 { -1 } else { 1 };
                time += 1;
            }
            let end = (position.unsigned_abs() == size).then_some(time);
            let mut outcome = Outcome::absorbed_at(end, cutoff);
            let energy = OwnValue::Real(position as f64 / 2.0);
            outcome.own.set("energy", energy);
            Ok((outcome, Course::default()))
        })
    },
    ..Algorithm::UNNAMED
};

fn main() -> std::process::ExitCode {
    ALGORITHMS.with(WALK);
    reines::run_command_line()
}
