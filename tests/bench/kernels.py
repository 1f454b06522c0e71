"""One part of the work, done whenever a line comes in: `python kernels.py CHECKOUT KERNEL FILE [python]`.

It runs in whatever checkout it is told, this one or an older one, and so keeps to what both have. It prints how many records (for
some kernels: deals) one run is, and then, for each line of standard input, the seconds of the processor that a run took. With
`python`, tricks are taken in Python where they could be in C.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from time import process_time
from typing import Any

Work = tuple[Callable[[], object], int]

#: Each record is sifted so many times in a run: the sieve is for many deals at once.
COPIES = 25


def records(path: Path) -> list[Any]:
    """The records of a file, a line each."""
    import handrec

    return [handrec.loads(line) for line in path.read_bytes().splitlines()]


def each(function: Callable[[Any], object], path: Path) -> Work:
    """A function called for each record of a file."""
    found = records(path)

    def work() -> None:
        for record in found:
            function(record)

    return work, len(found)


def check(path: Path) -> Work:
    """`handrec.check`, one record at a time."""
    import handrec

    return each(handrec.check, path)


def check_all(path: Path) -> Work:
    """`handrec.check_all`: no other readings are tried, as in `check -q` and `audit`."""
    import handrec

    found = records(path)

    def work() -> None:
        for _ in handrec.check_all(found):
            pass

    return work, len(found)


def referee(path: Path) -> Work:
    """The referee's replay and verdict, and nothing else."""
    from handrec import games
    from handrec.referee import check as judge

    return each(lambda record: judge(record, games.find), path)


def reading(path: Path) -> Work:
    """A text is read, whatever it is."""
    from handrec import formats

    data = path.read_bytes()
    return lambda: list(formats.read(data, path.name)), 1


def batches(path: Path) -> tuple[list[Any], int]:
    """The batches of an archive of the records of a file, over and over; and how many deals these are."""
    from handrec import archive

    found = records(path)
    data = b"".join(archive.write(found * COPIES))
    return list(archive.batches(BytesIO(data))), COPIES * sum(len(record.deals) for record in found)


def verdicts(path: Path) -> Work:
    """The verdicts on an archive, from its batches in memory."""
    from handrec import archive

    some, many = batches(path)
    return lambda: [archive.verdicts(batch) for batch in some], many


def sifted(columns: list[Any], many: int) -> Work:
    """The sieve alone, on so many deals in columns; nothing may be wrong with them."""
    try:
        from handrec.sieve.sift import sift

        assert all(sift(each).fine.all() for each in columns)
    except ImportError:
        from handrec.bulk import sift  # its name and its answer before

        assert not any(sift(each).fault.any() for each in columns)
    return lambda: [sift(each) for each in columns], many


def sift_batches(path: Path) -> Work:
    """The sieve on the columns of an archive's batches."""
    from handrec import archive, games

    some, many = batches(path)
    return sifted([part.columns for batch in some for part in archive.Cut(batch, archive.Heads(games.find)).parts], many)


def sift(path: Path) -> Work:
    """The sieve on all deals of bridge at once."""
    from handrec import games
    from handrec.game import compose

    deals = [deal for record in records(path) for deal in record.deals]
    game, seats = compose(games.find("bridge"), {})[0], tuple("NESW")
    try:
        from handrec.sieve.codec import Codec
        from handrec.sieve.columns import together
        from handrec.sieve.shape import Shape

        codec = Codec(Shape(game, 4, 13), seats)
        rows = [codec.row(deal) for deal in deals] * COPIES
        alone = range(len(rows))
        return sifted([together(codec, rows, [*alone], [0] * len(rows), [True] * len(rows))], len(rows))
    except ImportError:
        from handrec.bulk import Plain, Shape

        plain = Plain(Shape(game, 4, 13), seats)
        rows = [plain.row(deal, number, True, True) for number, deal in enumerate(deals)]
        return sifted([plain.columns(rows * COPIES)], COPIES * len(rows))


KERNELS = {kernel.__name__: kernel for kernel in (check, check_all, referee, reading, verdicts, sift_batches, sift)}


def main(checkout: str, kernel: str, path: str, how: str = "") -> None:
    """Load, warm up, and answer."""
    import handrec

    assert Path(handrec.__file__).is_relative_to(checkout), handrec.__file__
    if how == "python":
        from handrec.fast import in_c

        in_c._tricks = None
    work, many = KERNELS[kernel](Path(path))
    print(many, flush=True)
    for _ in sys.stdin:
        before = process_time()
        work()
        print(process_time() - before, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
