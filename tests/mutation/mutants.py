"""The mutants of a source file: one small change each, by the operators named here."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

#: Operators of Python, each with what it is changed into.
COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """A change: its operator, the lines it touches (from 1), and the source with the change; `words` say what became what."""

    operator: str
    first: int
    last: int
    words: str
    source: bytes


def _comparison(node: ast.AST) -> Iterator[ast.AST]:
    """`<` to `<=`, `==` to `!=`, `in` to `not in`, and so on."""
    if isinstance(node, ast.Compare):
        for place, each in enumerate(node.ops):
            ops = [*node.ops]
            ops[place] = COMPARISONS[type(each)]()
            yield ast.Compare(node.left, ops, node.comparators)


def _arithmetic(node: ast.AST) -> Iterator[ast.AST]:
    """`+` to `-`, `&` to `|`, `<<` to `>>`, and so on."""
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    if isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)


def _logic(node: ast.AST) -> Iterator[ast.AST]:
    """`and` to `or` and back; one operand left out; `not` left out."""
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for place in range(len(node.values)):
            rest = [*node.values[:place], *node.values[place + 1 :]]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand


def _condition(node: ast.AST) -> Iterator[ast.AST]:
    """A condition turned round: of `… if …`, and of a comprehension left out."""
    if isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp):
        for place, each in enumerate(node.generators):
            if each.ifs:
                bare = ast.comprehension(each.target, each.iter, [], each.is_async)
                yield type(node)(node.elt, [*node.generators[:place], bare, *node.generators[place + 1 :]])


def _constant(node: ast.AST) -> Iterator[ast.AST]:
    """A number to the next; True to False and back."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)


def _call(node: ast.AST) -> Iterator[ast.AST]:
    """`min` to `max`, `any` to `all`, and back."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES:
        yield ast.Call(ast.Name(NAMES[node.func.id]), node.args, node.keywords)


def _statement(node: ast.AST) -> Iterator[ast.AST]:
    """A call, a change in place, `continue` or `break` left out."""
    lost = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    kept = isinstance(node, ast.Assign) and all(isinstance(each, ast.Attribute | ast.Subscript) for each in node.targets)
    if lost or kept or isinstance(node, ast.AugAssign | ast.Continue | ast.Break | ast.Delete):
        yield ast.Pass()


def _result(node: ast.AST) -> Iterator[ast.AST]:
    """Nothing is returned."""
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield ast.Return(ast.Constant(None))


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


#: The operators by name: what a part of a program is changed into.
OPERATORS: dict[str, Callable[[ast.AST], Iterator[ast.AST]]] = {
    "comparison": _comparison,
    "arithmetic": _arithmetic,
    "logic": _logic,
    "condition": _condition,
    "constant": _constant,
    "call": _call,
    "statement": _statement,
    "result": _result,
}


def mutants(source: bytes) -> Iterator[Mutant]:
    """Every mutant of a file, in the order of its lines; types, texts and what only checkers of types see stay as they are."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for node in _parts(ast.parse(source)):
        begin, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        was = source[begin:end]
        for name, operator in OPERATORS.items():
            for other in operator(node):
                text = ast.unparse(ast.fix_missing_locations(other))
                put = (text if isinstance(other, ast.stmt) else f"({text})").encode()
                words = f"{_short(was)} -> {_short(put)}"
                yield Mutant(name, node.lineno, node.end_lineno, words, source[:begin] + put + source[end:])


def _short(text: bytes) -> str:
    return " ".join(text.decode().split())[:90]


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a program that do something, in order; the places inside a formatted text are not told."""
    for name, value in ast.iter_fields(node):
        for part in value if isinstance(value, list) else [value]:
            if name in ("annotation", "returns", "decorator_list") or isinstance(
                part, ast.JoinedStr | ast.Import | ast.ImportFrom
            ):
                continue
            if isinstance(part, ast.AST) and not _for_types(part):
                if hasattr(part, "lineno"):
                    yield part
                yield from _parts(part)


def _for_types(node: ast.AST) -> bool:
    """Whether only a checker of types sees what stands there."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.Assign):
        return any(isinstance(each, ast.Name) and each.id == "__all__" for each in node.targets)
    return False
