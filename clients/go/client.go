package tapbench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"time"
)

const retriesMax = 20

// APIError says that the server refused a request.
type APIError struct {
	// Request is its method and path, such as "POST /v1/payment-sessions".
	Request string
	// Status is the HTTP status, such as 409.
	Status int
	// Code is that of the first error, such as "conflict".
	Code string
	// Message is that of the first error, for people.
	Message string
}

func (e *APIError) Error() string {
	return fmt.Sprintf("%s: %d %s: %s", e.Request, e.Status, e.Code, e.Message)
}

// Client calls the API of one sandbox with one key. Paths begin with /v1/ or /sandbox/ and may have a query.
//
// Each call returns the body of the reply, an APIError for another status than 2xx, and a ServerUnavailableError when there
// is no reply. A call that is over the rate limit waits and is sent again. A Client may be used by several goroutines.
type Client struct {
	// URL is the base URL of the API, without a trailing slash.
	URL     string
	key     Secret
	account string
}

// NewClient returns a client of the API at a URL, with a secret or a public key.
func NewClient(url, key string) *Client {
	return &Client{URL: strings.TrimRight(url, "/"), key: newSecret(key)}
}

// AsAccount returns a client that acts for a sub account (header Account).
func (c *Client) AsAccount(accountID string) *Client {
	return &Client{URL: c.URL, key: c.key, account: accountID}
}

// Get sends a GET request.
func (c *Client) Get(ctx context.Context, path string) (JSON, error) {
	return c.Do(ctx, Call{Method: http.MethodGet, Path: path})
}

// Post sends a POST request with a JSON body; with none when body is nil.
func (c *Client) Post(ctx context.Context, path string, body any) (JSON, error) {
	return c.Do(ctx, Call{Method: http.MethodPost, Path: path, Body: body})
}

// Patch sends a PATCH request with a JSON body.
func (c *Client) Patch(ctx context.Context, path string, body any) (JSON, error) {
	return c.Do(ctx, Call{Method: http.MethodPatch, Path: path, Body: body})
}

// Delete sends a DELETE request.
func (c *Client) Delete(ctx context.Context, path string) (JSON, error) {
	return c.Do(ctx, Call{Method: http.MethodDelete, Path: path})
}

// Call is a request of any method.
type Call struct {
	Method string
	Path   string
	// Body is encoded as JSON, such as a JSON or a struct; nil sends none.
	Body any
	// IdempotencyKey is the header of that name; "" sends none.
	IdempotencyKey string
}

// Do sends a request of any method.
func (c *Client) Do(ctx context.Context, call Call) (JSON, error) {
	header := http.Header{}
	if call.IdempotencyKey != "" {
		header.Set("Idempotency-Key", call.IdempotencyKey)
	}
	var body []byte
	if call.Body != nil {
		encoded, err := json.Marshal(call.Body)
		if err != nil {
			return nil, err
		}
		body = encoded
		header.Set("Content-Type", "application/json")
	}
	return c.object(ctx, call.Method, call.Path, body, header)
}

// Upload uploads a file, and returns it. The category is Evidence or VerificationDocument.
func (c *Client) Upload(ctx context.Context, category, name string, content []byte, contentType string) (JSON, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	// Writing to a buffer does not fail.
	_ = form.WriteField("category", category)
	part, _ := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {fmt.Sprintf(`form-data; name="file"; filename=%q`, name)},
		"Content-Type":        {contentType},
	})
	_, _ = part.Write(content)
	_ = form.Close()
	header := http.Header{"Content-Type": {form.FormDataContentType()}}
	return c.object(ctx, http.MethodPost, "/v1/files", body.Bytes(), header)
}

// Download sends a GET request, and returns the content of a file.
func (c *Client) Download(ctx context.Context, path string) ([]byte, error) {
	return c.bytes(ctx, http.MethodGet, path, nil, http.Header{})
}

// object sends a request whose reply is a JSON object.
func (c *Client) object(ctx context.Context, method, path string, body []byte, header http.Header) (JSON, error) {
	text, err := c.bytes(ctx, method, path, body, header)
	if err != nil {
		return nil, err
	}
	value, err := decodeJSON(text)
	object, isObject := value.(JSON)
	if err != nil || !isObject {
		return nil, refusal(method, path, http.StatusOK, text)
	}
	return object, nil
}

// bytes sends a request, and again when it is over the rate limit. It returns the body of the reply.
func (c *Client) bytes(ctx context.Context, method, path string, body []byte, header http.Header) ([]byte, error) {
	header.Set("Authorization", c.key.Reveal())
	if c.account != "" {
		header.Set("Account", c.account)
	}
	for retries := 0; ; retries++ {
		reply, err := send(ctx, method, c.URL+path, body, header)
		if err != nil {
			return nil, err
		}
		if reply.status == http.StatusTooManyRequests && retries < retriesMax {
			if err := pause(ctx, retryAfter(reply.header)); err != nil {
				return nil, err
			}
			continue
		}
		if reply.status < 200 || reply.status > 299 {
			return nil, refusal(method, path, reply.status, reply.body)
		}
		return reply.body, nil
	}
}

func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.ParseFloat(header.Get("Retry-After"), 64)
	if err != nil {
		seconds = 1
	}
	return time.Duration(seconds * float64(time.Second))
}

// refusal returns the error of a reply. Its text has no query, which may have the secret of a session.
func refusal(method, path string, status int, body []byte) *APIError {
	path, _, _ = strings.Cut(path, "?")
	refused := &APIError{Request: method + " " + path, Status: status, Code: "unexpected_error"}
	value, _ := decodeJSON(body)
	object, _ := value.(JSON)
	if errors := object.Items("errors"); len(errors) > 0 {
		refused.Code, refused.Message = errors[0].Text("code"), errors[0].Text("message")
		return refused
	}
	refused.Message = string(body)
	if len(refused.Message) > 200 {
		refused.Message = refused.Message[:200]
	}
	return refused
}
