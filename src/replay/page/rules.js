"use strict";
// The pair rule and the cell rule, one update at a time, with the random numbers of the stepwise
// dynamics: trial k of a seed is here what it is there, bit for bit (src/solver/rng.rs describes the
// stream, docs/rules.md the rules). Cells are row * n + column.

// NW N NE W E SW S SE; the opposite of d is 7 - d.
const STEPS = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

// The number of ones in a byte.
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

// BLAKE3 of a message of at most one chunk, 1024 bytes: its first eight words.
const blake3 = (bytes) => {
  const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
  const ORDER = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
  const QUARTERS = [
    [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
    [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
  ];
  const padded = new Uint8Array(Math.max(1, Math.ceil(bytes.length / 64)) * 64);
  padded.set(bytes);
  let value = IV;
  for (let at = 0; at < padded.length; at += 64) {
    const view = new DataView(padded.buffer, at, 64);
    const isLast = at + 64 === padded.length;
    // The chunk's start, its end, and the root of the tree.
    const flags = (at === 0 ? 1 : 0) | (isLast ? 2 | 8 : 0);
    const length = Math.min(64, bytes.length - at);
    const v = Uint32Array.from([...value, ...IV.slice(0, 4), 0, 0, length, flags]);
    const turn = (place, other, by) => {
      const mixed = v[place] ^ v[other];
      v[place] = (mixed >>> by) | (mixed << (32 - by));
    };
    let words = Array.from({ length: 16 }, (_, word) => view.getUint32(4 * word, true));
    for (let round = 0; round < 7; round++) {
      QUARTERS.forEach(([a, b, c, d], quarter) => {
        v[a] += v[b] + words[2 * quarter];
        turn(d, a, 16);
        v[c] += v[d];
        turn(b, c, 12);
        v[a] += v[b] + words[2 * quarter + 1];
        turn(d, a, 8);
        v[c] += v[d];
        turn(b, c, 7);
      });
      words = ORDER.map((word) => words[word]);
    }
    value = Array.from({ length: 8 }, (_, word) => (v[word] ^ v[word + 8]) >>> 0);
  }
  return value;
};

// The shortest decimal of a number from 0 to 1, without an exponent.
const decimal = (value) => {
  const [digits, exponent] = String(value).split("e-");
  return exponent ? "0." + "0".repeat(exponent - 1) + digits.replace(".", "") : digits;
};

// What is hashed into the state of a trial's stream: each field after its length.
const message = ({ rule, n, epsilon, eta, seed, trial }) => {
  const real = (name, value) => [name, "real", decimal(value)];
  const axes = [real("epsilon", epsilon), ...(rule === "cell" ? [real("eta", eta)] : []), ["n", "integer", n]];
  const fields = ["reines/local/stepwise/1", seed, rule, "", axes.length, ...axes.flat(), trial];
  const bytes = (text) => [text.length, 0, 0, 0, ...new TextEncoder().encode(text)];
  return Uint8Array.from(fields.map(String).flatMap(bytes));
};

// xoshiro256++ (Blackman and Vigna); 64 bits are two halves of 32, the low one first.
class Stream {
  constructor(state) {
    this.state = Int32Array.from(state);
    // The last word.
    this.low = 0;
    this.high = 0;
  }

  next() {
    const s = this.state;
    const a = s[0], A = s[1], b = s[2], B = s[3], c = s[4], C = s[5], d = s[6], D = s[7];
    // rotl(a + d, 23) + a
    const low = (a + d) | 0;
    const high = (A + D + (low >>> 0 < a >>> 0 ? 1 : 0)) | 0;
    const turned = (low << 23) | (high >>> 9);
    const sum = (turned + a) | 0;
    this.low = sum >>> 0;
    this.high = (((high << 23) | (low >>> 9)) + A + (sum >>> 0 < a >>> 0 ? 1 : 0)) >>> 0;
    const e = c ^ a, E = C ^ A, f = d ^ b, F = D ^ B;
    s[0] = a ^ f;
    s[1] = A ^ F;
    s[2] = b ^ e;
    s[3] = B ^ E;
    s[4] = e ^ (b << 17);
    s[5] = E ^ ((B << 17) | (b >>> 15));
    // rotl(f, 45)
    s[6] = (F << 13) | (f >>> 19);
    s[7] = (f << 13) | (F >>> 19);
  }

  // A uniform whole number below a bound of at most 2^16: the high half of word * bound (Lemire).
  below(bound) {
    for (;;) {
      this.next();
      const part = this.low * bound;
      const carry = Math.floor(part / 4294967296);
      const rest = this.high * bound + carry;
      const result = Math.floor(rest / 4294967296);
      if (rest !== result * 4294967296) return result;
      // Of the least low halves, 2^64 modulo the bound are drawn again.
      const half = 4294967296 % bound;
      if (part - carry * 4294967296 >= (half * half) % bound) return result;
    }
  }

  // True with a probability, as `chance` gives it.
  flip({ low, high, isCertain }) {
    this.next();
    return isCertain || this.high < high || (this.high === high && this.low < low);
  }
}

// A probability as the 64-bit word that words are below, rounded up.
const chance = (p) => {
  const threshold = Math.ceil(p * 2 ** 64);
  return { high: Math.floor(threshold / 4294967296), low: threshold % 4294967296, isCertain: p === 1 };
};

// For each cell the neighbour in each direction; n * n, which is no cell, off the board.
const neighboursOf = (n) => Array.from({ length: n * n }, (_, cell) => STEPS.map(([dx, dy]) => {
  const x = cell % n + dx, y = Math.floor(cell / n) + dy;
  return x >= 0 && y >= 0 && x < n && y < n ? y * n + x : n * n;
}));

// The adjacent pairs in the source's order: two cells, and the direction in which the first lies.
const pairsOf = (n) => Array.from({ length: (4 * n - 2) * (n - 1) }, (_, number) => {
  const b = number % (n - 1);
  let a = Math.floor(number / (n - 1));
  const pair = (x, y, toX, toY, from) => [y * n + x, toY * n + toX, from];
  if (a < n) return pair(b, a, b + 1, a, 3);
  if ((a -= n) < n) return pair(a, b, a, b + 1, 1);
  if ((a -= n) < n - 1) return pair(a, b, a + 1, b + 1, 0);
  a -= n - 1;
  return pair(a, b + 1, a + 1, b, 5);
});

// The signals that are true for these queens, bit d for direction d.
const truthOf = (n, queens) => {
  const truth = new Uint8Array(n * n);
  for (let cell = 0; cell < n * n; cell++) {
    if (queens[cell] === 0) continue;
    for (let d = 0; d < 8; d++) {
      const [dx, dy] = STEPS[d];
      let x = cell % n + dx, y = Math.floor(cell / n) + dy;
      for (; x >= 0 && y >= 0 && x < n && y < n; x += dx, y += dy) truth[y * n + x] |= 1 << (7 - d);
    }
  }
  return truth;
};

// No two queens on a cell, and none sees another.
const isSolution = (queens, truth) => queens.every((on, cell) => on === 0 || (on === 1 && truth[cell] === 0));

// A trial: its state, and what its last change did.
class Trial {
  // With a start, { queens, signals }, its random numbers go on after those of its own start.
  constructor(point, start) {
    const { rule, n, epsilon, eta } = point;
    const words = blake3(message(point));
    Object.assign(this, { n, rule, isPair: rule === "pair", update: 0, moves: 0, hit: null, absorbed: null });
    this.stream = new Stream(words);
    this.epsilon = chance(epsilon);
    this.eta = chance(eta || 0);
    this.neighbours = Int32Array.from(neighboursOf(n).flat());
    this.pairs = Int32Array.from(pairsOf(n).flat());
    this.choice = new Uint8Array(8);
    this.queens = new Uint8Array(n * n);
    this.signals = new Uint8Array(n * n);
    for (let queen = 0; queen < n; queen++) this.queens[this.stream.below(n * n)]++;
    if (start) {
      this.queens.set(start.queens);
      this.signals.set(start.signals);
    }
    // What the neighbours of a cell take over from it: all signals where there is a queen.
    this.shows = new Uint8Array(n * n + 1);
    for (let cell = 0; cell < n * n; cell++) this.show(cell);
    // The last change: the cells that a queen left and reached (-1: none), of which kinds the move
    // was (bit 1 dangerous, 2 needless, 3 deceived), and each changed signal as cell * 8 + direction.
    this.from = this.to = -1;
    this.kinds = 0;
    this.toggled = [];
    this.lookAround();
  }

  // Goes on until an update changes something, or to update `end`; whether one has.
  next(end) {
    while (this.update < end && this.absorbed === null) {
      this.update++;
      if (this.isPair ? this.updatePair(this.stream.below(this.pairs.length / 3)) : this.updateCell()) {
        if (this.from >= 0) this.lookAround();
        else if (this.isSolved) this.lookAtSignals();
        return true;
      }
    }
    return false;
  }

  // Whether a queen could move to a neighbouring cell that looks safe.
  hasSafeStep() {
    const { queens, neighbours } = this;
    for (let cell = 0; cell < queens.length; cell++) {
      if (queens[cell] === 0 || !this.isThreatened(cell)) continue;
      for (let d = 0; d < 8; d++) if (this.isSafe(neighbours[8 * cell + d], 7 - d)) return true;
    }
    return false;
  }

  isThreatened(cell) {
    return this.queens[cell] > 1 || (this.queens[cell] === 1 && this.signals[cell] !== 0);
  }

  // SAFEGO: empty, and no signal but perhaps the one from the mover's side.
  isSafe(cell, from) {
    return this.queens[cell] === 0 && (this.signals[cell] & ~(1 << from)) === 0;
  }

  updatePair(site) {
    const at = 3 * site;
    const a = this.pairs[at], b = this.pairs[at + 1], fromA = this.pairs[at + 2], fromB = 7 - fromA;
    const { queens, signals } = this;
    let moved = false;
    if (queens[a] + queens[b] > 0) {
      const ab = this.isThreatened(a) && (this.isSafe(b, fromA) || this.stream.flip(this.epsilon));
      const ba = this.isThreatened(b) && (this.isSafe(a, fromB) || this.stream.flip(this.epsilon));
      moved = ab !== ba;
      if (moved && ab) this.move(a, b, fromA);
      else if (moved) this.move(b, a, fromB);
    }
    const staleA = (this.shows[b] ^ signals[a]) >> fromB & 1, staleB = (this.shows[a] ^ signals[b]) >> fromA & 1;
    if (!moved && (staleA | staleB) === 0) return false;
    this.startChange(moved);
    if (staleA) this.toggle(a, fromB);
    if (staleB) this.toggle(b, fromA);
    if (b < a) this.toggled.reverse();
    return true;
  }

  updateCell() {
    const c = this.stream.below(this.queens.length);
    const { signals, neighbours, shows } = this;
    let heard = 0;
    for (let d = 0; d < 8; d++) heard |= shows[neighbours[8 * c + d]] & 1 << d;
    const stale = signals[c] ^ heard;
    signals[c] = heard;
    let moved = false;
    if (this.isThreatened(c)) {
      const d = this.destination(c), to = neighbours[8 * c + d];
      moved = this.isSafe(to, 7 - d) || this.stream.flip(this.epsilon);
      if (moved) this.move(c, to, 7 - d);
    }
    if (!moved && stale === 0) return false;
    signals[c] ^= stale;
    this.startChange(moved);
    for (let d = 0; d < 8; d++) if (stale >> d & 1) this.toggle(c, d);
    return true;
  }

  // With probability eta any neighbour, else one of least omega: its signals, infinite with queens.
  destination(c) {
    const isAny = this.stream.flip(this.eta), choice = this.choice;
    let least = 10, count = 0;
    for (let d = 0; d < 8; d++) {
      const cell = this.neighbours[8 * c + d];
      if (cell === this.queens.length) continue;
      const omega = isAny ? 0 : this.queens[cell] > 0 ? 9 : ONES[this.signals[cell]];
      if (omega < least) [least, count] = [omega, 0];
      if (omega === least) choice[count++] = d;
    }
    return choice[this.stream.below(count)];
  }

  move(from, to, side) {
    const isSafe = this.isSafe(to, side);
    const isTrulySafe = this.queens[to] === 0 && (this.truth[to] & ~(1 << side)) === 0;
    this.queens[from]--;
    const isNeedless = this.queens[from] === 0 && this.truth[from] === 0;
    this.queens[to]++;
    this.show(from);
    this.show(to);
    this.moves++;
    [this.from, this.to] = [from, to];
    this.kinds = (isSafe ? 0 : 2) | (isNeedless ? 4 : 0) | (isSafe !== isTrulySafe ? 8 : 0);
  }

  startChange(moved) {
    if (!moved) this.from = this.to = -1;
    this.toggled.length = 0;
  }

  show(cell) {
    this.shows[cell] = this.queens[cell] > 0 ? 255 : this.signals[cell];
  }

  toggle(cell, d) {
    this.signals[cell] ^= 1 << d;
    this.show(cell);
    this.toggled.push(8 * cell + d);
  }

  // After a move, and at the start.
  lookAround() {
    this.truth = truthOf(this.n, this.queens);
    this.isSolved = isSolution(this.queens, this.truth);
    if (this.isSolved) {
      if (this.hit === null) this.hit = this.update;
      this.lookAtSignals();
    }
  }

  lookAtSignals() {
    if (this.signals.every((carried, cell) => carried === this.truth[cell])) this.absorbed = this.update;
  }
}

// A whole trial, not shown: its end, how often the queens came to be a solution and, if that is
// asked for, the updates while no queen had a safe step.
const measured = ({ point, start, cutoff, countsBlocked }) => {
  const trial = new Trial(point, start);
  let blocked = 0, solutions = trial.isSolved ? 1 : 0;
  for (let hasChanged = true; hasChanged;) {
    const { update, isSolved } = trial, isBlocked = countsBlocked && !trial.hasSafeStep();
    hasChanged = trial.next(cutoff);
    if (isBlocked) blocked += trial.update - update;
    if (trial.isSolved && !isSolved) solutions++;
  }
  return { update: trial.update, absorbed: trial.absorbed, blocked, solutions };
};
