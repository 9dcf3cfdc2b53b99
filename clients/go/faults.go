package tapbench

import (
	"context"
	"encoding/json"
	"strings"
)

// Faults begins a plan of faults, such as JSON{"at": "webhook.attempt", "what": "lost"}, and returns it.
func (s *Sandbox) Faults(ctx context.Context, faults ...JSON) (JSON, error) {
	return s.BeginPlan(ctx, JSON{"faults": faults})
}

// BeginPlan begins a plan with its members of POST /sandbox/faults, such as faults and seed, and returns it.
func (s *Sandbox) BeginPlan(ctx context.Context, plan JSON) (JSON, error) {
	return s.Client.Post(ctx, "/sandbox/faults", plan)
}

// Unstruck returns the faults of the plans of this sandbox that have struck nothing.
func (s *Sandbox) Unstruck(ctx context.Context) ([]JSON, error) {
	plans, err := s.Client.Get(ctx, "/sandbox/faults?strikes=0")
	if err != nil {
		return nil, err
	}
	unstruck := []JSON{}
	for _, plan := range plans.Items("items") {
		struck, _ := plan["struckByFault"].([]any)
		for index, fault := range plan.Items("faults") {
			if index < len(struck) && struck[index] == 0 {
				unstruck = append(unstruck, fault)
			}
		}
	}
	return unstruck, nil
}

// inWordsUnstruck returns why faults that struck nothing fail a test.
func inWordsUnstruck(unstruck []JSON) string {
	lines := []string{"the test did not test these faults, which struck nothing (AllowUnstruck permits it):"}
	for _, fault := range unstruck {
		text, _ := json.Marshal(fault)
		lines = append(lines, "  "+string(text))
	}
	return strings.Join(lines, "\n")
}
