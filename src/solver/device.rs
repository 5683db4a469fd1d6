//! What makes the steps of trials in lanes: the processor, or a graphics processor. A trial is the
//! same on each.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "gpu")]
pub use super::gpu::Gpu;

/// A graphics processor, of which a program built without the feature `gpu` has none.
#[cfg(not(feature = "gpu"))]
#[derive(Debug, Clone, Copy)]
pub enum Gpu {}

/// A graphics processor as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// `gpu`: the first that is hardware.
    Hardware,
    /// `gpu:software`: the first that is none.
    Software,
    /// `gpu:NAME`: the first with this in its name.
    Named(String),
}

impl FromStr for Asked {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "gpu" => Ok(Self::Hardware),
            Some(("gpu", "software")) => Ok(Self::Software),
            Some(("gpu", name)) if !name.is_empty() => Ok(Self::Named(name.to_owned())),
            _ => Err("allowed are cpu, gpu, gpu:software and gpu:NAME".to_owned()),
        }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hardware => f.write_str("gpu"),
            Self::Software => f.write_str("gpu:software"),
            Self::Named(name) => write!(f, "gpu:{name}"),
        }
    }
}

/// Why there is no such device.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// The program cannot use any.
    #[error(
        "device {asked}: this program was built without the feature gpu (cargo build --release --features gpu)"
    )]
    NotBuilt {
        /// What was asked for.
        asked: String,
    },
    /// None is of the kind that was asked for.
    #[error("device {asked}: not found by Vulkan; {}", listed(asked, found))]
    NotFound {
        /// What was asked for.
        asked: String,
        /// Those that there are.
        found: Vec<String>,
    },
    /// It is there, and does not do what it must.
    #[error("device {device}: {reason}")]
    Unusable {
        /// Its name.
        device: String,
        /// What it says.
        reason: String,
    },
}

/// What there is in place of what was asked for.
fn listed(asked: &str, found: &[String]) -> String {
    let listed = found.join(", and ");
    match found {
        [] => "there is none of any kind".to_owned(),
        // Any that there is may be slower than the processor.
        _ if asked == "gpu" => {
            format!("there is {listed}, which gpu:software or gpu:NAME would take")
        }
        _ => format!("there is {listed}"),
    }
}

#[cfg(not(feature = "gpu"))]
impl Gpu {
    /// The device that was asked for.
    ///
    /// # Errors
    /// [`DeviceError::NotBuilt`].
    pub fn open(asked: &Asked) -> Result<Self, DeviceError> {
        Err(DeviceError::NotBuilt {
            asked: asked.to_string(),
        })
    }

    /// The device's name.
    pub fn name(&self) -> &str {
        match *self {}
    }

    /// Trials that it runs side by side, at most.
    pub fn seats(&self) -> usize {
        match *self {}
    }

    /// What went wrong, if anything has.
    pub fn failure(&self) -> Option<String> {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_asked_for_by_kind_or_by_name() {
        for (text, expected) in [
            ("gpu", Asked::Hardware),
            ("gpu:software", Asked::Software),
            ("gpu:H100", Asked::Named("H100".to_owned())),
        ] {
            assert_eq!(text.parse(), Ok(expected.clone()));
            assert_eq!(expected.to_string(), text);
        }
        for text in ["", "cpu:1", "gpu:", "GPU", "cuda"] {
            assert!(text.parse::<Asked>().is_err(), "{text}");
        }
    }
}
