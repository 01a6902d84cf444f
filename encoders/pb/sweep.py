"""A sweep over the vertices as a cutting-planes proof, for narrow graphs and small boards.

Vertices are taken one by one. A *state* is what the rest must know of the choices so far: the chosen edges that lead to
vertices not yet taken, which of them are the two ends of one path, and which further chosen edges still wait for a
weighted partner. For each state the proof has one clause: this state is excluded if the value so far is too large for a
solution below the bound. The clauses are written from the last vertex to the first; that of the empty state is the
contradiction.

The flow of the formula expresses that the ends of a path belong together: the flow into a path by its two ends is at
least 1, because each of its vertices keeps a unit. So a path that closes before it contains the source would lack flow.
A new variable states that two edges bring at least some flow, others that the value so far is at least a number; `red`
defines both, which VeriPB checks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from encoders.pb.proof import CuttingPlanes, Derivation
from encoders.pb.propagation import say_what_propagates
from kt_models.errors import KTError, TooLarge
from kt_models.kernel.certificates import Certificate
from kt_models.kernel.sweeps.net import good_order
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

MAX_STATES = 60_000
"""Most states of all steps together; a proof has about a hundred bytes for each."""

_Pair = tuple[int, int]


class _State(NamedTuple):
    """Pairs of edges to later vertices that are ends of a path, and other chosen edges with weighted pairs to come."""

    paths: tuple[_Pair, ...]
    waiting: tuple[int, ...]


class _Move(NamedTuple):
    """An option of the next vertex: its cost, the state after it, and the change of the paths.

    `after` is None if nothing can follow.
    """

    option: int
    cost: int
    after: _State | None
    used: tuple[_Pair, ...]
    new: _Pair | None


def prove_by_sweep(certificate: Certificate, flow: int | None = None, limits: Limits = NO_LIMITS) -> CuttingPlanes:
    """The bound of a certificate, proved again by a sweep; the formula has the variables of the flow in any case."""
    return refute_by_sweep(certificate.problem, certificate.cost_bound, limits)


def refute_by_sweep(problem: Problem, bound: int | None, limits: Limits = NO_LIMITS) -> CuttingPlanes:
    """The formula and the refutation of a sweep.

    Raises
    ------
    KTError
        If there is a solution (of a value below the bound), or the problem is of another kind.
    TooLarge
        Above `MAX_STATES` states.
    Stopped
        If the limits end it.
    """
    weights = problem.weights
    if problem.connectivity != "cycle" or len(problem.group) > 1:
        raise KTError("a proof by a sweep needs closed tours without symmetry")
    if weights is not None and len(weights.weight) and int(weights.weight.min()) < 0:
        raise KTError("a proof by a sweep needs weights of at least 0")
    return _Sweep(problem, bound, limits).refutation()


class _Sweep:
    def __init__(self, problem: Problem, bound: int | None, limits: Limits) -> None:
        self.limits, self.order = limits, good_order(problem.graph).tolist()
        self.proof = Derivation(problem, bound, (), self.order[-1])
        self.model = self.proof.model
        value = self.model.rows[self.model.value_row :]
        self.least = None if bound is None else 1 - value[0].right
        """Values below this are excluded."""
        self.place = {v: t for t, v in enumerate(self.order)}
        self.ends = [tuple(sorted(pair, key=self.place.__getitem__)) for pair in self.model.instance.ends]
        self.partners: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        self.terms: list[list[tuple[int, int]]] = [[] for _ in self.order]
        self._read_objective()
        self.graph = problem.graph
        self.new = self.model.top
        self.flows: dict[_Pair, tuple[int, int, int]] = {}
        self.paid: dict[tuple[int, int], tuple[int, int, int]] = {}
        self.told: set[object] = set()

    def _read_objective(self) -> None:
        """Read the cost at each vertex, and the weights of edges that do not meet."""
        model, options = self.model, self.model.instance.options
        owner = [v for v, width in enumerate(model.instance.widths) for _ in range(width)]
        last = model.option + len(options.first)
        for weight, x in model.objective:
            if x < last:
                self.terms[self.place[owner[x - model.option]]].append((weight, x))
        both = last
        weights = model.problem.weights
        assert weights is not None
        for e, f, weight in weights.canonical():
            if e == f or set(self.ends[e]) & set(self.ends[f]):
                continue
            self.partners[e][f] += weight
            self.partners[f][e] += weight
            self.terms[max(self._decided(e), self._decided(f))].append((weight, both))
            both += 1

    def _decided(self, edge: int) -> int:
        """The step at which an edge is decided."""
        return self.place[self.ends[edge][0]]

    # -- states ----------------------------------------------------------------------------------------------------

    def moves(self, step: int, state: _State) -> Iterator[_Move]:
        """The options of the next vertex, without those that its edges or its costs exclude."""
        vertex, options = self.order[step], self.model.instance.options
        mate = dict(state.paths) | {f: e for e, f in state.paths}
        arrived = {e for e in mate if self.ends[e][1] == vertex}
        begin, end = options.start[vertex], options.start[vertex + 1]
        rows = zip(
            range(begin, end), options.first[begin:end].tolist(), options.second[begin:end].tolist(), strict=True
        )
        for k, a, b in rows:
            if {e for e in (a, b) if self._decided(e) < step} != arrived:
                continue
            used = tuple({tuple(sorted((e, mate[e]))) for e in (a, b) if e in mate})
            closes = mate.get(a) == b
            new = None if closes else tuple(sorted((mate.get(a, a), mate.get(b, b))))
            chosen = [*mate, *state.waiting]
            cost = int(options.cost[k])
            for e in (a, b):
                if e not in mate:
                    cost += sum(self.partners[e].get(f, 0) for f in chosen)
                    chosen.append(e)
            whole = closes and step == len(self.order) - 1
            paths = tuple(sorted({*state.paths, *([new] if new else [])} - set(used)))
            after = _State(paths, self._waiting(step, chosen, paths))
            fine = whole or (not closes and step < len(self.order) - 1 and self._can_go_on(step, paths))
            yield _Move(self.model.option + k, cost, after if fine else None, used, new)

    def _waiting(self, step: int, chosen: list[int], paths: tuple[_Pair, ...]) -> tuple[int, ...]:
        across = {e for pair in paths for e in pair}
        return tuple(
            sorted(
                e for e in chosen if e not in across and any(self._decided(f) > step for f in self.partners.get(e, ()))
            )
        )

    def _can_go_on(self, step: int, paths: tuple[_Pair, ...]) -> bool:
        """Whether each vertex that edges lead to has at most two, and can get two."""
        count: dict[int, int] = defaultdict(int)
        for pair in paths:
            for e in pair:
                count[self.ends[e][1]] += 1
        reached = {self.ends[e][1] for v in self.order[: step + 1] for e in self.graph.edges_of(v).tolist()}
        for v in reached:
            if self.place[v] > step:
                coming = sum(self._decided(e) > step for e in self.graph.edges_of(v).tolist())
                if count[v] > 2 or count[v] + coming < 2:
                    return False
        return True

    def refutation(self) -> CuttingPlanes:
        """The complete refutation."""
        layers: list[dict[_State, int]] = [{_State((), ()): 0}]
        total = 1
        for step in range(len(self.order)):
            after: dict[_State, int] = {}
            for state, cost in layers[-1].items():
                self.limits.check()
                for move in self.moves(step, state):
                    paid = cost + move.cost
                    if move.after is not None and (self.least is None or paid < self.least):
                        after[move.after] = min(paid, after.get(move.after, paid))
            total += len(after)
            if total > MAX_STATES:
                raise TooLarge(f"{self.graph.name}: a proof by a sweep has over {MAX_STATES:,} states")
            layers.append(after)
        if layers[-1]:
            raise KTError("there is a solution, so there is nothing to refute")
        say_what_propagates(self.proof)
        return self._written(layers)

    # -- the proof -------------------------------------------------------------------------------------------------

    def _written(self, layers: list[dict[_State, int]]) -> CuttingPlanes:
        """Write a clause for each state, from those of the last step to the first one."""
        enough: dict[_State, int | None] = {}  # The value so far from which on a state is excluded; None for any value.
        written: list[int] = []
        for step in range(len(self.order) - 1, -1, -1):
            now: dict[_State, int | None] = {}
            before, written = written, []
            across = [e for e in range(self.graph.m) if self._decided(e) < step <= self.place[self.ends[e][1]]]
            for state in layers[step]:
                self.limits.check()
                moves = list(self.moves(step, state))
                least = now[state] = self._enough(moves, enough)
                for move in moves:
                    self._tell_flow(step, move)
                    self._tell_value(step, least, move, enough)
                clause = self._clause(step, state, across, least)
                cases = [self.proof.rup([*clause, -move.option]) for move in moves] if len(moves) > 1 else []
                written.append(self.proof.rup(clause))
                if cases:
                    self.proof.delete(cases)
            if before:
                self.proof.delete(before)
            enough = now
        return self.proof.conclude(written[0])

    def _enough(self, moves: list[_Move], after: dict[_State, int | None]) -> int | None:
        """The value so far from which on a state is excluded, from the states that its moves lead to."""
        if self.least is None:
            return None
        left = [(move, after.get(move.after, self.least)) for move in moves if move.after is not None]
        return max((value - move.cost for move, value in left if value is not None), default=None)

    def _clause(self, step: int, state: _State, across: list[int], least: int | None) -> list[int]:
        """The clause that no solution has a state."""
        chosen = {e for pair in state.paths for e in pair}
        clause = [-self.model.edge[e] if e in chosen else self.model.edge[e] for e in across]
        clause += [-self.model.edge[e] for e in state.waiting]
        clause += [-self._flow(pair)[0] for pair in state.paths]
        return clause if least is None or least <= 0 else [*clause, -self._paid(step, least)[0]]

    def _defined(self, terms: list[_Pair], least: int) -> tuple[int, int, int]:
        """A new variable for "terms sum to at least a number", with the numbers of its two defining lines."""
        self.new += 1
        low = sum(min(c, 0) for c, _ in terms)
        high = sum(max(c, 0) for c, _ in terms)
        words = "".join(f"{c} x{x} " for c, x in terms)
        negated = "".join(f"{-c} x{x} " for c, x in terms)
        room, slack = max(1, least - low), max(1, high - least + 1)
        first = self.proof.line(f"red {words}{room} ~x{self.new} >= {least} ; x{self.new} -> 0")
        second = self.proof.line(f"red {negated}{slack} x{self.new} >= {1 - least} ; x{self.new} -> 1")
        return self.new, first, second

    def _flow(self, pair: _Pair) -> tuple[int, int, int]:
        """The variable for a flow of at least 1 into a path by the two edges at its ends."""
        if pair not in self.flows:
            terms = []
            for e in pair:
                later = int(self.ends[e][1] == self.model.instance.ends[e][1])
                terms += self.model.flow_terms(e, later)
                terms += [(-c, x) for c, x in self.model.flow_terms(e, 1 - later)]
            self.flows[pair] = self._defined(terms, 1)
        return self.flows[pair]

    def _paid(self, step: int, least: int) -> tuple[int, int, int]:
        """The variable for costs of at least a number at the first vertices."""
        if (step, least) not in self.paid:
            self.paid[step, least] = self._defined([term for terms in self.terms[:step] for term in terms], least)
            if least == self.least:
                rest = [f"x{x} {c} *" for terms in self.terms[step:] for c, x in terms]
                value = self.proof.row(self.model.value_row, 1)
                self.proof.pol([str(self.paid[step, least][1]), value, *rest])
        return self.paid[step, least]

    def _tell_flow(self, step: int, move: _Move) -> None:
        """Derive how the flow into paths changes with a vertex that joins, lengthens, begins or closes them."""
        vertex, key = self.order[step], (step, move.option, move.used, move.new)
        if vertex == self.model.source or key in self.told:
            return
        self.told.add(key)
        options, k = self.model.instance.options, move.option - self.model.option
        words = [str(self._flow(pair)[1]) for pair in move.used]
        words += [str(self._flow(move.new)[2])] if move.new else []
        words.append(self.proof.row(self.model.balance_row(vertex), 1))
        for e in self.graph.edges_of(vertex).tolist():
            if e not in (options.first[k], options.second[k]):
                words += self.proof.inflow(e, self.model.instance.ends[e].index(vertex))
        self.proof.pol(words)

    def _tell_value(self, step: int, least: int | None, move: _Move, enough: dict[_State, int | None]) -> None:
        """Derive the costs after a vertex from those before it and its own."""
        if least is None or self.least is None or move.after is None:
            return
        after, key = enough.get(move.after, self.least), (step, least)
        if after is None or after <= 0 or (*key, after) in self.told:
            return
        self.told.add((*key, after))
        if least > 0:
            words = [str(self._paid(step, least)[1])]
        else:
            words = [f"x{x} {c} *" for terms in self.terms[:step] for c, x in terms]
        self.proof.pol([*words, str(self._paid(step + 1, after)[2])])
