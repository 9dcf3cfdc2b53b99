package tapbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

const requestTimeout = 30 * time.Second

// ServerUnavailableError says that no server replies, or that none can be found or started.
type ServerUnavailableError struct {
	// Message says what to do.
	Message string
}

func (e *ServerUnavailableError) Error() string {
	return e.Message
}

// Each request has a connection of its own: when the reply over a reused one is lost, Go sends the request again, which would
// hide a fault from the test. Redirects are not followed.
var httpClient = &http.Client{
	Timeout:       requestTimeout,
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// httpReply is a reply of any status.
type httpReply struct {
	status int
	header http.Header
	body   []byte
}

// send sends one request. It returns a ServerUnavailableError when there is no whole reply.
func send(ctx context.Context, method, address string, body []byte, header http.Header) (*httpReply, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		// Without its cause, which names the address: its query may have the secret of a session.
		return nil, fmt.Errorf("%s: the address of the request is not valid", method)
	}
	for name, values := range header {
		request.Header[name] = values
	}
	reply, err := httpClient.Do(request)
	if err != nil {
		return nil, unavailable(ctx, request.URL, err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return nil, unavailable(ctx, request.URL, err)
	}
	return &httpReply{status: reply.StatusCode, header: reply.Header, body: text}, nil
}

// unavailable returns the error of a request without reply; that of the context when it is done.
func unavailable(ctx context.Context, address *url.URL, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	// The inner error alone: that of package url has the whole address, with its query.
	var withAddress *url.Error
	if errors.As(err, &withAddress) {
		err = withAddress.Err
	}
	var inNetwork *net.OpError
	if errors.As(err, &inNetwork) {
		err = inNetwork.Err
	}
	place := fmt.Sprintf("%s://%s", address.Scheme, address.Host)
	return &ServerUnavailableError{fmt.Sprintf("no Tapbench server replies at %s (%v)", place, err)}
}

// pause waits, or returns the error of the context when it is done before.
func pause(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
