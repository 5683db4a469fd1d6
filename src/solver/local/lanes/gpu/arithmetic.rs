//! What the programs of all rules begin with: the trial's generator, and numbers of more than 32
//! bits as vectors of u32, the lowest part first.

/// The functions, which know nothing of boards.
pub const ARITHMETIC: &str = "
// A product of 64 bits.
fn wide(a: u32, b: u32) -> vec2<u32> {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let one = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let other = (a & 0xffffu) * (b >> 16u) + (one & 0xffffu);
  let high = (a >> 16u) * (b >> 16u) + (one >> 16u) + (other >> 16u);
  return vec2<u32>((other << 16u) | (low & 0xffffu), high);
}

fn sum(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn is_below(a: vec2<u32>, b: vec2<u32>) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

// The next word: xoshiro256++.
var<private> g0: vec2<u32>;
var<private> g1: vec2<u32>;
var<private> g2: vec2<u32>;
var<private> g3: vec2<u32>;
fn next_word() -> vec2<u32> {
  let s = sum(g0, g3);
  let rotated = vec2<u32>((s.x << 23u) | (s.y >> 9u), (s.y << 23u) | (s.x >> 9u));
  let word = sum(rotated, g0);
  let shifted = vec2<u32>(g1.x << 17u, (g1.y << 17u) | (g1.x >> 15u));
  g2 ^= g0;
  g3 ^= g1;
  g1 ^= g2;
  g0 ^= g3;
  g2 ^= shifted;
  g3 = vec2<u32>((g3.y << 13u) | (g3.x >> 19u), (g3.x << 13u) | (g3.y >> 19u));
  return word;
}

// True with a probability: its 2^64-fold, and whether it is 1.
fn flip(threshold: vec2<u32>, is_certain: bool) -> bool {
  let word = next_word();
  return is_certain || is_below(word, threshold);
}

// A uniform number below a bound from 1 to 8 (Lemire 2019).
fn uniform(bound: u32) -> u32 {
  var result = 0u;
  var is_drawn = false;
  let two_to_32 = (0u - bound) % bound;
  let favoured = (two_to_32 * two_to_32) % bound;
  for (var i = 0u; i < TRIES; i++) {
    let word = next_word();
    let low = wide(word.x, bound);
    let high = sum(wide(word.y, bound), vec2<u32>(low.y, 0u));
    result = high.y;
    is_drawn = high.x != 0u || low.x >= favoured;
    if (is_drawn) { break; }
  }
  is_broken = is_broken || !is_drawn;
  return result;
}

// Numbers of 96 bits.
fn sum3(a: vec3<u32>, b: vec3<u32>) -> vec3<u32> {
  let low = sum(a.xy, b.xy);
  return vec3<u32>(low, a.z + b.z + select(0u, 1u, is_below(low, a.xy)));
}

fn difference3(a: vec3<u32>, b: vec3<u32>) -> vec3<u32> {
  let low = a.x - b.x;
  let borrowed = select(0u, 1u, a.x < b.x);
  let middle = a.y - b.y - borrowed;
  let again = select(0u, 1u, a.y < b.y || (a.y == b.y && borrowed == 1u));
  return vec3<u32>(low, middle, a.z - b.z - again);
}

fn is_below3(a: vec3<u32>, b: vec3<u32>) -> bool {
  return a.z < b.z || (a.z == b.z && is_below(a.xy, b.xy));
}

// Times a number so small that the product has 96 bits.
fn times3(a: vec3<u32>, by: u32) -> vec3<u32> {
  let low = wide(a.x, by);
  let middle = sum(wide(a.y, by), vec2<u32>(low.y, 0u));
  return vec3<u32>(low.x, middle.x, a.z * by + middle.y);
}

fn doubled3(a: vec3<u32>) -> vec3<u32> {
  return vec3<u32>(a.x << 1u, (a.y << 1u) | (a.x >> 31u), (a.z << 1u) | (a.y >> 31u));
}

fn halved3(a: vec3<u32>) -> vec3<u32> {
  return vec3<u32>((a.x >> 1u) | (a.y << 31u), (a.y >> 1u) | (a.z << 31u), a.z >> 1u);
}

// A uniform number below a bound from 1 on: of 128 bits, as many of the highest as are needed.
fn uniform3(bound: vec3<u32>) -> vec3<u32> {
  let last = difference3(bound, vec3<u32>(1u, 0u, 0u));
  let unused = select(select(64u + countLeadingZeros(last.x), 32u + countLeadingZeros(last.y),
    last.y != 0u), countLeadingZeros(last.z), last.z != 0u);
  var drawn = vec3<u32>();
  var is_drawn = false;
  for (var i = 0u; i < TRIES; i++) {
    let high = next_word();
    let low = next_word();
    drawn = vec3<u32>(low.y, high.x, high.y);
    if (unused >= 64u) { drawn = vec3<u32>(drawn.z, 0u, 0u); }
    else if (unused >= 32u) { drawn = vec3<u32>(drawn.y, drawn.z, 0u); }
    let by = unused & 31u;
    if (unused >= 96u) { drawn = vec3<u32>(); }
    else if (by > 0u) {
      drawn = vec3<u32>((drawn.x >> by) | (drawn.y << (32u - by)),
        (drawn.y >> by) | (drawn.z << (32u - by)), drawn.z >> by);
    }
    is_drawn = is_below3(drawn, bound);
    if (is_drawn) { break; }
  }
  is_broken = is_broken || !is_drawn;
  return drawn;
}

// How often a number contains another, where that is less than 2^12, and the rest.
struct Quotient { times: u32, rest: vec3<u32> }
fn quotient(number: vec3<u32>, each: vec3<u32>) -> Quotient {
  var result = Quotient(0u, number);
  var part = each;
DOUBLINGS
  return result;
}

// The bit of this rank among those that are set, counted from 0; there are more.
fn bit_of_rank(bits: u32, rank: u32) -> u32 {
  var word = bits;
  var left = rank;
  var place = 0u;
  var here = countOneBits(word & 0xffffu);
  if (left >= here) { left -= here; word >>= 16u; place += 16u; }
  here = countOneBits(word & 0xffu);
  if (left >= here) { left -= here; word >>= 8u; place += 8u; }
  here = countOneBits(word & 0xfu);
  if (left >= here) { left -= here; word >>= 4u; place += 4u; }
  here = countOneBits(word & 3u);
  if (left >= here) { left -= here; word >>= 2u; place += 2u; }
  here = word & 1u;
  if (left >= here) { place += 1u; }
  return 1u << place;
}
";

/// The functions as they are compiled: without loops of a known length, since some software devices
/// count the rounds of all loops together and end the loops after so many.
pub fn arithmetic() -> String {
    let double = "  part = doubled3(part);\n".repeat(11);
    let halve = "  if (!is_below3(result.rest, part)) {\n    \
                 result = Quotient(result.times * 2u + 1u, difference3(result.rest, part));\n  } \
                 else { result.times *= 2u; }\n  part = halved3(part);\n";
    ARITHMETIC.replace("DOUBLINGS\n", &(double + &halve.repeat(12)))
}
