import { CARD_NUMBER_MASKED } from '../../../protocol/card-numbers.ts';
import {
  AuthoriseAction,
  ReceiptReady,
  ActionCompleted,
} from '../../../protocol/messages/action.messages.ts';
import { BrokenRule, type DeviceBench } from './device-bench.ts';
import { insertCard } from './cardholder-cases.ts';
import { deviceCase, payByTap, refusalOf, refusedReport, repeats, tapCard } from './device-case.ts';
import type { SeenMessage } from './device-timeline.ts';

const ACTION_REPORT = /^(action|receipt)\./;

/** Returns what a report has as `receipt`. @throws BrokenRule when it has none */
function assertReceipt({ name, body }: SeenMessage): void {
  const receipt = Object(body['receipt']);
  for (const copy of ['merchantCopy', 'customerCopy'])
    if (typeof receipt[copy] !== 'string' || receipt[copy].trim() === '')
      throw new BrokenRule(`the ${name} has no ${copy}`);
  if (Object.keys(Object(receipt.fields)).length === 0) throw new BrokenRule(`the ${name} has no fields`);
}

const hadCardNumber = ({ body }: SeenMessage) => body['reason'] === CARD_NUMBER_MASKED;

/** @throws BrokenRule when a report was refused */
function assertNoneRefused(bench: DeviceBench): void {
  const refused = refusedReport(bench);
  if (refused) throw new BrokenRule(refusalOf(refused));
}

/**
 * What is seen of a report is masked already, so that a receipt on which the terminal has masked a number and one on which the
 * server has look the same: the server says which it had to mask.
 * @throws BrokenRule when a report has a card number
 */
function assertNoCardNumber(bench: DeviceBench): void {
  const found = bench.seen().find((one) => one.kind === 'refused' && hadCardNumber(one));
  if (found) throw new BrokenRule(`its ${found.name} contains a card number`);
}

/** @throws BrokenRule when a report has the PIN */
function assertNoPin(bench: DeviceBench): void {
  const pin = new RegExp(`(?<![0-9A-Za-z])${bench.pin}(?![0-9A-Za-z])`);
  const found = bench.reports().find(({ body }) => pin.test(JSON.stringify(body)));
  if (found) throw new BrokenRule(`its ${found.name} contains the PIN`);
}

const MASKED = ['protocol.card.masked', 'protocol.presence.no-card-data'] as const;

export const PAYMENT_CASES = [
  deviceCase(
    'payment',
    ['protocol.card.authorise'],
    async (bench) => {
      await tapCard(bench);
      await bench.expectReport(AuthoriseAction.name);
      await bench.expectEnd('Succeeded');
      return 'a card was tapped, and the payment was captured';
    },
    [],
  ),
  deviceCase(
    'reports',
    ['protocol.topics.declared', 'protocol.topics.retained'],
    async (bench) => {
      // A report that is refused may be the one that the payment waits for: then the refusal says more.
      await payByTap(bench).finally(() => assertNoneRefused(bench));
      const repeated = repeats(bench).length;
      const dropped = repeated > 0 ? `; ${repeated} came with a number that was not new` : '';
      return `none of ${bench.reports().length} reports was refused${dropped}`;
    },
    [],
  ),
  deviceCase('numbers', ['protocol.seq.count'], async (bench) => {
    await payByTap(bench);
    const numbers = bench
      .reports()
      .flatMap(({ name, body }) => (ACTION_REPORT.test(name) ? [body['seq']] : []));
    const wrong = numbers.findIndex((seq, at) => seq !== at + 1);
    if (wrong >= 0) throw new BrokenRule(`its report ${wrong + 1} has the number ${numbers[wrong]}`);
    return `its reports have the numbers 1 to ${numbers.length}`;
  }),
  deviceCase('masked', MASKED, async (bench) => {
    await payByTap(bench);
    assertNoCardNumber(bench);
    return `none of ${bench.reports().length} reports has a card number`;
  }),
  deviceCase('masked.pin', MASKED, async (bench) => {
    await insertCard(bench);
    await bench.type('pin');
    await bench.expectEnd('Succeeded', undefined, 40_000);
    assertNoCardNumber(bench);
    assertNoPin(bench);
    return `none of ${bench.reports().length} reports has a card number or the PIN`;
  }),
  deviceCase('refund', ['protocol.card.authorise'], async (bench) => {
    const sessionId = await payByTap(bench);
    const after = bench.mark();
    await bench.refund(sessionId);
    await bench.expectReport('action.accepted', { after });
    await bench.act('tap');
    await bench.expectReport(AuthoriseAction.name, { after });
    await bench.expectEnd('Succeeded');
    return 'the payment was refunded to a card that was tapped';
  }),
  deviceCase('decline', ['protocol.decision.declined'], async (bench) => {
    await tapCard(bench, { faults: [{ at: 'bank.authorisation', what: 'declined' }] });
    await bench.expectEnd('Failed', 'insufficient_funds');
    for (const name of [ReceiptReady.name, ActionCompleted.name])
      await bench.expectNo(name, { within: 1_000 });
    return 'the bank declined, and it made no receipt';
  }),
];

export const RECEIPT_CASES = [
  deviceCase(
    'receipt',
    ['protocol.receipt.ready'],
    async (bench) => {
      await tapCard(bench);
      assertReceipt(await bench.expectReport(ReceiptReady.name));
      return 'it sent both copies, with their fields';
    },
    [],
  ),
  deviceCase(
    'receipt.printed',
    ['protocol.receipt.terminal'],
    async (bench) => {
      await tapCard(bench);
      const ready = await bench.expectReport(ReceiptReady.name);
      const completed = await bench.expectReport(ActionCompleted.name, { after: ready.seq, within: 45_000 });
      const failed = completed.body['failedCopies'];
      if (!Array.isArray(failed) || failed.length > 0)
        throw new BrokenRule('its action.completed has copies that were not printed');
      await bench.expectEnd('Succeeded');
      return 'it printed both copies, and then completed the payment';
    },
    ['receipt'],
  ),
  deviceCase(
    'receipt.lost',
    ['protocol.receipt.again'],
    async (bench) => {
      await tapCard(bench, { faults: [{ at: 'message.report', what: 'lost', message: ReceiptReady.name }] });
      assertReceipt(await bench.expectReport(ActionCompleted.name, { within: 45_000 }));
      await bench.expectEnd('Succeeded');
      return 'its receipt.ready was lost, and its action.completed has the receipt';
    },
    ['payment', 'receipt'],
  ),
  deviceCase('receipt.no-paper', ['protocol.receipt.failed-copies'], async (bench) => {
    await bench.pay();
    await bench.expectReport('action.accepted');
    await bench.act('paper-out');
    try {
      await bench.act('tap');
      const completed = await bench.expectReport(ActionCompleted.name, { within: 60_000 });
      const failed = JSON.stringify(completed.body['failedCopies']);
      if (!failed?.includes('merchantCopy') || !failed.includes('customerCopy'))
        throw new BrokenRule(`it had no paper, and its action.completed has the failed copies ${failed}`);
      await bench.expectEnd('Succeeded');
    } finally {
      await bench.act('paper-in');
    }
    return 'it had no paper, said so of both copies, and the payment was captured';
  }),
  deviceCase(
    'receipt.point-of-sale',
    ['protocol.receipt.point-of-sale'],
    async (bench) => {
      await tapCard(bench, { receipts: 'PointOfSale' });
      await bench.expectReport(ReceiptReady.name);
      await bench.expectNo(ActionCompleted.name, { within: 2_000 });
      await bench.confirm('merchantCopy');
      await bench.expectNo(ActionCompleted.name, { within: 1_000 });
      await bench.confirm('customerCopy');
      await bench.expectEnd('Succeeded');
      await bench.expectNo(ActionCompleted.name, { within: 1_000 });
      return 'it waited until the point of sale had both copies';
    },
    ['payment', 'receipt'],
  ),
];
