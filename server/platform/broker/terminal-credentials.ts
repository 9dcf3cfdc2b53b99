import { createHmac } from 'node:crypto';
import type { Ids } from '../../../protocol/ids.ts';
import { idPattern } from '../../../protocol/ids.ts';
import type { LinkCredentials } from '../../../protocol/link.ts';
import {
  DEFAULT_SANDBOX,
  isSandboxName,
  parseUser,
  userIn,
  type Principal,
} from '../../../protocol/topics.ts';
import { constantTimeEqual } from '../constant-time-equal.ts';

/**
 * MQTT passwords are not stored: each is derived from the pairing secret, the user name and a generation. Pairing a
 * terminal again increments its generation, so the old password stops working. The user name of a terminal is its id,
 * followed by its sandbox where that is not `default`; that of the server is `server`, and each simulator gets an id of
 * its own, so simulators need no rows.
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
  sandbox = DEFAULT_SANDBOX,
): LinkCredentials {
  const username = userIn(sandbox, terminalId);
  return { clientId: username, username, password: derive(pairingSecret, username, generation) };
}

/** Creates the credentials of a new simulator. */
export function simulatorCredentials(
  pairingSecret: string,
  ids: Pick<Ids, 'uuid'>,
  sandbox = DEFAULT_SANDBOX,
): LinkCredentials {
  return terminalCredentials(pairingSecret, `sim_${ids.uuid()}`, UNPAIRED_GENERATION, sandbox);
}

/** Fixed id of the simulator in `tapbench up`, so that an external broker can be configured with it. */
const LOCAL_SIMULATOR_ID = '00000000-0000-4000-8000-000000000001';

/** Returns the credentials of the simulator in `tapbench up`. */
export function localSimulatorCredentials(pairingSecret: string, sandbox?: string): LinkCredentials {
  return simulatorCredentials(pairingSecret, { uuid: () => LOCAL_SIMULATOR_ID }, sandbox);
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
  const { id, sandbox } = parseUser(username);
  if (!isSandboxName(sandbox)) return undefined;
  const own = sandbox === DEFAULT_SANDBOX ? {} : { sandbox };
  // `default` is never written: a user name would else have two forms.
  if (username !== userIn(sandbox, id)) return undefined;
  if (TERMINAL.test(id)) return { kind: 'terminal', terminalId: id, ...own };
  if (SIMULATOR.test(id)) return { kind: 'simulator', simulatorId: id, ...own };
  return undefined;
}

/** What the credentials of the devices of a sandbox are checked with. */
export interface CredentialsSource {
  pairingSecret: string;
  /** Returns the pairing generation of a live terminal; undefined or 0 for one that is not paired. */
  generationOf(terminalId: string): Promise<number | undefined>;
}

/**
 * Creates the check of the credentials of a connection to the embedded broker. The server's own are not accepted,
 * since it has a stream of its own.
 * @param sourceOf finds a sandbox by its name; undefined for one that does not exist
 */
export function credentialsCheck(
  sourceOf: (sandbox: string) => Promise<CredentialsSource | undefined>,
): (username: string, password: string) => Promise<Principal | undefined> {
  return async (username, password) => {
    const principal = parsePrincipal(username);
    if (!principal || principal.kind === 'server') return undefined;
    const source = await sourceOf(principal.sandbox ?? DEFAULT_SANDBOX);
    if (!source) return undefined;
    const { id } = parseUser(username);
    const generation = principal.kind === 'terminal' ? await source.generationOf(id) : UNPAIRED_GENERATION;
    // The comparison runs even for unknown terminals, so that its duration does not show which terminals exist.
    const same = constantTimeEqual(password, derive(source.pairingSecret, username, generation ?? 0));
    return same && generation ? principal : undefined;
  };
}
