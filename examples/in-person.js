/** A contactless payment at a terminal of a sub account, with a platform fee. */
import { check, main, newShop, until } from './api.js';

/** @import { Api } from './api.js' */

/** @param {Api} api */
export async function run(api) {
  const accountId = await newShop(api, 'stall');
  const shop = api.as(accountId);
  const terminal = await newTerminal(api, shop);
  const path = `/v1/in-person/terminals/${terminal.id}`;

  const started = await shop.post(`${path}/payment`, {
    amounts: { requested: 2_000 },
    currency: 'GBP',
    paymentSession: { platformFee: 150, metadata: { table: '4' } },
  });
  api.say(`payment started: ${started.action.id}`);
  await until('the terminal waits for a card', async () => {
    const { state } = await api.get(`/sandbox/terminals/${terminal.id}`);
    return typeof state === 'string' && state.includes('awaitingCard');
  });
  await api.post(`/sandbox/terminals/${terminal.id}/present-card`, { card: 'visa-contactless' });
  const action = await until('the action has ended', async () => {
    const now = await shop.get(path);
    return now.action.status !== 'InProgress' && now.action;
  });
  check('action status', action.status, 'Succeeded');

  const session = await shop.get(`/v1/payment-sessions/${action.transaction.paymentSessionId}`);
  check(
    'payment',
    [session.status, session.entryMode, session.metadata.table],
    ['Captured', 'InPerson', '4'],
  );
  const fees = (await api.get('/v1/platform-fees?limit=50')).items;
  const fee = fees.find(({ paymentSessionId }) => paymentSessionId === session.id);
  check('platform fee', [fee?.amount, fee?.fromAccountId], [150, accountId]);
  const [{ pending }] = (await shop.get('/v1/balances?currency=GBP')).items;
  check('pending balance of the shop', pending.amount, 1_850);
  api.say('20.00 captured: 18.50 for the shop, 1.50 for the platform');
}

/**
 * Registers a terminal. `tapbench up` simulates it, since its serial number begins with SIM. The script `none` means that
 * no cardholder is simulated: this example presents the card.
 * @param {Api} api
 * @param {Api} shop
 */
async function newTerminal(api, shop) {
  const location = await shop.post('/v1/in-person/locations', {
    name: 'Market Stall',
    address: { lineOne: '1 High Street', city: 'York', country: 'GB', postalCode: 'YO1 7AB' },
  });
  const serialNumber = `SIM-${Math.random().toString(36).slice(2, 10)}`;
  const terminal = await shop.post('/v1/in-person/terminals', { serialNumber, locationId: location.id });
  await until(
    'the terminal is online',
    async () => (await api.get(`/sandbox/terminals/${terminal.id}`)).online,
  );
  await api.post(`/sandbox/terminals/${terminal.id}/cardholder`, { script: 'none' });
  return terminal;
}

await main(import.meta.filename, run);
