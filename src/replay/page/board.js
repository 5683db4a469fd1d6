// What the scripts find in the page, and the board.

const get = (id) => document.getElementById(id);
const facts = JSON.parse(get("facts").textContent);
const SVG = "http://www.w3.org/2000/svg";
const element = (name, attributes, parent) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return parent ? parent.appendChild(made) : made;
};

// The glyphs are those of reines' own drawings, copied to the cells that differ.
class Board {
  static MODES = ["carried", "missing", "none"];
  static NAMES = ["NW", "N", "NE", "W", "E", "SW", "S", "SE"];
  // The last moves that are drawn.
  static TRAIL = 6;
  #groups = [];
  #drawn = [];
  #n = 0;
  svg = get("board");

  // The page has come with the drawing of its first state.
  lay(n) {
    this.#n = n;
    get("figures").replaceChildren();
    const group = (_, cell) => element("g", { id: "cell-" + nameOf(n, cell) }, get("figures"));
    this.#groups = Array.from({ length: n * n }, group);
    this.#drawn = this.#groups.map(() => -1);
  }

  // The state at a head; in a still picture the cells of its last change flash.
  draw(head, isStill) {
    const truth = truthOf(this.#n, head.queens), mode = Board.MODES.indexOf(get("signals").value);
    this.#groups.forEach((_, cell) => this.#drawCell(head, cell, mode, truth));
    this.drawMarks(head, isStill);
  }

  #drawCell(head, cell, mode, truth) {
    const carried = head.signals[cell], on = head.queens[cell];
    const key = ((on * 256 + carried) * 256 + truth[cell]) * 4 + mode;
    if (this.#drawn[cell] === key) return;
    this.#drawn[cell] = key;
    const n = this.#n, group = this.#groups[cell];
    const x = (cell % n) * 100, y = Math.floor(cell / n) * 100;
    const glyph = (id) => element("use", { href: "#" + id, x, y }, group);
    group.replaceChildren();
    for (let d = 0; d < 8 && mode < 2; d++) {
      const has = carried >> d & 1, should = truth[cell] >> d & 1;
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

  #middle(cell) {
    return [(cell % this.#n) * 100 + 50, Math.floor(cell / this.#n) * 100 + 50];
  }

  mark(cell, kind) {
    const [x, y] = this.#middle(cell);
    element("rect", { class: kind, x: x - 46, y: y - 46, width: 92, height: 92 }, get("marks"));
  }

  // The cells of the last change, and the last moves as a trail.
  drawMarks({ tape, k }, isStill) {
    get("marks").replaceChildren();
    get("trail").replaceChildren();
    if (k === 0) return;
    const last = k - 1, moves = below(tape.moves, k);
    tape.moves.slice(Math.max(0, moves - Board.TRAIL), moves).reverse().forEach((change, age) => {
      const [[x1, y1], [x2, y2]] = [tape.lefts[change], tape.reached[change]].map((cell) => this.#middle(cell));
      element("line", { x1, y1, x2, y2, opacity: 0.8 - age * 0.13 }, get("trail"));
    });
    const cells = new Set(tape.signalsOf(last).map((signal) => signal >> 3));
    const isMove = tape.heads[last] & 1;
    if (isMove) [tape.lefts[last], tape.reached[last]].forEach((cell) => this.mark(cell, "moved"));
    else cells.forEach((cell) => this.mark(cell, isStill ? "changed flash" : "changed"));
  }

  // The cell under the pointer; -1 beside the board.
  cellAt(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(this.svg.getScreenCTM().inverse());
    const n = this.#n, column = Math.floor(x / 100), row = Math.floor(y / 100);
    return column >= 0 && row >= 0 && column < n && row < n ? row * n + column : -1;
  }
}
