import { expect, test } from 'vitest';
import { memoryPendingReversals } from '../../../../agent/readers/pending-reversal-store.ts';
import type { ReaderEvent } from '../../../../agent/readers/reader.ts';
import { createZvtTerminal } from '../../../../agent/readers/zvt/terminal.ts';
import { driver } from '../../../../agent/readers/zvt/zvt.driver.ts';
import { ACTION_ID } from '../../agent-bench.ts';
import { scriptedTerminal, type Script } from './scripted-terminal.ts';

const REGISTERED = '06 0F 0A 19 00 29 52 52 35 35 49 09 78';
const COMPLETED = '06 0F 00';
const NONE_REMEMBERED = ['06 1E 01 83'];
const REFUSED = ['84 83 00'];
/** An approval of 17.42 EUR under receipt 12. */
const APPROVED = '04 0F 16 27 00 04 00 00 00 00 17 42 49 09 78 29 52 52 35 35 87 00 12 8A 06';
/** The same without its amount, as some terminals repeat it. */
const APPROVED_WITHOUT_AMOUNT = '04 0F 0C 27 00 29 52 52 35 35 87 00 12 8A 06';
const request = { actionId: ACTION_ID, type: 'Payment', amountMinor: 1742, currency: 'EUR' } as const;

/** A terminal that stores its last receipt once a payment has started. */
function terminalThat(
  does: { pay?: string[]; last?: () => string[]; reverse?: string[] },
  pendingReversals = memoryPendingReversals(),
) {
  let begun = false;
  const script: Script = (command) => {
    if (command.startsWith('0600')) return [REGISTERED];
    if (command.startsWith('0501')) return ['06 0F 01 00'];
    if (command.startsWith('0630')) return does.reverse ?? [APPROVED, COMPLETED];
    if (command.startsWith('0620')) return begun ? does.last?.() : NONE_REMEMBERED;
    begun ||= command.startsWith('0601');
    return does.pay ?? [COMPLETED];
  };
  const bench = scriptedTerminal(script, { pendingReversals });
  return {
    ...bench,
    pendingReversals,
    asked: (start: string) => bench.commands.filter((hex) => hex.startsWith(start)),
  };
}

/** Starts a payment and advances the clock past its end and another minute. */
async function pays(bench: ReturnType<typeof terminalThat>): Promise<ReaderEvent[]> {
  const facts: ReaderEvent[] = [];
  const reader = driver.createReader(bench.parts);
  reader.begin(request, (fact) => facts.push(fact));
  reader.awaitCard();
  await bench.clock.advance(5_000);
  reader.end();
  await bench.clock.advance(60_000);
  await reader.close();
  return facts;
}

test('repeat receipt: requests the status information without printing, service byte 03', async () => {
  const bench = terminalThat({ last: () => [APPROVED, COMPLETED] });
  await pays(bench);
  expect(bench.asked('0620')[0]).toBe('0620050000000303');
});

test('ZVT payment: one that completed without a status information is reversed by the last receipt', async () => {
  const bench = terminalThat({ last: () => [APPROVED, COMPLETED] });
  await pays(bench);
  expect(bench.asked('0630')).toEqual(['063006000000870012']);
  expect(bench.pendingReversals.load()).toEqual([]);
});

test('ZVT payment: a new last receipt without an amount belongs to the payment', async () => {
  const bench = terminalThat({ last: () => [APPROVED_WITHOUT_AMOUNT, COMPLETED] });
  await pays(bench);
  expect(bench.asked('0630')).toHaveLength(1);
  expect(bench.pendingReversals.load()).toEqual([]);
});

test.each([
  ['completes without a status information', [COMPLETED]],
  ['prints it, and no more', ['06 D1 03 00 4F 4B', COMPLETED]],
  ['does not know the command', REFUSED],
  ['reports a system error', ['06 1E 01 FF']],
])('repeat receipt: a terminal that %s may still store an approval', async (_, last) => {
  const bench = terminalThat({ last: () => last });
  const facts = await pays(bench);
  expect(facts.at(-1)?.type).toBe('reader.failed');
  expect(bench.pendingReversals.load()).toMatchObject([{ request }]);
  // The query is repeated until it succeeds.
  expect(bench.asked('0620').length).toBeGreaterThan(3);
});

test('repeat receipt: a terminal that stores no transaction did not approve one', async () => {
  const bench = terminalThat({ last: () => NONE_REMEMBERED });
  await pays(bench);
  expect(bench.asked('0630')).toEqual([]);
  expect(bench.pendingReversals.load()).toEqual([]);
});

test('ZVT reversal: stays pending when it completes without a status information', async () => {
  const bench = terminalThat({ last: () => [APPROVED, COMPLETED], reverse: [COMPLETED] });
  await pays(bench);
  expect(bench.pendingReversals.load()).toMatchObject([{ receiptNumber: 12 }]);
  expect(bench.asked('0630').length).toBeGreaterThan(1);
});

test('ZVT terminal: identify throws with the reason when the last receipt cannot be read', async () => {
  const bench = scriptedTerminal((command) => {
    if (command.startsWith('0600')) return [REGISTERED];
    return command.startsWith('0501') ? ['06 0F 01 00'] : REFUSED;
  });
  const terminal = createZvtTerminal(bench.parts);
  const identified = terminal.identify().catch((error: Error) => error.message);
  await bench.clock.advance(20_000);
  expect(await identified).toContain('does not report its last receipt');
  await terminal.close();
});
