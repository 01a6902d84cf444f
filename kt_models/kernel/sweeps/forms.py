"""Layouts of states in machine words, and the compiled step from the states before a vertex to those after it.

A vertex on the frontier has a slot. A state records for each slot whether its vertex has its degree (a bit of `full`)
or is the end of a path (a bit of `ends`), and, if it matters, the other end of each path (`mate`). `branch` works with
these masks, whatever the form in which the state is written:

- RANKED: 19 bits of `full`, 19 of `ends`, and the number of the *pairing* of the path ends in 26 bits. The pairings of
  2k vertices are numbered from 0 to (2k - 1)!! - 1: the partner of the first vertex is the first digit, and the pairing
  of the others, in the same way, the rest. Of 19 slots 18 at most are ends, and (17)!! < 2**26.
- DEGREES: 32 bits of `full` and 32 of `ends`, or with more slots a word each. Cycles may close anywhere.
- EDGES: no word at all. If the label has all edges that lead to a vertex on the frontier, it determines the degrees.
  Its lowest bit is always 1, so that no row is empty.
- CODED: a code for each slot, as many in a word as fit. It is 0 (untouched), 1 (full), 2 + l (end of a path whose
  other end is a terminal of linkage l) or 2 + labels + s (end of a path whose other end has slot s). If walks are
  distinguished by their winding, this number is shifted by some bits, which give the winding of the path from here to
  its other end. It serves wide graphs, linkages and periodic boards.

The first word of a state is stored with all bits inverted, so that 0 is an empty row of a table. No state is all ones,
because no vertex both has its degree and is an end, and codes do not use the upper four bits of a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kt_models.errors import TooLarge
from kt_models.jit import Kernel, Template, kernel
from kt_models.kernel.sweeps.bits import Ints, Words, bare_kernel, popcount
from kt_models.kernel.sweeps.net import Net
from kt_models.kernel.sweeps.plan import MAX_SLOTS, MAX_WIDE_SLOTS

RANK_BITS = 26
RANK = (1 << RANK_BITS) - 1
"""Mask of the number of the pairing in a ranked state."""
SLOTS = (1 << MAX_SLOTS) - 1
FULL_AT = RANK_BITS + MAX_SLOTS
PAIRINGS = (1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425)
"""(2k - 1)!! by k."""
MAX_DEGREE_SLOTS = 32

CHOICE = (1 << 20) - 1
"""Mask of the bits of one edge in the origin of a child."""
SIGN_AT, PARENT_AT = 40, 41
"""An *origin* says where a child comes from: the numbers (from 1, 0 for none) of the one or two edges chosen, 20 bits
each, whether they reverse the sign, and the place of the parent among the old rows of the call."""

STEP = "int64, int64[:, ::1], boolean, int64, int64[:, ::1], int64[::1], int64[:, ::1], int64"
"""Numba types of `PlanStep.arguments`: the vertex's slot; the edges; whether these are the vertex's last ones; how
many are required; what `alive` and `balanced` read; the vertices born; what must be full where a cycle closes."""

SLOT_COUNT, CODE_BITS, PER_WORD, LABELS, GAIN_BITS, STRANDS, STATE_WORDS, EDGES_AT = range(8)
"""A *layout* has the number of slots; for CODED the bits of a code, codes in a word, linkages, bits of a code that say
how far round, and whether a closed walk round the board is allowed; the words of a state; and for EDGES, by slot and
word of the label, the edges that lead there."""
CODE_WORD_BITS = 60
"""Bits of a word that codes may use."""
GAIN = MAX_WIDE_SLOTS + 4
"""First entry of `mate` that tells how far round the other end is."""


@bare_kernel
def unrank(rank: int, ends: int, mate: Ints) -> None:
    """Write out a pairing of the slots in `ends`: by slot the other end."""
    left = ends
    size = popcount(ends) - 2
    while left:
        low = left & -left
        left ^= low
        each = PAIRINGS[size >> 1]
        digit = rank // each
        rank -= digit * each
        rest = left
        for _ in range(digit):
            rest &= rest - 1
        partner = rest & -rest
        left ^= partner
        a, b = popcount(low - 1), popcount(partner - 1)
        mate[a] = b
        mate[b] = a
        size -= 2


@bare_kernel
def rank_of(ends: int, mate: Ints) -> int:
    """The number of a pairing."""
    rank = 0
    size = popcount(ends)
    left = ends
    while left:
        low = left & -left
        left ^= low
        b = mate[popcount(low - 1)]
        rank = rank * (size - 1) + popcount(left & ((1 << b) - 1))
        left ^= 1 << b
        size -= 2
    return rank


@bare_kernel
def ranked(full: int, ends: int, rank: int) -> Any:
    """A state of the form RANKED, not inverted."""
    return np.uint64(full) << np.uint64(FULL_AT) | np.uint64(ends) << np.uint64(RANK_BITS) | np.uint64(rank)


@bare_kernel
def read_ranked(old: Words, p: int, layout: Ints, mate: Ints) -> tuple[int, int]:
    """Read a state: `full` and `ends`; `mate` gets the other ends, of an untouched slot itself."""
    key = ~old[p, 0]
    ends = np.int64(key >> np.uint64(RANK_BITS)) & SLOTS
    for s in range(layout[SLOT_COUNT]):
        mate[s] = s
    unrank(np.int64(key & np.uint64(RANK)), ends, mate)
    return np.int64(key >> np.uint64(FULL_AT)), ends  # type: ignore[return-value]  # integers to numba


@bare_kernel
def write_ranked(fresh: Words, q: int, full: int, ends: int, layout: Ints, mate: Ints) -> None:
    """Write a state into a row."""
    fresh[q, 0] = ~ranked(full, ends, rank_of(ends, mate))


@bare_kernel
def read_degrees(old: Words, p: int, layout: Ints, mate: Ints) -> tuple[int, int]:
    """As `read_ranked`, without other ends."""
    key = ~old[p, 0]
    return np.int64(key >> np.uint64(32)), np.int64(key & np.uint64(0xFFFFFFFF))  # type: ignore[return-value]


@bare_kernel
def write_degrees(fresh: Words, q: int, full: int, ends: int, layout: Ints, mate: Ints) -> None:
    """As `write_ranked`, without other ends."""
    fresh[q, 0] = ~(np.uint64(full) << np.uint64(32) | np.uint64(ends))


@bare_kernel
def read_wide_degrees(old: Words, p: int, layout: Ints, mate: Ints) -> tuple[int, int]:
    """As `read_degrees`, of two words."""
    return np.int64(~old[p, 0]), np.int64(old[p, 1])  # type: ignore[return-value]


@bare_kernel
def write_wide_degrees(fresh: Words, q: int, full: int, ends: int, layout: Ints, mate: Ints) -> None:
    """As `write_degrees`, of two words."""
    fresh[q, 0] = ~np.uint64(full)
    fresh[q, 1] = np.uint64(ends)


@bare_kernel
def read_edges(old: Words, p: int, layout: Ints, mate: Ints) -> tuple[int, int]:
    """As `read_degrees`, from the label."""
    slots = layout[SLOT_COUNT]
    words = (len(layout) - EDGES_AT) // slots
    full, ends, at = 0, 0, EDGES_AT
    for s in range(slots):
        degree = 0
        for k in range(words):
            degree += popcount(old[p, k] & np.uint64(layout[at]))
            at += 1
        full |= degree >> 1 << s
        ends |= (degree & 1) << s
    return full, ends


@bare_kernel
def write_edges(fresh: Words, q: int, full: int, ends: int, layout: Ints, mate: Ints) -> None:
    """The label says it."""


@bare_kernel
def read_coded(old: Words, p: int, layout: Ints, mate: Ints) -> tuple[int, int]:
    """As `read_ranked`; a linkage l is the other end -2 - l, and `mate` gets how far round that is, too."""
    bits, gain_bits = np.uint64(layout[CODE_BITS]), layout[GAIN_BITS]
    mask = (np.uint64(1) << bits) - np.uint64(1)
    half = (1 << gain_bits) >> 1
    first = 2 + layout[LABELS]
    full, ends, word, shift, left = 0, 0, -1, np.uint64(0), 0
    codes = np.uint64(0)
    for s in range(layout[SLOT_COUNT]):
        if left == 0:
            word += 1
            left, shift = layout[PER_WORD], np.uint64(0)
            codes = ~old[p, 0] if word == 0 else old[p, word]
        code = np.int64(codes >> shift & mask)
        left -= 1
        shift += bits
        number = code >> gain_bits
        mate[s] = s
        gain = code & (2 * half - 1) if half else 0
        mate[GAIN + s] = gain - 2 * (gain & half)  # A number with a sign
        if number == 1:
            full |= 1 << s
        elif number > 1:
            ends |= 1 << s
            mate[s] = number - first if number >= first else -number
    return full, ends


@bare_kernel
def write_coded(fresh: Words, q: int, full: int, ends: int, layout: Ints, mate: Ints) -> None:
    """As `write_ranked`."""
    bits, gain_bits = np.uint64(layout[CODE_BITS]), layout[GAIN_BITS]
    first, slots, per, s = 2 + layout[LABELS], layout[SLOT_COUNT], layout[PER_WORD], 0
    for word in range(layout[STATE_WORDS]):
        codes, shift = np.uint64(0), np.uint64(0)
        for _ in range(min(per, slots - s)):
            if full >> s & 1:
                codes |= np.uint64(1 << gain_bits) << shift
            elif ends >> s & 1:
                number = first + mate[s] if mate[s] >= 0 else -mate[s]
                code = number << gain_bits | (mate[GAIN + s] & ((1 << gain_bits) - 1))
                codes |= np.uint64(code) << shift
            shift += bits
            s += 1
        fresh[q, word] = ~codes if word == 0 else codes


@bare_kernel
def alive(full: int, ends: int, watch: Ints) -> bool:
    """Whether every vertex in `PlanStep.watch` can still attain its degree."""
    for i in range(len(watch)):
        s = watch[i, 0]
        if full >> s & 1:
            continue
        if (ends >> s & 1) + watch[i, 2] + popcount(watch[i, 1] & ~full) < 2:
            return False
    return True


@bare_kernel
def balanced(full: int, ends: int, slot: int, balance: Ints) -> bool:
    """Whether the ends of an open tour, after an edge to a slot, can have the colours that they must have.

    Where edges join vertices of different colours, the degrees of the two colours differ by the ends chosen so far.
    `balance` has the hub's slot, or -1; the slots of one colour and of the other; and what all degrees on the frontier
    have to differ by once both ends are chosen.
    """
    if slot != balance[0]:
        return True
    ends_left = 2 - 2 * (full >> slot & 1) - (ends >> slot & 1)
    first, second = balance[1], balance[2]
    difference = (
        2 * popcount(full & first) + popcount(ends & first) - 2 * popcount(full & second) - popcount(ends & second)
    )
    return -ends_left <= balance[3] - difference <= ends_left


@bare_kernel
def closes(full: int, ends: int, whole: int, layout: Ints, gain: int, back: int) -> bool:
    """The closing rule: whether an edge may join the two ends of a path.

    Either the required single cycle closes, or a strand winds around a periodic board.

    Parameters
    ----------
    full, ends
        With the edge.
    gain, back
        How far round the edge leads, and how far the path from the same end to the other.
    """
    if LINKED and layout[STRANDS]:
        return gain != back
    return (SKIPPING or whole != 0) and ends == 0 and full & whole == whole


@bare_kernel
def joins(a: int, b: int, total: int, layout: Ints) -> bool:
    """Whether a path may have two terminals as its ends: those of one linkage, and not round the board."""
    return a >= 0 or b >= 0 or (a == b and (total == 0 or layout[STRANDS]))


@bare_kernel
def set_gains(a: int, b: int, gain: int, layout: Ints, mate: Ints) -> tuple[int, int]:
    """Say how far round the ends of a new path are from each other; what was said before.

    Of a linkage (below 0) nothing is said, and where strands are allowed it does not matter how far its terminal is.
    """
    gain_a, gain_b = 0, 0
    if a >= 0:
        gain_a = mate[GAIN + a]
        mate[GAIN + a] = 0 if b < 0 and layout[STRANDS] else gain
    if b >= 0:
        gain_b = mate[GAIN + b]
        mate[GAIN + b] = 0 if a < 0 and layout[STRANDS] else -gain
    return gain_a, gain_b


@bare_kernel
def reset_gains(a: int, b: int, gain_a: int, gain_b: int, mate: Ints) -> None:
    """Undo `set_gains`."""
    if a >= 0:
        mate[GAIN + a] = gain_a
    if b >= 0:
        mate[GAIN + b] = gain_b


MATES: Template[bool] = True
"""Whether the form knows the other ends. What a form does not use is no part of its machine code."""
LINKED: Template[bool] = False
"""Whether the form knows linkages too."""
SKIPPING: Template[bool] = False
"""Whether a vertex may be left out."""
CLOSED = np.uint64((1 << 64) - 1)
"""Mark in the origin of a child whose cycle is closed, in place of `full`, where vertices may be left out."""
read: Template[Kernel] = read_ranked
write: Template[Kernel] = write_ranked
ALL_SLOTS = (1 << MAX_WIDE_SLOTS) - 1


@kernel(
    f"int64(uint64[:, ::1], int64, int64, {STEP}, int64[::1], int64[::1], uint64[:, ::1], uint64[:, ::1])", counts=False
)
def branch(
    old: Words, begin: int, stop: int,
    vertex: int, edges: Ints, retire: bool, must: int, watch: Ints, balance: Ints, born: Ints, whole: int,
    layout: Ints, mate: Ints, fresh: Words, origins: Words,
) -> int:  # fmt: skip
    """Decide some edges of a vertex in the old rows begin..stop-1; return the number of children.

    Parameters
    ----------
    fresh
        Gets the state of each child.
    origins
        Gets the origin of each child, and its `full` and `ends` after the step.
    """
    filled = 0
    bit = (1 << vertex) & ALL_SLOTS
    kept = ~bit if retire else -1
    for p in range(begin, stop):
        origin = (p - begin) << PARENT_AT
        full, ends = read(old, p, layout, mate)
        for k in range(len(born)):
            ends |= 1 << born[k, 0]
            if LINKED:
                mate[born[k, 0]] = -2 - born[k, 1]
        need = 2 - 2 * (full >> vertex & 1) - (ends >> vertex & 1)
        if must == 0 and (need == 0 or not retire or (SKIPPING and need == 2)) and alive(full, ends, watch):
            write(fresh, filled, full & kept, ends, layout, mate)
            origins[filled, 0] = np.uint64(origin)
            origins[filled, 1] = np.uint64(full & kept)
            origins[filled, 2] = np.uint64(ends)
            filled += 1
        for i in range(len(edges) if need > 0 else 0):
            w = edges[i, 0]
            if full >> w & 1:
                continue
            # An end becomes full, and an untouched vertex an end
            both = bit | ((1 << w) & ALL_SLOTS)
            full_i, ends_i = full | (ends & both), ends ^ both
            a, b, old_a, old_b, gain_a, gain_b = 0, 0, 0, 0, 0, 0
            if MATES:
                a, b = mate[vertex], mate[w]
                gain = edges[i, 3] + mate[GAIN + w] - mate[GAIN + vertex] if LINKED else 0
                if a == w:
                    if not closes(full_i, ends_i, whole, layout, edges[i, 3], mate[GAIN + vertex]):
                        continue
                elif LINKED and not joins(a, b, gain, layout):
                    continue
                # The ends of the new path; a linkage (below 0) has no entry
                if not LINKED or a >= 0:
                    old_a = mate[a]
                    mate[a] = b
                if not LINKED or b >= 0:
                    old_b = mate[b]
                    mate[b] = a
                if LINKED:
                    gain_a, gain_b = set_gains(a, b, gain, layout, mate)
            enough = (need == 1 or not retire) and edges[i, 1] >= must
            if enough and alive(full_i, ends_i, watch) and balanced(full_i, ends_i, w, balance):
                write(fresh, filled, full_i & kept, ends_i, layout, mate)
                origins[filled, 0] = np.uint64(origin | (i + 1) | edges[i, 2] << SIGN_AT)
                origins[filled, 1] = CLOSED if SKIPPING and a == w else np.uint64(full_i & kept)
                origins[filled, 2] = np.uint64(ends_i)
                filled += 1
            for j in range(i + 1, len(edges) if need == 2 else 0):
                x = edges[j, 0]
                if full_i >> x & 1 or edges[i, 1] + edges[j, 1] < must:
                    continue
                both = bit | ((1 << x) & ALL_SLOTS)
                full_j, ends_j = full_i | (ends_i & both), ends_i ^ both
                if not (alive(full_j, ends_j, watch) and balanced(full_j, ends_j, x, balance)):
                    continue
                c, d, old_c, old_d, gain_c, gain_d = 0, 0, 0, 0, 0, 0
                if MATES:
                    c, d = mate[vertex], mate[x]
                    gain = edges[j, 3] + mate[GAIN + x] - mate[GAIN + vertex] if LINKED else 0
                    if c == x:
                        if not closes(full_j, ends_j, whole, layout, edges[j, 3], mate[GAIN + vertex]):
                            continue
                    elif LINKED and not joins(c, d, gain, layout):
                        continue
                    if not LINKED or c >= 0:
                        old_c = mate[c]
                        mate[c] = d
                    if not LINKED or d >= 0:
                        old_d = mate[d]
                        mate[d] = c
                    if LINKED:
                        gain_c, gain_d = set_gains(c, d, gain, layout, mate)
                write(fresh, filled, full_j & kept, ends_j, layout, mate)
                turned = (edges[i, 2] ^ edges[j, 2]) << SIGN_AT
                origins[filled, 0] = np.uint64(origin | (i + 1) | (j + 1) << 20 | turned)
                origins[filled, 1] = CLOSED if SKIPPING and c == x else np.uint64(full_j & kept)
                origins[filled, 2] = np.uint64(ends_j)
                filled += 1
                if MATES:
                    if not LINKED or c >= 0:
                        mate[c] = old_c
                    if not LINKED or d >= 0:
                        mate[d] = old_d
                    if LINKED:
                        reset_gains(c, d, gain_c, gain_d, mate)
            if MATES:
                if not LINKED or a >= 0:
                    mate[a] = old_a
                if not LINKED or b >= 0:
                    mate[b] = old_b
                if LINKED:
                    reset_gains(a, b, gain_a, gain_b, mate)
    return filled


branch_degrees = branch.instance("branch_degrees", read=read_degrees, write=write_degrees, MATES=False)
branch_wide_degrees = branch.instance(
    "branch_wide_degrees", read=read_wide_degrees, write=write_wide_degrees, MATES=False
)
branch_edges = branch.instance("branch_edges", read=read_edges, write=write_edges, MATES=False)
branch_coded = branch.instance("branch_coded", read=read_coded, write=write_coded, LINKED=True)


@kernel("void(uint64[:, ::1], int64[::1], int64[::1], uint64[:, ::1])", counts=False)
def masks(old: Words, layout: Ints, mate: Ints, found: Words) -> None:
    """Write `full` and `ends` of each row."""
    for p in range(len(old)):
        full, ends = read(old, p, layout, mate)
        found[p, 0], found[p, 1] = np.uint64(full), np.uint64(ends)


branch_skipping = branch.instance("branch_skipping", SKIPPING=True)
branch_coded_skipping = branch_coded.instance("branch_coded_skipping", SKIPPING=True)


masks_of_degrees = masks.instance("masks_of_degrees", read=read_degrees)
masks_of_wide_degrees = masks.instance("masks_of_wide_degrees", read=read_wide_degrees)


UNTOUCHED_CODE, FULL_CODE = -1, -2


@kernel("void(uint64[:, ::1], int64[::1], int64[::1], int64[:, ::1])", counts=False)
def spell(old: Words, layout: Ints, mate: Ints, codes: Ints) -> None:
    """Write of each row and slot the other end of its path, or `UNTOUCHED_CODE` or `FULL_CODE`."""
    for p in range(len(old)):
        full, ends = read(old, p, layout, mate)
        for s in range(codes.shape[1]):
            codes[p, s] = FULL_CODE if full >> s & 1 else (mate[s] if ends >> s & 1 else UNTOUCHED_CODE)


@kernel("void(int64[:, ::1], int64[::1], int64[::1], uint64[:, ::1])", counts=False)
def compose(codes: Ints, layout: Ints, mate: Ints, fresh: Words) -> None:
    """Write states into rows, given what `spell` says of them."""
    for p in range(len(codes)):
        full, ends = 0, 0
        for s in range(codes.shape[1]):
            if codes[p, s] == FULL_CODE:
                full |= 1 << s
            elif codes[p, s] >= 0:
                ends |= 1 << s
                mate[s] = codes[p, s]
        write(fresh, p, full, ends, layout, mate)


spell_coded = spell.instance("spell_coded", read=read_coded)
compose_coded = compose.instance("compose_coded", write=write_coded)


@dataclass(frozen=True)
class Form:
    """The layout of the states of a sweep in rows.

    Parameters
    ----------
    branch
        The compiled step.
    layouts
        What it reads of the slots: by step, or the same at all steps.
    start
        The state in which nothing is reached, as it is stored.
    always
        Bits that the first word of each label has.
    masks
        Of a form without mates: what finds `full` and `ends` of rows.
    spell, compose
        Of a form with mates: what reads and writes states slot by slot.
    """

    branch: Kernel
    layouts: tuple[Ints, ...]
    start: tuple[int, ...]
    masks: Kernel | None = None
    spell: Kernel | None = None
    compose: Kernel | None = None
    always: int = 0

    @property
    def words(self) -> int:
        """Words of a state."""
        return len(self.start)

    def layout(self, number: int) -> Ints:
        """The contents of the slots that a step reads."""
        return self.layouts[number if len(self.layouts) > 1 else 0]


NOTHING = (1 << 64) - 1
"""The first word of the state in which nothing is reached."""


def ranked_form(slots: int) -> Form:
    """States with the number of the pairing, of `MAX_SLOTS` slots at most."""
    return Form(branch, (_layout(slots, 1),), (NOTHING,), None, spell, compose)


def form_of(net: Net, slots: int) -> Form:
    """The form for the states of a sweep with a number of slots."""
    if net.free:
        wide = slots > MAX_DEGREE_SLOTS
        made = (branch_wide_degrees, masks_of_wide_degrees) if wide else (branch_degrees, masks_of_degrees)
        start = (NOTHING, 0) if wide else (NOTHING,)
        return Form(made[0], (_layout(slots, len(start)),), start, made[1])
    if net.connected and slots <= MAX_SLOTS:
        return ranked_form(slots)
    gain_bits = gain_bits_of(net)
    bits = (1 + net.labels + slots).bit_length() + gain_bits
    per = CODE_WORD_BITS // bits
    if not per:
        raise TooLarge(f"walks round the board: {bits} bits for each vertex on the frontier are too many for a sweep")
    words = max(1, -(-slots // per))
    strands = net.winding is not None and net.winding.strands
    layout = _layout(slots, words, bits, per, net.labels, gain_bits, int(strands))
    return Form(branch_coded, (layout,), (NOTHING, *[0] * (words - 1)), None, spell_coded, compose_coded)


def edges_form(slots: int, leading: Sequence[Sequence[Words]]) -> Form:
    """The form in which the label determines the degrees.

    Parameters
    ----------
    leading
        For each step and slot, the bits of the label whose edges lead to its vertex.
    """
    layouts = [np.concatenate([_layout(slots, 0), *(words.view(np.int64) for words in row)]) for row in leading]
    return Form(branch_edges, tuple(layouts), (), always=1)


def skipping(form: Form) -> Form:
    """The same form of a sweep that may leave vertices out; `PlanStep.whole` then are the slots that may not be."""
    return replace(form, branch=branch_skipping if form.branch is branch else branch_coded_skipping)


def gain_bits_of(net: Net) -> int:
    """Number of bits for the winding of a path: 0 if it does not matter.

    The winding of a path is at most the sum, over all vertices, of the greatest winding of an edge there.
    """
    if net.winding is None:
        return 0
    most = np.zeros(net.n, dtype=np.int64)
    for end in (0, 1):
        np.maximum.at(most, net.ends[:, end], np.abs(net.winding.gain))
    return 1 + int(most.sum()).bit_length()


def _layout(
    slots: int, words: int, bits: int = 0, per: int = 0, labels: int = 0, gain_bits: int = 0, strands: int = 0
) -> Ints:
    return np.array([slots, bits, per, labels, gain_bits, strands, words], dtype=np.int64)
