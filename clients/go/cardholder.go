package tapbench

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// What the cardholder does

// Present presents a card, such as "visa-contactless", which is read as soon as the terminal asks for one. More are further
// members of the request, such as entryMode.
func (t *Terminal) Present(ctx context.Context, card string, more ...JSON) error {
	return t.control(ctx, "present-card", JSON{"card": card}.with(more...))
}

// RemoveCard removes the card from the reader.
func (t *Terminal) RemoveCard(ctx context.Context) error {
	return t.control(ctx, "remove-card", nil)
}

// EnterPIN waits until the terminal asks for a PIN, and enters it.
func (t *Terminal) EnterPIN(ctx context.Context, pin string) error {
	return t.Press(ctx, append(strings.Split(pin, ""), "enter")...)
}

// Press waits until the terminal accepts keys, and presses them: digits, "enter", "clear", "cancel". It returns at once, with
// a NotInTimeError, when the action has ended.
func (t *Terminal) Press(ctx context.Context, keys ...string) error {
	var refused *APIError
	// An action ends without a step of a terminal that has no power: it is looked at every second.
	accepting := url.Values{"state": {statesThatAccept(keys)}, "waitSeconds": {"1"}}
	err := Until(ctx, "the terminal accepts keys", func() (bool, error) {
		err := t.control(ctx, "press-keys", JSON{"keys": keys})
		if !errors.As(err, &refused) {
			return err == nil, err
		}
		action, err := t.Action(ctx)
		if err == nil && action.Status != "InProgress" {
			err = &NotInTimeError{fmt.Sprintf("no key was pressed: %s (the action is %s)", refused.Message, action.Status)}
		}
		if err == nil {
			_, err = t.client.Get(ctx, t.controls+"?"+accepting.Encode())
		}
		return false, err
	})
	var late *NotInTimeError
	if refused != nil && errors.As(err, &late) && !strings.Contains(late.Message, refused.Message) {
		return &NotInTimeError{fmt.Sprintf("%s: %s", late.Message, refused.Message)}
	}
	return err
}

// statesThatAccept returns the states in which keys can be accepted, and those in which they never will be.
func statesThatAccept(keys []string) string {
	states := []string{StateAwaitingPIN, StateSucceeded, StateFailed, StateCancelled}
	for _, key := range keys {
		if key == "cancel" {
			states = append(states, StateAwaitingCard)
		}
	}
	return strings.Join(states, ",")
}

// Cardholder sets what the simulated cardholder does by itself from now on, such as "tap"; "none" at first. More are further
// members of the request, such as card or delayMs.
func (t *Terminal) Cardholder(ctx context.Context, script string, more ...JSON) error {
	return t.control(ctx, "cardholder", JSON{"script": script}.with(more...))
}

// Its surroundings

// Power switches the power on or off.
func (t *Terminal) Power(ctx context.Context, on bool) error {
	return t.control(ctx, "power", JSON{"state": onOrOff(on)})
}

// Network connects or disconnects the network.
func (t *Terminal) Network(ctx context.Context, on bool) error {
	return t.control(ctx, "network", JSON{"state": onOrOff(on)})
}

// Reader plugs the card reader in, or takes it away.
func (t *Terminal) Reader(ctx context.Context, pluggedIn bool) error {
	state := "unplugged"
	if pluggedIn {
		state = "plugged-in"
	}
	return t.control(ctx, "reader", JSON{"state": state})
}

// Paper sets the number of sheets of paper in the printer; a receipt copy takes one.
func (t *Terminal) Paper(ctx context.Context, sheets int) error {
	return t.control(ctx, "paper", JSON{"sheets": sheets})
}

func (t *Terminal) control(ctx context.Context, call string, body JSON) error {
	var sent any
	if body != nil {
		sent = body
	}
	_, err := t.client.Post(ctx, t.controls+"/"+call, sent)
	return err
}

func onOrOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
