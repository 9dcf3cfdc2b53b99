package tapbench

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestWaitingForAConditionEndsInWords(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err := Until(ctx, "it snows", func() (bool, error) { return false, nil })
	var late *NotInTimeError
	if !errors.As(err, &late) || late.Message != "waited 0.05 s, but not: it snows" {
		t.Errorf("waiting returned %v", err)
	}
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Until(ctx, "it snows", func() (bool, error) { return false, nil }); err != context.Canceled {
		t.Errorf("waiting returned %v", err)
	}
}

func TestWaitingEndsWithTheErrorOfALook(t *testing.T) {
	t.Parallel()
	broken := errors.New("the window is shut")
	if err := Until(context.Background(), "it snows", func() (bool, error) { return false, broken }); err != broken {
		t.Errorf("waiting returned %v", err)
	}
}

func TestAWaitForAnEventLooksAgainWhenItArrives(t *testing.T) {
	t.Parallel()
	received, err := newReceiver("")
	if err != nil {
		t.Fatal(err)
	}
	defer received.close()
	const anHour = 3_600_000
	looks := 0
	waiting := wait{what: "the event arrives", pauses: []time.Duration{anHour}, changes: received.next}
	err = waiting.until(context.Background(), func() (bool, error) {
		if looks++; looks == 1 {
			// During the look, so that it would be missed by who begins to listen afterwards.
			received.take("/", delivery{})
		}
		return looks == 2, nil
	})
	if err != nil || looks != 2 {
		t.Errorf("after %d looks: %v", looks, err)
	}
}

func TestAWaitForAnEventLooksAgainWithoutOne(t *testing.T) {
	t.Parallel()
	looks := 0
	waiting := wait{what: "the event arrives", pauses: slowPauses, changes: func() <-chan struct{} { return nil }}
	err := waiting.until(context.Background(), func() (bool, error) {
		looks++
		return looks == 2, nil
	})
	if err != nil || looks != 2 {
		t.Errorf("after %d looks: %v", looks, err)
	}
}
