"""The JSON Schema of a record, made from the model. `schemas/` holds the published copies, which are never read here."""

from __future__ import annotations

import json
from typing import Any

from handrec.limits import MAX_NUMBER
from handrec.record import FIRST, LATEST, Record

#: What an option or an extension may hold: any JSON that has no fractions.
VALUE: dict[str, Any] = {
    "description": "Any JSON whose numbers are whole and of moderate size",
    "type": ["object", "array", "string", "integer", "boolean", "null"],
    "additionalProperties": {"$ref": "#/$defs/Value"},
    "items": {"$ref": "#/$defs/Value"},
    "minimum": -MAX_NUMBER,
    "maximum": MAX_NUMBER,
}


#: What each schema is called.
NAMES = {FIRST: "urn:handrec:schema:record:1.0", LATEST: "urn:handrec:record:1.1"}
#: The versions that a schema speaks of: the first that was published of all, so as to outlive it, the last not of that one.
VERSIONS = {FIRST: r"^1\.[0-9]{1,3}$", LATEST: r"^1\.0{0,2}[1-9][0-9]{0,2}$"}


def record_schema(version: str = LATEST) -> dict[str, Any]:
    """The schema (2020-12) of a record: a document is valid exactly when the loader has nothing to say about its form.

    Only what no schema can say is left to the loader: keys that stand twice, how numbers are written, size and depth.
    The schema of 1.1 is of documents that say so; those of 1.0 are closed to its fields.
    """
    schema = Record.model_json_schema()
    newer = [name for name, part in schema["$defs"].items() if part.get("since") not in (None, version)]
    schema = _tidy(schema, version, {f"#/$defs/{name}" for name in newer})
    schema["properties"]["version"]["pattern"] = VERSIONS[version]
    return {
        **schema,
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": NAMES[version],
        "title": f"Hand record, version {version}",
        "$defs": {**schema["$defs"], "Value": VALUE},
    }


def text(version: str = LATEST) -> str:
    """The schema as it is published."""
    return json.dumps(record_schema(version), sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def _tidy(node: Any, version: str, newer: set[str]) -> Any:
    """A schema of pydantic's without its words for Python and OpenAPI, as closed as the model is.

    It has nothing that is newer than the version: neither what says so itself, nor what refers to any of `newer`.
    """
    if isinstance(node, list):
        return [_tidy(part, version, newer) for part in node if not _newer(part, version, newer)]
    if not isinstance(node, dict):
        return node
    words = ("discriminator", "properties", "$defs", "since", "optional")
    tidy = {key: _tidy(part, version, newer) for key, part in node.items() if key not in words}
    for key in node.keys() & {"properties", "$defs"}:
        tidy[key] = {name: _tidy(part, version, newer) for name, part in node[key].items() if not _newer(part, version, newer)}
    due = [name for name, part in node.get("properties", {}).items() if part.get("optional", version) != version]
    if due:
        tidy["required"] = sorted({*tidy.get("required", ()), *due}, key=list(tidy["properties"]).index)
    if tidy.get("default", 0) is None:
        del tidy["default"]  # absent, not null
    if tidy.get("additionalProperties") is True:
        tidy["additionalProperties"] = {"$ref": "#/$defs/Value"}
    if "patternProperties" in tidy:
        patterns = tidy["patternProperties"]
        tidy["patternProperties"] = {key: part or {"$ref": "#/$defs/Value"} for key, part in patterns.items()}
        tidy["additionalProperties"] = False
    constants = [name for name, part in tidy.get("properties", {}).items() if "const" in part]
    if constants:  # what tells events apart has a default in Python only
        tidy["required"] = sorted({*tidy.get("required", ()), *constants}, key=list(tidy["properties"]).index)
        for name in constants:
            tidy["properties"][name].pop("default", None)
    return tidy


def _newer(node: Any, version: str, newer: set[str]) -> bool:
    return isinstance(node, dict) and (node.get("since") not in (None, version) or node.get("$ref") in newer)
