import type { SessionCreation } from '../../server/api/payments/payment-session-request.schema.ts';

export interface FillRequest {
  count: number;
  /** Body of each object. */
  body: SessionCreation;
  /** Number of ids to return, evenly from oldest to newest. */
  sampleCount: number;
}

/** Returns evenly spaced ids, none of the ten at either end, so that a page follows each. */
export function sampleIds(ids: readonly string[], sampleCount: number): string[] {
  const step = (ids.length - 20) / sampleCount;
  return Array.from({ length: sampleCount }, (_, index) => ids[10 + Math.floor(index * step)]!);
}
