// Package tapbench gives each test a payments sandbox of its own on a Tapbench server: keys, objects, a clock, a simulated
// card terminal and the webhooks that it sent.
//
// NewSandbox creates one for a test; its calls fail the test when they fail. Main prepares one for a group of tests, and
// NewFork forks it for each. Sandbox, Terminal, Checkout, Webhooks and Client have the same calls with a context and an
// error, for TestMain, for other goroutines, and for errors that a test expects.
package tapbench

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// expiresInSeconds is the time without use after which the server deletes a sandbox: a run that was killed deletes nothing.
const expiresInSeconds = 3_600

// Sandbox is a sandbox of a server. Server.CreateSandbox makes one, Fork a copy of it.
type Sandbox struct {
	Name string
	// URL is the base URL of the API, without a trailing slash: with the key, the configuration of your code.
	URL string
	// AccountID is the account of the keys, a platform.
	AccountID string
	// SubAccountID is a sub account that exists from the start.
	SubAccountID string
	// Pace is "instant" when cardholder and reader take no time, and "real" otherwise; that of its creation.
	Pace string
	// Client calls the API with the secret key.
	Client *Client
	// Browser calls the API with the public key, as a customer's browser.
	Browser  *Client
	Checkout *Checkout
	// Webhooks receives all events of the sandbox.
	Webhooks *Webhooks
	// AllowUnstruck is whether a test may end with faults of its plans that struck nothing.
	AllowUnstruck bool

	host        *Client
	keys        JSON
	terminalIDs []string

	mutex    sync.Mutex
	terminal *Terminal

	takenMutex sync.Mutex
	// taken are the terminals whose cardholder does what the tests say, those of the source included.
	taken map[string]bool
}

// newSandbox returns the sandbox of a reply of POST /sandboxes.
func newSandbox(host *Client, created JSON, webhooks *Webhooks) *Sandbox {
	s := &Sandbox{
		Name:         created.Text("name"),
		URL:          host.URL,
		AccountID:    created.Text("accountId"),
		SubAccountID: created.Text("subAccountId"),
		Pace:         created.Text("pace"),
		Client:       NewClient(host.URL, created.Text("secretKey")),
		Browser:      NewClient(host.URL, created.Text("publicKey")),
		Webhooks:     webhooks,
		host:         host,
		keys:         created,
		taken:        map[string]bool{},
	}
	s.Checkout = &Checkout{server: s.Client, browser: s.Browser}
	for _, terminal := range created.Items("terminals") {
		s.terminalIDs = append(s.terminalIDs, terminal.Text("id"))
	}
	return s
}

// createSandbox creates a sandbox with a webhook endpoint for all events. Options are members of POST /sandboxes; its pace is
// instant unless they have another.
func createSandbox(ctx context.Context, host *Client, receiver *receiver, options []JSON) (*Sandbox, error) {
	wanted := JSON{"expiresInSeconds": expiresInSeconds, "pace": "instant"}
	created, err := host.Post(ctx, "/sandboxes", wanted.with(options...))
	if err != nil {
		return nil, err
	}
	path := "/" + created.Text("name")
	endpoint := JSON{"url": receiver.url + path, "active": true, "eventTypes": EventTypes()}
	webhook, err := NewClient(host.URL, created.Text("secretKey")).Post(ctx, "/v1/webhooks", endpoint)
	if err != nil {
		return nil, err
	}
	webhooks := newWebhooks(receiver, path, created.Text("name"), newSecret(webhook.Text("secret")))
	return newSandbox(host, created, webhooks), nil
}

// String returns the name and the address of the sandbox.
func (s *Sandbox) String() string {
	return fmt.Sprintf("Sandbox(%s at %s)", s.Name, s.URL)
}

// SecretKey returns the secret key, of your server.
func (s *Sandbox) SecretKey() string {
	return s.keys.Text("secretKey")
}

// PublicKey returns the public key, of the customer's browser or app.
func (s *Sandbox) PublicKey() string {
	return s.keys.Text("publicKey")
}

// DashboardURL returns the link that opens the dashboard of the sandbox in a browser.
func (s *Sandbox) DashboardURL() string {
	return s.keys.Text("dashboardUrl")
}

// Terminal returns the simulated terminal, online. Its cardholder does nothing by itself.
func (s *Sandbox) Terminal(ctx context.Context) (*Terminal, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.terminal != nil {
		return s.terminal, nil
	}
	if len(s.terminalIDs) == 0 {
		return nil, errors.New("the sandbox has no terminal")
	}
	terminal, err := s.TerminalOf(ctx, s.terminalIDs[0])
	if err == nil {
		s.terminal = terminal
	}
	return terminal, err
}

// TerminalOf returns a simulated terminal once it is online. Its cardholder does nothing by itself.
func (s *Sandbox) TerminalOf(ctx context.Context, terminalID string) (*Terminal, error) {
	terminal := newTerminal(s.Client, s.Webhooks, terminalID)
	if err := terminal.ComesOnline(ctx); err != nil {
		return nil, err
	}
	// In a fork the cardholder goes on as in its source.
	if s.takenNow()[terminalID] {
		return terminal, nil
	}
	if err := terminal.Cardholder(ctx, ScriptNone); err != nil {
		return nil, err
	}
	s.takenMutex.Lock()
	defer s.takenMutex.Unlock()
	s.taken[terminalID] = true
	return terminal, nil
}

// takenNow returns a copy of the terminals that are taken.
func (s *Sandbox) takenNow() map[string]bool {
	s.takenMutex.Lock()
	defer s.takenMutex.Unlock()
	taken := map[string]bool{}
	for id := range s.taken {
		taken[id] = true
	}
	return taken
}

// Fork creates a copy of this sandbox with everything in it, terminals as they stand, and new keys. Options are further
// members of POST /sandboxes, such as name.
func (s *Sandbox) Fork(ctx context.Context, options ...JSON) (*Sandbox, error) {
	body := JSON{"from": s.Name, "expiresInSeconds": expiresInSeconds}
	// Before the copy, so that none is missing in it.
	taken := s.takenNow()
	created, err := s.host.Post(ctx, "/sandboxes", body.with(options...))
	if err != nil {
		return nil, err
	}
	fork := newSandbox(s.host, created, s.Webhooks.ofFork(created.Text("name")))
	fork.taken, fork.AllowUnstruck = taken, s.AllowUnstruck
	return fork, nil
}

// Delete deletes the sandbox with everything in it.
func (s *Sandbox) Delete(ctx context.Context) error {
	_, err := s.host.Delete(ctx, "/sandboxes/"+s.Name)
	return err
}
