import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import { createSerialQueue } from '../../protocol/serial-queue.ts';
import type { LineSettings, OpenPort } from './byte-port.ts';
import { withTimeout } from '../../protocol/with-timeout.ts';
import { tracedParser } from './traced-line.ts';
import { createWire, type FrameParser, type OpenWire, type Wire, type LineTrace } from './wire.ts';

const OPEN_LIMIT_MS = 10_000;
const GREET_LIMIT_MS = 10_000;
// Somebody who plugs a reader in again waits for it; a laptop without one should not be kept busy.
const REOPEN_MS = { first: 250, longest: 5_000 };
// A hang-up is not always seen (a pty may swallow it), so a device that was silent this long is asked first.
const SILENT_MS = 30_000;

export interface DeviceLineParts<F> {
  open: OpenPort;
  settings: LineSettings;
  clock: Clock;
  log: Log;
  /** A fresh one for each time the line is opened. */
  parser(): FrameParser<F>;
  /**
   * Brings a device into the state that exchanges expect, and proves that it is there: run after each opening,
   * and again after a long silence. @throws Fault `reader` when it is not, or is another device.
   */
  greet?(wire: Wire<F>): Promise<void>;
  /** A frame that came while no exchange was under way. */
  unasked?(frame: F): void;
  /** Is shown every frame, for inspection. */
  trace?: LineTrace | undefined;
  /** The line came up (undefined) or went down, and why. */
  changed?(downBecause: string | undefined): void;
}

/** The line to one device: opened when it is first needed, reopened when it comes back, used by one at a time. */
export interface DeviceLine<F> {
  readonly up: boolean;
  /**
   * Gives `work` the line to itself, after those who asked before. Frames from before are gone by then.
   * When `work` takes longer than `limitMs` (from when it has the line) the line is dropped: nobody knows the
   * state of the device then, and opening it again finds out.
   * @throws Fault `reader` when the line cannot be opened or goes; Fault `timed_out`; whatever `work` throws.
   * A Fault `timed_out` thrown by `work` itself drops the line too.
   */
  exchange<T>(limitMs: number, work: (wire: Wire<F>) => Promise<T>): Promise<T>;
  /** Gives up a line whose device does not answer; the next exchange opens it anew. */
  drop(reason: string): void;
  close(): Promise<void>;
}

/** Makes the line to a device; opens nothing yet. */
export function createDeviceLine<F>(parts: DeviceLineParts<F>): DeviceLine<F> {
  const { clock } = parts;
  const opener = createOpener(parts);
  const queue = createSerialQueue();

  const turn = async <T>(limitMs: number, work: (wire: Wire<F>) => Promise<T>): Promise<T> => {
    const mine = await opener.ready();
    mine.keep(true);
    try {
      return await withTimeout(clock, limitMs, work(mine), 'the reader took too long');
    } catch (error) {
      if (error instanceof Fault && error.code === 'timed_out') mine.end(error.message);
      throw error;
    } finally {
      mine.keep(false);
    }
  };
  return {
    get up() {
      return opener.wire !== undefined;
    },
    exchange: (limitMs, work) => queue(() => turn(limitMs, work)),
    drop: (reason) => opener.wire?.end(reason),
    async close() {
      await opener.close();
      await queue(async () => {});
    },
  };
}

/** Keeps a wire open: opens it when it is asked for, and again by itself after it was lost. */
function createOpener<F>(parts: DeviceLineParts<F>) {
  const { clock, log } = parts;
  let wire: OpenWire<F> | undefined;
  let opening: Promise<OpenWire<F>> | undefined;
  let reopening: Timer | undefined;
  let reopenMs = REOPEN_MS.first;
  let closed = false;

  const wentDown = (reason: string) => {
    wire = undefined;
    if (closed) return;
    log.warn({ reason }, 'the line to the reader went down');
    parts.changed?.(reason);
    reopenMs = REOPEN_MS.first;
    reopenLater();
  };
  const reopenLater = () => {
    reopening?.cancel();
    reopening = after(clock, reopenMs, () => {
      reopenMs = Math.min(reopenMs * 2, REOPEN_MS.longest);
      ready().catch((error: unknown) => {
        log.debug({ reason: messageOf(error) }, 'the reader is not back yet');
        if (!closed && !wire) reopenLater();
      });
    });
  };
  const openNow = async (): Promise<OpenWire<F>> => {
    const fresh: OpenWire<F> = await openWire(parts, () => {
      if (wire && wire.gone !== undefined) wentDown(wire.gone);
    });
    if (closed) fresh.end('closed');
    if (fresh.gone !== undefined) throw new Fault('reader', `the line to the reader: ${fresh.gone}`);
    reopening?.cancel();
    wire = fresh;
    log.info('the line to the reader is up');
    parts.changed?.(undefined);
    return fresh;
  };
  const ready = async (): Promise<OpenWire<F>> => {
    if (closed) throw new Fault('reader', 'the reader is closed');
    // When the device does not answer the line is down after this, and opened anew below.
    if (wire && clock.nowMs() - wire.heardAtMs > SILENT_MS) await greet(wire, parts).catch(() => {});
    if (wire) return wire;
    opening ??= openNow().finally(() => (opening = undefined));
    return opening;
  };
  return {
    get wire() {
      return wire;
    },
    ready,
    async close() {
      closed = true;
      reopening?.cancel();
      wire?.end('closed');
      await opening?.catch(() => {});
    },
  };
}

/** Opens the port and greets the device on it. */
async function openWire<F>(parts: DeviceLineParts<F>, ended: () => void): Promise<OpenWire<F>> {
  const { clock, trace } = parts;
  let late = false;
  const pending = parts.open(parts.settings);
  // A port that opens after its time is nobody's: it must not stay open.
  pending.then(
    (port) => (late ? port.close() : undefined),
    () => {},
  );
  const port = await withTimeout(clock, OPEN_LIMIT_MS, pending, 'the port did not open').catch((error) => {
    late = true;
    throw error;
  });
  const wire = createWire({
    port,
    parser: trace ? tracedParser(parts.parser(), trace) : parts.parser(),
    clock,
    trace,
    unasked: (frame) => parts.unasked?.(frame),
    ended,
  });
  await greet(wire, parts);
  return wire;
}

/** Greets the device; a line on which that fails is ended. */
async function greet<F>(wire: OpenWire<F>, parts: DeviceLineParts<F>): Promise<void> {
  wire.keep(true);
  try {
    const greeted = Promise.resolve(parts.greet?.(wire));
    await withTimeout(parts.clock, GREET_LIMIT_MS, greeted, 'the device did not answer');
  } catch (error) {
    wire.end(messageOf(error));
    throw error;
  } finally {
    wire.keep(false);
  }
}
