"""The engines that unified-planning sees.

Four, because unified-planning asks a class, not a problem, what it promises:

- `planoku`: a plan, or plans that keep getting cheaper
- `planoku-opt`: a cheapest plan, proved so
- `planoku-validator`: is this a plan? Also of hierarchical problems, with or without
  a decomposition
- `planoku-grounder`: actions without parameters, those that can be reached
"""

from __future__ import annotations

import time as clock
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import IO, Any

from unified_planning.engines import (
    CompilationKind,
    CompilerResult,
    Credits,
    Engine,
    LogLevel,
    LogMessage,
    OptimalityGuarantee,
    PlanGenerationResult,
    ValidationResult,
    ValidationResultStatus,
)
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines.compilers.grounder import Grounder
from unified_planning.engines.mixins import (
    AnytimePlannerMixin,
    CompilerMixin,
    OneshotPlannerMixin,
    PlanValidatorMixin,
)
from unified_planning.engines.mixins.anytime_planner import AnytimeGuarantee
from unified_planning.engines.results import FailedValidationReason
from unified_planning.model import FNode, Problem, ProblemKind
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION
from unified_planning.plans import (
    ActionInstance,
    HierarchicalPlan,
    Plan,
    PlanKind,
    SequentialPlan,
)

from .. import _core, planning
from .plans import flat_text, plan_of, text_of
from .translate import Translation, Unsupported

__all__ = ["Grounding", "Optimal", "Planner", "Validator"]

_CREDITS = {
    "author": "The Planoku developers",
    "contact": "",
    "website": "",
    "license": "MIT OR Apache-2.0",
    "long_description": "Planoku reads, checks, grounds, plans and verifies classical and "
    "hierarchical problems (HDDL and PDDL). Every plan it returns has been accepted by a "
    "verifier that shares no code with the planners.",
}

#: What the translation keeps, of classical problems.
_FEATURES = {
    "ACTION_BASED",
    "FLAT_TYPING",
    "HIERARCHICAL_TYPING",
    "NEGATIVE_CONDITIONS",
    "DISJUNCTIVE_CONDITIONS",
    "EQUALITIES",
    "EXISTENTIAL_CONDITIONS",
    "UNIVERSAL_CONDITIONS",
    "CONDITIONAL_EFFECTS",
    "FORALL_EFFECTS",
    "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    "STATIC_FLUENTS_IN_OBJECT_ASSIGNMENTS",
    "FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    "FLUENTS_IN_OBJECT_ASSIGNMENTS",
    "OBJECT_FLUENTS",
    "BOOL_FLUENT_PARAMETERS",
    "BOUNDED_INT_FLUENT_PARAMETERS",
    "BOOL_ACTION_PARAMETERS",
    "BOUNDED_INT_ACTION_PARAMETERS",
    "ACTIONS_COST",
    "PLAN_LENGTH",
    "STATIC_FLUENTS_IN_ACTIONS_COST",
    "INT_NUMBERS_IN_ACTIONS_COST",
    "REAL_NUMBERS_IN_ACTIONS_COST",
    "FLUENTS_IN_ACTIONS_COST",
    "FINAL_VALUE",
    "SIMPLE_NUMERIC_PLANNING",
    "GENERAL_NUMERIC_PLANNING",
    "INT_FLUENTS",
    "REAL_FLUENTS",
    "NUMERIC_FLUENTS",
    "DISCRETE_NUMBERS",
    "CONTINUOUS_NUMBERS",
    "BOUNDED_TYPES",
    "INCREASE_EFFECTS",
    "DECREASE_EFFECTS",
    "STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS",
    "FLUENTS_IN_NUMERIC_ASSIGNMENTS",
    # What reads a number without a value does not hold and cannot be executed.
    "UNDEFINED_INITIAL_NUMERIC",
}
#: And of hierarchical ones.
_HIERARCHY = {
    "HIERARCHICAL",
    "METHOD_PRECONDITIONS",
    "TASK_NETWORK_CONSTRAINTS",
    "INITIAL_TASK_NETWORK_VARIABLES",
    "TASK_ORDER_TOTAL",
    "TASK_ORDER_PARTIAL",
}


class _Engine(Engine):
    """What all of them have in common."""

    _name = "planoku"
    _describes = ""

    def __init__(
        self, *, threads: int = 1, seed: int = 0, memory: int | None = 4 << 30, **options: Any
    ) -> None:
        super().__init__()
        for one in options:
            warnings.warn(f"{self._name} has no option {one}", stacklevel=2)
        self._limits = {"threads": threads, "seed": seed, "memory": memory}

    @property
    def name(self) -> str:
        return self._name

    @staticmethod
    def supported_kind() -> ProblemKind:
        return ProblemKind(_FEATURES | _HIERARCHY, version=LATEST_PROBLEM_KIND_VERSION)

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= _Engine.supported_kind())

    @classmethod
    def get_credits(cls, **_: Any) -> Credits:
        return Credits(name="Planoku", short_description=cls._describes, **_CREDITS)


def _refused(problem: Problem) -> str | None:
    """What a problem asks for that is not done, by name."""
    if not isinstance(problem, Problem):
        return f"problems of class {type(problem).__name__}"
    asked = problem.kind.features - (_FEATURES | _HIERARCHY)
    return ", ".join(sorted(asked)) or None


def _translated(problem: Problem) -> Translation:
    refused = _refused(problem)
    if refused is not None:
        raise Unsupported(refused)
    return Translation(problem)


def _worth(translation: Translation, found: planning.PlanResult | planning.Verdict) -> Fraction:
    """What the metric says of a plan."""
    if translation.measured:
        return Fraction(found.metric or 0)
    return Fraction(found.cost or 0) / translation.scale


def _note(level: LogLevel, message: str) -> list[LogMessage]:
    return [LogMessage(level, message)]


class _Planning(_Engine):
    """From what the core says to what unified-planning wants to hear."""

    def _ignored(self, **given: Any) -> None:
        for name, value in given.items():
            if value is not None:
                warnings.warn(f"{self._name} ignores {name}", stacklevel=3)

    def _unsupported(self, error: Unsupported) -> PlanGenerationResult:
        return PlanGenerationResult(
            Status.UNSUPPORTED_PROBLEM,
            None,
            self._name,
            log_messages=_note(LogLevel.ERROR, f"{self._name} does not support {error}"),
        )

    def _told(
        self,
        translation: Translation,
        found: planning.PlanResult,
        began: float,
        output: IO[str] | None,
        solved: Status = Status.SOLVED_SATISFICING,
    ) -> PlanGenerationResult:
        measured = bool(translation.problem.quality_metrics)
        status = {
            "solved": solved,
            "optimal": Status.SOLVED_OPTIMALLY if measured else Status.SOLVED_SATISFICING,
            "unsolvable": Status.UNSOLVABLE_PROVEN,
            "gave up": Status.SOLVED_SATISFICING if found else Status.UNSOLVABLE_INCOMPLETELY,
            "stopped": Status.MEMOUT if found.stopped_by == "memory" else Status.TIMEOUT,
        }[found.status]
        plan = plan_of(translation, found) if found else None
        metrics = {
            "engine_internal_time": str(clock.perf_counter() - began),
            "nodes": str(found.nodes),
        }
        line = f"{self._name}: {found.status}"
        if found:
            word = "metric" if translation.measured else "cost"
            line += f", {found.length} steps, {word} {_worth(translation, found)}"
        if output is not None:
            output.write(line + "\n")
        logged = _note(LogLevel.INFO, line)
        return PlanGenerationResult(status, plan, self._name, metrics, logged)

    def _one(
        self, problem: Problem, timeout: float | None, output: IO[str] | None, optimal: bool
    ) -> PlanGenerationResult:
        began = clock.perf_counter()
        try:
            translation = _translated(problem)
        except Unsupported as error:
            return self._unsupported(error)
        found = planning.plan(
            translation.domain_text,
            translation.problem_text,
            optimal=optimal and bool(problem.quality_metrics),
            time=timeout,
            **self._limits,  # type: ignore[arg-type]
        )
        return self._told(translation, found, began, output)


class _Oneshot(_Planning, OneshotPlannerMixin):
    """What engines that give one plan share."""

    _cheapest = False

    def __init__(self, **options: Any) -> None:
        _Planning.__init__(self, **options)
        OneshotPlannerMixin.__init__(self)

    def _solve(
        self,
        problem: Problem,
        heuristic: Callable[[Any], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        return self._solve_with_params(problem, heuristic, timeout, output_stream)

    def _solve_with_params(
        self,
        problem: Problem,
        heuristic: Callable[[Any], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
        warm_start_plan: Plan | None = None,
        **options: Any,
    ) -> PlanGenerationResult:
        self._ignored(heuristic=heuristic, warm_start_plan=warm_start_plan, **options)
        return self._one(problem, timeout, output_stream, optimal=self._cheapest)


class Planner(_Oneshot, AnytimePlannerMixin):
    """A plan, or plans that keep getting cheaper."""

    _describes = "Plans for classical and hierarchical problems, each of them verified."

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    @staticmethod
    def ensures(anytime_guarantee: AnytimeGuarantee) -> bool:
        return bool(anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY)

    def _get_solutions(
        self,
        problem: Problem,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> Iterator[PlanGenerationResult]:
        return self._get_solutions_with_params(problem, timeout, output_stream)

    def _get_solutions_with_params(
        self,
        problem: Problem,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
        warm_start_plan: Plan | None = None,
        **options: Any,
    ) -> Iterator[PlanGenerationResult]:
        self._ignored(warm_start_plan=warm_start_plan, **options)
        if not problem.quality_metrics:
            # Nothing says what a better plan would be.
            yield self._one(problem, timeout, output_stream, optimal=False)
            return
        began = clock.perf_counter()
        try:
            translation = _translated(problem)
        except Unsupported as error:
            yield self._unsupported(error)
            return
        found = planning.anytime(
            translation.domain_text,
            translation.problem_text,
            time=timeout,
            **self._limits,  # type: ignore[arg-type]
        )
        for one in found:
            yield self._told(translation, one, began, output_stream, Status.INTERMEDIATE)


class Optimal(_Oneshot):
    """A cheapest plan, proved so."""

    _name = "planoku-opt"
    _cheapest = True
    _describes = "Cheapest plans for classical and hierarchical problems, each of them verified."

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return True


class Validator(_Engine, PlanValidatorMixin):
    """Is this a plan?"""

    _name = "planoku-validator"
    _describes = "Judges plans of classical and hierarchical problems."

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        return plan_kind in (PlanKind.SEQUENTIAL_PLAN, PlanKind.HIERARCHICAL_PLAN)

    def _validate(self, problem: Problem, plan: Plan) -> ValidationResult:
        began = clock.perf_counter()
        try:
            translation = _translated(problem)
            written = None
            if isinstance(plan, HierarchicalPlan):
                written = text_of(translation, plan)
                domain, text = written.domain, written.plan
            else:
                assert isinstance(plan, SequentialPlan)
                domain, text = translation.domain_text, flat_text(translation, plan.actions)
        except Unsupported as error:
            return self._said(ValidationResultStatus.UNKNOWN, began, f"not supported: {error}")
        except ValueError as error:
            return self._said(ValidationResultStatus.INVALID, began, str(error))
        memory = self._limits["memory"]
        verdict = planning.verify(
            domain, translation.problem_text, text, time=None, memory=memory
        )
        if verdict.valid is None:
            return self._said(ValidationResultStatus.UNKNOWN, began, "gave up")
        if not verdict:
            return self._broken(verdict, written.steps if written else plan.actions, began)
        if written is not None and not written.as_given(verdict.plan):
            message = "the subtasks are not carried out by those that the plan names"
            return self._said(ValidationResultStatus.INVALID, began, message)
        found = self._said(ValidationResultStatus.VALID, began)
        if problem.quality_metrics:
            (metric,) = problem.quality_metrics
            value = _worth(translation, verdict)
            whole = int(value) if value.denominator == 1 else value
            found.metric_evaluations = {metric: whole}
        return found

    def _said(
        self, status: ValidationResultStatus, began: float, message: str | None = None
    ) -> ValidationResult:
        logged = None if message is None else _note(LogLevel.INFO, message)
        seconds = {"engine_internal_time": str(clock.perf_counter() - began)}
        return ValidationResult(status, self._name, log_messages=logged, metrics=seconds)

    def _broken(
        self, verdict: planning.Verdict, steps: list[ActionInstance], began: float
    ) -> ValidationResult:
        found = self._said(ValidationResultStatus.INVALID, began, verdict.reason)
        if verdict.rule == "goal":
            found.reason = FailedValidationReason.UNSATISFIED_GOALS
        elif verdict.rule in ("precondition", "arguments"):
            found.reason = FailedValidationReason.INAPPLICABLE_ACTION
            if verdict.id is not None and verdict.id < len(steps):
                found.inapplicable_action = steps[verdict.id]
        return found


class Grounding(_Engine, CompilerMixin):
    """Actions without parameters: those that can be reached if nothing ever becomes
    false. Of classical problems; unified-planning has no methods without variables."""

    _name = "planoku-grounder"
    _describes = "Grounds classical problems: the actions that may be executable."

    def __init__(self, **options: Any) -> None:
        _Engine.__init__(self, **options)
        CompilerMixin.__init__(self, CompilationKind.GROUNDING)

    @staticmethod
    def supported_kind() -> ProblemKind:
        return ProblemKind(_FEATURES, version=LATEST_PROBLEM_KIND_VERSION)

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= Grounding.supported_kind())

    @staticmethod
    def supports_compilation(compilation_kind: CompilationKind) -> bool:
        return bool(compilation_kind == CompilationKind.GROUNDING)

    @staticmethod
    def resulting_problem_kind(
        problem_kind: ProblemKind, compilation_kind: CompilationKind | None = None
    ) -> ProblemKind:
        return Grounder.resulting_problem_kind(problem_kind, compilation_kind)

    def _compile(
        self, problem: Problem, compilation_kind: CompilationKind | None = None
    ) -> CompilerResult:
        translation = _translated(problem)
        found = planning.ground(
            translation.domain_text,
            translation.problem_text,
            memory=self._limits["memory"],
            actions=True,
        )
        reached: dict[Any, list[tuple[FNode, ...]]] = {}
        for name, *arguments in found.get("instances", ()):
            values = tuple(map(translation.node, arguments))
            reached.setdefault(translation.actions[name], []).append(values)
        result = Grounder(grounding_actions_map=reached).compile(problem, compilation_kind)
        result.engine_name = self._name
        return result


# What may go wrong in the core is the core's to say.
PlanokuError = _core.PlanokuError
