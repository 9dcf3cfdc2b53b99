package tapbench

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

// delivery is a webhook as it arrived.
type delivery struct {
	body []byte
	// signature is the header Signature.
	signature string
	// sandbox is the name in the header Tapbench-Sandbox.
	sandbox string
}

// receiver is an HTTP server on a free port that keeps each delivery by its path.
type receiver struct {
	url    string
	server *http.Server

	mutex      sync.Mutex
	deliveries map[string][]delivery
	statuses   map[string][]int
	// arrived is closed, and replaced, at each delivery.
	arrived chan struct{}
}

// newReceiver starts a receiver. With the name of this machine, under which a server elsewhere reaches it, such as from a
// container, it listens on all addresses.
func newReceiver(named string) (*receiver, error) {
	listenAt, name := "0.0.0.0", named
	if named == "" {
		listenAt, name = "127.0.0.1", "127.0.0.1"
	}
	listener, err := net.Listen("tcp", listenAt+":0")
	if err != nil {
		return nil, fmt.Errorf("webhooks cannot be received: %w", err)
	}
	r := &receiver{
		url:        fmt.Sprintf("http://%s:%d", name, listener.Addr().(*net.TCPAddr).Port),
		deliveries: map[string][]delivery{},
		statuses:   map[string][]int{},
		arrived:    make(chan struct{}),
	}
	r.server = &http.Server{Handler: r}
	go func() { _ = r.server.Serve(listener) }()
	return r, nil
}

// ServeHTTP keeps a delivery, and replies with the status that is set.
func (r *receiver) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil || request.Method != http.MethodPost {
		writer.WriteHeader(http.StatusBadRequest)
		return
	}
	sandbox := request.Header.Get("Tapbench-Sandbox")
	if sandbox == "" {
		sandbox = "default"
	}
	arrived := delivery{body: body, signature: request.Header.Get("Signature"), sandbox: sandbox}
	writer.WriteHeader(r.take(request.URL.Path, arrived))
}

func (r *receiver) take(path string, arrived delivery) int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.deliveries[path] = append(r.deliveries[path], arrived)
	close(r.arrived)
	r.arrived = make(chan struct{})
	waiting := r.statuses[path]
	if len(waiting) == 0 {
		return http.StatusOK
	}
	r.statuses[path] = waiting[1:]
	return waiting[0]
}

// after returns the deliveries at a path after the first ones.
func (r *receiver) after(path string, first int) []delivery {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.deliveries[path][first:]
}

// next returns a channel that is closed at the next delivery, of whatever path.
func (r *receiver) next() <-chan struct{} {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.arrived
}

// replyWith sets the statuses of the next replies at a path; 200 after them.
func (r *receiver) replyWith(path string, statuses []int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.statuses[path] = append([]int(nil), statuses...)
}

// close closes the port.
func (r *receiver) close() {
	_ = r.server.Close()
}
