import { onTestFinished } from 'vitest';
import { ACTION_MACHINE_NAMES } from '../../../agent/inspection.ts';
import { memoryJournal } from '../../../agent/lifecycle/action-journal.ts';
import { systemRandom } from '../../../protocol/ids.ts';
import type { LinkCredentials } from '../../../protocol/link.ts';
import { silentLog } from '../../../protocol/log.ts';
import { mqttConnector, type MqttOptions } from '../../../protocol/mqtt-link.ts';
import { createServer, type Server } from '../../../server/app.ts';
import {
  brokerAcl,
  type AclFile,
  type ExternalBroker,
} from '../../../server/platform/broker/external-broker.ts';
import {
  parsePrincipal,
  serverCredentials,
  simulatorCredentials,
} from '../../../server/platform/broker/terminal-credentials.ts';
import { SERVER_RECONNECT } from '../../../server/platform/broker/shared-connection.ts';
import type { Activities } from '../../../server/platform/activities.ts';
import { restoreSandboxClock } from '../../../server/platform/sandbox-clock.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import { createFleet, type Fleet, type FleetActivity } from '../../../simulator/fleet.ts';
import { createApi, type Api } from '../../../testing/world/api.ts';
import { createReceivers } from '../../../testing/world/receivers.ts';
import { watchLinks } from './watched-links.ts';
import { realTime, waitFor } from '../kit/wait-for.ts';

/**
 * How many terminals connect one after the other. The first client of each node of NATS creates what the node stores; with
 * clients at several nodes at once a node may never be able to.
 */
const ALONE = 3;

const PAIRING_SECRET = 'a pairing secret for a broker that restarts';

interface StartedFleet {
  ids: string[];
  fleet: Fleet;
  /** How long a terminal had no connection since an instant of real time, milliseconds. */
  awayMs(terminalId: string, sinceMs: number): number;
}

/** A broker that a test has started. */
interface StartedBroker {
  url: string;
  reload(files: AclFile[]): void;
  stop(): Promise<void>;
}

interface ServerOnBroker<B extends StartedBroker> {
  broker: B;
  made: Server;
  api: Api;
  /** Starts a fleet of paired terminals, and resolves when the server sees all of them online. */
  startFleet(count: number, onActivity?: (activity: FleetActivity) => void): Promise<StartedFleet>;
  /** Returns how each action has ended: its status, or the error code of a failed one. */
  outcomes(): Promise<string[]>;
}

/**
 * Starts a server in this process on a broker that runs as a process.
 * @param reconnect overrides how the server reconnects
 */
export async function serverOnBroker<B extends StartedBroker>(
  kind: ExternalBroker,
  start: (files: AclFile[]) => Promise<B>,
  reconnect: Partial<MqttOptions> = {},
): Promise<ServerOnBroker<B>> {
  const server = serverCredentials(PAIRING_SECRET, 'one');
  const simulator = simulatorCredentials(PAIRING_SECRET, {
    uuid: () => '00000000-0000-4000-8000-000000000001',
  });
  const filesFor = (users: LinkCredentials[]) => {
    const known = users.map((user) => ({ ...user, principal: parsePrincipal(user.username)! }));
    return brokerAcl(kind, { users: known, random: systemRandom });
  };
  const broker = await start(filesFor([server, simulator]));
  onTestFinished(() => broker.stop());
  const parts = { url: broker.url, clock: realTime, random: systemRandom, log: silentLog };
  const made = await startServer({
    connect: mqttConnector({ ...parts, ...SERVER_RECONNECT, ...reconnect }),
    credentials: server,
  });
  await waitFor('the server to connect to the broker', () => made.services.gateway.online);
  const api = createApi(() => made, 'sk_sandbox_restart');

  const startFleet = async (count: number, onActivity?: (activity: FleetActivity) => void) => {
    const fleetOf = await api.post('/sandbox/fleets', { terminals: count });
    const ids = fleetOf.body.items.map(({ id }: { id: string }) => id) as string[];
    const paired = new Map<string, LinkCredentials>();
    for (const id of ids) paired.set(id, (await api.post(`/pairing/terminals/${id}`)).body);
    broker.reload(filesFor([server, simulator, ...paired.values()]));
    // Those who come before the broker has read its files are refused and come again.
    const links = watchLinks(mqttConnector({ ...parts, maxRefusedReconnectMs: 100 }), realTime);
    const fleet = createFleet({
      ...parts,
      connect: links.connect,
      api: {
        async request(_method, path) {
          return { status: 200, body: paired.get(path.split('/').at(-1)!) ?? simulator };
        },
      },
      journalFor: memoryJournal,
      cardholder: { script: 'tap', delayMs: 300 },
      readLatencyMs: 0,
      ...(onActivity && { onActivity }),
    });
    onTestFinished(() => fleet.close());
    const onlineIds = onlineTerminals(made.services.activities);
    const addAll = async (terminals: string[]) => {
      await Promise.all(terminals.map((terminalId) => fleet.add({ terminalId })));
      const areOnline = () => terminals.every((id) => onlineIds.has(id));
      // A cluster that is busy takes connections and acknowledges what comes over them later.
      await waitFor('the server to see the terminals online', areOnline, 60_000);
    };
    for (const id of ids.slice(0, ALONE)) await addAll([id]);
    await addAll(ids.slice(ALONE));
    return { ids, fleet, awayMs: links.awayMs };
  };
  return { broker, made, api, startFleet, outcomes: () => outcomesIn(made) };
}

/** Returns the terminals that the server sees online, from now on. */
function onlineTerminals(activities: Activities): ReadonlySet<string> {
  const ids = new Set<string>();
  activities.listen('a test of terminals', (activity) => {
    if (activity.kind !== 'terminal.presence') return;
    if (activity.online) ids.add(activity.terminalId);
    else ids.delete(activity.terminalId);
  });
  return ids;
}

async function startServer(
  externalBroker: NonNullable<Parameters<typeof createServer>[0]['externalBroker']>,
) {
  const store = await openStore({ path: ':memory:', log: silentLog });
  const made = await createServer({
    terminalMachine: ACTION_MACHINE_NAMES,
    settings: {
      mode: 'sandbox',
      secretKey: 'sk_sandbox_restart',
      publicKey: 'pk_sandbox_restart',
      pairingSecret: PAIRING_SECRET,
      dashboardToken: 'a dashboard token for a broker that restarts',
      rateLimit: 'off',
      magicAmounts: 'off',
      publicUrl: 'http://tapbench.test',
    },
    store,
    clock: await restoreSandboxClock(store, { realClock: realTime, log: silentLog }),
    realClock: realTime,
    random: systemRandom,
    log: silentLog,
    outgoing: createReceivers().outgoing,
    instanceId: 'one',
    externalBroker,
  });
  await made.start();
  onTestFinished(() => made.stop());
  return made;
}

async function outcomesIn({ services: { store } }: Server): Promise<string[]> {
  const rows = await store.all<{ outcome: string }>(
    `SELECT CASE status WHEN 'Failed' THEN error_code ELSE status END AS outcome FROM actions`,
  );
  return rows.map(({ outcome }) => outcome);
}
