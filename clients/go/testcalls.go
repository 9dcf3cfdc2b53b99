package tapbench

import (
	"time"
)

// Terminal returns the simulated terminal, online. Its cardholder does nothing by itself.
func (s *TestSandbox) Terminal() *TestTerminal {
	s.test.Helper()
	terminal, err := s.Sandbox.Terminal(s.test.ctx)
	s.test.check(err)
	return &TestTerminal{terminal, s.test}
}

// TerminalOf returns a simulated terminal once it is online. Its cardholder does nothing by itself.
func (s *TestSandbox) TerminalOf(terminalID string) *TestTerminal {
	s.test.Helper()
	terminal, err := s.Sandbox.TerminalOf(s.test.ctx, terminalID)
	s.test.check(err)
	return &TestTerminal{terminal, s.test}
}

// Fork creates a copy of this sandbox for the same test. Options are further members of POST /sandboxes, such as name.
func (s *TestSandbox) Fork(options ...JSON) *TestSandbox {
	s.test.Helper()
	return NewFork(s.test.TB, s.Sandbox, options...)
}

// Now returns the time of the sandbox, in whole seconds.
func (s *TestSandbox) Now() time.Time {
	s.test.Helper()
	now, err := s.Sandbox.Now(s.test.ctx)
	s.test.check(err)
	return now
}

// Advance advances the clock of this sandbox alone, by whole seconds. What is due is done when it returns.
func (s *TestSandbox) Advance(by time.Duration) {
	s.test.Helper()
	s.test.check(s.Sandbox.Advance(s.test.ctx, by))
}

// AdvanceUntil advances the clock by the same step until look returns true. It is for what the server plans only when
// something before it is done, such as the next try of a webhook.
func (s *TestSandbox) AdvanceUntil(what string, step time.Duration, look func() bool) {
	s.test.Helper()
	s.test.check(s.Sandbox.AdvanceUntil(s.test.ctx, what, step, withoutError(look)))
}

// Until waits for anything else: until look returns true, for Timeout.
func (s *TestSandbox) Until(what string, look func() bool) {
	s.test.Helper()
	s.test.check(Until(s.test.ctx, what, withoutError(look)))
}

func withoutError(look func() bool) func() (bool, error) {
	return func() (bool, error) { return look(), nil }
}

// Faults begins a plan of faults, such as JSON{"at": "webhook.attempt", "what": "lost"}, and returns it.
func (s *TestSandbox) Faults(faults ...JSON) JSON {
	s.test.Helper()
	plan, err := s.Sandbox.Faults(s.test.ctx, faults...)
	s.test.check(err)
	return plan
}

// BeginPlan begins a plan with its members of POST /sandbox/faults, such as faults and seed, and returns it.
func (s *TestSandbox) BeginPlan(plan JSON) JSON {
	s.test.Helper()
	begun, err := s.Sandbox.BeginPlan(s.test.ctx, plan)
	s.test.check(err)
	return begun
}

// Unstruck returns the faults of the plans of this sandbox that have struck nothing.
func (s *TestSandbox) Unstruck() []JSON {
	s.test.Helper()
	unstruck, err := s.Sandbox.Unstruck(s.test.ctx)
	s.test.check(err)
	return unstruck
}

// TestWebhooks receives all events of the sandbox of a test.
type TestWebhooks struct {
	*Webhooks
	test *boundTest
}

// Received returns the events that arrived, in the order of their arrival; those of one type, or all for "". A wrong
// signature fails the test.
func (w *TestWebhooks) Received(eventType string) []Event {
	w.test.Helper()
	events, err := w.Webhooks.Received(eventType)
	w.test.check(err)
	return events
}

// WaitFor waits until an event of a type has arrived for which all conditions hold, and returns it.
func (w *TestWebhooks) WaitFor(eventType string, where ...func(Event) bool) Event {
	w.test.Helper()
	event, err := w.Webhooks.WaitFor(w.test.ctx, eventType, where...)
	w.test.check(err)
	return event
}

// WaitForCount waits until so many events of a type have arrived for which all conditions hold, and returns these in the
// order of their arrival.
func (w *TestWebhooks) WaitForCount(count int, eventType string, where ...func(Event) bool) []Event {
	w.test.Helper()
	events, err := w.Webhooks.WaitForCount(w.test.ctx, count, eventType, where...)
	w.test.check(err)
	return events
}
