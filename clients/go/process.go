package tapbench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// The shell ends the server when its standard input is closed: that is also when this process ends, however it does, for Go
// has no hook for the end of a run of tests.
const untilInputCloses = ` up --ephemeral --json </dev/null &
server=$!
exec >&-
cat >/dev/null
kill $server
wait $server
`

// What is shown of what a server printed that did not start.
const printedMax = 2_000

// serverProcess is a server that was started for the tests.
type serverProcess struct {
	shell *exec.Cmd
	input io.Closer
}

// startProcess starts the server, and returns it with the JSON line that it prints when it is ready.
func startProcess(ctx context.Context, command string) (*serverProcess, JSON, error) {
	log, err := os.CreateTemp("", "tapbench-*.log")
	if err != nil {
		return nil, nil, err
	}
	// The open file is enough.
	_ = os.Remove(log.Name())
	defer log.Close()
	shell := exec.Command("sh", "-c", command+untilInputCloses)
	shell.Env = append(os.Environ(), "PORT=0", "MQTT_PORT=0", "RATE_LIMIT=off")
	shell.Stderr = log
	input, err := shell.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	output, err := shell.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := shell.Start(); err != nil {
		return nil, nil, &ServerUnavailableError{fmt.Sprintf("%s cannot be started: %s", command, err)}
	}
	process := &serverProcess{shell: shell, input: input}
	line, err := firstLine(ctx, output)
	value, _ := decodeJSON(line)
	started, isObject := value.(JSON)
	if err == nil && isObject {
		return process, started, nil
	}
	process.end()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return nil, nil, &ServerUnavailableError{fmt.Sprintf("%s up ended: %s", command, printed(log))}
}

// firstLine returns the first line of what is printed. It reads the rest too, so that the process never waits for a reader.
func firstLine(ctx context.Context, output io.Reader) ([]byte, error) {
	lines := make(chan []byte, 1)
	go func() {
		reader := bufio.NewReader(output)
		line, _ := reader.ReadBytes('\n')
		lines <- line
		_, _ = io.Copy(io.Discard, reader)
	}()
	select {
	case line := <-lines:
		return line, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// end ends the server, and waits until it has ended.
func (p *serverProcess) end() {
	_ = p.input.Close()
	_ = p.shell.Wait()
}

func printed(log *os.File) string {
	_, _ = log.Seek(0, io.SeekStart)
	text, _ := io.ReadAll(log)
	words := strings.TrimSpace(string(text))
	if len(words) > printedMax {
		words = words[len(words)-printedMax:]
	}
	if words == "" {
		return "it printed nothing"
	}
	return words
}
