import { messageOf } from '../../protocol/failures.ts';
import type { Key } from '../keypad.ts';
import type { Twin, TwinParts } from './twin.ts';
import { isAnswer, type Apdu } from './zvt/apdu.ts';
import { testBank } from './zvt/bank.ts';
import { createCardholderSide } from './zvt/cardholder-side.ts';
import { createCounter } from './zvt/counter.ts';
import { memoryOf } from './zvt/memory.ts';
import type { Language } from './zvt/receipts.ts';
import { createRegisterLine } from './zvt/register-line.ts';

// A terminal waits for its cash register for as long as it has power.
const IDLE_MS = 3_600_000;

/**
 * A payment terminal that speaks ZVT (PA00P015, PA00P016), with a bank of its own. What it has booked it keeps
 * when its line goes, as long as it has the same tray.
 */
export function createTwin(parts: TwinParts): Twin {
  const { port, clock, log, tray } = parts;
  const transport = port.path.startsWith('tcp:') ? 'tcp' : 'serial';
  const line = createRegisterLine({ port, clock, transport });
  const front = createCardholderSide(tray);
  const settings = { language: 'de' as Language };
  const counter = createCounter({ ...parts, line, front, settings, bank: testBank, memory: memoryOf(tray) });

  const obey = async (apdu: Apdu) => {
    try {
      await counter.obey(apdu);
    } catch (error) {
      log.debug({ command: apdu.control, reason: messageOf(error) }, 'the cash register went away');
    }
  };
  const live = async () => {
    while (line.ended === undefined) {
      const apdu = await line.next(IDLE_MS);
      if (apdu && !isAnswer(apdu)) await obey(apdu);
    }
  };
  live().catch((error: unknown) => log.debug({ reason: messageOf(error) }, 'the line of the twin ended'));

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
