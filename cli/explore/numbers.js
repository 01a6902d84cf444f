/* Numbers that the next job is to have in cells: typed on the board, and kept in the form as the option --number has them. */
(() => {
  "use strict";

  const at = (id) => document.getElementById(id);
  const { make } = KT;
  let typing = false, field = null, open = -1;

  /** The given numbers of the form: cell names and what each may have. */
  const given = () => new Map((at("number") ? at("number").value.trim().split(/\s+/) : []).filter((text) => text.includes("=")).map((text) => {
    const split = text.lastIndexOf("=");
    return [text.slice(0, split), text.slice(split + 1)];
  }));

  /** Whether the task of the form takes given numbers. */
  const asked = () => Boolean(at("number")) && !at("number").closest("[hidden]");

  /** Shows the given numbers on the board. */
  function show() {
    const { view } = KT.stage;
    if (!view) return;
    view.typing = typing && asked();
    view.write(asked() ? [...given()].map(([name, text]) => [view.board.find(name), text]).filter(([cell]) => cell >= 0) : []);
  }

  function keep(cell, text) {
    const { view } = KT.stage, numbers = given(), name = view.board.name(cell);
    if (text) numbers.set(name, text); else numbers.delete(name);
    const now = [...numbers].map(([cell, values]) => `${cell}=${values}`).join(" ");
    if (now === at("number").value.trim()) return;
    at("number").value = now;
    at("number").dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Ends the typing in a cell; what stands there is kept, unless it is given up. */
  function close(kept = true) {
    if (open < 0) return;
    const [cell, text] = [open, field.value];
    open = -1; // first, as an element that goes loses the focus, which closes it
    field.remove();
    if (kept && KT.stage.view) keep(cell, text);
  }

  function place() {
    const { view } = KT.stage;
    if (open < 0 || !view) return;
    const [x, y, size] = view.placeOf(open), wide = Math.max(46, Math.min(size, 72));
    field.style.left = `${Math.max(wide / 2, Math.min(view.width - wide / 2, x))}px`;
    field.style.top = `${y}px`;
    field.style.width = `${wide}px`;
  }

  /** Lets a number be typed into a cell. */
  function edit(cell) {
    close();
    const { view } = KT.stage, name = view.board.name(cell);
    view.point(-1); // what a finger pointed at
    open = cell;
    field.value = given().get(name) || "";
    field.setAttribute("aria-label", `Number of ${name}`);
    at("stage").append(field);
    place();
    field.focus();
    field.select();
  }

  /** The next cell of the board in a direction; -1 at its edge. */
  function beside(cell, dx, dy) {
    const { board } = KT.stage.view, z = board.z(cell);
    for (let x = board.x(cell) + dx, y = board.y(cell) + dy; x >= 0 && y >= 0 && x < board.width && y < board.height; x += dx, y += dy) {
      if (board.has(x, y, z)) return board.index(x, y, z);
    }
    return -1;
  }

  const WAYS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

  function press(event) {
    event.stopPropagation(); // the page's own keys
    const way = WAYS[event.key], { selectionStart: from, selectionEnd: to, value } = field;
    if (event.key === "Enter" || event.key === "Escape") {
      event.preventDefault();
      close(event.key === "Enter");
      KT.stage.view.canvas.focus();
    } else if (way) {
      const whole = from === 0 && to === value.length, along = way[0] < 0 ? from === 0 : to === value.length;
      if (way[0] && !whole && !along) return; // the caret moves in the text
      event.preventDefault();
      const next = beside(open, ...way);
      if (next >= 0) edit(next);
    }
  }

  function set(on) {
    close();
    typing = on;
    at("type").setAttribute("aria-pressed", String(on));
    show();
  }

  function listen() {
    field = make("input", { name: "cell-number", type: "text", inputmode: "numeric", maxlength: "40", autocomplete: "off", spellcheck: "false" });
    field.addEventListener("input", () => { field.value = field.value.replace(/[^\d,-]/g, ""); });
    field.addEventListener("keydown", press);
    field.addEventListener("blur", () => close());
  }

  /** listen(); set(whether clicks on cells begin to type); edit(cell); show(); place() after the camera moved; asked(); typing. */
  KT.numbers = { listen, set, edit, show, place, close, asked, get typing() { return typing; } };
})();
