import { beforeEach, expect, test } from 'vitest';
import {
  ActionAbandoned,
  ActionAccepted,
  ActionInquired,
  ActionUnsettled,
  AuthoriseAction,
} from '../../../../../protocol/messages/action.messages.ts';
import { actions } from '../../../../../server/api/in-person/actions/action.records.ts';
import { applyActionEvent } from '../../../../../server/api/in-person/actions/apply-action-event.ts';
import { shopServer, VISA, type ShopServer } from '../shop-server.ts';

let shop: ShopServer;
let id: string;
let paid: { actionId: string; sessionId: string };
beforeEach(async () => {
  shop = await shopServer();
  id = await shop.terminal();
  paid = await shop.pay(id);
});

const settle = (outcome: string) => shop.call(`POST /sandbox/terminals/${id}/settle`, { body: { outcome } });
const action = async () => (await shop.call(`GET /sandbox/actions/${paid.actionId}`)).body;
const session = async () => (await shop.call(`GET /v1/payment-sessions/${paid.sessionId}`)).body;

async function reported(outcome: 'Pending' | 'Unknown', more: { seq?: number; reason?: string } = {}) {
  await shop.report(ActionAccepted, id, { actionId: paid.actionId, seq: 1 });
  await shop.report(ActionUnsettled, id, { actionId: paid.actionId, seq: 2, outcome, ...more });
}

test('settle: a payment that was charged is captured, and the terminal is free again', async () => {
  await reported('Unknown', { reason: 'no answer after 180 s' });
  expect(await action()).toMatchObject({
    status: 'InProgress',
    phase: 'outcomeUnknown',
    error: null,
    deadlineTimestamp: null,
    unknownReason: 'no answer after 180 s',
  });
  const { status, body } = await settle('Charged');
  expect([status, body.action.status]).toEqual([200, 'Succeeded']);
  expect(await action()).toMatchObject({ phase: 'succeeded', unknownReason: null });
  expect(await session()).toMatchObject({ status: 'Captured' });
  expect(shop.sentTo(id).at(-1)).toBe('action.ended');
  await shop.pay(id);
});

test('settle: a terminal that asks for a decision afterwards gets the end alone, as no issuer has decided', async () => {
  await reported('Unknown');
  await settle('Charged');
  const sent = shop.sentTo(id).length;
  const approval = { authorisationCode: '614027', reference: '614027' };
  const request = { card: VISA, verification: 'OnDevice', device: approval } as const;
  await shop.report(AuthoriseAction, id, { actionId: paid.actionId, seq: 3, ...request });
  await shop.report(ActionInquired, id, { actionId: paid.actionId, seq: 4 });
  expect(shop.sentTo(id).slice(sent)).toEqual(['action.ended', 'action.ended']);
});

test('settle: a payment that was not charged fails, with the reason', async () => {
  await reported('Unknown');
  const { body } = await settle('NotCharged');
  expect(body.action).toMatchObject({
    status: 'Failed',
    error: { code: 'unexpected_error', reason: 'a person has settled it: nothing was charged' },
  });
  expect((await session()).status).not.toBe('Captured');
});

test('settle: is refused where no outcome is unknown', { tags: ['refusal:nothing_to_settle'] }, async () => {
  const refused = {
    status: 409,
    body: { errors: [{ message: expect.stringContaining('no action whose outcome is unknown') }] },
  };
  expect(await settle('Charged')).toMatchObject(refused);
  await reported('Pending');
  expect(await settle('Charged')).toMatchObject(refused);
  await shop.report(ActionUnsettled, id, { actionId: paid.actionId, seq: 3, outcome: 'Unknown' });
  expect((await settle('NotCharged')).status).toBe(200);
  expect(await settle('Charged')).toMatchObject(refused);
});

test('settle: another outcome than the two is refused with its field', async () => {
  await reported('Unknown');
  const { status, text } = await settle('Perhaps');
  expect(status).toBe(400);
  expect(text).toContain('outcome');
});

test(
  'cancel: is refused while a payment terminal has the request',
  { tags: ['refusal:at_payment_terminal'] },
  async () => {
    await reported('Pending');
    for (const outcome of ['Pending', 'Unknown'] as const) {
      await shop.report(ActionUnsettled, id, { actionId: paid.actionId, seq: 3, outcome });
      const { status, text } = await shop.at(id, 'cancel-action');
      expect(status).toBe(409);
      expect(text).toContain('a payment terminal has the request');
    }
    expect((await shop.at(id, 'payment', { amounts: { requested: 100 }, currency: 'GBP' })).status).toBe(409);
  },
);

test('unknown outcome: no time-out ends the action, and a late approval does', async () => {
  await reported('Pending');
  const passes = () =>
    shop.services.store.transaction(async (tx) => {
      tx.lockRow('terminals', id);
      const row = (await actions.findAny(tx, paid.actionId))!;
      return applyActionEvent(tx, shop.services, row, { type: 'deadline.passed' });
    });
  await passes();
  expect(await action()).toMatchObject({ status: 'InProgress', phase: 'outcomeUnknown' });
  expect(await passes()).toBeUndefined();
  const approval = { authorisationCode: '614027', reference: '614027' };
  await shop.report(AuthoriseAction, id, {
    actionId: paid.actionId,
    seq: 3,
    card: VISA,
    verification: 'OnDevice',
    device: approval,
  });
  expect(await action()).toMatchObject({ phase: 'printing', unknownReason: null });
});

const LIFETIME_MS = 7 * 86_400_000;

test('settle: a payment that was charged is captured, also after the lifetime of its session', async () => {
  await reported('Unknown');
  await shop.clock.advance(LIFETIME_MS);
  const { status, body } = await settle('Charged');
  expect([status, body.action?.status]).toEqual([200, 'Succeeded']);
  expect(await session()).toMatchObject({ status: 'Captured' });
});

test.each([
  { report: 'an approval', expiryYear: '2039', phase: 'printing', status: 'Approved', last: undefined },
  {
    report: 'a decline',
    expiryYear: '2024',
    phase: 'failed',
    status: 'PendingPayment',
    last: 'expired_card',
  },
])(
  'unknown outcome: $report after the lifetime of the session counts for it',
  async ({ expiryYear, phase, status, last }) => {
    await reported('Unknown');
    await shop.clock.advance(LIFETIME_MS);
    const card = { ...VISA, expiryYear };
    const { actionId } = paid;
    await shop.report(AuthoriseAction, id, { actionId, seq: 3, card, verification: 'OnDevice' });
    expect(await action()).toMatchObject({ phase });
    const { status: after, lastError } = await session();
    expect([after, lastError]).toEqual([status, last]);
  },
);

const LOST = 'the terminal has lost its record of the action';

test.each([
  { outcome: 'Pending', known: LOST },
  { outcome: 'Unknown', known: 'no answer after 180 s' },
] as const)(
  'outcome $outcome: a terminal that does not know the action any more leaves the outcome unknown',
  async ({ outcome, known }) => {
    const reason = outcome === 'Unknown' ? known : undefined;
    await reported(outcome, { ...(reason && { reason }) });
    await shop.report(ActionInquired, id, { seq: 1, requestedActionId: paid.actionId });
    expect(await action()).toMatchObject({
      status: 'InProgress',
      phase: 'outcomeUnknown',
      unknownReason: known,
    });
    expect((await settle('Charged')).body.action.status).toBe('Succeeded');
  },
);

test('unknown outcome: a decline that comes later has no reason of it', async () => {
  await reported('Unknown', { reason: 'no answer after 180 s' });
  const abandoned = { actionId: paid.actionId, seq: 3, code: 'cancelled_on_terminal' } as const;
  await shop.report(ActionAbandoned, id, abandoned);
  const { code, reason } = (await action()).error;
  expect([code, reason]).toEqual(['cancelled_on_terminal', undefined]);
});

test('settle: an unknown outcome of an action that has ended is with its reversals, unless a person has settled it', async () => {
  const unknown = {
    actionId: paid.actionId,
    seq: 3,
    outcome: 'Unknown',
    reason: 'the line was cut',
  } as const;
  await shop.report(ActionAccepted, id, { actionId: paid.actionId, seq: 1 });
  await shop.report(ActionAbandoned, id, { actionId: paid.actionId, seq: 2, code: 'timeout' });
  await shop.report(ActionUnsettled, id, unknown);
  expect((await action()).deviceReversals).toMatchObject([
    { outcome: 'NotReversed', reason: 'the line was cut', amount: expect.any(Number) },
  ]);
  paid = await shop.pay(id);
  await reported('Unknown');
  await settle('NotCharged');
  await shop.report(ActionUnsettled, id, { ...unknown, actionId: paid.actionId });
  expect((await action()).deviceReversals).toEqual([]);
});
