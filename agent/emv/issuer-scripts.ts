import { concat } from '../../protocol/emv/tlv.ts';
import { TSI, TVR, type Bit } from './bits.ts';
import { parseFromCard, type DataStore } from './data-store.ts';
import type { CardConnection } from './card-connection.ts';

const COMMANDS_MAX = 16;
const NOT_PERFORMED = 0x00;
const FAILED = 0x10;
const SUCCEEDED = 0x20;

/**
 * Sends issuer scripts to the card (EMV 4.4 Book 3 §10.10): template 71 before the second GENERATE AC, 72 after it.
 * A script ends at the first command that fails. Stores the issuer script results (9F5B, Book 4 Annex A5).
 */
export async function runScripts(
  connection: CardConnection,
  store: DataStore,
  scripts: { template: '71' | '72'; values: Uint8Array[] },
): Promise<void> {
  const failure: Bit = scripts.template === '71' ? TVR.scriptFailedBeforeFinal : TVR.scriptFailedAfterFinal;
  for (const script of scripts.values) {
    store.setBit(TSI.scriptProcessing);
    const result = await runScript(connection, script);
    if ((result[0]! & 0xf0) !== SUCCEEDED) store.setBit(failure);
    store.put('9F5B', concat(store.get('9F5B') ?? new Uint8Array(0), result));
  }
}

/**
 * Returns the issuer script result: result and number of the failed command in byte 1, then the script identifier
 * (9F18).
 */
async function runScript(connection: CardConnection, script: Uint8Array): Promise<Uint8Array> {
  let objects;
  try {
    objects = parseFromCard(script);
  } catch {
    return Uint8Array.of(NOT_PERFORMED, 0, 0, 0, 0);
  }
  const identifier = objects.find(({ tag, value }) => tag === '9F18' && value.length === 4)?.value;
  const commands = objects.filter(({ tag }) => tag === '86').slice(0, COMMANDS_MAX);
  const outcome = (result: number) => concat(Uint8Array.of(result), identifier ?? new Uint8Array(4));
  for (const [at, command] of commands.entries()) {
    const response = await connection.transceive(command.value);
    const sw1 = response.at(-2) ?? 0;
    // §10.10: a warning (62xx, 63xx) is not a failure.
    if (![0x90, 0x62, 0x63].includes(sw1)) return outcome(FAILED | Math.min(at + 1, 0x0f));
  }
  return outcome(SUCCEEDED);
}
