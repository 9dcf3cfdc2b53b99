import { createHmac } from 'node:crypto';
import type { Ids } from '../../../protocol/ids.ts';
import { idPattern } from '../../../protocol/ids.ts';
import type { LinkCredentials } from '../../../protocol/link.ts';
import type { Principal } from '../../../protocol/topics.ts';
import { constantTimeEqual } from '../constant-time-equal.ts';

/**
 * MQTT passwords are not stored: each is derived from the pairing secret, the user name and a generation. Pairing a
 * terminal again increments its generation, so the old password stops working. The user name of a terminal is its id,
 * that of the server is `server`, and each simulator gets an id of its own, so simulators need no rows.
 */
export const SERVER_USERNAME = 'server';

const TERMINAL = new RegExp(idPattern('terminal'));
const SIMULATOR = /^sim_[0-9a-f-]{36}$/;

// The generation of users that are not paired. A terminal's starts at 1; 0 means never paired.
const UNPAIRED_GENERATION = 1;

/** HMAC-SHA256 over `name:generation`, base64url. */
function derive(pairingSecret: string, username: string, generation: number): string {
  return createHmac('sha256', pairingSecret).update(`${username}:${generation}`).digest('base64url');
}

/** @param generation the terminal's pairing generation, at least 1 */
export function terminalCredentials(
  pairingSecret: string,
  terminalId: string,
  generation: number,
): LinkCredentials {
  return {
    clientId: terminalId,
    username: terminalId,
    password: derive(pairingSecret, terminalId, generation),
  };
}

/** Creates the credentials of a new simulator. */
export function simulatorCredentials(pairingSecret: string, ids: Pick<Ids, 'uuid'>): LinkCredentials {
  const simulatorId = `sim_${ids.uuid()}`;
  return {
    clientId: simulatorId,
    username: simulatorId,
    password: derive(pairingSecret, simulatorId, UNPAIRED_GENERATION),
  };
}

/**
 * Returns the server's own credentials at an external broker. Its client id starts with its user name, as every
 * client's does, and differs between instances.
 * @param userinfo the user name and password of `MQTT_URL`, each decoded, empty when it has none
 */
export function serverCredentials(
  pairingSecret: string,
  instanceId: string,
  userinfo: { username: string; password: string } = { username: '', password: '' },
): LinkCredentials {
  const username = userinfo.username || SERVER_USERNAME;
  return {
    clientId: `${username}-${instanceId}`,
    username,
    password: userinfo.password || derive(pairingSecret, username, UNPAIRED_GENERATION),
  };
}

/**
 * Returns whether a user of the embedded broker may connect with this client id. It must be the user's own name, so
 * that no client disconnects another (MQTT-3.1.4-2) or blocks it. The server is not checked: its stream is trusted.
 */
export function mayUseClientId(username: string, clientId: string): boolean {
  return clientId === username;
}

/** Returns the principal of a user name, or undefined when the text is none. */
export function parsePrincipal(username: string): Principal | undefined {
  if (username === SERVER_USERNAME) return { kind: 'server' };
  if (TERMINAL.test(username)) return { kind: 'terminal', terminalId: username };
  if (SIMULATOR.test(username)) return { kind: 'simulator', simulatorId: username };
  return undefined;
}

/**
 * Creates the check of the credentials of a connection to the embedded broker. The server's own are not accepted,
 * since it has a stream of its own.
 * @param generationOf the pairing generation of a live terminal; undefined or 0 for one that is not paired
 */
export function credentialsCheck(
  pairingSecret: string,
  generationOf: (terminalId: string) => Promise<number | undefined>,
): (username: string, password: string) => Promise<Principal | undefined> {
  return async (username, password) => {
    const principal = parsePrincipal(username);
    if (!principal || principal.kind === 'server') return undefined;
    const generation = principal.kind === 'terminal' ? await generationOf(username) : UNPAIRED_GENERATION;
    // The comparison runs even for unknown terminals, so that its duration does not show which terminals exist.
    const same = constantTimeEqual(password, derive(pairingSecret, username, generation ?? 0));
    return same && generation ? principal : undefined;
  };
}
