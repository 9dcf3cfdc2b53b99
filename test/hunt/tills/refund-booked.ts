import type { Provider } from '../../../cli/drills/provider.ts';
import type { Json } from '../../../cli/drills/stage.ts';
import type { HuntOptions, HuntScene, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';

const PAUSE_MS = 5_000;

/**
 * A shop that books a refund when it is accepted, though it may fail afterwards: the customer never has the money. The right
 * one reads it until it has succeeded, and sends it again when it has failed.
 */
export function refundBooked(isRight: boolean): HuntOptions {
  let orders: ShopOrder[] = [];
  return {
    async scenario(scene) {
      const order: ShopOrder = { orderId: 'order-1', paid: false, amount: 1742 };
      orders = [order];
      const provider = openProvider(scene);
      const body = { ...SESSION, amount: order.amount, metadata: { orderId: order.orderId } };
      const { id, status } = await attemptPayment(provider, await createSession(provider, body));
      order.paid = status === 'Captured';
      if (!order.paid) return;
      await refund(scene, provider, id, isRight);
      order.refunded = order.amount;
    },
    shop: () => ({ orders }),
  };
}

async function refund({ sleep }: HuntScene, provider: Provider, id: string, isRight: boolean): Promise<void> {
  const path = `/payment-sessions/${id}`;
  const find = async (): Promise<Json | undefined> => {
    const { items } = await provider.read(`${path}/transactions`);
    return items.find(({ type, status }: Json) => type === 'Refund' && status !== 'Failed');
  };
  const call = { method: 'POST', path: `${path}/refunds`, body: {} } as const;
  // Defect: what is accepted is not done.
  if (!isRight) return void (await provider.untilDone(call, find));
  for (let found = await find(); found?.status !== 'Succeeded'; found = await find()) {
    if (!found) await provider.untilDone(call, find);
    await sleep(PAUSE_MS);
  }
}
