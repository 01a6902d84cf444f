/* Painting a board and its walks in the plane, on any canvas, at any size: from a pixel to a cell to a few large ones. */
(() => {
  "use strict";

  const OVERHANG = 0.3; // how far a move that wraps is drawn over the edge, in cells
  KT.OVERHANG = OVERHANG;

  /** Strokes sorted by colour: each colour is set once. */
  class Strokes {
    constructor() { this.rows = []; }

    add(colour, x0, y0, x1, y1) { (this.rows[colour] ||= []).push(x0, y0, x1, y1); }

    draw(context, palette) {
      for (let colour = 0; colour < this.rows.length; colour++) {
        const row = this.rows[colour];
        if (!row) continue;
        context.strokeStyle = palette[colour] || palette[0];
        context.beginPath();
        for (let k = 0; k < row.length; k += 4) {
          context.moveTo(row[k], row[k + 1]);
          context.lineTo(row[k + 2], row[k + 3]);
        }
        context.stroke();
      }
    }
  }
  KT.Strokes = Strokes;

  /** Colours of the moves: a row of the palette for each visit. */
  KT.colouring = (tour, side, mode, theme) => {
    const { n } = tour, rows = new Uint16Array(n);
    let colours;
    const strands = side.parts && side.parts.steps ? side.parts : null;
    if (mode === "strand" && strands) {
      const own = KT.bytes(strands.steps);
      let s = 0;
      for (let i = 0; i < n; i++) rows[i] = tour.step[i] === KT.NONE ? rows[i - 1] || 0 : own[s++];
      colours = strands.palette.map((text) => ink(text, theme));
    } else if (mode === "component") {
      const count = Math.max(1, Math.min(tour.walks, 997));
      for (let i = 0; i < n; i++) rows[i] = (tour.walkOf ? tour.walkOf[i] : 0) % count;
      colours = KT.distinct(theme.dark, count);
    } else if (mode === "move") {
      for (let i = 0; i < n; i++) rows[i] = tour.step[i] === KT.NONE ? 0 : tour.step[i];
      colours = KT.wheel(theme.dark, Math.max(1, tour.vectors.length));
      const turn = tour.vectors.map(([x, y, z]) => Math.atan2(y, x) + z).map((a, k) => [a, k]).sort((a, b) => a[0] - b[0]);
      const spread = colours.slice();
      turn.forEach(([, k], place) => { colours[k] = spread[place]; });
    } else if (mode === "plain") {
      colours = [theme.dark ? [214, 219, 227] : [60, 68, 80]];
    } else {
      const count = Math.min(256, Math.max(n, 1));
      for (let i = 0; i < n; i++) rows[i] = Math.floor((i * count) / n);
      colours = tour.walks === 1 && tour.closed[0] ? KT.wheel(theme.dark, count) : KT.ramp(theme.dark, count);
    }
    return { rows, colours, css: colours.map((rgb) => KT.css(rgb)) };
  };

  function ink(text, theme) {
    const rgb = KT.hex(text) || [128, 128, 128];
    return theme.dark && Math.max(...rgb) < 90 ? [225, 225, 228] : KT.onPaper(rgb, theme.dark);
  }
  KT.ink = ink;

  /** The cells a frame can show anything of, as [x0, y0, x1, y1]; a frame is {s, ox, oy, w, h} in device pixels. */
  const range = (board, frame, margin) => [
    Math.max(0, Math.floor(frame.ox - margin)),
    Math.max(0, Math.floor(frame.oy - frame.h / frame.s - margin)),
    Math.min(board.width - 1, Math.ceil(frame.ox + frame.w / frame.s + margin)),
    Math.min(board.height - 1, Math.ceil(frame.oy + margin)),
  ];
  KT.range = range;

  /** Squares, and the line around them. */
  KT.paintBoard = (context, frame, scene) => {
    const { board, theme, layer } = scene, { s, ox, oy } = frame;
    const [x0, y0, x1, y1] = range(board, frame, 1);
    if (x1 < x0 || y1 < y0) return;
    const edge = (v) => Math.round(v);
    const square = (x, y, colour) => {
      const left = edge((x - 0.5 - ox) * s), top = edge((oy - y - 0.5) * s);
      context.fillStyle = colour;
      context.fillRect(left, top, edge((x + 0.5 - ox) * s) - left, edge((oy - y + 0.5) * s) - top);
    };
    if (!board.mask) {
      const left = edge((x0 - 0.5 - ox) * s), top = edge((oy - y1 - 0.5) * s);
      context.fillStyle = theme.light;
      context.fillRect(left, top, edge((x1 + 0.5 - ox) * s) - left, edge((oy - y0 + 0.5) * s) - top);
    }
    for (let x = x0; x <= x1; x++) {
      for (let y = y0; y <= y1; y++) {
        if (board.mask && !board.has(x, y)) continue;
        const isDark = (x + y) % 2 === 0; // a1 is dark
        if (isDark || board.mask) square(x, y, isDark ? theme.square : theme.light);
        if (layer) {
          const row = layer.rows[board.index(x, y)];
          if (row < layer.css.length) square(x, y, layer.css[row]);
        }
        if (scene.differs && scene.differs[board.index(x, y)]) square(x, y, theme.change);
      }
    }
    context.strokeStyle = theme.border;
    context.lineWidth = Math.max(1, 0.02 * s);
    context.beginPath();
    for (let x = x0; x <= x1; x++) {
      for (let y = y0; y <= y1; y++) {
        if (!board.mask && x > 0 && y > 0 && x < board.width - 1 && y < board.height - 1) { y = board.height - 2; continue; }
        if (!board.has(x, y)) continue;
        const left = edge((x - 0.5 - ox) * s), right = edge((x + 0.5 - ox) * s);
        const top = edge((oy - y - 0.5) * s), bottom = edge((oy - y + 0.5) * s);
        if (!board.has(x - 1, y)) { context.moveTo(left, top); context.lineTo(left, bottom); }
        if (!board.has(x + 1, y)) { context.moveTo(right, top); context.lineTo(right, bottom); }
        if (!board.has(x, y - 1)) { context.moveTo(left, bottom); context.lineTo(right, bottom); }
        if (!board.has(x, y + 1)) { context.moveTo(left, top); context.lineTo(right, top); }
      }
    }
    context.stroke();
  };

  /** The lines of move i, each given to `line` in cells; a move that wraps leaves over one edge and comes over another. */
  KT.linesOf = (tour, i, line) => {
    const { board } = tour, cell = tour.at[i];
    const x = board.x(cell), y = board.y(cell), [dx, dy] = tour.vectors[tour.step[i]];
    if (!tour.wrapping || !tour.wrapping[i]) { line(x, y, x + dx, y + dy); return; }
    const rx = Math.floor((x + dx) / board.width), ry = Math.floor((y + dy) / board.height);
    const seen = new Set();
    for (const [kx, ky] of [[0, 0], [rx, 0], [0, ry], [rx, ry]]) {
      if (seen.has(`${kx},${ky}`)) continue;
      seen.add(`${kx},${ky}`);
      const sx = x - kx * board.width, sy = y - ky * board.height;
      const piece = clipped(sx, sy, dx, dy, board, 0) && clipped(sx, sy, dx, dy, board, OVERHANG);
      if (piece) line(...piece);
    }
  };

  function clipped(x, y, dx, dy, board, over) {
    let enter = 0, leave = 1;
    for (const [at, along, size] of [[x, dx, board.width], [y, dy, board.height]]) {
      const low = -0.5 - over - at, high = size - 0.5 + over - at;
      if (along === 0) { if (low > 0 || high < 0) return null; continue; }
      enter = Math.max(enter, Math.min(low / along, high / along));
      leave = Math.min(leave, Math.max(low / along, high / along));
    }
    return leave - enter > 1e-9 ? [x + enter * dx, y + enter * dy, x + leave * dx, y + leave * dy] : null;
  }

  /** Visits whose moves a frame may show, in no particular order. */
  const visits = (scene, frame, call) => {
    const { board, tour } = scene;
    const [x0, y0, x1, y1] = range(board, frame, tour.reach + 1);
    const far = board.wrapped; // what leaves over one edge comes over another
    for (let x = x0; x <= x1; x++) {
      for (let y = y0; y <= y1; y++) {
        const i = tour.visit[board.index(x, y)];
        if (i < 0) continue;
        call(i);
        if (far && tour.prev[i] >= 0 && tour.wrapping[tour.prev[i]]) call(tour.prev[i]);
      }
    }
  };

  KT.lineWidth = (frame, ratio) => Math.max(0.105 * frame.s, 0.8 * ratio);

  /** All of a frame after `made` moves: squares, the moves made in colour, those to come faintly, marks. */
  KT.paint = (context, frame, scene, made) => {
    KT.paintBoard(context, frame, scene);
    const { tour } = scene;
    if (!tour.n) return;
    const strokes = new Strokes(), ghosts = new Strokes();
    const { s, ox, oy } = frame;
    const shown = [];
    visits(scene, frame, (i) => {
      shown.push(i);
      if (tour.step[i] === KT.NONE) return;
      const into = i < made ? strokes : ghosts, row = i < made ? scene.colour.rows[i] : 0;
      KT.linesOf(tour, i, (x0, y0, x1, y1) => {
        into.add(row, (x0 - ox) * s, (oy - y0) * s, (x1 - ox) * s, (oy - y1) * s);
      });
    });
    context.lineCap = s > 7 ? "round" : "butt";
    context.lineWidth = KT.lineWidth(frame, scene.ratio);
    if (scene.ghost) ghosts.draw(context, [scene.theme.ghost]);
    strokes.draw(context, scene.colour.css);
    paintMarks(context, frame, scene, made, shown);
  };

  /** Adds moves from..to to a frame painted before. */
  KT.paintMore = (context, frame, scene, from, to) => {
    const { tour } = scene, { s, ox, oy, w, h } = frame;
    const strokes = new Strokes(), shown = [], margin = (tour.reach + 1) * s;
    for (let i = from; i < to; i++) {
      const cell = tour.at[i], x = (scene.board.x(cell) - ox) * s, y = (oy - scene.board.y(cell)) * s;
      const away = x < -margin || y < -margin || x > w + margin || y > h + margin;
      if (away && !(tour.wrapping && tour.wrapping[i])) continue;
      shown.push(i);
      if (tour.step[i] === KT.NONE) continue;
      KT.linesOf(tour, i, (x0, y0, x1, y1) => {
        strokes.add(scene.colour.rows[i], (x0 - ox) * s, (oy - y0) * s, (x1 - ox) * s, (oy - y1) * s);
      });
    }
    if (!shown.length) return;
    context.lineCap = s > 7 ? "round" : "butt";
    context.lineWidth = KT.lineWidth(frame, scene.ratio);
    strokes.draw(context, scene.colour.css);
    paintMarks(context, frame, scene, to, shown);
  };

  function paintMarks(context, frame, scene, made, shown) {
    const { tour, board, theme, show } = scene, { s, ox, oy } = frame;
    if (s < 6 * scene.ratio) return;
    const spots = (points, radius) => {
      context.beginPath();
      for (let k = 0; k < points.length; k += 2) {
        context.moveTo(points[k] + radius, points[k + 1]);
        context.arc(points[k], points[k + 1], radius, 0, 2 * Math.PI);
      }
    };
    const px = (x) => (x - ox) * s, py = (y) => (oy - y) * s;
    if (show.turns && !numbered(frame, scene)) {
      const points = [];
      for (const i of shown) {
        if (tour.isTurn(i) && Math.max(i, tour.prev[i]) < made) points.push(px(board.x(tour.at[i])), py(board.y(tour.at[i])));
      }
      spots(points, Math.max(0.1 * s, 1));
      context.fillStyle = theme.ink;
      context.fill();
    }
    const scale = markScale(frame, scene);
    if (show.crossings && tour.patterns && s >= 9 * scene.ratio) {
      const points = [];
      for (const i of shown) {
        if (i >= made) continue;
        tour.crossingsOf(i, (other, x, y) => {
          if (other >= made) return;
          const [bx, by] = boxed(board, x, y);
          points.push(px(bx), py(by));
        });
      }
      spots(points, Math.max(0.068 * scale * s, 0.9));
      context.fillStyle = theme.halo;
      context.fill();
      context.lineWidth = Math.max(0.024 * scale * s, 0.5);
      context.strokeStyle = theme.ink;
      context.stroke();
    }
    if (numbered(frame, scene)) paintNumbers(context, frame, scene, made, shown);
    paintEnds(context, frame, scene, shown);
  }

  /** A point of a periodic board within its box. */
  function boxed(board, x, y) {
    if (board.wraps[0]) x -= board.width * Math.floor((x + 0.5) / board.width);
    if (board.wraps[1]) y -= board.height * Math.floor((y + 0.5) / board.height);
    return [x, y];
  }

  const numbered = (frame, scene) => scene.show.numbers && frame.s >= 5.5 * scene.ratio * digits(scene.tour);
  const digits = (tour) => Math.max(2, String(tour.n).length);
  /** Whether visit numbers are asked for and have room. */
  KT.numbered = numbered;

  /** The factor by which discs with numbers and marks of crossings are smaller, so that none covers another: a line
   *  that passes a cell is at least gcd / length away from its centre. */
  function markScale(frame, scene) {
    const { tour, show } = scene;
    if (!show.crossings || !tour.patterns || !numbered(frame, scene)) return 1;
    const gcd = (a, b) => (b ? gcd(b, a % b) : Math.abs(a));
    const nearest = tour.vectors.map(([x, y]) => gcd(x, y) / Math.hypot(x, y));
    return Math.max(0.4, Math.min(1, ...nearest.map((length) => length / 0.38)));
  }

  KT.markScale = markScale;

  function paintNumbers(context, frame, scene, made, shown) {
    const { tour, board, theme, show } = scene, { s, ox, oy } = frame;
    const scale = markScale(frame, scene), size = scale * Math.min(0.36 * s, (1.0 * s) / digits(tour));
    context.font = `600 ${size}px system-ui, "DejaVu Sans", sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const i of shown) {
      const x = (board.x(tour.at[i]) - ox) * s, y = (oy - board.y(tour.at[i])) * s;
      const turn = show.turns && tour.isTurn(i);
      context.globalAlpha = i <= made ? 1 : 0.45;
      context.beginPath();
      context.arc(x, y, 0.28 * scale * s, 0, 2 * Math.PI);
      context.fillStyle = theme.halo;
      context.fill();
      context.lineWidth = (turn ? 0.045 : 0.018) * scale * s;
      context.strokeStyle = turn ? theme.ink : theme.border;
      context.stroke();
      context.fillStyle = theme.ink;
      context.fillText(String(i - (tour.walkOf ? tour.first[tour.walkOf[i]] : 0) + 1), x, y + 0.02 * s);
    }
    context.globalAlpha = 1;
  }

  /** A disc where an open walk starts, a square where it ends. */
  function paintEnds(context, frame, scene, shown) {
    const { tour, board } = scene, { s, ox, oy } = frame;
    if (scene.show.numbers && numbered(frame, scene)) return;
    for (const i of shown) {
      const starts = tour.prev[i] < 0, ends = tour.next[i] < 0;
      if (!starts && !ends) continue;
      const x = (board.x(tour.at[i]) - ox) * s, y = (oy - board.y(tour.at[i])) * s;
      context.beginPath();
      if (starts) context.arc(x, y, 0.2 * s, 0, 2 * Math.PI);
      else context.rect(x - 0.17 * s, y - 0.17 * s, 0.34 * s, 0.34 * s);
      context.fillStyle = scene.colour.css[scene.colour.rows[i]];
      context.fill();
      context.lineWidth = 0.04 * s;
      context.strokeStyle = scene.theme.halo;
      context.stroke();
    }
  }
})();
