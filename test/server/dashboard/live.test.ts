import { afterEach, beforeEach, expect, test } from 'vitest';
import { FLUSH_MS } from '../../../server/dashboard/live.ts';
import type { Subject } from '../../../server/dashboard/view.ts';
import { openTill, type Till } from '../../kit/till.ts';
import { startWorld, type World } from '../../kit/world.ts';
import { livePage, type LivePage } from './live-page.ts';

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

/** A page that is let in, and has been greeted. */
async function openPage(subject: Subject | null = null): Promise<LivePage> {
  const page = livePage();
  world.server.dashboard.live.accept(page);
  const { body } = await world.api.raw('POST', '/dashboard/session', '', { host: 'localhost:3000' });
  page.say({ type: 'session', token: body.token });
  if (subject) page.say({ type: 'watch', subject });
  await flush();
  return page;
}

const flush = () => world.advance({ ms: FLUSH_MS });
const terminalId = () => till.terminal.terminalId;

test('a page is greeted with the fleet, the time and the mode', async () => {
  await till.pay(1742, { receipts: 'PointOfSale' });
  await till.reaches('awaitingCard');
  const page = await openPage();
  expect(page.told.map(({ type }) => type)).toEqual(['hello']);
  expect(page.last('hello')).toMatchObject({
    mode: 'sandbox',
    clock: { nowMs: world.clock.nowMs(), offsetMs: 0 },
    terminals: [
      {
        id: terminalId(),
        simulated: true,
        online: true,
        screen: ['17.42 GBP', 'Present card'],
        action: {
          type: 'Payment',
          status: 'InProgress',
          amountMinor: 1742,
          currency: 'GBP',
          receiptPrintingSource: 'PointOfSale',
          state: 'awaitingCard',
          deadlineMs: expect.any(Number) as number,
        },
      },
    ],
  });
});

test('what a terminal does is told at most once in a tenth of a second', async () => {
  const page = await openPage();
  await till.takes(1742);
  expect(page.last('terminal')).toBeUndefined();
  await flush();
  const told = page.told.filter(({ type }) => type === 'terminal');
  expect(told).toMatchObject([
    { terminal: { action: { status: 'Succeeded' }, screen: ['17.42 GBP', 'Approved'] } },
  ]);
});

test('a terminal is watched across its actions, each from its call to its webhooks', async () => {
  const shop = await world.listen('shop', ['PaymentSession.captured']);
  await till.takes(1000);
  const page = await openPage({ kind: 'terminal', id: terminalId() });
  const earlier = page.last('timeline')!;
  expect(earlier.machine).toMatchObject({ machineId: 'action' });
  expect(earlier.entries[0]).toMatchObject({ lane: 'api', title: 'POST …/payment 200' });
  await till.takes(2000);
  await flush();
  const later = page.last('timeline')!;
  expect(later.entries[0]!.actionId).not.toBe(earlier.entries[0]!.actionId);
  expect(later.entries.map(({ seq }) => seq)).toEqual(
    later.entries.map(({ seq }) => seq).toSorted((a, b) => a - b),
  );
  expect(later.entries.map(({ lane, title }) => `${lane}: ${title}`)).toMatchInlineSnapshot(`
    [
      "api: POST …/payment 200",
      "machine: sent",
      "wire: action.start Payment",
      "events: Terminal.action_updated",
      "machine: awaitingCard",
      "wire: display.shown “20.00 GBP / Present card”",
      "wire: action.accepted",
      "machine: sent → awaitingCard",
      "machine: awaitingCard → reading",
      "machine: reading → authorising",
      "wire: action.authorise",
      "machine: awaitingCard → printing",
      "machine: awaitingPayment → approved",
      "wire: action.decision approved",
      "events: PaymentSession.approved",
      "wire: display.shown “20.00 GBP / Authorising”",
      "machine: authorising → approved.printing.merchantCopy",
      "machine: approved.printing.merchantCopy → approved.printing.customerCopy",
      "machine: approved.printing.customerCopy → approved.completing",
      "wire: receipt.ready",
      "wire: action.completed",
      "machine: printing → succeeded",
      "machine: approved → captured",
      "wire: action.ended Succeeded",
      "events: Terminal.action_updated",
      "events: PaymentSession.captured",
      "wire: display.shown “20.00 GBP / Approved, one moment”",
      "events: PaymentSession.captured → shop.example: 200",
      "machine: approved.completing → succeeded",
      "wire: display.shown “20.00 GBP / Approved”",
    ]
  `);
  expect(shop.deliveries).toHaveLength(2);
});
