"""The engines for unified-planning: what they solve, promise and refuse."""

import os
import pathlib
import pickle
import random
import subprocess
import sys
from collections import deque
from fractions import Fraction

import pytest
import unified_planning as up
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus
from unified_planning.model.htn import HierarchicalProblem, Method, Task
from unified_planning.plans import ActionInstance, HierarchicalPlan, SequentialPlan
from unified_planning.plans.hierarchical_plan import Decomposition, MethodInstance
from unified_planning.shortcuts import *
from unified_planning.test.examples import get_example_problems

import planoku.up
from planoku import examples

get_environment().credits_stream = None
planoku.up.register()
pytestmark = pytest.mark.filterwarnings("ignore")

MODELS = pathlib.Path(os.environ.get("PLANOKU_MODELS", pathlib.Path(__file__).resolve().parents[2] / "models"))


def solve(problem, name="planoku", **options):
    with OneshotPlanner(name=name) as planner:
        return planner.solve(problem, **options)


def judge(problem, plan):
    with PlanValidator(name="planoku-validator") as validator:
        return validator.validate(problem, plan)


EXAMPLES = {
    name: one
    for name, one in get_example_problems().items()
    if planoku.up.Planner.supports(one.problem.kind)
}


def test_there_are_examples_of_many_kinds():
    assert len(EXAMPLES) >= 28
    kinds = set().union(*(one.problem.kind.features for one in EXAMPLES.values()))
    assert {"OBJECT_FLUENTS", "FORALL_EFFECTS", "HIERARCHICAL", "TASK_NETWORK_CONSTRAINTS"} <= kinds


def test_networks_in_partial_order_are_kept():
    domain = """(define (domain d) (:requirements :hierarchy) (:predicates (a) (b))
      (:task t :parameters ())
      (:method m :parameters () :task (t) :subtasks (and (x (make-b)) (y (make-a)) (z (end)))
        :ordering (and (< x z) (< y z)))
      (:action make-a :parameters () :effect (a))
      (:action make-b :parameters () :precondition (a) :effect (b))
      (:action end :parameters () :precondition (and (a) (b))))"""
    text = "(define (problem p) (:domain d) (:htn :subtasks (and (t))) (:init))"
    problem = planoku.up.read(domain, text)
    assert problem.kind.has_task_order_partial()
    plan = solve(problem).plan
    assert [str(one) for one in plan.action_plan.actions] == ["make-a", "make-b", "end"]
    (instance,) = plan.decomposition.subtasks.values()
    named = {name: str(one) for name, one in instance.decomposition.subtasks.items()}
    assert named == {"x": "make-b", "y": "make-a", "z": "end"}
    assert judge(problem, plan)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_of_a_supported_kind_is_solved_and_valid(name):
    example = EXAMPLES[name]
    problem = example.problem
    found = solve(problem, timeout=60)
    if not example.solvable:
        assert found.status == Status.UNSOLVABLE_PROVEN
        return
    assert found.status == Status.SOLVED_SATISFICING
    assert judge(problem, found.plan).status == ValidationResultStatus.VALID
    if isinstance(found.plan, SequentialPlan) and SequentialPlanValidator.supports(problem.kind):
        # The judge of unified-planning shares nothing with us.
        assert SequentialPlanValidator().validate(problem, found.plan)
    for plan in example.valid_plans:
        # The plan of this one leads to 2, and its goal asks for 1.
        assert judge(problem, plan) or name == "basic_undef_numeric", plan
    for plan in example.invalid_plans:
        assert not judge(problem, plan), plan


def errands():
    """To carry parcels, on foot or by car: the methods say which parcel."""
    place, parcel = UserType("Place"), UserType("Parcel")
    problem = HierarchicalProblem("errands")
    at = problem.add_fluent("at", place, default_initial_value=None)
    lies = problem.add_fluent("lies", BoolType(), p=parcel, l=place, default_initial_value=False)
    wanted = problem.add_fluent("wanted", BoolType(), p=parcel, default_initial_value=False)
    home, shop = problem.add_object("home", place), problem.add_object("shop", place)
    first, second = (problem.add_object(name, parcel) for name in ("first", "second"))
    walk = InstantaneousAction("walk", a=place, b=place)
    walk.add_precondition(Equals(at(), walk.a))
    walk.add_effect(at(), walk.b)
    drive = InstantaneousAction("drive", a=place, b=place)
    drive.add_precondition(Equals(at(), drive.a))
    drive.add_effect(at(), drive.b)
    take = InstantaneousAction("take", p=parcel, l=place)
    take.add_precondition(Equals(at(), take.l))
    take.add_precondition(lies(take.p, take.l))
    take.add_effect(lies(take.p, take.l), False)
    problem.add_actions([walk, drive, take])
    fetch = problem.add_task("fetch", l=place)
    for name, move in (("on-foot", walk), ("by-car", drive)):
        method = Method(name, p=parcel, a=place, l=place)
        method.set_task(fetch, method.parameter("l"))
        method.add_precondition(wanted(method.parameter("p")))
        one = method.add_subtask(move, method.parameter("a"), method.parameter("l"))
        two = method.add_subtask(take, method.parameter("p"), method.parameter("l"))
        method.set_ordered(one, two)
        problem.add_method(method)
    problem.set_initial_value(at(), home)
    problem.set_initial_value(lies(first, shop), True)
    problem.set_initial_value(lies(second, shop), True)
    problem.set_initial_value(wanted(second), True)
    problem.task_network.add_subtask(fetch, shop, ident="the-errand")
    costs = {walk: Fraction(1, 3), drive: Fraction(1, 2)}
    problem.add_quality_metric(MinimizeActionCosts(costs, default=1))
    return problem


def test_a_hierarchical_plan_has_all_bindings_and_the_exact_cost():
    problem = errands()
    found = solve(problem, "planoku-opt")
    assert found.status == Status.SOLVED_OPTIMALLY
    plan = found.plan
    instance = plan.decomposition.subtasks["the-errand"]
    assert instance.method.name == "on-foot"
    assert [str(one) for one in instance.parameters] == ["second", "home", "shop"]
    # The same objects stand in the list and in the tree.
    children = list(instance.decomposition.subtasks.values())
    assert [id(one) for one in children] == [id(one) for one in plan.action_plan.actions]
    verdict = judge(problem, plan)
    assert verdict.metric_evaluations == {problem.quality_metrics[0]: Fraction(4, 3)}
    # The list alone is a plan too, if a decomposition can be found.
    assert judge(problem, plan.action_plan)
    assert not judge(problem, SequentialPlan(plan.action_plan.actions[:1]))


def test_a_wrong_decomposition_is_no_plan():
    problem = errands()
    plan = solve(problem, "planoku-opt").plan
    instance = plan.decomposition.subtasks["the-errand"]

    def told(method=instance.method, parameters=instance.parameters, below=instance.decomposition):
        made = MethodInstance(method, tuple(parameters), below)
        return HierarchicalPlan(plan.action_plan, Decomposition({"the-errand": made}))

    assert judge(problem, told())
    first = ObjectExp(problem.object("first"))
    # The parcel of the precondition is not the one that is taken.
    assert not judge(problem, told(parameters=[first, *instance.parameters[1:]]))
    assert not judge(problem, told(method=problem.method("by-car")))
    names = list(instance.decomposition.subtasks)
    swapped = dict(zip(names, reversed(list(instance.decomposition.subtasks.values()))))
    assert not judge(problem, told(below=Decomposition(swapped)))
    assert not judge(problem, told(below=Decomposition({})))
    copies = {name: ActionInstance(one.action, one.actual_parameters) for name, one in instance.decomposition.subtasks.items()}
    assert not judge(problem, told(below=Decomposition(copies)))


def test_why_a_plan_is_none_is_said():
    problem = errands()
    walk, take = problem.action("walk"), problem.action("take")
    home, shop = (ObjectExp(problem.object(name)) for name in ("home", "shop"))
    second = ObjectExp(problem.object("second"))
    flat = Problem("flat", initial_defaults={})
    for fluent in problem.fluents:
        flat.add_fluent(fluent, default_initial_value=problem.fluents_defaults.get(fluent))
    flat.add_objects(problem.all_objects)
    flat.add_actions([walk, take])
    for place, value in problem.explicit_initial_values.items():
        flat.set_initial_value(place, value)
    flat.add_goal(Not(problem.fluent("lies")(second, shop)))
    steps = [ActionInstance(walk, (home, shop)), ActionInstance(take, (second, shop))]
    assert judge(flat, SequentialPlan(steps))
    too_soon = judge(flat, SequentialPlan(steps[1:]))
    assert too_soon.reason == up.engines.results.FailedValidationReason.INAPPLICABLE_ACTION
    assert too_soon.inapplicable_action == steps[1]
    undone = judge(flat, SequentialPlan(steps[:1]))
    assert undone.reason == up.engines.results.FailedValidationReason.UNSATISFIED_GOALS


def test_names_may_be_anything():
    kind = UserType("object-2")
    problem = Problem("Ünïcode (and) more")
    odd = ["A", "a", "and", "?x", "total-cost", "ein Objekt", "x;y", "9", "-", "ä"]
    things = [problem.add_object(name, kind) for name in odd]
    seen = problem.add_fluent("SEEN", BoolType(), default_initial_value=False, **{"The Thing": kind})
    action = InstantaneousAction("look at", **{"the thing": kind})
    action.add_effect(seen(action.parameter("the thing")), True)
    problem.add_action(action)
    for thing in things:
        problem.add_goal(seen(thing))
    found = solve(problem)
    taken = {str(step.actual_parameters[0]) for step in found.plan.actions}
    assert taken == set(odd) and SequentialPlanValidator().validate(problem, found.plan)


def test_what_is_not_supported_is_refused_by_name():
    problem = Problem("numbers")
    level = problem.add_fluent("level", RealType(), default_initial_value=0)
    fill = InstantaneousAction("fill")
    fill.add_increase_effect(level, 1)
    problem.add_action(fill)
    problem.add_goal(GE(level, 2))
    problem.add_quality_metric(Oversubscription({GE(level, 3): 5}))
    assert not planoku.up.Planner.supports(problem.kind)
    planner = planoku.up.Planner()
    planner.skip_checks = True
    found = planner.solve(problem)
    assert found.status == Status.UNSUPPORTED_PROBLEM
    assert "OVERSUBSCRIPTION" in found.log_messages[0].message
    for example in get_example_problems().values():
        if not planoku.up.Planner.supports(example.problem.kind):
            result = planner.solve(example.problem)
            assert result.status == Status.UNSUPPORTED_PROBLEM and result.log_messages


def test_no_plan_is_proved_and_limits_hold():
    problem = errands()
    problem.add_goal(Equals(problem.fluent("at")(), problem.object("home")))
    assert solve(problem).status == Status.UNSOLVABLE_PROVEN
    heavy = planoku.up.read(MODELS / "classical/tiles/domain.pddl", hard_tiles())
    # A shortest plan of these tiles takes longer than eight seconds natively.
    heavy.add_quality_metric(MinimizeSequentialPlanLength())
    assert solve(heavy, "planoku-opt", timeout=0.2).status == Status.TIMEOUT


def hard_tiles():
    folder = MODELS / "classical/tiles"
    problems = [path for path in folder.iterdir() if path.suffix == ".pddl" and "domain" not in path.stem]
    return max(problems, key=lambda path: path.stat().st_size)


def test_anytime_plans_get_cheaper_and_the_last_is_cheapest():
    problem = errands()
    with AnytimePlanner(name="planoku") as planner:
        results = list(planner.get_solutions(problem))
    metric = problem.quality_metrics[0]
    values = [judge(problem, one.plan).metric_evaluations[metric] for one in results]
    assert values == sorted(values, reverse=True) and values[-1] == Fraction(4, 3)
    statuses = [one.status for one in results]
    assert statuses[-1] == Status.SOLVED_OPTIMALLY
    assert set(statuses[:-1]) == {Status.INTERMEDIATE}


def test_ground_actions_lead_back():
    problem = EXAMPLES["robot_loader"].problem
    with Compiler(name="planoku-grounder") as compiler:
        result = compiler.compile(problem, CompilationKind.GROUNDING)
    assert result.problem.actions and not any(one.parameters for one in result.problem.actions)
    plan = solve(result.problem).plan.replace_action_instances(result.map_back_action_instance)
    assert SequentialPlanValidator().validate(problem, plan)


def test_engines_are_found_by_file_and_by_what_a_problem_needs(tmp_path):
    names = [name for name in get_environment().factory.engines if name.startswith("planoku")]
    assert len(names) == 4
    with OneshotPlanner(problem_kind=errands().kind, optimality_guarantee="SOLVED_OPTIMALLY") as one:
        assert one.name == "planoku-opt"
    assert pickle.loads(pickle.dumps(planoku.up.Planner)) is planoku.up.Planner
    text = planoku.up.__doc__.split("```ini\n")[1].split("```")[0]
    (tmp_path / "up.ini").write_text(text)
    script = (
        "from unified_planning.shortcuts import *\n"
        "with OneshotPlanner(name='planoku-opt') as planner: print(planner.name)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert ran.stdout.strip().endswith("planoku-opt"), ran.stderr


def test_texts_become_problems():
    problem = planoku.up.read(examples.DOMAIN, examples.PROBLEM)
    found = solve(problem)
    assert judge(problem, found.plan) and len(found.plan.action_plan.actions) == 3
    with pytest.raises(planoku.ParseError) as mistake:
        planoku.up.read(examples.DOMAIN.replace("(clean ?r)))", "(clen ?r)))"), examples.PROBLEM)
    assert mistake.value.line


def test_types_that_are_no_tree_and_costs_are_read():
    domain = """(define (domain d) (:requirements :adl :action-costs)
      (:types amphibian - car amphibian - boat car boat - object)
      (:predicates (used ?x))
      (:functions (total-cost) - number (toll ?x - car) - number)
      (:action drive :parameters (?c - car) :effect (and (used ?c) (increase (total-cost) (toll ?c))))
      (:action sail :parameters (?b - boat) :effect (and (used ?b) (increase (total-cost) 5))))"""
    goal = "(and (used a) (used c) (used b) (forall (?x - (either car boat)) (used ?x)))"
    problem = f"""(define (problem p) (:domain d) (:objects a - amphibian c - car b - boat)
      (:init (= (toll a) 2) (= (toll c) 3)) (:goal {goal}) (:metric minimize (total-cost)))"""
    read = planoku.up.read(domain, problem)
    found = solve(read, "planoku-opt")
    assert sorted(map(str, found.plan.actions)) == ["drive(a)", "drive(c)", "sail(b)"]
    assert judge(read, found.plan).metric_evaluations == {read.quality_metrics[0]: 10}


@pytest.mark.parametrize(
    "domain, problem",
    [
        ("classical/ferry/domain.pddl", "classical/ferry/small.pddl"),
        ("classical/blocks/domain.pddl", "classical/blocks/small.pddl"),
        ("classical/power/domain.pddl", "classical/power/small.pddl"),
        ("htn/recursive/plain/domain.hddl", "htn/recursive/plain/4x4.hddl"),
        ("htn/human/domain.hddl", "htn/human/4x4.hddl"),
    ],
)
def test_models_of_the_repository_come_through(domain, problem):
    domain, problem = MODELS / domain, MODELS / problem
    try:
        read = planoku.up.read(domain, problem)
    except planoku.up.Unsupported as error:
        assert ":derived" in domain.read_text() and ":derived" in str(error)
        return
    direct = planoku.plan(domain, problem, time=60)
    found = solve(read, timeout=60)
    assert bool(direct) == (found.plan is not None)
    if found.plan is not None:
        assert judge(read, found.plan)


def random_problem(dice):
    """Fluents of both kinds, with conditions and effects of every kind."""
    kind, below = UserType("kind"), UserType("below", UserType("kind"))
    problem = Problem("random")
    things = [problem.add_object(f"o{i}", dice.choice([kind, below])) for i in range(3)]
    flag = problem.add_fluent("flag", BoolType(), default_initial_value=False)
    mark = problem.add_fluent("mark", BoolType(), x=kind, default_initial_value=dice.random() < 0.3)
    here = problem.add_fluent("here", kind)
    of = problem.add_fluent("of", kind, x=kind)
    problem.set_initial_value(here(), dice.choice(things))
    for thing in things:
        problem.set_initial_value(of(thing), dice.choice(things))
        problem.set_initial_value(mark(thing), dice.random() < 0.4)

    def term(names, deep=1):
        options = [lambda: ObjectExp(dice.choice(things)), lambda: here(), *([lambda: dice.choice(names)] * 2 * bool(names))]
        if deep:
            options.append(lambda: of(term(names, 0)))
        return dice.choice(options)()

    def condition(names, deep=2):
        options = [lambda: flag(), lambda: mark(term(names)), lambda: Equals(term(names), term(names))]
        if deep:
            variable = Variable(f"v{deep}", kind)
            inner = [*names, VariableExp(variable)]
            options += [
                lambda: Not(condition(names, deep - 1)),
                lambda: And(condition(names, deep - 1), condition(names, deep - 1)),
                lambda: Or(condition(names, deep - 1), condition(names, deep - 1)),
                lambda: Iff(condition(names, deep - 1), condition(names, deep - 1)),
                lambda: Exists(condition(inner, deep - 1), variable),
                lambda: Forall(condition(inner, deep - 1), variable),
            ]
        return dice.choice(options)()

    for number in range(3):
        action = InstantaneousAction(f"act{number}", x=kind, y=dice.choice([kind, below]))
        names = [ParameterExp(one) for one in action.parameters]
        action.add_precondition(condition(names))
        given = set()
        for _ in range(dice.randint(1, 3)):
            bound = (Variable("w", kind),) if dice.random() < 0.3 else ()
            inner = [*names, *map(VariableExp, bound)]
            when = condition(inner, 1) if dice.random() < 0.5 else TRUE()
            place = dice.choice([lambda: flag(), lambda: mark(term(inner)), lambda: here(), lambda: of(term(inner))])()
            # Two assignments of what may be one value: the simulator looks at how
            # they are written.
            if place.fluent() in given:
                continue
            given |= {place.fluent()} - {flag, mark}
            try:
                if place.fluent().type.is_bool_type():
                    value = dice.choice([TRUE(), FALSE(), condition(inner, 1)])
                else:
                    value = term(inner)
                action.add_effect(place, value, when, forall=bound)
            except up.exceptions.UPException:
                continue
        problem.add_action(action)
    problem.add_goal(And(condition([]), condition([])))
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    return problem


def shortest(problem, most=400):
    """Breadth first, with the simulator of unified-planning; None if there is no plan,
    a negative number if there are too many states to say."""
    simulator = SequentialSimulator(problem)
    everything = [place for fluent in problem.fluents for place in up.model.fluent.get_all_fluent_exp(problem, fluent)]
    key = lambda state: tuple(str(state.get_value(place)) for place in everything)
    start = simulator.get_initial_state()
    waiting, seen = deque([(start, 0)]), {key(start)}
    while waiting:
        state, depth = waiting.popleft()
        if simulator.is_goal(state):
            return depth
        for action, values in simulator.get_applicable_actions(state):
            after = simulator.apply(state, action, values)
            if after is not None and key(after) not in seen:
                seen.add(key(after))
                if len(seen) > most:
                    return -1
                waiting.append((after, depth + 1))
    return None


def test_random_problems_mean_the_same_to_both():
    dice = random.Random(21)
    plans = none = 0
    for number in range(60):
        problem = random_problem(dice)
        if not planoku.up.Planner.supports(problem.kind):
            continue
        wanted = shortest(problem)
        if wanted == -1:
            continue
        found = solve(problem, "planoku-opt", timeout=60)
        if wanted is None:
            assert found.status == Status.UNSOLVABLE_PROVEN, (number, problem)
            none += 1
        else:
            assert found.status == Status.SOLVED_OPTIMALLY, (number, problem)
            assert len(found.plan.actions) == wanted, (number, problem, found.plan)
            plans += 1
    assert plans >= 10 and none >= 5, (plans, none)


def jars(first, second, conditional=False):
    """To pour from one jar into another, which hold so much at most."""
    jar = UserType("Jar")
    problem = up.model.Problem("jars")
    litres = problem.add_fluent("litres", IntType(0, 4), j=jar)
    one, two = problem.add_object("one", jar), problem.add_object("two", jar)
    problem.set_initial_value(litres(one), first)
    problem.set_initial_value(litres(two), second)
    pour = InstantaneousAction("pour", a=jar, b=jar)
    if conditional:
        enough = GE(litres(pour.a), 1)
        pour.add_decrease_effect(litres(pour.a), 2, enough)
        pour.add_increase_effect(litres(pour.b), 2, enough)
    else:
        pour.add_decrease_effect(litres(pour.a), 2)
        pour.add_increase_effect(litres(pour.b), 2)
    problem.add_action(pour)
    return problem, litres, one, two


@pytest.mark.parametrize("conditional", [False, True])
def test_an_action_that_would_leave_the_bounds_of_a_number_is_not_executed(conditional):
    problem, litres, one, two = jars(4, 0, conditional)
    problem.add_goal(Equals(litres(two), 4))
    found = solve(problem)
    assert len(found.plan.actions) == 2
    assert SequentialPlanValidator().validate(problem, found.plan)
    # Pouring a jar into itself changes nothing, and is allowed.
    (pour,) = problem.actions
    itself = SequentialPlan([pour(one, one), *found.plan.actions])
    assert judge(problem, itself) and SequentialPlanValidator().validate(problem, itself)
    problem, litres, one, two = jars(3, 3, conditional)
    problem.add_goal(Equals(litres(two), 5))
    assert solve(problem).status == Status.UNSOLVABLE_PROVEN
    (pour,) = problem.actions
    assert not judge(problem, SequentialPlan([pour(one, two)]))


def test_numbers_of_the_state_at_the_end_are_a_metric():
    problem, litres, one, two = jars(4, 0)
    amount = Minus(litres(one), Times(2, litres(two)))
    problem.add_quality_metric(up.model.metrics.MaximizeExpressionOnFinalState(amount))
    problem.add_goal(GE(litres(two), 1))
    plan = solve(problem).plan
    (value,) = judge(problem, plan).metric_evaluations.values()
    (said,) = SequentialPlanValidator().validate(problem, plan).metric_evaluations.values()
    assert value == said == -2


def test_a_cost_may_depend_on_numbers_that_change():
    problem, litres, one, two = jars(4, 0)
    (pour,) = problem.actions
    price = Plus(litres(pour.a), Fraction(1, 3))
    problem.add_quality_metric(up.model.metrics.MinimizeActionCosts({pour: price}))
    problem.add_goal(Equals(litres(two), 4))
    plan = solve(problem).plan
    (value,) = judge(problem, plan).metric_evaluations.values()
    assert value == Fraction(20, 3)


def test_numbers_are_grounded_and_read():
    problem, litres, one, two = jars(4, 0)
    problem.add_goal(Equals(litres(two), 4))
    with Compiler(name="planoku-grounder") as grounder:
        ground = grounder.compile(problem, CompilationKind.GROUNDING).problem
    assert solve(ground).status == Status.SOLVED_SATISFICING
    domain = """(define (domain d) (:requirements :numeric-fluents)
      (:functions (f ?x) (g) (total-cost))
      (:action go :parameters (?x) :precondition (and (>= (- (g) 0.5) (f ?x)) (not (= (g) 9)))
        :effect (and (scale-up (f ?x) 2) (when (> (g) 1) (decrease (g) (/ (f ?x) 2)))
          (increase (total-cost) (f ?x)))))"""
    text = """(define (problem p) (:domain d) (:objects a b)
      (:init (= (f a) 1) (= (f b) 0.5) (= (g) 4) (= (total-cost) 0)) (:goal (and (>= (f a) 4) (> (f b) 0.5)))
      (:metric minimize (total-cost)))"""
    problem = planoku.up.read(domain, text)
    plan = solve(problem).plan
    assert judge(problem, plan) and SequentialPlanValidator().validate(problem, plan)
