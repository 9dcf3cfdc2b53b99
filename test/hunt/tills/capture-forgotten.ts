import type { HuntOptions, HuntScene, ShopOrder } from '../../kit/hunt/hunt.ts';
import { openProvider, type Provider } from './provider.ts';
import { CARD, SESSION } from './online-payment.ts';

/**
 * An app that authorises a payment and then captures it, in one request that may fail: the order stays unpaid, whether the
 * money was taken or is only held (woocommerce/woocommerce-ios#13162). The right one captures until it is answered,
 * also after its process was started again.
 */
export function captureForgotten(isRight: boolean): HuntOptions {
  /** What survives a restart of the app, as on a disk. */
  let orders: ShopOrder[] = [];
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

async function sell(scene: HuntScene, order: ShopOrder, isRight: boolean): Promise<void> {
  const provider = openProvider(scene);
  const path = await authorise(provider, order);
  // Defect: a request that fails ends it.
  const send = isRight ? provider.surely : provider.once;
  await send('POST', `${path}/captures`, {}, `${order.orderId}-capture`);
  order.paid = true;
}

/** Holds the amount of an order, once however often it is called. Returns the path of the payment session. */
async function authorise({ surely }: Provider, { orderId, amount }: ShopOrder): Promise<string> {
  const session = { ...SESSION, amount, captureFlow: 'Manual', metadata: { orderId } };
  const { id, clientSecret } = await surely('POST', '/payment-sessions', session, `${orderId}-session`);
  const attempt = { clientSecret, cardDetails: CARD };
  await surely('POST', '/payment-sessions/attempt-payment', attempt, `${orderId}-attempt`);
  return `/payment-sessions/${id}`;
}
