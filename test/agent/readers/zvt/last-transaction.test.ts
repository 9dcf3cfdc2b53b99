import { expect, test } from 'vitest';
import { memoryPendingReversals } from '../../../../agent/readers/pending-reversal-store.ts';
import type { ReaderEvent } from '../../../../agent/readers/reader.ts';
import { createZvtTerminal } from '../../../../agent/readers/zvt/terminal.ts';
import { driver } from '../../../../agent/readers/zvt/zvt.driver.ts';
import { ACTION_ID } from '../../agent-fixture.ts';
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
  const fixture = scriptedTerminal(script, { pendingReversals });
  return {
    ...fixture,
    pendingReversals,
    asked: (start: string) => fixture.commands.filter((hex) => hex.startsWith(start)),
  };
}

/** Starts a payment and advances the clock past its end and another minute. */
async function pays(fixture: ReturnType<typeof terminalThat>): Promise<ReaderEvent[]> {
  const facts: ReaderEvent[] = [];
  const reader = driver.createReader(fixture.parts);
  reader.begin(request, (fact) => facts.push(fact));
  reader.awaitCard();
  await fixture.clock.advance(5_000);
  reader.end();
  await fixture.clock.advance(60_000);
  await reader.close();
  return facts;
}

test('repeat receipt: requests the status information without printing, service byte 03', async () => {
  const fixture = terminalThat({ last: () => [APPROVED, COMPLETED] });
  await pays(fixture);
  expect(fixture.asked('0620')[0]).toBe('0620050000000303');
});

test('ZVT payment: one that completed without a status information is reversed by the last receipt', async () => {
  const fixture = terminalThat({ last: () => [APPROVED, COMPLETED] });
  await pays(fixture);
  expect(fixture.asked('0630')).toEqual(['063006000000870012']);
  expect(fixture.pendingReversals.load()).toEqual([]);
});

test('ZVT payment: a new last receipt without an amount belongs to the payment', async () => {
  const fixture = terminalThat({ last: () => [APPROVED_WITHOUT_AMOUNT, COMPLETED] });
  await pays(fixture);
  expect(fixture.asked('0630')).toHaveLength(1);
  expect(fixture.pendingReversals.load()).toEqual([]);
});

test.each([
  ['completes without a status information', [COMPLETED]],
  ['prints it, and no more', ['06 D1 03 00 4F 4B', COMPLETED]],
  ['does not know the command', REFUSED],
  ['reports a system error', ['06 1E 01 FF']],
])('repeat receipt: a terminal that %s may still store an approval', async (_, last) => {
  const fixture = terminalThat({ last: () => last });
  const facts = await pays(fixture);
  expect(facts.at(-1)?.type).toBe('reader.failed');
  expect(fixture.pendingReversals.load()).toMatchObject([{ request }]);
  // The query is repeated until it succeeds.
  expect(fixture.asked('0620').length).toBeGreaterThan(3);
});

test('repeat receipt: a terminal that stores no transaction did not approve one', async () => {
  const fixture = terminalThat({ last: () => NONE_REMEMBERED });
  await pays(fixture);
  expect(fixture.asked('0630')).toEqual([]);
  expect(fixture.pendingReversals.load()).toEqual([]);
});

test('ZVT reversal: stays pending when it completes without a status information', async () => {
  const fixture = terminalThat({ last: () => [APPROVED, COMPLETED], reverse: [COMPLETED] });
  await pays(fixture);
  expect(fixture.pendingReversals.load()).toMatchObject([{ receiptNumber: 12 }]);
  expect(fixture.asked('0630').length).toBeGreaterThan(1);
});

test('ZVT terminal: identify throws with the reason when the last receipt cannot be read', async () => {
  const fixture = scriptedTerminal((command) => {
    if (command.startsWith('0600')) return [REGISTERED];
    return command.startsWith('0501') ? ['06 0F 01 00'] : REFUSED;
  });
  const terminal = createZvtTerminal(fixture.parts);
  const identified = terminal.identify().catch((error: Error) => error.message);
  await fixture.clock.advance(20_000);
  expect(await identified).toContain('does not report its last receipt');
  await terminal.close();
});
