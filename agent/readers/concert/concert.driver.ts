import { runChecks } from '../device-checks.ts';
import type { CheckResult, DriverModule, DriverParts } from '../driver.ts';
import { createTillReader } from '../till/till-reader.ts';
import { refuseRequest } from './message.ts';
import { openConcertTerminal } from './session.ts';
import { describeFrame } from './frame-words.ts';

/** Driver for payment terminals with Concert V2, form E+, on a serial line. */
export const driver: DriverModule = {
  createReader: (parts) =>
    createTillReader(parts, {
      name: 'concert',
      reversesByAmount: true,
      refuse: refuseRequest,
      open: () => openConcertTerminal(parts),
    }),
  diagnose,
  frameWords: () => describeFrame,
};

async function* diagnose(parts: DriverParts): AsyncIterable<CheckResult> {
  const allowed = { ...parts, allowRealTerminal: parts.allowRealTerminal ?? true };
  yield* runChecks([
    {
      step: 'call (ENQ)',
      advice:
        'is the terminal on, idle, and set to Concert E+ on this line? Used with --allow-real-terminal only if real money may move',
      async run() {
        const terminal = await openConcertTerminal(allowed);
        await terminal.close();
        return 'the terminal is free';
      },
    },
  ]);
}
