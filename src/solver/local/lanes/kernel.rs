//! What lanes need of a rule, and its update of the site that one lane has drawn. The coins of ε of
//! this update are drawn, or known from the word of the draw.

use super::draw::{ClosedSites, Slots};
use super::layout::{Layout, Masks};
use crate::board::Board;
use crate::local::configuration::{Cells, Move};
use crate::local::sites::LocalRule;
use crate::rng::{Chance, Generator, RandomSource};

/// A rule whose sites are in G masks: each site is a bit of one of them.
///
/// A mask of dependencies for each direction d has the cells c of some dependencies (c, d).
pub trait Kernel<const G: usize>: LocalRule {
    /// Sites of a cell with a queen, at most.
    const SITES_PER_CELL: u64;

    /// Coins that an update flips before those of ε.
    const COINS_BEFORE: u32;

    /// The sites with one of these dependencies.
    fn sites_of(dependencies: [u64; 8]) -> [u64; G];

    /// The dependencies of these sites.
    fn dependencies_of(sites: [u64; G]) -> [u64; 8];

    /// The sites without a certain move where one queen may move, and those where one of two may,
    /// from the cells with threatened queens.
    fn closed(threatened: u64) -> [[u64; G]; 2];

    /// The site with this bit of a mask.
    fn place(&self, layout: &Layout, mask: usize, index: u32) -> Self::Site;

    /// The greatest lower half of the word of a draw at which a queen may move for whom no move is
    /// certain.
    fn coins_up_to(&self) -> u64 {
        u32::MAX.into()
    }

    /// What the coins of ε show in the update of an open site where the word of the draw says
    /// it; `None` where they are drawn after it.
    fn coins(
        &self,
        _x: &impl Cells,
        _site: Self::Site,
        _word: u64,
        _generator: &mut Generator,
    ) -> Option<[bool; 2]> {
        None
    }

    /// The update of a site whose coins of ε show this, or are drawn.
    #[inline(always)]
    fn update_by(
        &self,
        x: &mut impl Cells,
        site: Self::Site,
        coins: Option<[bool; 2]>,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        let before = Self::COINS_BEFORE;
        let mut random = Flipped {
            random,
            before,
            coins,
        };
        self.update(x, site, &mut random)
    }
}

/// A rule in lanes at one point: what its trials share.
pub struct InLanes<K, const G: usize> {
    pub rule: K,
    /// All sites.
    sites: [u64; G],
    pub layout: Layout,
    pub slots: Slots,
}

impl<K: Kernel<G>, const G: usize> InLanes<K, G> {
    /// A rule on a board that has lanes.
    pub fn new(rule: K, board: Board) -> Self {
        let epsilon = rule.epsilon();
        let n = board.n() as u64;
        let layout = Layout::on(board);
        Self {
            sites: K::sites_of(layout.has_neighbour),
            layout,
            slots: Slots::new(epsilon, rule.n_sites(), n, K::SITES_PER_CELL),
            rule,
        }
    }

    /// The sites of a board that are not open and may change something.
    pub fn closed_sites(&self, masks: &Masks) -> ClosedSites<G> {
        let has_neighbour = &self.layout.has_neighbour;
        let open = std::array::from_fn(|d| {
            masks.stale(d, has_neighbour[d]) | masks.leaves(d, has_neighbour[d])
        });
        let open = K::sites_of(open);
        let closed = K::closed(masks.threatened);
        let [dangerous, contested] =
            closed.map(|sites| std::array::from_fn(|k| sites[k] & self.sites[k] & !open[k]));
        ClosedSites {
            dangerous,
            contested,
        }
    }
}

/// Random answers to an update whose coins of ε may have been flipped before.
struct Flipped<'a, R> {
    random: &'a mut R,
    /// The number of other coins that come first.
    before: u32,
    coins: Option<[bool; 2]>,
}

impl<R: RandomSource> RandomSource for Flipped<'_, R> {
    #[inline]
    fn below(&mut self, bound: u64) -> u64 {
        self.random.below(bound)
    }

    #[inline]
    fn flip(&mut self, chance: Chance) -> bool {
        let Some([first, second]) = self.coins.filter(|_| self.before == 0) else {
            self.before = self.before.saturating_sub(1);
            return self.random.flip(chance);
        };
        self.coins = Some([second, first]);
        first
    }
}
