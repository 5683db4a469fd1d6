//! Which open site each lane draws, from the masks of all of them.

use super::step::{Draw, Slots, draw};
use super::vector::{LANES, LaneMask, Vector, Words};

/// The open site that each lane has drawn, in G masks of W words.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct Chosen<const W: usize, const G: usize> {
    /// Its bit in its word.
    pub bit: Words,
    /// The lanes where it is in this mask and this word; none where the draw fell on no open site.
    pub here: [[LaneMask; W]; G],
}

impl<const W: usize, const G: usize> Chosen<W, G> {
    pub fn none() -> Self {
        Self {
            bit: [0; LANES],
            here: [[0; W]; G],
        }
    }

    /// The mask and the place of the site that was drawn in a lane; `None` where the draw fell on
    /// no open site.
    #[inline]
    pub fn site(&self, lane: usize) -> Option<(usize, usize)> {
        let (k, w) = (0..G)
            .flat_map(|k| (0..W).map(move |w| (k, w)))
            .find(|&(k, w)| self.here[k][w] >> lane & 1 == 1)?;
        Some((k, 64 * w + self.bit[lane].trailing_zeros() as usize))
    }

    /// Draws one of the sites in each lane by its word, or a slot.
    #[inline(always)]
    pub fn draw<V: Vector>(
        &mut self,
        word: V,
        open: &[[V; W]; G],
        slots: &Slots,
        drawn: &mut Draw,
    ) {
        let mut so_far = [[V::none(); W]; G];
        let mut n_open = V::none();
        for k in 0..G {
            for w in 0..W {
                n_open = n_open.plus(open[k][w].count());
                so_far[k][w] = n_open;
            }
        }
        let rank = draw(word, n_open, slots, drawn);
        let (mut chosen, mut within) = (V::none(), rank);
        let (mut before, mut last) = (0, V::none());
        for k in 0..G {
            for w in 0..W {
                let below = rank.below(so_far[k][w]);
                let here = below & !before;
                before = below;
                self.here[k][w] = here & drawn.on_open;
                chosen = chosen | open[k][w].only(here);
                within = within.minus(last.only(here));
                last = so_far[k][w];
            }
        }
        chosen.bits_of_rank(within, &mut self.bit);
    }
}
