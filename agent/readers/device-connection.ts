import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import { createSerialQueue } from '../../protocol/serial-queue.ts';
import type { LineSettings, OpenPort } from './byte-port.ts';
import { withTimeout } from '../../protocol/with-timeout.ts';
import {
  createFrameChannel,
  tracedParser,
  type FrameChannel,
  type FrameParser,
  type FrameTrace,
  type OpenFrameChannel,
} from './frame-channel.ts';
import { openInTime } from './open-in-time.ts';

const HANDSHAKE_LIMIT_MS = 10_000;
// Quick at first, for a reader that is plugged in again; then slower, to spare a machine without one.
const REOPEN_MS = { first: 250, longest: 5_000 };
// A disconnection may go unnoticed (a pty can hide it), so after this time without frames the handshake is repeated.
const HANDSHAKE_AFTER_MS = 30_000;

interface DeviceConnectionParts<F> {
  open: OpenPort;
  settings: LineSettings;
  clock: Clock;
  log: Log;
  /** Creates a parser, for each opening of the port. */
  parser(): FrameParser<F>;
  /**
   * Checks that the device responds and sets it up. Runs after each opening, and again after 30 s without frames.
   * @throws Fault `reader` when nothing or another device responds.
   */
  handshake?(channel: FrameChannel<F>): Promise<void>;
  /** Called for a frame that arrives outside an exchange. */
  onUnsolicited?(frame: F): void;
  /** Receives every frame, for inspection. */
  trace?: FrameTrace | undefined;
  /** Called when the connection opens (undefined) or closes (with the reason). */
  onChange?(closeReason: string | undefined): void;
}

/** A connection to one device. It opens on first use, reopens after it is lost, and runs one exchange at a time. */
export interface DeviceConnection<F> {
  readonly isOpen: boolean;
  /**
   * Runs `work` with exclusive use of the channel, after the exchanges queued before, and without earlier frames.
   * If `work` takes longer than `limitMs` from its start, the state of the device is unknown and the connection is
   * closed; the next exchange reopens it.
   * @throws Fault `reader` when the port cannot be opened or closes; Fault `timed_out`; whatever `work` throws.
   * A Fault `timed_out` thrown by `work` closes the connection too.
   */
  exchange<T>(limitMs: number, work: (channel: FrameChannel<F>) => Promise<T>): Promise<T>;
  /** Closes the connection; the next exchange reopens it. */
  drop(reason: string): void;
  close(): Promise<void>;
}

/** Creates a connection to a device, without opening it yet. */
export function createDeviceConnection<F>(parts: DeviceConnectionParts<F>): DeviceConnection<F> {
  const { clock } = parts;
  const opener = createChannelOpener(parts);
  const queue = createSerialQueue();

  const runExchange = async <T>(
    limitMs: number,
    work: (channel: FrameChannel<F>) => Promise<T>,
  ): Promise<T> => {
    const channel = await opener.ready();
    channel.setBuffering(true);
    try {
      return await withTimeout(clock, limitMs, work(channel), 'the reader took too long');
    } catch (error) {
      if (error instanceof Fault && error.code === 'timed_out') channel.close(error.message);
      throw error;
    } finally {
      channel.setBuffering(false);
    }
  };
  return {
    get isOpen() {
      return opener.channel !== undefined;
    },
    exchange: (limitMs, work) => queue(() => runExchange(limitMs, work)),
    drop: (reason) => opener.channel?.close(reason),
    async close() {
      await opener.close();
      await queue(async () => {});
    },
  };
}

/** Opens the channel on demand, and reopens it after it was lost. */
function createChannelOpener<F>(parts: DeviceConnectionParts<F>) {
  const { clock, log } = parts;
  let channel: OpenFrameChannel<F> | undefined;
  let opening: Promise<OpenFrameChannel<F>> | undefined;
  // The channel of `opening` while the device is asked who it is; undefined while the port itself opens.
  let unready: OpenFrameChannel<F> | undefined;
  let reopening: Timer | undefined;
  let reopenMs = REOPEN_MS.first;
  let closed = false;

  const onLost = (reason: string) => {
    channel = undefined;
    if (closed) return;
    log.warn({ reason }, 'the connection to the reader closed');
    parts.onChange?.(reason);
    reopenMs = REOPEN_MS.first;
    reopenLater();
  };
  const reopenLater = () => {
    reopening?.cancel();
    reopening = after(clock, reopenMs, () => {
      reopenMs = Math.min(reopenMs * 2, REOPEN_MS.longest);
      ready().catch((error: unknown) => {
        log.debug({ reason: messageOf(error) }, 'the reader is not available yet');
        if (!closed && !channel) reopenLater();
      });
    });
  };
  const openNow = async (): Promise<OpenFrameChannel<F>> => {
    const fresh = await openChannel(parts, () => {
      if (channel && channel.closeReason !== undefined) onLost(channel.closeReason);
    });
    unready = fresh;
    if (closed) fresh.close('closed');
    await handshake(fresh, parts).finally(() => (unready = undefined));
    if (closed) fresh.close('closed');
    if (fresh.closeReason !== undefined)
      throw new Fault('reader', `the connection to the reader: ${fresh.closeReason}`);
    reopening?.cancel();
    channel = fresh;
    log.info('the connection to the reader is open');
    parts.onChange?.(undefined);
    return fresh;
  };
  const ready = async (): Promise<OpenFrameChannel<F>> => {
    if (closed) throw new Fault('reader', 'the reader is closed');
    // If the handshake fails, the channel is closed and reopened below.
    if (channel && clock.nowMs() - channel.lastFrameAtMs > HANDSHAKE_AFTER_MS)
      await handshake(channel, parts).catch(() => {});
    if (channel) return channel;
    opening ??= openNow().finally(() => (opening = undefined));
    return opening;
  };
  return {
    get channel() {
      return channel;
    },
    ready,
    async close() {
      closed = true;
      reopening?.cancel();
      channel?.close('closed');
      unready?.close('closed');
      await opening?.catch(() => {});
    },
  };
}

/** Opens the port. */
async function openChannel<F>(
  parts: DeviceConnectionParts<F>,
  onClosed: () => void,
): Promise<OpenFrameChannel<F>> {
  const { clock, trace } = parts;
  const port = await openInTime(clock, parts.open(parts.settings), 'the port did not open');
  return createFrameChannel({
    port,
    parser: trace ? tracedParser(parts.parser(), trace) : parts.parser(),
    clock,
    trace,
    onUnsolicited: (frame) => parts.onUnsolicited?.(frame),
    onClosed,
  });
}

/** Runs the handshake and closes the channel if it fails. */
async function handshake<F>(channel: OpenFrameChannel<F>, parts: DeviceConnectionParts<F>): Promise<void> {
  channel.setBuffering(true);
  try {
    const done = Promise.resolve(parts.handshake?.(channel));
    await withTimeout(parts.clock, HANDSHAKE_LIMIT_MS, done, 'the device did not answer');
  } catch (error) {
    channel.close(messageOf(error));
    throw error;
  } finally {
    channel.setBuffering(false);
  }
}
