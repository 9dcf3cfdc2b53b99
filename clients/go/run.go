package tapbench

import (
	"context"
	"fmt"
	"os"
	"sync"
)

// run is what all tests of a process share.
var run struct {
	once   sync.Once
	server *Server
	err    error
}

// ServerOfRun returns the server of this run of tests, found or started at the first call. It ends with this process.
func ServerOfRun() (*Server, error) {
	run.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
		defer cancel()
		run.server, run.err = FindServer(ctx)
	})
	return run.server, run.err
}

// Main runs the tests of a package after prepare, such as one that creates a sandbox for NewFork, and returns the exit code:
//
//	func TestMain(m *testing.M) {
//		os.Exit(tapbench.Main(m, prepare))
//	}
//
// An error of prepare is printed, and no test runs. After the tests the server is closed, and the sandboxes of prepare with it.
func Main(m interface{ Run() int }, prepare func(ctx context.Context, server *Server) error) int {
	server, err := ServerOfRun()
	if err == nil {
		defer server.Close()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		err = prepare(ctx, server)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}
