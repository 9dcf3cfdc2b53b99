package tapbench

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strings"
)

// JSON is a JSON object: the body of a request, of a reply or of an event.
//
// In what the server sent, objects are JSON, lists []any, integers int, other numbers float64, and keys and other secrets
// Secret, so that printing a reply shows none.
type JSON map[string]any

// At returns the value at a dotted path, such as "transaction.paymentSessionId"; nil when there is none.
func (j JSON) At(path string) any {
	var value any = j
	for _, name := range strings.Split(path, ".") {
		object, isObject := value.(JSON)
		if !isObject {
			return nil
		}
		value = object[name]
	}
	return value
}

// Text returns the string at a dotted path, a secret revealed; "" when there is none.
func (j JSON) Text(path string) string {
	switch value := j.At(path).(type) {
	case string:
		return value
	case Secret:
		return value.Reveal()
	}
	return ""
}

// Int returns the integer at a dotted path, such as an amount; 0 when there is none.
func (j JSON) Int(path string) int {
	value, _ := j.At(path).(int)
	return value
}

// Items returns the objects of the list at a dotted path; none when there is no list.
func (j JSON) Items(path string) []JSON {
	list, _ := j.At(path).([]any)
	items := make([]JSON, 0, len(list))
	for _, item := range list {
		if object, isObject := item.(JSON); isObject {
			items = append(items, object)
		}
	}
	return items
}

// with returns the members of this object with those of others, which replace them.
func (j JSON) with(others ...JSON) JSON {
	all := JSON{}
	for _, object := range append([]JSON{j}, others...) {
		for name, value := range object {
			all[name] = value
		}
	}
	return all
}

// decodeJSON returns the value of a JSON text, with the types that JSON names.
func decodeJSON(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, io.ErrUnexpectedEOF
	}
	return typed(value), nil
}

func typed(value any) any {
	switch value := value.(type) {
	case map[string]any:
		object := make(JSON, len(value))
		for name, member := range value {
			text, isText := member.(string)
			if isText && secretMembers[name] {
				object[name] = newSecret(text)
			} else {
				object[name] = typed(member)
			}
		}
		return object
	case []any:
		for index, item := range value {
			value[index] = typed(item)
		}
		return value
	case json.Number:
		return number(value)
	}
	return value
}

func number(text json.Number) any {
	whole, err := text.Int64()
	if err == nil && whole >= math.MinInt && whole <= math.MaxInt {
		return int(whole)
	}
	fraction, _ := text.Float64()
	return fraction
}
