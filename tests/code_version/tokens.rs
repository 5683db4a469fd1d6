//! The build's reading of a source file, once for each text: the tests read the same sources many
//! times.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

#[path = "../../build/tokens.rs"]
mod plain;

/// As in the build.
pub struct Tokens;

static READ: LazyLock<Mutex<BTreeMap<String, plain::Tokens>>> = LazyLock::new(Mutex::default);

impl Tokens {
    /// The tokens of `source`.
    ///
    /// # Errors
    /// As in the build.
    pub fn of(source: &str) -> Result<plain::Tokens, String> {
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tokens) = read.get(source) {
            return Ok(tokens.clone());
        }
        let tokens = plain::Tokens::of(source)?;
        read.insert(source.to_owned(), tokens.clone());
        Ok(tokens)
    }
}
