import type { HuntOptions, HuntScene, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { isUncertain } from '../../../cli/drills/provider.ts';
import { openProvider } from './provider.ts';

const TRIES_MAX = 5;
const POLL_MS = 5_000;

/**
 * A shop that asks for the result of a payment five times and then gives up: the order stays open when the provider is away
 * for longer. The right one asks until it is told.
 */
export function givesUp(isRight: boolean): HuntOptions {
  let orders: ShopOrder[] = [];
  return {
    async scenario(scene) {
      const order: ShopOrder = { orderId: 'order-1', paid: false, amount: 1742 };
      orders = [order];
      const provider = openProvider(scene);
      const body = { ...SESSION, amount: order.amount, metadata: { orderId: order.orderId } };
      const { id } = await attemptPayment(provider, await createSession(provider, body));
      while (!order.paid) {
        const status = await (isRight ? read(scene, id) : readWithTries(scene, id));
        if (status === 'PendingPayment') return; // declined
        order.paid = status === 'Captured';
        await scene.sleep(POLL_MS);
      }
    },
    shop: () => ({ orders }),
  };
}

async function read(scene: HuntScene, id: string): Promise<string> {
  return (await openProvider(scene).read(`/payment-sessions/${id}`)).status;
}

/** Defect: after some tries it throws, and nobody asks again. */
async function readWithTries(scene: HuntScene, id: string): Promise<string> {
  const call = { method: 'GET', path: `/payment-sessions/${id}`, timeoutMs: 10_000 } as const;
  for (let tries = 1; ; tries += 1) {
    try {
      return (await openProvider(scene).once(call)).status;
    } catch (thrown) {
      if (!isUncertain(thrown) || tries === TRIES_MAX) throw thrown;
      await scene.sleep(1_000);
    }
  }
}
