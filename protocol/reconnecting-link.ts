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
  goodbye(): Promise<void>;
  /** Ends it without a goodbye. */
  cut(): void;
}

export interface ConnectionEvents {
  /** Connected, and every subscription granted. */
  up(): void;
  message(topic: string, payload: Uint8Array): void;
  /** Ended, or never came about, `refused` when it was not let in; once, and last. */
  down(reason: string, refused?: boolean): void;
}

/** Begins a connection; tells its events later, never while dialling. A throw counts as `down`. */
export type Dial = (events: ConnectionEvents) => Connection;

export interface KeepOptions {
  clock: Clock;
  random: Random;
  log: Log;
  backoff: BackoffLimits;
  /** A connection that lasted this long was a good one: the row of pauses begins anew. Shorter ones go on with it. */
  goodMs: number;
}

/**
 * So many connections in a row that the broker accepts and soon ends mean that it does not want this client: another
 * program uses its client id, or it breaks a rule of the broker. A broker that restarts is not reached in between.
 */
const EVICTIONS = 4;

/** A link that dials again, after growing pauses, whenever its connection is lost. */
export class KeptLink implements Link {
  readonly #dial: Dial;
  readonly #handlers: LinkHandlers;
  readonly #options: KeepOptions;
  readonly #backoff: Backoff;
  #wanted = false;
  #online = false;
  #onlineAtMs = 0;
  #connection: Connection | undefined;
  #retry: Timer | undefined;
  /** The goodbye under way. */
  #leaving: Promise<void> | undefined;
  #toldReason: string | undefined;
  /** Connections in a row that ended soon after they were accepted. */
  #shortLived = 0;

  constructor(dial: Dial, handlers: LinkHandlers, options: KeepOptions) {
    this.#dial = dial;
    this.#handlers = handlers;
    this.#options = options;
    this.#backoff = createBackoff(options.random, options.backoff);
  }

  get online(): boolean {
    return this.#online;
  }

  open(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#backoff.reset();
    // A second connection of the same client makes the broker cut the first, which would leave the last will in
    // place of the goodbye: so the first one goes in peace before.
    const begin = () => {
      if (this.#wanted && !this.#connection && !this.#retry) this.#connect();
    };
    if (this.#leaving) void this.#leaving.then(begin);
    else begin();
  }

  async publish(envelope: Envelope): Promise<void> {
    if (!this.#online || !this.#connection) throw new Fault('transport', 'not connected to the broker');
    await this.#connection.publish(envelope);
  }

  close(): Promise<void> {
    const goodbye = this.#release()?.goodbye();
    if (goodbye) {
      const leaving = goodbye.finally(() => {
        if (this.#leaving === leaving) this.#leaving = undefined;
      });
      this.#leaving = leaving;
    }
    return this.#leaving ?? Promise.resolve();
  }

  drop(): void {
    this.#release()?.cut();
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
          ifCurrent(() => this.#tell('message', () => this.#handlers.message(topic, payload))),
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
    this.#toldReason = undefined;
    log.debug('connected to the broker');
    this.#tell('online', () => this.#handlers.online());
  }

  #lost(reason: string, refused = false): void {
    const { clock, log } = this.#options;
    const lastedMs = this.#online ? clock.nowMs() - this.#onlineAtMs : undefined;
    this.#connection = undefined;
    this.#fellOffline();
    this.#shortLived = lastedMs !== undefined && lastedMs < this.#options.goodMs ? this.#shortLived + 1 : 0;
    const evicted = this.#shortLived === EVICTIONS;
    const why = evicted
      ? `it ended ${EVICTIONS} connections in a row soon after they began: ${reason}`
      : reason;
    if (refused || evicted) this.#tell('refused', () => this.#handlers.refused?.(why));
    // The handler may have closed the link, or opened it again.
    if (!this.#wanted || this.#connection || this.#retry) return;
    const pauseMs = this.#backoff.nextMs(refused);
    // The same reason again and again is not news.
    log[reason === this.#toldReason ? 'debug' : 'warn']({ reason, pauseMs }, 'no connection to the broker');
    this.#toldReason = reason;
    this.#retry = after(clock, pauseMs, () => this.#connect());
  }

  /** Stops wanting a connection and lets go of the one there is. */
  #release(): Connection | undefined {
    const released = this.#connection;
    this.#wanted = false;
    this.#retry?.cancel();
    this.#retry = this.#connection = undefined;
    this.#fellOffline();
    return released;
  }

  #fellOffline(): void {
    if (!this.#online) return;
    const { clock, goodMs } = this.#options;
    this.#online = false;
    if (clock.nowMs() - this.#onlineAtMs >= goodMs) this.#backoff.reset();
    this.#tell('offline', () => this.#handlers.offline());
  }

  /** A handler that throws must not take the connection, or the process, with it. */
  #tell(what: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.log.error({ err: error }, `a handler of the link failed: ${what}`);
    }
  }
}
