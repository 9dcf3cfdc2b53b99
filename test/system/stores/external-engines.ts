import { systemRandom } from '../../../protocol/ids.ts';
import type { LinkCredentials } from '../../../protocol/link.ts';
import { silentLog } from '../../../protocol/log.ts';
import { mqttConnector } from '../../../protocol/mqtt-link.ts';
import type { Principal } from '../../../protocol/topics.ts';
import { brokerAcl } from '../../../server/platform/broker/external-broker.ts';
import { parsePrincipal, serverCredentials } from '../../../server/platform/broker/terminal-credentials.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import type { Engines } from '../../../testing/world/world-options.ts';
import { connectedPeer } from '../../contract/peer.ts';
import { startMosquitto } from '../brokers/mosquitto-server.ts';
import { realTime } from '../kit/wait-for.ts';

/** A database of its own and a mosquitto of its own, for one world. */
export async function openExternalEngines(databaseUrl: string): Promise<Engines> {
  const { stop, ...broker } = await startAdmittingBroker(
    serverCredentials('of the server at its broker, in a test', 'of-a-world'),
  );
  return { store: await openStore({ databaseUrl, log: silentLog }), broker, close: stop };
}

/** Starts a mosquitto that lets in a server and further ones, and terminals when they are admitted. */
export async function startAdmittingBroker(
  server: LinkCredentials,
  ...others: LinkCredentials[]
): Promise<NonNullable<Engines['broker']> & { stop(): Promise<void> }> {
  const principals = new Map<string, Principal>(
    [server, ...others].map(({ username }) => [username, { kind: 'server' }]),
  );
  const filesFor = (users: ReadonlyMap<string, LinkCredentials>) => filesOf(users, principals);
  const users = new Map([server, ...others].map((credentials) => [credentials.username, credentials]));
  const mosquitto = await startMosquitto(filesFor(users));
  return {
    url: mosquitto.url,
    credentials: server,
    admit: admitter(() => mosquitto.reload(filesFor(users)), { url: mosquitto.url, users }),
    stop: () => mosquitto.stop(),
  };
}

/** @param servers the principals of the users that are not terminals */
function filesOf(users: ReadonlyMap<string, LinkCredentials>, servers: ReadonlyMap<string, Principal>) {
  const known = [...users.values()].map(({ username, password }) => ({
    username,
    password,
    principal: servers.get(username) ?? parsePrincipal(username)!,
  }));
  return brokerAcl('mosquitto', { users: known, random: systemRandom });
}

/** Lets in one after another; those who come while the broker reads its files share the next time. */
function admitter(
  readFiles: () => void,
  { url, users }: { url: string; users: Map<string, LinkCredentials> },
) {
  let latest: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let waiting: LinkCredentials[] = [];

  const reload = async () => {
    const admitted = waiting;
    waiting = [];
    next = undefined;
    for (const each of admitted) users.set(each.username, each);
    readFiles();
    // It reads them when it gets to it, and whoever comes earlier is refused.
    await knocks(url, admitted.at(-1)!);
  };
  return (credentials: LinkCredentials) => {
    waiting.push(credentials);
    return (next ??= latest = latest.then(reload));
  };
}

async function knocks(url: string, credentials: LinkCredentials): Promise<void> {
  const parts = { url, clock: realTime, random: systemRandom, log: silentLog };
  const connect = mqttConnector({
    ...parts,
    firstReconnectMs: 5,
    maxReconnectMs: 20,
    maxRefusedReconnectMs: 20,
  });
  const { link } = await connectedPeer(connect, {
    credentials: { ...credentials, clientId: 'is-it-open-yet' },
  });
  await link.close();
}
