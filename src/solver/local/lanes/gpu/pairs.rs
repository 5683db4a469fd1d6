//! Text of a step under a rule on pairs.

use super::draws::{coin, constants};
use super::program::Program;
use super::rows::Rows;
use super::table::Table;
use super::threshold::Threshold;
use crate::solver::board::Direction;
use crate::solver::local::lanes::step::Slots;
use crate::solver::rng::Chance;

/// The first of the four directions in which the second cell of a pair lies.
const FIRST: usize = Direction::E as usize;

/// The program of a rule.
pub fn program(n: usize, slots: &Slots, epsilon: Chance, certain: Table) -> Program {
    let one = epsilon.threshold();
    let first = (one * ((1 << 64) - one)) >> 64;
    let mut constants = constants(slots) + &coin("ONE", epsilon);
    for (name, threshold) in [("FIRST_ONE", first), ("EITHER", 2 * first)] {
        let words = Threshold::of(threshold).words;
        constants += &format!("const {name} = {words};\n");
    }
    let mut rows = Rows::on(n);
    rows.predicates();
    rows.open_pairs(certain);
    let open: Vec<String> = (0..4).map(|k| format!("open{k}")).collect();
    rows.draw(&open, Rows::pairs_that_are_not_open, true);
    rows.locate(&open);
    rows.pair_moves(certain);
    rows.write_pair();
    rows.line("if (a_moves || b_moves) {");
    rows.count_pair_move();
    rows.line("}");
    Program::new(rows, &constants, slots.n_sites())
}

impl Rows {
    /// `open0` … `open3`, and what is known of the pairs' cells: `ta`, `tb`.
    fn open_pairs(&mut self, certain: Table) {
        for k in 0..4 {
            let (ahead, back) = (FIRST + k, 3 - k);
            self.each(|y| {
                format!(
                    "let shown{k}_{y} = s{ahead}_{y} | occupied_{y};\n\
                     let go{k}_{y} = clear_{y} | (single_{y} & s{back}_{y});"
                )
            });
            let lines = |rows: &Self, y: usize| {
                let shown = rows.seen(&format!("shown{k}"), ahead, y);
                let second = rows.seen(&format!("s{back}"), ahead, y);
                let threatened = rows.seen("threatened", ahead, y);
                let safe = rows.seen(&format!("go{k}"), ahead, y);
                let beside = rows.beside(ahead, y);
                let ab = certain.expression(["ta", "sa", "tb", "sb"]);
                let ba = certain.expression(["tb", "sb", "ta", "sa"]);
                format!(
                    "var open{k}_{y} = 0u; let tb{k}_{y} = {threatened};\n\
                     {{ let ta = threatened_{y}; let tb = tb{k}_{y};\n\
                     let sa = clear_{y} | (single_{y} & s{ahead}_{y}); let sb = {safe};\n\
                     let stale = ({shown} ^ s{ahead}_{y}) | ((s{back}_{y} | occupied_{y}) ^ {second});\n\
                     open{k}_{y} = (stale | (ta & {ab}) | (tb & {ba})) & {beside}; }}"
                )
            };
            let text: Vec<String> = (0..self.n).map(|y| lines(self, y)).collect();
            self.line(&text.join("\n"));
        }
    }

    /// Where one queen is threatened, and where both are.
    fn pairs_that_are_not_open(&mut self) {
        for k in 0..4 {
            let text: Vec<String> = (0..self.n)
                .map(|y| {
                    let beside = self.beside(FIRST + k, y);
                    format!(
                        "let rare{k}_{y} = (threatened_{y} ^ tb{k}_{y}) & {beside} & ~open{k}_{y};\n\
                         let contested{k}_{y} = threatened_{y} & tb{k}_{y} & {beside} & ~open{k}_{y};"
                    )
                })
                .collect();
            self.line(&text.join("\n"));
        }
    }

    /// The cells of the pair that was drawn, as `a` and `b`, and which queen moves.
    fn pair_moves(&mut self, certain: Table) {
        self.line(
            "let a_row = row; let b_row = row + select(0u, 1u, kind > 0u);\n\
             let b_bit = select(select(bit, bit >> 1u, kind == 1u), bit << 1u, kind == 0u || kind == 3u);",
        );
        self.each(|y| {
            format!(
                "let a_{y} = select(0u, bit, a_row == {y}u); let b_{y} = select(0u, b_bit, b_row == {y}u);"
            )
        });
        (0..4).for_each(|k| {
            self.line(&format!(
                "let is{k} = select(0u, 0xffffffffu, kind == {k}u);"
            ));
        });
        for (name, shift) in [("ahead", 0), ("back", 1)] {
            for cell in ["a", "b"] {
                let of = |k: usize| {
                    let direction = if shift == 0 { FIRST + k } else { 3 - k };
                    let rows = self.any(|y| format!("(s{direction}_{y} & {cell}_{y})"));
                    format!("(is{k} & {rows})")
                };
                let all: Vec<String> = (0..4).map(of).collect();
                self.line(&format!("let {cell}_{name} = ({}) != 0u;", all.join(" | ")));
            }
        }
        for cell in ["a", "b"] {
            for (name, mask) in [
                ("queens", "occupied"),
                ("crowd", "crowded"),
                ("leaves", "threatened"),
                ("clear", "clear"),
                ("single", "single"),
            ] {
                let is_there = self.meet(mask, cell);
                self.line(&format!("let {name}_{cell} = {is_there};"));
            }
        }
        let masks = ["leaves_a", "safe_a", "leaves_b", "safe_b"]
            .map(|name| format!("select(0u, 0xffffffffu, {name})"));
        let [ta, sa, tb, sb] = masks.each_ref().map(String::as_str);
        let (ab, ba) = (
            certain.expression([ta, sa, tb, sb]),
            certain.expression([tb, sb, ta, sa]),
        );
        self.line(&format!(
            "let safe_a = clear_a || (single_a && a_ahead);\n\
             let safe_b = clear_b || (single_b && b_back);\n\
             let certain_a = leaves_a && ({ab} & 1u) == 1u;\n\
             let certain_b = leaves_b && ({ba} & 1u) == 1u;"
        ));
        self.line(COINS);
    }

    /// The queens' and the signals' new values.
    fn write_pair(&mut self) {
        self.each(|y| {
            format!(
                "let from_{y} = select(select(0u, b_{y}, b_moves), a_{y}, a_moves);\n\
                 let to_{y} = select(select(0u, a_{y}, b_moves), b_{y}, a_moves);"
            )
        });
        self.move_queen();
        self.line(
            "let still_a = (queens_a && !a_moves) || (crowd_a && a_moves) || b_moves;\n\
             let still_b = (queens_b && !b_moves) || (crowd_b && b_moves) || a_moves;\n\
             let new_a = select(0u, 0xffffffffu, still_b || b_ahead);\n\
             let new_b = select(0u, 0xffffffffu, still_a || a_back);",
        );
        for k in 0..4 {
            let (ahead, back) = (FIRST + k, 3 - k);
            self.each(|y| {
                format!(
                    "{{ let at_a = a_{y} & is{k}; let at_b = b_{y} & is{k};\n\
                     s{ahead}_{y} = (s{ahead}_{y} & ~at_a) | (at_a & new_a);\n\
                     s{back}_{y} = (s{back}_{y} & ~at_b) | (at_b & new_b); }}"
                )
            });
        }
    }

    fn count_pair_move(&mut self) {
        self.line(
            "let from_row = select(b_row, a_row, a_moves); let to_row = select(a_row, b_row, a_moves);\n\
             let from_bit = select(b_bit, bit, a_moves); let to_bit = select(bit, b_bit, a_moves);\n\
             let side = select(4u + kind, 3u - kind, a_moves);\n\
             let is_safe = is_open && ((a_moves && safe_b) || (b_moves && safe_a));\n\
             let is_certain = is_open && ((a_moves && certain_a) || (b_moves && certain_b));",
        );
        self.count_move();
    }
}

/// Which queen moves: as the lower half of the word shows, with more bits where that does not
/// decide.
const COINS: &str = "
var a_moves = false; var b_moves = false;
if (is_open) {
  var coin = vec2<u32>(0u, word.x);
  var shows_one = ONE_IS_CERTAIN || word.x < ONE.y;
  var shows_first = word.x < FIRST_ONE.y;
  var shows_either = word.x < EITHER.y;
  let is_undecided = (!ONE_IS_CERTAIN && word.x == ONE.y) || word.x == FIRST_ONE.y || word.x == EITHER.y;
  if (is_undecided && (leaves_a || leaves_b)) {
    coin.x = next_word().y;
    shows_one = ONE_IS_CERTAIN || is_below(coin, ONE);
    shows_first = is_below(coin, FIRST_ONE);
    shows_either = is_below(coin, EITHER);
  }
  let both = leaves_a && leaves_b;
  let is_uncertain = both && !(certain_a || certain_b);
  a_moves = (leaves_a && !leaves_b && (certain_a || shows_one)) || (is_uncertain && shows_first)
    || (both && certain_a && !certain_b && !shows_one);
  b_moves = (leaves_b && !leaves_a && (certain_b || shows_one))
    || (is_uncertain && shows_either && !shows_first)
    || (both && certain_b && !certain_a && !shows_one);
} else {
  b_moves = select(leaves_b, second_moves, is_contested);
  a_moves = !b_moves;
}
";
