"""The published schema: made from the model, never changed once published, and of one mind with the loader."""

from __future__ import annotations

import hashlib
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from test_writing import documents

from handrec.formats.json import reading
from handrec.schema import VERSIONS, record_schema, text

SCHEMAS = Path(__file__).parent.parent / "schemas"
SHA256 = {
    "1.0": "29baa66a93f7f346a0553b8f7e0bd60f1787ddfdb8e54bb175ddb179559b4c4a",
    "1.1": "66775d9abd55d525b811359fbfd4535853c9d50e4747a3081efe325b3804df1b",
}
VALIDATOR = Draft202012Validator(record_schema("1.0"))

some = settings(deadline=None, derandomize=True, max_examples=60)
Data = dict[str, Any]
GOOD: Data = {"format": "handrec", "version": "1.0", "game": "x", "players": [{"seat": "N"}], "deals": []}


def published(version: str) -> Path:
    """The file of a published schema."""
    return SCHEMAS / f"record-{version}.schema.json"


def loads(document: Any) -> bool:
    """Whether the loader has nothing to say about a document's form but that it is of a newer minor version."""
    codes = {finding.code for finding in reading(json.dumps(document).encode(), "f").findings}
    return codes <= {"FMT014", "FMT021"}


@pytest.mark.parametrize("version", SHA256)
def test_the_published_schema_is_that_of_the_model(version: str) -> None:
    """Whoever changes the model sees that a published schema no longer says the same."""
    assert published(version).read_text(encoding="utf-8") == text(version)


@pytest.mark.parametrize("version", SHA256)
def test_a_published_schema_never_changes(version: str) -> None:
    """The file of a version is what it was when it was published; another schema is another version."""
    assert hashlib.sha256(published(version).read_bytes()).hexdigest() == SHA256[version]


def test_every_version_is_published() -> None:
    assert [*SHA256] == [*VERSIONS]
    assert {path.name for path in SCHEMAS.glob("*.json")} == {published(version).name for version in SHA256}


@pytest.mark.parametrize(("version", "name"), [("1.0", "urn:handrec:schema:record:1.0"), ("1.1", "urn:handrec:record:1.1")])
def test_the_schema_is_a_schema(version: str, name: str) -> None:
    """It is valid under the 2020-12 metaschema, says so, and has a versioned name of its own."""
    schema = record_schema(version)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert schema["$id"] == name
    assert "discriminator" not in text(version)
    assert '"default": null' not in text(version)
    assert '"since"' not in text(version)
    assert '"optional"' not in text(version)


@some
@given(documents)
def test_every_valid_record_is_valid_to_both(document: Data) -> None:
    """What the schema allows loads without a word, but for what a status that is not stated is taken for."""
    assert VALIDATOR.is_valid(document)
    assert loads(document)


def nodes(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every value in a document but the document itself."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, part in inside for found in [(*path, key), *nodes(part, (*path, key))]]


OTHER = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        1001,
        10**9 + 1,
        1.5,
        "",
        "x y",
        "N",
        "AS",
        "♠A",
        "10d",
        "x" * 33,
        "é",
        "1.3",
        "bid",
        [],
        [None],
        {},
        {"N": 1.5},
    ]
)


@some
@given(documents, st.data())
def test_schema_and_loader_agree_on_what_is_wrong(document: Data, data: st.DataObject) -> None:
    """With a field dropped, renamed, added or of another value, a document is valid exactly when it loads."""
    document = deepcopy(document)
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(nodes(document)))
        holder: Any = document
        for step in path[:-1]:
            holder = holder[step]
        change = data.draw(st.sampled_from(["drop", "replace", "rename", "add"]))
        if change == "replace" or isinstance(holder, list):
            holder[path[-1]] = data.draw(OTHER)
        elif change == "add":
            holder[data.draw(st.sampled_from(["x", "by", "do", "no good", "[key]", "2x"]))] = data.draw(OTHER)
        else:
            value = holder.pop(path[-1])
            if change == "rename":
                holder[data.draw(st.sampled_from(["x", "of", "N", "é", ""]))] = value
    assert VALIDATOR.is_valid(document) == loads(document), document


@pytest.mark.parametrize(
    ("changes", "valid"),
    [
        ({}, True),
        ({"version": "1.9"}, True),
        ({"version": "2.0"}, False),
        ({"version": "1"}, False),
        ({"format": "pbn"}, False),
        ({"id": None}, False),
        ({"schema_": "urn:x"}, False),
        ({"$schema": "urn:x"}, True),
        ({"options": {"a": None, "b": [1, {"c": "d"}]}}, True),
        ({"options": {"a b": 1}}, False),
        ({"options": {"a": [{"b": 0.5}]}}, False),
        ({"extensions": {"": [2**53 - 1]}}, True),
        ({"extensions": {"": [2**53]}}, False),
        ({"deals": [{"events": [{"card": "AS"}]}]}, False),
        ({"deals": [{"events": [{"do": "play", "card": "AS"}]}]}, True),
        ({"deals": [{"events": [{"do": "play", "card": "aS"}]}]}, False),
        ({"deals": [{"events": [{"do": "bid", "by": "N", "bid": True}]}]}, False),
        ({"deals": [{"hands": {"N N": []}}]}, False),
        ({"deals": [{"pack": ["AS"] * 257}]}, False),
        ({"players": [{"seat": "N", "name": "🂡" * 1000}]}, True),
        ({"players": [{"seat": "N", "name": "🂡" * 1001}]}, False),
    ],
)
def test_schema_and_loader_agree_on_the_borders(changes: Data, valid: bool) -> None:
    """At each border of the model both say the same, and the right thing."""
    assert VALIDATOR.is_valid(GOOD | changes) is valid
    assert loads(GOOD | changes) is valid


def test_the_loader_is_stricter_only_where_no_schema_can_speak() -> None:
    """A number written 1.0 is an integer to a schema; the loader wants it written 1."""
    document = GOOD | {"deals": [{"cards": 1.0}]}
    assert VALIDATOR.is_valid(document)
    assert not loads(document)
