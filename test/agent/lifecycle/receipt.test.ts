import { expect, test } from 'vitest';
import type { ActionContext } from '../../../agent/lifecycle/action-events.ts';
import { receiptOf, RECEIPT_COLUMNS } from '../../../agent/lifecycle/receipt.ts';
import { Receipt } from '../../../protocol/messages/action.messages.ts';
import { checker } from '../../../protocol/schema.ts';
import { ACTION_ID, cardOf, NOW_MS, START, TERMINAL_ID } from '../agent-fixture.ts';

const APPROVED: ActionContext = {
  start: START,
  deadlineMs: null,
  askAgainMs: null,
  cardDeadlineMs: NOW_MS + 120_000,
  unreadableCards: 0,
  cardMissing: false,
  card: cardOf('Contactless'),
  chip: null,
  answer: null,
  device: null,
  deviceReceipt: null,
  verification: 'None',
  pinTriesLeft: null,
  authorisationCode: '7H3K2P',
  approvedAtMs: NOW_MS + 2_500,
  failedCopies: [],
  code: null,
  inquiries: 0,
};

test('receiptOf: prints the customer copy of a payment', () => {
  expect(
    receiptOf(APPROVED, TERMINAL_ID)
      .customerCopy.split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual([
    '          Corner Books',
    ' tml_01J9Z6M1N2P3Q4R5S6T7V8W9XA',
    '',
    '2026-01-05          09:30:02 UTC',
    '              SALE',
    '',
    'VISA            ************0085',
    'ENTRY                CONTACTLESS',
    'AID               A0000000031010',
    'APP                  VISA CREDIT',
    'AUTH CODE                 7H3K2P',
    '',
    'AMOUNT                 17.42 GBP',
    '',
    '   NO CARDHOLDER VERIFICATION',
    '            APPROVED',
    '',
    '         CUSTOMER COPY',
    ' PLEASE RETAIN FOR YOUR RECORDS',
  ]);
});

test('receiptOf: returns the same data as named fields', () => {
  expect(receiptOf(APPROVED, TERMINAL_ID).fields).toEqual({
    MerchantName: 'Corner Books',
    POIID: TERMINAL_ID,
    POITransactionID: ACTION_ID,
    SaleTransactionID: START.paymentSessionId,
    TransactionTimeStamp: '2026-01-05T09:30:02Z',
    TransactionType: 'Payment',
    PaymentBrand: 'Visa',
    MaskedPAN: '************0085',
    EntryMode: 'Contactless',
    ApplicationLabel: 'VISA CREDIT',
    ApplicationIdentifier: 'A0000000031010',
    ApprovalCode: '7H3K2P',
    AuthorizedAmount: '1742',
    Currency: 'GBP',
    CardholderVerification: 'None',
    Result: 'Approved',
  });
});

test('receiptOf: a refund is printed as a refund', () => {
  const { merchantCopy, fields } = receiptOf(
    { ...APPROVED, start: { ...START, type: 'Refund' } },
    TERMINAL_ID,
  );
  expect(merchantCopy).toMatch(/^ +REFUND$/m);
  expect(merchantCopy).toMatch(/^REFUNDED +17\.42 GBP$/m);
  expect(merchantCopy).not.toContain('SALE');
  expect(fields['TransactionType']).toBe('Refund');
});

test('receiptOf: only the merchant copy has a signature line', () => {
  const { merchantCopy, customerCopy } = receiptOf({ ...APPROVED, verification: 'Signature' }, TERMINAL_ID);
  expect(merchantCopy).toContain('X____');
  expect(customerCopy).not.toContain('X____');
  expect(customerCopy).toContain('SIGNATURE');
});

test.each([
  ['OfflinePin', 'PIN VERIFIED'],
  ['OnlinePin', 'PIN VERIFIED ONLINE'],
  ['OnDevice', 'VERIFIED ON DEVICE'],
] as const)('receiptOf: cardholder verification %s is printed as %s', (verification, line) => {
  const { customerCopy } = receiptOf({ ...APPROVED, verification }, TERMINAL_ID);
  expect(customerCopy.split('\n').map((text) => text.trim())).toContain(line);
});

test('receiptOf: a phone is printed with the name of its wallet', () => {
  const { customerCopy } = receiptOf({ ...APPROVED, card: cardOf('Wallet') }, TERMINAL_ID);
  expect(customerCopy).toMatch(/^ENTRY +APPLEPAY$/m);
});

test.each([
  ['a long name', 'The Extraordinarily Long Name of a Bookshop by the Corner of the Market'],
  ['a name without a space', 'X'.repeat(75)],
  ['no name', ''],
])('receiptOf: no line is wider than the paper with %s', (_, merchantName) => {
  const start = { ...START, merchantName, amountMinor: Number.MAX_SAFE_INTEGER };
  const receipt = receiptOf({ ...APPROVED, start }, TERMINAL_ID);
  const widths = `${receipt.merchantCopy}\n${receipt.customerCopy}`.split('\n').map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(RECEIPT_COLUMNS);
  expect(checker(Receipt)(receipt)).toEqual([]);
});

test('receiptOf: the same context gives the same receipt', () => {
  expect(receiptOf(structuredClone(APPROVED), TERMINAL_ID)).toEqual(receiptOf(APPROVED, TERMINAL_ID));
});

test('receiptOf: says neither entry nor verification when the terminal names no card technology', () => {
  const { entryMode: _, ...card } = cardOf('Contact');
  const { customerCopy, merchantCopy, fields } = receiptOf(
    { ...APPROVED, card, verification: 'OnDevice' },
    TERMINAL_ID,
  );
  for (const copy of [customerCopy, merchantCopy]) {
    expect(copy).not.toMatch(/ENTRY|VERIFI/);
    expect(copy).toContain('APPROVED');
  }
  expect(fields).not.toHaveProperty('EntryMode');
  expect(fields).not.toHaveProperty('CardholderVerification');
});
