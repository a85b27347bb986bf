"""Conditions over what a template captures: `reserved > request and key == 'v'`.

Comparisons of a placeholder's name with a number, a quoted text or another name, joined by
`and`, `or` and parentheses. Sizes are compared in bytes, times in seconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from generator.load.words import did_you_mean, quote
from generator.signatures.template import Template, TemplateError

#: Groups inside groups; deeper ones are nobody's condition.
MAX_DEPTH = 8

_TOKEN = re.compile(
    r"""[ \t\n]*(?:
        (?P<number>[-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?(?:[eE][-+]?[0-9]{1,2})?(?![A-Za-z0-9_.]))
      | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<text>'[^'\n]*'|"[^"\n]*")
      | (?P<operator>==|!=|<=|>=|<|>)
      | (?P<bracket>[()])
    )""",
    re.VERBOSE | re.ASCII,
)
_UNIT = re.compile(r"[-+]?[0-9.]+[ \t]*([A-Za-z]+)", re.ASCII)
_NO_UNITS = "numbers have no unit here: sizes are compared in bytes, times in seconds"
_NUMERIC = frozenset({"int", "num", "size", "time"})


@dataclass(frozen=True, slots=True)
class Name:
    """What a named placeholder captured; `kind` is the placeholder's."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Number:
    value: int | float


@dataclass(frozen=True, slots=True)
class Text:
    value: str


Operand = Name | Number | Text


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`, with `==`, `!=`, `<`, `<=`, `>` or `>=`."""

    left: Operand
    operator: str
    right: Operand


@dataclass(frozen=True, slots=True)
class AllOf:
    """Two or more conditions joined by `and`."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Two or more conditions joined by `or`."""

    conditions: tuple[Condition, ...]


Condition = Comparison | AllOf | AnyOf


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


def parse_condition(text: str, template: Template) -> Condition:
    """Parses a condition.

    Args:
        text: the condition.
        template: whose named placeholders it compares.

    Raises:
        TemplateError: the first thing that is wrong.
    """
    return _Parser(text, template.names).parse()


class _Parser:
    def __init__(self, text: str, names: dict[str, str]) -> None:
        self._text = text
        self._names = names
        self._tokens = _tokens(text)
        self._next = 0
        self._depth = 0

    def parse(self) -> Condition:
        condition = self._any_of()
        token = self._peek()
        if token.kind == "operator":
            raise TemplateError(
                "comparisons do not chain; write 'a < b and b < c' for 'a < b < c'", token.at
            )
        after_number = self._tokens[self._next - 1].kind == "number"
        if token.kind == "word" and after_number and token.text not in self._names:
            raise TemplateError(_NO_UNITS, token.at)
        if token.kind != "end":
            raise TemplateError(f"expected 'and' or 'or', not {quote(token.text)}", token.at)
        return condition

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._tokens[self._next]
        if token.kind != "end":
            self._next += 1
        return token

    def _any_of(self) -> Condition:
        conditions = [self._all_of()]
        while self._peek().text == "or":
            self._take()
            conditions.append(self._all_of())
        return conditions[0] if len(conditions) == 1 else AnyOf(tuple(conditions))

    def _all_of(self) -> Condition:
        conditions = [self._single()]
        while self._peek().text == "and":
            self._take()
            conditions.append(self._single())
        return conditions[0] if len(conditions) == 1 else AllOf(tuple(conditions))

    def _single(self) -> Condition:
        token = self._peek()
        if token.text != "(":
            return self._comparison()
        self._take()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise TemplateError(f"more than {MAX_DEPTH} groups inside each other", token.at)
        condition = self._any_of()
        self._depth -= 1
        if self._take().text != ")":
            raise TemplateError("this '(' is never closed", token.at)
        return condition

    def _comparison(self) -> Comparison:
        first = self._peek()
        left = self._operand()
        token = self._take()
        if token.kind != "operator":
            got = f", not {quote(token.text)}" if token.text else ""
            raise TemplateError(f"expected a comparison (== != < <= > >=){got}", token.at)
        right = self._operand()
        self._check_kinds(left, token, right, first.at)
        return Comparison(left, token.text, right)

    def _operand(self) -> Operand:
        token = self._take()
        if token.kind == "number":
            text = token.text
            whole = not set(text) & set(".eE")
            return Number(int(text) if whole else float(text))
        if token.kind == "text":
            return Text(token.text[1:-1])
        if token.kind != "word" or token.text in ("and", "or"):
            got = f", not {quote(token.text)}" if token.text else ", but the condition ends"
            raise TemplateError(
                f"expected the name of a placeholder, a number or a quoted text{got}", token.at
            )
        if token.text == "not":
            raise TemplateError("'not' is no part of conditions; turn the comparison", token.at)
        kind = self._names.get(token.text)
        if kind is None:
            raise TemplateError(self._unknown(token.text), token.at)
        return Name(token.text, kind)

    def _unknown(self, name: str) -> str:
        guess = did_you_mean(name, self._names)
        if not self._names:
            way_out = "; the template names none, write for example <size:request>"
        elif guess:
            way_out = guess
        else:
            way_out = f"; it names {', '.join(self._names)} (a text is put in quotes)"
        return f"no placeholder of the template is named {quote(name)}{way_out}"

    def _check_kinds(self, left: Operand, operator: _Token, right: Operand, at: int) -> None:
        names = [side for side in (left, right) if isinstance(side, Name)]
        if not names:
            raise TemplateError("compares two fixed values; one side must be a placeholder", at)
        if len(names) == 2 and names[0] == names[1]:
            raise TemplateError(f"compares {quote(names[0].name)} with itself", at)
        numeric = [_is_numeric(side) for side in (left, right)]
        if numeric[0] != numeric[1]:
            raise TemplateError(
                f"compares {_describe(left)} with {_describe(right)}; "
                "a number is written without quotes, a text in quotes",
                at,
            )
        if not numeric[0] and operator.text not in ("==", "!="):
            raise TemplateError("texts are compared with == and != only", operator.at)
        units = {side.kind for side in names} & {"size", "time"}
        if len(units) == 2:
            raise TemplateError(f"compares {_describe(left)} with {_describe(right)}", at)


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None:
            at = len(text) - len(text[at:].lstrip())
            raise TemplateError(_strange(text, at), at)
        kind = str(found.lastgroup)
        tokens.append(_Token(kind, found[kind], found.start(kind)))
        at = found.end()
    tokens.append(_Token("end", "", end))
    return tokens


def _strange(text: str, at: int) -> str:
    if _UNIT.match(text, at):
        return _NO_UNITS
    if text[at] in "'\"":
        return "this quote is never closed"
    if text[at] == "=":
        return "'=' is written '=='"
    if text[at] in "+-*/%":
        return f"{quote(text[at])} is not possible; conditions only compare"
    if text[at] in "&|":
        return f"{quote(text[at])} is written {'and' if text[at] == '&' else 'or'!r}"
    if text[at] == "!":
        return "'not' is no part of conditions; turn the comparison"
    return f"{quote(text[at])} is not expected here"


def _is_numeric(side: Operand) -> bool:
    return isinstance(side, Number) or (isinstance(side, Name) and side.kind in _NUMERIC)


def _describe(side: Operand) -> str:
    if isinstance(side, Name):
        return f"{side.name} (<{side.kind}>)"
    if isinstance(side, Number):
        return f"the number {side.value}"
    return f"the text {quote(side.value)}"
