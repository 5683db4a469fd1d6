//! Exponential numbers by the ziggurat method: a table in place of a logarithm, and as exact.
//!
//! The area under e^(−x), x ≥ 0, is covered by 256 horizontal layers of one area `v` (Marsaglia and
//! Tsang, J. Stat. Softw. 5(8), 2000). Layer i > 0 reaches from 0 to `x[i]` and from height
//! `e^(−x[i])` to `e^(−x[i+1])`; layer 0 is the strip below e^(−r), r = `x[1]`, and takes the tail
//! in. A point drawn in a layer is under the curve for certain if it is left of `x[i+1]`; that is
//! 98.9 % of them.

use std::sync::LazyLock;

use super::midpoint;

/// Number of layers.
const LAYERS: usize = 256;

/// r, from which on the curve is tail: the solution of `x[256] = 0` for the recursion in
/// [`Layers::new`].
const TAIL: f64 = 7.697_117_470_131_05;

static ZIGGURAT: LazyLock<Layers> = LazyLock::new(Layers::new);

struct Layers {
    /// Right ends; that of layer 0 is v / e^(−r), as if it were a rectangle.
    x: [f64; LAYERS + 1],
    /// e^(−x).
    height: [f64; LAYERS + 1],
}

impl Layers {
    fn new() -> Self {
        let area = libm::exp(-TAIL) * (TAIL + 1.0);
        let mut x = [0.0; LAYERS + 1];
        x[0] = area / libm::exp(-TAIL);
        x[1] = TAIL;
        for i in 1..LAYERS - 1 {
            x[i + 1] = -libm::log(area / x[i] + libm::exp(-x[i]));
        }
        Self {
            x,
            height: x.map(|x| libm::exp(-x)),
        }
    }
}

/// An exponential number of mean 1, never 0: P(X > x) = e^(−x). `word` gives uniform words, of
/// which almost always one is used: its last 8 bits choose the layer, its first 53, as the
/// midpoints `(i + ½) 2⁻⁵³`, the place in it.
#[inline]
pub(super) fn exponential(mut word: impl FnMut() -> u64) -> f64 {
    let ziggurat = &*ZIGGURAT;
    let first = word();
    let layer = usize::from(first as u8);
    let x = midpoint(first) * ziggurat.x[layer];
    if x < ziggurat.x[layer + 1] {
        x
    } else {
        near_the_curve(ziggurat, layer, x, word)
    }
}

/// The point at `x` in a layer, where the curve passes: it counts if it is under the curve, else
/// another is drawn.
#[cold]
fn near_the_curve(ziggurat: &Layers, layer: usize, x: f64, mut word: impl FnMut() -> u64) -> f64 {
    let mut layer = layer;
    let mut x = x;
    let mut tail = 0.0;
    loop {
        if x < ziggurat.x[layer + 1] {
            return tail + x;
        }
        if layer == 0 {
            // Beyond r the law is the same again, r further on.
            tail += TAIL;
        } else {
            let low = ziggurat.height[layer];
            let high = ziggurat.height[layer + 1];
            if low + midpoint(word()) * (high - low) < libm::exp(-x) {
                return tail + x;
            }
        }
        let next = word();
        layer = usize::from(next as u8);
        x = midpoint(next) * ziggurat.x[layer];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The top layer must close at height 1, and all areas must be equal: that is what makes r
    /// right.
    #[test]
    fn layers_cover_the_curve() {
        let Layers { x, height } = Layers::new();
        let area = x[0] * height[1];
        assert_eq!((x[LAYERS], height[LAYERS]), (0.0, 1.0));
        for layer in 1..LAYERS {
            assert!(x[layer] > x[layer + 1]);
            assert!(
                (x[layer] * (height[layer + 1] - height[layer]) / area - 1.0).abs() < 1e-12,
                "layer {layer}"
            );
        }
    }
}
