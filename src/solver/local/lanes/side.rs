//! What a rule in lanes is asked, and what it is told: of a queen that would move from one cell to
//! a neighbour, by masks.

use super::vector::Bits;

/// One of two cells beside each other.
#[derive(Debug, Clone, Copy)]
pub struct Side<B> {
    /// A queen that is not SAFESTAY.
    pub threatened: B,
    /// SAFEGO for a queen that comes from the other cell.
    pub safe: B,
    /// Of cells where the rule counts signals; else nothing.
    pub signals: Signals<B>,
}

/// What more there is of a cell for a rule that counts signals.
#[derive(Debug, Clone, Copy)]
pub struct Signals<B> {
    /// Any queens.
    pub occupied: B,
    /// A signal from the direction of the other cell.
    pub from_other: B,
    /// The number of all its signals, the lowest bit first.
    pub number: [B; 4],
}

impl<B: Bits> Signals<B> {
    /// Of a rule that does not count them.
    #[inline(always)]
    pub fn uncounted() -> Self {
        Self {
            occupied: B::none(),
            from_other: B::none(),
            number: [B::none(); 4],
        }
    }
}

/// How many of eight masks have each bit, the lowest bit of the number first.
#[inline(always)]
pub fn number<B: Bits>(s: &[B; 8]) -> [B; 4] {
    let odd = [s[0] ^ s[1] ^ s[2], s[3] ^ s[4] ^ s[5], s[6] ^ s[7]];
    let twos = [
        B::two_of(s[0], s[1], s[2]),
        B::two_of(s[3], s[4], s[5]),
        s[6] & s[7],
        B::two_of(odd[0], odd[1], odd[2]),
    ];
    let odd_twos = twos[0] ^ twos[1] ^ twos[2];
    let fours = [B::two_of(twos[0], twos[1], twos[2]), odd_twos & twos[3]];
    [
        odd[0] ^ odd[1] ^ odd[2],
        odd_twos ^ twos[3],
        fours[0] ^ fours[1],
        fours[0] & fours[1],
    ]
}
