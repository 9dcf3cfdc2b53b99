package tapbench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Action is what a terminal does for the point of sale: a payment or a refund.
type Action struct {
	ID string
	// Status is InProgress, Succeeded, Failed or Cancelled.
	Status string
	// Error is the code of the reason of a failure, such as "insufficient_funds" or "timeout"; "" without one.
	Error            string
	PaymentSessionID string
	// JSON is the action as the API shows it.
	JSON JSON
}

// Terminal is a simulated terminal with the calls of a point of sale, and what its cardholder and its surroundings do.
type Terminal struct {
	ID       string
	client   *Client
	webhooks *Webhooks
	path     string
	controls string
}

func newTerminal(client *Client, webhooks *Webhooks, id string) *Terminal {
	return &Terminal{
		ID:       id,
		client:   client,
		webhooks: webhooks,
		path:     "/v1/in-person/terminals/" + id,
		controls: "/sandbox/terminals/" + id,
	}
}

// Pay starts a payment; the amount is in minor units, in GBP unless more says otherwise. More are further members of the
// request.
func (t *Terminal) Pay(ctx context.Context, amount int, more ...JSON) (Action, error) {
	body := JSON{"amounts": JSON{"requested": amount}, "currency": "GBP"}
	return t.start(ctx, "payment", body.with(more...))
}

// Refund starts the refund of a captured payment, of all that is left unless more has an amount. More are further members of
// the request.
func (t *Terminal) Refund(ctx context.Context, paymentSessionID string, more ...JSON) (Action, error) {
	body := JSON{"paymentSession": JSON{"id": paymentSessionID}}
	return t.start(ctx, "refund", body.with(more...))
}

// Cancel cancels the action in progress, as the cashier.
func (t *Terminal) Cancel(ctx context.Context) (Action, error) {
	return t.start(ctx, "cancel-action", nil)
}

// Copies of a receipt, and the state in which the terminal waits until each is confirmed.
const (
	MerchantCopy = "merchantCopy"
	CustomerCopy = "customerCopy"
)

var stateOfCopy = map[string]string{
	MerchantCopy: "awaitingMerchantReceipt",
	CustomerCopy: "awaitingCustomerReceipt",
}

// ConfirmReceipt confirms what the point of sale printed: a copy, MerchantCopy or CustomerCopy, with the status Succeeded or
// Failed.
func (t *Terminal) ConfirmReceipt(ctx context.Context, copy, status string) (Action, error) {
	state, exists := stateOfCopy[copy]
	if !exists {
		return Action{}, fmt.Errorf("a receipt has no copy %q: it is MerchantCopy or CustomerCopy", copy)
	}
	if err := t.Reaches(ctx, state); err != nil {
		return Action{}, err
	}
	return t.start(ctx, "confirm-receipt", JSON{copy: JSON{"status": status}})
}

func (t *Terminal) start(ctx context.Context, call string, body JSON) (Action, error) {
	var sent any
	if body != nil {
		sent = body
	}
	return actionOf(t.client.Post(ctx, t.path+"/"+call, sent))
}

// Action returns the latest action.
func (t *Terminal) Action(ctx context.Context) (Action, error) {
	return actionOf(t.client.Get(ctx, t.path))
}

func actionOf(reply JSON, err error) (Action, error) {
	if err != nil {
		return Action{}, err
	}
	action, exists := reply["action"].(JSON)
	if !exists {
		return Action{}, errors.New("the terminal has no action")
	}
	return Action{
		ID:               action.Text("id"),
		Status:           action.Text("status"),
		Error:            action.Text("error.code"),
		PaymentSessionID: action.Text("transaction.paymentSessionId"),
		JSON:             action,
	}, nil
}

// Ends waits until the latest action is not in progress any more, and returns it.
func (t *Terminal) Ends(ctx context.Context) (action Action, err error) {
	// The event Terminal.action_updated reports the end.
	ended := wait{what: "the action of the terminal has ended", pauses: slowPauses, changes: t.webhooks.receiver.next}
	err = ended.until(ctx, func() (bool, error) {
		action, err = t.Action(ctx)
		return action.Status != "InProgress", err
	})
	return action, err
}

// Receipt returns the receipt of the latest action: merchantCopy, customerCopy and their fields.
func (t *Terminal) Receipt(ctx context.Context) (JSON, error) {
	action, err := t.Action(ctx)
	if err != nil {
		return nil, err
	}
	return t.client.Get(ctx, "/sandbox/actions/"+action.ID+"/receipt")
}

// Online returns whether the terminal is connected to the server.
func (t *Terminal) Online(ctx context.Context) (bool, error) {
	reply, err := t.client.Get(ctx, t.controls)
	online, _ := reply["online"].(bool)
	return online, err
}

// State returns the state of the terminal's state machine, such as "active.awaitingPin"; "" when none is known.
func (t *Terminal) State(ctx context.Context) (string, error) {
	reply, err := t.client.Get(ctx, t.controls)
	return reply.Text("state"), err
}

// Reaches waits until the terminal's state machine is in a state, named by a part of its dotted path, such as StateAwaitingPIN.
func (t *Terminal) Reaches(ctx context.Context, state string) error {
	return t.waitFor(ctx, "the terminal is in state "+state, url.Values{"state": {state}}, func(seen JSON) bool {
		for _, part := range strings.Split(seen.Text("state"), ".") {
			if part == state {
				return true
			}
		}
		return false
	})
}

// ComesOnline waits until the terminal is connected to the server.
func (t *Terminal) ComesOnline(ctx context.Context) error {
	return t.waitFor(ctx, "the terminal is online", url.Values{"online": {"true"}}, func(seen JSON) bool {
		return seen["online"] == true
	})
}

// requestWaits is the most that one request waits.
const requestWaits = 10 * time.Second

// waitFor lets the server reply when the terminal is as wanted.
func (t *Terminal) waitFor(ctx context.Context, what string, wanted url.Values, isSo func(JSON) bool) error {
	end := time.Now().Add(limitOf(ctx))
	return Until(ctx, what, func() (bool, error) {
		seconds := math.Ceil(math.Max(0, math.Min(requestWaits.Seconds(), time.Until(end).Seconds())))
		wanted.Set("waitSeconds", strconv.Itoa(int(seconds)))
		seen, err := t.client.Get(ctx, t.controls+"?"+wanted.Encode())
		return err == nil && isSo(seen), err
	})
}
