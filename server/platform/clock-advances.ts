/** What is due and not done. */
export interface PendingWork {
  jobs: number;
  /** Attempts to deliver an event to a webhook endpoint. */
  deliveries: number;
}

/** Time of the sandbox, and what is due and not done. */
export interface AdvancedClock {
  nowMs: number;
  offsetMs: number;
  pending: PendingWork;
}

/** The advances of the clock of a sandbox. */
export interface ClockAdvances {
  /**
   * Advances the clock. It stands at each instant at which something is due until that is done. Resolves when the time
   * has passed and what was due is done, or after ten seconds of real time; the clock then moves on by itself.
   * @throws Refusal `invalid_field` when it would lead past the year 9998
   */
  advance(byMs: number): Promise<AdvancedClock>;
  now(): Promise<AdvancedClock>;
  /** Number of calls of `advance` that have not resolved. */
  readonly openCalls: number;
  /** Goes on with an advance that was under way when the sandbox last stopped. */
  start(): Promise<void>;
  /** Whether the clock is moved at present. */
  isInProgress(): boolean;
  /** Whether it is moved on only after some real time, or once jobs under way have ended. */
  isWaiting(): boolean;
  stop(): Promise<void>;
}
