"""Check that no other package hides the packages beside `kt` in a checkout, which have common names.

The check looks for files and imports nothing, so it can run before any other import. In a wheel these packages are
inside `kt`, where nothing can hide them.
"""

import os
from importlib.util import find_spec

ROOMS = ("kt_models", "drawing", "theorems", "heuristics", "encoders", "cli")
ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

for _room in ROOMS if os.path.isdir(os.path.join(ROOT, ROOMS[0])) else ():
    _spec = find_spec(_room)
    _places = [] if _spec is None else [*(_spec.submodule_search_locations or ()), _spec.origin or ""]
    if not _places or os.path.realpath(_places[0]) != os.path.join(ROOT, _room):
        raise ImportError(
            f"kt runs from the checkout {ROOT}, where {_places[0] if _places else 'nothing'} hides its folder {_room}: "
            "rename it, start Python elsewhere, or install kt instead: pip install " + ROOT
        )
