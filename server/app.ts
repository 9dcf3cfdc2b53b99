import type { AddressInfo } from 'node:net';
import { after, type Clock } from '../protocol/clock.ts';
import { Fault } from '../protocol/failures.ts';
import { createIds, type Random } from '../protocol/ids.ts';
import type { Connector, LinkCredentials } from '../protocol/link.ts';
import type { Log } from '../protocol/log.ts';
import { createSerialQueue } from '../protocol/serial-queue.ts';
import { mqttConnector } from '../protocol/mqtt-link.ts';
import { bootstrapAccounts, type FirstAccounts } from './api/bootstrap/bootstrap.ts';
import { watchTerminalStates } from './platform/broker/terminal-states.ts';
import { createBroker, type Broker } from './platform/broker/broker.ts';
import { credentialsCheck, serverCredentials } from './platform/broker/terminal-credentials.ts';
import { createGateway } from './platform/broker/terminal-gateway.ts';
import { maskSecrets } from './platform/mask-secrets.ts';
import { createDashboard, type Dashboard } from './dashboard/serve-dashboard.ts';
import { createHttpServer, type HttpServer } from './platform/http/http-server.ts';
import { createRateLimits } from './platform/rate-limit.ts';
import { actionOwners } from './api/in-person/action-owners.ts';
import { renewAcceptance } from './api/in-person/action-deadlines.ts';
import { repeatActionsInProgress } from './api/in-person/action-reports.ts';
import { setAllOffline } from './api/in-person/terminal.records.ts';
import { recordEvents } from './api/webhooks/event-log.ts';
import { createDomainEvents } from './platform/domain-events.ts';
import { createNotices } from './platform/notices.ts';
import { pairingGeneration } from './api/pairing/pairing.records.ts';
import { scheduleRetention } from './api/retention/retention.ts';
import { routingOf, setDashboard } from './routing.ts';
import { createSimulation } from './sandbox-controls/simulation.ts';
import { watchOtherInstances } from './platform/instances/other-instances.ts';
import type { SandboxClock } from './platform/sandbox-clock.ts';
import { createJobs } from './platform/scheduler/scheduler.ts';
import type { Services } from './platform/services.ts';
import { registerBackgroundJobs } from './background-jobs.ts';
import { createStoreCheck, watchStore, type StoreWatchParts } from './platform/store/store-watch.ts';
import type { Store } from './platform/store/store.ts';
import type { ServerSettings } from './platform/settings.ts';
import type { Outgoing } from './platform/outgoing.ts';
import type { TransmittedMessage } from './platform/broker/report-intake.ts';
import { dashboardPorts } from './dashboard-ports.ts';
import { AREA_PORTS } from './area-ports.ts';

/** Path of MQTT over WebSocket on the HTTP port. */
export const MQTT_WEBSOCKET_PATH = '/mqtt';

/** What a server is made of; everything of the outside world is handed in. */
export interface ServerParts {
  settings: ServerSettings;
  /** Open and migrated. The server closes it. */
  store: Store;
  clock: SandboxClock;
  realClock: Clock;
  random: Random;
  log: Log;
  outgoing: Outgoing;
  /** Names this instance among those that share a store. */
  instanceId: string;
  /** Whether other instances may work on the store; unless said so, on PostgreSQL they may and on SQLite not. */
  sharedStore?: boolean;
  /** Whether keys of the settings may replace those that a shared store has; refused while a server runs under them. */
  replaceKeys?: boolean;
  /** What to do when the store fails for so long that only a new process could help (server/platform/store/store-watch.ts). */
  whenStoreIsLost?: StoreWatchParts['whenLost'];
  /** Reaches an external broker; without it the server runs its own. */
  externalBroker?: { connect: Connector; credentials: LinkCredentials };
}

export interface Server {
  services: Services;
  /** Answers requests by `inject` before, and without, listening. */
  http: HttpServer;
  /** The embedded broker, if there is one. */
  broker: Broker | undefined;
  /** Accounts and keys in place, the gateway online, jobs running. Listens nowhere. */
  start(): Promise<FirstAccounts>;
  /** @throws Fault `port_in_use` or `bad_setting`, naming `PORT` or `HOST`. */
  listen(where: { host: string; port: number }): Promise<{ url: string }>;
  /** What the pages of the dashboard are connected to, without a network. */
  dashboard: Pick<Dashboard, 'live' | 'recorder'>;
  /** Whether nothing is under way: no job, no report, no command. For test worlds. */
  idle(): boolean;
  /** Ends what is under way, then closes everything; what was not done yet is done after the next start. */
  stop(): Promise<void>;
}

/** Composes the server. It does nothing until `start`. */
export async function createServer(parts: ServerParts): Promise<Server> {
  const { store, clock, realClock, instanceId, replaceKeys = false } = parts;
  const broker = parts.externalBroker ? undefined : await embeddedBroker(parts);
  const sharedStore = parts.sharedStore ?? store.engine === 'postgres';
  const { services, jobs } = servicesOf(parts, broker, sharedStore);
  const { gateway } = services;
  const others = watchOtherInstances({ ...services, instanceId });
  const storeWatch = watchStore({ ...services, whenLost: parts.whenStoreIsLost });
  const http = createHttpServer(await routingOf(services.settings.mode), services);
  const dashboard = createDashboard(services, http.server, dashboardPorts(services));
  setDashboard(services, dashboard);
  const cutWebSockets = broker?.serveWebSocket(http.server, MQTT_WEBSOCKET_PATH);
  registerBackgroundJobs(services);
  services.notices.listen((notice) => {
    if (notice.kind === 'terminal.removed') broker?.remove(notice.terminalId);
    // Its earlier credentials are revoked.
    if (notice.kind === 'terminal.paired') broker?.disconnect(notice.terminalId);
  });

  return {
    services,
    http,
    broker,
    dashboard,
    async start() {
      storeWatch.start();
      const shared = sharedStore ? { instanceId, realNowMs: realClock.nowMs(), replaceKeys } : undefined;
      const accounts = await bootstrapAccounts(services, shared);
      await store.transaction((tx) => scheduleRetention(tx, services));
      await store.transaction((tx) => renewAcceptance(tx, services));
      if (broker) await store.transaction(setAllOffline);
      const online = new Promise<void>((resolve) => gateway.onOnline(resolve));
      gateway.onOnline(() => repeatOrLog(services));
      gateway.publishClock(clock.offsetMs);
      gateway.open();
      jobs.start();
      if (sharedStore) others.start();
      // An external broker may be away; the server then serves without its terminals until it is back.
      if (broker) await online;
      return accounts;
    },
    listen: (where) => listen(http, where),
    idle: () => jobs.idle() && gateway.idle() && others.idle(),
    async stop() {
      storeWatch.stop();
      await closeHttp(http, realClock, async () => {
        cutWebSockets?.();
        await dashboard.stop();
      });
      // No new work begins, and the server does not wait for a receiver that hangs: its delivery is retried later.
      const stopped = Promise.all([jobs.stop(), others.stop()]);
      await parts.outgoing.close();
      await stopped;
      await gateway.close();
      await broker?.close();
      await store.close();
    },
  };
}

// Longer than any answer takes. What still comes in then is a body that does not end.
const LAST_ANSWERS_MS = 1_000;

async function closeHttp(http: HttpServer, clock: Clock, endUpgraded: () => Promise<void>): Promise<void> {
  const cut = after(clock, LAST_ANSWERS_MS, () => http.closeAllConnections());
  await http.close(endUpgraded);
  cut.cancel();
}

function servicesOf(parts: ServerParts, broker: Broker | undefined, sharedStore: boolean) {
  const { settings, store, clock, realClock, random, log, outgoing, instanceId } = parts;
  const { connect, credentials } = parts.externalBroker ?? {
    connect: mqttConnector({ openStream: () => broker!.openServerStream(), clock: realClock, random, log }),
    credentials: serverCredentials(settings.pairingSecret, instanceId),
  };
  const notices = createNotices();
  const onMessage = ({ way, terminalId, name, actionId, body }: TransmittedMessage) => {
    notices.emit({ kind: `message.${way}`, terminalId, name, actionId, body: () => maskSecrets(body) });
  };
  const ids = createIds(clock, random);
  const jobs = createJobs({ store, clock, realClock, log, instanceId, soleOwner: !sharedStore });
  const gateway = createGateway({
    connect,
    credentials,
    log,
    ownsAction: actionOwners(store, notices),
    onMessage,
  });
  const common = { settings, clock, realClock, random, log, store, outgoing };
  const domainEvents = createDomainEvents((tx, events) => recordEvents(tx, services, events));
  const services: Services = {
    ...common,
    ...AREA_PORTS,
    ids,
    jobs,
    domainEvents,
    gateway,
    notices,
    rateLimits: createRateLimits(settings, realClock),
    simulation: createSimulation({ gateway, ids, realClock }),
    terminalStates: watchTerminalStates(gateway, notices),
    storeProblem: createStoreCheck(store, realClock),
    resets: createSerialQueue(),
  };
  return { services, jobs };
}

function embeddedBroker({ settings, store, log }: ServerParts): Promise<Broker> {
  const generationOf = (terminalId: string) => pairingGeneration(store, terminalId);
  return createBroker({ authenticate: credentialsCheck(settings.pairingSecret, generationOf), log });
}

function repeatOrLog(services: Services): void {
  repeatActionsInProgress(services).catch((error: unknown) => {
    services.log.error({ err: error }, 'actions in progress could not be repeated to their terminals');
  });
}

async function listen(
  http: HttpServer,
  { host, port }: { host: string; port: number },
): Promise<{ url: string }> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const cause = { cause: error };
    if (code === 'EADDRINUSE')
      throw new Fault('port_in_use', `PORT: port ${port} is in use on ${host}`, cause);
    if (code === 'EACCES')
      throw new Fault('bad_setting', `PORT: no permission to listen on port ${port}`, cause);
    throw new Fault('bad_setting', `HOST: cannot listen on ${host}:${port}`, cause);
  }
  const address = http.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}` };
}
