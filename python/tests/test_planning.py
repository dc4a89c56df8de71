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
