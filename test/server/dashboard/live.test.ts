import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockAction } from '../../../server/api/in-person/actions/action.records.ts';
import { applyActionEvent } from '../../../server/api/in-person/actions/apply-action-event.ts';
import { UNAUTHORIZED } from '../../../server/dashboard/live-client.ts';
import { FLUSH_MS } from '../../../server/dashboard/live.ts';
import { openTill, type Till } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { livePage } from './live-page.ts';
import { openPage } from './open-page.ts';

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

const flush = () => world.advance({ ms: FLUSH_MS });
const terminal = () => ({ kind: 'terminal', id: till.terminal.terminalId }) as const;

test('live connection: starts with the fleet, the time and the mode', async () => {
  await till.pay(1742, { receipts: 'PointOfSale' });
  await till.reaches('awaitingCard');
  const page = await openPage(world);
  expect(page.received.map(({ type }) => type)).toEqual(['hello']);
  expect(page.last('hello')).toMatchObject({
    mode: 'sandbox',
    clock: { nowMs: world.clock.nowMs(), offsetMs: 0 },
    terminals: [
      {
        id: till.terminal.terminalId,
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

test('live connection: says whether the outcome of a payment terminal is open, as the server has it', async () => {
  await till.pay(1742);
  await till.reaches('awaitingCard');
  const page = await openPage(world);
  expect(page.last('hello')!.terminals[0]!.action!.openOutcome).toBe(undefined);
  const { id } = await till.action();
  const { services } = world.server;
  for (const [type, openOutcome] of [
    ['outcome.pending', 'Pending'],
    ['deadline.passed', 'Unknown'],
  ] as const) {
    await services.store.transaction(async (tx) =>
      applyActionEvent(tx, services, (await lockAction(tx, id))!, { type }),
    );
    await flush();
    expect(page.last('terminal')).toMatchObject({ terminal: { action: { openOutcome } } });
  }
});

test('live connection: sends changes of a terminal at most every tenth of a second', async () => {
  const page = await openPage(world);
  await till.takes(1742);
  expect(page.last('terminal')).toBeUndefined();
  await flush();
  const told = page.received.filter(({ type }) => type === 'terminal');
  expect(told).toMatchObject([
    { terminal: { action: { status: 'Succeeded' }, screen: ['17.42 GBP', 'Approved'] } },
  ]);
});

test('live connection: sends a message after each call that may change an object of any type, and none after a GET', async () => {
  const page = await openPage(world);
  await flush();
  const receivedAfter = async (call: () => Promise<unknown>) => {
    const before = page.received.length;
    await call();
    await flush();
    return page.received.length > before;
  };
  await world.listen('shop', ['Customer.created']);
  await flush();
  const { body } = await world.api.get('/v1/webhooks');
  const path = `/v1/webhooks/${body.items[0].id}`;
  expect(await receivedAfter(() => world.api.patch(path, { eventTypes: ['Customer.deleted'] }))).toBe(true);
  expect(await receivedAfter(() => world.api.get(path))).toBe(false);
  expect(await receivedAfter(() => world.api.delete(path))).toBe(true);
});

test('live connection: sends a message after an event of an object of any type, which a job may have changed', async () => {
  const page = await openPage(world);
  const before = page.received.length;
  const objectId = 'cv_01K00000000000000000000000';
  const event = { eventId: 'ev_1', eventType: 'Conversion.updated', objectId, body: {} };
  world.server.services.activities.emit({ kind: 'event.recorded', ...event });
  await flush();
  expect(page.received.length).toBeGreaterThan(before);
});

test('live connection: the display has a star for each typed digit of a PIN, and none before the first', async () => {
  const page = await openPage(world);
  const act = (name: string, body: object) =>
    world.api.post(`/sandbox/terminals/${till.terminal.terminalId}/${name}`, body);
  const typed = async () => {
    await flush();
    return page.last('terminal')!.terminal.screen.slice(1);
  };
  await till.pay(15_000);
  await till.reaches('awaitingCard');
  await act('present-card', { card: 'visa-contactless' });
  await till.reaches('awaitingPin');
  expect(await typed()).toEqual(['Enter PIN']);
  await act('press-keys', { keys: ['1', '2', '3'] });
  expect(await typed()).toEqual(['Enter PIN', '***']);
  await act('press-keys', { keys: ['clear', '9'] });
  expect(await typed()).toEqual(['Enter PIN', '*']);
  await act('press-keys', { keys: ['2', '3', '4', 'enter'] });
  expect(await typed()).toEqual(['Wrong PIN, 2 tries left']);
  await act('press-keys', { keys: ['1', '2'] });
  expect(await typed()).toEqual(['Wrong PIN, 2 tries left', '**']);
  await till.cancel();
  expect(await typed()).toEqual(['Cancelled']);
});

test('live connection: follows a terminal across its actions, each from its request to its webhooks', async () => {
  const shop = await world.listen('shop', ['PaymentSession.captured']);
  await till.takes(1000);
  const page = await openPage(world, terminal());
  const earlier = page.last('timeline')!;
  expect(earlier.machine).toMatchObject({ machineId: 'action' });
  await till.takes(2000);
  await flush();
  const later = page.last('timeline')!;
  expect(later.entries[0]!.actionId).not.toBe(earlier.entries[0]!.actionId);
  const numbers = later.entries.map(({ seq }) => seq);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(later.entries.map(({ lane, title }) => `${lane}: ${title}`)).toEqual([
    'api: POST …/payment 200',
    'machine: sent',
    'wire: action.start Payment',
    'events: Terminal.action_updated',
    'machine: awaitingCard',
    'wire: display.shown “20.00 GBP / Present card”',
    'wire: action.accepted',
    'machine: sent → awaitingCard',
    'machine: awaitingCard → reading',
    'machine: reading → authorising',
    'wire: display.shown “20.00 GBP / Authorising”',
    'wire: action.authorise',
    'machine: awaitingCard → printing',
    'machine: awaitingPayment → approved',
    'wire: action.decision approved',
    'events: PaymentSession.approved',
    'machine: authorising → approved.printing.merchantCopy',
    'machine: approved.printing.merchantCopy → approved.printing.customerCopy',
    'machine: approved.printing.customerCopy → approved.completing',
    'wire: display.shown “20.00 GBP / Approved, one moment”',
    'wire: receipt.ready',
    'wire: action.completed',
    'machine: printing → succeeded',
    'machine: approved → captured',
    'wire: action.ended Succeeded',
    'events: Terminal.action_updated',
    'events: PaymentSession.captured',
    'events: PaymentSession.captured: 200 → shop.example',
    'machine: approved.completing → succeeded',
    'wire: display.shown “20.00 GBP / Approved”',
  ]);
  expect(shop.deliveries).toHaveLength(2);
});

test('live connection: sends each entry of what the page watches, and of nothing else', async () => {
  const other = openTill(world, await world.addTerminal());
  const started = await till.pay(1742);
  await till.reaches('awaitingCard');
  const page = await openPage(world, { kind: 'action', id: started.body.action.id });
  await other.takes(900);
  await till.cancel();
  await flush();
  const told = page.received.filter((message) => message.type === 'entry').map(({ entry }) => entry);
  expect(new Set(told.map(({ actionId }) => actionId))).toEqual(new Set([started.body.action.id]));
  expect(told[0]).toMatchObject({
    title: 'POST …/cancel-action 200',
    detail: {
      request: { method: 'POST' },
      response: { status: 200, body: { action: { status: 'Cancelled' } } },
    },
  });
  page.sendText({ type: 'watch', target: null });
  const count = page.received.length;
  await till.takes(500);
  await flush();
  expect(page.received.slice(count).map(({ type }) => type)).not.toContain('entry');
});

test('live connection: sends added and removed terminals, and starts over after a reset', async () => {
  const page = await openPage(world);
  const other = await world.addTerminal();
  await flush();
  expect(page.last('terminal')).toMatchObject({ terminal: { id: other.terminalId, online: true } });
  await world.api.delete(`/v1/in-person/terminals/${other.terminalId}`);
  await flush();
  expect(page.last('terminal.gone')).toEqual({ type: 'terminal.gone', terminalId: other.terminalId });
  await world.api.post('/sandbox/reset');
  await flush();
  const types = page.received.map(({ type }) => type);
  expect(types.slice(types.indexOf('reset'))).toEqual(['reset', 'hello']);
  expect(page.last('hello')!.terminals).toEqual([]);
});

test('live connection: sends the clock when it is advanced', async () => {
  const page = await openPage(world);
  await world.api.post('/sandbox/clock/advance', { seconds: 3600 });
  await world.settled();
  await flush();
  expect(page.last('clock')).toMatchObject({ clock: { offsetMs: 3_600_000 } });
});

test('live connection: sends each delivery attempt, with the time of the next', async () => {
  const shop = await world.listen('shop', ['PaymentSession.captured']);
  shop.behaviour = 500;
  const page = await openPage(world);
  await till.takes(1742);
  await flush();
  const attempts = page.received
    .filter((message) => message.type === 'webhook')
    .map(({ attempt }) => attempt);
  expect(attempts).toMatchObject([
    { eventType: 'PaymentSession.captured', attempt: 1, answer: '500', acknowledged: false },
    { attempt: 2, nextMs: attempts[1]!.atMs + 60_000 },
  ]);
});

test('live connection: a page that does not read is sent nothing more, and the whole state once it reads', async () => {
  const page = await openPage(world, terminal());
  const before = page.received.length;
  page.bufferedBytes = 2 * 1024 * 1024;
  await till.takes(1742);
  await flush();
  await flush();
  expect(page.received).toHaveLength(before);
  page.bufferedBytes = 0;
  await flush();
  expect(page.received.slice(before).map(({ type }) => type)).toEqual(['hello', 'timeline']);
  expect(page.last('timeline')!.entries.at(-1)).toMatchObject({
    title: 'display.shown “17.42 GBP / Approved”',
  });

  page.bufferedBytes = 2 * 1024 * 1024;
  await till.takes(900);
  await world.advance({ seconds: 31 });
  expect(page.closed).toEqual({ code: 1013, reason: 'too slow' });
});

test.each([
  ['an invalid token', { type: 'session', token: 'dash_guessed' } as const, UNAUTHORIZED],
  ['a subscription before a token', { type: 'watch', target: null } as const, UNAUTHORIZED],
  ['a text that is not JSON', 'hello?', 1008],
  ['an unknown message', '{"type":"watch","target":{"kind":"key","id":"x"}}', 1008],
])('live connection: %s closes it, and nothing was sent', async (_what, message, code) => {
  const page = livePage();
  world.server.dashboard.live.accept(page);
  page.sendText(message);
  expect(page.closed).toMatchObject({ code });
  await till.takes(1742);
  await flush();
  expect(page.received).toEqual([]);
});

test('live connection: closes when the page does not authenticate within ten seconds', async () => {
  const page = livePage();
  world.server.dashboard.live.accept(page);
  await world.advance({ seconds: 9 });
  expect(page.closed).toBeUndefined();
  await world.advance({ seconds: 1 });
  expect(page.closed).toEqual({ code: UNAUTHORIZED, reason: 'no session' });
});

test('live connection: a page with a valid token is asked to retry when all places are taken', async () => {
  const page = livePage();
  page.admit = () => false;
  world.server.dashboard.live.accept(page);
  page.sendText({ type: 'session', token: world.server.services.settings.dashboardToken });
  await flush();
  expect(page.closed).toEqual({ code: 1013, reason: 'too many pages are open' });
  expect(page.received).toEqual([]);
});

test('live connection: refuses the secret key as a token, since a page must never hold it', async () => {
  const page = livePage();
  world.server.dashboard.live.accept(page);
  page.sendText({ type: 'session', token: world.server.services.settings.secretKey });
  expect(page.closed).toMatchObject({ code: UNAUTHORIZED });
});
