//! Solution counts S(n) and the densities made from them.
