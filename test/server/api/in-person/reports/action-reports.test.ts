import { beforeEach, describe, expect, test } from 'vitest';
import {
  ActionAbandoned,
  ActionAccepted,
  ActionCompleted,
  ActionInquired,
  AuthoriseAction,
  SEQ_MAX,
} from '../../../../../protocol/messages/action.messages.ts';
import { LOSS_DETECTED_MS } from '../../../../../protocol/link.ts';
import { Presence } from '../../../../../protocol/messages/presence.messages.ts';
import { shopServer, UNKNOWN_ID, VISA, type ShopServer } from '../shop-server.ts';

let shop: ShopServer;
let id: string;
beforeEach(async () => {
  shop = await shopServer();
  id = await shop.terminal();
});

const action = async (terminalId = id) =>
  (await shop.call(`GET /v1/in-person/terminals/${terminalId}`)).body.action;
const session = async (sessionId: string) => (await shop.call(`GET /v1/payment-sessions/${sessionId}`)).body;
const movements = async () =>
  (await shop.services.store.all('SELECT type FROM payment_transactions ORDER BY seq')).map(
    ({ type }) => type,
  );

/** What was sent to a terminal since the last time that was asked, with its numbers. */
function heard(
  terminalId = id,
): { message: string; actionId: string; seq: number; [member: string]: unknown }[] {
  const all = shop.gateway.sent.filter((sent) => sent.terminalId === terminalId);
  shop.gateway.sent.length = 0;
  return all.map(({ message, body }) => ({ message, ...(body as { actionId: string; seq: number }) }));
}

const names = () => heard().map(({ message }) => message);

describe('terminal reports: sequence numbers', () => {
  test('commands of an action are numbered from 1 without gaps', async () => {
    const { actionId } = await shop.captured(id);
    expect(heard().map(({ message, seq, actionId: about }) => [message, seq, about])).toEqual([
      ['action.start', 1, actionId],
      ['action.decision', 2, actionId],
      ['action.ended', 3, actionId],
    ]);
  });

  test('a repeated report is dropped', async () => {
    const { actionId, sessionId } = await shop.pay(id);
    await shop.authorise(id, actionId);
    heard();
    const report = { actionId, seq: 2, card: VISA, verification: 'None' } as const;
    await shop.report(AuthoriseAction, id, report);
    await shop.report(ActionAbandoned, id, { actionId, seq: 1, code: 'timeout' });
    expect([heard(), await movements(), (await session(sessionId)).status]).toEqual([
      [],
      ['Authorization'],
      'Approved',
    ]);
  });

  test('a report after a gap is accepted, and the gap is logged', async () => {
    const { actionId } = await shop.pay(id);
    await shop.report(AuthoriseAction, id, { actionId, seq: 5, card: VISA, verification: 'None' });
    expect(names()).toEqual(['action.start', 'action.decision']);
    expect(shop.logged.join()).toContain('a gap in reports');
  });

  test('outside the integers that the database stores are refused', () => {
    const card = { card: VISA, verification: 'None', actionId: `tmlact_${UNKNOWN_ID}_${UNKNOWN_ID}` };
    expect(AuthoriseAction.check({ ...card, seq: SEQ_MAX })).toEqual([]);
    for (const seq of [0, -1, 1.5, SEQ_MAX + 1, 1e300]) {
      expect(AuthoriseAction.check({ ...card, seq })[0]).toMatchObject({ path: 'seq' });
    }
  });
});

describe('terminal reports: the reason of a failure', () => {
  const abandoned = (actionId: string, seq: number, reason?: string) =>
    shop.report(ActionAbandoned, id, { actionId, seq, code: 'unexpected_error', ...(reason && { reason }) });

  test('is shown by the API and in the event, and not after the next action', async () => {
    const { actionId } = await shop.pay(id);
    await abandoned(actionId, 1, 'there is no port /dev/ttyUSB0');
    const error = { code: 'unexpected_error', reason: 'there is no port /dev/ttyUSB0' };
    expect((await action()).error).toMatchObject(error);
    const [event] = await shop.services.store.all<{ body: string }>(
      `SELECT body FROM events WHERE event_type = 'Terminal.action_updated' ORDER BY seq DESC LIMIT 1`,
    );
    expect(JSON.parse(event!.body).data.action.error).toMatchObject(error);

    const next = await shop.pay(id);
    expect((await action()).error).toBeNull();
    await abandoned(next.actionId, 1);
    expect((await action()).error).toEqual({
      code: 'unexpected_error',
      settings: { receiptPrintingSource: 'Terminal' },
    });
  });

  test('is one line without card numbers, whatever the terminal sent', async () => {
    const { actionId } = await shop.pay(id);
    await abandoned(actionId, 1, 'card 4012001037140085\r\n\u001b[2Jrefused');
    expect((await action()).error.reason).toBe('card ·· [2Jrefused');
    const rows = await shop.services.store.all('SELECT * FROM actions');
    expect(JSON.stringify(rows)).not.toContain('4012001037140085');
  });

  test('of a refund that stays, since its money has moved, is not kept', async () => {
    const { sessionId } = await shop.captured(id);
    await shop.at(id, 'refund', { paymentSession: { id: sessionId } });
    const { id: actionId } = await action();
    await shop.authorise(id, actionId);
    await abandoned(actionId, 3, 'unplugged');
    expect(await action()).toMatchObject({ status: 'Succeeded', error: null });
    expect(await shop.services.store.all('SELECT error_reason FROM actions WHERE id = ?', actionId)).toEqual([
      { error_reason: null },
    ]);
  });
});

describe('terminal reports: authorisation of an action', () => {
  test("a repeated request returns the issuer's first decision", async () => {
    const { actionId } = await shop.pay(id);
    await shop.authorise(id, actionId);
    const [, first] = heard();
    const other = { ...VISA, last4: '1000', bin: '400000' };
    await shop.report(AuthoriseAction, id, { actionId, seq: 3, card: other, verification: 'None' });
    const [again] = heard();
    expect(again).toEqual({ ...first, seq: first!.seq + 1 });
    expect(await movements()).toEqual(['Authorization']);
  });

  test('a scheme that the merchant does not accept is declined', async () => {
    const paymentSettings = { paymentMethodOptions: { disabled: ['Amex'] } };
    const { actionId, sessionId } = await shop.pay(id, { paymentSession: { paymentSettings } });
    const amex = { ...VISA, scheme: 'Amex', bin: '343434', last4: '3434' } as const;
    await shop.authorise(id, actionId, amex);
    expect(await action()).toMatchObject({
      status: 'Failed',
      error: { code: 'payment_method_option_amex_disabled' },
    });
    expect(await session(sessionId)).toMatchObject({
      status: 'PendingPayment',
      lastError: 'payment_method_option_amex_disabled',
    });
    const taken = await shop.pay(id, { paymentSession: { paymentSettings } });
    await shop.authorise(id, taken.actionId, VISA);
    expect((await session(taken.sessionId)).status).toBe('Approved');
  });

  test('a refund is accepted for a scheme that payments no longer accept', async () => {
    const paymentSettings = { paymentMethodOptions: { disabled: ['Amex'] } };
    const { sessionId } = await shop.captured(id, { paymentSession: { paymentSettings } });
    const { body } = await shop.at(id, 'refund', { paymentSession: { id: sessionId } });
    await shop.authorise(id, body.action.id, { ...VISA, scheme: 'Amex' });
    expect((await session(sessionId)).refundedAmount).toBe(1000);
  });

  test('after a cancel the terminal is sent the end of the action', async () => {
    const { actionId, sessionId } = await shop.pay(id);
    await shop.report(ActionAccepted, id, { actionId, seq: 1 });
    await shop.at(id, 'cancel-action');
    heard();
    await shop.report(AuthoriseAction, id, { actionId, seq: 2, card: VISA, verification: 'None' });
    expect(heard()).toMatchObject([{ message: 'action.ended', status: 'Cancelled' }]);
    expect([(await session(sessionId)).status, await movements()]).toEqual(['PendingPayment', []]);
  });

  test('without one nothing is captured', async () => {
    const { actionId, sessionId } = await shop.pay(id);
    await shop.report(ActionCompleted, id, { actionId, seq: 1, failedCopies: [] });
    expect([(await session(sessionId)).status, (await action()).status]).toEqual([
      'PendingPayment',
      'InProgress',
    ]);
  });
});

describe('terminal reports: the receipt', () => {
  const receipt = { merchantCopy: 'SALE', customerCopy: 'SALE', fields: {} };
  const stored = async (actionId: string) => {
    const row = await shop.services.store.get('SELECT receipt FROM actions WHERE id = ?', actionId);
    return row!['receipt'] === null ? null : JSON.parse(String(row!['receipt']));
  };

  test('of an action that is completed is stored, though the report of the receipt was lost', async () => {
    const { actionId, sessionId } = await shop.pay(id);
    await shop.authorise(id, actionId);
    await shop.report(ActionCompleted, id, { actionId, seq: 4, failedCopies: [], receipt });
    expect([await stored(actionId), (await session(sessionId)).status]).toEqual([receipt, 'Captured']);
  });

  test('of an action that ended before it was completed is stored, and nothing else changes', async () => {
    const { actionId, sessionId } = await shop.pay(id);
    await shop.authorise(id, actionId);
    await shop.at(id, 'cancel-action');
    heard();
    await shop.report(ActionCompleted, id, { actionId, seq: 4, failedCopies: [], receipt });
    expect([await stored(actionId), (await session(sessionId)).status]).toEqual([receipt, 'Voided']);
    expect(names()).toEqual(['action.decision', 'action.ended']);
  });

  test('of a terminal that sends none stays empty', async () => {
    const { actionId, sessionId } = await shop.captured(id);
    expect([await stored(actionId), (await session(sessionId)).status]).toEqual([null, 'Captured']);
  });
});

describe('terminal reports: an action that has ended', () => {
  test('ends once, whatever is reported later', async () => {
    const { actionId, sessionId } = await shop.captured(id);
    const ended = await action();
    heard();
    await shop.report(ActionCompleted, id, { actionId, seq: 4, failedCopies: ['customerCopy'] });
    await shop.report(ActionAbandoned, id, { actionId, seq: 5, code: 'timeout' });
    expect(await action()).toEqual(ended);
    expect([(await session(sessionId)).status, await movements()]).toEqual([
      'Captured',
      ['Authorization', 'Capture'],
    ]);
    expect(names()).toEqual(['action.decision', 'action.ended', 'action.decision', 'action.ended']);
  });
});

describe('terminal reports: an action of another terminal', () => {
  test('a report of it is answered as unknown and changes nothing', async () => {
    const other = await shop.terminal();
    const { actionId } = await shop.pay(id);
    heard();
    const before = await action();
    await shop.report(ActionAbandoned, other, { actionId, seq: 1, code: 'timeout' });
    await shop.report(ActionInquired, other, { actionId, seq: 2 });
    const answer = {
      message: 'action.ended',
      actionId,
      seq: SEQ_MAX,
      status: 'Failed',
      code: 'unknown_action',
    };
    expect(heard(other)).toEqual([answer, answer]);
    expect(await action()).toEqual(before);
  });

  test('a report from a deleted terminal changes nothing', async () => {
    const { actionId } = await shop.captured(id);
    await shop.call(`DELETE /v1/in-person/terminals/${id}`);
    heard();
    await shop.report(ActionInquired, id, { actionId, seq: 9 });
    await shop.report(Presence, id, { online: true });
    expect(heard()).toEqual([]);
    const row = await shop.services.store.get('SELECT online FROM terminals WHERE id = ?', id);
    expect(row!['online']).toBe(0);
  });
});

describe('terminal reports: presence', () => {
  test('a terminal that an external broker takes as offline is asked whether it is', async () => {
    Object.assign(shop.services.gateway, { lossDetectedMs: LOSS_DETECTED_MS });
    await shop.report(Presence, id, { online: true });
    expect(names()).toEqual([]);
    await shop.report(Presence, id, { online: false });
    expect(names()).toEqual(['presence.request']);
  });

  test('a terminal that the embedded broker takes as offline is not asked: its last will is never late', async () => {
    await shop.report(Presence, id, { online: false });
    expect(names()).toEqual([]);
  });
});

describe('terminal reports: an inquiry', () => {
  test('about the current action is answered with the decision', async () => {
    const { actionId } = await shop.pay(id, { settings: { receiptPrintingSource: 'PointOfSale' } });
    await shop.report(ActionInquired, id, { actionId, seq: 1 });
    expect(names()).toEqual(['action.start', 'action.start']);
    await shop.report(ActionAccepted, id, { actionId, seq: 2 });
    await shop.report(ActionInquired, id, { actionId, seq: 3 });
    expect(names()).toEqual([]);
    await shop.report(AuthoriseAction, id, { actionId, seq: 4, card: VISA, verification: 'None' });
    await shop.at(id, 'confirm-receipt', { merchantCopy: { status: 'Succeeded' } });
    heard();
    await shop.report(ActionInquired, id, { actionId, seq: 5 });
    expect(names()).toEqual(['action.decision', 'receipt.confirmed']);
    await shop.at(id, 'cancel-action');
    heard();
    await shop.report(ActionInquired, id, { actionId, seq: 6 });
    expect(heard().map(({ message, seq }) => [message, seq])).toEqual([
      ['action.decision', 9],
      ['receipt.confirmed', 10],
      ['action.ended', 11],
    ]);
  });

  test('about an unknown action is answered with its end', async () => {
    const actionId = `tmlact_${UNKNOWN_ID}_${UNKNOWN_ID}`;
    await shop.report(ActionInquired, id, { actionId, seq: 7 });
    expect(heard()).toMatchObject([
      { message: 'action.ended', actionId, status: 'Failed', code: 'unknown_action' },
    ]);
  });

  test.each(['no action', 'an earlier action'])(
    'about %s, from a terminal that had started one: the action counts as lost once the terminal does not know it',
    async (what) => {
      const earlier = await shop.pay(id);
      await shop.at(id, 'cancel-action');
      const { actionId, sessionId } = await shop.pay(id);
      await shop.authorise(id, actionId);
      const about = { seq: 1, ...(what !== 'no action' && { actionId: earlier.actionId }) };
      heard();
      await shop.report(ActionInquired, id, about);
      expect(heard().at(-1)).toMatchObject({ message: 'report.request', actionId });
      expect((await action()).status).toBe('InProgress');
      await shop.report(ActionInquired, id, { ...about, seq: 2, requestedActionId: actionId });
      expect(await action()).toMatchObject({ status: 'Failed', error: { code: 'unexpected_error' } });
      expect((await session(sessionId)).status).toBe('Voided');
    },
  );

  test('about no action, from a terminal that has not started: the start is sent again', async () => {
    const { actionId } = await shop.pay(id);
    await shop.report(ActionInquired, id, { seq: 1 });
    expect(heard()).toMatchObject([
      { message: 'action.start', actionId, seq: 1 },
      { message: 'action.start', actionId, seq: 2 },
    ]);
    expect((await action()).status).toBe('InProgress');
  });

  test('a repeated inquiry does not end an action that started in between', async () => {
    const earlier = await shop.pay(id);
    await shop.report(ActionAccepted, id, { actionId: earlier.actionId, seq: 1 });
    await shop.at(id, 'cancel-action');
    const inquiry = { actionId: earlier.actionId, seq: 2 };
    await shop.report(ActionInquired, id, inquiry);
    const { actionId } = await shop.pay(id);
    await shop.report(ActionAccepted, id, { actionId, seq: 1 });
    heard();
    await shop.report(ActionInquired, id, inquiry);
    expect(await action()).toMatchObject({ id: actionId, status: 'InProgress' });
    expect(heard()).toMatchObject([
      { message: 'action.ended', actionId: earlier.actionId },
      { message: 'report.request', actionId },
    ]);
  });

  test('about no action, delivered late or twice, does not end an action that its terminal has', async () => {
    const { actionId } = await shop.pay(id);
    await shop.report(ActionInquired, id, { seq: 1 });
    await shop.report(ActionAccepted, id, { actionId, seq: 1 });
    await shop.report(ActionInquired, id, { seq: 1 });
    await shop.report(ActionInquired, id, { seq: 1 });
    expect((await action()).status).toBe('InProgress');
    await shop.report(AuthoriseAction, id, { actionId, seq: 2, card: VISA, verification: 'None' });
    await shop.report(ActionInquired, id, { seq: 1 });
    expect((await action()).status).toBe('InProgress');
  });
});
