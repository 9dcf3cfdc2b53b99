package tapbench_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// failingTest takes the failures of a test, so that a test can expect one.
type failingTest struct {
	testing.TB
	messages []string
	cleanups []func()
}

func (f *failingTest) Errorf(format string, values ...any) {
	f.messages = append(f.messages, fmt.Sprintf(format, values...))
}

func (f *failingTest) Fatalf(format string, values ...any) {
	f.Errorf(format, values...)
	runtime.Goexit()
}

func (f *failingTest) Fatal(values ...any) {
	f.Fatalf("%s", fmt.Sprint(values...))
}

func (f *failingTest) Logf(format string, values ...any) {
	f.messages = append(f.messages, fmt.Sprintf(format, values...))
}

func (f *failingTest) Failed() bool {
	return len(f.messages) > 0
}

func (f *failingTest) Cleanup(cleanup func()) {
	f.cleanups = append(f.cleanups, cleanup)
}

// failure runs a test that must fail, and returns its messages.
func failure(t testing.TB, test func(t testing.TB)) string {
	t.Helper()
	failing := &failingTest{TB: t}
	inGoroutine(func() { test(failing) })
	for len(failing.cleanups) > 0 {
		last := len(failing.cleanups) - 1
		cleanup := failing.cleanups[last]
		failing.cleanups = failing.cleanups[:last]
		inGoroutine(cleanup)
	}
	if !failing.Failed() {
		t.Fatal("the test did not fail")
	}
	return strings.Join(failing.messages, "\n")
}

func inGoroutine(run func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	<-done
}

func contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in: %s", part, text)
		}
	}
}
