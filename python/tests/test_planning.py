"""Plans, verdicts and diagnostics from Python."""

from pathlib import Path

import pytest

import planoku
from planoku.examples import DOMAIN, PROBLEM

MODELS = Path(__file__).resolve().parents[2] / "models"


def test_a_plan_is_found_and_verified():
    found = planoku.plan(DOMAIN, PROBLEM)
    assert found and found.status == "solved" and found.length == 3
    assert planoku.verify(DOMAIN, PROBLEM, found.text)
    wrong = planoku.verify(DOMAIN, PROBLEM, found.text.replace("kitchen", "hall"))
    assert not wrong and wrong.rule


def test_no_plan_is_proved():
    stuck = PROBLEM.replace("(door hall kitchen)", "")
    assert planoku.plan(DOMAIN, stuck).status == "unsolvable"


def test_mistakes_point_into_the_source():
    broken = DOMAIN.replace("(clean ?r)))", "(clen ?r)))")
    with pytest.raises(planoku.ParseError) as found:
        planoku.plan(broken, PROBLEM)
    line = broken.splitlines()[found.value.line - 1]
    assert "clen" in line[found.value.column - 1 :] and found.value.file == "domain"
    errors = [one for one in planoku.check(broken, PROBLEM) if one.severity == "error"]
    assert errors and errors[0].line == found.value.line


def test_sizes_are_told():
    sizes = planoku.ground(DOMAIN, PROBLEM)
    assert sizes["actions"] > 0 and sizes["ordered"]


def test_files_are_read_too(tmp_path):
    (tmp_path / "d.hddl").write_text(DOMAIN)
    (tmp_path / "p.hddl").write_text(PROBLEM)
    assert planoku.plan(tmp_path / "d.hddl", str(tmp_path / "p.hddl")).status == "solved"


def test_plans_keep_getting_cheaper_and_the_last_is_proved():
    costs = DOMAIN.replace("(:predicates", "(:functions (total-cost) - number)\n  (:predicates")
    costs = costs.replace(":effect (clean ?r)", ":effect (and (clean ?r) (increase (total-cost) 2))")
    found = list(planoku.anytime(costs, PROBLEM))
    assert found[-1].status == "optimal" and found[-1].cost == "4"
    assert all(one.status == "solved" and planoku.verify(costs, PROBLEM, one.text) for one in found[:-1])
    prices = [int(one.cost) for one in found]
    assert prices == sorted(prices, reverse=True)
    # Whoever stops listening stops the search; limits and mistakes are heard.
    next(planoku.anytime(costs, PROBLEM)).text
    assert [one.status for one in planoku.anytime(costs, PROBLEM, nodes=0)][-1] == "stopped"
    with pytest.raises(planoku.ParseError):
        planoku.anytime("(define (domain", PROBLEM)
    stuck = PROBLEM.replace("(door hall kitchen)", "")
    assert [one.status for one in planoku.anytime(DOMAIN, stuck)] == ["unsolvable"]


def test_a_list_of_actions_is_a_plan_if_it_can_be_decomposed():
    verdict = planoku.verify(DOMAIN, PROBLEM, "(sweep hall)\n(go hall kitchen)\n(sweep kitchen)\n")
    assert verdict and verdict.tasks == 2
    methods = {task.method: task.values for task in verdict.plan.tasks}
    assert methods == {"already-there": ["hall"], "walk-and-sweep": ["hall", "kitchen"]}
    wrong = planoku.verify(DOMAIN, PROBLEM, "(go hall kitchen)\n(sweep kitchen)\n")
    assert wrong.valid is False and wrong.rule == "decomposition"


def test_tasks_tell_every_value_and_which_child_is_which():
    found = planoku.plan(DOMAIN, PROBLEM)
    ids = {step.id for step in found.steps} | {task.id for task in found.tasks}
    assert set(found.network.children) <= ids
    (walk,) = [task for task in found.tasks if task.method == "walk-and-sweep"]
    assert walk.values == ["hall", "kitchen"]
    steps = {step.id: step.action for step in found.steps}
    assert [steps[child] for child in walk.children] == ["go", "sweep"]


def test_texts_are_laid_out_and_mistakes_have_places():
    assert planoku.format(DOMAIN) == planoku.format(planoku.format(DOMAIN))
    with pytest.raises(planoku.ParseError) as found:
        planoku.format("(define (domain d)")
    assert found.value.line == 1


def test_what_is_built_is_what_is_read():
    domain = planoku.Domain("errands").type("place").predicate("at", p="place")
    domain.predicate("done", p="place").function("way", a="place", b="place")
    domain.action(
        "walk",
        a="place",
        b="place",
        precondition=["at", "?a"],
        effect=["and", ["at", "?b"], ["not", ["at", "?a"]], ["done", "?b"]],
        cost=["way", "?a", "?b"],
    )
    problem = planoku.Problem(domain, "today").minimise_cost()
    places = ["home", "shop", "bank"]
    for one in places:
        problem.object(one, "place")
        for other in places:
            problem.value(["way", one, other], abs(places.index(one) - places.index(other)) + 1)
    problem.init(["at", "home"]).goal(["done", "shop"]).goal(["done", "bank"])
    assert not [one for one in planoku.check(domain, problem) if one.severity == "error"]
    found = planoku.plan(domain, problem, optimal=True)
    assert [step.arguments[1] for step in found.steps] == ["shop", "bank"] and found.cost == "4"
    labelled = planoku.Domain("l").predicate("a").action("make", effect=["a"])
    labelled.action("use", precondition=["a"]).task("t")
    labelled.method("m", ["t"], [["second", ["use"]], ["first", ["make"]]], ordering=[("first", "second")])
    network = planoku.Problem(labelled, "n").tasks([["t"]])
    assert [step.action for step in planoku.plan(labelled, network).steps] == ["make", "use"]
