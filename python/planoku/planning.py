"""Planning: domains and problems in HDDL or PDDL, as texts, as paths, or built.

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
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union, cast

from . import _core
from .build import Domain, Problem

__all__ = [
    "Diagnostic",
    "Network",
    "PlanResult",
    "Step",
    "Task",
    "Verdict",
    "anytime",
    "check",
    "format",
    "ground",
    "plan",
    "verify",
]

#: A text, a path, or what was built.
Source = Union[str, "os.PathLike[str]", Domain, Problem]


def _read(source: Source, name: str) -> tuple[str, str]:
    """The text and what it is called: a string that begins like a text is one,
    all else is a path."""
    if isinstance(source, (Domain, Problem)):
        return str(source), name
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
class Step:
    """An action of a plan. Ids are unique among steps and tasks."""

    id: int
    action: str
    arguments: list[str]


@dataclass(frozen=True)
class Task:
    """A compound task of a plan: its method, the values of all of the method's
    parameters, and the ids of the children, in the order in which the method
    declares its subtasks."""

    id: int
    task: str
    arguments: list[str]
    method: str
    values: list[str]
    children: list[int]


@dataclass(frozen=True)
class Network:
    """The initial task network: values of its variables, ids of its children."""

    values: list[str]
    children: list[int]


@dataclass(frozen=True)
class PlanResult:
    """How planning ended; `text` is a verified plan if there is one."""

    status: str
    nodes: int
    stopped_by: str | None = None
    text: str | None = None
    length: int | None = None
    cost: str | None = None
    #: The value of the metric, exact, if there is one other than total cost.
    metric: str | None = None
    tree: str | None = None
    steps: list[Step] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    network: Network | None = None

    def __bool__(self) -> bool:
        return self.text is not None


@dataclass(frozen=True)
class Verdict:
    """Whether a plan is one, and if not, the first rule it breaks. `valid` is None
    where a limit was reached before that was known."""

    valid: bool | None
    steps: int | None = None
    tasks: int | None = None
    cost: str | None = None
    metric: str | None = None
    rule: str | None = None
    reason: str | None = None
    #: The step or task that breaks the rule.
    id: int | None = None
    stopped_by: str | None = None
    #: The plan with its decomposition, which was looked for if it had none.
    plan: PlanResult | None = None

    def __bool__(self) -> bool:
        return self.valid is True


def _result(text: str) -> PlanResult:
    return _plan_result(json.loads(text))


def _plan_result(found: dict[str, Any]) -> PlanResult:
    found["steps"] = [Step(**one) for one in found.get("steps", ())]
    found["tasks"] = [Task(**one) for one in found.get("tasks", ())]
    network = found.get("network")
    found["network"] = network and Network(**network)
    return PlanResult(**found)


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


def format(source: Source) -> str:
    """A text laid out: the same words and comments, every section on its own line.

    >>> format("(define (domain d)   (:predicates (p ?x) ) )")
    '(define (domain d) (:predicates (p ?x)))\\n'
    """
    return _core.format_text(*_read(source, "text"))


def ground(
    domain: Source,
    problem: Source,
    *,
    time: float | None = None,
    memory: int | None = 4 << 30,
    actions: bool = False,
) -> dict[str, Any]:
    """How many facts, actions, tasks and methods there are without variables; with
    `actions`, also the actions themselves (`"instances"`).

    >>> from planoku import examples
    >>> ground(examples.DOMAIN, examples.PROBLEM)["ordered"]
    True
    """
    (text, name), (other, other_name) = _read(domain, "domain"), _read(problem, "problem")
    sizes = _core.ground(text, other, [name, other_name], time, memory, actions)
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
    return _result(found)


def anytime(
    domain: Source,
    problem: Source,
    *,
    time: float | None = 60.0,
    nodes: int | None = None,
    memory: int | None = 4 << 30,
    threads: int = 1,
    seed: int = 0,
) -> Iterator[PlanResult]:
    """Plans that keep getting cheaper, each verified, as soon as it is found.

    All are "solved" but the last result, which says how the search ended: "optimal"
    repeats the best plan, which is proved cheapest; "stopped" and "gave up" repeat
    it, if there is one; "unsolvable" has none. Whoever stops iterating stops the
    search.

    >>> from planoku import examples
    >>> [found.status for found in anytime(examples.DOMAIN, examples.PROBLEM)][-1]
    'optimal'
    """
    (text, name), (other, other_name) = _read(domain, "domain"), _read(problem, "problem")
    search = _core.Improving(
        text, other, [name, other_name], time, nodes, memory, threads, seed
    )
    return _each(search)


def _each(search: _core.Improving) -> Iterator[PlanResult]:
    try:
        while (found := search.next()) is not None:
            yield _result(found)
    finally:
        search.stop()


def verify(
    domain: Source,
    problem: Source,
    plan: Source,
    *,
    time: float | None = 60.0,
    nodes: int | None = None,
    memory: int | None = 4 << 30,
) -> Verdict:
    """Judges a plan from any planner. A list of actions for a hierarchical problem is
    a plan if some decomposition leads to it, which is looked for within the limits.

    >>> from planoku import examples
    >>> found = plan(examples.DOMAIN, examples.PROBLEM)
    >>> bool(verify(examples.DOMAIN, examples.PROBLEM, found.text))
    True
    >>> actions = "(sweep hall)\\n(go hall kitchen)\\n(sweep kitchen)\\n"
    >>> verify(examples.DOMAIN, examples.PROBLEM, actions).plan.tasks[0].method
    'already-there'
    """
    (text, name), (other, other_name) = _read(domain, "domain"), _read(problem, "problem")
    steps, steps_name = _read(plan, "plan")
    names = [name, other_name]
    judged = json.loads(
        _core.verify(text, other, names, steps, steps_name, time, nodes, memory)
    )
    if not judged["valid"]:
        return Verdict(**judged)
    tasks = judged.pop("tasks_count")
    del judged["valid"]
    found = _plan_result({"status": "solved", "nodes": 0, **judged})
    return Verdict(True, found.length, tasks, found.cost, found.metric, plan=found)
