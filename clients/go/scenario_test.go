package tapbench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tapbench"
)

// step is a step of a scenario with all members that steps have: clients/README.md.
type step struct {
	Do             string
	Account        string
	Advancing      *span
	Amount         int
	Body           tapbench.JSON
	Card           string
	Code           string
	Copy           string
	Count          int
	DelayMs        int
	Expect         any
	Fails          string
	Faults         []tapbench.JSON
	IdempotencyKey string
	Keys           []string
	Method         string
	On             bool
	Path           string
	PIN            string
	Plan           tapbench.JSON
	Refused        any
	Save           string
	Script         string
	Session        string
	Sheets         int
	State          string
	Statuses       []int
	Steps          []json.RawMessage
	Type           string
	With           tapbench.JSON
	span
}

type scenario struct {
	Name  string
	Steps []json.RawMessage
}

func scenarios(t *testing.T) []scenario {
	t.Helper()
	text, err := os.ReadFile("../scenarios.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Scenarios []scenario }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Scenarios) == 0 {
		t.Fatal("scenarios.json has no scenarios")
	}
	return file.Scenarios
}

// scenarioRun is one scenario on one sandbox.
type scenarioRun struct {
	testing.TB
	sandbox  *tapbench.TestSandbox
	terminal *tapbench.TestTerminal
	saved    tapbench.JSON
}

func newScenarioRun(t testing.TB, sandbox *tapbench.TestSandbox, saved tapbench.JSON) *scenarioRun {
	t.Helper()
	terminal := sandbox.Terminal()
	r := &scenarioRun{TB: t, sandbox: sandbox, terminal: terminal, saved: tapbench.JSON{}}
	for name, value := range saved {
		r.saved[name] = value
	}
	r.saved["sandbox"] = tapbench.JSON{"subAccountId": sandbox.SubAccountID}
	r.saved["terminal"] = tapbench.JSON{"id": terminal.ID}
	return r
}

func (r *scenarioRun) run(steps []json.RawMessage) {
	r.Helper()
	for _, text := range steps {
		r.do(r.read(text))
	}
}

// read returns a step with {name.member} replaced by what was saved under the name. The steps of a fork replace theirs later.
func (r *scenarioRun) read(text []byte) step {
	r.Helper()
	var members map[string]json.RawMessage
	var read step
	if err := json.Unmarshal(text, &members); err != nil {
		r.Fatal(err)
	}
	steps := members["steps"]
	delete(members, "steps")
	rest, _ := json.Marshal(members)
	decoder := json.NewDecoder(bytes.NewReader(r.filled(rest)))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&read)
	if err == nil && steps != nil {
		err = json.Unmarshal(steps, &read.Steps)
	}
	if err != nil {
		r.Fatalf("%s: %v", text, err)
	}
	return read
}

// placeholder is {name.member}: all of a string, or a part of one.
var placeholder = regexp.MustCompile(`"\{[\w.]+\}"|\{[\w.]+\}`)

func (r *scenarioRun) filled(text []byte) []byte {
	return placeholder.ReplaceAllFunc(text, func(found []byte) []byte {
		path := strings.Trim(string(found), `"{}`)
		if number, isNumber := r.saved.At(path).(int); isNumber {
			return []byte(strconv.Itoa(number))
		}
		if found[0] == '"' {
			return []byte(strconv.Quote(r.named(path)))
		}
		return []byte(r.named(path))
	})
}

// named returns the text that was saved at a path; of an object, which a step takes by its path, the path.
func (r *scenarioRun) named(path string) string {
	if value := r.saved.Text(path); value != "" {
		return value
	}
	return path
}

// mismatch returns where a value differs from the members that are expected, at any depth; lists have the same length. It
// returns "" when they are there.
func mismatch(actual, expected any, path string) string {
	switch expected := expected.(type) {
	case map[string]any:
		object, isObject := actual.(tapbench.JSON)
		for name, member := range expected {
			if !isObject {
				break
			}
			if found := mismatch(object[name], member, path+"."+name); found != "" {
				return found
			}
		}
		if isObject {
			return ""
		}
	case []any:
		list, _ := actual.([]any)
		if len(list) != len(expected) {
			break
		}
		for index, item := range expected {
			if found := mismatch(list[index], item, fmt.Sprintf("%s[%d]", path, index)); found != "" {
				return found
			}
		}
		return ""
	case float64:
		if number, isWhole := actual.(int); isWhole && float64(number) == expected {
			return ""
		}
	default:
		if actual == expected {
			return ""
		}
	}
	return fmt.Sprintf("%s is %v, expected %v", path, actual, expected)
}

func (r *scenarioRun) matches(actual, expected any) {
	r.Helper()
	if expected == nil {
		return
	}
	if found := mismatch(actual, expected, "reply"); found != "" {
		r.Fatal(found)
	}
}
