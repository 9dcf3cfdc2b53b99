package tapbench

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Timeout is how long calls wait in real time for what happens on the server, unless their context ends before.
const Timeout = 20 * time.Second

// pauses between two looks; the last one repeats.
var pauses = []time.Duration{5, 10, 20, 40, 80}

// slowPauses are between two looks when an event ends the wait: they matter only when that event is lost.
var slowPauses = []time.Duration{100, 250}

// NotInTimeError says that what a test waited for did not happen in time.
type NotInTimeError struct {
	Message string
}

func (e *NotInTimeError) Error() string {
	return e.Message
}

// Until calls look until it returns true or an error. It returns a NotInTimeError after Timeout, or when the deadline of the
// context passes before.
func Until(ctx context.Context, what string, look func() (bool, error)) error {
	return wait{what: what, pauses: pauses}.until(ctx, look)
}

// wait is how to wait for something.
type wait struct {
	what string
	// pauses between two looks, in milliseconds.
	pauses []time.Duration
	// changes, if given, returns a channel that is closed when it is worth to look again.
	changes func() <-chan struct{}
}

func (w wait) until(ctx context.Context, look func() (bool, error)) error {
	limit := limitOf(ctx)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for attempt := 0; ; attempt++ {
		var changed <-chan struct{}
		if w.changes != nil {
			// Before the look, so that what comes during it is not missed.
			changed = w.changes()
		}
		found, err := look()
		if err != nil {
			return w.inWords(ctx, err, limit)
		}
		if found {
			return nil
		}
		if err := w.pause(limited, attempt, changed); err != nil {
			return w.inWords(ctx, err, limit)
		}
	}
}

func (w wait) pause(ctx context.Context, attempt int, changed <-chan struct{}) error {
	if attempt >= len(w.pauses) {
		attempt = len(w.pauses) - 1
	}
	timer := time.NewTimer(w.pauses[attempt] * time.Millisecond)
	defer timer.Stop()
	select {
	case <-changed:
		return nil
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// inWords returns a NotInTimeError for a deadline that passed, and other errors as they are.
func (w wait) inWords(ctx context.Context, err error, limit time.Duration) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &NotInTimeError{fmt.Sprintf("waited %s, but not: %s", inSeconds(limit), w.what)}
}

// limitOf returns how long a call with this context waits.
func limitOf(ctx context.Context) time.Duration {
	deadline, has := ctx.Deadline()
	if left := time.Until(deadline); has && left < Timeout {
		return left
	}
	return Timeout
}

func inSeconds(duration time.Duration) string {
	return fmt.Sprintf("%g s", duration.Round(10*time.Millisecond).Seconds())
}
