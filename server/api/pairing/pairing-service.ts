import { terminalCredentials } from '../../platform/broker/terminal-credentials.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { incrementPairingGeneration, terminalActivity } from './pairing.records.ts';
import type { PairingOptions } from './pairing.schema.ts';
import { terminalKeys } from './terminal-keys.ts';

/**
 * Starts the next pairing of a terminal, which revokes the one before, and returns its credentials.
 * @throws Refusal `terminal_online` or `terminal_busy` as `unless` asks; `not_found` for a deleted terminal.
 */
export async function pairTerminal(
  tx: Transaction,
  { activities, settings: { pairingSecret, sandbox } }: Pick<Services, 'activities' | 'settings'>,
  terminalId: string,
  { keyScheme: scheme = 'AES', unless }: PairingOptions,
) {
  if (unless !== undefined) {
    const { online, busy } = await terminalActivity(tx, terminalId);
    if (unless === 'Online' && online) throw new Refusal('terminal_online');
    if (unless === 'Busy' && online && busy) throw new Refusal('terminal_busy');
  }
  const generation = await incrementPairingGeneration(tx, terminalId, scheme);
  if (generation === undefined) throw new Refusal('not_found', { what: 'terminal' });
  tx.afterCommit(() => activities.emit({ kind: 'terminal.paired', terminalId }));
  return {
    ...terminalCredentials(pairingSecret, terminalId, generation, sandbox),
    keys: terminalKeys(pairingSecret, { terminalId, generation, scheme }),
  };
}
