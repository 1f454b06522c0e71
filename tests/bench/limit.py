"""The limit: a few lines of C that follow suit and take tricks, compiled where the machine has a C compiler."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

SOURCE = """
#include <stdint.h>
static const uint64_t SUIT = (1u << 13) - 1;
/* Deals of four hands of 13; card = suit * 13 + rank. Winners of all tricks; the place of the first illegal play, 52 none. */
void judge(long n, const uint64_t *hands, const uint8_t *plays, const int8_t *leader, const int8_t *trump,
           uint8_t *winners, uint8_t *illegal) {
    for (long d = 0; d < n; d++) {
        uint64_t held[4];
        for (int s = 0; s < 4; s++) held[s] = hands[4 * d + s];
        int seat = leader[d], wrong = 52;
        uint64_t trumps = trump[d] < 0 ? 0 : SUIT << 13 * trump[d];
        for (int t = 0; t < 13; t++) {
            uint64_t led = 0, rising = ~0ull;
            int winner = seat;
            for (int k = 0; k < 4; k++, seat = (seat + 1) & 3) {
                int place = 4 * t + k, card = plays[52 * d + place];
                uint64_t bit = 1ull << card;
                uint64_t suit = SUIT << card / 13 * 13;
                uint64_t legal = held[seat] & led ? held[seat] & led : held[seat];
                if (!(legal & bit) && wrong == 52) wrong = place;
                held[seat] &= ~bit;
                if (!k) led = suit;
                if (rising & bit) {
                    winner = seat;
                    rising = (suit & ~(bit | (bit - 1))) | (suit == trumps ? 0 : trumps);
                }
            }
            winners[13 * d + t] = seat = winner;
        }
        illegal[d] = wrong;
    }
}
"""


def kernel() -> Callable[..., tuple[Any, Any]] | str:
    """`judge(hands, plays, leader, trump)` over numpy arrays, giving winners and first illegal plays; or why there is none."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return "no C compiler here: the limit is not measured"
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "limit.c", Path(folder) / "limit.so"
        source.write_text(SOURCE, "utf-8")
        made = subprocess.run(
            [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(source)],
            capture_output=True,
            text=True,
        )
        if made.returncode:
            return f"the C compiler fails ({made.stderr.strip().splitlines()[-1][:60]}): the limit is not measured"
        judge = ctypes.CDLL(str(library)).judge

    def run(hands: Any, plays: Any, leader: Any, trump: Any) -> tuple[Any, Any]:
        winners, illegal = np.empty((len(plays), 13), np.uint8), np.empty(len(plays), np.uint8)
        arrays = [np.ascontiguousarray(hands, np.uint64), np.ascontiguousarray(plays, np.uint8)]
        arrays += [np.ascontiguousarray(leader, np.int8), np.ascontiguousarray(trump, np.int8), winners, illegal]
        judge(ctypes.c_long(len(plays)), *(array.ctypes.data_as(ctypes.c_void_p) for array in arrays))
        return winners, illegal

    return run
