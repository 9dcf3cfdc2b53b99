import { after, type Clock } from '../../protocol/clock.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { withTimeout } from '../../protocol/with-timeout.ts';
import type { BytePort } from './byte-port.ts';

/** Finds frames in a stream of bytes, in whatever pieces they arrive, and resynchronises after noise. */
export interface FrameParser<F> {
  /** Returns the frames that these bytes complete. Keeps a copy of bytes that complete none. Never throws. */
  push(bytes: Uint8Array): F[];
  /** Returns what a trace shows of the bytes of a frame, by default all; undefined where it only counts them. */
  traceOf?(frame: F, bytes: Uint8Array): Uint8Array | undefined;
}

/** Receives the frames sent (`out`) and received (`in`), before masking. */
export type FrameTrace = (direction: 'out' | 'in', bytes: Uint8Array, note?: string) => void;

/** Sends bytes and receives frames on an open port, during an exchange. */
export interface FrameChannel<F> {
  /**
   * Resolves when the bytes are written.
   * @throws Fault `reader` when the port is closed, fails or blocks for 5 s; it is closed then.
   */
  send(bytes: Uint8Array): Promise<void>;
  /**
   * Returns the next frame, or undefined after `limitMs`. With a negative limit it returns only a frame that arrived
   * before that moment, so that a loop up to a deadline ends on a line that never falls silent.
   * @throws Fault `reader` when the port is closed.
   */
  receive(limitMs: number): Promise<F | undefined>;
  /** Discards the frames that have arrived and were not received. */
  clear(): void;
}

export interface OpenFrameChannel<F> extends FrameChannel<F> {
  /** Time of the last frame, or of the opening. */
  readonly lastFrameAtMs: number;
  /** Why the channel is closed; undefined while it is open. */
  readonly closeReason: string | undefined;
  /** Chooses whether frames are buffered for `receive` or passed to `onUnsolicited`. Clears the buffer. */
  setBuffering(enabled: boolean): void;
  /** Closes the port. A pending `receive` throws with this reason. Idempotent. */
  close(reason: string): void;
}

const SEND_LIMIT_MS = 5_000;

interface FrameChannelParts<F> {
  port: BytePort;
  parser: FrameParser<F>;
  clock: Clock;
  onUnsolicited(frame: F): void;
  onClosed(): void;
  trace?: FrameTrace | undefined;
}

/** Creates a channel on a port that was just opened. */
export function createFrameChannel<F>(parts: FrameChannelParts<F>): OpenFrameChannel<F> {
  const { port, parser, clock, onUnsolicited, onClosed, trace } = parts;
  const buffer = createFrameBuffer<F>(clock);
  let isBuffering = false;
  let lastFrameAtMs = clock.nowMs();
  let closeReason: string | undefined;

  const closedFault = () => new Fault('reader', `${port.path}: ${closeReason}`);
  const close = (reason: string) => {
    if (closeReason !== undefined) return;
    closeReason = reason;
    port.close().catch(() => {});
    buffer.close();
    onClosed();
  };
  port.onClose(close);
  port.onData((bytes) => {
    if (closeReason !== undefined) return;
    for (const frame of parser.push(bytes)) {
      lastFrameAtMs = clock.nowMs();
      if (isBuffering) buffer.push(frame);
      else onUnsolicited(frame);
    }
  });
  return {
    async send(bytes) {
      if (closeReason !== undefined) throw closedFault();
      trace?.('out', bytes);
      try {
        await withTimeout(clock, SEND_LIMIT_MS, port.write(bytes), `${port.path} takes no bytes`);
      } catch (error) {
        if (closeReason !== undefined) throw closedFault();
        // The device may be gone before the system reports it, and what it got is not known.
        const isTimeout = error instanceof Fault && error.code === 'timed_out';
        close(isTimeout ? 'takes no bytes' : messageOf(error));
        throw isTimeout ? closedFault() : error;
      }
    },
    async receive(limitMs) {
      const frame = await buffer.next(limitMs);
      if (frame === undefined && closeReason !== undefined) throw closedFault();
      return frame;
    },
    clear: buffer.clear,
    setBuffering(enabled) {
      isBuffering = enabled;
      buffer.clear();
    },
    get lastFrameAtMs() {
      return lastFrameAtMs;
    },
    get closeReason() {
      return closeReason;
    },
    close,
  };
}

/** A queue of received frames that one caller can wait on. */
function createFrameBuffer<F>(clock: Clock) {
  let frames: { frame: F; atMs: number }[] = [];
  let isClosed = false;
  let wake: (() => void) | undefined;
  return {
    push(frame: F) {
      frames.push({ frame, atMs: clock.nowMs() });
      wake?.();
    },
    clear: () => void (frames = []),
    close() {
      isClosed = true;
      wake?.();
    },
    /** Returns the next frame, or undefined after `limitMs` or once the buffer is closed. */
    async next(limitMs: number): Promise<F | undefined> {
      const endMs = clock.nowMs() + limitMs;
      if (frames.length === 0 && !isClosed && limitMs >= 0) {
        await new Promise<void>((resolve) => {
          wake = () => {
            timer.cancel();
            wake = undefined;
            resolve();
          };
          const timer = after(clock, limitMs, () => wake?.());
        });
      }
      const [first] = frames;
      if (!first || (limitMs < 0 && first.atMs > endMs)) return undefined;
      return frames.shift()!.frame;
    },
  };
}

// Longer than any frame: bytes that are still no frame by then are not shown.
const NOISE_BYTES_MAX = 70_000;

/**
 * Wraps a parser and traces the raw bytes of each frame, with the noise before it. It passes bytes to `parser` one by
 * one to know where a frame ends, since the mask needs whole frames.
 */
export function tracedParser<F>(parser: FrameParser<F>, trace: FrameTrace): FrameParser<F> {
  let since: number[] = [];
  let hidden = 0;
  const next = new Uint8Array(1);
  const traceHidden = () => {
    if (hidden > 0) trace('in', new Uint8Array(0), `${hidden} bytes that are no frame`);
    hidden = 0;
  };
  return {
    push(bytes) {
      const frames: F[] = [];
      for (const byte of bytes) {
        since.push(byte);
        next[0] = byte;
        const found = parser.push(next);
        if (found.length === 0 && since.length < NOISE_BYTES_MAX) continue;
        const all = Uint8Array.from(since);
        const shown = found.length > 0 && parser.traceOf ? parser.traceOf(found.at(-1)!, all) : all;
        if (found.length === 0 || !shown) hidden += all.length;
        else {
          traceHidden();
          trace('in', shown);
        }
        if (hidden >= NOISE_BYTES_MAX) traceHidden();
        since = [];
        frames.push(...found);
      }
      return frames;
    },
  };
}
