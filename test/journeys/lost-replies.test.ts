import { afterEach, beforeEach, expect, test } from 'vitest';
import { successOf } from '../../testing/world/api.ts';
import { openCheckout, type Checkout } from '../kit/checkout.ts';
import { ledgerProblems } from '../kit/ledger.ts';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { allItems } from './all-items.ts';
import { CUTTING_FAULTS, sendThroughFaults } from './cut-requests.ts';
import { countFrom } from '../kit/count-from.ts';

// A thousand by LOST_REPLIES=1000 npx vitest run test/journeys/lost-replies.test.ts.
const POSTS = countFrom('LOST_REPLIES', 40);
const RESTART_EVERY = 25;

// oxlint-disable-next-line no-explicit-any -- replies of the API
type Json = any;

/** A request that is to be done once, and the list in which its work is found by a reference of its own. */
interface Intent {
  path: string;
  body: object;
  list: string;
  isIts(item: Json): boolean;
}

let world: World;
let till: Till;
let shop: Checkout;
beforeEach(async () => {
  // As on a server: without idempotency keys.
  world = await startWorld({ cardholder: { script: 'tap', delayMs: 100 } });
  till = openTill(world, await world.addTerminal());
  shop = openCheckout(world.api);
});
afterEach(() => world.close());

async function read(path: string): Promise<Json> {
  for (;;) {
    const reply = await sendThroughFaults(world, { method: 'GET', path });
    if (reply?.status === 200) return JSON.parse(reply.text);
    await world.advance({ seconds: 1 });
  }
}

async function isDone({ list, isIts }: Intent): Promise<boolean> {
  for (let next = ''; ;) {
    const { items, paginationToken } = await read(`${list}?limit=50${next}`);
    if (items.some(isIts)) return true;
    if (!paginationToken) return false;
    next = `&startsAfter=${encodeURIComponent(paginationToken)}`;
  }
}

/** Does what is written down once. Returns how often it was sent. */
async function carryOut(intent: Intent): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const { path, body } = intent;
    const reply = await sendThroughFaults(world, { method: 'POST', path, body: JSON.stringify(body) });
    if (reply && reply.status < 300) return tries;
    if (reply && reply.status !== 429 && reply.status < 500) throw new Error(reply.text);
    await world.advance({ seconds: 1 });
    if (await isDone(intent)) return tries;
  }
}

/** The requests of a busy day, in turns: a payment session, a refund, and a payment at the terminal. */
function intents(refunded: string): Intent[] {
  const terminal = `/v1/in-person/terminals/${till.terminal.terminalId}/payment`;
  return Array.from({ length: POSTS }, (_, index) => {
    const reference = `order-${index}`;
    const metadata = { reference };
    const isIts = (item: Json) => item.metadata?.reference === reference;
    const sessions = { list: '/v1/payment-sessions', isIts };
    const session = { amount: 1742, currency: 'GBP', customerEmail: 'sam@example.com', metadata };
    const payment = { amounts: { requested: 1742 }, currency: 'GBP', paymentSession: { metadata } };
    const kinds: Intent[] = [
      { path: '/v1/payment-sessions', body: session, ...sessions },
      {
        path: `/v1/payment-sessions/${refunded}/refunds`,
        body: { amount: 1, reason: reference },
        list: `/v1/payment-sessions/${refunded}/transactions`,
        isIts: ({ reason }) => reason === reference,
      },
      { path: terminal, body: payment, ...sessions },
    ];
    return kinds[index % kinds.length]!;
  });
}

test('lost replies: requests that are cut at every point are each done once by a shop that reads before it sends again, without keys', async () => {
  const refunded = await shop.captured({ amount: POSTS * 10 });
  const plan = successOf(
    await world.api.post('/sandbox/faults', { faults: CUTTING_FAULTS, seed: 'lost replies' }),
    'POST /sandbox/faults',
  );

  const day = intents(refunded.id);
  let tries = 0;
  for (const [index, intent] of day.entries()) {
    tries += await carryOut(intent);
    if (intent.path.endsWith('/payment')) await world.advance({ seconds: 30 });
    if (index % RESTART_EVERY === RESTART_EVERY - 1) await world.restartServer();
  }

  const { strikes } = (await world.api.get(`/sandbox/faults/${plan.id}`)).body;
  await world.api.delete(`/sandbox/faults/${plan.id}`);
  expect(new Set(strikes.map(({ fault }: { fault: number }) => fault)).size).toBe(CUTTING_FAULTS.length);
  expect(tries).toBeGreaterThan(POSTS);

  const ofKind = (end: string) => day.filter(({ path }) => path.endsWith(end)).length;
  const sessions = await allItems(world.api, '/v1/payment-sessions');
  expect(sessions).toHaveLength(1 + ofKind('/payment-sessions') + ofKind('/payment'));
  expect(sessions.filter(({ status }) => status === 'Captured')).toHaveLength(1 + ofKind('/payment'));
  expect(await shop.read(refunded)).toMatchObject({ refundedAmount: ofKind('/refunds') });
  expect(await ledgerProblems(world)).toEqual([]);
}, 600_000);
