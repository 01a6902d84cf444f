/* The form of kt explore: what belongs to each task, and the job that it asks for. */
(() => {
  "use strict";

  const at = (id) => document.getElementById(id);
  const { make } = KT;
  const TASKS = {
    solve: "A tour, or the best one with a proof, or why there is none.",
    find: "A tour by a named algorithm, without a solver; then better for a while, without a proof.",
    bound: "What no tour can go below, with a certificate.",
  };
  let catalogue = null;

  const task = () => at("form").elements.task.value;
  const words = (id) => at(id).value.split(/\s+/).filter(Boolean);
  const whole = (id) => (/^\d{1,15}$/.test(at(id).value.trim()) ? Number(at(id).value) : at(id).value.trim());

  /** What the form asks for; numbers that are none go as they are, and the server says what is wrong with them. */
  function asked() {
    const kind = task(), job = { task: kind, board: at("board").value, leaper: at("leaper").value };
    job.closed = at("form").elements.closed.value === "yes";
    job.minimize = at("minimize").value;
    if (at("symmetry").value) job.symmetry = [at("symmetry").value];
    const seconds = at("time_limit").value.trim();
    job.time_limit = seconds === "" ? 0 : Number(seconds);
    for (const id of ["start", "finish"]) if (at(id).value.trim()) job[id] = at(id).value.trim();
    for (const id of ["require", "forbid"]) if (words(id).length) job[id] = words(id);
    if (kind !== "bound" && at("seed").value.trim() !== "") job.seed = whole("seed");
    if (kind === "solve") {
      for (const id of ["engine", "encoding", "solver"]) if (at(id).value) job[id] = at(id).value;
      if (at("workers").value.trim()) job.workers = whole("workers");
    } else if (at("method").value) job.method = at("method").value;
    if (kind === "bound" && at("at_least").value.trim() !== "") job.at_least = whole("at_least");
    if (kind === "find") {
      const own = [...at("settings").querySelectorAll("[data-name]")].filter((input) => input.value.trim() !== "" && input.value !== input.dataset.usual);
      if (own.length) job.settings = Object.fromEntries(own.map((input) => [input.dataset.name, input.value.trim()]));
    }
    return job;
  }

  /** Writes a job into the form. */
  function fill(job) {
    const form = at("form");
    form.reset();
    form.elements.task.value = job.task;
    dress();
    form.elements.closed.value = job.closed === false ? "no" : "yes";
    for (const [name, value] of Object.entries(job)) {
      if (["task", "closed", "settings"].includes(name)) continue;
      if (at(name)) at(name).value = Array.isArray(value) ? value.join(" ") : value ?? "";
    }
    if (catalogue) at("time_limit").value = Math.min(Number(at("time_limit").value), catalogue.limits.seconds);
    methodChosen();
    encodingsOf();
  }

  /** Shows what belongs to the task. */
  function dress() {
    const kind = task();
    for (const one of document.querySelectorAll(".for-solve, .for-find, .for-bound")) one.hidden = !one.classList.contains(`for-${kind}`);
    at("task-hint").textContent = TASKS[kind];
    if (!catalogue) return;
    const metrics = catalogue.metrics.map((name) => [name, name]);
    options(at("minimize"), kind === "bound" ? metrics : [["", "nothing"], ...metrics]);
    const methods = kind === "bound" ? Object.keys(catalogue.bounds) : ["", ...Object.keys(catalogue.methods)];
    options(at("method"), methods.map((name) => [name, name || "what does best"]));
    methodChosen();
  }

  function methodChosen() {
    const name = at("method").value, kind = task();
    const method = catalogue && kind === "find" ? catalogue.methods[name] : null;
    at("method-hint").textContent = method ? method.summary : catalogue && kind === "bound" ? catalogue.bounds[name] || "" : "";
    at("settings").replaceChildren(...(method ? method.parameters : []).map((own) => {
      const input = own.choices.length ? make("select") : make("input", { type: "text", placeholder: own.default || "any", maxlength: "60" });
      input.dataset.name = own.name;
      input.dataset.usual = own.default;
      if (own.choices.length) { options(input, own.choices.map((choice) => [choice, choice])); input.value = own.default; }
      return make("label", { name: "field" }, make("span", { text: own.name.replaceAll("_", " ") }), input);
    }));
  }

  function encodingsOf() {
    if (!catalogue) return;
    options(at("encoding"), [["", "the best"], ...catalogue.encodings[at("engine").value].map((name) => [name, name])]);
    at("solver").disabled = at("engine").value === "cpsat";
    if (at("solver").disabled) at("solver").value = "";
  }

  function options(select, choices) {
    const before = select.value;
    select.replaceChildren(...choices.map(([value, text]) => make("option", { value, text })));
    if (choices.some(([value]) => value === before)) select.value = before;
  }

  /** Takes in what there is to choose from. */
  function know(choices) {
    catalogue = choices;
    options(at("symmetry"), [["", "none"], ...catalogue.symmetries.map((name) => [name, name])]);
    options(at("solver"), [["", "the best"], ...catalogue.solvers.map((name) => [name, name])]);
    at("time_limit").max = catalogue.limits.seconds;
    at("time_limit").value = Math.min(60, catalogue.limits.seconds);
    at("workers").max = catalogue.limits.workers;
    at("workers").placeholder = catalogue.limits.workers;
    dress();
    encodingsOf();
  }

  function listen() {
    for (const radio of at("form").elements.task) radio.addEventListener("change", dress);
    at("method").addEventListener("change", methodChosen);
    at("engine").addEventListener("change", encodingsOf);
    dress();
  }

  /** asked() -> a job, fill(job), know(catalogue), listen(). */
  KT.form = { asked, fill, know, listen };
})();
