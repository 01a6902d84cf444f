"""Parts of a graph behind few edges: a proof that no tour exists, because no cycle can traverse some part.

The checker keeps a multigraph that has a Hamiltonian cycle through its *forced* edges if the problem has a solution.
It begins with the plain graph of the problem, and shrinks by rules that preserve this:

- A vertex with two edges uses both, and becomes a forced edge between its neighbours. One with two forced edges loses
  the others. With more than two vertices, a cycle uses at most one of parallel edges, and they are interchangeable:
  one is kept.
- A cycle crosses the cut around a part an even number of times, at least twice, so it crosses a cut of two or three
  edges exactly twice. What the cycle does inside is then one path, and the part may become a single vertex.
- All ways through a part are known when its vertices have been taken one by one (`elimination`). If each is a single
  path, the part may become a vertex, at which an edge that every way uses is forced and one that no way uses goes. For
  a cut of three edges this loses nothing: some of the three pairs of edges are possible, and the vertex allows no
  others. If each edge of the cut is joined to one other only, whatever the way, the part may become edges between
  their ends outside. So parts nest.

No tour exists as soon as a vertex has too few edges or too many forced ones, a cut has at most one edge, or a part has
no way through it.

The data is a list of `steps`, each with one key. `take` lists vertices of a part in the order in which they are taken;
the part then becomes a vertex or edges if four edges or fewer lead out of it and its ways allow it. `keep` lists the
vertices outside a part that becomes a vertex without a look inside. The vertex that step i makes is number size + i,
where size is the number of vertices of the plain graph. Vertices that no longer exist are skipped.
"""

from __future__ import annotations

from typing import Any

from kt_models.errors import CertificateError
from kt_models.json_values import integers
from kt_models.kernel.certificates.elimination import Eliminated, eliminate
from kt_models.kernel.certificates.obstructions import plain_graph, require_size
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

# A cycle crosses a cut an even number of times; over at most three edges that is exactly twice.
MAX_CUT = 3
"""Most edges around a part that every cycle crosses exactly twice."""
MAX_PORTS = 4
"""Most edges around a part that is replaced, by a vertex or by edges, once its ways are known."""
MAX_NAMED = 8
"""Most vertices of a part that the reason names."""
CHECK_EVERY = 1024
"""Vertices between two checks of the clock."""


class _Refuted(Exception):
    """There is no Hamiltonian cycle; the message says why."""


def refute(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> str:
    """Show that a problem has no solution, by the `steps` of the data (see the module).

    Raises
    ------
    CertificateError
        If the steps are malformed or lead to no contradiction.
    TooLarge
        If the ways through a part would exceed the memory.
    Stopped
        If a limit is reached.
    """
    if problem.connectivity not in ("cycle", "path") or problem.graph.n < 3:
        raise CertificateError("parts: this method needs closed or open tours of at least three cells")
    require_size(problem.graph)
    if set(data) - {"steps"} or type(data.get("steps")) is not list:
        raise CertificateError("parts: the data are a list of 'steps'")
    size, ends = plain_graph(problem)
    graph = _Multigraph(problem, size, ends.tolist(), limits)
    try:
        graph.settle()
        for number, step in enumerate(data["steps"]):
            limits.check()
            # Vertices made by earlier steps are numbered on from `size`
            kind, vertices = _read(step, size + number)
            graph.take(vertices, size + number) if kind == "take" else graph.keep(vertices, size + number)
    except _Refuted as reason:
        return str(reason)
    raise CertificateError("parts: the steps lead to no contradiction")


def _read(step: Any, vertices: int) -> tuple[str, list[int]]:
    if type(step) is not dict or len(step) != 1 or next(iter(step)) not in ("take", "keep"):
        raise CertificateError("parts: a step has one key, 'take' or 'keep'")
    ((kind, listed),) = step.items()
    return kind, integers(listed, f"parts: '{kind}'", 0, vertices - 1, distinct=True)


def _links(row: list[int]) -> set[tuple[int, int]]:
    """Pairs of columns that a state joins."""
    # `FULL` exceeds every column, but stands at full vertices only, which ports never are
    return {(i, entry) for i, entry in enumerate(row) if i < entry}


class _Multigraph:
    """The part of the plain graph that is left.

    Attributes
    ----------
    at
        For each vertex its edges, by number, and where they lead.
    forced
        Edges that every cycle must use.
    hidden_at, hidden_on
        For each vertex and edge, how many vertices of the problem's graph it stands for.
    """

    def __init__(self, problem: Problem, size: int, ends: list[list[int]], limits: Limits) -> None:
        self.problem, self.limits = problem, limits
        self.at: dict[int, dict[int, int]] = {v: {} for v in range(size)}
        self.forced: set[int] = set()
        # How many of the user's vertices each vertex stands for, so that reasons can say so
        self.vertices = problem.graph.vertex_count
        self.hidden_at = {v: int(v < self.vertices) for v in range(size)}
        self.hidden_on = dict.fromkeys(range(len(ends)), 0)
        self.size, self.fresh = size, len(ends)
        for edge, (u, v) in enumerate(ends):
            self.at[u][edge], self.at[v][edge] = v, u
        # A work list: vertices whose edges changed are examined again
        self.todo = list(self.at)
        for u in range(size):
            neighbours = list(self.at[u].values())
            for v in set(neighbours) if len(set(neighbours)) < len(neighbours) else ():
                # Of parallel edges a longer cycle uses at most one
                self._keep_one(u, v)

    # -- degrees -------------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Follow forced edges to the end."""
        looks = 0
        while self.todo:
            looks += 1
            if not looks % CHECK_EVERY:
                self.limits.check()
            v = self.todo.pop()
            # With two vertices left, the case is decided below
            if v not in self.at or len(self.at) == 2:
                continue
            edges = self.at[v]
            forced = [edge for edge in edges if edge in self.forced]
            if len(edges) < 2:
                raise _Refuted(self._fault(v, "fewer than two"))
            if len(forced) > 2:
                raise _Refuted(self._fault(v, "three"))
            if len(forced) == 2:
                for edge in edges.keys() - self.forced:
                    self._drop(edge, v)
            if len(edges) == 2:
                # Degree two: both edges are used, so they become one forced edge
                self._pass(v)
        if len(self.at) == 2:
            u, v = self.at
            if len(self.at[u]) < 2 or len(self.forced & self.at[u].keys()) > 2:
                raise _Refuted(f"what is forced closes no cycle through {self._name(u)} and {self._name(v)}")
            raise CertificateError("parts: the rest of the graph has a cycle")

    def _drop(self, edge: int, u: int) -> None:
        v = self.at[u].pop(edge)
        del self.at[v][edge]
        self.todo += (u, v)

    def _force(self, edge: int, u: int) -> None:
        self.forced.add(edge)
        self.todo += (u, self.at[u][edge])

    def _keep_one(self, u: int, v: int) -> None:
        """Keep one of the edges between two vertices, if there are more vertices; a forced edge before others."""
        if len(self.at) == 2:
            return
        edges = [edge for edge, w in self.at[u].items() if w == v]
        forced = [edge for edge in edges if edge in self.forced]
        if len(forced) > 1:
            raise _Refuted(f"what is forced closes a cycle of {self._name(u)} and {self._name(v)} that misses the rest")
        for edge in edges:
            if edge != (forced or edges)[0]:
                self._drop(edge, u)

    def _pass(self, v: int) -> None:
        """Merge the two edges of a vertex into one."""
        (first, u), (second, w) = self.at.pop(v).items()
        del self.at[u][first], self.at[w][second]
        self.forced -= {first, second}
        if u == w:
            raise _Refuted(f"what is forced closes a cycle through {self._name(u)} that misses the rest")
        self._join(u, w, self.hidden_on[first] + self.hidden_at[v] + self.hidden_on[second], True)

    def _join(self, u: int, w: int, hidden: int, forced: bool) -> None:
        """Add an edge that stands for some vertices."""
        edge, self.fresh = self.fresh, self.fresh + 1
        self.hidden_on[edge] = hidden
        self.at[u][edge], self.at[w][edge] = w, u
        if forced:
            self._force(edge, u)
        self._keep_one(u, w)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def take(self, listed: list[int], hub: int) -> None:
        """Find all ways through a part, and make it a vertex if few edges lead out of it."""
        order = [v for v in listed if v in self.at]
        part = set(order)
        if not part:
            return
        # Everything is taken: the last vertex closes the cycle
        if len(part) == len(self.at):
            if self._through(order[:-1], order[-1]).impassable:
                raise _Refuted("no partial solution, followed vertex by vertex along a tree, comes to an end")
            raise CertificateError("parts: the rest of the graph has a cycle")
        cut = self._cut(part)
        ways = self._through(order, None) if len(cut) > 1 else Eliminated((), 0)
        if len(cut) < 2 or ways.impassable:
            # Name only the vertices that were needed for the contradiction
            taken = set(order[: ways.taken]) if len(cut) > 1 else part
            edges = self._cut(taken)
            words = self.problem.graph.words
            kind = words.a_cycle if self.problem.closed else words.a_path
            behind = f", behind {len(edges)} {words.moves if len(edges) != 1 else words.move},"
            # Of a directed graph these edges need not be arcs
            behind = "" if self.problem.graph.directed is not None else behind
            raise _Refuted(f"{self._described(taken)}{behind} cannot be passed by {kind} as a whole")
        if len(cut) <= MAX_PORTS:
            self._replace(part, cut, ways, hub)

    def _replace(self, part: set[int], cut: list[int], ways: Eliminated, hub: int) -> None:
        """Replace a part by a vertex, or by edges, if that allows all its ways; otherwise leave it."""
        rows = [[_links(row) for row in table.states.tolist()] for table in ways.tables]
        links = [
            # Ports are complements of edge numbers, so that they differ from all vertices
            (~table.columns[i], ~table.columns[j], all((i, j) in row for row in listed))
            for table, listed in zip(ways.tables, rows, strict=True)
            for i, j in sorted(set().union(*listed))
        ]
        used = [edge for a, b, _ in links for edge in (a, b)]
        # Every way is one path: the part acts like a vertex
        if len(rows) == 1 and all(len(row) == 1 for row in rows[0]):
            common = {edge for edge in used if all(edge in (a, b) for a, b, _ in links)}
            self._shrink(part, cut, hub)
            for edge in cut:
                if edge not in used:  # No way uses it
                    self._drop(edge, hub)
                elif edge in common:
                    self._force(edge, hub)
            self._tidy(hub)
        # The paths of all ways are disjoint: the part acts like edges between its neighbours
        elif len(set(used)) == len(used) and len(self.at) > len(part) + 1:
            ends = {edge: w for v in part for edge, w in self.at[v].items() if w not in part}
            self.todo += ends.values()
            hidden = self._count(part)
            self._remove(part)
            for a, b, always in links:
                u, w = ends[a], ends[b]
                if u != w:
                    self._join(u, w, hidden, always)
                    hidden = 0  # The first edge stands for the whole part, the others only for their ends
                elif always:
                    raise _Refuted(f"what is forced closes a cycle through {self._name(u)} that misses the rest")
            self.settle()

    def keep(self, listed: list[int], hub: int) -> None:
        """Merge all other vertices into one."""
        kept = [v for v in listed if v in self.at]
        if not kept or len(kept) == len(self.at):
            return
        part = self.at.keys() - set(kept)
        cut = self._cut(part)
        if len(cut) < 2:
            lead = "one edge leads" if cut else "no edge leads"
            lead = lead if self.problem.graph.directed is None else "there is no way to pass"
            raise _Refuted(f"{lead}{' to' * (lead[-1] == 's')} {self._described(self.at.keys() - part)}")
        if len(cut) > MAX_CUT:
            raise CertificateError(f"parts: {len(cut)} edges lead out of what becomes a vertex, over {MAX_CUT}")
        self._shrink(part, cut, hub)
        self._tidy(hub)

    def _through(self, order: list[int], last: int | None) -> Eliminated:
        """Ways through a part.

        Its ports are the vertices outside that are joined to it, if there are others outside: then the edges of a cycle
        at the part do not close it. Otherwise, or where they are few, each edge of the cut has a port of its own. The
        `last` vertex of the graph becomes two ports, which makes the cycle a path: it leaves by one edge and comes back
        by a later one, so its first edge is not one to come back by and its last edge not one to leave by.
        """
        part = set(order)
        cut = self._cut(part)
        ports: dict[int, tuple[int, ...]] = {}
        if last is not None:
            # The cycle leaves the last vertex by one edge and returns by a later one: each cycle once
            out, back = ~self.fresh, ~(self.fresh + 1)
            for place, edge in enumerate(self.at[last]):
                ports[edge] = (out,) * (place < len(cut) - 1) + (back,) * (place > 0)
        elif len(cut) <= MAX_PORTS or self._neighbours(part) == self.at.keys() - part:
            ports = {edge: (~edge,) for edge in cut}
        edges = {v: [(edge, ports.get(edge, (w,))) for edge, w in self.at[v].items()] for v in order}
        return eliminate(order, edges, self.forced, last is not None, self.limits)

    def _cut(self, part: set[int]) -> list[int]:
        return [edge for v in part for edge, w in self.at[v].items() if w not in part]

    def _neighbours(self, part: set[int]) -> set[int]:
        return {w for v in part for w in self.at[v].values() if w not in part}

    def _shrink(self, part: set[int], cut: list[int], hub: int) -> None:
        around = {edge: w for v in part for edge, w in self.at[v].items() if w not in part}
        self.hidden_at[hub] = self._count(part)
        forced = self.forced & around.keys()
        self._remove(part)
        self.forced |= forced
        self.at[hub] = around
        for edge, w in around.items():
            self.at[w][edge] = hub

    def _remove(self, part: set[int]) -> None:
        for v in part:
            for edge, w in self.at.pop(v).items():
                self.forced.discard(edge)
                if w not in part:
                    del self.at[w][edge]

    def _tidy(self, hub: int) -> None:
        """Keep one edge to each neighbour, and follow forced edges."""
        self.todo.append(hub)
        for w in set(self.at[hub].values()):
            self._keep_one(hub, w)
        self.settle()

    # -- words ---------------------------------------------------------------------------------------------------------

    def _count(self, part: set[int]) -> int:
        # Each edge inside the part once
        inside = {edge for v in part for edge, w in self.at[v].items() if w in part}
        return sum(self.hidden_at[v] for v in part) + sum(self.hidden_on[edge] for edge in inside)

    def _fault(self, v: int, number: str) -> str:
        """Why a vertex has too few or too many edges."""
        if self.problem.graph.directed is not None:
            return f"what is forced leaves no way to pass {self._name(v)}"
        moves = self.problem.graph.words.moves
        if number == "three":
            return f"{self._name(v)} is forced to have three {moves}"
        return f"what is forced leaves {self._name(v)} with {number} {moves}"

    def _described(self, part: set[int]) -> str:
        count, words = self._count(part), self.problem.graph.words
        inside = [v for v in sorted(part) if v < self.problem.graph.n]
        names = list(dict.fromkeys(map(self._name, inside)))
        if self.problem.graph.directed is not None:
            count = max(count, len(names))
        names = names[:MAX_NAMED]
        more = ", ..." if len(names) < count else ""
        return f"{count:,} {words.places}" + f" ({', '.join(names)}{more})" * bool(names)

    def _name(self, v: int) -> str:
        if v < self.problem.graph.n:
            return self.problem.graph.name_of(v)
        if v >= self.size:
            return f"a part of {self.hidden_at[v]:,} {self.problem.graph.words.places}"
        return "the end of the path or a required move"
