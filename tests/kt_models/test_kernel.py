"""The kernel, `kt_models.certificates`: what else of the house takes from it (docs/theory/kernel.md)."""

from __future__ import annotations

from tests.house import imports, modules
from tests.kernel_lines import BEGIN, END, PAGE, PARTS, ROOT, modules_of, table

KERNEL = "kt_models.certificates"
TAKEN = {
    KERNEL: "Certificate Checked Statement check",
    f"{KERNEL}.bands.board": "BandBoard HALVED both_ways fewest least_of set_prices",
    f"{KERNEL}.bands.bound": "applies board_of rows_of sides_of",
    f"{KERNEL}.bands.step": (
        "BandTables EMPTY FAR MOST MOST_LEAD MOST_PRICES STATES StateTable StateValues StateWords TABLES UNIT children "
        "place"
    ),
    f"{KERNEL}.cuts": "Cut Inequality inequality read_cuts",
    f"{KERNEL}.families.borders": "Border",
    f"{KERNEL}.families.chains": "ChainBoard ChainFamily check_chains",
    f"{KERNEL}.families.codes": "Codes LETTERS MOVES PAIRS REACH count turns",
    f"{KERNEL}.families.crossings": "KIND check",
    f"{KERNEL}.families.loops": "check_squares",
    f"{KERNEL}.families.octant_data": "KIND Octants",
    f"{KERNEL}.families.radial": "check_radial",
    f"{KERNEL}.families.radial_data": "KIND RadialFamily bends lines numbers",
    f"{KERNEL}.families.ring_data": "KIND Move Rings column pattern read_rings rotate_vector side_of turned_cell",
    f"{KERNEL}.families.slabs": "Bundle Bundles",
    f"{KERNEL}.families.spirals": "SpiralFamily SpiralProver",
    f"{KERNEL}.families.statement": "Boards Bound FamilyStatement claim_to_json claims_of",
    f"{KERNEL}.families.strands": "Grown check_one_cycle keeps serves",
    f"{KERNEL}.families.turns": "KIND MAX_PERIOD MAX_REACH TurnFamily check read value",
    f"{KERNEL}.families.zones": (
        "ACROSS CHAINS_KIND Growth KIND LINE LINES SPIRALS_KIND SQUARES_KIND TURNED TourFamily Zone"
    ),
    f"{KERNEL}.frontier": "count_solutions fits",
    f"{KERNEL}.frontier.bound": "potentials_of",
    f"{KERNEL}.frontier.layout": "Net checked_order good_order net_of",
    f"{KERNEL}.families.strips": "Columns StateCosts Strip strip_of",
    f"{KERNEL}.frontier.plan": "Words",
    f"{KERNEL}.integers": "Ints largest",
    f"{KERNEL}.nodes": "Branching HEAVY Instance LEAF LIGHT State UNUSED USED",
    f"{KERNEL}.proofs.cutting_planes": "FORMULA MODEL PROOF formula_of model_to_json",
    f"{KERNEL}.proofs.dimacs": "ProofStep digest_of",
    f"{KERNEL}.proofs.folder": "check_folder",
    f"{KERNEL}.proofs.manifest": "Counter FORMULA Group MANIFEST MAX_NUMBER Manifest Node PROOF",
    f"{KERNEL}.proofs.zero_one": "LinearConstraint NOTHING ZeroOneModel edge_variables",
    f"{KERNEL}.quotient": "quotient_of",
    f"{KERNEL}.regions": "MAX_REGIONS bound",
    f"{KERNEL}.rounding": "greatest_below lift_total value_step",
    f"{KERNEL}.straight": "applies",
    f"{KERNEL}.turned": "exchanged",
    f"{KERNEL}.tree": "Evaluator FORBIDDEN Images LARGEST Preorder Prices bound read read_symmetry",
}
"""All that the makers of certificates, `heuristics` and `encoders`, take from their checkers."""


def test_makers_take_from_the_kernel_what_the_table_says() -> None:
    """What makes a certificate and what checks it share only these names (and the vocabulary)."""
    taken: dict[str, set[str]] = {}
    for name, path in modules().items():
        if name.startswith(("heuristics", "encoders")):
            for module, what, _ in imports(path):
                if f"{module}.".startswith(f"{KERNEL}."):
                    taken.setdefault(module, set()).add(what)
    assert {module: " ".join(sorted(names)) for module, names in sorted(taken.items())} == TAKEN


def test_the_page_counts_the_lines_of_the_kernel() -> None:
    text = PAGE.read_text()
    assert text[text.index(BEGIN) + len(BEGIN) : text.index(END)] == table(), "run python -m tests.kernel_lines"


def test_the_page_names_every_module_of_the_kernel() -> None:
    named = {path for part in PARTS for path in modules_of(part)}
    folder = ROOT / "kt_models" / "certificates"
    left_out = {path for path in folder.rglob("*.py") if path.name != "__init__.py"} - named
    assert not left_out
