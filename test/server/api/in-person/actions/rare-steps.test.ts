import { expect, test } from 'vitest';
import { ActionAbandoned, AuthoriseAction } from '../../../../../protocol/messages/action.messages.ts';
import { applyActionEvent } from '../../../../../server/api/in-person/actions/apply-action-event.ts';
import { actions } from '../../../../../server/api/in-person/actions/action.records.ts';
import { shopServer, VISA, type ShopServer } from '../shop-server.ts';

type Phase = 'printing' | 'awaitingMerchantCopy' | 'awaitingCustomerCopy';

/** An action that the issuer has approved, as far as it is to come. */
async function approved(shop: ShopServer, type: 'payment' | 'refund', phase: Phase) {
  const id = await shop.terminal();
  const settings = { receiptPrintingSource: phase === 'printing' ? 'Terminal' : 'PointOfSale' };
  const earlier = type === 'refund' ? await shop.captured(id) : undefined;
  const body = earlier ? { paymentSession: { id: earlier.sessionId }, settings } : { settings };
  const { actionId } = type === 'payment' ? await shop.pay(id, body) : await refunding(shop, id, body);
  await shop.authorise(id, actionId);
  if (phase === 'awaitingCustomerCopy') await confirm(shop, id, 'merchantCopy', 'Succeeded');
  return { id, actionId };
}

async function refunding(shop: ShopServer, id: string, body: object): Promise<{ actionId: string }> {
  const { body: terminal } = await shop.at(id, 'refund', body);
  return { actionId: terminal.action.id };
}

function confirm(shop: ShopServer, id: string, copy: string, status: 'Succeeded' | 'Failed') {
  return shop.at(id, 'confirm-receipt', { [copy]: { status } });
}

const FACTS = {
  cancelled: (shop: ShopServer, id: string) => shop.at(id, 'cancel-action'),
  'abandoned by its terminal': (shop: ShopServer, id: string, actionId: string) =>
    shop.report(ActionAbandoned, id, { actionId, seq: 3, code: 'unexpected_error' }),
  overdue: (shop: ShopServer, _id: string, actionId: string) =>
    shop.services.store.transaction(async (tx) => {
      await applyActionEvent(tx, shop.services, (await actions.findAny(tx, actionId))!, {
        type: 'deadline.passed',
      });
    }),
  'left without its merchant copy': (shop: ShopServer, id: string) =>
    confirm(shop, id, 'merchantCopy', 'Failed'),
  'left without its customer copy': (shop: ShopServer, id: string) =>
    confirm(shop, id, 'customerCopy', 'Failed'),
};

/** What has been taken is given back; what has been given back stays so, and only its copies fail. */
const ENDS: [Phase, keyof typeof FACTS, payment: string][] = [
  ['printing', 'cancelled', 'Cancelled'],
  ['printing', 'abandoned by its terminal', 'Failed'],
  ['printing', 'overdue', 'Failed'],
  ['awaitingMerchantCopy', 'cancelled', 'Cancelled'],
  ['awaitingMerchantCopy', 'abandoned by its terminal', 'Failed'],
  ['awaitingMerchantCopy', 'overdue', 'Failed'],
  ['awaitingMerchantCopy', 'left without its merchant copy', 'Failed'],
  ['awaitingCustomerCopy', 'cancelled', 'Cancelled'],
  ['awaitingCustomerCopy', 'abandoned by its terminal', 'Failed'],
  ['awaitingCustomerCopy', 'overdue', 'Failed'],
  ['awaitingCustomerCopy', 'left without its customer copy', 'Failed'],
];

test.each(ENDS)(
  'terminal payment: when %s and %s it is %s, and its money is returned',
  async (phase, fact, status) => {
    const shop = await shopServer();
    const { id, actionId } = await approved(shop, 'payment', phase);
    await FACTS[fact](shop, id, actionId);
    const { action } = (await shop.call(`GET /v1/in-person/terminals/${id}`)).body;
    expect(action.status).toBe(status);
    const session = await shop.call(`GET /v1/payment-sessions/${action.transaction.paymentSessionId}`);
    expect(session.body.status).toBe('Voided');
  },
);

test.each(ENDS)('terminal refund: when %s and %s it has still succeeded', async (phase, fact) => {
  const shop = await shopServer();
  const { id, actionId } = await approved(shop, 'refund', phase);
  await FACTS[fact](shop, id, actionId);
  expect((await shop.call(`GET /v1/in-person/terminals/${id}`)).body.action.status).toBe('Succeeded');
});

test('terminal report: a request to the issuer that arrives before the acceptance is answered', async () => {
  const shop = await shopServer();
  const [one, other, third] = [await shop.terminal(), await shop.terminal(), await shop.terminal()];
  const ask = async (id: string, card: typeof VISA) => {
    const { actionId } = await shop.pay(id);
    await shop.report(AuthoriseAction, id, { actionId, seq: 1, card, verification: 'None' });
    return (await shop.call(`GET /v1/in-person/terminals/${id}`)).body.action.status as string;
  };
  expect(await ask(one, VISA)).toBe('InProgress');
  expect(await ask(other, { ...VISA, expiryYear: '2020' })).toBe('Failed');

  const { actionId } = await shop.pay(third);
  await shop.report(ActionAbandoned, third, { actionId, seq: 1, code: 'unexpected_error' });
  expect((await shop.call(`GET /v1/in-person/terminals/${third}`)).body.action.status).toBe('Failed');
});
