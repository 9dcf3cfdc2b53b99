import { expect, test } from 'vitest';
import { memoryPendingReversals } from '../../../../agent/readers/pending-reversal-store.ts';
import type { ReaderEvent } from '../../../../agent/readers/reader.ts';
import { driver } from '../../../../agent/readers/zvt/zvt.driver.ts';
import { ACTION_ID } from '../../agent-fixture.ts';
import { scriptedTerminal, type Script } from './scripted-terminal.ts';

const REGISTERED = '06 0F 0A 19 00 29 52 52 35 35 49 09 78';
const COMPLETED = '06 0F 00';

/** An approval in EUR. `at` is the time of the terminal, hhmmss on 20 November; without it the terminal sends none. */
function approval({ receipt, amount, at }: { receipt: string; amount: string; at?: string }): string {
  const time = at === undefined ? '' : `0C${at}0D1120`;
  const data = `270004${amount}490978${time}295252353587${receipt}8A06`;
  const length = (data.length / 2).toString(16).padStart(2, '0');
  return `040F${length}${data}`.toUpperCase();
}

const AMOUNT = '000000001742';
const OTHER_AMOUNT = '000000000999';

/**
 * A terminal that sends these messages for each payment in turn. Its last receipt is that of the last payment that
 * `charged` names.
 */
function terminalThat(payments: { sends: string[]; charged: string }[]) {
  let last: string | undefined;
  let turn = 0;
  const script: Script = (command) => {
    if (command.startsWith('0600')) return [REGISTERED];
    if (command.startsWith('0501')) return ['06 0F 01 00'];
    if (command.startsWith('0620')) return last === undefined ? ['06 1E 01 83'] : [last, COMPLETED];
    if (command.startsWith('0630')) return [approval({ receipt: '0099', amount: AMOUNT }), COMPLETED];
    const payment = payments[turn++]!;
    last = payment.charged;
    return payment.sends;
  };
  const pendingReversals = memoryPendingReversals();
  const fixture = scriptedTerminal(script, { pendingReversals });
  const reader = driver.createReader(fixture.parts);
  return {
    pendingReversals,
    reversals: () => fixture.commands.filter((hex) => hex.startsWith('0630')),
    async pays(amountMinor: number): Promise<ReaderEvent | undefined> {
      const events: ReaderEvent[] = [];
      const request = { actionId: ACTION_ID, type: 'Payment', amountMinor, currency: 'EUR' } as const;
      reader.begin(request, (event) => events.push(event));
      reader.awaitCard();
      await fixture.clock.advance(5_000);
      reader.end();
      return events.at(-1);
    },
    async close() {
      await fixture.clock.advance(60_000);
      await reader.close();
    },
  };
}

const first = approval({ receipt: '0001', amount: OTHER_AMOUNT, at: '120000' });
const second = approval({ receipt: '0002', amount: AMOUNT, at: '120100' });

test.each([
  ['after its own', [second, first, COMPLETED]],
  ['before its own', [first, second, COMPLETED]],
  ['twice', [first, second, first, COMPLETED]],
])('ZVT payment: the status of the payment before it, sent again %s, is ignored', async (_when, sends) => {
  const terminal = terminalThat([
    { sends: [first, COMPLETED], charged: first },
    { sends, charged: second },
  ]);
  expect(await terminal.pays(999)).toMatchObject({
    type: 'device.approved',
    approval: { reference: '0001/52523535' },
  });
  expect(await terminal.pays(1742)).toMatchObject({
    type: 'device.approved',
    approval: { reference: '0002/52523535' },
  });
  await terminal.close();
  expect(terminal.reversals()).toEqual([]);
  expect(terminal.pendingReversals.load()).toEqual([]);
});

test.each([
  ['with times', approval({ receipt: '0041', amount: AMOUNT, at: '115900' })],
  ['without times', approval({ receipt: '0041', amount: AMOUNT })],
])(
  'ZVT payment: a receipt of the same amount from before the agent started is not taken for its own, %s',
  async (name, old) => {
    const time = name === 'with times' ? { at: '120100' } : {};
    const own = approval({ receipt: '0043', amount: AMOUNT, ...time });
    for (const sends of [
      [own, old, COMPLETED],
      [old, own, COMPLETED],
    ]) {
      const terminal = terminalThat([{ sends, charged: own }]);
      expect(await terminal.pays(1742)).toMatchObject({ approval: { reference: '0043/52523535' } });
      await terminal.close();
      expect(terminal.reversals()).toEqual([]);
    }
  },
);

test('ZVT payment: an approval of another amount is reversed when it is the last receipt of the terminal', async () => {
  const wrong = approval({ receipt: '0002', amount: OTHER_AMOUNT });
  const terminal = terminalThat([{ sends: [wrong, COMPLETED], charged: wrong }]);
  expect(await terminal.pays(1742)).toEqual({
    type: 'reader.failed',
    reason: 'the terminal approved another amount than requested',
  });
  await terminal.close();
  expect(terminal.reversals()).toEqual(['063006000000870002']);
});

test('ZVT payment: a receipt of another amount that is not the last one of the terminal is left alone', async () => {
  const terminal = terminalThat([{ sends: [first, COMPLETED], charged: second }]);
  expect((await terminal.pays(1742))?.type).toBe('reader.failed');
  await terminal.close();
  // The last receipt has the requested amount, so it is of this payment.
  expect(terminal.reversals()).toEqual(['063006000000870002']);
});

test('ZVT reversal: is not taken as done because the status of another payment arrives meanwhile', async () => {
  const firstAgain = '04 0F 0C 27 00 29 52 52 35 35 87 00 01 8A 06';
  const outcomes: string[] = [];
  let reversals = 0;
  const fixture = scriptedTerminal(
    (command) => {
      if (command.startsWith('0600')) return [REGISTERED];
      if (command.startsWith('0501')) return ['06 0F 01 00'];
      if (command.startsWith('0620')) return [first, COMPLETED];
      if (command.startsWith('0630')) {
        reversals += 1;
        // It sends the last receipt again, and no status of the reversal.
        return reversals === 1 ? [firstAgain, COMPLETED] : [second, COMPLETED];
      }
      return undefined;
    },
    { pendingReversals: memoryPendingReversals() },
  );
  const reader = driver.createReader(fixture.parts);
  const request = { actionId: ACTION_ID, type: 'Payment', amountMinor: 999, currency: 'EUR' } as const;
  const done = async () => {
    const outcome = reader.reverse!(request, { authorisationCode: '', reference: '0001/52523535' })
      .then(() => 'reversed')
      .catch((error: Error) => error.message);
    await fixture.clock.advance(20_000);
    outcomes.push(await outcome);
  };
  await done();
  await done();
  expect(outcomes).toEqual(['the terminal does not report the outcome of the reversal', 'reversed']);
  await reader.close();
});
