import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same, in a time that does not depend on where they differ: for secrets. */
export function constantTimeEqual(given: string, kept: string): boolean {
  const a = createHash('sha256').update(given).digest();
  const b = createHash('sha256').update(kept).digest();
  return timingSafeEqual(a, b);
}
