//! Text of a step under a rule on cells.

use super::draws::{coin, constants};
use super::program::Program;
use super::rows::Rows;
use super::table::Table;
use crate::solver::local::lanes::step::Slots;
use crate::solver::rng::Chance;

/// The program of a rule.
pub fn program(n: usize, slots: &Slots, [epsilon, eta]: [Chance; 2], certain: Table) -> Program {
    let constants = constants(slots) + &coin("EPSILON", epsilon) + &coin("ETA", eta);
    let mut rows = Rows::on(n);
    rows.predicates();
    rows.open_cells(certain);
    let open = ["open0".to_owned()];
    rows.draw(&open, Rows::cells_that_are_not_open, false);
    rows.locate(&open);
    rows.write_cell();
    rows.leave(certain);
    Program::new(rows, &constants, slots.n_sites())
}

impl Rows {
    /// `open0`, the stale signals by direction, and where a queen has a certain move: `leaves`.
    fn open_cells(&mut self, certain: Table) {
        self.each(|y| format!("var changes_{y} = 0u; var leaves_{y} = 0u;"));
        for d in 0..8 {
            self.each(|y| {
                format!(
                    "let shown{d}_{y} = s{d}_{y} | occupied_{y};\n\
                     let go{d}_{y} = clear_{y} | (single_{y} & s{}_{y});",
                    7 - d
                )
            });
            let line = |y: usize| {
                let (shown, beside) = (self.seen(&format!("shown{d}"), d, y), self.beside(d, y));
                let (threatened, safe) = (
                    self.seen("threatened", d, y),
                    self.seen(&format!("go{d}"), d, y),
                );
                let certain =
                    certain.expression([&format!("threatened_{y}"), "0u", &threatened, &safe]);
                format!(
                    "let stale{d}_{y} = ({shown} ^ s{d}_{y}) & {beside}; changes_{y} |= stale{d}_{y};\n\
                     leaves_{y} |= {certain} & {beside};"
                )
            };
            let text: Vec<String> = (0..self.n).map(line).collect();
            self.line(&text.join("\n"));
        }
        self.each(|y| format!("var open0_{y} = changes_{y} | (threatened_{y} & leaves_{y});"));
    }

    fn cells_that_are_not_open(&mut self) {
        self.each(|y| format!("let rare0_{y} = threatened_{y} & ~(changes_{y} | leaves_{y});"));
    }

    /// The signals of the cell that was drawn. A queen there may leave it.
    fn write_cell(&mut self) {
        self.each(|y| format!("let from_{y} = select(0u, bit, row == {y}u);"));
        for d in 0..8 {
            self.each(|y| format!("s{d}_{y} ^= stale{d}_{y} & from_{y};"));
        }
        let (manned, crowded) = (self.meet("occupied", "from"), self.meet("crowded", "from"));
        self.line(&format!("if (!{manned}) {{ return; }}"));
        for d in 0..8 {
            let is_there = self.meet(&format!("s{d}"), "from");
            self.line(&format!("let here{d} = {is_there};"));
        }
        let any: Vec<String> = (0..8).map(|d| format!("here{d}")).collect();
        self.line(&format!(
            "if (!({crowded} || {})) {{ return; }}",
            any.join(" || ")
        ));
    }

    /// A mask's eight cells around the one that was drawn, by their directions.
    fn around(&mut self, name: &str, mask: &str) {
        let rows: Vec<String> = ["above", "same", "below"]
            .iter()
            .map(|place| self.any(|y| format!("({mask}_{y} & {place}_{y})")))
            .collect();
        self.line(&format!(
            "let {name} = around(vec3<u32>({}), column) & neighbours;",
            rows.join(", ")
        ));
    }

    /// The queen there tries one destination.
    fn leave(&mut self, certain: Table) {
        self.each(|y| {
            format!(
                "let above_{y} = select(0u, 0xffffffffu, row == {}u);\n\
                 let same_{y} = select(0u, 0xffffffffu, row == {y}u);\n\
                 let below_{y} = select(0u, 0xffffffffu, row + 1u == {y}u);",
                y + 1
            )
        });
        let all = (1_u32 << self.n) - 1;
        self.line(&format!(
            "let column = countTrailingZeros(bit);\n\
             let neighbours = around(vec3<u32>(select(0u, {all:#x}u, row > 0u), {all:#x}u,\n\
             select(0u, {all:#x}u, row + 1u < {}u)), column);",
            self.n
        ));
        for d in 0..8 {
            self.around(&format!("w{d}"), &format!("s{d}"));
        }
        self.around("manned", "occupied");
        self.around("met", "crowded");
        let two = |a: &str, b: &str, c: &str| format!("(({a} & {b}) | ({c} & ({a} | {b})))");
        self.line(&format!(
            "let odd_0 = w0 ^ w1 ^ w2; let odd_1 = w3 ^ w4 ^ w5; let odd_2 = w6 ^ w7;\n\
             let pairs_0 = {}; let pairs_1 = {}; let pairs_2 = w6 & w7; let pairs_3 = {};\n\
             let odd_twos = pairs_0 ^ pairs_1 ^ pairs_2;\n\
             let four_0 = {}; let four_1 = odd_twos & pairs_3;",
            two("w0", "w1", "w2"),
            two("w3", "w4", "w5"),
            two("odd_0", "odd_1", "odd_2"),
            two("pairs_0", "pairs_1", "pairs_2"),
        ));
        self.line(LEAST);
        let certain = certain.expression(["chosen_one", "0u", "threatened", "safe"]);
        self.line(&format!(
            "let is_safe = (safe & chosen_one) != 0u;\n\
             let is_certain = ({certain} & chosen_one) != 0u;\n\
             if (!is_certain && is_open && !flip(EPSILON, EPSILON_IS_CERTAIN)) {{ return; }}"
        ));
        self.line(TARGET);
        self.each(|y| format!("let to_{y} = select(0u, to_bit, to_row == {y}u);"));
        self.move_queen();
        self.count_move();
    }
}

/// The destination: any neighbour, or one of least ω, the number of signals (its bits, the highest
/// first).
const LEAST: &str = "
var choice = neighbours;
let is_any = flip(ETA, ETA_IS_CERTAIN);
let empty = neighbours & ~manned;
if (!is_any && empty != 0u) {
  choice = empty;
  var fewer = choice & ~(four_0 & four_1);
  choice = select(fewer, choice, fewer == 0u);
  fewer = choice & ~(four_0 ^ four_1);
  choice = select(fewer, choice, fewer == 0u);
  fewer = choice & ~(odd_twos ^ pairs_3);
  choice = select(fewer, choice, fewer == 0u);
  fewer = choice & ~(odd_0 ^ odd_1 ^ odd_2);
  choice = select(fewer, choice, fewer == 0u);
}
let chosen_one = bit_of_rank(choice, uniform(countOneBits(choice)));
let towards = countTrailingZeros(chosen_one);
let side = 7u - towards;
let any_signal = w0 | w1 | w2 | w3 | w4 | w5 | w6 | w7;
let many = (w0 & w1) | (w2 & w3) | (w4 & w5) | (w6 & w7) | ((w0 | w1) & (w2 | w3))
  | ((w4 | w5) & (w6 | w7)) | ((w0 | w1 | w2 | w3) & (w4 | w5 | w6 | w7));
let threatened = manned & (met | any_signal);
let of_side = select(0u, w0, side == 0u) | select(0u, w1, side == 1u) | select(0u, w2, side == 2u)
  | select(0u, w3, side == 3u) | select(0u, w4, side == 4u) | select(0u, w5, side == 5u)
  | select(0u, w6, side == 6u) | select(0u, w7, side == 7u);
let safe = ~(manned | any_signal) | (any_signal & ~(many | manned) & of_side);
";

const TARGET: &str = "
let from_row = row; let from_bit = bit;
let to_row = select(select(row, row - 1u, towards < 3u), row + 1u, towards > 4u);
let goes_west = towards == 0u || towards == 3u || towards == 5u;
let goes_east = towards == 2u || towards == 4u || towards == 7u;
let to_bit = select(select(bit, bit >> 1u, goes_west), bit << 1u, goes_east);
";
