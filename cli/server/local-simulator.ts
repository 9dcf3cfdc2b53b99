import type { LinkCredentials } from '../../protocol/link.ts';
import { simulatorCredentials } from '../../server/platform/broker/terminal-credentials.ts';

/** Fixed id of the simulator in `tapbench up`, so that an external broker can be configured with it. */
const LOCAL_SIMULATOR_ID = '00000000-0000-4000-8000-000000000001';

/** Returns the broker credentials of the local fleet. */
export function localSimulatorCredentials(pairingSecret: string, sandbox?: string): LinkCredentials {
  return simulatorCredentials(pairingSecret, { uuid: () => LOCAL_SIMULATOR_ID }, sandbox);
}
