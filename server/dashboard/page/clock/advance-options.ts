import type { FleetTerminal, WebhookEndpoint } from '../../view.ts';

/** The buttons of the clock menu. */
export const STEPS = [
  { label: '+1 min', seconds: 60 },
  { label: '+1 h', seconds: 3_600 },
  { label: '+1 day', seconds: 86_400 },
  { label: '+7 days', seconds: 604_800 },
] as const;

export const UNITS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
export type Unit = keyof typeof UNITS;

interface Due {
  what: string;
  atMs: number;
}

/** Returns the next scheduled event that the page knows: a deadline or a webhook retry. */
export function nextDue(
  nowMs: number,
  terminals: readonly FleetTerminal[],
  endpoints: readonly { health: Pick<WebhookEndpoint['health'], 'nextAttemptTimestamp'> }[],
): Due | undefined {
  const deadlines = terminals.flatMap(({ action, name }): Due[] => {
    if (action?.status !== 'InProgress' || action.deadlineMs === null) return [];
    return [{ what: `deadline of ${name}`, atMs: action.deadlineMs }];
  });
  const retries = endpoints.flatMap(({ health: { nextAttemptTimestamp: next } }): Due[] =>
    next === null ? [] : [{ what: 'webhook retry', atMs: next * 1000 }],
  );
  return [...deadlines, ...retries].filter(({ atMs }) => atMs > nowMs).sort((a, b) => a.atMs - b.atMs)[0];
}

// The clock cannot be advanced further at once.
const SECONDS_MAX = 31_536_000;

/** Returns the whole seconds by which to advance the clock so that the instant has passed; at most a year. */
export function secondsUntil(atMs: number, nowMs: number): number {
  return Math.min(SECONDS_MAX, Math.max(1, Math.ceil((atMs - nowMs) / 1000)));
}
