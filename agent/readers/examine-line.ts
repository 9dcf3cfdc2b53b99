import type { Clock } from '../../protocol/clock.ts';
import { messageOf } from '../../protocol/failures.ts';
import type { LineSettings, OpenPort } from './byte-port.ts';
import type { Finding } from './driver.ts';
import { createWire, type FrameParser, type OpenWire } from './wire.ts';

/** One thing to try: what it found, in words for people, or thrown with why it did not go. */
export interface Trial {
  step: string;
  advice: string;
  run(): Promise<string>;
}

export interface ExaminationParts<F> {
  open: OpenPort;
  clock: Clock;
  settings: LineSettings;
  parser: FrameParser<F>;
  /** What is tried on the open line, in order. */
  trials(wire: OpenWire<F>): Trial[];
}

/** Opens a line and tries one thing after another on it; the first that does not go is the last. */
export async function* examineLine<F>(parts: ExaminationParts<F>): AsyncGenerator<Finding> {
  const { open, clock, settings, parser, trials } = parts;
  const opening = 'open the port';
  let wire: OpenWire<F>;
  try {
    const port = await open(settings);
    wire = createWire({ port, parser, clock, unasked: () => {}, ended: () => {} });
  } catch (error) {
    return yield { step: opening, ok: false, detail: messageOf(error) };
  }
  yield { step: opening, ok: true, detail: `${settings.baudRate} baud, 8N${settings.stopBits ?? 1}` };
  wire.keep(true);
  try {
    for (const { step, advice, run } of trials(wire)) {
      try {
        yield { step, ok: true, detail: await run() };
      } catch (error) {
        return yield { step, ok: false, detail: messageOf(error), advice };
      }
    }
  } finally {
    wire.end('closed');
  }
}
