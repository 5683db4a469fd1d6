// The course of a run: four counts against updates.
class Course {
  static COLUMNS = 720;
  static HEIGHT = 100;
  #charts = [...document.querySelectorAll("#course figure")].map((figure) => {
    const svg = figure.querySelector("svg");
    const upright = (kind) => element("line", { class: kind, y1: 0, y2: Course.HEIGHT }, svg);
    return {
      output: figure.querySelector("output"), most: figure.querySelector(".most"), path: element("path", {}, svg),
      hit: upright("hit"), cursor: upright("cursor"), svg,
    };
  });

  // A click leads to a share of the run.
  constructor(seekShare) {
    this.#charts.forEach(({ svg }) => svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      seekShare((event.clientX - box.left) / box.width);
    }));
  }

  #along(update) {
    return Course.COLUMNS * (update - facts.from) / Math.max(1, facts.until - facts.from);
  }

  #place(line, update) {
    ["x1", "x2"].forEach((name) => line.setAttribute(name, this.#along(update)));
  }

  draw({ tape, k }) {
    this.#charts.forEach(({ cursor, output }, index) => {
      this.#place(cursor, tape.updateAt(k));
      output.textContent = grouped(tape.counts[index][k]);
    });
  }

  // What does not change while the film plays.
  lay(tape) {
    const columns = Array.from({ length: tape.length + 1 }, (_, k) => Math.floor(this.#along(tape.updateAt(k))));
    this.#charts.forEach(({ path, most, hit }, index) => {
      const values = tape.counts[index], greatest = values.reduce((most, value) => Math.max(most, value), 1);
      const y = (value) => Math.round(10 * (Course.HEIGHT - Course.HEIGHT * value / greatest)) / 10;
      let d = `M0 ${y(values[0])}`;
      for (let k = 0; k < values.length;) {
        const column = columns[k];
        let least = values[k], highest = least;
        for (; k < values.length && columns[k] === column; k++) {
          least = Math.min(least, values[k]);
          highest = Math.max(highest, values[k]);
        }
        d += `H${column}V${y(least)}V${y(highest)}V${y(values[k - 1])}`;
      }
      path.setAttribute("d", d + `H${Course.COLUMNS}`);
      most.textContent = `axis from 0 to ${grouped(greatest)}`;
      hit.setAttribute("visibility", facts.hit === null ? "hidden" : "visible");
      this.#place(hit, facts.hit ?? 0);
    });
    get("axis-from").textContent = grouped(facts.from);
    get("axis-to").textContent = grouped(facts.until);
    get("axis-hit").textContent = facts.hit === null ? "" : ` (dashed line: the hit, at ${grouped(facts.hit)})`;
  }
}
