import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActionAbandoned, ReceiptReady } from '../../protocol/messages/action.messages.ts';
import { DisplayShown, MachineStepped, ReaderTraced } from '../../protocol/messages/inspection.messages.ts';
import { openTill } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { openPage } from '../server/dashboard/open-page.ts';
import { hostileTerminal } from './hostile-terminal.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const FORGED = 'forged by another terminal';

test("terminal report: an action id of another terminal writes nothing to that action's timeline", async () => {
  const till = openTill(world, await world.addTerminal());
  const { body } = await till.pay(1742);
  await till.reaches('awaitingCard');
  const actionId = body.action.id as string;
  const mallory = await hostileTerminal(world);
  const timelineOf = async () => {
    const page = await openPage(world, { kind: 'action', id: actionId });
    const { entries } = await world.until('the timeline', () => page.last('timeline'));
    return entries;
  };
  await world.settled();
  const before = await timelineOf();
  expect(before.length).toBeGreaterThan(3);

  const step = {
    actionId,
    event: FORGED,
    state: FORGED,
    status: 'InProgress',
    deadlineMs: null,
    atMs: 0,
  } as const;
  await mallory.publish(MachineStepped, step);
  await mallory.publish(ReaderTraced, { actionId, direction: 'in', bytes: '00', note: FORGED });
  await mallory.publish(DisplayShown, { actionId, lines: [FORGED] });
  const receipt = { merchantCopy: FORGED, customerCopy: FORGED, fields: {} };
  await mallory.publish(ReceiptReady, { actionId, seq: 1, receipt });
  await mallory.publish(ActionAbandoned, { actionId, seq: 2, code: 'timeout' });

  expect(await timelineOf()).toEqual(before);
  const terminals = (await world.api.get('/sandbox/terminals')).body.items;
  expect(JSON.stringify(terminals)).not.toContain(FORGED);
  expect((await world.api.get(`/sandbox/actions/${actionId}/receipt`)).status).toBe(404);
  expect(await till.action()).toMatchObject({ id: actionId, status: 'InProgress' });
});
