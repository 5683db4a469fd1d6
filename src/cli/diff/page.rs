//! `reines diff --html`: the comparison as a page, what differs most first.

use std::path::Path;

use super::{Compared, Verdict, text};
use crate::analysis::comparison::end_point::EndPoint;
use crate::analysis::comparison::{Finding, PointComparison};
use crate::cli::named::kept_spec;
use crate::cli::output;
use crate::experiment::spec::{FigureSpec, Spec};
use crate::pages::experiments::origin;
use crate::pages::page::{Page, Section, Shown, html};
use crate::report::overlay::{OverlaidPoint, overlay};
use crate::report::{self, FigureRows, Table, TableCell};
use crate::results::PointTrials;

/// Writes the page; `words` is the verdict in one line.
pub fn write(
    file: &Path,
    compared: &[Compared],
    refused: &[String],
    alpha: f64,
    (verdict, words): (Verdict, &str),
) -> anyhow::Result<()> {
    let mut sorted: Vec<&Compared> = compared.iter().collect();
    sorted.sort_by(|x, y| urgency(x).total_cmp(&urgency(y)));
    let sections = sorted.into_iter().map(|it| section(it, alpha));
    let sections = sections.collect::<anyhow::Result<Vec<Section>>>()?;
    let mut lead = vec![
        format!("Verdict: {words}."),
        "Experiments with the least p-values come first. A and B are the two sides; points are not comparable, identical, or tested at four end points as one family with Holm's correction.".to_owned(),
    ];
    lead.extend(refused.iter().map(|line| format!("Not comparable: {line}")));
    let page = Page {
        title: format!("A and B: {}", verdict.name()),
        lead,
        sections,
        ..Page::default()
    };
    output::replace(file, html(&page).as_bytes())
}

/// The least p-value of an experiment, as [`least`] has it; 0 where courses differ.
fn urgency(compared: &Compared) -> f64 {
    match compared.courses.differing {
        0 => compared.points().map(|it| least(it).0).fold(2.0, f64::min),
        _ => 0.0,
    }
}

fn section(compared: &Compared, alpha: f64) -> anyhow::Result<Section> {
    let name = &compared.pair.experiment;
    let b = &compared.pair.b;
    // If this program can read it.
    let spec = kept_spec(name, &b.folder).ok();
    let title = spec.as_ref().and_then(|spec| spec.title.clone());
    let details = [("A", &compared.pair.a), ("B", b)]
        .map(|(side, run)| format!("{side}: {}", origin(&run.manifest)))
        .to_vec();
    let block = |spec: &Spec| ("Spec of B".to_owned(), spec.text.clone());
    Ok(Section {
        name: name.clone(),
        title: title.unwrap_or_else(|| name.clone()),
        findings: findings(compared),
        details,
        figures: distributions(compared, alpha)
            .into_iter()
            .chain(spec.iter().flat_map(|spec| curves(compared, spec)))
            .collect(),
        blocks: spec.iter().map(block).collect(),
        ..Section::default()
    })
}

/// What the terminal shows above the tests, without the folders of this machine.
fn findings(compared: &Compared) -> Vec<String> {
    let mut findings = text::counts(compared);
    findings.extend(text::courses(&compared.courses));
    // How many points there are comes after what differs, and is what all have.
    findings.sort_by_key(|line| !line.starts_with("different"));
    let changed = text::changed(compared).map(|parts| format!("changed: {parts}"));
    findings.push(changed.unwrap_or("no part of the sources has changed".to_owned()));
    findings
}

/// Both sides at the points with the least p-values, and the table of all tests.
fn distributions(compared: &Compared, alpha: f64) -> Option<Shown> {
    let experiment = &compared.pair.experiment;
    let title = format!("{experiment}: A and B where they differ most");
    let mut points: Vec<_> = compared.points().zip(&compared.trials).collect();
    points.sort_by(|(x, _), (y, _)| least(x).0.total_cmp(&least(y).0));
    let overlaid = points.into_iter().filter_map(|(point, (a, b))| {
        Some(OverlaidPoint {
            label: format!("{experiment}, {}", point.point),
            end_point: least(point).1?,
            a: &a.rows,
            b: &b.rows,
        })
    });
    let points: Vec<OverlaidPoint> = overlaid.collect();
    let sides = [&compared.pair.a, &compared.pair.b]
        .map(|run| format!("code version {}", run.manifest.code_version));
    let (_, figure) = overlay(&title, &sides, &points)?;
    let rows = text::tests(compared, alpha).into_iter();
    let cells = |row: Vec<String>| row.into_iter().map(TableCell::from).collect();
    let rows: Vec<Vec<TableCell>> = rows.map(cells).collect();
    Some(Shown {
        name: format!("{experiment}-a-b"),
        figure,
        caption: format!(
            "{title}: share of the trials with a larger value, with pointwise 95 % intervals, logarithmic, at the points with the least p-values."
        ),
        table: (!rows.is_empty()).then_some(Table {
            header: text::TESTS.map(str::to_owned).to_vec(),
            rows,
            notes: vec!["The least p-values first. `Holm`: adjusted for all tests of all experiments; `B / A`: of the means, with its 95 % interval.".to_owned()],
        }),
        ..Shown::default()
    })
}

/// The least p-value of a point, and the end point that has it, if something can be drawn of one.
/// For a search that differs it is 0; what is not comparable comes after all tests, and last what
/// is not different.
fn least(point: &PointComparison) -> (f64, Option<EndPoint>) {
    let tests = match &point.finding {
        Finding::NotComparable(_) => return (1.0, None),
        Finding::Identical { .. } => return (2.0, Some(EndPoint::AbsorptionTime)),
        Finding::Different(_) if point.is_certain() => return (0.0, None),
        Finding::Different(difference) => difference.tests.iter(),
    };
    let least = tests.min_by(|x, y| x.test.p.total_cmp(&y.test.p));
    least.map_or((2.0, None), |it| (it.test.p, Some(it.end_point)))
}

/// The experiment's own figures of its trials, with the curves of A and of B.
fn curves(compared: &Compared, spec: &Spec) -> Vec<Shown> {
    let provenance = "trials of A and of B, which stand behind the rule's name".to_owned();
    let rows = FigureRows::of_trials(both_sides(&compared.trials), provenance);
    let drawn = |figure: &FigureSpec| {
        let kind = report::Chart::of(figure);
        if kind.draws_courses() || kind.shows_seconds() || rows.trials.is_empty() {
            return None;
        }
        let drawing = rows.draw(figure).ok()?;
        Some(Shown {
            name: format!("{}-both", figure.name),
            figure: drawing.on_page,
            caption: drawing.words,
            table: Some(drawing.table),
            ..Shown::default()
        })
    };
    spec.figures.iter().filter_map(drawn).collect()
}

/// The points that both sides have, each twice: with A and with B behind its variant. Searches,
/// whose variants mean something to a figure, are left out.
fn both_sides(trials: &[(PointTrials, PointTrials)]) -> Vec<PointTrials> {
    let of_rules = trials.iter().filter(|(a, _)| a.point.goal.is_none());
    let named = |side: &str, trials: &PointTrials| {
        let mut trials = trials.clone();
        trials.point.variant = format!("{} {side}", trials.point.variant).trim().to_owned();
        trials
    };
    let of_a = of_rules.clone().map(|(a, _)| named("A", a));
    of_a.chain(of_rules.map(|(_, b)| named("B", b))).collect()
}
