import type { SessionCreation } from '../../server/api/payments/payment-session-request.schema.ts';

export interface FillOrder {
  count: number;
  /** What each is made of. */
  body: SessionCreation;
  /** How many of the ids to answer, evenly from the oldest to the newest. */
  named: number;
}

/** Evenly, and none of the ten at either end: behind each there is a page. */
export function someOf(ids: readonly string[], named: number): string[] {
  const step = (ids.length - 20) / named;
  return Array.from({ length: named }, (_, index) => ids[10 + Math.floor(index * step)]!);
}
