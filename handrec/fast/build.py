"""Builds `_tricks.c` when handrec is installed, if there is a compiler; a compiler that fails never fails the install.

`HANDREC_PURE=1` builds the plain wheel for every machine, in which the loop runs in Python.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildHook(BuildHookInterface):  # type: ignore[misc]  # hatchling is not there when types are checked
    """Called by hatchling before it packs a wheel, or points to the sources of an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the extension beside its source, and have it packed."""
        if os.environ.get("HANDREC_PURE"):
            return
        try:
            built = build(Path(self.root))
        except (Exception, SystemExit) as error:
            self.app.display_warning(f"the loop in C was not built ({error}); handrec runs the same loop in Python")
            return
        build_data["artifacts"].append(built.relative_to(self.root).as_posix())
        build_data["pure_python"], build_data["infer_tag"] = False, True


def build(root: Path) -> Path:
    """Compile `_tricks.c`; returns the extension. Raises whatever the compiler, or its absence, raises."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    source = Path("handrec/fast/_tricks.c")
    before = Path.cwd()
    os.chdir(root)
    try:
        with tempfile.TemporaryDirectory() as folder:
            extension = Extension("handrec.fast._tricks", [source.as_posix()], depends=["handrec/fast/rules.h"])
            command = build_ext(Distribution({"name": "handrec", "packages": ["handrec.fast"], "ext_modules": [extension]}))
            command.inplace, command.force, command.build_temp = True, True, folder
            command.ensure_finalized()
            command.run()
            return root / "handrec" / "fast" / Path(command.get_ext_filename("_tricks")).name
    finally:
        os.chdir(before)
