//! Who looks where: tables that a rule and a board give once for all.

use crate::solver::board::{Board, Cell, Direction, Directions};
use crate::solver::local::rule::LocalRule;

/// The looks of a rule's sites on one board.
#[derive(Debug, Clone)]
pub(super) struct Looks {
    /// By site and bit of what is stale ([`crate::solver::local::rule::stale`]),
    /// [`LocalRule::LOOKS`] for each site.
    looks: Box<[Look]>,
    /// By [`Cell::index`] and direction: the look of the neighbour that looks that way and sees the
    /// cell.
    seeing: Box<[[Behind; 8]]>,
    /// By [`Cell::index`].
    own: Box<[OwnSites]>,
}

/// A look of a site, and the look that depends on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub cell: Cell,
    /// The one that it looks for, as a set.
    pub signal: Directions,
    pub behind: Behind,
}

/// The look of the cell behind in the same direction: it sees the signal that the first look
/// writes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Behind {
    pub site: u16,
    /// Its bit in what is stale at the site; 0 where there is no such cell (and the site is any).
    pub bit: u8,
}

/// In place of a look where there is no cell.
const NOBODY: Behind = Behind { site: 0, bit: 0 };

/// The sites at which a cell looks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OwnSites {
    /// By direction.
    pub sites: [u16; 8],
    /// Of all directions that belong to one site, the first.
    pub directions: Directions,
    /// Where the neighbour looks back at the same site.
    pub seeing: Directions,
}

impl Looks {
    pub fn new<R: LocalRule>(rule: &R, board: Board) -> Self {
        let seeing = seeing(rule, board);
        Self {
            looks: looks(rule, board, &seeing),
            own: own(board, &seeing),
            seeing,
        }
    }

    /// The look of a site for this bit of what is stale.
    #[inline]
    pub fn of<R: LocalRule>(&self, number: u16, bit: usize) -> Look {
        self.looks[usize::from(number) * R::LOOKS + bit]
    }

    /// The look of the neighbour that looks this way and sees the cell.
    #[inline]
    pub fn seeing(&self, cell: Cell, direction: Direction) -> Behind {
        self.seeing[cell.index()][direction as usize]
    }

    /// The sites at which a cell looks.
    #[inline]
    pub fn own(&self, cell: Cell) -> OwnSites {
        self.own[cell.index()]
    }
}

fn seeing<R: LocalRule>(rule: &R, board: Board) -> Box<[[Behind; 8]]> {
    let mut seeing = vec![[NOBODY; 8]; board.n_places()];
    for number in 0..rule.n_sites() {
        for (place, (cell, direction)) in rule.looks(rule.site(number)).into_iter().enumerate() {
            seeing[board.neighbour(cell, direction).index()][direction as usize] = Behind {
                site: number as u16,
                bit: 1 << place,
            };
        }
    }
    seeing.into()
}

fn own(board: Board, seeing: &[[Behind; 8]]) -> Box<[OwnSites]> {
    let mut own = vec![OwnSites::default(); board.n_places()];
    for cell in board.cells() {
        let own = &mut own[cell.index()];
        let mut last = None;
        for direction in board.directions(cell).iter() {
            let site = seeing[board.neighbour(cell, direction).index()][direction as usize].site;
            own.sites[direction as usize] = site;
            own.directions = own.directions.with(direction, last != Some(site));
            own.seeing = own.seeing.with(
                direction,
                seeing[cell.index()][direction.opposite() as usize].site == site,
            );
            last = Some(site);
        }
    }
    own.into()
}

fn looks<R: LocalRule>(rule: &R, board: Board, seeing: &[[Behind; 8]]) -> Box<[Look]> {
    // A site of the edge has fewer looks than others; the places left over belong to bits that are
    // never set.
    let unused = Look {
        cell: board.cell(0, 0),
        signal: Directions::NONE,
        behind: NOBODY,
    };
    let mut looks = vec![unused; rule.n_sites() as usize * R::LOOKS];
    for (number, places) in looks.chunks_mut(R::LOOKS).enumerate() {
        for (place, (cell, direction)) in
            places.iter_mut().zip(rule.looks(rule.site(number as u64)))
        {
            *place = Look {
                cell,
                signal: Directions::only(direction),
                behind: seeing[cell.index()][direction as usize],
            };
        }
    }
    looks.into()
}
