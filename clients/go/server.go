package tapbench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

const help = "Start one with `tapbench up` and set TAPBENCH_URL and TAPBENCH_KEY to the address and the secret key that it " +
	"prints, or set TAPBENCH_COMMAND to the command `tapbench`, such as `node_modules/.bin/tapbench`, to have one started " +
	"for the tests."

// Server is a Tapbench server, on which each test gets a sandbox: one that runs, or one that is started.
type Server struct {
	URL string
	// Client calls the API with the key of the sandbox default.
	Client *Client

	process *serverProcess

	mutex    sync.Mutex
	receiver *receiver
	// created are the sandboxes of CreateSandbox.
	created []*Sandbox
}

// FindServer returns the server of TAPBENCH_URL and TAPBENCH_KEY, or starts one.
//
// Without the two, TAPBENCH_COMMAND is started, or node_modules/.bin/tapbench of the working directory or one above it, or
// tapbench of PATH. The error is a ServerUnavailableError with what to do.
func FindServer(ctx context.Context) (*Server, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return findServer(ctx, os.Getenv, folder)
}

func findServer(ctx context.Context, environment func(string) string, folder string) (*Server, error) {
	url, key := environment("TAPBENCH_URL"), environment("TAPBENCH_KEY")
	if url != "" && key != "" {
		return runningServer(ctx, url, key)
	}
	if url != "" {
		return nil, &ServerUnavailableError{"TAPBENCH_URL is set, but TAPBENCH_KEY is not. " + help}
	}
	command := commandOf(environment, folder)
	if command == "" {
		return nil, &ServerUnavailableError{"There is no Tapbench server for the tests. " + help}
	}
	return StartServer(ctx, command)
}

func runningServer(ctx context.Context, url, key string) (*Server, error) {
	client := NewClient(url, key)
	_, err := client.Get(ctx, "/sandboxes")
	var unavailable *ServerUnavailableError
	if errors.As(err, &unavailable) {
		return nil, &ServerUnavailableError{fmt.Sprintf("%s: is TAPBENCH_URL right? %s", err, help)}
	}
	var refused *APIError
	if errors.As(err, &refused) {
		return nil, &ServerUnavailableError{fmt.Sprintf("%s: is TAPBENCH_KEY the secret key of %s?", err, url)}
	}
	if err != nil {
		return nil, err
	}
	return &Server{URL: client.URL, Client: client}, nil
}

// StartServer starts `tapbench up` on free ports, without a rate limit and without keeping data. The command is one of the
// shell. Close ends the server, and so does the end of this process.
func StartServer(ctx context.Context, command string) (*Server, error) {
	process, started, err := startProcess(ctx, command)
	if err != nil {
		return nil, err
	}
	client := NewClient(started.Text("url"), started.Text("secretKey"))
	return &Server{URL: client.URL, Client: client, process: process}, nil
}

// String returns the address of the server.
func (s *Server) String() string {
	return fmt.Sprintf("Server(%s)", s.URL)
}

// CreateSandbox creates a sandbox, which Delete or Close deletes. Options are members of POST /sandboxes, such as seed;
// its pace is instant unless they have another.
func (s *Server) CreateSandbox(ctx context.Context, options ...JSON) (*Sandbox, error) {
	sandbox, err := s.sandbox(ctx, options)
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.created = append(s.created, sandbox)
	return sandbox, nil
}

// sandbox creates a sandbox that its user deletes.
func (s *Server) sandbox(ctx context.Context, options []JSON) (*Sandbox, error) {
	receiver, err := s.receives()
	if err != nil {
		return nil, err
	}
	return createSandbox(ctx, s.Client, receiver, options)
}

// receives returns the receiver of the webhooks of all sandboxes, started for the first.
func (s *Server) receives() (*receiver, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.receiver == nil {
		started, err := newReceiver(os.Getenv("TAPBENCH_WEBHOOK_HOST"))
		if err != nil {
			return nil, err
		}
		s.receiver = started
	}
	return s.receiver, nil
}

// Close ends the server if it was started for the tests; of one that runs, it deletes what CreateSandbox created.
func (s *Server) Close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.process == nil {
		s.deleteCreated()
	}
	if s.receiver != nil {
		s.receiver.close()
		s.receiver = nil
	}
	if s.process != nil {
		s.process.end()
		s.process = nil
	}
}

func (s *Server) deleteCreated() {
	ctx, cancel := context.WithTimeout(context.Background(), Timeout)
	defer cancel()
	for _, sandbox := range s.created {
		// One that is gone, or stays because the server is gone, expires.
		_ = sandbox.Delete(ctx)
	}
	s.created = nil
}

// commandOf returns the command of the shell that starts the server; "" when none is found.
func commandOf(environment func(string) string, folder string) string {
	if command := environment("TAPBENCH_COMMAND"); command != "" {
		return command
	}
	places := []string{}
	for place := folder; ; place = filepath.Dir(place) {
		places = append(places, filepath.Join(place, "node_modules", ".bin", "tapbench"))
		if filepath.Dir(place) == place {
			break
		}
	}
	for _, place := range filepath.SplitList(environment("PATH")) {
		places = append(places, filepath.Join(place, "tapbench"))
	}
	for _, place := range places {
		if found, err := os.Stat(place); err == nil && !found.IsDir() && found.Mode()&0o111 != 0 {
			return "'" + strings.ReplaceAll(place, "'", `'\''`) + "'"
		}
	}
	return ""
}
