import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CARDS, card, encoded, openCheckout } from '../kit/checkout.ts';
import { openTill } from '../../testing/world/till.ts';
import { address } from '../server/api/accounts/account-bodies.ts';
import { libraryWorld, type LibraryWorld, type NodeLibrary } from './node-library.ts';

let at: LibraryWorld;

const call = (...given: Parameters<NodeLibrary['call']>) => at.call(...given);

const page = (...ids: string[]) => ({ items: ids.map((id) => expect.objectContaining({ id })) });

const REFUSED = {
  code: '400',
  requestId: expect.any(String),
  errors: [{ code: 'bad_request', message: expect.any(String) }],
};

describe.each(['off', 'on'] as const)('with STRICT=%s', (strict) => {
  beforeEach(async () => {
    at = await libraryWorld({ strict });
  });
  afterEach(() => at.world.close());

  test('Node library: paymentSessions, platformFees, events', async () => {
    const account = at.world.subAccountId;
    const session = await call('paymentSessions.create', {
      account,
      body: {
        amount: 1250,
        currency: 'GBP',
        customerEmail: 'sam@example.com',
        paymentType: 'Standard',
        captureFlow: 'Manual',
        platformFee: 100,
        shippingDetails: { address: { ...address, firstName: 'Sam', lastName: 'Fox' } },
        orderDetails: {
          items: [
            { reference: '1', name: 'Tea', quantity: 1, unitPrice: 1250, taxAmount: 0, totalAmount: 1250 },
          ],
        },
        statementDescriptor: { descriptor: 'Corner', city: 'Leeds' },
        paymentSettings: { paymentMethodOptions: { disabled: ['Amex'] } },
        metadata: { order: '1' },
      },
    });
    const { id, clientSecret } = session;
    expect(session).toMatchObject({ status: 'PendingPayment', platformFee: 100 });
    await call('paymentSessions.update', { account, ids: [id], body: { amount: 1300 } });
    const asked = await call('paymentSessions.attemptPayment', {
      account,
      body: {
        clientSecret,
        paymentMethodType: 'Card',
        cardDetails: card(CARDS.identifyThenChallenge, { name: 'Sam Fox' }),
        billingAddress: { firstName: 'Sam', lastName: 'Fox', ...address },
        customerDetails: { email: 'sam@example.com', mobilePhoneNumber: '+447700900123' },
        paymentMethodOptions: { store: false },
        threeDsRequestDetails: {
          deviceChannel: 'Browser',
          browserDetails: {
            acceptHeader: '*/*',
            colorDepth: 24,
            javaEnabled: false,
            language: 'en',
            screenHeight: 900,
            screenWidth: 1280,
            timeZoneOffset: 0,
            userAgent: 'A browser',
          },
        },
      },
    });
    expect(asked.requiredAction.type).toBe('Identify');
    const goOn = (threeDs: object) =>
      call('paymentSessions.continuePayment', { account, body: { clientSecret, threeDs } });
    const fingerprint = encoded({ threeDSCompInd: 'Y' });
    expect((await goOn({ fingerprint })).requiredAction.type).toBe('Challenge');
    expect(await goOn({ challengeResult: encoded({ transStatus: 'Y' }) })).toMatchObject({
      status: 'Approved',
    });

    const part = { amount: 300, captureType: 'NonFinal', platformFee: 100 };
    const capture = await call('paymentSessions.capture', { account, ids: [id], body: part });
    await call('paymentSessions.capture', { account, ids: [id], body: { captureType: 'Final' } });
    const refund = await call('paymentSessions.refund', {
      account,
      ids: [id],
      body: {
        amount: 100,
        reason: 'broken',
        refundPlatformFee: true,
        captureTransaction: { id: capture.id },
      },
    });
    expect(refund).toMatchObject({ type: 'Refund', amount: 100, status: 'Succeeded' });
    const transactions = await call('paymentSessions.listTransactions', {
      account,
      ids: [id],
      query: [true, 50],
    });
    expect(transactions.items.map((each: { type: string }) => each.type)).toEqual([
      'Authorization',
      'Capture',
      'Capture',
      'Refund',
    ]);
    expect(await call('paymentSessions.getTransaction', { account, ids: [id, refund.id] })).toEqual(refund);
    expect(await call('paymentSessions.get', { account, ids: [id] })).toMatchObject({ refundedAmount: 100 });
    expect(await call('paymentSessions.list', { account, query: [...at.window(), false, 5] })).toMatchObject(
      page(id),
    );

    const voided = await openCheckout(at.world.api).approved();
    expect(await call('paymentSessions.void', { ids: [voided.id] })).toMatchObject({ type: 'Void' });
    await expect(call('paymentSessions.void', { ids: [voided.id] })).rejects.toMatchObject({
      status: 400,
      response: REFUSED,
    });

    const [fee] = (await call('platformFees.list', { query: [true, 10] })).items;
    expect(await call('platformFees.get', { ids: [fee.id] })).toMatchObject({ id: fee.id, amount: 100 });
    expect((await call('platformFees.getRefunds', { ids: [fee.id] })).items).toHaveLength(1);
    const [event] = (await call('events.list', { account, query: [false, 1] })).items;
    expect(await call('events.get', { account, ids: [event.id] })).toEqual(event);
    expect(at.library.uncalled('payments')).toEqual([]);
  });

  test('Node library: customers, paymentMethods, subscriptions', async () => {
    const body = { email: 'kim@example.com', firstName: 'Kim', lastName: 'Lee', metadata: { a: 'b' } };
    const customer = await call('customers.create', { body });
    const ids = [customer.id];
    expect(await call('customers.update', { ids, body: { firstName: 'Kimberly' } })).toMatchObject({
      id: customer.id,
    });
    expect(await call('customers.get', { ids })).toMatchObject({ firstName: 'Kimberly' });
    const byEmail = ['kim@example.com', ...at.window(), true, 5];
    expect(await call('customers.list', { query: byEmail })).toMatchObject(page(customer.id));
    const shop = openCheckout(at.world.api);
    const paid = await shop.pay(await shop.session({ customerDetails: { id: customer.id } }), CARDS.plain, {
      paymentMethodOptions: { store: true },
    });
    const method = paid.paymentMethod.tokenizedDetails.id as string;
    expect(await call('customers.getPaymentMethods', { ids })).toMatchObject(page(method));
    const billingAddress = { firstName: 'Kim', lastName: 'Lee', ...address };
    await call('paymentMethods.update', { ids: [method], body: { billingAddress } });
    expect(await call('paymentMethods.get', { ids: [method] })).toMatchObject({
      billingAddress: { city: 'Leeds' },
    });

    const subscription = await call('subscriptions.create', {
      body: {
        customer: { id: customer.id },
        paymentMethod: { id: method },
        price: { amount: 1500, currency: 'GBP', interval: { unit: 'Months', count: 1, times: null } },
        description: 'Tea',
        paymentSettings: { statementDescriptor: { descriptor: 'Tea', city: 'Leeds' } },
      },
    });
    const own = { ids: [subscription.id] };
    const [made] = at.window();
    await call('subscriptions.update', { ...own, body: { price: { amount: 1600 }, description: null } });
    const resumeTimestamp = at.window()[1] + 90 * 86_400;
    const paused = await call('subscriptions.pause', { ...own, body: { reason: 'away', resumeTimestamp } });
    expect(paused).toMatchObject({
      status: 'Active',
      pausePaymentDetail: { resumeAtTimestamp: resumeTimestamp },
    });
    await call('subscriptions.pause', { ...own, body: { unschedule: true } });
    await call('subscriptions.pause', { ...own, body: {} });
    await at.world.advance({ minutes: 32 * 24 * 60 });
    expect(await call('subscriptions.get', own)).toMatchObject({ status: 'Paused' });
    expect(await call('subscriptions.resume', own)).toMatchObject({ status: 'Active' });
    const sessions = await call('subscriptions.getPaymentSessions', {
      ...own,
      query: [undefined, undefined, true, 5],
    });
    expect(sessions.items[0]).toMatchObject({ amount: 1500 });
    expect(await call('subscriptions.list', { query: [made, at.window()[1], true] })).toMatchObject(
      page(subscription.id),
    );
    expect(await call('subscriptions.delete', own)).toMatchObject({ id: subscription.id });
    expect(await call('paymentMethods.delete', { ids: [method] })).toMatchObject({ id: method });
    expect(await call('customers.delete', { ids })).toMatchObject({ id: customer.id });
    expect(at.library.uncalled('customers')).toEqual([]);
  });

  test('Node library: inPersonLocations, inPersonTerminals, inPersonProducts, inPersonSkus, inPersonOrders', async () => {
    const location = await call('inPersonLocations.create', {
      body: { name: 'Corner', address, metadata: { a: 'b' } },
    });
    await call('inPersonLocations.update', {
      ids: [location.id],
      body: { name: 'Corner Goods', metadata: null },
    });
    expect(await call('inPersonLocations.get', { ids: [location.id] })).toMatchObject({
      name: 'Corner Goods',
    });
    expect((await call('inPersonLocations.list', { query: [true, 5] })).items).toContainEqual(
      expect.objectContaining({ id: location.id }),
    );

    const spare = { serialNumber: 'SIM-9', locationId: location.id, name: null };
    const { id: spareId } = await call('inPersonTerminals.create', { body: spare });
    await call('inPersonTerminals.update', { ids: [spareId], body: { name: 'Spare', locationId: null } });
    expect(await call('inPersonTerminals.get', { ids: [spareId] })).toMatchObject({ name: 'Spare' });
    expect(await call('inPersonTerminals.list', { query: [true] })).toMatchObject(page(spareId));
    expect(await call('inPersonTerminals.delete', { ids: [spareId] })).toMatchObject({ id: spareId });
    expect(await call('inPersonLocations.delete', { ids: [location.id] })).toMatchObject({ id: location.id });

    const till = openTill(at.world, await at.world.addTerminal());
    const ids = [till.terminal.terminalId];
    const payment = {
      amounts: { requested: 1000 },
      currency: 'GBP',
      paymentSession: { metadata: { till: '1' } },
      settings: { receiptPrintingSource: 'PointOfSale' },
    };
    await call('inPersonTerminals.initiatePayment', { ids, body: payment });
    await till.reaches('awaitingCard');
    expect(await call('inPersonTerminals.cancelAction', { ids })).toMatchObject({
      action: { status: 'Cancelled' },
    });
    await at.world.settled();
    const { action } = await call('inPersonTerminals.initiatePayment', { ids, body: payment });
    await till.reaches('awaitingCard');
    till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    await till.reaches('awaitingMerchantReceipt');
    const merchant = { merchantCopy: { status: 'Succeeded' } };
    await call('inPersonTerminals.confirmReceipt', { ids, body: merchant });
    const done = await call('inPersonTerminals.confirmReceipt', {
      ids,
      body: { customerCopy: { status: 'Succeeded' } },
    });
    expect(done.action.status).toBe('Succeeded');
    await at.world.settled();
    const paymentSession = { id: action.transaction.paymentSessionId };
    const back = { paymentSession, amount: 400, refundPlatformFee: null, settings: null };
    expect(await call('inPersonTerminals.initiateRefund', { ids, body: back })).toMatchObject({
      action: { status: 'InProgress' },
    });

    for (const [resource, query] of [
      ['inPersonProducts', [true, 1]],
      ['inPersonSkus', ['GB', 1]],
      ['inPersonOrders', [false, 1]],
    ] as const) {
      const [first] = (await call(`${resource}.list`, { query })).items;
      expect(await call(`${resource}.get`, { ids: [first.id] })).toEqual(first);
    }
    expect(at.library.uncalled('inPerson')).toEqual([]);
  });
});
