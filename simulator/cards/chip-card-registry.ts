import { SystemClock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { parseCardProfile, type CardFile, type ChipCardProfile } from './card-profile.ts';
import type { ChipCard } from './chip-card.ts';
import { createChip, type ChipParts } from './create-chip.ts';
import { parseIssuedChip } from './issued-chip.ts';
import { ISSUED_CHIPS } from './card-files.ts';
import { PROFILES } from './card-files.ts';

/** Names of the cards with a chip, in display order. */
export const CHIP_CARD_NAMES = Object.keys(PROFILES).filter(
  (name) => (PROFILES[name] as Partial<CardFile>).chip !== undefined,
);

/**
 * Creates a new chip card by name; undefined when there is none. Without `parts` its randomness is seeded by its
 * name, so it is the same in every run.
 * @throws Fault `internal`, naming the field, when a file of the card is not valid.
 */
export function createChipCard(name: string, parts: Partial<ChipParts> = {}): ChipCard | undefined {
  if (!CHIP_CARD_NAMES.includes(name)) return undefined;
  const profile = parseCardProfile(name, PROFILES[name]) as ChipCardProfile;
  if (!Object.hasOwn(ISSUED_CHIPS, name)) {
    throw new Fault('internal', `chip ${name} has no keys: npm run cards`);
  }
  const issued = parseIssuedChip(name, ISSUED_CHIPS[name]);
  const { random = seededRandom(name), clock = new SystemClock() } = parts;
  return createChip(name, profile, issued, { random, clock });
}
