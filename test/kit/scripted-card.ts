import { fromHex, toHex } from '../../protocol/emv/hex.ts';
import type { CardConnection, CardTechnology } from '../../agent/emv/card-connection.ts';

/** A command as hexadecimal digits, `??` for a byte that does not matter, and what the card answers. */
export type Exchange = [command: string, response: string];

interface ScriptedCard extends CardConnection {
  /** The exchanges that have not happened. */
  readonly left: number;
}

/**
 * A card that expects these commands in this order and has an answer to each. At the first surprise it stops:
 * the error says which command came instead of which.
 */
export function scriptedCard(
  script: readonly Exchange[],
  technology: CardTechnology = 'Contact',
): ScriptedCard {
  let at = 0;
  return {
    technology,
    get left() {
      return script.length - at;
    },
    async transceive(command) {
      const came = toHex(command);
      const [expected, response] = script[at] ?? ['nothing', ''];
      const digits = expected.replaceAll(' ', '');
      const pattern = new RegExp(`^${digits.replaceAll('??', '[0-9A-F]{2}')}$`);
      if (!pattern.test(came)) throw new Error(`exchange ${at + 1}: expected ${digits}, came ${came}`);
      at += 1;
      return fromHex(response);
    },
    async release() {},
  };
}
