import type { Clock } from '../../protocol/clock.ts';
import { withTimeout } from '../../protocol/with-timeout.ts';
import type { BytePort } from './byte-port.ts';

const OPEN_LIMIT_MS = 10_000;

/**
 * Returns a port once it is open, within ten seconds. One that opens later is closed.
 * @param late what is wrong when it takes longer
 */
export async function openInTime(clock: Clock, opening: Promise<BytePort>, late: string): Promise<BytePort> {
  let isLate = false;
  opening.then(
    (port) => (isLate ? port.close() : undefined),
    () => {},
  );
  try {
    return await withTimeout(clock, OPEN_LIMIT_MS, opening, late);
  } catch (error) {
    isLate = true;
    throw error;
  }
}
