//! The span of values that several views share.

use crate::solver::cp::domain::{DomainValue, Domains, View};

/// The values that views could ever take, from the least.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub least: DomainValue,
    pub len: usize,
}

impl Range {
    pub fn of(views: &[View], domains: &Domains) -> Self {
        let least = views.iter().map(|view| view.offset).min().unwrap_or(0);
        let end = views
            .iter()
            .map(|view| domains.capacity(view.var) as DomainValue + view.offset)
            .max()
            .unwrap_or(0);
        Self {
            least,
            len: (end - least) as usize,
        }
    }
}
