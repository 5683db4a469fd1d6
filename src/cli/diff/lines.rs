//! What was found in each experiment, in a line. The words beside the verdict of an experiment, and
//! the lines of wall-clock times, are here; the verdict itself is in `verdict.rs`.

use itertools::Itertools;

use super::compared::Compared;
use super::counts::PointCounts;
use super::verdict;
use crate::cli::text::counted;
use crate::report::number::short;

/// The verdict of one experiment, and what of it is how, in a line.
pub fn of_one(compared: &Compared, identical: bool) -> String {
    let counts = PointCounts::of(std::slice::from_ref(compared), identical);
    let verdict = verdict::of_one(compared, identical);
    let rest = rest_of(compared, &counts);
    let parts = parts_of(&counts, verdict == verdict::IDENTICAL);
    format!("{}, {parts}{rest}", verdict.word)
}

/// A line for each experiment; those with identical rows share one where all else is the same.
pub fn of_all(compared: &[Compared], identical: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let is_identical =
        |compared: &&Compared| verdict::of_one(compared, identical) == verdict::IDENTICAL;
    let same = compared.iter().filter(is_identical);
    let counts = |compared: &&Compared| PointCounts::of(std::slice::from_ref(*compared), identical);
    let rest = |compared: &&Compared| rest_of(compared, &counts(compared));
    let groups = same.into_group_map_by(rest);
    for (rest, group) in groups
        .into_iter()
        .sorted_by_key(|group| group.1[0].experiment.clone())
    {
        let names = group.iter().map(|compared| &compared.experiment).join(", ");
        let counts = group.iter().map(counts);
        let [points, trials] = counts.fold([0; 2], |[points, trials], it| {
            [points + it.same, trials + it.same_trials]
        });
        let points = counted(points, "point");
        let trials = counted(trials, "trial");
        lines.push(format!("{names}: identical, {points} with {trials}{rest}"));
    }
    let others = compared.iter().filter(|compared| !is_identical(compared));
    lines.extend(others.map(|compared| format!("{}: {}", compared.experiment, compared.words)));
    lines
}

/// How many points are how; that some are identical goes without saying where all is.
fn parts_of(counts: &PointCounts, is_identical: bool) -> String {
    let same = (counts.same > 0).then(|| {
        let points = counted(counts.same, "point");
        let trials = counted(counts.same_trials, "trial");
        let identical = if is_identical { "" } else { " identical" };
        format!("{points} with {trials}{identical}")
    });
    let undecided = "with other rows, of which no test shows a difference";
    let not_compared = "courses of trials with other rows not compared";
    let others = [
        (counts.proven, "different"),
        (counts.other - counts.proven, undecided),
        (counts.not_comparable, "not comparable"),
        (counts.only_in_a, "only in A"),
        (counts.only_in_b, "only in B"),
        (counts.courses, "trials with another course"),
        (counts.other_rows, not_compared),
    ];
    let there = others.iter().filter(|(count, _)| *count > 0);
    let in_words = there.map(|(count, what)| format!("{count} {what}"));
    same.into_iter().chain(in_words).join(", ")
}

/// What else is to be known of an experiment.
fn rest_of(compared: &Compared, counts: &PointCounts) -> String {
    let mut rest = Vec::new();
    rest.extend(counts.trials_in_words());
    if let Some(courses) = compared
        .courses
        .as_ref()
        .filter(|course| course.of != [course.rows; 2])
    {
        let [a, b] = courses.of;
        rest.push(format!(
            "courses compared at the moments of both sides alone, {} of {a} rows of A and {b} of B",
            courses.rows
        ));
    }
    if compared.same_folder {
        rest.push("A and B are the same folder".to_owned());
    }
    match &compared.changed {
        None => rest.push("changed: not known, one side does not name its parts".to_owned()),
        Some(parts) if parts.is_empty() => {}
        Some(parts) => rest.push(format!("changed: {}", parts.join(", "))),
    }
    rest.iter().map(|words| format!("; {words}")).collect()
}

/// A line for each experiment of which both sides have times, and what these are.
pub fn of_seconds(compared: &[Compared]) -> Vec<String> {
    let line = |compared: &Compared| {
        let times = compared.seconds.as_ref()?;
        let [a, b] = [times.seconds.a, times.seconds.b].map(|seconds| short(seconds, 3));
        let ratio = match times.ratio {
            Some(ratio) => format!("B / A {}", short(ratio, 3)),
            None => "on two kinds of machine".to_owned(),
        };
        Some(format!("{}: A {a}, B {b}, {ratio}", compared.experiment))
    };
    let mut lines: Vec<String> = compared.iter().filter_map(line).collect();
    if !lines.is_empty() {
        let caution = "wall-clock time of trials that both sides timed; not tested, since other work of the machine counts, too";
        lines.push(caution.to_owned());
    }
    lines
}
