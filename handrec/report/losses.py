"""What a format does not hold of a record, told: as text of 80 columns, and as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from handrec.diff import DiffRow
from handrec.repair import ABSENT
from handrec.report.diff import label, shown
from handrec.report.json import plain
from handrec.report.layout import WIDTH
from handrec.report.safe import clip

#: Losses of one kind up to this many have a line each; more are counted.
FEW = 3


def text(rows: Iterable[DiffRow]) -> Iterator[str]:
    """Each loss on a line; many of one kind are counted, with the first of them."""
    kinds: dict[str, list[DiffRow]] = {}
    for row in rows:
        kinds.setdefault(row.what, []).append(row)
    for what, losses in kinds.items():
        if len(losses) <= FEW:
            yield from (_line(f"  {_loss(row)}") for row in losses)
        else:
            deals = len({row.deal for row in losses})
            within = f" in {deals} deals" if deals > 1 else ""
            yield _line(f"  {len(losses):,} × {what}{within}; first {_loss(losses[0])}")


def _line(words: str) -> str:
    return clip(words, WIDTH) + "\n"


def _loss(row: DiffRow) -> str:
    before, after = shown(row)
    lost, new = (leaf is None for leaf in reversed(row.leaves))
    return f"{label(row)}: " + (f"{before} is lost" if lost else f"{after} is added" if new else f"{before} becomes {after}")


def data(name: str, rows: Sequence[DiffRow]) -> list[dict[str, Any]]:
    """The losses of a record, each with its place, the value there was and what it becomes; neither where there is none."""
    losses = []
    for row in rows:
        leaf = next(leaf for leaf in row.leaves if leaf)
        values = {key: value for key, value in zip(("value", "becomes"), row.values, strict=True) if value is not ABSENT}
        place = {"deal": row.deal, "trick": row.trick, "seat": row.seat}
        stated = {key: value for key, value in place.items() if value is not None}
        losses.append(plain({"record": name, "pointer": leaf.pointer, "what": row.what, **stated, **values}))
    return losses
