import type { Clock } from '../protocol/clock.ts';
import { seededRandom, type Random } from '../protocol/ids.ts';

/**
 * Random bytes for the pauses before terminals connect again. The time decides them, and how many were taken at that time, so a
 * replay on virtual time pauses as its recording did, although other random numbers differ.
 */
export function randomOfMoments(clock: Clock): Random {
  let moment = { atMs: NaN, random: seededRandom('') };
  return {
    bytes(count) {
      const atMs = clock.nowMs();
      if (atMs !== moment.atMs) moment = { atMs, random: seededRandom(`pauses at ${atMs}`) };
      return moment.random.bytes(count);
    },
  };
}

/** Random bytes for pauses that are a thousandth of the longest: no terminal connects earlier. */
export const shortestPauses: Random = {
  bytes: (count) => Uint8Array.from({ length: count }, (_, place) => (place === 1 ? 0x40 : 0)),
};
