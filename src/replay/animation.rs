//! A short animation: the last changes of a film, or its last moves, as an SVG that any browser
//! plays by itself.

use std::collections::{BTreeMap, BTreeSet};

use super::film::Film;
use super::log::apply;
use crate::drawing::coordinates::{Arrow, Coordinates};
use crate::drawing::glyphs::PAPER;
use crate::drawing::picture::{Picture, Pieces};
use crate::drawing::position::Position;
use crate::html::escaped;
use crate::solver::Change;
use crate::solver::QueenMove;

/// Changes or moves in an animation, at most: the last ones of a film.
pub const MOST_STEPS: usize = 200;

/// How long the last picture stays, in milliseconds.
const LAST_MS: u32 = 2500;

/// The pictures of an animation.
#[derive(Debug, Clone, PartialEq)]
pub struct Animation {
    /// The description for readers who cannot see the animation.
    pub title: String,
    /// The steps that are shown; a last picture may follow them, of what else changed.
    pub n_steps: usize,
    /// The boards before the first step, after each, and at the film's end.
    pub pictures: Vec<Picture>,
    /// The time that each picture but the last one is shown, in milliseconds.
    pub step_ms: u32,
}

impl Animation {
    /// The last steps of a film: its moves, or all its changes.
    pub fn of(film: &Film, moves_only: bool) -> Self {
        let changes = &film.log.changes;
        let is_step = |change: &Change| !moves_only || change.moved.is_some();
        let steps: Vec<usize> = (0..changes.len())
            .filter(|&at| is_step(&changes[at]))
            .collect();
        let shown = &steps[steps.len().saturating_sub(MOST_STEPS)..];
        let (mut state, mut pictures) = (film.log.start.clone(), Vec::new());
        let coordinates = |cell: u32| {
            let (cell, side) = (cell as usize, film.log.start.board().n());
            let (x, y) = (cell % side, cell / side);
            Coordinates { x, y }
        };
        let arrow = |moved: QueenMove| Arrow {
            from: coordinates(moved.from),
            to: coordinates(moved.to),
        };
        let mut waiting = shown.iter().peekable();
        for (at, change) in changes.iter().enumerate() {
            if shown.first() == Some(&at) {
                pictures.push(Picture::new(Position::of(&state)));
            }
            apply(&mut state, change);
            if waiting.next_if(|&&step| step == at).is_some() {
                let mut picture = Picture::new(Position::of(&state));
                picture.arrows = change.moved.map(arrow).into_iter().collect();
                pictures.push(picture);
            }
        }
        let last = Picture::new(Position::of(&state));
        if pictures
            .last()
            .is_none_or(|it| it.position != last.position)
        {
            pictures.push(last);
        }
        let n_steps = shown.len();
        let (what, step_ms) = match moves_only {
            true => ("moves", 700),
            false => ("changes", 200),
        };
        Self {
            title: format!("{}: its last {n_steps} {what}", film.scene),
            n_steps,
            pictures,
            step_ms,
        }
    }

    /// The time that each picture is shown, in milliseconds.
    pub fn durations(&self) -> Vec<u32> {
        let mut durations = vec![self.step_ms; self.pictures.len()];
        if let Some(last) = durations.last_mut() {
            *last = LAST_MS;
        }
        durations
    }

    /// The animation as an SVG with CSS keyframes; without motion, where that is not wanted, it is
    /// the last picture.
    pub fn to_svg(&self) -> String {
        let pieces: Vec<Pieces> = self.pictures.iter().map(Picture::pieces).collect();
        let (Some(last), Some(end)) = (pieces.last(), self.pictures.last()) else {
            return String::new();
        };
        let (styles, elements) = self.elements(&pieces);
        let definitions: BTreeSet<&str> = pieces
            .iter()
            .flat_map(|it| it.definitions.lines())
            .collect();
        let [left, top] = [0, 1].map(|at| last.view_box.split(' ').nth(at).unwrap_or("0"));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" role=\"img\" width=\"{}\" height=\"{}\" viewBox=\"{}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n<style>\n{styles}\
             @media (prefers-reduced-motion: reduce) {{ svg * {{ animation: none !important; }} }}\n</style>\n\
             <defs>\n{}\n</defs>\n<rect fill=\"{PAPER}\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/>\n{}{elements}</svg>\n",
            last.width * 2 / 5,
            last.height * 2 / 5,
            last.view_box,
            escaped(&self.title),
            escaped(&end.to_text()),
            Vec::from_iter(definitions).join("\n"),
            last.width,
            last.height,
            last.ground,
        )
    }

    /// Each element that any picture draws, once; those that are not in every picture are shown and
    /// hidden by keyframes, which those of one course share.
    fn elements(&self, pieces: &[Pieces]) -> (String, String) {
        let mut pictures_of: BTreeMap<(u8, &str), Vec<bool>> = BTreeMap::new();
        for (at, piece) in pieces.iter().enumerate() {
            for line in piece.figures.lines() {
                let of = pictures_of.entry((rank(line), line));
                of.or_insert_with(|| vec![false; pieces.len()])[at] = true;
            }
        }
        let (mut styles, mut elements) = (String::new(), String::new());
        let mut names: BTreeMap<&[bool], usize> = BTreeMap::new();
        for ((_, line), shown) in &pictures_of {
            if shown.iter().all(|&is_shown| is_shown) {
                elements += &format!("{line}\n");
                continue;
            }
            let n_names = names.len();
            let name = *names.entry(shown).or_insert_with(|| {
                styles += &self.keyframes(n_names, shown);
                n_names
            });
            let hidden = if shown.last() == Some(&true) {
                ""
            } else {
                " visibility=\"hidden\""
            };
            elements += &format!("<g class=\"k{name}\"{hidden}>{line}</g>\n");
        }
        (styles, elements)
    }

    fn keyframes(&self, name: usize, shown: &[bool]) -> String {
        let durations = self.durations();
        let whole: u32 = durations.iter().sum();
        let (mut frames, mut time, mut before) = (String::new(), 0_u32, None);
        for (&is_shown, duration) in shown.iter().zip(&durations) {
            if before != Some(is_shown) {
                let thousandths = u64::from(time) * 100_000 / u64::from(whole);
                let visibility = if is_shown { "visible" } else { "hidden" };
                frames += &format!(
                    "{}.{:03}%{{visibility:{visibility}}}",
                    thousandths / 1000,
                    thousandths % 1000
                );
                before = Some(is_shown);
            }
            time += duration;
        }
        format!(
            "@keyframes k{name}{{{frames}}}.k{name}{{animation:k{name} {whole}ms step-end infinite}}\n"
        )
    }
}

/// The layer of an element of a picture; elements of a higher layer cover those of a lower one.
fn rank(element: &str) -> u8 {
    match element {
        _ if element.starts_with("<text") => 3,
        _ if element.contains("href=\"#queen") => 2,
        _ if element.contains("href=\"#ring") => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::replay::film::{ReplayedTrial, record};
    use crate::solver::{Control, Dynamics, Point, Value};

    fn film() -> Film {
        let values = [("n", Value::Integer(5)), ("epsilon", Value::real(0.1))];
        let scene = ReplayedTrial {
            point: Point::new("pair", values),
            seed: 1,
            trial: 1,
            cutoff: 1_000_000,
            dynamics: Some(Dynamics::Stepwise),
            start: None,
        };
        record(scene, 0..=u64::MAX, &Control::unstopped()).expect("a film")
    }

    /// The last steps are shown, at most so many; each picture is the state after its step.
    #[test]
    fn the_last_steps_are_shown() {
        let film = film();
        for moves_only in [false, true] {
            let animation = Animation::of(&film, moves_only);
            let steps = film
                .log
                .changes
                .iter()
                .filter(|it| !moves_only || it.moved.is_some())
                .count();
            let shown = steps.min(MOST_STEPS);
            assert_eq!(animation.n_steps, shown);
            assert!(animation.title.contains(&format!("its last {shown} ")));
            let mut end = film.log.start.clone();
            film.log.changes.iter().for_each(|it| apply(&mut end, it));
            let end = Picture::new(Position::of(&end)).position;
            assert_eq!(animation.pictures.last().map(|it| &it.position), Some(&end));
            let with_arrow = animation.pictures.iter().filter(|it| it.arrows.len() == 1);
            let with_arrow = with_arrow.count();
            assert!(with_arrow > 0 && (!moves_only || with_arrow == shown));
        }
    }

    /// What is shown at each time is what the picture of that time draws.
    #[test]
    fn keyframes_show_each_picture_in_its_time() {
        let mut animation = Animation::of(&film(), true);
        animation.title = "a <b>".to_owned();
        let svg = animation.to_svg();
        assert!(svg.contains("<title>a &lt;b&gt;</title>"));
        assert_eq!(svg, animation.to_svg());
        // When each element is seen: percent of the time from which on, and whether.
        let times = |style: &str| -> Vec<(f64, bool)> {
            let frames = style.split('}').filter(|it| !it.is_empty());
            let frame = |frame: &str| {
                let (percent, what) = frame.split_once("%{visibility:").expect("a frame");
                (percent.parse().expect("a number"), what == "visible")
            };
            frames.map(frame).collect()
        };
        let styles: BTreeMap<&str, Vec<(f64, bool)>> = svg
            .split("@keyframes ")
            .skip(1)
            .map(|rest| {
                let (name, rest) = rest.split_once('{').expect("a name");
                (name, times(rest.split_once("}.k").expect("an end").0))
            })
            .collect();
        let visible_at = |name: &str, time: f64| {
            let before = styles[name].iter().take_while(|(begin, _)| *begin <= time);
            before.last().is_some_and(|(_, is_seen)| *is_seen)
        };
        let durations = animation.durations();
        let whole: u32 = durations.iter().sum();
        let mut begin = 0;
        for (picture, duration) in animation.pictures.iter().zip(&durations) {
            let time = 100.0 * f64::from(begin + duration / 2) / f64::from(whole);
            let expected = picture.pieces().figures;
            let mut expected: Vec<&str> = expected.lines().collect();
            let drawn = svg.split("</defs>").nth(1).expect("elements");
            let ground = &picture.pieces().ground;
            let mut found: Vec<&str> = Vec::new();
            for line in drawn.lines() {
                if let Some(rest) = line.strip_prefix("<g class=\"k") {
                    let (number, rest) = rest.split_once('"').expect("a class");
                    let inner = rest.split_once('>').expect("an element").1;
                    if visible_at(&format!("k{number}"), time) {
                        found.push(inner.strip_suffix("</g>").expect("one line"));
                    }
                } else if !ground.contains(line) && !line.starts_with("<rect fill") {
                    found.push(line);
                }
            }
            found.retain(|line| *line != "</svg>");
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
            begin += duration;
        }
    }
}
