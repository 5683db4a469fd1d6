//! Text of a step's draw: an open site, or a slot and what falls there.

use super::rows::Rows;
use super::threshold::{Threshold, words3};
use crate::solver::local::lanes::step::{PLACES, PLACES_BITS, Slots};
use crate::solver::rng::Chance;

/// Constants of the draw.
pub fn constants(slots: &Slots) -> String {
    let [dangerous, contested] = slots.weights();
    let (places, most) = (slots.places, slots.most);
    format!(
        "const PLACES = {places}u;\nconst MOST = {most}u;\n\
         const DANGEROUS = {};\nconst CONTESTED = {};\nconst HALF = {};\n",
        words3(dangerous),
        words3(contested),
        words3(contested.div_ceil(2)),
    )
}

/// Constants of a coin.
pub fn coin(name: &str, chance: Chance) -> String {
    let Threshold { words, is_certain } = Threshold::of(chance.threshold());
    format!("const {name} = {words};\nconst {name}_IS_CERTAIN = {is_certain};\n")
}

impl Rows {
    /// The draw, from the masks of open sites: `rank` among them and `is_open`. Ends the step where
    /// it comes to nothing; where it falls on another site these masks are replaced.
    ///
    /// `fall` writes masks `rare` of the sites where one queen has a dangerous move, and for pairs
    /// `contested` of those with two.
    pub fn draw(&mut self, open: &[String], fall: impl Fn(&mut Self), has_contested: bool) {
        self.line("let word = next_word();");
        self.count("n_open", open);
        self.line(&format!(
            "let places = min(n_open * {PLACES}u + PLACES, MOST);\n\
             let product = wide(word.y, places);\n\
             if (product.x < places && product.x < (0u - places) % places) {{ skipped += 1u; return; }}\n\
             draws[n_open * n_trials + trial] += 1u;\n\
             var rank = product.y >> {PLACES_BITS}u;\n\
             let is_open = rank < n_open;\n\
             var second_moves = false; var is_contested = false;\n\
             if (!is_open) {{"
        ));
        fall(self);
        let named = |name: &str| -> Vec<String> {
            (0..open.len())
                .map(|number| format!("{name}{number}"))
                .collect()
        };
        let (rare, contested) = (named("rare"), named("contested"));
        self.count("n_rare", &rare);
        if has_contested {
            self.count("n_contested", &contested);
        } else {
            self.line("let n_contested = 0u;");
        }
        self.line(FALL);
        self.replace(open, &rare);
        self.line("} else {");
        self.line(if has_contested {
            FALL_ON_TWO
        } else {
            "return;"
        });
        if has_contested {
            self.replace(open, &contested);
        }
        self.line("} }");
    }

    fn replace(&mut self, masks: &[String], by: &[String]) {
        for (mask, other) in masks.iter().zip(by) {
            self.each(|y| format!("{mask}_{y} = {other}_{y};"));
        }
    }
}

/// Where on the sites that are not open the draw has fallen. Where there are no slots, it is the
/// draw that changes something, if any can; its wait is drawn by the host.
const FALL: &str = "
let all_rare = times3(DANGEROUS, n_rare);
var at = vec3<u32>();
if (n_open > 0u) {
  let slot = product.y - n_open * 64u;
  let within = next_word();
  at = vec3<u32>((within.x >> 6u) | (within.y << 26u), (within.y >> 6u) | (slot << 26u), slot >> 6u);
} else {
  let weight = sum3(all_rare, times3(CONTESTED, n_contested));
  if (weight.x == 0u && weight.y == 0u && weight.z == 0u) { status = STILL; return; }
  reports[(WAITS + n_waits) * n_trials + trial] = n_rare | (n_contested << 16u);
  n_waits += 1u;
  if (n_waits == MOST_WAITS) { status = FULL; }
  at = uniform3(weight);
}
if (is_below3(at, all_rare)) {
  rank = quotient(at, DANGEROUS).times;
";

const FALL_ON_TWO: &str = "
  at = difference3(at, all_rare);
  if (!is_below3(at, times3(CONTESTED, n_contested))) { return; }
  let on = quotient(at, CONTESTED);
  rank = on.times;
  is_contested = true;
  second_moves = !is_below3(on.rest, HALF);
";
