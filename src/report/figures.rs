//! One figure per file, or a few alike, each registered in [`FIGURES`].

mod absorbed_share;
mod best_epsilon;
mod convergence_vs_epsilon;
mod curve;
mod effects_of_epsilon;
mod epsilon_eta;
mod factoring;
mod growth;
mod hitting_law;
mod moves_per_relaxation;
mod searches;
mod signal_relaxation;
mod solution_classes;
mod survival;
mod synchronous;
mod time_course;
mod waiting_times;

use super::Chart;

/// Every figure that a spec may ask for, one line each.
pub const FIGURES: &[&Chart<'static>] = &[
    &absorbed_share::ABSORBED_SHARE,
    &best_epsilon::BEST_EPSILON,
    &searches::BRANCHINGS,
    &searches::CONSISTENCY_LEVELS,
    &convergence_vs_epsilon::CONVERGENCE_VS_EPSILON,
    &growth::CONVERGENCE_VS_N,
    &curve::CURVE,
    &effects_of_epsilon::EFFECTS_OF_EPSILON,
    &epsilon_eta::EPSILON_ETA,
    &factoring::FACTORING,
    &hitting_law::HITTING_LAW,
    &moves_per_relaxation::MOVES_PER_RELAXATION,
    &growth::PAIR_VS_CELL,
    &survival::RESIDUAL_LIFE,
    &survival::RUN_LENGTH,
    &searches::RUN_TIME_VS_N,
    &growth::SCALING,
    &signal_relaxation::SIGNAL_RELAXATION,
    &solution_classes::SOLUTION_CLASSES,
    &synchronous::SYNCHRONOUS,
    &time_course::TIME_COURSE,
    &waiting_times::WAITING_TIMES,
];

/// The figure of this kind, if there is one.
pub fn figure(kind: &str) -> Option<&'static Chart<'static>> {
    FIGURES.iter().copied().find(|figure| figure.kind == kind)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::analysis::synthetic;
    use crate::experiment::spec::Choices;
    use crate::report::{Drawing, Foreseen, ForeseenPoint, Input, NothingToDraw};
    use crate::results::PointCourses;
    use crate::results::PointTrials;
    use crate::solver::Ending;
    use crate::solver::Point;
    use crate::solver::course::Course;

    /// Every figure can be drawn from these.
    fn trials() -> Vec<PointTrials> {
        let sweeps = [
            synthetic::sweep_over_epsilon(),
            synthetic::sweep_over_n(),
            synthetic::sweep_over_epsilon_and_eta(),
            synthetic::relaxations(),
            synthetic::synchronous_steps(),
            synthetic::factored_products(),
            synthetic::searches(),
            synthetic::constraint_searches(),
        ];
        sweeps.into_iter().flatten().collect()
    }

    /// Every figure of them, drawn once for all tests.
    static DRAWN: LazyLock<Vec<Drawing>> = LazyLock::new(|| {
        let rows = rows();
        FIGURES.iter().map(|figure| drawn(figure, &rows)).collect()
    });

    fn all_drawn() -> impl Iterator<Item = (&'static Chart<'static>, &'static Drawing)> {
        FIGURES.iter().copied().zip(DRAWN.iter())
    }

    type Rows = (Vec<PointTrials>, Vec<PointCourses>);

    fn rows() -> Rows {
        (first_rows(trials()), synthetic::courses())
    }

    /// Without the points that are alone in a curve, which the kind `curve` refuses.
    fn drawn(figure: &Chart, (trials, courses): &Rows) -> Drawing {
        let has_other = |own: &&PointTrials| {
            let mut others = trials.iter().filter(|it| it.point != own.point);
            others.any(|it| it.point.is_same_apart(&own.point, &["n"]))
        };
        let is_kept = |it: &&PointTrials| figure.kind != "curve" || has_other(it);
        let kept = trials.iter().filter(is_kept).cloned().collect();
        draw(figure, &(kept, courses.clone())).expect("rows for every figure")
    }

    fn draw(
        figure: &Chart,
        (trials, courses): &(Vec<PointTrials>, Vec<PointCourses>),
    ) -> Result<Drawing, NothingToDraw> {
        let timings = synthetic::timings(trials);
        figure.draw(&Input {
            courses,
            timings: &timings,
            machine: "a machine",
            provenance: "code version 0.0.0-test",
            ..Input::of_trials(trials)
        })
    }

    #[test]
    fn kinds_are_in_alphabetical_order() {
        let kinds: Vec<&str> = FIGURES.iter().map(|figure| figure.kind).collect();
        assert!(kinds.is_sorted_by(|a, b| a < b), "{kinds:?}");
        let found = |kind: &&str| figure(kind).is_some_and(|it| it.kind == *kind);
        assert!(kinds.iter().all(found));
    }

    /// Fewer rows of each point: what is asked of the figures of them does not depend on how many
    /// there are.
    fn first_rows(trials: Vec<PointTrials>) -> Vec<PointTrials> {
        let first = |mut point: PointTrials| {
            point.rows = point.rows.iter().take(12).collect();
            point
        };
        trials.into_iter().map(first).collect()
    }

    /// No text, marker or line may lie outside the canvas; tag soup would not show in any browser.
    #[test]
    fn svgs_are_closed_and_stay_on_the_canvas() {
        for (figure, Drawing { svg, .. }) in all_drawn() {
            let height: i32 = svg
                .split_once("viewBox=\"0 0 2400 ")
                .and_then(|(_, rest)| rest.split_once('"'))
                .expect("a view box")
                .0
                .parse()
                .expect("whole");
            assert!(!svg.contains("<title></title>"), "each kind has a title");
            assert!(svg.ends_with("</svg>\n"));
            for (name, limit) in [
                ("x", 2400),
                ("x1", 2400),
                ("x2", 2400),
                ("cx", 2400),
                ("y", height),
                ("y1", height),
                ("y2", height),
                ("cy", height),
            ] {
                for value in svg
                    .split(&format!(" {name}=\""))
                    .skip(1)
                    .filter_map(|rest| rest.split('"').next())
                {
                    let value: i32 = value.parse().expect("whole pixels");
                    assert!(
                        (0..=limit).contains(&value),
                        "{}: {name} = {value}",
                        figure.kind
                    );
                }
            }
        }
    }

    /// Names are in the legend, sentences in the caption.
    #[test]
    fn no_figure_has_more_than_90_words() {
        for (figure, Drawing { svg, .. }) in all_drawn() {
            let texts = svg.split("<text").skip(1);
            let texts = texts.filter_map(|it| it.split_once('>')?.1.split("</text>").next());
            let words = texts.flat_map(str::split_whitespace);
            let is_word = |it: &&str| it.chars().any(char::is_alphabetic);
            let words: Vec<&str> = words.filter(is_word).collect();
            let (kind, count) = (figure.kind, words.len());
            assert!(count <= 90, "{kind}: {count}: {}", words.join(" "));
        }
    }

    /// All figures but that of survival curves, which has no points.
    #[test]
    fn points_have_tips_and_lead_to_rows_that_there_are() {
        for (figure, Drawing { svg, table, .. }) in all_drawn() {
            let tips = svg
                .split_once("<g class=\"points\"")
                .map_or("", |(_, tips)| tips);
            let rows = tips.split("data-row=\"").skip(1);
            let rows: Vec<usize> = rows
                .filter_map(|rest| rest.split('"').next()?.parse().ok())
                .collect();
            assert!(rows.iter().all(|row| (1..=table.rows.len()).contains(row)));
            let (points, kind) = (tips.matches("<title>").count(), figure.kind);
            assert_eq!(points > 0, kind != "run-length", "{kind}");
            assert_eq!(rows.len(), points, "{kind}");
        }
    }

    /// Means of trials that were cut off are lower bounds; shares count such trials apart.
    #[test]
    fn trials_cut_off_are_explained_where_there_are_any() {
        let complete = |points: &PointTrials| {
            points
                .rows
                .iter()
                .all(|row| row.outcome.ending != Ending::Censored)
        };
        let trials = first_rows(trials().into_iter().filter(complete).collect());
        let courses = synthetic::courses().into_iter().map(|mut point| {
            point
                .trials
                .retain(|(row, _)| row.outcome.ending != Ending::Censored);
            point
        });
        let rows = (trials, courses.collect());
        for (figure, drawn) in all_drawn() {
            let without = super::tests::drawn(figure, &rows);
            let counts_them = ["absorbed-share", "moves-per-relaxation", "solution-classes"]
                .contains(&figure.kind);
            let words = if counts_them || figure.draws_courses() {
                "cut off"
            } else {
                "lower bound"
            };
            let is_explained = |drawing: &Drawing| {
                (
                    drawing.svg.contains(words),
                    drawing.table.to_markdown().contains(words),
                )
            };
            assert_eq!(is_explained(drawn), (true, true), "{}", figure.kind);
            assert_eq!(is_explained(&without), (false, false), "{}", figure.kind);
        }
    }

    /// What a plan of these points would foresee.
    fn foresee(
        figure: &Chart,
        (trials, courses): &(Vec<PointTrials>, Vec<PointCourses>),
    ) -> Result<(), NothingToDraw> {
        let choices = Choices::default();
        let keys = trials.iter().map(|it| (&it.point, it.rows.len()));
        let recorded = courses.iter().map(|it| (&it.point, it.trials.len()));
        let point = |(point, trials): (&Point, usize)| {
            let own = courses.iter().find(|it| it.point == *point);
            let has = |has: fn(&Course) -> bool| {
                own.is_some_and(|it| it.trials.iter().any(|(_, course)| has(course)))
            };
            ForeseenPoint {
                point: point.clone(),
                trials: trials as u64,
                has_series: has(|course| course.series.iter().any(|it| it.update > 0)),
                has_moves: has(|course| !course.moves.is_empty()),
            }
        };
        let points = keys.chain(recorded).map(point).collect();
        figure.foresee(&Foreseen {
            choices: &choices,
            points,
        })
    }

    /// From the points alone every kind says what it says of their rows: of all points, and of
    /// those of each algorithm, each n, each ε and each goal.
    #[test]
    fn what_is_foreseen_is_what_is_drawn() {
        assert_foreseen_is_drawn(2);
    }

    #[test]
    #[ignore = "slow: make verify"]
    fn what_is_foreseen_is_what_is_drawn_always() {
        assert_foreseen_is_drawn(usize::MAX);
    }

    type Part = Box<dyn Fn(&Point) -> bool>;

    /// All points, and those of each algorithm and goal; of the many n and ε some stand for all.
    fn parts<'a>(keys: impl Iterator<Item = &'a Point>) -> Vec<Part> {
        let mut parts: Vec<Part> = vec![Box::new(|_| true)];
        let (mut sides, mut epsilons) = (Vec::new(), Vec::new());
        for key in keys {
            let key = key.clone();
            let (n, epsilon) = (key.integer("n"), key.real("epsilon"));
            let goal = key.goal;
            parts.push(Box::new(move |it| it.algorithm == key.algorithm));
            if sides.len() < 5 && !sides.contains(&n) {
                sides.push(n);
                parts.push(Box::new(move |it| it.integer("n") == n));
            }
            if epsilons.len() < 4 && !epsilons.contains(&epsilon) {
                epsilons.push(epsilon);
                parts.push(Box::new(move |it| it.real("epsilon") == epsilon));
            }
            parts.push(Box::new(move |it| it.goal == goal));
        }
        parts
    }

    /// A plan has each point once.
    fn each_once((mut trials, courses): Rows) -> Rows {
        let mut known = Vec::new();
        trials.retain(|it| {
            let is_new = !known.contains(&it.point);
            known.push(it.point.clone());
            is_new
        });
        (trials, courses)
    }

    fn rows_of(part: &Part, (trials, courses): &Rows) -> Rows {
        let trials = trials.iter().filter(|it| part(&it.point)).cloned();
        let courses = courses.iter().filter(|it| part(&it.point)).cloned();
        (trials.collect(), courses.collect())
    }

    /// The points of the trials and of the courses.
    fn names((trials, courses): &Rows) -> [Vec<String>; 2] {
        let trials = trials.iter().map(|it| it.point.to_string());
        let courses = courses.iter().map(|it| it.point.to_string());
        [trials.collect(), courses.collect()]
    }

    /// Each kind is drawn so many times at most; where nothing is foreseen, always.
    fn assert_foreseen_is_drawn(most_drawn: usize) {
        let all = each_once(rows());
        let trials = all.0.iter().map(|it| &it.point);
        let parts = parts(trials.chain(all.1.iter().map(|it| &it.point)));
        let mut seen = std::collections::BTreeSet::new();
        let mut drawn_already = std::collections::BTreeMap::new();
        for part in parts {
            let rows = rows_of(&part, &all);
            if !seen.insert(names(&rows)) {
                continue;
            }
            for figure in FIGURES {
                let foreseen = foresee(figure, &rows);
                // Whether trials end in solutions shows when they have run.
                if figure.kind == "solution-classes" && foreseen.is_ok() {
                    continue;
                }
                if foreseen.is_ok() {
                    let times: &mut usize = drawn_already.entry(figure.kind).or_default();
                    *times += 1;
                    if *times > most_drawn {
                        continue;
                    }
                }
                let drawn = draw(figure, &rows);
                assert_eq!(
                    foreseen.is_ok(),
                    drawn.is_ok(),
                    "{}: foreseen {foreseen:?}, drawn {:?} of {:?}",
                    figure.kind,
                    drawn.err(),
                    names(&rows)
                );
            }
        }
    }

    #[test]
    fn nothing_to_draw_is_an_error_that_says_why() {
        for figure in FIGURES {
            let nothing = (vec![], vec![]);
            foresee(figure, &nothing).expect_err("no points");
            let error = draw(figure, &nothing).expect_err("no rows");
            assert_eq!(error.kind, figure.kind);
            assert!(!error.reason.is_empty());
        }
    }
}
