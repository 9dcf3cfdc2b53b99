import type { SessionCreation } from '../../server/api/payments/payment-session-request.schema.ts';

export interface FillRequest {
  count: number;
  /** What each is made of. */
  body: SessionCreation;
  /** How many of the ids to answer, evenly from the oldest to the newest. */
  sampleCount: number;
}

/** Evenly, and none of the ten at either end: behind each there is a page. */
export function sampleIds(ids: readonly string[], sampleCount: number): string[] {
  const step = (ids.length - 20) / sampleCount;
  return Array.from({ length: sampleCount }, (_, index) => ids[10 + Math.floor(index * step)]!);
}
