import type { LinkCredentials } from '../protocol/link.ts';
import { simulatorCredentials } from '../server/platform/broker/terminal-credentials.ts';

/**
 * The one simulator that lives inside `tapbench up` has one name at every start, so that an external broker can
 * be told of it.
 */
const LOCAL_SIMULATOR_ID = '00000000-0000-4000-8000-000000000001';

/** The home fleet's own user at the broker. */
export function localSimulatorCredentials(pairingSecret: string): LinkCredentials {
  return simulatorCredentials(pairingSecret, { uuid: () => LOCAL_SIMULATOR_ID });
}
