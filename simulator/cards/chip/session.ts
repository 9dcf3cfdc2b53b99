import { delay, type Clock } from '../../../protocol/clock.ts';
import type { ChipSession } from '../chip-card.ts';
import { encodeResponse, parseCommand, status, SW } from './apdu.ts';
import { t0Transport } from './t0-transport.ts';
import type { Chip, PoweredChip } from './chip-state.ts';
import { execute } from './commands.ts';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';

/** Starts a session of a chip, from reset to power off. */
export function openChipSession(chip: Chip, technology: CardTechnology, clock: Clock): ChipSession {
  const image = chip.images[technology];
  const { answerAfterMs, answersOnly = Infinity } = chip.profile.chip.behaviour ?? {};
  const answer =
    image &&
    createProcessor({
      chip,
      technology,
      image,
      selected: undefined,
      transaction: undefined,
      challenge: undefined,
    });
  let answersLeft = answer ? answersOnly : 0;
  return {
    async transceive(command) {
      if (answersLeft <= 0) return undefined;
      if (answerAfterMs) await delay(clock, answerAfterMs);
      const response = answer!(command);
      // T=0 procedure responses do not count.
      if (!isT0Procedure(response)) answersLeft -= 1;
      return response;
    },
  };
}

function isT0Procedure(response: Uint8Array): boolean {
  const sw1 = response[response.length - 2];
  return sw1 === 0x61 || sw1 === 0x6c;
}

function createProcessor(powered: PoweredChip): (bytes: Uint8Array) => Uint8Array {
  if (powered.technology === 'Contact') return t0Transport((command) => execute(powered, command));
  return (bytes) => {
    const command = parseCommand(bytes);
    return encodeResponse(command ? execute(powered, command) : status(SW.wrongLength));
  };
}
