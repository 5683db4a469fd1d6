// The live page: a run that plays at once, the risk, and two questions that the reader's own
// measurement answers.

// A place on a slider, from 0 to 1, as a risk between two powers of ten.
const riskAt = (share, from, to) => Number((10 ** (from + (to - from) * share)).toPrecision(2));
const sliderRisk = () => (get("risk").value === "0" ? 0 : riskAt(get("risk").value / 40, -4, 0));

// The seed of the page's measurements, another one than that of the runs that are shown.
const pointsOf = (n, epsilon, count) => (
  Array.from({ length: count }, (_, trial) => ({ rule: "pair", n, epsilon, seed: "52", trial }))
);

// What the risk changes: the time without a safe step, and solutions that the queens leave.
const RISK_TRIALS = 12, RISK_CUTOFF = 300000;
let weighed = null;
const weighRisk = (epsilon) => {
  weighed = epsilon;
  get("risk-value").textContent = epsilon === 0 ? "0 (never)" : epsilon === 1 ? "1 (always)" : epsilon;
  get("blocked").textContent = get("left").textContent = "…";
  const ended = [];
  const sum = (count) => ended.reduce((total, trial) => total + count(trial), 0);
  const conditions = { start: null, cutoff: RISK_CUTOFF, countsBlocked: true };
  page.trials.measure("risk", { points: pointsOf(8, epsilon, RISK_TRIALS), ...conditions, found: (trial) => {
    ended.push(trial);
    const solutions = sum((it) => it.solutions), kept = sum((it) => (it.absorbed === null ? 0 : 1));
    get("blocked").textContent = `${Math.round(100 * sum((it) => it.blocked) / sum((it) => it.update))} %`;
    get("left").textContent = solutions ? `${solutions - kept} of ${solutions}` : "none was reached";
    get("risk-trials").textContent = `${plural(ended.length, "run")} of 8 queens, each of at most `
      + `${grouped(RISK_CUTOFF)} updates; ${kept} ended in a solution.`;
  } });
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
    this.layers = ["axes", "line", "dots"].map((name) => element("g", { class: name }, this.svg));
    const axes = this.layers[0];
    for (let power = ys[0]; power <= ys[1]; power++) {
      const y = this.y(10 ** power);
      element("line", { x1: LEFT, x2: RIGHT, y1: y, y2: y }, axes);
      label(powerOf10(power), { x: LEFT - 5, y: y + 4, "text-anchor": "end" }, axes);
    }
    for (const tick of ticks) label(tick, { x: this.x(tick), y: BOTTOM + 16, "text-anchor": "middle" }, axes);
    label("length of a run, in updates", { x: 4, y: 14 }, axes);
    label(name, { x: (LEFT + RIGHT) / 2, y: BOTTOM + 33, "text-anchor": "middle" }, axes);
  }

  clear() {
    this.layers.slice(1).forEach((layer) => layer.replaceChildren());
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

// A question of the page: its button measures each value in turn, and a dot falls when the trials of
// a value have ended. Trials have no cutoff, so that none is censored.
const question = ({ id, axes, values, toPoints, answer }) => {
  const plot = new Plot(id, axes), button = get("measure-" + id), offer = button.textContent;
  button.addEventListener("click", () => {
    const means = [];
    let times = [];
    plot.clear();
    button.disabled = true;
    page.trials.measure(id, { points: values.flatMap(toPoints), start: null, cutoff: Infinity, found: ({ absorbed }) => {
      times.push(absorbed);
      button.textContent = `${TRIALS * means.length + times.length} of ${TRIALS * values.length} runs`;
      if (times.length < TRIALS) return;
      const found = summary(times);
      plot.dot(values[means.length], found);
      means.push(found.mean);
      times = [];
      if (means.length < values.length) return;
      get(id + "-said").textContent = `${answer(plot, means)} Dots are means of ${TRIALS} runs with 95 % intervals, `
        + "circles medians; the dashed line joins the means in the results of this project.";
      button.textContent = offer;
      button.disabled = false;
    } });
  });
  return plot;
};
const inResults = (keep) => (
  MEANS.filter((row) => row.rule === "pair" && keep(row)).sort((a, b) => a.n - b.n || a.epsilon - b.epsilon)
);

// Which risk is fastest?
const RISKS = [0.001, 0.002, 0.003, 0.005, 0.007, 0.01, 0.014, 0.02, 0.03];
const guessed = () => riskAt(get("guess").value / 100, -4, -1);
const RISK_QUESTION = {
  id: "risks",
  axes: { xs: [0.0001, 0.1], ys: [5, 8], isLog: true, ticks: [0.0001, 0.001, 0.01, 0.1], name: "risk ε" },
  values: RISKS,
  toPoints: (epsilon) => pointsOf(8, epsilon, TRIALS),
  answer: (plot, means) => {
    plot.curve(inResults((row) => row.n === 8).map(({ epsilon, mean }) => [epsilon, mean]), "stored");
    const best = RISKS[means.indexOf(Math.min(...means))];
    return `Fastest here: ε = ${best}. Your guess: ${guessed()}. With too little risk the queens wait; with too much `
      + `they leave solutions. Where intervals overlap, ${TRIALS} runs cannot tell which risk is faster.`;
  },
};
const takeGuess = (plot) => {
  plot.mark(guessed());
  get("guess-value").textContent = guessed();
  get("guess").setAttribute("aria-valuetext", guessed());
};

// How the time grows with n; beside it the random starts for one that is a solution.
const SOLUTIONS = { 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724 };
const SIZES = Object.keys(SOLUTIONS).map(Number);
const startsPerSolution = (n) => {
  let starts = 1 / SOLUTIONS[n];
  for (let queen = 1; queen <= n; queen++) starts *= n * n / queen;
  return starts;
};
const SIZE_QUESTION = {
  id: "sizes",
  axes: { xs: [3.7, 10.3], ys: [2, 11], isLog: false, ticks: SIZES, name: "number of queens n" },
  values: SIZES,
  toPoints: (n) => pointsOf(n, 0.01, TRIALS),
  answer: (plot) => {
    plot.curve(inResults((row) => row.epsilon === 0.01 && row.n <= 10).map(({ n, mean }) => [n, mean]), "stored");
    plot.curve(SIZES.map((n) => [n, startsPerSolution(n)]), "starts");
    return "All runs at ε = 0.01. The dotted line is 1/d: how many random starts one would try, on average, for one "
      + "that is a solution. Six queens take about as long as seven: there are only 4 solutions for six, 40 for seven.";
  },
};

if (facts.is_live) {
  // The slider follows a risk that is chosen elsewhere, and the next run follows the end of one.
  const replay = get("replay");
  replay.addEventListener("shown", () => {
    const { n, epsilon } = page.run.point;
    get("who").textContent = n === 8 ? "Eight queens" : `${n} queens`;
    if (epsilon === weighed) return;
    get("risk").value = epsilon === 0 ? 0 : Math.max(1, 40 + 10 * Math.log10(epsilon));
    weighRisk(epsilon);
  });
  replay.addEventListener("ended", () => {
    const ended = page.run;
    setTimeout(() => {
      if (get("speed").value !== "eyes" || page.player.isPlaying || page.run !== ended) return;
      page.anotherRun();
      page.player.play();
    }, 4000);
  });
  get("risk").addEventListener("input", () => weighRisk(sliderRisk()));
  get("risk").addEventListener("change", () => {
    setValues({ rule: "pair", epsilon: sliderRisk() });
    page.newRun();
    page.player.play();
  });
  const plot = question(RISK_QUESTION);
  get("guess").addEventListener("input", () => takeGuess(plot));
  get("risks").addEventListener("click", (event) => {
    const box = get("risks").getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * WIDTH;
    get("guess").value = 100 * (x - LEFT) / (RIGHT - LEFT);
    takeGuess(plot);
  });
  takeGuess(plot);
  question(SIZE_QUESTION);
  weighRisk(page.run.point.epsilon);
  if (!Player.calm.matches && location.hash === "") page.player.play();
}
