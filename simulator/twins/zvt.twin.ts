import { messageOf } from '../../protocol/failures.ts';
import type { Key } from '../pin-pad.ts';
import type { Twin, TwinParts } from './twin.ts';
import { isAnswer, type Apdu } from './zvt/apdu.ts';
import { testBank } from './zvt/bank.ts';
import { createCardholderSide } from './zvt/cardholder-side.ts';
import { createCommandDispatcher } from './zvt/command-dispatcher.ts';
import { createEcrTransport } from './zvt/ecr-link.ts';
import { memoryOf } from './zvt/terminal-memory.ts';
import type { Language } from './zvt/receipts.ts';

// A terminal waits for commands without a limit; this only bounds one wait.
const IDLE_MS = 3_600_000;

/**
 * Creates a ZVT payment terminal (PA00P015, PA00P016) with a test bank. A terminal on the same tray keeps its
 * transactions when it is connected again.
 */
export function createTwin(parts: TwinParts): Twin {
  const { port, clock, log, tray } = parts;
  const transport = port.path.startsWith('tcp:') ? 'tcp' : 'serial';
  const line = createEcrTransport({ port, clock, transport });
  const front = createCardholderSide(tray);
  const settings = { language: 'de' as Language };
  const dispatcher = createCommandDispatcher({
    ...parts,
    line,
    front,
    settings,
    bank: testBank,
    memory: memoryOf(tray),
  });

  const dispatch = async (apdu: Apdu) => {
    try {
      await dispatcher.dispatch(apdu);
    } catch (error) {
      log.debug({ command: apdu.control, reason: messageOf(error) }, 'the ECR disconnected');
    }
  };
  const live = async () => {
    while (line.ended === undefined) {
      const apdu = await line.next(IDLE_MS);
      if (apdu && !isAnswer(apdu)) await dispatch(apdu);
    }
  };
  live().catch((error: unknown) =>
    log.debug({ reason: messageOf(error) }, 'the connection of the twin ended'),
  );

  return {
    name: 'ZVT terminal',
    controls: {
      type: {
        argument: 'DIGITS',
        run: (digits) => front.press((digits ?? '').split('').filter((key): key is Key => /[0-9]/.test(key))),
      },
      confirm: { run: () => front.press(['enter']) },
      correct: { run: () => front.press(['clear']) },
      cancel: { run: () => front.press(['cancel']) },
      language: {
        argument: 'de|en',
        run: (name) => void (settings.language = name === 'en' ? 'en' : 'de'),
      },
    },
    close: () => port.close(),
  };
}
