package tapbench

import (
	"errors"
)

// TestClient calls the API for a test. A refusal fails the test; Do and Refused are for one that the test expects.
type TestClient struct {
	*Client
	test *boundTest
}

// AsAccount returns a client that acts for a sub account (header Account).
func (c *TestClient) AsAccount(accountID string) *TestClient {
	return &TestClient{c.Client.AsAccount(accountID), c.test}
}

// Refused sends a request that the server is expected to refuse, and returns the refusal.
func (c *TestClient) Refused(call Call) *APIError {
	c.test.Helper()
	_, err := c.Do(c.test.ctx, call)
	var refused *APIError
	if err == nil {
		c.test.Fatalf("tapbench: %s %s was not refused", call.Method, call.Path)
	} else if !errors.As(err, &refused) {
		c.test.check(err)
	}
	return refused
}

// TestCheckout pays online for a test.
type TestCheckout struct {
	*Checkout
	test *boundTest
}

// AsAccount returns the checkout of a sub account.
func (c *TestCheckout) AsAccount(accountID string) *TestCheckout {
	return &TestCheckout{c.Checkout.AsAccount(accountID), c.test}
}

// TestTerminal is a simulated terminal for a test.
type TestTerminal struct {
	*Terminal
	test *boundTest
}

// TestWebhooks receives all events of the sandbox of a test.
type TestWebhooks struct {
	*Webhooks
	test *boundTest
}
