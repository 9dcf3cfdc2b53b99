import type { Duplex } from 'node:stream';
import { connect, MqttClient, type IClientOptions } from 'mqtt';
import { after, type Clock } from './clock.ts';
import { Fault, messageOf } from './failures.ts';
import type { Random } from './ids.ts';
import { ReconnectingLink, type Connection, type ConnectionEvents } from './reconnecting-link.ts';
import type { Connector, LinkOptions } from './link.ts';
import type { Log } from './log.ts';

export interface MqttOptions {
  /** `mqtt://`, `mqtts://`, `ws://` or `wss://`. A user name and password in it are ignored: the plan has them. */
  url?: string;
  /** In place of `url`: gives a fresh stream to the broker for each connection. */
  openStream?: () => Duplex;
  clock: Clock;
  random: Random;
  log: Log;
  /** The authority that signed the broker's certificate, PEM, when it is not a public one. */
  ca?: string;
  /** Seconds of silence after which the client asks whether the broker is there; 30, so that a pulled cable
   * is noticed, and the last will published, within 45 s (MQTT-3.1.2-24) at little traffic. */
  keepaliveSeconds?: number;
  /** Longest pause before the first try to reconnect; 250, since a restarted broker is back that soon. */
  firstReconnectMs?: number;
  /** Longest pause ever; 5,000, so that after any outage a terminal is back before a command to it that was sent in
   * the same moment has run out, ten seconds later (docs/choices.md, Offline). */
  maxReconnectMs?: number;
  /** Longest pause after the broker did not let it in; 60,000. That takes a person to mend: who was paired anew
   * elsewhere, or is not known to the broker yet, need not knock every few seconds for days. */
  maxRefusedReconnectMs?: number;
  /** How long a connection must last to count as a good one; 5,000. One that is thrown out at once, as when
   * two processes use one client id, must not reconnect without pause. */
  stableAfterMs?: number;
  /** How long a goodbye may take before the connection is cut; 2,000, for a broker that does not answer. */
  disconnectTimeoutMs?: number;
}

// Return codes of CONNACK (MQTT 3.1.1 §3.2.2.3): client id rejected, bad user name or password, not authorised.
const REFUSED_RETURN_CODES: unknown[] = [2, 4, 5];

// How long the broker may take to accept a connection, in real time: mqtt.js measures it.
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Links over MQTT 3.1.1 with clean sessions. Each connection is a fresh mqtt.js client with an empty store,
 * because mqtt.js resends what an earlier connection did not get acknowledged, and a stale message is worse
 * than a lost one: who sent it says it again if it is still true.
 * @throws Fault `bad_setting` when neither `url` nor `openStream` is given, or `url` is not a broker's.
 */
export function mqttConnector(options: MqttOptions): Connector {
  const open = opener(options);
  return (plan) => {
    const log = options.log.child({ clientId: plan.credentials.clientId });
    return new ReconnectingLink((events) => dial(open, plan, events, { ...options, log }), plan.handlers, {
      clock: options.clock,
      random: options.random,
      log,
      backoff: {
        initialMs: options.firstReconnectMs ?? 250,
        maxMs: options.maxReconnectMs ?? 5_000,
        maxRefusedMs: options.maxRefusedReconnectMs ?? 60_000,
      },
      stableAfterMs: options.stableAfterMs ?? 5_000,
    });
  };
}

function opener({ url, openStream, ca, keepaliveSeconds }: MqttOptions): (plan: LinkOptions) => MqttClient {
  const base = {
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepalive: keepaliveSeconds ?? 30,
    ...(ca === undefined ? {} : { ca }),
  } satisfies IClientOptions;
  const forPlan = ({ credentials, will }: LinkOptions): IClientOptions => ({
    ...base,
    ...credentials,
    ...(will && { will }),
  });
  if (openStream) return (plan) => new MqttClient(openStream, forPlan(plan));
  const address = brokerAddress(url);
  return (plan) => connect(address, forPlan(plan));
}

// mqtt.js prefers the user name and password of a URL to those it is given, so they are cut off.
function brokerAddress(text: string | undefined): string {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['mqtt:', 'mqtts:', 'ws:', 'wss:'].includes(url.protocol)) {
    throw new Fault('bad_setting', 'a broker is named by a mqtt://, mqtts://, ws:// or wss:// URL');
  }
  url.username = url.password = '';
  return url.href;
}

type DialOptions = Pick<MqttOptions, 'clock' | 'log' | 'disconnectTimeoutMs'>;

function dial(
  open: (plan: LinkOptions) => MqttClient,
  plan: LinkOptions,
  events: ConnectionEvents,
  options: DialOptions,
): Connection {
  const client = open(plan);
  const unacknowledged = new Set<(fault: Fault) => void>();
  let reason = 'the broker closed the connection';
  let refused = false;
  let ended = false;
  const fail = (because: string) => {
    reason = because;
    client.stream.destroy();
  };

  forwardEvents(client, plan, events, (error) => {
    if (ended) return;
    const { subscriptions } = plan;
    options.log.error({ subscriptions, reason: error.message }, 'the broker refused a subscription');
    fail(`subscription refused: ${error.message}`);
  });
  client.on('error', (error) => {
    refused = REFUSED_RETURN_CODES.includes((error as { code?: unknown }).code);
    fail(reasonOf(error));
  });
  client.on('close', () => {
    if (ended) return;
    ended = true;
    const fault = new Fault('transport', `the connection to the broker ended: ${reason}`);
    for (const reject of unacknowledged) reject(fault);
    unacknowledged.clear();
    client.end(true);
    events.down(reason, refused);
  });

  return {
    publish: ({ topic, payload, qos, retain }) =>
      new Promise((resolve, reject) => {
        unacknowledged.add(reject);
        client.publish(topic, payload, { qos, retain }, (error) => {
          if (!unacknowledged.delete(reject)) return;
          if (error) reject(new Fault('transport', `not taken by the broker: ${error.message}`));
          else resolve();
        });
      }),
    disconnect: () => (ended ? Promise.resolve() : disconnect(client, options)),
    destroy: () => void client.end(true),
  };
}

/** Subscribes once connected, then says `up`, then passes messages on. */
function forwardEvents(
  client: MqttClient,
  { subscriptions }: LinkOptions,
  events: ConnectionEvents,
  refused: (error: Error) => void,
): void {
  // A broker may send a retained message before it has acknowledged the subscription (MQTT 3.1.1 §3.8.4); it
  // waits here so that `message` never comes before `up`.
  let early: [string, Uint8Array][] | undefined = [];
  const up = () => {
    const waiting = early ?? [];
    early = undefined;
    events.up();
    for (const [topic, payload] of waiting) events.message(topic, payload);
  };
  client.on('connect', () => {
    // Without it a command and its report take 44 ms instead of 0.3: Nagle waits for the delayed acknowledgement.
    (client.stream as { setNoDelay?: (on: boolean) => void }).setNoDelay?.(true);
    if (subscriptions.length === 0) return up();
    client.subscribe(subscriptions, { qos: 1 }, (error) => (error ? refused(error) : up()));
  });
  client.on('message', (topic, payload) => {
    if (early) early.push([topic, payload]);
    else events.message(topic, payload);
  });
}

function disconnect(client: MqttClient, { clock, disconnectTimeoutMs = 2_000 }: DialOptions): Promise<void> {
  return new Promise((resolve) => {
    const timeout = after(clock, disconnectTimeoutMs, () => client.stream.destroy());
    client.once('close', () => {
      timeout.cancel();
      resolve();
    });
    // Before CONNACK there is nobody to say goodbye to: mqtt.js would queue it and wait for ever.
    client.end(!client.connected);
  });
}

/** What went wrong with a connection; Node leaves the message of a failed `localhost` empty, its code says it. */
function reasonOf(error: Error): string {
  return messageOf(error) || String((error as NodeJS.ErrnoException).code ?? 'connection failed');
}
