import { after, type Clock } from '../../protocol/clock.ts';
import type { ReaderFact } from './reader.ts';

/** Time to take out a card. A reader that is still empty then is worth a word on the screen. */
const NO_CARD_MS = 10_000;

/** Waits for `search`, and reports `card.missing` once if it has found no card by then. */
export async function noticeNoCard<T>(
  clock: Clock,
  search: Promise<T>,
  report: (fact: ReaderFact) => void,
): Promise<T> {
  const notice = after(clock, NO_CARD_MS, () => report({ type: 'card.missing' }));
  try {
    return await search;
  } finally {
    notice.cancel();
  }
}
