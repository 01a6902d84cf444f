"""A checkout, where the rooms are packages beside `kt`: they go by their installed names too, and nothing hides them.

In a wheel the rooms are inside `kt`: `kt.kt_models`, `kt.encoders`. A finder gives these names to the modules of a
checkout, so that a program or a plug-in runs with either. The rooms have common names, so another package may hide
them. The check for that looks for files and imports nothing, so it can run before any other import.
"""

import os
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

ROOMS = ("kt_models", "drawing", "theorems", "heuristics", "encoders", "cli")
ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


class _Package(ModuleType):
    """A package that keeps a function of the name of one of its modules, such as `encoders.solve`.

    To import `kt.encoders.solve` would otherwise replace the function by the module.
    """

    def __setattr__(self, name, value):  # type: ignore[no-untyped-def]
        if not isinstance(value, ModuleType) or isinstance(self.__dict__.get(name, value), ModuleType):
            super().__setattr__(name, value)


class _InstalledNames:  # Its base classes would take longer to load than all of this module.
    """Finds `kt.ROOM` and what is in it: the very modules `ROOM`."""

    def find_spec(self, fullname, path=None, target=None):  # type: ignore[no-untyped-def]
        """The spec of an installed name, if the checkout has the module."""
        name = fullname.removeprefix("kt.")
        if name == fullname or name.partition(".")[0] not in ROOMS or find_spec(name) is None:
            return None
        return ModuleSpec(fullname, self)

    def create_module(self, spec):  # type: ignore[no-untyped-def]
        """The module of a checkout; its own spec is kept, since `import` is about to replace it."""
        name = spec.name.removeprefix("kt.")
        module = import_module(name)
        if package := name.rpartition(".")[0]:
            sys.modules[package].__class__ = _Package
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module):  # type: ignore[no-untyped-def]
        """Give the module, which was run under its own name, its own spec back."""
        module.__spec__ = module.__spec__.loader_state


if os.path.isdir(os.path.join(ROOT, ROOMS[0])):
    for _room in ROOMS:
        _spec = find_spec(_room)
        _places = [] if _spec is None else [*(_spec.submodule_search_locations or ()), _spec.origin or ""]
        if not _places or os.path.realpath(_places[0]) != os.path.realpath(os.path.join(ROOT, _room)):
            raise ImportError(
                f"kt runs from the checkout {ROOT}, where {_places[0] if _places else 'nothing'} hides its folder "
                f"{_room}: rename it, start Python elsewhere, or install kt instead: pip install " + ROOT
            )
    # First of all, because the finder of files would load a module of a package once more, by its other name.
    sys.meta_path.insert(0, _InstalledNames())
