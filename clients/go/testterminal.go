package tapbench

// TestTerminal is a simulated terminal for a test.
type TestTerminal struct {
	*Terminal
	test *boundTest
}

// Pay starts a payment; the amount is in minor units, in GBP unless more says otherwise. More are further members of the
// request.
func (t *TestTerminal) Pay(amount int, more ...JSON) Action {
	t.test.Helper()
	action, err := t.Terminal.Pay(t.test.ctx, amount, more...)
	t.test.check(err)
	return action
}

// Refund starts the refund of a captured payment, of all that is left unless more has an amount. More are further members of
// the request.
func (t *TestTerminal) Refund(paymentSessionID string, more ...JSON) Action {
	t.test.Helper()
	action, err := t.Terminal.Refund(t.test.ctx, paymentSessionID, more...)
	t.test.check(err)
	return action
}

// Cancel cancels the action in progress, as the cashier.
func (t *TestTerminal) Cancel() Action {
	t.test.Helper()
	action, err := t.Terminal.Cancel(t.test.ctx)
	t.test.check(err)
	return action
}

// ConfirmReceipt confirms what the point of sale printed: a copy, MerchantCopy or CustomerCopy, with the status Succeeded or
// Failed.
func (t *TestTerminal) ConfirmReceipt(copy, status string) Action {
	t.test.Helper()
	action, err := t.Terminal.ConfirmReceipt(t.test.ctx, copy, status)
	t.test.check(err)
	return action
}

// Action returns the latest action.
func (t *TestTerminal) Action() Action {
	t.test.Helper()
	action, err := t.Terminal.Action(t.test.ctx)
	t.test.check(err)
	return action
}

// Ends waits until the latest action is not in progress any more, and returns it.
func (t *TestTerminal) Ends() Action {
	t.test.Helper()
	action, err := t.Terminal.Ends(t.test.ctx)
	t.test.check(err)
	return action
}

// Receipt returns the receipt of the latest action: merchantCopy, customerCopy and their fields.
func (t *TestTerminal) Receipt() JSON {
	t.test.Helper()
	receipt, err := t.Terminal.Receipt(t.test.ctx)
	t.test.check(err)
	return receipt
}

// Online returns whether the terminal is connected to the server.
func (t *TestTerminal) Online() bool {
	t.test.Helper()
	online, err := t.Terminal.Online(t.test.ctx)
	t.test.check(err)
	return online
}

// State returns the state of the terminal's state machine, such as "active.awaitingPin"; "" when none is known.
func (t *TestTerminal) State() string {
	t.test.Helper()
	state, err := t.Terminal.State(t.test.ctx)
	t.test.check(err)
	return state
}

// Reaches waits until the terminal's state machine is in a state, named by a part of its dotted path.
func (t *TestTerminal) Reaches(state string) {
	t.test.Helper()
	t.test.check(t.Terminal.Reaches(t.test.ctx, state))
}

// ComesOnline waits until the terminal is connected to the server.
func (t *TestTerminal) ComesOnline() {
	t.test.Helper()
	t.test.check(t.Terminal.ComesOnline(t.test.ctx))
}

// Present presents a card, such as "visa-contactless", which is read as soon as the terminal asks for one. More are further
// members of the request, such as entryMode.
func (t *TestTerminal) Present(card string, more ...JSON) {
	t.test.Helper()
	t.test.check(t.Terminal.Present(t.test.ctx, card, more...))
}

// RemoveCard removes the card from the reader.
func (t *TestTerminal) RemoveCard() {
	t.test.Helper()
	t.test.check(t.Terminal.RemoveCard(t.test.ctx))
}

// EnterPIN waits until the terminal asks for a PIN, and enters it.
func (t *TestTerminal) EnterPIN(pin string) {
	t.test.Helper()
	t.test.check(t.Terminal.EnterPIN(t.test.ctx, pin))
}

// Press waits until the terminal accepts keys, and presses them: digits, "enter", "clear", "cancel". The test fails at once
// when the action has ended.
func (t *TestTerminal) Press(keys ...string) {
	t.test.Helper()
	t.test.check(t.Terminal.Press(t.test.ctx, keys...))
}

// Cardholder sets what the simulated cardholder does by itself from now on, such as "tap"; "none" at first. More are further
// members of the request, such as card or delayMs.
func (t *TestTerminal) Cardholder(script string, more ...JSON) {
	t.test.Helper()
	t.test.check(t.Terminal.Cardholder(t.test.ctx, script, more...))
}

// Power switches the power on or off.
func (t *TestTerminal) Power(on bool) {
	t.test.Helper()
	t.test.check(t.Terminal.Power(t.test.ctx, on))
}

// Network connects or disconnects the network.
func (t *TestTerminal) Network(on bool) {
	t.test.Helper()
	t.test.check(t.Terminal.Network(t.test.ctx, on))
}

// Paper sets the number of sheets of paper in the printer; a receipt copy takes one.
func (t *TestTerminal) Paper(sheets int) {
	t.test.Helper()
	t.test.check(t.Terminal.Paper(t.test.ctx, sheets))
}
