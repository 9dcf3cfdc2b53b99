import type { Clock } from '../../protocol/clock.ts';
import type { Random } from '../../protocol/ids.ts';
import type { ChipCard } from './chip-card.ts';
import type { ChipCardProfile } from './card-profile.ts';
import { imageOf, interfaceOf, type ApplicationImage } from './chip/application.ts';
import type { Chip } from './chip/chip-state.ts';
import { ATQA, ATR, ATS, SAK, uidOf } from './chip/reset.ts';
import { openChipSession } from './chip/session.ts';
import type { IssuedChip } from './issued-chip.ts';
import type { CardTechnology } from '../../agent/emv/card-connection.ts';

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
    technologies: Object.keys(images) as CardTechnology[],
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
