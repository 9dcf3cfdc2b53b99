import type { Json } from '../../../cli/drills/stage.ts';
import type { HuntOptions, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { earn, EARNED_MINUTES } from '../../journeys/one-of-each.ts';
import { openProvider } from './provider.ts';

const AMOUNT = 500;
const PAUSE_MS = 15_000;

/**
 * A marketplace that books a payout when it is requested: the bank may refuse it. The right one reads it until it is
 * completed or has failed.
 */
export function payoutBooked(isRight: boolean): HuntOptions {
  let orders: ShopOrder[] = [];
  let payoutMethodId = '';
  return {
    async prepare(world) {
      ({ payoutMethodId } = await earn(world, world.subAccountId));
      await world.advance({ minutes: EARNED_MINUTES });
    },
    async scenario(scene) {
      const order: ShopOrder = { orderId: 'order-1', paid: false, amount: 0, paidOut: 0 };
      orders = [order];
      const { read, untilDone } = openProvider(scene);
      const path = `/accounts/${scene.world.subAccountId}/payouts`;
      const find = async (): Promise<Json | undefined> =>
        (await read(path)).items.find(({ metadata }: Json) => metadata?.orderId === order.orderId);
      const metadata = { orderId: order.orderId };
      const body = { amount: AMOUNT, currency: 'GBP', payoutMethodId, metadata };
      let payout = await untilDone({ method: 'POST', path, body }, find);
      for (; isRight && payout.status === 'InProgress'; payout = await read(`${path}/${payout.id}`))
        await scene.sleep(PAUSE_MS);
      // Defect: what is requested is not paid out.
      if (!isRight || payout.status === 'Completed') order.paidOut = AMOUNT;
    },
    shop: () => ({ orders }),
  };
}
