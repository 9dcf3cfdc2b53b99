import type { HuntOptions, HuntScene, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import type { Provider } from '../../../cli/drills/provider.ts';
import type { Json } from '../../../cli/drills/stage.ts';
import { openProvider } from './provider.ts';

const PAUSE_MS = 5_000;

/** An order of the app, as it is stored before anything is attempted. */
interface AppOrder extends ShopOrder {
  session?: { id: string; clientSecret: string };
}

/**
 * An app that authorises a payment and then captures it, in one request that may fail: the order stays unpaid, whether the
 * money was taken or is only held (woocommerce/woocommerce-ios#13162). The right one reads the payment and captures it until
 * it is captured, also after its process was started again.
 */
export function captureForgotten(isRight: boolean): HuntOptions {
  /** What survives a restart of the app, as on a disk. */
  let orders: AppOrder[] = [];
  return {
    async scenario(scene) {
      orders = [{ orderId: 'order-1', paid: false, amount: 1742 }];
      const order = orders[0]!;
      scene.restart((again) => (isRight ? sell(again, order, isRight) : undefined));
      await sell(scene, order, isRight);
    },
    shop: () => ({ orders }),
  };
}

async function sell(scene: HuntScene, order: AppOrder, isRight: boolean): Promise<void> {
  const provider = openProvider(scene);
  const { id } = await authorise(provider, order);
  const call = { method: 'POST', path: `/payment-sessions/${id}/captures`, body: {} } as const;
  // Defect: a request that fails ends it.
  await (isRight ? capture(provider, scene.sleep, call, id) : provider.once({ ...call, timeoutMs: 10_000 }));
  order.paid = (await provider.read(`/payment-sessions/${id}`)).status === 'Captured';
}

async function capture(
  { read, untilDone }: Provider,
  sleep: HuntScene['sleep'],
  call: Parameters<Provider['untilDone']>[0],
  id: string,
): Promise<void> {
  const find = async (): Promise<Json | undefined> => {
    const session = await read(`/payment-sessions/${id}`);
    return session.status === 'Captured' ? session : undefined;
  };
  // One that is accepted may fail a little later.
  for (; (await find()) === undefined; await sleep(PAUSE_MS)) await untilDone(call, find);
}

/** Holds the amount of an order, once however often it is called. Returns the payment session. */
async function authorise(provider: Provider, order: AppOrder): Promise<{ id: string }> {
  const { orderId, amount } = order;
  const body = { ...SESSION, amount, captureFlow: 'Manual', metadata: { orderId } };
  order.session ??= (await createSession(provider, body)) as NonNullable<AppOrder['session']>;
  await attemptPayment(provider, order.session);
  return order.session;
}
