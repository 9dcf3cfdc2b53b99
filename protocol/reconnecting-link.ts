import { after, type Clock, type Timer } from './clock.ts';
import { Fault, messageOf } from './failures.ts';
import { fraction, type Random } from './ids.ts';
import type { Link, LinkHandlers } from './link.ts';
import type { Log } from './log.ts';
import type { Envelope } from './message.ts';

interface BackoffLimits {
  /** Upper bound of the first delay, milliseconds. */
  initialMs: number;
  /** Upper bound of all delays, milliseconds. */
  maxMs: number;
  /** Upper bound after a refused attempt, milliseconds; `maxMs` by default. */
  maxRefusedMs?: number;
}

/** Delays before the attempts of a series. */
interface Backoff {
  nextMs(refused?: boolean): number;
  /** Starts a new series. */
  reset(): void;
}

/**
 * Creates an exponential backoff with full jitter: each delay is uniform between 0 and a bound that doubles with each
 * attempt, so that many terminals do not reconnect at the same moment.
 */
export function createBackoff(random: Random, limits: BackoffLimits): Backoff {
  const { maxMs, maxRefusedMs = maxMs } = limits;
  let boundMs = limits.initialMs;
  return {
    nextMs(refused = false) {
      const mostMs = refused ? maxRefusedMs : maxMs;
      const pauseMs = Math.floor(fraction(random) * Math.min(boundMs, mostMs));
      boundMs = Math.min(boundMs * 2, mostMs);
      return pauseMs;
    },
    reset() {
      boundMs = limits.initialMs;
    },
  };
}

/** One connection to the broker. It never reconnects; the link opens a new one. */
export interface Connection {
  /** @throws Fault `transport` when the connection ends before the broker has taken the message. */
  publish(envelope: Envelope): Promise<void>;
  /** Resolves once the broker has answered a ping, or the connection has ended. */
  roundTrip?(): Promise<void>;
  /** Disconnects cleanly, which discards the last will. Resolves when the connection has ended. */
  disconnect(): Promise<void>;
  /** Ends the connection abruptly. */
  destroy(): void;
}

export interface ConnectionEvents {
  /** Connected and subscribed. */
  up(): void;
  message(topic: string, payload: Uint8Array): void;
  /** The connection ended or failed; `refused` when the broker rejected the credentials. Called once, last. */
  down(reason: string, refused?: boolean): void;
}

/** Opens a connection. Events follow asynchronously. A throw counts as `down`. */
type Dial = (events: ConnectionEvents) => Connection;

interface ReconnectOptions {
  clock: Clock;
  random: Random;
  log: Log;
  backoff: BackoffLimits;
  /** A connection that lasted this long resets the delays, milliseconds. */
  stableAfterMs: number;
}

/** Defaults of how links reconnect (`MqttOptions` of protocol/mqtt-link.ts says why). */
export const RECONNECT_DEFAULTS = {
  backoff: { initialMs: 250, maxMs: 5_000, maxRefusedMs: 60_000 },
  stableAfterMs: 5_000,
} as const;

/**
 * After this many accepted connections in a row that soon ended the log names the likely cause: a server that restarts
 * ends a few, another program with the same client id ends each.
 */
const SHORT_LIVED_LOGGED = 4;

/** A link that opens a new connection, after growing delays, whenever the current one is lost. */
export class ReconnectingLink implements Link {
  readonly #dial: Dial;
  readonly #handlers: LinkHandlers;
  readonly #options: ReconnectOptions;
  readonly #backoff: Backoff;
  #opened = false;
  #online = false;
  #onlineAtMs = 0;
  #connection: Connection | undefined;
  #retry: Timer | undefined;
  /** The clean disconnect in progress. */
  #disconnecting: Promise<void> | undefined;
  #loggedReason: string | undefined;
  /** Number of connections in a row that ended soon after they were accepted. */
  #shortLived = 0;

  constructor(dial: Dial, handlers: LinkHandlers, options: ReconnectOptions) {
    this.#dial = dial;
    this.#handlers = handlers;
    this.#options = options;
    this.#backoff = createBackoff(options.random, options.backoff);
  }

  get online(): boolean {
    return this.#online;
  }

  open(): void {
    if (this.#opened) return;
    this.#opened = true;
    this.#backoff.reset();
    // A second connection of the same client would make the broker cut the first and publish its last will, so the
    // clean disconnect finishes first.
    const begin = () => {
      if (this.#opened && !this.#connection && !this.#retry) this.#connect();
    };
    if (this.#disconnecting) void this.#disconnecting.then(begin);
    else begin();
  }

  async publish(envelope: Envelope): Promise<void> {
    if (!this.#online || !this.#connection) throw new Fault('transport', 'not connected to the broker');
    await this.#connection.publish(envelope);
  }

  async roundTrip(): Promise<void> {
    if (this.#online) await this.#connection?.roundTrip?.();
  }

  close(): Promise<void> {
    const disconnect = this.#release()?.disconnect();
    if (disconnect) {
      const disconnecting = disconnect.finally(() => {
        if (this.#disconnecting === disconnecting) this.#disconnecting = undefined;
      });
      this.#disconnecting = disconnecting;
    }
    return this.#disconnecting ?? Promise.resolve();
  }

  drop(): void {
    this.#release()?.destroy();
  }

  #connect(): void {
    this.#retry = undefined;
    let mine: Connection | undefined;
    const ifCurrent = (run: () => void) => {
      if (this.#connection === mine) run();
    };
    try {
      mine = this.#dial({
        up: () => ifCurrent(() => this.#up()),
        message: (topic, payload) =>
          ifCurrent(() => this.#callHandler('message', () => this.#handlers.message(topic, payload))),
        down: (reason, refused) => ifCurrent(() => this.#lost(reason, refused)),
      });
    } catch (error) {
      return this.#lost(messageOf(error));
    }
    this.#connection = mine;
  }

  #up(): void {
    const { clock, log } = this.#options;
    this.#online = true;
    this.#onlineAtMs = clock.nowMs();
    this.#loggedReason = undefined;
    log.debug('connected to the broker');
    this.#callHandler('online', () => this.#handlers.online());
  }

  #lost(reason: string, refused = false): void {
    const { clock, log } = this.#options;
    const lastedMs = this.#online ? clock.nowMs() - this.#onlineAtMs : undefined;
    this.#connection = undefined;
    this.#fellOffline();
    this.#shortLived =
      lastedMs !== undefined && lastedMs < this.#options.stableAfterMs ? this.#shortLived + 1 : 0;
    if (this.#shortLived === SHORT_LIVED_LOGGED) {
      const connections = this.#shortLived;
      log.warn(
        { reason, connections },
        'the broker ends each connection soon after it accepts it: does another program use the same client id?',
      );
    }
    if (refused) this.#callHandler('refused', () => this.#handlers.refused?.(reason));
    // The handler may have closed or reopened the link.
    if (!this.#opened || this.#connection || this.#retry) return;
    const pauseMs = this.#backoff.nextMs(refused);
    // A repeated reason is logged at debug only.
    log[reason === this.#loggedReason ? 'debug' : 'warn']({ reason, pauseMs }, 'no connection to the broker');
    this.#loggedReason = reason;
    this.#retry = after(clock, pauseMs, () => this.#connect());
  }

  /** Stops reconnecting and detaches the current connection. */
  #release(): Connection | undefined {
    const released = this.#connection;
    this.#opened = false;
    this.#retry?.cancel();
    this.#retry = this.#connection = undefined;
    this.#fellOffline();
    return released;
  }

  #fellOffline(): void {
    if (!this.#online) return;
    const { clock, stableAfterMs } = this.#options;
    this.#online = false;
    if (clock.nowMs() - this.#onlineAtMs >= stableAfterMs) this.#backoff.reset();
    this.#callHandler('offline', () => this.#handlers.offline());
  }

  /** Calls a handler; an exception is logged and does not end the connection or the process. */
  #callHandler(what: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.log.error({ err: error }, `a handler of the link failed: ${what}`);
    }
  }
}
