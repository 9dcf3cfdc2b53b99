import { after, type Clock } from '../../protocol/clock.ts';
import type { ReaderEvent } from './reader.ts';

/** Enough time to take out a card, before the screen asks for it again. */
const NO_CARD_MS = 10_000;

/** Waits for `search`, and emits `card.missing` if it takes longer than 10 s. */
export async function reportMissingCard<T>(
  clock: Clock,
  search: Promise<T>,
  report: (event: ReaderEvent) => void,
): Promise<T> {
  const timer = after(clock, NO_CARD_MS, () => report({ type: 'card.missing' }));
  try {
    return await search;
  } finally {
    timer.cancel();
  }
}
