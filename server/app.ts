import { after, type Clock } from '../protocol/clock.ts';
import { errorCode, Fault } from '../protocol/failures.ts';
import type { Connector, LinkCredentials } from '../protocol/link.ts';
import { DEFAULT_SANDBOX, parseUser, userIn } from '../protocol/topics.ts';
import type { FirstAccounts } from './api/bootstrap/bootstrap.ts';
import { pairingGeneration } from './api/pairing/pairing.records.ts';
import { LIVE_PATH, type Dashboard } from './dashboard/serve-dashboard.ts';
import { createBroker, type Broker, type BrokerOptions } from './platform/broker/broker.ts';
import { shareConnection } from './platform/broker/shared-connection.ts';
import {
  credentialsCheck,
  parsePrincipal,
  serverCredentials,
  type CredentialsSource,
} from './platform/broker/terminal-credentials.ts';
import { createHttpServer, type HttpServer } from './platform/http/http-server.ts';
import { contextsOfOne } from './platform/http/request-context.ts';
import { openUpgradePaths } from './platform/http/sockets/upgrades.ts';
import type { Services } from './platform/services.ts';
import type { ServerSettings } from './platform/settings.ts';
import type { Store } from './platform/store/store.ts';
import { routingOf } from './routing.ts';
import { createSandbox, type Sandbox, type SandboxParts, type ServedServices } from './sandbox.ts';
import { hostSandboxes, type SandboxHosting } from './sandbox-host.ts';
import { webSocketOpener, sandboxContexts } from './sandboxes/sandbox-contexts.ts';
import type { SandboxRegistry } from './sandboxes/sandbox-registry.ts';

/** Path of MQTT over WebSocket on the HTTP port. */
export const MQTT_WEBSOCKET_PATH = '/mqtt';

/** What a server is made of; everything of the outside world is handed in. */
export interface ServerParts extends Omit<SandboxParts, 'broker'> {
  /** Reaches an external broker; without it the server runs its own. */
  externalBroker?: { connect: Connector; credentials: LinkCredentials };
  /** Keeps sandboxes besides `default`; without it there are none. */
  sandboxes?: SandboxHosting;
}

export interface Server {
  services: ServedServices;
  /** Answers requests by `inject` before, and without, listening. */
  http: HttpServer;
  /** The embedded broker, if there is one. */
  broker: Broker | undefined;
  /** Accounts and keys in place, the gateway online, jobs running. Listens nowhere. */
  start(): Promise<FirstAccounts>;
  /** @throws Fault `port_in_use` or `bad_setting`, naming `PORT` or `HOST`. */
  listen(where: { host: string; port: number }): Promise<{ url: string }>;
  /** What the pages of the dashboard are connected to, without a network. */
  dashboard: Pick<Dashboard, 'live' | 'timelineLog' | 'parts'>;
  /** Whether nothing is under way: no job, no report, no command. For test worlds. */
  idle: Sandbox['idle'];
  /**
   * Ends everything at once, as `kill -9` would, once the store answers no more: for test worlds. A server with more
   * sandboxes than `default` has no such end.
   */
  kill(): void;
  /** Ends what is under way, then closes everything; what was not done yet is done after the next start. */
  stop(): Promise<void>;
}

/** Composes the server. It does nothing until `start`. */
export async function createServer(parts: ServerParts): Promise<Server> {
  let others: SandboxRegistry | undefined;
  const activitiesOf = (name: string) =>
    (name === DEFAULT_SANDBOX ? services : others?.opened(name)?.services)?.activities;
  const onDenied = (denied: DeniedMessage) => emitDenial(denied, activitiesOf);
  const broker = parts.externalBroker ? undefined : await embeddedBroker(parts, () => others, onDenied);
  const { brokerFor, removeSandbox } = brokerAccess(parts, broker);
  const { pairingSecret } = parts.settings;
  const onOpen = (opened: Services) => {
    if (broker) disconnectRevoked(opened, broker);
  };
  const host = (main: Services) => {
    const { sandboxes: hosting, loadDrills: _drills, ...common } = parts;
    if (!hosting) return undefined;
    const { registry, sandboxes } = hostSandboxes({
      hosting,
      main,
      common,
      brokerFor,
      onOpen,
      onRemove: removeSandbox,
      isConnected: (name) => broker?.isConnected(name) ?? false,
      http: () => http.server,
    });
    others = registry;
    return sandboxes;
  };
  const ownBroker = brokerFor({ name: DEFAULT_SANDBOX, pairingSecret });
  const sandbox = createSandbox({ ...parts, broker: ownBroker }, host);
  const { services, dashboard } = sandbox;
  const contexts = others ? sandboxContexts(sandbox.context, others) : contextsOfOne(sandbox.context);
  const http = createHttpServer(await routingOf(services.settings.mode), contexts);
  dashboard.serveLive(http.server);
  const paths = { live: LIVE_PATH, mqtt: MQTT_WEBSOCKET_PATH };
  if (others) openUpgradePaths(http.server, webSocketOpener(others, paths));
  const cutWebSockets = broker?.serveWebSocket(http.server, MQTT_WEBSOCKET_PATH);
  onOpen(services);

  return {
    services,
    http,
    broker,
    dashboard,
    async start() {
      const accounts = await sandbox.start();
      await others?.load();
      return accounts;
    },
    listen: (where) => listen(http, where),
    idle: sandbox.idle,
    kill() {
      void dashboard.stop();
      sandbox.kill();
      void broker?.close();
    },
    async stop() {
      sandbox.stopWatching();
      await closeHttp(http, parts.realClock, async () => {
        // A WebSocket that waits for its sandbox to be opened is not cut below.
        others?.beginClosing();
        cutWebSockets?.();
        await Promise.all([dashboard.stop(), others?.closePages()]);
      });
      await others?.close();
      await sandbox.stop(() => parts.outgoing.close());
      await broker?.close();
    },
  };
}

/** Cuts the connections of terminals whose credentials no longer hold. */
function disconnectRevoked(
  { activities, settings: { sandbox = DEFAULT_SANDBOX } }: Services,
  broker: Broker,
): void {
  activities.listen('connections of revoked terminals', (activity) => {
    if (activity.kind === 'terminal.removed') broker.remove(userIn(sandbox, activity.terminalId));
    // Its earlier credentials are revoked.
    if (activity.kind === 'terminal.paired') broker.disconnect(userIn(sandbox, activity.terminalId));
  });
}

// Longer than any answer takes. What still comes in then is a body that does not end.
const LAST_ANSWERS_MS = 1_000;

async function closeHttp(http: HttpServer, clock: Clock, endUpgraded: () => Promise<void>): Promise<void> {
  const cut = after(clock, LAST_ANSWERS_MS, () => http.closeAllConnections());
  await http.close(endUpgraded);
  cut.cancel();
}

interface SandboxUser {
  name: string;
  pairingSecret: string;
}

interface BrokerAccess {
  brokerFor(sandbox: SandboxUser): SandboxParts['broker'];
  /** Removes what the broker retains for a sandbox that is deleted. */
  removeSandbox(name: string): void;
}

/** Returns the way of each sandbox to the broker: a connection of its own to the embedded one, a shared one to others. */
function brokerAccess(parts: ServerParts, broker: Broker | undefined): BrokerAccess {
  const { realClock, random, externalBroker, log } = parts;
  if (broker === undefined) {
    const { credentials } = externalBroker!;
    const { connectorOf, removeSandbox } = shareConnection({ ...externalBroker!, log });
    return {
      brokerFor: ({ name }) => ({ connect: connectorOf(name), credentials, isEmbedded: false }),
      removeSandbox,
    };
  }
  return {
    brokerFor({ name, pairingSecret }) {
      const instanceId = name === DEFAULT_SANDBOX ? parts.instanceId : `${parts.instanceId}-${name}`;
      return {
        connect: broker.serverConnector({ clock: realClock, random }),
        credentials: serverCredentials(pairingSecret, instanceId),
        isEmbedded: true,
        keepAway: (isAway) => broker.keepAway(name, isAway),
      };
    },
    removeSandbox: (name) => broker.removeSandbox(name),
  };
}

function embeddedBroker(
  { settings, store, log }: ServerParts,
  others: () => SandboxRegistry | undefined,
  onDenied: (denied: DeniedMessage) => void,
): Promise<Broker> {
  const authenticate = credentialsCheck(async (name) => {
    if (name === DEFAULT_SANDBOX) return sourceOf(settings, store);
    const registry = others();
    if (!registry?.find(name)) return undefined;
    const { services } = await registry.open(name);
    return sourceOf(services.settings, services.store);
  });
  return createBroker({ authenticate, log, onDenied });
}

type DeniedMessage = Parameters<NonNullable<BrokerOptions['onDenied']>>[0];

/** Emits an activity in the sandbox of the terminal that sent the message. */
function emitDenial(
  { username, topic, reason }: DeniedMessage,
  activitiesOf: (sandbox: string) => Services['activities'] | undefined,
): void {
  const { id: terminalId, sandbox } = parseUser(username);
  if (parsePrincipal(username)?.kind !== 'terminal') return;
  activitiesOf(sandbox)?.emit({
    kind: 'message.refused',
    terminalId,
    actionId: null,
    message: topic,
    reason,
  });
}

function sourceOf({ pairingSecret }: ServerSettings, store: Store): CredentialsSource {
  return { pairingSecret, generationOf: (terminalId) => pairingGeneration(store, terminalId) };
}

async function listen(
  http: HttpServer,
  { host, port }: { host: string; port: number },
): Promise<{ url: string }> {
  try {
    const { address, family, port: taken } = await http.listen({ host, port });
    return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}` };
  } catch (error) {
    const code = errorCode(error);
    const cause = { cause: error };
    if (code === 'EADDRINUSE')
      throw new Fault(
        'port_in_use',
        `PORT: port ${port} is in use on ${host}: set PORT to another port, or to 0 for a free one`,
        cause,
      );
    if (code === 'EACCES')
      throw new Fault('bad_setting', `PORT: no permission to listen on port ${port}`, cause);
    throw new Fault('bad_setting', `HOST: cannot listen on ${host}:${port}`, cause);
  }
}
