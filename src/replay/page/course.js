// The course of a run: four counts against updates. A click leads to a share of the run.
class Course {
  static COLUMNS = 720;
  static HEIGHT = 100;
  #charts;

  constructor(tape, seekShare) {
    this.#charts = [...document.querySelectorAll("#course figure")].map((figure, index) => {
      const svg = figure.querySelector("svg"), greatest = tape.counts[index].reduce((a, b) => Math.max(a, b), 1);
      const upright = (kind, update) => {
        const x = this.#along(update);
        return element("line", { class: kind, x1: x, x2: x, y1: 0, y2: Course.HEIGHT }, svg);
      };
      element("path", { d: this.#path(tape, tape.counts[index], greatest) }, svg);
      figure.querySelector(".most").textContent = `axis from 0 to ${grouped(greatest)}`;
      if (facts.hit !== null) upright("hit", facts.hit);
      svg.addEventListener("click", (event) => {
        const box = svg.getBoundingClientRect();
        seekShare((event.clientX - box.left) / box.width);
      });
      return { output: figure.querySelector("output"), cursor: upright("cursor", facts.from) };
    });
    get("axis-from").textContent = grouped(facts.from);
    get("axis-to").textContent = grouped(facts.until);
    get("axis-hit").textContent = facts.hit === null ? "" : ` (dashed line: the hit, at ${grouped(facts.hit)})`;
  }

  #along(update) {
    return Course.COLUMNS * (update - facts.from) / Math.max(1, facts.until - facts.from);
  }

  // Of each column of pixels the first, least, greatest and last value.
  #path(tape, values, greatest) {
    const y = (value) => Math.round(10 * Course.HEIGHT * (1 - value / greatest)) / 10;
    const column = (k) => Math.floor(this.#along(tape.updateAt(k)));
    let d = `M0 ${y(values[0])}`;
    for (let k = 0; k < values.length;) {
      const start = column(k);
      let least = values[k], highest = least;
      for (; k < values.length && column(k) === start; k++) {
        [least, highest] = [Math.min(least, values[k]), Math.max(highest, values[k])];
      }
      d += `H${start}V${y(least)}V${y(highest)}V${y(values[k - 1])}`;
    }
    return d + `H${Course.COLUMNS}`;
  }

  draw(tape) {
    const x = this.#along(tape.updateAt(tape.k));
    this.#charts.forEach(({ cursor, output }, index) => {
      ["x1", "x2"].forEach((name) => cursor.setAttribute(name, x));
      output.textContent = grouped(tape.counts[index][tape.k]);
    });
  }
}
