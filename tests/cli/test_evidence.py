"""Evidence names lemmas only if it is asked to, for the claims of every theorem."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.evidence import LEMMAS, evidence
from kt_models.kernel.certificates.methods import Lemmas, Theorem, theorem_of
from tests.command import kt
from tests.golden.transcript import SAMPLES

FAMILIES = sorted(SAMPLES.glob("family-*.json"))


@pytest.mark.parametrize("path", FAMILIES, ids=lambda path: path.stem)
def test_lemmas_of_every_theorem_are_counted(path: Path) -> None:
    data = json.loads(path.read_text())
    theorem = theorem_of(data["kind"])
    assert theorem is not None
    lemmas = theorem.lemmas(data)
    words = f"a claim (certificate checked: an argument; {theorem.words(data)})"
    assert LEMMAS.search(words) and evidence(words, verbose=True) == words
    brief = evidence(words, verbose=False)
    assert not any(name in brief for name in lemmas.by_hand + lemmas.by_program)
    assert f"{len(lemmas.by_hand)} lemma" in brief or not lemmas.by_hand
    assert f"{len(lemmas.by_program)} condition" in brief or not lemmas.by_program
    assert brief.startswith("a claim (certificate checked: an argument; ") and brief.endswith("(--verbose lists them))")


def test_one_lemma_is_not_called_several() -> None:
    words = Theorem("a", {}, lambda data: Lemmas(("one cycle",), ("splicing", "two moves"))).words({})
    assert evidence(words, False) == "2 conditions checked by program, 1 lemma proved by hand (--verbose lists them)"
    assert evidence("tour verified", False) == "tour verified"


def test_check_and_bound_name_lemmas_with_verbose() -> None:
    path = str(SAMPLES / "family-turns-all-n.json")
    for words in (("check", path), ("bound", "12x12", "--method", "family")):
        brief, full = kt(*words).stdout, kt(*words, "--verbose").stdout
        assert "(--verbose lists them)" in brief and "proof.md" not in brief
        assert "proved by hand in theorems/" in full and "--verbose" not in full
