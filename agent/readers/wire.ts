import { after, type Clock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import type { BytePort } from './byte-port.ts';
import { withTimeout } from '../../protocol/with-timeout.ts';

/** Finds the frames in a stream of bytes, whatever pieces it comes in, and finds the next one after noise. */
export interface FrameParser<F> {
  /** The frames that these bytes complete. Never throws. */
  push(bytes: Uint8Array): F[];
}

/** An open line as the driver sees it while it has the line to itself. */
export interface Wire<F> {
  /** Resolves when the bytes have left. @throws Fault `reader` when the line is gone or takes nothing for 5 s. */
  send(bytes: Uint8Array): Promise<void>;
  /** The next frame in order; undefined after `limitMs` without one. @throws Fault `reader` when the line is gone. */
  receive(limitMs: number): Promise<F | undefined>;
  /** Forgets the frames that have come and were not received. */
  clear(): void;
}

export interface OpenWire<F> extends Wire<F> {
  /** When a frame last came, or the line was opened. */
  readonly heardAtMs: number;
  readonly gone: string | undefined;
  /** Whether frames are kept for `receive`, or told to `unasked`. */
  keep(frames: boolean): void;
  /** Ends the line; whoever waits hears why. */
  end(reason: string): void;
}

const SEND_LIMIT_MS = 5_000;

export interface WireParts<F> {
  port: BytePort;
  parser: FrameParser<F>;
  clock: Clock;
  unasked(frame: F): void;
  ended(): void;
  trace?: LineTrace | undefined;
}

/** Reads frames off a port that was just opened. */
export function createWire<F>({ port, parser, clock, unasked, ended, trace }: WireParts<F>): OpenWire<F> {
  let frames: F[] = [];
  let keeps = false;
  let heardAtMs = clock.nowMs();
  let gone: string | undefined;
  // Set while somebody receives.
  let wake: (() => void) | undefined;

  const goneFault = () => new Fault('reader', `${port.path}: ${gone}`);
  const end = (reason: string) => {
    if (gone !== undefined) return;
    gone = reason;
    port.close().catch(() => {});
    wake?.();
    ended();
  };
  port.onClose(end);
  port.onData((bytes) => {
    if (gone !== undefined) return;
    for (const frame of parser.push(bytes)) {
      heardAtMs = clock.nowMs();
      if (!keeps) unasked(frame);
      else frames.push(frame);
    }
    wake?.();
  });
  return {
    async send(bytes) {
      if (gone !== undefined) throw goneFault();
      trace?.('out', bytes);
      try {
        await withTimeout(clock, SEND_LIMIT_MS, port.write(bytes), `${port.path} takes no bytes`);
      } catch (error) {
        if (error instanceof Fault && error.code === 'timed_out') end('takes no bytes');
        throw gone === undefined ? error : goneFault();
      }
    },
    async receive(limitMs) {
      if (frames.length === 0 && gone === undefined) {
        await new Promise<void>((done) => {
          let over = false;
          const timer = after(clock, limitMs, () => ((over = true), wake?.()));
          wake = () => {
            if (!over && frames.length === 0 && gone === undefined) return;
            timer.cancel();
            wake = undefined;
            done();
          };
        });
      }
      const frame = frames.shift();
      if (frame === undefined && gone !== undefined) throw goneFault();
      return frame;
    },
    clear: () => void (frames = []),
    keep(wanted) {
      keeps = wanted;
      frames = [];
    },
    get heardAtMs() {
      return heardAtMs;
    },
    get gone() {
      return gone;
    },
    end,
  };
}

/** Is shown the frames that pass on a line, seen from here; not masked yet. */
export type LineTrace = (direction: 'out' | 'in', bytes: Uint8Array, note?: string) => void;
