import { expect, test } from 'vitest';
import { Fault } from '../../../../protocol/failures.ts';
import { seededRandom } from '../../../../protocol/ids.ts';
import { createChipCard } from '../../../../simulator/cards/chip-card-registry.ts';
import { testBank } from '../../../../simulator/twins/stand-alone/bank.ts';
import { frontOf } from '../../../../simulator/twins/stand-alone/cardholder-side.ts';
import { memoryOf, setPaper } from '../../../../simulator/twins/stand-alone/journal.ts';
import { createSimpleTill } from '../../../../simulator/twins/stand-alone/simple-till.ts';
import { createStandAloneTerminal } from '../../../../simulator/twins/stand-alone/stand-alone-terminal.ts';
import type {
  TerminalReport,
  TillCommand,
} from '../../../../simulator/twins/stand-alone/terminal-language.ts';
import { createCardTray } from '../../../../simulator/twins/twin.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';

const PAY: TillCommand = { type: 'pay', amountMinor: 1742, currency: '0978' };
const A_SALE_MS = 2_000;

/** A terminal in virtual time, and the till that asks it. */
function fixture() {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  const tray = createCardTray();
  const [memory, front] = [memoryOf(tray), frontOf(tray)];
  const told: string[] = [];
  const charged: number[] = [];
  const terminal = createStandAloneTerminal({
    clock,
    random: seededRandom('terminal'),
    memory,
    front,
    bank: testBank,
    layout: () => ({ language: 'en', columns: 32, terminalId: memory.terminalId, declineText: String }),
    onCharged: ({ amountMinor }) => void charged.push(amountMinor),
  });
  const till = createSimpleTill({ clock, tell: async (step) => void told.push(step), terminalPrints: true });
  return {
    clock,
    tray,
    memory,
    front,
    told,
    charged,
    terminal,
    till,
    present: (card: string) => tray.insert(createChipCard(card)!),
    /** Runs a command, and advances the time until it is over. */
    async perform(command: TillCommand, ms = A_SALE_MS): Promise<TerminalReport> {
      const [report] = await Promise.all([terminal.perform(command, till), clock.advance(ms)]);
      return report;
    },
    states: () => memory.timeline.map(({ state }) => state),
  };
}

test('stand-alone terminal: a payment is in the journal, on paper and in the timeline', async () => {
  const shop = fixture();
  shop.present('visa-contactless');
  expect(await shop.perform(PAY)).toMatchObject({
    type: 'result',
    transaction: { kind: 'payment', amountMinor: 1742, resultCode: 0, receiptNumber: 1 },
  });
  expect(shop.states()).toEqual(['awaitingCard', 'readingCard', 'authorising', 'printing', 'idle']);
  expect(shop.told).toEqual(['insertCard', 'waitingForBank']);
  expect(shop.charged).toEqual([1742]);
  expect(shop.memory.printed.map((lines) => lines[1]!.trim())).toEqual(['MERCHANT COPY', 'CUSTOMER COPY']);
  expect(JSON.stringify(shop.memory)).not.toMatch(/401200[0-9]{6}0085/);
});

test('stand-alone terminal: asks for the PIN again until no try is left, and its bank declines then', async () => {
  const shop = fixture();
  shop.present('visa-contact-pin');
  const paid = shop.terminal.perform(PAY, shop.till);
  for (let wrong = 0; wrong < 3; wrong += 1) {
    await shop.clock.advance(500);
    shop.front.press(['9', '9', '9', '9', 'enter']);
  }
  await shop.clock.advance(A_SALE_MS);
  expect(await paid).toMatchObject({ type: 'result', transaction: { resultCode: 75 } });
  expect(shop.told.filter((step) => step === 'incorrectPin')).toHaveLength(3);
  expect(shop.charged).toEqual([]);
});

test.each([
  ['the till cancels', 'tillCancelled'],
  ['the cardholder presses cancel', 'cardholderCancelled'],
  ['nobody presents a card', 'timedOut'],
] as const)('stand-alone terminal: no money moves when %s', async (_, reason) => {
  const shop = fixture();
  const paid = shop.terminal.perform(PAY, shop.till);
  await shop.clock.advance(1_000);
  if (reason === 'tillCancelled') expect(shop.till.cancel()).toBe(true);
  if (reason === 'cardholderCancelled') shop.front.press(['cancel']);
  await shop.clock.advance(90_000);
  expect(await paid).toEqual({ type: 'ended', reason });
  expect(shop.memory.journal).toEqual([]);
});

test('stand-alone terminal: refuses a cancel once its bank is asked', async () => {
  const shop = fixture();
  shop.present('visa-contactless');
  const paid = shop.terminal.perform(PAY, shop.till);
  await shop.clock.advance(500);
  expect(shop.till.cancel()).toBe(false);
  await shop.clock.advance(A_SALE_MS);
  expect(await paid).toMatchObject({ type: 'result' });
});

test('stand-alone terminal: a till that is gone before the card is read stops it', async () => {
  const shop = fixture();
  const paid = shop.terminal.perform(PAY, shop.till);
  await shop.clock.advance(1_000);
  shop.till.leave();
  await expect(paid).rejects.toThrow(Fault);
  expect(shop.states().at(-1)).toBe('idle');
});

test('stand-alone terminal: without paper the receipts wait, and the payment does not', async () => {
  const shop = fixture();
  setPaper(shop.memory, false);
  shop.present('visa-contactless');
  expect(await shop.perform(PAY)).toMatchObject({ type: 'result' });
  expect(shop.memory.timeline.at(-1)).toMatchObject({ event: 'paper.missing', state: 'idle' });
  expect(shop.memory.printed).toEqual([]);
  setPaper(shop.memory, true);
  expect(shop.memory.printed).toHaveLength(2);
});

test('stand-alone terminal: reverses once, the last transaction unless one is named', async () => {
  const shop = fixture();
  expect(await shop.perform({ type: 'reverse' })).toEqual({ type: 'refused', reason: 'notReversible' });
  shop.present('visa-contactless');
  await shop.perform(PAY);
  expect(await shop.perform({ type: 'reverse' })).toMatchObject({ transaction: { kind: 'reversal' } });
  expect(await shop.perform({ type: 'reverse', receiptNumber: 1 })).toEqual({
    type: 'refused',
    reason: 'alreadyReversed',
  });
});

test('stand-alone terminal: says the last result again, and closes the day', async () => {
  const shop = fixture();
  expect(await shop.perform({ type: 'lastResult' })).toEqual({ type: 'refused', reason: 'noTransaction' });
  shop.present('visa-contactless');
  const paid = await shop.perform(PAY);
  expect(await shop.perform({ type: 'lastResult' })).toEqual(paid);
  expect(await shop.perform({ type: 'print' })).toMatchObject({ type: 'printed' });
  expect(shop.memory.printed).toHaveLength(4);
  expect(await shop.perform({ type: 'reconcile', closes: true })).toMatchObject({
    journal: [{ amountMinor: 1742 }],
  });
  expect(shop.memory.journal).toEqual([]);
});

test.each([
  [{ ...PAY, amountMinor: 0 }, 'badAmount'],
  [{ ...PAY, currency: '0999' }, 'wrongCurrency'],
] as const)('stand-alone terminal: refuses %o: %s', async (command, reason) => {
  expect(await fixture().perform(command)).toEqual({ type: 'refused', reason });
});

test('stand-alone terminal: runs one command at a time', async () => {
  const shop = fixture();
  const first = shop.terminal.occupy(() => shop.terminal.perform(PAY, shop.till));
  expect(await shop.terminal.occupy(async () => 'second')).toBeUndefined();
  shop.till.cancel();
  await first;
  expect(await shop.terminal.occupy(async () => 'third')).toBe('third');
  // A terminal that nobody uses waits for nothing.
  await shop.clock.advance(0);
  expect(shop.clock.due).toEqual([]);
});
