package tapbench

import (
	"context"
	"testing"
	"time"
)

const (
	// startTimeout is how long a server may take to start.
	startTimeout = 60 * time.Second
	// timeToEnd is what a test has left, of the time that go test gives it, to end in words and to keep its trace.
	timeToEnd = 2 * time.Second
)

// TestSandbox is a sandbox for one test. Its calls fail the test when they fail, so they are for the goroutine of the test.
// The embedded Sandbox has the same calls with an error, for other goroutines.
type TestSandbox struct {
	*Sandbox
	// Client calls the API with the secret key.
	Client *TestClient
	// Browser calls the API with the public key, as a customer's browser.
	Browser  *TestClient
	Checkout *TestCheckout
	Webhooks *TestWebhooks

	test      *boundTest
	recording *recording
	isClosed  bool
}

// boundTest is a test with the context of its calls.
type boundTest struct {
	testing.TB
	ctx context.Context
}

// check fails the test for an error.
func (b *boundTest) check(err error) {
	if err != nil {
		b.Helper()
		b.Fatalf("tapbench: %v", err)
	}
}

// NewSandbox creates a sandbox for a test and its subtests, deleted at its end. Options are members of POST /sandboxes, such
// as seed; its pace is instant unless they have another.
//
// At its end a test fails when faults of its plans have struck nothing, unless AllowUnstruck is true, and a test that failed
// leaves a trace file.
func NewSandbox(t testing.TB, options ...JSON) *TestSandbox {
	t.Helper()
	test := bind(t)
	server, err := ServerOfRun()
	test.check(err)
	sandbox, err := server.sandbox(test.ctx, options)
	test.check(err)
	return forTest(test, sandbox)
}

// NewFork creates a copy of a sandbox for a test, such as of one that Main prepared. Options are further members of
// POST /sandboxes. Several tests may fork one sandbox at once.
func NewFork(t testing.TB, source *Sandbox, options ...JSON) *TestSandbox {
	t.Helper()
	test := bind(t)
	fork, err := source.Fork(test.ctx, options...)
	test.check(err)
	return forTest(test, fork)
}

// bind returns a test with a context that ends shortly before go test ends the test.
func bind(t testing.TB) *boundTest {
	ctx := context.Background()
	if limited, has := t.(interface{ Deadline() (time.Time, bool) }); has {
		if deadline, isSet := limited.Deadline(); isSet {
			limitedCtx, cancel := context.WithDeadline(ctx, deadline.Add(-timeToEnd))
			t.Cleanup(cancel)
			ctx = limitedCtx
		}
	}
	return &boundTest{TB: t, ctx: ctx}
}

func forTest(test *boundTest, sandbox *Sandbox) *TestSandbox {
	test.Helper()
	s := &TestSandbox{
		Sandbox:  sandbox,
		Client:   &TestClient{sandbox.Client, test},
		Browser:  &TestClient{sandbox.Browser, test},
		Checkout: &TestCheckout{sandbox.Checkout, test},
		Webhooks: &TestWebhooks{sandbox.Webhooks, test},
		test:     test,
	}
	test.Cleanup(s.Close)
	recording, err := record(test.ctx, sandbox.Client, test.Name())
	test.check(err)
	s.recording = recording
	return s
}

// Context returns the context of the calls, for those that take one. It ends shortly before go test ends the test.
func (s *TestSandbox) Context() context.Context {
	return s.test.ctx
}

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

// Close ends the use of the sandbox as the end of the test does: it checks that faults struck, keeps the trace of a test that
// failed, and deletes the sandbox.
func (s *TestSandbox) Close() {
	s.test.Helper()
	if s.isClosed {
		return
	}
	s.isClosed = true
	// Of its own, because that of the test may be done.
	ctx, cancel := context.WithTimeout(context.Background(), Timeout)
	defer cancel()
	if !s.AllowUnstruck && !s.test.Failed() {
		s.expectStruck(ctx)
	}
	s.keepTrace(ctx)
	if err := s.Sandbox.Delete(ctx); err != nil {
		s.test.Errorf("tapbench: the sandbox is not deleted: %v", err)
	}
}

func (s *TestSandbox) expectStruck(ctx context.Context) {
	s.test.Helper()
	unstruck, err := s.Sandbox.Unstruck(ctx)
	if err != nil {
		s.test.Errorf("tapbench: %v", err)
	}
	if len(unstruck) > 0 {
		s.test.Errorf("tapbench: %s", inWordsUnstruck(unstruck))
	}
}

func (s *TestSandbox) keepTrace(ctx context.Context) {
	s.test.Helper()
	if s.recording == nil {
		return
	}
	defer s.recording.release()
	if !s.test.Failed() {
		if err := s.recording.discard(); err != nil {
			s.test.Logf("tapbench: the trace of an earlier run is still there: %v", err)
		}
		return
	}
	if err := s.recording.keep(ctx); err != nil {
		s.test.Logf("tapbench: no trace is kept: %v", err)
		return
	}
	s.test.Logf("Tapbench trace of the failed test '%s':\n  npx tapbench trace %s --open", s.test.Name(), s.recording.path)
}
