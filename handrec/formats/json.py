"""JSON: one record a file. Read strictly, checked against the model, and every fault told in plain words with its place."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import groupby, islice
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from handrec import games, writing
from handrec import record as model
from handrec.cards import CARD_PATTERN, meant, respell
from handrec.findings import Finding
from handrec.formats import Format, Reading
from handrec.formats.quick import quick
from handrec.formats.strict import Places, clip, decode, pointer
from handrec.formats.untold import settled
from handrec.game import compose
from handrec.limits import MAX_ERRORS, MAX_FINDINGS
from handrec.record import FIRST, KINDS, LATEST, OWN, Record
from handrec.referee.form import FORM
from handrec.versions import brought, minor, newer

PARTS: dict[str, type[BaseModel]] = {
    "players": model.Player,
    "deals": model.Deal,
    "comments": model.Comment,
    "provenance": model.Provenance,
}
TYPES = {
    "int_type": "a whole number",
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}
SAYINGS = {
    "missing": "is missing",
    "too_short": "should hold {min_length} or more",
    "too_long": "should hold {max_length} or fewer",
    "string_too_long": "should hold {max_length} characters or fewer",
    "greater_than_equal": "should be at least {ge}, not {found}",
    "less_than_equal": "should be at most {le}, not {found}",
    "literal_error": "should be {expected}, not {found}",
    "union_tag_invalid": 'does not say what was done in a word: "do" is one of {kinds}',
    "union_tag_not_found": 'does not say what was done: "do" is one of {kinds}',
}


def _pattern(kind: Any) -> str:
    return next(str(part.pattern) for part in get_args(kind)[1].metadata if hasattr(part, "pattern"))


SHAPES = {
    CARD_PATTERN: "a card, such as AS, TD or ??",
    _pattern(model.Seat): "the name of a seat (1 to 16 of A-Z a-z 0-9 _ -)",
    _pattern(model.Word): "a word (1 to 32 of A-Z a-z 0-9 _ + . -)",
    _pattern(model.Side): "the name of a side (its seats, such as NS or P1+P3)",
    _pattern(model.Decimal): "a number such as 12.5",
    _pattern(model.Key): "a name (1 to 64 of A-Z a-z 0-9 _, no digit first)",
}


class ModelFault(NamedTuple):
    """One of pydantic's errors: what kind, what it means, the path to it, what holds the value, and the value found."""

    kind: str
    context: dict[str, Any]
    path: list[str | int]
    of_key: bool
    holder: Any
    found: Any


def reading(data: bytes, path: str, line: int = 1) -> Reading:
    """What the bytes of one record say, which begin in the given line of a file."""
    seen = quick(data)
    if seen is not None:
        seen, remarks = settled(seen)
        return Reading(seen, remarks, Places(path, data.decode(), line, parsed=True))
    decoded = decode(data, path, line)
    findings = decoded.findings
    broken = any(finding.severity == "error" for finding in findings)
    if not decoded.places.parsed or any(finding.code == "FMT005" for finding in findings):
        return Reading(None, tuple(findings), decoded.places)
    record, faults = load(decoded.value)
    told = {finding.pointer for finding in findings if finding.severity == "error"}
    findings += [finding for finding in faults if finding.pointer not in told]
    return Reading(None if broken else record, tuple(findings), decoded.places)


def load(data: Any) -> tuple[Record | None, list[Finding]]:
    """The record that decoded JSON stands for, or None, and what is wrong with it. Cards are respelled in `data` itself.

    A status that is not stated is told by the deals: see `untold`.
    """
    record, findings = as_stated(data)
    if record is not None:
        record, remarks = settled(record)
        findings += remarks
    return record, findings


def as_stated(data: Any) -> tuple[Record | None, list[Finding]]:
    """The same, with no more than is stated."""
    findings = list(_version(data))
    if any(finding.code == "FMT006" for finding in findings):
        return None, findings
    outcome = _validate(data)
    if isinstance(outcome, ValidationError) and _more_kinds(data):
        outcome = _validate(data)
    if isinstance(outcome, ValidationError) and outcome.error_count() <= MAX_ERRORS:
        spelled = _respell(outcome, data)
        findings += spelled
        outcome = _validate(data) if spelled else outcome
    if isinstance(outcome, Record):
        why = f"this is not in version {FIRST}, only since {LATEST}"
        faults = [(where, f"no event {_words(do)} is known{_meant(do, [*OWN])}") for where, do in _strangers(outcome)]
        faults = faults or [
            (where, why) for where in (() if minor(outcome.version) else newer(outcome.deals, outcome.claimed, outcome.comments))
        ]
        findings += [Finding(FORM["FMT007"], {"where": where, "why": why}, where) for where, why in faults[:MAX_FINDINGS]]
        return None if any(finding.code == "FMT007" for finding in findings) else outcome, findings
    return None, findings + list(islice(_faults(outcome, data), MAX_FINDINGS)) + _too_many(outcome)


def _validate(data: Any) -> Record | ValidationError:
    try:
        return Record.model_validate(data)
    except ValidationError as error:
        return error


def _more_kinds(data: Any) -> bool:
    """Whether the game of a record brings kinds of event that were not known before it was looked for."""
    before = len(KINDS)
    return isinstance(data, dict) and isinstance(key := data.get("game"), str) and bool(games.find(key)) and len(KINDS) > before


def _strangers(record: Record) -> Iterator[tuple[str, str]]:
    """The events of kinds that are neither the record's own nor its game's: where, and of what kind."""
    if events := [*brought(record.deals)]:
        game = games.find(record.game)
        taken = () if game is None else compose(game, record.options)[0].phase_of
        yield from ((where, event.do) for where, event in events if event.do not in taken)


def _version(data: Any) -> Iterator[Finding]:
    """What is wrong with the format and version a record names."""
    if not isinstance(data, dict):
        several = " (several records make a .jsonl file, one a line)" if isinstance(data, list) else ""
        yield Finding(FORM["FMT006"], {"why": f"a record is an object, not {_words(data)}{several}"})
        return
    form, version = data.get("format"), data.get("version")
    if form != model.FORMAT:
        found = f", not {_words(form)}" if "format" in data else ""
        yield Finding(FORM["FMT006"], {"why": f'"format" should be "{model.FORMAT}"{found}'}, "/format")
    elif not isinstance(version, str) or not re.fullmatch(r"[0-9]{1,3}\.[0-9]{1,3}", version):
        found = f", not {_words(version)}" if "version" in data else ""
        yield Finding(FORM["FMT006"], {"why": f'"version" should be such as "{FIRST}"{found}'}, "/version")
    else:
        major, ours = version.partition(".")[0], FIRST.partition(".")[0]
        if int(major) != int(ours):
            yield Finding(FORM["FMT006"], {"why": f"version {version} is not known here, only {ours}.x"}, "/version")
        elif minor(version) > minor(LATEST):
            yield Finding(FORM["FMT014"], {"found": version, "known": LATEST}, "/version")


def _respell(error: ValidationError, data: Any) -> list[Finding]:
    """Respell the cards that are written in another way than ours; one warning for each way, where it first stands."""
    warnings: dict[str, Finding] = {}
    for fault in _traced(error, data):
        if fault.context.get("pattern") == CARD_PATTERN and not fault.of_key:
            due = respell(fault.found)
            if due is not None:
                fault.holder[fault.path[-1]] = due
                facts = {"found": clip(fault.found), "due": due}
                warnings.setdefault(fault.found, Finding(FORM["FMT016"], facts, pointer(fault.path)))
    return list(warnings.values())


def _too_many(error: ValidationError) -> list[Finding]:
    count = error.error_count()
    facts = {"what": f"the number of faults of form ({count})", "limit": f"{MAX_FINDINGS} that are told"}
    return [Finding(FORM["FMT002"], facts)] if count > MAX_FINDINGS else []


def _faults(error: ValidationError, data: Any) -> Iterator[Finding]:
    """Everything in which the data differs from the schema, in the order of the model."""
    if error.error_count() > MAX_ERRORS:
        return
    for (where, _), together in groupby(_traced(error, data), key=lambda fault: (pointer(fault.path), fault.of_key)):
        faults = list(together)
        # A value that may have either of two types fails at both; only the one it was meant for is worth telling.
        telling = [
            fault for fault in faults if fault.kind not in TYPES and not (len(faults) > 1 and fault.kind == "literal_error")
        ]
        if telling:
            why = _why(telling[0])
        else:
            due = " or ".join(TYPES[fault.kind] for fault in faults if fault.kind in TYPES)
            why = f"should be {due}, not {_words(faults[0].found)}"
            if faults[0].found is None:
                why += " (what was not recorded is left out)"
        yield Finding(FORM["FMT007"], {"where": where or "the record", "why": why}, where)


def _traced(error: ValidationError, data: Any) -> Iterator[ModelFault]:
    return (_trace(details, data) for details in error.errors(include_url=False, include_input=False))


def _trace(details: ErrorDetails, data: Any) -> ModelFault:
    """Follow pydantic's path through the data; its names for members of unions are no part of ours."""
    steps, kind = details["loc"], details["type"]
    if steps[:1] == ("deals",) and steps[2:3] == ("events",):
        steps = steps[:4] + steps[5:]
    path: list[str | int] = []
    holder, found = None, data
    for step in steps:
        inside = step in found if isinstance(found, dict) else isinstance(found, list) and isinstance(step, int)
        if inside:
            holder, found = found, found[step]
        elif kind == "missing":
            holder, found = found, None
        else:
            continue
        path.append(step)
    return ModelFault(kind, {"message": details["msg"], **details.get("ctx", {})}, path, steps[-1:] == ("[key]",), holder, found)


def _why(fault: ModelFault) -> str:
    name = str(fault.path[-1]) if fault.path else ""
    found = _words(name if fault.of_key else fault.found)
    if fault.kind == "extra_forbidden":
        known = [field.alias or name for name, field in _part(fault).model_fields.items()]
        return f"no such field{_meant(name, known)}"
    if fault.kind == "union_tag_invalid" and isinstance(kind := fault.found["do"], str):
        return f"no event {_words(kind)} is known{_meant(kind, [*OWN])}"
    if fault.kind == "string_pattern_mismatch":
        pattern = fault.context["pattern"]
        hint = meant(str(fault.found)) if pattern == CARD_PATTERN and not fault.of_key else ""
        return f"{found} is not {SHAPES.get(pattern, 'of the form ' + pattern)}" + (f" (write {hint})" if hint else "")
    saying = SAYINGS.get(fault.kind, "{message}")
    if fault.kind == "greater_than_equal" and type(fault.found) is int and fault.found < 0:
        saying += f" (did you mean {-fault.found}?)"
    if fault.kind == "literal_error" and isinstance(fault.found, str):
        near = get_close_matches(clip(fault.found), re.findall(r"'(\w+)'", fault.context["expected"]), 1)
        saying += f' (did you mean "{near[0]}"?)' if near else ""
    return clip(saying.format_map(fault.context | {"found": found, "kinds": ", ".join(OWN)}), 200)


def _part(fault: ModelFault) -> type[BaseModel]:
    """The part of the record that an unknown field stands in."""
    if fault.path[:1] == ["deals"] and fault.path[2:3] == ["events"]:
        return KINDS[fault.holder["do"]].model
    names = [step for step in fault.path[:-1] if isinstance(step, str)]
    if names[-3:-1] == ["claimed", "sides"]:
        return model.SideClaims
    if names and names[-1] == "claimed":
        return model.DealClaims if "deals" in names else model.GameClaims
    return PARTS[names[-1]] if names else Record


def _meant(word: str, known: list[str]) -> str:
    close = get_close_matches(clip(word), known, 1)
    return f' (did you mean "{close[0]}"?)' if close else f" (there are: {', '.join(known)})"


def _words(value: Any) -> str:
    """A value as a message shows it: short, and lists and objects not at all."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, str):
        return f'"{clip(value)}"'
    return json.dumps(value)


def read(data: bytes, name: str) -> Iterator[Reading]:
    """The one record of a file."""
    yield reading(data, name)


def sniff(head: bytes) -> bool:
    """Whether a file begins like a JSON object or list."""
    return head.removeprefix(BOM_UTF8).lstrip().startswith((b"{", b"["))


FORMAT = Format("json", "JSON, one record a file", read, sniff, writing.dumps)
