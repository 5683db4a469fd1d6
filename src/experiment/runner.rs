//! A plan's missing trials, in parallel, into the store.
