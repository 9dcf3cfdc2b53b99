import { describe, expect, test } from 'vitest';
import { findAccount, accounts } from '../../../../../server/api/accounts/account.records.ts';
import { PAYMENT, shopServer } from '../shop-server.ts';

const ACCOUNT = `ac_7e0c4f0a-4c0e-4d60-9c4a-0b7f1c2d3e4f`;

const session = (change: object) => ({ ...PAYMENT, paymentSession: change });
const metadata = (map: unknown) => session({ metadata: map });
const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'value']));
const bookTo = (part: string, account: unknown) =>
  session({ paymentSettings: { platform: { paymentFees: { [part]: { bookTo: account } } } } });

describe('POST /in-person/terminals/{id}/payment', () => {
  test.each([
    ['no body', undefined, 'amounts'],
    ['an empty list, which counts as no body', [], 'amounts'],
    ['a list with something in it', [{}], 'body'],
    ['no amounts', { currency: 'GBP' }, 'amounts'],
    ['no requested amount', { ...PAYMENT, amounts: {} }, 'amounts.requested'],
    ['an amount that is null', { ...PAYMENT, amounts: { requested: null } }, 'amounts.requested'],
    ['an amount that is text', { ...PAYMENT, amounts: { requested: '1000' } }, 'amounts.requested'],
    ['half a penny', { ...PAYMENT, amounts: { requested: 1000.5 } }, 'amounts.requested'],
    ['a negative amount', { ...PAYMENT, amounts: { requested: -1000 } }, 'amounts.requested'],
    ['nothing', { ...PAYMENT, amounts: { requested: 0 } }, 'amounts.requested'],
    ['less than the least in GBP', { ...PAYMENT, amounts: { requested: 29 } }, 'amounts.requested'],
    ['more than the most in GBP', { ...PAYMENT, amounts: { requested: 2_000_001 } }, 'amounts.requested'],
    ['less than the least in HUF', { amounts: { requested: 24_999 }, currency: 'HUF' }, 'amounts.requested'],
    ['more than a double holds', { ...PAYMENT, amounts: { requested: 1e300 } }, 'amounts.requested'],
    ['no currency', { amounts: { requested: 1000 } }, 'currency'],
    ['a currency in small letters', { ...PAYMENT, currency: 'gbp' }, 'currency'],
    ['an unknown currency', { ...PAYMENT, currency: 'XXX' }, 'currency'],
    ['a currency that the account does not accept', { ...PAYMENT, currency: 'JPY' }, 'currency'],
    ['a session that is text', session('ps_1' as unknown as object), 'paymentSession'],
    ['a platform fee without the Account header', session({ platformFee: 0 }), 'paymentSession.platformFee'],
    ['a platform fee below nothing', session({ platformFee: -1 }), 'paymentSession.platformFee'],
    ['half a penny of platform fee', session({ platformFee: 0.5 }), 'paymentSession.platformFee'],
    ['metadata that is a list', metadata([]), 'paymentSession.metadata'],
    ['11 metadata entries', metadata(entries(11)), 'paymentSession.metadata'],
    ['a metadata key of 31', metadata({ ['k'.repeat(31)]: 'v' }), 'paymentSession.metadata'],
    ['a metadata value of 251', metadata({ key: 'v'.repeat(251) }), 'paymentSession.metadata.key'],
    ['a metadata value that is a number', metadata({ key: 1 }), 'paymentSession.metadata.key'],
    [
      'disabled methods that are text',
      session({ paymentSettings: { paymentMethodOptions: { disabled: 'Amex' } } }),
      'paymentSession.paymentSettings.paymentMethodOptions.disabled',
    ],
    [
      'a disabled method that is a number',
      session({ paymentSettings: { paymentMethodOptions: { disabled: [1] } } }),
      'paymentSession.paymentSettings.paymentMethodOptions.disabled.0',
    ],
    [
      'fees charged to no account',
      bookTo('combined', null),
      'paymentSession.paymentSettings.platform.paymentFees.combined.bookTo',
    ],
    [
      'fees charged to an invalid account id',
      bookTo('interchange', 'me'),
      'paymentSession.paymentSettings.platform.paymentFees.interchange.bookTo',
    ],
    ['settings that are text', { ...PAYMENT, settings: 'Terminal' }, 'settings'],
    [
      'receipts printed elsewhere',
      { ...PAYMENT, settings: { receiptPrintingSource: 'Kitchen' } },
      'settings.receiptPrintingSource',
    ],
  ])('refuses %s', async (_, body, field) => {
    const shop = await shopServer();
    const id = await shop.terminal();
    const { status, body: envelope } = await shop.at(id, 'payment', body);
    expect([status, envelope.errors[0].code]).toEqual([400, 'invalid_field']);
    expect(envelope.errors[0].message.split(' ')[0]).toBe(field);
    expect(shop.sentTo(id)).toEqual([]);
    expect(await shop.services.store.all('SELECT id FROM payment_sessions')).toEqual([]);
  });

  test.each([
    ['the least in GBP', { ...PAYMENT, amounts: { requested: 30 } }],
    ['the most in GBP', { ...PAYMENT, amounts: { requested: 2_000_000 } }],
    ['the most in HUF', { amounts: { requested: 800_000_000 }, currency: 'HUF' }],
    ['fields that are null', { ...PAYMENT, paymentSession: null, settings: { receiptPrintingSource: null } }],
    ['unknown fields', { ...PAYMENT, captureFlow: 'Manual', metadata: 7, paymentSession: { q: 1 } }],
    ['10 metadata entries', metadata(entries(10))],
    ['fees charged to an account', bookTo('combined', ACCOUNT)],
  ])('accepts %s', async (_, body) => {
    const shop = await shopServer();
    const { status, body: terminal } = await shop.at(await shop.terminal(), 'payment', body);
    expect([status, terminal.action.transaction.settings]).toEqual([
      200,
      { receiptPrintingSource: 'Terminal' },
    ]);
  });

  test('accepts the currencies of the account', async () => {
    const shop = await shopServer();
    const id = await shop.terminal();
    await shop.services.store.transaction(async (tx) => {
      const { settings } = (await findAccount(tx, shop.platformId))!;
      await accounts.update(
        tx,
        shop.platformId,
        { accountSettings: { ...settings, currencies: ['GBP', 'EUR'] } },
        0,
      );
    });
    const { body } = await shop.at(id, 'payment', { ...PAYMENT, currency: 'USD' });
    expect(body.errors).toEqual([{ code: 'invalid_field', message: 'currency must be one of: [GBP, EUR]' }]);
    expect((await shop.at(id, 'payment', { ...PAYMENT, currency: 'EUR' })).status).toBe(200);
  });

  test('a sub account pays its platform a fee of at most the whole payment', async () => {
    const shop = await shopServer();
    const id = await shop.terminal({ account: shop.subAccountId });
    const pay = (platformFee: number) => shop.at(id, 'payment', session({ platformFee }), shop.subAccountId);
    const { status, body } = await pay(1001);
    expect([status, body.errors[0].message.split(' ')[0]]).toEqual([400, 'paymentSession.platformFee']);
    expect((await pay(1000)).status).toBe(200);
  });
});

test('POST /in-person/terminals/{id}/payment: returns the terminal with the requested payment', async () => {
  const shop = await shopServer();
  const id = await shop.terminal();
  const { body } = await shop.at(id, 'payment', {
    ...PAYMENT,
    settings: { receiptPrintingSource: 'PointOfSale' },
  });
  const now = Math.floor(shop.clock.nowMs() / 1000);
  expect(body.action).toEqual({
    type: 'Transaction',
    status: 'InProgress',
    id: expect.stringMatching(/^tmlact_[0-7][0-9A-HJKMNP-TV-Z]{25}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
    error: null,
    transaction: {
      type: 'Payment',
      paymentSessionId: expect.stringMatching(/^ps_/),
      amounts: { requested: 1000 },
      currency: 'GBP',
      receiptDetail: { merchantCopy: { status: 'NotRequired' }, customerCopy: { status: 'NotRequired' } },
      settings: { receiptPrintingSource: 'PointOfSale' },
    },
    createdTimestamp: now,
  });
  expect((await shop.call(`GET /v1/in-person/terminals/${id}`)).body).toEqual(body);
});

test('POST /in-person/terminals/{id}/payment: drops unknown fields of the payment session', async () => {
  const shop = await shopServer();
  const id = await shop.terminal();
  const paymentSettings = {
    unheard: 'of',
    paymentMethodOptions: { disabled: ['Amex'], unheard: 'of' },
    platform: { paymentFees: { combined: { bookTo: ACCOUNT, unheard: 'of' }, unheard: { bookTo: ACCOUNT } } },
  };
  const { sessionId } = await shop.pay(id, session({ unheard: 'of', paymentSettings }));
  const { body } = await shop.call(`GET /v1/payment-sessions/${sessionId}`);
  expect(body.paymentSettings).toEqual({
    paymentMethodOptions: { disabled: ['Amex'] },
    platform: { paymentFees: { combined: { bookTo: ACCOUNT } } },
  });
  await shop.at(id, 'cancel-action');
  for (const table of ['payment_sessions', 'events']) {
    expect(JSON.stringify(await shop.services.store.all(`SELECT * FROM ${table}`))).not.toContain('unheard');
  }
});
