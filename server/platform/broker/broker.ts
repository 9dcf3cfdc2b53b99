import type { EventEmitter } from 'node:events';
import { type Duplex, duplexPair } from 'node:stream';
import type { Server as HttpServer } from 'node:http';
import { Aedes, type Client } from 'aedes';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { CLOCK_TOPIC, parseUser, topicIn } from '../../../protocol/topics.ts';
import { accessRules, printable, type AccessLimits, type AccessOptions } from './access-rules.ts';
import { createCleanSessionPersistence } from './clean-session-persistence.ts';
import { createInternalLinks, type InternalLinks } from './internal-links.ts';
import { listenForMqtt, type Listening, type ListenOptions } from './listener.ts';
import { meterStream, packetMeter } from './packet-meter.ts';
import { createRetainedMessageQuota, type RetainedMessageQuota } from './retained-messages.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { SERVER_USERNAME } from './terminal-credentials.ts';
import { serveMqttOverWebSocket } from './web-socket.ts';

export interface BrokerLimits extends AccessLimits {
  /** Longest packet from a client; 64 KiB, many times the longest message (a machine's definition). */
  packetBytes: number;
  /** Topics and payloads that one user may have retained; 64 KiB, for its presence and its machine. */
  retainedBytes: number;
  /** Time to say CONNECT; 10 s, so that silent connections do not pile up. */
  connectMs: number;
  /** Time for a client to read what waits for it; 10 s, since one that hangs holds up the others' messages. */
  drainMs: number;
}

export interface BrokerOptions extends AccessOptions {
  limits?: Partial<BrokerLimits>;
}

export interface Broker {
  /** Serves one connection, whatever carries it. */
  attach(stream: Duplex): void;
  /** The client's end of a connection within this process. It requires credentials as any other connection does. */
  openStream(): Duplex;
  /** Connects the server itself, without a stream or a password. */
  serverConnector: InternalLinks['connector'];
  /** @throws Fault `port_in_use` or `bad_setting`, naming `MQTT_PORT`. */
  listen(options: ListenOptions): Promise<Listening>;
  /**
   * Serves MQTT over WebSocket at `path` of an HTTP server, and refuses every other upgrade of it.
   * @returns what stops that and cuts its connections: to be called before the HTTP server is closed, which
   * otherwise waits for them
   */
  serveWebSocket(http: HttpServer, path: string): () => void;
  /** Whether a terminal or simulator of a sandbox is connected from outside this process. */
  isConnected(sandbox: string): boolean;
  /** Cuts the connections of the devices of a sandbox and accepts none of them, or accepts them again. */
  keepAway(sandbox: string, isAway: boolean): void;
  /** Cuts the connections of a user whose credentials no longer hold; the last will is published. */
  disconnect(username: string): void;
  /** Cuts the connections of a user that is gone for good, and clears what it had retained. */
  remove(username: string): void;
  /** Removes all users of a sandbox that is deleted, and everything that is retained for it. */
  removeSandbox(name: string): void;
  /** Grows with everything that arrives, so that a test can detect that nothing is in progress. */
  readonly activity: number;
  close(): Promise<void>;
}

const LIMITS: BrokerLimits = {
  packetBytes: 64 * 1024,
  retainedBytes: 64 * 1024,
  subscriptions: 200,
  loggedDenials: 100,
  connectMs: 10_000,
  drainMs: 10_000,
};

/** An MQTT 3.1.1 broker in this process. */
export async function createBroker(options: BrokerOptions): Promise<Broker> {
  const { log } = options;
  const limits = { ...LIMITS, ...options.limits };
  const streams = new Set<Duplex>();
  const stops: (() => Promise<void>)[] = [];
  const sessions = createSessions<Client>();
  const retained = createRetainedMessageQuota(limits.retainedBytes);
  const persistence = createCleanSessionPersistence();
  let activity = 0;

  const access = createSandboxAccess(options, sessions);
  const aedes = new Aedes({
    ...deliveryOptions(limits),
    persistence,
    ...accessRules<Client>({ ...options, authenticate: access.authenticate, sessions, retained, limits }),
  });
  const internal = createInternalLinks({ aedes, retained: persistence.retainedMatching, log });
  watch(aedes, sessions, log);
  await aedes.listen();

  const inside = new WeakSet<object>();
  const attach = (stream: Duplex) => {
    streams.add(stream);
    stream.once('close', () => streams.delete(stream));
    const meter = packetMeter(limits.packetBytes);
    const tooLong = (bytes: number) => {
      log.warn({ clientId: client.id, bytes, limit: limits.packetBytes }, 'packet too long, connection cut');
      stream.destroy();
    };
    meterStream(stream, (chunk) => (activity++, meter(chunk)), tooLong);
    const client = aedes.handle(stream);
  };

  return {
    attach,
    openStream() {
      const [ours, theirs] = streamPair();
      inside.add(ours);
      attach(ours);
      return theirs;
    },
    serverConnector: internal.connector,
    async listen(where) {
      const listening = await listenForMqtt(where, attach, log);
      stops.push(listening.stop);
      return listening;
    },
    serveWebSocket(http, path) {
      const stop = serveMqttOverWebSocket(http, path, attach);
      stops.push(async () => stop());
      return stop;
    },
    isConnected: (sandbox) => access.clientsOf(sandbox).some(({ conn }) => !inside.has(conn)),
    keepAway: access.keepAway,
    disconnect(username) {
      if (username === SERVER_USERNAME) internal.disconnect();
      else sessions.revoke(username);
    },
    ...createRemoval(aedes, sessions, retained),
    get activity() {
      return activity;
    },
    async close() {
      const stopped = stops.map((stop) => stop());
      await new Promise<void>((resolve) => aedes.close(resolve));
      for (const stream of streams) stream.destroy();
      await Promise.all(stopped);
    },
  };
}

/** The devices of each sandbox, from which the broker can be away. */
function createSandboxAccess({ authenticate }: BrokerOptions, sessions: Sessions<Client>) {
  const away = new Set<string>();
  const sandboxOf = (username: string) => parseUser(username).sandbox;
  const clientsOf = (sandbox: string) =>
    sessions
      .users()
      .filter((username) => sandboxOf(username) === sandbox)
      .flatMap((username) => sessions.clientsOf(username));
  return {
    clientsOf,
    authenticate: async (username: string, password: string) => {
      if (away.has(sandboxOf(username))) throw new Fault('transport', 'the broker is away, by a fault');
      return authenticate(username, password);
    },
    keepAway(sandbox: string, isAway: boolean): void {
      if (!isAway) return void away.delete(sandbox);
      away.add(sandbox);
      for (const client of clientsOf(sandbox)) client.close();
    },
  };
}

function createRemoval(
  aedes: Aedes,
  sessions: Sessions<Client>,
  retained: RetainedMessageQuota,
): Pick<Broker, 'remove' | 'removeSandbox'> {
  const remove = (username: string) => {
    sessions.remove(username);
    const topics = retained.forget(username);
    // A turn later: aedes retains a message one turn after it has acknowledged it.
    setImmediate(() => topics.forEach((topic) => clearRetained(aedes, topic)));
  };
  return {
    remove,
    removeSandbox(name) {
      const users = new Set([...sessions.users(), ...retained.users()]);
      for (const username of users) if (parseUser(username).sandbox === name) remove(username);
      clearRetained(aedes, topicIn(name, CLOCK_TOPIC));
    },
  };
}

function deliveryOptions({ connectMs, drainMs }: BrokerLimits) {
  // 0 is no queue: aedes starts the next message of its queue by recursion, which overflows the stack when some thousand
  // clients disconnect at once.
  return { concurrency: 0, connectTimeout: connectMs, drainTimeout: drainMs };
}

function watch(aedes: Aedes, sessions: Sessions<Client>, log: Log): void {
  aedes.on('client', (client) => sessions.connected(client));
  aedes.on('clientDisconnect', (client) => sessions.disconnected(client));
  aedes.on('unsubscribe', (filters, client) => {
    for (const filter of filters) sessions.of(client)?.filters.delete(filter);
  });
  aedes.on('clientError', ({ id }, error) =>
    log.debug({ clientId: printable(id), reason: messageOf(error) }, 'an MQTT client failed'),
  );
  aedes.on('connectionError', (_client, error) =>
    log.info({ reason: messageOf(error) }, 'not MQTT, or no CONNECT in time'),
  );
  // Not among aedes' typed events; without a listener it would end the process.
  (aedes as EventEmitter).on('error', (error) => log.error({ err: error }, 'the broker failed'));
}

/** Publishes an empty retained message, which removes the one before (MQTT-3.3.1-10). */
function clearRetained(aedes: Aedes, topic: string): void {
  const empty = Buffer.alloc(0);
  aedes.publish({ cmd: 'publish', topic, payload: empty, qos: 0, retain: true, dup: false }, () => undefined);
}

/**
 * Two ends of a connection inside this process, in place of a socket. When one end closes, the other is
 * destroyed, as a socket's would be: without that a broker never learns of a cut and publishes no last will.
 */
export function streamPair(): [Duplex, Duplex] {
  const [left, right] = duplexPair();
  closeTogether(left, right);
  closeTogether(right, left);
  return [left, right];
}

function closeTogether(closing: Duplex, other: Duplex): void {
  // A turn later, so that what was written before the close is still read, as from a socket.
  closing.once('close', () => setImmediate(() => other.destroy()));
  closing.on('error', () => undefined);
}
