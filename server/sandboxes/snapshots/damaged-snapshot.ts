import { Refusal } from '../../platform/http/refusals.ts';

/** Returns the refusal of a snapshot that is damaged. */
export function damaged(problem: string): Refusal {
  return new Refusal('snapshot_damaged', { problem });
}
