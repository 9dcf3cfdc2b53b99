import type { Clock } from '../../protocol/clock.ts';
import { messageOf } from '../../protocol/failures.ts';
import type { LineSettings, OpenPort } from './byte-port.ts';
import type { CheckResult } from './driver.ts';
import {
  createFrameChannel,
  tracedParser,
  type FrameParser,
  type FrameTrace,
  type OpenFrameChannel,
} from './frame-channel.ts';

/** One check of a device. `run` returns a description of the result, or throws with the reason. */
export interface DeviceCheck {
  step: string;
  advice: string;
  /** Whether its answer may have the data of a card by its protocol. */
  showsCards?: true;
  /** Whether it checks the card that lies at the reader, so that a failure says nothing of the reader. */
  checksCard?: true;
  run(): Promise<string>;
}

interface DeviceCheckParts<F> {
  open: OpenPort;
  clock: Clock;
  settings: LineSettings;
  parser: FrameParser<F>;
  trace?: FrameTrace | undefined;
  /** The checks to run on the open channel, in order. */
  trials(channel: OpenFrameChannel<F>): DeviceCheck[];
}

/** Opens a port and runs checks until one fails. */
export async function* runDeviceChecks<F>(parts: DeviceCheckParts<F>): AsyncGenerator<CheckResult> {
  const { open, clock, settings, trace, trials } = parts;
  const parser = trace ? tracedParser(parts.parser, trace) : parts.parser;
  const opening = 'open the port';
  let channel: OpenFrameChannel<F>;
  try {
    const port = await open(settings);
    channel = createFrameChannel({ port, parser, clock, trace, onUnsolicited: () => {}, onClosed: () => {} });
  } catch (error) {
    return yield { step: opening, ok: false, detail: messageOf(error) };
  }
  yield { step: opening, ok: true, detail: `${settings.baudRate} baud, 8N${settings.stopBits ?? 1}` };
  channel.setBuffering(true);
  try {
    yield* runChecks(trials(channel));
  } finally {
    channel.close('closed');
  }
}

/** Runs checks in order and stops after the first that fails. */
export async function* runChecks(checks: Iterable<DeviceCheck>): AsyncGenerator<CheckResult> {
  for (const check of checks) {
    const { step, showsCards, checksCard } = check;
    const own = { step, ...(showsCards && { showsCards }), ...(checksCard && { checksCard }) };
    try {
      yield { ...own, ok: true, detail: await check.run() };
    } catch (error) {
      return yield { ...own, ok: false, detail: messageOf(error), advice: check.advice };
    }
  }
}
