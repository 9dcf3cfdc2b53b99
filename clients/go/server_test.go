package tapbench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A port of the loopback on which nothing listens.
const nowhere = "http://127.0.0.1:1"

func environment(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

// unavailableWith fails unless an error says that there is no server, in these words.
func unavailableWith(t *testing.T, err error, parts ...string) {
	t.Helper()
	var unavailable *ServerUnavailableError
	if !errors.As(err, &unavailable) {
		t.Fatalf("the error is %v", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in: %v", part, err)
		}
	}
}

func TestFindServerStartsOneWithoutOneThatRuns(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	withoutServer := environment(map[string]string{
		"TAPBENCH_COMMAND": os.Getenv("TAPBENCH_COMMAND"),
		"PATH":             os.Getenv("PATH"),
	})
	folder, _ := os.Getwd()
	server, err := findServer(ctx, withoutServer, folder)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	sandbox, err := server.CreateSandbox(ctx, JSON{"name": "own", "seed": "a"})
	if err != nil {
		t.Fatal(err)
	}
	if sandbox.Name != "own" || !strings.HasPrefix(sandbox.SecretKey(), "sk_sandbox_") {
		t.Errorf("created %v", sandbox)
	}
	server.Close()
	_, err = server.Client.Get(ctx, "/sandboxes")
	unavailableWith(t, err, "no Tapbench server replies at "+server.URL)
}

func TestFindServerExplainsThatThereIsNone(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	_, err := findServer(context.Background(), environment(map[string]string{"PATH": folder}), folder)
	unavailableWith(t, err, "There is no Tapbench server for the tests.", "TAPBENCH_URL", "TAPBENCH_COMMAND")
}

func TestFindServerExplainsThatTheKeyIsMissing(t *testing.T) {
	t.Parallel()
	_, err := findServer(context.Background(), environment(map[string]string{"TAPBENCH_URL": nowhere}), "/")
	unavailableWith(t, err, "TAPBENCH_URL is set, but TAPBENCH_KEY is not")
}

func TestFindServerExplainsThatNothingRepliesAtTheAddress(t *testing.T) {
	t.Parallel()
	named := map[string]string{"TAPBENCH_URL": nowhere, "TAPBENCH_KEY": "sk_sandbox_x"}
	_, err := findServer(context.Background(), environment(named), "/")
	unavailableWith(t, err, "no Tapbench server replies at http://127.0.0.1:1 (", "connection refused", "is TAPBENCH_URL right?")
}

func TestFindServerExplainsThatTheKeyIsWrong(t *testing.T) {
	t.Parallel()
	server, err := ServerOfRun()
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]string{"TAPBENCH_URL": server.URL, "TAPBENCH_KEY": "sk_sandbox_other"}
	_, err = findServer(context.Background(), environment(named), "/")
	unavailableWith(t, err, "is TAPBENCH_KEY the secret key of "+server.URL)
	if strings.Contains(err.Error(), "sk_sandbox_other") {
		t.Errorf("the message has the key: %v", err)
	}
}

func TestCloseDeletesTheSandboxesOfAServerThatRuns(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	shared, err := ServerOfRun()
	if err != nil {
		t.Fatal(err)
	}
	server := &Server{URL: shared.URL, Client: shared.Client}
	sandbox, err := server.CreateSandbox(ctx)
	if err != nil {
		t.Fatal(err)
	}
	server.Close()
	_, err = shared.Client.Get(ctx, "/sandboxes/"+sandbox.Name)
	var refused *APIError
	if !errors.As(err, &refused) || refused.Status != 404 {
		t.Errorf("the sandbox is still there: %v", err)
	}
}

func TestFindServerTakesTheCommandOfAFolderAbove(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	project := filepath.Join(folder, "it's a shop", "payments")
	bin := filepath.Join(folder, "it's a shop", "node_modules", ".bin")
	for _, made := range []string{project, bin} {
		if err := os.MkdirAll(made, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command := "#!/bin/sh\necho 'this needs Node 20' >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(bin, "tapbench"), []byte(command), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := findServer(context.Background(), environment(nil), project)
	unavailableWith(t, err, "up ended: this needs Node 20")
}

func TestStartServerExplainsThatTheCommandIsNotThere(t *testing.T) {
	t.Parallel()
	_, err := StartServer(context.Background(), "/no/tapbench")
	unavailableWith(t, err, "/no/tapbench up ended: ", "not found")
}

func TestTheServerEndsWithTheProcessThatStartedIt(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	ended := filepath.Join(folder, "ended")
	server := filepath.Join(folder, "tapbench")
	// Ends by SIGTERM alone, and notes it.
	script := "#!/bin/sh\ntrap 'echo yes >" + ended + "; exit 0' TERM\necho '{}'\nwhile :; do sleep 0.01; done\n"
	if err := os.WriteFile(server, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	process, _, err := startProcess(context.Background(), server)
	if err != nil {
		t.Fatal(err)
	}
	// What the end of this process does.
	process.input.Close()
	if err := process.shell.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(ended); err != nil {
		t.Error("the server did not end")
	}
}
