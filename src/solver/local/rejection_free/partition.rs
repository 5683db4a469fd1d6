//! Sites by class.

use crate::solver::local::rule::Class;

/// A partition of the sites into classes, from which a member is drawn at once. A site changes its class in a few steps without a branch,
/// whatever the two classes are.
#[derive(Debug, Clone)]
pub(super) struct Partition {
    /// By site: its class, and its place in the list of that class.
    places: Box<[(Class, u16)]>,
    /// By class, the first [`Partition::lens`] places: its sites, in no particular order.
    lists: [Box<[u16]>; Class::COUNT],
    lens: [u16; Class::COUNT],
}

impl Partition {
    /// Of sites with these classes.
    pub fn new(classes: &[Class]) -> Self {
        let lists = std::array::from_fn(|_| vec![0; classes.len()].into());
        let mut partition = Self { places: vec![(Class::Idle, 0); classes.len()].into(), lists, lens: [0; Class::COUNT] };
        for (number, &class) in classes.iter().enumerate() {
            partition.join(number as u16, class);
        }
        partition
    }

    /// Numbers of sites, by class.
    #[inline]
    pub fn lens(&self) -> [u16; Class::COUNT] {
        self.lens
    }

    #[inline]
    pub fn members(&self, class: Class) -> &[u16] {
        &self.lists[class as usize][..usize::from(self.lens[class as usize])]
    }

    /// Puts a site into a class.
    #[inline]
    pub fn set(&mut self, number: u16, class: Class) {
        if class != self.places[usize::from(number)].0 {
            self.leave(number);
            self.join(number, class);
        }
    }

    /// The last of the list takes the place of the site that leaves.
    #[inline]
    fn leave(&mut self, number: u16) {
        let (class, place) = self.places[usize::from(number)];
        let (list, len) = (&mut self.lists[class as usize], &mut self.lens[class as usize]);
        *len -= 1;
        let last = list[usize::from(*len)];
        list[usize::from(place)] = last;
        self.places[usize::from(last)].1 = place;
    }

    #[inline]
    fn join(&mut self, number: u16, class: Class) {
        let len = &mut self.lens[class as usize];
        self.lists[class as usize][usize::from(*len)] = number;
        self.places[usize::from(number)] = (class, *len);
        *len += 1;
    }
}
