//! What stands behind a key of a spec: a value, a list of values, or a range. Here are the forms of
//! a list and of a range's table; which values are allowed is in `range.rs`.

use std::fmt;
use std::ops::Range;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

/// A value that is no list and no table: a text, also a formula, a range of integers, `true` and
/// `false`; or else a number, which its literal says.
#[derive(Clone)]
pub struct Scalar(Option<String>);

/// A value or a list of them, or else a range that is written as a table.
#[derive(serde::Deserialize)]
#[serde(from = "Spanned<ValueForm>")]
pub struct Values {
    pub span: Range<usize>,
    pub items: Vec<Spanned<Scalar>>,
    pub range: Option<RangeTable>,
}

/// `{ from, to, step }` or `{ from, to, points, scale }`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangeTable {
    pub from: Spanned<Scalar>,
    pub to: Spanned<Scalar>,
    pub step: Option<Spanned<Scalar>>,
    pub points: Option<Spanned<Scalar>>,
    pub scale: Option<Spacing>,
}

/// How the points of a range lie, and an axis of a figure.
#[derive(Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spacing {
    Linear,
    Log,
}

impl Values {
    /// All texts: formulas, if the values are numbers.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let ends = self.range.iter().flat_map(|range| [&range.from, &range.to]);
        let all = self.items.iter().chain(ends);
        all.filter_map(|value| value.get_ref().text())
    }
}

impl Scalar {
    pub fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

enum ValueForm {
    One(Scalar),
    List(Vec<Spanned<Scalar>>),
    Range(RangeTable),
}

impl From<Spanned<ValueForm>> for Values {
    fn from(written: Spanned<ValueForm>) -> Self {
        let span = written.span();
        let (items, range) = match written.into_inner() {
            ValueForm::One(value) => (vec![Spanned::new(span.clone(), value)], None),
            ValueForm::List(items) => (items, None),
            ValueForm::Range(range) => (Vec::new(), Some(range)),
        };
        Self { span, items, range }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match ValueForm::deserialize(deserializer)? {
            ValueForm::One(value) => Ok(value),
            _ => Err(D::Error::custom("expected a number or a text")),
        }
    }
}

impl<'de> Deserialize<'de> for ValueForm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FormVisitor)
    }
}

macro_rules! visits {
    ($($name:ident($type:ty) => $text:expr;)+) => {
        $(fn $name<E>(self, value: $type) -> Result<ValueForm, E> {
            let text: fn($type) -> Option<String> = $text;
            Ok(ValueForm::One(Scalar(text(value))))
        })+
    };
}

struct FormVisitor;

impl<'de> Visitor<'de> for FormVisitor {
    type Value = ValueForm;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, a list or a range")
    }

    visits! {
        visit_bool(bool) => |truth| Some(truth.to_string());
        visit_i64(i64) => |_| None;
        visit_u64(u64) => |_| None;
        visit_i128(i128) => |_| None;
        visit_f64(f64) => |_| None;
        visit_str(&str) => |text| Some(text.to_owned());
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<ValueForm, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items)).map(ValueForm::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<ValueForm, A::Error> {
        RangeTable::deserialize(MapAccessDeserializer::new(table)).map(ValueForm::Range)
    }
}
