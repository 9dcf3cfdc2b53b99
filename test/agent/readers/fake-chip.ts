import { fromHex } from '../../../protocol/emv/hex.ts';
import { delay, type Clock } from '../../../protocol/clock.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';

/** What a chip made for tests does with a command; undefined when it does not answer. */
export type Answerer = (command: Uint8Array) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** A chip whose answers a test decides. By default it sends back what it got, and 9000. */
export function fakeChip(answer: Answerer = echo, atr: string = '3B6A00008068544150424E4348'): ChipCard {
  return {
    name: 'fake',
    technologies: ['Contact', 'Contactless'],
    atr: fromHex(atr),
    atqa: fromHex('0004'),
    sak: 0x20,
    uid: fromHex('08010203'),
    ats: fromHex('0578807002'),
    powerOn: () => ({ transceive: async (command) => answer(command) }),
  };
}

export function echo(command: Uint8Array): Uint8Array {
  return Uint8Array.of(...command, 0x90, 0x00);
}

/** Answers by `count` bytes, whatever it is asked, and 9000. */
export function answerOf(count: number): Answerer {
  return () => Uint8Array.of(...Array.from({ length: count }, (_, n) => n & 0xff), 0x90, 0x00);
}

export function slowly(clock: Clock, delayMs: number, answer: Answerer = echo): Answerer {
  return async (command) => {
    await delay(clock, delayMs);
    return answer(command);
  };
}
