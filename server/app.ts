import type { AddressInfo } from 'node:net';
import { after, type Clock } from '../protocol/clock.ts';
import { Fault } from '../protocol/failures.ts';
import type { Connector, LinkCredentials } from '../protocol/link.ts';
import { DEFAULT_SANDBOX, userIn } from '../protocol/sandbox-topics.ts';
import type { FirstAccounts } from './api/bootstrap/bootstrap.ts';
import { pairingGeneration } from './api/pairing/pairing.records.ts';
import type { Dashboard } from './dashboard/serve-dashboard.ts';
import { createBroker, type Broker } from './platform/broker/broker.ts';
import { credentialsCheck, serverCredentials } from './platform/broker/terminal-credentials.ts';
import { createHttpServer, type HttpServer } from './platform/http/http-server.ts';
import type { Services } from './platform/services.ts';
import { routingOf } from './routing.ts';
import { createSandbox, type SandboxParts } from './sandbox.ts';

/** Path of MQTT over WebSocket on the HTTP port. */
export const MQTT_WEBSOCKET_PATH = '/mqtt';

/** What a server is made of; everything of the outside world is handed in. */
export interface ServerParts extends Omit<SandboxParts, 'broker'> {
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
  const broker = parts.externalBroker ? undefined : await embeddedBroker(parts);
  const sandbox = createSandbox({ ...parts, broker: brokerAccess(parts, broker) });
  const { services, dashboard } = sandbox;
  const contexts = { main: sandbox.context, of: () => sandbox.context };
  const http = createHttpServer(await routingOf(services.settings.mode), contexts);
  dashboard.serveLive(http.server);
  const cutWebSockets = broker?.serveWebSocket(http.server, MQTT_WEBSOCKET_PATH);
  if (broker) disconnectRevoked(services, broker);

  return {
    services,
    http,
    broker,
    dashboard,
    start: () => sandbox.start(),
    listen: (where) => listen(http, where),
    idle: () => sandbox.idle(),
    async stop() {
      sandbox.stopWatching();
      await closeHttp(http, parts.realClock, async () => {
        cutWebSockets?.();
        await dashboard.stop();
      });
      await sandbox.stop(() => parts.outgoing.close());
      await broker?.close();
    },
  };
}

/** Cuts the connections of terminals whose credentials no longer hold. */
function disconnectRevoked(
  { notices, settings: { sandbox = DEFAULT_SANDBOX } }: Services,
  broker: Broker,
): void {
  notices.listen((notice) => {
    if (notice.kind === 'terminal.removed') broker.remove(userIn(sandbox, notice.terminalId));
    // Its earlier credentials are revoked.
    if (notice.kind === 'terminal.paired') broker.disconnect(userIn(sandbox, notice.terminalId));
  });
}

// Longer than any answer takes. What still comes in then is a body that does not end.
const LAST_ANSWERS_MS = 1_000;

async function closeHttp(http: HttpServer, clock: Clock, endUpgraded: () => Promise<void>): Promise<void> {
  const cut = after(clock, LAST_ANSWERS_MS, () => http.closeAllConnections());
  await http.close(endUpgraded);
  cut.cancel();
}

/** The server's way to the broker. */
function brokerAccess(parts: ServerParts, broker: Broker | undefined): SandboxParts['broker'] {
  if (parts.externalBroker) return { ...parts.externalBroker, isEmbedded: false };
  const { settings, realClock, random, instanceId } = parts;
  return {
    connect: broker!.serverConnector({ clock: realClock, random }),
    credentials: serverCredentials(settings.pairingSecret, instanceId),
    isEmbedded: true,
  };
}

function embeddedBroker({ settings, store, log }: ServerParts): Promise<Broker> {
  const generationOf = (terminalId: string) => pairingGeneration(store, terminalId);
  const { pairingSecret } = settings;
  const authenticate = credentialsCheck(async () => ({ pairingSecret, generationOf }));
  return createBroker({ authenticate, log });
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
