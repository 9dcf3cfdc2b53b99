import type { Clock } from '../protocol/clock.ts';
import { encode, type Envelope } from '../protocol/message.ts';
import { ReaderTraced, TRACED_BYTES_MAX } from '../protocol/messages/inspection.messages.ts';
import { PRINTER_NOTE } from '../protocol/receipt-printer.ts';
import { ACKNOWLEDGEMENT_BYTES_MAX, createFrameMask, maskedReceipt } from './readers/frame-mask.ts';
import type { DriverModule, DriverParts, FrameWords } from './readers/driver.ts';
import type { FrameTrace } from './readers/frame-channel.ts';

/**
 * Adds to each frame what it is in plain words. What cannot be described passes without: a trace that only observes ends no
 * payment.
 */
export function withFrameWords(
  trace: FrameTrace,
  driver: Pick<DriverModule, 'frameWords'>,
  parts: Pick<DriverParts, 'terminalSettings'>,
): FrameTrace {
  let words: FrameWords | undefined;
  const describe = (bytes: Uint8Array): string | undefined => {
    try {
      words ??= driver.frameWords?.(parts);
      return words?.(bytes);
    } catch {
      return undefined;
    }
  };
  return (direction, bytes, note) => trace(direction, bytes, note ?? describe(bytes));
}

interface ReaderTraceParts {
  terminalId: string;
  clock: Clock;
  actionId(): string | undefined;
  isOnline(): boolean;
  publish(envelope: Envelope): void;
  /** Whether it is the line of the receipt printer, whose bytes are named as that. */
  isPrinter?: true;
}

// Hardly a line is silent for so long within a message, so a trace that begins later has the same bytes. The clock may have
// been advanced in the middle of a value, so the rest that may come first is still hidden.
const SILENCE_MS = 30_000;

/** Creates a mask for one direction of a line, which begins anew after a silence. */
function createLineMask(clock: Clock): (bytes: Uint8Array) => string {
  let mask = createFrameMask();
  let lastMs = clock.nowMs();
  return (bytes) => {
    const nowMs = clock.nowMs();
    const isAfterSilence = nowMs - lastMs >= SILENCE_MS;
    lastMs = nowMs;
    if (!isAfterSilence) return mask(bytes);
    const before = mask;
    mask = createFrameMask();
    const shown = mask(bytes);
    return bytes.length > ACKNOWLEDGEMENT_BYTES_MAX ? before(bytes) : shown;
  };
}

// A card takes about 60 frames. The limit protects the terminal from a reader that floods.
const FRAMES_A_SECOND = 100;

/** Publishes masked frames of a line, up to 100 a second. Further frames are counted and omitted. */
export function createReaderTrace(parts: ReaderTraceParts): FrameTrace {
  const { terminalId, clock, publish } = parts;
  const masks = parts.isPrinter
    ? { out: maskedReceipt, in: maskedReceipt }
    : { out: createLineMask(clock), in: createLineMask(clock) };
  const second = { atMs: 0, frames: 0 };
  let leftOut = 0;

  return (direction, bytes, said) => {
    // Mask every frame, also one that is not published, since a hidden value may continue in the next one.
    const shown = masks[direction](bytes);
    if (!parts.isOnline()) return;
    const nowMs = clock.nowMs();
    if (nowMs - second.atMs >= 1000) Object.assign(second, { atMs: nowMs, frames: 0 });
    second.frames += 1;
    if (second.frames > FRAMES_A_SECOND) return void (leftOut += 1);
    const cut = bytes.length > TRACED_BYTES_MAX ? `the first of ${bytes.length} bytes` : undefined;
    const missing = leftOut > 0 ? `${leftOut} frames before it are left out` : undefined;
    const named = parts.isPrinter ? PRINTER_NOTE + (said ?? `${bytes.length} bytes`) : said;
    const note = [named, cut, missing].filter(Boolean).join('; ');
    leftOut = 0;
    const actionId = parts.actionId();
    publish(
      encode(ReaderTraced, terminalId, {
        direction,
        bytes: shown.slice(0, 2 * TRACED_BYTES_MAX),
        ...(actionId !== undefined && { actionId }),
        ...(note && { note: note.slice(0, NOTE_LETTERS_MAX) }),
      }),
    );
  };
}

const NOTE_LETTERS_MAX = 200;
