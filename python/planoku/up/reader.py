"""HDDL and PDDL into objects of unified-planning, through planoku's reader.

The core reads and checks the texts and writes the resolved model in one plain form,
which is read here. What unified-planning has no word for is said with what it has:

- a type below several others, or an object of several types, is a static fluent
  `is-TYPE` that conditions ask for
- two things that share a name (a type and an object, say) are told apart by what
  they are
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from unified_planning.environment import Environment, get_environment
from unified_planning.model import (
    Fluent,
    FNode,
    InstantaneousAction,
    MaximizeExpressionOnFinalState,
    MinimizeActionCosts,
    MinimizeExpressionOnFinalState,
    Object,
    Parameter,
    Problem,
    Type,
    Variable,
)
from unified_planning.model.htn import HierarchicalProblem, Method, Subtask, Task

from .. import _core
from .._text import parse, untyped
from ..planning import Source
from ..planning import _read as read_source
from .translate import Unsupported

__all__ = ["read"]

Names = dict[str, Any]


def read(
    domain: Source, problem: Source, environment: Environment | None = None
) -> Problem | HierarchicalProblem:
    """A problem of unified-planning from two texts or files.

    Mistakes in the texts raise `planoku.ParseError`, with their places.

    >>> from planoku import examples
    >>> problem = read(examples.DOMAIN, examples.PROBLEM)
    >>> len(problem.methods), len(problem.task_network.subtasks)
    (2, 2)
    """
    (text, name), (other, other_name) = read_source(domain, "domain"), read_source(problem, "problem")
    first, second, sums_costs = _core.written(text, other, [name, other_name])
    made = _Reader(parse(first), parse(second), get_environment(environment), sums_costs)
    return made.problem


class _Reader:
    def __init__(
        self,
        domain: list[Any],
        problem: list[Any],
        environment: Environment,
        sums_costs: bool,
    ) -> None:
        self._env = environment
        self._exp = environment.expression_manager
        sections = [one for one in (*domain[2:], *problem[2:]) if one[0] != ":domain"]
        self._sections = sections
        tasks = self._all(":task")
        name = problem[1][1]
        hierarchical = bool(tasks) or any(one[0] == ":htn" for one in sections)
        make = HierarchicalProblem if hierarchical else Problem
        self.problem = make(name, environment, initial_defaults={environment.type_manager.BoolType(): False})
        refused = [one[0] for one in sections if one[0] in (":derived", ":durative-action")]
        if refused:
            raise Unsupported(f"{refused[0]} in unified-planning")
        self._sums_costs = sums_costs
        self._used: set[str] = set()
        self._action_costs: dict[InstantaneousAction, FNode] = {}
        self._primitive: dict[str, InstantaneousAction] = {}
        self._compound: dict[str, Task] = {}
        # Names that plans show stay as they are; types give way first.
        taken = [one[1] for key in (":action", ":task", ":method") for one in self._all(key)]
        self._taken = set(taken)
        self._objects_typed = [
            pair for key in (":constants", ":objects") for one in self._all(key) for pair in untyped(one[1:])
        ]
        self._types()
        self._objects()
        self._fluents()
        for section in self._all(":action"):
            self._action(section)
        for section in tasks:
            self._task(section)
        for section in self._all(":method"):
            self._method(section)
        for section in self._all(":htn"):
            self._network(self.problem.task_network, section[1:], {})
        for section in self._all(":init"):
            self._init(section[1:])
        for section in self._all(":goal"):
            self.problem.add_goal(self._condition(section[1], {}))
        for _, way, what in self._all(":metric"):
            if way == "minimize" and what == ["total-cost"] and self._sums_costs:
                self.problem.add_quality_metric(
                    MinimizeActionCosts(self._action_costs, self._exp.Int(0), environment)
                )
                continue
            least = way == "minimize"
            kind = MinimizeExpressionOnFinalState if least else MaximizeExpressionOnFinalState
            self.problem.add_quality_metric(kind(self._amount(what, {}), environment))

    def _all(self, key: str) -> list[list[Any]]:
        return [one for one in self._sections if one[0] == key]

    def _free(self, name: str, kind: str) -> str:
        """A name that nothing else has."""
        found = name
        while found in self._taken or found in self._used:
            found = f"{found}_{kind}"
        self._used.add(found)
        return found

    # Types

    def _types(self) -> None:
        parents: dict[str, list[str]] = {}
        for section in self._all(":types"):
            for name, above in untyped(section[1:]):
                known = parents.setdefault(name, [])
                known += [one for one in above if one not in known]
        self._parents = parents
        tree = all(len(above) <= 1 for above in parents.values())
        # Where types are no tree, all things are objects, and fluents say what else.
        self._tree = tree and all(len(kinds) == 1 for _, kinds in self._objects_typed)
        self._kinds: dict[str, Type] = {}
        self._members: dict[str, Fluent] = {}
        names = [name for name, _ in self._objects_typed]
        self._taken.update(names)
        self._taken.update(one[0] for section in self._all(":predicates") for one in section[1:])

    def _above(self, name: str) -> set[str]:
        """A type and all above it."""
        found, waiting = set(), [name]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += self._parents.get(one, [])
        return found | {"object"}

    def _type(self, kinds: Sequence[str]) -> Type:
        """The type that has all members of these."""
        if not self._tree:
            name = "object"
        elif len(kinds) == 1:
            name = kinds[0]
        else:
            common = set.intersection(*(self._above(one) for one in kinds))
            name = max(common, key=lambda one: len(self._above(one)))
        if name not in self._kinds:
            father = None
            if name != "object":
                above = self._parents.get(name, [])
                father = self._type([above[0] if above else "object"])
            manager = self._env.type_manager
            self._kinds[name] = manager.UserType(self._free(name, "type"), father)
        return self._kinds[name]

    def _narrowed(self, term: FNode, kinds: Sequence[str]) -> list[FNode]:
        """What a type does not say of a variable."""
        if (self._tree and len(kinds) == 1) or "object" in kinds:
            return []
        return [self._exp.Or([self._member(one)(term) for one in kinds])]

    def _member(self, kind: str) -> Fluent:
        if kind not in self._members:
            name = self._free(f"is-{kind}", "fluent")
            fluent = Fluent(name, None, thing=self._type(["object"]), environment=self._env)
            self.problem.add_fluent(fluent, default_initial_value=False)
            self._members[kind] = fluent
            for thing, kinds in self._objects_typed:
                if any(kind in self._above(one) for one in kinds):
                    self.problem.set_initial_value(fluent(self._things[thing]), True)
        return self._members[kind]

    # Declarations

    def _objects(self) -> None:
        self._things: dict[str, FNode] = {}
        for name, kinds in self._objects_typed:
            if name in self._things:
                continue
            self._taken.discard(name)
            thing = Object(self._free(name, "object"), self._type(kinds), self._env)
            self.problem.add_object(thing)
            self._things[name] = self._exp.ObjectExp(thing)

    def _parameters(self, words: Sequence[Any]) -> tuple[list[Parameter], Names, list[FNode]]:
        made: list[Parameter] = []
        names: Names = {}
        asked: list[FNode] = []
        for name, kinds in untyped(words):
            one = Parameter(name[1:], self._type(kinds), self._env)
            made.append(one)
            names[name] = self._exp.ParameterExp(one)
            asked += self._narrowed(names[name], kinds)
        return made, names, asked

    def _fluents(self) -> None:
        self._known: dict[str, Fluent] = {}
        for section in self._all(":predicates"):
            for name, *words in section[1:]:
                self._taken.discard(name)
                self._declare(name, words, self._env.type_manager.BoolType())
        values = [one for section in self._all(":init") for one in section[1:] if one[0] == "="]
        changed = set().union(*map(_changed, self._all(":action")), set())
        for section in self._all(":functions"):
            for one in section[1:]:
                if isinstance(one, list) and (one[0] != "total-cost" or not self._sums_costs):
                    mine = [Fraction(value) for _, place, value in values if place[0] == one[0]]
                    # What changes may become a fraction, whatever it is at the start.
                    whole = all(value.denominator == 1 for value in mine) and one[0] not in changed
                    manager = self._env.type_manager
                    self._declare(one[0], one[1:], manager.IntType() if whole else manager.RealType())

    def _declare(self, name: str, words: Sequence[Any], kind: Type) -> None:
        signature = []
        for one, kinds in untyped(words):
            signature.append(Parameter(one[1:], self._type(kinds), self._env))
        if len({one.name for one in signature}) < len(signature):
            signature = [
                Parameter(f"{one.name}_{at}", one.type, self._env) for at, one in enumerate(signature)
            ]
        fluent = Fluent(self._free(name, "fluent"), kind, signature, self._env)
        default = False if kind.is_bool_type() else None
        self.problem.add_fluent(fluent, default_initial_value=default)
        self._known[name] = fluent

    def _init(self, facts: Iterable[Any]) -> None:
        for fact in facts:
            if fact[0] == "=":
                _, (name, *arguments), value = fact
                if name == "total-cost" and self._sums_costs:
                    continue
                number = Fraction(value)
                worth = self._exp.Int(int(number)) if number.denominator == 1 else self._exp.Real(number)
            else:
                name, *arguments = fact
                worth = self._exp.TRUE()
            place = self._known[name](*(self._things[one] for one in arguments))
            self.problem.set_initial_value(place, worth)

    # Conditions and effects

    def _is_number(self, form: Any, names: Names) -> bool:
        return isinstance(form, list) or form not in names and form not in self._things

    def _term(self, word: str, names: Names) -> FNode:
        return names[word] if word.startswith("?") else self._things[word]

    def _condition(self, form: Any, names: Names) -> FNode:
        if not form:
            return self._exp.TRUE()
        head, *rest = form
        if head == "and":
            return self._exp.And([self._condition(one, names) for one in rest])
        if head == "or":
            return self._exp.Or([self._condition(one, names) for one in rest])
        if head == "not":
            return self._exp.Not(self._condition(rest[0], names))
        if head == "imply":
            return self._exp.Implies(*(self._condition(one, names) for one in rest))
        if head == "=" and not any(self._is_number(one, names) for one in rest):
            return self._exp.Equals(*(self._term(one, names) for one in rest))
        if head in ("=", "<", "<=", ">", ">="):
            make = {
                "=": self._exp.Equals,
                "<": self._exp.LT,
                "<=": self._exp.LE,
                ">": self._exp.GT,
                ">=": self._exp.GE,
            }[head]
            return make(*(self._amount(one, names) for one in rest))
        if head in ("forall", "exists"):
            bound, inner, asked = self._quantified(rest[0], names)
            body = self._condition(rest[1], inner)
            if head == "forall":
                body = self._exp.Implies(self._exp.And(asked), body) if asked else body
                return self._exp.Forall(body, *bound) if bound else body
            body = self._exp.And([*asked, body])
            return self._exp.Exists(body, *bound) if bound else body
        return self._known[head](*(self._term(one, names) for one in rest))

    def _quantified(self, words: Any, names: Names) -> tuple[list[Variable], Names, list[FNode]]:
        bound, inner, asked = [], dict(names), []
        for name, kinds in untyped(words):
            one = Variable(name[1:], self._type(kinds), self._env)
            bound.append(one)
            inner[name] = self._exp.VariableExp(one)
            asked += self._narrowed(inner[name], kinds)
        return bound, inner, asked

    def _action(self, section: list[Any]) -> None:
        name, keys = section[1], _keys(section[2:])
        parameters, names, asked = self._parameters(keys.get(":parameters", []))
        self._taken.discard(name)
        free = self._free(name, "action")
        action = InstantaneousAction(free, OrderedDict((p.name, p.type) for p in parameters), self._env)
        for one in asked:
            action.add_precondition(one)
        if keys.get(":precondition"):
            for one in _parts(keys[":precondition"]):
                action.add_precondition(self._condition(one, names))
        costs: list[FNode] = []
        if keys.get(":effect"):
            self._effect(action, keys[":effect"], names, [], [], costs)
        self.problem.add_action(action)
        self._primitive[name] = action
        if costs:
            cost = costs[0] if len(costs) == 1 else self._exp.Plus(costs)
            self._action_costs[action] = cost

    def _effect(
        self,
        action: InstantaneousAction,
        form: Any,
        names: Names,
        bound: list[Variable],
        conditions: list[FNode],
        costs: list[FNode],
    ) -> None:
        head = form[0] if form else "and"
        if head == "and":
            for one in form[1:]:
                self._effect(action, one, names, bound, conditions, costs)
        elif head == "forall":
            more, inner, asked = self._quantified(form[1], names)
            self._effect(action, form[2], inner, bound + more, conditions + asked, costs)
        elif head == "when":
            condition = self._condition(form[1], names)
            self._effect(action, form[2], names, bound, [*conditions, condition], costs)
        elif head == "increase" and form[1] == ["total-cost"] and self._sums_costs:
            costs.append(self._amount(form[2], names))
        elif head in ("assign", "increase", "decrease", "scale-up", "scale-down"):
            place, amount = (self._amount(one, names) for one in form[1:])
            if head == "scale-up":
                amount = self._exp.Times(place, amount)
            elif head == "scale-down":
                amount = self._exp.Div(place, amount)
            known = {"increase": action.add_increase_effect, "decrease": action.add_decrease_effect}
            add = known.get(head, action.add_effect)
            add(place, amount, self._exp.And(conditions), forall=bound)
        else:
            value = head != "not"
            atom = form if value else form[1]
            place = self._condition(atom, names)
            action.add_effect(place, value, self._exp.And(conditions), forall=bound)

    def _amount(self, form: Any, names: Names) -> FNode:
        if isinstance(form, list):
            head, *rest = form
            if head in ("+", "-", "*", "/"):
                parts = [self._amount(one, names) for one in rest]
                if head == "-" and len(parts) == 1:
                    return self._exp.Minus(self._exp.Int(0), parts[0])
                make = {
                    "+": self._exp.Plus,
                    "-": self._exp.Minus,
                    "*": self._exp.Times,
                    "/": self._exp.Div,
                }[head]
                return make(*parts)
            return self._known[head](*(self._term(one, names) for one in rest))
        number = Fraction(form)
        return self._exp.Int(int(number)) if number.denominator == 1 else self._exp.Real(number)

    # Task networks

    def _task(self, section: list[Any]) -> None:
        parameters, _, _ = self._parameters(_keys(section[2:]).get(":parameters", []))
        self._taken.discard(section[1])
        task = Task(self._free(section[1], "task"), parameters, self._env)
        self.problem.add_task(task)
        self._compound[section[1]] = task

    def _method(self, section: list[Any]) -> None:
        keys = _keys(section[2:])
        parameters, names, asked = self._parameters(keys.get(":parameters", []))
        self._taken.discard(section[1])
        name, *arguments = keys[":task"]
        # An argument may be an object, or one parameter twice: unified-planning
        # wants parameters of the method, each once.
        given: list[Parameter] = []
        task = self._compound[name]
        for argument, declared in zip(arguments, task.parameters):
            known = [one for one in parameters if argument == f"?{one.name}"]
            if known and known[0] not in given:
                given.append(known[0])
                continue
            extra = Parameter(f"{declared.name}_of_the_task", declared.type, self._env)
            while any(extra.name == one.name for one in parameters):
                extra = Parameter(extra.name + "_", declared.type, self._env)
            parameters.append(extra)
            given.append(extra)
            same = self._exp.Equals(self._exp.ParameterExp(extra), self._term(argument, names))
            asked.append(same)
        method = Method(self._free(section[1], "method"), parameters, self._env)
        method.set_task(task, *given) if given else method.set_task(task)
        for one in asked:
            method.add_precondition(one)
        if keys.get(":precondition"):
            for one in _parts(keys[":precondition"]):
                method.add_precondition(self._condition(one, names))
        self._network(method, section[2:], names)
        self.problem.add_method(method)

    def _network(self, network: Any, words: Sequence[Any], names: Names) -> None:
        keys = _keys(words)
        asked: list[FNode] = []
        if not isinstance(network, Method):
            for name, kinds in untyped(keys.get(":parameters", [])):
                one = network.add_variable(name[1:], self._type(kinds))
                names = {**names, name: self._exp.ParameterExp(one)}
                asked += self._one_of(names[name], kinds)
        ordered = ":ordered-subtasks" in keys
        listed = keys.get(":ordered-subtasks", keys.get(":subtasks", []))
        labels: dict[str, Subtask] = {}
        made: list[Subtask] = []
        given_labels = {form[0] for form in _parts(listed) if isinstance(form[-1], list)}
        for place, form in enumerate(_parts(listed)):
            label = None
            if len(form) == 2 and isinstance(form[1], list):
                label, form = form
            name, *arguments = form
            values = [self._term(one, names) for one in arguments]
            task = self._compound.get(name) or self._primitive[name]
            ident = label or f"t{place + 1}"
            while label is None and any(ident == other for other in given_labels):
                ident += "_"
            subtask = network.add_subtask(task, *values, ident=ident)
            made.append(subtask)
            if label is not None:
                labels[label] = subtask
        if ordered and len(made) > 1:
            network.set_ordered(*made)
        for _, one, two in _parts(keys.get(":ordering", [])):
            network.set_strictly_before(labels[one], labels[two])
        for one in asked:
            network.add_constraint(one)
        for one in _parts(keys.get(":constraints", [])):
            network.add_constraint(self._condition(one, names))

    def _one_of(self, term: FNode, kinds: Sequence[str]) -> list[FNode]:
        """A variable of the initial network belongs to its types."""
        if not self._narrowed(term, kinds):
            return []
        wanted = set(kinds)
        members = [
            self._things[name]
            for name, mine in self._objects_typed
            if any(wanted & self._above(one) for one in mine)
        ]
        return [self._exp.Or([self._exp.Equals(term, one) for one in members])]


def _keys(words: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(words[::2], words[1::2]))


def _parts(form: Any) -> list[Any]:
    """What a conjunction joins; one thing is joined with nothing."""
    if not form:
        return []
    return list(form[1:]) if form[0] == "and" else [form]


def _changed(form: Any) -> set[str]:
    """The functions that effects change."""
    if not isinstance(form, list) or not form:
        return set()
    if form[0] in ("assign", "increase", "decrease", "scale-up", "scale-down"):
        return {form[1][0]}
    return set().union(*map(_changed, form))
