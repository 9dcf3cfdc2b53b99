package tapbench

import (
	"context"
	"net/url"
)

// Card is a test card for online payments, such as CardApproved. docs/online-payments.md lists more.
type Card struct {
	Number string
	CVC    string
	// ExpiryMonth is "12" when it is empty.
	ExpiryMonth string
	// ExpiryYear is "2035" when it is empty.
	ExpiryYear string
}

// Details returns the card as the API expects it.
func (c Card) Details() JSON {
	month, year := c.ExpiryMonth, c.ExpiryYear
	if month == "" {
		month = "12"
	}
	if year == "" {
		year = "2035"
	}
	return JSON{"number": c.Number, "cvc": c.CVC, "expiryMonth": month, "expiryYear": year}
}

// Checkout creates payment sessions with the secret key and pays them with the public key: what a shop's server and its
// customer's browser do.
type Checkout struct {
	server  *Client
	browser *Client
}

// AsAccount returns the checkout of a sub account.
func (c *Checkout) AsAccount(accountID string) *Checkout {
	return &Checkout{server: c.server.AsAccount(accountID), browser: c.browser.AsAccount(accountID)}
}

// Create creates a payment session; the amount is in minor units, in GBP unless more says otherwise. More are further members
// of the request.
func (c *Checkout) Create(ctx context.Context, amount int, more ...JSON) (JSON, error) {
	body := JSON{"amount": amount, "currency": "GBP", "customerEmail": "sam@example.com"}
	return c.server.Post(ctx, "/v1/payment-sessions", body.with(more...))
}

// Attempt attempts to pay a session as the customer's browser does. It returns the session.
func (c *Checkout) Attempt(ctx context.Context, session JSON, card Card) (JSON, error) {
	body := JSON{"clientSecret": session.Text("clientSecret"), "cardDetails": card.Details()}
	return c.afterwards(ctx, session, "attempt-payment", body)
}

// Pay creates a payment session and attempts to pay it. It returns the session.
func (c *Checkout) Pay(ctx context.Context, amount int, card Card, more ...JSON) (JSON, error) {
	session, err := c.Create(ctx, amount, more...)
	if err != nil {
		return nil, err
	}
	return c.Attempt(ctx, session, card)
}

// AnswerChallenge does what 3DS requires of a session: the code "123456" is right, an empty one cancels. It returns the
// session.
func (c *Checkout) AnswerChallenge(ctx context.Context, session JSON, code string) (JSON, error) {
	secret := session.Text("clientSecret")
	for session.Text("requiredAction.type") == "Identify" {
		identified, err := c.afterwards(ctx, session, "continue-payment", fingerprint(secret))
		if err != nil {
			return nil, err
		}
		session = identified
	}
	page := challengePage{address: session.Text("requiredAction.challenge.acsUrl")}
	if err := page.open(ctx, session.Text("requiredAction.challenge.cReq")); err != nil {
		return nil, err
	}
	if err := page.answer(ctx, code); err != nil {
		return nil, err
	}
	query := url.Values{"clientSecret": {secret}}
	return c.browser.Get(ctx, "/v1/payment-sessions/"+session.Text("id")+"?"+query.Encode())
}

// afterwards makes a call of the browser, and returns the session with what the reply changed.
func (c *Checkout) afterwards(ctx context.Context, session JSON, call string, body JSON) (JSON, error) {
	reply, err := c.browser.Post(ctx, "/v1/payment-sessions/"+call, body)
	if err != nil {
		return nil, err
	}
	return session.with(reply), nil
}
