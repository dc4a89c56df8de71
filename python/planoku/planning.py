"""Planning: domains and problems in HDDL or PDDL, as texts or as paths.

>>> from planoku import examples
>>> found = plan(examples.DOMAIN, examples.PROBLEM)
>>> found.status, found.length
('solved', 3)
>>> verify(examples.DOMAIN, examples.PROBLEM, found.text).valid
True
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union, cast

from . import _core

__all__ = ["Diagnostic", "PlanResult", "Verdict", "check", "ground", "plan", "verify"]

Source = Union[str, "os.PathLike[str]"]


def _read(source: Source, name: str) -> tuple[str, str]:
    """The text and what it is called: a string that begins like a text is one,
    all else is a path."""
    if isinstance(source, str) and (source.lstrip()[:1] in ("(", ";", "=") or "\n" in source):
        return source, name
    return Path(source).read_text(encoding="utf-8"), os.fspath(source)


@dataclass(frozen=True)
class Diagnostic:
    """Something that is wrong with a domain or a problem, and where."""

    code: str
    severity: str
    message: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    count: int = 1
    notes: list[str] = field(default_factory=list)
    helps: list[str] = field(default_factory=list)
    fix: dict[str, Any] | None = None


@dataclass(frozen=True)
class PlanResult:
    """How planning ended; `text` is a verified plan if there is one."""

    status: str
    nodes: int
    stopped_by: str | None = None
    text: str | None = None
    length: int | None = None
    cost: str | None = None
    tree: str | None = None

    def __bool__(self) -> bool:
        return self.text is not None


@dataclass(frozen=True)
class Verdict:
    """Whether a plan is one, and if not, the first rule it breaks."""

    valid: bool
    steps: int | None = None
    tasks: int | None = None
    cost: str | None = None
    rule: str | None = None
    reason: str | None = None

    def __bool__(self) -> bool:
        return self.valid


def check(
    domain: Source,
    problem: Source | None = None,
    *,
    strict: bool = False,
) -> list[Diagnostic]:
    """Everything that is wrong with a domain and a problem, in one go.

    >>> broken = "(define (domain d) (:predicates (p ?x)) (:action a :effect (q)))"
    >>> [(found.severity, found.line) for found in check(broken) if found.severity == "error"]
    [('error', 1)]
    """
    text, name = _read(domain, "domain")
    other, other_name = (None, "problem") if problem is None else _read(problem, "problem")
    found = json.loads(_core.check_texts(text, other, [name, other_name], strict))
    return [Diagnostic(**one) for one in found]


def ground(
    domain: Source,
    problem: Source,
    *,
    time: float | None = None,
    memory: int | None = 4 << 30,
) -> dict[str, Any]:
    """How many facts, actions, tasks and methods there are without variables.

    >>> from planoku import examples
    >>> ground(examples.DOMAIN, examples.PROBLEM)["ordered"]
    True
    """
    (text, name), (other, other_name) = _read(domain, "domain"), _read(problem, "problem")
    sizes = _core.ground(text, other, [name, other_name], time, memory)
    return cast("dict[str, Any]", json.loads(sizes))


def plan(
    domain: Source,
    problem: Source,
    *,
    optimal: bool = False,
    time: float | None = 60.0,
    nodes: int | None = None,
    memory: int | None = 4 << 30,
    threads: int = 1,
    seed: int = 0,
) -> PlanResult:
    """A verified plan; a cheapest one, proved so, if `optimal`.

    The status is "solved", "optimal", "unsolvable" (proved), "gave up" (which
    proves nothing) or "stopped" (`stopped_by` says by what).

    >>> from planoku import examples
    >>> plan(examples.DOMAIN, examples.PROBLEM, optimal=True).status
    'optimal'
    """
    (text, name), (other, other_name) = _read(domain, "domain"), _read(problem, "problem")
    names = [name, other_name]
    found = _core.plan(text, other, names, optimal, time, nodes, memory, threads, seed)
    return PlanResult(**json.loads(found))


def verify(
    domain: Source,
    problem: Source,
    plan: Source,
) -> Verdict:
    """Judges a plan from any planner.

    >>> from planoku import examples
    >>> bool(verify(examples.DOMAIN, examples.PROBLEM, plan(examples.DOMAIN, examples.PROBLEM).text))
    True
    """
    (text, name), (other, other_name) = _read(domain, "domain"), _read(problem, "problem")
    steps, steps_name = _read(plan, "plan")
    judged = _core.verify(text, other, [name, other_name], steps, steps_name)
    return Verdict(**json.loads(judged))
