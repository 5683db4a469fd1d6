// The changes of a run, forward and back: read from a log, or taken from a trial as it goes on.
class Tape {
  // Changes that are kept of a trial; then the tape begins anew.
  static MOST = 1 << 20;

  constructor(n, { queens, signals }, from, movesBefore) {
    Object.assign(this, { n, from, movesBefore, trial: null, moves: [], risks: [] });
    this.start = { queens: Uint8Array.from(queens), signals: Uint8Array.from(signals) };
    // Of each change: the update, the head as in a log, the cells left and reached, where its
    // signals begin.
    this.updates = [];
    this.heads = [];
    this.lefts = [];
    this.reached = [];
    this.firsts = [0];
    this.signals = [];
    // Threatened queens, false signals, safe cells and moves before the first change and after each.
    this.counts = [[], [], [], []];
    this.queens = Uint8Array.from(queens);
    this.carried = Uint8Array.from(signals);
    this.truth = truthOf(n, this.queens);
    this.count();
  }

  get length() {
    return this.updates.length;
  }

  // The numbers of a log as src/replay/log.rs describes it.
  static read(numbers) {
    let at = 0;
    const next = () => numbers[at++];
    const n = next(), from = next(), movesBefore = next();
    const cells = () => numbers.slice(at, at += n * n);
    const tape = new Tape(n, { queens: cells(), signals: cells() }, from, movesBefore);
    for (let update = from; at < numbers.length;) {
      update += next();
      const head = next(), [left, reached] = head & 1 ? [next(), next()] : [-1, -1];
      tape.add(update, head & 15, left, reached, Array.from({ length: head >> 4 }, next));
    }
    return tape;
  }

  static of(trial) {
    const tape = new Tape(trial.n, trial, trial.update, trial.moves);
    tape.trial = trial;
    return tape;
  }

  // The run has come to where nothing can change, or to the log's end.
  get isWhole() {
    return this.trial === null || this.trial.absorbed !== null;
  }

  // Goes on with the trial, to a number of changes or for some milliseconds; false if the tape has
  // no room.
  grow(length, milliseconds) {
    const end = performance.now() + milliseconds, { trial } = this;
    while (!this.isWhole && this.length < length) {
      if (this.length >= Tape.MOST) return false;
      if (trial.next(trial.update + 20000)) {
        this.add(trial.update, trial.from < 0 ? 0 : 1 | trial.kinds, trial.from, trial.to, trial.toggled);
        if (this.length % 64 !== 0) continue;
      }
      if (performance.now() > end) break;
    }
    return true;
  }

  add(update, head, left, reached, toggled) {
    const k = this.length;
    this.updates.push(update);
    this.heads.push(head);
    this.lefts.push(left);
    this.reached.push(reached);
    for (const signal of toggled) {
      this.signals.push(signal);
      this.carried[signal >> 3] ^= 1 << (signal & 7);
    }
    this.firsts.push(this.signals.length);
    if (head & 1) {
      this.moves.push(k);
      if (head & 2) this.risks.push(k);
      this.queens[left]--;
      this.queens[reached]++;
      this.truth = truthOf(this.n, this.queens);
    }
    this.count();
  }

  count() {
    const { queens, carried, truth } = this;
    let threatened = 0, wrong = 0, safe = 0;
    for (let cell = 0; cell < queens.length; cell++) {
      const on = queens[cell];
      if (on > 1 || (on === 1 && carried[cell])) threatened += on;
      if (on === 0 && carried[cell] === 0) safe++;
      wrong += ONES[carried[cell] ^ truth[cell]];
    }
    const moves = this.movesBefore + this.moves.length;
    this.counts.forEach((list, index) => list.push([threatened, wrong, safe, moves][index]));
  }

  signalsOf(change) {
    return this.signals.slice(this.firsts[change], this.firsts[change + 1]);
  }

  // The update after so many changes.
  updateAt(k) {
    return k === 0 ? this.from : this.updates[k - 1];
  }
}

// The number of entries of a sorted list that are below a bound.
const below = (list, bound) => {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < bound) low = middle + 1; else high = middle;
  }
  return low;
};

// A place on a tape: the state after k changes.
class Head {
  constructor(tape) {
    this.tape = tape;
    this.queens = tape.start.queens.slice();
    this.signals = tape.start.signals.slice();
    this.k = 0;
  }

  goTo(target) {
    const { tape } = this;
    const goal = Math.max(0, Math.min(tape.length, target));
    while (this.k < goal) this.step(this.k++, tape.lefts, tape.reached);
    while (this.k > goal) this.step(--this.k, tape.reached, tape.lefts);
  }

  step(change, from, to) {
    const { tape } = this;
    for (let i = tape.firsts[change]; i < tape.firsts[change + 1]; i++) {
      this.signals[tape.signals[i] >> 3] ^= 1 << (tape.signals[i] & 7);
    }
    if (tape.heads[change] & 1) {
      this.queens[from[change]]--;
      this.queens[to[change]]++;
    }
  }
}

// Words.

const letters = (x) => (x < 26 ? "" : letters(Math.floor(x / 26) - 1)) + String.fromCharCode(97 + x % 26);
const nameOf = (n, cell) => letters(cell % n) + (n - Math.floor(cell / n));
const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const plural = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
const bitsOf = (toggled, cell) => {
  const own = toggled.filter((signal) => signal >> 3 === cell);
  return own.reduce((set, signal) => set | 1 << (signal & 7), 0);
};
const SIDES = [
  "the upper left", "above", "the upper right", "the left", "the right", "the lower left", "below",
  "the lower right",
];
const sides = (signals) => {
  const words = SIDES.filter((_, d) => signals >> d & 1);
  return words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " + words.at(-1);
};

// Why a queen on a cell is threatened.
const threat = (on, signals) => {
  const shares = on > 1 ? "shares its cell" : "";
  const seen = signals ? "is threatened from " + sides(signals) : "";
  return [shares, seen].filter(Boolean).join(" and ") || "is not threatened";
};

// Why a change took place, from the state after it. The cell rule decides with the new signals of
// the queen's cell, the pair rule with the old ones.
const whyOf = (tape, head, change, isCellRule) => {
  const name = (cell) => nameOf(tape.n, cell);
  const bits = tape.heads[change], left = tape.lefts[change], reached = tape.reached[change];
  const toggled = tape.signalsOf(change);
  if (!(bits & 1)) {
    const cells = [...new Set(toggled.map((signal) => signal >> 3))];
    return cells.map((cell) => {
      const changed = bitsOf(toggled, cell);
      const learns = changed & head.signals[cell], forgets = changed & ~head.signals[cell];
      const parts = [
        learns && "gets the signal from " + sides(learns),
        forgets && "loses the signal from " + sides(forgets),
      ];
      return `The cell ${name(cell)} ${parts.filter(Boolean).join(" and ")}.`;
    }).join(" ");
  }
  const later = isCellRule ? 0 : bitsOf(toggled, left);
  const why = threat(head.queens[left] + 1, head.signals[left] ^ later);
  const needless = bits & 4 ? " by a signal that is out of date" : "";
  const to = name(reached), deceived = bits & 8;
  const isNot = deceived ? " but is not, because signals are out of date" : "";
  const safe = `It moves to ${to}, which looks safe${isNot}.`;
  const risk = `It takes a risk (ε): it moves to ${to}, which looks dangerous${deceived ? " but is safe" : ""}.`;
  return `The queen on ${name(left)} ${why}${needless}. ${bits & 2 ? risk : safe}`;
};

// A cell in words, for who points at it.
const cellInWords = (n, cell, on, signals) => {
  const name = nameOf(n, cell);
  if (on > 1) return `${name}: ${on} queens on one cell. Queens may share a cell; each threatens the others.`;
  if (on === 1) return `${name}: a queen that ${threat(on, signals)}${signals ? "" : ": no signal"}.`;
  return `${name}: ${signals ? "signals from " + sides(signals) : "no signal: a safe cell"}.`;
};

const asText = (n, queens) => {
  const width = String(n).length, lines = [];
  for (let y = 0; y < n; y++) {
    const row = Array.from({ length: n }, (_, x) => queens[y * n + x]).map((on) => (on > 1 ? on : on ? "Q" : "."));
    lines.push(String(n - y).padStart(width) + "  " + row.join(" "));
  }
  lines.push(" ".repeat(width + 2) + Array.from({ length: n }, (_, x) => letters(x)).join(" "));
  return lines.join("\n") + "\n";
};

// Queens of a drawing as `asText` makes it, with or without names; an error says what is wrong.
const fromText = (text) => {
  const lines = text.split("\n").map((line) => line.replace(/^\s*\d+\s+/, "").replace(/\s/g, ""));
  const rows = lines.filter((row) => /[.Q]/.test(row)), n = rows.length;
  const queens = [...rows.join("")].map((c) => (c === "." ? 0 : c === "Q" ? 1 : Number(c)));
  const total = queens.reduce((sum, on) => sum + on, 0);
  if (n < 4 || n > 12) throw new Error(`${n} rows; expected 4 to 12`);
  if (rows.some((row) => row.length !== n)) throw new Error(`a row does not have ${n} cells`);
  if (total !== n) throw new Error(`${total} queens on ${n} rows; expected ${n} (a cell is . or Q or a digit)`);
  return queens;
};
