import { createBackoff, type Backoff, type BackoffLimits } from './backoff.ts';
import { after, type Clock, type Timer } from './clock.ts';
import { Fault, messageOf } from './failures.ts';
import type { Random } from './ids.ts';
import type { Link, LinkHandlers } from './link.ts';
import type { Log } from './log.ts';
import type { Envelope } from './message.ts';

/** One connection, from dialling to its end. It does not come back: a new one is dialled. */
export interface Connection {
  /** @throws Fault `transport` when the connection ends before the broker has taken the message. */
  publish(envelope: Envelope): Promise<void>;
  /** Resolves when it has ended, with a goodbye that withdraws the last will. */
  disconnect(): Promise<void>;
  /** Ends it without a goodbye. */
  destroy(): void;
}

export interface ConnectionEvents {
  /** Connected, and every subscription granted. */
  up(): void;
  message(topic: string, payload: Uint8Array): void;
  /** Ended, or never came about, `refused` when it was not let in; once, and last. */
  down(reason: string, refused?: boolean): void;
}

/** Begins a connection; tells its events later, never while dialling. A throw counts as `down`. */
type Dial = (events: ConnectionEvents) => Connection;

interface ReconnectOptions {
  clock: Clock;
  random: Random;
  log: Log;
  backoff: BackoffLimits;
  /** A connection that lasted this long was a good one: the row of pauses begins anew. Shorter ones go on with it. */
  stableAfterMs: number;
}

/**
 * So many connections in a row that the broker accepts and soon ends mean that it does not want this client: another
 * program uses its client id, or it breaks a rule of the broker. A broker that restarts is not reached in between.
 */
const EVICTION_COUNT = 4;

/** A link that dials again, after growing pauses, whenever its connection is lost. */
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
  /** The goodbye under way. */
  #disconnecting: Promise<void> | undefined;
  #loggedReason: string | undefined;
  /** Connections in a row that ended soon after they were accepted. */
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
    // A second connection of the same client makes the broker cut the first, which would leave the last will in
    // place of the goodbye: so the first one goes in peace before.
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
    const evicted = this.#shortLived === EVICTION_COUNT;
    const why = evicted
      ? `it ended ${EVICTION_COUNT} connections in a row soon after they began: ${reason}`
      : reason;
    if (refused || evicted) this.#callHandler('refused', () => this.#handlers.refused?.(why));
    // The handler may have closed the link, or opened it again.
    if (!this.#opened || this.#connection || this.#retry) return;
    const pauseMs = this.#backoff.nextMs(refused);
    // The same reason again and again is not news.
    log[reason === this.#loggedReason ? 'debug' : 'warn']({ reason, pauseMs }, 'no connection to the broker');
    this.#loggedReason = reason;
    this.#retry = after(clock, pauseMs, () => this.#connect());
  }

  /** Stops wanting a connection and lets go of the one there is. */
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

  /** A handler that throws must not take the connection, or the process, with it. */
  #callHandler(what: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.log.error({ err: error }, `a handler of the link failed: ${what}`);
    }
  }
}
