
// The live page: a run that plays at once, the risk, and two questions that the reader's own
// measurement answers.

// A place on a slider, from 0 to 1, as a risk between two powers of ten.
const riskAt = (share, from, to) => Number((10 ** (from + (to - from) * share)).toPrecision(2));
const sliderRisk = () => (get("risk").value === "0" ? 0 : riskAt(get("risk").value / 40, -4, 0));
const percent = (part, whole) => `${Math.round(100 * part / whole)} %`;

// Trials in a worker, one at a time, so that nothing runs while the page is hidden. A batch is
// { points, cutoff, found }; a new one for the same purpose takes the place of the old.
const batches = {};
let worker = null, sent = null;
const workerSource = () => document.querySelector("script:not([type])").textContent
  + "onmessage = ({ data: { point, cutoff } }) => {"
  + "const trial = new SkippingTrial(point); while (trial.next(cutoff));"
  + "const { update, absorbed, blocked, solutions } = trial;"
  + "postMessage({ update, absorbed, blocked, solutions }); };";
const measureNext = () => {
  const purpose = Object.keys(batches).find((name) => batches[name].points.length);
  if (sent || document.hidden || !purpose) return;
  if (!worker) {
    worker = new Worker(URL.createObjectURL(new Blob([workerSource()])));
    worker.addEventListener("message", ({ data }) => {
      const batch = sent;
      sent = null;
      // A trial of a batch that was replaced is dropped.
      if (Object.values(batches).includes(batch)) batch.found(data);
      measureNext();
    });
  }
  sent = batches[purpose];
  worker.postMessage({ point: sent.points.shift(), cutoff: sent.cutoff });
};
const measure = (purpose, points, cutoff, found) => {
  batches[purpose] = { points, cutoff, found };
  measureNext();
};
document.addEventListener("visibilitychange", measureNext);

// The seed of the page's measurements, another one than that of the runs that are shown.
const pointOf = (n, epsilon, trial) => ({ rule: "pair", n, epsilon, seed: "52", trial });

// What the risk changes: boards without a safe step, and solutions that the queens leave.
const RISK_TRIALS = 12, RISK_CUTOFF = 300000;
let weighed = null;
const weighRisk = (epsilon) => {
  weighed = epsilon;
  const sums = { trials: 0, updates: 0, blocked: 0, solutions: 0, ended: 0 };
  get("risk-value").textContent = epsilon === 0 ? "0 (never)" : epsilon === 1 ? "1 (always)" : epsilon;
  const points = Array.from({ length: RISK_TRIALS }, (_, trial) => pointOf(8, epsilon, trial));
  get("blocked").textContent = get("left").textContent = "…";
  measure("risk", points, RISK_CUTOFF, ({ update, absorbed, blocked, solutions }) => {
    sums.trials++;
    sums.updates += update;
    sums.blocked += blocked;
    sums.solutions += solutions;
    sums.ended += absorbed === null ? 0 : 1;
    get("blocked").textContent = percent(sums.blocked, sums.updates);
    get("left").textContent = sums.solutions
      ? `${sums.solutions - sums.ended} of ${sums.solutions}` : "none was reached";
    get("risk-trials").textContent = `${plural(sums.trials, "trial")} of 8 queens, each of at most `
      + `${grouped(RISK_CUTOFF)} updates; ${sums.ended} ended in a solution.`;
  });
};

// A plot with a logarithmic vertical axis.
const WIDTH = 360, TOP = 26, BOTTOM = 200, LEFT = 44, RIGHT = 350;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const powerOf10 = (power) => ("10" + String(power).replace(/\d/g, (digit) => RAISED[digit]));
const label = (words, attributes, parent) => {
  element("text", attributes, parent).textContent = words;
};
class Plot {
  constructor(id, { xs, ys, isLog, ticks, name }) {
    this.svg = get(id);
    const [low, high] = isLog ? xs.map(Math.log10) : xs;
    this.x = (value) => LEFT + (RIGHT - LEFT) * ((isLog ? Math.log10(value) : value) - low) / (high - low);
    this.y = (value) => BOTTOM - (BOTTOM - TOP) * (Math.log10(value) - ys[0]) / (ys[1] - ys[0]);
    this.svg.replaceChildren();
    this.layers = ["axes", "line", "dots"].map((name) => element("g", { class: name }, this.svg));
    const axes = this.layers[0];
    for (let power = ys[0]; power <= ys[1]; power++) {
      const y = this.y(10 ** power);
      element("line", { x1: LEFT, x2: RIGHT, y1: y, y2: y }, axes);
      label(powerOf10(power), { x: LEFT - 5, y: y + 4, "text-anchor": "end" }, axes);
    }
    for (const tick of ticks) label(tick, { x: this.x(tick), y: BOTTOM + 16, "text-anchor": "middle" }, axes);
    label("updates until the end", { x: 4, y: 14 }, axes);
    label(name, { x: (LEFT + RIGHT) / 2, y: BOTTOM + 33, "text-anchor": "middle" }, axes);
  }

  // A mean with its 95 % interval, and the median as an open circle.
  dot(value, { mean, low, high, median }) {
    const x = this.x(value), dots = this.layers[2];
    element("circle", { class: "median", cx: x, cy: this.y(median), r: 4 }, dots);
    element("line", { x1: x, x2: x, y1: this.y(low), y2: this.y(high) }, dots);
    element("circle", { cx: x, cy: this.y(mean), r: 4 }, dots);
  }

  curve(points, kind) {
    const d = points.map(([value, mean]) => `${this.x(value).toFixed(1)} ${this.y(mean).toFixed(1)}`).join("L");
    element("path", { d: "M" + d, class: kind }, this.layers[1]);
  }

  mark(value) {
    this.svg.querySelector(".guess")?.remove();
    const x = this.x(value);
    element("line", { class: "guess", x1: x, x2: x, y1: TOP, y2: BOTTOM }, this.svg);
  }
}

// The mean with a 95 % interval by Student's t on the logarithm of the mean (delta method), and the
// median. T975 is for 23 degrees of freedom.
const TRIALS = 24, T975 = 2.069;
const summary = (values) => {
  const sorted = values.slice().sort((a, b) => a - b), count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const factor = Math.exp(T975 * Math.sqrt(squares / (count - 1) / count) / mean);
  const median = (sorted[(count - 1) >> 1] + sorted[count >> 1]) / 2;
  return { mean, low: mean / factor, high: mean * factor, median };
};

// Measures each value in turn; a dot falls when the trials of its value have ended. Trials have no
// cutoff, so that none is censored.
const sweep = (purpose, plot, values, toPoint, status, finished) => {
  const points = values.flatMap((value) => Array.from({ length: TRIALS }, (_, trial) => toPoint(value, trial)));
  const means = [];
  let times = [];
  measure(purpose, points, Infinity, ({ absorbed }) => {
    times.push(absorbed);
    const done = TRIALS * means.length + times.length;
    status.textContent = `${done} of ${TRIALS * values.length} trials`;
    if (times.length < TRIALS) return;
    const found = summary(times);
    plot.dot(values[means.length], found);
    means.push(found.mean);
    times = [];
    if (means.length === values.length) finished(means);
  });
};
const inResults = (keep) => MEANS.filter((row) => row.what === "stored" && row.rule === "pair" && keep(row));

// Which risk is fastest?
const RISKS = [0.001, 0.002, 0.003, 0.005, 0.007, 0.01, 0.014, 0.02, 0.03];
const guessed = () => riskAt(get("guess").value / 100, -4, -1);
let risks;
const clearRisks = () => {
  risks = new Plot("risks", {
    xs: [0.0001, 0.1], ys: [5, 8], isLog: true, ticks: [0.0001, 0.001, 0.01, 0.1], name: "risk ε",
  });
};
const takeGuess = () => {
  risks.mark(guessed());
  get("guess-value").textContent = guessed();
  get("guess").setAttribute("aria-valuetext", guessed());
};
const measureRisks = () => {
  clearRisks();
  takeGuess();
  get("measure-risks").disabled = true;
  sweep("guess", risks, RISKS, (epsilon, trial) => pointOf(8, epsilon, trial), get("risks-said"), (means) => {
    const best = RISKS[means.indexOf(Math.min(...means))];
    const stored = inResults((row) => row.n === 8);
    risks.curve(stored.map(({ epsilon, mean }) => [epsilon, mean]), "stored");
    takeGuess();
    get("risks-said").textContent = `The smallest mean in this page is at ε = ${best}; you said ${guessed()}. `
      + `Full dots are means of ${TRIALS} trials with 95 % intervals, open dots medians; the dashed curve joins the `
      + "means of 1\u202f000 trials each in the results. Where intervals overlap, the page cannot tell which is faster. "
      + "With too little risk blocked boards wait; with too much the queens leave solutions.";
    get("measure-risks").disabled = false;
  });
};

// How the time grows with n; beside it the random starts for one that is a solution.
const SOLUTIONS = { 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724 };
const SIZES = Object.keys(SOLUTIONS).map(Number);
const startsPerSolution = (n) => {
  let starts = 1 / SOLUTIONS[n];
  for (let queen = 1; queen <= n; queen++) starts *= n * n / queen;
  return starts;
};
let sizes;
const clearSizes = () => {
  sizes = new Plot("sizes", { xs: [3.7, 10.3], ys: [2, 11], isLog: false, ticks: SIZES, name: "n" });
};
const measureSizes = () => {
  clearSizes();
  get("measure-sizes").disabled = true;
  sweep("sizes", sizes, SIZES, (n, trial) => pointOf(n, 0.01, trial), get("sizes-said"), () => {
    sizes.curve(inResults((row) => row.epsilon === 0.01 && row.n <= 10)
      .sort((a, b) => a.n - b.n).map(({ n, mean }) => [n, mean]), "stored");
    sizes.curve(SIZES.map((n) => [n, startsPerSolution(n)]), "starts");
    get("sizes-said").textContent = `ε = 0.01. Full dots are means of ${TRIALS} trials with 95 % intervals, open dots `
      + "medians; the dashed curve joins the means in the results. Dotted: 1/d, how many random starts there are for "
      + "one that is a solution. n = 6 takes about as long as n = 7: it has only 4 solutions, n = 7 has 40.";
    get("measure-sizes").disabled = false;
  });
};

if (facts.is_live) {
  // The slider follows a risk that is chosen elsewhere, and the next run follows the end of one.
  const replay = get("replay");
  replay.addEventListener("shown", () => {
    const { n, epsilon } = run.point;
    get("who").textContent = facts.boards[n].name;
    if (epsilon === weighed) return;
    get("risk").value = epsilon === 0 ? 0 : Math.max(1, 40 + 10 * Math.log10(epsilon));
    weighRisk(epsilon);
  });
  replay.addEventListener("ended", () => {
    const ended = run;
    setTimeout(() => {
      if (get("speed").value !== "eyes" || playing() || run !== ended) return;
      anotherRun();
      play();
    }, 4000);
  });
  get("risk").addEventListener("input", () => weighRisk(sliderRisk()));
  get("risk").addEventListener("change", () => {
    setValues({ rule: "pair", epsilon: sliderRisk() });
    newRun();
    play();
  });
  get("guess").addEventListener("input", takeGuess);
  get("risks").addEventListener("click", (event) => {
    const box = get("risks").getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * WIDTH;
    get("guess").value = 100 * (x - LEFT) / (RIGHT - LEFT);
    takeGuess();
  });
  get("measure-risks").addEventListener("click", measureRisks);
  get("measure-sizes").addEventListener("click", measureSizes);
  clearRisks();
  takeGuess();
  clearSizes();
  weighRisk(run.point.epsilon);
  if (!calm.matches && location.hash === "") play();
}
