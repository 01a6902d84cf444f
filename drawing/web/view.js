/* KT.view: one board with its walks on a canvas: zoomed, moved, turned, stepped through, pointed at. */
(() => {
  "use strict";

  const DIRECT = 2500; // cells painted anew in every frame; more are painted into tiles
  const PIXEL = 1.5; // below so many device pixels a cell is one pixel of an image
  const MOST_TURNED = 10000; // moves and squares drawn while a board in space is turned or played
  const SETTLED = 140; // milliseconds without a zoom until a large board is painted at the new scale

  /**
   * Puts a board into an element.
   *
   * data     {board, leaper, moves, sides} as drawing/page_data.py writes it
   * options  {side: 0, dark: false, label: "what it is, for screen readers"}
   */
  KT.view = (container, data, options = {}) => new View(container, data, options);

  class View {
    constructor(container, data, options) {
      this.container = container;
      this.listeners = {};
      this.show = { turns: true, crossings: true, numbers: false, names: true, differences: true, layer: true, parts: true };
      this.mode = "position";
      this.only = -1;
      this.theme = KT.themes[options.dark ? "dark" : "light"];
      this.canvas = document.createElement("canvas");
      this.canvas.className = "kt-canvas";
      this.canvas.tabIndex = 0;
      this.canvas.setAttribute("role", "img");
      this.canvas.setAttribute("aria-label", options.label || "");
      this.tip = document.createElement("div");
      this.tip.className = "kt-tip";
      this.tip.hidden = true;
      container.append(this.canvas, this.tip);
      this.context = this.canvas.getContext("2d");
      this.tiles = new KT.Tiles();
      this.frames = []; // milliseconds that painting took, of the last frames
      this.marked = [];
      this.pointers = new Map();
      this.hover = -1;
      this.turn = { yaw: -0.62, pitch: 0.5 };
      this.update(data, options.side || 0);
      this.listen();
      this.observer = new ResizeObserver(() => this.resize());
      this.observer.observe(container);
      this.resize();
    }

    // -- what is shown ------------------------------------------------------------------------------------------------

    /** Shows other data; the camera stays where it is if the board is the same, and so does the number of moves made. */
    update(data, side = 0) {
      this.data = data;
      this.side = data.sides[side];
      const { board, moves } = this.side.place || data;
      const same = this.board && this.board.text === board.text && String(this.board.shape) === String(board.shape);
      this.board = new KT.Board(board);
      this.tour = new KT.Tour(this.board, moves, this.side);
      const partial = same && this.made < this.moves;
      this._strandRows = null;
      this.moves = this.tour.moves;
      this.made = partial ? Math.min(this.made, this.moves) : this.moves;
      this.differs = null;
      this.recolour();
      this.overview = this.board.space ? null : new KT.Overview(this.scene);
      this.tiles.clear();
      if (!same) this.fitted = true;
      if (this.width) { if (this.fitted) this.fit(); else this.ask(); }
      this.emit("step", this.made);
    }

    /** turns, crossings, numbers, names, differences, layer, parts: shown or not; colour: position, strand, component,
     *  move, plain; dark: the theme; only: the layer of a board in space that stands out, or -1. */
    set(name, value) {
      if (name === "colour") this.mode = value;
      else if (name === "only") this.only = value;
      else if (name === "dark") this.theme = KT.themes[value ? "dark" : "light"];
      else if (name in this.show) this.show[name] = value;
      this.recolour();
      this.spoil();
    }

    /** Cells (numbers in the box) that are marked with a ring. */
    highlight(cells) { this.marked = [...cells]; this.ask(); }

    /** Cells that differ from another tour: KT.differences(...).differs, or null. */
    compare(differs) { this.differs = differs; this.recolour(); this.spoil(); }

    recolour() {
      const { tour, side, theme } = this;
      const layer = side.layer && this.show.layer ? side.layer : null;
      const colours = layer ? layer.palette.map((text) => KT.ink(text, theme)) : [];
      const strength = (row) => ((layer.strong || []).includes(row) ? 0.88 : 0.5);
      this.scene = {
        board: this.board, tour, theme, show: this.show, ghost: true, playing: false, ratio: this.ratio || 1,
        colour: KT.colouring(tour, side, this.mode, theme),
        differs: this.show.differences ? this.differs : null,
        layer: layer && { rows: KT.bytes(layer.rows), colours, css: colours.map((rgb, row) => KT.css(rgb, strength(row))) },
        only: this.board.space ? this.only : -1,
      };
      if (this.overview) this.overview.spoil();
    }

    spoil() { this.tiles.spoil(); if (this.overview) this.overview.spoil(); this.ask(); }

    /** Shows the board after so many moves. */
    go(made, playing = false) {
      const to = Math.max(0, Math.min(this.moves, Math.round(made)));
      this.scene.playing = playing;
      if (to !== this.made) { this.made = to; this.emit("step", to); }
      this.ask();
    }

    // -- the camera ---------------------------------------------------------------------------------------------------

    resize() {
      const box = this.container.getBoundingClientRect();
      if (!box.width || !box.height) return;
      const ratio = Math.min(window.devicePixelRatio || 1, 3);
      if (this.width === box.width && this.height === box.height && this.ratio === ratio) return;
      [this.width, this.height] = [box.width, box.height];
      if (this.ratio !== ratio) { this.ratio = ratio; this.scene.ratio = ratio; this.tiles.clear(); }
      this.canvas.width = Math.round(box.width * ratio);
      this.canvas.height = Math.round(box.height * ratio);
      if (!this.camera || this.fitted) this.fit();
      if (this.frames.length) this.paint(); // at once, as setting its size emptied the canvas
      else this.ask();
    }

    extent() {
      if (this.board.space) { const [a, b] = KT.spaceExtent(this.board, this.turn); return [2 * a + 1, 2 * b + 1]; }
      return [this.board.width + (this.board.wraps[0] ? 0.8 : 0.2), this.board.height + (this.board.wraps[1] ? 0.8 : 0.2)];
    }

    /** The whole board. */
    fit() {
      const [across, up] = this.extent(), room = this.show.names && !this.board.space ? 26 : 8;
      const s = Math.min((this.width - 2 * room) / across, (this.height - 2 * room) / up, 96);
      const middle = this.board.space ? [0, 0] : [(this.board.width - 1) / 2, (this.board.height - 1) / 2];
      this.camera = { x: middle[0], y: middle[1], s: Math.max(s, 1e-3) };
      this.fitted = true;
      this.moved();
    }

    /** Zooms by a factor about a point of the element (its middle by default). */
    zoom(factor, px = this.width / 2, py = this.height / 2) {
      const camera = this.camera, [across, up] = this.extent();
      const least = 0.25 * Math.min(this.width / across, this.height / up);
      const s = Math.min(160, Math.max(Math.min(least, 4), camera.s * factor));
      const k = 1 / camera.s - 1 / s;
      camera.x += (px - this.width / 2) * k;
      camera.y -= (py - this.height / 2) * k;
      camera.s = s;
      this.hurry();
      this.fitted = false;
      this.moved();
    }

    /** Moves what is seen by pixels of the screen. */
    pan(dx, dy) {
      this.camera.x -= dx / this.camera.s;
      this.camera.y += dy / this.camera.s;
      this.fitted = false;
      this.moved();
    }

    /** Turns a board in space, by radians. */
    rotate(yaw, pitch) {
      this.turn.yaw += yaw;
      this.turn.pitch = Math.max(0.05, Math.min(Math.PI / 2, this.turn.pitch + pitch));
      this.hurry();
      if (this.fitted) this.fit(); else this.moved();
    }

    /** Brings a cell into the middle. */
    centre(cell) {
      if (this.board.space) return;
      this.camera.x = this.board.x(cell);
      this.camera.y = this.board.y(cell);
      this.camera.s = Math.max(this.camera.s, 24);
      this.fitted = false;
      this.moved();
    }

    /** Takes over another view's camera, without telling anyone. */
    follow(other) {
      this.camera = { ...other.camera };
      this.turn = { ...other.turn };
      this.fitted = other.fitted;
      if (other.moving) this.hurry();
      this.ask();
    }

    /** Zoomed or turned: what is large is painted roughly until that has been over for a moment. */
    hurry() {
      this.moving = true;
      clearTimeout(this.settling);
      this.settling = setTimeout(() => { this.moving = false; this.ask(); }, SETTLED);
    }

    moved() { this.keepInSight(); this.emit("camera", this); this.ask(); }

    keepInSight() {
      const { camera, board } = this;
      if (board.space) {
        const [a, b] = KT.spaceExtent(board, this.turn);
        camera.x = Math.max(-a, Math.min(a, camera.x));
        camera.y = Math.max(-b, Math.min(b, camera.y));
      } else {
        camera.x = Math.max(-0.5, Math.min(board.width - 0.5, camera.x));
        camera.y = Math.max(-0.5, Math.min(board.height - 0.5, camera.y));
      }
    }

    // -- painting -----------------------------------------------------------------------------------------------------

    ask() {
      if (this.asked || this.gone) return;
      this.asked = true;
      requestAnimationFrame(() => { this.asked = false; this.paint(); });
    }

    paint() {
      if (!this.camera || this.gone) return;
      const began = performance.now(), { context, ratio, scene } = this;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, this.canvas.width, this.canvas.height);
      if (this.board.space) this.paintSpace(); else this.paintPlane();
      scene.ratio = ratio;
      this.frames.push(performance.now() - began);
      if (this.frames.length > 240) this.frames.shift();
      if (this.onpaint) this.onpaint();
    }

    paintPlane() {
      const { context, scene, ratio, board } = this, frame = this.frame();
      const [x0, y0, x1, y1] = KT.range(board, frame, 0), seen = Math.max(0, x1 - x0 + 1) * Math.max(0, y1 - y0 + 1);
      if (frame.s < PIXEL && board.size > 400) {
        this.overview.draw(context, frame, scene, this.made);
      } else if (seen <= DIRECT) {
        KT.paint(context, frame, scene, this.made);
      } else {
        const under = () => this.overview.draw(context, frame, scene, this.made);
        if (!this.tiles.draw(context, frame, scene, this.made, this.moving, under)) this.ask();
      }
      const px = (x) => (x - frame.ox) * frame.s, py = (y) => (frame.oy - y) * frame.s;
      if (this.side.parts && this.show.parts) KT.paintParts(context, frame, this.side.parts, this.theme, ratio);
      this.paintOver((cell) => [px(board.x(cell)), py(board.y(cell))], frame.s);
      if (this.show.names) KT.paintNames(context, frame, scene);
    }

    paintSpace() {
      const frame = this.frame(), busy = this.moving || this.scene.playing, every = busy ? Math.ceil(Math.max(this.tour.n, this.board.size) / MOST_TURNED) : 1;
      KT.paintSpace(this.context, frame, this.scene, this.made, this.turn, every);
      const at = KT.projector(this.board, this.turn);
      this.paintOver((cell) => {
        const [a, b] = at(this.board.x(cell), this.board.y(cell), this.board.z(cell));
        return [frame.cx + a * frame.s, frame.cy - b * frame.s];
      }, frame.s);
    }

    /** In device pixels: how many a cell has, and where the plane's left upper corner, or the middle in space, is. */
    frame() {
      const s = this.camera.s * this.ratio, [w, h] = [this.canvas.width, this.canvas.height];
      if (this.board.space) return { s, w, h, cx: w / 2 - this.camera.x * s, cy: h / 2 + this.camera.y * s };
      return { s, w, h, ox: this.camera.x - w / 2 / s, oy: this.camera.y + h / 2 / s };
    }

    /** What lies over everything: the walker, the cell pointed at, marked cells. */
    paintOver(place, s) {
      const { context, theme, ratio, tour } = this;
      const ring = (cell, radius, colour, width, fill) => {
        const [x, y] = place(cell);
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        if (fill) { context.fillStyle = fill; context.fill(); }
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.stroke();
      };
      for (const [from, to, forbidden] of this.board.space ? [] : this.markedMoves || []) {
        const [x0, y0] = place(from), [x1, y1] = place(to);
        context.beginPath();
        context.moveTo(x0, y0);
        context.lineTo(x1, y1);
        context.lineCap = "round";
        context.setLineDash(forbidden ? [0.12 * s, 0.16 * s] : []);
        for (const [colour, width] of [[theme.halo, 0.24], [forbidden ? theme.wrong : theme.ink, 0.15]]) {
          context.strokeStyle = colour;
          context.lineWidth = Math.max(width * s, (width / 0.06) * ratio);
          context.stroke();
        }
        context.setLineDash([]);
      }
      for (const [cell, text] of this.written || []) {
        const [x, y] = place(cell), size = Math.min(0.4 * s, (1.1 * s) / Math.max(2, text.length));
        ring(cell, 0.4 * s, theme.accent, Math.max(0.05 * s, 1.5 * ratio), theme.paper);
        context.font = `600 ${Math.max(size, 5 * ratio)}px system-ui, "DejaVu Sans", sans-serif`;
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillStyle = theme.ink;
        context.fillText(text, x, y + 0.02 * s);
      }
      for (const cell of this.marked) ring(cell, Math.max(0.42 * s, 6 * ratio), theme.wrong, Math.max(0.06 * s, 2 * ratio));
      if (tour.n && this.made < this.moves) {
        const cell = tour.cellAfter(this.made), fill = this.scene.colour.css[this.scene.colour.rows[this.made % tour.n]];
        const radius = Math.max(0.36 * s, 5.5 * ratio);
        ring(cell, radius + 1.5 * ratio, theme.halo, 3 * ratio);
        ring(cell, radius, theme.ink, Math.max(0.03 * s, 1.4 * ratio), fill);
        if (radius > 8 * ratio) KT.paintKnight(context, ...place(cell), 1.45 * radius, theme.dark ? "#111" : "#fff");
      }
      if (this.hover >= 0) ring(this.hover, Math.max(0.44 * s, 6 * ratio), theme.ink, Math.max(0.035 * s, 1.5 * ratio));
    }

    // -- pointing -----------------------------------------------------------------------------------------------------

    /** The cell at a point of the element, or -1. */
    cellAt(px, py) {
      if (this.board.space) {
        return KT.pickSpace(this.board, this.tour, this.frame(), this.turn, px * this.ratio, py * this.ratio);
      }
      const [x, y] = this.squareAt(px, py);
      return this.board.has(x, y) ? this.board.index(x, y) : -1;
    }

    /** The move made whose line is nearest to a point of the element in the plane, or -1: none is near, or a cell is nearer. */
    moveAt(px, py) {
      const { board, tour, camera } = this;
      if (board.space || !tour.n) return -1;
      const x = camera.x + (px - this.width / 2) / camera.s, y = camera.y - (py - this.height / 2) / camera.s;
      let best = -1, least = Math.min(0.3, Math.max(0.14, 7 / camera.s));
      if (Math.hypot(x - Math.round(x), y - Math.round(y)) < 0.24) return -1;
      const reach = tour.reach + 1;
      const near = (i) => KT.linesOf(tour, i, (x0, y0, x1, y1) => {
        const along = [x1 - x0, y1 - y0], t = Math.max(0, Math.min(1, ((x - x0) * along[0] + (y - y0) * along[1]) / (along[0] ** 2 + along[1] ** 2)));
        const away = Math.hypot(x - x0 - t * along[0], y - y0 - t * along[1]);
        if (away < least) { least = away; best = i; }
      });
      if (tour.wrapping) { // what leaves over one edge comes over another
        for (let i = 0; i < this.made; i++) if (tour.step[i] !== KT.NONE) near(i);
        return best;
      }
      for (let cx = Math.max(0, Math.floor(x - reach)); cx <= Math.min(board.width - 1, x + reach); cx++) {
        for (let cy = Math.max(0, Math.floor(y - reach)); cy <= Math.min(board.height - 1, y + reach); cy++) {
          const i = board.has(cx, cy) ? tour.visit[board.index(cx, cy)] : -1;
          if (i >= 0 && i < this.made && tour.step[i] !== KT.NONE) near(i);
        }
      }
      return best;
    }

    /** The two cells of a move. */
    endsOf(i) { return [this.tour.at[i], this.tour.at[this.tour.next[i]]]; }

    /** Moves that stand out, as [cell, cell, whether it is forbidden]. */
    mark(moves) { this.markedMoves = moves; this.ask(); }

    /** Numbers that stand in cells whatever the walk is, as [cell, text]. */
    write(numbers) { this.written = numbers; this.ask(); }

    /** The middle of a cell in the element, and the pixels of a cell. */
    placeOf(cell) {
      const { camera, board } = this;
      const [x, y] = board.space ? KT.projector(board, this.turn)(board.x(cell), board.y(cell), board.z(cell)) : [board.x(cell), board.y(cell)];
      return [this.width / 2 + (x - camera.x) * camera.s, this.height / 2 - (y - camera.y) * camera.s, camera.s];
    }

    /** Where a point of the element is on the board, whether there is a cell or a hole. */
    squareAt(px, py) {
      return [Math.round(this.camera.x + (px - this.width / 2) / this.camera.s), Math.round(this.camera.y - (py - this.height / 2) / this.camera.s)];
    }

    /** Points at a cell (-1: at none): a ring around it, and what there is to say of it. */
    point(cell, px, py) {
      if (cell !== this.hover) { this.hover = cell; this.emit("hover", cell); this.ask(); }
      this.tip.hidden = cell < 0;
      if (cell < 0) return;
      this.tip.textContent = this.describe(cell);
      const left = Math.min(px + 14, this.width - this.tip.offsetWidth - 6);
      const below = py + 18 + this.tip.offsetHeight > this.height;
      this.tip.style.left = `${Math.max(4, left)}px`;
      this.tip.style.top = `${below ? py - this.tip.offsetHeight - 10 : py + 16}px`;
    }

    /** `e4 · visit 17 of 64 · turn`. */
    describe(cell) {
      const { tour, board, side } = this, i = tour.visit[cell], words = [board.name(cell)];
      if (i >= 0) {
        const w = tour.walkOf ? tour.walkOf[i] : 0, first = tour.first[w];
        words.push(`visit ${(i - first + 1).toLocaleString("en")} of ${(tour.first[w + 1] - first).toLocaleString("en")}`);
        if (tour.walks > 1) words.push(`${tour.closed[w] ? "cycle" : "path"} ${w + 1} of ${tour.walks}`);
        words.push(tour.isTurn(i) ? "turn" : tour.prev[i] < 0 ? "start" : tour.next[i] < 0 ? "end" : "no turn");
        if (side.parts && side.parts.steps && tour.step[i] !== KT.NONE) {
          const row = this.strandRows[i], key = side.parts.key.find(([colour]) => colour === side.parts.palette[row]);
          if (key) words.push(key[1]);
        }
      } else if (tour.n) words.push("not visited");
      if (side.layer && this.show.layer) {
        const label = side.layer.labels[this.scene.layer.rows[cell]];
        if (label) words.push(label);
      }
      if (this.scene.differs && this.scene.differs[cell]) words.push("other moves beside");
      return words.join(" · ");
    }

    get strandRows() {
      this._strandRows ||= KT.colouring(this.tour, this.side, "strand", this.theme).rows;
      return this._strandRows;
    }

    listen() {
      const canvas = this.canvas, place = (event) => {
        const box = canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
      };
      canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        const at = place(event);
        this.stroke = this.painting && !this.board.space && !this.pointers.size;
        if (this.stroke) this.emit("paint", [...this.squareAt(...at), true]);
        this.pointers.set(event.pointerId, at);
        this.dragged = 0;
        this.spun = event.shiftKey || event.button === 2;
      });
      canvas.addEventListener("pointermove", (event) => {
        const now = place(event), before = this.pointers.get(event.pointerId);
        if (!before) { this.point(this.cellAt(...now), ...now); return; }
        const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
        if (this.stroke) {
          this.pointers.set(event.pointerId, now);
          this.emit("paint", [...this.squareAt(...now), false]);
          return;
        }
        this.dragged += Math.abs(dx) + Math.abs(dy);
        if (this.pointers.size === 2) {
          const other = [...this.pointers.entries()].find(([id]) => id !== event.pointerId)[1];
          const span = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
          const middle = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
          this.zoom(span(now) / Math.max(1, span(before)), ...middle);
          this.pan(dx / 2, dy / 2);
        } else if (this.board.space && !this.spun) {
          this.rotate(-dx * 0.008, dy * 0.008);
        } else if (this.dragged > 3) this.pan(dx, dy);
        this.pointers.set(event.pointerId, now);
        if (this.dragged > 6) this.point(-1);
      });
      const up = (event) => {
        if (!this.pointers.delete(event.pointerId) || this.stroke || this.dragged > 6 || event.type === "pointercancel") return;
        const at = place(event), move = this.listeners.move && !this.typing ? this.moveAt(...at) : -1;
        if (move >= 0) { this.emit("move", { cells: this.endsOf(move), shift: event.shiftKey, touch: event.pointerType === "touch" }); return; }
        const cell = this.cellAt(...at);
        this.point(cell, ...at);
        if (cell >= 0) this.emit("cell", cell);
      };
      canvas.addEventListener("pointerup", up);
      canvas.addEventListener("pointercancel", up);
      canvas.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") this.point(-1); });
      canvas.addEventListener("contextmenu", (event) => { if (this.board.space) event.preventDefault(); });
      canvas.addEventListener("dblclick", (event) => this.zoom(2, ...place(event)));
      canvas.addEventListener("wheel", (event) => {
        event.preventDefault();
        const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 300 : 1;
        this.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY * unit)) * (event.ctrlKey ? 0.01 : 0.0022)), ...place(event));
      }, { passive: false });
    }

    /** While `typing` is set, a click is on a cell and never on a move. step (moves made), camera (the view), hover (cell or -1), cell (clicked), move ({cells, shift, touch}, clicked), paint ([x, y, whether a stroke begins], while `painting`). */
    on(name, call) { (this.listeners[name] ||= []).push(call); return this; }
    emit(name, value) { for (const call of this.listeners[name] || []) call(value); }

    /** Takes it off the page. */
    destroy() {
      this.gone = true;
      clearTimeout(this.settling);
      this.observer.disconnect();
      this.canvas.remove();
      this.tip.remove();
    }
  }
})();
