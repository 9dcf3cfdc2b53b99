import type { Json } from '../../../cli/drills/stage.ts';
import type { HuntOptions, HuntScene, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';

/** Longer than a card scheme takes to decide. */
const DECIDED_MS = 31 * 24 * 3_600_000;

/**
 * A shop that challenges a dispute, and has its money back in the books once the dispute is closed: it may be lost. The right one
 * reads how it was decided.
 */
export function closedDisputeWon(isRight: boolean): HuntOptions {
  let orders: ShopOrder[] = [];
  return {
    async scenario(scene) {
      const order: ShopOrder = { orderId: 'order-1', paid: false, amount: 1742 };
      orders = [order];
      const provider = openProvider(scene);
      const body = { ...SESSION, amount: order.amount, metadata: { orderId: order.orderId } };
      const { id, status } = await attemptPayment(provider, await createSession(provider, body));
      order.paid = status === 'Captured';
      await disputeAsCustomer(scene, id);
      const [disputed] = (await provider.read('/disputes')).items;
      if (!disputed) return;
      const path = `/disputes/${disputed.id}`;
      const change = async (
        method: 'PATCH' | 'POST',
        name: string,
        sent: object,
        isDone: (of: Json) => boolean,
      ) =>
        provider.untilDone({ method, path: `${path}/${name}`, body: sent }, async () => {
          const found = await provider.read(path);
          return isDone(found) ? found : undefined;
        });
      const evidence = { text: { uncategorised: 'Signed for at the door' } };
      await change('PATCH', 'evidence', evidence, (of) => of.evidence !== undefined);
      await change('POST', 'challenge', {}, (of) => of.status !== 'Open');
      await scene.sleep(DECIDED_MS);
      const decided = await provider.read(path);
      // Defect: one that is closed may be lost.
      const isWon = isRight ? decided.status === 'Won' : decided.status !== 'Challenged';
      order.chargedBack = isWon ? 0 : order.amount;
    },
    shop: () => ({ orders }),
  };
}

/** Disputes a payment as its cardholder: what becomes of that request is not seen by the shop. */
async function disputeAsCustomer({ world }: HuntScene, id: string): Promise<void> {
  await world.api.post(`/sandbox/payment-sessions/${id}/disputes`, {}).catch(() => undefined);
}
