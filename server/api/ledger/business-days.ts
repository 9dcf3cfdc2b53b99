const DAY_MS = 86_400_000;

/** How long before it is available money counts as cleared (docs/choices.md, Balances). */
export const CLEARS_BEFORE_MS = DAY_MS;

// Sunday to Saturday. Money captured on Monday can be paid out on Wednesday, from Thursday to Saturday on Monday, on
// Sunday on Tuesday. Public holidays are ignored (docs/choices.md, Balances).
const DAYS_UNTIL_AVAILABLE = [2, 2, 2, 2, 4, 3, 2];

export function midnightOf(atMs: number): number {
  return atMs - (atMs % DAY_MS);
}

/** Returns the day of an instant in UTC, yyyy-MM-dd. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Returns when a payment captured at `capturedMs` can be paid out: midnight UTC, two business days later. */
export function availableFrom(capturedMs: number): number {
  return midnightOf(capturedMs) + DAYS_UNTIL_AVAILABLE[new Date(capturedMs).getUTCDay()]! * DAY_MS;
}

export function isBusinessDay(atMs: number): boolean {
  const day = new Date(atMs).getUTCDay();
  return day !== 0 && day !== 6;
}

/** Returns midnight UTC of the first business day after that of `atMs`. */
export function nextBusinessDay(atMs: number): number {
  let dayMs = midnightOf(atMs) + DAY_MS;
  while (!isBusinessDay(dayMs)) dayMs += DAY_MS;
  return dayMs;
}
