"""The limit: C that follows suit and takes tricks, and C that looks at all that the sieve does, where there is a C compiler."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handrec.cards import SUITS

SOURCE = Path(__file__).with_name("limit.c")

#: What the numbers of faults in C mean to the sieve.
FAULTS = ("", "referee", "REV001", "DEA009", "TRK001", "TRK002")

COLUMNS = {
    **dict.fromkeys(("hands",), "int64"),
    **dict.fromkeys(("plays", "leaders", "kinds", "guesses", "said_winners"), "uint8"),
    **dict.fromkeys(("dealer", "leader", "declarer"), "int8"),
    **dict.fromkeys(("contract", "said_trump", "said_tricks"), "int16"),
}
FOUND = {
    "fault": ((), "uint8"),
    "trick": ((), "int16"),
    "seat": ((), "int8"),
    "winners": ((13,), "uint8"),
    "tricks": ((4,), "int16"),
}


class _Columns(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in (*COLUMNS, "strain", "said_strain")),
        *((name, ctypes.c_long) for name in ("contracts", "said_trumps", "words")),
    )


class _Found(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_void_p) for name in FOUND)


@dataclass(frozen=True)
class Kernels:
    """Functions in C over numpy arrays.

    `judge(hands, plays, leader, trump)` gives winners (n, 13) and the place of the first illegal play (n,), 52 none;
    `sift(columns)` gives arrays named as those of the sieve, `fault` (n,) a place in FAULTS.
    """

    judge: Callable[..., tuple[Any, Any]]
    sift: Callable[[Any], dict[str, Any]]


def kernels() -> Kernels | str:
    """The functions in C; or why there are none."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return "no C compiler here: the limit is not measured"
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "limit.so"
        made = subprocess.run(
            [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(SOURCE)],
            capture_output=True,
            text=True,
        )
        if made.returncode:
            return f"the C compiler fails ({made.stderr.strip().splitlines()[-1][:60]}): the limit is not measured"
        code = ctypes.CDLL(str(library))

    def judge(hands: Any, plays: Any, leader: Any, trump: Any) -> tuple[Any, Any]:
        winners, illegal = np.empty((len(plays), 13), np.uint8), np.empty(len(plays), np.uint8)
        arrays = [np.ascontiguousarray(hands, np.uint64), np.ascontiguousarray(plays, np.uint8)]
        arrays += [np.ascontiguousarray(leader, np.int8), np.ascontiguousarray(trump, np.int8), winners, illegal]
        code.judge(ctypes.c_long(len(plays)), *(array.ctypes.data_as(ctypes.c_void_p) for array in arrays))
        return winners, illegal

    def sift(columns: Any) -> dict[str, Any]:
        given = {name: np.ascontiguousarray(getattr(columns, name), dtype) for name, dtype in COLUMNS.items()}
        given["strain"] = np.array([SUITS.find(strain) for strain in columns.contracts], np.int8)
        given["said_strain"] = np.array([SUITS.find(strain) for strain in columns.trumps], np.int8)
        found = {name: np.empty((len(columns), *width), dtype) for name, (width, dtype) in FOUND.items()}
        counts = len(columns.contracts), len(columns.trumps), len(columns.words)
        into = _Columns(*(array.ctypes.data for array in given.values()), *counts)
        code.sift(ctypes.c_long(len(columns)), ctypes.byref(into), ctypes.byref(_Found(*(a.ctypes.data for a in found.values()))))
        return found

    return Kernels(judge, sift)
