/* The form of kt explore: what belongs to each task, and the job that it asks for. */
(() => {
  "use strict";

  const at = (id) => document.getElementById(id);
  const { make } = KT;
  const TASKS = {
    solve: "A tour, an optimal tour with a proof, or a proof that none exists.",
    find: "A tour by a named algorithm, without a solver; then improved for a while, without a proof.",
    bound: "A lower bound on all tours, with a certificate.",
  };
  let catalogue = null;

  const task = () => at("form").elements.task.value;
  const USUAL = { minimize: "nothing", method: "automatic", encoding: "the best", solver: "the best" };
  /** What the options of the task are, as the command of its name has them. */
  const offered = () => (catalogue ? catalogue.tasks[task()] : []);

  /** What the form asks for; numbers that are none go as they are, and the server says what is wrong with them. */
  function asked() {
    const job = { task: task(), board: at("board").value };
    for (const { name, kind } of offered()) {
      const text = at(name) && at(name).value ? at(name).value.trim() : "";
      if (name === "is_open") job[name] = at("form").elements.closed.value === "no";
      else if (name === "settings") job[name] = settings();
      else if (kind === "flag") job[name] = at(name).checked;
      else if (name === "time_limit") job[name] = Number(text);
      else if (text === "" || (name === "minimize" && at("near").value && task() === "solve")) continue; // how near says what is least
      else if (kind === "texts") job[name] = text.split(/\s+/);
      else if (kind === "integer") job[name] = /^\d{1,15}$/.test(text) ? Number(text) : text;
      else if (kind === "number") job[name] = Number(text);
      else job[name] = text;
    }
    return job;
  }

  function settings() {
    const own = [...at("settings").querySelectorAll("[data-name]")].filter((input) => input.value.trim() !== "" && input.value !== input.dataset.usual);
    return own.map((input) => `${input.dataset.name}=${input.value.trim()}`);
  }

  /** Writes a job into the form. */
  function fill(job) {
    const form = at("form");
    form.reset();
    at("near").value = "";
    form.elements.task.value = job.task;
    dress();
    form.elements.closed.value = job.is_open ? "no" : "yes";
    for (const { name, kind } of offered()) {
      if (!(name in job) || !at(name) || name === "settings") continue;
      if (kind === "flag") at(name).checked = job[name];
      else at(name).value = Array.isArray(job[name]) ? job[name].join(" ") : job[name] ?? "";
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
    for (const option of offered()) {
      if (at(option.name) && at(option.name).tagName === "SELECT") choices(at(option.name), option);
    }
    methodChosen();
    encodingsOf();
  }

  /** The choices of an option, with what is usual first where that is none of them. */
  function choices(select, option) {
    const names = option.choices.map((name) => [name, name]);
    const one = option.default !== null && option.choices.includes(option.default);
    options(select, one ? names : [["", USUAL[option.name] || "any"], ...names]);
    if (select.dataset.task !== task() && one) select.value = option.default;
    select.dataset.task = task();
  }

  /** A field for every option that the page has no place of its own for. */
  function fields() {
    for (const [kind, own] of Object.entries(catalogue.tasks)) {
      for (const option of own) {
        const { name, label, help } = option;
        if (name === "is_open" || name === "settings") continue;
        if (!at(name)) {
          const input = option.choices.length ? make("select", { id: name }) : make("input", { id: name, type: { flag: "checkbox", integer: "number", number: "number" }[option.kind] || "text" });
          if (option.kind === "integer" || option.kind === "number") Object.assign(input, { min: option.low, max: option.high, step: option.kind === "integer" ? 1 : "any" });
          if (option.choices.length) choices(input, option);
          else if (option.kind !== "flag") input.placeholder = option.default ?? (name === "workers" ? option.high : "any");
          input.spellcheck = false;
          at("options").append(make("label", { name: "field", title: help }, make("span", { text: label }), input));
        }
        const field = at(name).closest("#options > .field");
        if (field) field.classList.add(`for-${kind}`);
      }
    }
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
    options(at("encoding"), [["", USUAL.encoding], ...catalogue.encodings[at("engine").value].map((name) => [name, name])]);
    at("solver").disabled = at("engine").value === "cpsat";
    if (at("solver").disabled) at("solver").value = "";
  }

  function options(select, choices) {
    const before = select.value;
    select.replaceChildren(...choices.map(([value, text]) => make("option", { value, text })));
    if (choices.some(([value]) => value === before)) select.value = before;
  }

  /** Takes in what there is to choose from. */
  function know(known) {
    catalogue = known;
    fields();
    const { choices: names } = catalogue.tasks.solve.find(({ name }) => name === "symmetry");
    at("symmetry").list.replaceChildren(...names.map((value) => make("option", { value })));
    at("time_limit").max = catalogue.limits.seconds;
    at("time_limit").value = Math.min(60, catalogue.limits.seconds);
    at("engine").addEventListener("change", encodingsOf);
    dress();
  }

  function listen() {
    for (const radio of at("form").elements.task) radio.addEventListener("change", dress);
    at("method").addEventListener("change", methodChosen);
    dress();
  }

  /** asked() -> a job, fill(job), know(catalogue), listen(). */
  KT.form = { asked, fill, know, listen };
})();
