//! Variables and their values.

/// A value of a variable, or a difference of values.
pub type DomainValue = i32;

/// A variable of a model, named by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Var(u32);

impl Var {
    /// The variable that was made after `index` others.
    pub(super) fn at(index: usize) -> Self {
        Self(u32::try_from(index).expect("a model has far fewer than 2³² variables"))
    }

    /// Number of variables that were made before this one.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value of a variable plus a constant: `C_i + i` without a variable of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The variable.
    pub var: Var,
    /// What is added to its value.
    pub offset: DomainValue,
}

impl From<Var> for View {
    fn from(var: Var) -> Self {
        Self { var, offset: 0 }
    }
}
