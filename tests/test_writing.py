"""Writing records down: what is written is read back the same, and a deal's digest is of its facts alone."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from handrec import games
from handrec.cards import FRENCH_54
from handrec.formats.json import FORMAT as JSON
from handrec.formats.jsonl import FORMAT as JSONL
from handrec.formats.untold import settled
from handrec.record import Claim, Comment, Deal, Play, Player, Record, Ruling
from handrec.writing import canonical, digest, dumps, facts, is_kept, keep, line, placed, sweep, write

some = settings(deadline=None, derandomize=True, max_examples=40)
Data = dict[str, Any]

# --- documents of every shape the schema allows ------------------------------------------------------------------------

seats = st.sampled_from(["N", "E", "S", "W", "P-3", "bastard"])
cards = st.sampled_from([*FRENCH_54.cards, "??", "?S", "T?", "DHm", "RSs"])
words = st.from_regex(r"[A-Za-z0-9_+.-]{1,32}", fullmatch=True)
keys = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,63}", fullmatch=True)
texts = st.text(st.characters(codec="utf-8"), max_size=30)
counts = st.integers(0, 1000)
ordinals = st.integers(1, 4096)
points = st.integers(-(10**9), 10**9)
bids = st.integers(-1000, 1000) | words
hands = st.lists(cards, max_size=4)
values = st.recursive(
    st.none() | st.booleans() | st.integers(1 - 2**53, 2**53 - 1) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(keys, inner, max_size=2),
    max_leaves=4,
)


def by_seat(value: st.SearchStrategy[Any]) -> st.SearchStrategy[Data]:
    return st.dictionaries(seats, value, max_size=3)


def part(required: dict[str, Any], **optional: st.SearchStrategy[Any]) -> st.SearchStrategy[Data]:
    """Objects with some fields and perhaps others."""
    return st.fixed_dictionaries(required, optional=optional)


def event(do: str, required: dict[str, Any], **optional: st.SearchStrategy[Any]) -> st.SearchStrategy[Data]:
    return part({"do": st.just(do), **required}, **optional)


event_kinds = [
    event("bid", {"by": seats, "bid": bids}, blind=st.booleans()),
    event("announce", {"by": seats, "what": words}, card=cards, count=counts),
    event("contract", {"bid": bids}, by=seats),
    event("turn", {"card": cards}, by=seats),
    event("play", {"card": cards}, by=seats),
    event("withdraw", {"by": seats, "card": cards}),
    event("accuse", {"by": seats, "of": seats}, trick=ordinals, of_deal=ordinals),
    event("transfer", {"by": seats, "of": seats, "tricks": counts}, of_deal=ordinals),
    event("penalty", {"of": seats, "points": points}, by=seats, reason=words),
    event("claim", {"by": seats, "tricks": by_seat(counts)}),
    event(
        "ruling",
        {"of": seats, "verdict": st.sampled_from(["upheld", "rejected", "undecided"])},
        by=texts,
        trick=ordinals,
        of_deal=ordinals,
    ),
]
newer_events = [
    event("bid", {"by": seats, "bid": st.just("?")}),
    event("withdraw", {"by": seats}, bid=bids),
    event("transfer", {"by": seats, "of": seats, "tricks": counts}, of_trick=ordinals),
    event("play", {"card": cards}, by=seats, trick=ordinals, unordered=st.booleans(), marked=st.sampled_from(["revoke", "lead"])),
    event("exchange", {"by": seats}, to=seats, into=keys, of=keys, count=counts, seen=st.booleans(), cards=hands),
    event("show", {"by": seats, "cards": hands}, what=words),
]
#: Options that the games have, under values that they have, and any others.
chosen = st.sampled_from(
    [(option.key, value) for game in games.catalogue() for option in game.options for value in option.values]
)
options = st.lists(chosen, max_size=2).map(dict) | st.dictionaries(keys, values, max_size=2)
decimals = points | st.from_regex(r"-?[0-9]{1,9}\.[0-9]{1,4}", fullmatch=True)
side_names = st.sampled_from(["NS", "EW", "N", "P-3+bastard", "13", "tricks"])
sides = st.dictionaries(side_names, part({}, tricks=counts, score=points, imps=decimals, matchpoints=decimals), max_size=2)


def documents_of(version: str) -> st.SearchStrategy[Data]:
    """Documents of a version, with all that it has."""
    later = version != "1.0"
    events = st.one_of(*event_kinds, *(newer_events if later else ()))
    alerts = {"kind": st.sampled_from(["alert", "explanation"])} if later else {}
    comments = st.lists(part({"text": texts}, by=texts, event=st.integers(1, 20_000), **alerts), max_size=2)
    claims_of_sides = {"sides": sides} if later else {}
    boards = {"board": ordinals, "vulnerable": st.sampled_from(["none", "all"]) | side_names} if later else {}
    deals = part(
        {},
        **boards,
        number=ordinals,
        dealer=seats,
        leader=seats,
        cards=st.integers(1, 256),
        status=st.sampled_from(["complete", "claimed", "stopped", "in_progress"]),
        pack=hands,
        hands=by_seat(hands),
        aside=st.dictionaries(keys, hands, max_size=2),
        events=st.lists(events, max_size=5),
        claimed=part(
            {},
            trump=words,
            bids=by_seat(bids),
            winners=st.lists(seats, max_size=3),
            tricks=by_seat(counts),
            scores=by_seat(points),
            totals=by_seat(points),
            **claims_of_sides,
        ),
        comments=comments,
    )
    return part(
        {
            "format": st.just("handrec"),
            "version": st.just(version),
            "game": st.sampled_from([*games.names(), *games.names(), "fuzz", "_" * 64]),
            "players": st.lists(part({"seat": seats}, name=texts), min_size=1, max_size=4),
            "deals": st.lists(deals, max_size=2),
        },
        options=options,
        status=st.sampled_from(["complete", "stopped", "in_progress", "excerpt"]),
        claimed=part({}, totals=by_seat(points), winners=st.lists(seats, max_size=2), **claims_of_sides),
        comments=comments,
        provenance=part(
            {},
            source=texts,
            kind=st.sampled_from(["server", "scoresheet", "memory", "photo", "archive", "generated", "other"]),
            date=st.sampled_from(["2026", "2026-11", "2026-11-21"]),
            note=texts,
        ),
        extensions=st.dictionaries(texts, values, max_size=2),
        id=texts,
    ).map(lambda data: data | {"$schema": "urn:x"} if "id" in data else data)


documents, newer_documents = documents_of("1.0"), documents_of("1.1")
records = (documents | newer_documents).map(lambda data: settled(Record.model_validate(data))[0])
with_deals = records.filter(lambda record: record.deals)


def reread(text: str, kind: Any = JSON) -> Record:
    (reading,) = kind.read(text.encode(), "f")
    assert {finding.code for finding in reading.findings} <= {"FMT021"}
    assert reading.record is not None
    record: Record = reading.record
    return record


def changed(record: Record, change: Callable[[Data], object]) -> Record:
    """The record with its data changed in place."""
    data = json.loads(line(record))
    change(data)
    return Record.model_validate(data)


# --- layout -------------------------------------------------------------------------------------------------------------

EXAMPLE = Record(
    format="handrec",
    version="1.0",
    game="bridge",
    players=[Player(seat="N", name="Zoë"), Player(seat="E")],
    deals=[
        Deal(
            dealer="E",
            hands={"N": ["AS", "TD"], "E": []},
            events=[Play(by="N", card="AS"), Claim(by="N", tricks={"N": 1, "E": 0})],
            comments=[Comment(text="so\nbe it")],
        ),
        Deal(),
    ],
    extensions={"club": {"table": [1, None]}},
)


def test_the_layout_is_for_reading() -> None:
    """Fields stand in the model's order; an event, a player, a comment or a hand takes one line."""
    assert (
        dumps(EXAMPLE)
        == """\
{
  "format": "handrec",
  "version": "1.0",
  "game": "bridge",
  "players": [
    {"seat": "N", "name": "Zoë"},
    {"seat": "E"}
  ],
  "deals": [
    {
      "dealer": "E",
      "hands": {
        "N": ["AS", "TD"],
        "E": []
      },
      "events": [
        {"do": "play", "by": "N", "card": "AS"},
        {"do": "claim", "by": "N", "tricks": {"N": 1, "E": 0}}
      ],
      "comments": [
        {"text": "so\\nbe it"}
      ]
    },
    {}
  ],
  "extensions": {
    "club": {"table": [1, null]}
  }
}
"""
    )


def test_a_line_is_compact() -> None:
    """A record for JSON Lines is one line with nothing to spare."""
    assert line(
        Record.model_validate({"version": "1.0", "players": [{"seat": "N"}], "format": "handrec", "game": "x", "deals": []})
    ) == ('{"format":"handrec","version":"1.0","game":"x","players":[{"seat":"N"}],"deals":[]}\n')


@some
@given(records)
def test_what_is_written_is_read_back_the_same(record: Record) -> None:
    """Reading what was written gives the same record, stating the same fields, as JSON and as JSON Lines."""
    for kind, text in ((JSON, dumps(record)), (JSONL, line(record)), (JSONL, "\n" + line(record))):
        again = reread(text, kind)
        assert again == record
        assert dumps(again) == dumps(record)
        assert line(again) == line(record)


@some
@given(documents | newer_documents)
def test_nothing_is_added_and_nothing_lost(data: Data) -> None:
    """A document holds after writing just what it held before: no defaults it did not state, and all that it did."""
    assert json.loads(dumps(Record.model_validate(data))) == data


def test_a_field_set_to_nothing_is_absent() -> None:
    """A field that a copy sets to None is left out; null inside of extensions is kept."""
    copy = EXAMPLE.model_copy(update={"id": None, "deals": [Deal(dealer="E").model_copy(update={"dealer": None})]})
    assert json.loads(line(copy))["deals"] == [{}]
    assert "id" not in json.loads(line(copy))
    assert json.loads(line(copy))["extensions"] == {"club": {"table": [1, None]}}


# --- digests ------------------------------------------------------------------------------------------------------------


@some
@given(values)
def test_canonical_json_is_that_of_the_standard(value: Any) -> None:
    """Canonical bytes are those that another implementation of RFC 8785 gives."""
    assert canonical(value) == rfc8785.dumps(value)


@some
@given(with_deals)
def test_the_facts_of_a_deal_are_canonical(record: Record) -> None:
    """Facts hold nothing that canonical JSON has no form for."""
    assert canonical(facts(record, 0)) == rfc8785.dumps(facts(record, 0))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_has_no_canonical_form(value: float) -> None:
    """NaN and infinities are refused."""
    with pytest.raises(ValueError, match="JSON"):
        canonical({"x": value})


def test_the_facts_of_a_deal_name_nobody() -> None:
    """Seats are their places, hands are sorted, officials and comments are left out."""
    ruling = Ruling(by="the director", of="E", verdict="upheld")
    deal = EXAMPLE.deals[0].model_copy(update={"events": [*EXAMPLE.deals[0].events, ruling, Play(by="bastard", card="??")]})
    assert facts(EXAMPLE.model_copy(update={"deals": [deal]}), 0) == {
        "game": "bridge",
        "options": {},
        "players": 2,
        "dealer": "1",
        "hands": {"0": ["AS", "TD"], "1": []},
        "events": [
            {"do": "play", "by": "0", "card": "AS"},
            {"do": "claim", "by": "0", "tricks": {"0": 1, "1": 0}},
            {"do": "ruling", "of": "1", "verdict": "upheld"},
            {"do": "play", "by": "?bastard", "card": "??"},
        ],
    }


def test_a_digest_stays_what_it_is() -> None:
    """The digest of a deal is the same today, tomorrow and on every machine."""
    assert digest(EXAMPLE, 0) == "hr1:2f9a5b0cd90ed1d99247bf44e53bfe65401a2cfa58f12386b92aa30cbc373c0e"


def rename(value: Any, names: dict[str, str]) -> Any:
    """The value with seats renamed wherever they stand, but for the calls and words that look like them."""
    if isinstance(value, dict):
        return {
            names.get(key, key): part
            if key in ("text", "name", "bid", "what", "reason", "game", "options", "aside")
            else rename(part, names)
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [rename(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


@some
@given(with_deals, st.randoms(use_true_random=False), texts)
def test_a_digest_ignores_all_but_facts(record: Record, random: Any, text: str) -> None:
    """Names of players and seats, the order of a hand and of keys, comments, claims and provenance leave the digest alone."""
    due = digest(record, 0)

    def dress(data: Data) -> None:
        deal = data["deals"][0]
        for hand in deal.get("hands", {}).values():
            random.shuffle(hand)
        deal |= {"comments": [{"text": text}], "claimed": {"trump": "S"}, "number": 7, "status": "stopped"}
        data |= {"id": text, "provenance": {"note": text}, "extensions": {text: text}, "claimed": {}, "status": "excerpt"}
        for player in data["players"]:
            player["name"] = text
        data["deals"].append({})

    assert digest(changed(record, dress), 0) == due
    backwards = json.loads(line(record), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert digest(Record.model_validate(backwards), 0) == due
    seated = {player.seat for player in record.players}
    assume(len(seated) == len(record.players))
    names = {seat: f"new-{place}" for place, seat in enumerate(sorted(seated))}
    assert digest(Record.model_validate(rename(json.loads(line(record)), names)), 0) == due


@some
@given(with_deals, st.data())
def test_a_digest_changes_with_any_play(record: Record, data: st.DataObject) -> None:
    """Another card, one play more or less, or two in another order, make another deal."""
    plays = [{"do": "play", "card": card} for card in data.draw(st.lists(cards, min_size=2, max_size=5, unique=True))]
    record = changed(record, lambda it: it["deals"][0].update(events=plays))
    place = data.draw(st.integers(0, len(plays) - 1))
    other = data.draw(cards.filter(lambda card: card != plays[place]["card"]))

    def played(events: list[Data]) -> str:
        return digest(changed(record, lambda it: it["deals"][0].update(events=events)), 0)

    replaced = deepcopy(plays)
    replaced[place]["card"] = other
    variants = [replaced, plays[:place] + plays[place + 1 :], [*plays, plays[place]], plays[::-1]]
    assert digest(record, 0) not in {played(events) for events in variants}
    assert digest(record, 0) == played(plays)


# --- files --------------------------------------------------------------------------------------------------------------


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    """A new file gets the mode that the umask leaves, an old one keeps its own, and nothing else stays behind."""
    path, plain = tmp_path / "a.json", tmp_path / "b.json"
    plain.touch()
    write(path, "é\r\n")
    assert path.read_bytes() == "é\r\n".encode()
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o600)
    write(path, "new\n")
    assert path.read_text() == "new\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(tmp_path.iterdir()) == [path, plain]


def test_a_file_is_not_overwritten_unless_asked(tmp_path: Path) -> None:
    """Without leave to clobber, a file that is there stays as it is."""
    path = tmp_path / "a.json"
    write(path, "old", clobber=False)
    with pytest.raises(FileExistsError):
        write(path, "new", clobber=False)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_writing_leaves_the_old_file(tmp_path: Path) -> None:
    """If the text cannot be written, the file is as before and no scrap is left."""
    path = tmp_path / "a.json"
    write(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write(path, "\ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_was_changed_is_not_written(tmp_path: Path) -> None:
    """What somebody else has written in the meantime stays."""
    path = tmp_path / "a.json"
    path.write_text("theirs")
    with pytest.raises(OSError, match="changed since it was read"):
        write(path, "ours", was=b"as it was read")
    assert path.read_text() == "theirs"
    write(path, "ours", was=b"theirs")
    assert path.read_text() == "ours"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", ["pipe", "directory", "read-only"])
def test_what_is_no_ordinary_file_is_not_written(tmp_path: Path, kind: str) -> None:
    """Neither replaced nor waited for."""
    path = tmp_path / "a.json"
    {"pipe": os.mkfifo, "directory": os.mkdir, "read-only": Path.touch}[kind](path)
    path.chmod(0o500)
    mode = path.stat().st_mode
    with pytest.raises(OSError, match="not written"):
        write(path, "new", was=b"")
    assert path.stat().st_mode == mode
    assert list(tmp_path.iterdir()) == [path]


def test_temporaries_that_nobody_holds_are_swept(tmp_path: Path) -> None:
    """What a killed process left goes when the next one writes there; what is being written, or is none of ours, stays."""
    ours = [".handrec-0123abcd", ".handrec-0123abcd-x_9yabcd"]
    others = [".handrec-rc", ".handrec-0123ABCD", "handrec-0123abcd", ".handrec-0123abcd.json", ".handrec-01234567-01234567.txt"]
    for name in ours + others:
        (tmp_path / name).write_text("half of it")
    (tmp_path / ".handrec-aaaaaaaa").symlink_to(tmp_path / ".handrec-rc")
    (tmp_path / ".handrec-bbbbbbbb").mkdir()
    os.mkfifo(tmp_path / ".handrec-cccccccc")
    strangers = {".handrec-aaaaaaaa", ".handrec-bbbbbbbb", ".handrec-cccccccc"}
    with placed(tmp_path / "held", clobber=False) as held:
        sweep.cache_clear()
        write(tmp_path / "new", "new")
        assert held.exists()
    assert {path.name for path in tmp_path.iterdir()} == {*others, *strangers, "held", "new"}


def test_temporaries_of_others_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another user was writing is none of ours."""
    (tmp_path / ".handrec-01234567-abcdefgh").touch()
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    write(tmp_path / "new", "new")
    assert len(list(tmp_path.iterdir())) == 2


@pytest.fixture(params=[PermissionError(errno.EPERM, "Operation not permitted"), NotImplementedError("os.link not available")])
def no_links(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system without hard links, such as that of a memory stick; a system without, such as a browser."""

    def refuse(*given: object) -> None:
        raise request.param

    monkeypatch.setattr(Path, "hardlink_to", refuse)


def test_without_hard_links_a_name_is_taken_exclusively(tmp_path: Path, no_links: None) -> None:
    """A new file comes whole, what is there stays, and no scrap is left."""
    path, kept = tmp_path / "a.json", tmp_path / "a.json.orig"
    write(path, "old", clobber=False)
    with pytest.raises(FileExistsError):
        write(path, "new", clobber=False)
    assert path.read_text() == "old"
    path.chmod(0o600)
    keep(path, kept)
    assert (kept.read_text(), kept.stat().st_mode & 0o777, is_kept(path, kept)) == ("old", 0o600, True)
    with pytest.raises(FileExistsError):
        keep(path, kept)
    path.write_text("other")
    assert not is_kept(path, kept)
    assert sorted(tmp_path.iterdir()) == [path, kept]


@pytest.mark.parametrize(("failure", "killed"), [(OSError, False), (KeyboardInterrupt, False), (KeyboardInterrupt, True)])
def test_a_name_that_was_taken_for_nothing_is_given_back(
    tmp_path: Path, no_links: None, monkeypatch: pytest.MonkeyPatch, failure: type[BaseException], killed: bool
) -> None:
    """Where it fails between the name and the file it is undone, at once or by the next run; an empty file of others stays."""
    path, theirs = tmp_path / "a.json", tmp_path / "b.json"
    theirs.touch()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", lambda *given: (_ for _ in ()).throw(failure))
        if killed:  # and nothing is tidied up
            patch.setattr(Path, "unlink", lambda *given, **named: None)
        with pytest.raises(failure):
            write(path, "new", clobber=False)
    assert path.exists() is killed
    sweep.cache_clear()
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == [theirs]


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    """A symbolic link is refused, dangling or not, and what it leads to is left alone."""
    target, link, dangling = tmp_path / "target", tmp_path / "link", tmp_path / "dangling"
    target.write_text("old")
    link.symlink_to(target)
    dangling.symlink_to(tmp_path / "nowhere")
    for path in (link, dangling):
        with pytest.raises(OSError, match="symbolic link"):
            write(path, "new")
    assert target.read_text() == "old"
    assert not (tmp_path / "nowhere").exists()
