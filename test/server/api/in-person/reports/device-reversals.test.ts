import { beforeEach, expect, test } from 'vitest';
import type { BodyOf } from '../../../../../protocol/message.ts';
import {
  ActionAbandoned,
  ActionAccepted,
  ActionUnsettled,
} from '../../../../../protocol/messages/action.messages.ts';
import { ReversalReported } from '../../../../../protocol/messages/reversal.messages.ts';
import { type DeviceReversal, actions } from '../../../../../server/api/in-person/actions/action.records.ts';
import { parseJson } from '../../../../../server/platform/store/json-text.ts';
import type { Activity } from '../../../../../server/platform/activities.ts';
import { shopServer, UNKNOWN_ID, type ShopServer } from '../shop-server.ts';

let shop: ShopServer;
let id: string;
let activities: Activity[];
beforeEach(async () => {
  shop = await shopServer();
  id = await shop.terminal();
  activities = [];
  shop.services.activities.listen('test', (activity) => void activities.push(activity));
});

type Reported = BodyOf<typeof ReversalReported>;

const reversed = (actionId: string, more: Partial<Reported> = {}): Reported => ({
  actionId,
  reference: '0042/52500041',
  outcome: 'Reversed',
  amountMinor: 1742,
  currency: 'GBP',
  atMs: 1_767_605_400_000,
  ...more,
});

async function stored(actionId: string): Promise<DeviceReversal[]> {
  const { device_reversals: text } = (await actions.findAny(shop.services.store, actionId))!;
  return text === null ? [] : parseJson(text);
}

const acknowledged = () =>
  shop.gateway.sent.filter(({ message }) => message === 'reversal.recorded').map(({ body }) => body);
const shown = () => activities.filter(({ kind }) => kind === 'device.reversed');

test('a reported reversal: is recorded and acknowledged, and the payment stays as it is', async () => {
  const { actionId, sessionId } = await shop.captured(id);
  const before = await actions.findAny(shop.services.store, actionId);
  await shop.report(ReversalReported, id, reversed(actionId));
  const { atMs, ...rest } = { ...reversed(actionId), reason: null };
  const { actionId: _, ...reversal } = rest;
  expect(await stored(actionId)).toEqual([{ ...reversal, atMs }]);
  expect(acknowledged()).toEqual([{ actionId, reference: '0042/52500041', outcome: 'Reversed', atMs }]);
  expect(shown()).toEqual([{ kind: 'device.reversed', terminalId: id, actionId, ...reversal, atMs }]);
  expect({ ...(await actions.findAny(shop.services.store, actionId)), device_reversals: null }).toEqual(
    before,
  );
  expect((await shop.call(`GET /v1/payment-sessions/${sessionId}`)).body.status).toBe('Captured');
});

test('a reported reversal: one that comes again is acknowledged again, and recorded once', async () => {
  const { actionId } = await shop.captured(id);
  await shop.report(ReversalReported, id, reversed(actionId));
  await shop.report(ReversalReported, id, reversed(actionId, { atMs: 1_767_605_500_000 }));
  expect([(await stored(actionId)).length, acknowledged().length, shown().length]).toEqual([1, 2, 1]);
});

test('a reported reversal: replaces that of the same receipt, and follows that of another', async () => {
  const { actionId } = await shop.captured(id);
  const refused = { outcome: 'NotReversed', reason: 'card 4012001037140085\nis refused' } as const;
  await shop.report(ReversalReported, id, reversed(actionId, { reference: '0041' }));
  await shop.report(ReversalReported, id, reversed(actionId, refused));
  expect(await stored(actionId)).toMatchObject([
    { reference: '0041' },
    { outcome: 'NotReversed', reason: 'card ·· is refused' },
  ]);
  await shop.report(ReversalReported, id, reversed(actionId));
  expect(await stored(actionId)).toMatchObject([
    { reference: '0041' },
    { reference: '0042/52500041', outcome: 'Reversed', reason: null },
  ]);
});

test('a reported reversal: replaces what was recorded while the outcome was unknown, which had no reference', async () => {
  const { actionId } = await shop.pay(id);
  const unknown = { actionId, outcome: 'Unknown', reason: 'no outcome after 180 s' } as const;
  await shop.report(ActionAccepted, id, { actionId, seq: 1 });
  await shop.report(ActionAbandoned, id, { actionId, seq: 2, code: 'timeout' });
  await shop.report(ActionUnsettled, id, { ...unknown, seq: 3 });
  expect(await stored(actionId)).toMatchObject([{ reference: null, outcome: 'NotReversed' }]);
  await shop.report(ReversalReported, id, reversed(actionId));
  expect(await stored(actionId)).toMatchObject([{ reference: '0042/52500041', outcome: 'Reversed' }]);
});

test('a reported reversal: is recorded while its action is in progress, which goes on', async () => {
  const { actionId } = await shop.pay(id);
  await shop.report(ReversalReported, id, reversed(actionId));
  await shop.authorise(id, actionId);
  expect(await stored(actionId)).toHaveLength(1);
  expect((await shop.call(`GET /v1/in-person/terminals/${id}`)).body.action.status).toBe('InProgress');
});

test('a reported reversal: at most twenty are stored of an action, the latest', async () => {
  const { actionId } = await shop.captured(id);
  for (let number = 1; number <= 21; number += 1)
    await shop.report(ReversalReported, id, reversed(actionId, { reference: String(number) }));
  const references = (await stored(actionId)).map(({ reference }) => reference);
  expect([references.length, references[0], references.at(-1)]).toEqual([20, '2', '21']);
});

test('a reported reversal: of an action of another terminal is acknowledged, not recorded, and shown as refused', async () => {
  const { actionId } = await shop.captured(id);
  const other = await shop.terminal();
  const unknown = `tmlact_${UNKNOWN_ID}_${UNKNOWN_ID}`;
  for (const foreign of [actionId, unknown]) await shop.report(ReversalReported, other, reversed(foreign));
  expect([await stored(actionId), acknowledged().length, shown()]).toEqual([[], 2, []]);
  expect(activities.filter(({ kind }) => kind === 'message.refused')).toMatchObject([
    { terminalId: other, message: 'reversal.reported' },
    { terminalId: other },
  ]);
});

test('a reported reversal: is bounded', () => {
  const valid = reversed(`tmlact_${UNKNOWN_ID}_${UNKNOWN_ID}`);
  expect(ReversalReported.check(valid)).toEqual([]);
  for (const wrong of [
    { reference: 'x'.repeat(41) },
    { reference: 'a\nb' },
    { amountMinor: -1 },
    { currency: 'EURO' },
    { reason: 'x'.repeat(201) },
    { atMs: -1 },
  ])
    expect(ReversalReported.check({ ...valid, ...wrong })[0]).toMatchObject({ path: Object.keys(wrong)[0] });
});
