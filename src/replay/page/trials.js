// Trials in a worker, one at a time, so that nothing runs while the page is hidden. A batch is
// { points, start, cutoff, countsBlocked, found }; another one for its purpose, or none, takes its
// place.
class Trials {
  #batches = {};
  #worker = null;
  #sent = null;

  constructor() {
    document.addEventListener("visibilitychange", () => this.#next());
  }

  measure(purpose, batch) {
    this.#batches[purpose] = batch;
    this.#next();
  }

  isMeasuring(purpose) {
    return Boolean(this.#batches[purpose]);
  }

  #start() {
    const source = document.querySelector("script:not([type])").textContent;
    const answers = "onmessage = ({ data }) => postMessage(measured(data));";
    const started = new Worker(URL.createObjectURL(new Blob([source, answers])));
    started.addEventListener("message", ({ data }) => {
      if (started !== this.#worker) return;
      const { points, found } = this.#sent;
      this.#sent = null;
      points.shift();
      found(data);
      this.#next();
    });
    return started;
  }

  #next() {
    const batches = Object.values(this.#batches);
    if (this.#sent && (document.hidden || !batches.includes(this.#sent))) {
      this.#worker.terminate();
      this.#worker = this.#sent = null;
    }
    if (this.#sent || document.hidden) return;
    this.#sent = batches.find((batch) => batch && batch.points.length) ?? null;
    if (!this.#sent) return;
    this.#worker ??= this.#start();
    const { points, found, ...conditions } = this.#sent;
    this.#worker.postMessage({ point: points[0], ...conditions });
  }
}

// The means of the results: rule, n, epsilon, eta, trials, mean.
const MEANS = facts.means.trim().split("\n").slice(1).map((line) => {
  const [rule, ...numbers] = line.split(",");
  const [n, epsilon, eta, trials, mean] = numbers.map(Number);
  return { rule, n, epsilon, eta, trials, mean };
});

// The times of the runs of one point and start that have ended in the page, beside the mean of the
// results.
class EndedRuns {
  #times = [];
  #key = "";

  // Shows the times of these runs; true if they are others than before.
  show({ rule, n, epsilon, eta }, start) {
    const key = [rule, n, epsilon, eta, start && start.queens].join(), isNew = key !== this.#key;
    if (isNew) [this.#times, this.#key] = [[], key];
    this.stored = start ? undefined : MEANS.find((row) => (
      row.rule === rule && row.n === n && row.epsilon === epsilon && (rule === "pair" || row.eta === eta)
    ));
    this.#draw();
    return isNew;
  }

  add(time) {
    this.#times.push(time);
    this.#draw();
  }

  #draw() {
    const times = this.#times, { stored } = this, svg = get("runs");
    const mean = times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);
    const most = Math.max(1, ...times, mean, stored ? stored.mean * 1.2 : 0), x = (time) => 10 + 340 * time / most;
    svg.replaceChildren();
    element("line", { class: "ground", x1: 10, x2: 350, y1: 70, y2: 70 }, svg);
    times.forEach((time, index) => element("circle", { cx: x(time), cy: 62 - 10 * (index % 5), r: 4 }, svg));
    if (times.length) element("line", { class: "mean", x1: x(mean), x2: x(mean), y1: 5, y2: 70 }, svg);
    if (stored) element("line", { class: "stored", x1: x(stored.mean), x2: x(stored.mean), y1: 5, y2: 70 }, svg);
    const round = (value) => grouped(Math.round(value));
    get("runs-said").textContent = [
      times.length
        ? `${plural(times.length, "run")} ended in this page; mean ${round(mean)} updates (full line).`
        : "No run of these values has ended in this page yet.",
      stored
        ? `Mean of the ${grouped(stored.trials)} trials in the results: ${round(stored.mean)} (dashed line).`
        : "The results have no mean of these values.",
    ].join(" ");
  }
}
