"""What is told of one slip of each act in each game, word for word: whatever changes is seen, and whether for the better.

A line is an act, as it was planted, how it is told (see `tests/confusion.py`: by the truth, whatever is expected here), and the
findings that no other explains, with how many follow from them. `pytest tests/test_planted.py --update` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import chain, product
from pathlib import Path
from random import Random

import pytest
from pydantic import ValidationError

from handrec import check
from handrec.dealing import deal_game
from handrec.findings import Finding
from handrec.record import Record
from tests.confusion import outcome
from tests.dealing import the
from tests.planting import ACTS, TABLES, Data, cut, dealt, plants, plays_of, without

KEPT = Path(__file__).with_name("planted")


def nameless(data: Data, rng: Random) -> Data:
    """The record as it would be without the names of those who played."""
    for place in plays_of(data):
        data["deals"][0]["events"][place].pop("by", None)
    return data


def hidden(data: Data, rng: Random) -> Data:
    """The record with some cards that nobody could read, and calls of bridge."""
    for event in rng.sample(data["deals"][0]["events"], 3):
        if "card" in event:
            event["card"] = "??"
        elif data["game"] == "bridge" and event["do"] == "bid":
            event["bid"] = "?"
    return data


def handless(data: Data, rng: Random) -> Data:
    """The record without hands."""
    return without(data, False, True)


#: What is not known besides, in turn of the acts.
LESS = (("no names", nameless), ("unread", hidden), ("no hands", handless))


def lines(key: str) -> Iterator[str]:
    """A line for each act where all is known, one where something is not, and one where another act is planted besides."""
    for number, act in enumerate(ACTS):
        for _, record in plants(key, act, 3 if act == "rows_exchanged" else 1, True, True):
            yield line(f"{key}, {act}", act, record)
            data, rng = record.model_dump(mode="json", exclude_unset=True, by_alias=True), Random(f"{key}{act}True")
            what, less = LESS[number % len(LESS)]
            yield line(f"{key}, {act}, {what}", act, Record.model_validate(less(deepcopy(data), Random(f"{key}{act}"))))
            other = rng.choice([*ACTS])
            if act in BESIDE and ACTS[other](data, rng):
                yield line(f"{key}, {act} and {other}", act, Record.model_validate(data))


#: Seeds of games of some deals: the last three since they tell apart what others do not.
SEVERAL = (0, 1, 17, 18, 30)

#: The acts beside which another is planted: every other one, and three for the same reason.
BESIDE = {*[*ACTS][1::2], "call_lost", "rows_exchanged", "suit"}

#: Seeds of deals with some acts at once, by game, that tell apart what others do not.
SOME = {
    "bastard": (18,),
    "bridge": (0, 53),
    "bugami": (77, 145),
    "kbabs": (218,),
    "oh_hell": (38,),
    "spades3": (404,),
    "whist": (40, 64),
}


def some(key: str, seed: int) -> Record | None:
    """A deal in which one act to three are planted, of which not all need be known."""
    rng, truth = Random(f"{key} one {seed}"), dealt(key, seed)
    if truth is None:
        return None
    data = without(truth, rng.random() < 0.7, rng.random() < 0.8)
    if rng.random() < 0.2:
        data = cut(data, rng)
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        ACTS[rng.choice([*ACTS])](data, rng)
    if rng.random() < 0.2:
        nameless(data, rng)
    if rng.random() < 0.15:
        hidden(data, rng)
    return valid(data)


def valid(data: Data) -> Record | None:
    """The record, if it is one."""
    try:
        return Record.model_validate(data)
    except ValidationError:
        return None


def several(key: str, seed: int) -> Record | None:
    """A few deals, in each of which something may be planted; all of a game, or out of one."""
    rng, (players, _, options) = Random(f"{key} many {seed}"), TABLES[key][seed % len(TABLES[key])]
    rng.random()  # not asked: the seeds that tell were found with it
    numbers = [1, 2, 3] if key == "batarde" else [1, 2, 3, 4]
    data = deal_game(the(key), players, seed, options=options, numbers=numbers).model_dump(
        mode="json", exclude_unset=True, by_alias=True
    )
    deals: list[Data] = data["deals"]
    if rng.random() < 0.5:
        data["status"] = "excerpt"
        data.pop("claimed", None)
    if rng.random() < 0.3:
        for deal, unknown in product(deals, ("hands", "aside", "pack")):
            deal.pop(unknown, None)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(deals))
        one = {**data, "deals": [deals[at]]}
        ACTS[rng.choice([*ACTS, "dealer", "dealer", "dealer", "heading"])](one, rng)
    if rng.random() < 0.3:
        nameless({"deals": [rng.choice(deals)]}, rng)
    return valid(data)


def line(what: str, act: str, record: Record) -> str:
    """How one is told, and the findings."""
    return f"{what}: {outcome(act, record)}{''.join(told(record))}"


def told(record: Record) -> Iterator[str]:
    """The faults that nothing explains, each on a line, with how many it explains, what comes near, and other readings."""
    verdict = check(record)
    for finding in verdict.faults:
        follow = sum(other.because == (finding.code, finding.pointer) for other in verdict.findings)
        near = "".join(f" | {each.words}" for each in finding.near) + "".join(f" / {words}" for words in finding.readings)
        yield f"\n    {place(finding)}: {finding.message}{f' (+{follow})' if follow else ''}{near}"


def place(finding: Finding) -> str:
    """Its code and where it is, by trick or pointer."""
    return f"{finding.code} {finding.pointer.removeprefix('/deals/0')}"


@pytest.mark.some(2)
@pytest.mark.parametrize("key", sorted(TABLES))
def test_what_is_told_of_one_slip_of_each_act(key: str, request: pytest.FixtureRequest) -> None:
    """As it was told before; and what is told of deals and games in which there is more than one."""
    more = [("deal", seed, some(key, seed)) for seed in SOME.get(key, ())]
    more += [("game", seed, several(key, seed)) for seed in SEVERAL]
    assert all(record for _, _, record in more)
    games = (f"{key}, {what} {seed}:{''.join(told(record))}" for what, seed, record in more if record)
    path, now = KEPT / f"{key}.txt", "\n".join(chain(lines(key), games)) + "\n"
    if request.config.getoption("--update"):
        path.write_text(now, "utf-8")
    assert now == path.read_text("utf-8")
