import { expect, test } from 'vitest';
import { CARDS, openCheckout } from '../kit/checkout.ts';
import { openTill } from '../../testing/world/till.ts';
import { startWorld } from '../../testing/world/world.ts';
import { byKind, countStore } from './counted-store.ts';

/** What an engine is sent around the statements of a transaction that is alone in its commit: BEGIN and COMMIT. */
const AROUND_TRANSACTION = 2;
const STATEMENTS_MAX = 40;

test('terminal payment: takes a bounded number of SQL statements from start to capture', async () => {
  let counted!: ReturnType<typeof countStore>;
  const world = await startWorld({ aroundStore: (store) => (counted = countStore(store)).store });
  const till = openTill(world, await world.addTerminal());
  await till.takes(1742); // the first payment of a day makes the rows of its balances
  const count = counted.begin();
  const started = await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  counted.begin();
  const session = await till.session(started.body.action.transaction.paymentSessionId);
  await world.close();

  expect(session.status).toBe('Captured');
  const sent = count.statements.length + AROUND_TRANSACTION * count.transactions;
  expect(sent, JSON.stringify(byKind(count), null, 2)).toBeLessThanOrEqual(STATEMENTS_MAX);
});

test('online payment: reads its session once before the transaction and once in it, and no subscription', async () => {
  let counted!: ReturnType<typeof countStore>;
  const world = await startWorld({ aroundStore: (store) => (counted = countStore(store)).store });
  const shop = openCheckout(world.api);
  const session = await shop.session();
  const count = counted.begin();
  await shop.pay(session, CARDS.plain);
  counted.begin();
  await world.close();

  const kinds = byKind(count);
  expect(kinds['SELECT payment_sessions'], JSON.stringify(kinds, null, 2)).toBe(2);
  expect(Object.keys(kinds).filter((kind) => kind.includes('subscription'))).toEqual([]);
});
