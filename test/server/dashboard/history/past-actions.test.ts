import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { TimelineEntry } from '../../../../server/dashboard/view.ts';
import { openTill, type Till } from '../../../../testing/world/till.ts';
import { openReaderFixture } from '../../../kit/reader-fixture.ts';
import { startWorld, type World } from '../../../../testing/world/world.ts';
import { openPage } from '../open-page.ts';

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld({ settings: { timelines: { countMax: 10 } } });
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

const listOf = (terminalId: string, query = '') =>
  world.api.get(`/dashboard/terminals/${terminalId}/actions${query}`);
const storedRows = () => world.server.services.store.all('SELECT action_id FROM action_timelines');

async function timelineOf(actionId: string, of = world): Promise<TimelineEntry[]> {
  const page = await openPage(of, { kind: 'action', id: actionId });
  return page.last('timeline')!.entries;
}

const titlesOf = (entries: readonly TimelineEntry[]) => entries.map(({ lane, title }) => `${lane}: ${title}`);

test('actions of a terminal: newest first, page by page, each with its outcome', async () => {
  const other = openTill(world, await world.addTerminal());
  await other.takes(500);
  for (let amount = 1; amount <= 25; amount += 1) await till.takes(amount * 100);
  await till.pay(1_901);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();

  const { body: first } = await listOf(till.terminal.terminalId);
  expect(first.items).toHaveLength(25);
  expect(first.hasOlder).toBe(true);
  expect(first.items[0]).toMatchObject({
    terminalId: till.terminal.terminalId,
    type: 'Payment',
    status: 'Failed',
    amountMinor: 1_901,
    errorCode: 'insufficient_funds',
    hasReceipt: false,
    completedMs: world.clock.nowMs(),
  });
  expect(first.items[1]).toMatchObject({ status: 'Succeeded', amountMinor: 2_500, hasReceipt: true });
  const { body: second } = await listOf(till.terminal.terminalId, `?before=${first.items.at(-1).id}`);
  expect(second.items.map(({ amountMinor }: { amountMinor: number }) => amountMinor)).toEqual([100]);
  expect(second.hasOlder).toBe(false);
});

test('actions of a terminal: an unknown action or terminal has none', async () => {
  expect((await listOf(till.terminal.terminalId, '?before=tmlact_0')).status).toBe(404);
  expect((await listOf('tml_0')).body).toEqual({ items: [], hasOlder: false });
  expect((await world.api.get('/dashboard/actions/tmlact_0')).status).toBe(404);
});

test('timeline of an action: is the same after a restart, with what followed since', async () => {
  const shop = await world.listen('shop', ['PaymentSession.captured']);
  shop.behaviour = 500;
  const session = await till.takes(1742);
  const actionId = (await till.action()).id;
  const before = await timelineOf(actionId);
  expect(titlesOf(before)).toContain('events: PaymentSession.captured: 500 → shop.example');

  await world.restartServer();
  // What follows the restart, such as the display of a terminal that is back, has positive numbers.
  const after = (await timelineOf(actionId)).filter(({ seq }) => seq < 0);
  expect(titlesOf(after)).toEqual(titlesOf(before));
  expect(after.map(({ detail }) => detail)).toEqual(before.map(({ detail }) => detail));
  expect(after.map(({ seq }) => seq)).toEqual(after.map((_, at) => at - after.length));
  expect((await world.api.get(`/dashboard/actions/${actionId}`)).body).toMatchObject({
    status: 'Succeeded',
    paymentSessionId: session.id,
  });

  const page = await openPage(world, { kind: 'terminal', id: till.terminal.terminalId });
  expect(titlesOf(page.last('timeline')!.entries).slice(0, before.length)).toEqual(titlesOf(before));
});

test('timeline of an action: one that a restart interrupts is whole', async () => {
  await till.pay(1742);
  await till.reaches('awaitingCard');
  const actionId = (await till.action()).id;
  await world.restartServer();
  await world.advance({ seconds: 10 });
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  await world.advance({ seconds: 5 });
  const states = (await timelineOf(actionId)).flatMap(({ step }) =>
    step?.machineId === 'action' ? [step.state] : [],
  );
  expect([states[0], states.at(-1)]).toEqual(['awaitingCard', 'succeeded']);
});

test('timelines: are stored a moment after the end of their action, the latest ones', async () => {
  for (let taken = 0; taken < 12; taken += 1) await till.takes(100);
  expect(await storedRows()).toEqual([]);
  await world.advance({ seconds: 5 });
  const { body } = await listOf(till.terminal.terminalId);
  const latest = body.items.slice(0, 10).map(({ id }: { id: string }) => id);
  expect((await storedRows()).map(({ action_id: id }) => id)).toEqual(latest.toReversed());
});

test('timelines: a reset deletes them', async () => {
  await till.takes(100);
  await world.advance({ seconds: 5 });
  await till.takes(200);
  await world.api.post('/sandbox/reset');
  await world.advance({ seconds: 5 });
  expect(await storedRows()).toEqual([]);
});

test('timeline of an action: has what the reader reported when it was unplugged', async () => {
  const shop = await openReaderFixture({ driver: 'pn532' });
  onTestFinished(() => shop.close());
  const { body } = await shop.till.pay(1742);
  await shop.is('awaitingCard');
  await shop.terminal.unplug();
  const { error } = await shop.ended();
  const entries = await timelineOf(body.action.id, shop.world);
  expect(titlesOf(entries)).toContain(`wire: action.abandoned unexpected_error ${error.reason}`);
  const { body: shown } = await shop.world.api.get(`/dashboard/actions/${body.action.id}`);
  expect(shown).toMatchObject({ errorCode: 'unexpected_error', errorReason: error.reason });
});
