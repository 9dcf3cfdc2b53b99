import type { CardTechnology } from '../../../agent/readers/card-slot.ts';
import { delay, type Clock } from '../../../protocol/clock.ts';
import type { ChipSession } from '../chip-card.ts';
import { encodeAnswer, parseCommand, status, SW } from './apdu.ts';
import { characterTransmission } from './character-transmission.ts';
import type { Chip, PoweredChip } from './chip-state.ts';
import { execute } from './commands.ts';

/** A chip under power, from reset to the end of its power. */
export function openSession(chip: Chip, technology: CardTechnology, clock: Clock): ChipSession {
  const image = chip.images[technology];
  const { answerAfterMs, answersOnly = Infinity } = chip.profile.chip.behaviour ?? {};
  const answer =
    image &&
    answerer({ chip, technology, image, selected: undefined, transaction: undefined, challenge: undefined });
  let answersLeft = answer ? answersOnly : 0;
  return {
    async transceive(command) {
      if (answersLeft <= 0) return undefined;
      if (answerAfterMs) await delay(clock, answerAfterMs);
      const response = answer!(command);
      // What T=0 says between a command and its answer is neither.
      if (!isBetween(response)) answersLeft -= 1;
      return response;
    },
  };
}

function isBetween(response: Uint8Array): boolean {
  const sw1 = response[response.length - 2];
  return sw1 === 0x61 || sw1 === 0x6c;
}

function answerer(powered: PoweredChip): (bytes: Uint8Array) => Uint8Array {
  if (powered.technology === 'Contact') return characterTransmission((command) => execute(powered, command));
  return (bytes) => {
    const command = parseCommand(bytes);
    return encodeAnswer(command ? execute(powered, command) : status(SW.wrongLength));
  };
}
