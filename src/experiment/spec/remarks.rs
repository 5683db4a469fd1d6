//! `tags`, `notes` and `rank`: what people write down about an experiment. They change nothing that
//! is run.

use super::Refused;
use super::tree::{Entry, Table};

/// Tags that a spec may have.
const MAX_TAGS: usize = 100;

/// The tags in the order of the file; none if the key is missing.
pub(super) fn tags(root: &Table) -> Result<Vec<String>, Refused> {
    let Some(entry) = root.get("tags") else {
        return Ok(Vec::new());
    };
    let items = entry.list().filter(|items| items.len() <= MAX_TAGS);
    let items =
        items.ok_or_else(|| entry.refuse(&format!("a list of at most {MAX_TAGS} texts")))?;
    let mut tags: Vec<String> = Vec::new();
    for item in &items {
        let tag = tag(item)?;
        if tags.contains(&tag) {
            return Err(item.error("the tag is doubled; allowed is each tag once"));
        }
        tags.push(tag);
    }
    Ok(tags)
}

fn tag(item: &Entry) -> Result<String, Refused> {
    const ALLOWED: &str = "a text without control characters, commas, and blanks at its ends";
    let tag = item.text(ALLOWED)?;
    let is_plain = !tag.is_empty() && tag.trim() == tag && !tag.contains(',');
    is_plain
        .then(|| tag.to_owned())
        .ok_or_else(|| item.refuse(ALLOWED))
}

/// The notes, without blank lines at their ends; none where nothing is written.
pub(super) fn notes(root: &Table) -> Result<Option<String>, Refused> {
    let Some(entry) = root.get("notes") else {
        return Ok(None);
    };
    let notes =
        entry.lines("a text, of several lines if wanted, without other control characters")?;
    let notes = notes.trim();
    Ok((!notes.is_empty()).then(|| notes.to_owned()))
}

/// The place on the page; none if the key is missing.
pub(super) fn rank(root: &Table) -> Result<Option<u64>, Refused> {
    const MOST: u64 = 1000;
    let rank = |entry: Entry| {
        let rank = entry.integer(1, MOST);
        rank.ok_or_else(|| entry.refuse(&format!("an integer from 1 to {MOST}")))
    };
    root.get("rank").map(rank).transpose()
}
