import { afterEach, beforeEach, expect, test } from 'vitest';
import { successOf } from '../../testing/world/api.ts';
import { openCheckout, type Checkout } from '../kit/checkout.ts';
import { ledgerProblems } from '../kit/ledger.ts';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { allItems } from './all-items.ts';
import { CUTTING_FAULTS as FAULTS, sendThroughFaults } from './cut-requests.ts';
import { countFrom } from '../kit/count-from.ts';

// A thousand by RETRIED_POSTS=1000 npx vitest run test/journeys/retried-posts.test.ts.
const POSTS = countFrom('RETRIED_POSTS', 60);
const RESTART_EVERY = 25;

interface Post {
  key: string;
  path: string;
  body: string;
}

interface Reply {
  status: number;
  text: string;
  isReplayed: boolean;
}

let world: World;
let till: Till;
let shop: Checkout;
beforeEach(async () => {
  world = await startWorld({
    cardholder: { script: 'tap', delayMs: 100 },
    settings: { idempotencyKeys: 'on' },
  });
  till = openTill(world, await world.addTerminal());
  shop = openCheckout(world.api);
});
afterEach(() => world.close());

async function sendOnce({ key, path, body }: Post): Promise<Reply | undefined> {
  const reply = await sendThroughFaults(world, {
    method: 'POST',
    path,
    body,
    headers: { 'idempotency-key': key },
  });
  return (
    reply && {
      status: reply.status,
      text: reply.text,
      isReplayed: reply.headers.get('idempotent-replayed') === 'true',
    }
  );
}

/** Sends a request as a careful client does: with the same key until there is an answer to it. */
async function send(post: Post): Promise<Reply & { tries: number }> {
  for (let tries = 1; ; tries += 1) {
    const reply = await sendOnce(post);
    if (reply && reply.status !== 409 && reply.status !== 429 && reply.status < 500)
      return { ...reply, tries };
    await world.advance({ seconds: 1 });
  }
}

/** The requests of a busy day, in turns: a customer, a payment session, a refund, and a payment at the terminal. */
function posts(refunded: string): Post[] {
  const terminal = `/v1/in-person/terminals/${till.terminal.terminalId}/payment`;
  return Array.from({ length: POSTS }, (_, index) => {
    const kinds: [path: string, body: object][] = [
      ['/v1/customers', { email: `customer-${index}@corner.example` }],
      ['/v1/payment-sessions', { amount: 1000 + index, currency: 'GBP', customerEmail: 'sam@example.com' }],
      [`/v1/payment-sessions/${refunded}/refunds`, { amount: 1 }],
      [terminal, { amounts: { requested: 1742 }, currency: 'GBP' }],
    ];
    const [path, body] = kinds[index % kinds.length]!;
    return { key: `post-${index}`, path, body: JSON.stringify(body) };
  });
}

test('idempotency key: POSTs that are cut at every point and sent again are each done once', async () => {
  const refunded = await shop.captured({ amount: POSTS * 10 });
  const day = posts(refunded.id);
  const plan = successOf(
    await world.api.post('/sandbox/faults', { faults: FAULTS, seed: 'retried posts' }),
    'POST /sandbox/faults',
  );

  const replies: Reply[] = [];
  let tries = 0;
  for (const [index, post] of day.entries()) {
    // Now and then two tills send the same at once, and the server starts again.
    const [reply] = await Promise.all(index % 5 === 0 ? [send(post), send(post)] : [send(post)]);
    expect([post.path, reply.text, reply.status < 300]).toEqual([post.path, reply.text, true]);
    replies.push(reply);
    tries += reply.tries;
    if (post.path.endsWith('/payment')) await world.advance({ seconds: 30 });
    if (index % RESTART_EVERY === RESTART_EVERY - 1) await world.restartServer();
  }

  const { struck, strikes } = (await world.api.get(`/sandbox/faults/${plan.id}`)).body;
  await world.api.delete(`/sandbox/faults/${plan.id}`);
  expect(new Set(strikes.map(({ fault }: { fault: number }) => fault)).size).toBe(FAULTS.length);
  expect([struck > POSTS / 3, tries > POSTS]).toEqual([true, true]);

  const ofKind = (end: string) => day.filter(({ path }) => path.endsWith(end)).length;
  const sessions = await allItems(world.api, '/v1/payment-sessions');
  // The sessions are of one customer, who came with the first.
  expect((await allItems(world.api, '/v1/customers')).length).toBe(1 + ofKind('/customers'));
  expect(sessions.length).toBe(1 + ofKind('/payment-sessions') + ofKind('/payment'));
  expect(sessions.filter(({ status }) => status === 'Captured').length).toBe(1 + ofKind('/payment'));
  expect(await shop.read(refunded)).toMatchObject({ refundedAmount: ofKind('/refunds') });
  expect(await ledgerProblems(world)).toEqual([]);

  for (const [index, post] of day.entries()) {
    expect(await sendOnce(post)).toEqual({
      status: replies[index]!.status,
      text: replies[index]!.text,
      isReplayed: true,
    });
  }
}, 600_000);
