import type { Provider } from '../../cli/drills/provider.ts';
import type { Json } from '../../cli/drills/stage.ts';
import type { HuntOptions, HuntScene, ShopOrder } from '../../testing/hunt/hunt.ts';
import { earn, EARNED_MINUTES, good } from '../journeys/one-of-each.ts';
import { attemptPayment, createSession, SESSION, subscribe } from './tills/online-payment.ts';
import { openProvider } from './tills/provider.ts';
import { takingsAre } from './tills/takings.ts';

/** A shop without a defect, of another kind of sale than the tills of the known defects. */
interface RightShop {
  /** What it does. */
  name: string;
  shop(): HuntOptions;
}

const DAY_MS = 24 * 3_600_000;
const PAUSE_MS = 5_000;
const TRIES_MAX = 10;
const ORDER_ID = 'order-1';
const metadata = { orderId: ORDER_ID };
/** The parts of an order that is paid, refunded or transferred in two. */
const PARTS = [1000, 742];

export const OTHER_RIGHT_SHOPS: readonly RightShop[] = [
  { name: 'sells an order to two cards', shop: splitOrder },
  { name: 'captures a part of what it held, three days later', shop: lateCapture },
  { name: 'sells for a sub account, which pays a platform fee', shop: subAccountSale },
  { name: 'ends a subscription after its second cycle', shop: endedSubscription },
  { name: 'refunds an order in two parts', shop: refundInParts },
  { name: 'transfers money to a sub account in two parts', shop: transferInParts },
];

/** Keeps one order in books, which the shop returns. */
function withOrder(sells: (scene: HuntScene, order: ShopOrder) => Promise<void>): HuntOptions {
  let orders: ShopOrder[] = [];
  return {
    scenario(scene) {
      const order: ShopOrder = { orderId: ORDER_ID, paid: false, amount: 0 };
      orders = [order];
      return sells(scene, order);
    },
    shop: () => ({ orders }),
  };
}

/** Sells an amount, with another card where the bank declines one. Returns the session, whether or not it was paid. */
async function pay(provider: Provider, amount: number, more: object = {}): Promise<Json> {
  const session = await createSession(provider, { ...SESSION, metadata, amount, ...more });
  let paid = await attemptPayment(provider, session);
  for (let tries = 1; paid.status === 'PendingPayment' && tries < TRIES_MAX; tries += 1)
    paid = await attemptPayment(provider, session);
  return paid;
}

/**
 * Sends a request for what is done a while after it is accepted, until it is done; again when it has failed.
 * @param find resolves with what the request has made, unless that has failed
 */
async function untilSucceeded(
  { sleep }: HuntScene,
  { untilDone }: Provider,
  call: Parameters<Provider['untilDone']>[0],
  find: () => Promise<Json | undefined>,
): Promise<void> {
  for (let found = await find(); found?.status !== 'Succeeded'; found = await find()) {
    if (!found) await untilDone(call, find);
    await sleep(PAUSE_MS);
  }
}

/** Finds a transaction of a session that has not failed. */
async function transaction(
  { read }: Provider,
  { id }: Json,
  wanted: { type: string; amount: number },
): Promise<Json | undefined> {
  const { items } = await read(`/payment-sessions/${id}/transactions`);
  return items.find(
    ({ type, amount, status }: Json) =>
      type === wanted.type && amount === wanted.amount && status !== 'Failed',
  );
}

function splitOrder(): HuntOptions {
  return withOrder(async (scene, order) => {
    const provider = openProvider(scene);
    order.payments = 0;
    for (const part of PARTS) {
      if ((await pay(provider, part)).status !== 'Captured') return;
      order.amount += part;
      order.payments += 1;
      order.paid = true;
    }
  });
}

function lateCapture(): HuntOptions {
  const amount = 1000;
  return withOrder(async (scene, order) => {
    const provider = openProvider(scene);
    const held = await pay(provider, 1742, { captureFlow: 'Manual' });
    if (held.status !== 'Approved') return;
    await scene.sleep(3 * DAY_MS);
    const call = { method: 'POST', path: `/payment-sessions/${held.id}/captures`, body: { amount } } as const;
    await untilSucceeded(scene, provider, call, () =>
      transaction(provider, held, { type: 'Capture', amount }),
    );
    Object.assign(order, { paid: true, amount });
  });
}

function subAccountSale(): HuntOptions {
  return withOrder(async (scene, order) => {
    const asSubAccount: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('Account', scene.world.subAccountId);
      return scene.fetch(url, { ...init, headers });
    };
    const { world, sleep } = scene;
    const provider = openProvider({ world, sleep, fetch: asSubAccount });
    const platformFee = 120;
    if ((await pay(provider, 1742, { platformFee })).status !== 'Captured') return;
    Object.assign(order, { paid: true, amount: 1742, platformFee });
  });
}

function endedSubscription(): HuntOptions {
  const price = { amount: 1742, currency: 'GBP', interval: { unit: 'Days', count: 10 } };
  let customerId = '';
  let booked: number[] = [];
  return {
    async prepare({ api }) {
      customerId = good(await api.post('/v1/customers', { email: 'ana@corner.example' })).id;
    },
    async scenario(scene) {
      booked = [];
      const provider = openProvider(scene);
      const { read, untilDone } = provider;
      const made = await subscribe(provider, customerId, price);
      const path = `/subscriptions/${made.id}`;
      await attemptPayment(provider, made.paymentSessions.initial);
      await scene.sleep(15 * DAY_MS);
      const cancelled = async () => {
        const subscription = await read(path);
        return subscription.status === 'Cancelled' ? subscription : undefined;
      };
      if (!(await cancelled())) await untilDone({ method: 'DELETE', path: `${path}/cancel` }, cancelled);
      await scene.sleep(15 * DAY_MS);
      const { items } = await read(`${path}/payment-sessions`);
      booked = items.filter(({ status }: Json) => status === 'Captured').map(({ amount }: Json) => amount);
    },
    verdicts: [takingsAre(() => booked)],
  };
}

function refundInParts(): HuntOptions {
  return withOrder(async (scene, order) => {
    const provider = openProvider(scene);
    const paid = await pay(provider, 1742);
    if (paid.status !== 'Captured') return;
    Object.assign(order, { paid: true, amount: 1742, refunded: 0 });
    for (const amount of PARTS) {
      const call = {
        method: 'POST',
        path: `/payment-sessions/${paid.id}/refunds`,
        body: { amount },
      } as const;
      await untilSucceeded(scene, provider, call, () =>
        transaction(provider, paid, { type: 'Refund', amount }),
      );
      order.refunded! += amount;
    }
  });
}

function transferInParts(): HuntOptions {
  return {
    async prepare(world) {
      await earn(world, world.platformId);
      await world.advance({ minutes: EARNED_MINUTES });
    },
    ...withOrder(async (scene, order) => {
      const { read, untilDone } = openProvider(scene);
      const destination = { accountId: scene.world.subAccountId };
      order.transferred = 0;
      for (const amount of PARTS) {
        const body = { amount, currency: 'EUR', metadata, destination };
        await untilDone({ method: 'POST', path: '/transfers', body }, async () =>
          (await read('/transfers')).items.find((one: Json) => one.amount === amount),
        );
        order.transferred += amount;
      }
    }),
  };
}
