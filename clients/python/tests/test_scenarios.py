from __future__ import annotations

import pytest

import tapbench

from scenario import SCENARIOS, ScenarioRun, Step


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario["name"]))
def test_scenario(sandbox: tapbench.Sandbox, scenario: Step) -> None:
    ScenarioRun(sandbox).run(scenario["steps"])


def test_an_unknown_step_fails(sandbox: tapbench.Sandbox) -> None:
    with pytest.raises(AssertionError, match="unknown step: dance"):
        ScenarioRun(sandbox).run([{"do": "dance"}])
