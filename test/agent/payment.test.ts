import { expect, test } from 'vitest';
import { DecideAction } from '../../protocol/messages/action.messages.ts';
import {
  ACTION_ID,
  bench,
  cardOf,
  NOW_MS,
  READ_CHIP,
  READ_CONTACTLESS,
  START,
  type AgentBench,
} from './agent-bench.ts';

/** A terminal whose cardholder has tapped: the issuer is asked. */
function authorising(start: Parameters<AgentBench['start']>[0] = {}): AgentBench {
  const made = bench();
  made.start(start);
  made.reader.tell(...READ_CONTACTLESS);
  return made;
}

test('a payment by a tapped card ends as the server says, with both copies on paper', async () => {
  const terminal = bench();
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

  terminal.reader.tell(...READ_CONTACTLESS);
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
  expect(terminal.network.last('action.completed')).toMatchObject({ seq: 4, failedCopies: [] });
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

test('a chip card is asked for its PIN; a wrong one may be typed again, the right one goes to the issuer', () => {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell(...READ_CHIP, { type: 'pin.entered' }, { type: 'pin.rejected', triesLeft: 2 });
  expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Wrong PIN, 2 tries left']);
  terminal.reader.tell({ type: 'pin.entered' }, { type: 'pin.accepted' });
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

test('a PIN that is wrong until no try is left still goes to the issuer, who declines', () => {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell(...READ_CHIP, { type: 'pin.entered' }, { type: 'pin.rejected', triesLeft: 0 });
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
  const terminal = bench();
  terminal.start();
  terminal.reader.tell({ type: 'card.read', card: cardOf(entryMode), pin });
  expect(terminal.network.last('action.authorise')).toMatchObject({ verification });
});

test('with receipts at the point of sale the terminal prints nothing and waits for both confirmations', async () => {
  const terminal = authorising({ receiptPrintingSource: 'PointOfSale' });
  terminal.approve();
  await terminal.settle();
  expect(terminal.state).toBe('approved.awaitingMerchantReceipt');
  terminal.confirm('merchantCopy');
  expect(terminal.state).toBe('approved.awaitingCustomerReceipt');
  terminal.confirm('customerCopy');
  expect(terminal.state).toBe('approved.settling');
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

test('receipts that the point of sale does not confirm: the server says how it ends', async () => {
  const terminal = authorising({ receiptPrintingSource: 'PointOfSale' });
  terminal.approve();
  await terminal.clock.advance(60_000);
  terminal.end('Failed', 'receipt_not_confirmed');
  expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Not completed, nothing is charged']);
  expect(terminal.journal.load()).toBeUndefined();
});

test('a copy confirmed as failed: nothing more is waited for but the end', () => {
  const terminal = authorising({ receiptPrintingSource: 'PointOfSale' });
  terminal.approve();
  terminal.confirm('merchantCopy', 'Failed');
  expect(terminal.state).toBe('approved.settling');
});

test('a refund goes the same way, and its receipt says so', async () => {
  const terminal = authorising({ type: 'Refund' });
  expect(terminal.reader.request).toMatchObject({ type: 'Refund' });
  terminal.approve();
  await terminal.settle();
  expect(terminal.printer.copies[0]?.text).toContain('REFUND');
  terminal.end('Succeeded');
  expect(terminal.agent.screen).toEqual(['Refund 17.42 GBP', 'Refunded']);
});

test.each(['noPaper', 'throw'] as const)(
  'a printer that answers %s: the payment stands, the copies are named',
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

test('a printer that never answers is given up, copy by copy', async () => {
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

test('nobody presents a card: the terminal gives up after the time that the server set', async () => {
  const terminal = bench();
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

test('nobody types the PIN: the terminal gives up after a minute', async () => {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell(...READ_CHIP);
  await terminal.clock.advance(60_000);
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'timeout' });
});

test('an issuer who does not answer within half a minute: the terminal asks for a reversal, a late approval changes nothing', async () => {
  const terminal = authorising();
  await terminal.clock.advance(30_000);
  expect(terminal.state).toBe('reversing');
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'timeout' });
  terminal.approve();
  await terminal.settle();
  expect(terminal.state).toBe('reversing');
  expect(terminal.printer.copies).toEqual([]);
});

test('the server that does not say its last word is asked, less and less often', async () => {
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

test('a card that cannot be read is tried again, three times in all', () => {
  const terminal = bench();
  terminal.start();
  const unreadable = { type: 'card.unreadable', reason: 'mute' } as const;
  terminal.reader.tell({ type: 'card.presented', entryMode: 'Contact' }, unreadable, unreadable);
  expect(terminal.agent.screen).toEqual(['17.42 GBP', 'Card not read, try again']);
  terminal.reader.tell(unreadable);
  expect(terminal.reader.takeCalls()).toEqual(['begin', 'awaitCard', 'awaitCard', 'awaitCard', 'end']);
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'bad_track_data' });
});

test('a chip card pulled out before its PIN is checked counts as one that could not be read', () => {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell(...READ_CHIP, { type: 'card.removed' });
  expect(terminal.state).toBe('awaitingCard');
  terminal.reader.tell(...READ_CHIP, { type: 'pin.entered' }, { type: 'card.removed' });
  terminal.reader.tell({ type: 'card.presented', entryMode: 'Contact' }, { type: 'card.removed' });
  expect(terminal.network.last('action.abandoned')).toMatchObject({ code: 'bad_track_data' });
});

test('a tapped card may leave the field while its PIN is typed', () => {
  const terminal = bench();
  terminal.start();
  terminal.reader.tell(
    { type: 'card.read', card: cardOf('Contactless'), pin: 'pin' },
    { type: 'card.removed' },
  );
  expect(terminal.state).toBe('awaitingPin');
  terminal.reader.tell({ type: 'pin.entered' }, { type: 'pin.accepted' });
  expect(terminal.network.last('action.authorise')).toMatchObject({ verification: 'OnlinePin' });
});

test('a reader that fails, or throws, ends the action as an error of the terminal', () => {
  const failing = bench();
  failing.start();
  failing.reader.tell({ type: 'reader.failed', reason: 'unplugged' });
  expect(failing.network.last('action.abandoned')).toMatchObject({ code: 'unexpected_error' });

  const throwing = bench();
  throwing.reader.failAt.add('begin');
  throwing.start();
  expect(throwing.network.last('action.abandoned')).toMatchObject({ code: 'unexpected_error' });
});

test('what the reader says after the action let go of it is nobody’s', () => {
  const terminal = authorising({ receiptPrintingSource: 'PointOfSale' });
  terminal.approve();
  terminal.reader.tell({ type: 'reader.failed', reason: 'unplugged' });
  expect(terminal.state).toBe('approved.awaitingMerchantReceipt');
});

test('the magic amounts of the sandbox reach the cardholder through the reader’s request', () => {
  const terminal = bench();
  terminal.start({ cardholder: 'walkAway' });
  expect(terminal.reader.request?.cardholder).toBe('walkAway');
});
