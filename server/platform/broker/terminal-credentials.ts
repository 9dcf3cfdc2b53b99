import { createHmac } from 'node:crypto';
import type { Ids } from '../../../protocol/ids.ts';
import { idPattern } from '../../../protocol/ids.ts';
import type { LinkCredentials } from '../../../protocol/link.ts';
import type { Principal } from '../../../protocol/topics.ts';
import { constantTimeEqual } from '../constant-time-equal.ts';

/**
 * MQTT passwords are not stored: each is derived from the one pairing secret, the user's name and a generation.
 * Pairing a terminal again raises its generation, so the old password stops being one. The name of a terminal is
 * its id, of the server `server`, of a simulator an id of its own, so any number of simulators can be let in
 * without a row for each (they are told apart, not counted).
 */
export const SERVER_USERNAME = 'server';

const TERMINAL = new RegExp(idPattern('terminal'));
const SIMULATOR = /^sim_[0-9a-f-]{36}$/;

// The generation of users that are not paired. A terminal's counts from 1; 0 is one that never was.
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

/** Credentials for one more simulator. */
export function simulatorCredentials(pairingSecret: string, ids: Pick<Ids, 'uuid'>): LinkCredentials {
  const simulatorId = `sim_${ids.uuid()}`;
  return {
    clientId: simulatorId,
    username: simulatorId,
    password: derive(pairingSecret, simulatorId, UNPAIRED_GENERATION),
  };
}

/**
 * The server's own at an external broker. Its client id begins with its user name, as every client's does, and
 * differs between instances.
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
 * Returns whether a user of the embedded broker may connect under this client id: its own name and no other, so
 * that no client takes the place of another (MQTT-3.1.4-2) or keeps it out. The server is not asked: its stream
 * is trusted.
 */
export function mayUseClientId(username: string, clientId: string): boolean {
  return clientId === username;
}

/** Who a user name stands for, or undefined for any other text. */
export function principalNamed(username: string): Principal | undefined {
  if (username === SERVER_USERNAME) return { kind: 'server' };
  if (TERMINAL.test(username)) return { kind: 'terminal', terminalId: username };
  if (SIMULATOR.test(username)) return { kind: 'simulator', simulatorId: username };
  return undefined;
}

/**
 * Checks the credentials that a connection to the embedded broker comes with. The server is not among those who
 * may: it has a stream of its own.
 * @param generationOf the pairing generation of a live terminal; undefined or 0 for one that is not paired
 */
export function credentialsCheck(
  pairingSecret: string,
  generationOf: (terminalId: string) => Promise<number | undefined>,
): (username: string, password: string) => Promise<Principal | undefined> {
  return async (username, password) => {
    const principal = principalNamed(username);
    if (!principal || principal.kind === 'server') return undefined;
    const generation = principal.kind === 'terminal' ? await generationOf(username) : UNPAIRED_GENERATION;
    // Compared also when there is nothing to match, so that the time taken does not tell which terminals exist.
    const same = constantTimeEqual(password, derive(pairingSecret, username, generation ?? 0));
    return same && generation ? principal : undefined;
  };
}
