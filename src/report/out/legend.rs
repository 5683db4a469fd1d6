//! The legend under the panels: outside them nothing can lie on a curve. What is joined in one
//! line, and where lines break, is decided here; the order of its lines is that of `Rank` in
//! `canvas.rs`.

use itertools::Itertools;

use crate::report::out::canvas::{Drawn, Entry, Lettering};
use crate::report::words::points::enumerated;
use crate::theme::{LINE, MARGIN, SAMPLE, TEXT_SIZE, wrapped};

/// The entries in the order of reading: what is said twice once, and what is in braces together.
pub fn joined(entries: &[Entry]) -> Vec<Entry> {
    let sorted = entries.iter().sorted_by_key(|entry| entry.rank);
    let each = sorted
        .unique_by(|entry| (entry.rank, &entry.text))
        .collect_vec();
    let groups = each.chunk_by(|a, b| a.rank == b.rank && a.text.contains('{'));
    let joined = groups.map(|group| {
        let mut entry = group[0].clone();
        if let Some((before, rest)) = entry.text.split_once('{') {
            let texts = group
                .iter()
                .filter_map(|entry| entry.text.split(['{', '}']).nth(1));
            let texts = enumerated(&texts.collect_vec());
            let after = rest.split_once('}').map_or("", |(_, after)| after);
            entry.text = format!("{before}{texts}{after}");
        }
        entry
    });
    joined.collect()
}

/// Draws the entries from `top` on, and returns their lower end.
pub fn draw(drawn: &mut Drawn, entries: &[Entry], (top, width): (i32, i32)) -> i32 {
    let room = width - 2 * MARGIN - SAMPLE;
    let mut y = top + LINE / 2;
    for Entry { sample, text, .. } in entries {
        let middle = (MARGIN + SAMPLE / 2 - 10, y);
        drawn
            .shapes
            .extend(sample.iter().map(|shape| shape.moved(middle)));
        for line in wrapped(text, room, TEXT_SIZE) {
            drawn.text(&line, (MARGIN + SAMPLE, y), Lettering::PLAIN);
            y += LINE;
        }
    }
    y - LINE / 2
}
