package tapbench_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tapbench"
)

// goTest runs the tests of a folder of testdata, of which some must fail, and returns the folder of their traces and what
// was printed.
func goTest(t *testing.T, folder string, environment ...string) (traces, output string) {
	t.Helper()
	traces = filepath.Join(t.TempDir(), "traces")
	command := exec.Command("go", "test", "-count=1", "-vet=off", "-v", "./testdata/"+folder)
	server, err := tapbench.ServerOfRun()
	if err != nil {
		t.Fatal(err)
	}
	shared := []string{"TAPBENCH_TRACES=" + traces, "TAPBENCH_URL=" + server.URL, "TAPBENCH_KEY=" + tapbench.KeyOf(server)}
	command.Env = append(append(os.Environ(), shared...), environment...)
	printed, err := command.CombinedOutput()
	if _, failed := err.(*exec.ExitError); !failed {
		t.Fatalf("the tests did not fail: %v\n%s", err, printed)
	}
	return traces, string(printed)
}

func TestTheOutputOfAFailedTestShowsWhyAndTheTraceAndNoKey(t *testing.T) {
	t.Parallel()
	keysFile := filepath.Join(t.TempDir(), "keys")
	traces, output := goTest(t, "failing", "KEYS_FILE="+keysFile)
	contains(t, output,
		"--- FAIL: TestPrints", "--- FAIL: TestIsRefused", "--- FAIL: TestHasNoServer", "--- PASS: TestPasses",
		"failing_test.go:37: tapbench: POST /v1/payment-sessions: 400 invalid_field: ",
		"no Tapbench server replies at http://127.0.0.1:1 (",
		"Tapbench trace of the failed test 'TestIsRefused':\n          npx tapbench trace "+traces+"/testisrefused-1.tapbench --open",
	)
	files, err := os.ReadDir(traces)
	if err != nil || len(files) != 3 {
		t.Errorf("%d traces are kept: %v", len(files), err)
	}
	keys := keysIn(t, keysFile)
	if len(keys) != 8 {
		t.Errorf("the tests have %d keys", len(keys))
	}
	for _, key := range append(keys, os.Getenv("TAPBENCH_KEY")) {
		if key != "" && strings.Contains(output, key[11:]) {
			t.Errorf("the output shows the key %s…", key[:11])
		}
	}
}

func keysIn(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

func TestAFaultThatStruckNothingFailsItsTest(t *testing.T) {
	t.Parallel()
	_, output := goTest(t, "unstruck")
	contains(t, output,
		"--- FAIL: TestMisses", "--- PASS: TestPermits", "--- PASS: TestStrikes",
		"the test did not test these faults, which struck nothing (AllowUnstruck permits it):", "awaitingPin",
	)
}

func TestARunWithoutAServerSaysWhatToDo(t *testing.T) {
	t.Parallel()
	_, output := goTest(t, "unstruck", "TAPBENCH_URL=", "TAPBENCH_COMMAND=/no/tapbench")
	contains(t, output, "/no/tapbench up ended: ")
	if strings.Contains(output, "--- PASS") {
		t.Errorf("a test passed without a server:\n%s", output)
	}
}

func TestATestThatPassesRemovesTheTraceOfItsFailure(t *testing.T) {
	t.Parallel()
	path := filepath.Join(os.Getenv("TAPBENCH_TRACES"), "testatestthatpassesremovesthetraceofitsfailure-passes-1.tapbench")
	if err := os.WriteFile(path, []byte("of an earlier run"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Run("passes", func(t *testing.T) { tapbench.NewSandbox(t) })
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the trace is still there: %v", err)
	}
}
