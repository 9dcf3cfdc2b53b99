import { after, type Clock, type Timer } from '../../../protocol/clock.ts';
import { CODE, STATE, type ReaderState } from './pcsc-interface.ts';
import { errorOf } from './return-codes.ts';
import { isReaderGone, type PcscSession } from './session.ts';

// A cancel that comes before the wait has begun does nothing, so no wait is without an end.
const WAIT_MS = 2_000;
const CANCEL_EVERY_MS = 50;

/**
 * Waits on a context of its own until the state of the reader is wanted. Resolves with undefined when `signal` is
 * aborted first, once the wait has ended.
 * @throws Fault `reader` when the reader or its service is gone.
 */
export async function waitForState(
  { pcsc, waits, reader }: PcscSession,
  clock: Clock,
  isWanted: (state: ReaderState) => boolean,
  signal: AbortSignal,
): Promise<ReaderState | undefined> {
  let cancelling: Timer | undefined;
  const cancel = () => {
    void pcsc.cancel(waits);
    cancelling = after(clock, CANCEL_EVERY_MS, cancel);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let current = 0; !signal.aborted;) {
      const { code, event, atr } = await pcsc.getStatusChange(waits, { reader, current, timeoutMs: WAIT_MS });
      if (code === CODE.timeout || code === CODE.cancelled) continue;
      if (code !== CODE.ok) throw errorOf(code);
      if (isReaderGone(event)) throw errorOf(CODE.readerUnavailable);
      if (signal.aborted) break;
      if (isWanted({ event, atr })) return { event, atr };
      // The count of insertions is the high half, and the result of an operation on bits has a sign.
      current = (event & ~STATE.changed) >>> 0;
    }
    return undefined;
  } finally {
    signal.removeEventListener('abort', cancel);
    cancelling?.cancel();
  }
}
