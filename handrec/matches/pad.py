"""The pad of a rubber, or of four deals of Chicago: each side's points below the line, and those above it."""

from __future__ import annotations

from collections.abc import Iterator

from handrec.findings import Verdict

#: A line is drawn under the points that made a game.
GAME = 100


def is_kept(verdict: Verdict) -> bool:
    """Whether a record's score is kept on a pad."""
    return verdict.options.get("scoring") in ("rubber", "chicago") and bool(verdict.deals and verdict.deals[0].sides)


def pad(verdict: Verdict) -> Iterator[str]:
    """The pad in lines, the latest points above the line on top; it ends at the first deal that cannot be scored."""
    sides = [*verdict.deals[0].sides]
    above, below = list[list[str]](), list[list[str]]()
    parts, sums = [0, 0], [0, 0]
    rest = ""
    for deal in verdict.deals:
        lines = [deal.lines.get(seat) for seat in [*deal.lines][:2]]
        if len(lines) < 2 or None in lines:
            rest = f"  the rest cannot be scored from deal {deal.number} on\n"
            break
        for place, each in enumerate(lines):
            assert each is not None
            for key, points in each.items():
                sums[place] += points
                if not points:
                    continue
                row = ["", ""]
                row[place] = str(points)
                if key != "odd":
                    above.insert(0, row)
                    continue
                parts[place] += points
                below.append(row)
                if parts[place] >= GAME:
                    parts = [0, 0]
                    below.append([])
    for place, seat in enumerate([*(verdict.totals or {})][:2]):
        more = (verdict.totals or {})[seat] - sums[place]
        if more and not rest:  # what a game that was left unfinished counts
            sums[place] += more
            above.insert(0, ["", ""])
            above[0][place] = str(more)
    width = max(8, *(len(side) + 2 for side in sides))
    rule = f"  {'-' * width}-+-{'-' * width}\n"
    yield f"  {sides[0]:>{width}} | {sides[1]:>{width}}\n" + rule
    for row in above:
        yield _row(row, width)
    yield f"  {'=' * width}=+={'=' * width}\n"
    for row in below:
        yield _row(row, width) if row else rule
    if not below or below[-1]:
        yield rule
    yield _row([str(points) for points in sums], width)
    yield rest


def _row(cells: list[str], width: int) -> str:
    return f"  {cells[0]:>{width}} | {cells[1]:>{width}}".rstrip() + "\n"
