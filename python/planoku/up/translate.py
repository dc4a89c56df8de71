"""From a problem of unified-planning to HDDL or PDDL, and plans back.

The text is written from the objects of unified-planning, not through its writer:
costs, constraints of task networks, fluents whose values are objects and
parameters that are numbers or truth values are all kept. A fluent `f(x) = v` whose
values are objects becomes a predicate `(f x v)` that holds of one `v`. Numbers are
functions; where their type has bounds, an action that would leave them cannot be
executed.

What a problem asks for beyond that is refused by name (`Unsupported`).
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from unified_planning.exceptions import UPProblemDefinitionError
from unified_planning.model import (
    Action,
    Effect,
    Fluent,
    FNode,
    InstantaneousAction,
    Parameter,
    Problem,
    Type,
    Variable,
)
from unified_planning.model.fluent import get_all_fluent_exp
from unified_planning.model.htn import HierarchicalProblem, Method
from unified_planning.model.htn.task_network import AbstractTaskNetwork
from unified_planning.model.metrics import (
    MaximizeExpressionOnFinalState,
    MinimizeActionCosts,
    MinimizeExpressionOnFinalState,
    MinimizeSequentialPlanLength,
)
from unified_planning.model.operators import OperatorKind as Op

from .._text import Form, show, typed

__all__ = ["Translation", "Unsupported"]

#: Words with a meaning of their own.
_RESERVED = {
    *"and or not imply forall exists when object either number define domain problem".split(),
    *"increase decrease assign scale-up scale-down total-cost total-time".split(),
    *"minimize maximize always sometime within at-most-once preference is-violated".split(),
}
#: Of how many combinations of values a cost may be made.
_MOST_COSTS = 200_000


class Unsupported(ValueError):
    """A problem asks for something that planoku does not do; the text names it."""


class _Names:
    """A name of PDDL for each name, and never the same for two."""

    def __init__(self, taken: Iterable[str] = (), prefix: str = "") -> None:
        self._taken = set(taken)
        self._prefix = prefix
        self._names: dict[Any, str] = {}

    def __call__(self, key: Any, name: str) -> str:
        if key not in self._names:
            plain = re.sub(r"[^a-z0-9_-]", "-", name.lower())
            if not plain[:1].isalpha():
                plain = "x" + plain
            free = plain
            for number in itertools.count(2):
                if free not in self._taken:
                    break
                free = f"{plain}-{number}"
            self._taken.add(free)
            self._names[key] = self._prefix + free
        return self._names[key]


class Translation:
    """A problem of unified-planning as texts, with the way back."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.hierarchical = isinstance(problem, HierarchicalProblem)
        self._names = _Names(_RESERVED)
        self._variables = _Names(prefix="?")
        self._fresh = itertools.count(1)
        # Values of parameters that are no objects: numbers and truth values.
        self._values: dict[str, set[str]] = {}
        self._exp = problem.environment.expression_manager
        self._nodes: dict[str, FNode] = {}
        for thing in problem.all_objects:
            self._nodes[self._object(thing)] = self._exp.ObjectExp(thing)
        self.actions = {self._names(("action", a.name), a.name): a for a in problem.actions}
        self.methods: dict[str, Method] = {}
        #: Costs in the text are costs of the problem times this.
        self.scale = 1
        #: True if plans are measured by numbers of the state at the end.
        self.measured = False
        self._functions: dict[Fluent, Form] = {}
        self._number_parameters = False
        self._changed = {
            effect.fluent.fluent()
            for action in problem.actions
            if isinstance(action, InstantaneousAction)
            for effect in action.effects
        }
        self._watched = self._to_watch()
        self._costs: dict[Action, FNode] | None = None
        self._default_cost: FNode | None = None
        self._cost_values: list[Form] = []
        self._cost_functions: list[Form] = []
        self._goal: list[Form] = []
        self._metric()
        # What the metric reads is declared with the rest.
        self._measure()
        domain = self._domain()
        self.domain_text = show_sections("define", ["domain", self._named("domain")], domain)
        self.problem_text = show_sections(
            "define", ["problem", self._named("problem")], self._problem_sections()
        )

    def _named(self, what: str) -> str:
        return self._names((what,), f"{what}-{self.problem.name or 'unnamed'}")

    # Types and names

    def _object(self, thing: Any) -> str:
        return self._names(("object", thing.name), thing.name)

    def _type(self, kind: Type) -> str:
        if kind.is_user_type():
            return self._names(("type", kind.name), kind.name)
        if kind.is_bool_type():
            name = self._names(("type", "bool"), "truth-value")
            for truth in (True, False):
                self._constant(self._exp.Bool(truth), name)
            return name
        if kind.is_int_type() and kind.lower_bound is not None and kind.upper_bound is not None:
            low, high = kind.lower_bound, kind.upper_bound
            name = self._names(("type", low, high), f"int-{low}-{high}")
            if name not in self._values:
                self._values[name] = set()
                for value in range(low, high + 1):
                    self._constant(self._exp.Int(value), name)
            return name
        raise Unsupported(f"parameters of type {kind}")

    def _constant(self, node: FNode, kind: str) -> str:
        value = node.constant_value()
        name = self._names(("value", type(value), value), f"value-{value}")
        self._nodes[name] = node
        self._values.setdefault(kind, set()).add(name)
        return name

    def _parameter(self, one: Parameter | Variable) -> str:
        return self._variables((type(one).__name__, one.name), one.name)

    def _parameters(self, all_of: Iterable[Parameter | Variable]) -> list[str]:
        return typed((self._parameter(one), self._type(one.type)) for one in all_of)

    def _fluent(self, fluent: Fluent) -> str:
        return self._names(("fluent", fluent.name), fluent.name)

    # Terms and conditions

    def _term(self, node: FNode, held: list[tuple[str, str, Form]]) -> str:
        """A variable or an object. The value of a fluent is held by a variable of its
        own, which `held` says more about."""
        if node.is_parameter_exp():
            return self._parameter(node.parameter())
        if node.is_variable_exp():
            return self._parameter(node.variable())
        if node.is_object_exp():
            return self._object(node.object())
        if node.is_bool_constant() or node.is_int_constant():
            value = node.constant_value()
            name = self._names(("value", type(value), value), f"value-{value}")
            if name in self._nodes:
                return name
        if node.is_fluent_exp() and node.fluent().type.is_user_type():
            name = f"?value-of-{next(self._fresh)}"
            arguments = [self._term(one, held) for one in node.args]
            atom = [self._fluent(node.fluent()), *arguments, name]
            held.append((name, self._type(node.fluent().type), atom))
            return name
        raise Unsupported(f"the expression {node} as an argument")

    def _holding(self, held: list[tuple[str, str, Form]], body: Form) -> Form:
        if not held:
            return body
        names = typed((name, kind) for name, kind, _ in held)
        return ["exists", names, ["and", *(atom for _, _, atom in held), body]]

    def condition(self, node: FNode) -> Form:
        """A condition."""
        kind = node.node_type
        if kind in (Op.AND, Op.OR):
            return [kind.name.lower(), *map(self.condition, node.args)]
        if kind == Op.NOT:
            return ["not", self.condition(node.arg(0))]
        if kind == Op.IMPLIES:
            return ["imply", *map(self.condition, node.args)]
        if kind == Op.IFF:
            one, two = map(self.condition, node.args)
            return ["and", ["imply", one, two], ["imply", two, one]]
        if kind in (Op.EXISTS, Op.FORALL):
            body = self.condition(node.arg(0))
            return [kind.name.lower(), self._parameters(node.variables()), body]
        if kind == Op.BOOL_CONSTANT:
            return ["and"] if node.is_true() else ["or"]
        held: list[tuple[str, str, Form]] = []
        if kind == Op.FLUENT_EXP and node.fluent().type.is_bool_type():
            atom = [self._fluent(node.fluent()), *(self._term(one, held) for one in node.args)]
            return self._holding(held, atom)
        if kind in (Op.PARAM_EXP, Op.VARIABLE_EXP) and node.type.is_bool_type():
            return ["=", self._term(node, held), self._term(self._exp.TRUE(), held)]
        if kind in (Op.LE, Op.LT):
            sign = "<=" if kind == Op.LE else "<"
            return self._compared(sign, *node.args)
        if kind == Op.EQUALS:
            one, two = node.args
            if _is_number(one) and not all(map(_is_plain, (one, two))):
                return self._compared("=", one, two)
            if any(side.is_fluent_exp() and side.type.is_user_type() for side in (one, two)):
                if not (one.is_fluent_exp() and one.type.is_user_type()):
                    one, two = two, one
                value = self._term(two, held)
                arguments = [self._term(argument, held) for argument in one.args]
                return self._holding(held, [self._fluent(one.fluent()), *arguments, value])
            return ["=", self._term(one, held), self._term(two, held)]
        raise Unsupported(f"the condition {node}")

    # Numbers

    def _compared(self, sign: str, one: FNode, two: FNode) -> Form:
        held: list[tuple[str, str, Form]] = []
        form = [sign, self._arithmetic(one, held), self._arithmetic(two, held)]
        return self._holding(held, form)

    def _arithmetic(self, node: FNode, held: list[tuple[str, str, Form]]) -> Form:
        """A number that may depend on the state."""
        if node.is_int_constant() or node.is_real_constant():
            number = Fraction(node.constant_value())
            found = _decimal(number)
            return found or ["/", str(number.numerator), str(number.denominator)]
        if node.is_fluent_exp():
            fluent = node.fluent()
            name = self._fluent(fluent)
            self._functions.setdefault(fluent, [name, *self._parameters(fluent.signature)])
            return [name, *(self._term(one, held) for one in node.args)]
        if node.is_parameter_exp() or node.is_variable_exp():
            self._number_parameters = True
            return [self._names(("number-of",), "number-of"), self._term(node, held)]
        signs = {Op.PLUS: "+", Op.MINUS: "-", Op.TIMES: "*", Op.DIV: "/"}
        if node.node_type not in signs:
            raise Unsupported(f"the number {node}")
        return [signs[node.node_type], *(self._arithmetic(one, held) for one in node.args)]

    def _to_watch(self) -> set[Fluent]:
        """Numbers with bounds that several effects of one action change in ways that
        are not plain: whether they stay within is asked of every state."""
        watched: set[Fluent] = set()
        for action in self.problem.actions:
            if not isinstance(action, InstantaneousAction):
                continue
            for fluent, effects in _bounded(action).items():
                plain = all(
                    not one.is_assignment() and not one.is_conditional() and not one.forall
                    for one in effects
                )
                if len(effects) > 2 or len(effects) == 2 and not plain:
                    watched.add(fluent)
        return watched

    def _within(self) -> Iterator[Form]:
        """All numbers that are watched are within their bounds."""
        for fluent in sorted(self._watched, key=lambda one: one.name):
            place = [self._fluent(fluent), *(self._parameter(one) for one in fluent.signature)]
            self._functions.setdefault(fluent, [place[0], *self._parameters(fluent.signature)])
            body: Form = ["and", *_in_bounds(fluent, place)]
            names = self._parameters(fluent.signature)
            yield ["forall", names, body] if names else body

    def _limits(self, action: InstantaneousAction) -> Iterator[Form]:
        """An action cannot be executed where a number would leave its bounds."""
        for fluent, effects in _bounded(action).items():
            if fluent in self._watched:
                continue
            if len(effects) == 1:
                yield self._stays(fluent, effects[0], None)
                continue
            one, two = effects
            same = self._exp.And(
                [self._exp.Equals(a, b) for a, b in zip(one.fluent.args, two.fluent.args)]
            ).simplify()
            both = self._stays(fluent, one, two)
            if same.is_true():
                yield both
                continue
            equal = self.condition(same)
            yield ["imply", equal, both]
            for each in effects:
                yield ["or", equal, self._stays(fluent, each, None)]

    def _stays(self, fluent: Fluent, effect: Effect, other: Effect | None) -> Form:
        held: list[tuple[str, str, Form]] = []
        after: Form = self._arithmetic(effect.fluent, held)
        if effect.is_assignment():
            after = self._arithmetic(effect.value, held)
        for one in (effect, other):
            if one is not None and not one.is_assignment():
                sign = "+" if one.is_increase() else "-"
                after = [sign, after, self._arithmetic(one.value, held)]
        form = self._holding(held, ["and", *_in_bounds(fluent, after)])
        if effect.is_conditional():
            form = ["imply", self.condition(effect.condition), form]
        names = self._parameters(effect.forall)
        return ["forall", names, form] if names else form

    # Actions

    def _domain(self) -> list[Form]:
        problem = self.problem
        predicates: list[Form] = []
        for fluent in problem.fluents:
            parameters = self._parameters(fluent.signature)
            if fluent.type.is_user_type():
                parameters += ["?the-value", "-", self._type(fluent.type)]
            elif not fluent.type.is_bool_type():
                continue
            predicates.append([self._fluent(fluent), *parameters])
        actions = [self._action(action) for action in problem.actions]
        sections: list[Form] = []
        if isinstance(problem, HierarchicalProblem):
            for task in problem.tasks:
                name = self._names(("task", task.name), task.name)
                parameters = self._parameters(task.parameters)
                sections.append([":task", name, ":parameters", parameters])
            sections += [self.method(method) for method in problem.methods]
        # What comes first in the text needs what was found on the way.
        types: list[str] = []
        for kind in problem.user_types:
            father = kind.father
            types += [self._type(kind), "-", "object" if father is None else self._type(father)]
        for name in self._values:
            types += [name, "-", "object"]
        head: list[Form] = [[":types", *types]] if types else []
        constants: list[Form] = []
        for thing in problem.all_objects:
            constants += [self._object(thing), "-", self._type(thing.type)]
        several: dict[str, list[str]] = {}
        for kind_name, members in self._values.items():
            for member in sorted(members):
                several.setdefault(member, []).append(kind_name)
        for member, kinds in several.items():
            constants += [member, "-", kinds[0] if len(kinds) == 1 else ["either", *kinds]]
        head += [[":constants", *constants]] if constants else []
        head += [[":predicates", *predicates]] if predicates else []
        if self.problem.goals or self._watched:
            self._goal = [*map(self.condition, self.problem.goals), *self._within()]
        functions: list[Form] = list(self._functions.values())
        if self._number_parameters:
            functions.append([self._names(("number-of",), "number-of"), "?the-value"])
        if self._costs is not None:
            functions += [["total-cost"], *self._cost_functions]
        if functions:
            head.append([":functions", *itertools.chain(*((f, "-", "number") for f in functions))])
        return [[":requirements", *self._requirements()], *head, *sections, *actions]

    def _requirements(self) -> list[str]:
        costs = [":action-costs"] if self._costs is not None else []
        costs += [":numeric-fluents"] if self._functions or self.measured else []
        return [":adl", *costs, *([":hierarchy", ":method-preconditions"] * self.hierarchical)]

    def _action(self, action: Action) -> Form:
        if not isinstance(action, InstantaneousAction):
            raise Unsupported(f"{type(action).__name__} {action.name}")
        if action.simulated_effect is not None:
            raise Unsupported(f"the simulated effect of {action.name}")
        name = self._names(("action", action.name), action.name)
        conditions = [self.condition(one) for one in action.preconditions]
        conditions += self._conflicts(action)
        conditions += self._limits(action)
        conditions += self._within()
        effects = [self._effect(effect) for effect in action.effects]
        effects += self._cost(action)
        return [
            ":action",
            name,
            ":parameters",
            self._parameters(action.parameters),
            ":precondition",
            ["and", *conditions],
            ":effect",
            ["and", *effects],
        ]

    def _effect(self, effect: Effect) -> Form:
        held: list[tuple[str, str, Form]] = []
        fluent, value = effect.fluent.fluent(), effect.value
        arguments = [self._term(one, held) for one in effect.fluent.args]
        atom: list[Any] = [self._fluent(fluent), *arguments]
        form: Form
        if fluent.type.is_int_type() or fluent.type.is_real_type():
            word = "increase" if effect.is_increase() else "decrease"
            word = "assign" if effect.is_assignment() else word
            place = self._arithmetic(effect.fluent, held)
            form = [word, place, self._arithmetic(value, held)]
        elif not effect.is_assignment():
            raise Unsupported(f"the effect {effect}")
        elif fluent.type.is_bool_type():
            if value.is_bool_constant():
                form = atom if value.is_true() else ["not", atom]
            else:
                holds = self.condition(value)
                form = ["and", ["when", holds, atom], ["when", ["not", holds], ["not", atom]]]
        elif fluent.type.is_user_type():
            # What is deleted and added in one action is added.
            kind = self._type(fluent.type)
            other = f"?value-of-{next(self._fresh)}"
            clear = ["forall", typed([(other, kind)]), ["not", [*atom, other]]]
            form = ["and", clear, [*atom, self._term(value, held)]]
        else:
            raise Unsupported(f"the effect {effect}")
        conditions = [atom for _, _, atom in held]
        if effect.is_conditional():
            conditions.append(self.condition(effect.condition))
        if conditions:
            form = ["when", ["and", *conditions], form]
        names = [*self._parameters(effect.forall), *typed((n, k) for n, k, _ in held)]
        return ["forall", names, form] if names else form

    def _conflicts(self, action: InstantaneousAction) -> Iterator[Form]:
        """An action cannot be executed where it would give one fluent two values."""
        given = [one for one in action.effects if one.fluent.fluent().type.is_user_type()]
        pairs = itertools.combinations(given, 2)
        same = ((one, one) for one in given if one.forall)
        for one, two in itertools.chain(pairs, same):
            if one.fluent.fluent() != two.fluent.fluent():
                continue
            other = {v: Variable(f"{v.name}-again", v.type) for v in two.forall}
            swap = {
                self._exp.VariableExp(v): self._exp.VariableExp(w) for v, w in other.items()
            }
            places = [node.substitute(swap) for node in two.fluent.args]
            value, condition = two.value.substitute(swap), two.condition.substitute(swap)
            sides = zip(one.fluent.args, places)
            parts = [self._exp.Equals(a, b) for a, b in sides if a != b]
            parts.append(self._exp.Not(self._exp.Equals(one.value, value)))
            parts += [one.condition, condition]
            clash = self._exp.And(parts).simplify()
            if clash.is_false():
                continue
            names = self._parameters([*one.forall, *other.values()])
            form = self.condition(clash)
            yield ["not", ["exists", names, form] if names else form]

    # Costs

    def _metric(self) -> None:
        metrics = self.problem.quality_metrics
        if len(metrics) > 1:
            raise Unsupported("more than one quality metric")
        for metric in metrics:
            if isinstance(metric, MinimizeActionCosts):
                default = metric.default
                self._costs = dict(metric.costs)
                self._default_cost = default
                given = [cost for cost in (*self._costs.values(), default) if cost]
                self.measured = any(map(self._changes, given))
                if self.measured:
                    continue
                numbers = self._numbers([c for c in (*self._costs.values(), default) if c])
                self.scale = math.lcm(1, *(number.denominator for number in numbers))
            elif isinstance(
                metric, (MinimizeExpressionOnFinalState, MaximizeExpressionOnFinalState)
            ):
                self.measured = True
            elif not isinstance(metric, MinimizeSequentialPlanLength):
                raise Unsupported(f"the metric {metric}")

    def _changes(self, node: FNode) -> bool:
        """True if an action changes what the number depends on."""
        if node.is_fluent_exp() and node.fluent() in self._changed:
            return True
        return any(map(self._changes, node.args))

    def _numbers(self, nodes: list[FNode]) -> Iterator[Fraction]:
        """All numbers that can be part of a cost."""
        fluents: set[Fluent] = set()
        while nodes:
            node = nodes.pop()
            if node.is_fluent_exp():
                fluents.add(node.fluent())
            elif node.is_int_constant() or node.is_real_constant():
                yield Fraction(node.constant_value())
            nodes.extend(node.args)
        for fluent in fluents:
            for _, value in self._initial(fluent):
                yield Fraction(value.constant_value())

    def _cost(self, action: Action) -> list[Form]:
        if self._costs is None:
            return []
        cost = self._costs.get(action, self._default_cost)
        if cost is None:
            return [["increase", ["total-cost"], "0"]]
        if self.measured:
            held: list[tuple[str, str, Form]] = []
            amount = self._arithmetic(cost, held)
            if held:
                raise Unsupported(f"the cost {cost}")
            return [["increase", ["total-cost"], amount]]
        parts = cost.args if cost.is_plus() else [cost]
        return [["increase", ["total-cost"], self._amount(part)] for part in parts]

    def _amount(self, node: FNode) -> Form:
        if node.is_int_constant() or node.is_real_constant():
            return self._number(Fraction(node.constant_value()))
        if node.is_fluent_exp() and all(
            one.is_parameter_exp() or one.is_object_exp() for one in node.args
        ):
            fluent = node.fluent()
            # Costs are scaled, so that a number that is read elsewhere has two names.
            name = self._names(("cost of fluent", fluent.name), fluent.name)
            if [name, *self._parameters(fluent.signature)] not in self._cost_functions:
                self._cost_functions.append([name, *self._parameters(fluent.signature)])
                for arguments, value in self._initial(fluent):
                    place = [name, *(self._term(one, []) for one in arguments)]
                    number = self._number(Fraction(value.constant_value()))
                    self._cost_values.append(["=", place, number])
            return [name, *(self._term(one, []) for one in node.args)]
        return self._tabled(node)

    def _tabled(self, node: FNode) -> Form:
        """Any other cost is computed for all values of the parameters in it."""
        found: dict[str, Parameter] = {}
        nodes = [node]
        while nodes:
            one = nodes.pop()
            if one.is_parameter_exp():
                found[one.parameter().name] = one.parameter()
            nodes.extend(one.args)
        parameters = list(found.values())
        ranges = [self._range(one.type) for one in parameters]
        if math.prod(map(len, ranges)) > _MOST_COSTS:
            raise Unsupported(f"the cost {node}, which has too many values")
        name = self._names(("cost", node.node_id), "cost")
        self._cost_functions.append([name, *self._parameters(parameters)])
        for values in itertools.product(*ranges):
            swap = {self._exp.ParameterExp(p): v for p, v in zip(parameters, values)}
            try:
                number = self._evaluate(node.substitute(swap))
            except UPProblemDefinitionError:
                # A part of it has no value.
                continue
            place = [name, *(self._term(value, []) for value in values)]
            self._cost_values.append(["=", place, self._number(number)])
        return [name, *(self._parameter(one) for one in parameters)]

    def _evaluate(self, node: FNode) -> Fraction:
        if node.is_fluent_exp():
            arguments = [one.simplify() for one in node.args]
            return self._evaluate(self.problem.initial_value(node.fluent()(*arguments)))
        if node.is_int_constant() or node.is_real_constant():
            return Fraction(node.constant_value())
        values = [self._evaluate(one) for one in node.args]
        if node.is_plus():
            return sum(values, Fraction(0))
        if node.is_times():
            return math.prod(values, start=Fraction(1))
        if node.is_minus():
            return values[0] - values[1]
        if node.is_div():
            return values[0] / values[1]
        raise Unsupported(f"the cost {node}")

    def _number(self, number: Fraction) -> str:
        scaled = number * self.scale
        if scaled < 0:
            raise Unsupported("costs below zero")
        if scaled.denominator != 1:
            raise Unsupported(f"the cost {number}, which is finer than the numbers it is made of")
        return str(scaled.numerator)

    def _range(self, kind: Type) -> list[FNode]:
        if kind.is_user_type():
            return [self._exp.ObjectExp(one) for one in self.problem.objects(kind)]
        members = self._values.get(self._type(kind), set())
        return [self._nodes[one] for one in sorted(members)]

    # Task networks

    def method(self, method: Method, name: str | None = None, given: Iterable[FNode] = ()) -> Form:
        """A method; `given` values of its parameters are asked for as constraints."""
        if name is None:
            name = self._names(("method", method.name), method.name)
        self.methods[name] = method
        task = method.achieved_task
        # The parameters of the task may be the task's own, of the same names.
        arguments = [self._parameter(method.parameter(one.name)) for one in task.parameters]
        fixed: list[Form] = [
            ["=", self._parameter(one), self._term(value, [])]
            for one, value in zip(method.parameters, given)
        ]
        return [
            ":method",
            name,
            ":parameters",
            self._parameters(method.parameters),
            ":task",
            [self._names(("task", task.task.name), task.task.name), *arguments],
            ":precondition",
            ["and", *map(self.condition, method.preconditions)],
            *self._network(method, fixed),
        ]

    def _network(self, network: AbstractTaskNetwork, fixed: list[Form]) -> list[Form]:
        labels = {
            one.identifier: f"t{place}" for place, one in enumerate(network.subtasks)
        }
        subtasks: list[Form] = []
        for subtask in network.subtasks:
            held: list[tuple[str, str, Form]] = []
            arguments = [self._term(one, held) for one in subtask.parameters]
            if held:
                raise Unsupported(f"the subtask {subtask}, whose arguments are fluents")
            kind = "action" if isinstance(subtask.task, Action) else "task"
            name = self._names((kind, subtask.task.name), subtask.task.name)
            subtasks.append([labels[subtask.identifier], [name, *arguments]])
        order = network.partial_order()
        if order is None:
            raise Unsupported("task networks with temporal constraints")
        constraints = [*fixed, *map(self.condition, network.non_temporal_constraints())]
        pairs = [["<", labels[one], labels[two]] for one, two in order]
        form: list[Form] = [":subtasks", ["and", *subtasks]]
        form += [":ordering", ["and", *pairs]] if pairs else []
        form += [":constraints", ["and", *constraints]] if constraints else []
        return form

    # The problem

    def _initial(self, fluent: Fluent) -> Iterator[tuple[tuple[FNode, ...], FNode]]:
        """The values of a fluent; those of a boolean one only where it holds. An
        action whose cost has no value cannot be executed."""
        default = self.problem.fluents_defaults.get(fluent)
        explicit = {
            node: value
            for node, value in self.problem.explicit_initial_values.items()
            if node.fluent() == fluent
        }
        if default is not None and default.is_bool_constant() and default.is_false():
            places: Iterable[FNode] = explicit
        else:
            places = get_all_fluent_exp(self.problem, fluent)
        for place in places:
            value = explicit.get(place, default)
            number = fluent.type.is_int_type() or fluent.type.is_real_type()
            if value is None and number:
                continue
            if value is None:
                raise Unsupported(f"{place}, which has no value at the start")
            if not (value.is_bool_constant() and value.is_false()):
                yield tuple(place.args), value

    def _problem_sections(self) -> list[Form]:
        problem = self.problem
        if problem.timed_goals or problem.timed_effects or problem.trajectory_constraints:
            raise Unsupported("timed goals, timed effects or trajectory constraints")
        sections: list[Form] = [[":domain", self._named("domain")]]
        if isinstance(problem, HierarchicalProblem):
            network = problem.task_network
            parameters = self._parameters(network.variables)
            sections.append([":htn", ":parameters", parameters, *self._network(network, [])])
        facts: list[Form] = []
        for fluent in problem.fluents:
            if not fluent.type.is_bool_type() and not fluent.type.is_user_type():
                continue
            for arguments, value in self._initial(fluent):
                fact = [self._fluent(fluent), *(self._term(one, []) for one in arguments)]
                if fluent.type.is_user_type():
                    fact.append(self._term(value, []))
                facts.append(fact)
        measure = self._measure()
        for fluent in self._functions:
            name = self._fluent(fluent)
            for arguments, value in self._initial(fluent):
                number = Fraction(value.constant_value())
                written = _decimal(number)
                if written is None:
                    raise Unsupported(f"the number {number}, which has no last decimal, at the start")
                place = [name, *(self._term(one, []) for one in arguments)]
                facts.append(["=", place, written])
        if self._number_parameters:
            for name, node in self._nodes.items():
                if node.is_int_constant():
                    place = [self._names(("number-of",), "number-of"), name]
                    facts.append(["=", place, str(node.constant_value())])
        if self._costs is not None:
            facts += [["=", ["total-cost"], "0"], *self._cost_values]
        sections.append([":init", *facts])
        if self._goal or not self.hierarchical:
            sections.append([":goal", ["and", *self._goal]])
        if self._costs is not None:
            sections.append([":metric", "minimize", ["total-cost"]])
        return [*sections, *measure]

    def _measure(self) -> list[Form]:
        """The metric, if it is a number of the state at the end."""
        for metric in self.problem.quality_metrics:
            if isinstance(metric, (MinimizeExpressionOnFinalState, MaximizeExpressionOnFinalState)):
                least = isinstance(metric, MinimizeExpressionOnFinalState)
                held: list[tuple[str, str, Form]] = []
                number = self._arithmetic(metric.expression, held)
                if held:
                    raise Unsupported(f"the metric {metric}")
                return [[":metric", "minimize" if least else "maximize", number]]
        return []

    # The way back

    def node(self, name: str) -> FNode:
        """The object, number or truth value with a name."""
        return self._nodes[name]

    def name(self, node: FNode) -> str:
        """The name of an object, number or truth value."""
        return self._term(node, [])

    def action_name(self, action: Action) -> str:
        """The name of an action."""
        return self._names(("action", action.name), action.name)

    def task_name(self, task: Any) -> str:
        """The name of a task."""
        return self._names(("task", task.name), task.name)


def show_sections(head: str, name: list[str], sections: list[Form]) -> str:
    """A definition with a line for each section."""
    lines = [f"({head} {show(name)}", *(f"  {show(one)}" for one in sections)]
    return "\n".join(lines) + ")\n"


def _is_number(node: FNode) -> bool:
    return bool(node.type.is_int_type() or node.type.is_real_type())


def _is_plain(node: FNode) -> bool:
    """A number that stands for itself, and can be compared like an object."""
    return bool(node.is_parameter_exp() or node.is_variable_exp() or node.is_int_constant())


def _decimal(number: Fraction) -> str | None:
    """With a point, if it has a last decimal."""
    places, rest = 0, number.denominator
    for factor in (2, 5):
        count = 0
        while rest % factor == 0:
            rest //= factor
            count += 1
        places = max(places, count)
    if rest != 1:
        return None
    digits = abs(number.numerator) * 10**places // number.denominator
    sign = "-" if number < 0 else ""
    if places == 0:
        return f"{sign}{digits}"
    return f"{sign}{digits // 10**places}.{digits % 10**places:0{places}}"


def _bounded(action: InstantaneousAction) -> dict[Fluent, list[Effect]]:
    """The effects on numbers whose type has bounds."""
    found: dict[Fluent, list[Effect]] = {}
    for effect in action.effects:
        fluent = effect.fluent.fluent()
        if (fluent.type.is_int_type() or fluent.type.is_real_type()) and (
            fluent.type.lower_bound is not None or fluent.type.upper_bound is not None
        ):
            found.setdefault(fluent, []).append(effect)
    return found


def _in_bounds(fluent: Fluent, number: Form) -> Iterator[Form]:
    for sign, bound in ((">=", fluent.type.lower_bound), ("<=", fluent.type.upper_bound)):
        if bound is not None:
            exact = Fraction(bound)
            written: Form = _decimal(exact) or ["/", str(exact.numerator), str(exact.denominator)]
            yield [sign, number, written]
