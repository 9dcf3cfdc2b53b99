import { describe, expect, test } from 'vitest';
import { ReceiptReady } from '../../../../../protocol/messages/action.messages.ts';
import { shopServer, UNKNOWN_ID } from '../shop-server.ts';

describe('POST /in-person/terminals/{id}/refund', () => {
  const refund = (change: object) => ({ paymentSession: { id: `ps_${UNKNOWN_ID}` }, ...change });

  test.each([
    ['no body', undefined, 'paymentSession'],
    ['no session', { amount: 100 }, 'paymentSession'],
    ['a session that is text', { paymentSession: `ps_${UNKNOWN_ID}` }, 'paymentSession'],
    ['a session without id', { paymentSession: {} }, 'paymentSession.id'],
    ['a session whose id is a number', { paymentSession: { id: 1 } }, 'paymentSession.id'],
    ['nothing', refund({ amount: 0 }), 'amount'],
    ['a negative amount', refund({ amount: -1 }), 'amount'],
    ['half a penny', refund({ amount: 0.5 }), 'amount'],
    ['an amount that is text', refund({ amount: '100' }), 'amount'],
    ['a flag that is text', refund({ refundPlatformFee: 'true' }), 'refundPlatformFee'],
    [
      'receipts printed elsewhere',
      refund({ settings: { receiptPrintingSource: '' } }),
      'settings.receiptPrintingSource',
    ],
  ])('refuses %s, before it looks up the session', async (_, body, field) => {
    const shop = await shopServer();
    const { status, body: envelope } = await shop.at(await shop.terminal(), 'refund', body);
    expect([status, envelope.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(envelope.errors[0].message.split(' ')[0]).toBe(field);
  });

  test.each([`ps_${UNKNOWN_ID}`, 'ps_1', '', `tml_${UNKNOWN_ID}`])('session %j is not found', async (id) => {
    const shop = await shopServer();
    const { status, body } = await shop.at(await shop.terminal(), 'refund', { paymentSession: { id } });
    expect([status, body.errors[0]]).toEqual([
      404,
      { code: 'not_found', message: 'no such payment session' },
    ]);
  });

  test('treats null fields as absent', async () => {
    const shop = await shopServer();
    const id = await shop.terminal();
    const { sessionId } = await shop.captured(id);
    const nulls = { amount: null, refundPlatformFee: null, settings: null };
    const { body } = await shop.at(id, 'refund', { paymentSession: { id: sessionId }, ...nulls });
    expect(body.action.transaction).toMatchObject({
      type: 'Refund',
      paymentSessionId: sessionId,
      amounts: { requested: 1000 },
      settings: { receiptPrintingSource: 'Terminal' },
    });
  });

  test('refuses what the state of the session does not allow', async () => {
    const shop = await shopServer();
    const id = await shop.terminal();
    const attempt = async (sessionId: string, change: object = {}) => {
      const { status, body } = await shop.at(id, 'refund', { paymentSession: { id: sessionId }, ...change });
      return [status, body.errors[0].code];
    };
    const open = await shop.pay(id);
    expect(await attempt(open.sessionId)).toEqual([400, 'bad_request']);
    await shop.at(id, 'cancel-action');
    const { sessionId } = await shop.captured(id);
    expect(await attempt(sessionId, { amount: 1001 })).toEqual([400, 'invalid_field']);
    expect(await attempt(sessionId, { refundPlatformFee: true })).toEqual([400, 'bad_request']);
    await shop.pay(id);
    expect(await attempt(sessionId)).toEqual([409, 'conflict']);
    // Of several reasons the terminal's comes last: it passes by itself.
    expect(await attempt(sessionId, { amount: 1001 })).toEqual([400, 'invalid_field']);
  });
});

test('terminal refund: stores a receipt that arrives unexpectedly', async () => {
  const shop = await shopServer();
  const id = await shop.terminal();
  const { sessionId } = await shop.captured(id);
  const { body } = await shop.at(id, 'refund', {
    paymentSession: { id: sessionId },
    settings: { receiptPrintingSource: 'PointOfSale' },
  });
  const actionId = body.action.id as string;
  await shop.authorise(id, actionId);
  expect((await shop.at(id, 'cancel-action')).body.action.status).toBe('Succeeded');
  const receipt = { merchantCopy: 'REFUND', customerCopy: 'REFUND', fields: {} };
  await shop.report(ReceiptReady, id, { actionId, seq: 3, receipt });
  const row = await shop.services.store.get('SELECT receipt FROM actions WHERE id = ?', actionId);
  expect(JSON.parse(String(row!['receipt']))).toEqual(receipt);
  expect(shop.sentTo(id).at(-1)).toBe('action.ended');
});
