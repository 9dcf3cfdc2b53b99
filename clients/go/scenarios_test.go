package tapbench_test

import (
	"encoding/json"
	"testing"

	"tapbench"
)

func TestScenario(t *testing.T) {
	for _, scenario := range scenarios(t) {
		scenario := scenario
		t.Run(scenario.Name, func(t *testing.T) {
			t.Parallel()
			newScenarioRun(t, tapbench.NewSandbox(t), nil).run(scenario.Steps)
		})
	}
}

func TestAnUnknownStepFails(t *testing.T) {
	t.Parallel()
	message := failure(t, func(t testing.TB) {
		newScenarioRun(t, tapbench.NewSandbox(t), nil).run([]json.RawMessage{[]byte(`{"do":"dance"}`)})
	})
	contains(t, message, "unknown step: dance")
}

func TestAMemberThatNoStepHasFails(t *testing.T) {
	t.Parallel()
	message := failure(t, func(t testing.TB) {
		newScenarioRun(t, tapbench.NewSandbox(t), nil).run([]json.RawMessage{[]byte(`{"do":"cancel","slowly":true}`)})
	})
	contains(t, message, `unknown field "slowly"`)
}
