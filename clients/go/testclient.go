package tapbench

import (
	"errors"
	"net/http"
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

// Get sends a GET request.
func (c *TestClient) Get(path string) JSON {
	c.test.Helper()
	return c.succeeds(Call{Method: http.MethodGet, Path: path})
}

// Post sends a POST request with a JSON body; with none when body is nil.
func (c *TestClient) Post(path string, body any) JSON {
	c.test.Helper()
	return c.succeeds(Call{Method: http.MethodPost, Path: path, Body: body})
}

// Patch sends a PATCH request with a JSON body.
func (c *TestClient) Patch(path string, body any) JSON {
	c.test.Helper()
	return c.succeeds(Call{Method: http.MethodPatch, Path: path, Body: body})
}

// Delete sends a DELETE request.
func (c *TestClient) Delete(path string) JSON {
	c.test.Helper()
	return c.succeeds(Call{Method: http.MethodDelete, Path: path})
}

// Upload uploads a file, and returns it. The category is Evidence or VerificationDocument.
func (c *TestClient) Upload(category, name string, content []byte, contentType string) JSON {
	c.test.Helper()
	uploaded, err := c.Client.Upload(c.test.ctx, category, name, content, contentType)
	c.test.check(err)
	return uploaded
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

func (c *TestClient) succeeds(call Call) JSON {
	c.test.Helper()
	reply, err := c.Do(c.test.ctx, call)
	c.test.check(err)
	return reply
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

// Create creates a payment session; the amount is in minor units, in GBP unless more says otherwise. More are further members
// of the request.
func (c *TestCheckout) Create(amount int, more ...JSON) JSON {
	c.test.Helper()
	session, err := c.Checkout.Create(c.test.ctx, amount, more...)
	c.test.check(err)
	return session
}

// Attempt attempts to pay a session as the customer's browser does. It returns the session.
func (c *TestCheckout) Attempt(session JSON, card Card) JSON {
	c.test.Helper()
	attempted, err := c.Checkout.Attempt(c.test.ctx, session, card)
	c.test.check(err)
	return attempted
}

// Pay creates a payment session and attempts to pay it. It returns the session.
func (c *TestCheckout) Pay(amount int, card Card, more ...JSON) JSON {
	c.test.Helper()
	session, err := c.Checkout.Pay(c.test.ctx, amount, card, more...)
	c.test.check(err)
	return session
}

// AnswerChallenge does what 3DS requires of a session: the code "123456" is right, an empty one cancels. It returns the
// session.
func (c *TestCheckout) AnswerChallenge(session JSON, code string) JSON {
	c.test.Helper()
	answered, err := c.Checkout.AnswerChallenge(c.test.ctx, session, code)
	c.test.check(err)
	return answered
}
