import { expect, test } from 'vitest';
import type { ReaderEvent } from '../../agent/readers/reader.ts';
import { DecideAction } from '../../protocol/messages/action.messages.ts';
import {
  ACTION_ID,
  startAgentFixture,
  cardOf,
  NOW_MS,
  READ_CHIP,
  READ_CONTACTLESS,
  START,
  type AgentFixture,
} from './agent-fixture.ts';

const MUTE: ReaderEvent = { type: 'card.unreadable', reason: 'mute' };

/** A terminal whose cardholder has tapped: the issuer is asked. */
function authorising(start: Parameters<AgentFixture['start']>[0] = {}): AgentFixture {
  const made = startAgentFixture();
  made.start(start);
  made.reader.emit(...READ_CONTACTLESS);
  return made;
}

test('contactless payment: ends as the server decides, and prints both copies', async () => {
  const terminal = startAgentFixture();
  terminal.network.takeReports();
  terminal.start();
  expect(terminal.state).toBe('awaitingCard');
  expect(terminal.network.takeReports()).toEqual(['action.accepted']);
  expect(terminal.reader.takeCalls()).toEqual(['begin', 'awaitCard']);
  expect(terminal.reader.request).toEqual({
    actionId: ACTION_ID,
    type: 'Payment',
    amountMinor: 1742,
    currency: 'GBP',
  });

  terminal.reader.emit(...READ_CONTACTLESS);
  expect(terminal.state).toBe('authorising');
  expect(terminal.network.last('action.authorise')).toMatchObject({
    actionId: ACTION_ID,
    seq: 2,
    verification: 'None',
    card: { last4: '0085', entryMode: 'Contactless' },
  });
  expect(terminal.network.takeReports()).toEqual(['action.authorise']);

  terminal.approve();
  await terminal.settle();
  expect(terminal.network.last('receipt.ready')).toMatchObject({ seq: 3 });
  const { receipt } = terminal.network.last('receipt.ready') as { receipt: unknown };
  expect(receipt).toHaveProperty('customerCopy');
  expect(terminal.network.last('action.completed')).toMatchObject({ seq: 4, failedCopies: [], receipt });
  expect(terminal.network.takeReports()).toEqual(['receipt.ready', 'action.completed']);
  expect(terminal.printer.copies.map(({ copy }) => copy)).toEqual(['merchantCopy', 'customerCopy']);
  expect(terminal.reader.takeCalls()).toEqual(['end']);
  expect(terminal.state).toBe('approved.completing');

  terminal.end('Succeeded');
  expect(terminal.agent.status).toEqual({});
  expect(terminal.journal.load()).toBeUndefined();
  expect(terminal.clock.due).toEqual([]);
  expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Approved']);
});

test('chip payment: requests the PIN, allows another after a wrong one, and requests authorisation', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CHIP, { type: 'pin.entered' }, { type: 'pin.rejected', triesLeft: 2 });
  expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Wrong PIN, 2 tries left']);
  terminal.reader.emit({ type: 'pin.entered' }, { type: 'pin.accepted' });
  expect(terminal.reader.takeCalls()).toEqual([
    'begin',
    'awaitCard',
    'awaitPin',
    'verifyPin',
    'awaitPin',
    'verifyPin',
  ]);
  expect(terminal.network.last('action.authorise')).toMatchObject({ verification: 'OfflinePin' });
});

test('chip payment: requests authorisation when no PIN tries are left, and is declined', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CHIP, { type: 'pin.entered' }, { type: 'pin.rejected', triesLeft: 0 });
  expect(terminal.network.last('action.authorise')).toMatchObject({ verification: 'PinFailed' });
  terminal.network.command(DecideAction, {
    actionId: ACTION_ID,
    outcome: 'declined',
    code: 'security_violation',
  });
  expect(terminal.state).toBe('declined');
  expect(terminal.steps.at(-1)?.status).toBe('Failed');
  terminal.end('Failed', 'security_violation');
  expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Declined']);
  expect(terminal.printer.copies).toEqual([]);
});

test.each([
  ['Wallet', 'onDevice', 'OnDevice'],
  ['Swipe', 'none', 'Signature'],
  ['Contact', 'none', 'None'],
] as const)('a %s card whose PIN demand is %s is verified by %s', (entryMode, pin, verification) => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit({ type: 'card.read', card: cardOf(entryMode), pin });
  expect(terminal.network.last('action.authorise')).toMatchObject({ verification });
});

test('receipts: at the point of sale, the terminal prints none and waits for both confirmations', async () => {
  const terminal = authorising({ receiptPrintingSource: 'PointOfSale' });
  terminal.approve();
  await terminal.settle();
  expect(terminal.state).toBe('approved.awaitingMerchantReceipt');
  terminal.confirm('merchantCopy');
  expect(terminal.state).toBe('approved.awaitingCustomerReceipt');
  terminal.confirm('customerCopy');
  expect(terminal.state).toBe('approved.awaitingEnd');
  terminal.end('Succeeded');
  expect(terminal.agent.status).toEqual({});
  expect(terminal.printer.copies).toEqual([]);
  expect(terminal.network.takeReports()).toEqual([
    'action.inquired',
    'action.accepted',
    'action.authorise',
    'receipt.ready',
  ]);
});

test('receipts: the server ends the action when the point of sale does not confirm them', async () => {
  const terminal = authorising({ receiptPrintingSource: 'PointOfSale' });
  terminal.approve();
  await terminal.clock.advance(60_000);
  terminal.end('Failed', 'receipt_not_confirmed');
  expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Not completed, nothing is charged']);
  expect(terminal.journal.load()).toBeUndefined();
});

test('receipts: a copy confirmed as failed is the last before the end', () => {
  const terminal = authorising({ receiptPrintingSource: 'PointOfSale' });
  terminal.approve();
  terminal.confirm('merchantCopy', 'Failed');
  expect(terminal.state).toBe('approved.awaitingEnd');
});

test('refund: ends like a payment, with a refund receipt', async () => {
  const terminal = authorising({ type: 'Refund' });
  expect(terminal.reader.request).toMatchObject({ type: 'Refund' });
  terminal.approve();
  await terminal.settle();
  expect(terminal.printer.copies[0]?.text).toContain('REFUND');
  terminal.end('Succeeded');
  expect(terminal.agent.screen).toEqual(['Refund 17.42 GBP', 'Refunded']);
});

test.each(['noPaper', 'throw'] as const)(
  'printer: on %s the payment stays approved, and the failed copies are reported',
  async (outcome) => {
    const terminal = authorising();
    terminal.printer.outcome = outcome;
    terminal.approve();
    await terminal.settle();
    expect(terminal.network.last('action.completed')).toMatchObject({
      failedCopies: ['merchantCopy', 'customerCopy'],
    });
  },
);

test('printer: each copy times out when it does not respond', async () => {
  const terminal = authorising();
  terminal.printer.outcome = 'jam';
  terminal.approve();
  await terminal.clock.advance(20_000);
  expect(terminal.state).toBe('approved.printing.customerCopy');
  await terminal.clock.advance(20_000);
  expect(terminal.network.last('action.completed')).toMatchObject({
    failedCopies: ['merchantCopy', 'customerCopy'],
  });
});

test('timeout: no card within the time that the server set', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  await terminal.clock.advance(START.presentCardMs - 1);
  expect(terminal.state).toBe('awaitingCard');
  await terminal.clock.advance(1);
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'timeout' });
  expect(terminal.reader.takeCalls()).toEqual(['begin', 'awaitCard', 'end']);
  expect(terminal.state).toBe('abandoning');
  terminal.end('Failed', 'timeout');
  expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Timed out']);
});

test('timeout: no PIN within a minute', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CHIP);
  await terminal.clock.advance(60_000);
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'timeout' });
});

test('timeout: no decision within half a minute requests a reversal, and a late approval is ignored', async () => {
  const terminal = authorising();
  await terminal.clock.advance(30_000);
  expect(terminal.state).toBe('reversing');
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'timeout' });
  terminal.approve();
  await terminal.settle();
  expect(terminal.state).toBe('reversing');
  expect(terminal.printer.copies).toEqual([]);
});

test('inquiry: repeated at growing intervals until the server ends the action', async () => {
  const terminal = authorising();
  terminal.approve();
  await terminal.settle();
  terminal.network.takeReports();
  const askedAtMs: number[] = [];
  for (let waited = 0; waited < 240; waited++) {
    await terminal.clock.advance(1_000);
    if (terminal.network.takeReports().includes('action.inquired'))
      askedAtMs.push(terminal.clock.nowMs() - NOW_MS);
  }
  expect(askedAtMs).toEqual([15_000, 45_000, 105_000, 225_000]);
});

test('unreadable card: three attempts in all', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit({ type: 'card.presented', entryMode: 'Contact' }, MUTE, MUTE);
  expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Card not read, try again']);
  terminal.reader.emit(MUTE);
  expect(terminal.reader.takeCalls()).toEqual(['begin', 'awaitCard', 'awaitCard', 'awaitCard', 'end']);
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'bad_track_data' });
});

test('chip card: removal before PIN verification counts as unreadable', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(...READ_CHIP, { type: 'card.removed' });
  expect(terminal.state).toBe('awaitingCard');
  terminal.reader.emit(...READ_CHIP, { type: 'pin.entered' }, { type: 'card.removed' });
  terminal.reader.emit({ type: 'card.presented', entryMode: 'Contact' }, { type: 'card.removed' });
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'bad_track_data' });
});

test('contactless card: may leave the field during PIN entry', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit(
    { type: 'card.read', card: cardOf('Contactless'), pin: 'pin' },
    { type: 'card.removed' },
  );
  expect(terminal.state).toBe('awaitingPin');
  terminal.reader.emit({ type: 'pin.entered' }, { type: 'pin.accepted' });
  expect(terminal.network.last('action.authorise')).toMatchObject({ verification: 'OnlinePin' });
});

test('reader: a failure or exception ends the action as a terminal error', () => {
  const failing = startAgentFixture();
  failing.start();
  failing.reader.emit({ type: 'reader.failed', reason: 'unplugged' });
  expect(failing.network.last('action.abandoned')).toMatchObject({
    code: 'unexpected_error',
    reason: 'unplugged',
  });

  const throwing = startAgentFixture();
  throwing.reader.failAt.add('begin');
  throwing.start();
  expect(throwing.network.last('action.abandoned')).toMatchObject({
    code: 'unexpected_error',
    reason: 'the reader is unplugged',
  });
});

test.each([
  ['a decline offline', [{ type: 'card.declined', reason: 'AAC' }], 'AAC'],
  ["a decline of the device's bank", [{ type: 'device.declined', reason: 'limit' }], 'limit'],
  ['a third unreadable card', Array.from({ length: 3 }, () => MUTE), 'mute'],
  ['a cancel by the cardholder', [{ type: 'cancel.pressed' }], undefined],
] as [string, ReaderEvent[], string | undefined][])(
  'reader: the report of %s has what the reader said',
  (_, events, reason) => {
    const terminal = startAgentFixture();
    terminal.start();
    terminal.reader.emit(...events);
    expect(terminal.network.last('action.abandoned')?.['reason']).toBe(reason);
  },
);

test('reader: a reason is one short line without card numbers, in the report and in the journal', () => {
  const terminal = startAgentFixture();
  terminal.start();
  const reason = `card 4012001037140085\n${'is odd '.repeat(200)}`;
  terminal.reader.emit({ type: 'reader.failed', reason });
  const reported = String(terminal.network.last('action.abandoned')!['reason']);
  expect(reported).toMatch(/^card ·· is odd .*…$/);
  expect(reported).toHaveLength(200);
  expect(JSON.stringify(terminal.journal.load())).not.toContain('4012001037140085');
});

test('reader: a failure from the journal of an older firmware is reported without a reason', () => {
  const terminal = startAgentFixture();
  terminal.start();
  terminal.reader.emit({ type: 'reader.failed', reason: 'unplugged' });
  const entry = terminal.journal.load()!;
  delete (entry.snapshot as { context: { reason?: string } }).context.reason;
  terminal.journal.save(entry);
  terminal.powerCycle();
  const again = terminal.network.last('action.abandoned')!;
  expect(again).toMatchObject({ code: 'unexpected_error' });
  expect(again).not.toHaveProperty('reason');
});

test('reader: events after its release are ignored', () => {
  const terminal = authorising({ receiptPrintingSource: 'PointOfSale' });
  terminal.approve();
  terminal.reader.emit({ type: 'reader.failed', reason: 'unplugged' });
  expect(terminal.state).toBe('approved.awaitingMerchantReceipt');
});

test('reader: the request has the test amounts of the sandbox', () => {
  const terminal = startAgentFixture();
  terminal.start({ cardholder: 'walkAway' });
  expect(terminal.reader.request?.cardholder).toBe('walkAway');
});
