from __future__ import annotations

import pytest

import tapbench
from tapbench.trace import Recording

FAILING = """
import tapbench

def test_compares(sandbox):
    open("keys.txt", "w").write(f"{sandbox.secret_key}\\n{sandbox.public_key}\\n")
    client = sandbox.client
    session = sandbox.checkout.create(1250)
    assert [sandbox.client, sandbox.secret_key, session, vars(sandbox)] == [1]

def test_refused(sandbox):
    open("keys.txt", "a").write(f"{sandbox.secret_key}\\n")
    sandbox.client.post("/v1/payment-sessions", {"amount": 0})

def test_no_server(sandbox):
    open("keys.txt", "a").write(f"{sandbox.secret_key}\\n")
    tapbench.Client("http://127.0.0.1:1", sandbox.secret_key).get("/v1/events")
"""


def test_the_output_of_a_failed_test_has_no_key(
    pytester: pytest.Pytester, tapbench_server: tapbench.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = str(tapbench_server.client._key)
    monkeypatch.setenv("TAPBENCH_URL", tapbench_server.url)
    monkeypatch.setenv("TAPBENCH_KEY", key)
    pytester.makepyfile(FAILING)
    run = pytester.runpytest_subprocess("--showlocals", "--full-trace", "-vv")
    run.assert_outcomes(failed=3)
    output = run.stdout.str() + run.stderr.str()
    keys = [key, *(pytester.path / "keys.txt").read_text().split()]
    assert len(keys) == 5
    assert [shown[:11] for shown in keys if shown in output] == []


def test_the_trace_of_a_failed_test_is_kept_until_it_passes(
    pytester: pytest.Pytester, tapbench_server: tapbench.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAPBENCH_URL", tapbench_server.url)
    monkeypatch.setenv("TAPBENCH_KEY", str(tapbench_server.client._key))
    pytester.makepyfile("def test_pays(sandbox): assert sandbox.terminal.pay(1742).status == 'Succeeded'")
    run = pytester.runpytest_subprocess()
    run.assert_outcomes(failed=1)
    trace = "tapbench-traces/test-pays.tapbench"
    run.stdout.fnmatch_lines(["Tapbench trace of the failed test 'test_pays':", f"  npx tapbench trace {trace} --open"])
    assert (pytester.path / trace).read_bytes()[:2] == b"\x1f\x8b"
    pytester.makepyfile("def test_pays(sandbox): pass")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    assert not (pytester.path / trace).exists()


def test_no_trace_is_recorded_without_a_folder(
    sandbox: tapbench.Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAPBENCH_TRACES", "")
    assert Recording.start(sandbox.client, "test_pays") is None


UNSTRUCK = '''
FAULT = {"at": "terminal.state", "what": "power-cut", "when": {"state": "awaitingPin"}}

def test_misses(sandbox):
    sandbox.faults(FAULT)

def test_permits(sandbox):
    sandbox.allow_unstruck = True
    sandbox.faults(FAULT)

def test_strikes(sandbox):
    fault = {"at": "api.request", "what": "unavailable", "when": {"operation": "GET /v1/events"}}
    sandbox.faults(fault)
    try:
        sandbox.client.get("/v1/events")
    except Exception:
        pass
    assert sandbox.unstruck() == []
'''


def test_a_fault_that_struck_nothing_fails_its_test(
    pytester: pytest.Pytester, tapbench_server: tapbench.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAPBENCH_URL", tapbench_server.url)
    monkeypatch.setenv("TAPBENCH_KEY", str(tapbench_server.client._key))
    pytester.makepyfile(UNSTRUCK)
    run = pytester.runpytest_subprocess()
    run.assert_outcomes(passed=3, errors=1)
    run.stdout.fnmatch_lines(["*the test did not test these faults, which struck nothing*", "*awaitingPin*"])


def test_a_run_without_a_server_says_what_to_do(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TAPBENCH_URL", "TAPBENCH_KEY", "TAPBENCH_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(pytester.path))
    pytester.makepyfile("def test_pays(sandbox): pass")
    run = pytester.runpytest_subprocess()
    run.assert_outcomes(errors=1)
    run.stdout.fnmatch_lines(["*There is no Tapbench server for the tests. Start one with*"])
