import type { CardTechnology } from '../../agent/emv/card-connection.ts';
import { SystemClock, type Clock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import { seededRandom, type Random } from '../../protocol/ids.ts';
import { ISSUED_CHIPS, PROFILES } from './card-files.ts';
import { parseCardProfile, type CardFile, type ChipCardProfile } from './card-profile.ts';
import type { ChipCard } from './chip-card.ts';
import { imageOf, interfaceOf, type ApplicationImage } from './chip/application.ts';
import type { Chip } from './chip/chip-state.ts';
import { ATQA, ATR, ATS, openChipSession, SAK, uidOf } from './chip/session.ts';
import { parseIssuedChip, type IssuedChip } from './issued-chip.ts';
import { keysOf } from '../../protocol/tables.ts';

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
  const { profile, issued } = filesOf(name);
  const { random = seededRandom(name), clock = new SystemClock() } = parts;
  return createChip(name, profile, issued, { random, clock });
}

interface ChipFiles {
  profile: ChipCardProfile;
  issued: IssuedChip;
}

/** Files that were checked, by the name of their card: that takes longer than all else about a card that is presented. */
const checked = new Map<string, ChipFiles>();

function filesOf(name: string): ChipFiles {
  const known = checked.get(name);
  if (known) return known;
  const profile = parseCardProfile(name, PROFILES[name]) as ChipCardProfile;
  if (!Object.hasOwn(ISSUED_CHIPS, name)) {
    throw new Fault('internal', `chip ${name} has no keys: npm run cards`);
  }
  const files = { profile, issued: parseIssuedChip(name, ISSUED_CHIPS[name]) };
  checked.set(name, files);
  return files;
}

export interface ChipParts {
  random: Random;
  /** Clock for the delay of a slow card. */
  clock: Clock;
}

/** Creates a chip in its initial state: all PIN tries left, no transactions counted. */
export function createChip(
  name: string,
  profile: ChipCardProfile,
  issued: IssuedChip,
  { random, clock }: ChipParts,
): ChipCard {
  const images = imagesOf(profile, issued);
  const chip: Chip = {
    profile,
    issued,
    images,
    memory: {
      transactionCounter: profile.chip.transactionCounter,
      lastOnlineCounter: 0,
      pinTriesLeft: profile.pin?.tries ?? 0,
      applicationBlocked: profile.chip.behaviour?.applicationBlocked ?? false,
      cardBlocked: false,
    },
    random,
  };
  return {
    name,
    technologies: keysOf(images),
    atr: ATR,
    atqa: ATQA,
    sak: SAK,
    uid: uidOf(name),
    ats: ATS,
    powerOn: (technology) => openChipSession(chip, technology, clock),
  };
}

function imagesOf(
  profile: ChipCardProfile,
  issued: IssuedChip,
): Partial<Record<CardTechnology, ApplicationImage>> {
  const images: Partial<Record<CardTechnology, ApplicationImage>> = {};
  for (const technology of ['Contact', 'Contactless'] as const) {
    const facts = interfaceOf(profile, technology);
    const certified = technology === 'Contact' ? issued.contact : issued.contactless;
    if (facts && certified) images[technology] = imageOf(profile, facts, issued, certified);
  }
  return images;
}
