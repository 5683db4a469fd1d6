// The course of a run: four counts against updates.
class Course {
  static COLUMNS = 720;
  static HEIGHT = 100;
  // What the curves show, which are not drawn anew until they have grown.
  #charted = { tape: null };
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

  draw({ tape, k }, hit, end) {
    const along = (update) => Course.COLUMNS * (update - tape.from) / Math.max(1, end - tape.from);
    const place = (line, update) => ["x1", "x2"].forEach((name) => line.setAttribute(name, along(update)));
    if (!this.#isKnown(tape, end)) {
      this.#drawCurves(tape, along);
      this.#charts.forEach(({ hit: line }) => {
        line.setAttribute("visibility", hit === null ? "hidden" : "visible");
        place(line, hit ?? 0);
      });
      get("axis-from").textContent = grouped(tape.from);
      get("axis-to").textContent = grouped(end);
      get("axis-hit").textContent = hit === null ? "" : ` (dashed line: the hit, at ${grouped(hit)})`;
    }
    this.#charts.forEach(({ cursor, output }, index) => {
      place(cursor, tape.updateAt(k));
      output.textContent = grouped(tape.counts[index][k]);
    });
  }

  // True if the curves of the tape need not be drawn anew; they are then taken as drawn.
  #isKnown(tape, end) {
    const { length, isWhole } = tape, charted = this.#charted;
    const isKnown = charted.tape === tape && (isWhole ? charted.end === end : length < 1.1 * charted.length + 20);
    if (!isKnown) this.#charted = { tape, length, end: isWhole ? end : null };
    return isKnown;
  }

  #drawCurves(tape, along) {
    const columns = Array.from({ length: tape.length + 1 }, (_, k) => Math.floor(along(tape.updateAt(k))));
    this.#charts.forEach(({ path, most }, index) => {
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
    });
  }
}
