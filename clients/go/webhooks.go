package tapbench

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Event is a received event.
type Event struct {
	ID string
	// Type is one of EventTypes, such as EventPaymentSessionCaptured.
	Type string
	// Data is the object at the time of the event.
	Data JSON
	// JSON is the whole event.
	JSON JSON
}

// VerifySignature returns whether a signature is the HMAC-SHA256 of the exact bytes of a body under the secret, in hex.
func VerifySignature(secret string, body []byte, signature string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}

// Webhooks receives all events of a sandbox.
type Webhooks struct {
	// URL is the address of the endpoint.
	URL      string
	receiver *receiver
	path     string
	sandbox  string
	secret   Secret

	mutex  sync.Mutex
	events []Event
	// read is the number of deliveries that were read, those of forks included.
	read int
}

func newWebhooks(receiver *receiver, path, sandbox string, secret Secret) *Webhooks {
	return &Webhooks{URL: receiver.url + path, receiver: receiver, path: path, sandbox: sandbox, secret: secret}
}

// ofFork returns the webhooks of a fork: they arrive at the same endpoint.
func (w *Webhooks) ofFork(sandbox string) *Webhooks {
	return newWebhooks(w.receiver, w.path, sandbox, w.secret)
}

// Received returns the events that arrived, in the order of their arrival; those of one type, or all for "". An event that
// was delivered twice is here twice. It returns an error for a delivery with a wrong signature.
func (w *Webhooks) Received(eventType string) ([]Event, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, arrived := range w.receiver.after(w.path, w.read) {
		if arrived.sandbox == w.sandbox {
			event, err := w.event(arrived)
			if err != nil {
				return nil, err
			}
			w.events = append(w.events, event)
		}
		w.read++
	}
	found := []Event{}
	for _, event := range w.events {
		if eventType == "" || event.Type == eventType {
			found = append(found, event)
		}
	}
	return found, nil
}

func (w *Webhooks) event(arrived delivery) (Event, error) {
	if !VerifySignature(w.secret.Reveal(), arrived.body, arrived.signature) {
		return Event{}, errors.New("a webhook has a wrong signature")
	}
	value, err := decodeJSON(arrived.body)
	object, isObject := value.(JSON)
	if err != nil || !isObject {
		return Event{}, errors.New("a webhook is not a JSON object")
	}
	data, _ := object["data"].(JSON)
	return Event{ID: object.Text("id"), Type: object.Text("eventType"), Data: data, JSON: object}, nil
}

// WaitFor waits until an event of a type has arrived for which all conditions hold, and returns it.
func (w *Webhooks) WaitFor(ctx context.Context, eventType string, where ...func(Event) bool) (Event, error) {
	events, err := w.WaitForCount(ctx, 1, eventType, where...)
	if err != nil {
		return Event{}, err
	}
	return events[0], nil
}

// WaitForCount waits until so many events of a type have arrived for which all conditions hold, and returns these in the
// order of their arrival.
func (w *Webhooks) WaitForCount(ctx context.Context, count int, eventType string, where ...func(Event) bool) ([]Event, error) {
	limit := limitOf(ctx)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		next := w.receiver.next()
		found, err := w.matching(eventType, where)
		if err != nil {
			return nil, err
		}
		if len(found) >= count {
			return found[:count], nil
		}
		select {
		case <-next:
		case <-limited.Done():
			return nil, w.notInTime(limited.Err(), fmt.Sprintf("%d × %s did not arrive at %s within %s", count, eventType, w.URL, inSeconds(limit)))
		}
	}
}

func (w *Webhooks) matching(eventType string, where []func(Event) bool) ([]Event, error) {
	events, err := w.Received(eventType)
	found := []Event{}
	for _, event := range events {
		holds := true
		for _, condition := range where {
			holds = holds && condition(event)
		}
		if holds {
			found = append(found, event)
		}
	}
	return found, err
}

func (w *Webhooks) notInTime(err error, what string) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	types := []string{}
	events, _ := w.Received("")
	for _, event := range events {
		types = append(types, event.Type)
	}
	if len(types) == 0 {
		types = append(types, "none")
	}
	return &NotInTimeError{fmt.Sprintf("%s; received: %s", what, strings.Join(types, ", "))}
}

// ReplyWith sets the statuses of the next replies, such as 500; 200 after them.
func (w *Webhooks) ReplyWith(statuses ...int) {
	w.receiver.replyWith(w.path, statuses)
}
