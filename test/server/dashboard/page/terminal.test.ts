import { expect, test } from 'vitest';
import { ENTRY_METHODS, entryModeFor } from '../../../../server/dashboard/page/terminal/cardholder.ts';
import { PAYMENT_TERMINALS } from '../../../../server/dashboard/page/terminal/counter.tsx';
import { framesOf, shownBytes } from '../../../../server/dashboard/page/terminal/exchange.tsx';
import {
  actsAt,
  conditionRows,
  withoutMargin,
} from '../../../../server/dashboard/page/terminal/receipt-printer.tsx';
import { faultControl, momentsOf } from '../../../../server/dashboard/page/terminal/printer-fault.tsx';
import { parsePrinterFault } from '../../../../simulator/twins/escpos/printer-faults.ts';
import { PRINTER_STATES } from '../../../../protocol/receipt-printer.ts';
import { DRIVERS } from '../../../../agent/readers/drivers.ts';
import { endingOf } from '../../../../server/dashboard/page/terminal/action-panel.tsx';
import { KEY_ROWS, keyOf } from '../../../../server/dashboard/page/terminal/device.tsx';
import { copiesOf } from '../../../../server/dashboard/page/terminal/receipt.tsx';
import { actionRequest } from '../../../../server/dashboard/page/terminal/start-request.ts';
import type { PrinterView } from '../../../../server/dashboard/view.ts';
import { madeAction } from './fixtures.ts';

test('terminal page: a payment needs an amount, a refund a session', () => {
  const wanted = { amountMinor: 1742, currency: 'GBP', source: 'PointOfSale', sessionId: ' ps_1 ' } as const;
  const settings = { receiptPrintingSource: 'PointOfSale' };
  expect(actionRequest({ ...wanted, type: 'Payment' })).toEqual({
    operation: 'payment',
    body: { amounts: { requested: 1742 }, currency: 'GBP', settings },
  });
  expect(actionRequest({ ...wanted, type: 'Payment', amountMinor: undefined })).toBe(undefined);
  expect(actionRequest({ ...wanted, type: 'Payment', amountMinor: 0 })).toBe(undefined);
  expect(actionRequest({ ...wanted, type: 'Refund', amountMinor: undefined })!.body).toEqual({
    paymentSession: { id: 'ps_1' },
    settings,
  });
  expect(actionRequest({ ...wanted, type: 'Refund', sessionId: ' ' })).toBe(undefined);
});

test('terminal page: offers the entry methods that a card supports', () => {
  const methods = (entryModes: Parameters<typeof entryModeFor>[0]['entryModes']) =>
    ENTRY_METHODS.filter((method) => entryModeFor({ entryModes }, method)).map(({ name }) => name);
  expect(methods(['Contact', 'Contactless'])).toEqual(['Tap', 'Insert']);
  expect(methods(['Wallet'])).toEqual(['Tap']);
  expect(methods(['Swipe'])).toEqual(['Swipe']);
  expect(entryModeFor({ entryModes: ['Wallet'] }, ENTRY_METHODS[0])).toBe('Wallet');
});

test('terminal page: each key of the device can be pressed on a keyboard', () => {
  const names = [...'0123456789', 'Enter', 'Backspace', 'Escape'];
  expect(new Set(names.map(keyOf))).toEqual(new Set(KEY_ROWS.flat()));
  expect(['a', 'Tab', 'F1', ' '].map(keyOf)).toEqual([undefined, undefined, undefined, undefined]);
});

test('terminal page: shows the printed copies one by one, without failed ones', () => {
  const out = (with_: Parameters<typeof madeAction>[0]) =>
    copiesOf(madeAction(with_)).map(({ copy }) => copy);
  expect(out({ state: 'awaitingCard' })).toEqual([]);
  expect(out({ state: 'approved.printing.merchantCopy' })).toEqual(['merchantCopy']);
  expect(out({ state: 'approved.printing.customerCopy' })).toEqual(['merchantCopy', 'customerCopy']);
  expect(out({ status: 'Succeeded' })).toEqual(['merchantCopy', 'customerCopy']);
  expect(out({ status: 'Succeeded', merchantCopy: 'Failed' })).toEqual(['customerCopy']);
  expect(out({ status: 'Failed' })).toEqual([]);
  expect(copiesOf(null)).toEqual([]);
});

test('terminal page: at the point of sale shows the copy to confirm, and none after the end', () => {
  const pointOfSale = { receiptPrintingSource: 'PointOfSale', customerCopy: 'Required' } as const;
  expect(copiesOf(madeAction(pointOfSale))).toEqual([{ copy: 'customerCopy', status: 'unconfirmed' }]);
  expect(copiesOf(madeAction({ ...pointOfSale, status: 'Cancelled' }))).toEqual([]);
});

test('terminal page: an action is cancelled, or settled once the server has its outcome as unknown, whatever the terminal reports', () => {
  expect(endingOf(madeAction({ state: 'outcomeUnknown' }))).toBe('cancel');
  expect(endingOf(madeAction({ state: null, openOutcome: 'Pending' }))).toBe(undefined);
  expect(endingOf(madeAction({ state: null, openOutcome: 'Unknown' }))).toBe('settle');
});

test('terminal page: has the exchange of each payment terminal that there is a driver for', () => {
  const names = DRIVERS.filter(({ authoriser }) => authoriser === 'device').map(({ name }) => name);
  expect(PAYMENT_TERMINALS).toEqual(names);
});

test('terminal page: shows the latest sixty frames of the timeline, newest last, and the begin of a long one', () => {
  const entry = {
    terminalId: 't',
    actionId: null,
    objectId: null,
    lane: 'wire',
    tone: 'plain',
    detail: null,
  } as const;
  const frame = (seq: number) =>
    ({ ...entry, seq, atMs: seq, kind: 'serial.in', title: 'done', bytes: '06' }) as const;
  const report = { ...entry, seq: 0, atMs: 0, kind: 'mqtt.report', title: 'presence' } as const;
  const ofPrinter = { ...frame(0), title: 'receipt printer, it is online' };
  expect(framesOf([ofPrinter], 'reader')).toEqual([]);
  expect(framesOf([frame(1), ofPrinter], 'printer')).toMatchObject([{ seq: 0, title: 'it is online' }]);
  const frames = framesOf([report, ...Array.from({ length: 70 }, (_, index) => frame(index + 1))], 'reader');

  expect([frames.length, frames[0]?.seq, frames.at(-1)]).toEqual([
    60,
    11,
    { seq: 70, atMs: 70, title: 'done', bytes: '06', isSent: false },
  ]);
  expect(shownBytes('0601··')).toBe('06 01 ··');
  expect(shownBytes('06'.repeat(40))).toMatch(/^(06 ){32}… 40 bytes$/);
});

const READY_PRINTER = {
  paper: 'enough',
  linesLeft: 1_960,
  cover: 'closed',
  error: 'none',
  drawer: 'closed',
  printed: 0,
  receipts: [],
} satisfies PrinterView;

test('terminal page: says how a receipt printer is, and what keeps it from printing', () => {
  const shown = (changes: Partial<Parameters<typeof conditionRows>[0]>) =>
    conditionRows({ ...READY_PRINTER, ...changes }).map(
      ({ name, value, isBad }) => `${name}: ${value}${isBad ? '!' : ''}`,
    );
  expect(shown({})).toEqual([
    'Paper: enough, 1,960 lines left',
    'Cover: closed',
    'Error: none',
    'Drawer: closed',
  ]);
  expect(shown({ paper: 'out', linesLeft: 0, cover: 'open', error: 'cutter', drawer: 'open' })).toEqual([
    'Paper: out!',
    'Cover: open!',
    'Error: the cutter is stuck!',
    'Drawer: open',
  ]);
  expect(shown({ paper: 'near end', linesLeft: 1 })[0]).toBe('Paper: near its end, a line left');
});

test('terminal page: each fault that it sets at a receipt printer is one', () => {
  expect(faultControl('paper-out', 'now')).toEqual({ control: 'state', argument: 'paper-out' });
  for (const state of PRINTER_STATES) {
    const { control, argument } = faultControl(state, 'between copies');
    expect([control, parsePrinterFault(argument)]).toEqual(['fault', { state, point: 'cut', nth: 1 }]);
  }
});

test('terminal page: a receipt printer is not unplugged now, when nothing is connected', () => {
  expect(momentsOf('unplugged')).toEqual(['between copies', 'in the next copy', 'after both copies']);
  expect(momentsOf('paper-out')).toContain('now');
});

test('terminal page: a button at a receipt printer keeps its place, whatever it does now', () => {
  const placesAt = (changes: Partial<Parameters<typeof actsAt>[0]>) =>
    actsAt({ ...READY_PRINTER, ...changes }).map(({ place }) => place);
  const all = ['paper', 'roll', 'cover', 'error', 'drawer', 'restart'];
  expect(placesAt({})).toEqual(all);
  expect(placesAt({ paper: 'near end', cover: 'open', error: 'cutter', drawer: 'open' })).toEqual(all);
  expect(placesAt({ paper: 'out' })).toEqual(all.filter((place) => place !== 'roll'));
});

test('terminal page: leaves out the margin that all lines of a receipt have', () => {
  expect(withoutMargin('    SHOP\n\n  TOTAL 1\n   (c)')).toBe('  SHOP\n\nTOTAL 1\n (c)');
  expect(withoutMargin('')).toBe('');
});
