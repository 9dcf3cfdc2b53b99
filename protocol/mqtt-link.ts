import type { Duplex } from 'node:stream';
import { connect as connectMqtt, MqttClient, type IClientOptions } from 'mqtt';
import { generate, writeToStream } from 'mqtt-packet';
import { after, type Clock, type Timer } from './clock.ts';
import { errorCode, Fault, messageOf } from './failures.ts';
import type { Random } from './ids.ts';
import {
  RECONNECT_DEFAULTS,
  ReconnectingLink,
  type Connection,
  type ConnectionEvents,
} from './reconnecting-link.ts';
import { inSandbox, KEEPALIVE_SECONDS, type Connector, type Link, type LinkOptions } from './link.ts';
import type { Log } from './log.ts';
import { parseUser } from './topics.ts';
import { createUnacknowledged } from './unacknowledged.ts';

export interface MqttOptions {
  /**
   * `mqtt://`, `mqtts://`, `ws://` or `wss://`. A user name and password in it are ignored in favour of the link's
   * credentials.
   */
  url?: string;
  /** Instead of `url`: opens a stream to the broker for each connection. */
  openStream?: () => Duplex;
  clock: Clock;
  random: Random;
  log: Log;
  /** CA certificate of the broker, PEM; public CAs by default. */
  ca?: string;
  /** MQTT keep-alive, seconds; 30 by default, so that a broker notices a lost connection within `LOSS_DETECTED_MS`. */
  keepaliveSeconds?: number;
  /** Maximum delay before the first reconnect, milliseconds; 250 by default. */
  firstReconnectMs?: number;
  /**
   * Maximum delay before a reconnect, milliseconds; 5,000 by default, so that after an outage a terminal is online
   * before a command to it expires, after ten seconds (docs/choices.md, Offline).
   */
  maxReconnectMs?: number;
  /**
   * Maximum delay after the broker refused the credentials, milliseconds; 60,000 by default, since that takes a
   * person to fix.
   */
  maxRefusedReconnectMs?: number;
  /**
   * How long a connection must last before the delays are reset, milliseconds; 5,000 by default. A connection that
   * ends at once, as when two processes use one client id, must not reconnect without delay.
   */
  stableAfterMs?: number;
  /**
   * Timeout of a connect, milliseconds; 10,000 by default. A cluster that chooses a new leader takes a connection and does
   * not answer it.
   */
  connectTimeoutMs?: number;
  /**
   * How long after each connect the link subscribes again, milliseconds; never by default. The broker then sends what it
   * retains once more: a node of a cluster may not have had all that was retained at another one a moment before.
   */
  subscribeAgainAfterMs?: readonly number[];
  /** Timeout of a clean disconnect, milliseconds; 2,000 by default. */
  disconnectTimeoutMs?: number;
}

// The cache makes a buffer for each of 65,536 numbers at the first packet: a tenth of a start, and 7 MB.
writeToStream.cacheNumbers = false;

// CONNACK return codes (MQTT 3.1.1 §3.2.2.3): client id rejected, bad user name or password, not authorised.
const REFUSED_RETURN_CODES: unknown[] = [2, 4, 5];

// Timeout of a connect, in real time: mqtt.js measures it.
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Creates links over MQTT 3.1.1 with clean sessions. Each connection is a new mqtt.js client with an empty store,
 * because mqtt.js would resend unacknowledged messages of an earlier connection, which may be stale. A link whose user
 * name has a sandbox uses the topics of that sandbox.
 * @throws Fault `bad_setting` when neither `url` nor `openStream` is given, or `url` has another scheme.
 */
export function mqttConnector(options: MqttOptions): Connector {
  const open = opener(options);
  return (plan) => inSandbox(connect, parseUser(plan.credentials.username).sandbox)(plan);

  function connect(plan: LinkOptions): Link {
    const log = options.log.child({ clientId: plan.credentials.clientId });
    return new ReconnectingLink((events) => dial(open, plan, events, { ...options, log }), plan.handlers, {
      clock: options.clock,
      random: options.random,
      log,
      backoff: {
        initialMs: options.firstReconnectMs ?? RECONNECT_DEFAULTS.backoff.initialMs,
        maxMs: options.maxReconnectMs ?? RECONNECT_DEFAULTS.backoff.maxMs,
        maxRefusedMs: options.maxRefusedReconnectMs ?? RECONNECT_DEFAULTS.backoff.maxRefusedMs,
      },
      stableAfterMs: options.stableAfterMs ?? RECONNECT_DEFAULTS.stableAfterMs,
    });
  }
}

function opener({
  url,
  openStream,
  ca,
  keepaliveSeconds,
  connectTimeoutMs,
}: MqttOptions): (plan: LinkOptions) => MqttClient {
  const base = {
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    // mqtt.js otherwise creates a debug log for each client, and asks each time whether standard error is a terminal.
    log: () => {},
    connectTimeout: connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepalive: keepaliveSeconds ?? KEEPALIVE_SECONDS,
    ...(ca === undefined ? {} : { ca }),
  } satisfies IClientOptions;
  const forPlan = ({ credentials, will }: LinkOptions): IClientOptions => ({
    ...base,
    ...credentials,
    ...(will && { will }),
  });
  if (openStream) return (plan) => new MqttClient(openStream, forPlan(plan));
  const address = brokerAddress(url);
  return (plan) => connectMqtt(address, forPlan(plan));
}

// Removed because mqtt.js prefers the user name and password of a URL to its options.
function brokerAddress(text: string | undefined): string {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['mqtt:', 'mqtts:', 'ws:', 'wss:'].includes(url.protocol)) {
    throw new Fault(
      'bad_setting',
      'the address of a broker must be a mqtt://, mqtts://, ws:// or wss:// URL',
    );
  }
  url.username = url.password = '';
  return url.href;
}

type DialOptions = Pick<MqttOptions, 'clock' | 'log' | 'disconnectTimeoutMs' | 'subscribeAgainAfterMs'>;

function dial(
  open: (plan: LinkOptions) => MqttClient,
  plan: LinkOptions,
  events: ConnectionEvents,
  options: DialOptions,
): Connection {
  const client = open(plan);
  let reason = 'the broker closed the connection';
  let refused = false;
  let ended = false;
  const fail = (because: string) => {
    reason = because;
    leave(client.stream);
  };
  const unacknowledged = createUnacknowledged(options.clock, () =>
    fail('the broker does not acknowledge messages'),
  );

  forwardEvents(client, plan, events, (error) => {
    if (ended) return;
    const { subscriptions } = plan;
    options.log.error({ subscriptions, reason: error.message }, 'the broker refused a subscription');
    fail(`subscription refused: ${error.message}`);
  });
  const again = subscribeAgain(client, plan, options);
  client.on('error', (error) => {
    refused = REFUSED_RETURN_CODES.includes((error as { code?: unknown }).code);
    fail(reasonOf(error));
  });
  client.on('close', () => {
    if (ended) return;
    ended = true;
    const fault = new Fault('transport', `the connection to the broker ended: ${reason}`);
    unacknowledged.rejectAll(fault);
    again.cancel();
    client.end(true);
    events.down(reason, refused);
  });

  return {
    publish: ({ topic, payload, qos, retain }) =>
      new Promise((resolve, reject) => {
        const settle = unacknowledged.add(reject);
        client.publish(topic, payload, { qos, retain }, (error) => {
          if (!settle()) return;
          if (error) reject(new Fault('transport', `not taken by the broker: ${error.message}`));
          else resolve();
        });
      }),
    roundTrip: () => (ended ? Promise.resolve() : roundTrip(client)),
    disconnect: () => (ended ? Promise.resolve() : disconnect(client, options)),
    destroy: () => void client.end(true),
  };
}

/** Subscribes once connected, then calls `up`, then forwards messages. */
function forwardEvents(
  client: MqttClient,
  { subscriptions }: LinkOptions,
  events: ConnectionEvents,
  refused: (error: Error) => void,
): void {
  // A broker may send a retained message before it acknowledges the subscription (MQTT 3.1.1 §3.8.4). It is held back
  // so that `message` never comes before `up`.
  let early: [string, Uint8Array][] | undefined = [];
  const up = () => {
    const waiting = early ?? [];
    early = undefined;
    events.up();
    for (const [topic, payload] of waiting) events.message(topic, payload);
  };
  client.on('connect', () => {
    // With Nagle's algorithm a command and its report take 44 ms instead of 0.3.
    (client.stream as { setNoDelay?: (on: boolean) => void }).setNoDelay?.(true);
    if (subscriptions.length === 0) return up();
    client.subscribe(subscriptions, { qos: 1 }, (error) => (error ? refused(error) : up()));
  });
  client.on('message', (topic, payload) => {
    if (early) early.push([topic, payload]);
    else events.message(topic, payload);
  });
}

/** Subscribes again some time after the connect, as often as the options say. */
function subscribeAgain(
  client: MqttClient,
  { subscriptions }: LinkOptions,
  { clock, subscribeAgainAfterMs = [] }: DialOptions,
): Timer {
  let timers: Timer[] = [];
  client.on('connect', () => {
    timers = subscribeAgainAfterMs.map((delayMs) =>
      after(clock, delayMs, () => {
        if (client.connected) client.subscribe([...subscriptions], { qos: 1 });
      }),
    );
  });
  return {
    cancel() {
      for (const timer of timers) timer.cancel();
    },
  };
}

/** Resolves with the answer to a ping: the broker sends it after what it had for the connection (MQTT 3.1.1 §3.12). */
function roundTrip(client: MqttClient): Promise<void> {
  return new Promise((resolve) => {
    const received = ({ cmd }: { cmd: string }) => {
      if (cmd === 'pingresp') done();
    };
    const done = () => {
      client.off('packetreceive', received);
      client.off('close', done);
      resolve();
    };
    client.on('packetreceive', received);
    client.on('close', done);
    client.sendPing();
  });
}

const DISCONNECT = generate({ cmd: 'disconnect' });

/**
 * Ends a connection that this side gives up. The broker then discards the last will (MQTT 3.1.1 §3.14.4): the terminal is
 * about to connect again, and a broker that is slow would publish the will after that.
 */
function leave(stream: Duplex): void {
  if (stream.writable) stream.write(DISCONNECT);
  stream.destroy();
}

function disconnect(client: MqttClient, { clock, disconnectTimeoutMs = 2_000 }: DialOptions): Promise<void> {
  return new Promise((resolve) => {
    const timeout = after(clock, disconnectTimeoutMs, () => client.stream.destroy());
    client.once('close', () => {
      timeout.cancel();
      resolve();
    });
    // Before CONNACK mqtt.js would queue the disconnect and wait forever.
    client.end(!client.connected);
  });
}

/** Returns the message of a connection error, or its code: Node leaves the message empty when `localhost` fails. */
function reasonOf(error: Error): string {
  return messageOf(error) || (errorCode(error) ?? 'connection failed');
}
