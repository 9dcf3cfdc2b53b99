import { describe, expect, test } from 'vitest';
import { shopServer, type ShopServer } from '../shop-server.ts';

describe('POST /in-person/terminals/{id}/cancel-action', () => {
  test.each(['', '{}', '[]', '{"status":', 'null'])('accepts the body %j', async (raw) => {
    const shop = await shopServer();
    const id = await shop.terminal();
    await shop.pay(id);
    const operation = `POST /v1/in-person/terminals/${id}/cancel-action`;
    const { status, body } = await shop.call(operation, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, body.action.status]).toEqual([200, 'Cancelled']);
    expect((await shop.call(operation, { raw })).status).toBe(400);
  });

  test('returns the terminal after the cancel', async () => {
    const shop = await shopServer();
    const id = await shop.terminal();
    await shop.pay(id);
    await shop.clock.advance(5_000);
    const { body } = await shop.at(id, 'cancel-action');
    const now = Math.floor(shop.clock.nowMs() / 1000);
    expect(body).toMatchObject({ lastUpdatedTimestamp: now, action: { completedTimestamp: now } });
    expect((await shop.call(`GET /v1/in-person/terminals/${id}`)).body).toEqual(body);
  });

  test('of two concurrent calls one cancels', async () => {
    const shop = await shopServer();
    const id = await shop.terminal();
    await shop.pay(id);
    const cancel = () => shop.at(id, 'cancel-action');
    expect(await shop.race(cancel, cancel)).toEqual([200, 400]);
    expect(shop.sentTo(id)).toEqual(['action.start', 'action.cancel', 'action.ended']);
  });
});

describe('POST /in-person/terminals/{id}/confirm-receipt', () => {
  /** A terminal whose payment waits for its merchant copy to be confirmed. */
  async function waiting(shop: ShopServer): Promise<string> {
    const id = await shop.terminal();
    const { actionId } = await shop.pay(id, { settings: { receiptPrintingSource: 'PointOfSale' } });
    await shop.authorise(id, actionId);
    return id;
  }

  test.each([
    ['no body', undefined, 'send'],
    ['no copy', {}, 'send'],
    ['copies that are null', { merchantCopy: null, customerCopy: null }, 'send'],
    ['an unknown copy', { kitchenCopy: { status: 'Succeeded' } }, 'send'],
    ['an empty list, which counts as no body', [], 'send'],
    ['a list with something in it', [{}], 'body'],
    ['a copy that is text', { merchantCopy: 'Succeeded' }, 'merchantCopy'],
    ['a copy without status', { merchantCopy: {} }, 'merchantCopy.status'],
    ['a status that is null', { merchantCopy: { status: null } }, 'merchantCopy.status'],
    ['a status in small letters', { merchantCopy: { status: 'succeeded' } }, 'merchantCopy.status'],
    ['a status that only the server sets', { customerCopy: { status: 'Required' } }, 'customerCopy.status'],
    [
      'one copy right and one wrong',
      { merchantCopy: { status: 'Succeeded' }, customerCopy: { status: 'Lost' } },
      'customerCopy.status',
    ],
  ])('refuses %s, whether or not a copy is awaited', async (_, body, field) => {
    const shop = await shopServer();
    for (const id of [await waiting(shop), await shop.terminal()]) {
      const { status, body: envelope } = await shop.at(id, 'confirm-receipt', body);
      expect([status, envelope.errors[0].code]).toEqual([400, 'invalid_field']);
      expect(envelope.errors[0].message.split(' ')[0]).toBe(field);
    }
  });

  test('refuses a copy that is not awaited', async () => {
    const shop = await shopServer();
    const attempt = async (id: string, body: object) => {
      const answer = await shop.at(id, 'confirm-receipt', body);
      return [answer.status, answer.body.errors[0].code];
    };
    const refusal = [400, 'bad_request'];
    const copies = { merchantCopy: { status: 'Succeeded' }, customerCopy: { status: 'Succeeded' } };
    const idle = await shop.terminal();
    expect(await attempt(idle, copies)).toEqual(refusal);
    await shop.pay(idle, { settings: { receiptPrintingSource: 'PointOfSale' } });
    expect(await attempt(idle, copies)).toEqual(refusal);
    const printing = await shop.terminal();
    await shop.authorise(printing, (await shop.pay(printing)).actionId);
    expect(await attempt(printing, copies)).toEqual(refusal);
  });

  test('returns the terminal after the confirmation', async () => {
    const shop = await shopServer();
    const id = await waiting(shop);
    await shop.clock.advance(5_000);
    const { body } = await shop.at(id, 'confirm-receipt', { merchantCopy: { status: 'Succeeded' } });
    expect(body).toMatchObject({
      lastUpdatedTimestamp: Math.floor(shop.clock.nowMs() / 1000),
      action: {
        status: 'InProgress',
        transaction: { receiptDetail: { customerCopy: { status: 'Required' } } },
      },
    });
    expect((await shop.call(`GET /v1/in-person/terminals/${id}`)).body).toEqual(body);
  });

  test('concurrent with itself or a cancel: the money moves once', async () => {
    const shop = await shopServer();
    const copies = { merchantCopy: { status: 'Succeeded' }, customerCopy: { status: 'Succeeded' } };
    const [first, second] = [await waiting(shop), await waiting(shop)];
    const confirm = (id: string) => () => shop.at(id, 'confirm-receipt', copies);
    expect(await shop.race(confirm(first), confirm(first))).toEqual([200, 400]);
    expect(await shop.race(() => shop.at(second, 'cancel-action'), confirm(second))).toEqual([200, 400]);
    const rows = await shop.services.store.all('SELECT type FROM payment_transactions ORDER BY seq');
    expect(rows.map(({ type }) => type)).toEqual(['Authorization', 'Authorization', 'Capture', 'Void']);
  });
});
