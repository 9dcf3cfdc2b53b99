import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { rsaRecover } from '../../../protocol/cryptography/rsa.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { recoverCardKey, PlainTerminal, profileNamed } from './chip-fixture.ts';

/** PIN blocks of format 2 (EMV 4.4 Book 3 §6.5.12, table 24). */
export const RIGHT = '241234FFFFFFFFFF';
export const WRONG = '249999FFFFFFFFFF';

/** A terminal that has begun an application in the slot, with the commands that a PIN needs. */
export async function insertedForPin(card: ChipCard) {
  const terminal = new PlainTerminal(card, 'Contact');
  const signed = await terminal.begin(profileNamed(card.name).aid!);
  const key = recoverCardKey(terminal, signed)!;
  return {
    terminal,
    plain: async (block: string) => (await terminal.command('00200080', block)).sw,
    triesLeft: async () => (await terminal.send('80CA9F1700')).data.slice(6),
    challenge: async () => (await terminal.send('0084000000')).data,
    /** EMV 4.4 Book 2 §7.2. */
    enciphered: async (block: string, challenge: string, header = '7F') => {
      const filling = 'A5'.repeat(key.modulus.length / 2 - 17);
      const clear = fromHex(header + block + challenge + filling);
      const data = toHex(rsaRecover(fromHex(key.modulus), fromHex(key.exponent), clear));
      return (await terminal.command('00200088', data)).sw;
    },
  };
}
