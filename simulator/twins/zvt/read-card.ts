import { RESULT } from './codes.ts';
import { spokenIn, type Work } from './job.ts';
import { takeCard } from './sale.ts';
import * as telling from './outgoing-messages.ts';

// A cash register that sets no limit waits this long.
const LONGEST_S = 90;

/** 06 C0: the card within the seconds that the first byte says, its number masked. The status information ends it. */
export const readCard: Work = async ({ front }, job) => {
  job.setAbortable(true);
  const tellsProgress = job.registration?.tellsProgress ?? false;
  const limitMs = (job.data[0] || LONGEST_S) * 1000;
  const card = await takeCard({ front, till: job.till, tellsProgress, limitMs });
  if (typeof card === 'number') return telling.aborted(card);
  if (!card.readable) return telling.aborted(RESULT.cardNotReadable);
  return telling.cardInformation(card.masked(card.entryModes[0]!), spokenIn(job));
};
