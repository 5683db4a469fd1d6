//! The sites that depend on each cell: tables that depend on the sites and the board alone. They
//! say which sites are considered anew after a change.

use crate::board::{Board, Cell, Direction, Directions};
use crate::local::sites::LocalRule;

/// The dependencies of the sites of one board, and which site depends on a cell.
#[derive(Debug)]
pub(super) struct Dependencies {
    /// The dependencies by site and by bit of what is stale
    /// ([`crate::local::sites::stale`]), [`LocalRule::DEPENDENCIES`] for each site.
    entries: Box<[SiteDependency]>,
    /// The dependency that reads a cell, by [`Cell::index`] and direction: it belongs to the
    /// neighbour on the other side.
    readers: Box<[[DependencyReader; 8]]>,
    /// The sites of each cell's own dependencies, by [`Cell::index`].
    own: Box<[OwnSites]>,
}

/// A dependency of a site, and the dependency that reads the signal written by it.
#[derive(Debug, Clone, Copy)]
pub(super) struct SiteDependency {
    pub cell: Cell,
    /// The direction, as a set.
    pub signal: Directions,
    /// The dependency in the same direction of the cell behind this one.
    pub behind: DependencyReader,
}

/// A dependency that reads a certain cell; the default in place of one where there is no cell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DependencyReader {
    /// The site that it belongs to.
    pub site: u16,
    /// The bit of the dependency in what is stale at the site; 0 if there is no such dependency
    /// (and the site is any).
    pub bit: u8,
}

/// The sites to which a cell's own dependencies belong.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OwnSites {
    /// The site by direction.
    pub sites: [u16; 8],
    /// The first direction of each site.
    pub directions: Directions,
}

impl Dependencies {
    /// The tables of `board` with the rule's sites.
    pub fn new<R: LocalRule>(rule: &R, board: Board) -> Self {
        let readers = readers(rule, board);
        Self {
            entries: entries(rule, board, &readers),
            own: own(board, &readers),
            readers,
        }
    }

    /// The dependency of a site for this bit of what is stale.
    #[inline]
    pub fn of<R: LocalRule>(&self, number: u16, bit: usize) -> SiteDependency {
        self.entries[usize::from(number) * R::DEPENDENCIES + bit]
    }

    /// The dependency in this direction that reads the cell.
    #[inline]
    pub fn reader(&self, cell: Cell, direction: Direction) -> DependencyReader {
        self.readers[cell.index()][direction as usize]
    }

    /// The sites to which the cell's own dependencies belong.
    #[inline]
    pub fn own(&self, cell: Cell) -> OwnSites {
        self.own[cell.index()]
    }
}

fn readers<R: LocalRule>(rule: &R, board: Board) -> Box<[[DependencyReader; 8]]> {
    let mut readers = vec![[DependencyReader::default(); 8]; board.n_indices()];
    for number in 0..rule.n_sites() {
        let dependencies = rule.dependencies(rule.site(number));
        for (bit, (cell, direction)) in dependencies.into_iter().enumerate() {
            readers[board.neighbour(cell, direction).index()][direction as usize] =
                DependencyReader {
                    site: number as u16,
                    bit: 1 << bit,
                };
        }
    }
    readers.into()
}

fn own(board: Board, readers: &[[DependencyReader; 8]]) -> Box<[OwnSites]> {
    let mut own = vec![OwnSites::default(); board.n_indices()];
    for cell in board.cells() {
        let own = &mut own[cell.index()];
        let mut last = None;
        for direction in board.directions(cell).iter() {
            let site = readers[board.neighbour(cell, direction).index()][direction as usize].site;
            own.sites[direction as usize] = site;
            own.directions = own.directions.with(direction, last != Some(site));
            last = Some(site);
        }
    }
    own.into()
}

fn entries<R: LocalRule>(
    rule: &R,
    board: Board,
    readers: &[[DependencyReader; 8]],
) -> Box<[SiteDependency]> {
    // A site of the edge has fewer dependencies than others; the entries left over belong to bits
    // that are never set.
    let unused = SiteDependency {
        cell: board.cell(0, 0),
        signal: Directions::NONE,
        behind: DependencyReader::default(),
    };
    let mut entries = vec![unused; rule.n_sites() as usize * R::DEPENDENCIES];
    for (number, of_site) in entries.chunks_mut(R::DEPENDENCIES).enumerate() {
        let dependencies = rule.dependencies(rule.site(number as u64));
        for (entry, (cell, direction)) in of_site.iter_mut().zip(dependencies) {
            *entry = SiteDependency {
                cell,
                signal: Directions::only(direction),
                behind: readers[cell.index()][direction as usize],
            };
        }
    }
    entries.into()
}
