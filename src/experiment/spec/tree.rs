//! Tables of a spec's tree: which of their keys are kept, what lies over them, and lists in them.
//! Which of two tables wins is decided here (the upper one, key by key).

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The keys of a table that are kept.
pub(crate) fn only<'a>(table: &DeTable<'a>, is_kept: impl Fn(&str) -> bool) -> DeTable<'a> {
    let table = table.clone().into_iter();
    table.filter(|table| is_kept(table.0.get_ref())).collect()
}

/// Lays keys with their values over a table, whose own give way.
pub(crate) fn lay<'a>(
    upper: impl IntoIterator<Item = (Spanned<Cow<'a, str>>, Spanned<DeValue<'a>>)>,
    lower: &mut DeTable<'a>,
) {
    for (key, value) in upper {
        lower.remove(&**key.get_ref());
        lower.insert(key, value);
    }
}

/// The elements of a list, or the one value; none where there is none.
pub(crate) fn items<'a>(found: Option<Spanned<DeValue<'a>>>) -> Vec<Spanned<DeValue<'a>>> {
    let Some(found) = found else {
        return Vec::new();
    };
    let span = found.span();
    match found.into_inner() {
        DeValue::Array(items) => items.into_iter().collect(),
        value => vec![Spanned::new(span, value)],
    }
}
