import { runChecks } from '../device-checks.ts';
import type { CheckResult, DriverModule, DriverParts } from '../driver.ts';
import { createTillReader } from '../till/till-reader.ts';
import { refuseRequest } from './commands.ts';
import { keyOf } from './result.ts';
import { connectEcr, openEcrTerminal, type EcrMemory } from './session.ts';
import { describeFrame } from './frame-words.ts';

/** Driver for payment terminals with ECR17 ("Protocollo 17"), over TCP or a serial line. */
export const driver: DriverModule = {
  createReader(parts) {
    const memory: EcrMemory = {};
    return createTillReader(parts, {
      name: 'ecr17',
      refuse: refuseRequest,
      open: () => openEcrTerminal(parts, memory),
    });
  },
  diagnose,
  frameWords: () => describeFrame,
};

const NOT_FOUND_OUT = 'as long as it is so, the outcome of a payment whose answer is lost stays unknown';

async function* diagnose(parts: DriverParts): AsyncIterable<CheckResult> {
  const allowed = { ...parts, allowRealTerminal: parts.allowRealTerminal ?? true };
  const memory: EcrMemory = {};
  yield* runChecks([
    {
      step: 'status (s)',
      advice:
        'is the terminal on, and set to ECR17 with this port? Used with --allow-real-terminal only if real money may move',
      async run() {
        const { status, close } = await connectEcr(allowed, memory);
        await close();
        return `terminal ${status.terminalId}, ${status.problem ?? 'ready'}, check byte over ${memory.span}`;
      },
    },
    {
      step: 'last result (G)',
      showsCards: true,
      advice: 'without it the outcome of a payment whose answer is lost stays unknown',
      async run() {
        const connection = await connectEcr(allowed, memory);
        try {
          const last = await connection.readLast();
          if (last === undefined) return `the terminal shows none: ${NOT_FOUND_OUT}`;
          return keyOf(last) ? 'there is one' : `it cannot be read: ${NOT_FOUND_OUT}`;
        } finally {
          await connection.close();
        }
      },
    },
  ]);
}
