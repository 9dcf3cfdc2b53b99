package tapbench

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

const defaultTraces = "tapbench-traces"

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// recording is what a sandbox records of a test, for the trace file that is kept when the test fails.
type recording struct {
	client *Client
	id     string
	// path of the file of a test that fails.
	path string
}

// record starts a recording for a file of its own; none, without an error, when the environment sets no folder.
func record(ctx context.Context, client *Client, test string) (*recording, error) {
	folder, isSet := os.LookupEnv("TAPBENCH_TRACES")
	if !isSet {
		folder = defaultTraces
	}
	if folder == "" {
		return nil, nil
	}
	title := test
	if len(title) > 200 {
		title = title[:200]
	}
	reply, err := client.Post(ctx, "/sandbox/recordings", JSON{"title": strings.ToValidUTF8(title, "")})
	if err != nil {
		return nil, err
	}
	return &recording{client: client, id: reply.Text("id"), path: takePath(folder, test)}, nil
}

// keep writes the trace file.
func (r *recording) keep(ctx context.Context) error {
	path := "/sandbox/recordings/" + r.id + "/file"
	file, err := r.client.Download(ctx, path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(r.path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(r.path, file, 0o644)
}

// discard deletes the file that an earlier run of the test left.
func (r *recording) discard() error {
	if err := os.Remove(r.path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

// paths in use, so that each sandbox of a test has a file of its own, with the same name in each run.
var paths = struct {
	mutex sync.Mutex
	taken map[string]bool
}{taken: map[string]bool{}}

func takePath(folder, test string) string {
	paths.mutex.Lock()
	defer paths.mutex.Unlock()
	for number := 1; ; number++ {
		path := filepath.Join(folder, slug(test)+"-"+strconv.Itoa(number)+".tapbench")
		if !paths.taken[path] {
			paths.taken[path] = true
			return path
		}
	}
}

// release lets another test have the name of the file.
func (r *recording) release() {
	paths.mutex.Lock()
	defer paths.mutex.Unlock()
	delete(paths.taken, r.path)
}

// slug returns the name of a test as part of a file name.
func slug(test string) string {
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(test), "-"), "-")
	if len(name) > 100 {
		name = name[:100]
	}
	return name
}
