import { fromHex, toHex } from '../../protocol/emv/hex.ts';
import type { CardConnection, CardTechnology } from '../../agent/emv/card-connection.ts';

/** A command in hexadecimal, `??` for any byte, and the response. */
export type Exchange = [command: string, response: string];

interface ScriptedCard extends CardConnection {
  /** Number of remaining exchanges. */
  readonly left: number;
}

/** Creates a card that expects these commands in this order. Throws at the first unexpected command, naming both. */
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
