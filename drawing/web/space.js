/* Boards in three dimensions: layers as plates, one above the other, that can be turned. */
(() => {
  "use strict";

  const SPREAD = 1.9; // height of a layer above the one below, in cells

  const MOST_SQUARES = 30000; // on larger boards the plates are plain

  /** Where a cell is on the screen, from the middle of the board: [right, up, towards the eye], in cells. */
  KT.projector = (board, camera) => {
    const [ca, sa] = [Math.cos(camera.yaw), Math.sin(camera.yaw)];
    const [cb, sb] = [Math.cos(camera.pitch), Math.sin(camera.pitch)];
    const middle = [(board.width - 1) / 2, (board.height - 1) / 2, (board.depth - 1) / 2];
    return (x, y, z) => {
      const u = x - middle[0], v = y - middle[1], w = (z - middle[2]) * SPREAD;
      const across = u * ca - v * sa, deep = u * sa + v * ca;
      return [across, deep * sb + w * cb, w * sb - deep * cb];
    };
  };

  /** Half the width and height, in cells, of what is seen of a board. */
  KT.spaceExtent = (board, camera) => {
    const at = KT.projector(board, camera);
    const ends = (size) => [-0.7, size - 0.3];
    let across = 0, up = 0;
    for (const x of ends(board.width)) for (const y of ends(board.height)) for (const z of [0, board.depth - 1]) {
      const [a, b] = at(x, y, z);
      across = Math.max(across, Math.abs(a));
      up = Math.max(up, Math.abs(b));
    }
    return [across, up + 0.3];
  };

  /** Paints a frame {s, cx, cy, w, h}: the middle of the board is at (cx, cy); `every` draws only some of the moves. */
  KT.paintSpace = (context, frame, scene, made, camera, every = 1) => {
    const { board, tour, theme } = scene, at = KT.projector(board, camera);
    const { s, cx, cy } = frame;
    const spot = (x, y, z) => { const [a, b] = at(x, y, z); return [cx + a * s, cy - b * s]; };
    const layers = Array.from({ length: board.depth }, () => []);
    for (let i = 0; i < tour.n; i += every) {
      if (tour.step[i] === KT.NONE) continue;
      const z = board.z(tour.at[i]), to = z + tour.vectors[tour.step[i]][2];
      layers[Math.max(0, Math.min(z, to, board.depth - 1))].push(i);
    }
    const most = Math.max(8, Math.floor((every > 1 ? 800 : 4000) / board.depth)); // each colour of each layer is a stroke
    const step = Math.ceil(scene.colour.css.length / most);
    for (let z = 0; z < board.depth; z++) {
      plate(context, spot, scene, z, s, every > 1);
      const strokes = new KT.Strokes(), ghosts = new KT.Strokes();
      for (const i of layers[z]) {
        const near = scene.only < 0 || touches(tour, i, scene.only);
        const into = i < made && near ? strokes : ghosts, row = into === strokes ? scene.colour.rows[i] - (scene.colour.rows[i] % step) : 0;
        const cell = tour.at[i], [x, y, h] = [board.x(cell), board.y(cell), board.z(cell)];
        const [dx, dy, dz] = tour.vectors[tour.step[i]];
        if (tour.wrapping && tour.wrapping[i]) { // a stub at each end
          const there = tour.at[tour.next[i]], [p, q, r] = [board.x(there), board.y(there), board.z(there)];
          into.add(row, ...spot(x, y, h), ...spot(x + 0.4 * dx, y + 0.4 * dy, h + 0.4 * dz));
          into.add(row, ...spot(p, q, r), ...spot(p - 0.4 * dx, q - 0.4 * dy, r - 0.4 * dz));
        } else {
          into.add(row, ...spot(x, y, h), ...spot(x + dx, y + dy, h + dz));
        }
      }
      context.lineCap = "round";
      context.lineWidth = Math.max(0.085 * s, 0.8 * scene.ratio);
      if (scene.ghost) ghosts.draw(context, [theme.ghost]);
      strokes.draw(context, scene.colour.css);
    }
    if (s >= 5 * scene.ratio && every === 1) marks(context, spot, scene, made, s);
  };

  /** Whether a move begins or ends in a layer. */
  const touches = (tour, i, z) => tour.board.z(tour.at[i]) === z || (tour.next[i] >= 0 && tour.board.z(tour.at[tour.next[i]]) === z);

  function plate(context, spot, scene, z, s, rough) {
    const { board, theme, layer } = scene;
    const quad = (x0, y0, x1, y1) => {
      context.beginPath();
      for (const [x, y] of [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) context.lineTo(...spot(x, y, z));
      context.closePath();
    };
    context.globalAlpha = scene.only < 0 || scene.only === z ? 0.6 : 0.15;
    if (!board.mask) {
      quad(-0.5, -0.5, board.width - 0.5, board.height - 0.5);
      context.fillStyle = theme.light;
      context.fill();
    }
    const marked = board.mask || layer || scene.differs, many = board.size > MOST_SQUARES;
    if (marked ? !(rough && many) : s >= 3 * scene.ratio && !rough && !many) {
      const fills = new Map(); // the squares of a colour as one path: each colour is filled once
      const square = (x, y, colour) => {
        if (!fills.has(colour)) fills.set(colour, new Path2D());
        const path = fills.get(colour);
        path.moveTo(...spot(x - 0.5, y - 0.5, z));
        for (const [dx, dy] of [[0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) path.lineTo(...spot(x + dx, y + dy, z));
        path.closePath();
      };
      for (let x = 0; x < board.width; x++) {
        for (let y = 0; y < board.height; y++) {
          if (!board.has(x, y, z)) continue;
          const isDark = (x + y + z) % 2 === 0, cell = board.index(x, y, z);
          if (isDark || board.mask) square(x, y, isDark ? theme.square : theme.light);
          if (layer && layer.rows[cell] < layer.css.length) square(x, y, layer.css[layer.rows[cell]]);
          if (scene.differs && scene.differs[cell]) square(x, y, theme.change);
        }
      }
      for (const [colour, path] of fills) { context.fillStyle = colour; context.fill(path); }
    }
    context.globalAlpha = 1;
    quad(-0.5, -0.5, board.width - 0.5, board.height - 0.5);
    context.strokeStyle = theme.border;
    context.lineWidth = scene.ratio;
    context.stroke();
    context.fillStyle = theme.soft;
    context.font = `${Math.max(10, Math.min(14, 0.5 * s / scene.ratio)) * scene.ratio}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(`z = ${z}`, ...spot(-0.5, -1.1, z));
  }

  function marks(context, spot, scene, made, s) {
    const { tour, board, theme, show } = scene;
    for (let i = 0; i < tour.n; i++) {
      const cell = tour.at[i];
      if (scene.only >= 0 && board.z(cell) !== scene.only) continue;
      const [x, y] = spot(board.x(cell), board.y(cell), board.z(cell));
      const number = show.numbers && s >= 20 * scene.ratio;
      const end = tour.prev[i] < 0 || tour.next[i] < 0;
      const turn = show.turns && tour.isTurn(i) && Math.max(i, tour.prev[i]) < made;
      if (!number && !turn && !end) continue;
      context.beginPath();
      context.arc(x, y, (number ? 0.27 : end ? 0.2 : 0.1) * s, 0, 2 * Math.PI);
      context.fillStyle = number ? theme.halo : end ? scene.colour.css[scene.colour.rows[i]] : theme.ink;
      context.fill();
      if (!number) continue;
      context.strokeStyle = turn ? theme.ink : theme.border;
      context.lineWidth = (turn ? 0.045 : 0.02) * s;
      context.stroke();
      context.fillStyle = theme.ink;
      context.font = `600 ${Math.min(0.32 * s, (0.9 * s) / String(tour.n).length)}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(String(i + 1), x, y);
    }
  }

  /** The cell nearest to a point of the screen, within half a cell; -1 if none is. */
  KT.pickSpace = (board, tour, frame, camera, px, py) => {
    const at = KT.projector(board, camera);
    let best = -1, least = 0.45 * 0.45 + 1e-9, nearest = -Infinity;
    for (let cell = 0; cell < board.size; cell++) {
      if (board.mask && !board.mask[cell]) continue;
      const [a, b, towards] = at(board.x(cell), board.y(cell), board.z(cell));
      const d = ((px - frame.cx) / frame.s - a) ** 2 + ((frame.cy - py) / frame.s - b) ** 2;
      if (d < least - 0.04 || (d < least + 0.04 && towards > nearest && d < 0.2)) {
        best = cell; least = Math.min(least, d); nearest = towards;
      }
    }
    return best;
  };
})();
