// Package unstruck has tests with a plan of faults: of the first, none strikes. TestAFaultThatStruckNothingFailsItsTest runs them.
package unstruck

import (
	"net/http"
	"testing"

	"tapbench"
)

var fault = tapbench.JSON{"at": "terminal.state", "what": "power-cut", "when": tapbench.JSON{"state": "awaitingPin"}}

func TestMisses(t *testing.T) {
	tapbench.NewSandbox(t).Faults(fault)
}

func TestPermits(t *testing.T) {
	sandbox := tapbench.NewSandbox(t)
	sandbox.AllowUnstruck = true
	sandbox.Faults(fault)
}

func TestStrikes(t *testing.T) {
	sandbox := tapbench.NewSandbox(t)
	operation := tapbench.JSON{"operation": "GET /v1/events"}
	sandbox.BeginPlan(tapbench.JSON{
		"seed":   "a",
		"faults": []tapbench.JSON{{"at": "api.request", "what": "unavailable", "when": operation}},
	})
	sandbox.Client.Refused(tapbench.Call{Method: http.MethodGet, Path: "/v1/events"})
	if unstruck := sandbox.Unstruck(); len(unstruck) != 0 {
		t.Errorf("these struck nothing: %v", unstruck)
	}
}
