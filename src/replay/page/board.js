// What the scripts find in the page, and the board.

const get = (id) => document.getElementById(id);
const facts = JSON.parse(get("facts").textContent);
const element = (name, attributes, parent) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return parent.appendChild(made);
};

// The glyphs are those of reines' own drawings, copied to the cells that differ.
class Board {
  static MODES = ["carried", "missing", "none"];
  static NAMES = ["NW", "N", "NE", "W", "E", "SW", "S", "SE"];
  // The last moves that are drawn.
  static TRAIL = 6;
  #groups;
  #drawn = [];

  // The page has come with the drawing of its first state.
  constructor({ n, queens }) {
    get("figures").replaceChildren();
    this.#groups = Array.from(queens, (_, cell) => element("g", { id: "cell-" + nameOf(n, cell) }, get("figures")));
  }

  // The state of a tape; in a still picture the cells of its last change flash.
  draw(tape, isStill) {
    const truth = truthOf(tape.n, tape.queens), mode = Board.MODES.indexOf(get("signals").value);
    this.#groups.forEach((group, cell) => {
      const key = [tape.queens[cell], tape.signals[cell], truth[cell], mode].join();
      if (this.#drawn[cell] !== key) this.#drawCell(tape, group, cell, truth[cell], mode);
      this.#drawn[cell] = key;
    });
    this.#drawMarks(tape, isStill);
  }

  #drawCell({ n, queens, signals }, group, cell, truth, mode) {
    const carried = signals[cell], on = queens[cell];
    const x = (cell % n) * 100, y = Math.floor(cell / n) * 100;
    const glyph = (id) => element("use", { href: "#" + id, x, y }, group);
    group.replaceChildren();
    for (let d = 0; d < 8 && mode < 2; d++) {
      const has = carried >> d & 1, should = truth >> d & 1;
      if (has) glyph((should ? "true-" : "false-") + Board.NAMES[d]);
      else if (should && mode === 1) glyph("missing-" + Board.NAMES[d]);
    }
    if (isThreatened(on, carried)) glyph("ring");
    if (on) glyph(on > 1 ? "queens" : "queen");
    if (on > 1) {
      const [left, top, size] = facts.count;
      element("text", {
        class: "count", "font-family": "sans-serif", "font-size": size, "font-weight": "bold",
        "text-anchor": "middle", x: x + left, y: y + top,
      }, group).textContent = on;
    }
    element("title", {}, group).textContent = cellInWords(n, cell, on, carried);
  }

  // The cells of the last change, and the last moves as a trail.
  #drawMarks({ n, k, changes, moves, last }, isStill) {
    const middle = (cell) => [(cell % n) * 100 + 50, Math.floor(cell / n) * 100 + 50];
    get("marks").replaceChildren();
    get("trail").replaceChildren();
    if (!last) return;
    const shown = moves.slice(0, below(moves, k)).slice(-Board.TRAIL).reverse();
    shown.forEach((change, age) => {
      const { from, to } = changes[change], [x1, y1] = middle(from), [x2, y2] = middle(to);
      element("line", { x1, y1, x2, y2, opacity: 0.8 - age * 0.13 }, get("trail"));
    });
    const isMove = last.bits & 1, kind = isMove ? "moved" : isStill ? "changed flash" : "changed";
    const cells = isMove ? [last.from, last.to] : last.signals.map((signal) => signal >> 3);
    for (const [x, y] of [...new Set(cells)].map(middle)) {
      element("rect", { class: kind, x: x - 46, y: y - 46, width: 92, height: 92 }, get("marks"));
    }
  }
}
