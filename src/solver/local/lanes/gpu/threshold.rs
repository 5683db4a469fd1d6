//! Numbers of the host as constants of a program.

/// A coin's threshold, of 64 bits and one more.
pub struct Threshold {
    /// The lower 64 bits, as `vec2<u32>`.
    pub words: String,
    /// It is 2⁶⁴.
    pub is_certain: bool,
}

impl Threshold {
    pub fn of(threshold: u128) -> Self {
        let (low, high) = (threshold as u32, (threshold >> 32) as u32);
        Self {
            words: format!("vec2<u32>({low:#x}u, {high:#x}u)"),
            is_certain: threshold >> 64 != 0,
        }
    }
}

/// A number below 2⁹⁶, as `vec3<u32>`.
pub fn words3(number: u128) -> String {
    let [low, middle, high] = [0, 32, 64].map(|by| (number >> by) as u32);
    format!("vec3<u32>({low:#x}u, {middle:#x}u, {high:#x}u)")
}
