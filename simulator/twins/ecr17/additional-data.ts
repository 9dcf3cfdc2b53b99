import { after, type Clock, type Timer } from '../../../protocol/clock.ts';

// It follows at once on the acknowledgement of the message before it.
const LIMIT_MS = 1_000;
const MESSAGES_MAX = 4;

/** Collects the messages with additional data (`U`) that follow another. */
export function createAdditionalData(clock: Clock) {
  let payloads: string[] | undefined;
  let timer: Timer | undefined;
  let finish = () => {};
  return {
    /** Resolves with what has come once nothing more does. */
    collect: (): Promise<string[]> =>
      new Promise((resolve) => {
        const collected: string[] = [];
        payloads = collected;
        finish = () => {
          timer?.cancel();
          payloads = undefined;
          resolve(collected);
        };
        timer = after(clock, LIMIT_MS, finish);
      }),
    /** Takes a message. Returns whether one was waited for. */
    take(payload: string): boolean {
      if (!payloads) return false;
      payloads.push(payload);
      timer?.cancel();
      if (payloads.length === MESSAGES_MAX) finish();
      else timer = after(clock, LIMIT_MS, finish);
      return true;
    },
  };
}
