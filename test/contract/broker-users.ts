import { seededRandom, createIds } from '../../protocol/ids.ts';
import {
  serverCredentials,
  simulatorCredentials,
  terminalCredentials,
} from '../../server/platform/broker/terminal-credentials.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';
import type { BrokerUsers } from './broker.contract.ts';

export const PAIRING_SECRET = 'a pairing secret for tests';

/** Credentials of a server, two paired terminals and a simulator, the same in every run. */
export function makeBrokerUsers(): BrokerUsers {
  const ids = createIds(new VirtualClock(1_700_000_000_000), seededRandom('cast'));
  return {
    server: serverCredentials(PAIRING_SECRET, '1'),
    till: terminalCredentials(PAIRING_SECRET, ids.make('terminal'), 1),
    kiosk: terminalCredentials(PAIRING_SECRET, ids.make('terminal'), 3),
    simulator: simulatorCredentials(PAIRING_SECRET, ids),
  };
}
