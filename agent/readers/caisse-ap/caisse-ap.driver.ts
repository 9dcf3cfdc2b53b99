import { runChecks } from '../device-checks.ts';
import type { CheckResult, DriverModule, DriverParts } from '../driver.ts';
import { createTillReader } from '../till/till-reader.ts';
import type { CaisseAnswer } from './answer.ts';
import { ACTIONS, refuseRequest } from './request.ts';
import { openCaisseTerminal } from './session.ts';
import { describeFrame } from './frame-words.ts';

/** Driver for payment terminals with Caisse-AP (protocol Caisse-AP V3 over TCP). */
export const driver: DriverModule = {
  createReader: (parts) =>
    createTillReader(parts, {
      name: 'caisse-ap',
      reversesByAmount: true,
      refuse: refuseRequest,
      open: () => openCaisseTerminal(parts),
    }),
  diagnose,
  frameWords: () => describeFrame,
};

const IDENTIFY_LIMIT_MS = 10_000;

async function* diagnose(parts: DriverParts): AsyncIterable<CheckResult> {
  const allowed = { ...parts, allowRealTerminal: parts.allowRealTerminal ?? true };
  yield* runChecks([
    {
      step: 'open the port',
      advice:
        'is the terminal on, in this network, and set to Caisse-AP over IP? One that sleeps or has a card refuses the connection. Used with --allow-real-terminal only if real money may move',
      async run() {
        const terminal = await openCaisseTerminal(allowed);
        await terminal.close();
        return 'connected';
      },
    },
    {
      step: 'identify (CD=I)',
      advice: 'another port number, or a terminal that does not know the command',
      async run() {
        const terminal = await openCaisseTerminal(allowed);
        try {
          return describe(await terminal.ask({ action: ACTIONS.identify }, IDENTIFY_LIMIT_MS));
        } finally {
          await terminal.close();
        }
      },
    },
  ]);
}

function describe(answer: CaisseAnswer): string {
  const [version, identifier] = [answer.get('CZ'), answer.get('CJ')].map((text) => text ?? 'none');
  return `version ${version}, identifier ${identifier}`;
}
