"""Plans of unified-planning to text and back, with every binding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unified_planning.model import FNode
from unified_planning.model.htn.task_network import AbstractTaskNetwork
from unified_planning.plans import ActionInstance, HierarchicalPlan, Plan, SequentialPlan
from unified_planning.plans.hierarchical_plan import Decomposition, MethodInstance

from .. import planning
from .._text import show
from .translate import Translation

__all__ = ["Written", "flat_text", "plan_of", "text_of"]


def plan_of(translation: Translation, found: planning.PlanResult) -> Plan:
    """A plan that was found, in the words of the problem."""
    made: dict[int, Any] = {}
    for step in found.steps:
        values = tuple(map(translation.node, step.arguments))
        made[step.id] = ActionInstance(translation.actions[step.action], values)
    flat = SequentialPlan([made[step.id] for step in found.steps], translation.problem.environment)
    if found.network is None:
        return flat
    tasks = {task.id: task for task in found.tasks}
    # Children before parents, however deep.
    order, waiting = [], list(found.network.children)
    while waiting:
        number = waiting.pop()
        if number in tasks:
            order.append(tasks[number])
            waiting.extend(tasks[number].children)
    for task in reversed(order):
        method = translation.methods[task.method]
        values = tuple(map(translation.node, task.values))
        below = _named(method, task.children, made)
        made[task.id] = MethodInstance(method, values, below)
    network = translation.problem.task_network
    return HierarchicalPlan(flat, _named(network, found.network.children, made))


def _named(
    network: AbstractTaskNetwork, children: list[int], made: dict[int, Any]
) -> Decomposition:
    names = [subtask.identifier for subtask in network.subtasks]
    return Decomposition({name: made[child] for name, child in zip(names, children)})


def flat_text(translation: Translation, actions: list[ActionInstance]) -> str:
    """Actions, a line each."""
    return "".join(f"({_call(translation, one)})\n" for one in actions) or ";\n"


def _call(translation: Translation, one: ActionInstance) -> str:
    try:
        name = translation.action_name(one.action)
        return " ".join([name, *map(translation.name, one.actual_parameters)])
    except KeyError as unknown:
        raise ValueError(f"{one}: {unknown} is no part of the problem") from None


@dataclass
class Written:
    """A hierarchical plan as text, for a domain in which each of its methods is one
    of a kind: with the values that the plan gives to the parameters."""

    domain: str
    plan: str
    steps: list[ActionInstance]
    children: dict[int, list[int]]
    root: list[int]

    def as_given(self, found: planning.PlanResult | None) -> bool:
        """True if the children carry out the subtasks that the plan says."""
        if found is None or found.network is None or found.network.children != self.root:
            return False
        return all(self.children[task.id] == task.children for task in found.tasks)


def text_of(translation: Translation, plan: HierarchicalPlan) -> Written:
    """A plan as text; a `ValueError` if its parts do not hang together."""
    if not isinstance(plan.action_plan, SequentialPlan):
        raise ValueError("the actions are not in a sequence")
    steps = list(plan.action_plan.actions)
    ids = {id(step): place for place, step in enumerate(steps)}
    lines = [f"{place} {_call(translation, step)}" for place, step in enumerate(steps)]
    methods: list[str] = []
    children: dict[int, list[int]] = {}
    tasks: list[str] = []
    numbers = iter(range(len(steps), 1 << 62))
    #: Instances of methods with their numbers and what they are for.
    open_tasks: list[tuple[int, MethodInstance, str]] = []

    def below(
        network: AbstractTaskNetwork, given: dict[str, FNode], parts: Decomposition
    ) -> list[int]:
        wanted = {subtask.identifier for subtask in network.subtasks}
        if set(parts.subtasks) != wanted:
            raise ValueError(f"subtasks {sorted(parts.subtasks)} instead of {sorted(wanted)}")
        found = []
        for subtask in network.subtasks:
            part = parts.subtasks[subtask.identifier]
            if isinstance(part, ActionInstance):
                if id(part) not in ids:
                    raise ValueError(f"{part} is not among the actions of the plan")
                found.append(ids[id(part)])
                continue
            task = part.method.achieved_task
            values = dict(zip((one.name for one in part.method.parameters), part.parameters))
            arguments = [translation.name(values[one.name]) for one in task.parameters]
            number = next(numbers)
            call = " ".join([translation.task_name(task.task), *arguments])
            open_tasks.append((number, part, call))
            found.append(number)
        return found

    problem = translation.problem
    root = below(problem.task_network, {}, plan.decomposition)
    while open_tasks:
        number, instance, call = open_tasks.pop()
        name = f"the-method-{number}"
        methods.append("  " + show(translation.method(instance.method, name, instance.parameters)))
        children[number] = below(instance.method, {}, instance.decomposition)
        listed = "".join(f" {child}" for child in children[number])
        tasks.append(f"{number} {call} -> {name}{listed}")
    text = ["==>", *lines, "root" + "".join(f" {one}" for one in root), *tasks, "<=="]
    # The last parenthesis of the domain closes it.
    domain = translation.domain_text.rstrip()[:-1] + "\n" + "\n".join(methods) + ")\n"
    return Written(domain, "\n".join(text) + "\n", steps, children, root)
