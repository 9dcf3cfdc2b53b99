import { runChecks } from '../device-checks.ts';
import type { CheckResult, DriverModule, DriverParts } from '../driver.ts';
import { createTillReader } from '../till/till-reader.ts';
import { refuseRequest } from './commands.ts';
import { connectEcr, openEcrTerminal, type EcrMemory } from './session.ts';

/** Driver for payment terminals with ECR17 ("Protocollo 17"), over TCP or a serial line. */
export const driver: DriverModule = {
  createReader(parts) {
    const memory: EcrMemory = { before: new Map() };
    return createTillReader(parts, {
      name: 'ecr17',
      refuse: refuseRequest,
      open: () => openEcrTerminal(parts, memory),
    });
  },
  diagnose,
};

async function* diagnose(parts: DriverParts): AsyncIterable<CheckResult> {
  const allowed = { ...parts, allowRealTerminal: parts.allowRealTerminal ?? true };
  const memory: EcrMemory = { before: new Map() };
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
      advice: 'without it the outcome of a payment whose answer is lost stays unknown',
      async run() {
        const connection = await connectEcr(allowed, memory);
        try {
          return (await connection.readLast()) === undefined ? 'none stored' : 'there is one';
        } finally {
          await connection.close();
        }
      },
    },
  ]);
}
