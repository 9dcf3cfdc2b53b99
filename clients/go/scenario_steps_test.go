package tapbench_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"tapbench"
)

// span is a duration as steps have it.
type span struct {
	Days    int
	Minutes int
	Seconds int
}

func (s span) duration() time.Duration {
	return time.Duration(s.Days)*24*time.Hour + time.Duration(s.Minutes)*time.Minute + time.Duration(s.Seconds)*time.Second
}

var cards = map[string]tapbench.Card{
	"approved":   tapbench.CardApproved,
	"challenged": tapbench.CardChallenged,
	"declined":   tapbench.CardDeclined,
}

// do does one step.
func (r *scenarioRun) do(s step) {
	r.Helper()
	steps := map[string]func(step){
		"pay":              r.pay,
		"refund":           r.refund,
		"cancel":           func(step) { r.terminal.Cancel() },
		"confirm-receipt":  func(s step) { r.terminal.ConfirmReceipt(s.Copy, "Succeeded") },
		"present":          func(s step) { r.terminal.Present(s.Card) },
		"enter-pin":        func(s step) { r.terminal.EnterPIN(s.PIN) },
		"press":            func(s step) { r.terminal.Press(s.Keys...) },
		"paper":            func(s step) { r.terminal.Paper(s.Sheets) },
		"network":          func(s step) { r.terminal.Network(s.On) },
		"reader":           func(s step) { r.terminal.Reader(s.On) },
		"remove-card":      func(step) { r.terminal.RemoveCard() },
		"cardholder":       r.cardholder,
		"comes-online":     func(step) { r.terminal.ComesOnline() },
		"receipt":          func(s step) { r.matches(r.terminal.Receipt(), s.Expect) },
		"pace":             func(s step) { r.matches(r.sandbox.Pace, s.Expect) },
		"faults":           func(s step) { r.sandbox.Faults(s.Faults...) },
		"plan":             func(s step) { r.sandbox.BeginPlan(s.Plan) },
		"unstruck":         r.unstruck,
		"allow-unstruck":   func(step) { r.sandbox.AllowUnstruck = true },
		"download":         r.download,
		"power":            func(s step) { r.terminal.Power(s.On) },
		"reaches":          func(s step) { r.terminal.Reaches(s.State) },
		"ends":             func(s step) { r.matches(r.terminal.Ends().JSON, s.Expect) },
		"checkout":         r.checkout,
		"attempt":          r.attempt,
		"answer-challenge": r.answerChallenge,
		"call":             r.call,
		"eventually":       r.eventually,
		"advance":          func(s step) { r.sandbox.Advance(s.duration()) },
		"receives":         r.receives,
		"reply":            func(s step) { r.sandbox.Webhooks.ReplyWith(s.Statuses...) },
		"fork":             r.fork,
	}
	do, exists := steps[s.Do]
	if !exists {
		r.Fatalf("unknown step: %s", s.Do)
	}
	do(s)
}

func (r *scenarioRun) started(action tapbench.Action) {
	r.saved["session"] = tapbench.JSON{"id": action.PaymentSessionID}
}

func (r *scenarioRun) pay(s step) {
	r.started(r.terminal.Pay(s.Amount, s.With))
}

func (r *scenarioRun) refund(s step) {
	more := tapbench.JSON{}
	if s.Amount != 0 {
		more["amount"] = s.Amount
	}
	r.started(r.terminal.Refund(r.saved.Text("session.id"), more))
}

func (r *scenarioRun) checkout(s step) {
	shop := r.sandbox.Checkout
	if s.Account != "" {
		shop = shop.AsAccount(s.Account)
	}
	session := shop.Pay(s.Amount, cards[s.Card], s.With)
	r.saved["session"] = session
	r.matches(session, s.Expect)
}

func (r *scenarioRun) attempt(s step) {
	path := s.Session
	if path == "" {
		path = "session"
	}
	session, isSession := r.saved.At(path).(tapbench.JSON)
	if !isSession {
		r.Fatalf("no session is saved as %s", path)
	}
	attempted := r.sandbox.Checkout.Attempt(session, cards[s.Card])
	r.saved["session"] = attempted
	r.matches(attempted, s.Expect)
}

func (r *scenarioRun) answerChallenge(s step) {
	session, _ := r.saved["session"].(tapbench.JSON)
	r.matches(r.sandbox.Checkout.AnswerChallenge(session, s.Code), s.Expect)
}

func (r *scenarioRun) client(account string) *tapbench.TestClient {
	if account == "" {
		return r.sandbox.Client
	}
	return r.sandbox.Client.AsAccount(account)
}

func (r *scenarioRun) call(s step) {
	client := r.client(s.Account)
	call := tapbench.Call{Method: s.Method, Path: s.Path, IdempotencyKey: s.IdempotencyKey}
	if s.Body != nil {
		call.Body = s.Body
	}
	if s.Refused != nil {
		refused := client.Refused(call)
		r.matches(tapbench.JSON{"status": refused.Status, "code": refused.Code}, s.Refused)
		return
	}
	reply, err := client.Do(r.sandbox.Context(), call)
	if err != nil {
		r.Fatal(err)
	}
	r.matches(reply, s.Expect)
	if s.Save != "" {
		r.saved[s.Save] = reply
	}
}

func (r *scenarioRun) eventually(s step) {
	client := r.client(s.Account)
	r.sandbox.Until(fmt.Sprintf("%s is %v", s.Path, s.Expect), func() bool {
		return mismatch(client.Get(s.Path), s.Expect, "reply") == ""
	})
}

func (r *scenarioRun) receives(s step) {
	count := s.Count
	if count == 0 {
		count = 1
	}
	webhooks := r.sandbox.Webhooks
	if s.Advancing != nil {
		r.sandbox.AdvanceUntil(fmt.Sprintf("%d × %s arrived", count, s.Type), s.Advancing.duration(), func() bool {
			return len(webhooks.Received(s.Type)) >= count
		})
	}
	webhooks.WaitForCount(count, s.Type, func(event tapbench.Event) bool {
		return s.Expect == nil || mismatch(event.Data, s.Expect, "data") == ""
	})
}

func (r *scenarioRun) cardholder(s step) {
	more := tapbench.JSON{}
	if s.Card != "" {
		more["card"] = s.Card
	}
	if s.DelayMs != 0 {
		more["delayMs"] = s.DelayMs
	}
	r.terminal.Cardholder(s.Script, more)
}

func (r *scenarioRun) unstruck(s step) {
	found := []any{}
	for _, fault := range r.sandbox.Unstruck() {
		found = append(found, fault)
	}
	r.matches(found, s.Expect)
}

func (r *scenarioRun) download(s step) {
	if content := r.sandbox.Client.Download(s.Path); !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		r.Fatal("the trace is not compressed")
	}
}

func (r *scenarioRun) fork(s step) {
	r.Helper()
	if s.Fails == "" {
		r.runFork(r.TB, s)
		return
	}
	if s.Fails != "unstruck" {
		r.Fatalf("unknown failure: %s", s.Fails)
	}
	contains(r.TB, failure(r.TB, func(t testing.TB) { r.runFork(t, s) }), "which struck nothing")
}

func (r *scenarioRun) runFork(t testing.TB, s step) {
	fork := tapbench.NewFork(t, r.sandbox.Sandbox, s.With)
	newScenarioRun(t, fork, r.saved).run(s.Steps)
	fork.Close()
}
