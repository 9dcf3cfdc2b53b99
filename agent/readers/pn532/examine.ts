import type { Clock } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { OpenPort } from '../byte-port.ts';
import type { Finding } from '../driver.ts';
import { createWire } from '../wire.ts';
import { createParser } from './parser.ts';
import { lookForCard, PN532_LINE } from './slot.ts';
import { echoes, firmware, startChip, wake } from './start-chip.ts';

const WIRING =
  'Check that the board is switched to HSU (both switches off on most), its TXD goes to RXD of the adapter and RXD to TXD, and that it has power';

/** Tries a chip step by step (DriverModule.examine). */
export async function* examineChip({
  open,
  clock,
}: {
  open: OpenPort;
  clock: Clock;
}): AsyncGenerator<Finding> {
  let wire;
  try {
    const port = await open(PN532_LINE);
    wire = createWire({ port, parser: createParser(), clock, unasked: () => {}, ended: () => {} });
  } catch (error) {
    return yield { step: 'open the port', ok: false, detail: messageOf(error) };
  }
  yield { step: 'open the port', ok: true, detail: '115200 baud, 8N1' };
  wire.keep(true);
  const parts = { clock, wire };
  const steps: { step: string; advice: string; run: () => Promise<string> }[] = [
    { step: 'wake the chip', advice: WIRING, run: async () => (await wake(parts), 'it answers') },
    {
      step: 'read its firmware',
      advice: 'Another device answers: choose its driver with --driver',
      run: async () => `PN532 firmware ${await firmware(parts)}`,
    },
    {
      step: 'send bytes there and back',
      advice: 'The line loses or changes bytes: use a shorter cable or another adapter',
      run: async () => {
        if (!(await echoes(parts))) throw new Error('other bytes came back');
        return 'the same bytes came back';
      },
    },
    { step: 'set it up', advice: WIRING, run: async () => (await startChip(parts), 'done') },
    {
      step: 'look for a card',
      advice: 'The field does not come on: the board needs 5 V and up to 150 mA',
      run: async () => {
        const card = await lookForCard(clock, wire);
        return card ? `a card of ${card.modulation === 'typeA' ? 'type A' : 'type B'}` : 'the field is empty';
      },
    },
  ];
  try {
    for (const { step, advice, run } of steps) {
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
