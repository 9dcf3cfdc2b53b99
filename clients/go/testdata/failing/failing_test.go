// Package failing has tests that fail in each way that could print a key. TestTheOutputOfAFailedTest runs them.
package failing

import (
	"fmt"
	"os"
	"testing"

	"tapbench"
)

func noteKeys(t *testing.T, sandbox *tapbench.TestSandbox) {
	t.Helper()
	file, err := os.OpenFile(os.Getenv("KEYS_FILE"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	fmt.Fprintln(file, sandbox.SecretKey())
	fmt.Fprintln(file, sandbox.PublicKey())
}

func TestPrints(t *testing.T) {
	sandbox := tapbench.NewSandbox(t)
	noteKeys(t, sandbox)
	session := sandbox.Checkout.Create(1250)
	server, err := tapbench.ServerOfRun()
	for _, shown := range []any{sandbox, sandbox.Sandbox, sandbox.Client, *sandbox.Sandbox.Client, sandbox.Webhooks, server, err} {
		t.Errorf("%v %+v %#v", shown, shown, shown)
	}
	t.Errorf("session: %v %+v %#v %q", session, session, session, session)
}

func TestIsRefused(t *testing.T) {
	sandbox := tapbench.NewSandbox(t)
	noteKeys(t, sandbox)
	sandbox.Checkout.Create(0)
}

func TestHasNoServer(t *testing.T) {
	sandbox := tapbench.NewSandbox(t)
	noteKeys(t, sandbox)
	_, err := tapbench.NewClient("http://127.0.0.1:1", sandbox.SecretKey()).Get(sandbox.Context(), "/v1/events")
	t.Fatal(err)
}

func TestPasses(t *testing.T) {
	noteKeys(t, tapbench.NewSandbox(t))
}
