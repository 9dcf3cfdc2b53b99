import { expect } from 'vitest';
import { fraction, seededRandom } from '../../protocol/ids.ts';
import { memoryOf } from '../../simulator/twins/stand-alone/journal.ts';
import { BAD_WIRE, type WireFaults } from '../../simulator/twins/wire-faults.ts';
import { openReaderFixture, type ReaderFixture } from './reader-fixture.ts';

// Long enough for all deadlines and the delays of a reconnecting line.
const ACTION_MS_MAX = 15 * 60_000;

// A cable that comes out every few payments.
const FAULTS: WireFaults = { ...BAD_WIRE, upMs: { min: 10_000, max: 300_000 } };

interface BadLineRun {
  driver: string;
  /** Cards that these readers accept. */
  cards: readonly string[];
  seed: string;
  runs: number;
}

/** Number of actions by final status. */
interface OutcomeCounts {
  Succeeded: number;
  Failed: number;
  Cancelled: number;
}

/**
 * Takes payments in sequence over a faulty line: noise, lost and changed bytes, split and joined frames, delays,
 * unplugged cables. Each action must end once, with the right amount, and server and terminal must agree.
 */
export async function payOverBadLine({ driver, cards, seed, runs }: BadLineRun): Promise<OutcomeCounts> {
  const tally: OutcomeCounts = { Succeeded: 0, Failed: 0, Cancelled: 0 };
  const random = seededRandom(`${driver} ${seed}`);
  const shop = await openReaderFixture({ driver, faults: { seed, faults: FAULTS }, world: { seed } });
  let takenMinor = 0;
  const below = (count: number) => Math.floor(fraction(random) * count);
  try {
    for (let run = 0; run < runs; run += 1) {
      const card = cards[below(cards.length)]!;
      const amountMinor = 100 + below(800) + 1000 * below(9);
      const status = await onePayment(shop, card, amountMinor, below(10) === 0);
      tally[status] += 1;
      if (status === 'Succeeded') takenMinor += amountMinor;
      // Time until the next payment. An unplugged cable may be plugged in again.
      await shop.world.advance({ seconds: 1 + below(10) });
    }
    await expectBankAgrees(shop, takenMinor);
    return tally;
  } finally {
    await shop.close();
  }
}

/** Checks that a payment terminal's own bank and the server captured the same amount; the rest was reversed. */
async function expectBankAgrees({ world, terminal }: ReaderFixture, takenMinor: number): Promise<void> {
  const { journal } = memoryOf(terminal.tray);
  if (journal.length === 0) return;
  await world.advance({ minutes: 30 });
  const standing = journal.filter(
    ({ kind, resultCode, reversed }) => kind === 'payment' && resultCode === 0 && !reversed,
  );
  expect(standing.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(takenMinor);
}

async function onePayment(
  shop: ReaderFixture,
  card: string,
  amountMinor: number,
  cancels: boolean,
): Promise<keyof OutcomeCounts> {
  const { till, terminal } = shop;
  const { body } = await till.pay(amountMinor);
  const sessionId: string = body.action.transaction.paymentSessionId;
  // The cardholder enters the PIN on the payment terminal; some payments are cancelled.
  shop.hold(card);
  if (cancels) await till.cancel();
  const action = await shop.soon(
    'the end of the action',
    async () => {
      if (terminal.status.state === 'awaitingPin') typePin(shop);
      const seen = await till.action();
      return seen.status === 'InProgress' || terminal.status.actionId ? undefined : seen;
    },
    ACTION_MS_MAX,
  );
  terminal.tray.remove();
  expect(action.id).toBe(body.action.id);
  const session = await till.session(sessionId);
  const movements = await till.movements(sessionId);
  expect(session.amount).toBe(amountMinor);
  if (action.status === 'Succeeded') {
    expect(session.status).toBe('Captured');
    expect(movements.filter((type) => type === 'Capture')).toHaveLength(1);
  } else {
    expect(movements).not.toContain('Capture');
    expect(['PendingPayment', 'Voided']).toContain(session.status);
  }
  return action.status;
}

function typePin({ terminal }: ReaderFixture): void {
  terminal.press(['1', '2', '3', '4', 'enter']);
}

const TAPPED = ['visa-contactless', 'mastercard-contactless', 'amex-contactless'];
const INSERTED = ['visa-contact-pin', 'mastercard-contact-pin', 'amex-contact-pin'];

/** Drivers with cards that their readers accept. */
export const BAD_LINE_READERS = [
  { driver: 'pn532', cards: TAPPED },
  { driver: 'ccid', cards: INSERTED },
  { driver: 'vivotech', cards: TAPPED },
  { driver: 'zvt', cards: TAPPED },
];
