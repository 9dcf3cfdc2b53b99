import { createWire } from '../../agent/readers/wire.ts';
import type { Apdu } from '../../agent/readers/zvt/apdu.ts';
import { createBareParser, createSerialParser } from '../../agent/readers/zvt/parser.ts';
import { createTalk, isAnswer } from '../../agent/readers/zvt/talk.ts';
import { TCP_PREFIX } from '../../agent/readers/zvt/tcp-port.ts';
import { messageOf } from '../../protocol/failures.ts';
import type { Key } from '../keypad.ts';
import type { Twin, TwinParts } from './twin.ts';
import { testBank } from './zvt/bank.ts';
import { createCardholderSide } from './zvt/cardholder-side.ts';
import { createCounter } from './zvt/counter.ts';
import { memoryOf } from './zvt/memory.ts';
import type { Language } from './zvt/receipts.ts';

// A terminal waits for its cash register for as long as it has power.
const IDLE_MS = 3_600_000;

/**
 * A payment terminal that speaks ZVT (PA00P015, PA00P016), with a bank of its own. What it has booked it keeps
 * when its line goes, as long as it has the same tray.
 */
export function createTwin(parts: TwinParts): Twin {
  const { port, clock, log, tray } = parts;
  const isTcp = port.path.startsWith(TCP_PREFIX);
  const wire = createWire({
    port,
    parser: isTcp ? createBareParser() : createSerialParser(),
    clock,
    unasked() {},
    ended() {},
  });
  wire.keep(true);
  const talk = createTalk(wire, clock, isTcp ? 'bare' : 'serial');
  const front = createCardholderSide(tray);
  const settings = { language: 'de' as Language };
  const counter = createCounter({ ...parts, talk, front, settings, bank: testBank, memory: memoryOf(tray) });

  const obey = async (apdu: Apdu) => {
    try {
      await counter.obey(apdu);
    } catch (error) {
      log.debug({ command: apdu.control, reason: messageOf(error) }, 'the cash register went away');
    }
  };
  const live = async () => {
    while (wire.gone === undefined) {
      const apdu = await talk.next(IDLE_MS);
      if (apdu && !isAnswer(apdu)) await obey(apdu);
    }
  };
  live().catch((error: unknown) => log.debug({ reason: messageOf(error) }, 'the line of the twin ended'));

  return {
    name: 'ZVT terminal',
    controls: {
      type: (digits) => front.press((digits ?? '').split('').filter((key): key is Key => /[0-9]/.test(key))),
      confirm: () => front.press(['enter']),
      correct: () => front.press(['clear']),
      cancel: () => front.press(['cancel']),
      language: (name) => void (settings.language = name === 'en' ? 'en' : 'de'),
    },
    async close() {
      wire.end('closed');
      await port.close();
    },
  };
}
