/* The page of kt explore: jobs are asked for, a stream tells of them, and what they found is written and drawn.
   Every text goes onto the page as text, never as markup. */
(() => {
  "use strict";

  const at = (id) => document.getElementById(id);
  const { make, number } = KT;
  const EXAMPLES = [
    ["Fewest turns, 6×6", { task: "solve", board: "6x6", minimize: "turns" }],
    ["Fewest turns, 10×10", { task: "solve", board: "10x10", minimize: "turns", time_limit: 300 }],
    ["Crossings of 8×8", { task: "solve", board: "8x8", minimize: "crossings", time_limit: 600 }],
    ["Why 4×6 has none", { task: "solve", board: "4x6" }],
    ["A quarter turn", { task: "solve", board: "10x10", symmetry: ["rot90"] }],
    ["In space", { task: "solve", board: "4x4x4" }],
    ["Aztec diamond", { task: "find", board: "aztec:13", method: "rings" }],
    ["Formation", { task: "find", board: "24x20", method: "formation" }],
    ["A torus", { task: "find", board: "torus:12x12", method: "torus" }],
    ["10,000 cells", { task: "find", board: "100x100", minimize: "turns", time_limit: 10 }],
    ["Bound of 40×40", { task: "bound", board: "40x40", minimize: "turns" }],
  ];
  const STATES = { waiting: "waiting", running: "running", done: "done", stopped: "stopped", failed: "failed" };
  const works = new Map(); // number -> {work, points, page, drawn: which result the page shows, heard: when}
  let painting = false, chosen = 0, picked = false, catalogue = null, stream = null, ended = false, preview = 0, soon = 0;

  // -- asking the server ------------------------------------------------------------------------------------------------

  async function ask(path, data) {
    const how = data === undefined ? {} : { method: "POST", body: JSON.stringify(data), headers: { "Content-Type": "application/json" } };
    let response, answer;
    try {
      response = await fetch(path, how);
      answer = await response.json();
    } catch { throw new Error(ended ? "kt explore has ended; start it again" : "no answer from kt explore"); }
    if (!response.ok) throw new Error(String(answer.error || response.status));
    return answer;
  }

  /** One stream for all jobs, closed while nobody looks: a browser has few connections to a server. */
  function listen() {
    if (stream || ended || document.hidden) return;
    stream = new EventSource("/events");
    stream.onopen = () => tell("");
    stream.onmessage = (event) => hear(JSON.parse(event.data));
    stream.addEventListener("end", () => { ended = true; hush(); tell("kt explore has ended. What is shown stays until you close the page.", true); });
    stream.onerror = () => tell("No connection to kt explore; trying again.", true);
  }

  function hush() { if (stream) stream.close(); stream = null; }

  function hear({ work, from, points, page }) { // from the stream, or the answer to a request
    const entry = works.get(work.number) || { points: [], page: undefined, drawn: -1 };
    works.set(work.number, entry);
    const before = entry.work && entry.work.state;
    if (!entry.work || work.version >= entry.work.version) { // an answer may come after what the stream has told since
      entry.work = work;
      entry.heard = performance.now();
    }
    work = entry.work;
    entry.points = [...entry.points.slice(0, from), ...points];
    if (page !== undefined) { entry.page = page; entry.drawn = work.found; }
    if (!picked && work.number > chosen) choose(work.number, false); // the last one, until somebody chooses
    else if (chosen === work.number) show();
    if (before === "running" && work.state !== before && chosen === work.number) at("live").textContent = verdict(work)[0];
    list();
  }

  // -- the form ----------------------------------------------------------------------------------------------------------

  async function submit(job) {
    clearTimeout(soon); // the board that was typed last is this job's
    preview++;
    hint("");
    at("fault").textContent = "";
    at("start-job").disabled = true;
    try {
      const work = await ask("/jobs", job);
      works.set(work.number, works.get(work.number) || { work, points: [], page: undefined, drawn: -1, heard: performance.now() });
      choose(work.number);
      if (window.innerWidth <= 760) requestAnimationFrame(() => at("watch").scrollIntoView({ behavior: "smooth" }));
    } catch (error) {
      at("fault").textContent = error.message;
      choose(0); // a picture of the job before would look like this one's
      fresh();
      showBoard(); // and says so beside the board, if that is what is wrong
    } finally { at("start-job").disabled = false; }
  }

  // -- an empty board ---------------------------------------------------------------------------------------------------

  /** Shows the board of the form while nothing else is to be seen; says what is wrong with it in any case. */
  async function showBoard() {
    const mine = ++preview, typed = at("board").value.trim();
    at("points-row").hidden = !isPoints();
    if (/^points:\S*$/.test(typed) && !chosen) {
      hint("Click onto the plane to make points; click on one to take it away.");
      headline("no points yet", "");
      KT.stage.draw({ title: "no points", points: [] });
      return;
    }
    try {
      const answer = await ask("/board", { board: at("board").value, leaper: at("leaper").value });
      if (mine !== preview) return;
      hint("");
      if (chosen) return;
      opened = null;
      const board = at("board").value.trim(), what = isPoints() ? "points" : answer.page === null ? "vertices" : "cells";
      headline(`${isPoints() ? "" : `${shortened(board)}, `}${number(answer.cells)} ${what}`, "");
      KT.stage.draw(answer.page, "This board cannot be drawn.");
      wishes();
      if (KT.stage.view) KT.stage.view.painting = painting;
    } catch (error) {
      if (mine !== preview || ended) return;
      hint(error.message);
      if (chosen) return;
      headline("", "");
      KT.stage.draw(null, "There is no such board.");
    }
  }

  const isPoints = () => at("board").value.trim().startsWith("points:");

  /** One more point, or one less, in the text of the board. */
  function point(near, [x, y]) {
    if (!isPoints() || chosen) return;
    const words = at("board").value.trim().split(/\s+/), named = (words[1] || "").includes("=");
    if (near >= 0) words.splice(near + 1, 1);
    else words.push(`${named ? `P${words.length}=` : ""}${x},${y}`);
    at("board").value = words.join(" ");
    showBoard();
  }

  /** The form begins with points in place of a board. */
  function beginPoints() {
    at("board").value = "points:complete";
    at("edges").value = "complete";
    if (at("minimize")) at("minimize").value = "length";
    near("");
    opened = null;
    choose(0);
    fresh();
    showBoard();
  }

  const usualHint = at("board-hint").textContent;
  function hint(fault) {
    at("board-hint").textContent = fault || usualHint;
    at("board-hint").classList.toggle("wrong", Boolean(fault));
    at("board").setAttribute("aria-invalid", String(Boolean(fault)));
  }

  const names = (text) => text.split(",").filter(Boolean);
  const columns = (x) => (x < 26 ? "" : columns(Math.floor(x / 26) - 1)) + String.fromCharCode(97 + (x % 26));
  let filling = false;

  /** A stroke over an empty board: it makes holes, or fills them where it began in one. */
  function paint(x, y, begins) {
    const { view } = KT.stage, field = at("board");
    near("");
    if (chosen || !view || view.tour.n || x < 0 || y < 0 || x >= view.board.width || y >= view.board.height) return;
    const [box, gone = ""] = field.value.trim().split("-", 2), holes = new Set(names(gone)), name = columns(x) + (y + 1);
    if (begins) filling = holes.has(name);
    if (holes.has(name) !== filling) return;
    if (filling) holes.delete(name); else holes.add(name);
    field.value = box + (holes.size ? `-${[...holes].join(",")}` : "");
    clearTimeout(soon);
    soon = setTimeout(showBoard, begins ? 0 : 60);
  }

  /** The text of a file that was chosen goes to this machine's server, which says what it is. */
  async function openFile(file) {
    at("fault").textContent = "";
    try {
      if (file.size > 1e6) throw new Error("the file is too large for the page; kt solve and kt draw read it");
      const what = await ask("/open", { name: file.name, text: await file.text() });
      picked = true;
      choose(0);
      fresh();
      near("");
      for (const name of ["board", "leaper"]) if (what[name]) at(name).value = what[name];
      if (isPoints() && at("minimize") && !at("minimize").value) at("minimize").value = "length";
      opened = what.near ? { text: what.near, title: what.title } : null;
      at("number").value = (what.number || []).join(" ");
      hint("");
      if (what.page === undefined) { showBoard(); return; }
      preview++;
      headline(what.title, "");
      KT.stage.draw(what.page, "This tour has no picture.");
      wishes();
    } catch (error) { at("fault").textContent = error.message; }
  }

  /** An address that fills in the form: the job stands behind the #, which no server is sent. */
  const linkTo = (job) => `${location.origin}/#${encodeURIComponent(JSON.stringify(job))}`;

  function fromLink() {
    if (location.hash.length < 2) return;
    try {
      const job = JSON.parse(decodeURIComponent(location.hash.slice(1)));
      if (!["solve", "find", "bound"].includes(job.task)) throw new Error();
      KT.form.fill(job);
      near(job.near ? "the tour of the link" : "");
      showBoard();
    } catch { at("fault").textContent = "The link contains no job."; }
  }

  /** What else was asked of the same board, to be held against this. */
  function compare() {
    const mine = works.get(chosen), over = ({ work }) => !["waiting", "running"].includes(work.state);
    const others = mine && over(mine) ? [...works.values()].filter((entry) => entry !== mine && over(entry) && entry.work.job.board === mine.work.job.board) : [];
    at("compare-section").hidden = !others.length;
    if (!others.length) return;
    const before = Number(at("other").value);
    at("other").replaceChildren(...others.map(({ work }) => make("option", { value: work.number, text: `${work.number}: ${titled(work)}` })));
    if (others.some(({ work }) => work.number === before)) at("other").value = before;
    const both = [mine.work, works.get(Number(at("other").value)).work];
    const rows = [["job", (work) => work.number], ["engine", (work) => work.engine || "–"], ["value", (work) => work.value], ["bound", boundOf], ["turns", (work) => work.facts.turns], ["crossings", (work) => work.facts.crossings], ["seconds", (work) => work.seconds.toFixed(1)]];
    const words = (value) => (value === null || value === undefined ? "–" : typeof value === "number" ? number(value) : value);
    at("compared").replaceChildren(...rows.map(([label, of]) => make("tr", {}, make("th", { text: label, scope: "row" }), ...both.map((work) => make("td", { text: words(of(work)) })))));
    at("both").hidden = !both.every((work) => work.has_tour);
    at("both").href = `/compare/${both[0].number}/${both[1].number}`;
  }

  function cut(cell) {
    const { view } = KT.stage;
    if (KT.numbers.typing && KT.numbers.asked()) { KT.numbers.edit(cell); return; }
    if (chosen || !view || view.tour.n || view.painting) return;
    near("");
    const text = at("board").value.trim(), name = view.board.space ? `(${view.board.name(cell)})` : view.board.name(cell);
    at("board").value = text + (text.includes("-") ? "," : "-") + name;
    showBoard();
  }

  // -- moves that the next job is to have, or not to have ---------------------------------------------------------------

  const wished = (name) => (at(name) ? at(name).value.trim().split(/\s+/).filter(Boolean) : []);
  // -- the nearest tour -------------------------------------------------------------------------------------------------

  let opened = null; // the tour of a file that is shown, as {text, title}

  /** Says in the form which tour the next job is to be near to, and nothing of it without a title. */
  function near(title) {
    if (!title) at("near").value = "";
    at("near-of").textContent = title;
    showNear();
  }

  /** What was asked for, in the form; and beside a tour that is shown the button that asks, unless that was done. */
  function showNear() {
    const asked = Boolean(at("near").value) && at("form").elements.task.value === "solve";
    at("near-row").hidden = !asked;
    at("minimize").disabled = asked;
    const entry = works.get(chosen), there = entry ? entry.work.has_tour && !["waiting", "running"].includes(entry.work.state) : opened && KT.stage.player;
    at("near-chips").hidden = !there || asked;
  }

  async function askNear() {
    const entry = works.get(chosen);
    at("fault").textContent = "";
    at("ask-near").disabled = at("start-job").disabled = true; // a job that is asked for meanwhile would not have it
    try {
      let { text, title } = opened || {};
      if (entry) {
        const answer = await fetch(`/jobs/${entry.work.number}/tour`), { job, facts: counts } = entry.work;
        text = await answer.text();
        if (!answer.ok) throw new Error(JSON.parse(text).error);
        title = `${shortened(job.board)}${counts.turns === undefined ? "" : `, ${number(counts.turns)} turns`}, of job ${entry.work.number}`;
        for (const name of ["board", "leaper"]) at(name).value = job[name];
        at("form").elements.closed.value = job.is_open ? "no" : "yes";
      }
      if (at("form").elements.task.value !== "solve") {
        at("form").elements.task.value = "solve";
        at("form").elements.task[0].dispatchEvent(new Event("change"));
      }
      at("near").value = text;
      near(title);
      wishes();
    } catch (error) { at("fault").textContent = error.message; } finally { at("ask-near").disabled = at("start-job").disabled = false; }
  }

  const asksForMoves = () => Boolean(at("require")) && !at("require").closest("[hidden]");

  /** A click on a move requires it, one with Shift forbids it, and the next one takes that back; of taps, which know no
   *  Shift, the second forbids it. */
  function wish({ cells, shift, touch }) {
    const { view } = KT.stage;
    if (!asksForMoves()) return;
    const both = cells.map((cell) => view.board.name(cell)), texts = [both.join("-"), `${both[1]}-${both[0]}`];
    const lists = { require: wished("require"), forbid: wished("forbid") };
    const was = ["require", "forbid"].find((name) => texts.some((text) => lists[name].includes(text)));
    for (const name of ["require", "forbid"]) lists[name] = lists[name].filter((text) => !texts.includes(text));
    const now = touch ? { require: "forbid", forbid: "" }[was] ?? "require" : shift ? "forbid" : "require";
    if (now && (touch || now !== was)) lists[now].push(texts[0]);
    for (const name of ["require", "forbid"]) at(name).value = lists[name].join(" ");
    at("more").open = true;
    wishes();
  }

  /** Says beside the board, and shows on it, what the form requires and forbids. */
  function wishes() {
    const { view } = KT.stage;
    const able = view && !view.board.space && view.tour.n > 1 && asksForMoves(), marked = [];
    for (const name of able ? ["require", "forbid"] : []) {
      for (const text of wished(name)) {
        const [from, to] = text.split("-").map((cell) => view.board.find(cell));
        if (from >= 0 && to >= 0) marked.push([from, to, name === "forbid"]);
      }
    }
    if (view) view.mark(marked);
    const few = (list) => `${list.slice(0, 6).join(" ")}${list.length > 6 ? ` and ${list.length - 6} more` : ""}`;
    const moves = asksForMoves() ? [["Required", wished("require")], ["Forbidden", wished("forbid")]] : [];
    const lists = [...moves, ["Numbers", KT.numbers.asked() ? wished("number") : []]].filter(([, list]) => list.length);
    const words = lists.map(([word, list]) => `${word}: ${few(list)}.`).join(" ");
    KT.numbers.show();
    showNear();
    const text = words ? `${words} Start asks for such a tour.` : KT.numbers.typing && KT.numbers.asked() ? "Click a cell and type its number." : able ? "Click a move to require it, Shift-click to forbid it." : "";
    if (at("wishes").textContent !== text) at("wishes").textContent = text;
  }

  // -- what is dropped or pasted --------------------------------------------------------------------------------------

  /** What is in the clipboard, unless it is for a field; but the field of the board takes one line alone. */
  function paste(event) {
    const { files } = event.clipboardData, text = event.clipboardData.getData("text/plain"), { id, tagName, type } = event.target;
    const field = tagName === "TEXTAREA" || (tagName === "INPUT" && !["radio", "range", "checkbox", "file"].includes(type));
    if (field && !(id === "board" && text.trim().includes("\n"))) return;
    if (!files.length && !text.trim()) return;
    event.preventDefault();
    openFile(files.length ? files[0] : new File([text], "pasted text"));
  }

  function drop(event) {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const { files } = event.dataTransfer, text = event.dataTransfer.getData("text/plain");
    if (files.length > 1) at("fault").textContent = "One file at a time, please.";
    else if (files.length) openFile(files[0]);
    else if (text.trim()) openFile(new File([text], "dropped text"));
  }

  // -- one job --------------------------------------------------------------------------------------------------------------

  function choose(which, byHand = true) {
    chosen = which;
    picked ||= byHand;
    show();
    list();
  }

  const shortened = (board) => (board.length > 40 ? `${board.slice(0, 38)}…` : board);

  /** Whether a metric counts things, as "turns" do and "weight" does not. */
  const counts = (metric) => /s$|changed$/.test(metric);
  const least = (metric) => (counts(metric) ? "fewest" : "least");
  const valued = (value, metric) => (counts(metric) ? `${number(value)} ${metric}` : `${metric} ${number(value)}`);

  /** The title of a job. */
  function titled({ job, piece, metric }) {
    const parts = [shortened(job.board), piece === "knight" ? "" : piece];
    parts.push(job.is_open ? "open" : metric ? "" : "closed", job.task === "bound" ? `${metric}, bound` : metric && `${least(metric)} ${metric}`);
    return [...parts, job.symmetry.join(" "), job.method === "auto" ? "" : job.method].filter(Boolean).join(", ");
  }

  /** The bound of a job; null where it is 0 and no tour has 0, as that is known without any job. */
  const boundOf = (work) => (work.bound === 0 && work.value !== 0 ? null : work.bound);

  /** What has come out, in a sentence, and whether that is good. */
  function verdict(work) {
    const { state, status, value, bound, job, metric, message, facts } = work;
    if (state === "failed") return [message, "wrong"];
    if (state === "waiting") return ["Waiting for the job before it.", ""];
    if (state === "running" && work.stopping) return ["Stopping.", ""];
    if (state === "running" && value !== null && value === bound) return [`${valued(value, metric)}, the ${least(metric)} possible; making the certificate.`, "good"];
    if (state === "running") return [work.words.slice(0, 1).toUpperCase() + work.words.slice(1), ""];
    if (status === "infeasible") return ["There is no such tour.", "good"];
    if (status === "optimal") return [`${valued(value, metric)}, the ${least(metric)} possible.`, "good"];
    if (job.task === "bound" && bound === 0) return ["No bound above 0 was proved.", ""];
    if (job.task === "bound" && bound !== null) return [counts(metric) ? `No tour has fewer than ${number(bound)} ${metric}.` : `No tour has a ${metric} below ${number(bound)}.`, facts.unshown ? "" : "good"];
    if (status === "feasible" && !metric) return ["A tour.", "good"];
    if (status === "feasible") return [`${valued(value, metric)}${!bound ? "" : `; at least ${number(bound)} ${counts(metric) ? "are" : "is"} needed`}.`, ""];
    return [state === "stopped" ? "Stopped before anything was found." : "Nothing was found.", ""];
  }

  function show() {
    const entry = works.get(chosen);
    if (!entry) return;
    const { work } = entry, over = !["waiting", "running"].includes(work.state);
    headline(titled(work), work.state);
    const bound = boundOf(work);
    const numbers = [["value", work.value], ["bound", bound], ["gap", work.value !== null && bound !== null ? work.value - bound : null]];
    for (const [id, value] of numbers) at(id).textContent = value === null ? "–" : number(value);
    at("value-name").textContent = work.metric || "value";
    const [text, kind] = verdict(work);
    at("verdict").textContent = text;
    at("verdict").className = kind;
    at("stop").hidden = over;
    at("stop").disabled = work.stopping;
    at("command-section").hidden = false;
    at("command").textContent = work.command.map((part) => (/^[\w.:=\/-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`)).join(" ");
    at("near-file").hidden = !work.job.near;
    at("near-file").href = `/jobs/${work.number}/near`;
    facts(work);
    tick();
    saves(work, over);
    compare();
    if (over && entry.drawn !== work.found) { fetchPage(entry); return; }
    if (entry.page) KT.stage.draw(entry.page);
    else if (entry.page === null) KT.stage.draw(null, "This board has too many dimensions to draw.");
    else KT.stage.draw(null);
    wishes();
  }

  async function fetchPage(entry) {
    entry.drawn = entry.work.found;
    try {
      const whole = await ask(`/jobs/${entry.work.number}`);
      entry.page = whole.page;
    } catch (error) { if (entry.page === undefined) entry.page = null; at("live").textContent = error.message; }
    if (chosen === entry.work.number) show();
  }

  function headline(text, state) {
    at("title").textContent = text;
    at("state").textContent = STATES[state] || "";
    at("state").className = `chip ${STATES[state] || ""}`;
  }

  function facts(work) {
    const { turns, crossings, how, reason, method, unshown, statistics } = work.facts, rows = [];
    const say = (label, text) => { if (text !== undefined && text !== "") rows.push(make("dt", { text: label }), make("dd", { text: String(text) })); };
    if (turns !== undefined) say("turns", number(turns));
    if (crossings !== undefined) say("crossings", number(crossings));
    say("evidence", how);
    say("because", reason);
    say("method", method);
    say("engine", work.engine);
    say("not shown", unshown);
    for (const [name, value] of Object.entries(statistics || {})) say(name.replaceAll("_", " "), typeof value === "number" ? number(value) : value);
    at("facts").replaceChildren(...rows);
  }

  function saves(work, over) {
    const there = over && work.found > 0;
    at("save-section").hidden = !there;
    if (!there) { at("saved").textContent = ""; at("save").replaceChildren(); return; }
    if (at("save").dataset.of === `${work.number} ${work.found}`) return;
    at("save").dataset.of = `${work.number} ${work.found}`;
    at("saved").textContent = "";
    const kinds = catalogue ? catalogue.kinds : ["json"], names = { json: "JSON", svg: "SVG", pdf: "PDF", png: "PNG", html: "HTML page", tour: "TSPLIB" };
    const can = kinds.filter((kind) => kind === "json" || work.has_tour);
    at("save").replaceChildren(...can.map((kind) => make("a", { text: names[kind] || kind, href: `/jobs/${work.number}/${kind}`, download: "" })));
    if (!catalogue || !catalogue.folder) return;
    for (const kind of can) {
      const button = make("button", { type: "button", text: `${names[kind] || kind} into the folder` });
      button.addEventListener("click", async () => {
        button.disabled = true;
        try { at("saved").textContent = `Saved as ${(await ask(`/jobs/${work.number}/save`, { kind })).name}.`; } catch (error) { at("saved").textContent = error.message; }
        button.disabled = false;
      });
      at("save").append(button);
    }
  }

  function list() {
    at("jobs-section").hidden = works.size === 0;
    const numbers = [...works.keys()].sort((a, b) => b - a);
    KT.stage.keep(at("jobs"), numbers, (which) => {
      const button = make("button", { type: "button" }, make("i", { "aria-hidden": "true" }), make("span", { name: "what" }), make("span", { name: "unseen" }), make("span", { name: "so-far" }));
      button.addEventListener("click", () => choose(which));
      return make("li", {}, button);
    }).forEach(({ firstChild: button }, i) => {
      const { work } = works.get(numbers[i]), [dot, what, state, soFar] = button.children;
      const so = [work.value, boundOf(work)].map((n) => (n === null ? "–" : number(n)));
      button.setAttribute("aria-current", String(work.number === chosen));
      dot.className = `dot ${STATES[work.state] || ""}`;
      what.textContent = titled(work);
      state.textContent = `, ${work.state}`;
      soFar.textContent = work.value === null && boundOf(work) === null ? work.status : `${so[0]} / ${so[1]}`;
    });
  }

  /** Seconds and chart go on by themselves while a job runs. */
  function tick() {
    const entry = works.get(chosen);
    if (!entry) return;
    const { work } = entry;
    const seconds = work.seconds + (work.state === "running" && !ended ? (performance.now() - entry.heard) / 1000 : 0);
    at("seconds").textContent = work.state === "waiting" ? "–" : seconds < 100 ? seconds.toFixed(1) : number(Math.round(seconds));
    KT.stage.chart(entry, seconds);
  }

  // -- the page ---------------------------------------------------------------------------------------------------------------

  function tell(text, wrong = false) {
    at("subtitle").textContent = text || "Served to this machine only.";
    at("subtitle").classList.toggle("wrong", wrong);
  }

  async function begin() {
    if (location.search) history.replaceState(null, "", `/${location.hash}`); // the token stays out of sight, and out of the history
    tell("");
    KT.stage.listen();
    KT.stage.oncell = cut;
    KT.stage.onpaint = paint;
    KT.stage.onpoint = point;
    KT.stage.onmove = wish;
    for (const kind of ["input", "change"]) at("form").addEventListener(kind, wishes); // a change of the task comes after its input
    document.addEventListener("paste", paste);
    document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
    document.addEventListener("drop", drop);
    at("paint").addEventListener("click", () => {
      painting = !painting;
      at("paint").setAttribute("aria-pressed", String(painting));
      if (painting) { KT.numbers.set(false); choose(0); fresh(); showBoard(); } // painting begins on the view that comes, as the one there goes
      else if (KT.stage.view) KT.stage.view.painting = false;
    });
    KT.numbers.listen();
    at("type").addEventListener("click", (event) => {
      KT.numbers.set(!KT.numbers.typing);
      if (KT.numbers.typing && painting) at("paint").click();
      wishes();
      const { view } = KT.stage;
      if (!KT.numbers.typing || !view || !KT.numbers.asked()) return;
      if (window.innerWidth <= 760) at("watch").scrollIntoView({ behavior: "smooth" });
      const first = view.board.index(0, view.board.height - 1), there = view.board.mask ? view.board.mask.indexOf(1) : first;
      if (!event.detail) KT.numbers.edit(view.board.mask && !view.board.mask[first] ? there : first); // pressed by a key
    });
    at("ask-near").addEventListener("click", askNear);
    at("near-off").addEventListener("click", () => { near(""); wishes(); });
    at("open-file").addEventListener("click", () => at("file").click());
    at("file").addEventListener("change", () => { if (at("file").files.length) openFile(at("file").files[0]); at("file").value = ""; });
    at("link").addEventListener("click", async () => {
      const link = linkTo(KT.form.asked());
      history.replaceState(null, "", link);
      try { await navigator.clipboard.writeText(link); at("link").textContent = "Copied"; } catch { at("link").textContent = "It is the page's address now"; }
      setTimeout(() => { at("link").textContent = "Copy link"; }, 1500);
    });
    at("other").addEventListener("change", compare);
    KT.form.listen();
    at("form").addEventListener("submit", (event) => { event.preventDefault(); submit(KT.form.asked()); });
    const typed = () => { near(""); opened = null; clearTimeout(soon); soon = setTimeout(() => { choose(0); fresh(); showBoard(); }, 250); };
    at("board").addEventListener("input", typed);
    at("points").addEventListener("click", beginPoints);
    at("edges").addEventListener("change", () => {
      at("board").value = at("board").value.trim().replace(/^points:\S*/, `points:${at("edges").value}`);
      typed();
    });
    at("leaper").addEventListener("input", typed);
    at("stop").addEventListener("click", async () => {
      at("stop").disabled = true;
      try { hear({ work: await ask(`/jobs/${chosen}/stop`, {}), from: Infinity, points: [] }); } catch (error) { at("fault").textContent = error.message; }
    });
    at("copy").addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(at("command").textContent); at("copy").textContent = "Copied"; } catch { at("copy").textContent = "Not copied"; }
      setTimeout(() => { at("copy").textContent = "Copy"; }, 1500);
    });
    at("examples").append(...EXAMPLES.map(([text, job]) => {
      const button = make("button", { type: "button", text });
      button.addEventListener("click", () => { KT.form.fill(job); near(""); submit(KT.form.asked()); });
      return button;
    }));
    document.addEventListener("visibilitychange", () => { if (document.hidden) hush(); else listen(); });
    setInterval(() => { const entry = works.get(chosen); if (entry && entry.work.state === "running") tick(); }, 250);
    listen();
    showBoard();
    try {
      catalogue = await ask("/catalogue");
      KT.form.know(catalogue);
      fromLink();
    } catch (error) { tell(error.message, true); }
  }

  /** The panel of a board that has no job yet. */
  function fresh() {
    for (const id of ["value", "bound", "gap", "seconds"]) at(id).textContent = "–";
    at("value-name").textContent = "value";
    at("verdict").textContent = "";
    at("facts").replaceChildren();
    at("chart").replaceChildren();
    at("save-section").hidden = at("command-section").hidden = at("compare-section").hidden = true;
    at("stop").hidden = true;
  }

  /** hear(message): what a message of the stream does. */
  KT.hear = hear;
  begin();
})();
