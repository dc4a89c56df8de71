"""HDDL and PDDL as nested lists: written, and read back.

>>> show(["and", ["at", "?x"], ["not", ["at", "?y"]]])
'(and (at ?x) (not (at ?y)))'
>>> parse("(a (b c) d)")
['a', ['b', 'c'], 'd']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Union

Form = Union[str, Sequence[Any]]

_WORD = re.compile(r"[()]|[^\s()]+")


def show(form: Form) -> str:
    """A form as text."""
    if isinstance(form, str):
        return form
    return "(" + " ".join(map(show, form)) + ")"


def parse(text: str) -> list[Any]:
    """The one form of a text without comments, such as this package writes."""
    open_lists: list[list[Any]] = [[]]
    for found in _WORD.finditer(text):
        word = found.group()
        if word == "(":
            open_lists.append([])
        elif word == ")":
            done = open_lists.pop()
            open_lists[-1].append(done)
        else:
            open_lists[-1].append(word)
    (form,) = open_lists[0]
    assert isinstance(form, list)
    return form


def typed(names: Iterable[tuple[str, str]]) -> list[str]:
    """Names with their types, as a list of parameters has them."""
    return [word for name, kind in names for word in (name, "-", kind)]


def untyped(words: Sequence[Any], default: str = "object") -> list[tuple[str, list[str]]]:
    """The other way: each name with its types; several after `either`."""
    found: list[tuple[str, list[str]]] = []
    waiting: list[str] = []
    at = 0
    while at < len(words):
        if words[at] == "-":
            kind = words[at + 1]
            kinds = [kind] if isinstance(kind, str) else list(kind[1:])
            found += [(name, kinds) for name in waiting]
            waiting = []
            at += 2
        else:
            waiting.append(words[at])
            at += 1
    return found + [(name, [default]) for name in waiting]
