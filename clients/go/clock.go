package tapbench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

const (
	stepsMax    = 20
	stepTimeout = 500 * time.Millisecond
)

// Now returns the time of the sandbox, in whole seconds.
func (s *Sandbox) Now(ctx context.Context) (time.Time, error) {
	clock, err := s.Client.Get(ctx, "/sandbox/clock")
	return time.Unix(int64(clock.Int("nowTimestamp")), 0), err
}

// Advance advances the clock of this sandbox alone, by whole seconds. What is due is done when it returns.
func (s *Sandbox) Advance(ctx context.Context, by time.Duration) error {
	clock, err := s.Client.Post(ctx, "/sandbox/clock/advance", JSON{"seconds": int(math.Round(by.Seconds()))})
	if err != nil || clock.Int("pending.jobs") == 0 {
		return err
	}
	return Until(ctx, "what is due is done", func() (bool, error) {
		clock, err := s.Client.Get(ctx, "/sandbox/clock")
		return clock.Int("pending.jobs") == 0, err
	})
}

// AdvanceUntil advances the clock by the same step until look returns true or an error. It is for what the server plans only
// when something before it is done, such as the next try of a webhook.
func (s *Sandbox) AdvanceUntil(ctx context.Context, what string, step time.Duration, look func() (bool, error)) error {
	for steps := 0; steps < stepsMax; steps++ {
		if err := s.Advance(ctx, step); err != nil {
			return err
		}
		err := untilFor(ctx, stepTimeout, what, look)
		var late *NotInTimeError
		if !errors.As(err, &late) || ctx.Err() != nil {
			return err
		}
	}
	return &NotInTimeError{fmt.Sprintf("advanced the clock %d times, but not: %s", stepsMax, what)}
}

func untilFor(ctx context.Context, limit time.Duration, what string, look func() (bool, error)) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return Until(limited, what, look)
}
