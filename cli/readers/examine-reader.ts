import { acceptAnyCard } from '../../agent/readers/card-policy.ts';
import type { OpenPort } from '../../agent/readers/byte-port.ts';
import type { CardProtection } from '../../agent/readers/card-protection.ts';
import type { DriverEntry, CheckResult } from '../../agent/readers/driver.ts';
import type { FrameTrace } from '../../agent/readers/frame-channel.ts';
import { createFrameMask } from '../../agent/readers/frame-mask.ts';
import { Fault } from '../../protocol/failures.ts';
import { seededRandom } from '../../protocol/ids.ts';
import type { Log } from '../../protocol/log.ts';
import { createSimulatedPinPad } from '../../simulator/pin-pad.ts';
import { recordDevice } from './examination/record-device.ts';
import type { RecordedEvent } from './examination/saved-examination.ts';
import { devicePort } from './reader-port.ts';
import type { TerminalSettings } from './terminal-settings.ts';
import type { CommandContext } from '../command-line/command-context.ts';

/** Keys for an examination, which encrypts nothing. */
export const NO_KEYS: CardProtection = {
  transaction() {
    throw new Fault('internal', 'the reader examination takes no payment');
  },
};

/** Opens a port that closes when the command is interrupted, which ends what waits for the device. */
export function closedWhenInterrupted(open: OpenPort, interrupted: AbortSignal): OpenPort {
  return async (settings) => {
    const port = await open(settings);
    const close = () => void port.close().catch(() => {});
    port.onClose(() => interrupted.removeEventListener('abort', close));
    if (interrupted.aborted) close();
    else interrupted.addEventListener('abort', close, { once: true });
    return port;
  };
}

// More than the steps of any driver exchange; a chatty line sends without end.
const FRAMES_MAX = 200;

interface ExaminationOptions {
  log: Log;
  settings: TerminalSettings;
  allowRealTerminal?: boolean;
  /** Receives what happens on the line, unmasked. */
  record?: { events: RecordedEvent[]; steps: readonly unknown[]; seed: string };
}

/** A frame on the line, in hexadecimal, without cardholder data. */
interface ShownFrame {
  direction: 'out' | 'in';
  bytes: string;
  note?: string;
}

/** A step of the examination, with what was on the line meanwhile: the first 200 frames. */
export interface ExaminedStep extends CheckResult {
  frames: ShownFrame[];
}

/**
 * Tests the reader at a port step by step and closes the port. Stops after the first step that fails, and when the
 * command is interrupted.
 * @param options with `allowRealTerminal` false a real payment terminal is a failure.
 */
export async function* diagnoseReader(
  { clock, random, interrupted }: CommandContext,
  row: DriverEntry,
  port: string,
  { settings, record, ...options }: ExaminationOptions,
): AsyncGenerator<ExaminedStep> {
  const driver = await row.load();
  const masks = { in: createFrameMask(), out: createFrameMask() };
  const reached = devicePort(port, row, settings.ca);
  const device = record ? recordDevice(reached, clock, record) : reached;
  const diagnose = (trace: FrameTrace) =>
    driver.diagnose({
      ...device,
      open: closedWhenInterrupted(device.open, interrupted),
      clock,
      random: record ? seededRandom(record.seed) : random,
      ...options,
      terminalSettings: settings.members,
      pinPad: createSimulatedPinPad(),
      protection: NO_KEYS,
      cards: acceptAnyCard,
      countryCode: '826',
      trace,
    });
  yield* withFrames(diagnose, masks);
}

/** Adds to each step what was on the line meanwhile. */
export async function* withFrames(
  diagnose: (trace: FrameTrace) => AsyncIterable<CheckResult>,
  masks: Record<'in' | 'out', (bytes: Uint8Array) => string>,
): AsyncGenerator<ExaminedStep> {
  let frames: ShownFrame[] = [];
  const trace: FrameTrace = (direction, bytes, note) => {
    const shown = { direction, bytes: masks[direction](bytes), ...(note !== undefined && { note }) };
    if (frames.length < FRAMES_MAX) frames.push(shown);
  };
  for await (const finding of diagnose(trace)) {
    const meanwhile = frames;
    frames = [];
    yield { ...finding, frames: meanwhile };
  }
}

/**
 * Tests a reader before it is used. Warns about a card that lies there and cannot pay, which the cardholder takes away.
 * @throws Fault `reader` with the step that failed, its result and advice.
 */
export async function requireHealthyReader(
  context: CommandContext,
  row: DriverEntry,
  port: string,
  options: ExaminationOptions,
): Promise<void> {
  for await (const { ok, step, detail, advice, checksCard } of diagnoseReader(context, row, port, options)) {
    if (ok) continue;
    if (checksCard) {
      options.log.warn({ port, step, reason: detail }, 'the card at the reader cannot pay');
      continue;
    }
    const words = [`${row.title} at ${port}: ${step}: ${detail}`, advice].filter(Boolean).join('; ');
    throw new Fault('reader', `${words} ('tapbench doctor ${port} --driver ${row.name}' shows each step)`);
  }
}
