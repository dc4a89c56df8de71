"""Domains and problems built in Python, without text.

Conditions, effects and tasks are nested lists (or tuples) of words, as HDDL has them;
variables begin with a question mark. What is built can be given to `check`, `plan`,
`verify` and all else that takes a text, and `str` is the text.

>>> import planoku
>>> domain = Domain("tidy")
>>> domain.predicate("at", r="room").predicate("clean", r="room").type("room")
Domain('tidy')
>>> _ = domain.action("go", a="room", b="room", precondition=["at", "?a"],
...     effect=["and", ["at", "?b"], ["not", ["at", "?a"]]])
>>> _ = domain.action("sweep", r="room", precondition=["at", "?r"], effect=["clean", "?r"])
>>> _ = domain.task("tidy-up", r="room")
>>> _ = domain.method("walk-there", ["tidy-up", "?r"], [["go", "?a", "?r"], ["sweep", "?r"]],
...     a="room", r="room")
>>> problem = Problem(domain, "today").object("hall", "room").object("kitchen", "room")
>>> _ = problem.init(["at", "hall"]).tasks([["tidy-up", "kitchen"]])
>>> print(planoku.plan(domain, problem).tree)
tidy-up kitchen → walk-there
├─ 0: go hall kitchen
└─ 1: sweep kitchen
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ._text import Form, show, typed

__all__ = ["Domain", "Problem"]


def _variables(types: dict[str, str]) -> list[str]:
    return typed((f"?{name}", kind) for name, kind in types.items())


def _network(
    subtasks: Iterable[Form], ordering: Iterable[tuple[str, str]] | None, constraints: Form | None
) -> list[Form]:
    """Subtasks in the order of the list, or where `ordering` names labels, in that."""
    all_of = ["and", *subtasks]
    if ordering is None:
        form: list[Form] = [":ordered-subtasks", all_of]
    else:
        form = [":subtasks", all_of]
        pairs: list[Form] = [["<", one, two] for one, two in ordering]
        form += [":ordering", ["and", *pairs]] if pairs else []
    return form + ([] if constraints is None else [":constraints", constraints])


class _Text:
    """Something that is written section by section."""

    def __init__(self, name: str) -> None:
        self.name = name

    def _head(self) -> str:
        raise NotImplementedError

    def _sections(self) -> Iterable[Form]:
        raise NotImplementedError

    def __str__(self) -> str:
        lines = [self._head(), *(f"  {show(one)}" for one in self._sections())]
        return "\n".join(lines) + ")\n"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class Domain(_Text):
    """A domain. Every method returns the domain, so that calls can follow each other;
    keyword arguments are parameters with their types."""

    def __init__(self, name: str, requirements: Sequence[str] = (":adl",)) -> None:
        super().__init__(name)
        self._requirements = list(requirements)
        self._types: list[tuple[str, str]] = []
        self._constants: list[tuple[str, str]] = []
        self._predicates: list[Form] = []
        self._functions: list[Form] = []
        self._schemas: list[Form] = []

    def _need(self, *names: str) -> None:
        self._requirements += [name for name in names if name not in self._requirements]

    def type(self, name: str, above: str = "object") -> Domain:
        """A type below another."""
        self._types.append((name, above))
        return self

    def constant(self, name: str, kind: str = "object") -> Domain:
        """An object that the domain speaks of."""
        self._constants.append((name, kind))
        return self

    def predicate(self, name: str, /, **types: str) -> Domain:
        """A predicate."""
        self._predicates.append([name, *_variables(types)])
        return self

    def function(self, name: str, /, **types: str) -> Domain:
        """A function whose values are numbers, for costs."""
        self._functions.append([name, *_variables(types)])
        return self

    def action(
        self,
        name: str,
        /,
        *,
        precondition: Form = ("and",),
        effect: Form = ("and",),
        cost: Form | int | float | None = None,
        **types: str,
    ) -> Domain:
        """An action; its cost is a number or a function such as `["toll", "?x"]`."""
        if cost is not None:
            self._need(":action-costs")
            if ["total-cost"] not in self._functions:
                self._functions.append(["total-cost"])
            amount = cost if not isinstance(cost, (int, float)) else str(cost)
            effect = ["and", effect, ["increase", ["total-cost"], amount]]
        parts = [":parameters", _variables(types), ":precondition", precondition]
        self._schemas.append([":action", name, *parts, ":effect", effect])
        return self

    def task(self, name: str, /, **types: str) -> Domain:
        """A compound task."""
        self._need(":hierarchy")
        self._schemas.append([":task", name, ":parameters", _variables(types)])
        return self

    def method(
        self,
        name: str,
        task: Form,
        subtasks: Iterable[Form],
        /,
        *,
        precondition: Form = ("and",),
        ordering: Iterable[tuple[str, str]] | None = None,
        constraints: Form | None = None,
        **types: str,
    ) -> Domain:
        """A way to carry out a task: subtasks in order, or labelled ones such as
        `["first", ["go", "?a"]]` with an `ordering` of pairs of labels."""
        self._need(":hierarchy", ":method-preconditions")
        parts: list[Any] = [":parameters", _variables(types), ":task", task]
        parts += [":precondition", precondition, *_network(subtasks, ordering, constraints)]
        self._schemas.append([":method", name, *parts])
        return self

    def _head(self) -> str:
        return f"(define (domain {self.name})"

    def _sections(self) -> Iterable[Form]:
        yield [":requirements", *self._requirements]
        for key, pairs in ((":types", self._types), (":constants", self._constants)):
            if pairs:
                yield [key, *typed(pairs)]
        if self._predicates:
            yield [":predicates", *self._predicates]
        if self._functions:
            words = [word for one in self._functions for word in (one, "-", "number")]
            yield [":functions", *words]
        # Methods speak of tasks, which come first.
        order = {":task": 0, ":method": 1, ":action": 2}
        yield from sorted(self._schemas, key=lambda one: order[one[0]])


class Problem(_Text):
    """A problem of a domain. Every method returns the problem."""

    def __init__(self, domain: Domain | str, name: str) -> None:
        super().__init__(name)
        self._domain = domain if isinstance(domain, str) else domain.name
        self._objects: list[tuple[str, str]] = []
        self._init: list[Form] = []
        self._goals: list[Form] = []
        self._network: Form | None = None
        self._metric = False

    def object(self, name: str, kind: str = "object") -> Problem:
        """An object."""
        self._objects.append((name, kind))
        return self

    def init(self, *facts: Form) -> Problem:
        """Facts that hold at the start."""
        self._init += facts
        return self

    def value(self, function: Form, number: float) -> Problem:
        """The value of a function at the start."""
        self._init.append(["=", function, str(number)])
        return self

    def goal(self, condition: Form) -> Problem:
        """Something that must hold at the end."""
        self._goals.append(condition)
        return self

    def tasks(
        self,
        subtasks: Iterable[Form],
        /,
        *,
        ordering: Iterable[tuple[str, str]] | None = None,
        constraints: Form | None = None,
        **types: str,
    ) -> Problem:
        """The initial task network, as in a method; keyword arguments are variables."""
        network = _network(subtasks, ordering, constraints)
        self._network = [":htn", ":parameters", _variables(types), *network]
        return self

    def minimise_cost(self) -> Problem:
        """Cheap plans are better."""
        self._metric = True
        return self

    def _head(self) -> str:
        return f"(define (problem {self.name})"

    def _sections(self) -> Iterable[Form]:
        yield [":domain", self._domain]
        if self._objects:
            yield [":objects", *typed(self._objects)]
        if self._network is not None:
            yield self._network
        yield [":init", *self._init]
        if self._goals or self._network is None:
            yield [":goal", ["and", *self._goals]]
        if self._metric:
            yield [":metric", "minimize", ["total-cost"]]
