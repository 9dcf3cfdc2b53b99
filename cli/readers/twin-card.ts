import { Fault } from '../../protocol/failures.ts';
import { CHIP_CARD_NAMES, createChipCard, type ChipParts } from '../../simulator/cards/chip-card-registry.ts';
import type { ChipCard } from '../../simulator/cards/chip-card.ts';
import type { TwinEntry } from '../../simulator/twins/twin.ts';
import type { CardTechnology } from '../../agent/emv/card-connection.ts';

const READERS: Record<CardTechnology, string> = {
  Contact: 'a contact reader',
  Contactless: 'a contactless reader',
};

/**
 * Returns a card by name for a twin.
 * @throws Fault `bad_setting`, listing the cards that fit, when the card does not exist or the reader cannot read it.
 */
export function cardForTwin(row: TwinEntry, name: string, parts: ChipParts): ChipCard {
  const card = createChipCard(name, parts);
  if (card && fits(row, card)) return card;
  const fitting = CHIP_CARD_NAMES.filter((known) => fits(row, createChipCard(known, parts)!));
  const problem = card ? misfitText(row, card) : `there is no card '${name.slice(0, NAME_LETTERS_MAX)}'`;
  throw new Fault('bad_setting', `${problem}; cards for ${row.name}: ${fitting.join(', ')}`);
}

const NAME_LETTERS_MAX = 40;

function fits({ technologies }: TwinEntry, card: ChipCard): boolean {
  return card.technologies.some((technology) => technologies.includes(technology));
}

function misfitText({ name, technologies }: TwinEntry, card: ChipCard): string {
  const only = card.technologies.map((technology) => technology.toLowerCase()).join(' and ');
  const reader = technologies.map((technology) => READERS[technology]).join(' and ');
  return `${card.name} is a ${only} card, and ${name} is ${reader}`;
}
