//! Values of a spec as serde reads them, with two forms fewer: a struct is read from a table alone,
//! not from a list of its fields in their order, and a word from a text alone, not from a table
//! with a key of its name.

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};

/// A deserializer, seed, visitor or access of serde, within which structs are tables and words are
/// texts.
pub struct Strict<T>(pub T);

/// A visitor of a struct, which refuses a list.
struct TableVisitor<V>(V);

/// A visitor of a word, which refuses what is no text.
struct TextVisitor<V>(V);

/// Hands these methods of a deserializer on, with a visitor that does so, too.
macro_rules! handed_on {
    ($($name:ident($($argument:ident: $type:ty),*);)+) => {
        $(fn $name<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, Self::Error> {
            self.0.$name($($argument,)* Strict(visitor))
        })+
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = D::Error;

    handed_on! {
        deserialize_any(); deserialize_bool(); deserialize_char(); deserialize_str();
        deserialize_i8(); deserialize_i16(); deserialize_i32(); deserialize_i64();
        deserialize_u8(); deserialize_u16(); deserialize_u32(); deserialize_u64();
        deserialize_f32(); deserialize_f64(); deserialize_string(); deserialize_bytes();
        deserialize_byte_buf(); deserialize_option(); deserialize_unit(); deserialize_seq();
        deserialize_map(); deserialize_identifier(); deserialize_ignored_any();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_tuple(length: usize);
        deserialize_tuple_struct(name: &'static str, length: usize);
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.0
            .deserialize_struct(name, fields, TableVisitor(visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.deserialize_any(TextVisitor(visitor))
    }
}

/// Hands these values on to a visitor.
macro_rules! visited {
    ($($name:ident($type:ty);)+) => {
        $(fn $name<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.0.$name(value)
        })+
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Strict<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.expecting(f)
    }

    visited! {
        visit_bool(bool); visit_i64(i64); visit_i128(i128); visit_u64(u64); visit_u128(u128);
        visit_f64(f64); visit_char(char); visit_str(&str); visit_borrowed_str(&'de str);
        visit_string(String); visit_bytes(&[u8]); visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Strict(value))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Strict(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Strict(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Strict(table))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, word: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(word)
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for TableVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Strict(table))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<V::Value, A::Error> {
        Err(A::Error::invalid_type(Unexpected::Seq, &self.0))
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for TextVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<V::Value, E> {
        self.0.visit_enum(word.into_deserializer())
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Strict<A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        self.0.next_element_seed(Strict(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Strict<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.0.next_value_seed(Strict(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Strict<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Strict(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use toml::de::ValueDeserializer;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Pair {
        a: Option<u32>,
        b: Vec<Word>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        One,
        Two,
    }

    /// Serde itself takes all of these.
    #[test]
    fn a_struct_is_a_table_and_a_word_a_text() {
        let read = |text: &str| {
            let value = ValueDeserializer::parse(text).expect("TOML");
            Vec::<Pair>::deserialize(Strict(value)).map_err(|error| error.message().to_owned())
        };
        let pair = Pair {
            a: Some(1),
            b: vec![Word::Two, Word::One],
        };
        assert_eq!(read("[{ a = 1, b = ['two', 'one'] }]"), Ok(vec![pair]));
        for wrong in ["[[1, ['two']]]", "[{ b = [{ two = {} }] }]"] {
            let value = ValueDeserializer::parse(wrong).expect("TOML");
            assert!(Vec::<Pair>::deserialize(value).is_ok(), "{wrong}");
            let told = read(wrong).expect_err("refused");
            assert!(told.starts_with("invalid type: "), "{told}");
        }
    }
}
